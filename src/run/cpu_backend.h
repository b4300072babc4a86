/* cpu_backend.h -- what the files of the CPU backends share. */
#ifndef MN_CPU_BACKEND_H
#define MN_CPU_BACKEND_H

#include "run/backend.h"
#include "run/cpu_kernels.h"

enum { FLUID, COPIES, RESTING, ACTIVE, SOURCES };
enum { MN_CPU_QUEUE = 24 };

struct mn_buffer {
    size_t bytes;
    void *data;  /* begins a line of the cache, */
    void *block; /* within what malloc gave */
};

struct mn_backend {
    const mn_cpu_kernels *kernels;
    int threads;
    char words[96];
    const char *failed;
    size_t bytes;

    mn_buffer *start[SOURCES];    /* first particle per cell; the fluid's: fluid_start */
    mn_buffer *index_of[SOURCES]; /* of the others: where those that lie in the grid are in the fields */
    int *fluid_start;
    mn_buffer *rows, *index;
    mn_buffer *active_rows, *active_index, *point_cells;
    mn_buffer *pair[MN_PAIR_FIELDS];
    mn_strips strips;
    mn_buffer *resting_runs; /* of resting points: which cells, in order, and how many points in each */
    int resting_run_count;
    mn_taken *missed;
    size_t missed_room;
    int resting_stamp; /* of the strips that start[RESTING] was made for */
    int resting_version, resting_count, resting_base;
    mn_lists lists, active_lists;
    double (*partial)[4];
    int partial_room;
    int *needs;                           /* of each block of fluid: the last block that holds a neighbour */
    int need_count, need_room, need_most; /* .. and how far ahead at most */
    mn_buffer *plan;                      /* of a wave of kernels */

    mn_launch queue[MN_CPU_QUEUE]; /* kernels that are still to run, all with the same parameters */
    params queue_par;
    int queued;
    double busy;  /* seconds that launches took */
    double cache; /* bytes of the largest one */
};

enum { MN_CPU_BEYOND = 128 }; /* the last slice of eight may reach seven particles past the end */

/* Makes room for at least `bytes`; contents are lost when it grows. */
bool mn_cpu_reserve(mn_backend *b, mn_buffer **buffer, size_t bytes);
void mn_cpu_drop(mn_backend *b, mn_buffer *buffer);
/* More memory, with what was in it. */
bool mn_cpu_extend(mn_backend *b, mn_buffer *buffer, size_t bytes);

/* How many cells the strips have. */
static inline int mn_cpu_cells(const mn_backend *b) { return b->strips.rank[b->strips.count]; }

/* counts[c] -> first index of cell c; counts[cells] = total */
static inline void mn_cpu_starts(int *counts, int cells)
{
    int sum = 0;
    for (int c = 0; c <= cells; c++) {
        const int here = c < cells ? counts[c] : 0;
        counts[c] = sum;
        sum += here;
    }
}

/* Of backend.h: sort, lists, copies. */
bool mn_cpu_sort(mn_backend *b, const mn_layout *layout, float inv_h, const float low[3], const float high[3],
                 mn_buffer *pos, mn_buffer *id_buffer, const mn_sorted *fields, int field_count, int *kept);
bool mn_cpu_lists(mn_backend *b, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *too_dense);
bool mn_cpu_copies(mn_backend *b, const params *par, mn_buffer *pos, int *count);
bool mn_cpu_copy_order(mn_backend *b, const params *par, mn_buffer *pos, int count, mn_buffer *source,
                       mn_buffer *shift);
bool mn_cpu_refresh(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift, mn_copy_kind kind,
                    int copies_at, int copies);

/* Kernels wait in a queue, as on a device; a look at their fields finishes it first. */
bool mn_cpu_launch(mn_backend *b, const mn_launch *l, const params *par);
bool mn_cpu_finish(mn_backend *b);

#endif
