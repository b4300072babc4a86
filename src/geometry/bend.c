/* bend.c -- see bend.h. */
#include "geometry/bend.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/near.h"

/* Particles around a point that count, in spacings, and how many of them at most: a ball of a lattice holds 65. */
static const double REACH = 2.5;
enum { MOST = 160 };

struct mn_bend {
    mn_points rest;
    double *shift; /* 3 a point */
    near_grid grid;
    double width;
};

static bool fill(mn_bend *b, const mn_soft_points *p, int solid)
{
    for (long i = 0; i < p->count; i++) {
        if (p->solid[i] != solid) continue;
        double rest[3], *shift = b->shift + 3 * b->rest.count;
        for (int a = 0; a < 3; a++) {
            shift[a] = (double)p->displacement[3 * i + a];
            rest[a] = (double)p->position[3 * i + a] - shift[a];
        }
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
    if (b->shift && near_new(&b->grid, &b->rest, b->width, points->count) == MN_OK && fill(b, points, solid)) return b;
    mn_bend_free(b);
    return NULL;
}

void mn_bend_free(mn_bend *b)
{
    if (!b) return;
    near_free(&b->grid);
    mn_points_free(&b->rest);
    free(b->shift);
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

void mn_bend_at(const mn_bend *b, const double rest[3], double shift[3])
{
    int list[MOST];
    double m[4][7] = {{0}};
    const int count = near_list(&b->grid, rest, b->width, list, MOST);
    for (int n = 0; n < count; n++) {
        const double *at = b->rest.x + 3 * (size_t)list[n], *moved = b->shift + 3 * (size_t)list[n];
        double row[7] = {1};
        for (int a = 0; a < 3; a++) {
            row[1 + a] = (at[a] - rest[a]) / b->width;
            row[4 + a] = moved[a];
        }
        const double q = 1 - (row[1] * row[1] + row[2] * row[2] + row[3] * row[3]), w = q > 0 ? q * q * q : 0;
        for (int r = 0; r < 4; r++)
            for (int s = 0; s < 7; s++) m[r][s] += w * row[r] * row[s];
    }
    shift[0] = shift[1] = shift[2] = 0;
    if (m[0][0] <= 0) return;
    for (int r = 1; r < 4; r++) m[r][r] += 1e-3 * m[0][0]; /* sheets of one layer leave a direction open */
    solve4(m);
    for (int a = 0; a < 3; a++) shift[a] = m[0][4 + a] / m[0][0];
}
