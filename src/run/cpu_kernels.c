/* cpu_kernels.c -- the physics for the CPU; compiled once per instruction set with MN_LANES (1 or 8) and MN_VARIANT
 * (its name). Eight lanes are for KERNELs; BRANCHING_KERNELs, without neighbours, are those of one lane. */
#include "run/cpu_kernels.h"

#include <string.h>

#if MN_LANES == 1
#include "kernel_files.h"
#define LIST_OF_KERNELS "kernel_list.h"
#else
#include "kernel_files_lanes.h"
#define LIST_OF_KERNELS "kernel_list_lanes.h"
#endif

#define MEMBER(role, type, name) type *name;
#define PASS(role, type, name) p.name,

#define KERNEL_ENTRY(name)                                                                                             \
    static void run_##name(void *const *fields, const mn_lists *lists, const params *par, real4 arg, int from, int to) \
    {                                                                                                                  \
        struct {                                                                                                       \
            name##_FIELDS(MEMBER)                                                                                      \
        } p;                                                                                                           \
        memcpy(&p, fields, sizeof p);                                                                                  \
        for (int i = from; i < to; i += MN_LANES) name##_item(name##_FIELDS(PASS) lists, par, arg, i);                 \
    }
#include LIST_OF_KERNELS
#undef KERNEL_ENTRY

/* What a list entry counts in, see mn_lists. */
enum { UNIT = MN_LANES == 1 ? 1 : (int)sizeof(real4) };

#if MN_LANES == 8
typedef int uilane __attribute__((vector_size(32), aligned(4), may_alias));
#endif

/* -- candidates and lists: STRIDE of them are looked at together --------------------------------------------------- */

#if MN_LANES == 1
enum { STRIDE = 1 };
typedef float wide;
typedef uint32_t wide_index;
typedef unsigned choice; /* a bit for each */
#define wide_of(v) (v)
#define wide_at(f) (*(f))
#define wide_max(a, b) ((a) > (b) ? (a) : (b))
#define wide_min(a, b) ((a) < (b) ? (a) : (b))
#define wide_fma(a, b, c) fmaf(a, b, c)
INLINE choice wide_less(wide a, wide b) { return a < b; }
INLINE wide_index index_at(const uint32_t *f) { return *f; }
INLINE wide_index index_from(uint32_t first) { return first; }
INLINE choice other_than(wide_index a, uint32_t b) { return a != b; }
INLINE void put_chosen(float *to, wide v, choice which) { (void)which, *to = v; }
INLINE void put_index(uint32_t *to, wide_index v, choice which) { (void)which, *to = v; }
#elif defined(__AVX512VL__)
enum { STRIDE = 16 };
typedef __m512 wide;
typedef __m512i wide_index;
typedef __mmask16 choice;
#define wide_of(v) _mm512_set1_ps(v)
#define wide_at(f) _mm512_loadu_ps(f)
#define wide_max(a, b) _mm512_max_ps(a, b)
#define wide_min(a, b) _mm512_min_ps(a, b)
#define wide_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
INLINE choice wide_less(wide a, wide b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
INLINE wide_index index_at(const uint32_t *f) { return _mm512_loadu_si512(f); }
INLINE wide_index index_from(uint32_t first)
{
    const __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_slli_epi32(_mm512_add_epi32(_mm512_set1_epi32((int)first), count), 4);
}
INLINE choice other_than(wide_index a, uint32_t b) { return _mm512_cmpneq_epi32_mask(a, _mm512_set1_epi32((int)b)); }
INLINE void put_chosen(float *to, wide v, choice which) { _mm512_storeu_ps(to, _mm512_maskz_compress_ps(which, v)); }
INLINE void put_index(uint32_t *to, wide_index v, choice which)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(which, v));
}
#else
enum { STRIDE = 8 };
typedef lane wide;
typedef ilane wide_index;
typedef unsigned choice;
#define wide_of(v) splat(v)
#define wide_at(f) (*(const ulane *)(f))
#define wide_max(a, b) max_lane(a, b)
#define wide_min(a, b) min_lane(a, b)
#define wide_fma(a, b, c) fma_lane(a, b, c)
INLINE wide_index index_at(const uint32_t *f) { return *(const uilane *)f; }
INLINE wide_index index_from(uint32_t first)
{
    const int f = (int)first;
    return (ilane){f, f + 1, f + 2, f + 3, f + 4, f + 5, f + 6, f + 7} * UNIT;
}
#if defined(__AVX2__)
static int packing[256][8] __attribute__((aligned(32))); /* which lanes survive, moved to the front */
__attribute__((constructor)) static void fill_packing(void)
{
    for (int m = 0; m < 256; m++)
        for (int b = 0, k = 0; b < 8; b++)
            if (m >> b & 1) packing[m][k++] = b;
}
INLINE choice bits_of(ilane c) { return (choice)_mm256_movemask_ps((__m256)c); }
INLINE void put_index(uint32_t *to, wide_index v, choice which)
{
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32((__m256i)v, *(const __m256i *)packing[which]));
}
#else
INLINE choice bits_of(ilane c)
{
    choice bits = 0;
    for (int b = 0; b < 8; b++) bits |= (choice)(c[b] & 1) << b;
    return bits;
}
INLINE void put_index(uint32_t *to, wide_index v, choice which)
{
    for (int b = 0, m = 0; b < 8; b++)
        if (which >> b & 1) to[m++] = (uint32_t)v[b];
}
#endif
INLINE choice wide_less(wide a, wide b) { return bits_of(a < b); }
INLINE choice other_than(wide_index a, uint32_t b) { return bits_of(a != (ilane){0} + (int)b); }
INLINE void put_chosen(float *to, wide v, choice which) { put_index((uint32_t *)(void *)to, (wide_index)v, which); }
#endif

