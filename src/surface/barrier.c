/* barrier.c -- see barrier.h. */
#include "base/exact.h"
#include "surface/barrier.h"

#include <math.h>
#include <stdlib.h>

#include "scene/motion.h"
#include "geometry/halve.h"
#include "geometry/bvh.h"
#include "geometry/geometry.h"
#include "geometry/vectors.h"
#include "rigid/body_shape.h"

/* Liquid at rest keeps this many spacings between its particles and the surface of a wall of points, of a wall that
 * is a volume map, and of a body. */
static const double GAP_POINTS = 1.1, GAP_MAP = 1.2, GAP_BODY = 0.57; /* of soft solids as of bodies */
/* At the faces of a periodic box liquid goes on: particles end half a spacing in front of them. */
static const double GAP_PERIODIC = 0.5;

typedef struct wall_part {
    const mn_shape_def *shape;
    mn_shape *made;
    int wall;
    bool open;              /* faces are left out */
    double low[3], high[3]; /* bounds of its surface, at rest */
} wall_part;

/* One shape of a soft solid: its surface at rest, in triangles that are small enough to bend, and the tree of those as
 * they are now. */
typedef struct soft_part {
    int solid;
    mn_mesh rest;
    mn_bvh *tree;
    double low[3], high[3]; /* bounds, now */
} soft_part;

struct mn_barrier {
    const mn_scene *scene;
    wall_part *parts;
    int part_count;
    mn_pose *walls;              /* of each wall */
    mn_rigid_shape *body_shapes; /* of each body */
    mn_pose *bodies;
    double (*reach)[6]; /* of each body: its bounds at rest, low and high */
    soft_part *softs;
    int soft_count;
};

static bool make_walls(mn_barrier *b, mn_messages *say)
{
    const mn_scene *scene = b->scene;
    int count = 0;
    for (int w = 0; w < scene->wall_count; w++) count += scene->walls[w].shape_count;
    b->parts = calloc((size_t)count + 1, sizeof *b->parts);
    b->walls = calloc((size_t)scene->wall_count + 1, sizeof *b->walls);
    if (!b->parts || !b->walls) return false;
    for (int w = 0; w < scene->wall_count; w++)
        for (int s = 0; s < scene->walls[w].shape_count; s++) {
            const mn_shape_def *shape = &scene->walls[w].shapes[s];
            wall_part *part = &b->parts[b->part_count];
            *part = (wall_part){.shape = shape, .made = mn_shape_new(shape, say), .wall = w};
            if (!part->made) return false;
            part->open = mn_shape_is_open(shape);
            mn_shape_bounds(part->made, part->low, part->high);
            b->part_count++;
        }
    for (int w = 0; w < scene->wall_count; w++) {
        const mn_pose pose = mn_motion_at(&scene->walls[w].motion, 0);
        mn_barrier_wall(b, w, &pose);
    }
    return true;
}

static bool make_bodies(mn_barrier *b, mn_messages *say)
{
    const mn_scene *scene = b->scene;
    b->body_shapes = calloc((size_t)scene->body_count + 1, sizeof *b->body_shapes);
    b->bodies = calloc((size_t)scene->body_count + 1, sizeof *b->bodies);
    b->reach = calloc((size_t)scene->body_count + 1, sizeof *b->reach);
    if (!b->body_shapes || !b->bodies || !b->reach) return false;
    static const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int k = 0; k < scene->body_count; k++) {
        if (mn_rigid_shape_make(&scene->bodies[k], &b->body_shapes[k], say) != MN_OK) return false;
        for (int a = 0; a < 3; a++) b->reach[k][a] = INFINITY, b->reach[k][3 + a] = -INFINITY;
        for (int n = 0; n < b->body_shapes[k].count; n++) {
            double low[3], high[3];
            mn_shape_bounds(b->body_shapes[k].shapes[n], low, high);
            for (int a = 0; a < 3; a++) {
                b->reach[k][a] = fmin(b->reach[k][a], low[a]);
                b->reach[k][3 + a] = fmax(b->reach[k][3 + a], high[a]);
            }
        }
        mn_barrier_body(b, k, b->body_shapes[k].centre, straight);
    }
    return true;
}

/* Which sides of triangle t are longer than `edge`, as bits. */
static int long_sides(const mn_mesh *mesh, size_t t, double edge)
{
    int sides = 0;
    for (size_t k = 0; k < 3; k++)
        sides |= (distance3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k],
                            mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + (k + 1) % 3]) > edge)
                 << k;
    return sides;
}

