/* points.c -- walls as boundary points (Akinci et al. 2012): one layer on the surface, each with the volume
 *
 *   V_b = 1/sum_b' W(x_b - x_b')        over the points of its own object; resting walls that touch count as one
 *
 * so that uneven sampling does no harm. Moving walls follow their keyframes as rigid bodies, on the device; a wall
 * on a periodic axis is copied across the faces.
 *
 * Points that feel (of bodies, solids and walls with substances) have neighbour lists of their own: the models add
 * the force on each to wall_force (N) and what acts as an impulse to wall_impulse (N s); both are minus what the
 * fluid particles get. The force on a driven wall is not worked out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "base/spline.h"
#include "geometry/vec.h"
#include "boundary/maps.h"
#include "boundary/pattern.h"
#include "boundary/points.h"
#include "core/parts.h"
#include "core/world.h"
#include "rigid/rigid.h"
#include "run/strips.h"
#include "soft/soft.h"

mn_boundary *mn_boundary_of(const mn_world *w) { return mn_part_of(w, &mn_boundary_system); }

typedef struct keyed {
    int64_t key, at; /* at: of equal keys the order */
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The cell in the arithmetic of the search: a boundary point often lies exactly on the face of a cell. */
static void cell_of(const double x[3], float inv_h, int64_t cell[3])
{
    const float far = (float)MN_FARTHEST_CELL;
    for (int a = 0; a < 3; a++) cell[a] = (int64_t)fmaxf(fminf(floorf((float)x[a] * inv_h), far), -far) + (1 << 21);
}

/* Cells that are 2^20 apart along z share a key: their points are told apart by their distance. */
static int64_t key_of_cell(int64_t x, int64_t y, int64_t z)
{
    return (int64_t)(((uint64_t)z << 44) + ((uint64_t)y << 22) + (uint64_t)x);
}

static int64_t key_of(const double x[3], float inv_h)
{
    int64_t c[3];
    cell_of(x, inv_h, c);
    return key_of_cell(c[0], c[1], c[2]);
}

/* First entry with at least that key. */
static int lower(const keyed *list, int count, int64_t key)
{
    int low = 0, high = count;
    while (low < high) {
        const int mid = (low + high) / 2;
        if (list[mid].key < key) low = mid + 1;
        else high = mid;
    }
    return low;
}

/* Objects are the walls of the scene, then its bodies, then its solids. A body may be fixed: it feels all the same. */
static bool moves(const mn_scene *s, int object) { return object >= s->wall_count || s->walls[object].motion.moving; }

static bool bears_substance(const mn_scene *s, int object)
{
    for (int k = 0; k < s->substance_count; k++)
        for (int c = 0; c < s->substances[k].coat_count; c++)
            if (s->substances[k].coats[c].object == object) return true;
    return false;
}

/* Whether its points own neighbour lists. */
static bool listens(const mn_scene *s, int object) { return moves(s, object) || bears_substance(s, object); }

/* Whether its points only follow its motion: then the device places them. The host places copies across periodic
 * faces. */
static bool is_driven(const mn_world *w, int object)
{
    return !w->periodic && object < w->scene->wall_count && w->scene->walls[object].motion.moving;
}

static bool same_object(const mn_scene *s, int a, int b) { return a == b || (!moves(s, a) && !moves(s, b)); }

/* A point and its copies in all, at most: a periodic axis is four supports wide or wider, so that each axis doubles
 * them. */
static int most_copies(const mn_world *w)
{
    return (w->par.span_x > 0.0f ? 2 : 1) * (w->par.span_y > 0.0f ? 2 : 1) * (w->par.span_z > 0.0f ? 2 : 1);
}

