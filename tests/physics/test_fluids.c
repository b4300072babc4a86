/* Two fluids: tension between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

static void drop_of_oil_in_water(void **state)
{
    (void)state;
    assert_validates(validate_oil_drop, 0.2, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(drop_of_oil_in_water)};
    return cmocka_run_group_tests_name("two fluids", tests, NULL, NULL);
}
