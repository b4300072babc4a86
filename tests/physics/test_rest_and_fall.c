/* Liquid at rest, in free fall, and left to itself: pressure carries the weight above, nothing else acts, momentum
 * stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/physics.h"

static void pressure_carries_the_weight_above(void **state)
{
    (void)state;
    assert_validates(validate_hydrostatic, 0, NULL);
}

static void with_wider_supports_too(void **state)
{
    (void)state;
    assert_validates(validate_hydrostatic, 1.2, (const char *const[]){"particles.support=2.15", NULL});
    assert_validates(validate_hydrostatic, 1.2, (const char *const[]){"particles.support=2.3", NULL});
}

static void so_do_the_particles_next_to_walls(void **state)
{
    (void)state;
    assert_validates(validate_tank, 0, NULL);
    assert_validates(validate_tank_iisph, 0, NULL);
}

static void fluids_lie_over_each_other(void **state)
{
    (void)state;
    assert_validates(validate_phases, 0.5, NULL);
}

static void block_falls_freely(void **state)
{
    (void)state;
    static const char *const solvers[] = {"pressure.model=dfsph", "pressure.model=iisph", "pressure.model=pcisph",
                                          "pressure.model=wcsph"};
    for (int s = 0; s < 4; s++) assert_validates(validate_free_fall, 0, (const char *const[]){solvers[s], NULL});
}

static void momentum_stays(void **state)
{
    (void)state;
    static const char *const sets[][3] = {
        {"pressure.model=dfsph", NULL},
        {"pressure.model=iisph", NULL},
        {"pressure.model=pcisph", "fluids.0.viscosity={model: artificial, alpha: 0.1}", NULL},
        {"pressure.model=wcsph", "time.step=0.0005", NULL},
        {"fluids.0.viscosity={model: xsph, strength: 0.2}", "fluids.1.viscosity={model: xsph, strength: 0.1}", NULL},
        {"fluids.0.viscosity={model: weiler2018, viscosity: 0.1}",
         "fluids.1.viscosity={model: weiler2018, viscosity: 1}", NULL},
    };
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) assert_validates(validate_momentum, 0, sets[s]);
}

static void no_result_is_dropped_in_silence(void **state)
{
    (void)state;
    validation_report report = {0};
    for (int k = 0; k < VALIDATION_MOST; k++) validation_add(&report, 1, 1, 0.1, "one", "");
    for (int k = 0; k < report.count; k++) assert_true(validation_within(&report.at[k]));
    validation_add(&report, 1, 1, 0.1, "one too many", "");
    bool good = true;
    for (int k = 0; k < report.count; k++) good = good && validation_within(&report.at[k]);
    assert_false(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_carries_the_weight_above),
        cmocka_unit_test(with_wider_supports_too),
        cmocka_unit_test(so_do_the_particles_next_to_walls),
        cmocka_unit_test(fluids_lie_over_each_other),
        cmocka_unit_test(block_falls_freely),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(no_result_is_dropped_in_silence),
    };
    return cmocka_run_group_tests_name("rest and fall", tests, NULL, NULL);
}