/* The point and its copies across the periodic faces, where they can touch the fluid. Returns how many. */
static int copies_of(const mn_world *w, const double x[3], double out[27][3])
{
    const float low[3] = {w->par.low_x, w->par.low_y, w->par.low_z},
                span[3] = {w->par.span_x, w->par.span_y, w->par.span_z};
    const double h = 1.5 * (double)w->par.h;
    int count = 0;
    for (int sz = -1; sz <= 1; sz++)
        for (int sy = -1; sy <= 1; sy++)
            for (int sx = -1; sx <= 1; sx++) {
                const int s[3] = {sx, sy, sz};
                bool near = true;
                for (int a = 0; a < 3; a++) {
                    out[count][a] = x[a] + s[a] * (double)span[a];
                    if (s[a] && !(span[a] > 0.0f)) near = false;
                    if (s[a] && (out[count][a] < (double)low[a] - h || out[count][a] > (double)(low[a] + span[a]) + h))
                        near = false;
                }
                if (near) count++;
            }
    return count;
}

/* Into the periodic box: a wall may begin outside, or have moved on for many spans. */
static void wrap(const mn_world *w, double x[3])
{
    const float low[3] = {w->par.low_x, w->par.low_y, w->par.low_z},
                span[3] = {w->par.span_x, w->par.span_y, w->par.span_z};
    for (int a = 0; a < 3; a++)
        if (span[a] > 0.0f) x[a] -= (double)span[a] * floor((x[a] - (double)low[a]) / (double)span[a]);
}

static bool measure_volumes(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    const float inv_h = w->par.inv_h;
    const double h = (double)w->par.h, part = w->support.wall,
                 span[3] = {(double)w->par.span_x, (double)w->par.span_y, (double)w->par.span_z};
    const int most = p->count * most_copies(w);
    keyed *list = malloc(((size_t)most + 1) * sizeof *list);
    if (!list) return false;
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        double x[3], copy[27][3];
        memcpy(x, &p->rest[3 * i], sizeof x);
        wrap(w, x);
        const int copies = copies_of(w, x, copy);
        for (int c = 0; c < copies && count < most; c++) list[count++] = (keyed){key_of(copy[c], inv_h), i};
    }
    qsort(list, (size_t)count, sizeof *list, by_key);
#pragma omp parallel for schedule(dynamic, 256)
    for (int i = 0; i < p->count; i++) {
        double x[3], sum = 0.0;
        memcpy(x, &p->rest[3 * i], sizeof x);
        wrap(w, x);
        int64_t c[3];
        cell_of(x, inv_h, c);
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++) {
                const int from = lower(list, count, key_of_cell(c[0] - 1, c[1] + dy, c[2] + dz));
                const int64_t last = key_of_cell(c[0] + 1, c[1] + dy, c[2] + dz);
                for (int k = from; k < count && list[k].key <= last; k++) {
                    const int j = (int)list[k].at;
                    if (!same_object(w->scene, p->wall[i], p->wall[j])) continue;
                    double d[3];
                    for (int a = 0; a < 3; a++) {
                        d[a] = x[a] - p->rest[3 * j + a];
                        if (span[a] > 0.0) d[a] -= span[a] * round(d[a] / span[a]);
                    }
                    sum += mn_spline(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), h);
                }
            }
        p->volume[i] = (float)(part / sum);
    }
    free(list);
    return true;
}

/* On a periodic axis the faces are one: keep what lies in [low, low + span). Returns how many points remain. */
static long drop_doubles(const mn_world *w, double *x, long from, long count)
{
    const double low[3] = {(double)w->par.low_x, (double)w->par.low_y, (double)w->par.low_z};
    const double span[3] = {(double)w->par.span_x, (double)w->par.span_y, (double)w->par.span_z},
                 edge = 1e-3 * (double)w->par.spacing;
    long kept = from;
    for (long i = from; i < count; i++) {
        bool inside = true;
        for (int a = 0; a < 3; a++)
            inside = inside &&
                     (!(span[a] > 0.0) || (x[3 * i + a] > low[a] - edge && x[3 * i + a] < low[a] + span[a] - edge));
        if (inside) memmove(&x[3 * kept++], &x[3 * i], 3 * sizeof *x);
    }
    return kept;
}

