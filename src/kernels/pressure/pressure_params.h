/* pressure_params.h -- what kernels ask of the scene's section `pressure`; methods/pressure.c fills it in. */
#ifndef MN_KERNEL_PRESSURE_PARAMS_H
#define MN_KERNEL_PRESSURE_PARAMS_H

typedef struct pressure_params {
    float isotropic; /* 1: pressure acts alike in all directions (isotropic.h); 0: as the papers have it */
} pressure_params;

#endif
