/* cpu_kernels.h -- what each compilation of cpu_kernels.c offers: the kernels, and the parts of the search that want its lanes. */
#ifndef MN_CPU_KERNELS_H
#define MN_CPU_KERNELS_H

#include <math.h>
#include "run/backend.h"

/* Runs particles [from, to); fields in the order of the FIELDS line. */
typedef void (*mn_kernel_fn)(void *const *fields, const mn_lists *lists, const params *par, real4 arg, int from, int to);

/* Particles in cell order with their first index per cell: the fluid by its coordinates, padded so that sixteen may be read past the end, the others by where they
   lie in the fields. */
typedef struct mn_source {
    const int *start; /* per cell, and one more */
    const float *x, *y, *z;
    const int *index; /* NULL: of the fluid */
} mn_source;

typedef struct mn_list_job {
    const mn_grid *grid;
    float low[3], high[3];    /* owners outside have no neighbours */
    const real4 *x;           /* of the particles, by their index in the fields */
    int first, end;           /* the owners: [first, end) */
    const mn_source *sources; /* fluid first, then ghosts */
    int fluid_sources;        /* these come first in a list, */
    int source_count;         /* these (walls) after them */
    float h;
    int far_at;
    const real4 *maps; /* slot s of owner i at maps[s * map_stride + i]; its index is map_at more */
    int map_at, map_slots, map_stride;
} mn_list_job;

enum { MN_MOST_CANDIDATES = 4096 };

/* The particles of the 27 cells around one cell, side by side. Whole pages, so that all begin at the same place of one. */
typedef struct mn_candidates {
    float x[MN_MOST_CANDIDATES + 1024], y[MN_MOST_CANDIDATES + 1024], z[MN_MOST_CANDIDATES + 1024];
    uint32_t index[MN_MOST_CANDIDATES + 1024];
} mn_candidates;

/* What one thread needs to make lists; to be aligned with a page. A write to a list and a read of the candidates at the same place of a page would wait for
   each other, so the lists begin half a page later. */
enum { MN_PAGE = 4096 };
typedef struct mn_list_space {
    mn_candidates fluid, wall;
    char half_a_page[MN_PAGE / 2];
    uint32_t list[2][8][MN_MOST_CANDIDATES + 16];
    int fluid_count, wall_count;
    int cell; /* whose candidates these are, -1: none */
} mn_list_space;

typedef struct mn_cpu_kernels {
    int lanes;                            /* particles to a slice: their lists are one row */
    mn_kernel_fn kernel[MN_KERNEL_COUNT]; /* NULL: as in mn_kernels_scalar */
    /* The row of the slice that begins with owner i, from its start on to `out`. Returns the entries written, -1 if they do not fit into `room`, -2
       if there are thousands of candidates. */
    int (*list)(const mn_list_job *job, int i, mn_row *row, mn_list_space *space, uint32_t *out, int room);
    /* Cells of the particles [from, to); one past the last for those outside [low, high]. */
    void (*cells)(const mn_grid *grid, const float low[3], const float high[3], const real4 *x, int *cell, int from, int to);
    /* Sums, or the largest values, of a block of at most MN_BLOCK terms: lane t of MN_BLOCK_LANES takes t, t + MN_BLOCK_LANES, ...; then halves
       are added. */
    void (*fold)(const real4 *term, int count, bool largest, double out[4]);
} mn_cpu_kernels;

extern const mn_cpu_kernels mn_kernels_scalar, mn_kernels_lanes, mn_kernels_avx2, mn_kernels_avx512;

/* Cell coordinate c without the gaps below it. */
static inline float mn_closed_up(const mn_grid *g, int a, float c)
{
    float closed = c;
    for (int k = 0; k < MN_GAPS; k++) closed -= fminf(fmaxf(c - (float)g->gap_at[a][k], 0.0f), (float)g->gap_width[a][k]);
    return closed;
}

static inline bool mn_in_gap(const mn_grid *g, float px, float py, float pz)
{
    const float c[3] = {floorf(px * g->inv_h), floorf(py * g->inv_h), floorf(pz * g->inv_h)};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < MN_GAPS; k++)
            if (c[a] > (float)g->gap_at[a][k] && c[a] <= (float)g->gap_at[a][k] + (float)g->gap_width[a][k]) return true;
    return false;
}

static inline int mn_clamped(float c, int low, int size)
{
    const int first = low + 1, last = low + size - 2; /* an empty layer all around */
    const int cell = c < (float)first ? first : c > (float)last ? last : (int)c;
    return cell - low;
}

static inline int mn_cell_at(const mn_grid *g, real4 p)
{
    float x = floorf(p.x * g->inv_h), y = floorf(p.y * g->inv_h), z = floorf(p.z * g->inv_h);
    if (g->gapped) x = mn_closed_up(g, 0, x), y = mn_closed_up(g, 1, y), z = mn_closed_up(g, 2, z);
    return (mn_clamped(z, g->low[2], g->size[2]) * g->size[1] + mn_clamped(y, g->low[1], g->size[1])) * g->size[0] +
           mn_clamped(x, g->low[0], g->size[0]);
}

#endif
