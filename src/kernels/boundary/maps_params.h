/* maps_params.h -- walls as volume maps, for kernels; boundary/maps.c fills it in. */
#ifndef MN_KERNEL_MAPS_PARAMS_H
#define MN_KERNEL_MAPS_PARAMS_H

typedef struct maps_params {
    int count, slots, at, stride; /* slot s of particle i lies at + s * stride + i in pos and vel */
    float part;                   /* factor on their volume: 1 with a support of two spacings */
} maps_params;

#endif
