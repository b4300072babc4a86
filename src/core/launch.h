/* launch.h -- running kernels. Copies that a kernel reads are refreshed before, what it writes is marked. A failure
 * is sticky: later runs do nothing. */
#ifndef MN_CORE_LAUNCH_H
#define MN_CORE_LAUNCH_H

#include "run/backend.h"

#define MN_ARG(a) ((real4){(float)(a), 0.0f, 0.0f, 0.0f})
#define MN_NO_ARG ((real4){0.0f, 0.0f, 0.0f, 0.0f})

/* Over the fluid. */
void mn_run(mn_world *w, int kernel, real4 arg);
/* The same, folding what it writes to `term`. */
void mn_run_sum(mn_world *w, int kernel, real4 arg, double out[4]);
void mn_run_max(mn_world *w, int kernel, real4 arg, double out[4]);
/* A sum whose value is known with that of the next sum or maximum; one at a time. */
const double *mn_run_sum_later(mn_world *w, int kernel, real4 arg);
/* Over the boundary points that feel, if there are any. */
void mn_run_active(mn_world *w, int kernel, real4 arg);
/* Over entries [first, end) of them, for kernels without neighbours. */
void mn_run_some(mn_world *w, int kernel, int first, int end, real4 arg);

/* Why a call of the device failed, or what the host did for it: in words. */
const char *mn_why(const mn_world *w);

/* Whether a pair field holds what that kernel wrote in this step; forgotten with the lists. */
bool mn_pair_holds(const mn_world *w, int field, int kernel);
void mn_pairs_forget(mn_world *w);

#endif
