/* watch.c -- who spends the time of a step; see watch.h. */
#include "core/watch.h"

#include <time.h>

#include "core/world.h"

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double *mn_watch_now(mn_world *w) { return &w->watch.seconds[w->watch.stage][w->watch.part]; }

void mn_watch_enter(mn_world *w, mn_step_stage stage, int part)
{
    mn_watch *watch = &w->watch;
    const double wall = wall_clock(), busy = w->api->busy ? w->api->busy(w->device) : 0.0;
    if (watch->stage != MN_STAGES) *mn_watch_now(w) += wall - watch->wall - (busy - watch->busy);
    watch->stage = stage, watch->part = part, watch->wall = wall, watch->busy = busy;
}

int mn_world_stages(const mn_world *w, mn_stage_time *out, int capacity)
{
#define NAME(name) #name,
    static const char *const names[MN_STAGES] = {MN_STAGES_OF_A_STEP(NAME)};
#undef NAME
    for (int k = 0; k < MN_STAGES && k < capacity; k++) {
        out[k] = (mn_stage_time){names[k], 0.0};
        for (int p = 0; p <= MN_MOST_PARTS; p++) out[k].seconds += w->watch.seconds[k][p];
    }
    return MN_STAGES;
}

int mn_world_part_times(const mn_world *w, mn_stage_time *out, int capacity)
{
    const int count = w->part_count + 1;
    for (int p = 0; p < count && p < capacity; p++) {
        const bool own = p == w->part_count;
        out[p] = (mn_stage_time){own ? "step" : w->parts[p].key, 0.0};
        for (int k = 0; k < MN_STAGES; k++) out[p].seconds += w->watch.seconds[k][own ? MN_NO_PART : p];
    }
    return count;
}
