/* orthmann2013.c -- surface area of each particle (kernels/surface/orthmann2013.h): the constants, from lattices on
 * which the right answer is known, and when to compute. */
#include "methods/surface_published.h"
#include "core/views.h"
#include "base/exact.h"
#include "base/host_spline.h"
#include "base/support.h"

#include <math.h>
#include <stdlib.h>

/* The kernels' weights, r in spacings. */
static double offset_weight(double r) { return r < 2.0 ? mn_power(1.0 - 0.5 * r, 3) : 0.0; }
static double surface_weight(double r) { return r < 2.0 ? mn_power(1.0 - 0.25 * r * r, 2) : 0.0; }
static double spline(double r) { return mn_spline_shape(0.5 * r) / 3.14159265358979323846; }

/* A cubic lattice cut into `layers` layers, seen from a particle in layer `at`; layer 0 is the surface. */
typedef struct slab {
    int layers, at;
} slab;

/* sum over the slab of weight(r) x^px y^py, y down into the slab; with or without the particle itself */
static double lattice_sum(slab s, double (*weight)(double), int px, int py, bool self)
{
    double sum = 0.0;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++)
            for (int z = -2; z <= 2; z++)
                if (s.at + y >= 0 && s.at + y < s.layers && (self || x || y || z))
                    sum += weight(sqrt((double)(x * x + y * y + z * z))) * mn_power(x, px) * mn_power(y, py);
    return sum;
}

/* det/(trace/3)^3 of the covariance about the weighted mean */
static double roundness(slab s)
{
    const double all = lattice_sum(s, offset_weight, 0, 0, true),
                 mean = lattice_sum(s, offset_weight, 0, 1, true) / all;
    const double x = lattice_sum(s, offset_weight, 2, 0, true) / all,
                 y = lattice_sum(s, offset_weight, 0, 2, true) / all - mean * mean;
    return x * y * x / mn_power((x + y + x) / 3.0, 3);
}

/* The wide offset of a layer below a flat surface, where only the outermost layer has an offset, of 1. */
static double wide_offset(int layer)
{
    double sum = 0.0;
    for (int x = -2; x <= 2; x++)
        for (int z = -2; z <= 2; z++)
            if (x || layer || z) sum += surface_weight(sqrt((double)(x * x + layer * layer + z * z)));
    return sum;
}

/* The weight of (k_1 - k_2)^2 and the most that counts of it: so that a cube of a cubic lattice has its area. Its
 * corner fills x, y, z >= 0, and is cut off FACE spacings from the corner, where its edges and faces are straight;
 * the kernels' four passes, in double. */
enum { FACE = 10, BLOCK = FACE + 4 };

typedef struct block {
    double a[BLOCK][BLOCK][BLOCK][3], normal[BLOCK][BLOCK][BLOCK][3], along[BLOCK][BLOCK][BLOCK],
        delta[BLOCK][BLOCK][BLOCK], unlike[BLOCK][BLOCK][BLOCK];
} block;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Neighbours of (x, y, z) in the lattice below `most`; others are 2 d away or more. */
#define EACH_NEIGHBOUR(most)                                                                                           \
    for (int u = x < 1 ? 0 : x - 1; u <= x + 1 && u < (most); u++)                                                     \
        for (int v = y < 1 ? 0 : y - 1; v <= y + 1 && v < (most); v++)                                                 \
            for (int w = z < 1 ? 0 : z - 1; w <= z + 1 && w < (most); w++)                                             \
                if (u != x || v != y || w != z)
#define EACH_PLACE(most)                                                                                               \
    for (int x = 0; x < (most); x++)                                                                                   \
        for (int y = 0; y < (most); y++)                                                                               \
            for (int z = 0; z < (most); z++)

