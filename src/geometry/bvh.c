/* bvh.c -- bounding volume hierarchy with closest point and fast winding number.
 *
 * Built by splitting at the median centroid along the longest axis: depth is log2 of the triangle count whatever the
 * mesh, so the traversal stacks have a fixed size. Leaves hold up to four triangles, stored by value in tree order.
 *
 * Winding number (Barill et al. 2018, "Fast winding numbers for soups and clouds"): a far cluster of triangles acts
 * as one dipole, the sum of its area vectors at its area-weighted centre; near clusters are opened and end in exact
 * solid angles (Van Oosterom 1983).
 */
#include "geometry/bvh.h"
#include "base/exact.h"

#include "geometry/random.h"
#include "geometry/vectors.h"

#include <stdlib.h>

enum { LEAF = 4, STACK = 96 };
/* A cluster counts as far when it is more than this many of its radii away. A wrong sign needs an error of 0.5; this
 * leaves 0.1. */
static const double far_radii = 2;

typedef struct node {
    double low[3], high[3];
    double centre[3], area[3], radius; /* of the dipole */
    /* leaf: triangles; inner (count 0): first is the left child, first + 1 the right */
    int first, count;
} node;

struct mn_bvh {
    node *nodes;
    int node_count;
    double *corner; /* 9 a triangle, in leaf order */
};

typedef struct builder {
    const mn_mesh *mesh;
    double *centroid;
    int *order;
    random_stream pivot;
    mn_bvh *tree;
} builder;

/* Rearranges order[first..last) so that the middle one is in its sorted place along the axis. A random pivot keeps
 * any mesh linear. */
static void split_at_median(builder *b, int first, int last, int axis)
{
    int middle = first + (last - first) / 2, low = first, high = last - 1;
    while (low < high) {
        int chosen = low + (int)(random_bits(&b->pivot) % (uint64_t)(high - low + 1));
        double pivot = b->centroid[3 * (size_t)b->order[chosen] + axis];
        int i = low, j = high;
        while (i <= j) {
            while (b->centroid[3 * (size_t)b->order[i] + axis] < pivot) i++;
            while (b->centroid[3 * (size_t)b->order[j] + axis] > pivot) j--;
            if (i > j) break;
            int swap = b->order[i];
            b->order[i++] = b->order[j];
            b->order[j--] = swap;
        }
        if (middle <= j) high = j;
        else if (middle >= i) low = i;
        else break;
    }
}

static int longest_axis(const builder *b, int first, int last)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = first; i < last; i++)
        for (int k = 0; k < 3; k++) {
            double c = b->centroid[3 * (size_t)b->order[i] + k];
            low[k] = fmin(low[k], c);
            high[k] = fmax(high[k], c);
        }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    return axis;
}

static void triangle_area(const double *corner, double out[3])
{
    double e1[3], e2[3];
    sub3(corner + 3, corner, e1);
    sub3(corner + 6, corner, e2);
    cross3(e1, e2, out);
    for (int k = 0; k < 3; k++) out[k] *= 0.5;
}

/* Bounds, dipole and radius of a node from its triangles, which are all the triangles first..last in tree order. */
static void summarise(mn_bvh *tree, node *n, int first, int last)
{
    double weight = 0, centre[3] = {0};
    for (int k = 0; k < 3; k++) n->low[k] = INFINITY, n->high[k] = -INFINITY, n->area[k] = 0;
    for (int t = first; t < last; t++) {
        const double *c = tree->corner + 9 * (size_t)t;
        double area[3];
        triangle_area(c, area);
        double size = length3(area);
        weight += size;
        for (int k = 0; k < 3; k++) {
            n->low[k] = fmin(n->low[k], fmin(c[k], fmin(c[3 + k], c[6 + k])));
            n->high[k] = fmax(n->high[k], fmax(c[k], fmax(c[3 + k], c[6 + k])));
            n->area[k] += area[k];
            centre[k] += size * (c[k] + c[3 + k] + c[6 + k]) / 3;
        }
    }
    for (int k = 0; k < 3; k++) n->centre[k] = weight > 0 ? centre[k] / weight : 0.5 * (n->low[k] + n->high[k]);
    n->radius = 0;
    for (size_t v = 3 * (size_t)first; v < 3 * (size_t)last; v++)
        n->radius = fmax(n->radius, distance3(tree->corner + 3 * v, n->centre));
}

