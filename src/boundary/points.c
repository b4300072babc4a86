/* points.c -- walls as boundary points (Akinci et al. 2012): one layer on the surface, each with the volume
 *
 *   V_b = 1/sum_b' W(x_b - x_b')        over the points of its own object; resting walls that touch count as one
 *
 * so that uneven sampling does no harm. Moving walls follow their keyframes as rigid bodies, on the device; a wall
 * on a periodic axis is copied across the faces.
 *
 * Points that feel (of bodies, solids and walls with substances) have neighbour lists of their own: the models add the
 * force on each to boundary_force (N) and what acts as an impulse to boundary_impulse (N s); both are minus what the
 * fluid particles get. The force on a driven wall is not worked out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/point_cells.h"
#include "boundary/maps.h"
#include "boundary/points.h"
#include "core/parts.h"
#include "core/world.h"
#include "geometry/vectors.h"
#include "rigid/rigid.h"
#include "soft/soft.h"

bool mn_boundary_moves(const mn_scene *s, int object)
{
    return object >= s->wall_count || s->walls[object].motion.moving;
}

static bool bears_substance(const mn_scene *s, int object)
{
    for (int k = 0; k < s->substance_count; k++)
        for (int c = 0; c < s->substances[k].coat_count; c++)
            if (s->substances[k].coats[c].object == object) return true;
    return false;
}

bool mn_boundary_listens(const mn_scene *s, int object)
{
    return mn_boundary_moves(s, object) || bears_substance(s, object);
}

bool mn_boundary_is_driven(const mn_world *w, int object)
{
    return !w->periodic && object < w->scene->wall_count && w->scene->walls[object].motion.moving;
}

/* What stands in vel.w of a point: the index of its object, and half of its share behind the point. */
static float mark_of(const mn_boundary *p, int i)
{
    return (float)p->object[i] + (p->share ? 0.5f * p->share[i] : 0.0f);
}

typedef struct posed {
    keyed order;
    real4 pos, vel;
} posed;

static int posed_by_key(const void *a, const void *b)
{
    return by_key(&((const posed *)a)->order, &((const posed *)b)->order);
}

static real4 entry_at(const double x[3], float w) { return (real4){(float)x[0], (float)x[1], (float)x[2], w}; }

/* The resting points with their copies across periodic faces, in cell order. */
static bool place_resting(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    const int most = p->count * (w->periodic ? 4 : 1) + 64;
    posed *list = malloc((size_t)most * sizeof *list);
    if (!list) return false;
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        if (mn_boundary_listens(w->scene, p->object[i])) continue;
        double x[3], copy[27][3];
        memcpy(x, &p->rest[3 * i], sizeof x);
        mn_boundary_wrap(w, x);
        const int copies = mn_boundary_copies_of(w, x, copy);
        for (int c = 0; c < copies && count < most; c++)
            list[count++] = (posed){{key_of(copy[c], w->par.inv_h), mn_boundary_rank(i, c)},
                                    entry_at(copy[c], p->volume[i]),
                                    {0.0f, 0.0f, 0.0f, mark_of(p, i)}};
    }
    qsort(list, (size_t)count, sizeof *list, posed_by_key);
    const size_t entries = (size_t)count + (size_t)p->active + (size_t)p->copy_room + 1;
    free(p->pos), free(p->vel);
    p->pos = malloc(entries * sizeof *p->pos);
    p->vel = malloc(entries * sizeof *p->vel);
    const bool ok = p->pos && p->vel;
    for (int i = 0; i < count && ok; i++) p->pos[i] = list[i].pos, p->vel[i] = list[i].vel;
    for (int a = 0; a < 3; a++) p->still_low[a] = INFINITY, p->still_high[a] = -INFINITY;
    for (int i = 0; i < count && ok; i++) {
        const double x[3] = {(double)list[i].pos.x, (double)list[i].pos.y, (double)list[i].pos.z};
        for (int a = 0; a < 3; a++)
            p->still_low[a] = fmin(p->still_low[a], x[a]), p->still_high[a] = fmax(p->still_high[a], x[a]);
    }
    p->resting = count;
    p->version++;
    free(list);
    return ok;
}

mn_placed mn_boundary_next(const mn_world *w, int first)
{
    const mn_boundary *p = mn_boundary_of(w);
    const mn_scene *s = w->scene;
    mn_placed o = {.object = p->object[p->owner[first]], .first = first};
    o.end = p->end[o.object];
    const int body = o.object - s->wall_count, solid = body - s->body_count;
    if (p->face && body >= 0) mn_curve_at(solid < 0 ? &s->bodies[body].drag : &s->solids[solid].drag, w->time, &o.drag);
    if (solid < 0)
        o.pose = body < 0 ? mn_motion_at(&s->walls[o.object].motion, w->time) : mn_rigid_pose(mn_rigid_of(w), body);
    return o;
}