/* 0: out of memory. */
static double edge_weight(params *p)
{
    orthmann2013_constants *o = &p->constants.orthmann2013;
    block *b = calloc(1, sizeof *b);
    double area = 0.0, part = 0.0, offset[4], wide[4];
    if (!b) return 0.0;
    for (int r2 = 0; r2 < 4; r2++)
        offset[r2] = offset_weight(sqrt((double)r2)) / (double)o->pressure, wide[r2] = surface_weight(sqrt((double)r2));
    EACH_PLACE(BLOCK)
    EACH_NEIGHBOUR(BLOCK + 1)
    {
        const int d[3] = {x - u, y - v, z - w};
        for (int k = 0; k < 3; k++) b->a[x][y][z][k] += offset[d[0] * d[0] + d[1] * d[1] + d[2] * d[2]] * d[k];
    }
    EACH_PLACE(FACE + 2)
    {
        double s[3] = {0.0, 0.0, 0.0};
        EACH_NEIGHBOUR(BLOCK)
        for (int k = 0; k < 3; k++)
            s[k] += wide[(x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w)] * b->a[u][v][w][k];
        const double length = sqrt(dot(s, s)) + 1e-12;
        for (int k = 0; k < 3; k++) b->normal[x][y][z][k] = s[k] / length;
        b->along[x][y][z] = dot(b->a[x][y][z], s) / length;
        b->delta[x][y][z] = fmin(fmax((length - (double)o->least) / (double)(o->first - o->least), 0.0), 1.0);
    }
    EACH_PLACE(FACE)
    {
        if (b->delta[x][y][z] <= 0.0) continue;
        const double *n = b->normal[x][y][z];
        double bend = 0.0, turn = 0.0, square = 1e-12;
        EACH_NEIGHBOUR(FACE + 2)
        {
            const double *m = b->normal[u][v][w], d[3] = {u - x, v - y, w - z}, off = dot(d, n), r2 = dot(d, d);
            const double change[3] = {m[0] - n[0], m[1] - n[1], m[2] - n[2]}, c = wide[(int)r2] * b->delta[u][v][w];
            if (dot(n, m) < 1e-3) continue;
            bend += c * dot(d, change), turn += c * dot(change, change), square += c * (r2 - off * off);
        }
        const double curved = fmin(fmax(2.0 * bend / square, -1.0), 1.0), along = b->along[x][y][z];
        area += along * (1.0 + (double)o->depth * curved);
        b->unlike[x][y][z] = fmax(4.0 * turn / square - curved * curved - (double)o->smooth, 0.0);
    }
    /* no more than anywhere across the straight edge */
    double most = 0.0;
    for (int y = 0; y < FACE / 2; y++)
        for (int z = 0; z < FACE / 2; z++) most = fmax(most, b->unlike[FACE - 1][y][z]);
    EACH_PLACE(FACE) part += b->along[x][y][z] * b->delta[x][y][z] * fmin(b->unlike[x][y][z], most);
    o->bent = (float)most;
    free(b);
    return (3.0 * FACE * FACE - area) / part;
}

/* Sheets: K of one layer on a square lattice, of a thread; what K lacks at the rim of a layer and what the offset is
 * there; how thick two layers are, one above the gaps of the other; how much two that stand face to face look apart. */
static bool sheet_constants(params *p)
{
    orthmann2013_constants *o = &p->constants.orthmann2013;
    const slab one = {1, 0};
    const double layer = lattice_sum(one, surface_weight, 0, 0, true),
                 near = lattice_sum(one, offset_weight, 0, 0, true);
    double wide = 0.0, below = 0.0;
    for (int x = -2; x < 2; x++)
        for (int z = -2; z < 2; z++) {
            const double r = sqrt((x + 0.5) * (x + 0.5) + (z + 0.5) * (z + 0.5) + 1.0);
            wide += surface_weight(r), below += offset_weight(r);
        }
    double rim = 0.0, half = 0.0, apart = 0.0;
    for (int x = 0; x <= 2; x++)
        for (int z = -2; z <= 2; z++) {
            const double r = sqrt((double)(x * x + z * z));
            rim += x * offset_weight(r) / (double)o->pressure, half += surface_weight(r);
        }
    for (int x = -2; x <= 2; x++)
        for (int z = -2; z <= 2; z++) apart += surface_weight(sqrt((double)(x * x + z * z + 1)));
    o->sheet = (float)layer;
    o->thread = (float)(1.0 + 2.0 * surface_weight(1.0));
    o->thick = (float)((2.0 * layer / (layer + wide) - 1.0) / (below / (near + below)));
    o->lack = (float)((layer - half) / rim);
    o->rim = (float)(1.0 / rim - 1.0);
    o->apart = (float)(apart / (apart + layer - 1.0));
    if (!mn_surface_disorder(p)) return false;
    o->sharp = (float)(rim / (rim - (double)o->rough));
    return true;
}

