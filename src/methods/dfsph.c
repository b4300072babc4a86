/* dfsph.c -- divergence-free SPH (Bender & Koschier 2017).
 *
 * prepare:  removes the divergence of the last step's velocities (kappa_div, an impulse, kept for the next step)
 * pressure: makes the density at the end of the step the rest density (kappa = p dt^2/n^2, kept for the next step)
 */
#include "methods/methods.h"

static void exchange_kappas(mn_world *w)
{
    mn_buffer *kept = w->field[MN_FIELD_kappa];
    w->field[MN_FIELD_kappa] = w->field[MN_FIELD_kappa_div];
    w->field[MN_FIELD_kappa_div] = kept;
}

static void divergence(mn_world *w, const mn_active *a)
{
    (void)a;
    if (w->dt <= 0.0) return; /* the first step starts without a past */
    mn_run(w, MN_KERNEL_divergence_start, MN_ARG(mn_pressure_warmth(w)));
    exchange_kappas(w); /* the solver works on kappa */
    mn_solve s = {.tolerance = w->scene->divergence_tolerance * 0.01 / w->dt,
                  .min_iterations = 1,
                  .max_iterations = w->scene->max_iterations};
    mn_pressure_solve(w, &s);
    exchange_kappas(w);
    mn_pressure_apply(w, 1.0);
    w->divergence_iterations = s.iterations;
}

static void density(mn_world *w, const mn_active *a)
{
    (void)a;
    mn_run(w, MN_KERNEL_density_source, MN_NO_ARG);
    mn_solve s = {.tolerance = w->scene->tolerance * 0.01,
                  .min_iterations = w->scene->min_iterations,
                  .max_iterations = w->scene->max_iterations};
    /* kappa holds p dt^2: the same pressure over another step. Where nothing compresses jacobi starts from nothing, as in the paper, and the others from 0.6 of it:
       kept whole there, the pressure of a past impact would live on, unseen by a mean over the whole liquid. */
    const double ratio = w->last_dt > 0.0 ? w->dt / w->last_dt : 1.0, warm = mn_pressure_warmth(w) * ratio * ratio;
    mn_run(w, MN_KERNEL_pressure_scale, (real4){(float)warm, mn_pressure_warmth(w) == 1.0 ? 0.6f * (float)warm : 0.0f, 0.0f, 0.0f});
    mn_pressure_solve(w, &s);
    mn_pressure_apply(w, 1.0 / w->dt);
    w->pressure_iterations = s.iterations;
    w->density_error = s.error;
    w->pressure_scale = (float)(1.0 / (w->dt * w->dt));
}

const mn_method mn_method_dfsph = {.prepare = divergence, .pressure = density};
const mn_method mn_method_iisph = {.pressure = density};