/* Entry b of it; x: where, wrapped into the periodic box. */
static void place_point(mn_world *w, const mn_placed *o, int b, double x[3])
{
    mn_boundary *p = mn_boundary_of(w);
    const int i = p->owner[b], solid = o->object - w->scene->wall_count - w->scene->body_count;
    double v[3], volume = (double)p->volume[i];
    const float size = p->face ? (float)o->drag * p->face[i] : 0.0f;
    if (solid < 0) {
        static const double none[3] = {0};
        const double *n = p->normal ? &p->normal[3 * i] : none, *r = o->pose.rotation;
        mn_pose_point(&o->pose, &p->rest[3 * i], x, v);
        p->facing[b] =
            entry_at((double[3]){r[0] * n[0] + r[1] * n[1] + r[2] * n[2], r[3] * n[0] + r[4] * n[1] + r[5] * n[2],
                                 r[6] * n[0] + r[7] * n[1] + r[8] * n[2]},
                     size);
    } else {
        p->facing[b].w = size;
        mn_soft_point(mn_soft_of(w), solid, b - o->first, x, v, &volume);
    }
    mn_boundary_wrap(w, x);
    p->vel[p->resting + b] = entry_at(v, mark_of(p, i));
    p->pos[p->resting + b] = entry_at(x, (float)volume);
}

static void place_copies(mn_world *w, int b, const double x[3])
{
    mn_boundary *p = mn_boundary_of(w);
    real4 *pos = p->pos + p->resting, *vel = p->vel + p->resting;
    double copy[27][3];
    const int copies = mn_boundary_copies_of(w, x, copy);
    for (int c = 0; c < copies && p->copies < p->copy_room; c++) {
        if (memcmp(copy[c], x, 3 * sizeof *x) == 0) continue;
        p->copy_of[p->copies] = b;
        const int at = p->active + p->copies++;
        pos[at] = entry_at(copy[c], pos[b].w);
        vel[at] = vel[b];
    }
}

/* The active points where they are at this time, wrapped into the periodic box, and their copies; driven walls too if
 * `all`. */
static void place_active(mn_world *w, bool all)
{
    mn_boundary *p = mn_boundary_of(w);
    p->copies = 0;
    for (int b = 0; b < p->active;) {
        const mn_placed o = mn_boundary_next(w, b);
        b = o.end;
        if (!all && mn_boundary_is_driven(w, o.object)) continue;
#pragma omp parallel for schedule(static) if (!w->periodic && o.end - o.first > 4096)
        for (int k = o.first; k < o.end; k++) {
            double x[3];
            place_point(w, &o, k, x);
            if (w->periodic) place_copies(w, k, x);
        }
    }
}

bool mn_boundary_sort(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    free(p->owner);
    p->owner = malloc(((size_t)p->count + 1) * sizeof *p->owner);
    p->active = p->copies = 0;
    p->fastest = 0.0;
    if (!p->owner) return false;
    for (int k = 0; k < w->scene->wall_count; k++) p->driven[k] = w->scene->walls[k].motion.moving;
    for (int k = 0; k < MN_MAX_WALLS; k++) mn_wall_speed_forget(&p->speed[k]);
    for (int i = 0; i < p->count; i++)
        if (mn_boundary_listens(w->scene, p->object[i])) p->owner[p->active++] = i, p->end[p->object[i]] = p->active;
    for (p->without_lists = 0; p->without_lists < p->active && !w->scene->substance_count &&
                               p->object[p->owner[p->without_lists]] < w->scene->wall_count;)
        p->without_lists++;
    free(p->facing);
    p->facing = calloc((size_t)p->active + 1, sizeof *p->facing);
    if (!p->facing) return false;
    if (w->device) w->api->release(w->device, p->copy_source);
    p->copy_source = NULL;
    p->copy_room = (mn_boundary_most_copies(w) - 1) * p->active;
    free(p->copy_of);
    p->copy_of = malloc(((size_t)p->copy_room + 1) * sizeof *p->copy_of);
    if (!p->copy_of) return false;
    if (!place_resting(w)) return false;
    place_active(w, true);
    p->rest_sent = false;
    w->points.resting = p->resting, w->points.active = p->active, w->points.copies = p->copy_room,
    w->points.without_lists = p->without_lists;
    w->points.pos = p->pos + p->resting, w->points.vel = p->vel + p->resting;
    return true;
}

