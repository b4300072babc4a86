/* ambient.c -- pressure of the surroundings (kernels/pressure/ambient.h). It acts once: where a fluid has the tension
 * laplace, which needs one of its own, that model applies the larger of the two. */
#include "methods/solvers.h"

static void force(mn_world *w, void *me)
{
    (void)me;
    mn_pressure_of(w)->ambient = (float)w->scene->ambient;
    if (!(w->scene->ambient > 0.0) || mn_model_in(w, "laplace")) return;
    mn_run(w, MN_KERNEL_ambient, MN_ARG(w->scene->ambient));
    mn_run_active(w, MN_KERNEL_ambient_on_boundary, MN_NO_ARG);
}

const mn_system mn_ambient_system = {.key = "ambient", .at = {[MN_AT_forces] = force}};
