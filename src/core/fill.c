/* fill.c -- the fluid at the start: sampled from the shapes of the scene. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parts.h"
#include "core/clock.h"
#include "core/state.h"
#include "core/world.h"
#include "geometry/geometry.h"

/* Leaves out the points that lie in the fluid's holes. */
static mn_status cut_holes(const mn_fluid *fluid, mn_points *points, long from, double spacing, mn_messages *say)
{
    for (int k = 0; k < fluid->hole_count; k++) {
        mn_shape *hole = mn_shape_new(&fluid->holes[k], say);
        if (!hole) return MN_BAD_INPUT;
        long kept = from;
        for (long i = from; i < points->count; i++)
            if (mn_shape_distance(hole, points->x + 3 * i, spacing) >= 0)
                memmove(points->x + 3 * kept++, points->x + 3 * i, 3 * sizeof *points->x);
        points->count = kept;
        mn_shape_free(hole);
    }
    return MN_OK;
}

/* Points of one fluid, from all its shapes. */
static mn_status sample_fluid(const mn_scene *s, const mn_fluid *fluid, mn_points *out, double centre[3],
                              mn_messages *say)
{
    mn_shape **shapes = calloc((size_t)fluid->shape_count + 1, sizeof *shapes);
    mn_status status = shapes ? MN_OK : MN_FAILED;
    const long before = out->count;
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    for (int k = 0; k < fluid->shape_count && status == MN_OK; k++) {
        shapes[k] = mn_shape_new(&fluid->shapes[k], say);
        if (!shapes[k]) status = MN_BAD_INPUT;
        else {
            double l[3], h[3];
            mn_shape_bounds(shapes[k], l, h);
            for (int a = 0; a < 3; a++) low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], h[a]);
        }
    }
    for (int a = 0; a < 3; a++) centre[a] = 0.5 * (low[a] + high[a]);
    if (status == MN_OK && fluid->shape_count)
        status = mn_sample_volume(shapes, fluid->shapes, fluid->shape_count, fluid->sampling, s->spacing, fluid->jitter,
                                  fluid->seed, out, say);
    if (status == MN_OK) status = cut_holes(fluid, out, before, s->spacing, say);
    for (int k = 0; shapes && k < fluid->shape_count; k++) mn_shape_free(shapes[k]);
    free(shapes);
    return status;
}

/* Bodies and soft solids take their room: of a fluid's points, from `from` on, those within or all but touching one are
 * left out. */
static void leave_room(const mn_world *w, const mn_fluid *fluid, mn_points *points, long from, mn_messages *say)
{
    const long all = points->count - from;
    long kept = from;
    for (long i = from; i < points->count; i++) {
        const double *x = points->x + 3 * i;
        if (mn_parts_leave_room(w, x)) memmove(points->x + 3 * kept++, x, 3 * sizeof *x);
    }
    points->count = kept;
    if (kept - from < all)
        mn_say(say, MN_NOTE, fluid->at,
               "%ld of the %ld particles of '%s' are left out: bodies or soft solids are there", all - (kept - from),
               all, fluid->name);
}

mn_status mn_fill(mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_points points = {0};
    mn_status status = MN_OK;
    long *end = calloc((size_t)s->fluid_count + 1, sizeof *end);
    double(*centre)[3] = calloc((size_t)s->fluid_count + 1, sizeof *centre);
    if (!end || !centre) status = MN_FAILED;
    for (int f = 0; f < s->fluid_count && status == MN_OK; f++) {
        const long before = points.count;
        status = sample_fluid(s, &s->fluids[f], &points, centre[f], say);
        if (s->body_count + s->solid_count) leave_room(w, &s->fluids[f], &points, before, say);
        end[f] = points.count;
    }
    if (status == MN_OK && (double)points.count > MN_MOST_PARTICLES) {
        mn_say_error(say, MN_NOWHERE, "%ld fluid particles are too many (at most %g); use a larger spacing",
                     points.count, MN_MOST_PARTICLES);
        status = MN_BAD_INPUT;
    }
    const int n = status == MN_OK ? (int)points.count : 0;
    real4 *pos = malloc(((size_t)n + 1) * sizeof *pos), *vel = malloc(((size_t)n + 1) * sizeof *vel);
    int *id = malloc(((size_t)n + 1) * sizeof *id);
    if (!pos || !vel || !id) status = MN_FAILED;
    for (int i = 0, f = 0; i < n && status == MN_OK; i++) {
        while (i >= end[f]) f++;
        const mn_fluid *fluid = &s->fluids[f];
        const double *x = &points.x[3 * (size_t)i], *o = fluid->angular_velocity, *v = fluid->velocity;
        const double r[3] = {x[0] - centre[f][0], x[1] - centre[f][1], x[2] - centre[f][2]};
        pos[i] = (real4){(float)x[0], (float)x[1], (float)x[2], (float)(s->spacing * s->spacing * s->spacing)};
        vel[i] = (real4){(float)(v[0] + o[1] * r[2] - o[2] * r[1]), (float)(v[1] + o[2] * r[0] - o[0] * r[2]),
                         (float)(v[2] + o[0] * r[1] - o[1] * r[0]), (float)f};
        id[i] = i;
    }
    double down[3];
    if (mn_clock_gravity(w, down) > 0.0 && status == MN_OK && !mn_depth_of(s, down, pos, vel, n, &w->depth))
        status = MN_FAILED;
    if (status == MN_OK) {
        bool ok = mn_world_reserve(w, n + (mn_scene_emitters(s) ? n / 4 + 4096 : 0), w->periodic ? n / 4 + 1024 : 0);
        ok = ok && w->api->put(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) &&
             w->api->put(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel) &&
             w->api->put(w->device, w->id, 0, id, (size_t)n * 4);
        w->layout.fluid = w->par.n = w->next_id = n;
        if (!ok) {
            mn_say_failure(say, MN_NOWHERE, "not enough memory for %d particles on %s: %s", n, w->api->key, mn_why(w));
            status = MN_FAILED;
        }
    } else if (status == MN_FAILED) mn_say_failure(say, MN_NOWHERE, "out of memory");
    free(pos), free(vel), free(id), free(end), free(centre);
    mn_points_free(&points);
    return status;
}
