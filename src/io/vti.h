/* vti.h -- vectors on a regular grid as VTK image data (.vti): reading of what aerodynamics programs and ParaView
 * write, and writing.
 *
 * Read: one piece; ASCII, base64 or appended (raw or base64) arrays of 32- or 64-bit floats of either byte order,
 * not compressed; point data, or cell data, which then lies at the middles of the cells. Axes must be those of
 * space. */
#ifndef MN_IO_VTI_H
#define MN_IO_VTI_H

#include "base/message.h"

enum { MN_VTI_MOST = 100000000 }; /* nodes */

typedef struct mn_vti {
    int dims[3];
    double origin[3], spacing[3]; /* m; of the first node */
    float *vector;                /* 3 a node, x fastest; malloc'd */
    double slowest, fastest;      /* smallest and largest length of a vector */
} mn_vti;

/* `array`: its name; NULL or "": the first with three components. Refuses what is broken, with the reason. */
mn_status mn_vti_parse(const char *data, size_t size, const char *name, const char *array, mn_vti *out,
                       mn_messages *say);
mn_status mn_vti_read(const char *path, const char *array, mn_vti *out, mn_messages *say);
void mn_vti_free(mn_vti *grid);

/* An array of a file to be written: `width` floats a node. */
typedef struct mn_vti_array {
    const char *name;
    int width;
    const float *data;
} mn_vti_array;
mn_status mn_vti_write(const char *path, double time, const int dims[3], const double origin[3],
                       const double spacing[3], const mn_vti_array *arrays, int count, mn_messages *say);

#endif
