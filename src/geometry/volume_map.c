/* volume_map.c -- shapes as a grid of signed distances and volumes (Bender et al. 2019).
 *
 * The volume is that of the solid within the support radius of a point, its edge softened by the kernel:
 *
 *   V(x) = 0.8 int_{|y - x| < h} gamma(phi(y)) dy,     gamma = 1 for phi <= 0, W(phi)/W(0) outside
 *
 * For a flat wall this is a cubic in phi, V_flat. The grid holds V - V_flat(phi), which is 0 along flat walls and
 * smooth elsewhere: a coarse grid is enough, and plane walls are exact. Both volumes of a node come from the same
 * sum over points of the ball, so that the errors of the sum cancel.
 */
#include "geometry/volume_map.h"
#include "base/exact.h"
#include "base/host_spline.h"
#include "base/support.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/boxes.h"
#include "geometry/shape.h"
#include "geometry/vectors.h"

static const double pi = 3.14159265358979323846;

/* A shape at its place, or a copy of it across periodic faces. */
typedef struct part {
    const mn_shape *shape;
    double shift[3];
} part;

typedef struct build {
    const mn_volume_map *map;
    part *parts;
    int count;
    mn_boxes *tree; /* over the parts */
    bool meshed;    /* distances of meshes are expensive: the ball reads those of the grid */
    double h, share;
} build;

/* ------------------------------------------------------------ distances */

typedef struct question {
    const build *b;
    const double *x;
    double limit;
} question;

static double nearer_part(void *user, int k, double nearest)
{
    const question *q = user;
    double local[3];
    sub3(q->x, q->b->parts[k].shift, local);
    return fmin(nearest, mn_shape_distance(q->b->parts[k].shape, local, q->limit));
}

/* No distance beyond this is needed. */
static double limit_of(const build *b) { return 8 * b->h; }

/* The least over all parts, at most `bound`, which it must not exceed; only those are asked that can be the nearest. */
static double distance_below(const build *b, const double x[3], double bound)
{
    question q = {b, x, limit_of(b)};
    return mn_boxes_visit(b->tree, x, bound, nearer_part, &q);
}

static double exact_distance(const build *b, const double x[3]) { return distance_below(b, x, limit_of(b)); }

double mn_volume_map_distance(const mn_volume_map *m, const double x[3])
{
    size_t cell[3];
    double t[3], sum = 0;
    for (int a = 0; a < 3; a++) {
        const double u = fmin(fmax((x[a] - m->low[a]) / m->cell, 0), m->size[a] - 1);
        cell[a] = (size_t)fmin(floor(u), m->size[a] - 2);
        t[a] = u - (double)cell[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        size_t at[3];
        double weight = 1, away[3];
        for (int a = 0; a < 3; a++) {
            const int up = corner >> a & 1;
            at[a] = cell[a] + (size_t)up;
            away[a] = (t[a] - up) * m->cell;
            weight *= up ? t[a] : 1 - t[a];
        }
        const float *node = m->node + 4 * ((at[2] * (size_t)m->size[1] + at[1]) * (size_t)m->size[0] + at[0]);
        sum += weight *
               ((double)node[3] + (double)node[0] * away[0] + (double)node[1] * away[1] + (double)node[2] * away[2]);
    }
    return sum;
}

/* The parts that can be the nearest of a place in the ball around a node. */
enum { NEAR_PARTS = 16 };
typedef struct nearby {
    question of; /* the node; limit: how far from it they are at most */
    int part[NEAR_PARTS], count;
    bool all; /* more than there is room for: the tree is asked */
} nearby;

static double note_part(void *user, int k, double radius)
{
    nearby *n = user;
    if (nearer_part(&n->of, k, INFINITY) >= n->of.limit) return radius; /* its box is nearer than itself */
    if (n->count < NEAR_PARTS) n->part[n->count++] = k;
    else n->all = true;
    return radius;
}

/* Exact where it is below h, at least h elsewhere, for x within h of the place that `near` is of. */
static double distance_at(const build *b, const nearby *near, const double x[3])
{
    if (b->meshed) return mn_volume_map_distance(b->map, x);
    question q = {b, x, limit_of(b)};
    if (near->all) return mn_boxes_visit(b->tree, x, b->h, nearer_part, &q);
    double nearest = b->h;
    for (int k = 0; k < near->count; k++) nearest = nearer_part(&q, near->part[k], nearest);
    return nearest;
}

/* ------------------------------------------------------------ the ball */

enum { LAYERS = 16, RINGS = 4, ANGLES = 8 };

/* Points and weights in the unit ball, layer by layer along z. */
typedef struct ball {
    double point[LAYERS * RINGS * ANGLES][3], weight[LAYERS * RINGS * ANGLES];
} ball;

/* Gauss and Legendre, by Newton's method. */
static void gauss(int n, double *x, double *w)
{
    for (int i = 0; i < n; i++) {
        double z = mn_cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int pass = 0; pass < 50; pass++) {
            double p = 1, last = 0;
            for (int k = 1; k <= n; k++) {
                const double next = ((2 * k - 1) * z * p - (k - 1) * last) / k;
                last = p, p = next;
            }
            slope = n * (z * p - last) / (z * z - 1);
            z -= p / slope;
        }
        x[i] = z, w[i] = 2 / ((1 - z * z) * slope * slope);
    }
}

