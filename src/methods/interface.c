/* interface.c -- what acts between two fluids by the scene's pairs (kernels/tension/interface.h). */
#include "methods/methods.h"

#include <math.h>

static void set_pair(float *table, int a, int b, double value)
{
    table[a * MN_FLUIDS + b] = table[b * MN_FLUIDS + a] = (float)value;
}

static void parameters(mn_world *w, void *me)
{
    (void)me;
    const mn_scene *s = w->scene;
    for (int a = 0; a < s->fluid_count; a++)
        for (int b = a; b < s->fluid_count; b++)
            set_pair(w->par.pairs.attraction, a, b, w->par.density[a] == w->par.density[b]);
    for (int k = 0; k < s->pair_count; k++) {
        const mn_pair *p = &s->pairs[k];
        double value;
        mn_curve_at(&p->attraction, w->time, &value);
        set_pair(w->par.pairs.attraction, p->first, p->second, value);
        mn_curve_at(&p->surface_tension, w->time, &value);
        set_pair(w->par.pairs.tension, p->first, p->second, value);
    }
}

bool mn_interface_acts(const mn_world *w)
{
    for (int k = 0; k < w->scene->pair_count; k++)
        if (w->par.pairs.tension[w->scene->pairs[k].first * MN_FLUIDS + w->scene->pairs[k].second] > 0.0f) return true;
    return false;
}

static void force(mn_world *w, void *me)
{
    (void)me;
    if (!mn_interface_acts(w)) return;
    double sum[4] = {0};
    mn_run(w, MN_KERNEL_interface_side, MN_NO_ARG);
    mn_run(w, MN_KERNEL_interface_face, MN_NO_ARG);
    mn_run(w, MN_KERNEL_interface_bend, MN_NO_ARG);
    mn_run(w, MN_KERNEL_interface_even, MN_NO_ARG);
    mn_run_sum(w, MN_KERNEL_interface_force, MN_NO_ARG, sum);
    /* Curvatures of particles do not close an interface to the last digit: the fluids would pull themselves along. */
    if (sum[3] > 0.0)
        mn_run(w, MN_KERNEL_laplace_balance,
               (real4){(float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]), (float)(sum[2] / sum[3]), 0.0f});
}

/* Capillary waves of two spacings: dt <= sqrt((rho + rho') d^3/(4 pi sigma)) (Brackbill et al. 1992). */
static double limit(const mn_world *w, const void *me)
{
    (void)me;
    const double d = (double)w->par.spacing;
    double least = INFINITY;
    for (int k = 0; k < w->scene->pair_count; k++) {
        const mn_pair *p = &w->scene->pairs[k];
        const double sigma = (double)w->par.pairs.tension[p->first * MN_FLUIDS + p->second],
                     both = (double)w->par.density[p->first] + (double)w->par.density[p->second];
        if (sigma > 0.0) least = fmin(least, sqrt(both * d * d * d / (12.566370614359172 * sigma)));
    }
    return least;
}

const mn_system mn_interface_system = {
    .key = "interface", .limit = limit, .at = {[MN_AT_parameters] = parameters, [MN_AT_forces] = force}};
