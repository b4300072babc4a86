/* opencl_search.c -- order, neighbours and copies on the device; the kernels and their invariants are in search.cl.
 *
 * Neighbour lists lie in slices of eight, so that work items side by side read memory side by side. How much memory
 * they need is known when they are made: what does not fit is counted, and the pass is made again with more. Between
 * the sort and the next lists that memory holds nothing: sorting borrows it; first particles per cell lie in the
 * pair factors' room, those of resting points in the spare field.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/opencl.h"

enum { BOUNDS_GROUPS = 256, LISTERS = 64, SLICE = 8 }; /* as in search.cl and port.h */
enum { SORTED_AT_ONCE = 4 };

/* The table of strips, and its cells, as kernels take them. */
#define TABLE(b, grid)                                                                                                 \
    MN_CL_VALUE(grid), MN_CL_BUFFER((b)->strip_key), MN_CL_BUFFER((b)->strip_find), MN_CL_BUFFER((b)->strip_near)
#define CELLS(b, grid) TABLE(b, grid), MN_CL_BUFFER((b)->strip_bits), MN_CL_BUFFER((b)->strip_rank)

static mn_grid grid_of(const mn_backend *b)
{
    return (mn_grid){b->strips.inv_h, b->strips.count, b->strips.shift, b->full};
}

static float lower(float a, float b) { return a < b ? a : b; }
static float upper(float a, float b) { return a > b ? a : b; }