/* Normals of the points of a wall from `from` on. Only where they are needed: a tree of triangles is slow to build. */
static mn_status add_normals(const mn_shape *solid, double spacing, const mn_points *points, mn_points *normals,
                             bool wanted)
{
    mn_status status = MN_OK;
    while (normals->count < points->count && status == MN_OK) {
        double n[3] = {0, 0, 0};
        if (wanted) mn_shape_normal(solid, points->x + 3 * normals->count, 0.25 * spacing, n);
        status = mn_points_add(normals, n);
    }
    return status;
}

static mn_status sample_wall(mn_world *w, int k, mn_points *all, mn_points *normals, mn_messages *say)
{
    const mn_wall *wall = &w->scene->walls[k];
    const long before = all->count;
    mn_status status = MN_OK;
    if (wall->method == MN_WALL_MAPS) return MN_OK;
    for (int n = 0; n < wall->shape_count && status == MN_OK; n++) {
        mn_shape *solid = mn_shape_new(&wall->shapes[n], say);
        status = solid ? mn_sample_surface(solid, &wall->shapes[n], wall->spacing, 1 + k, all, say) : MN_BAD_INPUT;
        if (status == MN_OK) status = add_normals(solid, wall->spacing, all, normals, listens(w->scene, k));
        mn_shape_free(solid);
    }
    if (!moves(w->scene, k)) normals->count = all->count = drop_doubles(w, all->x, before, all->count);
    return status;
}

/* The shares of all points of one wall or body whose contact angle differs from place to place. */
static mn_status share_out(mn_world *w, int object, const mn_pattern *pattern, mn_place at, mn_messages *say)
{
    mn_boundary *p = mn_boundary_of(w);
    mn_painter painter;
    if (!mn_pattern_is_given(pattern) || !p->count) return MN_OK;
    if (!p->share && !(p->share = calloc((size_t)p->count, sizeof *p->share))) {
        mn_say_failure(say, at, "out of memory for a contact pattern");
        return MN_FAILED;
    }
    if (!mn_painter_new(w->scene, object, pattern, at, &painter, say))
        return mn_messages_errors(say) ? MN_BAD_INPUT : MN_FAILED;
    for (int i = 0; i < p->count; i++)
        if (p->wall[i] == object) p->share[i] = (float)mn_painter_at(&painter, &p->rest[3 * i]);
    mn_painter_free(&painter);
    return MN_OK;
}

static mn_status share_all(mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_status status = MN_OK;
    for (int k = 0; k < s->wall_count && status == MN_OK; k++)
        status = share_out(w, k, &s->walls[k].contact.pattern.pattern, s->walls[k].at, say);
    for (int k = 0; k < s->body_count && status == MN_OK; k++)
        status = share_out(w, s->wall_count + k, &s->bodies[k].contact.pattern.pattern, s->bodies[k].at, say);
    return status;
}

/* What stands in vel.w of a point: the index of its object, and half of its share behind the point. */
static float mark_of(const mn_boundary *p, int i) { return (float)p->wall[i] + (p->share ? 0.5f * p->share[i] : 0.0f); }