static void copy_corners(builder *b, int first, int last)
{
    for (int i = first; i < last; i++)
        for (int v = 0; v < 3; v++) {
            size_t vertex = (size_t)b->mesh->triangle[3 * (size_t)b->order[i] + v];
            for (int k = 0; k < 3; k++) b->tree->corner[9 * (size_t)i + 3 * v + k] = b->mesh->vertex[3 * vertex + k];
        }
}

/* Recursion depth is log2 of the triangle count. */
static void build(builder *b, int at, int first, int last)
{
    if (last - first <= LEAF) {
        copy_corners(b, first, last);
        b->tree->nodes[at].first = first;
        b->tree->nodes[at].count = last - first;
    } else {
        split_at_median(b, first, last, longest_axis(b, first, last));
        int middle = first + (last - first) / 2, left = b->tree->node_count;
        b->tree->node_count += 2;
        b->tree->nodes[at].first = left;
        b->tree->nodes[at].count = 0;
        build(b, left, first, middle);
        build(b, left + 1, middle, last);
    }
    summarise(b->tree, &b->tree->nodes[at], first, last);
}

mn_bvh *mn_bvh_new(const mn_mesh *mesh)
{
    size_t count = (size_t)mesh->triangle_count;
    mn_bvh *tree = calloc(1, sizeof *tree);
    builder b = {mesh, malloc(count * 3 * sizeof(double)), malloc(count * sizeof(int)), {1}, tree};
    if (tree) {
        /* Leaves hold at least two triangles unless there is only one. */
        tree->nodes = malloc((count + 1) * sizeof *tree->nodes);
        tree->corner = calloc(count * 9, sizeof *tree->corner);
    }
    if (!count || !tree || !tree->nodes || !tree->corner || !b.centroid || !b.order) {
        mn_bvh_free(tree);
        tree = NULL;
    } else {
        for (size_t t = 0; t < count; t++) {
            const int *v = mesh->triangle + 3 * t;
            b.order[t] = (int)t;
            for (int k = 0; k < 3; k++)
                b.centroid[3 * t + (size_t)k] =
                    (mesh->vertex[3 * (size_t)v[0] + k] + mesh->vertex[3 * (size_t)v[1] + k] +
                     mesh->vertex[3 * (size_t)v[2] + k]) /
                    3;
        }
        tree->node_count = 1;
        build(&b, 0, 0, (int)count);
    }
    free(b.centroid);
    free(b.order);
    return tree;
}

void mn_bvh_free(mn_bvh *tree)
{
    if (!tree) return;
    free(tree->nodes);
    free(tree->corner);
    free(tree);
}

/* `away`: from the foot to x. */
static double segment_distance2(const double a[3], const double b[3], const double x[3], double away[3])
{
    double ab[3];
    sub3(b, a, ab);
    sub3(x, a, away);
    double length2 = dot3(ab, ab), t = length2 > 0 ? dot3(away, ab) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) away[k] -= t * ab[k];
    return dot3(away, away);
}

