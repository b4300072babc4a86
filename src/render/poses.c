/* poses.c -- props where they are at a moment: walls on their paths, bodies in their poses, soft solids bent as
 * their particles are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/bend.h"
#include "geometry/vectors.h"
#include "geometry/weld.h"
#include "render/props.h"

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
    return MN_FAILED;
}

static void *copy_of(const void *data, size_t size)
{
    void *copy = malloc(size + 1);
    if (copy) memcpy(copy, data, size);
    return copy;
}

/* ---------------------------------------------------------------------------------------------- neighbours */

/* Points of one thing in cells of a width. */
typedef struct cells {
    double low[3], width;
    int size[3];
    int *first, *next; /* lists: first in a cell, next of each; -1: none */
    const float *position;
} cells;

static int cell_of(const cells *c, const double x[3], int axis)
{
    const int k = (int)floor((x[axis] - c->low[axis]) / c->width);
    return k < 0 ? 0 : k >= c->size[axis] ? c->size[axis] - 1 : k;
}

static void rest_of(const cells *c, long i, double rest[3])
{
    for (int a = 0; a < 3; a++) rest[a] = (double)c->position[3 * i + a];
}

static bool sort_in(cells *c, const int32_t *solid, int which, long count)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, rest[3];
    for (int a = 0; a < 3; a++) c->low[a] = INFINITY;
    for (long i = 0; i < count; i++) {
        rest_of(c, i, rest);
        for (int a = 0; a < 3 && solid[i] == which; a++) {
            c->low[a] = fmin(c->low[a], rest[a]);
            high[a] = fmax(high[a], rest[a]);
        }
    }
    size_t all = 1;
    for (int a = 0; a < 3; a++) {
        c->size[a] = (int)fmin(fmax(floor((high[a] - c->low[a]) / c->width) + 1, 1), 1024);
        all *= (size_t)c->size[a];
    }
    c->first = malloc(all * sizeof *c->first);
    c->next = malloc(((size_t)count + 1) * sizeof *c->next);
    if (!c->first || !c->next) return false;
    for (size_t k = 0; k < all; k++) c->first[k] = -1;
    for (long i = 0; i < count; i++) {
        if (solid[i] != which) continue;
        rest_of(c, i, rest);
        const size_t at =
            ((size_t)cell_of(c, rest, 2) * (size_t)c->size[1] + (size_t)cell_of(c, rest, 1)) * (size_t)c->size[0] +
            (size_t)cell_of(c, rest, 0);
        c->next[i] = c->first[at];
        c->first[at] = (int)i;
    }
    return true;
}

/* Calls `visit` for the points of the cells around x. */
static void around(const cells *c, const double x[3], void (*visit)(void *context, const cells *c, int i),
                   void *context)
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        const double before[3] = {x[0] - c->width, x[1] - c->width, x[2] - c->width},
                     after[3] = {x[0] + c->width, x[1] + c->width, x[2] + c->width};
        low[a] = cell_of(c, before, a);
        high[a] = cell_of(c, after, a);
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int l = low[0]; l <= high[0]; l++)
                for (int i = c->first[((size_t)k * (size_t)c->size[1] + (size_t)j) * (size_t)c->size[0] + (size_t)l];
                     i >= 0; i = c->next[i])
                    visit(context, c, i);
}

/* --------------------------------------------------------------------------------------------------- coats */

vec3 mn_coat_colour(float share)
{
    static const vec3 clean = {0.33f, 0.325f, 0.32f}, coated = {0.50f, 0.17f, 0.03f};
    return v3_mix(clean, coated, fminf(fmaxf(share, 0), 1));
}

typedef struct mean {
    const double *at;
    const float *amount;
    double sum, weight;
} mean;

static void add_amount(void *context, const cells *c, int i)
{
    mean *m = context;
    double x[3];
    rest_of(c, i, x);
    const double q = 1 - (x[0] - m->at[0]) * (x[0] - m->at[0]) / (c->width * c->width) -
                     (x[1] - m->at[1]) * (x[1] - m->at[1]) / (c->width * c->width) -
                     (x[2] - m->at[2]) * (x[2] - m->at[2]) / (c->width * c->width);
    if (q <= 0) return;
    m->sum += q * q * q * (double)m->amount[i];
    m->weight += q * q * q;
}

