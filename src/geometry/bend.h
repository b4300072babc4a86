/* bend.h -- a soft solid as its particles have bent it: where a point of its shape at rest is now. */
#ifndef MN_GEOMETRY_BEND_H
#define MN_GEOMETRY_BEND_H

#include "geometry/geometry.h"

/* Particles of all soft solids at a moment: where they are, how far they have moved from rest, and whose they are. */
typedef struct mn_soft_points {
    const float *position, *displacement; /* 3 each; displacement NULL: they are at rest */
    const int32_t *solid;
    long count;
} mn_soft_points;

typedef struct mn_bend mn_bend;
/* Of one solid, whose particles are `spacing` apart. NULL when out of memory. */
mn_bend *mn_bend_new(const mn_soft_points *points, int solid, double spacing);
void mn_bend_free(mn_bend *bend);
/* How far a point at rest has moved, by the affine map that fits the particles around it best. Nothing, if there are
 * none. Called by several threads at once. */
void mn_bend_at(const mn_bend *bend, const double rest[3], double shift[3]);

/* The same as a sum over particles, whose weights stay the same whatever they do: x = rest + sum weight (x_p - rest_p).
 * Fills at most MN_BEND_MOST, returns how many; the weights add up to 1. */
enum { MN_BEND_MOST = 160 };
typedef struct mn_bend_share {
    long particle; /* of the points */
    double weight, rest[3];
} mn_bend_share;
int mn_bend_shares(const mn_bend *bend, const double rest[3], mn_bend_share share[MN_BEND_MOST]);

#endif
