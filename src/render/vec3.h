/* vec3.h -- three floats: points, directions and linear colours of the path tracer. */
#ifndef MN_RENDER_VEC3_H
#define MN_RENDER_VEC3_H

#include <math.h>

typedef struct vec3 {
    float x, y, z;
} vec3;

static inline vec3 v3(float x, float y, float z) { return (vec3){x, y, z}; }
static inline vec3 v3_all(float a) { return (vec3){a, a, a}; }
static inline vec3 v3_of(const float *a) { return (vec3){a[0], a[1], a[2]}; }
static inline vec3 v3_from(const double a[3]) { return (vec3){(float)a[0], (float)a[1], (float)a[2]}; }
static inline vec3 v3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 v3_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 v3_times(vec3 a, vec3 b) { return (vec3){a.x * b.x, a.y * b.y, a.z * b.z}; }
static inline vec3 v3_scale(vec3 a, float s) { return (vec3){s * a.x, s * a.y, s * a.z}; }
static inline vec3 v3_along(vec3 a, float t, vec3 d) { return (vec3){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z}; }
static inline vec3 v3_mix(vec3 a, vec3 b, float t) { return v3_along(a, t, v3_sub(b, a)); }
static inline float v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float v3_length(vec3 a) { return sqrtf(v3_dot(a, a)); }
static inline vec3 v3_unit(vec3 a)
{
    const float length = v3_length(a);
    return length > 0 ? v3_scale(a, 1 / length) : v3(0, 1, 0);
}
static inline vec3 v3_exp(vec3 a) { return (vec3){expf(a.x), expf(a.y), expf(a.z)}; }
static inline float v3_most(vec3 a) { return fmaxf(a.x, fmaxf(a.y, a.z)); }
static inline float v3_light(vec3 a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }

/* Two directions that complete the unit vector `n` to a right-handed frame (s, n, t). */
static inline void v3_frame(vec3 n, vec3 *s, vec3 *t)
{
    *s = v3_unit(fabsf(n.x) < 0.6f ? v3_cross(n, v3(1, 0, 0)) : v3_cross(n, v3(0, 0, 1)));
    *t = v3_cross(*s, n);
}

#endif
