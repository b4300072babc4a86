/* orthmann2013.c -- surface area of each particle (kernels/orthmann2013.h): the constants, from lattices on which the right answer is known, and when to compute. */
#include "methods/methods.h"

#include <math.h>

/* The kernels' weights, r in spacings. */
static double offset_weight(double r) { return r < 2.0 ? pow(1.0 - 0.5 * r, 3.0) : 0.0; }
static double surface_weight(double r) { return r < 2.0 ? pow(1.0 - 0.25 * r * r, 2.0) : 0.0; }
static double spline(double r)
{
    const double a = fmax(1.0 - 0.5 * r, 0.0), b = fmax(0.5 - 0.5 * r, 0.0);
    return (2.0 * a * a * a - 8.0 * b * b * b) / 3.14159265358979323846;
}

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
                    sum += weight(sqrt((double)(x * x + y * y + z * z))) * pow(x, px) * pow(y, py);
    return sum;
}

/* det/(trace/3)^3 of the covariance about the weighted mean */
static double roundness(slab s)
{
    const double all = lattice_sum(s, offset_weight, 0, 0, true), mean = lattice_sum(s, offset_weight, 0, 1, true) / all;
    const double x = lattice_sum(s, offset_weight, 2, 0, true) / all,
                 y = lattice_sum(s, offset_weight, 0, 2, true) / all - mean * mean;
    return x * y * x / pow((x + y + x) / 3.0, 3.0);
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

/* The weight of (k_1 - k_2)^2: a right-angled edge of a cubic lattice shall have its area. The block fills x, y >= 0 and all z, so all depends on x, y alone;
   the kernels' four passes, in double. */
enum { FACE = 8, BLOCK = FACE + 4 };

static double edge_weight(const params *p)
{
    double a[BLOCK][BLOCK][2], normal[BLOCK][BLOCK][2], along[BLOCK][BLOCK], delta[BLOCK][BLOCK], area = 0.0, part = 0.0;
#define EACH_NEIGHBOUR(most)                                                                                                       \
    for (int u = x < 2 ? 0 : x - 2; u <= x + 2 && u < (most); u++)                                                                 \
        for (int v = y < 2 ? 0 : y - 2; v <= y + 2 && v < (most); v++)                                                             \
            for (int z = -2; z <= 2; z++)
    for (int x = 0; x < BLOCK; x++)
        for (int y = 0; y < BLOCK; y++) {
            a[x][y][0] = a[x][y][1] = 0.0;
            EACH_NEIGHBOUR(BLOCK + 2)
            {
                const double c = offset_weight(sqrt((u - x) * (u - x) + (v - y) * (v - y) + z * z)) / (double)p->surface_pressure;
                a[x][y][0] += c * (x - u), a[x][y][1] += c * (y - v);
            }
        }
    for (int x = 0; x < FACE + 2; x++)
        for (int y = 0; y < FACE + 2; y++) {
            double s[2] = {0.0, 0.0};
            EACH_NEIGHBOUR(BLOCK)
            {
                const double c =
                    u == x && v == y && z == 0 ? 0.0 : surface_weight(sqrt((u - x) * (u - x) + (v - y) * (v - y) + z * z));
                s[0] += c * a[u][v][0], s[1] += c * a[u][v][1];
            }
            const double length = hypot(s[0], s[1]) + 1e-12;
            normal[x][y][0] = s[0] / length, normal[x][y][1] = s[1] / length;
            along[x][y] = (a[x][y][0] * s[0] + a[x][y][1] * s[1]) / length;
            delta[x][y] = fmin(fmax((length - (double)p->surface_least) / (double)(p->surface_first - p->surface_least), 0.0), 1.0);
        }
    for (int x = 0; x < FACE; x++)
        for (int y = 0; y < FACE; y++) {
            if (delta[x][y] <= 0.0) continue;
            const double *n = normal[x][y];
            double bend = 0.0, turn = 0.0, square = 1e-12;
            EACH_NEIGHBOUR(FACE + 2)
            {
                const double *m = normal[u][v], off = (u - x) * n[0] + (v - y) * n[1];
                const double r2 = (u - x) * (u - x) + (v - y) * (v - y) + z * z, c = surface_weight(sqrt(r2)) * delta[u][v];
                if (n[0] * m[0] + n[1] * m[1] < 0.0) continue;
                bend += c * ((u - x) * (m[0] - n[0]) + (v - y) * (m[1] - n[1]));
                turn += c * ((m[0] - n[0]) * (m[0] - n[0]) + (m[1] - n[1]) * (m[1] - n[1]));
                square += c * (r2 - off * off);
            }
            const double curved = fmin(fmax(2.0 * bend / square, -1.0), 1.0);
            area += along[x][y] * (1.0 + (double)p->surface_depth * curved);
            part +=
                along[x][y] * delta[x][y] * fmin(fmax(4.0 * turn / square - curved * curved - (double)p->surface_smooth, 0.0), 0.5);
        }
#undef EACH_NEIGHBOUR
    return (2.0 * FACE - area) / part;
}

void mn_surface_constants(params *p)
{
    enum { DEEP = 9 };
    const slab top = {DEEP, 0}, inside = {DEEP, 4}, sheet = {1, 0};
    const double first = wide_offset(0), second = wide_offset(1), least = 0.5 * second;
    p->surface_pressure = (float)(0.5 * lattice_sum(inside, offset_weight, 2, 0, true));
    p->surface_self = (float)spline(0.0);
    p->surface_layer = (float)lattice_sum(sheet, spline, 0, 0, true);
    p->surface_missing = (float)(lattice_sum(inside, spline, 0, 0, true) - lattice_sum(top, spline, 0, 0, true));
    p->surface_flat = (float)(2.0 / 3.0 * roundness(top));
    p->surface_round = (float)(0.25 * roundness(top) + 0.75 * roundness(inside));
    p->surface_first = (float)first;
    p->surface_least = (float)least;
    /* D of a flat surface: the first layer counts whole, the second by its delta */
    const double below = second * (second - least) / (first - least), whole = first + 1.0 + below;
    p->surface_few = (float)(0.1 * whole);
    p->surface_under = (float)((0.5 + below / whole) * (double)p->spacing); /* so deep lies the area: half a spacing, or one more */
    /* The pair force of the offset has a tension of its own, gamma/P = 3/16 <r^5>/<r^4>, over a sharp surface: it sees the area of a surface that lies this
       much deeper. */
    double fourth = 0.0, fifth = 0.0;
    for (int k = 0; k < 2000; k++) {
        const double r = 0.001 * (k + 0.5);
        fourth += offset_weight(r) * pow(r, 4.0), fifth += offset_weight(r) * pow(r, 5.0);
    }
    p->surface_depth = (float)(3.0 / 16.0 * fifth / fourth);
    p->surface_smooth = 0.05f; /* (k_1 - k_2)^2 of radii above 4.5 d, or of disorder, is no edge */
    p->surface_edge = (float)edge_weight(p);
}

/* The largest value of a parameter over the fluids that use the model. */
static double largest(const mn_world *w, const mn_active *a, const char *key)
{
    double most = 0.0;
    for (int f = 0; f < w->par.fluids; f++) most = fmax(most, (double)mn_active_param(w, a, f, key));
    return most;
}

static void surface(mn_world *w, const mn_active *a)
{
    double sum[4];
    int passed = (int)largest(w, a, "every");
    const int refresh = (int)largest(w, a, "refresh");
    if (w->steps % passed != 0) return;
    if (refresh > passed && w->steps > 0 && !w->emitter_count) {
        mn_run_max(w, MN_KERNEL_surface_change, MN_NO_ARG, sum);
        if (sum[0] * w->dt < largest(w, a, "coherence")) {
            if (w->steps % refresh >= passed) return;
            passed = refresh;
        }
    }
    mn_run_sum(w, MN_KERNEL_surface_offset, MN_NO_ARG, sum);
    /* A packing of its own has a pressure of its own; a liquid of sheets and drops without an inside is taken as a lattice. */
    const double packing = sum[1] > 0.01 * w->layout.fluid ? sum[0] / sum[1] / (double)w->par.surface_pressure : 1.0;
    mn_run(w, MN_KERNEL_surface_facing, (real4){(float)(1.0 / fmin(fmax(packing, 0.8), 1.25)), (float)passed, 0.0f, 0.0f});
    mn_run(w, MN_KERNEL_surface_share, MN_NO_ARG);
    mn_run(w, MN_KERNEL_surface_area, MN_NO_ARG);
}

const mn_method mn_method_orthmann2013 = {.surface = surface};
