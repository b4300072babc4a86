/* point_cells.h -- boundary points by the cells of the search, on the host. */
#ifndef MN_BOUNDARY_POINT_CELLS_H
#define MN_BOUNDARY_POINT_CELLS_H

#include <math.h>
#include <stdint.h>

#include "run/strips.h"

typedef struct keyed {
    int64_t key, at; /* at: of equal keys the order */
} keyed;

static inline int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The cell in the arithmetic of the search: a boundary point often lies exactly on the face of a cell. */
static inline void cell_of(const double x[3], float inv_h, int64_t cell[3])
{
    const float far = (float)MN_FARTHEST_CELL;
    for (int a = 0; a < 3; a++) cell[a] = (int64_t)fmaxf(fminf(floorf((float)x[a] * inv_h), far), -far) + (1 << 21);
}

/* Cells that are 2^20 apart along z share a key: their points are told apart by their distance. */
static inline int64_t key_of_cell(int64_t x, int64_t y, int64_t z)
{
    return (int64_t)(((uint64_t)z << 44) + ((uint64_t)y << 22) + (uint64_t)x);
}

static inline int64_t key_of(const double x[3], float inv_h)
{
    int64_t c[3];
    cell_of(x, inv_h, c);
    return key_of_cell(c[0], c[1], c[2]);
}

/* First entry with at least that key. */
static inline int lower(const keyed *list, int count, int64_t key)
{
    int low = 0, high = count;
    while (low < high) {
        const int mid = (low + high) / 2;
        if (list[mid].key < key) low = mid + 1;
        else high = mid;
    }
    return low;
}

#endif
