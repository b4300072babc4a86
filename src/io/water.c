/* water.c -- the liquid as a clear surface instead of spheres.
 *
 * Spheres that overlap give a depth for each sample; smoothed, with edges kept, that is the surface (van der Laan et
 * al. 2009). Light that meets it is reflected by Schlick's law; the rest goes on, bent towards the normal, to
 * whatever stands behind, and is lost by Beer's law over the thickness of the liquid, in place of which the liquid's
 * own colour is seen. Solids are drawn first, as in the other look.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "io/shading.h"

/* The spheres that make the surface, in radii of those of the other look: as large as it takes for no gap in a
 * resting liquid. */
static const float SWELL = 1.4f;

typedef struct layers {
    mn_depth_map map; /* of samples */
    float *solid;     /* depth of what stands behind, per sample */
    float *depth;     /* of the liquid's surface, per sample */
    float *work;
    float *thickness;  /* m, per pixel */
    float *wet;        /* share of the pixels around that show liquid, per pixel */
    mn_colour *behind; /* linear light, per pixel */
    mn_colour ramp[256];
    float clear; /* m of liquid that take most of the light */
    int blur;    /* pixels: the size of a sphere */
    const unsigned char *entries;
    bool coloured;
} layers;

/* ------------------------------------------------------------------ layers */

static void draw_solids(mn_picture *p, const unsigned char *entries, layers *l, mn_status *status)
{
    mn_picture solids = *p;
    solids.splats = p->splats + p->fluid;
    solids.count = p->count - p->fluid;
    solids.soft = p->soft - p->fluid;
    solids.fluid = 0;
    mn_picture_splat(&solids);
    *status = mn_picture_shade(&solids, entries + p->fluid);
    size_t samples = (size_t)l->map.width * (size_t)l->map.height;
    memcpy(l->solid, p->depth, samples * sizeof *l->solid);
    float linear[256];
    for (int k = 0; k < 256; k++) linear[k] = mn_linear((float)k / 255);
    for (size_t k = 0; k < (size_t)p->width * (size_t)p->height; k++)
        l->behind[k] =
            (mn_colour){linear[p->pixels[3 * k]], linear[p->pixels[3 * k + 1]], linear[p->pixels[3 * k + 2]]};
}

/* The chord of each sphere along the line of sight, as much as its particle's share of the swollen spheres. Bands of
 * rows as in splat.c. */
static void add_chords(const mn_picture *p, layers *l, int top, int bottom)
{
    const float n = (float)p->samples;
    /* a particle fills (2 radius/1.1)^3, its sphere 4/3 pi (SWELL radius)^3 */
    const float share = 6.01f / (4.19f * SWELL * SWELL * SWELL);
    for (size_t k = (size_t)top * (size_t)p->width; k < (size_t)bottom * (size_t)p->width; k++) l->thickness[k] = 0;
    for (long i = 0; i < p->fluid; i++) {
        const mn_splat s = p->splats[i];
        const float r = s.radius / n, cx = s.x / n, cy = s.y / n;
        if (!(s.radius > 0) || cy + r <= (float)top || cy - r >= (float)bottom) continue;
        const int sx = (int)s.x, sy = (int)s.y;
        const bool on = sx >= 0 && sy >= 0 && sx < l->map.width && sy < l->map.height;
        if (on && l->solid[(size_t)sy * (size_t)l->map.width + (size_t)sx] < s.z) continue;
        const float scale = 2 * share * s.z / (p->focal / n);
        const int y0 = cy - r > (float)top ? (int)(cy - r) : top,
                  y1 = cy + r + 1 < (float)bottom ? (int)(cy + r + 1) : bottom;
        const int x0 = cx - r > 0 ? (int)(cx - r) : 0, x1 = cx + r + 1 < (float)p->width ? (int)(cx + r + 1) : p->width;
        for (int y = y0; y < y1; y++)
            for (int x = x0; x < x1; x++) {
                const float dx = (float)x + 0.5f - cx, dy = (float)y + 0.5f - cy, inside = r * r - dx * dx - dy * dy;
                if (inside > 0) l->thickness[(size_t)y * (size_t)p->width + (size_t)x] += scale * sqrtf(inside);
            }
    }
}

