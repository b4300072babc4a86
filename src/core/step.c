/* step.c -- one time step, as the algorithm reads:
 *
 *   search > density > surface > divergence > forces > air > time step > species > implicit velocity > pressure > move > bodies
 *
 * Semi-implicit Euler: v += dt a, x += dt v. Walls stand at the start of the step and carry the velocity of their motion.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "boundary/motion.h"
#include "methods/methods.h"
#include "core/world.h"

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What the clock showed when the running stage began, and what the backend has told of its kernels' time by then: they may run after their stage, but
   their time is told to it. */
typedef struct watch {
    double wall, busy;
} watch;

static watch read_watch(const mn_world *w) { return (watch){wall_clock(), w->api->busy ? w->api->busy(w->device) : 0.0}; }

static void enter(mn_world *w, mn_stage stage, watch *since)
{
    const watch now = read_watch(w);
    w->seconds[w->stage] += now.wall - since->wall - (now.busy - since->busy);
    w->stage = stage;
    *since = now;
}

void mn_world_parameters(mn_world *w)
{
    const mn_scene *s = w->scene;
    double g[3];
    mn_curve_at(&s->gravity, w->time, g);
    w->par.gx = (float)g[0], w->par.gy = (float)g[1], w->par.gz = (float)g[2];
    w->par.time = (float)w->time;
    mn_air_parameters(w);
    for (int k = 0; k < s->wall_count; k++) {
        double v;
        mn_curve_at(&s->walls[k].friction, w->time, &v);
        w->par.friction[k] = (float)v;
        mn_curve_at(&s->walls[k].adhesion, w->time, &v);
        w->par.adhesion[k] = (float)v;
    }
    for (int k = 0; k < s->body_count; k++) {
        double v;
        mn_curve_at(&s->bodies[k].friction, w->time, &v);
        w->par.friction[s->wall_count + k] = (float)v;
        mn_curve_at(&s->bodies[k].adhesion, w->time, &v);
        w->par.adhesion[s->wall_count + k] = (float)v;
    }
    for (int k = 0; k < s->solid_count; k++) {
        double v;
        mn_curve_at(&s->solids[k].friction, w->time, &v);
        w->par.friction[s->wall_count + s->body_count + k] = (float)v;
        mn_curve_at(&s->solids[k].adhesion, w->time, &v);
        w->par.adhesion[s->wall_count + s->body_count + k] = (float)v;
    }
    for (int f = -1; f < s->fluid_count; f++) {
        const mn_model_use *uses = f < 0 ? &s->pressure : s->fluids[f].models;
        const int count = f < 0 ? 1 : s->fluids[f].model_count;
        for (int m = 0; m < count; m++) {
            const mn_model_code *code = mn_model_code_of(uses[m].model);
            float *block = (float *)((char *)&w->par + code->offset + (size_t)(f < 0 ? 0 : f) * code->size);
            block[0] = 1.0f;
            for (int p = 0; p < uses[m].model->param_count; p++) {
                double v;
                mn_curve_at(&uses[m].params[p], w->time, &v);
                block[1 + p] = (float)v;
            }
        }
    }
}

void mn_world_set_dt(mn_world *w, double dt)
{
    w->last_dt = w->dt;
    w->dt = dt;
    w->par.dt = (float)dt;
    w->par.inv_dt = (float)(1.0 / dt);
}

/* CFL and force limits (Ihmsen et al. 2010) and what the models can bear; the step grows slowly and falls at once. */
static double wanted_step(mn_world *w)
{
    const mn_scene *s = w->scene;
    if (!s->adaptive) return s->step;
    double limit = s->step_max, top[4];
    const double d = (double)w->par.spacing, h = (double)w->par.h;
    mn_run_max(w, MN_KERNEL_speed, MN_NO_ARG, top);
    const double fastest = fmax(sqrt(fmax(top[0], top[2])), fmax(w->walls.fastest, w->maps.fastest));
    if (fastest > 0.0) limit = fmin(limit, s->cfl * d / fastest);
    if (top[1] > 0.0) limit = fmin(limit, s->force_limit * sqrt(h / sqrt(top[1])));
    for (int a = 0; a < w->active_count; a++)
        if (w->active[a].code->method->limit) limit = fmin(limit, w->active[a].code->method->limit(w, &w->active[a]));
    if (w->next_dt > 0.0) limit = fmin(limit, 1.05 * w->next_dt);
    return fmax(limit, s->step_min);
}

