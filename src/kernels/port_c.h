/* port_c.h -- the C reading of port.h: scalar (MN_LANES 1) or eight at once in GCC/Clang vectors (MN_LANES 8).
 *
 * For eight lanes the lists of eight particles side by side, a slice, are interleaved: entry k of lane l lies at 8 k +
 * l, and the shorter ones are filled up with the index of a particle far away, where every kernel function is exactly
 * zero: no tails, no masks.
 *
 * KERNEL(name) kernels run over slices: a num is that of eight particles, each with one neighbour at a time, so a lane
 * does exactly what a scalar would do and gives the same bits. BRANCHING_KERNEL(name) are compiled for one particle at
 * a time only (cpu_kernels.c). `lane`, `ilane` and `lane4` are words of this file and of the search.
 */
#ifndef MN_PORT_C_H
#define MN_PORT_C_H

#include <math.h>
#include <stdint.h>

typedef float real, pair;
typedef struct real4 {
    float x, y, z, w;
} __attribute__((aligned(16))) real4;

/* Neighbours of a particle, or of a slice: `fluid` entries (for each lane) from `start` on, then walls up to `all`. */
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
#define DEVICE_MEMORY
#define FIELD(type) const type *restrict /* a parameter of a function */
#define WRITTEN(type) type *restrict
#define LISTS const mn_lists *restrict nb, const int i /* of one that has loops */
#define LISTS_OF_I nb, i
typedef uint32_t entry; /* k of the loops, its place in the list */

#if MN_LANES == 1

