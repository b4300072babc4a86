/* room.h -- whether a scene can fit into memory, before anything is sampled. */
#ifndef MN_CORE_ROOM_H
#define MN_CORE_ROOM_H

#include "core/world.h"

/* Bytes that this process can get at most: memory and swap, or less by a control group or a limit of the address
 * space. */
double mn_machine_memory(void);
/* MN_FAILED, with numbers, where particles, boundary points, soft solids, volume maps and grids need more memory than
 * the machine or the device has; a warning where they do so with all that emitters will bring. */
mn_status mn_room_check(const mn_world *world, mn_messages *say);

#endif
