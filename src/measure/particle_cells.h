/* particle_cells.h -- particles by cubic cell, for questions about neighbours. */
#ifndef MN_MEASURE_PARTICLE_CELLS_H
#define MN_MEASURE_PARTICLE_CELLS_H

#include "measure/measure.h"

typedef struct mn_celled {
    int64_t key; /* of its cell */
    int64_t index;
} mn_celled;

typedef struct mn_cells {
    mn_celled *entry; /* by rising key */
    int64_t count;
    double side;
} mn_cells;

/* 21 bits an axis; scenes reach far less than a million cells from the origin. */
static inline int64_t mn_cell_key(int64_t x, int64_t y, int64_t z)
{
    const int64_t bias = 1 << 20, mask = (1 << 21) - 1;
    return ((x + bias) & mask) << 42 | ((y + bias) & mask) << 21 | ((z + bias) & mask);
}

/* False when out of memory. */
bool mn_cells_sort(const mn_cloud *c, double side, mn_cells *out);
void mn_cells_free(mn_cells *cells);

/* Calls `visit` for every other particle nearer to i than the side of a cell. */
typedef void mn_cell_visit(void *state, int64_t i, int64_t j, double distance2);
void mn_cells_near(const mn_cloud *c, const mn_cells *cells, int64_t i, mn_cell_visit *visit, void *state);

#endif