double mn_longest_step(const mn_world *w)
{
    const mn_scene *s = w->scene;
    if (!s->adaptive) return s->step;
    return w->next_dt > 0.0 ? fmax(fmin(s->step_max, 1.05 * w->next_dt), s->step_min) : s->step_max;
}

/* A wall's path may have a kink at each of its keys: a step that went across one would leave the wall elsewhere than its velocity said. */
static double next_stop(const mn_world *w)
{
    const mn_scene *s = w->scene;
    double stop = w->stop_time;
    for (int k = 0; k < s->wall_count && s->adaptive; k++) stop = fmin(stop, mn_motion_next_key(&s->walls[k].motion, w->time));
    for (int k = 0; k < s->body_count && s->adaptive; k++) stop = fmin(stop, mn_motion_next_key(&s->bodies[k].motion, w->time));
    return stop;
}

static void choose_step(mn_world *w)
{
    double dt = wanted_step(w);
    w->next_dt = dt;
    const double left = next_stop(w) - w->time;
    if (left <= dt * (1.0 + 1e-9)) dt = left;
    else if (w->scene->adaptive && left < 2.0 * dt) dt = 0.5 * left; /* two equal steps rather than one and a sliver */
    mn_world_set_dt(w, dt);
}

static mn_status report_failure(mn_world *w, mn_messages *say)
{
    const mn_place at = {w->scene->path, 0, 0};
    if (w->crowd >= 0) {
        int id = -1;
        w->api->get(w->device, w->id, (size_t)w->crowd * 4, &id, 4);
        mn_say_error(say, at, "diverged at step %lld, time %g s (dt %g s): %s around particle %d; a smaller time step may help",
                     (long long)w->steps + 1, w->time, w->dt, w->api->failure(w->device), id);
        return MN_DIVERGED;
    }
    mn_say_error(say, at, "step %lld, time %g s: %s failed: %s", (long long)w->steps + 1, w->time, w->api->key,
                 w->api->failure(w->device));
    return MN_FAILED;
}

static int fastest_particle(mn_world *w, double *speed)
{
    const int n = w->layout.fluid;
    real4 *vel = malloc((size_t)n * sizeof *vel + 16);
    int at = 0, id = -1;
    *speed = -1.0;
    if (vel && w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel))
        for (int i = 0; i < n; i++) {
            const double v = sqrt((double)vel[i].x * (double)vel[i].x + (double)vel[i].y * (double)vel[i].y +
                                  (double)vel[i].z * (double)vel[i].z);
            if (v > *speed) *speed = v, at = i;
        }
    if (n) w->api->get(w->device, w->id, (size_t)at * 4, &id, 4);
    free(vel);
    return id;
}

/* Farthest that anything may sensibly go in one step, in support radii. */
static const double FARTHEST = 1000.0;

/* Non-finite numbers and flights beyond all bounds end the run before anybody writes them to a file. */
static mn_status check_finite(mn_world *w, mn_messages *say)
{
    const mn_bounds before = w->bounds;
    if (!w->api->bounds(w->device, w->field[MN_FIELD_pos], w->field[MN_FIELD_vel], w->layout.fluid, &w->bounds))
        return report_failure(w, say);
    const mn_place at = {w->scene->path, 0, 0};
    double reach = 0.0;
    for (int a = 0; a < 3 && w->layout.fluid; a++)
        reach =
            fmax(reach, fmax((double)before.low[a] - (double)w->bounds.low[a], (double)w->bounds.high[a] - (double)before.high[a]));
    if (w->bounds.bad < 0 && reach > FARTHEST * (double)w->par.h) {
        double speed;
        const int id = fastest_particle(w, &speed);
        mn_say_error(say, at,
                     "diverged at step %lld, time %g s (dt %g s): particle %d moves at %.3g m/s, farther in one step than %g "
                     "support radii; a smaller time step may help",
                     (long long)w->steps + 1, w->time + w->dt, w->dt, id, speed, FARTHEST);
        return MN_DIVERGED;
    }
    if (w->bounds.bad < 0) return MN_OK;
    int id = -1;
    w->api->get(w->device, w->id, (size_t)w->bounds.bad * 4, &id, 4);
    mn_say_error(say, at,
                 "diverged at step %lld, time %g s (dt %g s): particle %d has a position or velocity that is not finite; a smaller "
                 "time step may help",
                 (long long)w->steps + 1, w->time + w->dt, w->dt, id);
    return MN_DIVERGED;
}

#define EACH_MODEL(moment)                                                                                                         \
    for (int a_ = 0; a_ < w->active_count; a_++)                                                                                   \
        if (w->active[a_].code->method->moment) w->active[a_].code->method->moment(w, &w->active[a_])

