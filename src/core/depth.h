/* depth.h -- how deep the liquid is: steps are shorter where it is (clock.c, docs/notes/deep-liquid.md). */
#ifndef MN_CORE_DEPTH_H
#define MN_CORE_DEPTH_H

#include "run/backend.h"
#include "scene/scene.h"

/* The depth of these particles along gravity at the start, m; below a heavy fluid that of a column of the light one
 * that weighs as much. 0 where it is shallow. False: out of memory. */
bool mn_depth_of(const mn_scene *s, const real4 *pos, const real4 *vel, int n, double *depth);

#endif
