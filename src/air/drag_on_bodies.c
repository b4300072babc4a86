/* drag_on_bodies.c -- drag of the air on rigid bodies, point by point (kernels/air/gissler2017.h).
 *
 * A point stands for the area min(b^2, 0.7/(d sum W)), b the spacing of the body's points, d that of the fluid, the
 * sum over the points of the same face of the body (normals less than 60 degrees apart) with itself: b^2 on an even
 * face, less where points lie closer. With b = d it is the paper's min(1, 0.7 psi/d^3) d^2, where psi is taken over
 * all sides, so that thin bodies have too little area.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "air/air.h"
#include "base/host_spline.h"
#include "boundary/points.h"
#include "rigid/rigid.h"
#include "base/exact.h"
#include "geometry/near.h"
#include "core/clock.h"
#include "core/world.h"

static bool feels(const mn_scene *s, int object)
{
    const int body = object - s->wall_count, solid = body - s->body_count;
    if (body < 0) return false;
    const mn_curve *drag = solid < 0 ? &s->bodies[body].drag : &s->solids[solid].drag;
    for (int k = 0; k < drag->count; k++)
        if (drag->value[k] > 0.0) return true;
    return false;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* What a point of a free body carries of its mass: bounds the force on it in one step. */
static void share_masses(mn_world *w)
{
    const int walls = w->scene->wall_count;
    memset(w->par.boundary.point_mass, 0, sizeof w->par.boundary.point_mass);
    for (int i = 0; i < mn_boundary_of(w)->count; i++) w->par.boundary.point_mass[mn_boundary_of(w)->object[i]] += 1.0f;
    for (int k = 0; k < w->scene->solid_count; k++)
        w->par.boundary.point_mass[walls + w->scene->body_count + k] =
            (float)(w->scene->solids[k].density * mn_power(w->scene->solids[k].spacing, 3));
    for (int k = 0; k < walls + w->scene->body_count; k++) {
        const bool moved =
            k >= walls && mn_rigid_is_free(mn_rigid_of(w), k - walls) && w->par.boundary.point_mass[k] > 0.0f;
        w->par.boundary.point_mass[k] =
            moved ? (float)(mn_rigid_shape_of(mn_rigid_of(w), k - walls)->mass / (double)w->par.boundary.point_mass[k])
                  : 0.0f;
    }
}

/* What areas and masses of points follow from; 0: none of them feels drag. */
static uint64_t felt_by(const mn_world *w)
{
    const mn_scene *s = w->scene;
    uint64_t felt = 0;
    for (int k = 0; k < s->body_count + s->solid_count; k++) {
        if (!feels(s, s->wall_count + k)) continue;
        const double mass =
            k < s->body_count ? mn_rigid_shape_of(mn_rigid_of(w), k)->mass : s->solids[k - s->body_count].density;
        felt = mn_hash(mn_hash(felt + 1, &k, sizeof k), &mass, sizeof mass);
    }
    return felt;
}

bool mn_air_faces(mn_world *w, mn_air_field *air)
{
    const mn_scene *s = w->scene;
    mn_boundary *p = mn_boundary_of(w);
    const uint64_t felt = felt_by(w), before = air->felt;
    air->felt = felt;
    if (felt == before || !p->normal) return true;
    free(p->face);
    p->face = NULL;
    if (!felt) return true;
    p->face = calloc((size_t)p->count + 1, sizeof *p->face);
    const mn_points points = {p->rest, p->count, p->count};
    const double d = s->spacing, h = s->support * d, w0 = mn_spline_peak(h), layer = 0.7 * w->support.layer;
    near_grid grid = {0};
    bool ok = p->face && near_new(&grid, &points, h, p->count) == MN_OK;
    for (int i = 0; i < p->count && ok; i++)
        if (feels(s, p->object[i])) ok = near_add(&grid, i) == MN_OK;
    for (int i = 0; i < p->count && ok; i++) {
        if (!feels(s, p->object[i])) continue;
        const int solid = p->object[i] - s->wall_count - s->body_count;
        if (solid >= 0) { /* no normal: what lies behind others feels nothing */
            p->face[i] = (float)(-s->solids[solid].spacing * s->solids[solid].spacing);
            continue;
        }
        enum { MOST = 4096 };
        int found[MOST];
        const double *n = &p->normal[3 * i], length = sqrt(dot(n, n)),
                     b = s->bodies[p->object[i] - s->wall_count].spacing;
        const int count = near_list(&grid, &p->rest[3 * i], h, found, MOST);
        double sum = 0.0;
        for (int k = 0; k < count; k++) {
            const int j = found[k];
            const double *m = &p->normal[3 * j], *x = &p->rest[3 * i], *y = &p->rest[3 * j];
            const double apart[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
            if (p->object[j] == p->object[i] && dot(n, m) >= 0.5 * length * sqrt(dot(m, m)))
                sum += w0 * mn_spline_shape(sqrt(dot(apart, apart)) / h);
        }
        p->face[i] = (float)((length > 1.5 ? -1.0 : 1.0) * fmin(b * b, sum > 0.0 ? layer / (d * sum) : b * b));
    }
    near_free(&grid);
    share_masses(w);
    return ok;
}

void mn_air_on_bodies(mn_world *w, void *me)
{
    (void)me;
    if (!mn_boundary_of(w)->face || w->failed) return;
    mn_buffer *face = mn_world_field(w, MN_FIELD_wall_face);
    const size_t at = (size_t)w->layout.active_at * sizeof(real4),
                 bytes = (size_t)mn_boundary_of(w)->active * sizeof(real4);
    w->failed = !face || !w->api->put(w->device, face, at, mn_boundary_of(w)->facing, bytes);
    mn_run_active(w, MN_KERNEL_gissler2017_on_bodies, MN_ARG(mn_longest_step(w)));
}