bool mn_cl_bounds(mn_backend *b, mn_buffer *pos, mn_buffer *vel, int n, mn_bounds *out)
{
    if (b->bounds_known && b->bounds_of == pos->data && b->bounds_n == n) return *out = b->bounds, true;
    const size_t most = ((size_t)n + MN_CL_LANES - 1) / MN_CL_LANES,
                 groups = most < BOUNDS_GROUPS ? most : BOUNDS_GROUPS;
    *out = (mn_bounds){{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, -1};
    if (!groups) return true;
    const cl_int count = n;
    if (!mn_cl_reserve(b, &b->partial, groups * 2 * sizeof(real4))) return false;
    if (!MN_CL_RUN(b, MN_CL_bounds_block, groups * MN_CL_LANES, MN_CL_LANES, MN_CL_BUFFER(pos), MN_CL_BUFFER(vel),
                   MN_CL_VALUE(count), MN_CL_BUFFER(b->partial)))
        return false;
    const real4 *corner = mn_cl_fetch(b, b->partial, 0, groups * 2 * sizeof(real4));
    if (!corner) return false;
    int bad = n;
    for (size_t g = 0; g < groups; g++) {
        const real4 l = corner[2 * g], h = corner[2 * g + 1];
        int first;
        memcpy(&first, &corner[2 * g].w, sizeof first);
        bad = first < bad ? first : bad;
        *out = (mn_bounds){{lower(l.x, out->low[0]), lower(l.y, out->low[1]), lower(l.z, out->low[2])},
                           {upper(h.x, out->high[0]), upper(h.y, out->high[1]), upper(h.z, out->high[2])},
                           -1};
    }
    out->bad = bad < n ? bad : -1;
    b->bounds = *out, b->bounds_of = pos->data, b->bounds_n = n, b->bounds_known = true;
    return true;
}

/* -- memory of lists ----------------------------------------------------------------------------------------------- */

size_t mn_cl_row_bytes(int owners) { return ((size_t)owners + 31) / 32 * 36 * 4; }

/* Liquid in motion has some 31 entries a particle, with those that fill up slices. */
static size_t usual_slices(int n) { return ((size_t)n * 63 / 2 + SLICE - 1) / SLICE; }

/* Room for that many slices, and more where there are more owners than before: a flow that grew will grow again.
 * What was in it is lost. */
static bool grow_lists(mn_backend *b, mn_cl_lists *l, int owners, size_t slices)
{
    if (l->owners && owners > l->owners) slices += slices / 8;
    else if (l->owners) slices += slices / 64;
    if (slices * SLICE > UINT32_MAX) {
        snprintf(b->failed, sizeof b->failed, "more than 2^32 neighbour pairs");
        return false;
    }
    /* pair fields are as large and hold nothing now: they go first, so that both find room */
    for (int p = 0; l == &b->lists && p < MN_PAIR_FIELDS; p++)
        if (b->pair[p] && b->pair[p] != b->start) mn_cl_release(b, b->pair[p]), b->pair[p] = NULL;
    l->owners = owners;
    return mn_cl_reserve(b, &l->index, slices * SLICE * 4);
}

/* -- sorting ------------------------------------------------------------------------------------------------------- */

bool mn_cl_starts_from_counts(mn_backend *b, mn_buffer *start, size_t blocks)
{
    const cl_int count = (cl_int)blocks;
    const size_t items = blocks * MN_CL_LANES;
    return MN_CL_RUN(b, MN_CL_scan_sums, items, MN_CL_LANES, MN_CL_BUFFER(start), MN_CL_BUFFER(b->block_sum)) &&
           MN_CL_RUN(b, MN_CL_scan_tops, MN_CL_LANES, MN_CL_LANES, MN_CL_BUFFER(b->block_sum), MN_CL_VALUE(count)) &&
           MN_CL_RUN(b, MN_CL_scan_fill, items, MN_CL_LANES, MN_CL_BUFFER(start), MN_CL_BUFFER(b->block_sum));
}

/* Numbers in a part of the room that sorting n particles needs. */
static cl_uint part_of(int n) { return ((cl_uint)n + 15) / 16 * 16; }

/* Leaves the first particle of each cell in `start` and in the second part of `room` which of the n particles from
 * `base` on comes to each place, by id within a cell; `looks`: they look for neighbours, and the table must hold all
 * cells around them. */
static bool make_order(mn_backend *b, mn_buffer *room, mn_buffer *start, const float low[3], const float high[3],
                       mn_buffer *pos, int base, mn_buffer *id, int n, bool looks)
{
    const mn_grid grid = grid_of(b);
    const cl_int strips = b->strips.count;
    const size_t blocks = (size_t)b->cells / MN_BLOCK + 1, items = (size_t)n;
    const cl_float4 keep_low = {{low[0], low[1], low[2], 0}}, keep_high = {{high[0], high[1], high[2], 0}};
    const cl_int count = n, at = base, look = looks && b->full, full = b->full;
    const cl_uint part = part_of(n);
    return mn_cl_reserve(b, &b->block_sum, blocks * 4) && mn_cl_zero(b, start, blocks * MN_BLOCK * 4) &&
           MN_CL_RUN(b, MN_CL_cell_count, items, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(at), MN_CL_VALUE(count),
                     CELLS(b, grid), MN_CL_VALUE(keep_low), MN_CL_VALUE(keep_high), MN_CL_VALUE(b->cells),
                     MN_CL_BUFFER(room), MN_CL_VALUE(part), MN_CL_BUFFER(start), MN_CL_VALUE(look),
                     MN_CL_BUFFER(b->strip_mark)) &&
           mn_cl_starts_from_counts(b, start, blocks) &&
           MN_CL_RUN(b, MN_CL_cell_scatter, items, b->group, MN_CL_BUFFER(room), MN_CL_VALUE(part), MN_CL_BUFFER(id),
                     MN_CL_VALUE(count), MN_CL_VALUE(b->cells), MN_CL_BUFFER(start)) &&
           MN_CL_RUN(b, MN_CL_cell_rank, items ? items : 1, b->group, MN_CL_BUFFER(room), MN_CL_VALUE(part),
                     MN_CL_BUFFER(id), MN_CL_VALUE(count), MN_CL_VALUE(b->cells), MN_CL_BUFFER(start),
                     MN_CL_BUFFER(b->strip_rank), MN_CL_VALUE(strips), MN_CL_VALUE(full), MN_CL_BUFFER(b->strip_mark));
}

static size_t start_bytes(const mn_backend *b) { return ((size_t)b->cells / MN_BLOCK + 1) * MN_BLOCK * 4; }

/* Pair factors are of no use between two lists: first particles per cell are kept there where there is room. */
static bool lend_start(mn_backend *b)
{
    mn_buffer *lent = b->pair[MN_FIELD_pair_f - MN_FIRST_PAIR];
    const bool fits = lent && lent->bytes >= start_bytes(b);
    if (fits) mn_cl_release(b, b->own_start), b->own_start = NULL;
    else if (!mn_cl_reserve(b, &b->own_start, start_bytes(b))) return false;
    b->start = fits ? lent : b->own_start;
    return true;
}

/* All fields of that width in the new order, some at a time. */
static bool permute(mn_backend *b, const mn_sorted *fields, int field_count, int width, int n)
{
    const cl_uint part = part_of(n);
    mn_buffer *some[SORTED_AT_ONCE];
    const cl_int words = width / 4;
    cl_int count = 0;
    for (int f = 0; f < field_count; f++) {
        if (fields[f].width == width) some[count++] = *fields[f].buffer;
        if (!count || (count < SORTED_AT_ONCE && f + 1 < field_count)) continue;
        for (int k = count; k < SORTED_AT_ONCE; k++) some[k] = b->nothing;
        for (int kernel = MN_CL_gather; kernel <= MN_CL_settle; kernel++)
            if (!MN_CL_RUN(b, kernel, (size_t)n, b->group, MN_CL_BUFFER(b->lists.index), MN_CL_VALUE(part),
                           MN_CL_BUFFER(b->strip_mark), MN_CL_VALUE(words), MN_CL_VALUE(count), MN_CL_BUFFER(some[0]),
                           MN_CL_BUFFER(some[1]), MN_CL_BUFFER(some[2]), MN_CL_BUFFER(some[3])))
                return false;
        count = 0;
    }
    return true;
}

/* -- cells --------------------------------------------------------------------------------------------------------- */

/* What the device tells lies before the marks: as in search.cl. */
enum { MISSED, CHANGED, OVER, KEPT, CELLS_THERE, SLICES, MANY, DENSE, TOLD = MN_CL_TOLD, ROOM_TO_MISS = 4096 };

/* What is told, and behind it the marks of so many strips. */
static bool clear_told(mn_backend *b, size_t strips)
{
    return b->told_is_zero = mn_cl_zero(b, b->strip_mark, TOLD * 4 + strips * 8);
}

static size_t rank_blocks(const mn_backend *b) { return (size_t)b->strips.count / MN_BLOCK + 1; }

/* The writes go on behind it: the arrays stay until the next table, and before that the queue is waited for. */
static bool put_strips(mn_backend *b, size_t most)
{
    const mn_strips *s = &b->strips;
    const size_t count = (size_t)s->count;
    b->full = count <= most && count < INT32_MAX / MN_STRIP;
    if (b->full) b->cells = MN_STRIP * s->count;
    struct {
        mn_buffer **buffer;
        const void *data;
        size_t bytes;
    } part[] = {{&b->strip_key, s->key, count * sizeof *s->key},
                {&b->strip_find, s->find, sizeof *s->find << (64 - s->shift)},
                {&b->strip_near, s->near, count * MN_ROWS * sizeof *s->near}};
    for (int k = 0; k < 3; k++) {
        if (!mn_cl_reserve(b, part[k].buffer, part[k].bytes)) return false;
        const cl_int e = part[k].bytes ? clEnqueueWriteBuffer(b->queue, (*part[k].buffer)->data, CL_FALSE, 0,
                                                              part[k].bytes, part[k].data, 0, NULL, NULL)
                                       : CL_SUCCESS;
        if (e) return mn_cl_fail(b, "clEnqueueWriteBuffer", e);
    }
    const size_t compact = b->full ? 0 : count;
    return mn_cl_reserve(b, &b->strip_mark, TOLD * 4 + count * 8) &&
           mn_cl_reserve(b, &b->strip_rank, b->full ? 4 : rank_blocks(b) * MN_BLOCK * 4) &&
           mn_cl_reserve(b, &b->strip_bits, compact * 8) && mn_cl_zero(b, b->strip_bits, compact * 8);
}

/* Into memory of the host's own, which costs less than to make the staging memory larger for this once. */
static bool read_once(mn_backend *b, const mn_buffer *from, size_t offset, void *to, size_t bytes)
{
    const cl_int e =
        bytes ? clEnqueueReadBuffer(b->queue, from->data, CL_TRUE, offset, bytes, to, 0, NULL, NULL) : CL_SUCCESS;
    if (!e) b->sent_count = 0;
    return e ? mn_cl_fail(b, "clEnqueueReadBuffer", e) : true;
}

/* The table from what is marked in it and what was missed. */
static bool remake_strips(mn_backend *b, size_t missed, size_t missed_at, size_t owners)
{
    const mn_strips *s = &b->strips;
    const size_t strips = (size_t)s->count;
    mn_taken *taken = malloc((missed + strips + 1) * sizeof *taken);
    cl_ulong *list = calloc(2 * missed + 1, sizeof *list);
    cl_uint *mark = calloc(2 * strips + 1, sizeof *mark);
    bool told = taken && list && mark;
    if (!told) snprintf(b->failed, sizeof b->failed, "out of memory for the search grid");
    if (b->mapped) told = told && read_once(b, b->strip_key, 0, b->strips.key, strips * sizeof *s->key);
    told = told && read_once(b, b->lists.index, missed_at * 16, list, missed * 16) &&
           (!strips || read_once(b, b->strip_mark, TOLD * 4, mark, strips * 8));
    size_t count = 0;
    for (; told && count < missed; count++)
        taken[count] = (mn_taken){list[2 * count], (uint64_t)1 << list[2 * count + 1]};
    for (size_t at = 0; told && s->key && at < strips; at++) {
        const uint64_t cells = mark[2 * at] | (uint64_t)mark[2 * at + 1] << 32;
        if (cells) taken[count++] = (mn_taken){s->key[at], cells};
    }
    const size_t most = owners / 32 > 512 ? owners / 32 : 512; /* all of their cells are worth it too: two a particle */
    const char *why = told ? mn_strips_build(&b->strips, taken, count, most) : NULL;
    free(taken), free(list), free(mark);
    if (why) snprintf(b->failed, sizeof b->failed, "%s", why);
    b->mapped = false, b->sparse = told && !why && s->wide == 1;
    return told && !why && put_strips(b, most);
}

/* Strips that were missed come behind what sorting n particles needs before it moves them. */
static size_t room_to_miss(const mn_backend *b, int n)
{
    const size_t room = b->lists.index->bytes / 16 - part_of(n);
    return room < INT32_MAX ? room : INT32_MAX;
}

static bool place(mn_backend *b, mn_buffer *pos, int base, int count, const float low[3], const float high[3],
                  int fluid)
{
    const mn_grid grid = grid_of(b);
    const cl_float4 keep_low = {{low[0], low[1], low[2], 0}}, keep_high = {{high[0], high[1], high[2], 0}};
    const cl_int at = base, n = count, room = (cl_int)room_to_miss(b, fluid);
    const cl_uint from = part_of(fluid);
    return MN_CL_RUN(b, MN_CL_cell_place, (size_t)n, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(at), MN_CL_VALUE(n),
                     TABLE(b, grid), MN_CL_VALUE(keep_low), MN_CL_VALUE(keep_high), MN_CL_BUFFER(b->strip_mark),
                     MN_CL_BUFFER(b->lists.index), MN_CL_VALUE(from), MN_CL_VALUE(room));
}

/* Those who look for neighbours, but are not fluid. */
static bool place_points(mn_backend *b, const mn_layout *layout, mn_buffer *pos)
{
    const int first = layout->active_at + layout->without_lists, felt = layout->active - layout->without_lists;
    const float far = mn_farthest(b->strips.inv_h), low[3] = {-far, -far, -far}, high[3] = {far, far, far};
    return place(b, pos, first, felt, low, high, layout->fluid);
}

/* Marks all cells of those that look for neighbours. */
static bool mark_all(mn_backend *b, const mn_layout *layout, const float low[3], const float high[3], mn_buffer *pos)
{
    return clear_told(b, (size_t)b->strips.count) && place(b, pos, 0, layout->fluid, low, high, layout->fluid) &&
           place_points(b, layout, pos);
}

/* Which cells there are: those that are marked, and those around them; in a full table all. */
static bool find_cells(mn_backend *b, const mn_layout *layout, const float low[3], const float high[3], mn_buffer *pos)
{
    enum { BY_ONE_GROUP = 2048 };
    if (b->full) return clear_told(b, 0) && place_points(b, layout, pos);
    const cl_int strips = b->strips.count, ranks = strips + 1;
    const size_t blocks = rank_blocks(b);
    if (!mn_cl_reserve(b, &b->block_sum, blocks * 4) || !mark_all(b, layout, low, high, pos) ||
        !MN_CL_RUN(b, MN_CL_cell_spread, blocks * MN_BLOCK, MN_CL_LANES, MN_CL_BUFFER(b->strip_mark),
                   MN_CL_VALUE(strips), MN_CL_BUFFER(b->strip_key), MN_CL_BUFFER(b->strip_near),
                   MN_CL_BUFFER(b->strip_bits), MN_CL_BUFFER(b->strip_rank)))
        return false;
    if (ranks > BY_ONE_GROUP) return mn_cl_starts_from_counts(b, b->strip_rank, blocks);
    return MN_CL_RUN(b, MN_CL_scan_tops, MN_CL_LANES, MN_CL_LANES, MN_CL_BUFFER(b->strip_rank), MN_CL_VALUE(ranks));
}

/* Room for some more cells than there were, so that the host need not wait to hear how many there are. */
static bool make_room_for_cells(mn_backend *b, cl_uint cells)
{
    if (cells < INT32_MAX / 8 * 7 - 4096) return b->cells = (int)(cells + cells / 8 + 1024), true;
    snprintf(b->failed, sizeof b->failed, "the search grid has more than 1.8e9 cells");
    return false;
}

/* A table in which every particle finds all cells around, made by the device where `map` says so and it can. */
static bool make_room_for_all(mn_backend *b, const mn_layout *layout, const float low[3], const float high[3],
                              mn_buffer *pos, size_t owners, bool map)
{
    bool made = false;
    if (map && b->sparse && layout->active == layout->without_lists &&
        !mn_cl_map_strips(b, pos, layout->fluid, low, high, &made))
        return false;
    if (made) return true;
    const cl_uint *told = mark_all(b, layout, low, high, pos) ? mn_cl_fetch(b, b->strip_mark, 0, TOLD * 4) : NULL;
    if (!told) return false;
    const size_t missed = told[MISSED], most = room_to_miss(b, layout->fluid);
    return remake_strips(b, missed < most ? missed : most, part_of(layout->fluid), owners);
}

/* The order is made with the strips that there are. Only what comes back at the end tells whether these will do: if
 * not, nothing was moved, and it is made again. */
bool mn_cl_sort(mn_backend *b, const mn_layout *layout, float inv_h, const float low[3], const float high[3],
                mn_buffer *pos, mn_buffer *id, const mn_sorted *fields, int field_count, int *kept)
{
    const int n = layout->fluid;
    const size_t room = (size_t)part_of(n) * (16 + SORTED_AT_ONCE * 16) + (size_t)ROOM_TO_MISS * 16;
    const size_t owners = (size_t)n + (size_t)(layout->active - layout->without_lists);
    b->bounds_known = false;
    b->strips.inv_h = inv_h;
    if (!b->lists.owners && !grow_lists(b, &b->lists, n, usual_slices(n))) return false;
    if (!mn_cl_reserve(b, &b->lists.index, room)) return false;
    if (!b->strips.key &&
        !(remake_strips(b, 0, 0, owners) && make_room_for_all(b, layout, low, high, pos, owners, false)))
        return false;
    if (!b->full && b->cells / 2 > b->cells_there + 1024 && !make_room_for_cells(b, (cl_uint)b->cells_there))
        return false;
    for (bool map = true;;) {
        if (!lend_start(b) || !find_cells(b, layout, low, high, pos) ||
            !make_order(b, b->lists.index, b->start, low, high, pos, 0, id, n, true) ||
            !permute(b, fields, field_count, 16, n) || !permute(b, fields, field_count, 4, n))
            return false;
        const cl_uint *told = mn_cl_fetch(b, b->strip_mark, 0, TOLD * 4);
        if (!told) return false;
        const bool missed = told[MISSED] > 0;
        const cl_uint there = told[CELLS_THERE];
        b->strips.stamp += (int)told[CHANGED];
        b->cells_there = (int)there;
        if (!missed && there <= (cl_uint)b->cells) return *kept = (int)told[KEPT], true;
        if (there > (cl_uint)b->cells && !make_room_for_cells(b, there)) return false;
        if (missed && !make_room_for_all(b, layout, low, high, pos, owners, map)) return false;
        map = map && !missed; /* what is missed in that table is beyond the box around the particles */
    }
}

/* -- neighbour lists ----------------------------------------------------------------------------------------------- */

static size_t span_bytes(const mn_backend *b) { return (size_t)b->cells * sizeof(cl_int2); }

static bool mark_cells(mn_backend *b, mn_buffer *pos, int at, int count, mn_buffer *span)
{
    const mn_grid grid = grid_of(b);
    const cl_int base = at, particles = count;
    return mn_cl_zero(b, span, span_bytes(b)) &&
           MN_CL_RUN(b, MN_CL_cell_mark, (size_t)count, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(base),
                     MN_CL_VALUE(particles), CELLS(b, grid), MN_CL_BUFFER(span));
}

static bool same_resting(const mn_backend *b, const mn_layout *layout)
{
    return b->resting_span && b->resting_version == layout->resting_version && b->resting_count == layout->resting &&
           b->resting_base == layout->resting_at && b->resting_stamp == b->strips.stamp;
}

/* The active points, which come in any order, by cell; those in no known cell are left out. */
static bool order_active(mn_backend *b, const mn_layout *layout, mn_buffer *pos)
{
    const int count = layout->active + layout->point_copies;
    if (b->counted < (size_t)count) {
        const size_t room = (size_t)count + (size_t)count / 4;
        cl_int *up = malloc(room * sizeof *up);
        for (size_t k = 0; up && k < room; k++) up[k] = (cl_int)k;
        const cl_int e =
            up && mn_cl_reserve(b, &b->count_up, room * 4)
                ? clEnqueueWriteBuffer(b->queue, b->count_up->data, CL_TRUE, 0, room * 4, up, 0, NULL, NULL)
                : CL_OUT_OF_HOST_MEMORY;
        free(up);
        if (e) return mn_cl_fail(b, "clEnqueueWriteBuffer", e);
        b->counted = room;
    }
    const float far = mn_farthest(b->strips.inv_h), low[3] = {-far, -far, -far}, high[3] = {far, far, far};
    return mn_cl_reserve(b, &b->active_room, (size_t)part_of(count) * 16) &&
           mn_cl_reserve(b, &b->active_start, start_bytes(b)) &&
           make_order(b, b->active_room, b->active_start, low, high, pos, layout->active_at, b->count_up, count, false);
}

/* One pass with the memory there is; *slices = how many it takes; *many = neighbours of *too_dense, if these are too
 * many, else 0. */
static bool fill_once(mn_backend *b, mn_cl_lists *l, const mn_layout *layout, mn_buffer *pos, mn_buffer *resting_at,
                      float h, size_t *slices, int *many, int *too_dense)
{
    const mn_grid grid = grid_of(b);
    const bool own = l == &b->lists;
    const cl_float h2 = h * h * (1.0f - 2e-6f); /* strict even where a lattice puts pairs at exactly h */
    const cl_int first = own ? 0 : layout->active_at + layout->without_lists,
                 count = own ? layout->fluid : layout->active - layout->without_lists, copies = layout->copies,
                 resting = own || layout->sees_points ? layout->resting : 0,
                 active = own || layout->sees_points ? layout->active + layout->point_copies : 0,
                 active_at = layout->active_at;
    const cl_int4 maps = {{layout->map_at, own ? layout->map_slots : 0, layout->map_stride, 0}};
    const cl_uint room = (cl_uint)(l->index->bytes / (SLICE * 4)),
                  active_part = part_of(layout->active + layout->point_copies);
    mn_buffer *copy_span = copies ? b->copy_span : b->nothing, *resting_span = resting ? resting_at : b->nothing;
    mn_buffer *active_start = active ? b->active_start : b->nothing,
              *active_room = active ? b->active_room : b->nothing;
    const bool zero = b->told_is_zero || clear_told(b, 0);
    b->told_is_zero = false;
    if (!zero ||
        !MN_CL_RUN(b, MN_CL_list_neighbours, (size_t)count, LISTERS, MN_CL_BUFFER(pos), CELLS(b, grid),
                   MN_CL_BUFFER(b->start), MN_CL_BUFFER(copy_span), MN_CL_BUFFER(resting_span),
                   MN_CL_BUFFER(active_start), MN_CL_BUFFER(active_room), MN_CL_VALUE(active_part),
                   MN_CL_VALUE(active_at), MN_CL_VALUE(copies), MN_CL_VALUE(resting), MN_CL_VALUE(active),
                   MN_CL_VALUE(maps), MN_CL_VALUE(first), MN_CL_VALUE(count), MN_CL_VALUE(h2), MN_CL_VALUE(room),
                   MN_CL_BUFFER(l->rows), MN_CL_BUFFER(l->index), MN_CL_BUFFER(b->strip_mark)))
        return false;
    const cl_uint *told = mn_cl_fetch(b, b->strip_mark, 0, TOLD * 4);
    if (told) *slices = told[SLICES], *many = (int)told[MANY], *too_dense = *many ? (int)told[DENSE] : -1;
    return told != NULL;
}

/* Passes until all neighbours of the owners fit. */
static bool fill_lists(mn_backend *b, mn_cl_lists *l, const mn_layout *layout, mn_buffer *pos, mn_buffer *resting_at,
                       float h, int owners, int *too_dense)
{
    size_t slices = 0;
    int many = 0;
    if (!l->owners && !grow_lists(b, l, owners, usual_slices(owners))) return false;
    const int room = l->rows && l->rows->bytes < mn_cl_row_bytes(owners) ? owners + owners / 8 : owners;
    if (!mn_cl_reserve(b, &l->rows, mn_cl_row_bytes(room))) return false;
    for (;;) {
        if (!fill_once(b, l, layout, pos, resting_at, h, &slices, &many, too_dense)) return false;
        if (many) {
            snprintf(b->failed, sizeof b->failed, "%d particles within one support radius", many);
            return false;
        }
        if (slices <= l->index->bytes / (SLICE * 4)) return true;
        if (!grow_lists(b, l, owners, slices)) return false;
    }
}

/* Where the resting points of each cell lie: in the spare field, rebuilt for each list. Where cells keep their
 * numbers and this takes little beside the particles, in memory of its own, as long as they rest; also where the spare
 * field is too small. */
static mn_buffer *find_resting(mn_backend *b, const mn_layout *layout, mn_buffer *pos, mn_buffer *spare)
{
    const bool lasts = b->full && span_bytes(b) <= 8 * (size_t)layout->fluid;
    if (!lasts && spare->bytes >= span_bytes(b)) {
        mn_cl_release(b, b->resting_span), b->resting_span = NULL;
        return mark_cells(b, pos, layout->resting_at, layout->resting, spare) ? spare : NULL;
    }
    if (same_resting(b, layout)) return b->resting_span;
    if (!mn_cl_reserve(b, &b->resting_span, span_bytes(b)) ||
        !mark_cells(b, pos, layout->resting_at, layout->resting, b->resting_span))
        return NULL;
    b->resting_stamp = b->strips.stamp, b->resting_version = layout->resting_version,
    b->resting_count = layout->resting, b->resting_base = layout->resting_at;
    return b->resting_span;
}

bool mn_cl_list(mn_backend *b, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *too_dense)
{
    *too_dense = -1;
    if (layout->copies && !(mn_cl_reserve(b, &b->copy_span, span_bytes(b)) &&
                            mark_cells(b, pos, layout->copies_at, layout->copies, b->copy_span)))
        return false;
    mn_buffer *resting = layout->resting ? find_resting(b, layout, pos, spare) : b->nothing;
    if (!resting || (layout->active && !order_active(b, layout, pos))) return false;
    if (!fill_lists(b, &b->lists, layout, pos, resting, h, layout->fluid, too_dense)) return false;
    int active_too_dense;
    const int felt = layout->active - layout->without_lists;
    return !felt || fill_lists(b, &b->active_lists, layout, pos, resting, h, felt, &active_too_dense);
}

/* -- copies -------------------------------------------------------------------------------------------------------- */

/* The periodic box as kernels take it. */
typedef struct box_args {
    cl_float h;
    cl_float4 low, span;
} box_args;
#define BOX(x) MN_CL_VALUE((x).h), MN_CL_VALUE((x).low), MN_CL_VALUE((x).span)

static box_args box_of(const params *par)
{
    return (box_args){par->h, {{par->low_x, par->low_y, par->low_z, 0}}, {{par->span_x, par->span_y, par->span_z, 0}}};
}

bool mn_cl_copies(mn_backend *b, const params *par, mn_buffer *pos, int *count)
{
    const mn_grid grid = grid_of(b);
    const box_args box = box_of(par);
    const size_t blocks = (size_t)b->cells / MN_BLOCK + 1;
    const cl_int n = par->n;
    if (!mn_cl_reserve(b, &b->copy_end, blocks * MN_BLOCK * 4) || !mn_cl_reserve(b, &b->block_sum, blocks * 4) ||
        !mn_cl_zero(b, b->copy_end, blocks * MN_BLOCK * 4) ||
        !MN_CL_RUN(b, MN_CL_copy_count, (size_t)n, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(n), CELLS(b, grid),
                   BOX(box), MN_CL_BUFFER(b->copy_end)) ||
        !mn_cl_starts_from_counts(b, b->copy_end, blocks))
        return false;
    const cl_int *total = mn_cl_fetch(b, b->copy_end, (size_t)b->cells * 4, 4);
    if (total) *count = *total;
    return total != NULL;
}

bool mn_cl_copy_order(mn_backend *b, const params *par, mn_buffer *pos, int count, mn_buffer *source, mn_buffer *shift)
{
    const mn_grid grid = grid_of(b);
    const box_args box = box_of(par);
    const cl_int n = par->n, copies = count;
    return mn_cl_reserve(b, &b->lists.index, (size_t)count * 8) &&
           MN_CL_RUN(b, MN_CL_copy_scatter, (size_t)n, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(n), CELLS(b, grid),
                     BOX(box), MN_CL_BUFFER(b->copy_end), MN_CL_BUFFER(b->lists.index)) &&
           MN_CL_RUN(b, MN_CL_copy_rank, (size_t)count, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(copies),
                     CELLS(b, grid), BOX(box), MN_CL_BUFFER(b->copy_end), MN_CL_BUFFER(b->lists.index),
                     MN_CL_BUFFER(source), MN_CL_BUFFER(shift));
}

bool mn_cl_refresh(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift, mn_copy_kind kind,
                   int copies_at, int copies)
{
    const cl_int how = kind, at = copies_at, count = copies;
    if (width == 4)
        return MN_CL_RUN(b, MN_CL_refresh_4, (size_t)copies, b->group, MN_CL_BUFFER(field), MN_CL_BUFFER(source),
                         MN_CL_VALUE(at), MN_CL_VALUE(count));
    return MN_CL_RUN(b, MN_CL_refresh_16, (size_t)copies, b->group, MN_CL_BUFFER(field), MN_CL_BUFFER(source),
                     MN_CL_BUFFER(shift), MN_CL_VALUE(how), MN_CL_VALUE(at), MN_CL_VALUE(count));
}
