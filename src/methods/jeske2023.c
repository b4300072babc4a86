/* jeske2023.c -- surface tension and adhesion of Jeske et al. 2023: explicit as a force, implicit as one system for
 * all fluids that use it, with the viscosity of weiler2018 inside it when any of them asks for strong coupling. */
#include "methods/solvers.h"

#include <math.h>
#include <string.h>

#include "base/host_spline.h"

typedef struct jeske_model {
    mn_model model;
    double weights; /* sum of W^st (kernels/tension/jeske2023.h) over a lattice, over that of a support of 2 spacings */
} jeske_model;

/* Of a cubic lattice, the particle itself left out; support in spacings. */
static double sum_of_weights(double support)
{
    const int reach = (int)ceil(support);
    double sum = 0.0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double q = sqrt(x * x + y * y + z * z) / support, a = fmin(1.0 - q, 0.5);
                if (q > 0.0 && q < 1.0) sum += mn_spline_peak(support) * (a * a * a);
            }
    return sum;
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    jeske_model *t = me;
    t->weights = w->scene->support == 2.0 ? 1.0 : sum_of_weights(w->scene->support) / sum_of_weights(2.0);
    return mn_model_make(w, me, say);
}

static bool any(const mn_world *w, const mn_model *a, bool implicit)
{
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_model_param(w, a, f, "on") > 0.0f && (mn_model_param(w, a, f, "implicit") > 0.5f) == implicit)
            return true;
    return false;
}

bool mn_tension_takes_viscosity(const mn_world *w)
{
    const mn_model *a = mn_model_in(w, "jeske2023");
    for (int f = 0; a && f < w->par.fluids; f++)
        if (mn_model_param(w, a, f, "implicit") > 0.5f && mn_model_param(w, a, f, "coupling") > 0.5f)
            return mn_model_in(w, "weiler2018") != NULL;
    return false;
}

static void force(mn_world *w, void *me)
{
    const mn_model *a = me;
    if (!any(w, a, false)) return;
    mn_run(w, MN_KERNEL_jeske_force, MN_NO_ARG);
    mn_run_active(w, MN_KERNEL_jeske_force_on_boundary, MN_NO_ARG);
}

/* The explicit form is stable for dt^2 sigma/m <= 0.3 with a support of two spacings. */
static double limit(const mn_world *w, const void *me)
{
    const mn_model *a = me;
    const double d = (double)w->par.spacing, most = 0.3 / ((const jeske_model *)me)->weights;
    double dt = INFINITY;
    for (int f = 0; f < w->par.fluids; f++) {
        const double sigma =
            fmax((double)mn_model_param(w, a, f, "cohesion"), (double)mn_model_param(w, a, f, "adhesion"));
        if (mn_model_param(w, a, f, "implicit") < 0.5f && sigma > 0.0)
            dt = fmin(dt, sqrt(most * (double)w->par.density[f] * d * d * d / (mn_scene_film_most(w->scene) * sigma)));
    }
    return dt;
}

/* Row sums of g_ij/m are 0.89 dt^2 sigma/m in the bulk (support of two spacings) and count twice (Gershgorin), walls
 * once. The largest eigenvalue found in drops, jets and splashes was 0.85 of this. */
static double spread(const mn_world *w, const jeske_model *t)
{
    const mn_model *a = &t->model;
    const double d = (double)w->par.spacing;
    double most = 0.0, sticky = 0.0;
    for (int k = 0; k < w->par.boundary.count; k++) sticky = fmax(sticky, (double)w->par.boundary.adhesion[k]);
    for (int f = 0; f < w->par.fluids; f++)
        most = fmax(most, (2.0 * (double)mn_model_param(w, a, f, "cohesion") +
                           sticky * (double)mn_model_param(w, a, f, "adhesion")) /
                              (double)w->par.density[f]);
    return 0.89 * t->weights * mn_scene_film_most(w->scene) * most * w->dt * w->dt / (d * d * d);
}

/* Whether all fluids have the same parameters, so that a pair need not look them up. */
static bool alike(const mn_world *w, const mn_model *tension, const mn_model *viscosity)
{
    static const char *const keys[] = {"on", "implicit", "cohesion"}, *const viscous[] = {"on", "viscosity"};
    bool same = true;
    for (int f = 1; f < w->par.fluids; f++) {
        same = same && w->par.density[f] == w->par.density[0];
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            same = same && mn_model_param(w, tension, f, keys[k]) == mn_model_param(w, tension, 0, keys[k]);
        for (size_t k = 0; viscosity && k < sizeof viscous / sizeof *viscous; k++)
            same = same && mn_model_param(w, viscosity, f, viscous[k]) == mn_model_param(w, viscosity, 0, viscous[k]);
    }
    return same;
}

static void velocity(mn_world *w, void *me)
{
    const mn_model *a = me;
    if (!any(w, a, true)) return;
    const bool viscous = mn_tension_takes_viscosity(w);
    mn_velocity_system s = {.start = mn_pair_holds(w, MN_FIELD_pair_g, MN_KERNEL_density_rates) ? MN_KERNEL_jeske_start
                                                                                                : MN_KERNEL_jeske_rate,
                            .begin = MN_KERNEL_jeske_begin,
                            .product = viscous ? MN_KERNEL_product_both : MN_KERNEL_product_even,
                            .finish = MN_KERNEL_jeske_finish,
                            .arg = {viscous ? 1.0f : 0.0f, 0.0f,
                                    alike(w, a, viscous ? mn_model_in(w, "weiler2018") : NULL) ? 0.0f : 1.0f, 0.0f},
                            .spread =
                                spread(w, me) + (viscous ? mn_viscosity_spread(w, mn_model_in(w, "weiler2018")) : 0.0)};
    mn_velocity_limits(w, a, &s);
    w->effort.velocity_iterations += mn_velocity_solve(w, &s);
    if (!mn_round_stays(w)) return;
    mn_run_active(w, MN_KERNEL_jeske_on_boundary, MN_NO_ARG);
    if (viscous) mn_run_active(w, MN_KERNEL_weiler_on_boundary, MN_NO_ARG);
}

static int rounds(const mn_world *w, const void *me)
{
    const mn_model *a = me;
    int most = 1;
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_model_param(w, a, f, "implicit") > 0.5f)
            most = (int)fmax(most, (double)mn_model_param(w, a, f, "pressure_coupling"));
    return most;
}

/* How W^st over the density changes may come from the velocities at the start of the step, which the density's pass
 * has at hand, while tension is weak compared to inertia (below 0.05 in dt^2 sigma/m). Strong tension boils with
 * them: half of it is in the pressure that they still contain. */
static const double WEAK = 0.09;

static unsigned wishes(const mn_world *w, const void *me)
{
    const mn_model *a = me;
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_model_param(w, a, f, "implicit") > 0.5f && mn_model_param(w, a, f, "printed") > 0.5f)
            return MN_WANTS_SEQUENCE;
    return any(w, a, true) && rounds(w, a) == 1 && w->dt > 0.0 && spread(w, me) < WEAK ? MN_WANTS_RATES : 0;
}

const mn_system mn_method_jeske2023 = {.bytes = sizeof(jeske_model),
                                       .make = make,
                                       .wishes = wishes,
                                       .limit = limit,
                                       .rounds = rounds,
                                       .at = {[MN_AT_forces] = force, [MN_AT_velocity] = velocity}};
