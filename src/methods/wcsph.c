/* wcsph.c -- weakly compressible SPH (Becker & Teschner 2007): pressure from the present density, no
 * iteration. */
#include "methods/solvers.h"

#include <math.h>

static void pressure(mn_world *w, void *me)
{
    (void)me;
    double sum[4];
    mn_run(w, MN_KERNEL_wcsph_pressure, MN_NO_ARG);
    mn_pressure_displace(w, 0.0);
    mn_pressure_apply(w, w->dt, 0.0);
    mn_run_sum(w, MN_KERNEL_weight, MN_NO_ARG, sum);
    w->effort.density_error = sum[2] / fmax(1, w->par.n);
    w->effort.pressure_iterations = 1;
    mn_pressure_of(w)->scale = 1.0f;
}

/* Sound must not cross more than 0.4 supports in a step. */
static double limit(const mn_world *w, const void *me)
{
    const mn_model *a = me;
    return 0.4 * (double)w->par.h / (double)mn_model_param(w, a, 0, "sound_speed");
}

const mn_system mn_method_wcsph = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .limit = limit, .at = {[MN_AT_pressure] = pressure}};
