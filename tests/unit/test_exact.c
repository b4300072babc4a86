/* The functions that do without the C library's: close to them everywhere, and their own bits kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "base/exact.h"

static void near_to(double got, double expected, double bound, double at)
{
    if (!(fabs(got - expected) <= bound)) {
        print_error("%.17g instead of %.17g at %.17g\n", got, expected, at);
        fail();
    }
}

static void sines(void **state)
{
    (void)state;
    for (int k = -40000; k <= 40000; k++) {
        const double angle = 0.00037 * k * (1 + 0.001 * (k % 7));
        near_to(mn_sin(angle), sin(angle), 3e-16, angle);
        near_to(mn_cos(angle), cos(angle), 3e-16, angle);
        near_to(mn_sin(6000 * angle), sin(6000 * angle), 4e-16, 6000 * angle);
    }
    near_to(mn_sin(1e9), sin(1e9), 1e-7, 1e9);
    assert_true(mn_sin(0) == 0 && mn_cos(0) == 1 && fabs(mn_sin(1e300)) <= 1);
    assert_true(isnan(mn_sin(NAN)) && isnan(mn_cos(INFINITY)));
}

static void arcs(void **state)
{
    (void)state;
    for (int k = 0; k < 20000; k++) {
        const double angle = 2 * 3.14159265358979323846 * k / 20000, x = 3 * cos(angle), y = 3 * sin(angle);
        near_to(mn_atan2(y, x), atan2(y, x), 5e-16, angle);
    }
    near_to(mn_atan2(1e-300, 1), 1e-300, 1e-315, 0);
    assert_true(mn_atan2(0, 1) == 0 && mn_atan2(0, 0) == 0 && mn_atan2(0, -1) == atan2(0, -1) &&
                mn_atan2(-2, 0) == atan2(-2, 0));
}

static void growth(void **state)
{
    (void)state;
    for (int k = -7400; k <= 7000; k++) {
        const double x = 0.1 * k;
        near_to(mn_exp(x), exp(x), 4e-16 * exp(x) + 5e-324, x);
    }
    assert_true(mn_exp(0) == 1 && mn_exp(-1e9) == 0 && mn_exp(1e9) == INFINITY && mn_exp(-INFINITY) == 0 &&
                isnan(mn_exp(NAN)));
}

static void logarithms(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37) near_to(mn_log(x), log(x), 4e-16 * fabs(log(x)), x);
    for (double x = 0.5; x < 2; x += 0.0007) near_to(mn_log(x), log(x), 4e-16, x);
    assert_true(mn_log(1) == 0 && mn_log(0) == -INFINITY && isnan(mn_log(-1)) && isnan(mn_log(NAN)));
}

static void roots_and_lengths(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37) near_to(mn_cbrt(x), cbrt(x), 1e-15 * cbrt(x), x);
    assert_true(mn_cbrt(0) == 0 && mn_power(3, 0) == 1 && mn_power(-2, 5) == -32);
    near_to(mn_hypot(3e-9, 4e-9), 5e-9, 1e-24, 0);
}

/* FNV-1a over the bits of many values. */
static uint64_t bits_of(double (*of)(double), double from, double step)
{
    uint64_t hash = 1469598103934665603u, bits;
    for (int k = 0; k < 10000; k++) {
        const double value = of(from + step * k);
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

static double arc(double x) { return mn_atan2(x, 1.25 - x); }

static void kept_bits(void **state)
{
    (void)state;
    const uint64_t got[] = {bits_of(mn_sin, -50, 0.0137), bits_of(mn_cos, -90000, 17.7), bits_of(arc, -5, 0.001),
                            bits_of(mn_exp, -300, 0.041), bits_of(mn_cbrt, 0, 0.37)};
    const uint64_t expected[] = {0x817c5ab5d8442574u, 0x1c0d6bcbf1c14957u, 0xba26aa6930ecfd83u, 0x8b023051c986cf67u,
                                 0xf26c3eac6385a1d0u};
    for (int k = 0; k < 5; k++)
        if (got[k] != expected[k]) print_error("function %d: 0x%016" PRIx64 "\n", k, got[k]);
    assert_memory_equal(got, expected, sizeof got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sines),
                                       cmocka_unit_test(arcs),
                                       cmocka_unit_test(growth),
                                       cmocka_unit_test(logarithms),
                                       cmocka_unit_test(roots_and_lengths),
                                       cmocka_unit_test(kept_bits)};
    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