/* Halves the sides that are longer than `edge`, once; corners are not shared then. *made: how many triangles that
 * makes; it is not done for more than the most. */
static bool halve_sides(mn_mesh *mesh, double edge, size_t *made)
{
    const mn_halved *pieces;
    size_t count = 0;
    for (size_t t = 0; t < (size_t)mesh->triangle_count; t++)
        count += (size_t)mn_halve(long_sides(mesh, t, edge), &pieces);
    *made = count;
    if (!count || count == (size_t)mesh->triangle_count || count > MN_MOST_HALVED) return true;
    mn_mesh fine = {.vertex = malloc(9 * count * sizeof *fine.vertex),
                    .vertex_count = (int)(3 * count),
                    .triangle = malloc(3 * count * sizeof *fine.triangle),
                    .triangle_count = (int)count};
    double *to = fine.vertex;
    for (size_t t = 0; t < (size_t)mesh->triangle_count && to; t++) {
        const int n = mn_halve(long_sides(mesh, t, edge), &pieces), *corner = mesh->triangle + 3 * t;
        for (int k = 0; k < 3 * n; k++) {
            const double *p = mesh->vertex + 3 * (size_t)corner[(*pieces)[k][0]],
                         *q = mesh->vertex + 3 * (size_t)corner[(*pieces)[k][1]];
            for (int a = 0; a < 3; a++) *to++ = 0.5 * (p[a] + q[a]);
        }
    }
    for (size_t i = 0; i < 3 * count && fine.triangle; i++) fine.triangle[i] = (int)i;
    mn_mesh_free(mesh);
    *mesh = fine;
    return fine.vertex && fine.triangle;
}

/* The same surface in triangles whose sides are at most `edge` long, unless these are too many. */
static bool refine(mn_mesh *mesh, const mn_soft_def *solid, mn_messages *say)
{
    bool ok = true;
    size_t before = 0, made = 1;
    while (ok && made != before && made <= MN_MOST_HALVED) {
        before = (size_t)mesh->triangle_count;
        ok = halve_sides(mesh, solid->spacing, &made);
    }
    if (made > MN_MOST_HALVED && made != before)
        mn_say_warning(say, solid->at, MN_HALVED_TOO_FEW, solid->name, solid->spacing);
    return ok;
}

static bool make_solids(mn_barrier *b, mn_messages *say)
{
    const mn_scene *scene = b->scene;
    int count = 0;
    for (int k = 0; k < scene->solid_count; k++) count += scene->solids[k].shape_count;
    b->softs = calloc((size_t)count + 1, sizeof *b->softs);
    bool ok = b->softs != NULL;
    for (int k = 0; k < scene->solid_count; k++)
        for (int i = 0; i < scene->solids[k].shape_count && ok; i++) {
            soft_part *part = &b->softs[b->soft_count++];
            const mn_soft_def *what = &scene->solids[k];
            mn_shape *made = mn_shape_new(&what->shapes[i], say);
            part->solid = k;
            ok = made && mn_shape_skin(made, 0.5 * what->spacing, &part->rest, say) == MN_OK &&
                 refine(&part->rest, what, say);
            mn_shape_free(made);
        }
    return ok && mn_barrier_solids(b, &(mn_soft_points){0});
}

mn_barrier *mn_barrier_new(const mn_scene *scene, mn_messages *say)
{
    mn_barrier *b = calloc(1, sizeof *b);
    if (b) b->scene = scene;
    if (b && make_walls(b, say) && make_bodies(b, say) && make_solids(b, say)) return b;
    mn_say_failure(say, MN_NOWHERE, "the walls of the scene cannot be made ready for surface meshes");
    mn_barrier_free(b);
    return NULL;
}

void mn_barrier_free(mn_barrier *b)
{
    if (!b) return;
    for (int p = 0; p < b->part_count; p++) mn_shape_free(b->parts[p].made);
    for (int k = 0; b->body_shapes && k < b->scene->body_count; k++) mn_rigid_shape_free(&b->body_shapes[k]);
    free(b->parts);
    free(b->walls);
    free(b->body_shapes);
    free(b->bodies);
    for (int p = 0; p < b->soft_count; p++) {
        mn_bvh_free(b->softs[p].tree);
        mn_mesh_free(&b->softs[p].rest);
    }
    free(b->reach);
    free(b->softs);
    free(b);
}

