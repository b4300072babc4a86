/* gissler2017.c -- drag of the air: the drops' deformation where it oscillates on its own, then wind and force in one. */
#include "methods/methods.h"

static void air(mn_world *w, const mn_active *a)
{
    bool direct = false;
    for (int f = 0; f < w->par.fluids; f++) direct = direct || mn_active_param(w, a, f, "direct") >= 0.5f;
    /* Deformations catch up with the last step; of a run with fixed steps, the first too. */
    const double passed = w->steps > 0 ? w->dt : w->scene->adaptive ? 0.0 : w->scene->step;
    if (direct) mn_run(w, MN_KERNEL_gissler2017_oscillate, MN_ARG(passed));
    mn_run(w, MN_KERNEL_gissler2017_force, MN_ARG(mn_longest_step(w)));
}

const mn_method mn_method_gissler2017 = {.air = air};
