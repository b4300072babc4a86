/* pcisph.c -- predictive-corrective incompressible SPH (Solenthaler & Pajarola 2009), stopped by the mean
 * compression. */
#include "methods/methods.h"

#include <math.h>

/* 1/(2 V^2 sum |gradW|^2) over a full neighbourhood of a cubic lattice, where V = d^3: delta = 1.17691379 d^2 with a
 * support of two spacings. */
static const double full_neighbourhood = 1.17691379;

/* Gradients of x no longer serve for x* where an impact moves particles by much of a spacing: more pressure then
 * brings more compression, and the liquid would explode. Where the error has grown by so much the sweeps end, and
 * the next steps are shorter. */
static const double GROWN = 1.5, SHORTER = 0.5;

/* One sweep; returns the mean compression that the pressure before it leaves. */
static double sweep(mn_world *w)
{
    const double d = (double)w->par.spacing;
    double sum[4] = {0};
    mn_pressure_displace(w, 0.0);
    mn_run(w, MN_KERNEL_pcisph_predict, MN_NO_ARG);
    const double step = w->support.sweep, delta = full_neighbourhood * w->support.pcisph * step * d * d;
    mn_run_sum(w, MN_KERNEL_pcisph_correct, (real4){(float)delta, (float)(0.5 * step), 0.0f, 0.0f}, sum);
    return sum[0] / fmax(1, w->par.n);
}

static void pressure(mn_world *w, void *me)
{
    (void)me;
    double best = INFINITY, *error = &w->effort.density_error;
    int iterations = 0, good = 0; /* sweeps that led to the best */
    bool lost = false;
    mn_run(w, MN_KERNEL_pcisph_start, MN_NO_ARG);
    do {
        *error = sweep(w);
        if (w->failed) return;
        if (*error < best) best = *error, good = iterations;
        lost = *error > GROWN * best && *error > 0.1 * w->scene->tolerance;
        iterations++;
    } while ((iterations < 3 || iterations < w->scene->min_iterations || *error > 0.01 * w->scene->tolerance) &&
             iterations < w->scene->max_iterations && !lost && !isnan(*error));
    if (lost) { /* back to the best */
        w->next_dt = SHORTER * w->dt;
        mn_run(w, MN_KERNEL_pcisph_start, MN_NO_ARG);
        for (int k = 0; k < good; k++) sweep(w);
        *error = best;
    }
    mn_pressure_displace(w, 0.0);
    mn_pressure_apply(w, 1.0 / w->dt, 0.0);
    w->effort.pressure_iterations = iterations;
    mn_pressure_of(w)->scale = (float)(1.0 / (w->dt * w->dt));
    mn_pressure_of(w)->plain = true;
}

const mn_system mn_method_pcisph = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .at = {[MN_AT_pressure] = pressure}};