bool mn_surface_constants(params *p)
{
    orthmann2013_constants *o = &p->constants.orthmann2013;
    enum { DEEP = 9 };
    const slab top = {DEEP, 0}, inside = {DEEP, 4}, sheet = {1, 0};
    const double first = wide_offset(0), second = wide_offset(1), least = 0.5 * second;
    o->pressure = (float)(0.5 * lattice_sum(inside, offset_weight, 2, 0, true));
    /* of a boundary point's volume, its own */
    const mn_support support = mn_support_of(mn_support_in(p));
    o->layer = (float)(lattice_sum(sheet, spline, 0, 0, true) * (support.layer / support.wall));
    /* the first and the last quarter of the distance from the inside to a flat surface are the one and the other, in
     * roundness and in offset (0 to 1) */
    o->still = 0.25f;
    o->round = (float)(0.25 * roundness(top) + 0.75 * roundness(inside));
    o->thin = (float)(2.0 / (roundness(inside) - roundness(top)));
    /* of the force below a surface, what comes from one side of an upright plane to a particle next to it */
    const double beside = (offset_weight(sqrt(2.0)) + 2.0 * offset_weight(sqrt(3.0))) / (double)o->pressure;
    o->beside = (float)(beside / (1.0 - beside));
    o->first = (float)first;
    o->least = (float)least;
    /* D of a flat surface: the first layer counts whole, the second by its delta */
    const double below = second * (second - least) / (first - least), whole = first + 1.0 + below;
    o->few = (float)(0.1 * whole);
    /* so deep lies the area: half a spacing, or one more */
    o->under = (float)((0.5 + below / whole) * (double)p->spacing);
    /* The pair force of the offset has a tension of its own, gamma/P = 3/16 <r^5>/<r^4>, over a sharp surface: it
     * sees the area of a surface that lies this much deeper. */
    double fourth = 0.0, fifth = 0.0;
    for (int k = 0; k < 2000; k++) {
        const double r = 0.001 * (k + 0.5);
        fourth += offset_weight(r) * mn_power(r, 4), fifth += offset_weight(r) * mn_power(r, 5);
    }
    o->depth = (float)(3.0 / 16.0 * fifth / fourth);
    /* (k_1 - k_2)^2 of a surface that turns farther away than its normal comes from, twice the reach of the lists
     * and half a spacing: no edge */
    o->smooth = (float)(1.0 / (4.5 * 4.5));
    o->edge = (float)edge_weight(p);
    return o->edge > 0.0f && sheet_constants(p);
}

/* The largest value of a parameter over the fluids that use the model. */
static double largest(const mn_world *w, const mn_model *a, const char *key)
{
    double most = 0.0;
    for (int f = 0; f < w->par.fluids; f++) most = fmax(most, (double)mn_model_param(w, a, f, key));
    return most;
}

/* By the kernels; `passed` steps since the last time. */
static void own_estimate(mn_world *w, const mn_model *a, int passed)
{
    double sum[4];
    const int refresh = (int)largest(w, a, "refresh");
    if (refresh > passed && w->steps > 0 && !mn_scene_emitters(w->scene)) {
        mn_run_max(w, MN_KERNEL_surface_change, MN_NO_ARG, sum);
        if (sum[0] * w->dt < largest(w, a, "coherence")) {
            if (w->steps % refresh >= passed) return;
            passed = refresh;
        }
    }
    mn_run_sum(w, MN_KERNEL_surface_offset, MN_NO_ARG, sum);
    /* A packing of its own has a pressure of its own; a liquid of sheets and drops without an inside is taken as a
     * lattice. */
    const double few = 0.01 * w->layout.fluid, pressure = (double)w->par.constants.orthmann2013.pressure;
    const double packing = sum[1] > few ? sum[0] / sum[1] / pressure : sum[3] > few ? sum[2] / sum[3] / pressure : 1.0;
    mn_run(w, MN_KERNEL_surface_facing,
           (real4){(float)(1.0 / fmin(fmax(packing, 0.8), 1.25)), (float)passed, 0.0f, 0.0f});
    mn_run(w, MN_KERNEL_surface_share, MN_NO_ARG);
    mn_run(w, MN_KERNEL_surface_area, MN_NO_ARG);
}

static void surface(mn_world *w, void *me)
{
    const mn_model *a = me;
    const int passed = (int)largest(w, a, "every");
    if (w->steps % passed != 0) return;
    float *old = NULL;
    if (mn_surface_published_asked(w, a)) {
        static const int fields[] = {MN_FIELD_area, MN_FIELD_delta, MN_FIELD_skin};
        for (int k = 0; k < 3; k++)
            if (!mn_field_ensure(w, fields[k])) w->failed = true;
        old = w->failed ? NULL : mn_fetch(w, MN_FIELD_delta);
        if (!old) w->failed = true;
    }
    own_estimate(w, a, passed);
    if (old && !w->failed && !mn_surface_published_run(w, a, old, passed)) w->failed = true;
    free(old);
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    w->par.constants.orthmann2013.reach = (float)(1.0 / (2.0 * w->scene->spacing));
    return mn_model_make(w, me, say);
}

static const mn_field_view views[] = {{"area",
                                       "m^2",
                                       "surface area that belongs to the particle, 0 inside the liquid (surface)",
                                       1,
                                       {MN_FIELD_area, -1, -1},
                                       NULL,
                                       mn_view_number},
                                      {"delta",
                                       "1",
                                       "how near to the surface: 1 in the outermost layer, 0 inside (surface)",
                                       1,
                                       {MN_FIELD_delta, -1, -1},
                                       NULL,
                                       mn_view_number}};

const mn_system mn_method_orthmann2013 = {
    .bytes = sizeof(mn_model), .make = make, .at = {[MN_AT_surface] = surface}, .views = views, .view_count = 2};
