/* shading.h -- what the two looks of a picture share: directions in view space, surfaces seen as maps of depth, the
 * lamp. */
#ifndef MN_IO_SHADING_H
#define MN_IO_SHADING_H

#include <math.h>

#include "io/picture.h"

typedef struct vec {
    float x, y, z;
} vec;

static inline vec mix(vec a, vec b, float t)
{
    return (vec){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}
static inline float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec unit(vec a)
{
    float length = sqrtf(dot(a, a));
    return length > 0 ? (vec){a.x / length, a.y / length, a.z / length} : (vec){0, 0, -1};
}
static inline float clamp01(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static const vec LAMP = {-0.515f, 0.687f, -0.512f}; /* direction to it: upper left, behind the eye */

/* Depths in metres, one a place; MN_NOTHING where there is none. */
typedef struct mn_depth_map {
    int width, height;
    float focal;  /* places: place = focal * x / z */
    float radius; /* m, of the spheres that it was made of */
} mn_depth_map;

/* Means along rows, or columns (down), over `reach` radii, at most `most` places, to both sides; only of what lies
 * on the same surface: within three radii of the depth in the middle. */
void mn_depth_smooth(const mn_depth_map *m, float reach, int most, bool down, const float *in, float *out);
/* Normal of the surface, towards the eye, from depths `step` places apart. */
vec mn_depth_normal(const mn_depth_map *m, const float *depth, int x, int y, int step);

/* From sRGB to linear light. */
float mn_linear(float srgb);

#endif
