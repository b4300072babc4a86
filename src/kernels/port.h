/* port.h -- one dialect for physics kernels, read by three compilers.
 *
 * A kernel file is written once, for ONE particle i, in the words below:
 *
 *                      own (value at i)   lane (value at j)
 *   OpenCL C           float              float
 *   C, MN_LANES 1      float              float
 *   C, MN_LANES 8      8 particles        one neighbour of each
 *
 * LANES(name) does not branch on what it finds at a particle: it chooses with own_pick(condition, a, b), skips with own_any(condition), writes own_of(0.0f) for
 * a number that becomes an own, and always stores. KERNEL(name) may branch, and has no neighbours: the CPU runs it for one particle at a time. A file holds
 * one kind.
 *
 * Words: KERNEL(name) or LANES(name), ITEM(); FOR_FLUID(j), FOR_WALLS(j), FOR_ALL(j) ... END; load4_i, load1_i, store4_i, store1_i, load4_j, load1_j,
 * load_pair, store_pair; total (sum over the lanes of an accumulator), largest (of the lanes), splat, lane_sqrt, lane_fma (a b + c in one rounding), lane_max, lane_min, lane_pick; AT(model, key, w) and
 * AT_J(model, key, w): a model's parameter for the fluid whose index is w; par, arg. Nothing else of the platform may appear in a kernel.
 *
 * The field list  #define <kernel>_FIELDS(X)  X(role, type, name) ...  is the kernel's contract:
 *   NB   read at neighbours (and at i)      OWN  read at i only
 *   UPD  read and written at i              OUT  written at i
 *   PAIR read for each pair                 PAIROUT  written for each pair
 *   TABLE  a buffer of any length that the host fills (mn_world_table), read as name[k], or load4_at(name, k) where k is an own_int, a whole number for each
 *          particle (own_whole cuts an own, own_real is the way back); TABLE4: one of real4 as a function's parameter
 * From this one line come the C and OpenCL parameters, what is allocated, and which ghosts must be refreshed before the kernel runs.
 * Kernels write at i, never at j: no atomics, and any number of threads gives the same bits. At wall particles only the fields registered for
 * POINTS can be read.
 *
 * A field is registered once, by the file that owns it:
 *
 *   #define <file>_OWNS(F)  F(name, type, "unit", life, copies, at, "meaning") ...   one to a line; the build fails on a field that no file registers
 *
 *   life    KEEP stays with its particle from step to step, is sorted and saved; STEP; TABLE
 *   copies  what a periodic copy of a particle has: COPY the same, PLACE shifted, LEVER (pressure_system.h)
 *   at      FLUID, or POINTS: at wall points too
 *
 * The wall points that move or feel have lists too: a kernel started by mn_run_active runs with i over them; FOR_FLUID(j) are then the fluid
 * particles around the point, FOR_WALLS(j) the other wall points where a body feels the air (mn_layout.sees_points), else nobody. It has no pair fields.
 *
 * Conventions of all kernels: pos.w = rest volume V of the particle (m^3; of a wall particle its V_b), vel.w = index of its fluid (or wall),
 * h = support radius = 2 spacings, dens = n = sum V W, the density over the rest density.
 */
#ifndef MN_PORT_H
#define MN_PORT_H

#define MN_FLUIDS 8
#define MN_OBJECTS 256
#define MN_FLOWS 16
#define MN_MOST_LOST 0.4f /* largest share of what a particle holds of a species that may react in a sub-step */

#if !defined(__OPENCL_C_VERSION__) && !defined(__OPENCL_VERSION__)
#include "kernel_params.h"
#endif

#define MODEL_MEMBER(model) model##_params model[MN_FLUIDS];
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* One formula of the air's motion (air.h); `along` and `across` are unit vectors, of a uniform flow its velocity. */
#define AIR_UNIFORM 0
#define AIR_JET 1
#define AIR_VORTEX 2
#define AIR_SHEAR 3
typedef struct air_flow {
    int kind;
    float low[3], high[3]; /* acts within this box, m */
    float point[3], along[3], across[3];
    float radius, spread; /* m, 1 */
    float rate;           /* m/s; of shear 1/s */
} air_flow;

