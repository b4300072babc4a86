/* coats.h -- what clings to the walls and bodies of a run, in its folder:
 *
 *     coats/frame_00012.vtp    their points, with the amount of each substance (mol/m^2) and `object`: the wall, or
 *                              the number of walls and the body
 *
 * Only scenes with substances have them. */
#ifndef MN_SESSION_COATS_H
#define MN_SESSION_COATS_H

#include "scene/scene.h"

/* One frame in the formats of the scene; MN_OK where there is nothing to write. */
mn_status mn_coats_frame(const mn_scene *scene, mn_world *world, const char *dir, int number, mn_messages *say);

#endif
