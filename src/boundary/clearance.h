/* clearance.h -- how places stand to walls and bodies at the start: inside, outside, or how near. */
#ifndef MN_BOUNDARY_CLEARANCE_H
#define MN_BOUNDARY_CLEARANCE_H

#include "core/world.h"

/* Fluid at rest lies so far from the surface, in spacings: of walls of particles, of volume maps, of bodies. */
#define MN_REST_AT_POINTS 1.1
#define MN_REST_AT_MAPS 1.15
#define MN_REST_AT_BODIES 0.57

/* Sides of a place: in some container, outside of some, in an obstacle. */
enum { MN_HELD = 1, MN_OUTSIDE = 2, MN_WITHIN = 4 };

typedef struct mn_standing {
    unsigned side;
    const char *within; /* the obstacle */
    double gap;         /* m from the nearest surface of a wall of particles; INFINITY: farther than the reach */
    const char *near;   /* whose; without a gap, a wall by volume map */
} mn_standing;

typedef struct mn_clearance mn_clearance;
/* Of the walls where they are at the start; NULL: out of memory. After the boundary is made. */
mn_clearance *mn_clearance_new(const mn_world *world);
void mn_clearance_free(mn_clearance *clearance);
/* `reach` is at most 1.2 spacings. Where a face is left open there is no surface. */
mn_standing mn_clearance_at(const mn_clearance *clearance, const double x[3], double reach);
/* Neither in an obstacle, nor outside of all containers. Outside of an open one it may be, unless it is near the
 * walls: then it sticks out through one. */
bool mn_clearance_is_inside(const mn_clearance *clearance, const double x[3], const mn_standing *standing);
const char *mn_clearance_container(const mn_clearance *clearance); /* name of the first; NULL: there is none */

#endif
