/* laplace.c -- surface tension as a Laplace pressure (kernels/laplace.h). */
#include "methods/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"

typedef struct laplace {
    mn_model model;
    real4 *wets, *next; /* of each fluid on each wall, as the device has it; as it is to be */
    bool sticks;        /* a wall has hysteresis now */
} laplace;

/* N/m, the strongest of the fluids. */
static double strongest(const mn_world *w, const mn_model *a)
{
    double sigma = 0.0;
    for (int f = 0; f < w->par.fluids; f++) sigma = fmax(sigma, (double)mn_model_param(w, a, f, "tension"));
    return sigma * mn_scene_film_most(w->scene);
}

static double lightest(const mn_world *w)
{
    double light = INFINITY;
    for (int f = 0; f < w->par.fluids; f++) light = fmin(light, (double)w->par.density[f]);
    return light;
}

/* The kinematic viscosity that the fluids' own models have, where it is least. */
static double thinnest(const mn_world *w, const mn_model *a)
{
    double least = INFINITY;
    for (int f = 0; f < w->par.fluids; f++) {
        double nu = 0.0;
        for (int p = 0; p < w->part_count; p++)
            if (w->parts[p].model && strcmp(w->parts[p].model->kind, "viscosity") == 0)
                nu += (double)mn_model_param(w, w->parts[p].me, f, "viscosity");
        if (mn_model_param(w, a, f, "tension") > 0.0f) least = fmin(least, nu);
    }
    return least;
}

/* In sqrt(tension spacing/density): with less, drops of 7 to 15 spacings throw off particles when they start from a
   lattice or from Poisson disks, or at a contact line. */
static const double LEAST_VISCOSITY = 0.2;

static double added_viscosity(const mn_world *w, const mn_model *a)
{
    const double sigma = strongest(w, a), d = (double)w->par.spacing;
    return sigma > 0.0 ? fmax(0.0, LEAST_VISCOSITY * sqrt(sigma * d / lightest(w)) - thinnest(w, a)) : 0.0;
}

/* Cosines of a line that advances and of one that draws back: their mean, and half of their difference. */
static void band(const mn_curve *angle, double hysteresis, double time, float *mean, float *half)
{
    const double degree = M_PI / 180;
    double theta;
    mn_curve_at(angle, time, &theta);
    *mean = (float)(mn_cos(theta * degree) * mn_cos(0.5 * hysteresis * degree));
    *half = (float)(mn_cos((90 - theta) * degree) * mn_cos((90 - 0.5 * hysteresis) * degree));
}

static const mn_wetting *contact_of(const mn_scene *s, int object)
{
    const int body = object - s->wall_count, solid = body - s->body_count;
    if (body < 0) return &s->walls[object].contact;
    return solid < 0 ? &s->bodies[body].contact : &s->solids[solid].contact;
}

static const mn_curve *angle_of(const mn_wetting *c, int fluid)
{
    for (int k = 0; k < c->fluid_count; k++)
        if (c->fluids[k].index == fluid) return &c->fluids[k].angle;
    return &c->angle;
}

/* What each fluid finds on each wall, body and solid at this moment, to the device where it has changed. */
static bool wet(mn_world *w, laplace *l)
{
    const mn_scene *s = w->scene;
    const size_t bytes = ((size_t)w->par.fluids * (size_t)w->par.boundary.count + 1) * sizeof *l->wets;
    memset(l->next, 0, bytes);
    l->sticks = false;
    for (int k = 0; k < w->par.boundary.count; k++) {
        const mn_wetting *c = contact_of(s, k);
        double hysteresis;
        mn_curve_at(&c->hysteresis, w->time, &hysteresis);
        l->sticks |= hysteresis > 0.0;
        for (int f = 0; f < w->par.fluids; f++) {
            real4 *to = &l->next[f * w->par.boundary.count + k];
            band(angle_of(c, f), hysteresis, w->time, &to->x, &to->z);
            to->y = to->x, to->w = to->z;
            if (mn_pattern_is_given(&c->pattern.pattern)) band(&c->pattern.angle, hysteresis, w->time, &to->y, &to->w);
        }
    }
    mn_buffer *there = w->field[MN_FIELD_laplace_wets];
    if (there && memcmp(l->wets, l->next, bytes) == 0) return true;
    memcpy(l->wets, l->next, bytes);
    return there ? w->api->put(w->device, there, 0, l->wets, bytes)
                 : mn_world_table(w, MN_FIELD_laplace_wets, l->wets, bytes);
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    laplace *l = me;
    const size_t count = (size_t)w->par.fluids * (size_t)w->par.boundary.count + 1;
    l->wets = calloc(count, sizeof *l->wets);
    l->next = calloc(count, sizeof *l->next);
    if (l->wets && l->next && wet(w, l)) return mn_model_make(w, me, say);
    mn_say_failure(say, MN_NOWHERE, "not enough memory for the contact angles on %s", w->api->key);
    return MN_FAILED;
}

static void release(mn_world *w, void *me)
{
    (void)w;
    free(((laplace *)me)->wets), free(((laplace *)me)->next);
}

static void force(mn_world *w, void *me)
{
    const mn_model *a = me;
    laplace *l = me;
    const int last = a->kernel_count - 1;
    mn_pressure *p = mn_pressure_of(w);
    double sum[4] = {0};
    /* What a meniscus of one spacing pulls: concave surfaces, rims and single particles hold together by it. */
    p->ambient = (float)(strongest(w, a) / (double)w->par.spacing);
    if (!wet(w, l)) w->failed = true;
    for (int k = 0; k < last; k++) {
        if (l->sticks && a->kernel[k] == MN_KERNEL_laplace_turn) mn_run(w, MN_KERNEL_laplace_stick, MN_NO_ARG);
        mn_run(w, a->kernel[k], MN_NO_ARG);
    }
    const real4 arg = {p->ambient, (float)added_viscosity(w, a), 0.0f, 0.0f};
    if (w->par.boundary.count > 0) mn_run(w, a->kernel[last], arg);
    else mn_run_sum(w, a->kernel[last], arg, sum);
    /* Curvatures of particles do not close a surface to the last digit: without walls the liquid would pull itself
       along. */
    if (sum[3] > 0.0)
        mn_run(w, MN_KERNEL_laplace_balance,
               (real4){(float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]), (float)(sum[2] / sum[3]), 0.0f});
    mn_run_active(w, a->on_boundary[last], MN_NO_ARG);
}

/* Capillary waves of two spacings: dt <= sqrt(rho d^3/(2 pi sigma)) (Brackbill et al. 1992); and the added viscosity,
   as of `standard`: dt <= h^2/(40 nu), the shorter of the two. */
static double limit(const mn_world *w, const void *me)
{
    const double d = (double)w->par.spacing, sigma = strongest(w, me), nu = added_viscosity(w, me);
    const double wave = sigma > 0.0 ? sqrt(lightest(w) * d * d * d / (6.283185307179586 * sigma)) : INFINITY;
    return nu > 0.0 ? fmin(wave, 0.1 * d * d / nu) : wave;
}

const mn_system mn_method_laplace = {
    .bytes = sizeof(laplace), .make = make, .free = release, .limit = limit, .at = {[MN_AT_forces] = force}};
