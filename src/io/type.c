/* type.c -- letters by the exact share of each pixel that their outline covers. */
#include "io/type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/font.h"

/* The next character of a UTF-8 text; wrong bytes count as one each. */
static unsigned next_code(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    const int more = p[0] < 0x80 ? 0 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
    unsigned code = more ? p[0] & (0x3fu >> more) : p[0];
    int k = 1;
    for (; k <= more && (p[k] & 0xc0) == 0x80; k++) code = code << 6 | (p[k] & 0x3fu);
    *text += k;
    return k <= more ? '?' : code;
}

static int glyph_of(unsigned code)
{
    int low = 0, high = MN_FONT_GLYPHS - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (mn_font_code[middle] < code) low = middle + 1;
        else high = middle;
    }
    return mn_font_code[low] == code ? low : glyph_of('?');
}

static int kerning(int first, int second)
{
    int low = 0, high = MN_FONT_PAIRS;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int16_t *pair = mn_font_kern + 3 * (size_t)middle;
        if (pair[0] == first && pair[1] == second) return pair[2];
        if (pair[0] < first || (pair[0] == first && pair[1] < second)) low = middle + 1;
        else high = middle;
    }
    return 0;
}

float mn_type_width(const char *text, float size)
{
    int width = 0, last = -1;
    while (*text) {
        const int glyph = glyph_of(next_code(&text));
        if (last >= 0) width += kerning(last, glyph);
        width += mn_font_width[glyph];
        last = glyph;
    }
    return (float)width * size / MN_FONT_EM;
}

/* ------------------------------------------------------------------------------------------------ coverage */

/* Signed area to the right of each edge, in cells of a pixel; a running sum along a row gives the coverage. */
typedef struct raster {
    float *area;
    int width, height;
} raster;

/* One piece of an edge, within one row of pixels. */
static void cover_row(raster *r, int row, float x0, float x1, float fall)
{
    float *line = r->area + (size_t)row * (size_t)r->width;
    const float left = fminf(x0, x1), right = fmaxf(x0, x1);
    const int first = (int)floorf(left), last = (int)floorf(right);
    if (first == last) {
        const float middle = 0.5f * (left + right) - (float)first;
        line[first] += fall * (1 - middle);
        line[first + 1] += fall * middle;
        return;
    }
    const float slope = fall / (right - left);
    for (int c = first; c <= last; c++) {
        const float a = fmaxf(left, (float)c), b = fminf(right, (float)c + 1), part = slope * (b - a);
        const float inside = part * ((float)c + 1 - 0.5f * (a + b));
        line[c] += inside;
        line[c + 1] += part - inside;
    }
}

static void edge(raster *r, float x0, float y0, float x1, float y1)
{
    if (y0 == y1) return;
    const float sign = y0 < y1 ? 1 : -1;
    if (y0 > y1) {
        float swap = x0;
        x0 = x1, x1 = swap;
        swap = y0, y0 = y1, y1 = swap;
    }
    const float slope = (x1 - x0) / (y1 - y0);
    for (int row = (int)floorf(y0); (float)row < y1; row++) {
        const float top = fmaxf(y0, (float)row), bottom = fminf(y1, (float)row + 1);
        if (row < 0 || row >= r->height || bottom <= top) continue;
        cover_row(r, row, x0 + slope * (top - y0), x0 + slope * (bottom - y0), sign * (bottom - top));
    }
}

static void curve(raster *r, const float a[2], const float c[2], const float b[2])
{
    enum { PIECES = 6 };
    float x = a[0], y = a[1];
    for (int k = 1; k <= PIECES; k++) {
        const float t = (float)k / PIECES, u = 1 - t;
        const float nx = u * u * a[0] + 2 * u * t * c[0] + t * t * b[0],
                    ny = u * u * a[1] + 2 * u * t * c[1] + t * t * b[1];
        edge(r, x, y, nx, ny);
        x = nx, y = ny;
    }
}

/* The outline with its origin at (x, y) of the raster. */
static void outline(raster *r, int glyph, float x, float y, float scale)
{
    float at[2] = {0, 0}, start[2] = {0, 0};
    for (const int16_t *p = mn_font_outline + mn_font_start[glyph];;) {
        const int operation = *p++;
        float point[4];
        for (int k = 0; k < (operation == 2 ? 4 : operation == 3 ? 0 : 2); k++, p++)
            point[k] = k & 1 ? y - scale * (float)*p : x + scale * (float)*p;
        if (operation == 0 || operation == 3) edge(r, at[0], at[1], start[0], start[1]);
        if (operation == 3) return;
        if (operation == 0) memcpy(start, point, sizeof start);
        if (operation == 1) edge(r, at[0], at[1], point[0], point[1]);
        if (operation == 2) curve(r, at, point, point + 2);
        memcpy(at, operation == 2 ? point + 2 : point, sizeof at);
    }
}

static void blend(const mn_canvas *to, int x, int y, const unsigned char ink[3], float share)
{
    if (x < 0 || y < 0 || x >= to->width || y >= to->height) return;
    unsigned char *pixel = to->rgb + 3 * ((size_t)y * (size_t)to->width + (size_t)x);
    for (int k = 0; k < 3; k++)
        pixel[k] = (unsigned char)((float)pixel[k] + share * ((float)ink[k] - (float)pixel[k]) + 0.5f);
}

void mn_type_draw(const mn_canvas *to, float x, float y, float size, const unsigned char ink[3], float opacity,
                  const char *text)
{
    const float scale = size / MN_FONT_EM;
    const int box = (int)(1.6f * size) + 4, rise = (int)(1.1f * size) + 2;
    raster r = {malloc((size_t)box * (size_t)box * 2 * sizeof(float)), 2 * box, box};
    int last = -1;
    while (*text && r.area) {
        const int glyph = glyph_of(next_code(&text));
        if (last >= 0) x += scale * (float)kerning(last, glyph);
        last = glyph;
        memset(r.area, 0, (size_t)r.width * (size_t)r.height * sizeof *r.area);
        const int left = (int)floorf(x) - box / 4, top = (int)floorf(y) - rise;
        outline(&r, glyph, x - (float)left, y - (float)top, scale);
        for (int row = 0; row < r.height; row++) {
            float sum = 0;
            for (int column = 0; column < r.width; column++) {
                sum += r.area[(size_t)row * (size_t)r.width + (size_t)column];
                const float share = fminf(fabsf(sum), 1);
                if (share > 0.003f) blend(to, left + column, top + row, ink, opacity * share);
            }
        }
        x += scale * (float)mn_font_width[glyph];
    }
    free(r.area);
}
