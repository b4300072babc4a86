/* strips.c -- makes the table of strips, on the host for all backends, and the bits in it for the CPU. */
#include "run/strips.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "out of memory for the search grid";
enum { X_BITS = 17, Y_BITS = 23, MOST_STRIPS = 1 << 25 };

/* -- sorting ------------------------------------------------------------------------------------------------------- */

/* By key, digit after digit; those in which all agree are passed over. `spare` has the same room. */
static void sort_taken(mn_taken *list, mn_taken *spare, size_t count)
{
    mn_taken *from = list, *to = spare;
    for (int digit = 0; digit < 8; digit++) {
        size_t at[256] = {0};
        for (size_t k = 0; k < count; k++) at[from[k].key >> 8 * digit & 255]++;
        if (count == 0 || at[from[0].key >> 8 * digit & 255] == count) continue;
        for (size_t d = 0, sum = 0; d < 256; d++) {
            const size_t here = at[d];
            at[d] = sum, sum += here;
        }
        for (size_t k = 0; k < count; k++) to[at[from[k].key >> 8 * digit & 255]++] = from[k];
        mn_taken *other = from;
        from = to, to = other;
    }
    if (from != list) memcpy(list, from, count * sizeof *list);
}

/* Strips that come one behind the other are joined. Returns how many are left. */
static size_t join_equal(mn_taken *taken, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (kept && taken[kept - 1].key == taken[k].key) taken[kept - 1].cells |= taken[k].cells;
        else taken[kept++] = taken[k];
    return kept;
}

/* Each strip once, in order. Returns how many, or SIZE_MAX without memory. */
static size_t once_each(mn_taken *taken, size_t count)
{
    count = join_equal(taken, count); /* most that are equal are side by side: less to sort */
    mn_taken *spare = malloc((count + 1) * sizeof *spare);
    if (!spare) return SIZE_MAX;
    sort_taken(taken, spare, count);
    free(spare);
    return join_equal(taken, count);
}

/* -- blocks -------------------------------------------------------------------------------------------------------- */

/* A set of blocks: 1, 2, 4, 8 or 16 strips wide along y and z. */
typedef struct blocks {
    uint64_t *key; /* by hash; 0: free; no block has this key */
    size_t count, most;
    int shift;
} blocks;

static bool grow_blocks(blocks *b)
{
    const int bits = b->key ? 65 - b->shift : 10;
    blocks larger = {calloc((size_t)1 << bits, sizeof *larger.key), b->count, b->most, 64 - bits};
    if (!larger.key) return false;
    const size_t mask = ((size_t)1 << bits) - 1;
    for (size_t k = 0; b->key && k < (size_t)1 << (64 - b->shift); k++) {
        if (!b->key[k]) continue;
        size_t h = mn_strip_hash(b->key[k], larger.shift);
        while (larger.key[h]) h = (h + 1) & mask;
        larger.key[h] = b->key[k];
    }
    free(b->key);
    *b = larger;
    return true;
}

static bool add_block(blocks *b, uint64_t key)
{
    if ((!b->key || 2 * b->count >= (size_t)1 << (64 - b->shift)) && !grow_blocks(b)) return false;
    const size_t mask = ((size_t)1 << (64 - b->shift)) - 1;
    size_t h = mn_strip_hash(key, b->shift);
    while (b->key[h] && b->key[h] != key) h = (h + 1) & mask;
    b->count += !b->key[h];
    b->key[h] = key;
    return true;
}

/* The blocks of 2^scale strips that hold all that the taken strips ask for; larger ones also ahead of those who come
   near the end of a strip. Stops above the most there may be. */
