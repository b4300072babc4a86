/* openings.h -- openings of emitters at walls. */
#ifndef MN_INFLOW_OPENINGS_H
#define MN_INFLOW_OPENINGS_H

#include "core/world.h"
#include "inflow/inflow.h"

/* Moves the points of openings that lie in the surface of a wall along their direction to where liquid at rest would
 * lie, leaves out those that stay too close to a wall next to the stream, and says so. A moment of the start: walls
 * are made. */
mn_status mn_openings_fit(mn_world *world, void *me, mn_messages *say);

#endif
