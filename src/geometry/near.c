/* near.c -- hash grid over points; see near.h. */
#include "geometry/near.h"

#include <limits.h>
#include <stdlib.h>

void near_free(near_grid *grid)
{
    free(grid->head);
    free(grid->next);
    *grid = (near_grid){0};
}

static int64_t cell_of(const near_grid *grid, double x)
{
    double scaled = x * grid->per_cell;
    int64_t whole = (int64_t)scaled; /* towards zero; floor() is a call on plain x86-64 */
    return whole - (scaled < (double)whole);
}

static uint32_t bucket_of(const near_grid *grid, int64_t ix, int64_t iy, int64_t iz)
{
    return ((uint32_t)ix + (uint32_t)iy * 73856093u + (uint32_t)iz * 19349663u) & grid->mask;
}

static uint32_t bucket_at(const near_grid *grid, const double x[3])
{
    return bucket_of(grid, cell_of(grid, x[0]), cell_of(grid, x[1]), cell_of(grid, x[2]));
}

/* The 27 cells of a query must fall into 27 buckets, or it would see points twice. */
static bool neighbours_collide(const near_grid *grid)
{
    for (int z = -2; z <= 2; z++)
        for (int y = -2; y <= 2; y++)
            for (int x = -2; x <= 2; x++)
                if ((x || y || z) && bucket_of(grid, x, y, z) == 0) return true;
    return false;
}

mn_status near_new(near_grid *grid, const mn_points *points, double cell, long expected)
{
    *grid = (near_grid){.points = points, .cell = cell, .per_cell = 1 / cell, .mask = 1023};
    while (((long)grid->mask < expected && grid->mask < (1u << 30)) || neighbours_collide(grid))
        grid->mask = 2 * grid->mask + 1;
    grid->head = malloc(((size_t)grid->mask + 1) * sizeof *grid->head);
    if (!grid->head) return MN_FAILED;
    near_clear(grid);
    return MN_OK;
}

void near_clear(near_grid *grid)
{
    for (size_t b = 0; b <= grid->mask; b++) grid->head[b] = -1;
}

mn_status near_add(near_grid *grid, long index)
{
    if (index >= INT_MAX) return MN_FAILED;
    if (index >= grid->next_capacity) {
        long capacity = index + index / 2 + 256;
        int *grown = realloc(grid->next, (size_t)capacity * sizeof *grown);
        if (!grown) return MN_FAILED;
        grid->next = grown;
        grid->next_capacity = capacity;
    }
    uint32_t bucket = bucket_at(grid, grid->points->x + 3 * index);
    grid->next[index] = grid->head[bucket];
    grid->head[bucket] = (int)index;
    return MN_OK;
}

/* Per axis, how far x is from the cell before its own, from its own (0) and from the next one, squared. */
static void cell_gaps(const near_grid *grid, double x, int64_t cell, double out[3])
{
    double below = x - (double)cell * grid->cell, above = grid->cell - below;
    out[0] = below * below;
    out[1] = 0;
    out[2] = above * above;
}

/* Finds points closer than `radius`; with `out` NULL it stops at the first. */
static int search(const near_grid *grid, const double x[3], double radius, int *out, int capacity)
{
    int64_t c[3];
    double gap[3][3], r2 = radius * radius;
    int found = 0;
    for (int k = 0; k < 3; k++) {
        c[k] = cell_of(grid, x[k]);
        cell_gaps(grid, x[k], c[k], gap[k]);
    }
    for (int n = 13; n < 13 + 27; n++) { /* its own cell first: that settles most questions of near_any */
        int i = n % 3, j = n / 3 % 3, k = n / 9 % 3;
        if (gap[0][i] + gap[1][j] + gap[2][k] >= r2) continue;
        for (int p = grid->head[bucket_of(grid, c[0] + i - 1, c[1] + j - 1, c[2] + k - 1)]; p >= 0; p = grid->next[p]) {
            const double *at = grid->points->x + 3 * (long)p;
            double d[3] = {at[0] - x[0], at[1] - x[1], at[2] - x[2]};
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= r2) continue;
            if (!out) return 1;
            if (found < capacity) out[found++] = p;
        }
    }
    return found;
}

bool near_any(const near_grid *grid, const double x[3], double radius) { return search(grid, x, radius, NULL, 0) > 0; }

int near_list(const near_grid *grid, const double x[3], double radius, int *out, int capacity)
{
    return search(grid, x, radius, out, capacity);
}
