/* laplace.c -- surface tension as a Laplace pressure (kernels/tension/laplace.h). */
#include "methods/solvers.h"

#include <math.h>
#include <string.h>

#include "methods/free_pieces.h"
#include "methods/moving_lines.h"
#include "wetting/wetting.h"

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

/* Whether a part is a viscosity that single particles feel; `fitted` acts on what neighbours share. */
static bool rubs(const mn_part *part)
{
    return part->model && strcmp(part->model->kind, "viscosity") == 0 && strcmp(part->model->key, "fitted") != 0;
}

/* The kinematic viscosity that particles feel by the fluids' own models, where it is least. */
static double thinnest(const mn_world *w, const mn_model *a)
{
    double least = INFINITY;
    for (int f = 0; f < w->par.fluids; f++) {
        double nu = 0.0;
        for (int p = 0; p < w->part_count; p++)
            if (rubs(&w->parts[p])) nu += (double)mn_model_param(w, w->parts[p].me, f, "viscosity");
        if (mn_model_param(w, a, f, "tension") > 0.0f) least = fmin(least, nu);
    }
    return least;
}

/* In sqrt(tension spacing/density): with less, drops of 7 to 15 spacings throw off particles when they start from a
   lattice or from Poisson disks, or at a contact line. */
static const double LEAST_VISCOSITY = 0.2;

static double least_viscosity(const mn_world *w, const mn_model *a)
{
    return LEAST_VISCOSITY * sqrt(strongest(w, a) * (double)w->par.spacing / lightest(w));
}

static double added_viscosity(const mn_world *w, const mn_model *a)
{
    return strongest(w, a) > 0.0 ? fmax(0.0, least_viscosity(w, a) - thinnest(w, a)) : 0.0;
}

typedef struct laplace {
    mn_model model; /* first: the code of models takes it for one */
    mn_pieces pieces;
    mn_moving_lines lines;
} laplace;

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    const mn_status status = mn_wetting_use_angles(w, say);
    return status == MN_OK ? mn_model_make(w, me, say) : status;
}

static void force(mn_world *w, void *me)
{
    laplace *l = me;
    const mn_model *a = &l->model;
    const int last = a->kernel_count - 1;
    double sum[4] = {0};
    /* What a meniscus of one spacing pulls: concave surfaces, rims and single particles hold together by it. */
    const float ambient = (float)(strongest(w, a) / (double)w->par.spacing);
    mn_pressure_of(w)->ambient += ambient; /* to that of open ends */
    for (int k = 0; k < last; k++) {
        if (a->kernel[k] == MN_KERNEL_laplace_turn) {
            if (mn_wetting_sticks(w)) {
                mn_run(w, MN_KERNEL_laplace_stick, MN_NO_ARG);
                mn_run(w, MN_KERNEL_laplace_hold, MN_NO_ARG);
            }
            mn_moving_lines_run(w, &l->lines, a);
        }
        mn_run(w, a->kernel[k], MN_NO_ARG);
    }
    const real4 arg = {ambient, (float)added_viscosity(w, a), 0.0f, 0.0f};
    mn_run(w, a->kernel[last], arg);
    if (w->par.boundary.count == 0) mn_run_sum(w, MN_KERNEL_piece_all, MN_NO_ARG, sum);
    /* Curvatures of particles do not close a surface to the last digit: without walls the liquid would pull itself
       along, and turn itself. */
    if (sum[3] > 0.0 && !w->periodic) mn_pieces_balance(w, &l->pieces, sum);
    else if (sum[3] > 0.0)
        mn_run(w, MN_KERNEL_laplace_balance,
               (real4){(float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]), (float)(sum[2] / sum[3]), 0.0f});
    mn_run_active(w, MN_KERNEL_ambient_on_boundary, MN_NO_ARG);
}

/* Capillary waves of two spacings: dt <= sqrt(rho d^3/(2 pi sigma)) (Brackbill et al. 1992); and the added viscosity,
   as of `standard`: dt <= h^2/(40 nu), the shorter of the two. */
static double limit(const mn_world *w, const void *me)
{
    const double d = (double)w->par.spacing, sigma = strongest(w, me), nu = added_viscosity(w, me);
    const double wave = sigma > 0.0 ? sqrt(lightest(w) * d * d * d / (6.283185307179586 * sigma)) : INFINITY;
    return nu > 0.0 ? fmin(wave, 0.1 * d * d / nu) : wave;
}

static void release(mn_world *w, void *me)
{
    (void)w;
    mn_moving_lines_free(&((laplace *)me)->lines);
}

const mn_system mn_method_laplace = {
    .bytes = sizeof(laplace), .make = make, .free = release, .limit = limit, .at = {[MN_AT_forces] = force}};