static void fill_ball(ball *b)
{
    double z[LAYERS], wz[LAYERS], t[RINGS], wt[RINGS];
    gauss(LAYERS, z, wz);
    gauss(RINGS, t, wt);
    int at = 0;
    for (int l = 0; l < LAYERS; l++)
        for (int r = 0; r < RINGS; r++)
            for (int k = 0; k < ANGLES; k++, at++) {
                const double disc = 1 - z[l] * z[l], rho = sqrt(disc * 0.5 * (1 + t[r]));
                const double angle = 2 * pi * (k + 0.5 * (r % 2)) / ANGLES;
                b->point[at][0] = rho * mn_cos(angle), b->point[at][1] = rho * mn_sin(angle), b->point[at][2] = z[l];
                b->weight[at] = wz[l] * pi * disc * 0.5 * wt[r] / ANGLES;
            }
}

static double gamma_of(double q) { return q <= 0 ? 1 : mn_spline_shape(q); }

/* Of the exact distance; between two sides, the mean of both. */
static void gradient_at(const build *b, const double x[3], double phi, double g[3])
{
    const double e = 1e-3 * b->h, bound = b->meshed ? limit_of(b) : phi + 2 * e;
    for (int a = 0; a < 3; a++) {
        double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
        up[a] += e, down[a] -= e;
        g[a] = (distance_below(b, up, bound) - distance_below(b, down, bound)) / (2 * e);
    }
}

/* Of 27 steps, -1 to 1 along each axis, number k. */
static void step_of(int k, double step[3])
{
    const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
    step[0] = x, step[1] = y, step[2] = z;
}

/* The distance around x is that of a plane, as far as it matters: 26 directions. */
static bool is_flat(const build *b, const nearby *near, const double x[3], double phi, const double n[3])
{
    for (int k = 0; k < 27; k++) {
        double d[3];
        step_of(k, d);
        const double length = length3(d);
        if (length == 0) continue;
        const double scale = b->h / length, y[3] = {x[0] + scale * d[0], x[1] + scale * d[1], x[2] + scale * d[2]};
        const double here = distance_at(b, near, y), flat = phi + scale * dot3(n, d);
        if (fabs(fmin(fmax(here, 0), b->h) - fmin(fmax(flat, 0), b->h)) > 1e-7 * b->h) return false;
    }
    return true;
}

