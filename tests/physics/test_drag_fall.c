/* Falling drops against the equations of Gissler et al. 2017. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

static void terminal_velocity(void **state)
{
    (void)state;
    assert_validates(validate_terminal_velocity, 0, (const char *const[]){NULL});
}

static void falling_drop(void **state)
{
    (void)state;
    assert_validates(validate_falling_drop, 0, (const char *const[]){NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terminal_velocity), cmocka_unit_test(falling_drop)};
    return cmocka_run_group_tests_name("drag", tests, NULL, NULL);
}
