/* pattern.h -- what differs from place to place on a wall: patches, vertex colours, images. */
#ifndef MN_BOUNDARY_PATTERN_H
#define MN_BOUNDARY_PATTERN_H

#include "geometry/geometry.h"
#include "geometry/near.h"

typedef struct mn_painter {
    const mn_pattern *pattern;
    mn_shape *patch; /* NULL: the whole wall */
    struct {
        unsigned char *grey; /* NULL: none */
        int width, height;
    } image;
    /* the vertices of the wall's coloured meshes */
    struct {
        mn_points points;
        float *value; /* of the channel */
        near_grid grid;
        double reach; /* longest edge: no point of the surface is farther from a vertex */
    } tint;
} mn_painter;

/* object: index among the walls, then the bodies. False after a message. */
bool mn_painter_new(const mn_scene *scene, int object, const mn_pattern *pattern, mn_place at, mn_painter *out,
                    mn_messages *say);
void mn_painter_free(mn_painter *painter);
/* 0 to 1 at a point of the wall as the scene gives it; 1 everywhere where the pattern says nothing. */
double mn_painter_at(const mn_painter *painter, const double x[3]);

#endif
