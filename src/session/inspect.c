/* inspect.c -- what is doubtful about a world before its first step: particles that overlap, start inside or too
 * close to walls, and a fixed time step far beyond what the CFL condition and the models bear. Warnings only: some
 * scenes want exactly that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "air/air.h"
#include "base/host_spline.h"
#include "boundary/clearance.h"
#include "boundary/maps.h"
#include "boundary/points.h"
#include "core/clock.h"
#include "core/parts.h"
#include "core/world.h"
#include "geometry/geometry.h"
#include "geometry/near.h"
#include "geometry/vectors.h"
#include "inflow/inflow.h"
#include "io/vti.h"
#include "methods/methods.h"
#include "rigid/rigid.h"
#include "scene/motion.h"
#include "session/inspect.h"
#include "soft/soft.h"

/* Nearer to a wall of particles than this, in spacings, the first step throws a block that fits between two walls
 * apart. */
static const double CLOSE_TO_WALLS = 0.8;
/* Of boundary points in the density, 0.59 spacings from a flat layer: nearer the contact does not let it
 * (kernels/boundary/wall_stop.h). */
static const double CLOSEST_SHARE = 0.6;

/* Points of the device as a grid to search. */
typedef struct near_set {
    mn_points points;
    near_grid grid;
} near_set;

static void near_set_free(near_set *s)
{
    near_free(&s->grid);
    mn_points_free(&s->points);
}

static bool near_set_new(near_set *s, const real4 *x, int n, double cell)
{
    *s = (near_set){0};
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        const double p[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        ok = mn_points_add(&s->points, p) == MN_OK;
    }
    ok = ok && near_new(&s->grid, &s->points, cell, n) == MN_OK;
    for (long k = 0; k < n && ok; k++) ok = near_add(&s->grid, k) == MN_OK;
    if (!ok) near_set_free(s);
    return ok;
}

long mn_inspect_near(const real4 *a, int n, const real4 *b, int m, double near, int *example)
{
    near_set set;
    long count = 0;
    if (n <= 0 || m <= 0 || !near_set_new(&set, b, m, near)) return 0;
    for (int i = 0; i < n; i++) {
        const double x[3] = {(double)a[i].x, (double)a[i].y, (double)a[i].z};
        int found[2];
        if (near_list(&set.grid, x, near, found, 2) > (a == b) && !count++) *example = i;
    }
    near_set_free(&set);
    return count;
}

static float *part_of(real4 *x, int axis) { return axis == 0 ? &x->x : axis == 1 ? &x->y : &x->z; }

/* The places within the period, then copies of those that are nearer to a periodic face than `near`; how many. 0: out
 * of memory. */
static int wrapped(const mn_scene *s, const real4 *pos, int n, double near, real4 **out)
{
    size_t room = (size_t)n + (size_t)n / 2 + 64, count = (size_t)n;
    real4 *all = malloc(room * sizeof *all);
    if (all) memcpy(all, pos, count * sizeof *all);
    for (int a = 0; a < 3 && all; a++) {
        const double low = s->low[a], period = s->high[a] - low;
        const size_t before = count;
        for (size_t i = 0; i < before && all && s->periodic[a]; i++) {
            float *x = part_of(&all[i], a);
            *x = (float)((double)*x - period * floor(((double)*x - low) / period));
            const double from = (double)*x - low, shift = from < near ? period : from > period - near ? -period : 0;
            if (shift == 0) continue;
            if (count == room) {
                real4 *more = realloc(all, (room *= 2) * sizeof *all);
                if (!more) free(all);
                all = more;
            }
            if (all) all[count] = all[i], *part_of(&all[count++], a) += (float)shift;
        }
    }
    *out = all;
    return all ? (int)count : 0;
}

/* How many of the particles are nearer to another than `near`, across periodic faces too. */
static long too_near_another(const mn_world *w, const real4 *pos, int n, double near, int *example)
{
    if (!w->periodic) return mn_inspect_near(pos, n, pos, n, near, example);
    real4 *all = NULL;
    const int count = wrapped(w->scene, pos, n, near, &all);
    const long found = count ? mn_inspect_near(all, n, all, count, near, example) : 0;
    free(all);
    return found;
}