/* A colour for each vertex by the amounts on the points around it. */
static mn_status paint(const mn_coat_points *coat, int object, double width, mn_trace_mesh *mesh, mn_messages *say)
{
    cells c = {.width = width, .position = coat->position};
    float *colour = malloc((3 * (size_t)mesh->vertex_count + 1) * sizeof *colour);
    mesh->colour = colour;
    const bool ok = colour && sort_in(&c, coat->object, object, coat->count);
    const double scale = coat->most > coat->least ? 1 / (coat->most - coat->least) : 0;
    for (size_t i = 0; i < (size_t)mesh->vertex_count && ok; i++) {
        const float *x = mesh->position + 3 * i;
        const double at[3] = {(double)x[0], (double)x[1], (double)x[2]};
        mean m = {.at = at, .amount = coat->amount};
        around(&c, at, add_amount, &m);
        const vec3 k = mn_coat_colour(m.weight > 0 ? (float)((m.sum / m.weight - coat->least) * scale) : 0);
        memcpy(colour + 3 * i, &k, sizeof k);
    }
    free(c.first);
    free(c.next);
    return ok ? MN_OK : no_memory(say);
}

/* --------------------------------------------------------------------------------------------------- poses */

/* A mesh of the prop with room for its points; NULL when out of memory. */
static mn_trace_mesh *begin(const mn_prop *prop, mn_cast *out, float **position, float **normal)
{
    mn_trace_mesh *mesh = mn_cast_add(out);
    if (!mesh) return NULL;
    const size_t size = 3 * (size_t)prop->vertex_count * sizeof(float);
    mesh->position = *position = copy_of(prop->position, size);
    mesh->normal = *normal = copy_of(prop->normal, size);
    mesh->triangle = copy_of(prop->triangle, 3 * (size_t)prop->triangle_count * sizeof(int32_t));
    mesh->vertex_count = prop->vertex_count;
    mesh->triangle_count = prop->triangle_count;
    mesh->look = prop->look;
    return mesh->position && mesh->normal && mesh->triangle ? mesh : NULL;
}

/* In its pose; during the exposure each point moves on by its velocity. */
static mn_status place(const mn_stage *stage, const mn_prop *prop, const mn_pose *pose, double exposure,
                       const mn_coat_points *coat, mn_cast *out, mn_messages *say)
{
    float *position, *normal;
    mn_trace_mesh *mesh = begin(prop, out, &position, &normal);
    if (!mesh) return no_memory(say);
    float *later = exposure > 0 ? malloc((3 * (size_t)prop->vertex_count + 1) * sizeof *later) : NULL;
    mesh->later = later;
    if (exposure > 0 && !later) return no_memory(say);
    for (size_t i = 0; i < (size_t)prop->vertex_count; i++) {
        double rest[3], x[3], velocity[3];
        for (size_t a = 0; a < 3; a++) rest[a] = (double)prop->position[3 * i + a];
        mn_pose_point(pose, rest, x, velocity);
        for (size_t a = 0; a < 3; a++) {
            const double *row = pose->rotation + 3 * a;
            const float *n = prop->normal + 3 * i;
            normal[3 * i + a] = (float)(row[0] * (double)n[0] + row[1] * (double)n[1] + row[2] * (double)n[2]);
            position[3 * i + a] = (float)(x[a] - 0.5 * exposure * velocity[a]);
            if (later) later[3 * i + a] = (float)(x[a] + 0.5 * exposure * velocity[a]);
        }
    }
    const mn_scene *scene = stage->scene;
    const double spacing = prop->wall >= 0 ? scene->walls[prop->wall].spacing : scene->bodies[prop->body].spacing;
    const int object = prop->wall >= 0 ? prop->wall : scene->wall_count + prop->body;
    return coat && prop->coated ? paint(coat, object, 2 * spacing, mesh, say) : MN_OK;
}

mn_status mn_stage_walls(const mn_stage *stage, const mn_scene *now, double time, double exposure,
                         const mn_coat_points *coat, mn_cast *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; k < stage->count && status == MN_OK; k++) {
        const mn_prop *prop = &stage->props[k];
        if (prop->wall < 0) continue;
        const mn_motion *motion = &now->walls[prop->wall].motion;
        const mn_pose pose = mn_motion_at(motion, time);
        status = place(stage, prop, &pose, motion->moving ? exposure : 0, coat, out, say);
    }
    return status;
}

mn_status mn_stage_bodies(const mn_stage *stage, const mn_pose *poses, double exposure, const mn_coat_points *coat,
                          mn_cast *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; k < stage->count && status == MN_OK; k++)
        if (stage->props[k].body >= 0)
            status = place(stage, &stage->props[k], &poses[stage->props[k].body], exposure, coat, out, say);
    return status;
}

/* -------------------------------------------------------------------------------------------- soft solids */

/* Axes of a triangle: along its first side, across it, and its normal. */
static void axes_of(const float *corner, vec3 out[3])
{
    const vec3 a = v3_of(corner), side = v3_sub(v3_of(corner + 3), a);
    out[0] = v3_unit(side);
    out[2] = v3_unit(v3_cross(side, v3_sub(v3_of(corner + 6), a)));
    out[1] = v3_cross(out[2], out[0]);
}

