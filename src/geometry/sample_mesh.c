/* sample_mesh.c -- points on a triangle mesh about one spacing apart, by darts that keep their distance.
 *
 * Corners first, then sharp edges, then the faces: features keep their points. The faces take two rounds of darts,
 * each spread over the triangles by area: one with a wide distance for an even pattern, one with a narrower distance
 * that fills what was left open. The second round throws so many darts that no hole stays: every place of the
 * surface lies within about 0.9 spacing of a point, and no two points are closer than `narrow` spacings.
 */
#include "geometry/mesh_text.h"
#include "geometry/weld.h"
#include "geometry/near.h"
#include "geometry/shape.h"
#include "geometry/random.h"
#include "geometry/vectors.h"

#include <stdlib.h>

static const double wide = 0.95, narrow = 0.75;         /* least distances, spacings */
static const double wide_darts = 16, narrow_darts = 40; /* a spacing^2 of area */
static const double sharp_cosine = 0.8;                 /* between the normals: edges bent by more than 37 degrees */

typedef struct darts {
    const mn_mesh *mesh;
    double spacing;
    mn_points *out;
    near_grid grid;
    mn_status status;
} darts;

static void throw_dart(darts *d, const double x[3], double least)
{
    if (d->status != MN_OK || near_any(&d->grid, x, least * d->spacing)) return;
    d->status = mn_points_add(d->out, x);
    if (d->status == MN_OK) d->status = near_add(&d->grid, d->out->count - 1);
}

static const double *corner_of(const mn_mesh *mesh, size_t triangle, int corner)
{
    return mesh->vertex + 3 * (size_t)mesh->triangle[3 * triangle + (size_t)corner];
}

/* Area vector; its length is the area. */
static void area_of(const mn_mesh *mesh, size_t triangle, double out[3])
{
    double e1[3], e2[3];
    sub3(corner_of(mesh, triangle, 1), corner_of(mesh, triangle, 0), e1);
    sub3(corner_of(mesh, triangle, 2), corner_of(mesh, triangle, 0), e2);
    cross3(e1, e2, out);
    for (int k = 0; k < 3; k++) out[k] *= 0.5;
}

/* ------------------------------------------------------------ features */

typedef struct edge {
    int low, high, triangle;
} edge;

static int by_ends(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static bool is_sharp(const mn_mesh *mesh, const edge *e, size_t shared)
{
    if (shared != 2) return true; /* a rim, or several sheets meet */
    double a[3], b[3];
    area_of(mesh, (size_t)e[0].triangle, a);
    area_of(mesh, (size_t)e[1].triangle, b);
    return dot3(a, b) < sharp_cosine * length3(a) * length3(b);
}

/* Gathers the sharp edges at the front of the list; returns how many. */
static size_t keep_sharp(const mn_mesh *mesh, edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && edges[next].low == edges[i].low && edges[next].high == edges[i].high; next++) {}
        if (is_sharp(mesh, edges + i, next - i)) edges[kept++] = edges[i];
    }
    return kept;
}

static edge *all_edges(const mn_mesh *mesh, size_t *count)
{
    size_t triangles = (size_t)mesh->triangle_count;
    int *weld = malloc(((size_t)mesh->vertex_count + 1) * sizeof *weld);
    edge *edges = malloc((3 * triangles + 1) * sizeof *edges);
    if (!weld || !edges || !mn_weld(mesh->vertex, (size_t)mesh->vertex_count, weld)) {
        free(weld);
        free(edges);
        return NULL;
    }
    *count = 0;
    for (size_t t = 0; t < triangles; t++)
        for (size_t k = 0; k < 3; k++) {
            int a = weld[mesh->triangle[3 * t + k]], b = weld[mesh->triangle[3 * t + (k + 1) % 3]];
            if (a != b) edges[(*count)++] = (edge){a < b ? a : b, a < b ? b : a, (int)t};
        }
    free(weld);
    qsort(edges, *count, sizeof *edges, by_ends);
    return edges;
}

