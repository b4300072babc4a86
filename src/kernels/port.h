/* port.h -- one dialect for physics kernels, read by three compilers.
 *
 * A kernel is written once, for ONE particle i. A num is one of its numbers:
 *
 *   OpenCL C, and C with MN_LANES 1    a float
 *   C with MN_LANES 8                  eight floats, of eight particles side by side, each with one neighbour at a time
 *
 * So there is no `if` on a num. A model that acts between two particles needs nothing but pair.h; this is for the
 * others.
 *
 *   KERNEL(name)                    for each particle; stores always
 *   BRANCHING_KERNEL(name)          one particle at a time on every CPU: may branch, has no neighbours. A file holds
 *                                   one kind.
 *   FOR_FLUID(j), FOR_BOUNDARY(j), FOR_ALL(j) ... END    its neighbours; k is the entry of the list: no name of yours
 *   num, vec, whole                 a number; x, y, z and what the field keeps in w; a whole number
 *   num_of(c), whole_of(a), real_of(k)    a constant as num; cut to a whole number; and back
 *   vec_here(f), num_here(f)        field at i               vec_there(f, j), num_there(f, j)    at neighbour j
 *   set_vec(f, x, y, z, w), set_num(f, v)    stored at i     vec_at(f, k)    entry k of a TABLE
 *   pair_value(f), set_pair_value(f, v)      the number kept for this pair
 *   sqrt_of, max_of, min_of, fma_of          exactly rounded, the same bits everywhere
 *   choose(c, a, b)                 a where c holds, else b; both are worked out
 *   anyone(c)                       whether c holds for one of those worked on together: to skip what none needs
 *   parameter(model, key, fluid)    a model's parameter of the fluid with that index (vel.w); `on`: 1 if it uses the
 *                                   model
 *   of_fluid(density, fluid), of_object(friction, object)    a property of a fluid; of a wall, body or solid
 *   of_pair(tension, a, b)          of two fluids
 *   CONST(model, name)              a number that the model's method computes once: #define <model>_CONSTANTS(C)
 *                                   C(name, "meaning")
 *   par, arg                        what all kernels share (params, below); four numbers of this launch
 *   par->air.density                of the block of a part: the struct <part>_params of a file <part>_params.h in a
 *                                   folder of kernels becomes a member of params
 *
 * A function with a loop takes PAR, LISTS and its fields as FIELD(type) or WRITTEN(type), and is called with par,
 * LISTS_OF_I, ... Nothing else of the platform may appear in a kernel.
 *
 * The field list  #define <kernel>_FIELDS(X)  X(role, type, name) ...  is the kernel's contract:
 *   AROUND  read at neighbours and at i     HERE    read at i only
 *   CHANGES read and written at i           WRITES  written at i
 *   PAIR    read for each pair              PAIR_WRITES    written for each pair
 *   TABLE   a buffer of any length that the host fills (mn_world_table); TABLE4: one of real4 as a function's parameter
 * From this one line come the C and OpenCL parameters, what is allocated, and which copies across periodic faces must
 * be refreshed before the kernel runs. Kernels write at i, never at j: no atomics, and any number of threads gives the
 * same bits.
 *
 * A field is registered once, by the file that owns it; the build fails on a field that no file registers:
 *
 *   #define <owner>_OWNS(F)  F(name, type, "unit", life, copies, at, "meaning") ...   one to a line
 *
 *   life    KEEP stays with its particle from step to step, is sorted and saved; STEP; TABLE
 *   copies  what a periodic copy of a particle has: COPY the same, PLACE shifted, LEVER (pressure_system.h)
 *   at      FLUID, or POINTS: at boundary points too; at these nothing else can be read. WANTED: at fluid particles,
 *           where a part has called mn_field_want; else it has no memory, and no kernel may read it
 *
 * A file that uses functions of others names them in a line "needs: a.h b.h", a comment of its own. A file whose loops
 * are written by hand says at its top what is hand-tuned and why, or that nothing is.
 *
 * The boundary points that move or feel have lists too: a kernel started by mn_run_active runs with i over them;
 * FOR_FLUID(j) are then the fluid particles around the point, FOR_BOUNDARY(j) the other boundary points where a body
 * feels the air (mn_layout.sees_points), else none. It has no pair fields.
 *
 * Lists are padded with a particle far away, of volume 0 and density 1: every term must be exactly 0 there, as kernel
 * functions are. Conventions of all kernels: pos.w = rest volume V of the particle (m^3; of a boundary point its V_b),
 * vel.w = index of its fluid (of a boundary point: of its object, plus half of its share of a contact pattern), h =
 * support radius, dens = n = sum V W, the density over the rest density.
 */