/* V - V_flat at a node. */
static double excess(const build *b, const ball *points, const double x[3], const double gradient[3], double phi)
{
    double n[3], u[3], v[3], sum = 0;
    const double steep = length3(gradient);
    for (int a = 0; a < 3; a++) n[a] = steep > 1e-3 ? gradient[a] / steep : a == 1;
    /* within h, distances change by h at most, and above h they do not count */
    nearby near = {.of = {b, x, (2 + 1e-6) * b->h + fmin(phi, 0)}};
    if (!b->meshed) mn_boxes_visit(b->tree, x, 2 * b->h, note_part, &near);
    if (is_flat(b, &near, x, phi, n)) return 0;
    const int thin = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    const double axis[3] = {thin == 0, thin == 1, thin == 2};
    cross3(n, axis, u);
    const double length = length3(u);
    for (int a = 0; a < 3; a++) u[a] /= length;
    cross3(n, u, v);
    for (int k = 0; k < LAYERS * RINGS * ANGLES; k++) {
        const double *p = points->point[k];
        double y[3];
        for (int a = 0; a < 3; a++) y[a] = x[a] + b->h * (p[0] * u[a] + p[1] * v[a] + p[2] * n[a]);
        sum += points->weight[k] * (gamma_of(distance_at(b, &near, y) / b->h) - gamma_of(phi / b->h + p[2]));
    }
    return b->share * sum * b->h * b->h * b->h;
}

/* ------------------------------------------------------------ shapes that stand for others */

/* How far an open container goes on, in supports: farther than the grid and the ball. */
static const double OPEN_BEYOND = 16;

/* What stands for a shape: a sheet is the top of a block four supports deep, an open container goes on beyond its
 * open faces. */
static bool solid_shape(const mn_shape_def *def, double spacing, double h, mn_shape_def *out, mn_messages *say)
{
    *out = *def;
    double shift[3] = {0, 0, 0};
    if (def->kind == MN_PLANE) {
        out->kind = MN_BOX;
        out->inside_out = false;
        out->size[0] += spacing / mn_shape_factor(def, 0); /* half a spacing beyond its outermost particles */
        out->size[2] += spacing / mn_shape_factor(def, 2);
        out->size[1] = 4 * h / mn_shape_factor(def, 1);
        shift[1] = def->inside_out ? 2 * h : -2 * h;
    }
    for (int a = 0; a < 3; a++) out->translate[a] += dot3(def->rotation + 3 * a, shift);
    if (!mn_shape_is_open(def)) return true;
    bool turned = false;
    for (int k = 0; k < 9; k++) turned |= fabs(def->rotation[k] - (k % 4 == 0)) > 1e-9;
    const bool box = def->kind == MN_BOX, cone = def->kind == MN_CONE;
    if (!def->inside_out || turned || cone)
        mn_say_error(say, def->at, "%s: open %s with volume maps need %s; use method: particles",
                     mn_shape_name(def->kind), box ? "faces" : "ends",
                     cone      ? "a cylinder or a box"
                     : !turned ? "inside_out: sheets have no inside"
                     : box     ? "a box that is not turned (rotate)"
                               : "a cylinder that is not turned (rotate, axis)");
    else *out = mn_shape_prolonged(def, OPEN_BEYOND * h);
    return def->inside_out && !turned && !cone;
}

/* ------------------------------------------------------------ the grid */

/* Where the fluid can meet the shapes: their bounds and a margin, within the region. Beyond an open face all is as at
 * the end of the grid. */
static void set_bounds(mn_volume_map *m, const mn_shape_def *defs, mn_shape *const *shapes, int count, double h,
                       const mn_map_region *region, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) low[a] = INFINITY, high[a] = -INFINITY;
    for (int k = 0; k < count; k++) {
        double l[3], u[3];
        mn_shape_bounds(shapes[k], l, u);
        for (int a = 0; a < 3; a++) {
            if (defs[k].open[2 * a]) l[a] += OPEN_BEYOND * h;
            if (defs[k].open[2 * a + 1]) u[a] -= OPEN_BEYOND * h;
            low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], u[a]);
        }
    }
    for (int a = 0; a < 3; a++) {
        const double margin = 2 * h + 2 * m->cell, edge = 2 * m->cell;
        low[a] -= margin, high[a] += margin;
        if (region->span[a] > 0) low[a] = region->low[a] - edge, high[a] = region->low[a] + region->span[a] + edge;
        else low[a] = fmax(low[a], region->low[a] - edge), high[a] = fmin(high[a], region->high[a] + edge);
        high[a] = fmax(high[a], low[a] + 2 * m->cell);
    }
}

