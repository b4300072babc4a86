/* surface_energy.c -- the energy of the free surface after He et al. 2014 (kernels/tension/he2014.h) as a column of
 * stats.csv, whatever model makes the tension: as it is at the start of each step, when densities and lists are those
 * of the places. */
#include <stdio.h>

#include "methods/methods.h"

typedef struct surface_energy {
    double value; /* m; times kappa, N: J */
} surface_energy;

static bool wanted(const mn_scene *s) { return s->surface_energy; }

static void measure(mn_world *w, void *me)
{
    double sum[4] = {0};
    if (w->par.n > 0) {
        mn_run(w, MN_KERNEL_he_colour, MN_NO_ARG);
        mn_run(w, MN_KERNEL_he_gradient, MN_NO_ARG);
        mn_run_sum(w, MN_KERNEL_he_energy, MN_NO_ARG, sum);
    }
    ((surface_energy *)me)->value = sum[0];
}

static int columns(const mn_world *w, const void *me, char (*out)[MN_STATS_NAME], int capacity)
{
    (void)w, (void)me;
    if (capacity > 0) snprintf(out[0], MN_STATS_NAME, "surface_energy");
    return capacity > 0;
}

static int stats(mn_world *w, void *me, double *out)
{
    (void)w;
    out[0] = ((const surface_energy *)me)->value;
    return 1;
}

const mn_system mn_surface_energy_system = {.key = "surface energy",
                                            .bytes = sizeof(surface_energy),
                                            .wanted = wanted,
                                            .at = {[MN_AT_density] = measure},
                                            .columns = columns,
                                            .stats = stats};
