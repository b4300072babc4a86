/* test_deep.c -- deep liquid at rest is not thrown upwards; see docs/notes/deep-liquid.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "small_world.h"

/* Between these times nothing becomes faster than by a fall of the depth, or comes higher. */
static void is_calm(const char *text, double depth, double from, double until)
{
    small_world p = small_world_new(text, "cpu");
    double start = 0;
    while (mn_world_time(p.world) < until) {
        assert_int_equal(mn_step(p.world, p.say), MN_OK);
        if (mn_world_time(p.world) < from) continue;
        const mn_stats now = mn_world_stats(p.world);
        if (start == 0) start = now.potential_energy;
        if (now.max_speed > sqrt(2 * 9.81 * depth) || now.potential_energy > 1.001 * start)
            fail_msg("%g m deep, %g s: %g m/s, potential energy %g of %g J", depth, mn_world_time(p.world),
                     now.max_speed, now.potential_energy, start);
    }
    small_world_free(&p);
}

/* A column of so many layers settles. */
static void settles(double spacing, int layers, double jitter)
{
    char text[800];
    const double depth = layers * spacing, wall = 9.2 * spacing;
    snprintf(text, sizeof text,
             "particles: {spacing: %g}\ntime: {end: 1}\nfluids:\n"
             "  - shapes: [{box: {grid: [8, %d, 8], origin: [%g, %g, %g]}}]\n    jitter: %g\n"
             "walls: [{shapes: [{box: {min: [0, 0, 0], max: [%g, %g, %g], inside_out: true}}]}]\n",
             spacing, layers, 1.1 * spacing, 1.1 * spacing, 1.1 * spacing, jitter, wall, 3 * depth, wall);
    is_calm(text, depth, 0, 0.12 * sqrt(depth / 2)); /* the column has come down onto the floor */
}

static void deep_liquid_settles(void **state)
{
    (void)state;
    settles(0.02, 100, 0.1);
    settles(0.002, 100, 0);
}

/* A light fluid under a heavy one bears a column of itself that is deep. They turn over: nothing may become faster than
 * by a fall through both, and no energy may come from nothing. */
static void heavy_liquid_over_light(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.02}\ntime: {end: 0.3}\nfluids:\n"
        "  - {density: 50, shapes: [{box: {grid: [10, 12, 10], origin: [0.022, 0.022, 0.022]}}]}\n"
        "  - {density: 1000, shapes: [{box: {grid: [10, 12, 10], origin: [0.022, 0.262, 0.022]}}]}\n"
        "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.224, 1.5, 0.224], inside_out: true}}]}]\n";
    small_world p = small_world_new(text, "cpu");
    mn_world *w = p.world;
    double first = 0, most = 0, top = 0;
    while (mn_world_time(w) < 0.3) {
        mn_world_limit_step(w, 0.3);
        assert_int_equal(mn_step(w, p.say), MN_OK);
        const mn_stats now = mn_world_stats(w);
        const double energy = now.kinetic_energy + now.potential_energy;
        if (first == 0) first = energy;
        most = fmax(most, energy), top = fmax(top, now.max_speed);
    }
    print_message("at most %g m/s, %g of %g J\n", top, most, first);
    assert_true(most < 1.01 * first);
    assert_true(top < 2 * sqrt(2 * 9.81 * 0.48)); /* what is light rises faster than it falls */
    small_world_free(&p);
}

/* A pool beside it has more in a layer, and is shallow. */
static void a_deep_tube_beside_a_pool(void **state)
{
    (void)state;
    is_calm("particles: {spacing: 0.02}\ntime: {end: 1}\nfluids:\n  - shapes:\n"
            "      - {box: {grid: [5, 100, 5], origin: [0.022, 0.022, 0.022]}}\n"
            "      - {box: {grid: [24, 3, 24], origin: [1.022, 0.022, 1.022]}}\n"
            "walls:\n  - shapes: [{box: {min: [0, 0, 0], max: [0.124, 6, 0.124], inside_out: true}}]\n"
            "  - shapes: [{box: {min: [1, 0, 1], max: [1.504, 1, 1.504], inside_out: true}}]\n",
            2, 0, 0.12);
}

static const char later[] = "particles: {spacing: 0.02}\ntime: {end: 1}\n"
                            "gravity: {0: [0, 0, 0], 0.02: [0, 0, 0], 0.021: [0, -9.81, 0]}\n"
                            "fluids: [{shapes: [{box: {grid: [5, 100, 5], origin: [0.022, 0.022, 0.022]}}]}]\n"
                            "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.124, 6, 0.124], inside_out: true}}]}]\n";

static void gravity_that_begins_later(void **state)
{
    (void)state;
    is_calm(later, 2, 0.022, 0.15);
}

/* What was measured is part of the state: where a run goes on, steps are as long as they would have been. */
static void a_run_that_goes_on_has_the_same_steps(void **state)
{
    (void)state;
    small_world one = small_world_new(later, "cpu"), two = small_world_new(later, "cpu");
    char path[] = "/tmp/deep-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int step = 0; step < 30; step++) assert_int_equal(mn_step(one.world, one.say), MN_OK);
    assert_int_equal(mn_checkpoint_write(one.world, path, one.say), MN_OK);
    assert_int_equal(mn_checkpoint_read(two.world, path, two.say), MN_OK);
    for (int step = 0; step < 5; step++) {
        assert_int_equal(mn_step(one.world, one.say), MN_OK);
        assert_int_equal(mn_step(two.world, two.say), MN_OK);
        assert_true(mn_world_stats(one.world).dt == mn_world_stats(two.world).dt);
    }
    unlink(path);
    small_world_free(&one), small_world_free(&two);
}

/* An opening fills a tube with ninety layers and stops; they come to rest. */
static void a_tube_that_was_filled(void **state)
{
    (void)state;
    is_calm("particles: {spacing: 0.02}\ntime: {end: 3}\n"
            "fluids:\n  - shapes: [{box: {grid: [4, 2, 4], origin: [0.022, 0.022, 0.022]}}]\n"
            "    emitters:\n      - {box: {size: [0.08, 0.08]}, position: [0.052, 2.2, 0.052], direction: [0, -1, 0],"
            " speed: 2, stop: 0.9}\n"
            "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.104, 5, 0.104], inside_out: true}}]}]\n",
            1.8, 1.2, 1.75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep_liquid_settles),
                                       cmocka_unit_test(heavy_liquid_over_light),
                                       cmocka_unit_test(a_deep_tube_beside_a_pool),
                                       cmocka_unit_test(gravity_that_begins_later),
                                       cmocka_unit_test(a_run_that_goes_on_has_the_same_steps),
                                       cmocka_unit_test(a_tube_that_was_filled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
