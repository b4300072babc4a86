/* reaction_params.h -- what reactions on the host and in kernels share. */
#ifndef MN_KERNEL_REACTION_PARAMS_H
#define MN_KERNEL_REACTION_PARAMS_H

#define MN_MOST_LOST 0.4f /* largest share of what a particle holds of a species that may react in a sub-step */

#endif
