/* light.c -- the light of the studio, and what a ray sees of the scene in it. */
#include <stdint.h>

#include "render/trace.h"

enum { MOST_SURFACES = 24, MOST_SPLITS = 2 };

/* ---------------------------------------------------------------------------------------------- the studio */

static float smooth(float low, float high, float x)
{
    const float t = fminf(fmaxf((x - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

static const vec3 HORIZON = {0.80f, 0.86f, 0.91f}, ZENITH = {0.13f, 0.23f, 0.40f}, FLOOR = {0.44f, 0.45f, 0.46f};

vec3 mn_studio_soft(const mn_studio *s, vec3 direction)
{
    const float rise = v3_dot(direction, s->up);
    if (rise < 0) return v3_mix(FLOOR, HORIZON, 1 - smooth(0, 0.25f, -rise));
    return v3_scale(v3_mix(HORIZON, ZENITH, smooth(0, 0.8f, rise)), 1.35f);
}

vec3 mn_studio_lamp(void) { return v3(2.05f, 1.95f, 1.8f); }

/* Above the horizon the backdrop and two bright panels, so that liquid has something to reflect. */
vec3 mn_studio_seen(const mn_studio *s, vec3 direction)
{
    const float rise = v3_dot(direction, s->up);
    vec3 light = v3_mix(HORIZON, ZENITH, smooth(0, 0.75f, rise));
    if (rise < 0) light = HORIZON;
    const float sine = v3_length(v3_cross(direction, s->lamp));
    if (v3_dot(direction, s->lamp) > 0 && sine < 1.15f * MN_LAMP_SINE)
        light = v3_along(light, 9 * smooth(1.15f * MN_LAMP_SINE, 0.85f * MN_LAMP_SINE, sine), v3(1, 0.97f, 0.92f));
    const vec3 side = v3_unit(v3_cross(s->up, s->lamp));
    const float across = v3_dot(direction, side);
    const float panel = smooth(0.62f, 0.7f, across) * smooth(0.97f, 0.92f, across) * smooth(0.16f, 0.22f, rise) *
                        smooth(0.75f, 0.6f, rise);
    return v3_add(light, v3_all(1.1f * panel));
}

/* ----------------------------------------------------------------------------------------- random numbers */

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

float mn_sample(uint32_t pixel, uint32_t sample, uint32_t dimension)
{
    const uint32_t step = dimension & 1 ? 2447445414u : 3242174889u; /* the plane's golden ratios times 2^32 */
    const uint32_t start = scramble(pixel * 0x9e3779b9u + scramble(dimension + 0x68bc21ebu));
    return (float)((start + sample * step) >> 8) * 0x1p-24f;
}

/* ------------------------------------------------------------------------------------------------ one path */

typedef struct path {
    const mn_tracer *tracer;
    const mn_studio *studio;
    mn_gather *out;
    float time, skin; /* m: rays begin so far off the surface */
    uint32_t pixel, sample, dimension;
    bool bent; /* what comes next is seen in or through waves */
} path;

static vec3 turned(vec3 axis, float cosine, float sine, float angle)
{
    vec3 s, t;
    v3_frame(axis, &s, &t);
    return v3_add(v3_scale(axis, cosine), v3_add(v3_scale(s, sine * cosf(angle)), v3_scale(t, sine * sinf(angle))));
}

/* Light that falls on a matte point: of the lamp, and of the sky from a direction by the cosine. What hides the sky
 * sends some light itself. */
static vec3 light_at(path *p, vec3 point, vec3 normal, vec3 face)
{
    static const float turn = 6.28318531f;
    const float a = mn_sample(p->pixel, p->sample, p->dimension), b = mn_sample(p->pixel, p->sample, p->dimension + 1);
    const float c = mn_sample(p->pixel, p->sample, p->dimension + 2),
                d = mn_sample(p->pixel, p->sample, p->dimension + 3);
    p->dimension += 4;
    const vec3 from = v3_along(point, 2 * p->skin, face);
    const float sine = MN_LAMP_SINE * sqrtf(a);
    const vec3 lamp = turned(p->studio->lamp, sqrtf(1 - sine * sine), sine, turn * b);
    vec3 light = {0, 0, 0};
    const float cosine = v3_dot(lamp, normal);
    if (cosine > 0 && v3_dot(lamp, face) > 0)
        light = v3_scale(v3_times(mn_studio_lamp(), mn_trace_passing(p->tracer, from, lamp, p->time)), cosine);
    const vec3 sky = turned(normal, sqrtf(1 - c), sqrtf(c), turn * d);
    const vec3 soft = mn_studio_soft(p->studio, sky);
    const vec3 share = v3_dot(sky, face) > 0 ? mn_trace_passing(p->tracer, from, sky, p->time) : v3_all(0);
    const vec3 hidden = v3_scale(v3_sub(v3_all(1), share), 0.22f);
    return v3_add(light, v3_times(soft, v3_add(share, hidden)));
}

static void add_plain(path *p, vec3 through, vec3 light)
{
    p->out->plain = v3_add(p->out->plain, v3_times(through, light));
}

static void add_matte(path *p, const mn_hit *hit, vec3 direction, vec3 through)
{
    vec3 face = hit->face, normal = hit->normal;
    if (v3_dot(face, direction) > 0) {
        face = v3_scale(face, -1);
        normal = v3_scale(normal, -1);
    }
    if (hit->ground) {
        const vec3 away = v3_sub(hit->point, p->studio->centre);
        const vec3 flat = v3_along(away, -v3_dot(away, p->studio->up), p->studio->up);
        const float fade = smooth(2.2f, 16, v3_length(flat) / p->studio->size);
        add_plain(p, v3_scale(through, fade), HORIZON);
        if (fade >= 1) return;
        through = v3_scale(through, 1 - fade);
    }
    const vec3 albedo = v3_times(through, hit->colour);
    p->out->albedo = v3_add(p->out->albedo, albedo);
    p->out->light = v3_add(p->out->light, v3_times(albedo, light_at(p, hit->point, normal, face)));
    if (v3_light(albedo) <= p->out->most) return;
    p->out->most = v3_light(albedo);
    p->out->point = hit->point;
    p->out->normal = normal;
    p->out->bent = p->bent;
}

static void follow(path *p, vec3 from, vec3 direction, vec3 through, const mn_surface_look *inside, int surfaces,
                   int splits);

static vec3 mirrored(vec3 direction, vec3 normal)
{
    return v3_along(direction, -2 * v3_dot(direction, normal), normal);
}

/* The reflected part of a ray: followed where it counts, else taken from the studio. */
static void reflect(path *p, const mn_hit *hit, vec3 direction, vec3 normal, vec3 face, vec3 through, int surfaces,
                    int splits)
{
    vec3 d = mirrored(direction, normal);
    if (v3_dot(d, face) <= 0) d = mirrored(direction, face);
    const bool before = p->bent;
    p->bent = true;
    if (splits < MOST_SPLITS && v3_most(through) > 0.02f)
        follow(p, v3_along(hit->point, p->skin, face), d, through, NULL, surfaces + 1, splits + 1);
    else add_plain(p, through, mn_studio_seen(p->studio, d));
    p->bent = before;
}

/* Does the liquid that the ray is about to leave touch something opaque there? */
static bool touches(const path *p, const mn_hit *hit, vec3 direction, vec3 face, mn_hit *wet)
{
    float reach = p->studio->contact / fmaxf(v3_dot(direction, face), 0.25f);
    vec3 from = v3_along(hit->point, -p->skin, direction);
    for (int k = 0; k < 3 && reach > 0; k++) {
        *wet = mn_trace_nearest(p->tracer, from, direction, p->time, reach);
        if (!isfinite(wet->distance)) return false;
        if (wet->ground || (wet->look->material != MN_LIQUID && wet->look->material != MN_GLASS)) return true;
        from = v3_along(wet->point, p->skin, direction);
        reach -= wet->distance + p->skin;
    }
    return false;
}

/* Where a ray goes on behind a surface of liquid; false: nowhere. */
static bool cross_liquid(path *p, const mn_hit *hit, vec3 *from, vec3 *direction, vec3 *through,
                         const mn_surface_look **inside, int surfaces, int splits)
{
    const bool enters = v3_dot(*direction, hit->face) < 0;
    const vec3 face = enters ? hit->face : v3_scale(hit->face, -1);
    vec3 normal = enters ? hit->normal : v3_scale(hit->normal, -1);
    if (v3_dot(*direction, normal) > -0.02f) normal = face;
    const vec3 behind = v3_along(hit->point, -p->skin, face);
    p->bent = true;
    if (enters && *inside) { /* from liquid to liquid */
        *inside = hit->look;
        *from = behind;
        return true;
    }
    mn_hit wet;
    if (!enters && touches(p, hit, *direction, v3_scale(face, -1), &wet)) {
        if (!wet.ground && wet.look->material == MN_METAL) wet.colour = v3_scale(wet.colour, 0.6f);
        add_matte(p, &wet, *direction, *through);
        return false;
    }
    const float index = enters ? hit->look->index : 1 / hit->look->index,
                cosine = fminf(-v3_dot(*direction, normal), 1);
    const float part = mn_fresnel(cosine, index), sine2 = (1 - cosine * cosine) / (index * index);
    if (sine2 >= 1) { /* total reflection */
        vec3 d = mirrored(*direction, normal);
        if (v3_dot(d, face) <= 0) d = mirrored(*direction, face);
        *from = v3_along(hit->point, p->skin, face);
        *direction = v3_unit(d);
        return true;
    }
    if (enters) {
        reflect(p, hit, *direction, normal, face, v3_scale(*through, part), surfaces, splits);
        *through = v3_scale(*through, 1 - part);
    } else if (splits < MOST_SPLITS && part * v3_most(*through) > 0.04f) {
        vec3 d = mirrored(*direction, normal);
        if (v3_dot(d, face) <= 0) d = mirrored(*direction, face);
        follow(p, v3_along(hit->point, p->skin, face), d, v3_scale(*through, part), *inside, surfaces + 1, splits + 1);
        *through = v3_scale(*through, 1 - part);
    }
    vec3 d = v3_along(v3_scale(*direction, 1 / index), cosine / index - sqrtf(1 - sine2), normal);
    if (v3_dot(d, face) >= 0) d = *direction;
    *direction = v3_unit(d);
    *from = behind;
    *inside = enters ? hit->look : NULL;
    return true;
}

/* Glass, coat and metal; false: the ray ends. */
static bool cross_solid(path *p, const mn_hit *hit, vec3 *from, vec3 *direction, vec3 *through, int surfaces,
                        int splits)
{
    const bool front = v3_dot(*direction, hit->face) < 0;
    const vec3 face = front ? hit->face : v3_scale(hit->face, -1);
    vec3 normal = front ? hit->normal : v3_scale(hit->normal, -1);
    if (v3_dot(*direction, normal) > -0.02f) normal = face;
    const float cosine = fminf(-v3_dot(*direction, normal), 1);
    const mn_material material = hit->look->material;
    if (material == MN_METAL) {
        const float graze = powf(1 - cosine, 5);
        add_matte(p, hit, *direction, v3_scale(*through, 0.2f));
        *through = v3_scale(v3_times(*through, v3_mix(hit->colour, v3_all(1), graze)), 0.8f);
        vec3 d = mirrored(*direction, normal);
        if (v3_dot(d, face) <= 0) d = mirrored(*direction, face);
        *direction = v3_unit(d);
        *from = v3_along(hit->point, p->skin, face);
        p->bent = true;
        return true;
    }
    const float part = mn_fresnel(cosine, material == MN_GLASS ? 1.5f : 1.33f);
    reflect(p, hit, *direction, normal, face, v3_scale(*through, part), surfaces, splits);
    if (material == MN_PAINTED) {
        add_matte(p, hit, *direction, v3_scale(*through, 1 - part));
        return false;
    }
    *through = v3_scale(v3_times(*through, hit->colour), 1 - part);
    *from = v3_along(hit->point, -p->skin, face);
    return true;
}

static void absorb(vec3 *through, const mn_surface_look *inside, float distance)
{
    *through = v3_times(*through, v3_exp(v3_scale(inside->absorption, -distance)));
}

static void follow(path *p, vec3 from, vec3 direction, vec3 through, const mn_surface_look *inside, int surfaces,
                   int splits)
{
    for (; surfaces < MOST_SURFACES && v3_most(through) > 0.004f; surfaces++) {
        const mn_hit hit = mn_trace_nearest(p->tracer, from, direction, p->time, INFINITY);
        if (!isfinite(hit.distance)) break;
        const bool liquid = !hit.ground && hit.look->material == MN_LIQUID;
        if (liquid && !inside && v3_dot(direction, hit.face) > 0) inside = hit.look; /* it began inside */
        if (inside) absorb(&through, inside, hit.distance);
        if (hit.ground || hit.look->material == MN_MATTE) {
            add_matte(p, &hit, direction, through);
            return;
        }
        if (!(liquid ? cross_liquid(p, &hit, &from, &direction, &through, &inside, surfaces, splits)
                     : cross_solid(p, &hit, &from, &direction, &through, surfaces, splits)))
            return;
    }
    add_plain(p, through, mn_studio_seen(p->studio, direction));
}

void mn_trace_follow(const mn_tracer *t, const mn_ray *ray, mn_gather *out)
{
    const mn_studio *studio = mn_tracer_studio(t);
    path p = {.tracer = t,
              .studio = studio,
              .out = out,
              .time = ray->time,
              .skin = 1e-5f * studio->size,
              .pixel = ray->pixel,
              .sample = ray->sample,
              .dimension = 8};
    vec3 from = ray->from;
    /* Clear liquid before the cut is passed over, solids are not; painted liquid has its particles cut. */
    for (float passed = 0; passed < ray->cut;) {
        const mn_hit hit = mn_trace_nearest(t, from, ray->direction, ray->time, ray->cut - passed);
        if (!isfinite(hit.distance) || hit.ground || hit.look->material != MN_LIQUID) break;
        passed += hit.distance + p.skin;
        from = v3_along(hit.point, p.skin, ray->direction);
    }
    follow(&p, from, ray->direction, v3_all(1), NULL, 0, 0);
}