static bool add_blocks(blocks *b, const mn_taken *taken, size_t count, int scale)
{
    const uint64_t low = scale ? 0xFF : 1, high = low << (scale ? 56 : 63), y_mask = ((uint64_t)1 << Y_BITS) - 1;
    uint64_t last = 0;
    for (size_t k = 0; k < count && b->count <= b->most; k++) {
        const uint64_t key = taken[k].key, x = key & (((uint64_t)1 << X_BITS) - 1), y = key >> X_BITS & y_mask,
                       z = key >> (X_BITS + Y_BITS);
        const uint64_t x0 = x - !!(taken[k].cells & low), x1 = x + !!(taken[k].cells & high);
        for (uint64_t bz = (z - 1) >> scale; bz <= (z + 1) >> scale; bz++)
            for (uint64_t by = (y - 1) >> scale; by <= (y + 1) >> scale; by++)
                for (uint64_t bx = x0; bx <= x1; bx++) {
                    const uint64_t block = bz << (X_BITS + Y_BITS) | by << X_BITS | bx;
                    if (block != last && !add_block(b, block)) return false;
                    last = block;
                }
    }
    return true;
}

/* The strips of those blocks, in order. */
static mn_taken *strips_of(const blocks *b, int scale, size_t *count)
{
    const uint64_t edge = (uint64_t)1 << scale, x_mask = ((uint64_t)1 << X_BITS) - 1,
                   y_mask = ((uint64_t)1 << Y_BITS) - 1;
    mn_taken *list = malloc((b->count * edge * edge + 1) * sizeof *list);
    *count = 0;
    for (size_t k = 0; list && b->key && k < (size_t)1 << (64 - b->shift); k++) {
        const uint64_t key = b->key[k], x = key & x_mask, y = (key >> X_BITS & y_mask) << scale,
                       z = key >> (X_BITS + Y_BITS) << scale;
        for (uint64_t at = 0; key && at < edge * edge; at++)
            list[(*count)++] = (mn_taken){(z + at / edge) << (X_BITS + Y_BITS) | (y + at % edge) << X_BITS | x, 0};
    }
    if (list && once_each(list, *count) == SIZE_MAX) free(list), list = NULL;
    return list;
}

/* -- the table ----------------------------------------------------------------------------------------------------- */

void mn_strips_free(mn_strips *s)
{
    free(s->key), free(s->find), free(s->near);
    free(s->mark), free(s->marked), free(s->bits), free(s->rank);
    s->key = s->mark = s->marked = s->bits = NULL, s->find = s->near = s->rank = NULL;
    s->count = 0;
}

static bool room_for(mn_strips *s, size_t count)
{
    mn_strips_free(s);
    int bits = 6;
    while ((size_t)1 << bits < 2 * count) bits++;
    s->shift = 64 - bits;
    const size_t entries = (size_t)1 << bits;
    s->key = malloc((count + 1) * sizeof *s->key);
    s->find = malloc(entries * sizeof *s->find);
    s->near = malloc((count * MN_ROWS + 1) * sizeof *s->near);
    s->mark = calloc(count + 1, sizeof *s->mark);
    s->marked = calloc(count + 1, sizeof *s->marked);
    s->bits = calloc(count + 1, sizeof *s->bits);
    s->rank = calloc(count + 1, sizeof *s->rank);
    if (!s->key || !s->find || !s->near || !s->mark || !s->marked || !s->bits || !s->rank)
        return mn_strips_free(s), false;
    memset(s->find, -1, entries * sizeof *s->find);
    s->count = (int)count;
    return true;
}

static bool left_there(const mn_strips *s, int at) { return at > 0 && s->key[at - 1] == s->key[at] - 1; }
static bool right_there(const mn_strips *s, int at) { return at + 1 < s->count && s->key[at + 1] == s->key[at] + 1; }

