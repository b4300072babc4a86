/* boundary_part.c -- the boundary as a part of the world: what walls, bodies and solids are to the liquid at each
 * moment of a step. The points stand in points.c. */
#include <math.h>
#include <stdlib.h>

#include "boundary/points.h"
#include "core/parts.h"
#include "core/world.h"
#include "geometry/vectors.h"
#include "run/strips.h"

mn_boundary *mn_boundary_of(const mn_world *w) { return mn_part_of(w, &mn_boundary_system); }

static void set_constants(mn_world *w)
{
    const mn_scene *s = w->scene;
    boundary_params *b = &w->par.boundary;
    b->count = s->wall_count + s->body_count + s->solid_count;
    b->near = (float)(0.6 * w->support.near);
    b->along = (float)w->support.along;
    b->most = (float)(0.4 * w->support.behind);
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    set_constants(w);
    return mn_boundary_make(w, me, say);
}

static void release(mn_world *w, void *me)
{
    mn_boundary *p = me;
    if (w->device) w->api->release(w->device, p->copy_source);
    for (int k = 0; k < MN_MAX_WALLS; k++) mn_wall_speed_forget(&p->speed[k]);
    free(p->rest), free(p->normal), free(p->face), free(p->facing), free(p->copy_of), free(p->volume), free(p->share),
        free(p->object), free(p->owner), free(p->pos), free(p->vel);
}

/* A wall that stood still has begun to move (or an earlier state was read, in which it stands): its points change their
 * kind. They keep their volumes, so that nothing is pushed by the change itself. */
static bool sort_again(mn_world *w, const mn_boundary *p)
{
    bool same = true;
    for (int k = 0; k < w->scene->wall_count; k++) same = same && p->driven[k] == w->scene->walls[k].motion.moving;
    if (same || !p->count) return true;
    w->listed = false;
    return mn_boundary_sort(w) && mn_world_reserve(w, w->capacity, w->copy_room);
}

static void parameters(mn_world *w, void *me)
{
    w->par.boundary.weight = (float)w->scene->wall_weight;
    if (!sort_again(w, me)) w->failed = true;
}

/* What lies on the points comes after this, in the order that they had then. */
static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    (void)snap;
    if (sort_again(w, me)) return MN_OK;
    mn_say_failure(say, MN_NOWHERE, "out of memory for the points of a wall that begins to move");
    return MN_FAILED;
}

static void begin(mn_world *w, void *me)
{
    (void)me;
    mn_run_active(w, MN_KERNEL_boundary_begin, MN_NO_ARG);
}

static void contact(mn_world *w, void *me)
{
    (void)me;
    const int felt = w->layout.active > w->layout.without_lists;
    if (w->layout.resting + w->layout.active + w->layout.map_slots) mn_run(w, MN_KERNEL_wall_stop, MN_ARG(felt));
    mn_run_active(w, MN_KERNEL_wall_stop_on_boundary, MN_NO_ARG);
}

/* Bodies meet each other also where there is no fluid, but not where there are no cells. */
static void watch_distance(const mn_world *w, mn_boundary *p, mn_messages *say)
{
    const float far = mn_farthest(w->par.inv_h);
    bool beyond = false;
    for (int a = 0; a < 3; a++) beyond = beyond || (p->low[a] <= p->high[a] && (p->low[a] < -far || p->high[a] > far));
    if (beyond && !p->too_far && say)
        mn_say_warning(say, (mn_place){w->scene->path, 0, 0},
                       "a body came farther than %g m from the origin by step %lld, time %g s, where single "
                       "precision cannot resolve the spacing: there it meets no fluid and no body",
                       (double)far, (long long)w->steps, w->time);
    p->too_far = p->too_far || beyond;
}

static mn_status collect(mn_world *w, void *me, mn_messages *say)
{
    mn_boundary *p = me;
    if (p->active) watch_distance(w, p, say);
    return mn_boundary_collect(w, p, say);
}

/* A wall's path may have a kink at each of its keys: a step that went across one would leave the wall elsewhere than
 * its velocity said. */
static double stop(const mn_world *w, const void *me)
{
    (void)me;
    double next = INFINITY;
    for (int k = 0; k < w->scene->wall_count; k++)
        next = fmin(next, mn_motion_next_key(&w->scene->walls[k].motion, w->time));
    return next;
}

static double fastest(const mn_world *w, const void *me)
{
    (void)w;
    return ((const mn_boundary *)me)->fastest;
}

/* Resting points, bodies and solids as they stand, driven walls as balls about the origin of their motion. */
static void extent(const mn_world *w, const void *me, double low[3], double high[3])
{
    mn_boundary *p = mn_boundary_of(w);
    (void)me;
    for (int a = 0; a < 3 && p->resting; a++)
        low[a] = fmin(low[a], p->still_low[a]), high[a] = fmax(high[a], p->still_high[a]);
    for (int a = 0; a < 3 && p->low[0] <= p->high[0] && p->active; a++)
        low[a] = fmin(low[a], (double)p->low[a]), high[a] = fmax(high[a], (double)p->high[a]);
    for (int b = 0; b < p->active;) {
        const mn_placed o = mn_boundary_next(w, b);
        b = o.end;
        if (!mn_boundary_is_driven(w, o.object)) continue;
        const double reach =
            mn_wall_speed_reach(&p->speed[o.object], &p->rest[3 * p->owner[o.first]], o.end - o.first, o.pose.origin);
        for (int a = 0; a < 3; a++)
            low[a] = fmin(low[a], o.pose.at[a] - reach), high[a] = fmax(high[a], o.pose.at[a] + reach);
    }
}

/* A point takes 200 bytes on the host, but thin shapes may have fewer points than foreseen. */
static mn_foreseen foresee(const mn_scene *s)
{
    return (mn_foreseen){"boundary points of walls and bodies", s->boundary_points, 40, 100};
}

const mn_system mn_boundary_system = {.key = "boundary",
                                      .bytes = sizeof(mn_boundary),
                                      .foresee = foresee,
                                      .make = make,
                                      .free = release,
                                      .at = {[MN_AT_parameters] = parameters,
                                             [MN_AT_reserved] = mn_boundary_send,
                                             [MN_AT_place] = mn_boundary_place,
                                             [MN_AT_density] = begin,
                                             [MN_AT_contact] = contact},
                                      .collect = collect,
                                      .restore = restore,
                                      .stop = stop,
                                      .fastest = fastest,
                                      .extent = extent};
