/* vectors.h -- three-vectors as arrays of double. */
#ifndef MN_GEOMETRY_VECTORS_H
#define MN_GEOMETRY_VECTORS_H

#include <math.h>

static inline double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void sub3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double length3(const double a[3]) { return sqrt(dot3(a, a)); }

static inline double distance3(const double a[3], const double b[3])
{
    double d[3];
    sub3(a, b, d);
    return length3(d);
}

#endif
