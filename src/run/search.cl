/* search.cl -- search and sums on an OpenCL device, read behind the physics kernels; run/cpu.c does the same on the CPU, bit for bit.
 *
 * Cells, their order and the order of neighbours follow run/cpu.c: fluid, ghosts, walls, bodies, and within each source z, y, and a run of three cells
 * along x. Atomics only count integers; whatever order they come in, ranks by id make the result the same.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define FOLDERS 256 /* work items to a group here */
#define BLOCK 1024 /* particles to a sum, cells to a scan */
#define GROUP __attribute__((reqd_work_group_size(FOLDERS, 1, 1)))

/* ------------------------------------------------------------------ sums -- */

INLINE double larger(double a, double b) { return a > b ? a : b; }
INLINE double4 larger4(double4 a, double4 b) { return (double4)(larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z), larger(a.w, b.w)); }

/* The tree of one block: lane t takes t, t + 256, t + 512, ...; then halves are added. */
__kernel GROUP void fold_block(__global const float4 *restrict terms, const int n, const int largest, __global double4 *restrict partial)
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

INLINE float4 lower3(float4 a, float4 b) { return (float4)(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, 0.0f); }
INLINE float4 upper3(float4 a, float4 b) { return (float4)(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, 0.0f); }

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

/* Cell coordinate c without the gaps below it. */
INLINE float closed_up(const mn_grid *g, const int a, float c)
{
    float closed = c;
    for (int k = 0; k < MN_GAPS; k++) closed -= fmin(fmax(c - (float)g->gap_at[a][k], 0.0f), (float)g->gap_width[a][k]);
    return closed;
}

INLINE bool in_gap(const mn_grid *g, const int a, float c)
{
    bool in = false;
    for (int k = 0; k < MN_GAPS; k++) in = in || (c > (float)g->gap_at[a][k] && c <= (float)g->gap_at[a][k] + (float)g->gap_width[a][k]);
    return in;
}

INLINE bool is_in_gap(float4 p, const mn_grid *g)
{
    return in_gap(g, 0, floor(p.x * g->inv_h)) || in_gap(g, 1, floor(p.y * g->inv_h)) || in_gap(g, 2, floor(p.z * g->inv_h));
}

/* An empty layer of cells stays all around; what lies outside is kept in the cells next to it. */
INLINE int clamped(float c, int low, int size)
{
    const int first = low + 1, last = low + size - 2;
    return (c >= (float)first ? (c > (float)last ? last : (int)c) : first) - low;
}

INLINE int cell_at(float4 p, const mn_grid *g)
{
    float x = floor(p.x * g->inv_h), y = floor(p.y * g->inv_h), z = floor(p.z * g->inv_h);
    if (g->gapped) x = closed_up(g, 0, x), y = closed_up(g, 1, y), z = closed_up(g, 2, z);
    return (clamped(z, g->low[2], g->size[2]) * g->size[1] + clamped(y, g->low[1], g->size[1])) * g->size[0] + clamped(x, g->low[0], g->size[0]);
}

/* -1 outside the grid and in gaps. */
INLINE int cell_within(float4 p, const mn_grid *g)
{
    float x = floor(p.x * g->inv_h), y = floor(p.y * g->inv_h), z = floor(p.z * g->inv_h);
    if (g->gapped) {
        if (is_in_gap(p, g)) return -1;
        x = closed_up(g, 0, x), y = closed_up(g, 1, y), z = closed_up(g, 2, z);
    }
    if (!(x >= (float)g->low[0] && x < (float)(g->low[0] + g->size[0]) && y >= (float)g->low[1] && y < (float)(g->low[1] + g->size[1]) &&
          z >= (float)g->low[2] && z < (float)(g->low[2] + g->size[2])))
        return -1;
    return (((int)z - g->low[2]) * g->size[1] + (int)y - g->low[1]) * g->size[0] + (int)x - g->low[0];
}

/* What sorting needs of a room of 4 * part numbers: cells, places (later: the order), and members of the cells. */
#define CELL_OF_(room, part) (room)
#define ORDER_(room, part) ((room) + (part))
#define MEMBER_(room, part) ((__global int2 *)((room) + 2 * (part)))

