/* particles.support: the rest density of a lattice, walls that hold liquid at the same distance, and the same bits on
 * all backends, with kernels that reach 2, 2.15, 2.5 and 3 spacings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "meniscus/meniscus.h"
#include "run/device.h"

static const double supports[] = {2, 2.15, 2.5, 3};
enum { SUPPORTS = 4 };

static const char *const column = "particles: {spacing: 0.1}\n"
                                  "domain: {min: [0, -1, 0], max: [1.4, 9, 1.4], periodic: [x, z]}\n"
                                  "time: {step: 0.001, end: 1}\n"
                                  "fluids:\n"
                                  "  - shapes: [{box: {grid: [14, 10, 14], origin: [0.05, 0.11, 0.05]}}]\n"
                                  "walls:\n"
                                  "  - shapes: [{plane: {point: [0.7, 0, 0.7], size: [1.3, 1.3]}}]\n";

static mn_world *world_of(mn_scene **scene, double support, const char *const more[], const char *backend)
{
    char set[64];
    const char *sets[8] = {set};
    int count = 1;
    snprintf(set, sizeof set, "particles.support=%g", support);
    for (int k = 0; more && more[k]; k++) sets[count++] = more[k];
    mn_messages *say = mn_messages_new();
    *scene = mn_scene_parse(column, strlen(column), "column.yaml", sets, count, say);
    mn_options options = mn_default_options();
    options.backend = backend, options.threads = 1;
    mn_world *world = *scene ? mn_world_new(*scene, &options, say) : NULL;
    if (!world) fail_msg("%s", mn_messages_count(say) ? mn_messages_get(say, 0).text : "no world");
    mn_messages_free(say);
    return world;
}

static void lattices_have_the_rest_density(void **state)
{
    (void)state;
    for (int s = 0; s < SUPPORTS; s++) assert_float_equal(mn_support_density(supports[s]), 1, 5e-3);
}

/* At two spacings nothing changes, to the last bit. */
static void two_is_the_measure(void **state)
{
    (void)state;
    const mn_support two = mn_support_of(2), nearly = mn_support_of(2.0000001);
    const double *a = &two.neighbours, *b = &nearly.neighbours;
    for (; a <= &two.sweep; a++, b++) {
        assert_true(*a == 1);
        assert_float_equal(*b, 1, 1e-5);
    }
}

/* Densities after the first step, which hardly moves anything: inside, and next to walls of both kinds. */
static void walls_hold_liquid_at_the_same_distance(void **state)
{
    (void)state;
    static const char *const models[][3] = {
        {NULL}, {"walls.0.method=volume_maps", "fluids.0.shapes.0.box.origin=[0.05, 0.115, 0.05]", NULL}};
    for (int w = 0; w < 2; w++)
        for (int s = 0; s < SUPPORTS; s++) {
            mn_scene *scene;
            mn_world *world = world_of(&scene, supports[s], models[w], "cpu");
            assert_int_equal(mn_step(world, NULL), MN_OK);
            const int64_t count = mn_world_particles(world);
            float *x = malloc((size_t)count * 3 * sizeof *x), *density = malloc((size_t)count * sizeof *density);
            assert_int_equal(mn_world_get(world, "position", x, NULL), MN_OK);
            assert_int_equal(mn_world_get(world, "density", density, NULL), MN_OK);
            double low[3] = {0}, number[3] = {0};
            for (int64_t i = 0; i < count; i++) {
                const int layer = (int)((double)x[3 * i + 1] / 0.1 - 0.6), at = layer < 2 ? layer : 2;
                if (layer < 6) low[at] += (double)density[i] / 1000, number[at] += 1;
            }
            print_message("%s %g: %.4f %.4f %.4f\n", w ? "maps" : "points", supports[s], low[0] / number[0],
                          low[1] / number[1], low[2] / number[2]);
            assert_float_equal(low[0] / number[0], 1, w ? 0.03 : 0.01);
            assert_float_equal(low[1] / number[1], 1, w ? 0.015 : 0.01);
            assert_float_equal(low[2] / number[2], 1, 0.005);
            free(x), free(density);
            mn_world_free(world), mn_scene_free(scene);
        }
}

static void backends_agree(void **state)
{
    (void)state;
    static const char *const more[] = {"gravity=[1, -9.81, 0]", "fluids.0.tension={model: jeske2023, cohesion: 10}",
                                       "fluids.0.viscosity={model: weiler2018, viscosity: 0.01}", NULL};
    static const char *const backends[] = {"cpu", "cpu-scalar", "opencl"};
    char name[1][128];
    const int there = mn_devices(name, 1) > 0 ? 3 : 2;
    for (int s = 1; s < SUPPORTS; s++) {
        uint64_t hash[3];
        for (int b = 0; b < there; b++) {
            mn_scene *scene;
            mn_world *world = world_of(&scene, supports[s], more, backends[b]);
            for (int k = 0; k < 4; k++) assert_int_equal(mn_step(world, NULL), MN_OK);
            hash[b] = mn_world_hash(world);
            mn_world_free(world), mn_scene_free(scene);
        }
        for (int b = 1; b < there; b++) assert_true(hash[b] == hash[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_have_the_rest_density), cmocka_unit_test(two_is_the_measure),
        cmocka_unit_test(walls_hold_liquid_at_the_same_distance), cmocka_unit_test(backends_agree)};
    return cmocka_run_group_tests_name("support", tests, NULL, NULL);
}