/* Velocity models and pressure, one after the other; in several rounds where a model asks for it (kernels/rounds.h). */
static void implicit_stages(mn_world *w, watch *clock)
{
    int rounds = 1;
    for (int a = 0; a < w->active_count; a++)
        if (w->active[a].code->method->rounds && w->active[a].code->method->rounds(w, &w->active[a]) > rounds)
            rounds = w->active[a].code->method->rounds(w, &w->active[a]);
    if (rounds > 1) mn_run(w, MN_KERNEL_round_first, MN_NO_ARG);
    for (int round = 0; round < rounds; round++) {
        w->last_round = round + 1 == rounds;
        enter(w, MN_STAGE_velocity, clock);
        if (round > 0) mn_run(w, MN_KERNEL_round_velocity, MN_NO_ARG);
        EACH_MODEL(velocity);
        enter(w, MN_STAGE_pressure, clock);
        if (rounds > 1) mn_run(w, MN_KERNEL_round_pressure, MN_NO_ARG);
        EACH_MODEL(pressure);
        if (round + 1 < rounds) mn_run(w, MN_KERNEL_round_last, MN_ARG(0.5));
    }
}

/* A step of no length would divide by it. */
static mn_status check_limit(const mn_world *w, mn_messages *say)
{
    if (w->stop_time - w->time > 1e-12 * fabs(w->time)) return MN_OK;
    mn_say_error(say, (mn_place){w->scene->path, 0, 0},
                 "the world is at %g s, and no step may end after %g s (mn_world_limit_step); expected a later limit", w->time,
                 w->stop_time);
    return MN_BAD_INPUT;
}

mn_status mn_step(mn_world *w, mn_messages *say)
{
    const mn_status allowed = check_limit(w, say);
    if (allowed != MN_OK) return allowed;
    watch clock = read_watch(w);
    enter(w, MN_STAGE_search, &clock);
    w->pressure_iterations = w->divergence_iterations = w->velocity_iterations = 0;
    w->last_round = true;
    mn_world_parameters(w);

    mn_search(w, say);
    enter(w, MN_STAGE_density, &clock);

    w->rates = mn_tension_needs_rates(w);
    mn_run(w, w->rates ? MN_KERNEL_density_rates : MN_KERNEL_density, MN_NO_ARG);
    mn_pressure_begin(w);
    w->first_unseen = w->next_id;
    mn_run_bodies(w, MN_KERNEL_walls_begin, MN_NO_ARG);
    enter(w, MN_STAGE_surface, &clock);

    EACH_MODEL(surface);
    mn_film_step(w);
    enter(w, MN_STAGE_divergence, &clock);

    EACH_MODEL(prepare);
    enter(w, MN_STAGE_forces, &clock);

    mn_run(w, MN_KERNEL_force_begin, MN_NO_ARG);
    EACH_MODEL(force);
    enter(w, MN_STAGE_air, &clock);
    EACH_MODEL(air);
    mn_air_on_bodies(w);

    enter(w, MN_STAGE_surface, &clock);
    choose_step(w);
    mn_species_step(w);
    enter(w, MN_STAGE_velocity, &clock);
    mn_run(w, MN_KERNEL_advance, MN_NO_ARG);
    implicit_stages(w, &clock);
    enter(w, MN_STAGE_move, &clock);

    if (w->emitter_count) mn_run(w, MN_KERNEL_guided, MN_NO_ARG);
    const int felt = w->layout.bodies > w->layout.deaf;
    if (w->layout.walls + w->layout.bodies + w->maps.count) mn_run(w, MN_KERNEL_wall_contact, MN_ARG(felt));
    mn_run_bodies(w, MN_KERNEL_wall_contact_on_walls, MN_NO_ARG);
    if (w->maps.count) mn_run(w, MN_KERNEL_map_contact, MN_NO_ARG);
    mn_run(w, MN_KERNEL_move, MN_NO_ARG);
    if (w->failed) return report_failure(w, say);
    const mn_status status = check_finite(w, say);
    if (status != MN_OK) return status;
    mn_inflow_step(w, w->dt);
    if (w->failed) return report_failure(w, say);
    enter(w, MN_STAGE_bodies, &clock);
    const mn_status moved = mn_bodies_step(w, say);
    if (moved != MN_OK) return moved;
    enter(w, MN_STAGES, &clock);

    w->time = fabs(w->time + w->dt - w->stop_time) < 1e-12 * fabs(w->stop_time) ? w->stop_time : w->time + w->dt;
    w->steps++;
    return MN_OK;
}