/* Keys rise, and so do the keys of the strips above or below: each row of neighbours is one walk along the table. */
static void join(mn_strips *s)
{
    for (int row = 0; row < MN_ROWS; row++) {
        const int64_t away =
            (int64_t)(row / 3 - 1) * ((int64_t)1 << (X_BITS + Y_BITS)) + (int64_t)(row % 3 - 1) * (1 << X_BITS);
        for (int at = 0, other = 0; at < s->count && row != MN_OWN_ROW; at++) {
            const uint64_t wanted = s->key[at] + (uint64_t)away;
            while (other < s->count && s->key[other] < wanted) other++;
            s->near[at * MN_ROWS + row] = other < s->count && s->key[other] == wanted ? other : -1;
        }
    }
    for (int at = 0; at < s->count; at++) {
        int *near = s->near + (ptrdiff_t)at * MN_ROWS, there = MN_ROWS_THERE | MN_LEFT_THERE | MN_RIGHT_THERE;
        for (int row = 0; row < MN_ROWS; row++) {
            const int other = row == MN_OWN_ROW ? at : near[row];
            if (other < 0) there = 0;
            else there &= ~((left_there(s, other) ? 0 : MN_LEFT_THERE) | (right_there(s, other) ? 0 : MN_RIGHT_THERE));
        }
        near[MN_OWN_ROW] = there;
    }
}

static bool fill_table(mn_strips *s, const mn_taken *strip, size_t count)
{
    if (!room_for(s, count)) return false;
    const uint32_t mask = ((uint32_t)1 << (64 - s->shift)) - 1;
    for (size_t k = 0; k < count; k++) {
        s->key[k] = strip[k].key;
        uint32_t h = mn_strip_hash(strip[k].key, s->shift);
        while (s->find[h] >= 0) h = (h + 1) & mask;
        s->find[h] = (int)k;
    }
    join(s);
    s->stamp++;
    return true;
}

const char *mn_strips_build(mn_strips *s, mn_taken *taken, size_t count, size_t most)
{
    count = once_each(taken, count);
    if (count == SIZE_MAX) return no_memory;
    blocks b = {0};
    int scale = 4;
    bool ok = true;
    for (;; scale--) {
        b.most = scale ? most >> 2 * scale : MOST_STRIPS;
        ok = add_blocks(&b, taken, count, scale);
        if (!ok || !scale || b.count <= b.most) break;
        free(b.key);
        b = (blocks){0};
    }
    const bool fits = b.count << 2 * scale <= MOST_STRIPS;
    size_t strips = 0;
    mn_taken *list = ok && fits ? strips_of(&b, scale, &strips) : NULL;
    ok = list && fill_table(s, list, strips);
    s->wide = 1 << scale;
    free(list);
    free(b.key);
    return ok ? NULL : fits ? no_memory : "the search grid has more than 33 million rows of 64 cells";
}

/* Cells next to marked ones along x. */
static uint64_t spread(const mn_strips *s, int at)
{
    const uint64_t *mark = s->marked, here = mark[at];
    return here | here << 1 | here >> 1 | (left_there(s, at) ? mark[at - 1] >> 63 : 0) |
           (right_there(s, at) ? mark[at + 1] << 63 : 0);
}

const char *mn_strips_settle(mn_strips *s, int threads)
{
    if (memcmp(s->mark, s->marked, (size_t)s->count * sizeof *s->mark) == 0) return NULL;
    uint64_t *wide = s->marked; /* which is no longer needed: new marks come there next time */
    s->marked = s->mark, s->mark = wide;
    s->stamp++;
#pragma omp parallel num_threads(threads) if (s->count > 4096)
    {
#pragma omp for
        for (int at = 0; at < s->count; at++) wide[at] = spread(s, at);
#pragma omp for
        for (int at = 0; at < s->count; at++) {
            const int *near = s->near + (ptrdiff_t)at * MN_ROWS;
            uint64_t bits = wide[at];
            for (int row = 0; row < MN_ROWS; row++)
                if (row != MN_OWN_ROW && near[row] >= 0) bits |= wide[near[row]];
            s->bits[at] = bits;
        }
    }
    int64_t cells = 0;
    for (int at = 0; at <= s->count; at++) {
        s->rank[at] = (int)cells;
        cells += at < s->count ? __builtin_popcountll(s->bits[at]) : 0;
    }
    return cells < INT_MAX - 4096 ? NULL : "the search grid has more than 2e9 cells";
}