/* Cell of each, or `cells` if it is dropped; its place: how many came to the cell before it. */
__kernel void cell_count(__global const float4 *restrict pos, const int base, const int n, const mn_grid g, const float4 keep_low, const float4 keep_high, const int cells, __global int *room,
                         const uint part, volatile __global int *count)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    const float4 x = pos[base + i];
    const bool out = x.x < keep_low.x || x.y < keep_low.y || x.z < keep_low.z || x.x > keep_high.x || x.y > keep_high.y ||
                     x.z > keep_high.z || (g.gapped && is_in_gap(x, &g));
    const int c = out ? cells : cell_at(x, &g);
    CELL_OF_(room, part)[i] = c;
    if (!out) ORDER_(room, part)[i] = atomic_inc(&count[c]);
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

/* An exclusive scan in three launches: the sum of each block, a scan of those by one group, each block from its sum. v is padded to
   whole blocks. */
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
__kernel void cell_scatter(__global int *room, const uint part, __global const int *restrict id, const int n, const int cells,
                           __global const int *restrict start)
{
    const int i = (int)get_global_id(0), c = i < n ? CELL_OF_(room, part)[i] : cells;
    if (c < cells) MEMBER_(room, part)[start[c] + ORDER_(room, part)[i]] = (int2)(id[i], i);
}

/* In the order: which particle comes to each place, by (cell, id). */
__kernel void cell_rank(__global int *room, const uint part, __global const int *restrict id, const int n, const int cells,
                        __global const int *restrict start)
{
    const int i = (int)get_global_id(0), c = i < n ? CELL_OF_(room, part)[i] : cells;
    if (c >= cells) return;
    __global const int2 *member = MEMBER_(room, part);
    const int first = start[c], end = start[c + 1], mine = id[i];
    int rank = 0;
    for (int k = first; k < end; k++) rank += member[k].x < mine || (member[k].x == mine && member[k].y < i);
    ORDER_(room, part)[first + rank] = i;
}

/* Up to four fields in that order behind the members; and from there to where they were. What lies behind the kept particles stays where it is. */
#define PERMUTE_(type)                                                                                                                \
    __kernel void gather_##type(__global int *room, const uint part, __global const int *restrict start, const int cells,            \
                                const int fields, __global const type *restrict a, __global const type *restrict b,                  \
                                __global const type *restrict c, __global const type *restrict d)                                    \
    {                                                                                                                                 \
        const int i = (int)get_global_id(0);                                                                                          \
        if (i >= start[cells]) return;                                                                                                \
        __global type *to = (__global type *)(room + 4 * part);                                                                       \
        const int from = ORDER_(room, part)[i];                                                                                       \
        to[i] = a[from];                                                                                                              \
        if (fields > 1) to[part + i] = b[from];                                                                                       \
        if (fields > 2) to[2 * part + i] = c[from];                                                                                   \
        if (fields > 3) to[3 * part + i] = d[from];                                                                                   \
    }                                                                                                                                 \
    __kernel void settle_##type(__global const int *restrict room, const uint part, __global const int *restrict start,              \
                                const int cells, const int fields, __global type *restrict a, __global type *restrict b,             \
                                __global type *restrict c, __global type *restrict d)                                                \
    {                                                                                                                                 \
        const int i = (int)get_global_id(0);                                                                                          \
        if (i >= start[cells]) return;                                                                                                \
        __global const type *from = (__global const type *)(room + 4 * part);                                                         \
        a[i] = from[i];                                                                                                               \
        if (fields > 1) b[i] = from[part + i];                                                                                        \
        if (fields > 2) c[i] = from[2 * part + i];                                                                                    \
        if (fields > 3) d[i] = from[3 * part + i];                                                                                    \
    }
PERMUTE_(int)
PERMUTE_(float4)

/* ------------------------------------------------------------ neighbours -- */

/* Ghosts and walls come in the order of their cells: span[2c], span[2c + 1] = first of cell c and one past its last. Those outside the grid see
   no fluid and are left out; none of them can lie between cells that are neighbours along x. */
__kernel void cell_mark(__global const float4 *restrict pos, const int base, const int count, const mn_grid g,
                        __global int *restrict span)
{
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const int c = cell_within(pos[base + i], &g);
    if (c < 0) return;
    if (i == 0 || cell_within(pos[base + i - 1], &g) != c) span[2 * c] = base + i;
    if (i == count - 1 || cell_within(pos[base + i + 1], &g) != c) span[2 * c + 1] = base + i + 1;
}

INLINE int2 span_of_three(__global const int2 *span, int cell)
{
    const int2 a = span[cell - 1], b = span[cell], c = span[cell + 1];
    return (int2)(a.y > a.x ? a.x : (b.y > b.x ? b.x : c.x), c.y > c.x ? c.y : (b.y > b.x ? b.y : a.y));
}

