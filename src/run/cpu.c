/* cpu.c -- the CPU backends: OpenMP over fixed blocks of particles, kernels of the best instruction set the machine
 * has.
 *
 * Buffers are host memory. Nothing here depends on the number of threads: kernels only gather (cpu_launch.c), sums
 * fold in fixed blocks, and the sort ends in the order (cell, id) whoever came first.
 */
#include "run/cpu_backend.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- memory -------------------------------------------------------------------------------------------------------- */

enum { LINE = 64 };

/* Large pieces move without being copied. */
bool mn_cpu_extend(mn_backend *b, mn_buffer *buffer, size_t bytes)
{
    const size_t whole = (bytes + MN_CPU_BEYOND + LINE - 1) / LINE * LINE,
                 before = buffer->block ? (size_t)((char *)buffer->data - (char *)buffer->block) : 0;
    char *block = realloc(buffer->block, whole + LINE);
    if (!block) return b->failed = "out of memory", false;
    const size_t shift = (LINE - (uintptr_t)block % LINE) % LINE;
    if (buffer->bytes && shift != before) memmove(block + shift, block + before, buffer->bytes);
    b->bytes += whole - buffer->bytes;
    *buffer = (mn_buffer){whole, block + shift, block};
    return true;
}

/* Memory that is written before it is read. */
static mn_buffer *alloc_raw(mn_backend *b, size_t bytes)
{
    mn_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer && mn_cpu_extend(b, buffer, bytes)) return buffer;
    free(buffer);
    b->failed = "out of memory";
    return NULL;
}

static mn_buffer *cpu_alloc(mn_backend *b, size_t bytes)
{
    mn_buffer *buffer = alloc_raw(b, bytes);
    if (buffer) memset(buffer->data, 0, buffer->bytes);
    return buffer;
}

static void drop(mn_backend *b, mn_buffer *buffer)
{
    if (!buffer) return;
    b->bytes -= buffer->bytes;
    free(buffer->block);
    free(buffer);
}

bool mn_cpu_reserve(mn_backend *b, mn_buffer **buffer, size_t bytes)
{
    if (*buffer && (*buffer)->bytes >= bytes) return true;
    drop(b, *buffer);
    *buffer = alloc_raw(b, bytes);
    return *buffer != NULL;
}

static void cpu_release(mn_backend *b, mn_buffer *buffer)
{
    mn_cpu_finish(b);
    drop(b, buffer);
}

static bool cpu_put(mn_backend *b, mn_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    if (!mn_cpu_finish(b)) return false;
    memcpy((char *)buffer->data + offset, host, bytes);
    return true;
}

static bool cpu_get(mn_backend *b, mn_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    if (!mn_cpu_finish(b)) return false;
    memcpy(host, (const char *)buffer->data + offset, bytes);
    return true;
}

static void *cpu_host(mn_backend *b, mn_buffer *buffer) { return mn_cpu_finish(b) ? buffer->data : NULL; }

static bool cpu_bounds(mn_backend *b, mn_buffer *pos, mn_buffer *vel, int n, mn_bounds *out)
{
    if (!mn_cpu_finish(b)) return false;
    const real4 *x = pos->data, *v = vel->data;
    float lx = 1e30f, ly = 1e30f, lz = 1e30f, hx = -1e30f, hy = -1e30f, hz = -1e30f;
    int bad = n;
#pragma omp parallel for num_threads(b->threads) if (n > 4096) reduction(min                                           \
                                                                         : lx, ly, lz, bad) reduction(max              \
                                                                                                      : hx, hy, hz)
    for (int i = 0; i < n; i++) {
        const float sum = x[i].x + x[i].y + x[i].z + v[i].x + v[i].y + v[i].z;
        if (!(sum - sum == 0.0f) && i < bad) bad = i;
        lx = x[i].x < lx ? x[i].x : lx, hx = x[i].x > hx ? x[i].x : hx;
        ly = x[i].y < ly ? x[i].y : ly, hy = x[i].y > hy ? x[i].y : hy;
        lz = x[i].z < lz ? x[i].z : lz, hz = x[i].z > hz ? x[i].z : hz;
    }
    *out = (mn_bounds){{lx, ly, lz}, {hx, hy, hz}, bad < n ? bad : -1};
    return true;
}

