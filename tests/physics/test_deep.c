/* test_deep.c -- deep liquid at rest is not thrown upwards; see docs/notes/deep-liquid.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "meniscus/meniscus.h"

/* A column of so many layers settles: nothing may become faster than by a fall of its depth, or come higher. */
static void settles(double spacing, int layers, double jitter)
{
    char text[800];
    const double depth = layers * spacing, wall = 9.2 * spacing;
    snprintf(text, sizeof text,
             "particles: {spacing: %g}\ntime: {end: 1}\nfluids:\n"
             "  - shapes: [{box: {grid: [8, %d, 8], origin: [%g, %g, %g]}}]\n    jitter: %g\n"
             "walls: [{shapes: [{box: {min: [0, 0, 0], max: [%g, %g, %g], inside_out: true}}]}]\n",
             spacing, layers, 1.1 * spacing, 1.1 * spacing, 1.1 * spacing, jitter, wall, 3 * depth, wall);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "deep.yaml", NULL, 0, say);
    mn_options options = mn_default_options();
    options.threads = 1;
    mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
    assert_non_null(w);
    double start = 0;
    const double until = 0.12 * sqrt(depth / 2); /* the column has come down onto the floor */
    while (mn_world_time(w) < until) {
        assert_int_equal(mn_step(w, say), MN_OK);
        const mn_stats now = mn_world_stats(w);
        if (start == 0) start = now.potential_energy;
        if (now.max_speed > sqrt(2 * 9.81 * depth) || now.potential_energy > 1.001 * start)
            fail_msg("%g m deep, %g s: %g m/s, potential energy %g of %g J", depth, mn_world_time(w), now.max_speed,
                     now.potential_energy, start);
    }
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
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
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "over.yaml", NULL, 0, say);
    mn_options options = mn_default_options();
    options.threads = 1;
    mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
    assert_non_null(w);
    double first = 0, most = 0, top = 0;
    while (mn_world_time(w) < 0.3) {
        mn_world_limit_step(w, 0.3);
        assert_int_equal(mn_step(w, say), MN_OK);
        const mn_stats now = mn_world_stats(w);
        const double energy = now.kinetic_energy + now.potential_energy;
        if (first == 0) first = energy;
        most = fmax(most, energy), top = fmax(top, now.max_speed);
    }
    print_message("at most %g m/s, %g of %g J\n", top, most, first);
    assert_true(most < 1.01 * first);
    assert_true(top < 2 * sqrt(2 * 9.81 * 0.48)); /* what is light rises faster than it falls */
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep_liquid_settles),
                                       cmocka_unit_test(heavy_liquid_over_light)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
