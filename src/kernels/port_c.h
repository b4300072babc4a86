/* port_c.h -- the C reading of port.h: scalar (MN_LANES 1) or eight neighbours in GCC/Clang vectors (MN_LANES 8).
 *
 * Neighbour lists of the lanes are padded to 8 with the index of a particle far away, where every kernel function is exactly zero:
 * no tails, no masks. A vector operation is written so that each compiler and instruction set gives the same bits.
 */
#ifndef MN_PORT_C_H
#define MN_PORT_C_H

#include <math.h>
#include <stdint.h>

typedef float real, pair;
typedef struct real4 {
    float x, y, z, w;
} __attribute__((aligned(16))) real4;

/* Neighbours of one particle: index[start .. start + fluid) are fluid, [start + fluid .. start + all) wall particles. */
typedef struct mn_row {
    uint32_t start;
    uint16_t fluid, all;
} mn_row;

typedef struct mn_lists {
    const mn_row *row;
    const uint32_t *index; /* of one lane: indices; of eight: byte offsets of real4 */
} mn_lists;

#ifdef MN_LANES /* the rest is for kernel code only */

#define INLINE static inline __attribute__((always_inline, unused))
#define PAR const params *par

typedef float own;
typedef real4 own4;

#if MN_LANES == 1

typedef float lane;
typedef real4 lane4;
#define splat(s) (s)
#define total(v) (v)
#define largest(v) (v)
#define lane_sqrt(a) sqrtf(a)
#define lane_max(a, b) ((a) > (b) ? (a) : (b))
#define lane_min(a, b) ((a) < (b) ? (a) : (b))
#define lane_pick(c, a, b) ((c) ? (a) : (b))
#define load4_j(f, j) f[j]
#define load1_j(f, j) f[j]
#define load_pair(f) f[k]
#define store_pair(f, v) f[k] = (v)
#define ROW_LOOP_(j, from, to)                        \
    for (uint32_t k = (from), k1_ = (to); k < k1_; k++) { \
        const int j = (int)nb->index[k];              \
        (void)j;
#define AT_J(model, key, w) (par->model[(int)(w)].key)
#define CORE_AT_J(key, w) (par->key[(int)(w)])

#else

typedef float lane __attribute__((vector_size(32)));
typedef int ilane __attribute__((vector_size(32)));
typedef float ulane __attribute__((vector_size(32), aligned(4), may_alias));
typedef struct lane4 {
    lane x, y, z, w;
} lane4;

INLINE lane splat(float s) { return (lane){s, s, s, s, s, s, s, s}; }
INLINE lane lane_pick(ilane c, lane a, lane b) { return (lane)((c & (ilane)a) | (~c & (ilane)b)); }
#if defined(__AVX2__)
#include <immintrin.h>
INLINE lane lane_sqrt(lane a) { return (lane)_mm256_sqrt_ps((__m256)a); }
INLINE lane lane_max(lane a, lane b) { return (lane)_mm256_max_ps((__m256)a, (__m256)b); }
INLINE lane lane_min(lane a, lane b) { return (lane)_mm256_min_ps((__m256)a, (__m256)b); }
#else
INLINE lane lane_sqrt(lane a)
{
    for (int l = 0; l < 8; l++) a[l] = sqrtf(a[l]);
    return a;
}
INLINE lane lane_max(lane a, lane b) { return lane_pick(a > b, a, b); }
INLINE lane lane_min(lane a, lane b) { return lane_pick(a < b, a, b); }
#endif
typedef float quad __attribute__((vector_size(16), may_alias));
/* ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), whatever the instruction set */
INLINE float total(lane a)
{
    const quad halves = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    const quad pairs = halves + __builtin_shufflevector(halves, halves, 2, 3, 0, 1);
    return pairs[0] + pairs[1];
}

INLINE float largest(lane a)
{
    float top = a[0];
    for (int l = 1; l < 8; l++) top = a[l] > top ? a[l] : top;
    return top;
}

/* Eight scattered real4 turned into four lanes. Lists of the lanes hold byte offsets into real4 fields: no address arithmetic a neighbour. */
INLINE lane4 gather4(const real4 *f, const uint32_t *j)
{
#define AT_OFFSET(a) (*(const quad *)((const char *)f + j[a]))
#define BOTH(a, b) __builtin_shufflevector(AT_OFFSET(a), AT_OFFSET(b), 0, 1, 2, 3, 4, 5, 6, 7)
    const lane r0 = BOTH(0, 4), r1 = BOTH(1, 5), r2 = BOTH(2, 6), r3 = BOTH(3, 7);
#undef BOTH
#undef AT_OFFSET
    const lane t0 = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13);
    const lane t1 = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15);
    const lane t2 = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 4, 12, 5, 13);
    const lane t3 = __builtin_shufflevector(r2, r3, 2, 10, 3, 11, 6, 14, 7, 15);
    return (lane4){__builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15),
                   __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13), __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15)};
}
INLINE lane gather1(const float *f, const uint32_t *j)
{
#define AT_OFFSET(a) (f[j[a] / sizeof(real4)])
    return (lane){AT_OFFSET(0), AT_OFFSET(1), AT_OFFSET(2), AT_OFFSET(3), AT_OFFSET(4), AT_OFFSET(5), AT_OFFSET(6), AT_OFFSET(7)};
#undef AT_OFFSET
}
/* table[(int)w] for each lane; `stride` floats lie between the entries. */
INLINE lane lookup(const float *table, int stride, int entries, lane w)
{
    if (entries == 1) return splat(table[0]);
    lane v;
    for (int l = 0; l < 8; l++) v[l] = table[stride * (int)w[l]];
    return v;
}
#define load4_j(f, j) gather4(f, j)
#define load1_j(f, j) gather1(f, j)
#define load_pair(f) (*(const ulane *)((f) + k))
#define store_pair(f, v) (*(ulane *)((f) + k) = (v))
#define ROW_LOOP_(j, from, to)                              \
    for (uint32_t k = (from), k1_ = (to); k < k1_; k += 8) { \
        const uint32_t *const j = nb->index + k;            \
        (void)j;
#define AT_J(model, key, w) lookup(&par->model[0].key, (int)(sizeof par->model[0] / sizeof(float)), par->fluids, w)
#define CORE_AT_J(key, w) lookup(par->key, 1, 2, w)

#endif

#define FOR_FLUID(j) ROW_LOOP_(j, nb->row[i].start, nb->row[i].start + nb->row[i].fluid)
#define FOR_WALLS(j) ROW_LOOP_(j, nb->row[i].start + nb->row[i].fluid, nb->row[i].start + nb->row[i].all)
#define FOR_ALL(j) ROW_LOOP_(j, nb->row[i].start, nb->row[i].start + nb->row[i].all)
#define END }
#define neighbour_count() ((int)nb->row[i].all) /* an upper bound within the padding */

#define load4_i(f, i) f[i]
#define load1_i(f, i) f[i]
#define store4_i(f, i, X, Y, Z, W) f[i] = (real4){X, Y, Z, W}
#define store1_i(f, i, v) f[i] = (v)
#define own_sqrt(a) sqrtf(a)

#define PARAM(role, type, f) PARAM_##role type *restrict f,
#define PARAM_NB const
#define PARAM_OWN const
#define PARAM_UPD
#define PARAM_OUT
#define PARAM_PAIR const
#define PARAM_PAIROUT
#define PARAM_TABLE const
#define TABLE4 const real4 *restrict
#define KERNEL(name) \
    INLINE void name##_item(name##_FIELDS(PARAM) const mn_lists *restrict nb, const params *restrict par, const real4 arg, const int i)
#define ITEM() (void)nb, (void)par, (void)arg

#endif
#endif
