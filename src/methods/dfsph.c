/* dfsph.c -- divergence-free SPH (Bender & Koschier 2017).
 *
 * prepare:  removes the divergence of the last step's velocities (kappa_div, an impulse, kept for the next step)
 * pressure: makes the density at the end of the step the rest density (kappa = p dt^2/n^2, kept for the next step)
 */
#include "methods/solvers.h"

#include <string.h>

static void exchange_kappas(mn_world *w)
{
    mn_buffer *kept = w->field[MN_FIELD_kappa];
    w->field[MN_FIELD_kappa] = w->field[MN_FIELD_kappa_div];
    w->field[MN_FIELD_kappa_div] = kept;
}

static void divergence(mn_world *w, void *me)
{
    (void)me;
    if (w->dt <= 0.0) return; /* the first step starts without a past */
    if (w->sequence) mn_run(w, MN_KERNEL_divergence_source, MN_NO_ARG);
    mn_run(w, MN_KERNEL_divergence_start, MN_ARG(mn_pressure_warmth(w)));
    exchange_kappas(w); /* the solver works on kappa */
    mn_solve s = {.tolerance = w->scene->divergence_tolerance * 0.01 / w->dt,
                  .min_iterations = 1,
                  .max_iterations = w->scene->max_iterations};
    mn_pressure_solve(w, &s);
    exchange_kappas(w);
    mn_pressure_apply(w, 1.0, 0.0);
    w->effort.divergence_iterations += s.iterations;
}

/* Expansion in one step, of the density, that leaves nothing of the last pressure. */
static const double LET_GO = 3e-4;

/* Whether forces may press the liquid together between the divergence solver and this one. */
static bool is_pressed(const mn_world *w)
{
    bool solved = false, pulled = w->scene->outside > 0.0;
    for (int p = 0; p < w->part_count; p++) {
        solved = solved || w->parts[p].system == &mn_method_dfsph;
        pulled = pulled || (w->parts[p].model && strcmp(w->parts[p].model->kind, "tension") == 0);
    }
    return pulled || !solved || mn_interface_acts(w);
}

static void density(mn_world *w, void *me)
{
    (void)me;
    /* kappa holds p dt^2: the same pressure over another step. Where the liquid expands jacobi starts from nothing,
     * as in the paper, and the others let go of it by degrees: kept whole, the pressure of a past impact would live
     * on, unseen by a mean over the whole liquid; dropped at the least expansion, still water, whose source is noise
     * of both signs, would lose half of its pressure in every step. */
    const bool pressed = is_pressed(w);
    const double ratio = w->last_dt > 0.0 ? w->dt / w->last_dt : 1.0, warmth = mn_pressure_warmth(w);
    mn_run(w, MN_KERNEL_density_source,
           (real4){(float)(warmth * ratio * ratio), warmth == 1.0 ? (float)(1.0 / LET_GO) : 1e30f,
                   pressed ? 1.0f : 0.0f, 0.0f});
    mn_solve s = {.along = pressed ? 0.0 : w->dt,
                  .tolerance = w->scene->tolerance * 0.01,
                  .min_iterations = w->scene->min_iterations,
                  .max_iterations = w->scene->max_iterations};
    mn_pressure_solve(w, &s);
    mn_pressure_apply(w, 1.0 / w->dt, s.along);
    w->effort.pressure_iterations += s.iterations;
    w->effort.density_error = s.error;
    mn_pressure_of(w)->scale = (float)(1.0 / (w->dt * w->dt));
}

const mn_system mn_method_dfsph = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .at = {[MN_AT_prepare] = divergence, [MN_AT_pressure] = density}};
const mn_system mn_method_iisph = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .at = {[MN_AT_pressure] = density}};