static void note(doubt *d, int i, const char *wall, double gap)
{
    if (!d->count++ || gap < d->gap - 1e-5 * fabs(d->gap)) d->example = i, d->wall = wall, d->gap = gap;
}

void mn_inspect_walls(const mn_clearance *c, const real4 *pos, int n, double near, doubt *inside, doubt *close)
{
    for (int i = 0; i < n; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        const mn_standing s = mn_clearance_at(c, x, near);
        if (s.gap < near) note(close, i, s.near, s.gap);
        if (mn_clearance_is_inside(c, x, &s)) note(inside, i, s.within ? s.within : mn_clearance_container(c), 0.0);
    }
}

/* Those so near to a volume map that it will push them out. */
static void against_maps(const mn_world *w, const real4 *pos, int n, double near, doubt *close)
{
    for (int i = 0; i < n && mn_maps_of(w)->count; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z}, gap = mn_maps_distance(w, x);
        if (gap < near) note(close, i, NULL, gap);
    }
}

static const char *object_name(const mn_scene *s, int object)
{
    if (object < s->wall_count) return s->walls[object].name;
    object -= s->wall_count;
    return object < s->body_count ? s->bodies[object].name : s->solids[object - s->body_count].name;
}

/* Those so near to the particles of bodies and solids that the first step throws both apart: the nearest one, or the
 * share of them in the density, which is that at CLOSEST spacings from a flat surface. Bodies thinner than a
 * spacing, or sampled finely, have their particles close below their surface. */
static void against_bodies(const mn_world *w, const real4 *pos, int n, doubt *bodies, doubt *solids)
{
    const mn_scene *s = w->scene;
    const mn_boundary *p = mn_boundary_of(w);
    const real4 *body = p->pos + p->resting;
    const double d = s->spacing, h = (double)w->par.h;
    const int m = p->active + p->copies;
    near_set near;
    if (!m || !near_set_new(&near, body, m, h)) return;
    for (int i = 0; i < n; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        int found[512], object = 0;
        const int count = near_list(&near.grid, x, h, found, 512);
        double least = INFINITY, share = 0.0;
        for (int k = 0; k < count; k++) {
            const real4 b = body[found[k]];
            const double r = sqrt(pow(x[0] - (double)b.x, 2) + pow(x[1] - (double)b.y, 2) + pow(x[2] - (double)b.z, 2));
            share += (double)b.w * mn_spline(r, h);
            if (r < least) least = r, object = (int)p->vel[p->resting + found[k]].w;
        }
        const bool wall = object < s->wall_count; /* one in motion: said with the others */
        if (!wall && (least < CLOSE_TO_WALLS * d || share > CLOSEST_SHARE))
            note(object < s->wall_count + s->body_count ? bodies : solids, i, object_name(s, object), least);
    }
    near_set_free(&near);
}

static double length_of(const double *v, int width)
{
    double sum = 0.0;
    for (int a = 0; a < width; a++) sum += v[a] * v[a];
    return sqrt(sum);
}

/* The largest length of a curve's values until `end`: it is linear between its keys. */
static double largest(const mn_curve *c, double end)
{
    double v[3], most;
    mn_curve_at(c, 0.0, v);
    most = length_of(v, c->width);
    mn_curve_at(c, end, v);
    most = fmax(most, length_of(v, c->width));
    for (int k = 0; k < c->count; k++)
        if (c->time[k] >= 0.0 && c->time[k] <= end)
            most = fmax(most, length_of(c->value + (long)k * c->width, c->width));
    return most;
}

static double fastest_shift(const mn_curve *c, double end)
{
    double most = 0.0, rate[3];
    for (int k = 0; k + 1 < c->count; k++) {
        if (c->time[k + 1] <= 0.0 || c->time[k] >= end) continue;
        mn_curve_rate(c, 0.5 * (c->time[k] + c->time[k + 1]), rate);
        most = fmax(most, length_of(rate, c->width));
    }
    return most;
}

