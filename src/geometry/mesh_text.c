/* mesh_text.c -- words, numbers and growing arrays for the mesh readers. */
#include "geometry/mesh_text.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0'; }

mesh_word mesh_next_word(mesh_reader *in, bool any_line)
{
    while (in->at < in->end && (is_blank(*in->at) || *in->at == '\n')) {
        if (*in->at == '\n') {
            if (!any_line) return (mesh_word){in->at, 0};
            if (in->line < INT_MAX) in->line++;
        }
        in->at++;
    }
    const char *start = in->at;
    while (in->at < in->end && !is_blank(*in->at) && *in->at != '\n' && in->at - start < INT_MAX) in->at++;
    return (mesh_word){start, (int)(in->at - start)};
}

void mesh_skip_line(mesh_reader *in)
{
    const char *stop = in->at < in->end ? memchr(in->at, '\n', (size_t)(in->end - in->at)) : NULL;
    in->at = stop ? stop + 1 : in->end;
    if (stop && in->line < INT_MAX) in->line++;
}

bool mesh_word_is(mesh_word word, const char *text)
{
    if (word.length != (int)strlen(text)) return false;
    for (int i = 0; i < word.length; i++)
        if (tolower((unsigned char)word.text[i]) != tolower((unsigned char)text[i])) return false;
    return true;
}

int mesh_show(mesh_word word)
{
    int n = 0;
    while (n < word.length && n < 32 && word.text[n] > ' ' && word.text[n] < 127) n++;
    return n;
}

static bool not_finite(mesh_word word, double *out)
{
    if (word.length && (*word.text == '-' || *word.text == '+')) word.text++, word.length--;
    bool nan = word.length >= 3 && mesh_word_is((mesh_word){word.text, 3}, "nan");
    bool inf = mesh_word_is(word, "inf") || mesh_word_is(word, "infinity") || mesh_word_is(word, "1.#inf");
    if (nan) *out = NAN;
    if (inf) *out = INFINITY;
    return nan || inf;
}

/* Exact up to 10^27 where long double has 64 bits; nothing of a math library. */
static long double power_of_ten(int exponent)
{
    long double power = 1;
    for (int k = 0; k < exponent && isfinite(power); k++) power *= 10;
    return power;
}

/* Nineteen digits fit 64 bits; later ones only shift the exponent. The product is rounded in long double, so a float
 * or a double printed with enough digits comes back to its last bit but for rare ties, which is below any use of a
 * mesh. */
bool mesh_number(mesh_word word, double *out)
{
    const char *p = word.text, *end = p + word.length;
    bool negative = p < end && *p == '-', any = false, point = false;
    uint64_t digits = 0;
    int exponent = 0, used = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    for (; p < end && (isdigit((unsigned char)*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        bool kept = used < 19;
        if (kept) digits = 10 * digits + (uint64_t)(*p - '0');
        if (kept && digits) used++;
        if (exponent > -100000 && exponent < 100000) exponent += (kept ? 0 : 1) - (point ? 1 : 0);
    }
    if (!any) return not_finite(word, out);
    if (p < end && (*p == 'e' || *p == 'E')) {
        bool below = ++p < end && *p == '-';
        int value = 0;
        if (p < end && (*p == '-' || *p == '+')) p++;
        if (p == end) return false;
        for (; p < end && isdigit((unsigned char)*p); p++)
            if (value < 100000) value = 10 * value + (*p - '0');
        exponent += below ? -value : value;
    }
    if (p != end) return false;
    long double scaled = (long double)digits;
    if (digits) scaled = exponent < 0 ? scaled / power_of_ten(-exponent) : scaled * power_of_ten(exponent);
    *out = (double)(negative ? -scaled : scaled);
    return true;
}

bool mesh_integer(mesh_word word, long *out)
{
    const char *p = word.text, *end = p + word.length;
    bool negative = p < end && *p == '-';
    long value = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end) return false;
    for (; p < end; p++) {
        if (!isdigit((unsigned char)*p)) return false;
        if (value > (LONG_MAX - 9) / 10) return false;
        value = 10 * value + (*p - '0');
    }
    *out = negative ? -value : value;
    return true;
}

mn_status mesh_bad(const mesh_reader *in, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mn_say_error(in->say, (mn_place){in->name, in->line, 0}, "%s", text);
    return MN_BAD_INPUT;
}

/* Doubles an array of triples; the counts are ints, and three times them must be one too. */
static bool grow(mesh_reader *in, void **array, size_t *capacity, size_t count, size_t item)
{
    if (count < *capacity) return true;
    if (count >= INT_MAX / 3) {
        mesh_bad(in, "more than %d vertices or triangles", INT_MAX / 3);
        return false;
    }
    size_t wanted = *capacity ? 2 * *capacity : 256;
    void *grown = realloc(*array, wanted * 3 * item);
    if (!grown) {
        mn_say_failure(in->say, (mn_place){in->name, in->line, 0}, "out of memory for %zu vertices or triangles",
                       wanted);
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

mn_status mesh_add_vertex(mesh_reader *in, const double x[3])
{
    mn_mesh *m = &in->mesh;
    if (!grow(in, (void **)&m->vertex, &in->vertex_capacity, (size_t)m->vertex_count, sizeof *m->vertex))
        return MN_FAILED;
    memcpy(m->vertex + 3 * (size_t)m->vertex_count++, x, 3 * sizeof *x);
    return MN_OK;
}

mn_status mesh_add_triangle(mesh_reader *in, int a, int b, int c)
{
    mn_mesh *m = &in->mesh;
    if (!grow(in, (void **)&m->triangle, &in->triangle_capacity, (size_t)m->triangle_count, sizeof *m->triangle))
        return MN_FAILED;
    int *t = m->triangle + 3 * (size_t)m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
    return MN_OK;
}

mn_status mesh_check_coordinates(mesh_reader *in, const double x[3], const char *where, long number)
{
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k]) <= MN_MAX_COORDINATE) continue;
        return mesh_bad(in, "%s %ld: coordinate %c is %g, expected a finite number%s", where, number, "xyz"[k], x[k],
                        isfinite(x[k]) ? " up to 1e30" : "");
    }
    return MN_OK;
}
