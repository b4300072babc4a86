/* depth.h -- how deep the liquid is: steps are shorter where it is (clock.c, docs/notes/deep-liquid.md). */
#ifndef MN_CORE_DEPTH_H
#define MN_CORE_DEPTH_H

#include "run/backend.h"
#include "scene/scene.h"

/* What a world knows of it. */
typedef struct mn_depth {
    bool known;
    double metres, down[3]; /* along this direction; 0 m: shallow */
} mn_depth;

/* The depth of these particles along the unit vector `down`; below a heavy fluid that of a column of the light one that
 * weighs as much. Of several pools the deepest counts, drops and spray do not. False: out of memory. */
bool mn_depth_of(const mn_scene *s, const double down[3], const real4 *pos, const real4 *vel, int n, mn_depth *out);
/* 1 where all fluids weigh the same. */
double mn_heaviest_over_lightest(const mn_scene *s);

#endif
