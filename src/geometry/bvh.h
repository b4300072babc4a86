/* bvh.h -- a tree over the triangles of a mesh: how far is the surface, how often does it wind around a point. */
#ifndef MN_GEOMETRY_BVH_H
#define MN_GEOMETRY_BVH_H

#include "geometry/geometry.h"

typedef struct mn_bvh mn_bvh;
mn_bvh *mn_bvh_new(const mn_mesh *mesh); /* NULL when out of memory; copies what it needs */
void mn_bvh_free(mn_bvh *tree);
/* Distance to the nearest triangle, m; `limit` if it is farther. */
double mn_bvh_distance(const mn_bvh *tree, const double x[3], double limit);
/* The same, with the point of the surface that is nearest, if it is nearer than `limit`. */
double mn_bvh_foot(const mn_bvh *tree, const double x[3], double limit, double foot[3]);
/* Winding number: 1 inside a closed outward mesh, 0 outside, between the two near holes. */
double mn_bvh_winding(const mn_bvh *tree, const double x[3]);

#endif
