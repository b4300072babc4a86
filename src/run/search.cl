/* search.cl -- search and sums on an OpenCL device, read behind the physics kernels; run/cpu_sort.c, cpu_lists.c and
 * cpu_copies.c do the same on the CPU, bit for bit.
 *
 * Neighbours come in the order of their sources (fluid, copies, resting points, active points) and within each by z, y,
 * and a run of three cells along x. Atomics only count integers; whatever order they come in, ranks by id make the
 * result the same.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define FOLDERS 256 /* work items to a group here */
#define BLOCK 1024  /* particles to a sum, cells to a scan */
#define GROUP __attribute__((reqd_work_group_size(FOLDERS, 1, 1)))

/* ------------------------------------------------------------------ sums -- */

INLINE double larger(double a, double b) { return a > b ? a : b; }
INLINE double4 larger4(double4 a, double4 b)
{
    return (double4)(larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z), larger(a.w, b.w));
}

/* The tree of one block: lane t takes t, t + 256, t + 512, ...; then halves are added. */
__kernel GROUP void fold_block(__global const float4 *restrict terms, const int n, const int largest,
                               __global double4 *restrict partial)
{
    __local double4 lanes[FOLDERS];
    const int t = (int)get_local_id(0), block = (int)get_group_id(0);
    const int end = min(block * BLOCK + BLOCK, n);
    double4 mine = (double4)(largest ? -1e300 : 0.0);
    for (int k = block * BLOCK + t; k < end; k += FOLDERS) {
        const double4 v = convert_double4(terms[k]);
        mine = largest ? larger4(v, mine) : mine + v;
    }
    lanes[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = FOLDERS / 2; half_ > 0; half_ /= 2) {
        if (t < half_) lanes[t] = largest ? larger4(lanes[t + half_], lanes[t]) : lanes[t] + lanes[t + half_];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) partial[block] = lanes[0];
}

INLINE float4 lower3(float4 a, float4 b)
{
    return (float4)(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, 0.0f);
}
INLINE float4 upper3(float4 a, float4 b)
{
    return (float4)(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, 0.0f);
}

