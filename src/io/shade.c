/* shade.c -- light and colour for a picture whose samples know their depth and splat.
 *
 * Single spheres of a few pixels look like sand. So the normal that meets the light is a mix of the sphere's own and
 * that of a smoothed depth, which shows the surface of the liquid; the nearer the spheres, the more of their own
 * shape is seen. Hollows are darkened by comparing each depth with the mean of opposite neighbours, which leaves
 * slopes alone.
 */
#include <math.h>
#include <stdlib.h>

#include "base/colour.h"
#include "io/shading.h"

/* ------------------------------------------------------------------ colour */

float mn_linear(float srgb) { return srgb <= 0.04045f ? srgb / 12.92f : powf((srgb + 0.055f) / 1.055f, 2.4f); }

unsigned char mn_srgb(float linear)
{
    float x = clamp01(linear);
    float s = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
    return (unsigned char)(s * 255 + 0.5f);
}

/* Deep blue over green to yellow: none of them is white or grey, as highlights, ground and walls are. Stops in Oklab,
 * evenly spaced in lightness, so that equal steps of the value look equally large. */
mn_colour mn_ramp(int entry)
{
    static const float stops[6][3] = {{0.31f, 0.015f, -0.125f}, {0.43f, -0.015f, -0.120f}, {0.55f, -0.075f, -0.065f},
                                      {0.67f, -0.115f, 0.020f}, {0.79f, -0.110f, 0.125f},  {0.91f, -0.015f, 0.175f}};
    float at = (float)(entry < 0 ? 0 : entry > 255 ? 255 : entry) / 255 * 5;
    int k = at >= 5 ? 4 : (int)at;
    float t = at - (float)k, lab[3];
    for (int c = 0; c < 3; c++) lab[c] = stops[k][c] + t * (stops[k + 1][c] - stops[k][c]);
    float l = lab[0] + 0.3963378f * lab[1] + 0.2158038f * lab[2];
    float m = lab[0] - 0.1055613f * lab[1] - 0.0638542f * lab[2];
    float s = lab[0] - 0.0894842f * lab[1] - 1.2914855f * lab[2];
    l = l * l * l, m = m * m * m, s = s * s * s;
    return (mn_colour){clamp01(4.0767417f * l - 3.3077116f * m + 0.2309699f * s),
                       clamp01(-1.2684380f * l + 2.6097574f * m - 0.3413194f * s),
                       clamp01(-0.0041961f * l - 0.7034186f * m + 1.7076147f * s)};
}

static mn_colour background(float y, float height)
{
    float t = y / height;
    float s = 0.93f - 0.20f * t * t;
    return (mn_colour){mn_linear(s * 0.965f), mn_linear(s * 0.985f), mn_linear(s)};
}

/* ------------------------------------------------------------ depth by pixel */

typedef struct fields {
    mn_depth_map map;
    float *depth;  /* nearest sample of each pixel */
    float *smooth; /* the same, smoothed over the surface */
    float *work;
} fields;

static void gather_depth(const mn_picture *p, float *out)
{
    int n = p->samples, width = p->width * n;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            float nearest = MN_NOTHING;
            for (int b = 0; b < n; b++)
                for (int a = 0; a < n; a++) {
                    float d = p->depth[(size_t)(y * n + b) * (size_t)width + (size_t)(x * n + a)];
                    nearest = d < nearest ? d : nearest;
                }
            out[(size_t)y * (size_t)p->width + (size_t)x] = nearest;
        }
}

void mn_depth_smooth(const mn_depth_map *m, float reach, int most, bool down, const float *in, float *out)
{
    const float band = 3 * m->radius;
    const ptrdiff_t step = down ? m->width : 1;
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            ptrdiff_t at = (ptrdiff_t)y * m->width + x;
            float middle = in[at];
            out[at] = middle;
            if (middle >= MN_NOTHING) continue;
            float wide = reach * m->focal * m->radius / middle;
            int taps = wide < 2 ? 2 : wide > (float)most ? most : (int)wide;
            int place = down ? y : x, last = (down ? m->height : m->width) - 1;
            int before = taps < place ? taps : place, after = taps < last - place ? taps : last - place;
            float sum = 0, weight = 0;
            for (int k = -before; k <= after; k++) {
                float d = in[at + k * step];
                float w = fabsf(d - middle) < band ? 1.0f - (float)abs(k) / (float)(taps + 1) : 0.0f;
                sum += w * (w > 0 ? d - middle : 0);
                weight += w;
            }
            out[at] = middle + sum / weight;
        }
}

