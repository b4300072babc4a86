/* Tension in N/m and contact angles in degrees: drops at rest, swinging, and on plates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laplace_pressure), cmocka_unit_test(lamb_frequency),
                                       cmocka_unit_test(contact_angles)};
    return cmocka_run_group_tests_name("drops", tests, NULL, NULL);
}