/* -- sorting ------------------------------------------------------------------------------------------------------- */

static int cell_count(const mn_backend *b) { return b->strips.rank[b->strips.count]; }

/* counts[c] -> first index of cell c; counts[cells] = total */
static void starts_from_counts(int *counts, int cells)
{
    int sum = 0;
    for (int c = 0; c <= cells; c++) {
        const int here = c < cells ? counts[c] : 0;
        counts[c] = sum;
        sum += here;
    }
}

static void order_cell(int *order, int count, const int *id)
{
    for (int a = 1; a < count; a++) {
        const int moving = order[a];
        int k = a;
        for (; k > 0 && id[order[k - 1]] > id[moving]; k--) order[k] = order[k - 1];
        order[k] = moving;
    }
}

/* The first n of a field in a new order, through `scratch`. */
static void permute(const int *order, mn_buffer *field, int width, void *scratch, int n, int threads)
{
    enum { CHUNK = 4096 };
#pragma omp parallel num_threads(threads) if (n > CHUNK)
    {
        if (width == 16) {
            const real4 *from = field->data;
            real4 *to = scratch;
#pragma omp for
            for (int i = 0; i < n; i++) to[i] = from[order[i]];
        } else {
            const int *from = field->data;
            int *to = scratch;
#pragma omp for
            for (int i = 0; i < n; i++) to[i] = from[order[i]];
        }
#pragma omp for
        for (int i = 0; i < n; i += CHUNK) {
            const size_t at = (size_t)i * (size_t)width,
                         bytes = (size_t)(i + CHUNK < n ? CHUNK : n - i) * (size_t)width;
            memcpy((char *)field->data + at, (const char *)scratch + at, bytes);
        }
    }
}

enum { SORT_CHUNK = 4096 };
static inline int end_of(int chunk, int n) { return chunk + SORT_CHUNK < n ? chunk + SORT_CHUNK : n; }

/* How many from i on are of one cell. */
static inline int run_of(const int *cell_of, int i, int end)
{
    int k = i + 1;
    while (k < end && cell_of[k] == cell_of[i]) k++;
    return k - i;
}

/* First index of each cell where the particles lie in their order. */
static void starts_in_order(int *start, int cells, const int *cell_of, int n, int threads)
{
#pragma omp parallel for num_threads(threads) if (n > 4096)
    for (int i = 0; i <= n; i++) {
        const int from = i ? cell_of[i - 1] + 1 : 0, to = i < n ? cell_of[i] : cells;
        for (int c = from; c <= to; c++) start[c] = i;
    }
}

/* Pair factors are of no use between two lists: first particles per cell are kept there where there is room. */
static bool lend_start(mn_backend *b, int cells)
{
    const size_t bytes = ((size_t)cells + 2) * 4;
    mn_buffer **own = &b->start[FLUID], *lent = b->pair[MN_FIELD_pair_f - MN_FIRST_PAIR];
    const bool fits = lent && lent->bytes >= bytes;
    if (fits) drop(b, *own), *own = NULL;
    else if (!mn_cpu_reserve(b, own, bytes)) return false;
    b->fluid_start = fits ? lent->data : (*own)->data;
    return true;
}

/* Strips that are taken, to make the table from. */
static bool note_missed(mn_backend *b, size_t *count, const mn_taken *more, size_t added)
{
    if (*count + added > b->missed_room) {
        const size_t room = 2 * b->missed_room + added + 1024;
        mn_taken *larger = realloc(b->missed, room * sizeof *larger);
        if (!larger) return false;
        b->missed = larger, b->missed_room = room;
    }
    if (added) memcpy(b->missed + *count, more, added * sizeof *more);
    *count += added;
    return true;
}

