/* wcsph.c -- weakly compressible SPH (Becker & Teschner 2007): pressure from the density of the moment, no iteration. */
#include "methods/methods.h"

#include <math.h>

static void pressure(mn_world *w, const mn_active *a)
{
    (void)a;
    double sum[4];
    mn_run(w, MN_KERNEL_wcsph_pressure, MN_NO_ARG);
    mn_pressure_push(w, 0.0);
    mn_pressure_apply(w, w->dt, 0.0);
    mn_run_sum(w, MN_KERNEL_weight, MN_NO_ARG, sum);
    w->density_error = sum[2] / fmax(1, w->par.n);
    w->pressure_iterations = 1;
    w->pressure_scale = 1.0f;
}

/* Sound must not cross more than 0.4 supports in a step. */
static double limit(const mn_world *w, const mn_active *a)
{
    return 0.4 * (double)w->par.h / (double)mn_active_param(w, a, 0, "sound_speed");
}

const mn_method mn_method_wcsph = {.pressure = pressure, .limit = limit};