/* Means over 2 reach + 1 places along lines of `length`; places of a line lie `step` apart. */
static void blur(const float *in, float *out, int length, int lines, int step, int reach)
{
    const ptrdiff_t next = step == 1 ? length : 1;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < lines; k++) {
        const float *from = in + k * next;
        float *to = out + k * next, sum = 0;
        for (int i = -reach; i < length; i++) {
            if (i + reach < length) sum += from[(ptrdiff_t)(i + reach) * step];
            if (i - reach - 1 >= 0) sum -= from[(ptrdiff_t)(i - reach - 1) * step];
            if (i >= 0) to[(ptrdiff_t)i * step] = sum > 0 ? sum / (float)(2 * reach + 1) : 0;
        }
    }
}

static void find_thickness(const mn_picture *p, layers *l)
{
    int bands = 8 * omp_get_max_threads();
    if (bands > p->height / 8) bands = p->height / 8 > 0 ? p->height / 8 : 1;
#pragma omp parallel for schedule(dynamic, 1)
    for (int b = 0; b < bands; b++)
        add_chords(p, l, (int)((int64_t)p->height * b / bands), (int)((int64_t)p->height * (b + 1) / bands));
    /* single spheres are not to be seen in it; means over the liquid alone, so that its edge stays sharp */
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    float *wet = l->wet, *between = l->work;
    for (size_t k = 0; k < pixels; k++) wet[k] = l->thickness[k] > 0;
    blur(l->thickness, between, p->width, p->height, 1, l->blur);
    blur(between, l->thickness, p->height, p->width, p->width, l->blur);
    blur(wet, between, p->width, p->height, 1, l->blur);
    blur(between, wet, p->height, p->width, p->width, l->blur);
    for (size_t k = 0; k < pixels; k++) l->thickness[k] /= fmaxf(wet[k], 0.05f);
}

/* Lines of sight that slip between the spheres of the surface: deeper by more than a radius than what lies half a
 * radius away to both sides. */
static void fill_holes(const mn_depth_map *m, const float *in, float *out)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            const ptrdiff_t at = (ptrdiff_t)y * m->width + x;
            float depth = in[at];
            for (int down = 0; down < 2 && in[at] < MN_NOTHING; down++) {
                const float half = 0.5f * m->radius * m->focal / in[at];
                const int reach = half > 30 ? 30 : half > 2 ? (int)half : 2, place = down ? y : x;
                if (place < reach || place + reach >= (down ? m->height : m->width)) continue;
                const ptrdiff_t step = (ptrdiff_t)reach * (down ? m->width : 1);
                const float before = in[at - step], after = in[at + step];
                if (in[at] - fmaxf(before, after) > m->radius) depth = fminf(depth, 0.5f * (before + after));
            }
            out[at] = depth;
        }
}

/* ------------------------------------------------------------------- light */

