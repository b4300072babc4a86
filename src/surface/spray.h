/* spray.h -- drops of one particle as spheres, for pictures: the mesh of such a drop has two dozen corners. */
#ifndef MN_SURFACE_SPRAY_H
#define MN_SURFACE_SPRAY_H

#include "surface/faces.h"

/* Puts a sphere in place of each piece of one particle that touches nothing. `out` is the skin, written out. False: out
 * of memory. */
bool spray_round(const skin *s, const grid *g, const cloud *c, mn_surface *out);

#endif
