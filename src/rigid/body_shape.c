/* body_shape.c -- what a rigid body is made of; see body_shape.h. */
#include "rigid/body_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mn_rigid_shape_free(mn_rigid_shape *shape)
{
    for (int k = 0; shape->shapes && k < shape->count; k++) mn_shape_free(shape->shapes[k]);
    free(shape->shapes);
    *shape = (mn_rigid_shape){0};
}

bool mn_rigid_shape_weigh(mn_rigid_shape *shape, const mn_body *body)
{
    const double mass = body->mass > 0 ? body->mass : body->density > 0 ? body->density * shape->volume : shape->volume;
    if (mass == shape->mass) return false;
    shape->mass = mass;
    for (int k = 0; k < 9; k++) shape->inertia[k] = mass / shape->volume * shape->spread[k];
    return true;
}

/* Mass and inertia of an even density; a hollow body is given by its mass. */
static mn_status weigh(const mn_body *body, mn_rigid_shape *shape, mn_messages *say)
{
    const mn_moments m = mn_union_moments(shape->shapes, shape->count);
    if (!(m.volume > 0) || !isfinite(m.volume)) {
        mn_say_error(say, body->at, "the body \"%s\" has no volume", body->name);
        return MN_BAD_INPUT;
    }
    shape->volume = m.volume;
    const double trace = m.spread[0] + m.spread[4] + m.spread[8];
    memcpy(shape->centre, m.centre, sizeof m.centre);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) shape->spread[3 * r + c] = (r == c ? trace : 0) - m.spread[3 * r + c];
    mn_rigid_shape_weigh(shape, body);
    for (int r = 0; r < 3; r++)
        if (!(shape->inertia[4 * r] > 0)) {
            mn_say_error(say, body->at, "the body \"%s\" has no moment of inertia: it is too thin or too small",
                         body->name);
            return MN_BAD_INPUT;
        }
    return MN_OK;
}

mn_status mn_rigid_shape_make(const mn_body *body, mn_rigid_shape *out, mn_messages *say)
{
    *out =
        (mn_rigid_shape){.shapes = calloc((size_t)body->shape_count, sizeof *out->shapes), .count = body->shape_count};
    mn_status status = out->shapes ? MN_OK : MN_FAILED;
    if (!out->shapes) mn_say_failure(say, body->at, "out of memory");
    for (int k = 0; k < out->count && status == MN_OK; k++) {
        out->shapes[k] = mn_shape_new(&body->shapes[k], say);
        if (!out->shapes[k]) status = MN_BAD_INPUT;
    }
    if (status == MN_OK) status = weigh(body, out, say);
    if (status != MN_OK) mn_rigid_shape_free(out);
    return status;
}

double mn_rigid_shape_distance(const mn_rigid_shape *shape, const double x[3], double limit)
{
    double least = limit;
    for (int k = 0; k < shape->count; k++) least = fmin(least, mn_shape_distance(shape->shapes[k], x, limit));
    return least;
}

/* Of the points of one shape, those inside another do not lie on the surface. */
static bool is_buried(const mn_rigid_shape *shape, int own, const double x[3], double depth, double limit)
{
    for (int k = 0; k < shape->count; k++)
        if (k != own && mn_shape_distance(shape->shapes[k], x, limit) < -depth) return true;
    return false;
}

mn_status mn_rigid_shape_sample(const mn_rigid_shape *shape, const mn_body *body, int seed, mn_points *points,
                                mn_points *normals, mn_messages *say)
{
    const double spacing = body->spacing, inset = MN_BODY_INSET * spacing;
    mn_status status = MN_OK;
    for (int k = 0; k < shape->count && status == MN_OK; k++) {
        mn_points own = {0};
        status = mn_sample_inset(shape->shapes[k], &body->shapes[k], spacing, inset, seed, &own, say);
        for (long i = 0; i < own.count && status == MN_OK; i++) {
            double normal[3];
            const double *x = own.x + 3 * i;
            if (is_buried(shape, k, x, inset + 0.25 * spacing, 8 * spacing)) continue;
            if (mn_shape_is_plate(shape->shapes[k], 2 * inset + 0.4 * spacing, normal))
                for (int a = 0; a < 3; a++) normal[a] *= 2; /* see mn_boundary */
            else mn_shape_normal(shape->shapes[k], x, 0.25 * spacing, normal);
            status = mn_points_add(points, x);
            if (status == MN_OK) status = mn_points_add(normals, normal);
        }
        mn_points_free(&own);
    }
    return status;
}

mn_status mn_rigid_shape_skin(const mn_rigid_shape *shape, double edge, mn_mesh *out, mn_messages *say)
{
    mn_status status = MN_OK;
    *out = (mn_mesh){0};
    for (int k = 0; k < shape->count && status == MN_OK; k++) {
        mn_mesh part;
        status = mn_shape_skin(shape->shapes[k], edge, &part, say);
        if (status != MN_OK) break;
        const size_t v = (size_t)out->vertex_count, t = (size_t)out->triangle_count;
        double *vertex = realloc(out->vertex, 3 * (v + (size_t)part.vertex_count) * sizeof *vertex);
        if (vertex) out->vertex = vertex;
        int *triangle = realloc(out->triangle, 3 * (t + (size_t)part.triangle_count) * sizeof *triangle);
        if (triangle) out->triangle = triangle;
        if (vertex && triangle) {
            for (size_t i = 0; i < 3 * (size_t)part.vertex_count; i++)
                vertex[3 * v + i] = part.vertex[i] - shape->centre[i % 3];
            for (size_t i = 0; i < 3 * (size_t)part.triangle_count; i++)
                triangle[3 * t + i] = part.triangle[i] + (int)v;
            out->vertex_count += part.vertex_count;
            out->triangle_count += part.triangle_count;
        } else {
            mn_say_failure(say, MN_NOWHERE, "out of memory for the triangles of a body");
            status = MN_FAILED;
        }
        mn_mesh_free(&part);
    }
    if (status != MN_OK) mn_mesh_free(out);
    return status;
}
