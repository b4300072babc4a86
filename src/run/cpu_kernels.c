/* cpu_kernels.c -- the physics for the CPU; compiled once per instruction set with MN_LANES (1 or 8) and MN_VARIANT (its name). */
#include "run/cpu_kernels.h"

#include <string.h>

#include "kernel_files.h"

#define MEMBER(role, type, name) type *name;
#define PASS(role, type, name) p.name,

#define KERNEL_ENTRY(name)                                                                                                         \
    static void run_##name(void *const *fields, const mn_lists *lists, const params *par, real4 arg, int from, int to)             \
    {                                                                                                                              \
        struct {                                                                                                                   \
            name##_FIELDS(MEMBER)                                                                                                  \
        } p;                                                                                                                       \
        memcpy(&p, fields, sizeof p);                                                                                              \
        for (int i = from; i < to; i++) name##_item(name##_FIELDS(PASS) lists, par, arg, i);                                       \
    }
#include "kernel_list.h"
#undef KERNEL_ENTRY

enum { MAX_CANDIDATES = 4096 };

/* The particles of the 27 cells around one cell, side by side. */
typedef struct candidates {
    float x[MAX_CANDIDATES + 8], y[MAX_CANDIDATES + 8], z[MAX_CANDIDATES + 8];
    uint32_t index[MAX_CANDIDATES + 8];
    int count;
} candidates;

/* What a list entry counts in, see mn_lists. */
enum { UNIT = MN_LANES == 1 ? 1 : (int)sizeof(real4) };

/* Copies in eights: source and target are padded, and what runs over is overwritten by the next run. */
INLINE void copy_run(float *to, const float *from, int count)
{
    for (int k = 0; k < count; k += 8) memcpy(to + k, from + k, 8 * sizeof(float));
}

/* The grid keeps an empty layer all around, so a cell's neighbours always exist; three cells along x are one run. */
static bool collect(const mn_grid *grid, const mn_source *s, int cell, candidates *c)
{
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const int row = cell + (dz * grid->size[1] + dy) * grid->size[0];
            const int from = s->start[row - 1], count = s->start[row + 2] - from;
            if (c->count + count > MAX_CANDIDATES) return false;
            copy_run(c->x + c->count, s->x + from, count);
            copy_run(c->y + c->count, s->y + from, count);
            copy_run(c->z + c->count, s->z + from, count);
            for (int k = 0; k < count; k++) c->index[c->count + k] = (uint32_t)(s->index ? s->index[from + k] : from + k) * UNIT;
            c->count += count;
        }
    return true;
}

static void finish(candidates *c)
{
    for (int k = 0; k < 8; k++) {
        c->x[c->count + k] = c->y[c->count + k] = c->z[c->count + k] = 1e18f;
        c->index[c->count + k] = UINT32_MAX;
    }
}

#if MN_LANES == 1
static int scan(const candidates *c, float x, float y, float z, float h2, uint32_t self, uint32_t *out)
{
    int m = 0;
    for (int k = 0; k < c->count; k++) {
        const float dx = x - c->x[k], dy = y - c->y[k], dz = z - c->z[k];
        out[m] = c->index[k];
        m += (dx * dx + dy * dy + dz * dz < h2) & (c->index[k] != self);
    }
    return m;
}
#else
typedef int uilane __attribute__((vector_size(32), aligned(4), may_alias));
#if defined(__AVX2__)
static int packing[256][8] __attribute__((aligned(32))); /* which lanes survive, moved to the front */
__attribute__((constructor)) static void fill_packing(void)
{
    for (int m = 0; m < 256; m++)
        for (int b = 0, k = 0; b < 8; b++)
            if (m >> b & 1) packing[m][k++] = b;
}
#endif
static int scan(const candidates *c, float x, float y, float z, float h2, uint32_t self, uint32_t *out)
{
    const lane X
    = splat(x), Y = splat(y), Z = splat(z), H2 = splat(h2);
    const int m0 = (int)self;
    const ilane me = {m0, m0, m0, m0, m0, m0, m0, m0};
    int m = 0;
    for (int k = 0; k < c->count; k += 8) {
        const lane dx = X
        -*(const ulane *)(c->x + k), dy = Y - *(const ulane *)(c->y + k), dz = Z - *(const ulane *)(c->z + k);
        const ilane index = *(const uilane *)(c->index + k);
        const ilane near = (dx * dx + dy * dy + dz * dz < H2) & (index != me);
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

static int padded(uint32_t *out, int m, uint32_t far_at)
{
    while (m % MN_LANES) out[m++] = far_at;
    return m;
}

static int list_cell(const mn_list_job *job, int cell, mn_row *rows, uint32_t *out, int room)
{
    const mn_source *own_source = job->owners;
    const int first = own_source->start[cell], last = own_source->start[cell + 1];
    const float h2 = job->h * job->h * (1.0f - 2e-6f); /* strict even where a lattice puts pairs at exactly h */
    const uint32_t far_at = (uint32_t)job->far_at * UNIT;
    candidates fluid, wall;
    fluid.count = wall.count = 0;
    for (int s = 0; s < job->source_count; s++)
        if (!collect(job->grid, &job->sources[s], cell, s < job->fluid_sources ? &fluid : &wall)) return -2;
    finish(&fluid);
    finish(&wall);
    int m = 0;
    for (int i = first; i < last; i++) {
        if (m + fluid.count + wall.count + job->map_slots + 3 * 8 > room) return -1;
        const float x = own_source->x[i], y = own_source->y[i], z = own_source->z[i];
        const uint32_t self = (uint32_t)(own_source->index ? own_source->index[i] : i) * UNIT;
        uint32_t *list = out + m;
        int count = padded(list, scan(&fluid, x, y, z, h2, self, list), far_at);
        rows[i].start = (uint32_t)m;
        rows[i].fluid = (uint16_t)count;
        if (wall.count) count += scan(&wall, x, y, z, h2, self, list + count);
        for (int s = 0; s < job->map_slots; s++) {
            const int slot = s * job->map_stride + i;
            list[count] = (uint32_t)(job->map_at + slot) * UNIT;
            count += job->maps[slot].w > 0.0f;
        }
        count = padded(list, count, far_at);
        rows[i].all = (uint16_t)count;
        m += count;
    }
    return m;
}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
const mn_cpu_kernels JOIN(mn_kernels_, MN_VARIANT) = {
    .lanes = MN_LANES,
    .kernel =
        {
#define KERNEL_ENTRY(name) run_##name,
#include "kernel_list.h"
#undef KERNEL_ENTRY
        },
    .list_cell = list_cell,
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
