/* ode_parts.h -- between rigid.c and the files that make ODE's geometry and joints. */
#ifndef MN_RIGID_ODE_PARTS_H
#define MN_RIGID_ODE_PARTS_H

#include <ode/ode.h>

#include "geometry/geometry.h"

/* Geometry of one body or wall. Its meshes keep their arrays, since ODE does not copy them. */
typedef struct mn_geoms {
    dGeomID *geom;
    int count, room;
    struct mn_geom_mesh *meshes;   /* a list */
    struct mn_geom_place *at_rest; /* where each was before it was attached; NULL: not attached, or made so */
} mn_geoms;

/* Appends the geometry of a shape: ODE's own primitive if there is one, else triangles. With a body, relative to
 * `centre`; without, at rest in the world. `edge`: of the triangles of round shapes. */
mn_status mn_geoms_add(mn_geoms *geoms, const mn_shape *shape, const mn_shape_def *def, dBodyID body,
                       const double centre[3], double thickness, double edge, mn_messages *say);
/* Attaches what is at rest in the world to a body at `centre` (false: out of memory); and puts it back exactly where it
 * was. */
bool mn_geoms_attach(mn_geoms *geoms, dBodyID body, const double centre[3]);
void mn_geoms_detach(mn_geoms *geoms);
void mn_geoms_free(mn_geoms *geoms);

/* Makes the joint, and for a ball with limits the motor that holds them. NULL on failure. */
dJointID mn_joint_make(dWorldID world, const mn_joint *joint, dBodyID first, dBodyID second);
/* Gives the joint the limits that the scene has now. */
void mn_joint_limit(dJointID id, const mn_joint *joint);

#endif
