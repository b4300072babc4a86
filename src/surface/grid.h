/* grid.h -- a field on the nodes of a grid, kept only in blocks of 8 x 8 x 8 nodes near the surface; blocks
 * elsewhere are all liquid or all air.
 *
 * Lengths are spacings. Node (i, j, k) of the whole grid lies at (i, j, k) * cell from the cloud's origin; its block
 * is (i/8, j/8, k/8). A node is inside where `free` and, near walls, `wall` are above 0. The list holds the blocks
 * that are evaluated and all their neighbours, so that every cell with two kinds of nodes lies in it.
 */
#ifndef MN_SURFACE_GRID_H
#define MN_SURFACE_GRID_H

#include "surface/cloud.h"
#include "surface/surface.h"

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

/* One liquid of a frame, from which a mesh is made. */
typedef struct liquid_field {
    const cloud *cloud;
    const float *volume;  /* of each particle of the cloud, in cubes of the spacing */
    const float *density; /* of number, 1 inside the liquid */
    const bool *deep;     /* particles that no surface is near */
    const bool *mine;     /* particles of this liquid; NULL: all are */
    const float *touch;   /* 0 to 1: whether a particle touches the wall it is nearest to; NULL: no walls */
    const bool *behind;   /* particles on the far side of a wall; NULL: none */
    float level;
    mn_surface_wall *wall;
    const void *walls;
} liquid_field;

/* False: out of memory. */
bool grid_new(grid *out, const liquid_field *field, float cell);
void grid_free(grid *g);
/* About how many bytes grid and mesh will take. */
double grid_estimate(const liquid_field *field, float cell);

/* Makes the node next to each particle liquid: between coarse cells a drop could vanish. */
void grid_hold_particles(grid *g, const liquid_field *field);
/* Fills bubbles smaller than a particle; false: out of memory. */
bool grid_fill_bubbles(grid *g);
/* Finds the pieces; false: out of memory. */
bool grid_pieces(grid *g, const liquid_field *field);

/* Distance of a point (spacings) to the walls, in spacings, and the gap that particles keep there. */
float field_wall(const liquid_field *field, const float u[3], float limit, float *gap);
/* The value at a point, its gradient, and whether another liquid decides it. */
float field_slope(const liquid_field *field, const float u[3], float slope[3], bool *border);
/* 0 to 1: how much liquid there is around a point of the surface; 0 in drops of a few particles. */
float field_bulk(const liquid_field *field, const float u[3]);
/* Share of the kernel around a point that walls leave to the liquid: 1 far from walls, 1/2 where the particles end
 * in front of one. */
float field_share(const liquid_field *field, const float u[3], float s, float gap);
void field_wall_normal(const liquid_field *field, const float u[3], float normal[3]);

static inline bool node_inside(const block *b, int node)
{
    return b->free[node] > 0 && !(b->wall && b->wall[node] <= 0);
}

/* Values of the block's nodes and of those just past it: 9 x 9 x 9 flags, x fastest. */
enum { WIDE = BLOCK_EDGE + 1 };
void grid_flags(const grid *g, const block *b, uint8_t flags[WIDE * WIDE * WIDE]);

#endif