static void set_constants(mn_world *w)
{
    const mn_scene *s = w->scene;
    boundary_params *b = &w->par.boundary;
    b->count = s->wall_count + s->body_count + s->solid_count;
    b->weight = (float)s->wall_weight;
    b->near = (float)(0.6 * w->support.near);
    b->along = (float)w->support.along;
    b->most = (float)(0.4 * w->support.behind);
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_boundary *p = me;
    mn_points all = {0}, normals = {0};
    mn_status status = mn_boundary_fits_periods(w, say) ? MN_OK : MN_BAD_INPUT;
    set_constants(w);
    const int solids = s->wall_count + s->body_count, objects = solids + s->solid_count;
    long *end = calloc((size_t)objects + 1, sizeof *end);
    if (!end) return MN_FAILED;
    for (int k = 0; k < objects && status == MN_OK; k++) {
        const int body = k - s->wall_count;
        if (body < 0) status = sample_wall(w, k, &all, &normals, say);
        else if (k < solids)
            status = mn_rigid_shape_sample(mn_rigid_shape_of(mn_rigid_of(w), body), &s->bodies[body], 1 + k, &all,
                                           &normals, say);
        else status = mn_soft_sample(mn_soft_of(w), k - solids, &all, &normals);
        end[k] = all.count;
    }
    if (status == MN_OK && (double)all.count > MN_MOST_WALL_PARTICLES) {
        mn_say_error(say, MN_NOWHERE, "%ld boundary points are too many (at most %g); use a larger spacing", all.count,
                     MN_MOST_WALL_PARTICLES);
        status = MN_BAD_INPUT;
    }
    if (status == MN_OK && all.count > 0) {
        p->count = (int)all.count;
        p->rest = all.x, p->normal = normals.x;
        all.x = normals.x = NULL;
        p->volume = malloc((size_t)p->count * sizeof *p->volume);
        p->wall = malloc((size_t)p->count * sizeof *p->wall);
        status = p->volume && p->wall ? MN_OK : MN_FAILED;
        for (int i = 0, k = 0; i < p->count && status == MN_OK; i++) {
            while (i >= end[k]) k++;
            p->wall[i] = k;
        }
        if (status == MN_OK) status = share_all(w, say);
        if (status == MN_OK) status = measure_volumes(w) && mn_boundary_sort(w) ? MN_OK : MN_FAILED;
        if (status == MN_FAILED && !mn_messages_errors(say))
            mn_say_failure(say, MN_NOWHERE, "out of memory for %d boundary points", p->count);
    }
    mn_points_free(&all);
    mn_points_free(&normals);
    free(end);
    return status;
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
        if (listens(w->scene, p->wall[i])) continue;
        double x[3], copy[27][3];
        memcpy(x, &p->rest[3 * i], sizeof x);
        wrap(w, x);
        const int copies = copies_of(w, x, copy);
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

/* The points of one wall in motion, body or solid: entries first to end of the bodies, and what holds for all of
 * them at this time. */
typedef struct placed {
    int object, first, end;
    mn_pose pose;
    double drag;
} placed;

static placed next_placed(const mn_world *w, int first)
{
    const mn_boundary *p = mn_boundary_of(w);
    const mn_scene *s = w->scene;
    placed o = {.object = p->wall[p->owner[first]], .first = first, .end = first};
    while (o.end < p->active && p->wall[p->owner[o.end]] == o.object) o.end++;
    const int body = o.object - s->wall_count, solid = body - s->body_count;
    if (p->face && body >= 0) mn_curve_at(solid < 0 ? &s->bodies[body].drag : &s->solids[solid].drag, w->time, &o.drag);
    if (solid < 0)
        o.pose = body < 0 ? mn_motion_at(&s->walls[o.object].motion, w->time) : mn_rigid_pose(mn_rigid_of(w), body);
    return o;
}

/* Entry b of it; x: where, wrapped into the periodic box. */
static void place_point(mn_world *w, const placed *o, int b, double x[3])
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
    wrap(w, x);
    p->vel[p->resting + b] = entry_at(v, mark_of(p, i));
    p->pos[p->resting + b] = entry_at(x, (float)volume);
}

static void place_copies(mn_world *w, int b, const double x[3])
{
    mn_boundary *p = mn_boundary_of(w);
    real4 *pos = p->pos + p->resting, *vel = p->vel + p->resting;
    double copy[27][3];
    const int copies = copies_of(w, x, copy);
    for (int c = 0; c < copies && p->copies < p->copy_room; c++) {
        if (memcmp(copy[c], x, 3 * sizeof *x) == 0) continue;
        p->copy_of[p->copies] = b;
        const int at = p->active + p->copies++;
        pos[at] = entry_at(copy[c], pos[b].w);
        vel[at] = vel[b];
    }
}

/* The bodies where they are at this time, wrapped into the periodic box, and their copies; driven walls too if
 * `all`. */
