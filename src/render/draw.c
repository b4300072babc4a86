/* draw.c -- the pixels: rays through the lens, more of them where neighbours differ, the light smoothed, the whole
 * put together. */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/trace.h"

enum { TILE = 16 };

/* A matte surface in a pixel: sums over its samples, and the place of what counts most. */
typedef struct side {
    vec3 albedo, light, point, normal;
    float most;
    bool bent;
} side;

typedef struct pixel {
    vec3 plain;
    side side[2]; /* with two an edge runs through it */
    int count;
} pixel;

typedef struct camera {
    vec3 eye, right, up, forward; /* right and up: from the middle of the picture to its edges, at distance 1 */
    float lens, focus, cut;       /* m; lens: radius */
    float angle;                  /* of a pixel */
    int width, height;
    bool blur;
} camera;

static camera aim(const mn_lens *l)
{
    const vec3 eye = v3_from(l->view.eye), forward = v3_unit(v3_sub(v3_from(l->view.target), eye));
    vec3 right = v3_cross(forward, v3_from(l->view.up));
    if (v3_length(right) < 1e-6f) right = v3_cross(forward, fabsf(forward.x) < 0.7f ? v3(1, 0, 0) : v3(0, 0, 1));
    right = v3_unit(right);
    const float tangent = tanf((float)l->view.fov * 0.00872664626f), aspect = (float)l->width / (float)l->height;
    return (camera){.eye = eye,
                    .right = v3_scale(right, tangent * aspect),
                    .up = v3_scale(v3_cross(right, forward), tangent),
                    .forward = forward,
                    .lens = 0.5f * (float)l->aperture,
                    .focus = (float)l->focus,
                    .cut = (float)l->view.cut,
                    .angle = 2 * tangent / (float)l->height,
                    .width = l->width,
                    .height = l->height,
                    .blur = l->blur};
}

static mn_ray ray_through(const camera *c, int x, int y, uint32_t index, uint32_t sample)
{
    const float u = ((float)x + mn_sample(index, sample, 0)) * 2 / (float)c->width - 1;
    const float v = 1 - ((float)y + mn_sample(index, sample, 1)) * 2 / (float)c->height;
    const vec3 through = v3_add(c->forward, v3_add(v3_scale(c->right, u), v3_scale(c->up, v)));
    mn_ray ray = {.from = c->eye, .direction = v3_unit(through), .pixel = index, .sample = sample};
    ray.cut = c->cut * v3_length(through);
    if (c->lens > 0) {
        const float r = c->lens * sqrtf(mn_sample(index, sample, 2)), angle = 6.28318531f * mn_sample(index, sample, 3);
        const vec3 a = v3_unit(c->right), b = v3_unit(c->up), sharp = v3_along(c->eye, c->focus, through);
        ray.from = v3_add(c->eye, v3_add(v3_scale(a, r * cosf(angle)), v3_scale(b, r * sinf(angle))));
        ray.direction = v3_unit(v3_sub(sharp, ray.from));
    }
    ray.time = c->blur ? mn_sample(index, sample, 4) : 0;
    return ray;
}

/* Whether a matte point belongs to another surface: turned from it, or beside its plane by more than a few pixels. What
 * is seen through something clear is bent, and no plane. */
static bool is_apart(const camera *c, const side *p, vec3 point, vec3 normal, bool bent)
{
    if (v3_dot(normal, p->normal) < 0.9f) return true;
    const float reach = 3 * c->angle * v3_length(v3_sub(p->point, c->eye));
    return !bent && !p->bent && fabsf(v3_dot(v3_sub(point, p->point), p->normal)) > reach;
}