static mn_colour blend(mn_colour a, mn_colour b, float t)
{
    return (mn_colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

static float step_between(float low, float high, float x)
{
    const float t = clamp01((x - low) / (high - low));
    return t * t * (3 - 2 * t);
}

/* A studio: bright horizon, blue above, floor below, and a broad lamp of that brightness. */
static mn_colour surroundings(vec d, float lamp)
{
    const mn_colour horizon = {0.82f, 0.86f, 0.90f}, sky = {0.30f, 0.47f, 0.72f}, floor = {0.22f, 0.23f, 0.25f};
    const mn_colour c =
        d.y > 0 ? blend(horizon, sky, step_between(0, 0.9f, d.y)) : blend(horizon, floor, step_between(0, 0.5f, -d.y));
    const float shine = lamp * step_between(0.90f, 0.96f, dot(d, LAMP));
    return (mn_colour){c.r + shine, c.g + shine, c.b + shine};
}

/* 1 where the surface ends before liquid that lies deeper: the slope across such a jump is of no surface, and would
 * shine like one seen edge-on. */
static float torn(const mn_depth_map *m, const float *depth, int sx, int sy, int reach)
{
    const float here = depth[(size_t)sy * (size_t)m->width + (size_t)sx];
    float jump = 0;
    for (int k = 0; k < 4; k++) {
        const int x = sx + (k == 0 ? reach : k == 1 ? -reach : 0), y = sy + (k == 2 ? reach : k == 3 ? -reach : 0);
        if (x < 0 || y < 0 || x >= m->width || y >= m->height) continue;
        const float there = depth[(size_t)y * (size_t)m->width + (size_t)x];
        if (there < MN_NOTHING) jump = fmaxf(jump, fabsf(there - here));
    }
    return step_between(1, 2, jump / m->radius);
}

static mn_colour surface_colour(const mn_picture *p, const layers *l, int sx, int sy)
{
    const size_t at = (size_t)sy * (size_t)l->map.width + (size_t)sx;
    const int n = p->samples, x = sx / n, y = sy / n;
    /* near the edge, and in drops of a few particles, the sphere's own */
    const mn_splat s = p->splats[p->index[at]];
    const float dx = ((float)sx + 0.5f - s.x) / s.radius, dy = ((float)sy + 0.5f - s.y) / s.radius;
    const vec own_normal = {dx, -dy, -sqrtf(fmaxf(0, 1 - dx * dx - dy * dy))};
    const float inner = step_between(0.35f, 0.95f, l->wet[(size_t)y * (size_t)p->width + (size_t)x]);
    const vec normal = unit(mix(own_normal, mn_depth_normal(&l->map, l->depth, sx, sy, n > 1 ? 3 : 2), inner));
    const vec ray = unit((vec){((float)sx + 0.5f - 0.5f * (float)l->map.width) / l->map.focal,
                               (0.5f * (float)l->map.height - (float)sy - 0.5f) / l->map.focal, 1});
    const float facing = -dot(ray, normal), cosine = clamp01(facing);
    const vec mirror = {ray.x + 2 * facing * normal.x, ray.y + 2 * facing * normal.y, ray.z + 2 * facing * normal.z};
    const float miss = (1 - cosine) * (1 - torn(&l->map, l->depth, sx, sy, n > 1 ? 3 : 2)), square = miss * miss,
                mirrored = 0.04f + 0.96f * square * square * miss;

    /* behind the surface: shifted sideways by a quarter, as water bends */
    const float thick = l->thickness[(size_t)y * (size_t)p->width + (size_t)x];
    const float pixels = 0.25f * fminf(thick, l->clear) * p->focal / (float)n / l->depth[at];
    int bx = x - (int)(normal.x * pixels), by = y + (int)(normal.y * pixels);
    bx = bx < 0 ? 0 : bx >= p->width ? p->width - 1 : bx;
    by = by < 0 ? 0 : by >= p->height ? p->height - 1 : by;
    mn_colour far = l->behind[(size_t)by * (size_t)p->width + (size_t)bx];
    /* and through the back, where nothing solid stands: what is bent far shows the surroundings upside down, which
     * gives drops their dark edge */
    const vec bent = {-0.9f * normal.x * miss, -0.9f * normal.y * miss, 0};
    if (l->solid[((size_t)by * (size_t)l->map.width + (size_t)bx) * (size_t)n] >= MN_NOTHING)
        far = blend(far, surroundings(unit((vec){ray.x + 2 * bent.x, ray.y + 2 * bent.y, ray.z}), 0),
                    step_between(0.1f, 0.6f, miss));

    const float through = 0.16f + thick / l->clear, lit = clamp01(dot(normal, LAMP)),
                light = 0.45f + 0.9f * lit + 0.35f * normal.y;
    mn_colour own = {0.015f, 0.105f, 0.185f},
              pass = {expf(-2.6f * through), expf(-1.25f * through), expf(-0.85f * through)};
    if (l->coloured) {
        own = l->ramp[l->entries[p->index[at]]];
        pass.r = pass.g = pass.b = 0.75f * expf(-2.5f * through);
    }
    const mn_colour inside = {pass.r * far.r + (1 - pass.r) * own.r * light,
                              pass.g * far.g + (1 - pass.g) * own.g * light,
                              pass.b * far.b + (1 - pass.b) * own.b * light};
    /* no glare from edges a few samples wide */
    return blend(inside, surroundings(mirror, 3.5f * step_between(0.1f, 0.4f, cosine)), fminf(mirrored, 0.6f));
}

static void shade_row(mn_picture *p, const layers *l, int y)
{
    const int n = p->samples;
    for (int x = 0; x < p->width; x++) {
        const size_t pixel = (size_t)y * (size_t)p->width + (size_t)x;
        mn_colour sum = {0, 0, 0};
        int wet = 0;
        for (int k = 0; k < n * n; k++) {
            const int sx = x * n + k % n, sy = y * n + k / n;
            const size_t at = (size_t)sy * (size_t)l->map.width + (size_t)sx;
            const bool seen = l->depth[at] < MN_NOTHING && l->depth[at] < l->solid[at];
            const mn_colour c = seen ? surface_colour(p, l, sx, sy) : l->behind[pixel];
            sum.r += c.r, sum.g += c.g, sum.b += c.b;
            wet += seen;
        }
        if (!wet) continue;
        const float share = 1.0f / (float)(n * n);
        p->pixels[3 * pixel] = mn_srgb(sum.r * share);
        p->pixels[3 * pixel + 1] = mn_srgb(sum.g * share);
        p->pixels[3 * pixel + 2] = mn_srgb(sum.b * share);
    }
}

/* An eleventh of the picture's height, where the middle of the liquid is. */
static float clear_length(const mn_picture *p)
{
    double z = 0;
    long seen = 0;
    for (long i = 0; i < p->fluid; i++)
        if (p->splats[i].radius > 0) z += (double)p->splats[i].z, seen++;
    return seen ? (float)(z / (double)seen) * (float)(p->height * p->samples) / p->focal / 11 : 1;
}

mn_status mn_picture_water(mn_picture *p, const unsigned char *entries, bool coloured)
{
    layers l = {.map = {p->width * p->samples, p->height * p->samples, p->focal, p->radius},
                .entries = entries,
                .coloured = coloured,
                .clear = clear_length(p)};
    const size_t pixels = (size_t)p->width * (size_t)p->height, samples = pixels * (size_t)(p->samples * p->samples);
    float *memory = malloc((3 * samples + 2 * pixels) * sizeof *memory);
    l.behind = malloc(pixels * sizeof *l.behind);
    mn_status status = memory && l.behind ? MN_OK : MN_FAILED;
    if (status == MN_OK) {
        l.solid = memory, l.depth = memory + samples, l.work = memory + 2 * samples;
        l.thickness = memory + 3 * samples, l.wet = l.thickness + pixels;
        for (int k = 0; k < 256; k++) l.ramp[k] = mn_ramp(k);
        draw_solids(p, entries, &l, &status);
    }
    if (status == MN_OK) {
        for (long i = 0; i < p->fluid; i++) p->splats[i].radius *= SWELL;
        l.blur = (int)fminf(40, fmaxf(1, 1.4f * SWELL * p->radius * p->focal / (float)p->samples /
                                             (l.clear * 11 * p->focal / (float)(p->height * p->samples))));
        mn_picture fluid = *p;
        fluid.count = p->fluid;
        mn_picture_splat(&fluid);
        fill_holes(&l.map, p->depth, l.work);
        fill_holes(&l.map, l.work, l.depth);
        for (int round = 0; round < 3; round++) {
            mn_depth_smooth(&l.map, 1.5f, 24, false, l.depth, l.work);
            mn_depth_smooth(&l.map, 1.5f, 24, true, l.work, l.depth);
        }
        find_thickness(p, &l);
#pragma omp parallel for schedule(dynamic, 8)
        for (int y = 0; y < p->height; y++) shade_row(p, &l, y);
    }
    free(memory);
    free(l.behind);
    return status;
}
