/* stats.surface_energy: a column that changes no particle, and falls as a cube becomes a ball. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "meniscus/meniscus.h"

static const char text[] = "particles: {spacing: 0.1}\ngravity: [0, 0, 0]\ntime: {step: 0.002, end: 1}\n"
                           "fluids:\n"
                           "  - shapes: [{box: {grid: [8, 8, 8], origin: [0, 0, 0]}}]\n"
                           "    tension: {model: jeske2023, cohesion: 20000}\n"
                           "    viscosity: {model: weiler2018, viscosity: 0.3}\n";

/* The column after the first and the last step; the state. */
static uint64_t energies(const char *set, const char *backend, int columns, double out[2])
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "cube.yaml", &set, 1, say);
    mn_options options = mn_default_options();
    options.backend = backend, options.threads = 1;
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    assert_non_null(world);
    for (int k = 0; k < 150; k++) {
        assert_int_equal(mn_step(world, say), MN_OK);
        const mn_stats stats = mn_world_stats(world);
        assert_int_equal(stats.more_count, columns);
        if (columns) out[k > 0] = stats.more[0];
    }
    const uint64_t hash = mn_world_hash(world);
    mn_world_free(world), mn_scene_free(scene), mn_messages_free(say);
    return hash;
}

static void falls_and_changes_nothing(void **state)
{
    (void)state;
    double on[2], scalar[2], off[2];
    const uint64_t with = energies("stats.surface_energy=true", "cpu", 1, on),
                   slow = energies("stats.surface_energy=true", "cpu-scalar", 1, scalar),
                   without = energies("stats.surface_energy=false", "cpu", 0, off);
    assert_true(with == without && with == slow);
    assert_true(on[0] == scalar[0] && on[1] == scalar[1]);
    print_message("%g m, then %g m\n", on[0], on[1]);
    assert_true(on[0] > 0);
    assert_float_equal(on[1] / on[0], 0.81, 0.05); /* a ball has 0.806 of the area of a cube */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(falls_and_changes_nothing)};
    return cmocka_run_group_tests_name("surface energy", tests, NULL, NULL);
}
