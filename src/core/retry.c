/* retry.c -- a step that a part takes back is repeated, shorter, from the state before it. */
#include "core/parts.h"
#include "core/state.h"
#include "core/world.h"

mn_status mn_with_retries(mn_world *w, mn_try_step *step, mn_messages *say)
{
    enum { RETRIES = 10 };
    if (!(mn_parts_wishes(w) & MN_WANTS_RETRY)) return step(w, say);
    mn_snapshot before = {0};
    mn_status status = mn_world_save(w, &before, say);
    for (int k = 0; status == MN_OK; k++) {
        w->retry = 0.0;
        status = step(w, say);
        const double shorter = w->retry;
        if (status != MN_OK || shorter <= 0.0 || k == RETRIES || w->dt <= w->scene->step_min) break;
        status = mn_world_load(w, &before, say);
        w->next_dt = shorter / 1.05; /* it may grow by as much (clock.c) */
    }
    mn_snapshot_free(&before);
    return status;
}
