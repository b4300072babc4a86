/* pcisph.c -- predictive-corrective incompressible SPH (Solenthaler & Pajarola 2009), stopped by the mean compression,
 * or by the largest; with the roll-back of Ihmsen et al. 2010 on request. */
#include "methods/solvers.h"

#include <math.h>

/* 1/(2 V^2 sum |gradW|^2) over a full neighbourhood of a cubic lattice, where V = d^3: delta = 1.17691379 d^2 with a
 * support of two spacings. */
static const double full_neighbourhood = 1.17691379;

/* Gradients of x no longer serve for x* where an impact moves particles by much of a spacing: more pressure then
 * brings more compression, and the liquid would explode. Where the error has grown by so much the sweeps end, and
 * the next steps are shorter. */
static const double GROWN = 1.5, SHORTER = 0.5;

/* Compression over the tolerance that is a shock; speed, in supports a step, that is one; the step after it. */
static const double SHOCK = 10.0, FAST = 0.45, CALM = 0.08, GENTLE = 0.2;

static double largest_left(mn_world *w)
{
    double top[4] = {0};
    mn_run_max(w, MN_KERNEL_pcisph_left, MN_NO_ARG, top);
    return top[0];
}

/* One sweep; returns the compression that the pressure before it leaves: the largest, or the mean. */
static double sweep(mn_world *w, bool largest)
{
    const double d = (double)w->par.spacing;
    double sum[4] = {0};
    mn_pressure_displace(w, 0.0);
    mn_run(w, MN_KERNEL_pcisph_predict, MN_NO_ARG);
    const double step = w->support.sweep, delta = full_neighbourhood * w->support.gradients * step * d * d;
    mn_run_sum(w, MN_KERNEL_pcisph_correct, (real4){(float)delta, (float)(0.5 * step), 0.0f, 0.0f}, sum);
    w->effort.density_error = sum[0] / fmax(1, w->par.n);
    return largest ? largest_left(w) : w->effort.density_error;
}

/* After a shock the step is taken back, and repeated with a shorter one. */
static void rewind_shock(mn_world *w, double left)
{
    double top[4] = {0};
    const double h = (double)w->par.h;
    mn_run_max(w, MN_KERNEL_speed, MN_NO_ARG, top);
    const double speed = sqrt(fmax(top[2], 1e-30)), acceleration = sqrt(fmax(top[1], 1e-30));
    if (left > SHOCK * 0.01 * w->scene->tolerance || w->dt > FAST * h / speed)
        w->retry = fmin(fmin(GENTLE * sqrt(h / acceleration), CALM * h / speed), SHORTER * w->dt);
}

static void pressure(mn_world *w, void *me)
{
    const bool largest = mn_model_param(w, me, 0, "largest") > 0.5f;
    double best = INFINITY, left;
    int iterations = 0, good = 0; /* sweeps that led to the best */
    bool lost = false;
    mn_run(w, MN_KERNEL_pcisph_start, MN_NO_ARG);
    do {
        left = sweep(w, largest);
        if (w->failed) return;
        if (left < best) best = left, good = iterations;
        lost = left > GROWN * best && left > 0.1 * w->scene->tolerance;
        iterations++;
    } while ((iterations < 3 || iterations < w->scene->min_iterations || left > 0.01 * w->scene->tolerance) &&
             iterations < w->scene->max_iterations && !lost && !isnan(left));
    if (lost) { /* back to the best: the sweep after it measures it again */
        w->next_dt = SHORTER * w->dt;
        mn_run(w, MN_KERNEL_pcisph_start, MN_NO_ARG);
        for (int k = 0; k < good; k++) sweep(w, false);
        if (!largest) w->effort.density_error = best;
    }
    if (mn_model_param(w, me, 0, "rewind") > 0.5f) left = lost ? best : largest_left(w);
    mn_pressure_displace(w, 0.0);
    mn_pressure_apply(w, 1.0 / w->dt, 0.0);
    w->effort.pressure_iterations = iterations;
    mn_pressure_of(w)->scale = (float)(1.0 / (w->dt * w->dt));
    mn_pressure_of(w)->plain = true;
    if (w->scene->adaptive && mn_model_param(w, me, 0, "rewind") > 0.5f) rewind_shock(w, left);
}

static unsigned wishes(const mn_world *w, const void *me)
{
    return w->scene->adaptive && mn_model_param(w, me, 0, "rewind") > 0.5f ? MN_WANTS_RETRY : 0;
}

const mn_system mn_method_pcisph = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .wishes = wishes, .at = {[MN_AT_pressure] = pressure}};
