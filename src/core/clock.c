/* clock.c -- how long a step is: CFL and force limits (Ihmsen et al. 2010) and what the parts can bear; the step
 * grows slowly and falls immediately. */
#include <math.h>

#include "core/clock.h"
#include "core/parts.h"
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

/* Longer steps press the layers at the ground of deep liquid into each other, which is then thrown upwards: a wave of
 * its depth may pass 0.7 spacings (docs/notes/deep-liquid.md). */
double mn_clock_deep(const mn_world *w)
{
    double g[3];
    mn_curve_at(&w->scene->gravity, w->time, g);
    const double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return pull * w->depth > 0.0 ? 0.7 * w->scene->spacing / sqrt(pull * w->depth) : INFINITY;
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
    limit = fmin(limit, fmin(mn_parts_limit(w), mn_clock_deep(w)));
    if (w->next_dt > 0.0) limit = fmin(limit, 1.05 * w->next_dt);
    return fmax(limit, s->step_min);
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
    p->film = mn_scene_film_acts(s);
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
