/* explicit.c -- models that only add to the acceleration: their kernels, one after the other. */
#include "methods/methods.h"

#include <math.h>

static void force(mn_world *w, void *me)
{
    const mn_model *a = me;
    for (int k = 0; k < a->kernel_count; k++) {
        mn_run(w, a->kernel[k], MN_NO_ARG);
        if (a->on_boundary[k] >= 0) mn_run_active(w, a->on_boundary[k], MN_NO_ARG);
    }
}

/* An explicit viscosity must not overshoot within one step. With T_i = sum_j 10 nu V_j/n_j |W'|/r x x^T/r^2, 40
 * nu/h^2 in the bulk, the largest rate of decay is below 2 |T|, and 2/rate is where Euler's step begins to swing: dt
 * <= h^2/(40 nu). Walls do not swing along: they count half, and half again in `artificial`, whose wall term has
 * half the factor. */
static double limit(const mn_world *w, const void *me)
{
    const mn_model *a = me;
    double nu = 0.0;
    for (int f = 0; f < w->par.fluids; f++) {
        const double alpha =
            (double)mn_model_param(w, a, f, "alpha") + 0.25 * (double)mn_model_param(w, a, f, "wall_alpha");
        nu = fmax(nu, (double)mn_model_param(w, a, f, "viscosity") +
                          0.5 * (double)mn_model_param(w, a, f, "wall_viscosity"));
        nu = fmax(nu, 0.1 * alpha * (double)w->par.h * (double)mn_model_param(w, a, f, "sound_speed"));
    }
    return nu > 0.0 ? 0.025 * (double)w->par.h * (double)w->par.h / nu : INFINITY;
}

const mn_system mn_method_explicit = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .limit = limit, .at = {[MN_AT_forces] = force}};
