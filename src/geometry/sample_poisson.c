/* sample_poisson.c -- a disordered set of points of given number density in a region given by its signed distance.
 *
 *   1. How many: one random point in each cell of a grid tells whether the cell counts; the sum is volume / spacing^3.
 *   2. A layer of darts `margin` below the surface. Without it the boundary stays thin and the inside gets the
 *      difference. The layer holds fewer points than one inside; nearer to the surface than half a spacing it leaves
 *      the inside its own density (at 0.5 a ball of 6 spacings was squeezed by 8 %).
 *   3. Fronts (Bridson 2007): every point throws darts into the shell around it; those that keep their distance stay.
 *      They end a little short of the number.
 *   4. Darts near random points, at a smaller distance, until the number is reached.
 *   5. A few rounds in which each point steps away from its neighbours.
 *
 * Every result is the same for any number of threads: the same seed gives the same points.
 */
#include "geometry/near.h"
#include "geometry/shape.h"
#include "geometry/random.h"
#include "geometry/vectors.h"

#include <stdlib.h>

/* In units of the spacing. */
static const double margin = 0.42;
static const double front_distance = 0.87, dart_distance = 0.79, closest = 0.76;
static const double push_radius = 1.3, push_strength = 0.8, longest_step = 0.1;
enum { BOUNDARY_DARTS = 6, FRONT_DARTS = 8, FILL_DARTS = 100, ROUNDS = 15, MAX_NEIGHBOURS = 64 };

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
    unsigned char *far; /* of each block of cells: 1 where it lies more than two spacings outside */
    long blocks[3];
} poisson;

enum { BLOCK = 8 }; /* cells along each side of a block */

/* A long shape that is tilted fills little of its box: blocks far outside are found once, and then passed over. */
static bool find_far_blocks(poisson *p)
{
    for (int k = 0; k < 3; k++) p->blocks[k] = (p->cells[k] + BLOCK - 1) / BLOCK;
    const long total = p->blocks[0] * p->blocks[1] * p->blocks[2];
    const double side = BLOCK * p->spacing, reach = 0.5 * sqrt(3.0) * side + 2 * p->spacing;
    p->far = malloc((size_t)total + 1);
    if (!p->far) return false;
#pragma omp parallel for schedule(dynamic, 64) if (total > 64)
    for (long b = 0; b < total; b++) {
        const long i[3] = {b % p->blocks[0], b / p->blocks[0] % p->blocks[1], b / p->blocks[0] / p->blocks[1]};
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = p->low[k] + side * ((double)i[k] + 0.5);
        p->far[b] = p->inside(p->context, x, 1.01 * reach) > reach;
    }
    return true;
}

static bool is_far(const poisson *p, long x, long y, long z)
{
    return p->far[(z / BLOCK * p->blocks[1] + y / BLOCK) * p->blocks[0] + x / BLOCK];
}

/* The first cell from c on that is not in a far block; `end` if there is none before it. */
static long next_near(const poisson *p, long c, long end)
{
    const long row = p->cells[0];
    while (c < end) {
        const long x = c % row, y = c / row % p->cells[1], z = c / row / p->cells[1], step = BLOCK - x % BLOCK;
        if (!is_far(p, x, y, z)) return c;
        c += x + step < row ? step : row - x;
    }
    return end;
}

/* The random point of a cell, the same whenever it is asked for. */
static void cell_point(const poisson *p, long cell, double out[3])
{
    random_stream r = random_from(p->seed, (uint64_t)cell);
    long i[3] = {cell % p->cells[0], cell / p->cells[0] % p->cells[1], cell / p->cells[0] / p->cells[1]};
    for (int k = 0; k < 3; k++) out[k] = p->low[k] + p->spacing * ((double)i[k] + random_unit(&r));
}

