/* backend.h -- what a device must be able to do. The step and the methods speak only this.
 *
 * A buffer is device memory behind an opaque handle. Particles of a field lie as
 *     [0, fluid capacity) fluid | copies | 8 far away | resting points | active points | copies of these | slots
 * and `layout` says where each part begins; only some fields reach beyond the eight. The slots are the points of volume
 * maps. Fluid particles and active points (the boundary points that move or feel) have neighbour lists; these and
 * per-pair buffers belong to the backend.
 */
#ifndef MN_BACKEND_H
#define MN_BACKEND_H

#include "base/message.h"
#include "kernels/port.h"

typedef struct mn_backend mn_backend;
typedef struct mn_buffer mn_buffer; /* opaque */

/* Every kernel and field of the kernel files, by name. */
enum {
#define KERNEL_ENTRY(name) MN_KERNEL_##name,
#include "kernel_list.h"
#undef KERNEL_ENTRY
    MN_KERNEL_COUNT
};
enum {
#define FIELD_ENTRY(type, name, unit, life, copies, at, meaning) MN_FIELD_##name,
#include "kernel_fields.h"
#undef FIELD_ENTRY
    MN_FIELD_COUNT
};

typedef enum mn_role { MN_AROUND, MN_HERE, MN_CHANGES, MN_WRITES, MN_PAIR, MN_PAIR_WRITES, MN_TABLE } mn_role;
enum { MN_MAX_KERNEL_FIELDS = 16 };

typedef struct mn_kernel_info {
    const char *name;
    int count;
    int field[MN_MAX_KERNEL_FIELDS];
    mn_role role[MN_MAX_KERNEL_FIELDS];
} mn_kernel_info;
extern const mn_kernel_info mn_kernel_table[MN_KERNEL_COUNT];

typedef enum mn_field_type { MN_TYPE_real, MN_TYPE_real4, MN_TYPE_pair } mn_field_type;
/* How long a value lasts: kept with its particle from step to step, sorted and saved; computed in each step; a
 * table that the host fills. */
typedef enum mn_field_life { MN_LIFE_KEEP, MN_LIFE_STEP, MN_LIFE_TABLE } mn_field_life;
/* How a copy's value follows from its source's: as it is; a place, xyz + shift; a lever (see pressure_system.h),
   w + xyz.shift. */
typedef enum mn_copy_kind { MN_COPIED_COPY, MN_COPIED_PLACE, MN_COPIED_LEVER } mn_copy_kind;
/* Where it exists: at fluid particles; at boundary points too; at fluid particles where a part wants it. */
typedef enum mn_field_at { MN_AT_FLUID, MN_AT_POINTS, MN_AT_WANTED } mn_field_at;
/* A field as the kernel files register it, <file>_OWNS. */
typedef struct mn_field_info {
    const char *name, *unit, *meaning;
    mn_field_type type;
    mn_field_life life;
    mn_copy_kind copies;
    mn_field_at at;
} mn_field_info;
#define FIELD_ENTRY(type, name, unit, life, copies, at, meaning) +(MN_TYPE_##type == MN_TYPE_pair)
enum { /* the field list is sorted by type, so pair fields come first */
       MN_FIRST_PAIR = 0,
       MN_PAIR_FIELDS = 0
#include "kernel_fields.h"
};
#undef FIELD_ENTRY
extern const mn_field_info mn_field_table[MN_FIELD_COUNT];

typedef struct mn_layout {
    int fluid;               /* particles in [0, fluid) */
    int copies_at, copies;   /* copies of fluid particles across periodic faces, in cell order */
    int far_at;              /* eight entries far away */
    int resting_at, resting; /* boundary points that rest, in cell order */
    int resting_version;     /* changes whenever they changed */
    int active_at, active;   /* boundary points that move or feel, in any order; */
    int without_lists;       /* the first of them, whose forces are not asked for: without lists */
    int sees_points;         /* 1: their lists hold other boundary points too; 0: fluid only */
    int point_copies;        /* behind them their copies across periodic faces, which have no lists */
    /* points of fluid particles on volume maps: slot s of particle i at map_at + s * map_stride + i, */
    int map_at;
    int map_slots, map_stride; /* in use where pos.w > 0 */
} mn_layout;

typedef struct mn_bounds {
    float low[3], high[3];
    int bad; /* index of a particle with a non-finite position or velocity, -1 if there is none */
} mn_bounds;

