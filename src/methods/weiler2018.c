/* weiler2018.c -- implicit viscosity (Weiler et al. 2018): one system for all fluids that use it. */
#include "methods/methods.h"

#include <math.h>

static void velocity(mn_world *w, const mn_active *a)
{
    double tolerance = 1.0, most = 1.0;
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_active_param(w, a, f, "on") > 0.0f) {
            tolerance = fmin(tolerance, (double)mn_active_param(w, a, f, "tolerance"));
            most = fmax(most, (double)mn_active_param(w, a, f, "max_iterations"));
        }
    w->velocity_iterations += mn_velocity_solve(w, MN_KERNEL_weiler_right, MN_KERNEL_weiler_image, tolerance, (int)most);
}

const mn_method mn_method_weiler2018 = {.velocity = velocity};