/* Marks the cells of [0, n) from x on; *missed += strips that were not complete. */
static bool mark_cells(mn_backend *b, const float low[3], const float high[3], const real4 *x, int *cell, int n,
                       size_t *missed)
{
    bool ok = true;
    size_t count = *missed;
#pragma omp parallel num_threads(b->threads) if (n > SORT_CHUNK)
    {
        mn_taken mine[SORT_CHUNK];
#pragma omp for schedule(static)
        for (int chunk = 0; chunk < n; chunk += SORT_CHUNK) {
            const int misses = b->kernels->mark(&b->strips, low, high, x, cell, chunk, end_of(chunk, n), mine);
            if (!misses) continue;
#pragma omp critical(mn_missed)
            ok = ok && note_missed(b, &count, mine, (size_t)misses);
        }
    }
    *missed = count;
    if (!ok) b->failed = "out of memory";
    return ok;
}

/* The table from what is marked in it and what was missed. */
static bool remake_strips(mn_backend *b, size_t missed, size_t owners)
{
    mn_strips *s = &b->strips;
    for (int at = 0; at < s->count; at++) {
        const mn_taken strip = {s->key[at], s->mark[at]};
        if (s->mark[at] && !note_missed(b, &missed, &strip, 1)) return b->failed = "out of memory", false;
    }
    const size_t before = mn_strips_bytes(s);
    b->failed = mn_strips_build(s, b->missed, missed, mn_strips_worth(owners));
    b->bytes += mn_strips_bytes(s) - before;
    return !b->failed;
}

/* All cells of those that look for neighbours, and the cells around them; `cell` as the kernel `mark` says. */
static bool find_cells(mn_backend *b, const mn_layout *layout, const float low[3], const float high[3], const real4 *x,
                       int *cell)
{
    const int n = layout->fluid, first = layout->active_at + layout->without_lists,
              felt = layout->active - layout->without_lists;
    const float far = mn_farthest(b->strips.inv_h), from[3] = {-far, -far, -far}, to[3] = {far, far, far};
    const size_t owners = (size_t)n + (size_t)felt;
    if (!b->strips.key && !remake_strips(b, 0, owners)) return false;
    for (;;) {
        size_t missed = 0;
        memset(b->strips.mark, 0, (size_t)b->strips.count * sizeof *b->strips.mark);
        if (!mark_cells(b, low, high, x, cell, n, &missed) || !mark_cells(b, from, to, x + first, NULL, felt, &missed))
            return false;
        if (!missed) break;
        if (!remake_strips(b, missed, owners)) return false;
    }
    b->failed = mn_strips_settle(&b->strips, b->threads);
    return !b->failed;
}