static long count_wanted(const poisson *p)
{
    const long row = p->cells[0], rows = p->cells[1] * p->cells[2];
    long wanted = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : wanted) if (row * rows > 2000)
    for (long r = 0; r < rows; r++)
        for (long c = next_near(p, r * row, (r + 1) * row); c < (r + 1) * row; c = next_near(p, c + 1, (r + 1) * row)) {
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

/* A dart into the shell just outside `least` around a point: close packing at few darts. */
static void dart_around(poisson *p, long point, double least)
{
    double u[3], x[3], r;
    do random_in_ball(&p->random, u);
    while ((r = length3(u)) < 0.1);
    double reach = least * (1 + 0.1 * random_unit(&p->random)) / r;
    for (int k = 0; k < 3; k++) x[k] = p->out->x[3 * point + k] + reach * u[k];
    throw_dart(p, x, least);
}

/* How far x is from a little deeper than the margin, positive towards the surface, and the gradient of that. */
static double margin_at(const poisson *p, const double x[3], double gradient[3])
{
    double h = 1e-4 * p->spacing, limit = 3 * p->spacing, here = p->inside(p->context, x, limit);
    for (int k = 0; k < 3; k++) {
        double ahead[3] = {x[0], x[1], x[2]};
        ahead[k] += h;
        gradient[k] = (p->inside(p->context, ahead, limit) - here) / h;
    }
    return here + p->margin + 1e-3 * p->spacing;
}

/* Goes down the gradient by `lack`. */
static void descend(double x[3], double lack, const double gradient[3])
{
    double steepness2 = fmax(0.1, dot3(gradient, gradient));
    for (int k = 0; k < 3; k++) x[k] -= lack * gradient[k] / steepness2;
}

/* Darts on the innermost surface that the margin allows, from all cells near it. The gradient at the cell gives the
 * place roughly, and most darts end there, too close to a point; only the others are worth the exact place (twice:
 * at edges a second face may be near). */
static void line_boundary(poisson *p)
{
    long total = p->cells[0] * p->cells[1] * p->cells[2];
    for (long c = next_near(p, 0, total); c < total && p->status == MN_OK; c = next_near(p, c + 1, total)) {
        double x[3], step[3], dart[3], gradient[3], own[3];
        cell_point(p, c, x);
        if (fabs(p->inside(p->context, x, 2 * p->spacing) + p->margin) > p->spacing) continue;
        double lack = margin_at(p, x, gradient);
        for (int d = 0; d < BOUNDARY_DARTS; d++) {
            random_in_ball(&p->random, step);
            for (int k = 0; k < 3; k++) dart[k] = x[k] + (step[k] *= p->spacing);
            descend(dart, lack + dot3(gradient, step), gradient);
            if (near_any(&p->grid, dart, 0.9 * front_distance * p->spacing)) continue;
            for (int move = 0; move < 2; move++) descend(dart, margin_at(p, dart, own), own);
            throw_dart(p, dart, front_distance * p->spacing);
        }
    }
}

/* The list of points is itself the queue of the fronts; each part of the region that no front reaches is seeded by
 * its cells. */
static void grow_fronts(poisson *p, long wanted)
{
    long total = p->cells[0] * p->cells[1] * p->cells[2], front = p->first;
    double least = front_distance * p->spacing, x[3];
    for (long c = next_near(p, 0, total); c < total && p->status == MN_OK; c = next_near(p, c + 1, total)) {
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

/* The step of a point: the sum of pushes from its neighbours, each falling to zero at push_radius, then shortened so
 * that it takes no more than half of the room between it and any neighbour. If all points obey, no two come closer
 * than `closest`. */
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

/* depth: a lower bound of how deep the point lies, so that the region is asked only near its surface. A step beyond
 * the margin is cut short: shorter steps stay allowed. */
static void take_step(const poisson *p, double *x, const double step[3], double *depth)
{
    double length = length3(step);
    for (double part = 1; part > 0.1; part *= 0.4) {
        double moved[3] = {x[0] + part * step[0], x[1] + part * step[1], x[2] + part * step[2]},
               below = *depth - part * length;
        if (below < p->margin) below = -p->inside(p->context, moved, p->margin + p->spacing);
        if (below < p->margin) continue;
        for (int k = 0; k < 3; k++) x[k] = moved[k];
        *depth = below;
        return;
    }
}

typedef struct keyed_point {
    uint64_t key;
    size_t at;
    double x[3];
} keyed_point;

static int by_key(const void *left, const void *right)
{
    const keyed_point *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at); /* the C library may put equal ones in any order */
}

/* Cell by cell, so that neighbours in space are neighbours in memory: the rounds are several times faster, and so is
 * what follows. */
static mn_status sort_by_cell(poisson *p)
{
    size_t count = (size_t)(p->out->count - p->first);
    double *x = p->out->x + 3 * p->first;
    keyed_point *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) return MN_FAILED;
    for (size_t i = 0; i < count; i++) {
        sorted[i].key = 0, sorted[i].at = i;
        for (int k = 2; k >= 0; k--)
            sorted[i].key = sorted[i].key << 21 |
                            (uint64_t)fmax(0, (x[3 * i + (size_t)k] - p->low[k]) / (push_radius * p->spacing));
        for (size_t k = 0; k < 3; k++) sorted[i].x[k] = x[3 * i + k];
    }
    qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) x[3 * i + k] = sorted[i].x[k];
    free(sorted);
    return MN_OK;
}

/* All steps are found before any is taken, so the threads do not matter. */
static void even_out(poisson *p)
{
    long count = p->out->count - p->first;
    double *depth = calloc((size_t)count + 1, sizeof *depth), *step = malloc(((size_t)count + 1) * 3 * sizeof *step);
    near_free(&p->grid);
    p->status = sort_by_cell(p);
    if (p->status == MN_OK)
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

mn_status mn_sample_poisson(mn_region_distance *inside, const void *context, const double low[3], const double high[3],
                            double spacing, int seed, mn_points *out)
{
    poisson p = {
        .inside = inside, .context = context, .spacing = spacing, .seed = seed, .out = out, .first = out->count};
    for (int k = 0; k < 3; k++) {
        p.low[k] = low[k];
        p.cells[k] = (long)fmax(1, ceil((high[k] - low[k]) / spacing * (1 - 1e-6)));
    }
    p.random = random_from(seed, UINT64_MAX);
    if (!find_far_blocks(&p)) return MN_FAILED;
    long wanted = count_wanted(&p);
    /* Shapes too thin for the margin are filled closer to their surface. */
    for (double depth = margin;
         depth >= 0 && (double)(out->count - p.first) < 0.9 * (double)wanted && p.status == MN_OK; depth -= 0.25) {
        p.margin = depth * spacing;
        near_free(&p.grid);
        p.status = near_new(&p.grid, out, front_distance * spacing, 2 * wanted);
        for (long i = p.first; i < out->count && p.status == MN_OK; i++) p.status = near_add(&p.grid, i);
        line_boundary(&p);
        grow_fronts(&p, wanted);
        fill_up(&p, wanted, dart_distance * spacing);
        fill_up(&p, wanted, closest * spacing);
    }
    if (p.status == MN_OK) even_out(&p);
    near_free(&p.grid);
    free(p.far);
    return p.status;
}
