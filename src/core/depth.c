/* depth.c -- how deep the liquid is at the start, for the length of a step; see depth.h. */
#include "core/depth.h"

#include <math.h>
#include <stdlib.h>

/* Kinds of liquid that differ in weight: one column of counts for each. */
static int kinds_of(const mn_scene *s)
{
    for (int f = 1; f < s->fluid_count; f++)
        if (s->fluids[f].density != s->fluids[0].density) return s->fluid_count;
    return 1;
}

/* The deepest of `layers` rows of counts, from above: what lies on a fluid, as layers of its own. Rows with less than a
 * quarter of what the fullest has do not count: drops above a pool. */
static double deepest(const mn_scene *s, const int *count, size_t layers, int kinds)
{
    long most = 0;
    double weight = 0.0, deep = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < layers; k++) {
            const int *row = count + k * (size_t)kinds;
            long all = 0;
            double mass = 0.0;
            for (int f = 0; f < kinds; f++) all += row[f], mass += row[f] * (kinds > 1 ? s->fluids[f].density : 1.0);
            if (pass == 0) most = most > all ? most : all;
            if (pass == 0 || all == 0 || 4 * all < most) continue;
            weight += mass / (double)all;
            for (int f = 0; f < kinds; f++)
                if (row[f]) deep = fmax(deep, weight / (kinds > 1 ? s->fluids[f].density : 1.0));
        }
    return deep;
}

/* Liquid that spans more than a million layers is no pool: 0, as for fewer than 40. */
bool mn_depth_of(const mn_scene *s, const real4 *pos, const real4 *vel, int n, double *depth)
{
    enum { MOST = 1000000, DEEP = 40 };
    double g[3], low = INFINITY, high = -INFINITY;
    *depth = 0.0;
    mn_curve_at(&s->gravity, 0.0, g);
    const double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!(pull > 0.0) || n == 0) return true;
    for (int a = 0; a < 3; a++) g[a] /= pull * s->spacing;
    for (int i = 0; i < n; i++) {
        const double x = (double)pos[i].x * g[0] + (double)pos[i].y * g[1] + (double)pos[i].z * g[2];
        low = fmin(low, x), high = fmax(high, x);
    }
    if (!(high - low < MOST)) return true;
    const int kinds = kinds_of(s);
    if (kinds > 1) low -= 0.25; /* so that no layer of a lattice lies on the edge between two rows */
    const size_t layers = (size_t)(high - low) + 1;
    int *count = calloc(layers * (size_t)kinds, sizeof *count);
    if (!count) return false;
    for (int i = 0; i < n; i++) {
        const double x = (double)pos[i].x * g[0] + (double)pos[i].y * g[1] + (double)pos[i].z * g[2] - low;
        if (x >= 0.0 && x < (double)layers) count[(size_t)x * (size_t)kinds + (kinds > 1 ? (size_t)vel[i].w : 0)]++;
    }
    const double deep = deepest(s, count, layers, kinds);
    free(count);
    if (deep > DEEP) *depth = deep * s->spacing;
    return true;
}
