/* cpu_lists.c -- neighbour lists on the CPU: where the particles and points of each cell lie, then the rows of all that
 * have lists, in memory that threads take piece by piece. */
#include "run/cpu_backend.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Room for coordinates that are read in strides. */
static size_t padded(int count) { return (size_t)count + 16; }

static void split(const real4 *x, int n, float *out, size_t stride, int threads)
{
#pragma omp parallel for num_threads(threads) if (n > 4096)
    for (int i = 0; i < n; i++) {
        out[i] = x[i].x;
        out[stride + (size_t)i] = x[i].y;
        out[2 * stride + (size_t)i] = x[i].z;
    }
}

/* Where `count` points are: their cells, -1 for those in none that is known. */
static bool cells_of_points(mn_backend *b, const real4 *x, int count)
{
    if (!mn_cpu_reserve(b, &b->point_cells, (size_t)count * 4)) return false;
    int *cell = b->point_cells->data;
#pragma omp parallel num_threads(b->threads) if (count > 4096)
    {
        mn_spot spot = mn_no_spot;
#pragma omp for schedule(static)
        for (int i = 0; i < count; i++) cell[i] = mn_cell_find(&b->strips, x[i].x, x[i].y, x[i].z, &spot);
    }
    return true;
}

/* Points by cell, by index within a cell; those in no known cell see no fluid and are left out. */
static bool index_source(mn_backend *b, int source, const real4 *x, int base, int count)
{
    const int cells = mn_cpu_cells(b);
    if (!mn_cpu_reserve(b, &b->start[source], ((size_t)cells + 2) * 4) || !cells_of_points(b, x, count)) return false;
    int *start = b->start[source]->data;
    const int *cell = b->point_cells->data;
    memset(start, 0, ((size_t)cells + 2) * 4);
    for (int i = 0; i < count; i++)
        if (cell[i] >= 0) start[cell[i]]++;
    mn_cpu_starts(start, cells);
    if (!mn_cpu_reserve(b, &b->index_of[source], (size_t)start[cells] * 4)) return false;
    int *index = b->index_of[source]->data;
    for (int i = 0; i < count; i++)
        if (cell[i] >= 0) index[start[cell[i]]++] = base + i;
    memmove(start + 1, start, (size_t)cells * 4);
    start[0] = 0;
    return true;
}

static mn_source source_of(const mn_backend *b, int source)
{
    return (mn_source){.start = b->start[source]->data, .index = b->index_of[source]->data};
}

/* Resting points in one cell: they lie side by side. */
typedef struct resting_run {
    uint64_t key; /* of the strip; that of no strip where there are no cells */
    int bit, count;
} resting_run;

/* The run of one point. */
static resting_run run_of_point(real4 x, float inv_h)
{
    if (!mn_is_near(x.x, x.y, x.z, inv_h)) return (resting_run){mn_no_spot.key, 0, 1};
    const int c = mn_cell_along(x.x, inv_h);
    return (resting_run){mn_strip_key(c, mn_cell_along(x.y, inv_h), mn_cell_along(x.z, inv_h)), c & (MN_STRIP - 1), 1};
}

/* Which cells hold resting points: found once, so that a step looks up cells and not points. */
static bool find_resting_runs(mn_backend *b, const real4 *x, int count)
{
    const float inv_h = b->strips.inv_h;
    for (int pass = 0; pass < 2; pass++) { /* how many, then which */
        resting_run last = {0}, *out = pass ? b->resting_runs->data : NULL;
        int runs = 0;
        for (int i = 0; i < count; i++) {
            const resting_run one = run_of_point(x[i], inv_h);
            const bool same = runs && one.key == last.key && one.bit == last.bit;
            last = one;
            if (!same && out) out[runs] = one;
            else if (out) out[runs - 1].count++;
            runs += !same;
        }
        b->resting_run_count = runs;
        if (!pass && !mn_cpu_reserve(b, &b->resting_runs, (size_t)runs * sizeof(resting_run))) return false;
    }
    return true;
}

