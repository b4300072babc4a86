/* rounds.c -- implicit velocities and pressure, one after the other; in several rounds where a part asks for it. */
#include "core/parts.h"
#include "core/world.h"

static void stage(mn_world *w, mn_step_stage stage) { mn_watch_enter(w, stage, MN_NO_PART); }

/* Each begins at the velocity of the start (kernels/step/rounds.h). */
static void rounds_from_the_start(mn_world *w)
{
    if (w->rounds > 1) mn_run(w, MN_KERNEL_round_first, MN_NO_ARG);
    for (w->round = 0; w->round < w->rounds; w->round++) {
        stage(w, MN_STAGE_velocity);
        if (w->round > 0) mn_run(w, MN_KERNEL_round_velocity, MN_NO_ARG);
        mn_each(w, MN_AT_velocity);
        stage(w, MN_STAGE_pressure);
        if (w->rounds > 1) mn_run(w, MN_KERNEL_round_pressure, MN_NO_ARG);
        mn_each(w, MN_AT_pressure);
        if (!mn_round_stays(w)) mn_run(w, MN_KERNEL_round_last, MN_ARG(0.5));
    }
}

/* Each begins at the velocity that the last one left, with the divergence solver in each (Algorithm 2 of Jeske et al.
 * 2023 as printed). */
static void rounds_in_sequence(mn_world *w)
{
    for (w->round = 0; w->round < w->rounds; w->round++) {
        stage(w, MN_STAGE_divergence);
        mn_each(w, MN_AT_prepare);
        stage(w, MN_STAGE_velocity);
        mn_each(w, MN_AT_velocity);
        stage(w, MN_STAGE_pressure);
        mn_each(w, MN_AT_pressure);
    }
}

void mn_rounds(mn_world *w)
{
    w->rounds = mn_parts_rounds(w);
    if (w->sequence) rounds_in_sequence(w);
    else rounds_from_the_start(w);
}

bool mn_round_stays(const mn_world *w) { return w->sequence || w->round + 1 >= w->rounds; }
