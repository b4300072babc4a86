/* pairs_params.h -- what two fluids are to each other, for kernels. methods/interface.c fills it in; of_pair reads it.
 */
#ifndef MN_KERNEL_PAIRS_PARAMS_H
#define MN_KERNEL_PAIRS_PARAMS_H

typedef struct pairs_params {
    float tension[MN_FLUIDS * MN_FLUIDS];    /* N/m, of the interface between them */
    float attraction[MN_FLUIDS * MN_FLUIDS]; /* factor on what pulls between their particles */
} pairs_params;

#endif
