/* shape.h -- the inside of mn_shape, for the samplers. */
#ifndef MN_GEOMETRY_SHAPE_H
#define MN_GEOMETRY_SHAPE_H

#include "geometry/bvh.h"
#include "geometry/geometry.h"

/* The shape's frame is turned and moved, but already in metres: the scale is folded into the dimensions below. */
struct mn_shape {
    mn_shape_kind kind;
    double half[3], radius, radius2, height; /* m, scaled; half: half the size */
    double rotation[9], translate[3];
    double low[3], high[3];       /* bounds of the surface in the shape's frame, m */
    bool inside_out, open_end[2]; /* of a cylinder or cone: bottom and top are no part of its surface */
    mn_mesh mesh;                 /* scaled, turned and moved: in world coordinates */
    mn_bvh *tree;
};

/* More points than this are refused before anything is allocated. */
#define MN_MAX_SAMPLES MN_MOST_PARTICLES

const char *mn_shape_name(mn_shape_kind kind);
/* From the shape's frame to the world. */
void mn_shape_place(const mn_shape *shape, const double local[3], double out[3]);
/* Refuses spacings that are not positive and finite, or so small that positions in the shape cannot be told apart. */
mn_status mn_spacing_check(const mn_shape *shape, double spacing, mn_place at, mn_messages *say);
/* Surface of a mesh by darts, sharp edges first; used by mn_sample_surface. */
mn_status mn_sample_mesh(const mn_mesh *mesh, double spacing, int seed, mn_place at, mn_points *out, mn_messages *say);
/* Poisson-disk set in the region where inside(context, x, limit), a signed distance, is negative. */
typedef double mn_region_distance(const void *context, const double x[3], double limit);
mn_status mn_sample_poisson(mn_region_distance *inside, const void *context, const double low[3], const double high[3],
                            double spacing, int seed, mn_points *out);

#endif
