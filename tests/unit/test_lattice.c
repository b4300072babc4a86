/* Numbers that docs/methods gives for particles on a lattice: sums of the cubic spline, in double, in units of the
 * spacing d = 1 with the support radius h = 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

enum { REACH = 2 };
static const double PI = 3.14159265358979323846, H = 2;

static double positive(double x) { return x > 0 ? x : 0; }

static double spline(double r)
{
    const double q = r / H;
    return 8 / (PI * H * H * H) * (2 * pow(positive(1 - q), 3) - 8 * pow(positive(0.5 - q), 3));
}

static double slope(double r) /* W' */
{
    const double q = r / H;
    return 8 / (PI * H * H * H * H) * (24 * pow(positive(0.5 - q), 2) - 6 * pow(positive(1 - q), 2));
}

/* Sum of f(x, y, z, r) over the lattice points of the layers low to high, moved by (side, up, back). */
typedef double term(double x, double y, double z, double r);
static double moved(term *f, int low, int high, double side, double up, double back)
{
    double s = 0;
    for (int i = -REACH - 1; i <= REACH; i++)
        for (int j = low; j <= high; j++)
            for (int k = -REACH - 1; k <= REACH; k++) {
                const double x = i + side, y = j + up, z = k + back;
                s += f(x, y, z, sqrt(x * x + y * y + z * z));
            }
    return s;
}

static double sum(term *f, int low, int high, double up) { return moved(f, low, high, 0, up, 0); }

static double weight(double x, double y, double z, double r)
{
    (void)x, (void)y, (void)z;
    return spline(r);
}
static double is_near(double x, double y, double z, double r)
{
    (void)x, (void)y, (void)z;
    return r > 0 && r < H * (1 - 1e-6);
}
static double downward(double x, double y, double z, double r) /* component of grad W along y */
{
    (void)x, (void)z;
    return r > 0 ? fabs(slope(r) * y / r) : 0;
}
static double packing(double x, double y, double z, double r)
{
    (void)x, (void)y, (void)z;
    return -r * slope(r) / 3;
}
static double shear(double x, double y, double z, double r) /* of `standard` for v = (y^2, 0, 0) and viscosity 1 */
{
    (void)z;
    return r > 0 ? -10 * x * x * y * y / (r * r + 0.01 * H * H) * slope(r) / r : 0;
}
static double mean_shear(double x, double y, double z, double r) /* mean over all directions: x^2 y^2 -> r^4/15 */
{
    (void)x, (void)y, (void)z;
    return r > 0 ? -10 * r * r * r * r / 15 / (r * r + 0.01 * H * H) * slope(r) / r : 0;
}
/* Flux of momentum through a plane between two layers if every particle has k = 1: pairs count once a layer crossed. */
static double crossing(double x, double y, double z, double r)
{
    (void)x, (void)z;
    return y > 0 && r < H ? 2 * y * fabs(slope(r) * y / r) : 0;
}

static void within(double measured, double stated, double rounding)
{
    if (!(fabs(measured - stated) <= rounding)) fail_msg("%.6g, the pages say %g", measured, stated);
}

static void core(void **state)
{
    (void)state;
    within(sum(weight, -REACH, REACH, 0), 0.99997, 5e-6);
    within(sum(weight, -REACH, 0, 0), 0.85, 5e-3);
    within(sum(is_near, -REACH, REACH, 0), 26, 0);
    within(sum(packing, -REACH, REACH, 0), 1.020, 5e-4);
    within(sum(crossing, -REACH, REACH, 0), 1.02, 5e-3);
}

static void walls(void **state)
{
    (void)state;
    const double volume = 1 / sum(weight, 0, 0, 0), fluid = sum(weight, 0, REACH, 0);
    within(volume, 1.427, 5e-4);
    within(fluid + volume * sum(weight, 0, 0, -1.1), 0.9987, 5e-5);
    within(fluid + volume * sum(weight, 0, 0, -1.0), 1.064, 5e-4);
    within(volume * sum(weight, 0, 0, -1.1), 0.15, 5e-3);
    within(volume * sum(weight, 0, 0, -0.59), 0.6, 2e-2);
    double push = 0; /* mean over places beside the lattice of the wall */
    for (int at = 0; at < 4; at++) push += 0.25 * volume * moved(downward, 0, 0, 0.5 * (at & 1), -1.1, 0.5 * (at >> 1));
    within(push, 0.572, 1e-3);
}

static void viscosity(void **state)
{
    (void)state;
    within(sum(shear, -REACH, REACH, 0), 1.396, 5e-4);
    within(sum(mean_shear, -REACH, REACH, 0), 1.983, 5e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(core), cmocka_unit_test(walls), cmocka_unit_test(viscosity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