static bool plant_tree(build *b)
{
    double(*low)[3] = malloc(((size_t)b->count + 1) * sizeof *low),
    (*high)[3] = malloc(((size_t)b->count + 1) * sizeof *high);
    for (int k = 0; k < b->count && low && high; k++) {
        mn_shape_bounds(b->parts[k].shape, low[k], high[k]);
        for (int a = 0; a < 3; a++) {
            low[k][a] += b->parts[k].shift[a], high[k][a] += b->parts[k].shift[a];
            if (b->parts[k].shape->inside_out) low[k][a] = -INFINITY, high[k][a] = INFINITY;
        }
    }
    if (low && high) b->tree = mn_boxes_new(low, high, b->count);
    free(low), free(high);
    return b->tree != NULL;
}

/* The parts that matter within [low, high]: each shape, and its copies across periodic faces. A container has none. */
static bool set_parts(build *b, mn_shape *const *shapes, int count, const mn_map_region *region, const double low[3],
                      const double high[3])
{
    b->parts = malloc(((size_t)count * 27 + 1) * sizeof *b->parts);
    if (!b->parts) return false;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 27; c++) {
            double l[3], u[3], step[3];
            step_of(c, step);
            mn_shape_bounds(shapes[k], l, u);
            part p = {shapes[k], {0, 0, 0}};
            bool wanted = true;
            for (int a = 0; a < 3; a++) {
                p.shift[a] = step[a] * region->span[a];
                if (step[a] != 0 && (region->span[a] <= 0 || shapes[k]->inside_out)) wanted = false;
                if (step[a] != 0 && (l[a] + p.shift[a] > high[a] + 2 * b->h || u[a] + p.shift[a] < low[a] - 2 * b->h))
                    wanted = false;
            }
            if (wanted) b->parts[b->count++] = p;
        }
    return plant_tree(b);
}

static void place_of_node(const mn_volume_map *m, int row, int i, double x[3])
{
    x[0] = m->low[0] + m->cell * i;
    const int line = row % m->size[1], layer = row / m->size[1];
    x[1] = m->low[1] + m->cell * line;
    x[2] = m->low[2] + m->cell * layer;
}

static double nodes_of(const mn_volume_map *m) { return (double)m->size[0] * m->size[1] * m->size[2]; }

static mn_status fill_nodes(mn_volume_map *m, build *b, mn_place at, mn_messages *say)
{
    const double nodes = nodes_of(m);
    m->node = malloc((size_t)nodes * 4 * sizeof *m->node);
    m->excess = malloc((size_t)nodes * sizeof *m->excess);
    ball *points = malloc(sizeof *points);
    if (!m->node || !m->excess || !points) {
        free(points);
        mn_say_failure(say, at, "out of memory for a volume map of %d x %d x %d nodes", m->size[0], m->size[1],
                       m->size[2]);
        return MN_FAILED;
    }
    fill_ball(points);
    const int rows = m->size[1] * m->size[2], nx = m->size[0];
    /* the nodes of a cell are within its diagonal */
    const double beyond = 1.75 * m->cell, reach = MN_MAP_REACH * b->h + beyond;
#pragma omp parallel for schedule(dynamic, 16)
    for (int row = 0; row < rows; row++) {
        double last = INFINITY; /* a node's distance is at most its neighbour's and a cell */
        if (omp_get_thread_num() == 0) mn_say_progress(say, "distances of a volume map", (double)row / rows);
        for (int i = 0; i < nx; i++) {
            const size_t k = (size_t)row * (size_t)nx + (size_t)i;
            double x[3], g[3] = {0, 0, 0};
            place_of_node(m, row, i, x);
            const double phi = last =
                distance_below(b, x, b->meshed ? limit_of(b) : fmin(last + 1.01 * m->cell, limit_of(b)));
            if (fabs(phi) < reach || (m->container && phi < 0)) gradient_at(b, x, phi, g);
            for (int a = 0; a < 3; a++) m->node[4 * k + (size_t)a] = (float)g[a];
            m->node[4 * k + 3] = (float)phi;
            m->excess[k] = 0;
        }
    }
#pragma omp parallel for schedule(dynamic, 4)
    for (int row = 0; row < rows; row++) {
        if (omp_get_thread_num() == 0) mn_say_progress(say, "volumes of a volume map", (double)row / rows);
        for (int i = 0; i < nx; i++) {
            const size_t k = (size_t)row * (size_t)nx + (size_t)i;
            const float *node = m->node + 4 * k;
            if (!((double)node[3] < reach && (double)node[3] > -beyond)) continue;
            double x[3];
            place_of_node(m, row, i, x);
            const double g[3] = {(double)node[0], (double)node[1], (double)node[2]};
            m->excess[k] = (float)excess(b, points, x, g, b->meshed ? (double)node[3] : exact_distance(b, x));
        }
    }
    free(points);
    return MN_OK;
}

