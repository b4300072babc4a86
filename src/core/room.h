/* room.h -- whether a scene can fit into memory, before anything is sampled. */
#ifndef MN_CORE_ROOM_H
#define MN_CORE_ROOM_H

#include "core/world.h"

/* Bytes that this process can get at most: memory and swap, or less by a control group or a limit of the address
 * space. */
double mn_machine_memory(void);
/* MN_FAILED, with numbers, where the fluids' volumes hold more particles than the machine or the device has memory
 * for. */
mn_status mn_room_check(const mn_world *world, mn_messages *say);

#endif
