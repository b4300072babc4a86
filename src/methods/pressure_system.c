/* pressure_system.c -- two ways to solve  k >= 0, r = source + D(a(k)) <= 0, k r = 0  (kernels/pressure_system.h).
 *
 * jacobi       relaxed by 1/2 and clamped after every sweep: the papers' own iteration. Stops when the mean compression (positive r) is within tolerance.
 * accelerated  the same sweep from an extrapolated point (Nesterov's projected gradient with the restart of O'Donoghue & Candes 2015), scaled by the diagonal.
 *              Started from the whole last solution it needs a few sweeps where jacobi needs dozens. A start that is too high would satisfy
 *              the one-sided criterion and blow the liquid up, so it also asks that the mean distance from the solution, where a too high pressure
 *              counts like a too low one, is within TWO_SIDED times the tolerance.
 *
 * Both leave push of the point whose error they measured last, one sweep behind kappa, which is the better start for the next step.
 * `iterations` counts applications of the operator, which cost the same in both.
 */
#include "methods/methods.h"

#include <math.h>
#include <string.h>

/* The step must stay below 1/(largest eigenvalue of the scaled matrix); 2.4 is its largest value seen, on compressed particles near walls. */
static const double OMEGA = 0.4, TWO_SIDED = 2.0;

static bool spent(const mn_world *w, const mn_solve *s) { return w->failed || isnan(s->error) || s->iterations >= s->max_iterations; }

static void jacobi(mn_world *w, mn_solve *s)
{
    double sum[4];
    do {
        mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
        mn_run_sum(w, MN_KERNEL_pressure_jacobi, MN_ARG(0.5), sum);
        s->error = sum[0] / fmax(1, w->par.n);
        s->iterations++;
    } while (!spent(w, s) && (s->error > s->tolerance || s->iterations < s->min_iterations));
}

static void accelerated(mn_world *w, mn_solve *s)
{
    double t = 1.0, omega = OMEGA, best = INFINITY, distance;
    do {
        double sum[4];
        const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * t * t));
        mn_run(w, MN_KERNEL_pressure_push, MN_NO_ARG);
        mn_run_sum(w, MN_KERNEL_pressure_nesterov, (real4){(float)omega, (float)((t - 1.0) / next), 0.0f, 0.0f}, sum);
        s->error = sum[0] / fmax(1, w->par.n);
        distance = sum[2] / fmax(1, w->par.n);
        s->iterations++;
        t = sum[1] > 0.0 ? 1.0 : next;
        if (distance > 4.0 * best) omega *= 0.8, t = 1.0, best = distance; /* the step was too long for this state */
        best = fmin(best, distance);
    } while (!spent(w, s) && (s->error > s->tolerance || distance > TWO_SIDED * s->tolerance || s->iterations < s->min_iterations));
}

void mn_pressure_solve(mn_world *w, mn_solve *s)
{
    s->iterations = 0;
    s->error = 0.0;
    mn_run(w, MN_KERNEL_pressure_start, MN_NO_ARG);
    if (strcmp(w->scene->iteration, "jacobi") == 0) jacobi(w, s);
    else accelerated(w, s);
}

double mn_pressure_warmth(const mn_world *w)
{
    if (!w->scene->warm_start) return 0.0;
    return strcmp(w->scene->iteration, "jacobi") == 0 ? 0.5 : 1.0;
}
