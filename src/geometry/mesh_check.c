/* mesh_check.c -- is a mesh watertight? Closed, every edge shared by two triangles that run along it in
 * opposite directions, and a positive volume. Vertices at the same position count as one: files often split them for
 * their textures.
 */
#include "geometry/mesh_text.h"
#include "geometry/weld.h"
#include "geometry/vectors.h"

#include <stdlib.h>

/* One side of a triangle; low < high are its welded ends. */
typedef struct side {
    int low, high;
    bool forward; /* it runs from low to high */
} side;

static int by_ends(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (int)a->forward - (int)b->forward;
}

/* All sides, sorted; those of collapsed triangles left out. NULL when out of memory. */
static side *sorted_sides(const mn_mesh *mesh, size_t *count)
{
    size_t triangles = (size_t)mesh->triangle_count;
    int *weld = malloc(((size_t)mesh->vertex_count + 1) * sizeof *weld);
    side *sides = malloc((3 * triangles + 1) * sizeof *sides);
    if (!weld || !sides || !mn_weld(mesh->vertex, (size_t)mesh->vertex_count, weld)) {
        free(weld);
        free(sides);
        return NULL;
    }
    *count = 0;
    for (size_t t = 0; t < triangles; t++) {
        const int v[3] = {weld[mesh->triangle[3 * t]], weld[mesh->triangle[3 * t + 1]],
                          weld[mesh->triangle[3 * t + 2]]};
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue; /* a line: its neighbours meet along it */
        for (int k = 0; k < 3; k++) {
            const int a = v[k], b = v[(k + 1) % 3];
            sides[(*count)++] = a < b ? (side){a, b, true} : (side){b, a, false};
        }
    }
    free(weld);
    qsort(sides, *count, sizeof *sides, by_ends);
    return sides;
}

typedef struct faults {
    /* edges with one triangle, with more than two, with two of the same direction */
    long open, overfull, twisted;
    int open_at, overfull_at, twisted_at; /* a vertex of the first of each */
} faults;

static faults count_faults(const side *sides, size_t count)
{
    faults f = {0};
    for (size_t i = 0, next; i < count; i = next) {
        int forward = 0;
        for (next = i; next < count && sides[next].low == sides[i].low && sides[next].high == sides[i].high; next++)
            forward += sides[next].forward;
        size_t shared = next - i;
        if (shared == 1 && !f.open++) f.open_at = sides[i].low;
        if (shared > 2 && !f.overfull++) f.overfull_at = sides[i].low;
        if (shared == 2 && forward != 1 && !f.twisted++) f.twisted_at = sides[i].low;
    }
    return f;
}

static void volume_and_area(const mn_mesh *mesh, double *volume, double *area)
{
    /* near the mesh: less cancellation far from 0 */
    const double *origin = mesh->vertex + 3 * (size_t)mesh->triangle[0];
    *volume = *area = 0;
    for (size_t t = 0; t < (size_t)mesh->triangle_count; t++) {
        double p[3][3], e1[3], e2[3], n[3];
        for (size_t v = 0; v < 3; v++) sub3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + v], origin, p[v]);
        sub3(p[1], p[0], e1);
        sub3(p[2], p[0], e2);
        cross3(e1, e2, n);
        *volume += dot3(p[0], n) / 6;
        *area += length3(n) / 2;
    }
}

static void say_edges(mn_messages *say, mn_place at, const mn_mesh *mesh, long count, int vertex, const char *what,
                      const char *advice)
{
    const double *x = mesh->vertex + 3 * (size_t)vertex;
    mn_say_error(say, at, "the mesh is not watertight: %ld edge%s %s, the first at (%g, %g, %g)%s", count,
                 count == 1 ? "" : "s", what, x[0], x[1], x[2], advice);
}

static mn_status check(const mn_mesh *mesh, bool rim, mn_place at, mn_messages *say)
{
    if (mesh->triangle_count < 1) {
        mn_say_error(say, at, "the mesh has no triangles");
        return MN_BAD_INPUT;
    }
    size_t count;
    side *sides = sorted_sides(mesh, &count);
    if (!sides) {
        mn_say_failure(say, at, "out of memory for the %d triangles of the mesh", mesh->triangle_count);
        return MN_FAILED;
    }
    faults f = count_faults(sides, count);
    free(sides);
    const bool sheet = rim && f.open;
    if (rim) f.open = 0;
    if (f.open)
        say_edges(say, at, mesh, f.open, f.open_at, "with only one triangle (holes)",
                  "; only the mesh of a wall may have open: true");
    if (f.overfull)
        say_edges(say, at, mesh, f.overfull, f.overfull_at, "shared by more than two triangles (non-manifold)", "");
    if (f.twisted)
        say_edges(say, at, mesh, f.twisted, f.twisted_at,
                  "where neighbours are wound in opposite senses (inverted faces)", "");
    if (f.open || f.overfull || f.twisted) return MN_BAD_INPUT;
    if (sheet) return MN_OK;

    double volume, area;
    volume_and_area(mesh, &volume, &area);
    if (!(fabs(volume) > 1e-9 * area * sqrt(area))) {
        mn_say_error(say, at, "the mesh encloses no volume (area %g m^2)", area);
        return MN_BAD_INPUT;
    }
    if (volume < 0) {
        mn_say_error(say, at,
                     "the mesh is inside out (volume %g m^3): its triangles run clockwise seen from outside, expected "
                     "counter-clockwise",
                     volume);
        return MN_BAD_INPUT;
    }
    return MN_OK;
}

mn_status mn_mesh_check_watertight(const mn_mesh *mesh, mn_place at, mn_messages *say)
{
    return check(mesh, false, at, say);
}

mn_status mn_mesh_check_sheet(const mn_mesh *mesh, mn_place at, mn_messages *say) { return check(mesh, true, at, say); }
