/* velocity_system.c -- conjugate gradients for the implicit velocity (kernels/viscosity/velocity_system.h).
 *
 * Where tension and viscosity are weak compared to inertia the matrix is close to the mass matrix: eigenvalues in
 * [1, 1 + spread]. One Richardson step 2/(2 + spread) then shrinks the residual by spread/(2 + spread) or better,
 * without a product with the matrix. If that is enough, it is all that is done, at the start or after some
 * iterations. If it is nearly enough (what is left of a warm start is mostly noise, in the middle of the spectrum,
 * and shrinks several times better than the bound), the step is done and its residual is measured at one particle in
 * 32. Where one of these promises to be enough the matrix is not even written to memory.
 *
 * Where bodies feel the liquid the last step is v = guess + residual/m, whatever came before: then m (v - v*) are
 * exactly the forces of the velocities `guess`, pair by pair, and bodies get those of the same velocities: momentum
 * is kept to rounding, not to the tolerance. The residual is small, so is that step.
 */
#include "methods/solvers.h"

#include <math.h>

static const double USUAL = 0.01; /* relative residual of a warm start */
/* times the tolerance: where the bound of a step is no more, its residual is worth measuring, */
static const double NEARLY = 4.0;
static const double WORTHWHILE = 0.5; /* where the bound of a step is no better, none is made after the iterations */
static const double SAFE = 0.8;       /* of the tolerance: what the sample may say */
enum { MANY = 1024, ONE_IN = 32 };    /* in a sample of that many particles or more */

/* One step, and whether a sample says that it was enough. */
static bool relaxed(mn_world *w, const mn_velocity_system *s, double step)
{
    double left[4];
    real4 arg = s->arg;
    arg.w = 1.0f;
    mn_run(w, MN_KERNEL_velocity_relax, MN_ARG(step));
    mn_run_sum(w, s->begin, arg, left);
    return left[2] <= SAFE * SAFE * s->tolerance * s->tolerance * left[1];
}

void mn_velocity_limits(const mn_world *w, const mn_model *a, mn_velocity_system *s)
{
    s->tolerance = 1.0, s->max_iterations = 1;
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_model_param(w, a, f, "on") > 0.0f) {
            s->tolerance = fmin(s->tolerance, (double)mn_model_param(w, a, f, "tolerance"));
            s->max_iterations = (int)fmax(s->max_iterations, (double)mn_model_param(w, a, f, "max_iterations"));
        }
}

int mn_velocity_solve(mn_world *w, const mn_velocity_system *s)
{
    double first[4], along[4], now[4];
    const bool exact = w->layout.active > 0;
    const double shrink = exact ? fmin(1.0, s->spread) : s->spread / (2.0 + s->spread),
                 step = exact ? 1.0 : 2.0 / (2.0 + s->spread);
    const double nearly = w->par.n >= ONE_IN * MANY && !exact ? NEARLY : 1.0;
    real4 arg = s->arg;
    arg.y = USUAL * shrink > nearly * s->tolerance ? 1.0f : 0.0f;
    mn_run(w, s->start, MN_NO_ARG);
    mn_run_sum(w, s->begin, arg, first);
    const double goal = s->tolerance * s->tolerance * first[1],
                 enough = goal / (shrink > WORTHWHILE ? 1.0 : shrink * shrink);
    if (first[2] > enough && arg.y == 0.0f) {
        if (first[2] <= nearly * nearly * enough && relaxed(w, s, step)) {
            mn_run(w, s->finish, MN_NO_ARG);
            return 1;
        }
        arg.y = 1.0f;
        mn_run_sum(w, s->begin, arg, first);
    }
    int iterations = 0;
    double residual = first[0], square = first[2];
    while (square > enough && iterations < s->max_iterations && !isnan(square)) {
        if (iterations > 0) mn_run(w, MN_KERNEL_cg_turn, MN_ARG(now[0] / residual)), residual = now[0];
        mn_run_sum(w, s->product, MN_NO_ARG, along);
        if (w->failed || !(along[0] > 0.0)) break;
        mn_run_sum(w, MN_KERNEL_cg_step, MN_ARG(residual / along[0]), now);
        square = now[2];
        iterations++;
    }
    const bool last = square <= enough && (square > goal || exact);
    mn_run(w, s->finish, MN_ARG(last ? step : 0.0));
    return iterations + (square > goal && last);
}