static bool cpu_sort(mn_backend *b, const mn_layout *layout, float inv_h, const float low[3], const float high[3],
                     mn_buffer *pos, mn_buffer *id_buffer, const mn_sorted *fields, int field_count, int *kept)
{
    if (!mn_cpu_finish(b)) return false;
    const int n = layout->fluid, threads = b->threads;
    /* the last lists are no longer needed: where they were there is room to sort */
    const size_t part = ((size_t)n + 15) / 16 * 16;
    if (!mn_cpu_reserve(b, &b->index, 6 * part * 4)) return false;
    int *cell_of = b->index->data, *order = cell_of + part, *scratch = order + part;
    const real4 *x = pos->data;
    const int *id = id_buffer->data;
    b->strips.inv_h = inv_h;
    if (!find_cells(b, layout, low, high, x, cell_of)) return false;
    const int cells = cell_count(b);
    if (!lend_start(b, cells)) return false;
    int *start = b->fluid_start, unsorted = 0;
#pragma omp parallel num_threads(threads) if (n > 4096) reduction(+ : unsorted)
    {
#pragma omp for
        for (int chunk = 0; chunk < n; chunk += SORT_CHUNK)
            b->kernels->cells(&b->strips, cell_of, chunk, end_of(chunk, n));
#pragma omp for
        for (int i = 0; i < n; i++) {
            const int before = i ? cell_of[i - 1] : -1;
            unsorted += cell_of[i] == cells || cell_of[i] < before || (cell_of[i] == before && id[i] < id[i - 1]);
        }
    }
    if (!unsorted) { /* no particle changed cells since the last step */
        starts_in_order(start, cells, cell_of, n, threads);
        *kept = n;
        return true;
    }
    memset(start, 0, ((size_t)cells + 2) * 4);
    /* neighbours in memory are mostly of one cell: counted and placed together */
#pragma omp parallel for num_threads(threads) schedule(static) if (n > 4096)
    for (int chunk = 0; chunk < n; chunk += SORT_CHUNK)
        for (int i = chunk, end = end_of(chunk, n), run; i < end; i += run) {
            run = run_of(cell_of, i, end);
            if (cell_of[i] < cells) __atomic_fetch_add(&start[cell_of[i]], run, __ATOMIC_RELAXED);
        }
    starts_from_counts(start, cells);
    *kept = start[cells];
    /* scatter: start[c] runs to the end of its cell; shifted back afterwards by the sort of each cell */
#pragma omp parallel for num_threads(threads) schedule(static) if (n > 4096)
    for (int chunk = 0; chunk < n; chunk += SORT_CHUNK)
        for (int i = chunk, end = end_of(chunk, n), run; i < end; i += run) {
            run = run_of(cell_of, i, end);
            if (cell_of[i] == cells) continue;
            const int place = __atomic_fetch_add(&start[cell_of[i]], run, __ATOMIC_RELAXED);
            for (int k = 0; k < run; k++) order[place + k] = i + k;
        }
    memmove(start + 1, start, (size_t)cells * 4);
    start[0] = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024) if (n > 4096)
    for (int c = 0; c < cells; c++) order_cell(order + start[c], start[c + 1] - start[c], id);

    for (int f = 0; f < field_count; f++) permute(order, *fields[f].buffer, fields[f].width, scratch, *kept, threads);
    return true;
}

/* -- neighbour lists ----------------------------------------------------------------------------------------------- */

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
    const int cells = cell_count(b);
    if (!mn_cpu_reserve(b, &b->start[source], ((size_t)cells + 2) * 4) || !cells_of_points(b, x, count)) return false;
    int *start = b->start[source]->data;
    const int *cell = b->point_cells->data;
    memset(start, 0, ((size_t)cells + 2) * 4);
    for (int i = 0; i < count; i++)
        if (cell[i] >= 0) start[cell[i]]++;
    starts_from_counts(start, cells);
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
    const int cells = cell_count(b);
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

/* Makes the index of the resting points anew where they or the cells are others. */
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

static bool cpu_lists(mn_backend *b, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *too_dense)
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

/* -- copies -------------------------------------------------------------------------------------------------------- */

/* To which side a copy is due along one axis: a periodic box is at least four supports wide, so there is one at
 * most. */
static int copy_side(float x, float h, float low, float span)
{
    if (!(span > 0.0f)) return 0;
    return x + h > low + span ? -1 : x - h < low ? 1 : 0;
}

typedef struct copy {
    int cell;
    real4 shift;
} copy;

