/* tags.c -- see tags.h. */
#include "io/tags.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mn_status tag_bad(const tag_reader *in, const char *at, const char *format, ...)
{
    char words[600];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    int line = at ? 1 : 0;
    for (const char *p = in->data; at && p < at; p++) line += *p == '\n';
    mn_say_error(in->say, (mn_place){in->name, line, 0}, "%s", words);
    return MN_BAD_INPUT;
}

bool text_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool text_same(text a, const char *b) { return strlen(b) == a.length && memcmp(a.at, b, a.length) == 0; }
int text_shown(text a)
{
    int n = 0;
    while (n < (int)(a.length < 40 ? a.length : 40) && a.at[n] >= ' ' && a.at[n] <= '~') n++;
    return n;
}

const char *text_find(const char *from, const char *end, const char *what)
{
    const char *p = from < end ? memmem(from, (size_t)(end - from), what, strlen(what)) : NULL;
    return p;
}

bool tag_next(tag_reader *in, tag *out, mn_status *status)
{
    *out = (tag){0};
    const char *p = in->at;
    for (;;) {
        while (p < in->end && *p != '<') p++;
        if (p == in->end) return false;
        const bool comment = in->end - p >= 4 && memcmp(p, "<!--", 4) == 0;
        if (!comment && !(in->end - p >= 2 && (p[1] == '?' || p[1] == '!'))) break;
        const char *close = text_find(p, in->end, comment ? "-->" : ">");
        if (!close) {
            *status = tag_bad(in, p, "the file ends within a comment or declaration");
            return false;
        }
        p = close + 1;
    }
    const char *begin = p++;
    if (p < in->end && *p == '/') out->closing = true, p++;
    out->name.at = p;
    while (p < in->end && !text_blank(*p) && *p != '>' && *p != '/') p++;
    out->name.length = (size_t)(p - out->name.at);
    for (;;) {
        while (p < in->end && (text_blank(*p) || *p == '/')) p++;
        if (p == in->end) break;
        if (*p == '>') {
            out->after = in->at = p + 1;
            return true;
        }
        const char *key = p;
        while (p < in->end && *p != '=' && *p != '>' && !text_blank(*p)) p++;
        const size_t length = (size_t)(p - key);
        while (p < in->end && text_blank(*p)) p++;
        if (p < in->end && *p == '=') p++;
        while (p < in->end && text_blank(*p)) p++;
        const char quote = p < in->end ? *p : 0;
        const char *value = p + 1,
                   *close = quote == '"' || quote == '\'' ? memchr(value, quote, (size_t)(in->end - value)) : NULL;
        if (!close) {
            *status =
                tag_bad(in, begin, "a tag with a broken attribute \"%.*s\"", text_shown((text){key, length}), key);
            return false;
        }
        if (out->count < MOST_ATTRIBUTES) {
            out->attribute[out->count].key = (text){key, length};
            out->attribute[out->count++].value = (text){value, (size_t)(close - value)};
        }
        p = close + 1;
    }
    *status = tag_bad(in, begin, "the file ends within a tag");
    return false;
}

bool tag_get(const tag *t, const char *key, text *out)
{
    for (int i = 0; i < t->count; i++)
        if (text_same(t->attribute[i].key, key)) {
            *out = t->attribute[i].value;
            return true;
        }
    return false;
}

mesh_word text_word(const char **p, const char *end)
{
    while (*p < end && text_blank(**p)) (*p)++;
    const char *begin = *p;
    while (*p < end && !text_blank(**p)) (*p)++;
    return (mesh_word){begin, *p - begin < 100 ? (int)(*p - begin) : 100};
}

bool tag_numbers(const tag *t, const char *key, int count, double *out)
{
    text value;
    if (!tag_get(t, key, &value)) return true;
    const char *p = value.at, *end = p + value.length;
    for (int i = 0; i < count; i++)
        if (!mesh_number(text_word(&p, end), &out[i]) || !(fabs(out[i]) < 1e9)) return false;
    return text_word(&p, end).length == 0;
}

bool tag_whole(const tag *t, const char *key, double most, double *out)
{
    text value;
    if (!tag_get(t, key, &value)) return *out >= 0 && *out <= most && *out == floor(*out);
    const char *p = value.at, *end = p + value.length;
    return mesh_number(text_word(&p, end), out) && text_word(&p, end).length == 0 && *out >= 0 && *out <= most &&
           *out == floor(*out);
}
