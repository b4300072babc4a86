/* trace.h -- what the parts of the tracer share: the scene with its tree (tracer.c), light along a ray (light.c),
 * the pixels (draw.c) and their smoothing (denoise.c). */
#ifndef MN_RENDER_TRACE_H
#define MN_RENDER_TRACE_H

#include "render/tracer.h"

typedef struct mn_trace_part {
    mn_surface_look look;
    float *normal, *colour; /* as of mn_trace_mesh; NULL */
    int32_t *triangle;
} mn_trace_part;

typedef struct mn_hit {
    float distance; /* m; INFINITY: nothing */
    bool ground;
    vec3 point;
    vec3 face, normal; /* of the triangle and smoothed, unit, both to the side that the triangle faces */
    vec3 colour;
    const mn_surface_look *look;
} mn_hit;

/* The nearest surface along a ray, no further than `reach`. */
mn_hit mn_trace_nearest(const mn_tracer *t, vec3 from, vec3 direction, float time, float reach);
/* Share of the light that comes from that direction to a point: 0 behind something opaque. */
vec3 mn_trace_passing(const mn_tracer *t, vec3 from, vec3 direction, float time);
const mn_studio *mn_tracer_studio(const mn_tracer *t);
/* Share of light that a surface reflects; index: behind it over before it. */
float mn_fresnel(float cosine, float index);

/* What one pixel gathers. */
typedef struct mn_gather {
    vec3 plain;         /* light that needs no smoothing */
    vec3 albedo, light; /* of matte surfaces: what they would send with unit light on them, and what they do */
    vec3 point, normal; /* of the matte surface that counts most */
    float most;         /* how much it counts */
    bool bent;          /* it is seen in or through something clear */
} mn_gather;

/* Follows a ray into the scene and adds what it sees. `pixel` and `sample` decide the random numbers. */
typedef struct mn_ray {
    vec3 from, direction;
    float time;
    float cut; /* m: liquid nearer than this is not seen */
    uint32_t pixel, sample;
} mn_ray;
void mn_trace_follow(const mn_tracer *t, const mn_ray *ray, mn_gather *out);

/* Number `dimension` of the sample, in [0, 1): evenly spread over the samples of a pixel, unrelated between pixels. */
float mn_sample(uint32_t pixel, uint32_t sample, uint32_t dimension);

/* Light of the studio from a direction: as seen, and as it falls on matte surfaces, that is without the lamp, which
 * is asked for apart. */
vec3 mn_studio_seen(const mn_studio *s, vec3 direction);
vec3 mn_studio_soft(const mn_studio *s, vec3 direction);
vec3 mn_studio_lamp(void); /* irradiance across its direction */
#define MN_LAMP_SINE 0.17f /* of half the angle that it fills */

/* Smooths the light on matte surfaces among neighbours that lie on the same surface. light: 3 floats a pixel, in
 * place. */
typedef struct mn_guide {
    float point[3], normal[3];
    float footprint; /* m: a pixel's width there; 0: no matte surface */
    float spread;    /* m: neighbours lie at least so far apart, since they are seen in waves; 0: seen directly */
} mn_guide;
mn_status mn_denoise(float *light, const mn_guide *guide, int width, int height, int threads, mn_messages *say);
/* The mean light of the pixels around `pixel` that show the surface of `like`; false: none does. */
bool mn_denoise_beside(const float *light, const mn_guide *guide, int width, int height, int pixel,
                       const mn_guide *like, vec3 *out);

#endif
