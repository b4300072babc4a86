/* ambient.c -- pressure at the open ends of the domain (kernels/pressure/ambient.h). The model laplace adds its own. */
#include "methods/solvers.h"

static void force(mn_world *w, void *me)
{
    (void)me;
    mn_pressure_of(w)->ambient = (float)w->scene->outside;
    if (!(w->scene->outside > 0.0)) return;
    mn_run(w, MN_KERNEL_ambient, MN_ARG(w->scene->outside));
    mn_run_active(w, MN_KERNEL_ambient_on_boundary, MN_NO_ARG);
}

const mn_system mn_ambient_system = {.key = "ambient", .at = {[MN_AT_forces] = force}};
