/* Fields of a frame in the very step in which an emitter added particles: the lists do not know these yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meniscus/meniscus.h"

static void pressure_while_emitting(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.02}\ntime: {step: 0.002, end: 1}\n"
        "fluids: [{emitters: [{box: {size: [0.2, 0.2]}, position: [0, 1, 0], direction: [0, -1, 0], speed: 10}]}]\n"
        "walls: [{shapes: [{plane: {point: [0, 0.8, 0], normal: [0, 1, 0], size: [1, 1]}}]}]\n"
        "output: {fields: [acceleration]}\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "emitting", NULL, 0, say);
    assert_non_null(scene);
    mn_world *w = mn_world_new(scene, NULL, say);
    assert_non_null(w);
    int64_t before = 0;
    for (int step = 0; step < 60; step++) {
        assert_int_equal(mn_step(w, say), MN_OK);
        const int64_t n = mn_world_particles(w);
        float *p = malloc((size_t)n * sizeof *p + 4);
        assert_int_equal(mn_world_get(w, "pressure", p, say), MN_OK);
        for (int64_t i = 0; i < n; i++) assert_true(isfinite(p[i]) && p[i] >= 0);
        /* New ones have the density of rest and no acceleration, not what was in their memory. */
        assert_int_equal(mn_world_get(w, "density", p, say), MN_OK);
        for (int64_t i = before; i < n; i++) assert_true(p[i] == 1000);
        float *a = malloc((size_t)n * 3 * sizeof *a + 4);
        assert_int_equal(mn_world_get(w, "acceleration", a, say), MN_OK);
        for (int64_t i = 3 * before; i < 3 * n; i++) assert_true(a[i] == 0);
        before = n;
        free(a);
        free(p);
    }
    assert_true(mn_world_particles(w) > 5000);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

/* Crowded particles go down a sink, and new ones take their places in memory: not their densities, in the tables
 * either. */
static void density_after_others(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.05}\ntime: {step: 0.002, end: 1}\n"
        "fluids: [{shapes: [{sphere: {radius: 0.2}}]}, {shapes: [{sphere: {radius: 0.2}}],\n"
        "  emitters: [{disc: {radius: 0.1}, position: [0, 9, 0], direction: [0, 1, 0], speed: 5, start: 0.004}]}]\n"
        "sinks: [{shape: {sphere: {radius: 5}}, start: 0.002}]\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "emitting", NULL, 0, say);
    mn_world *w = scene ? mn_world_new(scene, NULL, say) : NULL;
    assert_non_null(w);
    assert_int_equal(mn_step(w, say), MN_OK);
    assert_true(mn_world_stats(w).density_error_max > 0.5);
    for (int step = 1; step < 30; step++) {
        assert_int_equal(mn_step(w, say), MN_OK);
        assert_true(mn_world_stats(w).density_error_max < 0.1);
    }
    assert_true(mn_world_particles(w) > 10);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_while_emitting),
                                       cmocka_unit_test(density_after_others)};
    return cmocka_run_group_tests_name("emitted pressure", tests, NULL, NULL);
}
