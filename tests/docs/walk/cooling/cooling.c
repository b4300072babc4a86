/* cooling.c -- temperature as a part of the world, and what has been lost so far. */
#include <stdio.h>

#include "methods/methods.h"

typedef struct part {
    mn_model model;
    double mean, lost; /* K; K m^3 */
} part;

static void begin(mn_world *w, void *me) { (void)me, mn_run(w, MN_KERNEL_newton_begin, MN_NO_ARG); }

static void cool(mn_world *w, void *me)
{
    part *p = me;
    double sum[4];
    mn_run(w, MN_KERNEL_newton_rate, MN_NO_ARG);
    mn_run_sum(w, MN_KERNEL_newton, MN_ARG(w->dt), sum);
    p->mean = sum[1] > 0 ? sum[0] / sum[1] : 0;
    p->lost -= sum[2];
}

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    (void)w;
    double *at = mn_snapshot_add(snap, "newton_lost", MN_F64, 1, 1);
    if (at) *at = ((part *)me)->lost;
    return at;
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    (void)w;
    const mn_array *a = mn_snapshot_need(snap, "newton_lost", MN_F64, 1, 1, say);
    if (!a) return MN_BAD_INPUT;
    ((part *)me)->lost = *(const double *)a->data;
    return MN_OK;
}

static bool add_hash(mn_world *w, void *me, uint64_t *hash)
{
    (void)w;
    *hash = mn_hash(*hash, &((part *)me)->lost, sizeof(double));
    return true;
}

static int columns(const mn_world *w, const void *me, char (*out)[MN_STATS_NAME], int capacity)
{
    (void)w, (void)me;
    if (capacity > 0) snprintf(out[0], MN_STATS_NAME, "warmth_mean");
    if (capacity > 1) snprintf(out[1], MN_STATS_NAME, "warmth_lost");
    return 2;
}

static int stats(mn_world *w, void *me, double *out)
{
    (void)w;
    out[0] = ((part *)me)->mean, out[1] = ((part *)me)->lost;
    return 2;
}

const mn_system mn_cooling = {.bytes = sizeof(part),
                              .make = mn_model_make,
                              .at = {[MN_AT_density] = begin, [MN_AT_transport] = cool},
                              .save = save,
                              .restore = restore,
                              .hash = add_hash,
                              .columns = columns,
                              .stats = stats};
