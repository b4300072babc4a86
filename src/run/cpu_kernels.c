/* cpu_kernels.c -- the physics for the CPU; compiled once per instruction set with MN_LANES (1 or 8) and MN_VARIANT (its name), and for eight lanes
 * once more with MN_SLICES for the kernels that run over slices. */
#include "run/cpu_kernels.h"

#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if MN_LANES == 1
#include "kernel_files.h"
#define LIST_OF_KERNELS "kernel_list.h"
enum { WIDTH = 1 };
#elif MN_SLICES
#include "kernel_files_slices.h"
#define LIST_OF_KERNELS "kernel_list_slices.h"
enum { WIDTH = 8 };
#else
#include "kernel_files_rows.h"
#define LIST_OF_KERNELS "kernel_list_rows.h"
enum { WIDTH = 1 };
#endif

#define MEMBER(role, type, name) type *name;
#define PASS(role, type, name) p.name,

#define KERNEL_ENTRY(name)                                                                                                         \
    static void run_##name(void *const *fields, const mn_lists *lists, const params *par, real4 arg, int from, int to)             \
    {                                                                                                                              \
        struct {                                                                                                                   \
            name##_FIELDS(MEMBER)                                                                                                  \
        } p;                                                                                                                       \
        memcpy(&p, fields, sizeof p);                                                                                              \
        for (int i = from; i < to; i += WIDTH) name##_item(name##_FIELDS(PASS) lists, par, arg, i);                                \
    }
#include LIST_OF_KERNELS
#undef KERNEL_ENTRY

#if MN_SLICES

extern const mn_kernel_fn JOIN(mn_slices_, MN_VARIANT)[MN_KERNEL_COUNT];
const mn_kernel_fn JOIN(mn_slices_, MN_VARIANT)[MN_KERNEL_COUNT] = {
#define KERNEL_ENTRY(name) [MN_KERNEL_##name] = run_##name,
#include LIST_OF_KERNELS
#undef KERNEL_ENTRY
};

#else

/* What a list entry counts in, see mn_lists. */
enum { UNIT = MN_LANES == 1 ? 1 : (int)sizeof(real4) };

#if MN_LANES == 8
typedef int uilane __attribute__((vector_size(32), aligned(4), may_alias));
#endif

/* How many candidates are looked at together. */
#if defined(__AVX512VL__)
enum { STRIDE = 16 };
#else
enum { STRIDE = 8 };
#endif

/* Copies in strides: source and target are padded, and what runs over is overwritten by the next run. */
INLINE void copy_run(float *to, const float *from, int count)
{
    for (int k = 0; k < count; k += STRIDE) memcpy(to + k, from + k, STRIDE * sizeof(float));
}

/* The grid keeps an empty layer all around, so a cell's neighbours always exist; three cells along x are one run. */
static bool collect(const mn_grid *grid, const mn_source *s, const real4 *x, int cell, mn_candidates *c, int *have)
{
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const int row = cell + (dz * grid->size[1] + dy) * grid->size[0];
            const int from = s->start[row - 1], count = s->start[row + 2] - from, at = *have;
            if (at + count > MN_MOST_CANDIDATES) return false;
            *have += count;
            if (s->index) {
                for (int k = 0; k < count; k++) {
                    const int i = s->index[from + k];
                    c->x[at + k] = x[i].x, c->y[at + k] = x[i].y, c->z[at + k] = x[i].z;
                    c->index[at + k] = (uint32_t)i * UNIT;
                }
                continue;
            }
            copy_run(c->x + at, s->x + from, count);
            copy_run(c->y + at, s->y + from, count);
            copy_run(c->z + at, s->z + from, count);
            for (int k = 0; k < count; k++) c->index[at + k] = (uint32_t)(from + k) * UNIT;
        }
    return true;
}

/* The last stride is filled up with nobody, far away. */
static void finish(mn_candidates *c, int count)
{
    static const float far[STRIDE] = {[0 ... STRIDE - 1] = 1e18f};
    static const uint32_t nobody[STRIDE] = {[0 ... STRIDE - 1] = UINT32_MAX};
    memcpy(c->x + count, far, sizeof far);
    memcpy(c->y + count, far, sizeof far);
    memcpy(c->z + count, far, sizeof far);
    memcpy(c->index + count, nobody, sizeof nobody);
}