/* Sets bounds and size of the map of these shapes, and makes them; refuses what is too large. */
static mn_status lay_out(mn_volume_map *m, const mn_shape_def *defs, mn_shape **shapes, int count, double spacing,
                         double h, const mn_map_region *region, double high[3], mn_place at, mn_messages *say)
{
    for (int k = 0; k < count; k++) {
        mn_shape_def def;
        shapes[k] = solid_shape(&defs[k], spacing, h, &def, say) ? mn_shape_new(&def, say) : NULL;
        if (!shapes[k]) return MN_BAD_INPUT;
        m->container |= shapes[k]->inside_out;
    }
    set_bounds(m, defs, shapes, count, h, region, m->low, high);
    for (int a = 0; a < 3; a++) m->size[a] = (int)fmin(ceil((high[a] - m->low[a]) / m->cell) + 1, 1e9);
    if (nodes_of(m) <= MN_MAP_NODES) return MN_OK;
    mn_say_error(
        say, at,
        "a volume map of %d x %d x %d nodes is too large (at most %.0f); use a larger map_spacing, or a domain, "
        "with which maps of walls that stand still end",
        m->size[0], m->size[1], m->size[2], MN_MAP_NODES);
    return MN_BAD_INPUT;
}

static void free_shapes(mn_shape **shapes, int count)
{
    for (int k = 0; shapes && k < count; k++) mn_shape_free(shapes[k]);
    free(shapes);
}

mn_status mn_volume_map_fits(const mn_shape_def *defs, int count, double spacing, double support, double cell,
                             const mn_map_region *region, mn_place at, mn_messages *say)
{
    mn_volume_map map = {.cell = cell};
    double high[3];
    mn_shape **shapes = calloc((size_t)count + 1, sizeof *shapes);
    if (!shapes) mn_say_failure(say, at, "out of memory");
    const mn_status status =
        shapes ? lay_out(&map, defs, shapes, count, spacing, support * spacing, region, high, at, say) : MN_FAILED;
    free_shapes(shapes, count);
    return status;
}

mn_status mn_volume_map_make(const mn_shape_def *defs, int count, double spacing, double support, double cell,
                             const mn_map_region *region, mn_place at, mn_volume_map *out, mn_messages *say)
{
    *out = (mn_volume_map){.cell = cell};
    const double h = support * spacing;
    double high[3];
    build b = {.map = out, .h = h, .share = MN_MAP_SHARE * mn_support_of(support).map};
    mn_shape **shapes = calloc((size_t)count + 1, sizeof *shapes);
    mn_status status = shapes ? lay_out(out, defs, shapes, count, spacing, h, region, high, at, say) : MN_FAILED;
    for (int k = 0; k < count && status == MN_OK; k++) b.meshed |= shapes[k]->kind == MN_MESH;
    if (status == MN_OK)
        status = set_parts(&b, shapes, count, region, out->low, high) ? fill_nodes(out, &b, at, say) : MN_FAILED;
    free_shapes(shapes, count);
    free(b.parts), mn_boxes_free(b.tree);
    if (status != MN_OK) mn_volume_map_free(out);
    if (status == MN_FAILED && !mn_messages_errors(say)) mn_say_failure(say, at, "out of memory");
    return status;
}

void mn_volume_map_free(mn_volume_map *map)
{
    free(map->node), free(map->excess);
    *map = (mn_volume_map){0};
}