static void add_samples(const mn_tracer *t, const camera *c, pixel *p, int x, int y, int until)
{
    const uint32_t index = (uint32_t)y * (uint32_t)c->width + (uint32_t)x;
    for (; p->count < until; p->count++) {
        mn_gather g = {.most = 1e-4f};
        const mn_ray ray = ray_through(c, x, y, index, (uint32_t)p->count);
        mn_trace_follow(t, &ray, &g);
        p->plain = v3_add(p->plain, g.plain);
        const bool apart = p->side[0].most > 0 && g.most > 1e-4f && is_apart(c, &p->side[0], g.point, g.normal, g.bent);
        side *s = &p->side[apart];
        s->albedo = v3_add(s->albedo, g.albedo);
        s->light = v3_add(s->light, g.light);
        if (g.most <= fmaxf(s->most, 1e-4f)) continue;
        s->most = g.most;
        s->point = g.point;
        s->normal = g.normal;
        s->bent = g.bent;
    }
}

/* A tile of pixels at a time, up to the samples that each wants. */
static void sample_all(const mn_tracer *t, const camera *c, pixel *pixels, const unsigned short *wanted, int all,
                       int threads)
{
    const int across = (c->width + TILE - 1) / TILE, down = (c->height + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int tile = 0; tile < across * down; tile++) {
        const int left = tile % across * TILE, top = tile / across * TILE;
        for (int y = top; y < top + TILE && y < c->height; y++)
            for (int x = left; x < left + TILE && x < c->width; x++) {
                const size_t at = (size_t)y * (size_t)c->width + (size_t)x;
                add_samples(t, c, &pixels[at], x, y, wanted ? wanted[at] : all);
            }
    }
}

/* How bright a pixel is on the screen, were the light on it even. */
static float brightness(const pixel *p)
{
    const vec3 albedo = v3_add(p->side[0].albedo, p->side[1].albedo);
    const float light = v3_light(v3_add(p->plain, v3_scale(albedo, 1.6f))) / (float)p->count;
    return sqrtf(fminf(light, 1.5f));
}

/* Whether an edge runs through the pixel, or between it and one beside it. */
static bool at_edge(const pixel *pixels, const camera *c, int x, int y)
{
    static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const side *p = pixels[(size_t)y * (size_t)c->width + (size_t)x].side;
    bool edge = p[1].most > 0;
    for (int k = 0; k < 4 && !edge; k++) {
        const int u = x + beside[k][0], v = y + beside[k][1];
        if (u < 0 || v < 0 || u >= c->width || v >= c->height) continue;
        const side *q = pixels[(size_t)v * (size_t)c->width + (size_t)u].side;
        edge = p->most > 0 && q->most > 0 && !p->bent && !q->bent && is_apart(c, p, q->point, q->normal, q->bent);
    }
    return edge;
}

/* Pixels at edges, and those that differ from a neighbour, take all samples; even ones no more than they have. */
static void want_more(const pixel *pixels, const camera *c, int few, int all, unsigned short *wanted, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y = 0; y < c->height; y++) {
        for (int x = 0; x < c->width; x++) {
            float low = INFINITY, high = -INFINITY;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++) {
                    if (u < 0 || v < 0 || u >= c->width || v >= c->height) continue;
                    const float b = brightness(&pixels[(size_t)v * (size_t)c->width + (size_t)u]);
                    low = fminf(low, b), high = fmaxf(high, b);
                }
            const float range = at_edge(pixels, c, x, y) ? 1 : high - low;
            wanted[(size_t)y * (size_t)c->width + (size_t)x] = (unsigned short)(range > 0.08f    ? all
                                                                                : range > 0.025f ? (few + all + 1) / 2
                                                                                                 : few);
        }
    }
}

/* Where a side lies. What is seen in waves is scattered, so that its neighbours lie further apart. */
static mn_guide guide_of(const camera *c, const side *s, float size)
{
    const vec3 away = v3_sub(s->point, c->eye);
    const float distance = v3_length(away), slant = fabsf(v3_dot(away, s->normal)) / fmaxf(distance, 1e-20f);
    return (mn_guide){.point = {s->point.x, s->point.y, s->point.z},
                      .normal = {s->normal.x, s->normal.y, s->normal.z},
                      .footprint = distance * c->angle / fmaxf(slant, 0.2f),
                      .spread = s->bent ? 0.02f * size : 0};
}

