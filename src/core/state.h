/* state.h -- the state of a world: the fluid at the start; all that a run needs to go on with the same bits. */
#ifndef MN_CORE_STATE_H
#define MN_CORE_STATE_H

#include "io/snapshot.h"

/* fill.c */
mn_status mn_fill(mn_world *w, mn_messages *say);
/* state.c */
mn_status mn_world_save(mn_world *w, mn_snapshot *snap, mn_messages *say);
mn_status mn_world_load(mn_world *w, const mn_snapshot *snap, mn_messages *say);

#endif
