/* validate_shear.c -- plane Couette and Poiseuille flow from rest, and a layer that flows down a plate, against their
 * series (Morris et al. 1997), H = distance of the plates; a layer of depth H/2 flows as half of a channel:
 *
 *   Couette     u = U y/H + sum_n 2 U/(n pi) (-1)^n sin(n pi y/H) e^(-n^2 pi^2 nu t/H^2)
 *   Poiseuille  u = g y (H - y)/(2 nu) - sum_{n odd} 4 g H^2/(nu n^3 pi^3) sin(n pi y/H) e^(-n^2 pi^2 nu t/H^2)
 *
 * The mean velocity of slices one to two spacings thick is compared with the series at four moments before
 * the steady state and there; the deviation is counted against the largest speed of the steady state. Nothing holds
 * the layer's pressure but its weight, so it also shows whether walls are right for shear: its velocity must begin at
 * the wall, with the slope that the weight asks for.
 */
#include <math.h>

#include "scene/scene.h"
#include "validate.h"

enum { SLICES = 13, MOMENTS = 5, TERMS = 60 };
static const double PI = 3.14159265358979323846;

typedef struct channel {
    double height, viscosity, plate, force; /* H, nu, U, g */
    double depth;                           /* of the liquid: H, or half of it */
} channel;

static double velocity_at(const channel *c, double y, double t)
{
    const double H = c->height, nu = c->viscosity;
    double u = c->plate * y / H + c->force * y * (H - y) / (2 * nu);
    for (int n = 1; n < TERMS; n++) {
        const double mode = sin(n * PI * y / H) * exp(-n * n * PI * PI * nu * t / (H * H));
        u += 2 * c->plate / (n * PI) * (n % 2 ? -1 : 1) * mode;
        if (n % 2) u -= 4 * c->force * H * H / (nu * pow(n * PI, 3)) * mode;
    }
    return u;
}

/* Largest deviation of a slice's mean velocity from the mean of the series at its particles. */
static mn_status deviation(validation_run *run, const channel *c, double *out)
{
    mn_status status = validation_read(run, "position", run->position);
    if (status == MN_OK) status = validation_read(run, "velocity", run->velocity);
    if (status != MN_OK) return status;
    double measured[SLICES] = {0}, expected[SLICES] = {0}, count[SLICES] = {0};
    for (int64_t i = 0; i < run->count; i++) {
        const double y = run->position[3 * i + 1];
        const int k = (int)fmin(fmax(y / c->depth * SLICES, 0), SLICES - 1);
        measured[k] += run->velocity[3 * i];
        expected[k] += velocity_at(c, y, mn_world_time(run->world));
        count[k] += 1;
    }
    for (int k = 0; k < SLICES; k++)
        if (count[k] > 0) *out = fmax(*out, fabs(measured[k] - expected[k]) / count[k]);
    return MN_OK;
}

/* The slope of a straight line through the velocities next to the wall, over that through the series at the same
 * particles. */
static double slope_at_wall(const validation_run *run, const channel *c)
{
    const double near = 2.6 * run->scene->spacing;
    double n = 0, of_y = 0, of_u = 0, of_v = 0, yu = 0, yv = 0;
    for (int64_t i = 0; i < run->count; i++) {
        const double y = run->position[3 * i + 1];
        if (y > near) continue;
        const double v = run->velocity[3 * i], u = velocity_at(c, y, mn_world_time(run->world));
        n += 1, of_y += y, of_u += u, of_v += v, yu += y * u, yv += y * v;
    }
    return (n * yv - of_y * of_v) / (n * yu - of_y * of_u);
}

typedef enum flow { COUETTE, POISEUILLE, LAYER } flow;

static channel channel_of(const mn_scene *s, flow kind)
{
    const mn_wall *upper = &s->walls[s->wall_count - 1];
    const mn_shape_def *liquid = &s->fluids[0].shapes[0];
    double gravity[3];
    mn_curve_at(&s->gravity, 0, gravity);
    const double top = kind == LAYER ? liquid->translate[1] + 0.5 * liquid->size[1]
                                     : upper->shapes[upper->shape_count - 1].translate[1];
    return (channel){kind == LAYER ? 2 * top : top, s->fluids[0].models[0].params[0].value[0],
                     upper->motion.velocity[0], gravity[0], top};
}

/* What a flow has shown, speeds over the largest speed of the steady state. */
typedef struct shown {
    double worst, steady; /* largest deviation from the series at any time, at the end */
    double slope;         /* next to the wall, at the end, over that of the series */
} shown;

static mn_status follow(const validation_setup *setup, const char *scene, flow kind, shown *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, scene, NULL, say) ? MN_OK : MN_BAD_INPUT;
    channel c = {0};
    if (status == MN_OK) c = channel_of(run.scene, kind);
    const double top = kind == COUETTE ? c.plate : c.force * c.height * c.height / (8 * c.viscosity);
    *out = (shown){0};
    for (int m = 1; m <= MOMENTS && status == MN_OK; m++) {
        const double until = run.end * m / MOMENTS;
        while (status == MN_OK && mn_world_time(run.world) < until) status = validation_step(&run, until);
        double away = 0;
        if (status == MN_OK) status = deviation(&run, &c, &away);
        out->steady = away / top, out->worst = fmax(out->worst, out->steady);
    }
    if (status == MN_OK) out->slope = slope_at_wall(&run, &c);
    validation_close(&run);
    return status;
}

static void add_deviations(validation_report *out, const shown *one)
{
    validation_add(out, one->worst, 0, 0.05, "largest deviation from the series at any time", "of the top speed");
    validation_add(out, one->steady, 0, 0.05, "largest deviation at the end", "of the top speed");
}

static mn_status compare(const validation_setup *setup, const char *scene, flow kind, validation_report *out,
                         mn_messages *say)
{
    shown one;
    const mn_status status = follow(setup, scene, kind, &one, say);
    if (status == MN_OK) add_deviations(out, &one);
    return status;
}

mn_status validate_couette(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return compare(setup, "basics/couette", COUETTE, out, say);
}

mn_status validate_poiseuille(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return compare(setup, "basics/poiseuille", POISEUILLE, out, say);
}

/* Two layers of particles make the slope: it varies by start. */
mn_status validate_layer(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const starts[] = {"fluids.0.seed=1", "fluids.0.seed=2", "fluids.0.seed=3", "fluids.0.seed=4",
                                         "fluids.0.seed=5"};
    enum { STARTS = sizeof starts / sizeof *starts };
    shown all = {0};
    double least = INFINITY, most = 0;
    for (int k = 0; k < STARTS; k++) {
        shown one;
        const validation_setup changed = validation_with(setup, starts[k]);
        const mn_status status = follow(&changed, "basics/layer", LAYER, &one, say);
        if (status != MN_OK) return status;
        all.worst = fmax(all.worst, one.worst), all.steady = fmax(all.steady, one.steady);
        all.slope += one.slope / STARTS, least = fmin(least, one.slope), most = fmax(most, one.slope);
    }
    add_deviations(out, &all);
    validation_add(out, all.slope, 1, 0.1, "rise of the velocity over 2.6 spacings from the wall, mean of five starts",
                   "of the series");
    validation_add(out, most - least, 0, 0.2, "most less least", "of the series");
    return MN_OK;
}
