/* exact.c -- see exact.h. */
#include "base/exact.h"

static const double half_pi = 1.57079632679489661923, pi = 3.14159265358979323846;

/* sum of c[k] x^k */
static double series(const double *c, int count, double x)
{
    double sum = c[count - 1];
    for (int k = count - 2; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

/* Taylor's series on |r| <= pi/4: the first term left out is below 1e-18. */
static double near_sine(double r)
{
    static const double c[] = {-1.0 / 6,
                               1.0 / 120,
                               -1.0 / 5040,
                               1.0 / 362880,
                               -1.0 / 39916800,
                               1.0 / 6227020800.0,
                               -1.0 / 1307674368000.0,
                               1.0 / 355687428096000.0};
    const double r2 = r * r;
    return r + r * r2 * series(c, 8, r2);
}

static double near_cosine(double r)
{
    static const double c[] = {1.0 / 24,
                               -1.0 / 720,
                               1.0 / 40320,
                               -1.0 / 3628800,
                               1.0 / 479001600,
                               -1.0 / 87178291200.0,
                               1.0 / 20922789888000.0,
                               -1.0 / 6402373705728000.0};
    const double r2 = r * r;
    return 1 - (0.5 * r2 - r2 * r2 * series(c, 8, r2));
}

void mn_sincos(double angle, double *sine, double *cosine)
{
    /* pi/2 as a sum of 33, 33 and 53 bits, so that k times the first two is exact for k < 2^20 */
    static const double part[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
    if (!(fabs(angle) <= 1e5)) angle = fmod(angle, 2 * pi);
    const double k = rint(angle / half_pi), r = ((angle - k * part[0]) - k * part[1]) - k * part[2];
    const double s = near_sine(r), c = near_cosine(r);
    const int quarter = (int)k & 3;
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

double mn_sin(double angle)
{
    double s, c;
    mn_sincos(angle, &s, &c);
    return s;
}

double mn_cos(double angle)
{
    double s, c;
    mn_sincos(angle, &s, &c);
    return c;
}

/* 0 <= t <= 1: about the nearest eighth a, atan t = atan a + atan((t - a)/(1 + a t)), whose argument is at most
 * 1/16. */
static double near_atan(double t)
{
    static const double eighths[] = {0.0,
                                     0.12435499454676144,
                                     0.24497866312686414,
                                     0.35877067027057225,
                                     0.46364760900080609,
                                     0.55859931534356244,
                                     0.64350110879328437,
                                     0.71882999962162450,
                                     0.78539816339744831};
    static const double c[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
    const int k = (int)rint(8 * t);
    const double a = k / 8.0, q = (t - a) / (1 + a * t), q2 = q * q;
    return eighths[k] + (q + q * q2 * series(c, 6, q2));
}

double mn_atan2(double y, double x)
{
    const double u = fabs(x), v = fabs(y), larger = fmax(u, v);
    if (!(larger > 0)) return 0;
    const double steep = near_atan(fmin(u, v) / larger), first = v > u ? half_pi - steep : steep;
    return copysign(x < 0 ? pi - first : first, y);
}

double mn_exp(double x)
{
    static const double ln2[] = {0x1.62e42fefap-1, 0x1.cf79abc9e3b39p-40}; /* the first of 33 bits */
    static const double c[] = {
        1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};
    if (!(x >= -746)) return x < 0 ? 0 : x;
    if (x > 710) return INFINITY;
    const double k = rint(x / (ln2[0] + ln2[1]));
    return ldexp(series(c, 14, (x - k * ln2[0]) - k * ln2[1]), (int)k);
}

double mn_log(double x)
{
    static const double ln2[] = {0x1.62e42fefap-1, 0x1.cf79abc9e3b39p-40};
    static const double c[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                               1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    int exponent;
    if (!(x > 0)) return x < 0 || x != x ? NAN : -INFINITY;
    double m = frexp(x, &exponent); /* x = m 2^exponent; 0.7 <= m < 1.42 */
    if (m < 0.70710678118654752) m *= 2, exponent--;
    const double q = (m - 1) / (m + 1);
    return exponent * ln2[0] + (exponent * ln2[1] + 2 * q * series(c, 11, q * q));
}

double mn_cbrt(double x)
{
    int exponent;
    if (!(x > 0)) return 0;
    const double m = frexp(x, &exponent); /* x = m 2^exponent, 1/2 <= m < 1 */
    const int whole = (exponent >= 0 ? exponent + 2 : exponent) / 3, rest = exponent - 3 * whole;
    const double target = ldexp(m, rest); /* 1/8 <= target < 1 */
    double root = 0.5 + 0.5 * target;
    for (int pass = 0; pass < 8; pass++) root -= (root * root * root - target) / (3 * root * root);
    return ldexp(root, whole);
}
