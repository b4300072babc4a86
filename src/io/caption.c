/* caption.c -- title and colour scale of a picture, each in a corner of its own, so that they never meet. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/picture.h"
#include "io/type.h"

static const unsigned char DARK[3] = {26, 32, 40}, WHITE[3] = {255, 255, 255};

typedef struct area {
    int left, top, right, bottom;
} area;

static void wash(const mn_canvas *to, area a, float radius, const unsigned char ink[3], float opacity)
{
    for (int y = a.top; y < a.bottom; y++) {
        for (int x = a.left; x < a.right; x++) {
            if (x < 0 || y < 0 || x >= to->width || y >= to->height) continue;
            /* Round corners, antialiased. */
            const float dx =
                fmaxf(fmaxf((float)a.left + radius - (float)x - 0.5f, (float)x + 0.5f - (float)a.right + radius), 0);
            const float dy =
                fmaxf(fmaxf((float)a.top + radius - (float)y - 0.5f, (float)y + 0.5f - (float)a.bottom + radius), 0);
            const float share =
                radius > 0 ? opacity * fminf(fmaxf(radius - sqrtf(dx * dx + dy * dy) + 0.5f, 0), 1) : opacity;
            unsigned char *pixel = to->rgb + 3 * ((size_t)y * (size_t)to->width + (size_t)x);
            for (int k = 0; k < 3; k++)
                pixel[k] = (unsigned char)((float)pixel[k] + share * ((float)ink[k] - (float)pixel[k]) + 0.5f);
        }
    }
}

/* The text, cut short with an ellipsis so that it is no wider than `most`; the time at the end of a title stays.
 * malloc'd. */
static char *fit(const char *text, float size, float most)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    const char *time = strstr(text, "   t = ");
    const size_t all = strlen(text), head = time ? (size_t)(time - text) : all;
    char *out = malloc(all + sizeof ellipsis);
    if (!out) return NULL;
    memcpy(out, text, all + 1);
    for (size_t length = head; length > 0 && mn_type_width(out, size) > most;) {
        do length--;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80);
        memcpy(out + length, ellipsis, sizeof ellipsis);
        memcpy(out + length + sizeof ellipsis - 1, text + head, all - head + 1);
    }
    return out;
}

static void draw_title(const mn_canvas *to, const char *title, float size)
{
    const float margin = 1.1f * size, pad = 0.45f * size;
    char *text = fit(title, size, (float)to->width - 2 * margin - 2 * pad);
    if (!text || !*text) {
        free(text);
        return;
    }
    const float width = mn_type_width(text, size);
    const area plate = {(int)margin, (int)margin, (int)(margin + width + 2 * pad), (int)(margin + size + 1.3f * pad)};
    wash(to, plate, 0.25f * size, WHITE, 0.55f);
    mn_type_draw(to, margin + pad, margin + 0.55f * pad + 0.82f * size, size, DARK, 0.95f, text);
    free(text);
}

typedef struct scale {
    const char *label;
    double low, high;
    const float (*ramp)[3]; /* NULL: that of fields */
    bool left;              /* lower left, else lower right */
} scale;

static void bar(const mn_canvas *to, const scale *c, int first, int last, int y, int tall)
{
    for (int x = first; x < last; x++) {
        const int entry = (int)(255.0f * (float)(x - first) / (float)(last - first - 1) + 0.5f);
        mn_colour k = mn_ramp(entry);
        if (c->ramp) k = (mn_colour){c->ramp[entry][0], c->ramp[entry][1], c->ramp[entry][2]};
        const unsigned char ink[3] = {mn_srgb(k.r), mn_srgb(k.g), mn_srgb(k.b)};
        wash(to, (area){x, y, x + 1, y + tall}, 0, ink, 1);
    }
}

/* m^2 becomes m with a raised 2. */
static void raise_powers(char *text)
{
    for (char *p = text; (p = strchr(p, '^')); p++) {
        if (p[1] != '2' && p[1] != '3') continue;
        p[1] = (char)(p[1] == '2' ? 0xb2 : 0xb3); /* as UTF-8 */
        *p = (char)0xc2;
    }
}

void mn_caption_number(double value, char *out, int size)
{
    const bool whole = fabs(value) >= 999.5 && fabs(value) < 1e6;
    mn_format(out, (size_t)size, whole ? "%.0f" : "%.3g", value);
}

static void draw_scale(const mn_canvas *to, const scale *c, float size)
{
    const float margin = 1.1f * size, pad = 0.6f * size,
                wide = fminf(fmaxf(13 * size, mn_type_width(c->label, size)),
                             0.5f * (float)to->width - 1.5f * margin - 2 * pad); /* two of them fit side by side */
    const float bottom = (float)to->height - margin,
                left = c->left ? margin : (float)to->width - margin - wide - 2 * pad;
    const float right = left + wide + 2 * pad, top = bottom - 3.3f * size - 2 * pad;
    wash(to, (area){(int)left, (int)top, (int)right, (int)bottom}, 0.35f * size, WHITE, 0.8f);
    char *label = fit(c->label, size, wide);
    if (label) raise_powers(label);
    if (label) mn_type_draw(to, left + pad, top + pad + 0.78f * size, size, DARK, 0.95f, label);
    free(label);
    const int first = (int)(left + pad), last = (int)(right - pad), y = (int)(top + pad + 1.35f * size),
              tall = (int)(0.7f * size);
    bar(to, c, first, last, y, tall);
    for (int tick = 0; tick <= 2; tick++) {
        char text[32];
        mn_caption_number(c->low + 0.5 * tick * (c->high - c->low), text, sizeof text);
        const float width = mn_type_width(text, 0.85f * size);
        const float middle = (float)first + 0.5f * (float)tick * (float)(last - first);
        const float x = fminf(fmaxf(middle - 0.5f * width, (float)first), (float)last - width);
        if (tick == 1 && wide < 9 * size) continue; /* no room between the ends */
        mn_type_draw(to, x, (float)(y + tall) + 1.05f * size, 0.85f * size, DARK, 0.9f, text);
    }
}

void mn_caption_draw(const mn_canvas *to, const mn_caption *c)
{
    const float size = fminf(fmaxf(0.028f * (float)to->height, 11), 0.03f * (float)to->width + 6);
    if (to->width < 160 || to->height < 90) return;
    if (c->title && c->title[0]) draw_title(to, c->title, size);
    if (to->width < 200 || to->height < 120) return;
    if (c->label) draw_scale(to, &(scale){c->label, c->low, c->high, NULL, false}, size);
    if (c->second) draw_scale(to, &(scale){c->second, c->second_low, c->second_high, c->second_ramp, true}, size);
}
