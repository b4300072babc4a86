/* opencl_strips.c -- the table of strips (strips.h), made on the device from a map with a bit for each strip of the box
 * around the particles. A spray has so many strips that the host takes longer to make their table than the device for
 * the whole step, and drops that fly each for itself miss a strip in nearly every one. */
#include <math.h>
#include <stdlib.h>

#include "run/opencl.h"

enum { MOST_BITS = 1 << 30, AHEAD = 1, WORTH = 6 }; /* cells by which it reaches farther; strips a particle for that */

typedef struct map_box {
    cl_int4 low, size;
    size_t words, blocks;
} map_box;

/* False: it is too large. */
static bool box_of(const mn_backend *b, const float low[3], const float high[3], int ahead, map_box *box)
{
    double bits = 1.0;
    for (int a = 0; a < 3; a++) {
        const float from = fmaxf(b->bounds.low[a], low[a]), to = fminf(b->bounds.high[a], high[a]);
        if (!(from <= to)) return false;
        int first = mn_cell_along(from, b->strips.inv_h), last = mn_cell_along(to, b->strips.inv_h);
        if (a == 0) first = (first >> 6) - 1, last = (last >> 6) + 1;
        else first -= 1 + ahead, last += 1 + ahead;
        box->low.s[a] = first, box->size.s[a] = last - first + 1;
        bits *= (double)box->size.s[a];
    }
    if (bits > (double)MOST_BITS) return false;
    box->low.s[3] = ahead, box->size.s[3] = 0;
    box->words = ((size_t)bits + 31) / 32;
    box->blocks = box->words / MN_BLOCK + 1;
    return true;
}

/* The map, its ranks, and how many strips there are; < 0: failed. */
static int mark_map(mn_backend *b, mn_buffer *pos, int n, const float low[3], const float high[3], const map_box *box)
{
    const cl_float4 keep_low = {{low[0], low[1], low[2], 0}}, keep_high = {{high[0], high[1], high[2], 0}};
    const cl_float inv_h = b->strips.inv_h;
    const cl_int count = n, words = (cl_int)box->words;
    const size_t room = box->blocks + box->blocks / 4;
    const bool fits = b->map && b->map->bytes >= box->blocks * MN_BLOCK * 4;
    if (!(fits ||
          (mn_cl_reserve(b, &b->map, room * MN_BLOCK * 4) && mn_cl_reserve(b, &b->map_rank, room * MN_BLOCK * 4))) ||
        !mn_cl_reserve(b, &b->block_sum, box->blocks * 4) || !mn_cl_zero(b, b->map, box->words * 4) ||
        !MN_CL_RUN(b, MN_CL_map_mark, (size_t)n, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(count), MN_CL_VALUE(inv_h),
                   MN_CL_VALUE(keep_low), MN_CL_VALUE(keep_high), MN_CL_VALUE(box->low), MN_CL_VALUE(box->size),
                   MN_CL_BUFFER(b->map)) ||
        !MN_CL_RUN(b, MN_CL_map_count, box->blocks * MN_BLOCK, MN_CL_LANES, MN_CL_BUFFER(b->map), MN_CL_VALUE(words),
                   MN_CL_BUFFER(b->map_rank)) ||
        !mn_cl_starts_from_counts(b, b->map_rank, box->blocks))
        return -1;
    const cl_int *strips = mn_cl_fetch(b, b->map_rank, box->words * 4, 4);
    return strips ? *strips : -1;
}

static bool fill_with_none(mn_backend *b, mn_buffer *buffer, size_t bytes)
{
    const cl_int none = -1;
    const cl_int e = clEnqueueFillBuffer(b->queue, buffer->data, &none, sizeof none, 0, bytes, 0, NULL, NULL);
    return e ? mn_cl_fail(b, "clEnqueueFillBuffer", e) : true;
}

/* The table on the device; on the host room for its keys, for who wants to read them. */
static bool list_map(mn_backend *b, const map_box *box, int strips)
{
    mn_strips *s = &b->strips;
    const int stamp = s->stamp;
    mn_strips_free(s); /* mark_map has waited for what was sent from it */
    int bits = 6;
    while ((size_t)1 << bits < 2 * (size_t)strips) bits++;
    s->count = strips, s->shift = 64 - bits, s->stamp = stamp + 1, s->wide = 1;
    s->key = malloc(((size_t)strips + 1) * sizeof *s->key);
    const size_t entries = (size_t)1 << bits, room = (size_t)strips + (size_t)strips / 4,
                 ranks = ((size_t)strips / MN_BLOCK + 1) * MN_BLOCK + room - (size_t)strips;
    const cl_int count = strips, shift = s->shift, words = (cl_int)box->words;
    if (!s->key) return mn_cl_fail(b, "malloc", CL_OUT_OF_HOST_MEMORY);
    b->full = false, b->mapped = true;
    return mn_cl_reserve(b, &b->strip_key, room * 8) && mn_cl_reserve(b, &b->strip_find, entries * 4) &&
           mn_cl_reserve(b, &b->strip_near, room * MN_ROWS * 4) &&
           mn_cl_reserve(b, &b->strip_mark, MN_CL_TOLD * 4 + room * 8) && mn_cl_reserve(b, &b->strip_rank, ranks * 4) &&
           mn_cl_reserve(b, &b->strip_bits, room * 8) && mn_cl_zero(b, b->strip_bits, (size_t)strips * 8) &&
           fill_with_none(b, b->strip_find, entries * 4) &&
           MN_CL_RUN(b, MN_CL_map_list, box->words, b->group, MN_CL_VALUE(box->low), MN_CL_VALUE(box->size),
                     MN_CL_BUFFER(b->map), MN_CL_BUFFER(b->map_rank), MN_CL_VALUE(words), MN_CL_BUFFER(b->strip_key),
                     MN_CL_BUFFER(b->strip_find), MN_CL_VALUE(shift)) &&
           MN_CL_RUN(b, MN_CL_map_join, (size_t)strips, b->group, MN_CL_VALUE(box->low), MN_CL_VALUE(box->size),
                     MN_CL_BUFFER(b->map), MN_CL_BUFFER(b->map_rank), MN_CL_VALUE(count), MN_CL_BUFFER(b->strip_key),
                     MN_CL_BUFFER(b->strip_near));
}

bool mn_cl_map_strips(mn_backend *b, mn_buffer *pos, int n, const float low[3], const float high[3], bool *made)
{
    map_box box;
    *made = false;
    for (int ahead = AHEAD; ahead >= 0; ahead--) {
        if (!box_of(b, low, high, ahead, &box)) return true;
        const int strips = mark_map(b, pos, n, low, high, &box);
        if (strips < 0) return false;
        if (ahead && (size_t)strips > WORTH * (size_t)n) continue;
        if ((size_t)strips < (size_t)n / 64) b->sparse = false; /* next time blocks will do again */
        return *made = true, list_map(b, &box, strips);
    }
    return true;
}