/* The difference of depth to the neighbour that lies more nearly on the same surface. */
static float slope(const float *depth, ptrdiff_t at, ptrdiff_t step, bool has_before, bool has_after)
{
    float before = has_before && depth[at - step] < MN_NOTHING ? depth[at] - depth[at - step] : MN_NOTHING;
    float after = has_after && depth[at + step] < MN_NOTHING ? depth[at + step] - depth[at] : MN_NOTHING;
    float least = fabsf(before) < fabsf(after) ? before : after;
    return least < MN_NOTHING ? least : 0;
}

vec mn_depth_normal(const mn_depth_map *m, const float *depth, int x, int y, int step)
{
    ptrdiff_t at = (ptrdiff_t)y * m->width + x;
    float focal = m->focal, z = depth[at];
    float u = ((float)x + 0.5f - 0.5f * (float)m->width) / focal,
          v = (0.5f * (float)m->height - (float)y - 0.5f) / focal;
    float zx = slope(depth, at, step, x >= step, x + step < m->width) / (float)step;
    float zy = slope(depth, at, (ptrdiff_t)step * m->width, y >= step, y + step < m->height) / (float)step;
    /* Position is (u z, v z, z): its derivatives by pixel span the surface. */
    vec dx = {z / focal + u * zx, v * zx, zx}, dy = {u * zy, -z / focal + v * zy, zy};
    vec n = {dx.y * dy.z - dx.z * dy.y, dx.z * dy.x - dx.x * dy.z, dx.x * dy.y - dx.y * dy.x};
    n = unit(n);
    return n.z > 0 ? (vec){-n.x, -n.y, -n.z} : n;
}

/* 1 in the open, less in hollows. */
static float openness(const mn_picture *p, const float *depth, int x, int y)
{
    static const float ring[8][2] = {{1, 0},    {0, 1},     {0.71f, 0.71f}, {-0.71f, 0.71f},
                                     {2.4f, 1}, {-1, 2.4f}, {1, 2.4f},      {-2.4f, 1}};
    ptrdiff_t at = (ptrdiff_t)y * p->width + x;
    float z = depth[at], hollow = 0;
    float reach = 4 * p->radius * p->focal / (float)p->samples / z;
    reach = reach < 3 ? 3 : reach > 40 ? 40 : reach;
    float metre = reach * z * (float)p->samples / p->focal;
    for (int k = 0; k < 8; k++) {
        int dx = (int)(ring[k][0] * reach), dy = (int)(ring[k][1] * reach);
        if (x - abs(dx) < 0 || x + abs(dx) >= p->width || y - abs(dy) < 0 || y + abs(dy) >= p->height) continue;
        ptrdiff_t step = dx + (ptrdiff_t)dy * p->width;
        float a = z - depth[at + step], b = z - depth[at - step];
        float most = 3 * metre; /* what lies far in front or behind counts no more than this */
        a = a > most ? most : a < -most ? -most : a;
        b = b > most ? most : b < -most ? -most : b;
        float bend = (a + b) / (2 * metre);
        hollow += bend > 0 ? (bend < 1 ? bend : 1) : 0.35f * (bend > -1 ? bend : -1);
    }
    hollow /= 8;
    float open = 1 - 1.1f * hollow;
    return open < 0.4f ? 0.4f : open > 1 ? 1 : open;
}

/* ------------------------------------------------------------------- light */

/* What the samples of a pixel share. */
typedef struct site {
    vec surface; /* normal of the smoothed depth */
    vec towards_eye;
    vec half; /* between eye and lamp */
    float open;
} site;

static mn_colour light(mn_colour base, vec n, const site *at, float gloss)
{
    float open = at->open, facing = dot(n, LAMP);
    float direct = facing > 0 ? facing : 0;
    float sky = 0.5f + 0.5f * n.y;
    float shade = open * (0.30f + 0.22f * sky) + (0.35f + 0.65f * open) * 0.72f * direct;
    float shine = clamp01(dot(n, at->half));
    shine *= shine, shine *= shine, shine *= shine, shine *= shine, shine *= shine; /* power 32 */
    float rim = 1 - clamp01(dot(n, at->towards_eye));
    rim *= rim * rim;
    float white = gloss * open * (0.30f * shine + 0.22f * rim * sky);
    return (mn_colour){base.r * shade + white, base.g * shade + white, base.b * shade + white};
}

/* Tables for what each sample asks. sRGB is looked up by the square root, along which it is nearly straight. */
typedef struct palette {
    mn_colour ramp[256];
    unsigned char srgb[4096];
    const unsigned char *entries;
} palette;

static unsigned char encode(const palette *colours, float linear)
{
    return colours->srgb[(int)(sqrtf(clamp01(linear)) * 4095 + 0.5f)];
}

