/* explicit.c -- models that only add to the acceleration: their kernels, one after the other. */
#include "methods/methods.h"

#include <math.h>

static void force(mn_world *w, const mn_active *a)
{
    for (int k = 0; k < a->kernel_count; k++) mn_run(w, a->kernel[k], MN_NO_ARG);
}

/* An explicit viscosity must not overshoot within one step: dt <= h^2/(8 nu). */
static double limit(const mn_world *w, const mn_active *a)
{
    double nu = 0.0;
    for (int f = 0; f < w->par.fluids; f++) {
        nu = fmax(nu, (double)fmaxf(mn_active_param(w, a, f, "viscosity"), mn_active_param(w, a, f, "wall_viscosity")));
        const double alpha = (double)fmaxf(mn_active_param(w, a, f, "alpha"), mn_active_param(w, a, f, "wall_alpha"));
        nu = fmax(nu, 0.1 * alpha * (double)w->par.h * (double)mn_active_param(w, a, f, "sound_speed"));
    }
    return nu > 0.0 ? 0.125 * (double)w->par.h * (double)w->par.h / nu : INFINITY;
}

const mn_method mn_method_explicit = {.force = force, .limit = limit};
