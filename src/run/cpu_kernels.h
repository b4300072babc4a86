/* cpu_kernels.h -- what each compilation of cpu_kernels.c offers: the kernels, and the parts of the search that want
 * its lanes. */
#ifndef MN_CPU_KERNELS_H
#define MN_CPU_KERNELS_H

#include <math.h>
#include "run/backend.h"
#include "run/strips.h"

/* Runs particles [from, to); fields in the order of the FIELDS line. */
typedef void (*mn_kernel_fn)(void *const *fields, const mn_lists *lists, const params *par, real4 arg, int from,
                             int to);

/* Particles in cell order with their first index per cell: the fluid by its coordinates, padded so that sixteen may
 * be read past the end, the others by where they lie in the fields. */
typedef struct mn_source {
    const int *start; /* per cell, and one more */
    const float *x, *y, *z;
    const int *index; /* NULL: of the fluid */
} mn_source;

typedef struct mn_list_job {
    const mn_strips *strips;
    const real4 *x;           /* of the particles, by their index in the fields */
    int first, end;           /* the owners: [first, end) */
    const mn_source *sources; /* fluid first, then copies */
    int fluid_sources;        /* these come first in a list, */
    int source_count;         /* these (boundary points) after them */
    float h;
    int far_at;
    const real4 *maps; /* slot s of owner i at maps[s * map_stride + i]; its index is map_at more */
    int map_at, map_slots, map_stride;
} mn_list_job;

enum { MN_MOST_CANDIDATES = 4096 };

/* The particles of the 27 cells around one cell, side by side. Whole pages, so that all begin at the same place of
 * one. */
typedef struct mn_candidates {
    float x[MN_MOST_CANDIDATES + 1024], y[MN_MOST_CANDIDATES + 1024], z[MN_MOST_CANDIDATES + 1024];
    uint32_t index[MN_MOST_CANDIDATES + 1024];
} mn_candidates;

/* What one thread needs to make lists; to be aligned with a page. A write to a list and a read of the candidates at
 * the same place of a page would wait for each other, so the lists begin half a page later. */
enum { MN_PAGE = 4096 };
typedef struct mn_list_space {
    mn_candidates fluid, wall;
    char half_a_page[MN_PAGE / 2];
    uint32_t list[2][8][MN_MOST_CANDIDATES + 16];
    int fluid_count, wall_count;
    int cell; /* whose candidates these are, -1: none */
    mn_spot spot;
} mn_list_space;

typedef struct mn_cpu_kernels {
    int lanes;                            /* particles to a slice: their lists are one row */
    mn_kernel_fn kernel[MN_KERNEL_COUNT]; /* NULL: as in mn_kernels_scalar */
    /* The row of the slice that begins with owner i, from its start on to `out`. Returns the entries written, -1 if
     * they do not fit into `room`, -2 if there are thousands of candidates. */
    int (*list)(const mn_list_job *job, int i, mn_row *row, mn_list_space *space, uint32_t *out, int room);
    /* Marks the cells of the particles [from, to). cell[], if there is one: which bit of the table, -1 outside [low,
     * high]. Strips that are not complete go to `missed`, with room for all; returns how many. */
    int (*mark)(const mn_strips *strips, const float low[3], const float high[3], const real4 *x, int *cell, int from,
                int to, mn_taken *missed);
    /* The numbers of those cells; one past the last for those outside. */
    void (*cells)(const mn_strips *strips, int *cell, int from, int to);
    /* Sums, or the largest values, of a block of at most MN_BLOCK terms: lane t of MN_BLOCK_LANES takes t, t +
     * MN_BLOCK_LANES, ...; then halves are added. */
    void (*fold)(const real4 *term, int count, bool largest, double out[4]);
} mn_cpu_kernels;

extern const mn_cpu_kernels mn_kernels_scalar, mn_kernels_lanes, mn_kernels_avx2, mn_kernels_avx512;

#endif