typedef struct air_params {
    float density, viscosity; /* kg/m^3, Pa s */
    float x, y, z;            /* velocity everywhere, m/s */
    int flows;
    air_flow flow[MN_FLOWS];
    int nodes[3]; /* of the imported grid; 0: none */
    float origin[3], inv_spacing[3];
    float scale;       /* factor on its velocities; */
    int zero_outside;  /* else as at its nearest face */
    int before, after; /* its slices around this moment, and how far it is between them */
    float between;
} air_params;

/* Shared by host and device: only int and float, so that both agree on the layout. */
typedef struct params {
    int first;  /* of the particles that the kernel runs over: 0, or the first wall point with a list */
    int n;      /* and one past the last: the fluid particles */
    int fluids; /* fluids in the scene */
    int walls;
    int maps, map_slots;    /* walls as volume maps; entries of pos and vel for each particle, for its points on them: */
    int map_at, map_stride; /* slot s of particle i at map_at + s * map_stride + i */
    int film;   /* 1: a film on the surface changes tension, adhesion and friction (film.h) */
    float spacing;          /* m */
    float h, inv_h;         /* support radius, m */
    float surface_pressure, surface_layer, surface_sheet, surface_thread, surface_thick, surface_lack, surface_rim, surface_sharp, surface_apart, surface_thin, surface_beside; /* constants of orthmann2013.h */
    float surface_flat, surface_round, surface_first, surface_least, surface_few, surface_depth, surface_edge, surface_smooth, surface_under;
    float surface_one, surface_rough, surface_same, surface_other, surface_inner, surface_outer, surface_bent, surface_still;
    float stress_flat, stress_edge, stress_least; /* of lafaurie1994.h */
    float w0;               /* kernel normalisation 8/(pi h^3) */
    float eps2;             /* 0.01 h^2 */
    float wall_weight;      /* of wall particles in the gradients of pressure */
    float dt, inv_dt;       /* s */
    float time;             /* s */
    float gx, gy, gz;       /* gravity, m/s^2 */
    float mid_x, mid_y, mid_z;    /* middle of the fluid, m */
    float low_x, low_y, low_z;    /* periodic box */
    float span_x, span_y, span_z; /* its length; 0: the axis is not periodic */
    float keep_low[3], keep_high[3]; /* particles outside are deleted */
    float density[MN_FLUIDS];       /* kg/m^3 */
    float inv_density[MN_FLUIDS];
    float friction[MN_OBJECTS];
    float adhesion[MN_OBJECTS];
    float mapped[MN_OBJECTS]; /* 1: a volume map, 0: particles */
    float point_mass[MN_OBJECTS]; /* kg, of a free body over the number of its points; else 0 */
    air_params air;
    MODEL_PARAMS(MODEL_MEMBER)
} params;

/* The table of strips (run/strips.h) as a device takes it. */
typedef struct mn_grid {
    float inv_h;
    int strips, shift;
} mn_grid;

/* ------------------------------------------------------------ OpenCL C -- */
#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)

#ifdef STRICT
#pragma OPENCL FP_CONTRACT OFF
#endif

typedef float real, own, lane, pair;
typedef int own_int;
typedef float4 real4, own4, lane4;
typedef struct vec { /* not float4, and no struct of 16 bytes, which x86 passes as two float2: a sum would be taken apart and put together for each neighbour */
    float x, y, z, w, unused;
} vec;
typedef int neighbour; /* j of the loops */
typedef uint entry;    /* and k, its place in the list */
#define DEVICE_MEMORY __global
#define FIELD(type) __global const type *restrict /* a parameter of a function */
#define WRITTEN(type) __global type *restrict
#define LISTS __global const uint *restrict nb_row, __global const int *restrict nb_index, const int slot_, const int i /* of one that has loops */
#define LISTS_OF_I nb_row, nb_index, slot_, i

