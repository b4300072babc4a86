/* No particle passes the walls of a closed tank, shaken or turning. `meniscus validate sloshing` shakes it for ten
 * seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

static void shaken(void **state)
{
    (void)state;
    assert_validates(validate_sloshing, 1.6, NULL);
}

static void shaken_as_a_map(void **state)
{
    (void)state;
    assert_validates(validate_sloshing_maps, 1.0, NULL);
}

static void turned(void **state)
{
    (void)state;
    assert_validates(validate_containers, 0.2, NULL);
}

static void struck(void **state)
{
    (void)state;
    assert_validates(validate_blows, 0.12, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shaken), cmocka_unit_test(shaken_as_a_map),
                                       cmocka_unit_test(turned), cmocka_unit_test(struck)};
    return cmocka_run_group_tests_name("tank", tests, NULL, NULL);
}