#ifndef MN_PORT_H
#define MN_PORT_H

#define MN_FLUIDS 8

#include "kernel_params.h"

#define PART_MEMBER(part) part##_params part;
#define MODEL_MEMBER(model) model##_params model[MN_FLUIDS];
#define CONST(model, name) (par->constants.model.name)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* What a kernel may do with a field of that role. */
#define CONST_AROUND const
#define CONST_HERE const
#define CONST_CHANGES
#define CONST_WRITES
#define CONST_PAIR const
#define CONST_PAIR_WRITES
#define CONST_TABLE const

/* Shared by host and device: only int and float, so that both agree on the layout. First what belongs to the particles
   and the step, then the blocks of the parts (<part>_params.h), then the models. */
typedef struct params {
    int first;             /* of the particles that the kernel runs over: 0, or the first boundary point with a list */
    int n;                 /* and one past the last: the fluid particles */
    int fluids;            /* fluids in the scene */
    float spacing;         /* m */
    float h, inv_h;        /* support radius, m */
    float w0;              /* kernel normalisation 8/(pi h^3) */
    float eps2;            /* 0.01 h^2 */
    float neighbour_ratio; /* number of neighbours, over that of a support of two spacings */
    float dt, inv_dt;      /* s */
    float time;            /* s */
    float gx, gy, gz;      /* gravity, m/s^2 */
    float mid_x, mid_y, mid_z;           /* middle of the fluid, m */
    float low_x, low_y, low_z;           /* periodic box */
    float span_x, span_y, span_z;        /* its length; 0: the axis is not periodic */
    float keep_low[3], keep_high[3];     /* particles outside are deleted */
    float liquid_low[3], liquid_high[3]; /* around all fluid with neighbours and what it may run into */
    float density[MN_FLUIDS];            /* kg/m^3 */
    float inv_density[MN_FLUIDS];
    PART_PARAMS(PART_MEMBER)
    model_constants constants; /* of the models, by their CONSTANTS lines; their methods fill them in */
    MODEL_PARAMS(MODEL_MEMBER)
} params;

/* The table of strips (run/strips.h) as a device takes it. */
typedef struct mn_grid {
    float inv_h;
    int strips, shift, full;
} mn_grid;

/* ------------------------------------------------------------ OpenCL C -- */
#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)

#ifdef STRICT
#pragma OPENCL FP_CONTRACT OFF
#endif

typedef float real, num, pair;
typedef int whole;
typedef float4 real4;
/* Not float4, and no struct of 16 bytes, which x86 passes as two float2: a sum would be taken apart and put together
   for each neighbour. More than 16 bytes are passed in memory and dissolve. */
typedef struct vec {
    float x, y, z, w, unused;
} vec;
typedef int neighbour; /* j of the loops */
typedef uint entry;    /* and k, its place in the list */
#define DEVICE_MEMORY __global
#define FIELD(type) __global const type *restrict /* a parameter of a function */
#define WRITTEN(type) __global type *restrict
/* of one that has loops */
#define LISTS __global const uint *restrict nb_row, __global const int *restrict nb_index, const int slot_, const int i
#define LISTS_OF_I nb_row, nb_index, slot_, i

#define PARAM(role, type, f) __global CONST_##role type *restrict f,
#define PASS(role, type, f) f,
#define TABLE4 __global const real4 *restrict