/* The models' own limits, now and at every key of their parameters until the end. */
static double limit_of_models(mn_world *w)
{
    const double now = w->time;
    double limit = INFINITY;
    for (int f = -1; f < w->scene->fluid_count; f++)
        for (int m = 0; m < (f < 0 ? 1 : w->scene->fluids[f].model_count); m++) {
            const mn_model_use *use = f < 0 ? &w->scene->pressure : &w->scene->fluids[f].models[m];
            for (int p = 0; p < use->model->param_count; p++)
                for (int k = 0; k < use->params[p].count; k++) {
                    const double time = use->params[p].count > 1 ? use->params[p].time[k] : now;
                    if (time < 0.0 || time > w->scene->end) continue;
                    w->time = time;
                    mn_world_parameters(w);
                    limit = fmin(limit, mn_parts_limit(w));
                }
        }
    w->time = now;
    mn_world_parameters(w);
    return limit;
}

/* The time step that speeds, gravity and models allow, as far as the scene tells. */
static double stable_step(mn_world *w, const real4 *vel, int n)
{
    const mn_scene *s = w->scene;
    double speed = 0.0;
    for (int i = 0; i < n; i++)
        speed = fmax(speed, (double)(vel[i].x * vel[i].x + vel[i].y * vel[i].y + vel[i].z * vel[i].z));
    for (int k = 0; k < mn_boundary_of(w)->active; k++) {
        const real4 v = mn_boundary_of(w)->vel[mn_boundary_of(w)->resting + k];
        speed = fmax(speed, (double)(v.x * v.x + v.y * v.y + v.z * v.z));
    }
    speed = fmax(sqrt(speed), mn_maps_of(w)->fastest);
    for (int e = 0; e < mn_inflow_of(w)->emitter_count; e++)
        if (mn_inflow_of(w)->emitters[e].emitter->start < s->end)
            speed = fmax(speed, largest(&mn_inflow_of(w)->emitters[e].emitter->speed, s->end));
    for (int k = 0; k < s->wall_count; k++)
        if (s->walls[k].motion.moving)
            speed = fmax(speed, fastest_shift(&s->walls[k].motion.translation, s->end) -
                                    length_of(s->walls[k].motion.velocity, 3));
    const double pull = largest(&s->gravity, s->end);
    double limit = limit_of_models(w);
    if (speed > 0.0) limit = fmin(limit, s->spacing / speed);
    if (pull > 0.0) limit = fmin(limit, sqrt(s->spacing / pull));
    return limit;
}

/* Surfaces sampled so coarsely that liquid leaks between their points. */
static void coarse_walls(const mn_scene *s, mn_messages *say)
{
    for (int k = 0; k < s->wall_count + s->body_count; k++) {
        const bool wall = k < s->wall_count;
        const double spacing = wall ? s->walls[k].spacing : s->bodies[k - s->wall_count].spacing;
        if ((wall && s->walls[k].method != MN_WALL_SAMPLED) || spacing <= 1.25 * s->spacing) continue;
        mn_say_warning(say, wall ? s->walls[k].at : s->bodies[k - s->wall_count].at,
                       "the boundary points of '%s' are %.3g times as far apart as the particles of the liquid, which "
                       "will pass between them",
                       wall ? s->walls[k].name : s->bodies[k - s->wall_count].name, spacing / s->spacing);
    }
}

/* Points that are closer together lie closer below the surface (MN_BODY_INSET): the liquid stays farther from it, and
 * the body displaces more than its volume. */
static void fine_bodies(const mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    for (int k = 0; k < s->body_count; k++) {
        const mn_body *body = &s->bodies[k];
        const mn_rigid_shape *shape = mn_rigid_shape_of(mn_rigid_of(w), k);
        const double farther = MN_BODY_INSET * (s->spacing - body->spacing);
        mn_mesh skin;
        if (body->spacing > 0.9 * s->spacing || mn_rigid_shape_skin(shape, s->spacing, &skin, say) != MN_OK) continue;
        double area = 0.0;
        for (size_t t = 0; t < (size_t)skin.triangle_count; t++) {
            const double *x = skin.vertex + 3 * (size_t)skin.triangle[3 * t],
                         *y = skin.vertex + 3 * (size_t)skin.triangle[3 * t + 1],
                         *z = skin.vertex + 3 * (size_t)skin.triangle[3 * t + 2];
            double u[3], v[3], n[3];
            sub3(y, x, u), sub3(z, x, v), cross3(u, v, n);
            area += 0.5 * length3(n);
        }
        mn_mesh_free(&skin);
        mn_say_warning(say, body->at,
                       "the boundary points of '%s' are %g m apart, closer than the liquid's %g m: it displaces about "
                       "%.2g times its volume; expected a spacing as that of the liquid",
                       body->name, body->spacing, s->spacing, 1.0 + area * farther / shape->volume);
    }
}