/* The light that falls on a side, by its samples. */
static vec3 light_on(const side *s, int count)
{
    vec3 out = s->light;
    float *light = &out.x;
    const float *albedo = &s->albedo.x;
    for (int k = 0; k < 3; k++) light[k] = albedo[k] > 1e-5f * (float)count ? light[k] / albedo[k] : 0;
    return out;
}

/* Splits the sums into light, which is smoothed, and the rest. */
static void split(const pixel *pixels, const camera *c, float size, float *light, mn_guide *guide)
{
    for (size_t i = 0; i < (size_t)c->width * (size_t)c->height; i++) {
        const side *s = pixels[i].side;
        const vec3 on = light_on(s, pixels[i].count);
        memcpy(light + 3 * i, &on, sizeof on);
        if (s[0].most > 0 && !(s[1].most > 0)) guide[i] = guide_of(c, s, size);
    }
}

/* Puts the parts together again. At an edge few samples share each side: it takes the light of the pixels beside that
 * show the same surface. */
static void join(const pixel *pixels, const camera *c, float size, const mn_guide *guide, const float *light,
                 float *rgb)
{
    for (int i = 0; i < c->width * c->height; i++) {
        const pixel *p = &pixels[i];
        vec3 sum = p->plain, on = v3_of(light + 3 * (size_t)i);
        for (int k = 0; k < 2; k++) {
            if (p->side[1].most > 0) {
                const mn_guide like = guide_of(c, &p->side[k], size);
                if (!mn_denoise_beside(light, guide, c->width, c->height, i, &like, &on))
                    on = light_on(&p->side[k], p->count);
            }
            sum = v3_add(sum, v3_times(p->side[k].albedo, on));
        }
        sum = v3_scale(sum, 1 / (float)p->count);
        memcpy(rgb + 3 * (size_t)i, &sum, sizeof sum);
    }
}

mn_status mn_tracer_draw(const mn_tracer *t, const mn_lens *lens, float *rgb, mn_messages *say)
{
    const camera c = aim(lens);
    const size_t count = (size_t)c.width * (size_t)c.height;
    const int threads = lens->threads > 0 ? lens->threads : omp_get_max_threads();
    /* A lens or an exposure makes every pixel a mean over many views: more have to tell whether it is an even one. */
    const int start = lens->blur || lens->aperture > 0 ? 16 : 4, few = lens->samples < start ? lens->samples : start;
    pixel *pixels = calloc(count, sizeof *pixels);
    unsigned short *wanted = calloc(count, sizeof *wanted);
    mn_guide *guide = calloc(count, sizeof *guide);
    float *light = malloc(3 * count * sizeof *light);
    mn_status status = MN_FAILED;
    if (pixels && wanted && guide && light) {
        sample_all(t, &c, pixels, NULL, few, threads);
        if (few < lens->samples) {
            want_more(pixels, &c, few, lens->samples, wanted, threads);
            sample_all(t, &c, pixels, wanted, 0, threads);
        }
        const float size = mn_tracer_studio(t)->size;
        split(pixels, &c, size, light, guide);
        status = mn_denoise(light, guide, c.width, c.height, threads, say);
        if (status == MN_OK) join(pixels, &c, size, guide, light, rgb);
    } else mn_say_failure(say, MN_NOWHERE, "out of memory for a picture of %d x %d pixels", c.width, c.height);
    free(pixels);
    free(wanted);
    free(guide);
    free(light);
    return status;
}

/* A soft S: shadows a little deeper, and bright highlights reach white without clipping at once. */
static float curve(float x)
{
    const float knee = 0.7f, rest = 1 - knee;
    x = fmaxf(x, 0);
    x *= 1.08f * x / (x + 0.06f) + 0.02f;
    return x < knee ? x : knee + rest * (1 - expf(-(x - knee) / rest));
}

void mn_tone(const float *rgb, long pixels, unsigned char *out)
{
    for (long i = 0; i < 3 * pixels; i++) {
        const float x = curve(rgb[i]), s = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
        out[i] = (unsigned char)(255 * fminf(fmaxf(s, 0), 1) + 0.5f);
    }
}
