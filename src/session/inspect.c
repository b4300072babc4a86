/* inspect.c -- what is doubtful about a world before its first step: particles that overlap, start inside or too close to walls, and a fixed time step far beyond
 * what the CFL condition and the models bear. Warnings only: some scenes want exactly that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geometry.h"
#include "geometry/near.h"
#include "methods/methods.h"
#include "boundary/motion.h"
#include "rigid/rigid.h"
#include "io/vti.h"
#include "core/world.h"

/* Nearer to a wall of particles than this, in spacings, the first step throws a block that fits between two walls apart. */
static const double CLOSE_TO_WALLS = 0.8;

static bool points_of(const real4 *x, int n, mn_points *out)
{
    for (int i = 0; i < n; i++) {
        const double p[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        if (mn_points_add(out, p) != MN_OK) return false;
    }
    return true;
}

/* How many of `a` have a point of `b` nearer than `near`; *example is one of them. a == b: other points only. */
static long too_near(const real4 *a, int n, const real4 *b, int m, double near, int *example)
{
    mn_points points = {0};
    near_grid grid = {0};
    long count = 0;
    if (m > 0 && points_of(b, m, &points) && near_new(&grid, &points, near, m) == MN_OK) {
        bool ok = true;
        for (long k = 0; k < m && ok; k++) ok = near_add(&grid, k) == MN_OK;
        for (int i = 0; i < n && ok; i++) {
            const double x[3] = {(double)a[i].x, (double)a[i].y, (double)a[i].z};
            int found[2];
            if (near_list(&grid, x, near, found, 2) > (a == b) && !count++) *example = i;
        }
    }
    near_free(&grid);
    mn_points_free(&points);
    return count;
}

/* A count of doubtful particles, with one of them and the wall. */
typedef struct doubt {
    long count;
    int example;
    const char *wall;
} doubt;

static void note(doubt *d, int i, const char *wall)
{
    if (!d->count++) d->example = i, d->wall = wall;
}

/* The place in the wall's own frame, in which its shapes stand. */
static void rest_place(const mn_pose *p, const double x[3], double out[3])
{
    const double d[3] = {x[0] - p->at[0], x[1] - p->at[1], x[2] - p->at[2]};
    for (int a = 0; a < 3; a++)
        out[a] = p->origin[a] + p->rotation[a] * d[0] + p->rotation[3 + a] * d[1] + p->rotation[6 + a] * d[2];
}

static bool is_open(const mn_shape *s)
{
    bool any = false;
    for (int face = 0; face < 6 && s->kind == MN_BOX; face++) any |= s->open[face];
    return any;
}

/* The shape without its open faces: a container ends nowhere behind one. */
static mn_shape without_open_faces(const mn_shape *shape)
{
    mn_shape s = *shape;
    const double far = 1e4 * (s.size[0] + s.size[1] + s.size[2]);
    for (int face = 0; face < 6 && s.kind == MN_BOX && s.inside_out; face++) {
        if (!s.open[face]) continue;
        const int axis = face / 2;
        s.size[axis] += far;
        for (int a = 0; a < 3; a++) s.translate[a] += (face % 2 ? 0.5 : -0.5) * far * s.scale * s.rotation[3 * a + axis];
    }
    return s;
}

/* What a particle is to walls: in one of the containers, outside of one, in an obstacle, close to the surface of a wall of particles. */
enum { HELD = 1, OUTSIDE = 2, WITHIN = 4, CLOSE = 8 };

static void against_shape(const mn_wall *wall, const mn_shape *shape, const near_grid *grid, const real4 *pos, int n, double d,
                          double near, unsigned char *is)
{
    const bool sheet = shape->kind == MN_PLANE || shape->rim; /* encloses nothing */
    const mn_pose pose = mn_motion_at(&wall->motion, 0.0);
    mn_solid *solid = mn_solid_new(shape, NULL);
    for (int i = 0; i < n && solid; i++) {
        const double here[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        double x[3];
        rest_place(&pose, here, x);
        const double distance = mn_solid_distance(solid, x, d);
        if (wall->method == MN_WALL_PARTICLES && fabs(distance) < near && near_any(grid, here, sqrt(near * near + 0.55 * d * d)))
            is[i] |= CLOSE;
        if (sheet) continue;
        if (shape->inside_out) is[i] |= distance < -0.25 * d ? OUTSIDE : HELD;
        else if (distance < -0.25 * d) is[i] |= WITHIN;
    }
    mn_solid_free(solid);
}

/* Particles inside walls, and those closer than `near` to the surface of one made of particles. Of several containers one has to hold a particle; outside of an
   open one it may be, unless it is near the walls: then it sticks out through one. Where a face is left open nothing is close. */
static void against_walls(const mn_world *w, const real4 *pos, int n, double near, doubt *inside, doubt *close)
{
    const double d = w->scene->spacing;
    mn_points points = {0};
    near_grid grid = {0};
    const int m = w->walls.resting + w->walls.bodies + w->walls.images;
    const char *container = NULL;
    unsigned char *is = calloc((size_t)n + 1, 2), *before = is ? is + n : NULL;
    bool ready = is && points_of(w->walls.pos, m, &points) && near_new(&grid, &points, 1.3 * d, m) == MN_OK, open = false;
    for (long k = 0; k < m && ready; k++) ready = near_add(&grid, k) == MN_OK;
    for (int k = 0; k < w->scene->wall_count && ready; k++)
        for (int s = 0; s < w->scene->walls[k].shape_count; s++) {
            const mn_wall *wall = &w->scene->walls[k];
            const mn_shape shape = without_open_faces(&wall->shapes[s]);
            open |= shape.inside_out && is_open(&shape);
            memcpy(before, is, (size_t)n);
            if (shape.inside_out && !container) container = wall->name;
            against_shape(wall, &shape, &grid, pos, n, d, near, is);
            for (int i = 0; i < n; i++) {
                if (is[i] & ~before[i] & CLOSE) note(close, i, wall->name);
                if (is[i] & ~before[i] & WITHIN) note(inside, i, wall->name);
            }
        }
    for (int i = 0; i < n && ready; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        if ((is[i] & OUTSIDE) && !(is[i] & (HELD | WITHIN)) && (!open || near_any(&grid, x, 1.3 * d))) note(inside, i, container);
    }
    near_free(&grid);
    mn_points_free(&points);
    free(is);
}

/* How many start so near to a volume map that it will push them out. */
static long near_maps(const mn_world *w, const real4 *pos, int n, double near, int *example)
{
    long count = 0;
    for (int i = 0; i < n && w->maps.count; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        if (mn_maps_distance(w, x) < near && !count++) *example = i;
    }
    return count;
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
        if (c->time[k] >= 0.0 && c->time[k] <= end) most = fmax(most, length_of(c->value + (long)k * c->width, c->width));
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
                    for (int a = 0; a < w->active_count; a++)
                        if (w->active[a].code->method->limit)
                            limit = fmin(limit, w->active[a].code->method->limit(w, &w->active[a]));
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
    for (int i = 0; i < n; i++) speed = fmax(speed, (double)(vel[i].x * vel[i].x + vel[i].y * vel[i].y + vel[i].z * vel[i].z));
    for (int k = 0; k < w->walls.bodies; k++) {
        const real4 v = w->walls.vel[w->walls.resting + k];
        speed = fmax(speed, (double)(v.x * v.x + v.y * v.y + v.z * v.z));
    }
    speed = fmax(sqrt(speed), w->maps.fastest);
    for (int e = 0; e < w->emitter_count; e++)
        if (w->emitters[e].emitter->start < s->end) speed = fmax(speed, largest(&w->emitters[e].emitter->speed, s->end));
    for (int k = 0; k < s->wall_count; k++)
        if (s->walls[k].motion.moving)
            speed = fmax(speed, fastest_shift(&s->walls[k].motion.translation, s->end) - length_of(s->walls[k].motion.velocity, 3));
    const double pull = largest(&s->gravity, s->end);
    double limit = limit_of_models(w);
    if (speed > 0.0) limit = fmin(limit, s->spacing / speed);
    if (pull > 0.0) limit = fmin(limit, sqrt(s->spacing / pull));
    return limit;
}

/* Surfaces sampled so coarsely that liquid finds a way between their particles. */
static void coarse_walls(const mn_scene *s, mn_messages *say)
{
    for (int k = 0; k < s->wall_count + s->body_count; k++) {
        const bool wall = k < s->wall_count;
        const double spacing = wall ? s->walls[k].spacing : s->bodies[k - s->wall_count].spacing;
        if ((wall && s->walls[k].method != MN_WALL_PARTICLES) || spacing <= 1.25 * s->spacing) continue;
        mn_say_warning(say, wall ? s->walls[k].at : s->bodies[k - s->wall_count].at,
                       "the particles of '%s' are %.3g times as far apart as those of the liquid, which will pass between them",
                       wall ? s->walls[k].name : s->bodies[k - s->wall_count].name, spacing / s->spacing);
    }
}

/* How many of the places the domain deletes. */
static long outside_domain(const mn_world *w, const real4 *pos, int n, int *example)
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

/* Openings of emitters that lie inside a wall at rest. */
static void emitters_in_walls(const mn_world *w, mn_messages *say)
{
    for (int e = 0; e < w->emitter_count; e++) {
        const mn_emitter_state *state = &w->emitters[e];
        real4 *pos = malloc((size_t)state->count * sizeof *pos + 16);
        for (int i = 0; i < state->count && pos; i++) {
            const double *o = state->offset + 3L * i, *p = state->emitter->position;
            pos[i] = (real4){(float)(p[0] + o[0]), (float)(p[1] + o[1]), (float)(p[2] + o[2]), 0.0f};
        }
        doubt inside = {0}, close = {0};
        int gone = 0;
        if (pos) against_walls(w, pos, state->count, 0.0, &inside, &close);
        if (pos && outside_domain(w, pos, state->count, &gone))
            mn_say_warning(
                say, state->emitter->at,
                "this emitter reaches beyond the domain, for example to (%g, %g, %g): what it emits there is deleted at once",
                (double)pos[gone].x, (double)pos[gone].y, (double)pos[gone].z);
        if (inside.count)
            mn_say_warning(
                say, state->emitter->at,
                "%ld of %d particles of a layer of this emitter start inside a wall, for example one at (%g, %g, %g) inside '%s'",
                inside.count, state->count, (double)pos[inside.example].x, (double)pos[inside.example].y,
                (double)pos[inside.example].z, inside.wall);
        free(pos);
    }
}

/* A mesh is looked at once for each way of using it. Paths that could not be found have been complained of, and are still as they were written. */
typedef struct looked_at {
    const mn_shape **shapes;
    size_t count;
    mn_messages *say;
} looked_at;

static void look_at_mesh(void *user, const char *path, const mn_shape *shape)
{
    looked_at *l = user;
    if (!shape || path[0] != '/') return;
    for (size_t k = 0; k < l->count; k++)
        if (strcmp(l->shapes[k]->file, path) == 0 && l->shapes[k]->rim == shape->rim) return;
    const mn_shape **longer = realloc(l->shapes, (l->count + 1) * sizeof *longer);
    if (!longer) return;
    l->shapes = longer;
    l->shapes[l->count++] = shape;
    mn_mesh mesh;
    if (mn_mesh_read(path, &mesh, l->say) == MN_OK)
        (shape->rim ? mn_mesh_check_sheet : mn_mesh_check_solid)(&mesh, shape->at, l->say);
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
        if (path && path[0] == '/' && mn_vti_read(path, g->array, &grid, say) == MN_OK) mn_vti_free(&grid);
    }
}

static void describe_air(const mn_world *w, mn_messages *say)
{
    const mn_air_field *a = &w->air;
    if (!a->nodes[0]) return;
    const int slices = w->scene->air.grid.slice_count;
    double high[3];
    for (int k = 0; k < 3; k++) high[k] = a->origin[k] + (a->nodes[k] - 1) * a->spacing[k];
    mn_say(say, MN_NOTE, w->scene->air.grid.at,
           "air grid of %d x %d x %d nodes, %g x %g x %g m apart, from (%g, %g, %g) to (%g, %g, %g), %d slice%s, speeds of %.4g to "
           "%.4g m/s",
           a->nodes[0], a->nodes[1], a->nodes[2], a->spacing[0], a->spacing[1], a->spacing[2], a->origin[0], a->origin[1],
           a->origin[2], high[0], high[1], high[2], slices ? slices : 1, slices > 1 ? "s" : "", a->slowest, a->fastest);
}

void mn_world_inspect(mn_world *w, mn_messages *say)
{
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
    long count = too_near(pos, n, pos, n, 0.5 * d, &example);
    if (count)
        mn_say_warning(say, at, "%ld particles start closer than half a spacing to another, for example one at (%g, %g, %g)", count,
                       (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    if (!n && !w->emitter_count && !w->scene->body_count && !w->scene->solid_count)
        mn_say_warning(say, at, "there are no fluid particles and no emitters: nothing will happen");
    coarse_walls(w->scene, say);
    if ((count = outside_domain(w, pos, n, &example)))
        mn_say_warning(say, at,
                       "%ld particles start outside of the domain and will be deleted at once, for example one at (%g, %g, %g)",
                       count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    doubt inside = {0}, close = {0};
    against_walls(w, pos, n, CLOSE_TO_WALLS * d, &inside, &close);
    if (inside.count)
        mn_say_warning(
            say, at,
            "%ld particles start inside a wall, for example one at (%g, %g, %g) inside '%s'; inside_out makes a shape a container",
            inside.count, (double)pos[inside.example].x, (double)pos[inside.example].y, (double)pos[inside.example].z, inside.wall);
    else if (close.count)
        mn_say_warning(say, at,
                       "%ld particles start closer than %g spacings to a wall and will be thrown out, for example one at (%g, %g, "
                       "%g) at '%s'; "
                       "they rest at 1.1 spacings",
                       close.count, CLOSE_TO_WALLS, (double)pos[close.example].x, (double)pos[close.example].y,
                       (double)pos[close.example].z, close.wall);
    else if ((count = too_near(pos, n, w->walls.pos, w->walls.resting + w->walls.bodies + w->walls.images, 0.6 * d, &example)))
        mn_say_warning(say, at,
                       "%ld particles start closer than 0.6 spacings to a wall and will be pushed out, for example one at (%g, %g, "
                       "%g); they rest at 1.1 spacings",
                       count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    else if ((count = near_maps(w, pos, n, 0.85 * d, &example)))
        mn_say_warning(
            say, at,
            "%ld particles start closer than 0.85 spacings to a volume map and will be pushed out, for example one at (%g, "
            "%g, %g); they rest at 1.15 spacings",
            count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    emitters_in_walls(w, say);
    const char *name = "", *other = "";
    if (w->rigid && mn_rigid_overlap(w->rigid, 0.1 * d, &name, &other))
        mn_say_warning(say, at, "\"%s\" and \"%s\" overlap at the start and will be pushed apart", name, other);
    const double limit = w->scene->adaptive ? INFINITY : stable_step(w, vel, n);
    if (!w->scene->adaptive && w->scene->step > 2.0 * limit)
        mn_say_warning(say, at, "time.step of %g s is far beyond what the scene's speeds, gravity and models bear (about %.3g s)",
                       w->scene->step, limit);
    free(pos), free(vel);
}
