/* grid.h -- a field on the nodes of a grid, kept only in blocks of 8 x 8 x 8 nodes near the surface; blocks
 * elsewhere are all liquid or all air.
 *
 * Lengths are spacings. Node (i, j, k) of the whole grid lies at (i, j, k) * cell from the cloud's origin; its block
 * is (i/8, j/8, k/8). A node is inside where `free` and, near walls, `wall` are above 0. The list holds the blocks
 * that are evaluated and all their neighbours, so that every cell with two kinds of nodes lies in it.
 */
#ifndef MN_SURFACE_GRID_H
#define MN_SURFACE_GRID_H

#include "surface/field.h"

enum { BLOCK_EDGE = 8, BLOCK_NODES = 512 };

typedef struct block {
    int place[3];
    bool evaluated, wet; /* not evaluated: liquid or air all over */
    int32_t near[27];    /* neighbours in the list, -1: none; x fastest, [13] is itself */
    float *free;         /* BLOCK_NODES values, x fastest */
    float *wall;         /* the same: distance to the wall; NULL: none near */
} block;

typedef struct grid {
    float cell;
    block *blocks; /* by place: z, then y, then x */
    int32_t count;
    float *values;  /* what the blocks point into */
    float **walls;  /* one each, NULL where there is no wall */
    int32_t *piece; /* of each node inside, which connected piece of liquid it belongs to; 0: the bulk */
    int32_t piece_count;
    float *piece_volume;     /* that of its particles, in cubes of the spacing; of the bulk 0 */
    int32_t *piece_particle; /* one of them */
} grid;

/* Hollows as in mn_surface_options. False: out of memory. */
bool grid_new(grid *out, const liquid_field *field, float cell, double hollows);
void grid_free(grid *g);
/* About how many bytes grid and mesh will take. */
double grid_estimate(const liquid_field *field, float cell);

/* Makes the node next to each particle liquid: between coarse cells a drop could vanish. */
void grid_hold_particles(grid *g, const liquid_field *field);
/* Fills closed hollows smaller than a cube of so many spacings; false: out of memory. */
bool grid_fill_hollows(grid *g, double width);
/* Finds the pieces; false: out of memory. */
bool grid_pieces(grid *g, const liquid_field *field);

static inline bool node_inside(const block *b, int node)
{
    return b->free[node] > 0 && !(b->wall && b->wall[node] <= 0);
}

/* Values of the block's nodes and of those just past it: 9 x 9 x 9 flags, x fastest. */
enum { WIDE = BLOCK_EDGE + 1 };
void grid_flags(const grid *g, const block *b, uint8_t flags[WIDE * WIDE * WIDE]);

#endif