/* The copies of a particle that fall into known cells, seven at most: with some, but not none, of its sides. */
static int copies_of(const mn_strips *strips, const params *par, real4 x, copy out[7])
{
    const int sx = copy_side(x.x, par->h, par->low_x, par->span_x),
              sy = copy_side(x.y, par->h, par->low_y, par->span_y),
              sz = copy_side(x.z, par->h, par->low_z, par->span_z);
    int count = 0;
    for (int some = 1; some < 8; some++) {
        if ((some & 1 && !sx) || (some & 2 && !sy) || (some & 4 && !sz)) continue;
        const real4 shift = {some & 1 ? (float)sx * par->span_x : 0.0f, some & 2 ? (float)sy * par->span_y : 0.0f,
                             some & 4 ? (float)sz * par->span_z : 0.0f, 0.0f};
        mn_spot spot = mn_no_spot;
        const int cell = mn_cell_find(strips, x.x + shift.x, x.y + shift.y, x.z + shift.z, &spot);
        if (cell >= 0) out[count++] = (copy){cell, shift};
    }
    return count;
}

static bool cpu_copies(mn_backend *b, const params *par, mn_buffer *pos, int *count)
{
    if (!mn_cpu_finish(b)) return false;
    const int cells = cell_count(b), n = par->n;
    if (!mn_cpu_reserve(b, &b->start[COPIES], ((size_t)cells + 2) * 4)) return false;
    int *start = b->start[COPIES]->data;
    const real4 *x = pos->data;
    memset(start, 0, ((size_t)cells + 2) * 4);
#pragma omp parallel for num_threads(b->threads) if (n > 4096)
    for (int i = 0; i < n; i++) {
        copy list[7];
        const int copies = copies_of(&b->strips, par, x[i], list);
        for (int k = 0; k < copies; k++) __atomic_fetch_add(&start[list[k].cell], 1, __ATOMIC_RELAXED);
    }
    starts_from_counts(start, cells);
    *count = start[cells];
    return true;
}

static void order_copies(int *source, real4 *shift, int count)
{
    for (int a = 1; a < count; a++) {
        const int moving = source[a];
        const real4 along = shift[a];
        int k = a;
        for (; k > 0 && source[k - 1] > moving; k--) source[k] = source[k - 1], shift[k] = shift[k - 1];
        source[k] = moving, shift[k] = along;
    }
}

static bool cpu_copy_order(mn_backend *b, const params *par, mn_buffer *pos, int count, mn_buffer *source,
                           mn_buffer *shift)
{
    if (!mn_cpu_finish(b)) return false;
    const int cells = cell_count(b), n = par->n;
    int *end = b->start[COPIES]->data,
        *from = source->data; /* end[c]: first place of cell c, one past its last after the scatter */
    real4 *by = shift->data;
    const real4 *x = pos->data;
    (void)count;
#pragma omp parallel for num_threads(b->threads) if (n > 4096)
    for (int i = 0; i < n; i++) {
        copy list[7];
        const int copies = copies_of(&b->strips, par, x[i], list);
        for (int k = 0; k < copies; k++) {
            const int place = __atomic_fetch_add(&end[list[k].cell], 1, __ATOMIC_RELAXED);
            from[place] = i, by[place] = list[k].shift;
        }
    }
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 1024) if (n > 4096)
    for (int c = 0; c < cells; c++) {
        const int first = c ? end[c - 1] : 0;
        order_copies(from + first, by + first, end[c] - first);
    }
    return true;
}

static bool cpu_refresh(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift,
                        mn_copy_kind kind, int copies_at, int copies)
{
    if (!mn_cpu_finish(b)) return false;
    const int *from = source->data;
    if (width == 4) {
        int *f = field->data;
#pragma omp parallel for num_threads(b->threads) if (copies > 4096)
        for (int g = 0; g < copies; g++) f[copies_at + g] = f[from[g]];
        return true;
    }
    real4 *f = field->data;
    const real4 *add = shift->data;
#pragma omp parallel for num_threads(b->threads) if (copies > 4096)
    for (int g = 0; g < copies; g++) {
        real4 v = f[from[g]];
        if (kind == MN_COPIED_PLACE) v.x += add[g].x, v.y += add[g].y, v.z += add[g].z;
        if (kind == MN_COPIED_LEVER) v.w += v.x * add[g].x + v.y * add[g].y + v.z * add[g].z;
        f[copies_at + g] = v;
    }
    return true;
}

