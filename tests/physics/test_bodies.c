/* Bodies in liquid: momentum, a box that floats half submerged, and the pull of a surface at its waterline.
 * `meniscus validate` also has buoyancy and neutral density. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

static void momentum(void **state)
{
    (void)state;
    assert_validates(validate_bodies_momentum, 0, NULL);
}

static void floating(void **state)
{
    (void)state;
    assert_validates(validate_floating, 1.2, NULL);
}

static void waterline(void **state)
{
    (void)state;
    assert_validates(validate_waterline, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum), cmocka_unit_test(floating),
                                       cmocka_unit_test(waterline)};
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