/* Lists are made by groups of LISTERS. Each work item keeps the first STAGED neighbours that it finds at hand; then the lengths of a window of 32 are known,
   and its particles, longest first, share four slices of eight: entry k of a particle lies 8 k behind its first. The group takes as many slices as it
   needs from the memory there is. Who comes first does not matter: only the place of a list depends on it. A list longer than STAGED is searched once more
   for the rest. */
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

#define SEARCH_(run, particle)                                            \
    uint found = s.found;                                                 \
    for (int k = run.x; k < run.y; k++) {                                 \
        const int j = particle;                                           \
        const float4 b = pos[j];                                          \
        const float dx = s.x.x - b.x, dy = s.x.y - b.y, dz = s.x.z - b.z; \
        if (fma(dz, dz, fma(dy, dy, dx * dx)) < s.h2 && j != s.i) {       \
            keep(s, found, j);                                            \
            found++;                                                      \
        }                                                                 \
    }                                                                     \
    return found
INLINE void keep(const sought s, uint k, int j)
{
    if (k < STAGED) {
        if (!s.rest) s.stage[k * LISTERS] = j;
    } else if (s.rest) s.list[8 * k] = j;
}
INLINE uint search_run(const sought s, __global const float4 *restrict pos, int2 run) { SEARCH_(run, k); }
INLINE uint search_listed(const sought s, __global const float4 *restrict pos, int2 run, __global const int *restrict order, int base)
{
    SEARCH_(run, base + order[k]);
}

#define EACH_ROW_(row)                     \
    for (int dz_ = -1; dz_ <= 1; dz_++)    \
        for (int dy_ = -1; dy_ <= 1; dy_++) \
            for (int row = cell + (dz_ * g.size[1] + dy_) * g.size[0], once_ = 1; once_; once_ = 0)

#define WALK_PARAMS_                                                                                                                        \
    __global const float4 *restrict pos, const mn_grid g, __global const int *restrict start,            \
        __global const int2 *restrict ghost_span, __global const int2 *restrict wall_span, __global const int *restrict body_start,         \
        __global const int *restrict body_room, const uint body_part, const int body_at, const int ghosts, const int walls, const int bodies, \
        const int4 maps
#define WALK_ARGS_ pos, g, start, ghost_span, wall_span, body_start, body_room, body_part, body_at, ghosts, walls, bodies, maps

/* All neighbours in their order: how many of them are fluid, and how many there are. */
INLINE uint2 walk(sought s, WALK_PARAMS_)
{
    const int cell = cell_at(s.x, &g);
    EACH_ROW_(row) s.found = search_run(s, pos, (int2)(start[row - 1], start[row + 2]));
    if (ghosts) EACH_ROW_(row) s.found = search_run(s, pos, span_of_three(ghost_span, row));
    const uint fluid = s.found;
    if (walls) EACH_ROW_(row) s.found = search_run(s, pos, span_of_three(wall_span, row));
    if (bodies)
        EACH_ROW_(row) s.found = search_listed(s, pos, (int2)(body_start[row - 1], body_start[row + 2]), ORDER_(body_room, body_part), body_at);
    for (int m = 0; m < maps.y; m++) { /* its own points on volume maps */
        const int j = maps.x + m * maps.z + s.i;
        if (pos[j].w > 0.0f) keep(s, s.found++, j);
    }
    return (uint2)(fluid, s.found);
}

/* Lists of the `count` particles from `first` on: fluid, or bodies. taken[0]: slices that they need, of `room` that there are; taken[1], taken[2]: more than
   NB_MOST neighbours of a particle, and which one. */
