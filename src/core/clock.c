/* clock.c -- how long a step is: CFL and force limits (Ihmsen et al. 2010) and what the parts can bear; the step
 * grows slowly and falls at once. */
#include <math.h>

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

static double wanted_step(mn_world *w)
{
    const mn_scene *s = w->scene;
    if (!s->adaptive) return s->step;
    double limit = s->step_max, top[4];
    const double d = (double)w->par.spacing, h = (double)w->par.h;
    mn_run_max(w, MN_KERNEL_speed, MN_NO_ARG, top);
    const double fastest = fmax(sqrt(fmax(top[0], top[2])), mn_parts_fastest(w));
    if (fastest > 0.0) limit = fmin(limit, s->cfl * d / fastest);
    if (top[1] > 0.0) limit = fmin(limit, s->force_limit * sqrt(h / sqrt(top[1])));
    limit = fmin(limit, mn_parts_limit(w));
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

bool mn_is_last_round(const mn_world *w) { return w->round + 1 >= w->rounds; }

void mn_clock_advance(mn_world *w)
{
    const double end = w->time + w->dt;
    w->time = fabs(end - w->stop_time) < 1e-12 * fabs(w->stop_time) ? w->stop_time : end;
    w->steps++;
}