/* -- opening ------------------------------------------------------------------------------------------------------- */

/* Of the largest cache, as far as the machine tells. */
static double cache_bytes(void)
{
    const long usual = 16L << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long told = 0;
#endif
    return (double)(told > 0 ? told : usual);
}

static mn_backend *open_with(const mn_cpu_kernels *kernels, const char *words, int threads, mn_messages *say)
{
    mn_backend *b = calloc(1, sizeof *b);
    if (!b) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    b->kernels = kernels;
    b->threads = threads > 0 ? threads : omp_get_num_procs();
    b->cache = cache_bytes();
    snprintf(b->words, sizeof b->words, "%s, %d thread%s", words, b->threads, b->threads == 1 ? "" : "s");
    return b;
}

/* The same physics, and the same bits, for machines of different age; the best that this one has is taken, or the
 * one that was named. */
static mn_backend *open_lanes(const char *device, int threads, mn_messages *say)
{
    __builtin_cpu_init();
    const struct {
        const char *key, *words;
        const mn_cpu_kernels *kernels;
        bool here;
    } sets[] = {
#ifdef MN_HAVE_AVX
        {"avx512", "cpu, 8 lanes, AVX-512", &mn_kernels_avx512,
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512cd")},
        {"avx2", "cpu, 8 lanes, AVX2", &mn_kernels_avx2,
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")},
#endif
        {"plain", "cpu, 8 lanes", &mn_kernels_lanes, true},
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        if (sets[k].here && (!device || !*device || strcmp(device, sets[k].key) == 0))
            return open_with(sets[k].kernels, sets[k].words, threads, say);
    mn_say_error(
        say, MN_NOWHERE,
        "cpu:%s: this machine has no such instruction set; expected avx512, avx2 or plain, or cpu alone for the best",
        device);
    return NULL;
}

static mn_backend *open_scalar(const char *device, int threads, mn_messages *say)
{
    (void)device;
    return open_with(&mn_kernels_scalar, "cpu, scalar", threads, say);
}

static void cpu_close(mn_backend *b)
{
    if (!b) return;
    mn_buffer *own[] = {b->rows, b->index, b->active_rows, b->active_index, b->point_cells, b->plan, b->resting_runs};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) drop(b, own[k]);
    for (int s = 0; s < SOURCES; s++) drop(b, b->start[s]), drop(b, b->index_of[s]);
    for (int p = 0; p < MN_PAIR_FIELDS; p++) drop(b, b->pair[p]);
    free(b->partial);
    free(b->needs);
    free(b->missed);
    mn_strips_free(&b->strips);
    free(b);
}

static const char *cpu_describe(mn_backend *b) { return b->words; }
static const char *cpu_failure(mn_backend *b) { return b->failed ? b->failed : ""; }
static size_t cpu_bytes(mn_backend *b) { return b->bytes; }
static double cpu_busy(mn_backend *b) { return b->busy; }

#define CPU_FUNCTIONS                                                                                                  \
    .close = cpu_close, .describe = cpu_describe, .failure = cpu_failure, .bytes = cpu_bytes, .busy = cpu_busy,        \
    .alloc = cpu_alloc, .release = cpu_release, .put = cpu_put, .get = cpu_get, .host = cpu_host,                      \
    .launch = mn_cpu_launch, .bounds = cpu_bounds, .sort = cpu_sort, .lists = cpu_lists, .copies = cpu_copies,         \
    .copy_order = cpu_copy_order, .refresh = cpu_refresh

const mn_backend_api mn_backend_cpu = {.key = "cpu", .open = open_lanes, CPU_FUNCTIONS};
const mn_backend_api mn_backend_scalar = {.key = "cpu-scalar", .open = open_scalar, CPU_FUNCTIONS};