/* Where the owners of one cell lie. */
typedef struct owners_box {
    float low[3], high[3];
} owners_box;

INLINE wide outside(wide x, float low, float high) { return x - wide_min(wide_max(x, wide_of(low)), wide_of(high)); }

/* Takes over those of a run that are within reach of the box: each operation of this distance rounds to no more than
 * that of the distance from an owner. `c` is padded: what runs over is overwritten by the next run. */
INLINE int take_near(mn_candidates *c, int at, const float *x, const float *y, const float *z, uint32_t first,
                     int count, const owners_box *box, float h2)
{
    for (int k = 0; k < count; k += STRIDE) {
        const wide px = wide_at(x + k), py = wide_at(y + k), pz = wide_at(z + k);
        const wide dx = outside(px, box->low[0], box->high[0]), dy = outside(py, box->low[1], box->high[1]),
                   dz = outside(pz, box->low[2], box->high[2]);
        choice near = wide_less(wide_fma(dz, dz, wide_fma(dy, dy, dx * dx)), wide_of(h2));
        if (count - k < STRIDE) near &= (choice)((1u << (count - k)) - 1u);
        put_chosen(c->x + at, px, near);
        put_chosen(c->y + at, py, near);
        put_chosen(c->z + at, pz, near);
        put_index(c->index + at, index_from(first + (uint32_t)k), near);
        at += __builtin_popcount(near);
    }
    return at;
}

/* Three cells along x are one run. */
static bool collect(const int rows[MN_ROWS], const mn_source *s, const real4 *x, const owners_box *box, float h2,
                    mn_candidates *c, int *have)
{
    for (int r = 0; r < MN_ROWS; r++) {
        const int from = s->start[rows[r] - 1], count = s->start[rows[r] + 2] - from, at = *have;
        if (at + count > MN_MOST_CANDIDATES) return false;
        if (!s->index) {
            *have = take_near(c, at, s->x + from, s->y + from, s->z + from, (uint32_t)from, count, box, h2);
            continue;
        }
        for (int k = 0; k < count; k++) {
            const int i = s->index[from + k];
            c->x[at + k] = x[i].x, c->y[at + k] = x[i].y, c->z[at + k] = x[i].z;
            c->index[at + k] = (uint32_t)i * UNIT;
        }
        *have += count;
    }
    return true;
}