void mn_barrier_wall(mn_barrier *b, int wall, const mn_pose *pose) { b->walls[wall] = *pose; }

void mn_barrier_body(mn_barrier *b, int body, const double centre[3], const double rotation[9])
{
    for (int k = 0; k < 3; k++)
        b->bodies[body].origin[k] = b->body_shapes[body].centre[k], b->bodies[body].at[k] = centre[k];
    for (int k = 0; k < 9; k++) b->bodies[body].rotation[k] = rotation[k];
}

/* The triangles of a part as they are now, and their tree. */
static bool bend_part(soft_part *part, const mn_bend *bend)
{
    mn_mesh now = part->rest;
    now.vertex = malloc((3 * (size_t)now.vertex_count + 1) * sizeof *now.vertex);
    for (int a = 0; a < 3; a++) part->low[a] = INFINITY, part->high[a] = -INFINITY;
    for (size_t v = 0; v < (size_t)now.vertex_count && now.vertex; v++) {
        double shift[3];
        mn_bend_at(bend, part->rest.vertex + 3 * v, shift);
        for (size_t a = 0; a < 3; a++) {
            const double x = part->rest.vertex[3 * v + a] + shift[a];
            now.vertex[3 * v + a] = x;
            part->low[a] = fmin(part->low[a], x);
            part->high[a] = fmax(part->high[a], x);
        }
    }
    mn_bvh_free(part->tree);
    part->tree = now.vertex ? mn_bvh_new(&now) : NULL;
    free(now.vertex);
    return part->tree != NULL;
}

bool mn_barrier_solids(mn_barrier *b, const mn_soft_points *points)
{
    bool ok = true;
    for (int p = 0; p < b->soft_count && ok; p++) {
        const int solid = b->softs[p].solid;
        mn_bend *bend = mn_bend_new(points, solid, b->scene->solids[solid].spacing);
        ok = bend && bend_part(&b->softs[p], bend);
        mn_bend_free(bend);
    }
    return ok;
}

bool mn_barrier_empty(const mn_barrier *b)
{
    const bool *periodic = b->scene->periodic;
    return b->part_count + b->soft_count == 0 && b->scene->body_count == 0 && !periodic[0] && !periodic[1] &&
           !periodic[2];
}

/* ---------------------------------------------------------------------------------------------- distances */

/* A shape without some of its faces: its sheets; inside_out: liquid within has positive distances, and past an open
 * face there is nothing but the rim. */
typedef struct faces {
    double past, side, beyond; /* an open face; the nearest closed one, inwards; how far outside of closed ones */
} faces;

/* `in`: from the face inwards. */
static void take_face(faces *f, double in, bool open)
{
    if (open) f->past = fmax(f->past, -in);
    else f->side = fmin(f->side, in);
    if (!open && in < 0) f->beyond = mn_hypot(f->beyond, in);
}

static void take_box(faces *f, const mn_shape_def *s, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * mn_shape_factor(s, k) * s->size[k];
        take_face(f, half + p[k], s->open[2 * k]);
        take_face(f, half - p[k], s->open[2 * k + 1]);
    }
}

/* Cylinder and cone: their ends, and the side from (base, -half) to (top, half) in the half plane (rho, y). */
static void take_round(faces *f, const mn_shape_def *s, const double p[3])
{
    const double half = 0.5 * mn_shape_factor(s, 1) * s->height, base = mn_shape_factor(s, 0) * s->radius;
    const double top = s->kind == MN_CONE ? mn_shape_factor(s, 0) * s->radius2 : base;
    const double rho = mn_hypot(p[0], p[2]), length = mn_hypot(2 * half, top - base);
    take_face(f, half + p[1], s->open[2]);
    take_face(f, half - p[1], s->open[3]);
    take_face(f, ((base - rho) * 2 * half + (p[1] + half) * (top - base)) / length, false);
}

static double open_distance(const mn_shape_def *s, const double x[3])
{
    double p[3];
    faces f = {0, INFINITY, 0};
    for (int k = 0; k < 3; k++)
        p[k] = s->rotation[k] * (x[0] - s->translate[0]) + s->rotation[3 + k] * (x[1] - s->translate[1]) +
               s->rotation[6 + k] * (x[2] - s->translate[2]);
    if (s->kind == MN_BOX) take_box(&f, s, p);
    else take_round(&f, s, p);
    if (f.past > 0) return mn_hypot(f.past, f.side < 0 ? f.beyond : fmin(f.side, 1e30));
    const double d = f.side < 0 ? -f.beyond : f.side;
    return s->inside_out ? d : fabs(d);
}

