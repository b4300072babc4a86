/* sample_poisson.c -- a disordered set of points of given number density in a region given by its signed distance.
 *
 *   1. How many: one random point in each cell of a grid tells whether the cell counts; the sum is volume / spacing^3.
 *   2. Fronts (Bridson 2007): every point throws darts into the shell around it; those that keep their distance stay. Too loose to
 *      reach the number.
 *   3. Darts near random points, at a smaller distance, until the number is reached.
 *   4. A few rounds in which each point steps away from its neighbours. Points press against the boundary as they would in a fluid
 *      at rest, 0.4 spacing from the surface.
 *
 * Every result is the same for any number of threads: the same seed gives the same points.
 */
#include "geometry/near.h"
#include "geometry/solid.h"
#include "geometry/vec.h"

#include <stdlib.h>

/* In units of the spacing. */
static const double front_distance = 0.93, dart_distance = 0.80, closest = 0.76;
static const double push_radius = 1.3, push_strength = 0.8, longest_step = 0.1;
enum { FRONT_DARTS = 6, FILL_DARTS = 100, ROUNDS = 5, MAX_NEIGHBOURS = 64 };

typedef struct poisson {
    mn_region_distance *inside;
    const void *context;
    double low[3], spacing, margin; /* margin: how deep points must lie, m */
    long cells[3];
    random_stream random;
    int seed;
    mn_points *out;
    long first; /* index of our first point */
    near_grid grid;
    mn_status status;
} poisson;

/* The random point of a cell, the same whenever it is asked for. */
static void cell_point(const poisson *p, long cell, double out[3])
{
    random_stream r = random_from(p->seed, (uint64_t)cell);
    long i[3] = {cell % p->cells[0], cell / p->cells[0] % p->cells[1], cell / p->cells[0] / p->cells[1]};
    for (int k = 0; k < 3; k++) out[k] = p->low[k] + p->spacing * ((double)i[k] + random_unit(&r));
}

static long count_wanted(const poisson *p)
{
    long total = p->cells[0] * p->cells[1] * p->cells[2], wanted = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : wanted) if (total > 2000)
    for (long c = 0; c < total; c++) {
        double x[3];
        cell_point(p, c, x);
        wanted += p->inside(p->context, x, 0.01 * p->spacing) < 0;
    }
    return wanted;
}

static bool throw_dart(poisson *p, const double x[3], double least)
{
    if (p->status != MN_OK || near_any(&p->grid, x, least)) return false;
    if (p->inside(p->context, x, 1.01 * p->margin + 1e-3 * p->spacing) > -p->margin) return false;
    p->status = mn_points_add(p->out, x);
    if (p->status == MN_OK) p->status = near_add(&p->grid, p->out->count - 1);
    return true;
}

/* A dart into the shell between `least` and 1.5 times that around a point. */
static void dart_around(poisson *p, long point, double least)
{
    double u[3], x[3], r;
    do random_in_ball(&p->random, u);
    while ((r = length3(u)) < 0.1);
    double reach = least * (1 + 0.5 * random_unit(&p->random)) / r;
    for (int k = 0; k < 3; k++) x[k] = p->out->x[3 * point + k] + reach * u[k];
    throw_dart(p, x, least);
}

/* The list of points is itself the queue of the fronts; each part of the region that no front reaches is seeded by its cells. */
static void grow_fronts(poisson *p, long wanted)
{
    long total = p->cells[0] * p->cells[1] * p->cells[2], front = p->first;
    double least = front_distance * p->spacing, x[3];
    for (long c = 0; c < total && p->status == MN_OK; c++) {
        cell_point(p, c, x);
        if (p->out->count - p->first >= wanted) return;
        throw_dart(p, x, least);
        for (; front < p->out->count && p->status == MN_OK; front++)
            for (int d = 0; d < FRONT_DARTS; d++) dart_around(p, front, least);
    }
}

static void fill_up(poisson *p, long wanted, double least)
{
    long have = p->out->count - p->first, tries = have ? FILL_DARTS * (wanted - have) : 0;
    for (; tries > 0 && p->out->count - p->first < wanted && p->status == MN_OK; tries--)
        dart_around(p, p->first + (long)(random_unit(&p->random) * (double)(p->out->count - p->first)), least);
}

/* ------------------------------------------------------------ evening out */

/* The step of a point: the sum of pushes from its neighbours, each falling to zero at push_radius, then shortened so that it takes no
   more than half of the room between it and any neighbour. If all points obey, no two come closer than `closest`. */
