/* host_spline.h -- the cubic spline of kernels/spline.h for the host, in double precision: W(r) = 8/(pi h^3) s(r/h). */
#ifndef MN_BASE_HOST_SPLINE_H
#define MN_BASE_HOST_SPLINE_H

#include <math.h>

/* s(q): 1 at 0, 0 from 1 on. */
static inline double mn_spline_shape(double q)
{
    const double a = fmax(1.0 - q, 0.0), b = fmax(0.5 - q, 0.0);
    return 2.0 * a * a * a - 8.0 * b * b * b;
}

/* s'(q). */
static inline double mn_spline_slope(double q)
{
    const double a = fmax(1.0 - q, 0.0), b = fmax(0.5 - q, 0.0);
    return 24.0 * b * b - 6.0 * a * a;
}

/* W(0), 1/m^3. */
static inline double mn_spline_peak(double h) { return 8.0 / (3.14159265358979323846 * h * h * h); }

static inline double mn_spline(double r, double h) { return mn_spline_peak(h) * mn_spline_shape(r / h); }

#endif