static mn_colour sample_colour(const mn_picture *p, const palette *colours, int32_t i, int x, int y, const site *at)
{
    mn_splat s = p->splats[i];
    float dx = ((float)x + 0.5f - s.x) / s.radius, dy = ((float)y + 0.5f - s.y) / s.radius;
    float rest = 1 - dx * dx - dy * dy;
    vec own = {dx, -dy, -sqrtf(rest > 0 ? rest : 0)};
    /* Spheres of ten pixels and more show themselves, small ones the surface they form. */
    float size = s.radius / (float)p->samples;
    float merge = 0.85f - 0.065f * size;
    merge = merge < 0.2f ? 0.2f : merge;
    bool fluid = i < p->fluid;
    vec n = unit(mix(own, at->surface, fluid ? merge : 0.9f));
    if (fluid) return light(colours->ramp[colours->entries[i]], n, at, 1);
    if (i >= p->soft) return light((mn_colour){0.72f, 0.30f, 0.16f}, n, at, 0.25f);
    const int entry = colours->entries[i];
    if (entry >= MN_FIRST_SOLID_COLOUR) {
        const float *c = mn_colour_values[entry - MN_FIRST_SOLID_COLOUR];
        return light((mn_colour){c[0], c[1], c[2]}, n, at, 0.25f);
    }
    const float t = (float)entry / (MN_FIRST_SOLID_COLOUR - 1);
    return light((mn_colour){0.70f + 0.10f * t, 0.68f - 0.42f * t, 0.65f - 0.61f * t}, n, at, 0.25f);
}

static site look(const mn_picture *p, const fields *f, int x, int y)
{
    float n = (float)p->samples;
    site at;
    at.surface = mn_depth_normal(&f->map, f->smooth, x, y, 1);
    at.open = openness(p, f->smooth, x, y);
    at.towards_eye =
        unit((vec){(0.5f * (float)p->width - (float)x) * n, ((float)y - 0.5f * (float)p->height) * n, -p->focal});
    at.half = unit((vec){LAMP.x + at.towards_eye.x, LAMP.y + at.towards_eye.y, LAMP.z + at.towards_eye.z});
    return at;
}

static void shade_row(mn_picture *p, const palette *colours, const fields *f, int y)
{
    int n = p->samples, width = p->width * n;
    mn_colour back = background((float)y, (float)p->height);
    unsigned char empty[3] = {mn_srgb(back.r), mn_srgb(back.g), mn_srgb(back.b)};
    for (int x = 0; x < p->width; x++) {
        unsigned char *pixel = p->pixels + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
        if (f->depth[(size_t)y * (size_t)p->width + (size_t)x] >= MN_NOTHING) {
            for (int c = 0; c < 3; c++) pixel[c] = empty[c];
            continue;
        }
        site here = look(p, f, x, y);
        mn_colour sum = {0, 0, 0};
        for (int b = 0; b < n; b++)
            for (int a = 0; a < n; a++) {
                int sx = x * n + a, sy = y * n + b;
                size_t at = (size_t)sy * (size_t)width + (size_t)sx;
                mn_colour c = p->index[at] < 0 ? back : sample_colour(p, colours, p->index[at], sx, sy, &here);
                sum.r += c.r, sum.g += c.g, sum.b += c.b;
            }
        float share = 1.0f / (float)(n * n);
        pixel[0] = encode(colours, sum.r * share), pixel[1] = encode(colours, sum.g * share),
        pixel[2] = encode(colours, sum.b * share);
    }
}

mn_status mn_picture_shade(mn_picture *p, const unsigned char *entries)
{
    size_t pixels = (size_t)p->width * (size_t)p->height;
    float *memory = malloc(3 * pixels * sizeof *memory);
    if (!memory) return MN_FAILED;
    fields f = {
        {p->width, p->height, p->focal / (float)p->samples, p->radius}, memory, memory + pixels, memory + 2 * pixels};
    gather_depth(p, f.depth);
    mn_depth_smooth(&f.map, 2.2f, 12, false, f.depth, f.work);
    mn_depth_smooth(&f.map, 2.2f, 12, true, f.work, f.smooth);

    palette colours;
    colours.entries = entries;
    for (int k = 0; k < 256; k++) colours.ramp[k] = mn_ramp(k);
    for (int k = 0; k < 4096; k++) colours.srgb[k] = mn_srgb((float)(k * k) / (4095.0f * 4095.0f));
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < p->height; y++) shade_row(p, &colours, &f, y);
    free(memory);
    return MN_OK;
}