#define KERNEL(name) KERNEL_(name)
#define BRANCHING_KERNEL(name) KERNEL_(name)
#define KERNEL_(name)                                                                                       \
    INLINE void name##_item(name##_FIELDS(PARAM) __global const uint *restrict nb_row,                      \
                            __global const int *restrict nb_index, __constant params *par, const real4 arg, \
                                const int slot_, const int i)
/* What the host starts, one for each kernel; kernel_tables.sh puts these behind all files. */
#define KERNEL_ENTRY(name)                                                                     \
    __kernel void name(name##_FIELDS(PARAM) __global const uint *restrict nb_row,              \
        __global const int *restrict nb_index,                                                 \
                       __constant params *par, const float4 arg)                               \
    {                                                                                          \
        const int slot_ = (int)get_global_id(0), i = slot_ + par->first;                       \
        if (i < par->n) name##_item(name##_FIELDS(PASS) nb_row, nb_index, par, arg, slot_, i); \
    }
#define INLINE static inline __attribute__((always_inline))
#define PAR __constant params *par
INLINE vec vec_from(float4 v)
{
    vec r;
    r.x = v.x, r.y = v.y, r.z = v.z, r.w = v.w;
    return r;
}

/* The row of a particle: fluid neighbours (12 bits), all neighbours (12), its rank by length within the 32 around it.
   Behind 32 rows lie the first entries of their four slices of eight ranks; of one particle each entry lies 8 behind
   the one before. */
#define NB_MOST 4095u
#define NB_ROW(slot) ((uint)(slot) / 32u * 36u + (uint)(slot) % 32u)
#define NB_SLICE(slot, rank) ((uint)(slot) / 32u * 36u + 32u + (rank) / 8u)
#define NB_FLUID_(row) ((row) & 4095u)
#define NB_ALL_(row) ((row) >> 12 & 4095u)
#define ROW_LOOP_(j, from, to)                                                                                \
    for (uint row_ = nb_row[NB_ROW(slot_)], first_ = nb_row[NB_SLICE(slot_, row_ >> 24)] + (row_ >> 24 & 7u), \
        k = first_ + 8u * (from), end_ = first_ + 8u * (to); k < end_; k += 8u) {                             \
        const int j = nb_index[k];                                                                            \
        (void)j;
#define FOR_FLUID(j) ROW_LOOP_(j, 0u, NB_FLUID_(row_))
#define FOR_BOUNDARY(j) ROW_LOOP_(j, NB_FLUID_(row_), NB_ALL_(row_))
#define FOR_ALL(j) ROW_LOOP_(j, 0u, NB_ALL_(row_))
#define END }

#define vec_at(f, k) vec_from(f[k])
#define whole_of(a) ((int)(a))
#define real_of(k) ((float)(k))
#define vec_here(f) vec_from(f[i])
#define num_here(f) f[i]
#define vec_there(f, j) vec_from(f[j])
#define num_there(f, j) f[j]
#define pair_value(f) f[k]
#define set_pair_value(f, v) f[k] = (v)
#define set_vec(f, x, y, z, w) f[i] = (float4)(x, y, z, w)
#define set_vec_at(f, k, x, y, z, w) f[k] = (float4)(x, y, z, w)
#define set_num(f, v) f[i] = (v)
#define num_of(s) (s)
#define sqrt_of(a) sqrt(a)
#define fma_of(a, b, c) fma(a, b, c)
#define max_of(a, b) ((a) > (b) ? (a) : (b))
#define min_of(a, b) ((a) < (b) ? (a) : (b))
#define choose(c, a, b) ((c) ? (a) : (b))
#define anyone(c) (c)
#define parameter(model, key, fluid) (par->model[(int)(fluid)].key)
#define of_fluid(key, fluid) (par->key[(int)(fluid)])
#define of_object(key, object) (par->boundary.key[(int)(object)])
#define of_pair(key, a, b) (par->pairs.key[(int)(a) * MN_FLUIDS + (int)(b)])

/* ------------------------------------------------------------------- C -- */
#else
#include "port_c.h"
#endif

#endif
