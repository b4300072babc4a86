/* clock.c -- how long a step is: CFL and force limits (Ihmsen et al. 2010) and what the parts can bear; the step
 * grows slowly and falls immediately. */
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/parts.h"
#include "core/views.h"
#include "core/world.h"

void mn_world_set_dt(mn_world *w, double dt)
{
    w->last_dt = w->dt;
    w->dt = dt;
    w->par.dt = (float)dt;
    w->par.inv_dt = (float)(1.0 / dt);
}

bool mn_clock_may_go(const mn_world *w, mn_messages *say)
{
    if (w->stop_time - w->time > 1e-12 * fabs(w->time)) return true; /* a step of no length would divide by it */
    mn_say_error(say, (mn_place){w->scene->path, 0, 0},
                 "the world is at %g s, and no step may end after %g s (mn_world_limit_step); expected a later limit",
                 w->time, w->stop_time);
    return false;
}

/* The fastest particle that counts. One without neighbours, beyond all walls and all other liquid, that flies away from
 * them can meet nothing in this step. `top`: what the kernel speed found. */
static double fastest_fluid(mn_world *w, const double top[4])
{
    const double fastest = sqrt(fmax(fmax(top[0], top[2]), 0.0));
    if (top[3] >= fmax(top[0], top[2])) return fastest;
    double high[4], low[4], rest[4];
    mn_run_max(w, MN_KERNEL_liquid_bounds, MN_ARG(1), high);
    mn_run_max(w, MN_KERNEL_liquid_bounds, MN_ARG(-1), low);
    if (!(high[3] > 0.0)) return fastest; /* all are alone */
    for (int a = 0; a < 3; a++) low[a] = -low[a];
    mn_parts_extent(w, low, high);
    const double margin = (double)w->par.h;
    for (int a = 0; a < 3; a++) {
        const bool open = !w->scene->periodic[a];
        w->par.liquid_low[a] = open ? (float)(low[a] - margin) : -1e30f;
        w->par.liquid_high[a] = open ? (float)(high[a] + margin) : 1e30f;
    }
    mn_run_max(w, MN_KERNEL_speed_near, MN_NO_ARG, rest);
    return sqrt(fmax(rest[0], 0.0));
}

double mn_clock_gravity(const mn_world *w, double down[3])
{
    mn_curve_at(&w->scene->gravity, w->time, down);
    const double pull = sqrt(down[0] * down[0] + down[1] * down[1] + down[2] * down[2]);
    for (int a = 0; a < 3 && pull > 0.0; a++) down[a] /= pull;
    return pull;
}

/* Longer steps press the layers at the ground of deep liquid into each other, which is then thrown upwards: a wave of
 * its depth may pass 0.7 spacings (docs/notes/deep-liquid.md). */
static double longest_step(const mn_world *w, double pull, double depth)
{
    return pull * depth > 0.0 ? 0.7 * w->scene->spacing / sqrt(pull * depth) : INFINITY;
}

double mn_clock_deep(const mn_world *w)
{
    double down[3];
    return longest_step(w, mn_clock_gravity(w, down), w->depth.metres);
}

static bool measure_depth(mn_world *w, const double down[3])
{
    const bool several = mn_heaviest_over_lightest(w->scene) > 1.0;
    real4 *pos = mn_fetch(w, MN_FIELD_pos), *vel = several ? mn_fetch(w, MN_FIELD_vel) : NULL;
    const bool ok = pos && (vel || !several) && mn_depth_of(w->scene, down, pos, vel, w->layout.fluid, &w->depth);
    free(pos), free(vel);
    return ok;
}

/* What the depth leaves of a step. It is measured only where it can matter: where the box around the liquid is too deep
 * for that step, and anew every 64 steps. Liquid that rises moves by at most 0.4 spacings in a step, so it takes longer
 * than that to become twice as deep as 40 spacings. */
static double within_depth(mn_world *w, double step)
{
    enum { EVERY = 64 };
    double down[3], box = w->scene->spacing;
    const double pull = mn_clock_gravity(w, down);
    for (int a = 0; a < 3; a++) box += fabs(down[a]) * ((double)w->bounds.high[a] - (double)w->bounds.low[a]);
    const double *was = w->depth.down, along = down[0] * was[0] + down[1] * was[1] + down[2] * was[2];
    if (along < 0.99 || (w->steps > 0 && w->steps % EVERY == 0)) w->depth.known = false;
    if (w->layout.fluid == 0 || !(step > longest_step(w, pull, box * mn_heaviest_over_lightest(w->scene)))) return step;
    if (!w->depth.known && !measure_depth(w, down)) w->failed = true; /* without memory */
    return fmin(step, longest_step(w, pull, w->depth.metres));
}

static double wanted_step(mn_world *w)
{
    const mn_scene *s = w->scene;
    if (!s->adaptive) return s->step;
    double limit = s->step_max, top[4];
    const double d = (double)w->par.spacing, h = (double)w->par.h;
    mn_run_max(w, MN_KERNEL_speed, MN_NO_ARG, top);
    w->fastest = fastest_fluid(w, top);
    const double fastest = fmax(w->fastest, mn_parts_fastest(w));
    if (fastest > 0.0) limit = fmin(limit, s->cfl * d / fastest);
    if (top[1] > 0.0) limit = fmin(limit, s->force_limit * sqrt(h / sqrt(top[1])));
    limit = fmin(limit, mn_parts_limit(w));
    if (w->next_dt > 0.0) limit = fmin(limit, 1.05 * w->next_dt);
    return fmax(within_depth(w, limit), s->step_min);
}

double mn_longest_step(const mn_world *w)
{
    const mn_scene *s = w->scene;
    if (!s->adaptive) return s->step;
    return w->next_dt > 0.0 ? fmax(fmin(s->step_max, 1.05 * w->next_dt), s->step_min) : s->step_max;
}

void mn_clock_choose(mn_world *w)
{
    double dt = wanted_step(w);
    w->next_dt = dt;
    const double left = fmin(w->stop_time, w->scene->adaptive ? mn_parts_stop(w) : INFINITY) - w->time;
    if (left <= dt * (1.0 + 1e-9)) dt = left;
    else if (w->scene->adaptive && left < 2.0 * dt) dt = 0.5 * left; /* two equal steps rather than one and a sliver */
    mn_world_set_dt(w, dt);
}

void mn_clock_advance(mn_world *w)
{
    const double end = w->time + w->dt;
    w->time = fabs(end - w->stop_time) < 1e-12 * fabs(w->stop_time) ? w->stop_time : end;
    w->steps++;
}

void mn_world_materials(mn_world *w)
{
    const mn_scene *s = w->scene;
    params *p = &w->par;
    for (int f = 0; f < s->fluid_count; f++)
        p->density[f] = (float)s->fluids[f].density, p->inv_density[f] = (float)(1.0 / s->fluids[f].density);
}

void mn_world_parameters(mn_world *w)
{
    double g[3];
    mn_world_materials(w);
    mn_curve_at(&w->scene->gravity, w->time, g);
    w->par.gx = (float)g[0], w->par.gy = (float)g[1], w->par.gz = (float)g[2];
    w->par.time = (float)w->time;
    mn_each(w, MN_AT_parameters);
}
