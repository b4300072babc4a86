/* sample_inset.c -- points on the surface that lies a little inside a shape, and outward normals.
 *
 * Primitives are sampled as smaller primitives. The points of a mesh are thrown on its surface and then moved
 * inwards along the gradient of the signed distance, until they are deep enough or have come to the middle of a thin
 * part; of those that end up on top of each other one stays.
 */
#include "geometry/near.h"
#include "geometry/shape.h"
#include "geometry/vectors.h"

#include <stdlib.h>
#include <string.h>

static void gradient(const mn_shape *shape, const double x[3], double width, bool one_sided, double out[3])
{
    const double limit = 8 * width, here = one_sided ? mn_shape_distance(shape, x, limit) : 0;
    for (int k = 0; k < 3; k++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[k] += width, b[k] -= width;
        const double ahead = mn_shape_distance(shape, a, limit);
        out[k] = one_sided ? (ahead - here) / width : (ahead - mn_shape_distance(shape, b, limit)) / (2 * width);
    }
}

void mn_shape_normal(const mn_shape *shape, const double x[3], double width, double normal[3])
{
    gradient(shape, x, width, false, normal);
    /* in the middle of a sheet: one of its two sides */
    if (length3(normal) < 0.3) gradient(shape, x, width, true, normal);
    const double length = length3(normal);
    for (int k = 0; k < 3; k++) normal[k] = length > 1e-6 ? normal[k] / length : k == 1;
}

bool mn_shape_is_plate(const mn_shape *s, double thickness, double normal[3])
{
    int axis = 1;
    for (int k = 0; k < 3 && s->kind == MN_BOX; k++)
        if (s->half[k] < s->half[axis]) axis = k;
    for (int k = 0; k < 3; k++) normal[k] = s->rotation[3 * k + axis];
    return (s->kind == MN_BOX && 2 * s->half[axis] < thickness) || (s->kind == MN_CYLINDER && s->height < thickness);
}

static void shrink_cone(mn_shape *s, double inset)
{
    const double h = 0.5 * s->height, slope = (s->radius2 - s->radius) / s->height,
                 side = inset * sqrt(1 + slope * slope);
    double low = fmin(-h + inset, 0), high = fmax(h - inset, 0);
    const double middle = 0.5 * (s->radius + s->radius2) - side; /* radius of the inner cone at y = 0 */
    if (middle + slope * high < 0 && slope < 0) high = fmax(low, -middle / slope);
    if (middle + slope * low < 0 && slope > 0) low = fmin(high, -middle / slope);
    const double shift[3] = {0, 0.5 * (low + high), 0};
    double centre[3];
    mn_shape_place(s, shift, centre);
    memcpy(s->translate, centre, sizeof centre);
    s->radius = fmax(middle + slope * low, 0), s->radius2 = fmax(middle + slope * high, 0);
    s->height = high - low;
}

static void shrink(mn_shape *s, double inset)
{
    if (s->kind == MN_CONE) {
        shrink_cone(s, inset);
        return;
    }
    for (int k = 0; k < 3; k++) s->half[k] = fmax(s->half[k] - inset, 0);
    if (s->kind == MN_TORUS) s->radius2 = fmax(s->radius2 - inset, 0);
    else s->radius = fmax(s->radius - inset, 0);
    if (s->kind == MN_CYLINDER) s->height = fmax(s->height - 2 * inset, 0);
}

/* Inwards until `inset` below the surface, or to the middle. */
static void sink(const mn_shape *shape, double inset, double width, double x[3])
{
    for (int round = 0; round < 6; round++) {
        double n[3];
        const double depth = mn_shape_distance(shape, x, 8 * inset) + inset;
        gradient(shape, x, width, false, n);
        const double length = length3(n);
        if (fabs(depth) < 0.02 * inset || length < 0.3) return;
        for (int k = 0; k < 3; k++) x[k] -= depth * n[k] / length;
    }
}

static mn_status inset_mesh(const mn_shape *shape, const mn_shape_def *def, double spacing, double inset, int seed,
                            mn_points *out, mn_messages *say)
{
    mn_points on = {0};
    near_grid grid = {0};
    mn_status status = mn_sample_mesh(&shape->mesh, spacing, seed, def->at, &on, say);
    if (status == MN_OK) status = near_new(&grid, out, spacing, on.count);
    for (long i = 0; i < on.count && status == MN_OK; i++) {
        double *x = on.x + 3 * i;
        sink(shape, inset, 0.25 * spacing, x);
        if (near_any(&grid, x, 0.6 * spacing)) continue;
        status = mn_points_add(out, x);
        if (status == MN_OK) status = near_add(&grid, out->count - 1);
    }
    near_free(&grid);
    mn_points_free(&on);
    return status;
}

mn_status mn_sample_inset(const mn_shape *shape, const mn_shape_def *def, double spacing, double inset, int seed,
                          mn_points *out, mn_messages *say)
{
    if (!(inset > 0)) return mn_sample_surface(shape, def, spacing, seed, out, say);
    mn_status status = mn_spacing_check(shape, spacing, def->at, say);
    if (status != MN_OK) return status;
    if (shape->kind == MN_MESH) return inset_mesh(shape, def, spacing, inset, seed, out, say);
    mn_shape inner = *shape;
    shrink(&inner, inset);
    return mn_sample_surface(&inner, def, spacing, seed, out, say);
}