/* Two real4 a group: lowest corner and, in w, the bits of the first index that is not finite; highest corner. */
__kernel GROUP void bounds_block(__global const float4 *restrict pos, __global const float4 *restrict vel, const int n,
                                 __global float4 *restrict out)
{
    __local float4 low[FOLDERS], high[FOLDERS];
    __local int bad[FOLDERS];
    const int t = (int)get_local_id(0);
    float4 l = (float4)(1e30f), h = (float4)(-1e30f);
    int first = n;
    for (int i = (int)get_global_id(0); i < n; i += (int)get_global_size(0)) {
        const float4 x = pos[i], v = vel[i];
        const float sum = x.x + x.y + x.z + v.x + v.y + v.z;
        if (!(sum - sum == 0.0f) && i < first) first = i;
        l = lower3(x, l);
        h = upper3(x, h);
    }
    low[t] = l, high[t] = h, bad[t] = first;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = FOLDERS / 2; half_ > 0; half_ /= 2) {
        if (t < half_) {
            low[t] = lower3(low[t + half_], low[t]);
            high[t] = upper3(high[t + half_], high[t]);
            bad[t] = min(bad[t], bad[t + half_]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) {
        const int g = (int)get_group_id(0);
        out[2 * g] = (float4)(low[0].x, low[0].y, low[0].z, as_float(bad[0]));
        out[2 * g + 1] = high[0];
    }
}

/* ------------------------------------------------------------------ sort -- */

/* The table of strips, as in run/strips.h: keys in order, strips by hash of the key, strips around each; and bits and
 * ranks of its cells. Where the table is small beside the particles it is `full`: all 64 cells of each strip are there,
 * so their numbers need no bits and no ranks and stay the same until the table is another one. */
#define STRIP 64
#define ROWS 9
#define OWN_ROW 4
#define FARTHEST_CELL 2000000.0f
#define TABLE_PARAMS_                                                                                                  \
    const mn_grid g, __global const ulong *restrict strip_key, __global const int *restrict strip_find,                \
        __global const int *restrict strip_near
#define TABLE_ g, strip_key, strip_find, strip_near
#define CELL_PARAMS_ TABLE_PARAMS_, __global const ulong *restrict strip_bits, __global const int *restrict strip_rank
#define CELLS_ TABLE_, strip_bits, strip_rank

/* Where a cell is: its strip, -1 if there is none, and its bit there. */
typedef struct spot {
    ulong key;
    int strip, bit;
} spot;

INLINE ulong strip_key_of(int x, int y, int z)
{
    return (ulong)(z + (1 << 22)) << 40 | (ulong)(y + (1 << 22)) << 17 | (ulong)((x >> 6) + (1 << 16));
}

INLINE bool is_near(float4 p, float inv_h)
{
    const float x = p.x * inv_h, y = p.y * inv_h, z = p.z * inv_h, most = FARTHEST_CELL;
    return x > -most && x < most && y > -most && y < most && z > -most && z < most;
}

INLINE spot spot_of(float4 p, TABLE_PARAMS_)
{
    const int x = (int)floor(p.x * g.inv_h);
    const uint mask = (1u << (64 - g.shift)) - 1u;
    spot s;
    s.key = strip_key_of(x, (int)floor(p.y * g.inv_h), (int)floor(p.z * g.inv_h));
    s.bit = x & (STRIP - 1);
    for (uint h = (uint)(s.key * 0x9E3779B97F4A7C15UL >> g.shift);; h = (h + 1) & mask) {
        s.strip = strip_find[h];
        if (s.strip < 0 || strip_key[s.strip] == s.key) return s;
    }
}

/* How many cells come before that one. */
INLINE int cell_number(int strip, int bit, CELL_PARAMS_)
{
    return g.full ? STRIP * strip + bit : strip_rank[strip] + (int)popcount(strip_bits[strip] & ((1UL << bit) - 1UL));
}

INLINE bool is_there(spot s, CELL_PARAMS_) { return s.strip >= 0 && (g.full || (strip_bits[s.strip] >> s.bit & 1UL)); }

/* Whether all cells around that one are in the table. */
INLINE bool is_complete(spot s, TABLE_PARAMS_)
{
    const int needs = 1 | (s.bit == 0 ? 2 : 0) | (s.bit == STRIP - 1 ? 4 : 0);
    return s.strip >= 0 && (strip_near[ROWS * s.strip + OWN_ROW] & needs) == needs;
}

/* The number of the cell of a place, -1 if it is not there. */
INLINE int cell_at(float4 p, CELL_PARAMS_)
{
    if (!is_near(p, g.inv_h)) return -1;
    const spot s = spot_of(p, TABLE_);
    return is_there(s, CELLS_) ? cell_number(s.strip, s.bit, CELLS_) : -1;
}

INLINE bool is_kept(float4 x, float4 low, float4 high)
{
    return x.x >= low.x && x.y >= low.y && x.z >= low.z && x.x <= high.x && x.y <= high.y && x.z <= high.z;
}

/* What the host is told, before the marks: how many were in strips that are not complete; 1 if the cells are others
 * than before; 1 if there are more cells than it has room for; how many particles were kept; how many cells there
 * are. Where it must do the sort again, nothing is moved. Lists tell how many slices they need, and how many
 * neighbours a particle has that has too many, and which one that is. */
#define MISSED 0
#define CHANGED 1
#define OVER 2
#define KEPT 3
#define CELLS_THERE 4
#define SLICES 5
#define MANY 6
#define DENSE 7
#define TOLD 8
#define MARKS_(told) ((told) + TOLD)

/* Which end of its strip a cell lies at, as the host distinguishes them (run/strips.c, add_blocks). */
INLINE int end_of(int bit) { return bit == 0 ? 0 : bit < 8 ? 1 : bit < STRIP - 8 ? 2 : bit < STRIP - 1 ? 3 : 4; }

/* Marks the cells that are taken; of those in strips that are not complete `missed` takes as many as there is
 * room for, as (key, bit). */
__kernel void cell_place(__global const float4 *restrict pos, const int base, const int n, TABLE_PARAMS_,
                         const float4 keep_low, const float4 keep_high, volatile __global uint *told,
                         __global ulong2 *missed, const uint from, const int room)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    const float4 x = pos[base + i];
    if (!is_kept(x, keep_low, keep_high)) return;
    const spot s = spot_of(x, TABLE_);
    if (is_complete(s, TABLE_)) {
        volatile __global uint *word = MARKS_(told) + 2 * s.strip + (s.bit >> 5);
        const uint bit = 1u << (s.bit & 31);
        if (!(*word & bit)) atomic_or(word, bit);
        return;
    }
    /* what the one before it says need not be said again: only the ends of a strip tell more than that it is taken */
    if (i > 0 && is_kept(pos[base + i - 1], keep_low, keep_high)) {
        const spot before = spot_of(pos[base + i - 1], TABLE_);
        if (before.key == s.key && end_of(before.bit) == end_of(s.bit)) return;
    }
    const uint at = atomic_inc(&told[MISSED]);
    if (at < (uint)room) missed[from + at] = (ulong2)(s.key, (ulong)s.bit);
}

