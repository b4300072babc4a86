/* Drops in free flight do not limit the time step, unless they can meet something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "meniscus/meniscus.h"
#include "run/device.h"

/* A block at rest over a floor, and one particle beside it: the step after three of them. */
static double step_with(const char *place, const char *velocity, const char *more, const char *backend, uint64_t *hash)
{
    char text[1200];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.1}\ngravity: [0, 0, 0]\ntime: {adaptive: {max: 0.005}, end: 1}\n"
             "fluids:\n"
             "  - {name: block, shapes: [{box: {grid: [6, 6, 6], origin: [0, 0.2, 0]}}]}\n"
             "  - {name: stray, shapes: [{box: {grid: [1, 1, 1], origin: %s}}], velocity: %s}\n"
             "walls: [{shapes: [{plane: {point: [0, -1, 0], size: [4, 4]}}]}]\n%s",
             place, velocity, more);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "stray.yaml", NULL, 0, say);
    mn_options options = mn_default_options();
    options.backend = backend, options.threads = 1;
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    if (!world) fail_msg("%s", mn_messages_count(say) ? mn_messages_get(say, 0).text : "no world");
    for (int k = 0; k < 3; k++) assert_int_equal(mn_step(world, say), MN_OK);
    const double dt = mn_world_stats(world).dt;
    if (hash) *hash = mn_world_hash(world);
    mn_world_free(world), mn_scene_free(scene), mn_messages_free(say);
    return dt;
}

static const double LONGEST = 0.005, SHORT = 0.4 * 0.1 / 100; /* of 100 m/s */

static void away_from_all(void **state)
{
    (void)state;
    assert_float_equal(step_with("[0, -9, 0]", "[0, -100, 0]", "", "cpu", NULL), LONGEST, 1e-9);
    assert_float_equal(step_with("[9, 3, 0]", "[100, -5, 0]", "", "cpu", NULL), LONGEST, 1e-9);
}

static void towards_what_it_can_meet(void **state)
{
    (void)state;
    assert_float_equal(step_with("[0, -9, 0]", "[0, 100, 0]", "", "cpu", NULL), SHORT, 1e-6);
    assert_float_equal(step_with("[0.05, 9, 0]", "[0, -100, 0]", "", "cpu", NULL), SHORT, 1e-6);
    /* beyond the block, but over the floor */
    assert_float_equal(step_with("[1.5, -0.5, 0]", "[100, 0, 0]", "", "cpu", NULL), SHORT, 1e-6);
    /* with a neighbour it counts */
    assert_float_equal(step_with("[0, 0.85, 0]", "[0, 100, 0]", "", "cpu", NULL), SHORT, 1e-4);
}

/* Moving walls and bodies count where they are. */
static void towards_bodies_and_moving_walls(void **state)
{
    (void)state;
    static const char *const body =
        "bodies: [{fixed: true, shapes: [{box: {min: [0, -30, 0], max: [1, -29, 1]}}], density: 500}]\n";
    assert_float_equal(step_with("[0.5, -9, 0.5]", "[0, -100, 0]", body, "cpu", NULL), SHORT, 1e-6);
    assert_float_equal(step_with("[0.5, -35, 0.5]", "[0, -100, 0]", body, "cpu", NULL), LONGEST, 1e-9);
}

static void on_every_backend(void **state)
{
    (void)state;
    static const char *const backends[] = {"cpu", "cpu-scalar", "opencl"};
    char name[1][128];
    const int there = mn_devices(name, 1) > 0 ? 3 : 2;
    uint64_t hash[3];
    for (int b = 0; b < there; b++) {
        assert_float_equal(step_with("[0, -9, 0]", "[3, -100, 2]", "", backends[b], &hash[b]), LONGEST, 1e-9);
        assert_true(hash[b] == hash[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(away_from_all), cmocka_unit_test(towards_what_it_can_meet),
                                       cmocka_unit_test(towards_bodies_and_moving_walls),
                                       cmocka_unit_test(on_every_backend)};
    return cmocka_run_group_tests_name("strays", tests, NULL, NULL);
}
