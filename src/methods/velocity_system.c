/* velocity_system.c -- conjugate gradients for the implicit velocity (kernels/velocity_system.h).
 *
 * Where tension and viscosity are weak compared to inertia the matrix is close to the mass matrix: eigenvalues in [1, 1 + spread]. One Richardson
 * step 2/(2 + spread) then shrinks the residual by spread/(2 + spread) or better, without a product with the matrix. If that is enough, it is
 * all that is done. Where it promises to be enough the pair terms of the matrix are not even written to memory.
 *
 * Where bodies feel the liquid the last step is v = guess + rest/m, whatever came before: then m (v - v*) are exactly the forces of the velocities `guess`,
 * pair by pair, and bodies get those of the same velocities: momentum is kept to rounding, not to the tolerance. The residual is small, so is that step.
 */
#include "methods/methods.h"

#include <math.h>

static const double USUAL = 0.01; /* relative residual of a warm start */

int mn_velocity_solve(mn_world *w, const mn_velocity_system *s)
{
    double first[4], along[4], now[4];
    const bool exact = w->walls.bodies > 0;
    const double richardson = exact ? 1.0 : 2.0 / (2.0 + s->spread), shrink = exact ? s->spread : s->spread / (2.0 + s->spread);
    real4 arg = s->arg;
    arg.y = USUAL * shrink > s->tolerance ? 1.0f : 0.0f;
    mn_run_sum(w, s->begin, arg, first);
    const double goal = s->tolerance * s->tolerance * first[1];
    double rest = first[0], square = first[2];
    if (w->failed || square <= goal || square * shrink * shrink <= goal) {
        const bool enough = square <= goal;
        mn_run(w, s->finish, MN_ARG(enough && !exact ? 0.0 : richardson));
        return enough ? 0 : 1;
    }
    if (arg.y == 0.0f) {
        arg.y = 1.0f;
        mn_run_sum(w, s->begin, arg, first);
    }
    int iterations = 0;
    while (square > goal && iterations < s->max_iterations && !isnan(square)) {
        if (iterations > 0) mn_run(w, MN_KERNEL_cg_turn, MN_ARG(now[0] / rest)), rest = now[0];
        mn_run_sum(w, s->image, MN_NO_ARG, along);
        if (w->failed || !(along[0] > 0.0)) break;
        mn_run_sum(w, MN_KERNEL_cg_step, MN_ARG(rest / along[0]), now);
        square = now[2];
        iterations++;
    }
    mn_run(w, s->finish, MN_ARG(exact && square <= goal ? 1.0 : 0.0));
    return iterations;
}