/* The last stride is filled up with places far away. */
static void finish(mn_candidates *c, int count)
{
    static const float far[STRIDE] = {[0 ... STRIDE - 1] = 1e18f};
    static const uint32_t padding[STRIDE] = {[0 ... STRIDE - 1] = UINT32_MAX};
    memcpy(c->x + count, far, sizeof far);
    memcpy(c->y + count, far, sizeof far);
    memcpy(c->z + count, far, sizeof far);
    memcpy(c->index + count, padding, sizeof padding);
}

static int scan(const mn_candidates *c, int count, float x, float y, float z, float h2, uint32_t self, uint32_t *out)
{
    int m = 0;
    for (int k = 0; k < count; k += STRIDE) {
        const wide dx = wide_of(x) - wide_at(c->x + k), dy = wide_of(y) - wide_at(c->y + k),
                   dz = wide_of(z) - wide_at(c->z + k);
        const wide_index index = index_at(c->index + k);
        const choice near =
            wide_less(wide_fma(dz, dz, wide_fma(dy, dy, dx * dx)), wide_of(h2)) & other_than(index, self);
        put_index(out + m, index, near);
        m += __builtin_popcount(near);
    }
    return m;
}

/* The owners of a cell are the fluid in it; those of active points are not known: all candidates are near them. */
static owners_box box_of(const mn_list_job *job, int cell)
{
    owners_box box = {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
    if (job->first) return box;
    const mn_source *s = &job->sources[0];
    const float *x[3] = {s->x, s->y, s->z};
    for (int a = 0; a < 3; a++) {
        box.low[a] = 1e30f, box.high[a] = -1e30f;
        for (int i = s->start[cell]; i < s->start[cell + 1]; i++) {
            box.low[a] = x[a][i] < box.low[a] ? x[a][i] : box.low[a];
            box.high[a] = x[a][i] > box.high[a] ? x[a][i] : box.high[a];
        }
    }
    return box;
}

/* Whether owner i is in the cell whose candidates are at hand. Fluid lies in the order of its cells. */
INLINE bool is_at_hand(const mn_list_job *job, int i, const mn_list_space *space)
{
    if (job->first || space->cell < 0) return false;
    const int *start = job->sources[0].start;
    return i >= start[space->cell] && i < start[space->cell + 1];
}

/* 1: the candidates are at hand; 0: the owner is in no cell; -1: there are thousands. */
static int collect_around(const mn_list_job *job, int i, real4 p, float h2, mn_list_space *space)
{
    if (is_at_hand(job, i, space)) return 1;
    const int cell = mn_cell_find(job->strips, p.x, p.y, p.z, &space->spot);
    if (cell < 0) return 0;
    if (cell == space->cell) return 1;
    int rows[MN_ROWS];
    mn_cell_rows(job->strips, &space->spot, rows);
    const owners_box box = box_of(job, cell);
    space->cell = -1;
    space->fluid_count = space->wall_count = 0;
    for (int s = 0; s < job->source_count; s++) {
        const bool fluid = s < job->fluid_sources;
        if (!collect(rows, &job->sources[s], job->x, &box, h2, fluid ? &space->fluid : &space->wall,
                     fluid ? &space->fluid_count : &space->wall_count))
            return -1;
    }
    finish(&space->fluid, space->fluid_count);
    if (space->wall_count) finish(&space->wall, space->wall_count);
    space->cell = cell;
    return 1;
}

#if MN_LANES == 8
/* Eight lists become one: entry k of list l to 8 k + l. Whole eights are read and written. */
static void interleave(uint32_t (*list)[MN_MOST_CANDIDATES + 16], int count, uint32_t *out)
{
    for (int k = 0; k < count; k += 8) {
        ilane a[8], b[8];
        for (int l = 0; l < 8; l++) a[l] = *(const uilane *)(list[l] + k);
        for (int l = 0; l < 4; l++) {
            b[2 * l] = __builtin_shufflevector(a[2 * l], a[2 * l + 1], 0, 8, 1, 9, 4, 12, 5, 13);
            b[2 * l + 1] = __builtin_shufflevector(a[2 * l], a[2 * l + 1], 2, 10, 3, 11, 6, 14, 7, 15);
        }
        for (int l = 0; l < 2; l++)
            for (int m = 0; m < 2; m++) {
                a[4 * l + 2 * m] = __builtin_shufflevector(b[4 * l + m], b[4 * l + 2 + m], 0, 1, 8, 9, 4, 5, 12, 13);
                a[4 * l + 2 * m + 1] =
                    __builtin_shufflevector(b[4 * l + m], b[4 * l + 2 + m], 2, 3, 10, 11, 6, 7, 14, 15);
            }
        for (int m = 0; m < 4; m++) {
            *(uilane *)(out + 8 * (k + m)) = __builtin_shufflevector(a[m], a[4 + m], 0, 1, 2, 3, 8, 9, 10, 11);
            *(uilane *)(out + 8 * (k + 4 + m)) = __builtin_shufflevector(a[m], a[4 + m], 4, 5, 6, 7, 12, 13, 14, 15);
        }
    }
}
#else
static void interleave(uint32_t (*list)[MN_MOST_CANDIDATES + 16], int count, uint32_t *out)
{
    memcpy(out, list[0], (size_t)count * sizeof *out);
}
#endif

static int list(const mn_list_job *job, int i, mn_row *row, mn_list_space *space, uint32_t *out, int room)
{
    const float h2 = job->h * job->h * (1.0f - 2e-6f); /* strict even where a lattice puts pairs at exactly h */
    const uint32_t far_at = (uint32_t)job->far_at * UNIT;
    int count[2][MN_LANES] = {{0}}, most[2] = {0, 0};
    for (int l = 0; l < MN_LANES && i + l < job->end; l++) {
        const real4 p = job->x[i + l];
        const int found = collect_around(job, i + l, p, h2, space);
        if (found < 0) return -2;
        if (!found) continue;
        const uint32_t self = (uint32_t)(i + l) * UNIT;
        count[0][l] = scan(&space->fluid, space->fluid_count, p.x, p.y, p.z, h2, self, space->list[0][l]);
        if (space->wall_count)
            count[1][l] = scan(&space->wall, space->wall_count, p.x, p.y, p.z, h2, self, space->list[1][l]);
        for (int s = 0; s < job->map_slots; s++) { /* its own points of walls that are maps */
            const int slot = s * job->map_stride + i + l;
            space->list[1][l][count[1][l]] = (uint32_t)(job->map_at + slot) * UNIT;
            count[1][l] += job->maps[slot].w > 0.0f;
        }
        for (int s = 0; s < 2; s++)
            if (count[s][l] > most[s]) most[s] = count[s][l];
    }
    if (MN_LANES * (most[0] + most[1] + 8) > room) return -1; /* whole eights are written */
    for (int s = 0; s < 2; s++) {
        for (int l = 0; l < MN_LANES; l++)
            for (int k = count[s][l]; k < (most[s] + MN_LANES - 1) / MN_LANES * MN_LANES; k++)
                space->list[s][l][k] = far_at;
        interleave(space->list[s], most[s], out + MN_LANES * (s ? most[0] : 0));
    }
    *row = (mn_row){0, (uint16_t)most[0], (uint16_t)(most[0] + most[1])};
    return MN_LANES * (most[0] + most[1]);
}

/* Those of one strip at once. */
INLINE int put_marks(const mn_strips *s, const mn_spot *spot, uint64_t cells, mn_taken *missed)
{
    const int needs = mn_strip_needs(cells);
    if (!cells) return 0;
    if (spot->strip < 0 || (s->near[(ptrdiff_t)spot->strip * MN_ROWS + MN_OWN_ROW] & needs) != needs) {
        *missed = (mn_taken){spot->key, cells};
        return 1;
    }
    uint64_t *mark = &s->mark[spot->strip];
    if (cells & ~__atomic_load_n(mark, __ATOMIC_RELAXED)) __atomic_fetch_or(mark, cells, __ATOMIC_RELAXED);
    return 0;
}

static int mark(const mn_strips *strips, const float low[3], const float high[3], const real4 *x, int *cell, int from,
                int to, mn_taken *missed)
{
    const float inv_h = strips->inv_h;
    mn_spot spot = mn_no_spot;
    uint64_t cells = 0;
    int misses = 0;
    for (int i = from; i < to; i++) {
        const real4 p = x[i];
        const bool in = (p.x >= low[0]) & (p.y >= low[1]) & (p.z >= low[2]) & (p.x <= high[0]) & (p.y <= high[1]) &
                        (p.z <= high[2]);
        if (!in) {
            if (cell) cell[i] = -1;
            continue;
        }
        const int c = mn_cell_along(p.x, inv_h);
        const uint64_t key = mn_strip_key(c, mn_cell_along(p.y, inv_h), mn_cell_along(p.z, inv_h));
        if (key != spot.key) {
            misses += put_marks(strips, &spot, cells, missed + misses);
            spot = (mn_spot){key, mn_strip_find(strips, key), 0};
            cells = 0;
        }
        cells |= (uint64_t)1 << (c & (MN_STRIP - 1));
        if (cell) cell[i] = spot.strip * MN_STRIP + (c & (MN_STRIP - 1));
    }
    return misses + put_marks(strips, &spot, cells, missed + misses);
}

static void cells(const mn_strips *strips, int *cell, int from, int to)
{
    const mn_strips s = *strips; /* which nothing written here can change */
    const int outside = s.rank[s.count];
    for (int i = from; i < to; i++)
        cell[i] = cell[i] < 0 ? outside : mn_cell_number(&s, cell[i] / MN_STRIP, cell[i] % MN_STRIP);
}

typedef double four __attribute__((vector_size(32)));

static inline void fold_in(four *into, four value, bool largest)
{
    if (!largest) *into += value;
    else
        for (int c = 0; c < 4; c++) (*into)[c] = value[c] > (*into)[c] ? value[c] : (*into)[c];
}

static inline void fold_tree(const real4 *term, int count, bool largest, double out[4])
{
    four part[MN_BLOCK_LANES];
    const double empty = largest ? -1e300 : 0.0;
    for (int t = 0; t < MN_BLOCK_LANES; t++) part[t] = (four){empty, empty, empty, empty};
    for (int k = 0; k < count; k++) {
        const real4 v = term[k];
        fold_in(&part[k % MN_BLOCK_LANES], (four){(double)v.x, (double)v.y, (double)v.z, (double)v.w}, largest);
    }
    for (int half = MN_BLOCK_LANES / 2; half > 0; half /= 2)
        for (int t = 0; t < half; t++) fold_in(&part[t], part[t + half], largest);
    memcpy(out, &part[0], sizeof part[0]);
}

static void fold(const real4 *term, int count, bool largest, double out[4])
{
    if (largest) fold_tree(term, count, true, out);
    else fold_tree(term, count, false, out);
}

const mn_cpu_kernels JOIN(mn_kernels_, MN_VARIANT) = {
    .lanes = MN_LANES,
    .kernel =
        {
#define KERNEL_ENTRY(name) [MN_KERNEL_##name] = run_##name,
#include LIST_OF_KERNELS
#undef KERNEL_ENTRY
        },
    .list = list,
    .mark = mark,
    .cells = cells,
    .fold = fold,
};

#if MN_LANES == 1 /* the tables need the FIELDS lines, which only this file reads */
#define ONE(role, type, name) +1
#define NUMBER(role, type, name) MN_FIELD_##name,
#define ROLE(role, type, name) MN_##role,
const mn_kernel_info mn_kernel_table[MN_KERNEL_COUNT] = {
#define KERNEL_ENTRY(name) {#name, 0 name##_FIELDS(ONE), {name##_FIELDS(NUMBER)}, {name##_FIELDS(ROLE)}},
#include "kernel_list.h"
#undef KERNEL_ENTRY
};
const mn_field_info mn_field_table[MN_FIELD_COUNT] = {
#define FIELD_ENTRY(type, name, unit, life, copies, at, meaning)                                                       \
    {#name, unit, meaning, MN_TYPE_##type, MN_LIFE_##life, MN_COPIED_##copies, MN_AT_##at},
#include "kernel_fields.h"
#undef FIELD_ENTRY
};
#endif