/* Normals turn with their triangles. */
static void bend_normals(const mn_prop *prop, const float *position, float *normal)
{
    for (long t = 0; t < prop->triangle_count; t++) {
        const size_t at = 9 * (size_t)t;
        vec3 then[3], now[3];
        axes_of(prop->position + at, then);
        axes_of(position + at, now);
        for (size_t k = 0; k < 3; k++) {
            const vec3 n = v3_of(prop->normal + at + 3 * k);
            vec3 bent = {0, 0, 0};
            for (int a = 0; a < 3; a++) bent = v3_along(bent, v3_dot(n, then[a]), now[a]);
            memcpy(normal + at + 3 * k, &bent, sizeof bent);
        }
    }
}

mn_status mn_stage_solids(const mn_stage *stage, const mn_soft_points *points, mn_cast *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; k < stage->count && status == MN_OK; k++) {
        const mn_prop *prop = &stage->props[k];
        if (prop->solid < 0) continue;
        mn_bend *bend = mn_bend_new(points, prop->solid, stage->scene->solids[prop->solid].spacing);
        float *x, *normal;
        mn_trace_mesh *mesh = begin(prop, out, &x, &normal);
        if (!mesh || !bend) status = no_memory(say);
        for (size_t i = 0; i < (size_t)prop->vertex_count && status == MN_OK; i++) {
            const double rest[3] = {(double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]};
            double shift[3];
            mn_bend_at(bend, rest, shift);
            for (size_t a = 0; a < 3; a++) x[3 * i + a] = (float)(rest[a] + shift[a]);
        }
        if (status == MN_OK) bend_normals(prop, x, normal);
        mn_bend_free(bend);
    }
    return status;
}

/* ------------------------------------------------------------------------------- soft solids, worked out ahead */

static bool grow(mn_binding *out, size_t *room, size_t wanted)
{
    if (wanted <= *room) return true;
    *room = 2 * wanted + 4096;
    uint32_t *particle = realloc(out->particle, *room * sizeof *particle);
    if (particle) out->particle = particle;
    float *weight = realloc(out->weight, *room * sizeof *weight);
    if (weight) out->weight = weight;
    return particle && weight;
}

static bool bind_corner(mn_binding *out, size_t *room, const mn_bend *bend, const double x[3])
{
    mn_bend_share share[MN_BEND_MOST];
    const int count = mn_bend_shares(bend, x, share);
    const size_t from = out->first[out->count];
    double offset[3] = {x[0], x[1], x[2]};
    if (!grow(out, room, from + (size_t)count)) return false;
    for (int k = 0; k < count; k++) {
        out->particle[from + (size_t)k] = (uint32_t)share[k].particle;
        out->weight[from + (size_t)k] = (float)share[k].weight;
        for (int a = 0; a < 3; a++) offset[a] -= share[k].weight * share[k].rest[a];
    }
    for (int a = 0; a < 3; a++) out->offset[3 * out->count + a] = (float)offset[a];
    out->first[++out->count] = (uint32_t)(from + (size_t)count);
    return true;
}

bool mn_prop_bind(const mn_prop *prop, const mn_soft_points *points, double spacing, mn_binding *out)
{
    const size_t n = 3 * (size_t)prop->triangle_count;
    *out = (mn_binding){.corners = (long)n, .at = malloc((n + 1) * sizeof *out->at)};
    out->first = calloc(n + 2, sizeof *out->first);
    out->offset = malloc((3 * n + 1) * sizeof *out->offset);
    double *corner = malloc((3 * n + 1) * sizeof *corner);
    int *same = malloc((n + 1) * sizeof *same);
    mn_bend *bend = mn_bend_new(points, prop->solid, spacing);
    bool ok = out->at && out->first && out->offset && corner && same && bend;
    size_t room = 0;
    for (size_t k = 0; k < n && ok; k++)
        for (size_t a = 0; a < 3; a++) corner[3 * k + a] = (double)prop->position[3 * (size_t)prop->triangle[k] + a];
    ok = ok && mn_weld(corner, n, same);
    for (size_t k = 0; k < n && ok; k++) {
        const bool first = (size_t)same[k] == k;
        if (first) ok = bind_corner(out, &room, bend, corner + 3 * k);
        out->at[k] = first ? (uint32_t)(out->count - 1) : out->at[same[k]];
    }
    mn_bend_free(bend);
    free(corner);
    free(same);
    return ok;
}

void mn_binding_free(mn_binding *b)
{
    free(b->at);
    free(b->first);
    free(b->particle);
    free(b->weight);
    free(b->offset);
    *b = (mn_binding){0};
}
