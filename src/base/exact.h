/* exact.h -- functions whose bits are the same with every C library and CPU: made of + - * / and sqrt, which IEEE
 * 754 rounds exactly, and of fmod and rint, which are exact. The library's own (sin, exp, pow, hypot, ...) differ in
 * their last bit between versions, and with them would differ the points that a scene begins with. Whatever reaches
 * the state of a world calls these; errors are about 1e-16 of the value, of mn_exp and mn_sincos a few of them. */
#ifndef MN_BASE_EXACT_H
#define MN_BASE_EXACT_H

#include <math.h>

/* For lengths: no care is taken of squares beyond the range of double. */
static inline double mn_hypot(double x, double y) { return sqrt(x * x + y * y); }

/* x^n, n >= 0, from left to right. */
static inline double mn_power(double x, int n)
{
    double out = 1;
    for (int k = 0; k < n; k++) out *= x;
    return out;
}

/* Any finite angle in radians; beyond 1e5 it is taken modulo the double nearest to 2 pi, an error of 4e-17 of the
 * angle. */
void mn_sincos(double angle, double *sine, double *cosine);
double mn_sin(double angle);
double mn_cos(double angle);

/* The angle of the point (x, y), in (-pi, pi]; 0 at the origin. */
double mn_atan2(double y, double x);

/* e^x; 0 below -745, infinite above 709.78. */
double mn_exp(double x);

/* Natural logarithm of x > 0. */
double mn_log(double x);

/* Cube root of x >= 0. */
double mn_cbrt(double x);

#endif
