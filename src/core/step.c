/* step.c -- one time step, as the algorithm reads. At each moment the parts of the world are called in the order of
 * core/systems.def.
 *
 * Semi-implicit Euler: v += dt a, x += dt v. Walls stand at the start of the step and carry the velocity of their
 * motion.
 */
#include "core/parts.h"
#include "core/world.h"

static void stage(mn_world *w, mn_stage stage) { mn_watch_enter(w, stage, MN_NO_PART); }

void mn_world_parameters(mn_world *w)
{
    double g[3];
    mn_curve_at(&w->scene->gravity, w->time, g);
    w->par.gx = (float)g[0], w->par.gy = (float)g[1], w->par.gz = (float)g[2];
    w->par.time = (float)w->time;
    mn_each(w, MN_AT_parameters);
}

/* Implicit velocities and pressure, one after the other; in several rounds where a part asks for it
 * (kernels/rounds.h). */
static void implicit_stages(mn_world *w)
{
    w->rounds = mn_parts_rounds(w);
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

/* Rounds that each go on from the velocity that the last one left, with the divergence solver in each (Algorithm 2 of
 * Jeske et al. 2023 as printed). */
static void sequence_of_stages(mn_world *w)
{
    w->rounds = mn_parts_rounds(w);
    for (w->round = 0; w->round < w->rounds; w->round++) {
        stage(w, MN_STAGE_divergence);
        mn_each(w, MN_AT_prepare);
        stage(w, MN_STAGE_velocity);
        mn_each(w, MN_AT_velocity);
        stage(w, MN_STAGE_pressure);
        mn_each(w, MN_AT_pressure);
    }
}

static mn_status step(mn_world *w, mn_messages *say)
{
    stage(w, MN_STAGE_search);
    w->effort = (mn_effort){.density_error = w->effort.density_error};
    mn_world_parameters(w);
    mn_search(w, say);

    stage(w, MN_STAGE_density);
    const unsigned wishes = mn_parts_wishes(w);
    w->sequence = wishes & MN_WANTS_SEQUENCE;
    mn_run(w, wishes & MN_WANTS_RATES ? MN_KERNEL_density_rates : MN_KERNEL_density, MN_NO_ARG);
    w->first_new = w->next_id;
    mn_each(w, MN_AT_density);
    mn_call_user(w, MN_CALL_DENSITY);

    stage(w, MN_STAGE_surface);
    mn_each(w, MN_AT_surface);
    stage(w, MN_STAGE_divergence);
    if (!w->sequence) mn_each(w, MN_AT_prepare);
    stage(w, MN_STAGE_forces);
    mn_run(w, MN_KERNEL_force_begin, MN_NO_ARG);
    mn_each(w, MN_AT_forces);
    mn_call_user(w, MN_CALL_FORCES);
    mn_clock_choose(w);

    stage(w, MN_STAGE_surface);
    mn_each(w, MN_AT_transport);
    stage(w, MN_STAGE_velocity);
    mn_run(w, MN_KERNEL_advance, MN_NO_ARG);
    if (w->sequence) sequence_of_stages(w);
    else implicit_stages(w);

    stage(w, MN_STAGE_move);
    mn_each(w, MN_AT_contact);
    mn_call_user(w, MN_CALL_CONTACT);
    mn_run(w, MN_KERNEL_move, MN_NO_ARG);
    mn_status status = mn_check_finite(w, say);
    if (status == MN_OK) status = MN_TRY_EACH(w, emit, say);
    stage(w, MN_STAGE_bodies);
    if (status == MN_OK) status = MN_TRY_EACH(w, collect, say);
    if (status == MN_OK) status = MN_TRY_EACH(w, move, say);
    if (status == MN_OK) mn_clock_advance(w);
    stage(w, MN_STAGES);
    return status;
}

/* A step that a part takes back is made anew from the state before it. */
static mn_status step_or_retry(mn_world *w, mn_messages *say)
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

mn_status mn_step(mn_world *w, mn_messages *say)
{
    if (mn_user_may(w, false, "mn_step", say) != MN_OK || !mn_clock_may_go(w, say)) return MN_BAD_INPUT;
    mn_maps_end(w, say);
    w->user.answer = MN_OK, w->user.say = say;
    mn_call_user(w, MN_CALL_BEGIN);
    if (w->user.answer != MN_OK) return w->user.answer;
    mn_status status = mn_world_change_due(w, say);
    if (status == MN_OK) status = step_or_retry(w, say);
    if (status != MN_OK) return status;
    mn_call_user(w, MN_CALL_END);
    return w->user.answer;
}
