/* text.c -- a growing text, numbers that survive it, and the C locale while it is written. */
#include "scene/text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(mn_text *text, size_t more)
{
    if (text->failed) return false;
    if (text->length + more + 1 <= text->capacity) return true;
    size_t capacity = 2 * text->capacity + more + 1024;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void mn_put(mn_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && make_room(text, (size_t)length))
        text->length += (size_t)vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
}

void mn_put_number(mn_text *text, double value)
{
    char digits[40];
    if (isinf(value)) {
        mn_put(text, value > 0 ? ".inf" : "-.inf");
        return;
    }
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    mn_put(text, "%s", digits);
}

/* How many bytes the UTF-8 character at s has, and its number; 0: not UTF-8. */
static int character(const unsigned char *s, unsigned *number)
{
    static const unsigned least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const int length = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    *number = length > 1 ? s[0] & (0x7fu >> length) : s[0];
    for (int k = 1; k < length; k++) {
        if ((s[k] & 0xc0) != 0x80) return 0;
        *number = *number << 6 | (s[k] & 0x3f);
    }
    return *number >= least[length] && *number <= 0x10ffff && (*number < 0xd800 || *number > 0xdfff) ? length : 0;
}

/* Characters that a line of YAML cannot hold as they are. */
static bool is_control(unsigned c)
{
    return c < 32 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

enum { BYTE_AS_CHARACTER = 0x10ff00 };

void mn_put_quoted(mn_text *text, const char *s)
{
    mn_put(text, "\"");
    for (int length; *s; s += length) {
        unsigned c;
        length = character((const unsigned char *)s, &c);
        if (!length || c >= BYTE_AS_CHARACTER + 0x80) {
            mn_put(text, "\\U%08x", BYTE_AS_CHARACTER + (unsigned)(unsigned char)*s);
            length = 1;
        } else if (*s == '"' || *s == '\\') mn_put(text, "\\%c", *s);
        else if (is_control(c)) mn_put(text, "\\u%04x", c);
        else mn_put(text, "%.*s", length, s);
    }
    mn_put(text, "\"");
}

void mn_unquote_bytes(char *s)
{
    char *out = s;
    while (*s) {
        unsigned c;
        const int length = character((const unsigned char *)s, &c);
        if (length == 4 && c >= BYTE_AS_CHARACTER + 0x80) *out++ = (char)(c - BYTE_AS_CHARACTER), s += length;
        else *out++ = *s++;
    }
    *out = 0;
}

void mn_put_indent(mn_text *text, int columns) { mn_put(text, "%*s", columns, ""); }

char *mn_text_done(mn_text *text)
{
    if (!text->failed && text->data) return text->data;
    free(text->data);
    return NULL;
}

bool mn_c_locale_enter(struct mn_c_locale *locale)
{
    locale->own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!locale->own) return false;
    locale->before = uselocale((locale_t)locale->own);
    return true;
}

void mn_c_locale_leave(struct mn_c_locale *locale)
{
    uselocale((locale_t)locale->before);
    freelocale((locale_t)locale->own);
}
