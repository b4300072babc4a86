/* shape_triangles.c -- the surface of a shape as triangles, counter-clockwise from outside. Shapes of revolution by
 * their profile in the half plane (rho, y), from the bottom upwards, turned about the axis. */
#include "geometry/shape.h"
#include "base/exact.h"
#include "geometry/vectors.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

enum { MOST_STEPS = 128 };

typedef struct profile {
    double rho[2 * MOST_STEPS + 8], y[2 * MOST_STEPS + 8];
    int count;
} profile;

static void to(profile *p, double rho, double y) { p->rho[p->count] = rho, p->y[p->count++] = y; }

static int pieces(double length, double edge, int least)
{
    const double n = ceil(length / edge);
    return n < least ? least : n > MOST_STEPS ? MOST_STEPS : (int)n;
}

static void arc(profile *p, double rho, double y, double radius, double from, double until, double edge, int least)
{
    const int n = pieces(radius * fabs(until - from), edge, least);
    for (int i = 0; i <= n; i++) {
        const double angle = from + (until - from) * i / n;
        to(p, fabs(fabs(angle) - pi / 2) < 1e-9 && rho == 0 ? 0 : rho + radius * mn_cos(angle),
           y + radius * mn_sin(angle));
    }
}

static bool room(mn_mesh *out, int vertices, int triangles)
{
    out->vertex = calloc((size_t)vertices * 3 + 1, sizeof *out->vertex);
    out->triangle = calloc((size_t)triangles * 3 + 1, sizeof *out->triangle);
    out->vertex_count = out->triangle_count = 0;
    return out->vertex && out->triangle;
}

static int vertex(mn_mesh *out, double x, double y, double z)
{
    double *v = out->vertex + 3 * (size_t)out->vertex_count;
    v[0] = x, v[1] = y, v[2] = z;
    return out->vertex_count++;
}

static void triangle(mn_mesh *out, int a, int b, int c)
{
    int *t = out->triangle + 3 * (size_t)out->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

/* Rings joined by strips; a profile that begins or ends on the axis closes in a point, a closed one (torus) in
 * itself. */
static bool turn(const profile *p, bool closed, double edge, mn_mesh *out)
{
    double widest = 0;
    for (int i = 0; i < p->count; i++) widest = fmax(widest, p->rho[i]);
    const int n = pieces(2 * pi * widest, edge, 12);
    if (!room(out, p->count * n, 2 * n * p->count)) return false;
    int start[2 * MOST_STEPS + 8];
    bool single[2 * MOST_STEPS + 8];
    for (int i = 0; i < p->count; i++) {
        start[i] = out->vertex_count;
        single[i] = p->rho[i] <= 0;
        for (int k = 0; k < (single[i] ? 1 : n); k++)
            vertex(out, p->rho[i] * mn_cos(2 * pi * k / n), p->y[i], p->rho[i] * mn_sin(2 * pi * k / n));
    }
    for (int i = 0; i + !closed < p->count; i++) {
        const int j = (i + 1) % p->count;
        for (int k = 0; k < n; k++) {
            const int l = (k + 1) % n;
            const int a = start[i] + (single[i] ? 0 : k), b = start[i] + (single[i] ? 0 : l);
            const int c = start[j] + (single[j] ? 0 : k), d = start[j] + (single[j] ? 0 : l);
            if (!single[j]) triangle(out, a, c, d);
            if (!single[i]) triangle(out, a, d, b);
        }
    }
    return true;
}

static bool box(const double half[3], mn_mesh *out)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    if (!room(out, 8, 12)) return false;
    for (int k = 0; k < 8; k++)
        vertex(out, k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]);
    for (int f = 0; f < 6; f++) {
        triangle(out, faces[f][0], faces[f][1], faces[f][2]);
        triangle(out, faces[f][0], faces[f][2], faces[f][3]);
    }
    return true;
}

static bool copy(const mn_mesh *mesh, mn_mesh *out)
{
    if (!room(out, mesh->vertex_count, mesh->triangle_count)) return false;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) out->vertex[i] = mesh->vertex[i];
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) out->triangle[i] = mesh->triangle[i];
    out->vertex_count = mesh->vertex_count, out->triangle_count = mesh->triangle_count;
    return true;
}

mn_status mn_shape_skin(const mn_shape *s, double edge, mn_mesh *out, mn_messages *say)
{
    const double h = 0.5 * s->height, r = s->radius, top = s->kind == MN_CYLINDER ? r : s->radius2;
    profile p = {.count = 0};
    bool ok = false;
    *out = (mn_mesh){0};
    switch (s->kind) {
    case MN_BOX: ok = box(s->half, out); break;
    case MN_PLANE: ok = box((double[3]){s->half[0], 0, s->half[2]}, out); break;
    case MN_MESH: ok = copy(&s->mesh, out); break;
    case MN_SPHERE: arc(&p, 0, 0, r, -pi / 2, pi / 2, edge, 6), ok = turn(&p, false, edge, out); break;
    case MN_CAPSULE:
        arc(&p, 0, -h, r, -pi / 2, 0, edge, 3);
        arc(&p, 0, h, r, 0, pi / 2, edge, 3);
        ok = turn(&p, false, edge, out);
        break;
    case MN_CYLINDER:
    case MN_CONE:
        if (!s->open_end[0] || r <= 0) to(&p, 0, -h);
        if (r > 0) to(&p, r, -h);
        if (top > 0) to(&p, top, h);
        if (!s->open_end[1] || top <= 0) to(&p, 0, h);
        ok = turn(&p, false, edge, out);
        break;
    case MN_TORUS:
        arc(&p, r, 0, s->radius2, -pi, pi, edge, 8);
        p.count--;
        ok = turn(&p, true, edge, out);
        break;
    }
    if (!ok) {
        mn_mesh_free(out);
        mn_say_failure(say, MN_NOWHERE, "%s: out of memory for its triangles", mn_shape_name(s->kind));
        return MN_FAILED;
    }
    for (int i = 0; i < out->vertex_count && s->kind != MN_MESH; i++) {
        double *v = out->vertex + 3 * (size_t)i, local[3] = {v[0], v[1], v[2]};
        mn_shape_place(s, local, v);
    }
    for (size_t t = 0; t < (size_t)out->triangle_count && s->inside_out; t++) {
        int *corner = out->triangle + 3 * t, swap = corner[1];
        corner[1] = corner[2], corner[2] = swap;
    }
    return MN_OK;
}