/* Resting points by cell. Their cells come in order, so first points and points are written from front to back. */
static bool index_resting(mn_backend *b, int base, int count)
{
    const int cells = mn_cpu_cells(b);
    if (!mn_cpu_reserve(b, &b->start[RESTING], ((size_t)cells + 2) * 4) ||
        !mn_cpu_reserve(b, &b->index_of[RESTING], (size_t)count * 4))
        return false;
    int *start = b->start[RESTING]->data, *index = b->index_of[RESTING]->data, next = 0, kept = 0, from = base;
    mn_spot spot = mn_no_spot;
    for (int r = 0; r < b->resting_run_count; r++) {
        const resting_run run = ((const resting_run *)b->resting_runs->data)[r];
        if (run.key != spot.key) spot = (mn_spot){run.key, mn_strip_find(&b->strips, run.key), 0};
        if (spot.strip >= 0 && b->strips.bits[spot.strip] >> run.bit & 1) {
            const int cell = mn_cell_number(&b->strips, spot.strip, run.bit);
            while (next <= cell) start[next++] = kept;
            for (int k = 0; k < run.count; k++) index[kept++] = from + k;
        }
        from += run.count;
    }
    while (next <= cells) start[next++] = kept;
    return true;
}

/* Rebuilds the index of the resting points where they or the cells have changed. */
static bool find_resting(mn_backend *b, const mn_layout *layout, const real4 *x)
{
    const bool same = b->start[RESTING] && b->resting_version == layout->resting_version &&
                      b->resting_count == layout->resting && b->resting_base == layout->resting_at;
    if (same && b->resting_stamp == b->strips.stamp) return true;
    if (!same && !find_resting_runs(b, x + layout->resting_at, layout->resting)) return false;
    b->resting_stamp = b->strips.stamp, b->resting_version = layout->resting_version,
    b->resting_count = layout->resting, b->resting_base = layout->resting_at;
    return index_resting(b, layout->resting_at, layout->resting);
}

static size_t rows_of(const mn_backend *b, int n) { return (size_t)(n / b->kernels->lanes) + 2; }

/* Where lists are written: threads take pieces and fill them with whole rows. */
typedef struct arena {
    uint32_t *index;
    size_t room, takers; /* entries; threads */
    size_t top;          /* taken so far */
    size_t full;         /* up to where it was when a piece no longer fitted; else the room */
    size_t lack;         /* entries of the rows that found no place */
} arena;
enum { NO_ROOM = UINT32_MAX }; /* start of a row that is still to be written */
/* pieces; the longest: more than eight lists of all candidates */
enum { SHORTEST = 1 << 11, USUAL = 1 << 15, LONGEST = 1 << 18 };

typedef struct piece {
    uint32_t *to;
    size_t left, size;
    uint32_t *scrap; /* once the arena is full, to go on counting */
    bool starved;    /* there was no memory for it */
} piece;

/* The next piece, twice as long if not even one row fitted into the last. Long ones first, since at the end of each
 * a row's length is lost, and short ones last, since each thread leaves its last one half empty. False: out of
 * memory, or rows longer than any. */