/* The foot of x in the plane counts if it lies within all three edges; else the nearest edge does, also for slivers. */
static double triangle_distance2(const double *c, const double x[3], double away[3])
{
    double e[3][3], normal[3], side[3], from[3];
    for (int i = 0; i < 3; i++) sub3(c + 3 * ((i + 1) % 3), c + 3 * i, e[i]);
    cross3(e[0], e[1], normal);
    double n2 = dot3(normal, normal);
    bool within = n2 > 0;
    for (int i = 0; within && i < 3; i++) {
        sub3(x, c + 3 * i, from);
        cross3(normal, e[i], side);
        within = dot3(side, from) >= 0;
    }
    if (within) {
        sub3(x, c, from);
        double height = dot3(normal, from);
        for (int k = 0; k < 3; k++) away[k] = height * normal[k] / n2;
        return height * height / n2;
    }
    double best = segment_distance2(c, c + 3, x, away);
    for (int i = 1; i < 3; i++) {
        const double d = segment_distance2(c + 3 * i, c + 3 * ((i + 1) % 3), x, from);
        if (!(d < best)) continue;
        best = d;
        for (int k = 0; k < 3; k++) away[k] = from[k];
    }
    return best;
}

static double box_distance2(const node *n, const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = x[k] < n->low[k] ? n->low[k] - x[k] : x[k] > n->high[k] ? x[k] - n->high[k] : 0;
        sum += d * d;
    }
    return sum;
}

double mn_bvh_foot(const mn_bvh *tree, const double x[3], double limit, double foot[3])
{
    struct {
        int node;
        double distance2;
    } stack[STACK];
    int depth = 0;
    double best = limit * limit, root = box_distance2(tree->nodes, x), away[3];
    if (root < best) stack[depth].node = 0, stack[depth++].distance2 = root;
    while (depth) {
        depth--;
        if (stack[depth].distance2 >= best) continue;
        const node *n = tree->nodes + stack[depth].node;
        for (int t = n->first; t < n->first + n->count; t++) {
            const double d = triangle_distance2(tree->corner + 9 * (size_t)t, x, away);
            if (!(d < best)) continue;
            best = d;
            for (int k = 0; k < 3; k++) foot[k] = x[k] - away[k];
        }
        if (n->count) continue;
        double d[2] = {box_distance2(tree->nodes + n->first, x), box_distance2(tree->nodes + n->first + 1, x)};
        int near = d[0] <= d[1] ? 0 : 1;
        for (int i = 0; i < 2; i++) { /* the nearer child goes on top */
            int child = i ? near : 1 - near;
            if (d[child] < best) stack[depth].node = n->first + child, stack[depth++].distance2 = d[child];
        }
    }
    return best < limit * limit ? sqrt(best) : limit;
}

double mn_bvh_distance(const mn_bvh *tree, const double x[3], double limit)
{
    double foot[3];
    return mn_bvh_foot(tree, x, limit, foot);
}

/* Signed solid angle of a triangle, half of it. */
static double half_solid_angle(const double *c, const double x[3])
{
    double p[3][3], l[3], q[3];
    for (int i = 0; i < 3; i++) {
        sub3(c + 3 * i, x, p[i]);
        l[i] = length3(p[i]);
    }
    cross3(p[1], p[2], q);
    double above = dot3(p[0], q);
    double below = l[0] * l[1] * l[2] + dot3(p[0], p[1]) * l[2] + dot3(p[1], p[2]) * l[0] + dot3(p[2], p[0]) * l[1];
    return above == 0 && below == 0 ? 0 : mn_atan2(above, below);
}

double mn_bvh_winding(const mn_bvh *tree, const double x[3])
{
    int stack[STACK], depth = 0;
    double angle = 0;
    stack[depth++] = 0;
    while (depth) {
        const node *n = tree->nodes + stack[--depth];
        double d[3];
        sub3(n->centre, x, d);
        double r2 = dot3(d, d);
        if (r2 > far_radii * far_radii * n->radius * n->radius) {
            angle += dot3(n->area, d) / (r2 * sqrt(r2));
        } else if (n->count) {
            for (int t = n->first; t < n->first + n->count; t++)
                angle += 2 * half_solid_angle(tree->corner + 9 * (size_t)t, x);
        } else {
            stack[depth++] = n->first;
            stack[depth++] = n->first + 1;
        }
    }
    return angle / (4 * 3.14159265358979323846);
}
