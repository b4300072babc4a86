/* weiler2018.c -- implicit viscosity (Weiler et al. 2018): one system for all fluids that use it, unless the
 * tension's system contains it. */
#include "methods/solvers.h"

#include <math.h>

/* v.Bv = 1/2 sum b_ij (x_ij.(v_i - v_j))^2 <= 2 sum_i v_i.T_i v_i with T_i = sum_j b_ij x x^T, and T_i/m = 40 dt
 * nu/h^2 in the bulk. Walls count once. */
double mn_viscosity_spread(const mn_world *w, const mn_model *a)
{
    double most = 0.0, rough = 0.0;
    for (int k = 0; k < w->par.boundary.count; k++) rough = fmax(rough, (double)w->par.boundary.friction[k]);
    for (int f = 0; f < w->par.fluids; f++)
        most = fmax(most, 2.0 * (double)mn_model_param(w, a, f, "viscosity") +
                              rough * (double)mn_model_param(w, a, f, "wall_viscosity"));
    return 40.0 * most * w->dt * (double)(w->par.inv_h * w->par.inv_h);
}

static void velocity(mn_world *w, void *me)
{
    const mn_model *a = me;
    if (mn_tension_takes_viscosity(w)) return;
    mn_velocity_system s = {.start = MN_KERNEL_weiler_guess,
                            .begin = MN_KERNEL_weiler_begin,
                            .product = MN_KERNEL_product_axial,
                            .finish = MN_KERNEL_cg_finish};
    mn_velocity_limits(w, a, &s);
    s.spread = mn_viscosity_spread(w, a);
    w->effort.velocity_iterations += mn_velocity_solve(w, &s);
    if (mn_round_stays(w)) mn_run_active(w, MN_KERNEL_weiler_on_boundary, MN_NO_ARG);
}

const mn_system mn_method_weiler2018 = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .at = {[MN_AT_velocity] = velocity}};