static bool take_piece(arena *a, piece *p)
{
    const size_t top = __atomic_load_n(&a->top, __ATOMIC_RELAXED),
                 share = top < a->room ? (a->room - top) / (4 * a->takers) : USUAL / 4;
    const size_t step = share < SHORTEST ? SHORTEST : share > USUAL ? USUAL : share;
    const size_t size = p->size && p->left >= p->size ? 2 * p->size : step;
    if (size > LONGEST) return false;
    const size_t at = __atomic_fetch_add(&a->top, size, __ATOMIC_RELAXED);
    const bool fits = at + size <= a->room;
    if (!fits && !p->scrap && !(p->scrap = malloc(LONGEST * sizeof *p->scrap))) return p->starved = true, false;
    if (fits && p->to && a->index + at == p->to + p->left) p->left += size, p->size = size; /* the next one to it */
    else *p = (piece){fits ? a->index + at : p->scrap, size, size, p->scrap, false};
    size_t full = __atomic_load_n(&a->full, __ATOMIC_RELAXED);
    while (!fits && at < full &&
           !__atomic_compare_exchange_n(&a->full, &full, at, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return true;
}

/* Rows of all owners of the job, or of those only that found no place before: 0, or why not. */
enum { LISTED, CROWDED, NO_MEMORY };
static int fill_rows(mn_backend *b, const mn_list_job *job, mn_row *rows, arena *a, bool left, int *too_dense)
{
    enum { CHUNK = 512 };
    const int n = job->end - job->first, lanes = b->kernels->lanes, chunks = (n + CHUNK - 1) / CHUNK;
    int trouble = LISTED;
    size_t lack = 0;
#pragma omp parallel num_threads(b->threads) if (n > 2048) reduction(+ : lack)
    {
        mn_list_space *space = aligned_alloc(MN_PAGE, (sizeof *space + MN_PAGE - 1) / MN_PAGE * MN_PAGE);
        piece mine = {0};
        if (space) space->cell = -1, space->spot = mn_no_spot;
        else trouble = NO_MEMORY;
#pragma omp for schedule(dynamic, 1)
        for (int chunk = 0; chunk < chunks; chunk++) {
            const int end = (chunk + 1) * CHUNK < n ? (chunk + 1) * CHUNK : n;
            for (int i = chunk * CHUNK; space && !trouble && i < end; i += lanes) {
                mn_row *row = &rows[i / lanes];
                if (left && row->start != NO_ROOM) continue;
                int got = mine.left ? b->kernels->list(job, job->first + i, row, space, mine.to, (int)mine.left) : -1;
                while (got == -1 && take_piece(a, &mine))
                    got = b->kernels->list(job, job->first + i, row, space, mine.to, (int)mine.left);
                if (got < 0) {
                    trouble = mine.starved ? NO_MEMORY : CROWDED;
                    if (!mine.starved) *too_dense = job->first + i;
                    break;
                }
                row->start = mine.scrap ? NO_ROOM : (uint32_t)(mine.to - a->index);
                lack += mine.scrap ? (size_t)got : 0;
                mine.to += got;
                mine.left -= (size_t)got;
            }
        }
        free(mine.scrap);
        free(space);
    }
    a->lack = lack;
    return trouble;
}

/* Lists of all owners of the job into an arena that grows as needed; *too_dense: an owner among thousands. */
static bool fill_arena(mn_backend *b, const mn_list_job *job, mn_row *rows, mn_buffer **memory, int *too_dense)
{
    const size_t once = (size_t)(job->end - job->first) * 16; /* more than sorting needs */
    if (!*memory && !mn_cpu_reserve(b, memory, once * 4)) return false;
    /* for a piece that each thread leaves unfilled: of a few long rows it takes long ones */
    size_t from = 0, spare = SHORTEST;
    for (bool left = false;; left = true, spare = spare < LONGEST ? 4 * spare : LONGEST) {
        const size_t room = (*memory)->bytes / 4 - 16;
        arena a = {(*memory)->data, room, (size_t)b->threads, from, room, 0};
        const int trouble = fill_rows(b, job, rows, &a, left, too_dense);
        if (trouble)
            return b->failed =
                       trouble == NO_MEMORY ? "out of memory" : "thousands of particles within one support radius",
                   false;
        if (!a.lack) return true;
        const size_t wanted = a.full + a.lack;
        if (wanted > (size_t)UINT32_MAX - 65536) return b->failed = "more than 2^32 neighbour pairs", false;
        if (!mn_cpu_extend(b, *memory, (wanted + wanted / 1024 + spare * a.takers) * 4)) return false;
        from = a.full;
    }
}

/* The same for the active points. */
static bool list_bodies(mn_backend *b, mn_list_job *job, const mn_layout *layout)
{
    int too_dense = -1;
    if (!mn_cpu_reserve(b, &b->active_rows, rows_of(b, layout->active - layout->without_lists) * sizeof(mn_row)))
        return false;
    job->first = layout->active_at + layout->without_lists;
    if (!layout->sees_points) job->source_count = job->fluid_sources;
    job->map_slots = 0;
    job->end = layout->active_at + layout->active;
    if (!fill_arena(b, job, b->active_rows->data, &b->active_index, &too_dense)) {
        if (too_dense >= 0) b->failed = "thousands of particles within one support radius of a body";
        return false;
    }
    b->active_lists = (mn_lists){b->active_rows->data, b->active_index->data};
    return true;
}

/* Particles lie in the order of their cells, so the last of a block has the farthest neighbour: at most the end of
 * the run of three cells above its own. */
static bool find_needs(mn_backend *b, const real4 *x, int n)
{
    const int blocks = (n + MN_BLOCK - 1) / MN_BLOCK, *start = b->fluid_start;
    b->need_count = b->need_most = 0;
    if (blocks > b->need_room) {
        free(b->needs);
        b->need_room = blocks + blocks / 4;
        b->needs = malloc((size_t)b->need_room * sizeof *b->needs);
        if (!b->needs) return b->need_room = 0, b->failed = "out of memory", false;
    }
    for (int k = 0; k < blocks; k++) {
        const int last = (k + 1) * MN_BLOCK < n ? (k + 1) * MN_BLOCK - 1 : n - 1;
        mn_spot spot = mn_no_spot;
        int rows[MN_ROWS];
        if (mn_cell_find(&b->strips, x[last].x, x[last].y, x[last].z, &spot) < 0)
            return b->failed = "a particle in no cell", false;
        mn_cell_rows(&b->strips, &spot, rows);
        b->needs[k] = (start[rows[MN_ROWS - 1] + 2] - 1) / MN_BLOCK;
        if (b->needs[k] < k) b->needs[k] = k;
        if (b->needs[k] - k > b->need_most) b->need_most = b->needs[k] - k;
    }
    b->need_count = blocks;
    return true;
}

bool mn_cpu_lists(mn_backend *b, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *too_dense)
{
    *too_dense = -1;
    if (!mn_cpu_finish(b)) return false;
    const real4 *x = pos->data;
    const int n = layout->fluid;
    if ((uint64_t)layout->map_at + (uint64_t)layout->map_slots * (uint64_t)layout->map_stride >
        UINT32_MAX / sizeof(real4))
        return b->failed = "more than 268 million particles", false;
    mn_source sources[SOURCES];
    int source_count = 0, fluid_sources = 1;

    const size_t stride = padded(n);
    if (spare->bytes < 3 * stride * 4) return b->failed = "not enough memory for the list builder", false;
    split(x, n, spare->data, stride, b->threads);
    const float *c = spare->data;
    sources[source_count++] = (mn_source){b->fluid_start, c, c + stride, c + 2 * stride, NULL};
    if (layout->copies) {
        if (!index_source(b, COPIES, x + layout->copies_at, layout->copies_at, layout->copies)) return false;
        sources[source_count++] = source_of(b, COPIES);
        fluid_sources = 2;
    }
    if (layout->resting) {
        if (!find_resting(b, layout, x)) return false;
        sources[source_count++] = source_of(b, RESTING);
    }
    const int active_points = layout->active + layout->point_copies;
    if (active_points) {
        if (!index_source(b, ACTIVE, x + layout->active_at, layout->active_at, active_points)) return false;
        sources[source_count++] = source_of(b, ACTIVE);
    }
    if (!mn_cpu_reserve(b, &b->rows, rows_of(b, n) * sizeof(mn_row))) return false;
    mn_row *rows = b->rows->data;
    mn_list_job job = {.strips = &b->strips,
                       .x = x,
                       .end = n,
                       .sources = sources,
                       .fluid_sources = fluid_sources,
                       .source_count = source_count,
                       .h = h,
                       .far_at = layout->far_at,
                       .maps = x + layout->map_at,
                       .map_at = layout->map_at,
                       .map_slots = layout->map_slots,
                       .map_stride = layout->map_stride};
    if (!fill_arena(b, &job, rows, &b->index, too_dense) || !find_needs(b, x, n)) return false;
    b->lists = (mn_lists){rows, b->index->data};
    if (layout->active == layout->without_lists) return true;
    return list_bodies(b, &job, layout);
}
