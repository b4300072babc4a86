/* pressure_system.c -- two ways to solve  k >= 0, r = source + D(a(k)) <= 0, k r = 0  (kernels/pressure_system.h).
 *
 * jacobi       relaxed by 1/2 and clamped after every sweep: the papers' own iteration.
 * accelerated  conjugate gradients on the free particles in the inner product V diag(A), which scales A to a unit diagonal. A step that would
 *              take some k below zero is projected, the gradient is computed anew and the search restarts along the projected gradient
 *              (the projected-step variant of MPRGP, Dostal & Schoeberl 2005). One iteration applies the operator once, as a Jacobi sweep does.
 *
 * Both stop when the mean of the positive r is within tolerance. `iterations` counts applications of the operator.
 */
#include "methods/methods.h"

#include <math.h>
#include <string.h>

static void jacobi(mn_world *w, mn_solve *s)
{
    double sum[4];
    mn_run(w, MN_KERNEL_pressure_start, MN_NO_ARG);
    for (;;) {
        mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
        if (w->failed) return;
        mn_run_sum(w, MN_KERNEL_pressure_jacobi, MN_ARG(0.5), sum);
        s->error = sum[0] / fmax(1, w->par.n);
        s->iterations++;
        if ((s->error <= s->tolerance && s->iterations >= s->min_iterations) || s->iterations >= s->max_iterations || isnan(s->error)) break;
    }
    mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
}

/* z and the direction of steepest descent at the current k; leaves push = V a(k). */
static void restart(mn_world *w, mn_solve *s)
{
    double sum[4];
    mn_run(w, MN_KERNEL_pressure_start, MN_NO_ARG);
    mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
    mn_run_sum(w, MN_KERNEL_pressure_gradient, MN_NO_ARG, sum);
    s->error = sum[0] / fmax(1, w->par.n);
    s->iterations++;
}

static bool done(const mn_world *w, const mn_solve *s)
{
    return w->failed || isnan(s->error) || s->iterations >= s->max_iterations || (s->error <= s->tolerance && s->iterations >= s->min_iterations);
}

static void accelerated(mn_world *w, mn_solve *s)
{
    bool pushed = true; /* push belongs to k, not to a search direction */
    restart(w, s);
    while (!done(w, s)) {
        double curve[4], sum[4];
        mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
        mn_run_sum(w, MN_KERNEL_pressure_curve, MN_NO_ARG, curve);
        pushed = false;
        if (!(curve[1] > 0.0)) break; /* no descent left */
        mn_run_sum(w, MN_KERNEL_pressure_descend, MN_ARG(curve[0] / curve[1]), sum);
        s->error = sum[0] / fmax(1, w->par.n);
        s->iterations++;
        if (sum[2] > 0.0) {
            restart(w, s);
            pushed = true;
        } else if (!done(w, s)) {
            mn_run(w, MN_KERNEL_pressure_turn, MN_ARG(sum[1] / curve[1]));
        }
    }
    if (!pushed) {
        mn_run(w, MN_KERNEL_pressure_start, MN_NO_ARG);
        mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
    }
}

void mn_pressure_solve(mn_world *w, mn_solve *s)
{
    s->iterations = 0;
    s->error = 0.0;
    if (strcmp(w->scene->iteration, "jacobi") == 0) jacobi(w, s);
    else accelerated(w, s);
}
