/* sample.c -- boundary points on the surfaces of walls, bodies and solids at the start, and their volumes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_spline.h"
#include "boundary/point_cells.h"
#include "boundary/pattern.h"
#include "boundary/points.h"
#include "core/parts.h"
#include "core/world.h"
#include "rigid/rigid.h"
#include "soft/soft.h"

static bool same_object(const mn_scene *s, int a, int b)
{
    return a == b || (!mn_boundary_moves(s, a) && !mn_boundary_moves(s, b));
}

/* V_b of all points. */
static bool measure_volumes(mn_world *w)
{
    mn_boundary *p = mn_boundary_of(w);
    const float inv_h = w->par.inv_h;
    const double h = (double)w->par.h, part = w->support.wall,
                 span[3] = {(double)w->par.span_x, (double)w->par.span_y, (double)w->par.span_z};
    const int most = p->count * mn_boundary_most_copies(w);
    keyed *list = malloc(((size_t)most + 1) * sizeof *list);
    if (!list) return false;
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        double x[3], copy[27][3];
        memcpy(x, &p->rest[3 * i], sizeof x);
        mn_boundary_wrap(w, x);
        const int copies = mn_boundary_copies_of(w, x, copy);
        for (int c = 0; c < copies && count < most; c++) list[count++] = (keyed){key_of(copy[c], inv_h), i};
    }
    qsort(list, (size_t)count, sizeof *list, by_key);
#pragma omp parallel for schedule(dynamic, 256)
    for (int i = 0; i < p->count; i++) {
        double x[3], sum = 0.0;
        memcpy(x, &p->rest[3 * i], sizeof x);
        mn_boundary_wrap(w, x);
        int64_t c[3];
        cell_of(x, inv_h, c);
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++) {
                const int from = lower(list, count, key_of_cell(c[0] - 1, c[1] + dy, c[2] + dz));
                const int64_t last = key_of_cell(c[0] + 1, c[1] + dy, c[2] + dz);
                for (int k = from; k < count && list[k].key <= last; k++) {
                    const int j = (int)list[k].at;
                    if (!same_object(w->scene, p->object[i], p->object[j])) continue;
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
static mn_status add_normals(const mn_shape *shape, double spacing, const mn_points *points, mn_points *normals,
                             bool wanted)
{
    mn_status status = MN_OK;
    while (normals->count < points->count && status == MN_OK) {
        double n[3] = {0, 0, 0};
        if (wanted) mn_shape_normal(shape, points->x + 3 * normals->count, 0.25 * spacing, n);
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
        mn_shape *shape = mn_shape_new(&wall->shapes[n], say);
        status = shape ? mn_sample_surface(shape, &wall->shapes[n], wall->spacing, 1 + k, all, say) : MN_BAD_INPUT;
        if (status == MN_OK) status = add_normals(shape, wall->spacing, all, normals, mn_boundary_listens(w->scene, k));
        mn_shape_free(shape);
    }
    if (!mn_boundary_moves(w->scene, k)) normals->count = all->count = drop_doubles(w, all->x, before, all->count);
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
        if (p->object[i] == object) p->share[i] = (float)mn_painter_at(&painter, &p->rest[3 * i]);
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

/* Whether the search has cells for all points: those beyond would share a few, and all be neighbours. */
static bool are_near(const mn_world *w, const mn_points *all, const long *end, mn_messages *say)
{
    const mn_scene *s = w->scene;
    const double far = (double)mn_farthest(w->par.inv_h);
    for (long i = 0; i < all->count; i++) {
        const double *x = all->x + 3 * i;
        if (fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))) < far) continue;
        int k = 0;
        while (i >= end[k]) k++;
        const int body = k - s->wall_count, solid = body - s->body_count;
        mn_say_error(say,
                     body < 0    ? s->walls[k].at
                     : solid < 0 ? s->bodies[body].at
                                 : s->solids[solid].at,
                     "%s '%s' reaches (%g, %g, %g); expected within %g m of the origin: farther away single precision "
                     "cannot resolve the spacing",
                     body < 0    ? "wall"
                     : solid < 0 ? "body"
                                 : "solid",
                     body < 0    ? s->walls[k].name
                     : solid < 0 ? s->bodies[body].name
                                 : s->solids[solid].name,
                     x[0], x[1], x[2], far);
        return false;
    }
    return true;
}

mn_status mn_boundary_make(mn_world *w, void *me, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_boundary *p = me;
    mn_points all = {0}, normals = {0};
    mn_status status = mn_boundary_fits_periods(w, say) ? MN_OK : MN_BAD_INPUT;
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
    if (status == MN_OK && (double)all.count > MN_MOST_BOUNDARY_POINTS) {
        mn_say_error(say, MN_NOWHERE, "%ld boundary points are too many (at most %g); use a larger spacing", all.count,
                     MN_MOST_BOUNDARY_POINTS);
        status = MN_BAD_INPUT;
    }
    if (status == MN_OK && !are_near(w, &all, end, say)) status = MN_BAD_INPUT;
    if (status == MN_OK && all.count > 0) {
        p->count = (int)all.count;
        p->rest = all.x, p->normal = normals.x;
        all.x = normals.x = NULL;
        p->volume = malloc((size_t)p->count * sizeof *p->volume);
        p->object = malloc((size_t)p->count * sizeof *p->object);
        status = p->volume && p->object ? MN_OK : MN_FAILED;
        for (int i = 0, k = 0; i < p->count && status == MN_OK; i++) {
            while (i >= end[k]) k++;
            p->object[i] = k;
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