INLINE ulong marks_of(__global const uint *told, int strip)
{
    return (ulong)MARKS_(told)[2 * strip] | (ulong)MARKS_(told)[2 * strip + 1] << 32;
}

/* Cells next to marked ones, along x and all around. rank: how many; 0 behind the strips. */
__kernel void cell_spread(__global uint *told, const int strips, __global const ulong *restrict strip_key,
                          __global const int *restrict strip_near, __global ulong *restrict bits,
                          __global int *restrict rank)
{
    const int at = (int)get_global_id(0);
    if (at >= strips) {
        rank[at] = 0;
        return;
    }
    ulong all = 0;
    for (int row = 0; row < ROWS; row++) {
        const int s = row == OWN_ROW ? at : strip_near[ROWS * at + row];
        if (s < 0) continue;
        const ulong here = marks_of(told, s);
        all |= here | here << 1 | here >> 1;
        if (s > 0 && strip_key[s - 1] == strip_key[s] - 1UL) all |= marks_of(told, s - 1) >> 63;
        if (s + 1 < strips && strip_key[s + 1] == strip_key[s] + 1UL) all |= marks_of(told, s + 1) << 63;
    }
    if (bits[at] != all) told[CHANGED] = 1;
    bits[at] = all;
    rank[at] = (int)popcount(all);
}

/* -------------------------------------------- a table made on the device -- */

/* A map has one bit for each strip that may be in a box: size.x strips along x, size.y and size.z rows. Its bits in
 * order are strips in order. rank: how many bits come before each word. low: the first strip; low.w: by how many cells
 * the table reaches farther than it must, so that it lasts. */
#define MAP_PARAMS_                                                                                                    \
    const int4 low, const int4 size, __global const uint *restrict map, __global const int *restrict rank
#define MAP_ low, size, map, rank

INLINE int4 map_cell(float4 p, float inv_h)
{
    return (int4)((int)floor(p.x * inv_h), (int)floor(p.y * inv_h), (int)floor(p.z * inv_h), 0);
}

/* Which strip of the table that is, -1 if it is not there; x, y, z from the corner of the map. */
INLINE int map_find(int x, int y, int z, MAP_PARAMS_)
{
    if (x < 0 || y < 0 || z < 0 || x >= size.x || y >= size.y || z >= size.z) return -1;
    const uint at = ((uint)z * (uint)size.y + (uint)y) * (uint)size.x + (uint)x, bit = 1u << (at & 31u);
    return map[at >> 5] & bit ? rank[at >> 5] + (int)popcount(map[at >> 5] & (bit - 1u)) : -1;
}

/* The strips that particles ask for. */
__kernel void map_mark(__global const float4 *restrict pos, const int n, const float inv_h, const float4 keep_low,
                       const float4 keep_high, const int4 low, const int4 size, volatile __global uint *map)
{
    const int i = (int)get_global_id(0);
    if (i >= n || !is_kept(pos[i], keep_low, keep_high)) return;
    const int4 c = map_cell(pos[i], inv_h);
    if (i > 0 && is_kept(pos[i - 1], keep_low, keep_high)) {
        const int4 before = map_cell(pos[i - 1], inv_h);
        if (before.x == c.x && before.y == c.y && before.z == c.z) return;
    }
    const int bit = c.x & (STRIP - 1), far = low.w + 1;
    const int first = max((c.x >> 6) - low.x - (bit < far ? 1 : 0), 0),
              last = min((c.x >> 6) - low.x + (bit >= STRIP - far ? 1 : 0), size.x - 1);
    for (int z = max(c.z - low.z - far, 0); z <= min(c.z - low.z + far, size.z - 1); z++)
        for (int y = max(c.y - low.y - far, 0); y <= min(c.y - low.y + far, size.y - 1); y++)
            for (int x = first; x <= last; x++) {
                const uint at = ((uint)z * (uint)size.y + (uint)y) * (uint)size.x + (uint)x;
                if (!(map[at >> 5] & 1u << (at & 31u))) atomic_or(&map[at >> 5], 1u << (at & 31u));
            }
}