typedef float num;
typedef int whole;
typedef real4 vec;
typedef int neighbour; /* j of the loops */
#define num_of(s) (s)
#define sqrt_of(a) sqrtf(a)
#define fma_of(a, b, c) fmaf(a, b, c)
#define max_of(a, b) ((a) > (b) ? (a) : (b))
#define min_of(a, b) ((a) < (b) ? (a) : (b))
#define choose(c, a, b) ((c) ? (a) : (b))
#define anyone(c) (c)
#define whole_of(a) ((int)(a))
#define real_of(k) ((float)(k))
#define vec_there(f, j) f[j]
#define num_there(f, j) f[j]
#define vec_at(f, k) f[k]
#define vec_here(f) f[i]
#define num_here(f) f[i]
#define set_vec(f, X, Y, Z, W) f[i] = (real4){X, Y, Z, W}
#define set_vec_at(f, k, X, Y, Z, W) f[k] = (real4){X, Y, Z, W}
#define set_num(f, v) f[i] = (v)
#define pair_value(f) f[k]
#define set_pair_value(f, v) f[k] = (v)
#define parameter(model, key, fluid) (par->model[(int)(fluid)].key)
#define of_fluid(key, fluid) (par->key[(int)(fluid)])
#define of_object(key, object) (par->boundary.key[(int)(object)])
#define of_pair(key, a, b) (par->pairs.key[(int)(a) * MN_FLUIDS + (int)(b)])
#define ROW_ (nb->row[i - par->first])
#define ROW_LOOP_(j, from, to)                                                      \
    for (uint32_t k = ROW_.start + (from), k1_ = ROW_.start + (to); k < k1_; k++) { \
        const int j = (int)nb->index[k];                                            \
        (void)j;

#else

typedef float lane __attribute__((vector_size(32)));
typedef int ilane __attribute__((vector_size(32)));
typedef float ulane __attribute__((vector_size(32), aligned(4), may_alias));
typedef struct lane4 {
    lane x, y, z, w;
} lane4;
typedef const uint32_t *neighbour; /* j of the loops */

INLINE lane pick_lane(ilane c, lane a, lane b) { return (lane)((c & (ilane)a) | (~c & (ilane)b)); }
#if defined(__AVX2__)
#include <immintrin.h>
INLINE lane sqrt_lane(lane a) { return (lane)_mm256_sqrt_ps((__m256)a); }
INLINE lane fma_lane(lane a, lane b, lane c) { return (lane)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
INLINE int any_lane(ilane c) { return _mm256_movemask_ps((__m256)c) != 0; }
INLINE lane max_lane(lane a, lane b) { return (lane)_mm256_max_ps((__m256)a, (__m256)b); }
INLINE lane min_lane(lane a, lane b) { return (lane)_mm256_min_ps((__m256)a, (__m256)b); }
#else
INLINE lane sqrt_lane(lane a)
{
    for (int l = 0; l < 8; l++) a[l] = sqrtf(a[l]);
    return a;
}
INLINE lane fma_lane(lane a, lane b, lane c)
{
    for (int l = 0; l < 8; l++) a[l] = fmaf(a[l], b[l], c[l]);
    return a;
}
INLINE int any_lane(ilane c)
{
    int any = 0;
    for (int l = 0; l < 8; l++) any |= c[l];
    return any != 0;
}
INLINE lane max_lane(lane a, lane b) { return pick_lane(a > b, a, b); }
INLINE lane min_lane(lane a, lane b) { return pick_lane(a < b, a, b); }
#endif
/* a number or a lane as a lane; minus zero leaves all bits as they are */
#define splat(s) ((s) - (lane){0})
typedef float quad __attribute__((vector_size(16), may_alias));

typedef lane num;
typedef ilane whole;
typedef lane4 vec;
#define num_of(s) splat(s)
#define sqrt_of(a) sqrt_lane(splat(a))
#define fma_of(a, b, c) fma_lane(splat(a), splat(b), splat(c))
#define max_of(a, b) max_lane(splat(a), splat(b))
#define min_of(a, b) min_lane(splat(a), splat(b))
#define choose(c, a, b) pick_lane(c, splat(a), splat(b))
#define anyone(c) any_lane(c)
#define whole_of(a) __builtin_convertvector(splat(a), ilane)
#define real_of(k) __builtin_convertvector(k, lane)

/* Eight scattered real4 turned into four lanes. Lists of the lanes hold byte offsets into real4 fields: no address
   arithmetic a neighbour. */
INLINE lane4 gather4(const real4 *f, const uint32_t *j)
{
#define AT_OFFSET(a) (*(const quad *)((const char *)f + j[a]))
#if defined(__AVX2__) /* the second half straight from memory: the compiler does not find that by itself */
#define BOTH(a, b) ((lane)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)AT_OFFSET(a)), (__m128)AT_OFFSET(b), 1))
#else
#define BOTH(a, b) __builtin_shufflevector(AT_OFFSET(a), AT_OFFSET(b), 0, 1, 2, 3, 4, 5, 6, 7)
#endif
    const lane r0 = BOTH(0, 4), r1 = BOTH(1, 5), r2 = BOTH(2, 6), r3 = BOTH(3, 7);
#undef BOTH
#undef AT_OFFSET
    const lane t0 = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13);
    const lane t1 = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15);
    const lane t2 = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 4, 12, 5, 13);
    const lane t3 = __builtin_shufflevector(r2, r3, 2, 10, 3, 11, 6, 14, 7, 15);
    return (lane4){__builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13),
                   __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15),
                   __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13),
                   __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15)};
}
INLINE lane gather1(const float *f, const uint32_t *j)
{
    __asm__("" : "+r"(j)); /* the indices are read once more: eight loads cost less than eight registers */
#define AT_OFFSET(a) (f[j[a] / sizeof(real4)])
    return (lane){AT_OFFSET(0), AT_OFFSET(1), AT_OFFSET(2), AT_OFFSET(3),
                  AT_OFFSET(4), AT_OFFSET(5), AT_OFFSET(6), AT_OFFSET(7)};
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
#define vec_there(f, j) gather4(f, j)
#define num_there(f, j) gather1(f, j)
#define parameter(model, key, fluid) \
    lookup(&par->model[0].key, (int)(sizeof par->model[0] / sizeof(float)), par->fluids, fluid)
#define of_fluid(key, fluid) lookup(par->key, 1, par->fluids, fluid)
#define of_object(key, object) lookup(par->boundary.key, 1, MN_OBJECTS, object)
#define of_pair(key, a, b) lookup(par->pairs.key, 1, par->fluids, (float)MN_FLUIDS * (a) + (b))
#define ROW_ (nb->row[(i - par->first) / 8])

/* Lists and pair values are asked for half a page ahead: the machine's own prefetch ends with each page. */
enum { AHEAD = 512 };
INLINE lane pair_at(const float *f, uint32_t k)
{
    __builtin_prefetch(f + k + AHEAD);
    return *(const ulane *)(f + k);
}
#define pair_value(f) pair_at(f, k)
#define set_pair_value(f, v) (*(ulane *)((f) + k) = (v))
#define ROW_LOOP_(j, from, to)                                                                   \
    for (uint32_t k = ROW_.start + 8u * (from), k1_ = ROW_.start + 8u * (to); k < k1_; k += 8) { \
        const uint32_t *const j = nb->index + k;                                                 \
        __builtin_prefetch(j + AHEAD);                                                           \
        (void)j;

#endif

#define FOR_FLUID(j) ROW_LOOP_(j, 0, ROW_.fluid)
#define FOR_BOUNDARY(j) ROW_LOOP_(j, ROW_.fluid, ROW_.all)
#define FOR_ALL(j) ROW_LOOP_(j, 0, ROW_.all)
#define END }

#if MN_LANES == 8
/* Eight particles side by side. */
INLINE lane4 load_slice(const real4 *f)
{
    static const uint32_t side_by_side[8] = {0, 16, 32, 48, 64, 80, 96, 112};
    return gather4(f, side_by_side);
}
INLINE void store_slice(real4 *f, lane x, lane y, lane z, lane w)
{
    const lane t0 = __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13),
               t1 = __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
    const lane t2 = __builtin_shufflevector(z, w, 0, 8, 1, 9, 4, 12, 5, 13),
               t3 = __builtin_shufflevector(z, w, 2, 10, 3, 11, 6, 14, 7, 15);
    const lane r0 = __builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13),
               r1 = __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15);
    const lane r2 = __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13),
               r3 = __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15);
    quad *q = (quad *)f;
    q[0] = __builtin_shufflevector(r0, r0, 0, 1, 2, 3), q[4] = __builtin_shufflevector(r0, r0, 4, 5, 6, 7);
    q[1] = __builtin_shufflevector(r1, r1, 0, 1, 2, 3), q[5] = __builtin_shufflevector(r1, r1, 4, 5, 6, 7);
    q[2] = __builtin_shufflevector(r2, r2, 0, 1, 2, 3), q[6] = __builtin_shufflevector(r2, r2, 4, 5, 6, 7);
    q[3] = __builtin_shufflevector(r3, r3, 0, 1, 2, 3), q[7] = __builtin_shufflevector(r3, r3, 4, 5, 6, 7);
}
/* entries k of a table, one for each lane */
INLINE lane4 load_entries(const real4 *f, ilane k)
{
    uint32_t at[8];
    for (int l = 0; l < 8; l++) at[l] = (uint32_t)k[l] * (uint32_t)sizeof(real4);
    return gather4(f, at);
}
#define vec_at(f, k) load_entries(f, k)
#define vec_here(f) load_slice(&(f)[i])
#define num_here(f) (*(const ulane *)&(f)[i])
#define set_vec(f, X, Y, Z, W) store_slice(&(f)[i], splat(X), splat(Y), splat(Z), splat(W))
#define set_num(f, v) (*(ulane *)&(f)[i] = splat(v))
#endif

#define PARAM(role, type, f) CONST_##role type *restrict f,
#define TABLE4 const real4 *restrict
#define KERNEL(name) KERNEL_(name)
#define BRANCHING_KERNEL(name) KERNEL_(name)
#define KERNEL_(name)                                                                                     \
    INLINE void name##_item(name##_FIELDS(PARAM) const mn_lists *restrict nb, const params *restrict par, \
                            const real4 arg, const int i)

#endif
#endif