#define PARAM(role, type, f) __global PARAM_##role type *restrict f,
#define PARAM_NB const
#define PARAM_OWN const
#define PARAM_UPD
#define PARAM_OUT
#define PARAM_PAIR const
#define PARAM_PAIROUT
#define PARAM_TABLE const
#define TABLE4 __global const real4 *restrict

#define KERNEL(name)                                                                                                    \
    __kernel void name(name##_FIELDS(PARAM) __global const uint *restrict nb_row, __global const int *restrict nb_index, \
                       __constant params *par, const float4 arg)

#define LANES(name) KERNEL(name)
#define ITEM()                                                       \
    const int slot_ = (int)get_global_id(0), i = slot_ + par->first; \
    if (i >= par->n) return
#define INLINE static inline __attribute__((always_inline))
#define PAR __constant params *par
INLINE vec vec_from(float4 v)
{
    vec r;
    r.x = v.x, r.y = v.y, r.z = v.z, r.w = v.w;
    return r;
}

/* The row of a particle: fluid neighbours (12 bits), all neighbours (12), its rank by length within the 32 around it. Behind 32 rows lie the first entries of
   their four slices of eight ranks; of one particle each entry lies 8 behind the one before. */
#define NB_MOST 4095u
#define NB_ROW(slot) ((uint)(slot) / 32u * 36u + (uint)(slot) % 32u)
#define NB_SLICE(slot, rank) ((uint)(slot) / 32u * 36u + 32u + (rank) / 8u)
#define NB_FLUID_(row) ((row) & 4095u)
#define NB_ALL_(row) ((row) >> 12 & 4095u)
#define ROW_LOOP_(j, from, to)                                                                                            \
    for (uint row_ = nb_row[NB_ROW(slot_)], first_ = nb_row[NB_SLICE(slot_, row_ >> 24)] + (row_ >> 24 & 7u), k = first_ + 8u * (from), end_ = first_ + 8u * (to); k < end_; k += 8u) { \
        const int j = nb_index[k];                                                                                        \
        (void)j;
#define FOR_FLUID(j) ROW_LOOP_(j, 0u, NB_FLUID_(row_))
#define FOR_WALLS(j) ROW_LOOP_(j, NB_FLUID_(row_), NB_ALL_(row_))
#define FOR_ALL(j) ROW_LOOP_(j, 0u, NB_ALL_(row_))
#define END }
#define neighbour_count() ((int)NB_ALL_(nb_row[NB_ROW(slot_)]))

#define load4_at(f, k) f[k]
#define own_whole(a) ((int)(a))
#define own_real(k) ((float)(k))
#define load4_i(f, i) f[i]
#define load1_i(f, i) f[i]
#define load4_j(f, j) f[j]
#define vec_i(f, i) vec_from(f[i])
#define vec_j(f, j) vec_from(f[j])
#define load1_j(f, j) f[j]
#define load_pair(f) f[k]
#define store_pair(f, v) f[k] = (v)
#define store4_i(f, i, x, y, z, w) f[i] = (float4)(x, y, z, w)
#define store1_i(f, i, v) f[i] = (v)
#define total(v) (v)
#define largest(v) (v)
#define splat(s) (s)
#define lane_sqrt(a) sqrt(a)
#define lane_fma(a, b, c) fma(a, b, c)
#define lane_max(a, b) ((a) > (b) ? (a) : (b))
#define lane_min(a, b) ((a) < (b) ? (a) : (b))
#define lane_pick(c, a, b) ((c) ? (a) : (b))
#define own_sqrt(a) sqrt(a)
#define own_max(a, b) ((a) > (b) ? (a) : (b))
#define own_min(a, b) ((a) < (b) ? (a) : (b))
#define own_pick(c, a, b) ((c) ? (a) : (b))
#define own_any(c) (c)
#define own_of(s) (s)
#define AT(model, key, w) (par->model[(int)(w)].key)
#define CORE_AT(key, w) (par->key[(int)(w)])
#define AT_J(model, key, w) (par->model[(int)(w)].key)
#define CORE_AT_J(key, w) (par->key[(int)(w)])

/* ------------------------------------------------------------------- C -- */
#else
#include "port_c.h"
#endif

#endif