static bool put_entries(mn_world *w, int at, int from, int count)
{
    const mn_boundary *p = mn_boundary_of(w);
    const size_t offset = (size_t)at * sizeof(real4), bytes = (size_t)count * sizeof(real4);
    return !count || (w->api->put(w->device, w->field[MN_FIELD_pos], offset, p->pos + from, bytes) &&
                      w->api->put(w->device, w->field[MN_FIELD_vel], offset, p->vel + from, bytes));
}

/* Only substances are copied: to the copies of their points. */
static bool put_copy_sources(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    if (!p->copies || !w->scene->substance_count) return true;
    int *source = malloc((size_t)p->copies * sizeof *source);
    if (!p->copy_source) p->copy_source = w->api->alloc(w->device, (size_t)p->copy_room * sizeof *source);
    for (int k = 0; k < p->copies && source; k++) source[k] = w->layout.active_at + p->copy_of[k];
    const bool ok = source && p->copy_source &&
                    w->api->put(w->device, p->copy_source, 0, source, (size_t)p->copies * sizeof *source);
    free(source);
    return ok;
}

void mn_boundary_copy(mn_world *w, int field)
{
    const mn_layout *l = &w->layout;
    const mn_boundary *p = mn_boundary_of(w);
    if (!l->point_copies || !p->copy_source || w->failed) return;
    w->failed = !w->api->refresh(w->device, w->field[field], 16, p->copy_source, w->copy_shift, MN_COPIED_COPY,
                                 l->active_at + l->active, l->point_copies);
}

static bool put_active(mn_world *w, const mn_boundary *p)
{
    w->layout.point_copies = p->copies;
    return put_copy_sources(w) && put_entries(w, w->layout.active_at, p->resting, p->active + p->copies);
}

/* kernels/boundary/wall_motion.h: where the points of driven walls are at rest. */
static bool put_rest(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    real4 *rest = malloc(((size_t)p->active + 1) * sizeof *rest);
    for (int b = 0; b < p->active && rest; b++) {
        const int i = p->owner[b];
        static const double none[3] = {0};
        const double *from =
            mn_boundary_is_driven(w, p->object[i]) ? w->scene->walls[p->object[i]].motion.centre : none;
        const double r[3] = {p->rest[3 * i] - from[0], p->rest[3 * i + 1] - from[1], p->rest[3 * i + 2] - from[2]};
        rest[b] = entry_at(r, p->volume[i]);
    }
    float *mark = malloc(((size_t)p->active + 1) * sizeof *mark);
    for (int b = 0; b < p->active && mark; b++) mark[b] = mark_of(p, p->owner[b]);
    p->rest_sent = rest && mark && mn_world_table(w, MN_FIELD_wall_rest, rest, (size_t)p->active * sizeof *rest) &&
                   mn_world_table(w, MN_FIELD_wall_mark, mark, (size_t)p->active * sizeof *mark);
    free(rest), free(mark);
    return p->rest_sent;
}

static void pose_rows(const mn_pose *pose, real4 rows[6])
{
    const double *r = pose->rotation, *s = pose->spin;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        double turn[3];
        for (int k = 0; k < 3; k++) turn[k] = s[b] * r[3 * c + k] - s[c] * r[3 * b + k];
        rows[a] = entry_at(&r[3 * a], (float)pose->at[a]);
        rows[3 + a] = entry_at(turn, (float)pose->velocity[a]);
    }
}

static void note_placed(mn_boundary *p, int first, int end)
{
    for (int b = first; b < end; b++) {
        const real4 x = p->pos[p->resting + b], v = p->vel[p->resting + b];
        const float c[3] = {x.x, x.y, x.z};
        for (int a = 0; a < 3; a++) p->low[a] = fminf(p->low[a], c[a]), p->high[a] = fmaxf(p->high[a], c[a]);
        p->fastest = fmax(p->fastest, sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)));
    }
}

