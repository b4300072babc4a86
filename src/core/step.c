/* step.c -- one time step, as the algorithm reads. At each moment (system.h) the parts of the world are called in the
 * order of core/systems.def. What the functions called here do: step.h.
 *
 * Semi-implicit Euler: v += dt a, x += dt v. What moves on a path stands where it is at the start of the step and
 * carries the velocity of its motion.
 */
#include "base/threads.h"
#include "core/clock.h"
#include "core/parts.h"
#include "core/world.h"

/* To which stage time is billed from here on. */
static void stage(mn_world *w, mn_step_stage stage) { mn_watch_enter(w, stage, MN_NO_PART); }

static mn_status step(mn_world *w, mn_messages *say)
{
    stage(w, MN_STAGE_search);
    w->effort = (mn_effort){.density_error = w->effort.density_error}; /* iterations are counted from 0 */
    mn_world_parameters(w);
    mn_search(w, say); /* with the moments place, leave and touch */

    stage(w, MN_STAGE_density);
    const unsigned wishes = mn_parts_wishes(w);
    w->sequence = wishes & MN_WANTS_SEQUENCE; /* then the divergence is solved in the rounds */
    mn_run(w, wishes & MN_WANTS_RATES ? MN_KERNEL_density_rates : MN_KERNEL_density, MN_NO_ARG);
    w->first_new = w->next_id; /* all particles have a density now */
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
    mn_clock_choose(w); /* dt */

    stage(w, MN_STAGE_surface);
    mn_each(w, MN_AT_transport);
    stage(w, MN_STAGE_velocity);
    mn_run(w, MN_KERNEL_advance, MN_NO_ARG);
    mn_rounds(w); /* the moments velocity and pressure, until they agree */

    stage(w, MN_STAGE_move);
    mn_each(w, MN_AT_contact);
    mn_call_user(w, MN_CALL_CONTACT);
    mn_run(w, MN_KERNEL_move, MN_NO_ARG);
    mn_status status = mn_check_finite(w, say);
    if (status == MN_OK) status = MN_TRY_EACH(w, emit, say);
    stage(w, MN_STAGE_parts);
    if (status == MN_OK) status = MN_TRY_EACH(w, collect, say);
    if (status == MN_OK) status = MN_TRY_EACH(w, move, say);
    if (status == MN_OK) mn_clock_advance(w);
    stage(w, MN_STAGES); /* none */
    return status;
}

mn_status mn_step(mn_world *w, mn_messages *say)
{
    if (mn_user_may(w, false, "mn_step", say) != MN_OK || !mn_clock_may_go(w, say)) return MN_BAD_INPUT;
    mn_field_maps_end(w, say);
    w->user.answer = MN_OK, w->user.say = say;
    mn_call_user(w, MN_CALL_BEGIN);
    if (w->user.answer != MN_OK) return w->user.answer;
    const int before = mn_threads_use(w->threads);
    mn_status status = mn_world_change_due(w, say);
    if (status == MN_OK) status = mn_with_retries(w, step, say);
    omp_set_num_threads(before); /* as the calling program had it */
    if (status != MN_OK) return status;
    mn_call_user(w, MN_CALL_END);
    return w->user.answer;
}
