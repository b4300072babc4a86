/* pressure.c -- the pressure as a part of the world: what all solvers share, and the pressure that users see. */
#include "methods/solvers.h"

mn_pressure *mn_pressure_of(const mn_world *w) { return mn_part_of(w, &mn_pressure_system); }

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    (void)say;
    const bool isotropic = w->scene->isotropic;
    mn_field_want(w, MN_FIELD_even_axes, isotropic);
    mn_field_want(w, MN_FIELD_even_planes, isotropic);
    mn_field_want(w, MN_FIELD_even_wall, isotropic);
    w->par.pressure.isotropic = isotropic ? 1.0f : 0.0f;
    ((mn_pressure *)me)->packing = 1.0f;
    return MN_OK;
}

static bool densities_differ(const mn_world *w)
{
    for (int f = 1; f < w->par.fluids; f++)
        if (w->par.density[f] != w->par.density[0]) return true;
    return false;
}

/* Scaling where fluids meet, and what displacements need of walls. */
static void begin(mn_world *w, void *me)
{
    (void)me;
    if (w->scene->isotropic) {
        mn_run(w, MN_KERNEL_even_wall, MN_NO_ARG);
        mn_run(w, MN_KERNEL_isotropic, MN_NO_ARG);
    }
    if (densities_differ(w)) {
        mn_run(w, MN_KERNEL_pressure_load, MN_NO_ARG);
        mn_run(w, MN_KERNEL_pressure_scale, MN_NO_ARG);
    }
    if (mn_pressure_lifts(w)) mn_run(w, MN_KERNEL_wall_lift, MN_NO_ARG);
}

/* What the unknowns of the pressure system, a k of 1 Pa, carry: kernels/pressure/packing.h; 1 where no neighbourhood is
 * whole. */
static float unit(mn_world *w)
{
    if (!w->listed) return mn_pressure_of(w)->packing;
    double sum[4] = {0};
    if (w->par.n > 0 && w->steps > 0) mn_run_sum(w, MN_KERNEL_packing, MN_NO_ARG, sum);
    return sum[1] > 0.0 ? (float)(sum[0] / sum[1]) : 1.0f;
}

static void keep_packing(mn_world *w, void *me)
{
    if (w->listed) ((mn_pressure *)me)->packing = unit(w);
}

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    (void)w;
    const mn_pressure *p = me;
    double *data = mn_snapshot_add(snap, "pressure", MN_F64, 3, 1);
    if (data) data[0] = (double)p->scale, data[1] = p->plain, data[2] = (double)p->ambient;
    return data != NULL;
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    (void)w;
    mn_pressure *p = me;
    const mn_array *a = mn_snapshot_need(snap, "pressure", MN_F64, 3, 1, say);
    if (!a) return MN_BAD_INPUT;
    const double *data = a->data;
    if (!(data[0] >= 0.0 && data[0] < 1e30 && data[2] >= 0.0 && data[2] < 1e30)) {
        mn_say_error(say, MN_NOWHERE, "the checkpoint's pressure has impossible values");
        return MN_BAD_INPUT;
    }
    p->scale = (float)data[0], p->plain = data[1] != 0.0, p->ambient = (float)data[2];
    return MN_OK;
}

/* p = kappa n^2 times its scale, or without n^2 where the solver's unknown is the pressure itself; above that of the
   surroundings. A particle that nothing presses has none. */
static void pressure(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    const float *kappa = s->data[0], *density = s->data[1], *divergence = s->data[2];
    const mn_pressure *p = mn_pressure_of(s->world);
    const float k = kappa[at] * p->scale + divergence[at] * s->world->par.inv_dt;
    *out = s->unit * (k > 0.0f ? k - p->ambient : 0.0f) * (p->plain ? 1.0f : density[at] * density[at]);
}

static const mn_field_view views[] = {{"pressure",
                                       "Pa",
                                       "pressure that keeps the fluid incompressible",
                                       1,
                                       {MN_FIELD_kappa, MN_FIELD_dens, MN_FIELD_kappa_div},
                                       unit,
                                       pressure}};

const mn_system mn_pressure_system = {.key = "pressure",
                                      .bytes = sizeof(mn_pressure),
                                      .make = make,
                                      .at = {[MN_AT_append] = keep_packing, [MN_AT_density] = begin},
                                      .save = save,
                                      .restore = restore,
                                      .views = views,
                                      .view_count = 1};
