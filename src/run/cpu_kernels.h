/* cpu_kernels.h -- what each compilation of cpu_kernels.c offers: the kernels, and the parts of the search that want its lanes. */
#ifndef MN_CPU_KERNELS_H
#define MN_CPU_KERNELS_H

#include "run/backend.h"

/* Runs particles [from, to); fields in the order of the FIELDS line. */
typedef void (*mn_kernel_fn)(void *const *fields, const mn_lists *lists, const params *par, real4 arg, int from, int to);

/* Particles in cell order with their first index per cell; x, y, z are padded so that eight may be read past the end. */
typedef struct mn_source {
    const int *start; /* per cell, and one more */
    const float *x, *y, *z;
    const int *index; /* of each particle in the fields; NULL: its place here */
} mn_source;

typedef struct mn_list_job {
    const mn_grid *grid;
    const mn_source *owners;  /* whose lists are made */
    const mn_source *sources; /* fluid first, then ghosts */
    int fluid_sources;        /* these come before the padding, */
    int source_count;         /* these (walls) after it */
    float h;
    int far_at;
    const real4 *maps; /* slot s of owner i at maps[s * map_stride + i]; its index is map_at more */
    int map_at, map_slots, map_stride;
} mn_list_job;

typedef struct mn_cpu_kernels {
    int lanes; /* lists are padded to this */
    mn_kernel_fn kernel[MN_KERNEL_COUNT];
    /* Lists of the owners in cell c: rows[], in their order, receives counts and starts relative to out. Returns the entries written, at most `room`,
       or -1 if they do not fit. */
    int (*list_cell)(const mn_list_job *job, int cell, mn_row *rows, uint32_t *out, int room);
} mn_cpu_kernels;

extern const mn_cpu_kernels mn_kernels_scalar, mn_kernels_lanes, mn_kernels_avx2;

#endif
