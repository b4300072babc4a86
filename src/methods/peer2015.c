/* peer2015.c -- implicit viscosity by prescribed gradients of velocity (Peer et al. 2015): one system for all fluids
 * that use it. Its matrix has no masses on the diagonal, so nothing bounds its eigenvalues from below: all of the solve
 * is iterations. */
#include "methods/solvers.h"

static void velocity(mn_world *w, void *me)
{
    mn_velocity_system s = {.start = MN_KERNEL_peer_target,
                            .begin = MN_KERNEL_peer_begin,
                            .product = MN_KERNEL_product_even,
                            .finish = MN_KERNEL_peer_finish,
                            .spread = 1e30};
    mn_velocity_limits(w, me, &s);
    w->effort.velocity_iterations += mn_velocity_solve(w, &s);
}

const mn_system mn_method_peer2015 = {
    .bytes = sizeof(mn_model), .make = mn_model_make, .at = {[MN_AT_velocity] = velocity}};
