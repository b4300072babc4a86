/* velocity_system.c -- preconditioned conjugate gradients for the implicit velocity (kernels/velocity_system.h).
 * Starts from the velocity plus the change of the last step. Returns the iterations. */
#include "methods/methods.h"

#include <math.h>

int mn_velocity_solve(mn_world *w, int right, int image, double tolerance, int max_iterations)
{
    double first[4], along[4], now[4];
    int iterations = 0;
    mn_run(w, right, MN_NO_ARG);
    mn_run(w, MN_KERNEL_cg_guess, MN_NO_ARG);
    mn_run_sum(w, image, MN_NO_ARG, along);
    mn_run_sum(w, MN_KERNEL_cg_begin, MN_NO_ARG, first);
    if (w->failed) return 0;
    const double goal = tolerance * tolerance * first[1];
    double rest = first[0], square = first[2];
    while (square > goal && iterations < max_iterations && !isnan(square)) {
        mn_run_sum(w, image, MN_NO_ARG, along);
        if (w->failed || !(along[0] > 0.0)) break;
        mn_run_sum(w, MN_KERNEL_cg_step, MN_ARG(rest / along[0]), now);
        mn_run(w, MN_KERNEL_cg_turn, MN_ARG(now[0] / rest));
        rest = now[0];
        square = now[2];
        iterations++;
    }
    mn_run(w, MN_KERNEL_cg_finish, MN_NO_ARG);
    return iterations;
}
