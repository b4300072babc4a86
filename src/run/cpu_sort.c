/* cpu_sort.c -- particles into the order (cell, id) on the CPU: cells are marked and numbered (strips.h), counted, and
 * filled. The order is the same whichever thread comes first. */
#include "run/cpu_backend.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

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
    if (fits) mn_cpu_drop(b, *own), *own = NULL;
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
    for (int at = 0; s->key && at < s->count; at++) {
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

bool mn_cpu_sort(mn_backend *b, const mn_layout *layout, float inv_h, const float low[3], const float high[3],
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
    const int cells = mn_cpu_cells(b);
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
    mn_cpu_starts(start, cells);
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