/* Whether liquid starts near the plate on both of its sides. */
static bool is_between(const mn_shape *plate, const mn_shape_def *shape, const double normal[3], double reach,
                       const real4 *pos, int n)
{
    bool side[2] = {false, false};
    for (int i = 0; i < n && !(side[0] && side[1]); i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        if (mn_shape_distance(plate, x, reach) >= reach) continue;
        double along = 0;
        for (int a = 0; a < 3; a++) along += (x[a] - shape->translate[a]) * normal[a];
        side[along > 0] = true;
    }
    return side[0] && side[1];
}

/* Liquid reaches two spacings far, through a plate that is thinner: a warning where there is liquid on both sides, a
 * note where some may come. */
static void thin_walls(const mn_scene *s, const real4 *pos, int n, mn_messages *say)
{
    const double reach = 2.0 * s->spacing;
    for (int k = 0; k < s->wall_count; k++)
        for (int i = 0; i < s->walls[k].shape_count; i++) {
            const mn_shape_def *shape = &s->walls[k].shapes[i];
            double normal[3];
            if (shape->inside_out || (shape->kind != MN_BOX && shape->kind != MN_CYLINDER)) continue;
            mn_shape *made = mn_shape_new(shape, NULL);
            if (made && mn_shape_is_plate(made, (1 - 1e-9) * reach, normal)) {
                double thin = shape->kind == MN_CYLINDER ? shape->height * mn_shape_factor(shape, 1) : INFINITY;
                for (int a = 0; a < 3 && shape->kind == MN_BOX; a++)
                    thin = fmin(thin, shape->size[a] * mn_shape_factor(shape, a));
                const bool between = is_between(made, shape, normal, reach, pos, n);
                mn_say(say, between ? MN_WARNING : MN_NOTE, shape->at,
                       "'%s' has a plate of %.3g m, thinner than two spacings (%g m): %s", s->walls[k].name, thin,
                       reach, between ? "the liquid on both its sides will mix" : "liquid on both its sides would mix");
            }
            mn_shape_free(made);
        }
}

long mn_inspect_outside(const mn_world *w, const real4 *pos, int n, int *example)
{
    const float *low = w->par.keep_low, *high = w->par.keep_high;
    long count = 0;
    for (int i = 0; i < n; i++) {
        const bool in = pos[i].x >= low[0] && pos[i].x <= high[0] && pos[i].y >= low[1] && pos[i].y <= high[1] &&
                        pos[i].z >= low[2] && pos[i].z <= high[2];
        if (!in && !count++) *example = i;
    }
    return count;
}

/* A mesh is looked at once for each use. Paths that could not be found have been complained of, and are
 * still as they were written. */
typedef struct looked_at {
    const mn_shape_def **shapes;
    size_t count;
    mn_messages *say;
} looked_at;

static void look_at_mesh(void *user, const char *path, const mn_shape_def *shape)
{
    looked_at *l = user;
    if (!shape || path[0] != '/') return;
    for (size_t k = 0; k < l->count; k++)
        if (strcmp(l->shapes[k]->file, path) == 0 && l->shapes[k]->rim == shape->rim) return;
    const mn_shape_def **longer = realloc(l->shapes, (l->count + 1) * sizeof *longer);
    if (!longer) return;
    l->shapes = longer;
    l->shapes[l->count++] = shape;
    mn_mesh mesh;
    if (mn_mesh_read(path, &mesh, l->say) == MN_OK)
        (shape->rim ? mn_mesh_check_sheet : mn_mesh_check_watertight)(&mesh, shape->at, l->say);
    else mn_say_error(l->say, shape->at, "the mesh \"%s\" cannot be read", path);
    mn_mesh_free(&mesh);
}