/* As many items as whole blocks have. */
__kernel void map_count(__global const uint *restrict map, const int words, __global int *restrict count)
{
    const int w = (int)get_global_id(0);
    count[w] = w < words ? (int)popcount(map[w]) : 0;
}

/* Keys of the strips, and where the hash finds them; `find` is -1 everywhere. */
__kernel void map_list(MAP_PARAMS_, const int words, __global ulong *restrict key, volatile __global int *find,
                       const int shift)
{
    const int w = (int)get_global_id(0);
    if (w >= words) return;
    const uint mask = (1u << (64 - shift)) - 1u;
    int strip = rank[w];
    for (uint left = map[w]; left; left &= left - 1u, strip++) {
        const uint at = 32u * (uint)w + 31u - clz(left & (0u - left)), row = at / (uint)size.x;
        const int x = (int)(at % (uint)size.x) + low.x, y = (int)(row % (uint)size.y) + low.y,
                  z = (int)(row / (uint)size.y) + low.z;
        key[strip] = strip_key_of(x * STRIP, y, z);
        uint h = (uint)(key[strip] * 0x9E3779B97F4A7C15UL >> shift);
        while (atomic_cmpxchg(&find[h], -1, strip) != -1) h = (h + 1) & mask;
    }
}

/* The rows around each strip, and what is complete, as join() of run/strips.c finds them. */
__kernel void map_join(MAP_PARAMS_, const int strips, __global const ulong *restrict key, __global int *restrict near)
{
    const int at = (int)get_global_id(0);
    if (at >= strips) return;
    const ulong k = key[at];
    const int x = (int)(k & 0x1FFFFUL) - (1 << 16) - low.x, y = (int)(k >> 17 & 0x7FFFFFUL) - (1 << 22) - low.y,
              z = (int)(k >> 40) - (1 << 22) - low.z;
    int there = 7;
    for (int row = 0; row < ROWS; row++) {
        const int up = y + row % 3 - 1, behind = z + row / 3 - 1, other = map_find(x, up, behind, MAP_);
        if (row != OWN_ROW) near[ROWS * at + row] = other;
        if (other < 0) there = 0;
        if (map_find(x - 1, up, behind, MAP_) < 0) there &= ~2;
        if (map_find(x + 1, up, behind, MAP_) < 0) there &= ~4;
    }
    near[ROWS * at + OWN_ROW] = there;
}

/* What sorting needs of a room of 4 * part numbers: cells, places (later: the order), and members of the cells. */
#define CELL_OF_(room, part) (room)
#define ORDER_(room, part) ((room) + (part))
#define MEMBER_(room, part) ((__global int2 *)((room) + 2 * (part)))

/* Cell of each, or `cells` if it is dropped; its place: how many came to the cell before it. In a full table nothing
 * was placed: with `told` it says whether something lies where the table is not complete. */
__kernel void cell_count(__global const float4 *restrict pos, const int base, const int n, CELL_PARAMS_,
                         const float4 keep_low, const float4 keep_high, const int cells, __global int *room,
                         const uint part, volatile __global int *count, const int looks, __global uint *told)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    const float4 x = pos[base + i];
    int c = cells;
    if (is_kept(x, keep_low, keep_high) && is_near(x, g.inv_h)) {
        const spot s = spot_of(x, TABLE_);
        if (is_there(s, CELLS_)) c = min(cell_number(s.strip, s.bit, CELLS_), cells);
        if (looks && !is_complete(s, TABLE_)) told[MISSED] = 1;
    }
    CELL_OF_(room, part)[i] = c;
    if (c < cells) ORDER_(room, part)[i] = atomic_inc(&count[c]);
}