#if MN_LANES == 1
static int scan(const mn_candidates *c, int count, float x, float y, float z, float h2, uint32_t self, uint32_t *out)
{
    int m = 0;
    for (int k = 0; k < count; k++) {
        const float dx = x - c->x[k], dy = y - c->y[k], dz = z - c->z[k];
        out[m] = c->index[k];
        m += (dx * dx + dy * dy + dz * dz < h2) & (c->index[k] != self);
    }
    return m;
}
#elif defined(__AVX512VL__)
static int scan(const mn_candidates *c, int count, float x, float y, float z, float h2, uint32_t self, uint32_t *out)
{
    const __m512 px = _mm512_set1_ps(x), py = _mm512_set1_ps(y), pz = _mm512_set1_ps(z), far = _mm512_set1_ps(h2);
    const __m512i me = _mm512_set1_epi32((int)self);
    int m = 0;
    for (int k = 0; k < count; k += STRIDE) {
        const __m512 dx = _mm512_sub_ps(px, _mm512_loadu_ps(c->x + k)), dy = _mm512_sub_ps(py, _mm512_loadu_ps(c->y + k));
        const __m512 dz = _mm512_sub_ps(pz, _mm512_loadu_ps(c->z + k));
        const __m512 r2 = _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)), _mm512_mul_ps(dz, dz));
        const __m512i index = _mm512_loadu_si512(c->index + k);
        const __mmask16 near = _mm512_mask_cmp_ps_mask(_mm512_cmpneq_epi32_mask(index, me), r2, far, _CMP_LT_OQ);
        _mm512_storeu_si512(out + m, _mm512_maskz_compress_epi32(near, index));
        m += __builtin_popcount(near);
    }
    return m;
}
#else
#if defined(__AVX2__)
static int packing[256][8] __attribute__((aligned(32))); /* which lanes survive, moved to the front */
__attribute__((constructor)) static void fill_packing(void)
{
    for (int m = 0; m < 256; m++)
        for (int b = 0, k = 0; b < 8; b++)
            if (m >> b & 1) packing[m][k++] = b;
}
#endif
static int scan(const mn_candidates *c, int count, float x, float y, float z, float h2, uint32_t self, uint32_t *out)
{
    const lane px = splat(x), py = splat(y), pz = splat(z), far = splat(h2);
    const int m0 = (int)self;
    const ilane me = {m0, m0, m0, m0, m0, m0, m0, m0};
    int m = 0;
    for (int k = 0; k < count; k += STRIDE) {
        const lane dx = px - *(const ulane *)(c->x + k), dy = py - *(const ulane *)(c->y + k), dz = pz - *(const ulane *)(c->z + k);
        const ilane index = *(const uilane *)(c->index + k);
        const ilane near = (dx * dx + dy * dy + dz * dz < far) & (index != me);
#if defined(__AVX2__)
        const int bits = _mm256_movemask_ps((__m256)near);
        _mm256_storeu_si256((__m256i *)(out + m), _mm256_permutevar8x32_epi32((__m256i)index, *(const __m256i *)packing[bits]));
        m += __builtin_popcount((unsigned)bits);
#else
        for (int b = 0; b < 8; b++) {
            out[m] = (uint32_t)index[b];
            m -= near[b];
        }
#endif
    }
    return m;
}
#endif

static bool within(const mn_list_job *job, real4 p)
{
    return p.x >= job->low[0] && p.y >= job->low[1] && p.z >= job->low[2] && p.x <= job->high[0] && p.y <= job->high[1] &&
           p.z <= job->high[2];
}

static bool collect_around(const mn_list_job *job, int cell, mn_list_space *space)
{
    if (cell == space->cell) return true;
    space->cell = -1;
    space->fluid_count = space->wall_count = 0;
    for (int s = 0; s < job->source_count; s++) {
        const bool fluid = s < job->fluid_sources;
        if (!collect(job->grid, &job->sources[s], job->x, cell, fluid ? &space->fluid : &space->wall,
                     fluid ? &space->fluid_count : &space->wall_count))
            return false;
    }
    finish(&space->fluid, space->fluid_count);
    if (space->wall_count) finish(&space->wall, space->wall_count);
    space->cell = cell;
    return true;
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
                a[4 * l + 2 * m + 1] = __builtin_shufflevector(b[4 * l + m], b[4 * l + 2 + m], 2, 3, 10, 11, 6, 7, 14, 15);
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
        if (!within(job, p)) continue;
        if (!collect_around(job, mn_cell_at(job->grid, p), space)) return -2;
        const uint32_t self = (uint32_t)(i + l) * UNIT;
        count[0][l] = scan(&space->fluid, space->fluid_count, p.x, p.y, p.z, h2, self, space->list[0][l]);
        if (space->wall_count) count[1][l] = scan(&space->wall, space->wall_count, p.x, p.y, p.z, h2, self, space->list[1][l]);
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
            for (int k = count[s][l]; k < (most[s] + MN_LANES - 1) / MN_LANES * MN_LANES; k++) space->list[s][l][k] = far_at;
        interleave(space->list[s], most[s], out + MN_LANES * (s ? most[0] : 0));
    }
    *row = (mn_row){0, (uint16_t)most[0], (uint16_t)(most[0] + most[1])};
    return MN_LANES * (most[0] + most[1]);
}

static void cells(const mn_grid *grid, const float low[3], const float high[3], const real4 *x, int *cell, int from, int to)
{
    const int outside = grid->size[0] * grid->size[1] * grid->size[2];
    for (int i = from; i < to; i++) {
        const real4 p = x[i];
        const bool out = (p.x < low[0]) | (p.y < low[1]) | (p.z < low[2]) | (p.x > high[0]) | (p.y > high[1]) | (p.z > high[2]);
        const int inside = mn_cell_at(grid, p);
        cell[i] = out ? outside : inside;
    }
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

#if MN_LANES == 8
extern const mn_kernel_fn JOIN(mn_slices_, MN_VARIANT)[MN_KERNEL_COUNT];
#endif
const mn_cpu_kernels JOIN(mn_kernels_, MN_VARIANT) = {
    .lanes = MN_LANES,
    .kernel =
        {
#define KERNEL_ENTRY(name) [MN_KERNEL_##name] = run_##name,
#include LIST_OF_KERNELS
#undef KERNEL_ENTRY
        },
#if MN_LANES == 8
    .slices = JOIN(mn_slices_, MN_VARIANT),
#endif
    .list = list,
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
#define FIELD_ENTRY(type, name) {#name, MN_TYPE_##type},
#include "kernel_fields.h"
#undef FIELD_ENTRY
};
#endif
#endif