void mn_scene_inspect_files(const mn_scene *scene, mn_messages *say)
{
    looked_at meshes = {.say = say};
    mn_scene_files(scene, look_at_mesh, &meshes);
    free(meshes.shapes);
    const mn_air_grid *g = &scene->air.grid;
    for (int k = -1; k < g->slice_count; k++) {
        const char *path = k < 0 ? g->file : g->slices[k].file;
        mn_vti grid;
        if (!path || path[0] != '/') continue;
        if (mn_vti_read(path, g->array, &grid, say) == MN_OK) mn_vti_free(&grid);
        else mn_say_error(say, k < 0 ? g->at : g->slices[k].at, "the air grid \"%s\" cannot be read", path);
    }
}

static void describe_air(const mn_world *w, mn_messages *say)
{
    const mn_air_field *a = mn_air_field_of(w);
    if (!a->nodes[0]) return;
    const int slices = w->scene->air.grid.slice_count;
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = a->origin[k] + w->scene->air.grid.translate[k];
        high[k] = low[k] + (a->nodes[k] - 1) * a->spacing[k];
    }
    mn_say(say, MN_NOTE, w->scene->air.grid.at,
           "air grid of %d x %d x %d nodes, %g x %g x %g m apart, from (%g, %g, %g) to (%g, %g, %g), %d slice%s, "
           "speeds of %.4g to "
           "%.4g m/s",
           a->nodes[0], a->nodes[1], a->nodes[2], a->spacing[0], a->spacing[1], a->spacing[2], low[0], low[1], low[2],
           high[0], high[1], high[2], slices ? slices : 1, slices > 1 ? "s" : "", a->slowest, a->fastest);
}

static void warn_of_closeness(const mn_world *w, const doubt *close, const real4 *pos, double limit, const char *to,
                              double rest, mn_messages *say)
{
    const real4 x = pos[close->example];
    if (close->count)
        mn_say_warning(say, (mn_place){w->scene->path, 0, 0},
                       "%ld particles start closer than %g spacings to %s and will be pushed out, for example one at "
                       "(%g, %g, %g), "
                       "%.2g spacings (%.3g m) away%s%s%s; they rest at %g spacings",
                       close->count, limit, to, (double)x.x, (double)x.y, (double)x.z, close->gap / w->scene->spacing,
                       close->gap, close->wall ? " from '" : "", close->wall ? close->wall : "", close->wall ? "'" : "",
                       rest);
}

static void inspect_walls(const mn_world *w, const mn_clearance *c, const real4 *pos, int n, mn_messages *say)
{
    const double d = w->scene->spacing;
    doubt inside = {0}, close = {0}, maps = {0}, bodies = {0}, solids = {0};
    mn_inspect_walls(c, pos, n, CLOSE_TO_WALLS * d, &inside, &close);
    if (inside.count) {
        mn_say_warning(say, (mn_place){w->scene->path, 0, 0},
                       "%ld particles start inside a wall, for example one at (%g, %g, %g) inside '%s'; inside_out "
                       "makes a shape a container",
                       inside.count, (double)pos[inside.example].x, (double)pos[inside.example].y,
                       (double)pos[inside.example].z, inside.wall);
    } else {
        against_maps(w, pos, n, 0.85 * d, &maps);
        warn_of_closeness(w, &close, pos, CLOSE_TO_WALLS, "a wall", MN_REST_AT_POINTS, say);
        warn_of_closeness(w, &maps, pos, 0.85, "a volume map", MN_REST_AT_MAPS, say);
    }
    against_bodies(w, pos, n, &bodies, &solids);
    warn_of_closeness(w, &bodies, pos, CLOSE_TO_WALLS, "the boundary points of a body", MN_REST_AT_POINTS, say);
    warn_of_closeness(w, &solids, pos, CLOSE_TO_WALLS, "the particles of a soft solid", MN_REST_AT_POINTS, say);
}