/* A buffer that takes part in sorting. */
typedef struct mn_sorted {
    mn_buffer **buffer;
    int width; /* bytes a particle: 4 or 16 */
} mn_sorted;

/* What becomes of the four numbers a kernel writes to `term`. Sums are made in double in fixed blocks (MN_BLOCK
 * particles, folded as a tree, the blocks then in order): the same bits for any thread count and on a device. */
enum { MN_BLOCK = 1024, MN_BLOCK_LANES = 256 };
typedef struct mn_fold {
    bool largest; /* else sums */
    bool later;   /* the value is there when that of a later fold is */
    double value[4];
} mn_fold;

/* A kernel to run. buffers[] in the order of its FIELDS line; pair fields and `term` are the backend's own. */
typedef struct mn_launch {
    int kernel;
    real4 arg;
    mn_buffer *buffers[MN_MAX_KERNEL_FIELDS];
    mn_fold *fold;   /* NULL: none */
    double *seconds; /* where a backend that waits for its kernels may add the time that it took; NULL: nowhere */
} mn_launch;

/* Functions return false when the device failed; `failure` then says why. */
typedef struct mn_backend_api {
    const char *key;
    mn_backend *(*open)(const char *device, int threads, mn_messages *say);
    void (*close)(mn_backend *b);
    const char *(*describe)(mn_backend *b);
    const char *(*failure)(mn_backend *b);
    size_t (*bytes)(mn_backend *b);  /* allocated now */
    double (*memory)(mn_backend *b); /* bytes that the device has in all; NULL: it uses the machine's */

    mn_buffer *(*alloc)(mn_backend *b, size_t bytes); /* zeroed */
    void (*release)(mn_backend *b, mn_buffer *buffer);
    bool (*put)(mn_backend *b, mn_buffer *buffer, size_t offset, const void *host, size_t bytes);
    bool (*get)(mn_backend *b, mn_buffer *buffer, size_t offset, void *host, size_t bytes);
    /* Where a buffer lies in the machine's memory, up to date; NULL, or no such function: elsewhere. */
    void *(*host)(mn_backend *b, mn_buffer *buffer);

    /* Runs a kernel over [par->first, par->n): the fluid particles (first = 0), or the active points, then without pair
     * fields and sums. At once or after some time, but before anything else that this table offers can tell. */
    bool (*launch)(mn_backend *b, const mn_launch *l, const params *par);
    double (*busy)(mn_backend *b); /* seconds that launches have told so far; NULL: none */

    bool (*bounds)(mn_backend *b, mn_buffer *pos, mn_buffer *vel, int n, mn_bounds *out);
    /* Sorts the fluid by (cell, id), cells of side 1/inv_h in the order (z, y, x), dropping particles outside [low,
     * high]; kept = how many remain. What follows knows the cells in which fluid or active points with lists are, and
     * those around them, no others. The lists are lost. */
    bool (*sort)(mn_backend *b, const mn_layout *layout, float inv_h, const float low[3], const float high[3],
                 mn_buffer *pos, mn_buffer *id, const mn_sorted *fields, int field_count, int *kept);
    /* Lists of all neighbours with r < h of the fluid particles and of the active points: fluid and copies first, then
     * resting points, then active ones and their copies, then the particle's own slots. Fails on thousands of particles
     * in one place; *too_dense is then one of them, else -1. */
    bool (*lists)(mn_backend *b, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *too_dense);
    /* Copies of [0, par->n) across the periodic faces, those within h of the box that fall into known cells: how
     * many there are, then, with room for that many, whose copy each is and how far away, in the order (cell,
     * particle). */
    bool (*copies)(mn_backend *b, const params *par, mn_buffer *pos, int *count);
    bool (*copy_order)(mn_backend *b, const params *par, mn_buffer *pos, int count, mn_buffer *source,
                       mn_buffer *shift);
    /* field[copies_at + g] = field[source[g]], adjusted to the copy's place. */
    bool (*refresh)(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift, mn_copy_kind kind,
                    int copies_at, int copies);
} mn_backend_api;

extern const mn_backend_api mn_backend_cpu, mn_backend_scalar;
#ifdef MN_HAVE_OPENCL
extern const mn_backend_api mn_backend_opencl;
#endif
const mn_backend_api *mn_backend_find(const char *name,
                                      const char **device); /* "opencl:gpu" -> opencl, "gpu"; NULL: unknown */

#endif
