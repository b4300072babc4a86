/* air_params.h -- the air's motion at this moment, for kernels; air/air.c fills it in. */
#ifndef MN_KERNEL_AIR_PARAMS_H
#define MN_KERNEL_AIR_PARAMS_H

#define MN_FLOWS 16

/* One formula (air_velocity.h); `along` and `across` are unit vectors, of a uniform flow its velocity. */
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

#endif