__kernel __attribute__((reqd_work_group_size(LISTERS, 1, 1))) void list_neighbours(
    WALK_PARAMS_, const int first, const int count, const float h2, const float4 keep_low, const float4 keep_high, const uint room,
    __global uint *restrict rows, __global int *restrict index, volatile __global uint *taken)
{
    __local int stage[STAGED * LISTERS];
    __local uint length[LISTERS], sorted[LISTERS], base;
    const uint t = (uint)get_local_id(0), slot = (uint)get_global_id(0), window = t / 32 * 32;
    sought s;
    s.i = first + (int)slot, s.h2 = h2, s.found = 0, s.rest = false, s.stage = stage + t, s.list = index;
    bool sees = slot < (uint)count;
    if (sees) s.x = pos[s.i];
    if (sees && first) /* a body outside the grid sees nothing */
        sees = !(s.x.x < keep_low.x || s.x.y < keep_low.y || s.x.z < keep_low.z || s.x.x > keep_high.x || s.x.y > keep_high.y ||
                 s.x.z > keep_high.z);
    const uint2 row = sees ? walk(s, WALK_ARGS_) : (uint2)(0, 0);
    length[t] = row.y;
    if (row.y > NB_MOST) taken[1] = row.y, taken[2] = (uint)s.i; /* of one of them, and nothing will come of it */
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
    if (t == 0) base = atomic_add(&taken[0], all);
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

/* -------------------------------------------------------------- ghosts -- */

/* To which side an image is due along one axis: a periodic box is at least four supports wide, so there is one at most. */
INLINE int image_side(float x, float h, float low, float span)
{
    if (!(span > 0.0f)) return 0;
    return x + h > low + span ? -1 : (x - h < low ? 1 : 0);
}

/* How far the image is away that takes the sides in the bits of `some`; w < 0: one of them is none. */
INLINE float4 image_shift(float4 x, float h, float4 box_low, float4 span, int some)
{
    const int sx = image_side(x.x, h, box_low.x, span.x), sy = image_side(x.y, h, box_low.y, span.y), sz = image_side(x.z, h, box_low.z, span.z);
    const bool none = ((some & 1) && !sx) || ((some & 2) && !sy) || ((some & 4) && !sz);
    return (float4)((some & 1) ? (float)sx * span.x : 0.0f, (some & 2) ? (float)sy * span.y : 0.0f, (some & 4) ? (float)sz * span.z : 0.0f,
                    none ? -1.0f : 0.0f);
}

/* The cell of that image, -1 if there is none in the grid. */
INLINE int image_cell(float4 x, float h, float4 box_low, float4 span, int some, const mn_grid *g)
{
    const float4 shift = image_shift(x, h, box_low, span, some);
    return shift.w < 0.0f ? -1 : cell_within(x + shift, g);
}

__kernel void ghost_count(__global const float4 *restrict pos, const int n, const mn_grid g, const float h,
                          const float4 box_low, const float4 span, volatile __global int *count)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    for (int some = 1; some < 8; some++) {
        const int c = image_cell(pos[i], h, box_low, span, some, &g);
        if (c >= 0) atomic_inc(&count[c]);
    }
}

/* The images of each cell side by side, in any order, as (particle, sides). end[c]: first place of the cell before, one past its last after. */
__kernel void ghost_scatter(__global const float4 *restrict pos, const int n, const mn_grid g, const float h,
                            const float4 box_low, const float4 span, volatile __global int *end, __global int2 *restrict member)
{
    const int i = (int)get_global_id(0);
    if (i >= n) return;
    for (int some = 1; some < 8; some++) {
        const int c = image_cell(pos[i], h, box_low, span, some, &g);
        if (c >= 0) member[atomic_inc(&end[c])] = (int2)(i, some);
    }
}

/* Within a cell by particle: two images of one are never in the same cell. */
__kernel void ghost_rank(__global const float4 *restrict pos, const int ghosts, const mn_grid g, const float h,
                         const float4 box_low, const float4 span, __global const int *restrict end, __global const int2 *restrict member,
                         __global int *restrict source, __global float4 *restrict shift)
{
    const int at = (int)get_global_id(0);
    if (at >= ghosts) return;
    const int2 mine = member[at];
    const float4 by = image_shift(pos[mine.x], h, box_low, span, mine.y);
    const int c = cell_within(pos[mine.x] + by, &g), first = c ? end[c - 1] : 0;
    int rank = 0;
    for (int k = first; k < end[c]; k++) rank += member[k].x < mine.x;
    source[first + rank] = mine.x;
    shift[first + rank] = by;
}

__kernel void refresh_4(__global int *field, __global const int *restrict source, const int ghost_at, const int ghosts)
{
    const int g = (int)get_global_id(0);
    if (g < ghosts) field[ghost_at + g] = field[source[g]];
}

__kernel void refresh_16(__global float4 *field, __global const int *restrict source, __global const float4 *restrict shift, const int kind,
                         const int ghost_at, const int ghosts)
{
    const int g = (int)get_global_id(0);
    if (g >= ghosts) return;
    float4 v = field[source[g]];
    if (kind == 1) v.x += shift[g].x, v.y += shift[g].y, v.z += shift[g].z; /* MN_GHOST_PLACE */
    if (kind == 2) v.w += v.x * shift[g].x + v.y * shift[g].y + v.z * shift[g].z; /* MN_GHOST_LEVER */
    field[ghost_at + g] = v;
}
