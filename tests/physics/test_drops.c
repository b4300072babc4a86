/* Tension in N/m and contact angles in degrees: drops at rest, swinging, and on plates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "physics/physics.h"
#include "validate_drop.h"

static void laplace_pressure(void **state)
{
    (void)state;
    assert_validates(validate_laplace_drop, 0, NULL);
}

static void lamb_frequency(void **state)
{
    (void)state;
    assert_validates(validate_laplace_lamb, 0, NULL);
}

static void contact_angles(void **state)
{
    (void)state;
    assert_validates(validate_laplace_angle, 1, NULL);
}

static void contact_angles_on_a_ball(void **state)
{
    (void)state;
    assert_validates(validate_laplace_round, 1, NULL);
}

static void contact_angles_on_maps(void **state)
{
    (void)state;
    assert_validates(validate_laplace_maps, 1, NULL);
}

static void hysteresis(void **state)
{
    (void)state;
    assert_validates(validate_laplace_hysteresis, 1, NULL);
}

static void angles_that_differ(void **state)
{
    (void)state;
    assert_validates(validate_laplace_pattern, 1, NULL);
}

static void films_stick_to_walls(void **state)
{
    (void)state;
    assert_validates(validate_laplace_film, 1, NULL);
}

/* The fit that frequencies come from finds those of a curve that is known, noise and all. */
static void damped_swing(void **state)
{
    (void)state;
    enum { POINTS = 64 };
    double time[POINTS], value[POINTS];
    for (int k = 0; k < POINTS; k++) {
        time[k] = 1e-3 * k;
        value[k] = 0.05 * exp(-20 * time[k]) * sin(130 * time[k] + 0.3) + 0.002 + 2e-4 * sin(1000.0 * k * k);
    }
    const drop_swing swing = drop_fit(time, value, POINTS, 150);
    assert_true(fabs(swing.omega / 130 - 1) < 0.01);
    assert_true(fabs(swing.damping / 20 - 1) < 0.05);
    assert_true(swing.error < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damped_swing),
                                       cmocka_unit_test(laplace_pressure),
                                       cmocka_unit_test(lamb_frequency),
                                       cmocka_unit_test(contact_angles),
                                       cmocka_unit_test(contact_angles_on_a_ball),
                                       cmocka_unit_test(contact_angles_on_maps),
                                       cmocka_unit_test(hysteresis),
                                       cmocka_unit_test(angles_that_differ),
                                       cmocka_unit_test(films_stick_to_walls)};
    return cmocka_run_group_tests_name("drops", tests, NULL, NULL);
}
