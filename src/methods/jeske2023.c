/* jeske2023.c -- surface tension and adhesion of Jeske et al. 2023: explicit as a force, implicit as one system for all fluids that use it, with the
 * viscosity of weiler2018 inside it when any of them asks for strong coupling. */
#include "methods/methods.h"

#include <math.h>
#include <string.h>

static bool any(const mn_world *w, const mn_active *a, bool implicit)
{
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_active_param(w, a, f, "on") > 0.0f && (mn_active_param(w, a, f, "implicit") > 0.5f) == implicit) return true;
    return false;
}

static const mn_active *active(const mn_world *w, const char *key)
{
    for (int k = 0; k < w->active_count; k++)
        if (strcmp(w->active[k].info->key, key) == 0) return &w->active[k];
    return NULL;
}

bool mn_tension_takes_viscosity(const mn_world *w)
{
    const mn_active *a = active(w, "jeske2023");
    for (int f = 0; a && f < w->par.fluids; f++)
        if (mn_active_param(w, a, f, "implicit") > 0.5f && mn_active_param(w, a, f, "coupling") > 0.5f)
            return active(w, "weiler2018") != NULL;
    return false;
}

static void force(mn_world *w, const mn_active *a)
{
    if (!any(w, a, false)) return;
    mn_run(w, MN_KERNEL_jeske_force, MN_NO_ARG);
    mn_run_bodies(w, MN_KERNEL_jeske_force_on_walls, MN_NO_ARG);
}

/* The explicit form is stable for dt^2 sigma/m <= 0.3. */
static double limit(const mn_world *w, const mn_active *a)
{
    const double d = (double)w->par.spacing;
    double dt = INFINITY;
    for (int f = 0; f < w->par.fluids; f++) {
        const double sigma = fmax((double)mn_active_param(w, a, f, "tension"), (double)mn_active_param(w, a, f, "adhesion"));
        if (mn_active_param(w, a, f, "implicit") < 0.5f && sigma > 0.0)
            dt = fmin(dt, sqrt(0.3 * (double)w->par.density[f] * d * d * d / (mn_film_most(w) * sigma)));
    }
    return dt;
}

/* Row sums of g_ij/m are 0.89 dt^2 sigma/m in the bulk and count twice (Gershgorin), walls once; half as much again for disorder. */
static double spread(const mn_world *w, const mn_active *a)
{
    const double d = (double)w->par.spacing;
    double most = 0.0, sticky = 0.0;
    for (int k = 0; k < w->par.walls; k++) sticky = fmax(sticky, (double)w->par.adhesion[k]);
    for (int f = 0; f < w->par.fluids; f++)
        most =
            fmax(most, (2.0 * (double)mn_active_param(w, a, f, "tension") + sticky * (double)mn_active_param(w, a, f, "adhesion")) /
                           (double)w->par.density[f]);
    return 1.33 * mn_film_most(w) * most * w->dt * w->dt / (d * d * d);
}

static void velocity(mn_world *w, const mn_active *a)
{
    if (!any(w, a, true)) return;
    const bool viscous = mn_tension_takes_viscosity(w);
    mn_velocity_system s = {.begin = MN_KERNEL_jeske_begin,
                            .image = viscous ? MN_KERNEL_image_both : MN_KERNEL_image_even,
                            .finish = MN_KERNEL_jeske_finish,
                            .arg = MN_ARG(viscous ? 1.0 : 0.0),
                            .tolerance = 1.0,
                            .max_iterations = 1,
                            .spread = spread(w, a) + (viscous ? mn_viscosity_spread(w, active(w, "weiler2018")) : 0.0)};
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_active_param(w, a, f, "on") > 0.0f) {
            s.tolerance = fmin(s.tolerance, (double)mn_active_param(w, a, f, "tolerance"));
            s.max_iterations = (int)fmax(s.max_iterations, (double)mn_active_param(w, a, f, "max_iterations"));
        }
    mn_run(w, MN_KERNEL_jeske_rate, MN_NO_ARG);
    w->velocity_iterations += mn_velocity_solve(w, &s);
    if (!w->last_round) return;
    mn_run_bodies(w, MN_KERNEL_jeske_on_walls, MN_NO_ARG);
    if (viscous) mn_run_bodies(w, MN_KERNEL_weiler_on_walls, MN_NO_ARG);
}

static int rounds(const mn_world *w, const mn_active *a)
{
    int most = 1;
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_active_param(w, a, f, "implicit") > 0.5f)
            most = (int)fmax(most, (double)mn_active_param(w, a, f, "pressure_coupling"));
    return most;
}

const mn_method mn_method_jeske2023 = {.force = force, .limit = limit, .velocity = velocity, .rounds = rounds};
