/* denoise.c -- smooths the light on matte surfaces by rounds of a 5 x 5 kernel whose taps lie ever further apart
 * (the a-trous filter). A tap counts by how near its point lies on the same surface, seen directly or through water,
 * and by how alike its light is. */
#include <stdlib.h>
#include <string.h>

#include "render/trace.h"

enum { ROUNDS = 5 };

typedef struct layer {
    const mn_guide *guide;
    int width, height, step;
    float likeness;
} layer;

static float weight(const layer *l, const mn_guide *a, const mn_guide *b, const float *x, const float *y)
{
    const vec3 between = v3_sub(v3_of(b->point), v3_of(a->point));
    const float facing = v3_dot(v3_of(a->normal), v3_of(b->normal));
    if (facing < 0.8f || (a->spread > 0) != (b->spread > 0)) return 0;
    const float reach = fmaxf(2.5f * a->footprint * (float)l->step, a->spread),
                off = v3_dot(between, v3_of(a->normal)) / (0.5f * reach);
    const float apart = v3_dot(between, between) / (reach * reach) + off * off;
    if (apart > 9) return 0;
    const float p = v3_light(v3_of(x)), q = v3_light(v3_of(y)),
                unlike = (p - q) / (l->likeness * (0.25f + fmaxf(p, q)));
    const float turn = facing * facing * facing * facing;
    return turn * turn / ((1 + apart * apart) * (1 + unlike * unlike * unlike * unlike));
}

static void smooth_pixel(const layer *l, const float *in, float *out, int x, int y)
{
    static const float kernel[3] = {0.375f, 0.25f, 0.0625f};
    const size_t here = (size_t)y * (size_t)l->width + (size_t)x;
    const mn_guide *a = &l->guide[here];
    memcpy(out + 3 * here, in + 3 * here, 3 * sizeof *out);
    if (!(a->footprint > 0)) return;
    vec3 sum = v3_scale(v3_of(in + 3 * here), kernel[0] * kernel[0]);
    float total = kernel[0] * kernel[0];
    for (int j = -2; j <= 2; j++) {
        for (int i = -2; i <= 2; i++) {
            const int u = x + i * l->step, v = y + j * l->step;
            if ((!i && !j) || u < 0 || v < 0 || u >= l->width || v >= l->height) continue;
            const size_t there = (size_t)v * (size_t)l->width + (size_t)u;
            const mn_guide *b = &l->guide[there];
            if (!(b->footprint > 0)) continue;
            const float w = kernel[abs(i)] * kernel[abs(j)] * weight(l, a, b, in + 3 * here, in + 3 * there);
            sum = v3_along(sum, w, v3_of(in + 3 * there));
            total += w;
        }
    }
    sum = v3_scale(sum, 1 / total);
    out[3 * here] = sum.x;
    out[3 * here + 1] = sum.y;
    out[3 * here + 2] = sum.z;
}

bool mn_denoise_beside(const float *light, const mn_guide *guide, int width, int height, int pixel,
                       const mn_guide *like, vec3 *out)
{
    enum { REACH = 3 };
    const layer l = {guide, width, height, 1, 1};
    const int x = pixel % width, y = pixel / width;
    vec3 sum = {0, 0, 0};
    float total = 0;
    for (int v = y - REACH; v <= y + REACH; v++) {
        for (int u = x - REACH; u <= x + REACH; u++) {
            if (u < 0 || v < 0 || u >= width || v >= height) continue;
            const size_t there = (size_t)v * (size_t)width + (size_t)u;
            const float *tap = light + 3 * there;
            if (!(guide[there].footprint > 0)) continue;
            const float w = weight(&l, like, &guide[there], tap, tap);
            sum = v3_along(sum, w, v3_of(tap));
            total += w;
        }
    }
    if (!(total > 0)) return false;
    *out = v3_scale(sum, 1 / total);
    return true;
}

mn_status mn_denoise(float *light, const mn_guide *guide, int width, int height, int threads, mn_messages *say)
{
    static const float likeness[ROUNDS] = {1.2f, 0.6f, 0.35f, 0.2f, 0.12f};
    const size_t size = 3 * (size_t)width * (size_t)height * sizeof *light;
    float *other = malloc(size);
    if (!other) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
        return MN_FAILED;
    }
    float *in = light, *out = other;
    for (int round = 0; round < ROUNDS; round++) {
        const layer l = {guide, width, height, 1 << round, likeness[round]};
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) smooth_pixel(&l, in, out, x, y);
        float *swap = in;
        in = out, out = swap;
    }
    if (in != light) memcpy(light, in, size);
    free(other);
    return MN_OK;
}