/* Places are floats: so many spacings from the origin they lie 0.4 % of a spacing apart. A tank 6e4 spacings away moves
 * as it does at the origin; at 2e5 its kinetic energy is 8 % too large. */
static const double FAR_FROM_ORIGIN = 5e4;

static void far_from_origin(const mn_world *w, const real4 *pos, int n, mn_messages *say)
{
    const double d = w->scene->spacing;
    double at[3] = {0}, most = 0;
    for (int i = 0; i < n; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        const double far = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
        if (far > most) most = far, memcpy(at, x, sizeof at);
    }
    for (int e = 0; e < mn_inflow_of(w)->emitter_count; e++) {
        const double *x = mn_inflow_of(w)->emitters[e].emitter->position;
        const double far = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
        if (far > most) most = far, memcpy(at, x, sizeof at);
    }
    const float there = (float)most;
    if (most > FAR_FROM_ORIGIN * d)
        mn_say_warning(say, (mn_place){w->scene->path, 0, 0},
                       "fluid starts as far as (%g, %g, %g), %.2g spacings from the origin, where single precision "
                       "tells places %.2g spacings apart: that disturbs its motion; move the scene to the origin",
                       at[0], at[1], at[2], most / d, (double)(nextafterf(there, INFINITY) - there) / d);
}

void mn_world_inspect(mn_world *w, mn_messages *say)
{
    w->user.say = say;
    describe_air(w, say);
    const int n = w->layout.fluid;
    const mn_place at = {w->scene->path, 0, 0};
    real4 *pos = malloc((size_t)n * sizeof *pos + 16), *vel = malloc((size_t)n * sizeof *vel + 16);
    if (!pos || !vel || !w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) ||
        !w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel)) {
        free(pos), free(vel);
        return;
    }
    const double d = w->scene->spacing;
    int example = 0;
    long count = too_near_another(w, pos, n, 0.5 * d, &example);
    if (count)
        mn_say_warning(say, at,
                       "%ld particles start closer than half a spacing to another%s, for example one at (%g, %g, %g)",
                       count, w->periodic ? " (in the periodic domain)" : "", (double)pos[example].x,
                       (double)pos[example].y, (double)pos[example].z);
    if (!n && !mn_inflow_of(w)->emitter_count && !w->scene->body_count && !w->scene->solid_count)
        mn_say_warning(say, at, "there are no fluid particles and no emitters: nothing will happen");
    coarse_walls(w->scene, say);
    fine_bodies(w, say);
    far_from_origin(w, pos, n, say);
    thin_walls(w->scene, pos, n, say);
    if ((count = mn_inspect_outside(w, pos, n, &example)))
        mn_say_warning(
            say, at,
            "%ld particles start outside the domain and will be deleted immediately, for example one at (%g, %g, %g)",
            count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    mn_clearance *clearance = mn_clearance_new(w);
    if (clearance) {
        inspect_walls(w, clearance, pos, n, say);
        for (int e = 0; e < mn_inflow_of(w)->emitter_count; e++) mn_inspect_emitter(w, clearance, e, pos, n, say);
    }
    mn_clearance_free(clearance);
    const char *name = "", *other = "";
    if (mn_rigid_of(w) && mn_rigid_overlap(mn_rigid_of(w), 0.1 * d, &name, &other))
        mn_say_warning(say, at, "\"%s\" and \"%s\" overlap at the start and will be pushed apart", name, other);
    if (!w->scene->adaptive && w->scene->step > mn_clock_deep(w))
        mn_say_warning(
            say, at,
            "time.step of %g s is long for liquid of %.3g m depth%s: it may be thrown upwards as it settles; "
            "expected at most %.2g s",
            w->scene->step, w->depth.metres,
            w->scene->fluid_count > 1 ? " (what lies on the lighter fluid, as a column of it)" : "", mn_clock_deep(w));
    const double limit = w->scene->adaptive ? INFINITY : stable_step(w, vel, n);
    if (!w->scene->adaptive && w->scene->step > 2.0 * limit)
        mn_say_warning(say, at,
                       "time.step of %g s is far too long for the scene's speeds, gravity and models (about %.3g s)",
                       w->scene->step, limit);
    free(pos), free(vel);
}
