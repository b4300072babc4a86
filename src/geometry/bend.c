/* bend.c -- see bend.h. */
#include "geometry/bend.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/near.h"

/* Particles around a point that count, in spacings: a ball of a lattice holds 65. */
static const double REACH = 2.5;

struct mn_bend {
    mn_points rest;
    double *shift; /* 3 a point */
    long *number;  /* of each, among all */
    near_grid grid;
    double width;
};

static bool fill(mn_bend *b, const mn_soft_points *p, int solid)
{
    for (long i = 0; i < p->count; i++) {
        if (p->solid[i] != solid) continue;
        double rest[3], *shift = b->shift + 3 * b->rest.count;
        for (int a = 0; a < 3; a++) {
            shift[a] = p->displacement ? (double)p->displacement[3 * i + a] : 0;
            rest[a] = (double)p->position[3 * i + a] - shift[a];
        }
        b->number[b->rest.count] = i;
        if (mn_points_add(&b->rest, rest) != MN_OK || near_add(&b->grid, b->rest.count - 1) != MN_OK) return false;
    }
    return true;
}

mn_bend *mn_bend_new(const mn_soft_points *points, int solid, double spacing)
{
    mn_bend *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->width = REACH * spacing;
    b->shift = malloc((3 * (size_t)points->count + 1) * sizeof *b->shift);
    b->number = malloc(((size_t)points->count + 1) * sizeof *b->number);
    if (b->shift && b->number && near_new(&b->grid, &b->rest, b->width, points->count) == MN_OK &&
        fill(b, points, solid))
        return b;
    mn_bend_free(b);
    return NULL;
}

void mn_bend_free(mn_bend *b)
{
    if (!b) return;
    near_free(&b->grid);
    mn_points_free(&b->rest);
    free(b->shift);
    free(b->number);
    free(b);
}

/* Solves the symmetric 4 x 4 system for three right sides by elimination; the matrix is positive. */
static void solve4(double m[4][7])
{
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 4; r++) {
            if (r == k) continue;
            const double f = m[r][k] / m[k][k];
            for (int c = k; c < 7; c++) m[r][c] -= f * m[k][c];
        }
}

/* A row of the fit of a linear function about a point, and its weight. */
static double row_of(const mn_bend *b, const double rest[3], const double *at, double row[4])
{
    row[0] = 1;
    for (int a = 0; a < 3; a++) row[1 + a] = (at[a] - rest[a]) / b->width;
    const double q = 1 - (row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
    return q > 0 ? q * q * q : 0;
}

/* The matrix of the fit with its right sides; false: no particles around. */
static bool solve(double m[4][7])
{
    if (m[0][0] <= 0) return false;
    for (int r = 1; r < 4; r++) m[r][r] += 1e-3 * m[0][0]; /* sheets of one layer leave a direction open */
    solve4(m);
    return true;
}

void mn_bend_at(const mn_bend *b, const double rest[3], double shift[3])
{
    int list[MN_BEND_MOST];
    double m[4][7] = {{0}};
    const int count = near_list(&b->grid, rest, b->width, list, MN_BEND_MOST);
    for (int n = 0; n < count; n++) {
        double row[7];
        const double w = row_of(b, rest, b->rest.x + 3 * (size_t)list[n], row);
        memcpy(row + 4, b->shift + 3 * (size_t)list[n], 3 * sizeof *row);
        for (int r = 0; r < 4; r++)
            for (int s = 0; s < 7; s++) m[r][s] += w * row[r] * row[s];
    }
    shift[0] = shift[1] = shift[2] = 0;
    if (!solve(m)) return;
    for (int a = 0; a < 3; a++) shift[a] = m[0][4 + a] / m[0][0];
}

int mn_bend_shares(const mn_bend *b, const double rest[3], mn_bend_share share[MN_BEND_MOST])
{
    int list[MN_BEND_MOST];
    double m[4][7] = {{0}}, row[4];
    const int count = near_list(&b->grid, rest, b->width, list, MN_BEND_MOST);
    for (int n = 0; n < count; n++) {
        const double w = row_of(b, rest, b->rest.x + 3 * (size_t)list[n], row);
        for (int r = 0; r < 4; r++)
            for (int s = 0; s < 4; s++) m[r][s] += w * row[r] * row[s];
    }
    m[0][4] = 1; /* the value at the point itself */
    if (!solve(m)) return 0;
    for (int n = 0; n < count; n++) {
        const double *at = b->rest.x + 3 * (size_t)list[n], w = row_of(b, rest, at, row);
        share[n] = (mn_bend_share){.particle = b->number[list[n]], .rest = {at[0], at[1], at[2]}};
        for (int r = 0; r < 4; r++) share[n].weight += w * row[r] * m[r][4] / m[r][r];
    }
    return count;
}
