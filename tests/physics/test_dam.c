/* Collapsing columns: the front against the experiment, the compression against the tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

static void front_dfsph(void **state)
{
    (void)state;
    assert_validates(validate_martin_moyce_dfsph, 0, NULL);
}

static void front_iisph(void **state)
{
    (void)state;
    assert_validates(validate_martin_moyce_iisph, 0, NULL);
}

/* The dam of 30k with spacings three times as large: 1,000 particles fall against the far wall and back. */
#define COARSE                                                                                                         \
    "particles.spacing=0.1", "time.step=0.005",                                                                        \
        "fluids.0.shapes=[{box: {grid: [10, 10, 10], origin: [0.15, 0.115, 0.15]}}]",                                  \
        "walls.0.shapes=[{box: {min: [0, 0, 0], max: [2.2, 2.2, 1.2], inside_out: true}}]"

static void compression_dfsph(void **state)
{
    (void)state;
    assert_validates(validate_density_dfsph, 1.5, (const char *const[]){COARSE, NULL});
}

static void compression_iisph(void **state)
{
    (void)state;
    assert_validates(validate_density_iisph, 1.5, (const char *const[]){COARSE, NULL});
}

static void compression_pcisph(void **state)
{
    (void)state;
    assert_validates(validate_density_pcisph, 1.5, (const char *const[]){COARSE, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_dfsph),       cmocka_unit_test(front_iisph),        cmocka_unit_test(compression_dfsph),
        cmocka_unit_test(compression_iisph), cmocka_unit_test(compression_pcisph),
    };
    return cmocka_run_group_tests_name("dam", tests, NULL, NULL);
}
