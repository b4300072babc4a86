/* pcisph.c -- predictive-corrective incompressible SPH (Solenthaler & Pajarola 2009), stopped by the mean compression. */
#include "methods/methods.h"

#include <math.h>

/* 1/(2 V^2 sum |gradW|^2) over a full neighbourhood of a cubic lattice, where V = d^3: delta = 1.17691379 d^2 (physics of the method). */
static const double full_neighbourhood = 1.17691379;

/* Gradients of x no longer serve for x* where an impact moves particles by much of a spacing: more pressure then brings more compression, and the liquid
   would explode. Where the error has grown by so much the sweeps end, and the next steps are shorter. */
static const double GROWN = 1.5, SHORTER = 0.5;

static void pressure(mn_world *w, const mn_active *a)
{
    (void)a;
    const double d = (double)w->par.spacing;
    double sum[4], best = INFINITY;
    int iterations = 0;
    bool lost = false;
    mn_run(w, MN_KERNEL_pcisph_start, MN_NO_ARG);
    do {
        mn_pressure_push(w, 0.0);
        mn_run(w, MN_KERNEL_pcisph_predict, MN_NO_ARG);
        if (w->failed) return;
        mn_run_sum(w, MN_KERNEL_pcisph_correct, (real4){(float)(full_neighbourhood * d * d), 0.5f, 0.0f, 0.0f}, sum);
        w->density_error = sum[0] / fmax(1, w->par.n);
        best = fmin(best, w->density_error);
        lost = w->density_error > GROWN * best && w->density_error > 0.1 * w->scene->tolerance;
        iterations++;
    } while ((iterations < 3 || iterations < w->scene->min_iterations || w->density_error > 0.01 * w->scene->tolerance) &&
             iterations < w->scene->max_iterations && !lost && !isnan(w->density_error));
    if (lost) w->next_dt = SHORTER * w->dt;
    mn_pressure_push(w, 0.0);
    mn_pressure_apply(w, 1.0 / w->dt, 0.0);
    w->pressure_iterations = iterations;
    w->pressure_scale = (float)(1.0 / (w->dt * w->dt));
    w->pressure_is_plain = true;
}

const mn_method mn_method_pcisph = {.pressure = pressure};
