/* cloud.h -- the particles of one surface, in units of their spacing, sorted into cubic bins as wide as the kernel
 * reaches.
 *
 * Particles of a bin lie side by side, and so do the bins of a row along x: the particles within reach of a bin are
 * nine runs of the arrays.
 */
#ifndef MN_SURFACE_CLOUD_H
#define MN_SURFACE_CLOUD_H

#include <stdbool.h>
#include <stdint.h>

#include "io/frames.h"

/* Reach of the kernel and width of a bin, in spacings. */
#define CLOUD_REACH 2.0f

typedef struct cloud {
    int32_t count;
    double origin[3], spacing; /* x = origin + spacing * u */
    float *x, *y, *z;          /* u of each */
    int32_t *index;            /* its place in the frame */
    int32_t bin_count;
    uint64_t *key;  /* of each bin, ascending */
    int32_t *first; /* first particle of each bin, and the end */
    uint32_t *slot; /* hash: bin + 1, or 0 */
    uint32_t mask;
} cloud;

typedef struct cloud_run {
    int32_t begin, end;
} cloud_run;

/* From points in spacings (3 each, none below 0); `index` NULL: 0, 1, ... False when out of memory. */
bool cloud_new(cloud *out, const float *u, const int32_t *index, int32_t count, const double origin[3], double spacing);
void cloud_free(cloud *c);
/* The particles of the bins that meet the box, as runs; at most 64 of them, for boxes up to eight bins wide. */
int cloud_runs(const cloud *c, const float low[3], const float high[3], cloud_run runs[64]);
void cloud_bin_place(const cloud *c, int32_t bin, int place[3]);

/* (1 - r^2/reach^2)^3 where it is positive; its integral is 1 when multiplied by CLOUD_WEIGHT. */
#define CLOUD_WEIGHT 0.19583537f /* 315 / (64 pi reach^3) */
static inline float cloud_kernel(float r2)
{
    const float t = 1.0f - r2 * (1.0f / (CLOUD_REACH * CLOUD_REACH));
    return t > 0 ? t * t * t : 0;
}

#endif