static void point_on(const mn_mesh *mesh, const edge *e, double t, double out[3])
{
    const double *a = mesh->vertex + 3 * (size_t)e->low, *b = mesh->vertex + 3 * (size_t)e->high;
    for (int k = 0; k < 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
}

/* Corners: vertices where sharp edges end or branch. */
static void dart_corners(darts *d, const edge *edges, size_t count, int *sharp_edges)
{
    for (size_t i = 0; i < count; i++) sharp_edges[edges[i].low]++, sharp_edges[edges[i].high]++;
    for (int v = 0; v < d->mesh->vertex_count; v++)
        if (sharp_edges[v] && sharp_edges[v] != 2) throw_dart(d, d->mesh->vertex + 3 * (size_t)v, narrow);
}

/* Along each sharp edge: first evenly at about a spacing, then finely, to close the gaps where short edges meet. */
static void dart_edges(darts *d, const edge *edges, size_t count, double pieces_per_spacing, double least)
{
    for (size_t i = 0; i < count && d->status == MN_OK; i++) {
        double length =
            distance3(d->mesh->vertex + 3 * (size_t)edges[i].low, d->mesh->vertex + 3 * (size_t)edges[i].high);
        double n = fmax(1, floor(pieces_per_spacing * length / d->spacing + 0.5)), x[3];
        for (double j = 0; j <= n && d->status == MN_OK; j++) {
            point_on(d->mesh, &edges[i], j / n, x);
            throw_dart(d, x, least);
        }
    }
}

static void dart_features(darts *d)
{
    size_t count = 0;
    edge *edges = all_edges(d->mesh, &count);
    int *sharp_edges = calloc((size_t)d->mesh->vertex_count + 1, sizeof *sharp_edges);
    if (edges && sharp_edges) {
        count = keep_sharp(d->mesh, edges, count);
        dart_corners(d, edges, count, sharp_edges);
        dart_edges(d, edges, count, 1, 0.8);
        dart_edges(d, edges, count, 8, narrow);
    } else {
        d->status = MN_FAILED;
    }
    free(edges);
    free(sharp_edges);
}

/* ------------------------------------------------------------ faces */

static void random_on(const mn_mesh *mesh, size_t triangle, random_stream *r, double out[3])
{
    double u = random_unit(r), v = random_unit(r);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const double *a = corner_of(mesh, triangle, 0), *b = corner_of(mesh, triangle, 1),
                 *c = corner_of(mesh, triangle, 2);
    for (int k = 0; k < 3; k++) out[k] = a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]);
}

/* One dart a spacing^2, several times over the whole mesh, so that no triangle is filled before its neighbours have
 * begun. Small triangles get a dart with the probability that their area asks for. */
static void dart_faces(darts *d, int seed, double rounds, double least)
{
    double unit = d->spacing * d->spacing;
    for (int round = 0; round < (int)rounds; round++)
        for (size_t t = 0; t < (size_t)d->mesh->triangle_count && d->status == MN_OK; t++) {
            random_stream r = random_from(seed, (uint64_t)t * 128 + (uint64_t)round + (least < wide ? 64 : 0));
            double area[3], x[3];
            area_of(d->mesh, t, area);
            for (double left = length3(area) / unit; left > 0 && d->status == MN_OK; left--) {
                if (left < 1 && random_unit(&r) >= left) break;
                random_on(d->mesh, t, &r, x);
                throw_dart(d, x, least);
            }
        }
}

mn_status mn_sample_mesh(const mn_mesh *mesh, double spacing, int seed, mn_place at, mn_points *out, mn_messages *say)
{
    double total = 0, area[3], x[3];
    for (size_t t = 0; t < (size_t)mesh->triangle_count; t++) {
        area_of(mesh, t, area);
        total += length3(area);
    }
    double expected = total / (spacing * spacing);
    if (!(expected <= MN_MAX_SAMPLES)) {
        mn_say_error(
            say, at,
            "mesh: its surface of %g m^2 needs about %.3g points at a spacing of %g m, more than the %.3g allowed",
            total, expected, spacing, MN_MAX_SAMPLES);
        return MN_BAD_INPUT;
    }
    darts d = {.mesh = mesh, .spacing = spacing, .out = out};
    d.status = near_new(&d.grid, out, wide * spacing, (long)(2 * expected));
    if (d.status == MN_OK) dart_features(&d);
    dart_faces(&d, seed, wide_darts, wide);
    dart_faces(&d, seed, narrow_darts, narrow);
    for (int k = 0; k < 3; k++)
        x[k] = (corner_of(mesh, 0, 0)[k] + corner_of(mesh, 0, 1)[k] + corner_of(mesh, 0, 2)[k]) / 3;
    throw_dart(&d, x, narrow); /* a mesh smaller than a particle gets at least one */
    near_free(&d.grid);
    return d.status;
}