static void place_bodies(mn_world *w, bool all)
{
    mn_boundary *p = mn_boundary_of(w);
    p->copies = 0;
    for (int b = 0; b < p->active;) {
        const placed o = next_placed(w, b);
        b = o.end;
        if (!all && is_driven(w, o.object)) continue;
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
    if (!p->owner) return false;
    for (int k = 0; k < w->scene->wall_count; k++) p->driven[k] = w->scene->walls[k].motion.moving;
    for (int i = 0; i < p->count; i++)
        if (listens(w->scene, p->wall[i])) p->owner[p->active++] = i;
    for (p->without_lists = 0; p->without_lists < p->active && !w->scene->substance_count &&
                               p->wall[p->owner[p->without_lists]] < w->scene->wall_count;)
        p->without_lists++;
    free(p->facing);
    p->facing = calloc((size_t)p->active + 1, sizeof *p->facing);
    if (!p->facing) return false;
    p->copy_room = (most_copies(w) - 1) * p->active;
    free(p->copy_of);
    p->copy_of = malloc(((size_t)p->copy_room + 1) * sizeof *p->copy_of);
    if (!p->copy_of) return false;
    if (!place_resting(w)) return false;
    place_bodies(w, true);
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

static bool put_bodies(mn_world *w, const mn_boundary *p)
{
    w->layout.point_copies = p->copies;
    return put_copy_sources(w) && put_entries(w, w->layout.active_at, p->resting, p->active + p->copies);
}

/* kernels/wall_motion.h: where the points of driven walls are at rest. */
static bool put_rest(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    real4 *rest = malloc(((size_t)p->active + 1) * sizeof *rest);
    for (int b = 0; b < p->active && rest; b++) {
        const int i = p->owner[b];
        static const double none[3] = {0};
        const double *from = is_driven(w, p->wall[i]) ? w->scene->walls[p->wall[i]].motion.centre : none;
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

/* The largest speed of a driven wall's points, which are in a row: |v + omega x r| in the frame in which they rest. */
static double fastest_driven(const mn_boundary *p, const placed *o)
{
    const double *r = o->pose.rotation, *from = o->pose.origin, *rest = &p->rest[3 * p->owner[o->first]];
    const long count = o->end - o->first;
    double v[3], s[3], most = 0.0;
    for (int a = 0; a < 3; a++) {
        v[a] = r[a] * o->pose.velocity[0] + r[3 + a] * o->pose.velocity[1] + r[6 + a] * o->pose.velocity[2];
        s[a] = r[a] * o->pose.spin[0] + r[3 + a] * o->pose.spin[1] + r[6 + a] * o->pose.spin[2];
    }
#pragma omp parallel for simd schedule(static) reduction(max : most) if (count > 65536)
    for (long k = 0; k < count; k++) {
        const double x = rest[3 * k] - from[0], y = rest[3 * k + 1] - from[1], z = rest[3 * k + 2] - from[2];
        const double a = v[0] + s[1] * z - s[2] * y, b = v[1] + s[2] * x - s[0] * z, c = v[2] + s[0] * y - s[1] * x;
        const double speed2 = a * a + b * b + c * c;
        most = speed2 > most ? speed2 : most;
    }
    return sqrt(most);
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

/* Brings the bodies to their places at this time, on the device too. */
static bool send_bodies(mn_world *w, mn_boundary *p)
{
    real4 rows[6 * MN_OBJECTS];
    placed driven[MN_OBJECTS];
    int count = 0;
    place_bodies(w, false);
    p->fastest = 0.0;
    for (int a = 0; a < 3; a++) p->low[a] = 1e30f, p->high[a] = -1e30f;
    bool ok = put_copy_sources(w);
    for (int b = 0, put = 0; b < p->active && ok;) {
        const placed o = next_placed(w, b);
        b = o.end;
        if (is_driven(w, o.object)) {
            const placed jolt = {o.object, o.first, o.end, mn_motion_jolt(&w->scene->walls[o.object].motion, w->time),
                                 0.0};
            p->fastest = fmax(p->fastest, fmax(fastest_driven(p, &o), fastest_driven(p, &jolt)));
            pose_rows(&o.pose, &rows[6 * count]);
            driven[count++] = o;
            put = b;
        } else note_placed(p, o.first, o.end);
        if (b == p->active ||
            is_driven(w, p->wall[p->owner[b]])) { /* what stands side by side goes in one piece, copies with the last */
            const int end = b == p->active ? b + p->copies : b;
            ok = put_entries(w, w->layout.active_at + put, p->resting + put, end - put);
        }
    }
    w->layout.point_copies = p->copies;
    if (!count || !ok) return ok;
    ok = (p->rest_sent || put_rest(w)) && mn_world_table(w, MN_FIELD_wall_pose, rows, 6 * (size_t)count * sizeof *rows);
    for (int k = 0; k < count && ok; k++)
        mn_run_some(w, MN_KERNEL_wall_motion, w->layout.active_at + driven[k].first,
                    w->layout.active_at + driven[k].end,
                    (real4){(float)(driven[k].first % 65536), (float)(driven[k].first / 65536), (float)k, 0.0f});
    return ok && !w->failed;
}

static void place(mn_world *w, void *me)
{
    mn_boundary *p = me;
    if (!p->active) return;
    if (!send_bodies(w, p)) w->failed = true;
    for (int a = 0; a < 3; a++) w->points.low[a] = p->low[a], w->points.high[a] = p->high[a];
    w->points.see_points = p->face != NULL; /* drag on bodies asks which points stand before others */
}

/* All points, after memory has moved. */
static void send_all(mn_world *w, void *me)
{
    mn_boundary *p = me;
    w->layout.resting_version = p->version;
    if (!put_entries(w, w->layout.resting_at, 0, p->resting) || !put_bodies(w, p)) w->failed = true;
}

bool mn_boundary_forces(mn_world *w, double (*force)[3])
{
    const mn_boundary *p = mn_boundary_of(w);
    const int n = p->active;
    memset(force, 0, (size_t)n * sizeof *force);
    if (n == p->without_lists || !w->field[MN_FIELD_wall_force] || !w->field[MN_FIELD_wall_impulse]) return true;
    real4 *steady = malloc((size_t)n * sizeof *steady), *impulse = malloc((size_t)n * sizeof *impulse);
    const size_t at = (size_t)w->layout.active_at * sizeof *steady, bytes = (size_t)n * sizeof *steady;
    const bool ok = steady && impulse && w->api->get(w->device, w->field[MN_FIELD_wall_force], at, steady, bytes) &&
                    w->api->get(w->device, w->field[MN_FIELD_wall_impulse], at, impulse, bytes);
    for (int b = p->without_lists; b < n && ok; b++) {
        const double rate = w->dt > 0.0 ? 1.0 / w->dt : 0.0;
        force[b][0] = (double)steady[b].x + rate * (double)impulse[b].x;
        force[b][1] = (double)steady[b].y + rate * (double)impulse[b].y;
        force[b][2] = (double)steady[b].z + rate * (double)impulse[b].z;
    }
    free(steady), free(impulse);
    return ok;
}

static void release(mn_world *w, void *me)
{
    mn_boundary *p = me;
    if (w->device) w->api->release(w->device, p->copy_source);
    free(p->rest), free(p->normal), free(p->face), free(p->facing), free(p->copy_of), free(p->volume), free(p->share),
        free(p->wall), free(p->owner), free(p->pos), free(p->vel);
}

mn_status mn_world_walls(mn_world *w, float *positions, int *wall, mn_messages *say)
{
    (void)say;
    const mn_boundary *p = mn_boundary_of(w);
    const int count = p->resting + p->active;
    if (p->active) place_bodies(w, true);
    for (int i = 0; i < count; i++) {
        positions[3 * i] = p->pos[i].x, positions[3 * i + 1] = p->pos[i].y, positions[3 * i + 2] = p->pos[i].z;
        wall[i] = (int)p->vel[i].w;
    }
    mn_maps_surface(w, positions + 3 * count, wall + count);
    return MN_OK;
}

int64_t mn_world_wall_particles(const mn_world *w)
{
    const mn_boundary *p = mn_boundary_of(w);
    return p->resting + p->active + mn_maps_of(w)->surface_count;
}

/* -- moments of the step ------------------------------------------------------------------------------------------- */

static float value_at(const mn_curve *curve, double time)
{
    double v;
    mn_curve_at(curve, time, &v);
    return (float)v;
}

/* What a wall, body or solid is to the liquid at this moment. */
static void touch(mn_world *w, int k, const mn_curve *friction, const mn_curve *adhesion)
{
    w->par.boundary.friction[k] = value_at(friction, w->time);
    w->par.boundary.adhesion[k] = value_at(adhesion, w->time);
}

/* A wall that stood still has begun to move (or an earlier state was read, in which it stands): its points change their
 * kind. They keep their volumes, so that nothing is pushed by the change itself. */
static bool sort_anew(mn_world *w, const mn_boundary *p)
{
    bool same = true;
    for (int k = 0; k < w->scene->wall_count; k++) same = same && p->driven[k] == w->scene->walls[k].motion.moving;
    if (same || !p->count) return true;
    w->listed = false;
    return mn_boundary_sort(w) && mn_world_reserve(w, w->capacity, w->copy_room);
}

static void parameters(mn_world *w, void *me)
{
    const mn_scene *s = w->scene;
    int at = 0;
    if (!sort_anew(w, me)) w->failed = true;
    for (int k = 0; k < s->wall_count; k++) touch(w, at++, &s->walls[k].friction, &s->walls[k].adhesion);
    for (int k = 0; k < s->body_count; k++) touch(w, at++, &s->bodies[k].friction, &s->bodies[k].adhesion);
    for (int k = 0; k < s->solid_count; k++) touch(w, at++, &s->solids[k].friction, &s->solids[k].adhesion);
}

static void begin(mn_world *w, void *me)
{
    (void)me;
    mn_run_active(w, MN_KERNEL_walls_begin, MN_NO_ARG);
}

static void contact(mn_world *w, void *me)
{
    (void)me;
    const int felt = w->layout.active > w->layout.without_lists;
    if (w->layout.resting + w->layout.active + w->layout.map_slots) mn_run(w, MN_KERNEL_wall_contact, MN_ARG(felt));
    mn_run_active(w, MN_KERNEL_wall_contact_on_boundary, MN_NO_ARG);
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
    const mn_boundary *p = me;
    for (int a = 0; a < 3 && p->resting; a++)
        low[a] = fmin(low[a], p->still_low[a]), high[a] = fmax(high[a], p->still_high[a]);
    for (int a = 0; a < 3 && p->low[0] <= p->high[0] && p->active; a++)
        low[a] = fmin(low[a], (double)p->low[a]), high[a] = fmax(high[a], (double)p->high[a]);
    for (int b = 0; b < p->active;) {
        const placed o = next_placed(w, b);
        b = o.end;
        if (!is_driven(w, o.object)) continue;
        double reach = 0.0;
        for (int k = o.first; k < o.end; k++) reach = fmax(reach, distance3(&p->rest[3 * p->owner[k]], o.pose.origin));
        for (int a = 0; a < 3; a++)
            low[a] = fmin(low[a], o.pose.at[a] - reach), high[a] = fmax(high[a], o.pose.at[a] + reach);
    }
}

const mn_system mn_boundary_system = {.key = "boundary",
                                      .bytes = sizeof(mn_boundary),
                                      .make = make,
                                      .free = release,
                                      .at = {[MN_AT_parameters] = parameters,
                                             [MN_AT_reserved] = send_all,
                                             [MN_AT_place] = place,
                                             [MN_AT_density] = begin,
                                             [MN_AT_contact] = contact},
                                      .collect = mn_boundary_collect,
                                      .stop = stop,
                                      .fastest = fastest,
                                      .extent = extent};
