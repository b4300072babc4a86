/* body_shape.h -- what a rigid body is made of: its shapes, its mass and inertia, its surface as points and as
 * triangles. */
#ifndef MN_RIGID_BODY_SHAPE_H
#define MN_RIGID_BODY_SHAPE_H

#include "geometry/geometry.h"

/* Points of a body lie this many spacings below its surface. Fluid comes to rest about 1.1 spacings from them, so
 * that the surface it wets, half a spacing closer, is the body's own. */
#define MN_BODY_INSET 0.53

typedef struct mn_rigid_shape {
    mn_shape **shapes;
    int count;
    double volume, mass, centre[3], inertia[9]; /* about the centre of mass, in the axes of the rest pose */
    double spread[9];                           /* inertia of a density of 1 */
} mn_rigid_shape;

/* Loads the shapes; refuses meshes that are not closed or inside out, and bodies without volume. */
mn_status mn_rigid_shape_make(const mn_body *body, mn_rigid_shape *out, mn_messages *say);
void mn_rigid_shape_free(mn_rigid_shape *shape);
/* Mass and inertia by the body's density or mass. False: they are what they were. */
bool mn_rigid_shape_weigh(mn_rigid_shape *shape, const mn_body *body);

/* Appends points just below the surface of the union, and for each its outward normal, in the rest pose. */
mn_status mn_rigid_shape_sample(const mn_rigid_shape *shape, const mn_body *body, int seed, mn_points *points,
                                mn_points *normals, mn_messages *say);

/* Signed distance to the union; a lower bound inside where shapes overlap. */
double mn_rigid_shape_distance(const mn_rigid_shape *shape, const double x[3], double limit);

/* All triangles in the rest pose, relative to the centre of mass. */
mn_status mn_rigid_shape_skin(const mn_rigid_shape *shape, double edge, mn_mesh *out, mn_messages *say);

#endif
