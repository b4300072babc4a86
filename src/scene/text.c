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

void mn_put_quoted(mn_text *text, const char *s)
{
    mn_put(text, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') mn_put(text, "\\%c", *s);
        else if ((unsigned char)*s < 32) mn_put(text, "\\u%04x", (unsigned)(unsigned char)*s);
        else mn_put(text, "%c", *s);
    }
    mn_put(text, "\"");
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
