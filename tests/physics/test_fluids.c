/* Two fluids: tension between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "meniscus/meniscus.h"
#include "physics/physics.h"

static void drop_of_oil_in_water(void **state)
{
    (void)state;
    assert_validates(validate_oil_drop, 0.2, NULL);
}

/* A film of particles out of place around a gas of a hundredth of its density: in a few places the sweeps of the
 * pressure solver overshoot. It has to see that, though a mean over all particles hardly does: unseen they swung to
 * the last sweep that is allowed, in every step, and the foam of jeske2023 burst. */
static void pressures_of_a_few_places_are_found(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.02}\ngravity: [0, 0, 0]\ntime: {step: 0.001, end: 1}\n"
        "fluids:\n"
        "  - {name: film, density: 1000, jitter: 0.3, shapes: [{sphere: {radius: 0.2}}],\n"
        "     holes: [{sphere: {radius: 0.16}}], tension: {model: jeske2023, cohesion: 6000, tolerance: 0.0001}}\n"
        "  - {name: gas, density: 10, jitter: 0.3, shapes: [{sphere: {radius: 0.16}}]}\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "film", NULL, 0, say);
    mn_world *w = scene ? mn_world_new(scene, NULL, say) : NULL;
    assert_non_null(w);
    for (int step = 0; step < 20; step++) {
        assert_int_equal(mn_step(w, say), MN_OK);
        assert_true(mn_world_stats(w).density_error_avg <= 1e-4); /* what the solver is asked for */
    }
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pressures_of_a_few_places_are_found),
                                       cmocka_unit_test(drop_of_oil_in_water)};
    return cmocka_run_group_tests_name("two fluids", tests, NULL, NULL);
}
