/* opencl.h -- what the files of the OpenCL backend share: opencl.c (memory, kernels, sums), opencl_device.c
 * (choosing a device, compiling), opencl_search.c (order, neighbours, copies; kernels in search.cl), opencl_strips.c
 * (the table of strips of what is widely scattered).
 *
 * Invariants: one in-order queue, so commands need no events; a buffer's size is a multiple of 64 bytes.
 */
#ifndef MN_RUN_OPENCL_H
#define MN_RUN_OPENCL_H

#include <CL/cl.h>

#include "run/backend.h"
#include "run/strips.h"

/* The kernels of search.cl. */
#define MN_CL_OWN_KERNELS(X)                                                                                           \
    X(fold_block)                                                                                                      \
    X(bounds_block)                                                                                                    \
    X(cell_place)                                                                                                      \
    X(cell_spread)                                                                                                     \
    X(map_mark)                                                                                                        \
    X(map_count)                                                                                                       \
    X(map_list)                                                                                                        \
    X(map_join)                                                                                                        \
    X(cell_count)                                                                                                      \
    X(scan_sums)                                                                                                       \
    X(scan_tops)                                                                                                       \
    X(scan_fill)                                                                                                       \
    X(cell_scatter)                                                                                                    \
    X(cell_rank)                                                                                                       \
    X(gather)                                                                                                          \
    X(settle)                                                                                                          \
    X(cell_mark)                                                                                                       \
    X(list_neighbours)                                                                                                 \
    X(copy_count)                                                                                                      \
    X(copy_scatter)                                                                                                    \
    X(copy_rank)                                                                                                       \
    X(refresh_4)                                                                                                       \
    X(refresh_16)
enum {
    MN_CL_BEFORE_OWN = MN_KERNEL_COUNT - 1, /* numbered behind the physics */
#define MN_CL_NUMBER(name) MN_CL_##name,
    MN_CL_OWN_KERNELS(MN_CL_NUMBER)
#undef MN_CL_NUMBER
        MN_CL_KERNEL_COUNT
};
enum { MN_CL_LANES = MN_BLOCK_LANES, MN_CL_PARAMS_SENT = 16, MN_CL_ARGS = MN_MAX_KERNEL_FIELDS + 32 };

struct mn_buffer {
    size_t bytes;
    cl_mem data;
};

/* Neighbour lists: rows as port.h says, and entries. */
typedef struct mn_cl_lists {
    mn_buffer *rows, *index;
    int owners; /* when it last grew */
} mn_cl_lists;

/* The arguments that a kernel holds from its last run: a driver takes longer to be told them than to compare them. */
typedef struct mn_cl_held {
    unsigned after;                      /* how many buffers had been released then: a handle may be another's now */
    unsigned char value[MN_CL_ARGS][16]; /* larger ones are not kept */
} mn_cl_held;

struct mn_backend {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel[MN_CL_KERNEL_COUNT]; /* made at their first use */
    mn_cl_held held[MN_CL_KERNEL_COUNT];
    unsigned released; /* buffers so far, and one */
    size_t group;      /* work items to a group, of kernels that do not fix it */
    char words[192], failed[256];
    size_t bytes;

    cl_mem staging; /* pinned host memory: what small results are read into */
    void *staged;
    size_t staging_bytes;

    mn_buffer *par, *term, *partial, *nothing;
    params sent[MN_CL_PARAMS_SENT]; /* a write may still read them */
    int sent_at, sent_count;        /* since the queue was last empty; sent_at < 0: none yet */

    mn_strips strips; /* the table, here and on the device; bits, ranks and marks only there */
    mn_buffer *strip_key, *strip_find, *strip_near, *strip_bits, *strip_rank, *strip_mark;
    bool sparse; /* strips are single ones, since blocks would be too many: the device makes the table */
    bool mapped; /* it made this one: its keys are not here */
    mn_buffer *map, *map_rank;
    bool full;              /* all cells of the strips are there: see search.cl */
    int cells, cells_there; /* with room; at the last sort */
    bool told_is_zero;      /* what lists tell, since the last sort */