/* Sum of `mine` over the lanes before this one; sums[FOLDERS - 1] is the sum of all. */
INLINE int sum_before(__local int *sums, int mine)
{
    const int t = (int)get_local_id(0);
    sums[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 1; reach < FOLDERS; reach *= 2) {
        const int left = t >= reach ? sums[t - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[t] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sums[t] - mine;
}

/* An exclusive scan in three launches: the sum of each block, a scan of those by one group, each block from its sum.
 * v is padded to whole blocks. */
__kernel GROUP void scan_sums(__global const int4 *restrict v, __global int *restrict block_sum)
{
    __local int sums[FOLDERS];
    const int t = (int)get_local_id(0);
    const int4 four = v[get_global_id(0)];
    sums[t] = four.x + four.y + four.z + four.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = FOLDERS / 2; half_ > 0; half_ /= 2) {
        if (t < half_) sums[t] += sums[t + half_];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) block_sum[get_group_id(0)] = sums[0];
}

__kernel GROUP void scan_tops(__global int *restrict block_sum, const int blocks)
{
    __local int sums[FOLDERS];
    const int t = (int)get_local_id(0);
    int carried = 0;
    for (int from = 0; from < blocks; from += FOLDERS) {
        const int k = from + t;
        const int mine = k < blocks ? block_sum[k] : 0;
        const int before = sum_before(sums, mine);
        if (k < blocks) block_sum[k] = carried + before;
        carried += sums[FOLDERS - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel GROUP void scan_fill(__global int4 *restrict v, __global const int *restrict block_sum)
{
    __local int sums[FOLDERS];
    const int4 four = v[get_global_id(0)];
    const int x = block_sum[get_group_id(0)] + sum_before(sums, four.x + four.y + four.z + four.w);
    v[get_global_id(0)] = (int4)(x, x + four.x, x + four.x + four.y, x + four.x + four.y + four.z);
}

/* The particles of each cell side by side, in any order. */
__kernel void cell_scatter(__global int *room, const uint part, __global const int *restrict id, const int n,
                           const int cells, __global const int *restrict start)
{
    const int i = (int)get_global_id(0), c = i < n ? CELL_OF_(room, part)[i] : cells;
    if (c < cells) MEMBER_(room, part)[start[c] + ORDER_(room, part)[i]] = (int2)(id[i], i);
}

/* In the order: which particle comes to each place, by (cell, id). */
__kernel void cell_rank(__global int *room, const uint part, __global const int *restrict id, const int n,
                        const int cells, __global const int *restrict start, __global const int *restrict strip_rank,
                        const int strips, const int full, __global uint *told)
{
    if (get_global_id(0) == 0) {
        told[KEPT] = (uint)start[cells];
        told[CELLS_THERE] = full ? (uint)(STRIP * strips) : (uint)strip_rank[strips];
        told[OVER] = told[CELLS_THERE] > (uint)cells;
    }
    const int i = (int)get_global_id(0), c = i < n ? CELL_OF_(room, part)[i] : cells;
    if (c >= cells) return;
    __global const int2 *member = MEMBER_(room, part);
    const int first = start[c], end = start[c + 1], mine = id[i];
    int rank = 0;
    for (int k = first; k < end; k++) rank += member[k].x < mine || (member[k].x == mine && member[k].y < i);
    ORDER_(room, part)[first + rank] = i;
}

/* to[i] = from[k], of entries of one word or of four. */
INLINE void copy_words(__global int *to, const uint i, __global const int *from, const uint k, const int words)
{
    if (words == 4) ((__global int4 *)to)[i] = ((__global const int4 *)from)[k];
    else to[i] = from[k];
}

/* Up to four fields of so many words an entry in that order behind the members; and from there to where they were. What
 * lies behind the kept particles stays where it is. */
__kernel void gather(__global int *room, const uint part, __global const uint *restrict told, const int words,
                     const int fields, __global const int *restrict a, __global const int *restrict b,
                     __global const int *restrict c, __global const int *restrict d)
{
    const uint i = (uint)get_global_id(0);
    if (i >= told[KEPT] || told[MISSED] || told[OVER]) return;
    __global int *to = room + 4 * part;
    const uint from = (uint)ORDER_(room, part)[i];
    copy_words(to, i, a, from, words);
    if (fields > 1) copy_words(to, part + i, b, from, words);
    if (fields > 2) copy_words(to, 2 * part + i, c, from, words);
    if (fields > 3) copy_words(to, 3 * part + i, d, from, words);
}

__kernel void settle(__global const int *restrict room, const uint part, __global const uint *restrict told,
                     const int words, const int fields, __global int *restrict a, __global int *restrict b,
                     __global int *restrict c, __global int *restrict d)
{
    const uint i = (uint)get_global_id(0);
    if (i >= told[KEPT] || told[MISSED] || told[OVER]) return;
    __global const int *from = room + 4 * part;
    copy_words(a, i, from, i, words);
    if (fields > 1) copy_words(b, i, from, part + i, words);
    if (fields > 2) copy_words(c, i, from, 2 * part + i, words);
    if (fields > 3) copy_words(d, i, from, 3 * part + i, words);
}

/* ------------------------------------------------------------ neighbours -- */

/* Copies and resting points come in the order of their cells: span[2c], span[2c + 1] = first of cell c and one past its
 * last. Those in no known cell see no fluid and are left out; none of them can lie between cells that are neighbours
 * along x. */
__kernel void cell_mark(__global const float4 *restrict pos, const int base, const int count, CELL_PARAMS_,
                        __global int *restrict span)
{
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const int c = cell_at(pos[base + i], CELLS_);
    if (c < 0) return;
    if (i == 0 || cell_at(pos[base + i - 1], CELLS_) != c) span[2 * (long)c] = base + i;
    if (i == count - 1 || cell_at(pos[base + i + 1], CELLS_) != c) span[2 * (long)c + 1] = base + i + 1;
}

INLINE int2 span_of_three(__global const int2 *span, int cell)
{
    const int2 a = span[cell - 1], b = span[cell], c = span[cell + 1];
    return (int2)(a.y > a.x ? a.x : (b.y > b.x ? b.x : c.x), c.y > c.x ? c.y : (b.y > b.x ? b.y : a.y));
}

/* Lists are made by groups of LISTERS. Each work item keeps the first STAGED neighbours that it finds at hand; then
 * the lengths of a window of 32 are known, and its particles, longest first, share four slices of eight: entry k of
 * a particle lies 8 k behind its first. The group takes as many slices as it needs from the memory there is. Who
 * comes first does not matter: only the place of a list depends on it. A list longer than STAGED is searched once
 * more for the rest. */
#define LISTERS 64
#define STAGED 48

typedef struct sought {
    float4 x;
    float h2;
    int i;
    uint found;
    bool rest; /* this time write what was not staged */
    __local int *stage;
    __global int *list; /* first entry */
} sought;

INLINE void keep(const sought s, uint k, int j)
{
    if (k < STAGED) {
        if (!s.rest) s.stage[k * LISTERS] = j;
    } else if (s.rest) s.list[8 * k] = j;
}
/* j is kept where it is a neighbour; how many there are then. */
INLINE uint look_at(const sought s, __global const float4 *restrict pos, uint found, int j)
{
    const float4 b = pos[j];
    const float dx = s.x.x - b.x, dy = s.x.y - b.y, dz = s.x.z - b.z;
    if (!(fma(dz, dz, fma(dy, dy, dx * dx)) < s.h2 && j != s.i)) return found;
    keep(s, found, j);
    return found + 1;
}
INLINE uint search_run(const sought s, __global const float4 *restrict pos, int2 run)
{
    uint found = s.found;
    for (int k = run.x; k < run.y; k++) found = look_at(s, pos, found, k);
    return found;
}
INLINE uint search_listed(const sought s, __global const float4 *restrict pos, int2 run,
                          __global const int *restrict order, int base)
{
    uint found = s.found;
    for (int k = run.x; k < run.y; k++) found = look_at(s, pos, found, base + order[k]);
    return found;
}

#define EACH_ROW_(row)                                                                                                 \
    for (int k_ = 0; k_ < ROWS; k_++)                                                                                  \
        for (int row = rows[k_], once_ = 1; once_; once_ = 0)

#define WALK_PARAMS_                                                                                                   \
    __global const float4 *restrict pos, CELL_PARAMS_, __global const int *restrict start,                             \
        __global const int2 *restrict copy_span, __global const int2 *restrict resting_span,                           \
        __global const int *restrict active_start, __global const int *restrict active_room, const uint active_part,   \
        const int active_at, const int copies, const int resting, const int active, const int4 maps
#define WALK_ARGS_                                                                                                     \
    pos, CELLS_, start, copy_span, resting_span, active_start, active_room, active_part, active_at, copies, resting,   \
        active, maps

/* All neighbours in their order: how many of them are fluid, and how many there are. */
INLINE uint2 walk(sought s, WALK_PARAMS_)
{
    int rows[ROWS]; /* of the three cells of each row the middle one */
    const spot here = spot_of(s.x, TABLE_);
    for (int k = 0; k < ROWS; k++)
        rows[k] = cell_number(k == OWN_ROW ? here.strip : strip_near[ROWS * here.strip + k], here.bit, CELLS_);
    EACH_ROW_(row) s.found = search_run(s, pos, (int2)(start[row - 1], start[row + 2]));
    if (copies) EACH_ROW_(row) s.found = search_run(s, pos, span_of_three(copy_span, row));
    const uint fluid = s.found;
    if (resting) EACH_ROW_(row) s.found = search_run(s, pos, span_of_three(resting_span, row));
    if (active)
        EACH_ROW_(row)
        s.found = search_listed(s, pos, (int2)(active_start[row - 1], active_start[row + 2]),
                                ORDER_(active_room, active_part), active_at);
    for (int m = 0; m < maps.y; m++) { /* its own points on volume maps */
        const int j = maps.x + m * maps.z + s.i;
        if (pos[j].w > 0.0f) keep(s, s.found++, j);
    }
    return (uint2)(fluid, s.found);
}

/* Lists of the `count` particles from `first` on: fluid, or active points. Tells the slices that they need, of `room`
 * that there are, and where a particle has more than NB_MOST neighbours how many, and which one. */
__kernel __attribute__((reqd_work_group_size(LISTERS, 1, 1))) void list_neighbours(
    WALK_PARAMS_, const int first, const int count, const float h2, const uint room, __global uint *restrict rows,
    __global int *restrict index, volatile __global uint *told)
{
    __local int stage[STAGED * LISTERS];
    __local uint length[LISTERS], sorted[LISTERS], base;
    const uint t = (uint)get_local_id(0), slot = (uint)get_global_id(0), window = t / 32 * 32;
    sought s;
    s.i = first + (int)slot, s.h2 = h2, s.found = 0, s.rest = false, s.stage = stage + t, s.list = index;
    bool sees = slot < (uint)count;
    if (sees) s.x = pos[s.i];
    if (sees && first) sees = cell_at(s.x, CELLS_) >= 0; /* a body too far away sees nothing */
    const uint2 row = sees ? walk(s, WALK_ARGS_) : (uint2)(0, 0);
    length[t] = row.y;
    if (row.y > NB_MOST) told[MANY] = row.y, told[DENSE] = (uint)s.i; /* of one of them, and nothing will come of it */
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rank = 0;
    for (uint k = window; k < window + 32; k++) rank += length[k] > row.y || (length[k] == row.y && k < t);
    sorted[window + rank] = row.y;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = 0, before = 0; /* slices of the group, and before this particle's eight */
    for (uint k = 0; k < LISTERS; k += 8) {
        before += k < window + rank / 8 * 8 ? sorted[k] : 0;
        all += sorted[k];
    }
    if (t == 0) base = atomic_add(&told[SLICES], all);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint at = base + before; /* in slices of eight entries */
    if (slot < ((uint)count + 31) / 32 * 32) {
        rows[NB_ROW(slot)] = row.x | row.y << 12 | rank << 24;
        if (rank % 8 == 0) rows[NB_SLICE(slot, rank)] = at * 8;
    }
    if (base + all > room || row.y > NB_MOST) return;
    s.list = index + at * 8 + rank % 8;
    for (uint k = 0; k < min(row.y, (uint)STAGED); k++) s.list[8 * k] = stage[k * LISTERS + t];
    if (row.y > STAGED) {
        s.rest = true;
        walk(s, WALK_ARGS_);
    }
}

/* -------------------------------------------------------------- copies -- */

/* To which side a copy is due along one axis: a periodic box is at least four supports wide, so there is one at
 * most. */
INLINE int copy_side(float x, float h, float low, float span)
{
    if (!(span > 0.0f)) return 0;
    return x + h > low + span ? -1 : (x - h < low ? 1 : 0);
}

/* How far the copy is away that takes the sides in the bits of `some`; w < 0: one of them is none. */
INLINE float4 copy_shift(float4 x, float h, float4 box_low, float4 span, int some)
{
    const int sx = copy_side(x.x, h, box_low.x, span.x), sy = copy_side(x.y, h, box_low.y, span.y),
              sz = copy_side(x.z, h, box_low.z, span.z);
    const bool none = ((some & 1) && !sx) || ((some & 2) && !sy) || ((some & 4) && !sz);
    return (float4)((some & 1) ? (float)sx * span.x : 0.0f, (some & 2) ? (float)sy * span.y : 0.0f,
                    (some & 4) ? (float)sz * span.z : 0.0f, none ? -1.0f : 0.0f);
}

/* The cell of that copy, -1 if there is none or it is in none that is known. */
INLINE int copy_cell(float4 x, float h, float4 box_low, float4 span, int some, CELL_PARAMS_)
{
    const float4 shift = copy_shift(x, h, box_low, span, some);
    return shift.w < 0.0f ? -1 : cell_at(x + shift, CELLS_);
}

__kernel void copy_count(__global const float4 *restrict pos, const int n, CELL_PARAMS_, const float h,
                         const float4 box_low, const float4 span, volatile __global int *count)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    for (int some = 1; some < 8; some++) {
        const int c = copy_cell(pos[i], h, box_low, span, some, CELLS_);
        if (c >= 0) atomic_inc(&count[c]);
    }
}

/* The copies of each cell side by side, in any order, as (particle, sides). end[c]: first place of the cell before,
 * one past its last after. */
__kernel void copy_scatter(__global const float4 *restrict pos, const int n, CELL_PARAMS_, const float h,
                           const float4 box_low, const float4 span, volatile __global int *end,
                           __global int2 *restrict member)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    for (int some = 1; some < 8; some++) {
        const int c = copy_cell(pos[i], h, box_low, span, some, CELLS_);
        if (c >= 0) member[atomic_inc(&end[c])] = (int2)(i, some);
    }
}

/* Within a cell by particle: two copies of one are never in the same cell. */
__kernel void copy_rank(__global const float4 *restrict pos, const int copies, CELL_PARAMS_, const float h,
                        const float4 box_low, const float4 span, __global const int *restrict end,
                        __global const int2 *restrict member, __global int *restrict source,
                        __global float4 *restrict shift)
{
    const int at = (int)get_global_id(0);
    if (at >= copies) return;
    const int2 mine = member[at];
    const float4 by = copy_shift(pos[mine.x], h, box_low, span, mine.y);
    const int c = cell_at(pos[mine.x] + by, CELLS_), first = c ? end[c - 1] : 0;
    int rank = 0;
    for (int k = first; k < end[c]; k++) rank += member[k].x < mine.x;
    source[first + rank] = mine.x;
    shift[first + rank] = by;
}

__kernel void refresh_4(__global int *field, __global const int *restrict source, const int copies_at, const int copies)
{
    const int g = (int)get_global_id(0);
    if (g < copies) field[copies_at + g] = field[source[g]];
}

__kernel void refresh_16(__global float4 *field, __global const int *restrict source,
                         __global const float4 *restrict shift, const int kind, const int copies_at, const int copies)
{
    const int g = (int)get_global_id(0);
    if (g >= copies) return;
    float4 v = field[source[g]];
    if (kind == 1) v.x += shift[g].x, v.y += shift[g].y, v.z += shift[g].z;       /* MN_COPIED_PLACE */
    if (kind == 2) v.w += v.x * shift[g].x + v.y * shift[g].y + v.z * shift[g].z; /* MN_COPIED_LEVER */
    field[copies_at + g] = v;
}
