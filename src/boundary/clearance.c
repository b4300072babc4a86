/* clearance.c -- how places stand to walls; see clearance.h. Of each wall a tree of boxes finds the shapes near a
 * place. */
#include "boundary/clearance.h"

#include <math.h>
#include <stdlib.h>

#include "scene/motion.h"
#include "boundary/points.h"
#include "geometry/boxes.h"
#include "geometry/near.h"

typedef struct wall_shapes {
    const mn_wall *wall;
    mn_pose pose;
    mn_shape **shapes;
    mn_boxes *tree;
} wall_shapes;

struct mn_clearance {
    wall_shapes *walls;
    int count;
    double spacing; /* of the fluid */
    mn_points points;
    near_grid grid; /* over the points of all walls and bodies */
    const char *container;
    bool open; /* some container is */
};

static const double REACH = 1.2; /* spacings */

static double points_within(double reach, double d) { return sqrt(reach * reach + 0.55 * d * d); }

/* The shape without its open faces: a container ends nowhere behind one. */
static mn_shape_def without_open_faces(const mn_shape_def *def)
{
    const double most = fmax(mn_shape_factor(def, 0), fmax(mn_shape_factor(def, 1), mn_shape_factor(def, 2)));
    const double wide = def->size[0] + def->size[1] + def->size[2] + def->radius + def->radius2 + def->height;
    return def->inside_out ? mn_shape_prolonged(def, 1e4 * wide * most) : *def;
}

static bool prepare_wall(mn_clearance *c, const mn_wall *wall, wall_shapes *out)
{
    const size_t n = (size_t)wall->shape_count + 1;
    *out =
        (wall_shapes){.wall = wall, .pose = mn_motion_at(&wall->motion, 0.0), .shapes = calloc(n, sizeof *out->shapes)};
    double(*low)[3] = malloc(n * sizeof *low), (*high)[3] = malloc(n * sizeof *high);
    bool ok = out->shapes && low && high;
    for (int k = 0; k < wall->shape_count && ok; k++) {
        const mn_shape_def def = without_open_faces(&wall->shapes[k]);
        out->shapes[k] = mn_shape_new(&def, NULL);
        ok = out->shapes[k] != NULL;
        if (!ok) break;
        mn_shape_bounds(out->shapes[k], low[k], high[k]);
        for (int a = 0; a < 3 && def.inside_out; a++) low[k][a] = -INFINITY, high[k][a] = INFINITY;
        if (def.inside_out && !c->container) c->container = wall->name;
        c->open |= def.inside_out && mn_shape_is_open(&def);
    }
    if (ok) out->tree = mn_boxes_new(low, high, wall->shape_count);
    free(low), free(high);
    return ok && out->tree;
}

static bool prepare_points(mn_clearance *c, const mn_boundary *p)
{
    const int count = p->resting + p->active + p->copies;
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        const double x[3] = {(double)p->pos[i].x, (double)p->pos[i].y, (double)p->pos[i].z};
        ok = mn_points_add(&c->points, x) == MN_OK;
    }
    ok = ok && near_new(&c->grid, &c->points, points_within(REACH * c->spacing, c->spacing), count) == MN_OK;
    for (int i = 0; i < count && ok; i++) ok = near_add(&c->grid, i) == MN_OK;
    return ok;
}

mn_clearance *mn_clearance_new(const mn_world *w)
{
    const mn_scene *s = w->scene;
    mn_clearance *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->spacing = s->spacing;
    c->walls = calloc((size_t)s->wall_count + 1, sizeof *c->walls);
    bool ok = c->walls && prepare_points(c, mn_boundary_of(w));
    for (int k = 0; k < s->wall_count && ok; k++) ok = prepare_wall(c, &s->walls[k], &c->walls[c->count++]);
    if (ok) return c;
    mn_clearance_free(c);
    return NULL;
}

void mn_clearance_free(mn_clearance *c)
{
    if (!c) return;
    for (int k = 0; k < c->count; k++) {
        for (int s = 0; c->walls[k].shapes && s < c->walls[k].wall->shape_count; s++)
            mn_shape_free(c->walls[k].shapes[s]);
        free(c->walls[k].shapes);
        mn_boxes_free(c->walls[k].tree);
    }
    free(c->walls);
    near_free(&c->grid);
    mn_points_free(&c->points);
    free(c);
}

/* The place in the wall's own frame, in which its shapes stand. */
static void rest_place(const mn_pose *p, const double x[3], double out[3])
{
    const double d[3] = {x[0] - p->at[0], x[1] - p->at[1], x[2] - p->at[2]};
    for (int a = 0; a < 3; a++)
        out[a] = p->origin[a] + p->rotation[a] * d[0] + p->rotation[3 + a] * d[1] + p->rotation[6 + a] * d[2];
}

typedef struct question {
    const mn_clearance *c;
    const wall_shapes *w;
    double x[3], local[3], reach;
    mn_standing *out;
} question;

static double against_shape(void *user, int k, double radius)
{
    question *q = user;
    const mn_shape_def *def = &q->w->wall->shapes[k];
    const double d = q->c->spacing, distance = mn_shape_distance(q->w->shapes[k], q->local, d), gap = fabs(distance);
    mn_standing *s = q->out;
    if (q->w->wall->method != MN_WALL_SAMPLED && gap < q->reach && s->gap == INFINITY) s->near = q->w->wall->name;
    if (q->w->wall->method == MN_WALL_SAMPLED && gap < q->reach && gap < s->gap &&
        near_any(&q->c->grid, q->x, points_within(q->reach, d)))
        s->gap = gap, s->near = q->w->wall->name;
    if (def->kind == MN_PLANE || def->rim) return radius; /* encloses nothing, nor do sheets with an opening */
    if (!def->inside_out && mn_shape_is_open(def)) return radius;
    if (def->inside_out) s->side |= distance < -0.25 * d ? MN_OUTSIDE : MN_HELD;
    else if (distance < -0.25 * d) {
        s->side |= MN_WITHIN;
        if (!s->within) s->within = q->w->wall->name;
    }
    return radius;
}

mn_standing mn_clearance_at(const mn_clearance *c, const double x[3], double reach)
{
    mn_standing out = {.gap = INFINITY};
    question q = {.c = c, .x = {x[0], x[1], x[2]}, .reach = reach, .out = &out};
    for (int k = 0; k < c->count; k++) {
        q.w = &c->walls[k];
        rest_place(&q.w->pose, x, q.local);
        mn_boxes_visit(q.w->tree, q.local, fmax(reach, 1e-3 * c->spacing), against_shape, &q);
    }
    return out;
}

bool mn_clearance_is_inside(const mn_clearance *c, const double x[3], const mn_standing *s)
{
    if (s->side & MN_WITHIN) return true;
    return (s->side & MN_OUTSIDE) && !(s->side & MN_HELD) &&
           (!c->open || near_any(&c->grid, x, points_within(c->spacing, c->spacing)));
}

const char *mn_clearance_container(const mn_clearance *c) { return c->container; }
