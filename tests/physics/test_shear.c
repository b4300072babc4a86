/* Flow between plates against its series, on channels half as long and half as wide as the shipped scenes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

#define NARROW "domain.max=[0.052, 0.1148, 0.04]", "fluids.0.shapes.0.box.max=[0.052, 0.1024, 0.04]"
#define PLATE(k)                                                                                                       \
    "walls." k ".shapes.0.plane.point=[0.026, 0.1048, 0.02]", "walls." k ".shapes.0.plane.size=[0.048, 0.036]"

static void couette(void **state)
{
    (void)state;
    assert_validates(validate_couette, 0, (const char *const[]){NARROW, PLATE("1"), NULL});
}

static void poiseuille(void **state)
{
    (void)state;
    assert_validates(validate_poiseuille, 0, (const char *const[]){NARROW, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(couette), cmocka_unit_test(poiseuille)};
    return cmocka_run_group_tests_name("shear", tests, NULL, NULL);
}
