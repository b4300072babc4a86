/* weld.h -- which points are at the same place. */
#ifndef MN_WELD_H
#define MN_WELD_H

#include <stdbool.h>
#include <stddef.h>

/* out[i] = the first of `count` points with the position of point i. False: out of memory. */
bool mn_weld(const double *x, size_t count, int *out);

#endif