/* Brings the active points to their places at this time, on the device too. */
static bool send_active(mn_world *w, mn_boundary *p)
{
    real4 rows[6 * MN_MAX_WALLS];
    mn_placed driven[MN_MAX_WALLS];
    mn_driven_wall wall[MN_MAX_WALLS];
    int count = 0;
    place_active(w, false);
    p->fastest = 0.0;
    for (int a = 0; a < 3; a++) p->low[a] = 1e30f, p->high[a] = -1e30f;
    bool ok = put_copy_sources(w);
    for (int b = 0, put = 0; b < p->active && ok;) {
        const mn_placed o = mn_boundary_next(w, b);
        b = o.end;
        if (mn_boundary_is_driven(w, o.object)) {
            wall[count] = (mn_driven_wall){&p->speed[o.object], &p->rest[3 * p->owner[o.first]], o.end - o.first,
                                           o.pose, mn_motion_jolt(&w->scene->walls[o.object].motion, w->time)};
            pose_rows(&o.pose, &rows[6 * count]);
            driven[count++] = o;
            put = b;
        } else note_placed(p, o.first, o.end);
        if (b == p->active ||
            mn_boundary_is_driven(
                w, p->object[p->owner[b]])) { /* what stands side by side goes in one piece, copies with the last */
            const int end = b == p->active ? b + p->copies : b;
            ok = put_entries(w, w->layout.active_at + put, p->resting + put, end - put);
        }
    }
    w->layout.point_copies = p->copies;
    p->fastest = mn_wall_speed_most(wall, count, p->fastest);
    if (!count || !ok) return ok;
    ok = (p->rest_sent || put_rest(w)) && mn_world_table(w, MN_FIELD_wall_pose, rows, 6 * (size_t)count * sizeof *rows);
    for (int k = 0; k < count && ok; k++) {
        const int first = driven[k].first, low = first % 65536, high = first / 65536;
        mn_run_some(w, MN_KERNEL_wall_motion, w->layout.active_at + first, w->layout.active_at + driven[k].end,
                    (real4){(float)low, (float)high, (float)k, 0.0f});
    }
    return ok && !w->failed;
}

void mn_boundary_place(mn_world *w, void *me)
{
    mn_boundary *p = me;
    if (!p->active) return;
    if (!send_active(w, p)) w->failed = true;
    for (int a = 0; a < 3; a++) w->points.low[a] = p->low[a], w->points.high[a] = p->high[a];
    w->points.see_points = p->face != NULL; /* drag on bodies asks which points stand before others */
}

void mn_boundary_send(mn_world *w, void *me)
{
    mn_boundary *p = me;
    w->layout.resting_version = p->version;
    if (!put_entries(w, w->layout.resting_at, 0, p->resting) || !put_active(w, p)) w->failed = true;
}

bool mn_boundary_forces(mn_world *w, double (*force)[3])
{
    const mn_boundary *p = mn_boundary_of(w);
    const int n = p->active;
    memset(force, 0, (size_t)n * sizeof *force);
    if (n == p->without_lists || !w->field[MN_FIELD_boundary_force] || !w->field[MN_FIELD_boundary_impulse])
        return true;
    real4 *steady = malloc((size_t)n * sizeof *steady), *impulse = malloc((size_t)n * sizeof *impulse);
    const size_t at = (size_t)w->layout.active_at * sizeof *steady, bytes = (size_t)n * sizeof *steady;
    const bool ok = steady && impulse && w->api->get(w->device, w->field[MN_FIELD_boundary_force], at, steady, bytes) &&
                    w->api->get(w->device, w->field[MN_FIELD_boundary_impulse], at, impulse, bytes);
    for (int b = p->without_lists; b < n && ok; b++) {
        const double rate = w->dt > 0.0 ? 1.0 / w->dt : 0.0;
        force[b][0] = (double)steady[b].x + rate * (double)impulse[b].x;
        force[b][1] = (double)steady[b].y + rate * (double)impulse[b].y;
        force[b][2] = (double)steady[b].z + rate * (double)impulse[b].z;
    }
    free(steady), free(impulse);
    return ok;
}

mn_status mn_world_boundary(mn_world *w, float *positions, int *owner, mn_messages *say)
{
    (void)say;
    const mn_boundary *p = mn_boundary_of(w);
    const int count = p->resting + p->active;
    if (p->active) place_active(w, true);
    for (int i = 0; i < count; i++) {
        positions[3 * i] = p->pos[i].x, positions[3 * i + 1] = p->pos[i].y, positions[3 * i + 2] = p->pos[i].z;
        owner[i] = (int)p->vel[i].w;
    }
    mn_maps_surface(w, positions + 3 * count, owner + count);
    return MN_OK;
}

int64_t mn_world_boundary_points(const mn_world *w)
{
    const mn_boundary *p = mn_boundary_of(w);
    return p->resting + p->active + mn_maps_of(w)->surface_count;
}
