/* gissler2017.c -- drag of the air: the drops' deformation where it oscillates on its own, then wind and force in
 * one. */
#include "core/clock.h"
#include "methods/methods.h"

static void drag(mn_world *w, void *me)
{
    const mn_model *a = me;
    bool direct = false;
    for (int f = 0; f < w->par.fluids; f++) direct = direct || mn_model_param(w, a, f, "direct") >= 0.5f;
    /* Deformations catch up with the last step; of a run with fixed steps, the first too. */
    const double passed = w->steps > 0 ? w->dt : w->scene->adaptive ? 0.0 : w->scene->step;
    if (direct) mn_run(w, MN_KERNEL_gissler2017_oscillate, MN_ARG(passed));
    mn_run(w, MN_KERNEL_gissler2017_force, MN_ARG(mn_longest_step(w)));
}

static const mn_field_view views[] = {{"deformation",
                                       "1",
                                       "flattening of the particle as a drop in the wind, 0 to 1 (drag)",
                                       1,
                                       {MN_FIELD_deform, -1, -1},
                                       NULL,
                                       mn_view_number}};

const mn_system mn_method_gissler2017 = {.bytes = sizeof(mn_model),
                                         .stage = MN_STAGE_air,
                                         .make = mn_model_make,
                                         .at = {[MN_AT_forces] = drag},
                                         .views = views,
                                         .view_count = 1};