    mn_buffer *start, *own_start; /* first particle per cell; NULL where it lies in the room of pair factors */
    mn_buffer *active_room, *active_start;
    mn_buffer *block_sum;
    mn_buffer *count_up; /* 0, 1, 2, ... */
    size_t counted;
    mn_buffer *copy_end, *copy_span;
    mn_buffer *resting_span; /* where there is no spare room */
    int resting_stamp;       /* of the strips that it was made for */
    int resting_version, resting_count, resting_base;

    mn_cl_lists lists, active_lists;
    mn_buffer *pair[MN_PAIR_FIELDS];

    bool bounds_known; /* nothing has changed since the bounds of bounds_of were taken */
    cl_mem bounds_of;
    int bounds_n;
    mn_bounds bounds;
};

/* opencl_device.c */
bool mn_cl_open(mn_backend *b, const char *wanted, mn_messages *say);
const char *mn_cl_error_name(cl_int code);

/* opencl.c. All return false with b->failed set. */
bool mn_cl_fail(mn_backend *b, const char *call, cl_int code);
mn_buffer *mn_cl_alloc(mn_backend *b, size_t bytes);
void mn_cl_release(mn_backend *b, mn_buffer *buffer);
/* at least `bytes`; contents are lost when it grows */
bool mn_cl_reserve(mn_backend *b, mn_buffer **buffer, size_t bytes);
size_t mn_cl_row_bytes(int owners); /* of the rows of lists */
bool mn_cl_zero(mn_backend *b, mn_buffer *buffer, size_t bytes);
/* Waits; valid until the next call; NULL: failed. */
const void *mn_cl_fetch(mn_backend *b, const mn_buffer *buffer, size_t offset, size_t bytes);

typedef struct mn_cl_arg {
    size_t size;
    const void *value;
} mn_cl_arg;
#define MN_CL_BUFFER(buffer) ((mn_cl_arg){sizeof(cl_mem), &(buffer)->data})
#define MN_CL_VALUE(v) ((mn_cl_arg){sizeof(v), &(v)})
/* Runs one work item for each of `items`, in groups of `group`; with MN_CL_LANES to a group, whole groups. */
bool mn_cl_run(mn_backend *b, int kernel, size_t items, size_t group, const mn_cl_arg *args, int count);
#define MN_CL_RUN(b, kernel, items, group, ...)                                                                        \
    mn_cl_run(b, kernel, items, group, (const mn_cl_arg[]){__VA_ARGS__},                                               \
              (int)(sizeof((const mn_cl_arg[]){__VA_ARGS__}) / sizeof(mn_cl_arg)))

/* opencl_strips.c: the table of strips that n particles want, made on the device, after mn_cl_bounds of them; *made is
 * false where the box around them is too large for that. */
bool mn_cl_map_strips(mn_backend *b, mn_buffer *pos, int n, const float low[3], const float high[3], bool *made);

/* opencl_search.c: counts in start[0, cells) -> first index of each cell; start[cells] = total. In whole blocks. */
bool mn_cl_starts_from_counts(mn_backend *b, mn_buffer *start, size_t blocks);
enum { MN_CL_TOLD = 8 }; /* numbers that the device tells, before the marks: as in search.cl */

/* opencl_search.c: the functions of mn_backend_api by these names. */
bool mn_cl_bounds(mn_backend *b, mn_buffer *pos, mn_buffer *vel, int n, mn_bounds *out);
bool mn_cl_sort(mn_backend *b, const mn_layout *layout, float inv_h, const float low[3], const float high[3],
                mn_buffer *pos, mn_buffer *id, const mn_sorted *fields, int field_count, int *kept);
bool mn_cl_list(mn_backend *b, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *too_dense);
bool mn_cl_copies(mn_backend *b, const params *par, mn_buffer *pos, int *count);
bool mn_cl_copy_order(mn_backend *b, const params *par, mn_buffer *pos, int count, mn_buffer *source, mn_buffer *shift);
bool mn_cl_refresh(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift, mn_copy_kind kind,
                   int copies_at, int copies);

#endif