/* A plane is the top of a block that deep, in spacings, and ends with its sheet: what ran over its edge is liquid. One
 * that is shorter than that is a plate with liquid on both sides, a spacing thick. */
static const double PLANE_DEPTH = 8;

static double plane_distance(const mn_shape_def *s, const double x[3], double spacing)
{
    double p[3], beyond = 0, shortest = INFINITY;
    for (int k = 0; k < 3; k++)
        p[k] = s->rotation[k] * (x[0] - s->translate[0]) + s->rotation[3 + k] * (x[1] - s->translate[1]) +
               s->rotation[6 + k] * (x[2] - s->translate[2]);
    for (int k = 0; k < 3; k += 2) { /* half a spacing beyond its outermost points */
        const double side = mn_shape_factor(s, k) * s->size[k];
        beyond = mn_hypot(beyond, fmax(fabs(p[k]) - 0.5 * (side + spacing), 0));
        shortest = fmin(shortest, side);
    }
    const double above = s->inside_out ? -p[1] : p[1];
    const double depth = shortest < PLANE_DEPTH * spacing ? spacing : PLANE_DEPTH * spacing;
    const double out = fmax(above, -depth - above);
    return beyond > 0 ? mn_hypot(beyond, fmax(out, 0)) : out;
}

static double box_distance(const double low[3], const double high[3], const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double d = fmax(fmax(low[k] - x[k], x[k] - high[k]), 0);
        sum += d * d;
    }
    return sqrt(sum);
}

static double part_distance(const mn_barrier *b, const wall_part *part, const double x[3], double limit)
{
    double rest[3];
    mn_pose_rest(&b->walls[part->wall], x, rest);
    if (part->open) return open_distance(part->shape, rest);
    if (part->shape->kind == MN_PLANE) return plane_distance(part->shape, rest, b->scene->spacing);
    /* Far from all of it there is no need to ask for more. */
    const bool endless = part->shape->inside_out || part->shape->rim;
    const double far = endless ? 0 : box_distance(part->low, part->high, rest);
    if (far >= limit) return far;
    return part->shape->rim ? mn_sheet_distance(part->made, rest, limit) : mn_shape_distance(part->made, rest, limit);
}

static double soft_distance(const soft_part *part, const double x[3], double limit)
{
    const double far = box_distance(part->low, part->high, x);
    if (far >= limit) return far;
    const double d = mn_bvh_distance(part->tree, x, limit);
    return mn_bvh_winding(part->tree, x) > 0.5 ? -d : d;
}

double mn_barrier_distance(const void *barrier, const double x[3], double limit, double *gap)
{
    const mn_barrier *b = barrier;
    const double spacing = b->scene->spacing;
    double nearest = INFINITY;
    *gap = GAP_POINTS * spacing;
    for (int p = 0; p < b->part_count; p++) {
        const double d = part_distance(b, &b->parts[p], x, limit);
        if (d >= nearest) continue;
        nearest = d;
        *gap = (b->scene->walls[b->parts[p].wall].method == MN_WALL_MAPS ? GAP_MAP : GAP_POINTS) * spacing;
    }
    for (int k = 0; k < b->scene->body_count; k++) {
        double rest[3];
        mn_pose_rest(&b->bodies[k], x, rest);
        const double far = box_distance(b->reach[k], b->reach[k] + 3, rest);
        const double d = far >= limit ? far : mn_rigid_shape_distance(&b->body_shapes[k], rest, limit);
        if (d >= nearest) continue;
        nearest = d;
        *gap = GAP_BODY * spacing;
    }
    for (int p = 0; p < b->soft_count; p++) {
        const double d = soft_distance(&b->softs[p], x, limit);
        if (d >= nearest) continue;
        nearest = d;
        *gap = GAP_BODY * spacing;
    }
    for (int k = 0; k < 3; k++) {
        const double d = fmin(x[k] - b->scene->low[k], b->scene->high[k] - x[k]);
        if (!b->scene->periodic[k] || d >= nearest) continue;
        nearest = d;
        *gap = GAP_PERIODIC * spacing;
    }
    return nearest;
}