static void find_step(const poisson *p, long point, double out[3])
{
    int neighbour[MAX_NEIGHBOURS];
    const double *x = p->out->x + 3 * point;
    double radius = push_radius * p->spacing, away[MAX_NEIGHBOURS][3], room[MAX_NEIGHBOURS];
    int count = near_list(&p->grid, x, radius, neighbour, MAX_NEIGHBOURS), others = 0;
    for (int k = 0; k < 3; k++) out[k] = 0;
    for (int n = 0; n < count; n++) {
        double *d = away[others];
        sub3(x, p->out->x + 3 * (long)neighbour[n], d);
        double r = length3(d);
        if (r <= 0) continue; /* itself */
        room[others++] = fmax(0, 0.5 * (r - closest * p->spacing));
        for (int k = 0; k < 3; k++) {
            d[k] /= r;
            out[k] += push_strength * p->spacing * (1 - r / radius) * (1 - r / radius) * d[k];
        }
    }
    double scale = fmin(1, longest_step * p->spacing / (length3(out) + 1e-300));
    for (int n = 0; n < others; n++) {
        double approach = -dot3(out, away[n]);
        if (approach * scale > room[n]) scale = room[n] / approach;
    }
    for (int k = 0; k < 3; k++) out[k] *= scale;
}

/* depth: a lower bound of how deep the point lies, so that the region is asked only near its surface. A step beyond the margin is cut
   short: shorter steps stay allowed. */
static void take_step(const poisson *p, double *x, const double step[3], double *depth)
{
    double length = length3(step);
    for (double part = 1; part > 0.1; part *= 0.4) {
        double moved[3] = {x[0] + part * step[0], x[1] + part * step[1], x[2] + part * step[2]}, below = *depth - part * length;
        if (below < p->margin) below = -p->inside(p->context, moved, p->margin + p->spacing);
        if (below < p->margin) continue;
        for (int k = 0; k < 3; k++) x[k] = moved[k];
        *depth = below;
        return;
    }
}

/* All steps are found before any is taken, so the threads do not matter. */
static void even_out(poisson *p)
{
    long count = p->out->count - p->first;
    double *depth = calloc((size_t)count + 1, sizeof *depth), *step = malloc(((size_t)count + 1) * 3 * sizeof *step);
    near_free(&p->grid);
    p->status = depth && step ? near_new(&p->grid, p->out, push_radius * p->spacing, count) : MN_FAILED;
    for (int round = 0; round < ROUNDS && p->status == MN_OK; round++) {
        near_clear(&p->grid);
        for (long i = 0; i < count && p->status == MN_OK; i++) p->status = near_add(&p->grid, p->first + i);
        if (p->status != MN_OK) break;
#pragma omp parallel for schedule(dynamic, 1024) if (count > 2000)
        for (long i = 0; i < count; i++) find_step(p, p->first + i, step + 3 * i);
#pragma omp parallel for schedule(dynamic, 1024) if (count > 2000)
        for (long i = 0; i < count; i++) take_step(p, p->out->x + 3 * (p->first + i), step + 3 * i, &depth[i]);
    }
    free(depth);
    free(step);
}

mn_status mn_sample_poisson(mn_region_distance *inside, const void *context, const double low[3], const double high[3], double spacing,
                            int seed, mn_points *out)
{
    poisson p = {.inside = inside, .context = context, .spacing = spacing, .seed = seed, .out = out, .first = out->count};
    for (int k = 0; k < 3; k++) {
        p.low[k] = low[k];
        p.cells[k] = (long)fmax(1, ceil((high[k] - low[k]) / spacing * (1 - 1e-6)));
    }
    p.random = random_from(seed, UINT64_MAX);
    long wanted = count_wanted(&p);
    /* 0.4 spacing from the surface (at 0.5 the inside comes out too dense); shapes too thin for that are filled closer to it. */
    for (double depth = 0.4; depth >= 0 && (double)(out->count - p.first) < 0.9 * (double)wanted && p.status == MN_OK; depth -= 0.2) {
        p.margin = depth * spacing;
        near_free(&p.grid);
        p.status = near_new(&p.grid, out, front_distance * spacing, 2 * wanted);
        for (long i = p.first; i < out->count && p.status == MN_OK; i++) p.status = near_add(&p.grid, i);
        grow_fronts(&p, wanted);
        fill_up(&p, wanted, dart_distance * spacing);
        fill_up(&p, wanted, closest * spacing);
    }
    if (p.status == MN_OK) even_out(&p);
    near_free(&p.grid);
    return p.status;
}
