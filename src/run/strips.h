/* strips.h -- which cells there are: the table that both kinds of backends search in.
 *
 * Cells of side h are fixed in space: cell of x = floor(x/h). A strip is 64 of them in a row along x, one bit each. The
 * table holds the strips near particles in the order (z, y, x); in it a bit is set for each cell that holds something
 * with a neighbour list, and for the 26 cells around it. Cells are numbered by counting these bits, so their numbers
 * rise with (z, y, x), three cells side by side have three numbers in a row, and arrays by cell hold those that are
 * needed and no others, however far apart they lie.
 *
 * Strips stay from step to step; bits are rebuilt. A strip is complete when the strips around it are there too: all
 * that its cells can ask for. A particle in one that is not has the table rebuilt from all strips in use.
 */
#ifndef MN_STRIPS_H
#define MN_STRIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places farther than this from the origin, in cells, are in none: floats tell apart an eighth of a cell there. */
enum { MN_STRIP = 64, MN_FARTHEST_CELL = 2000000 };
enum { MN_ROWS = 9, MN_OWN_ROW = 4 };                              /* the rows (z, y) around a strip, in order */
enum { MN_ROWS_THERE = 1, MN_LEFT_THERE = 2, MN_RIGHT_THERE = 4 }; /* of a strip: what is complete */

/* A strip that is taken, and which of its cells. */
typedef struct mn_taken {
    uint64_t key, cells;
} mn_taken;

typedef struct mn_strips {
    float inv_h;
    int count;
    uint64_t *key; /* in order */
    int *find;     /* by hash of the key: which strip, -1: none */
    int shift;     /* 64 - log2 of its size */
    int *near;     /* of each strip MN_ROWS: the strips with the same x in the rows around, -1: none; */
                   /* in place of its own row, what is complete */
    int wide;      /* of the blocks that it is made of: so many strips along y and z */
    int stamp;     /* another one whenever the cells are others */

    /* on the CPU also */
    uint64_t *mark, *marked; /* cells that are taken; in the step before */
    uint64_t *bits;          /* cells that there are */
    int *rank;               /* .. before this strip; of strip `count`: all */
} mn_strips;

/* (z, y, x of the strip) as one number that rises with them. */
static inline uint64_t mn_strip_key(int x, int y, int z)
{
    return (uint64_t)(z + (1 << 22)) << 40 | (uint64_t)(y + (1 << 22)) << 17 | (uint64_t)((x >> 6) + (1 << 16));
}

static inline uint32_t mn_strip_hash(uint64_t key, int shift)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> shift);
}

static inline int mn_strip_find(const mn_strips *s, uint64_t key)
{
    const uint32_t mask = ((uint32_t)1 << (64 - s->shift)) - 1;
    for (uint32_t h = mn_strip_hash(key, s->shift);; h = (h + 1) & mask) {
        const int at = s->find[h];
        if (at < 0 || s->key[at] == key) return at;
    }
}

/* floor, of what is no farther than MN_FARTHEST_CELL. */
static inline int mn_cell_along(float x, float inv_h)
{
    const float c = x * inv_h;
    const int towards_zero = (int)c;
    return towards_zero - ((float)towards_zero > c);
}

/* What lies farther from a plane through the origin, in m, is in no cell. */
static inline float mn_farthest(float inv_h) { return (float)(MN_FARTHEST_CELL - 1) / inv_h; }

static inline bool mn_is_near(float x, float y, float z, float inv_h)
{
    const float most = (float)MN_FARTHEST_CELL;
    x *= inv_h, y *= inv_h, z *= inv_h;
    return x > -most && x < most && y > -most && y < most && z > -most && z < most;
}

/* The number of a cell, there or not: how many come before it. */
static inline int mn_cell_number(const mn_strips *s, int strip, int bit)
{
    return s->rank[strip] + __builtin_popcountll(s->bits[strip] & (((uint64_t)1 << bit) - 1));
}

/* Where a strip was found, to begin with next time. */
typedef struct mn_spot {
    uint64_t key;
    int strip, bit;
} mn_spot;
static const mn_spot mn_no_spot = {UINT64_MAX, -1, 0};

/* The number of the cell of a place, -1 if it is not there. */
static inline int mn_cell_find(const mn_strips *s, float x, float y, float z, mn_spot *spot)
{
    if (!mn_is_near(x, y, z, s->inv_h)) return -1;
    const int c = mn_cell_along(x, s->inv_h);
    const uint64_t key = mn_strip_key(c, mn_cell_along(y, s->inv_h), mn_cell_along(z, s->inv_h));
    if (key != spot->key) spot->key = key, spot->strip = mn_strip_find(s, key);
    spot->bit = c & (MN_STRIP - 1);
    return spot->strip >= 0 && s->bits[spot->strip] >> spot->bit & 1 ? mn_cell_number(s, spot->strip, spot->bit) : -1;
}

/* The cells above and below one that is taken, and itself: of the three cells of a row the middle one. */
static inline void mn_cell_rows(const mn_strips *s, const mn_spot *spot, int rows[MN_ROWS])
{
    const int *near = s->near + (ptrdiff_t)spot->strip * MN_ROWS;
    for (int k = 0; k < MN_ROWS; k++) rows[k] = mn_cell_number(s, k == MN_OWN_ROW ? spot->strip : near[k], spot->bit);
}

/* What the cells of a strip ask for. */
static inline int mn_strip_needs(uint64_t cells)
{
    return MN_ROWS_THERE | (cells & 1 ? MN_LEFT_THERE : 0) | (cells >> (MN_STRIP - 1) ? MN_RIGHT_THERE : 0);
}

/* As many strips as are worth their memory, with that many looking for neighbours. */
static inline size_t mn_strips_worth(size_t owners) { return owners / 16 + 1024; }
static inline size_t mn_strips_bytes(const mn_strips *s)
{
    return s->key ? (size_t)s->count * (4 * sizeof *s->key + (MN_ROWS + 1) * sizeof *s->near) +
                        (sizeof *s->find << (64 - s->shift))
                  : 0;
}

/* The table for those strips, which are sorted here and may come twice: complete, and so much larger that it
   lasts, but only up to `most` strips. Returns NULL, or why it failed. */
const char *mn_strips_build(mn_strips *s, mn_taken *taken, size_t count, size_t most);
/* On the CPU: the bits and ranks that follow from the marks. */
const char *mn_strips_settle(mn_strips *s, int threads);
void mn_strips_free(mn_strips *s);

#endif
