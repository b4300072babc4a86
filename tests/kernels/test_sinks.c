/* Sinks of every shape, turned and moved, inside and out: the kernel drops what the signed distances of the host
 * call inside, on every backend. */
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

#include "geometry/geometry.h"
#include "core/parts.h"
#include "inflow/inflow.h"
#include "kernels/kernel_world.h"
#include "core/world.h"

static const char *const shapes[] = {
    "box: {min: [-0.3, -0.2, -0.4], max: [0.2, 0.5, 0.1], rotate: [20, 30, -40]}",
    "box: {min: [-0.3, -0.2, -0.4], max: [0.2, 0.5, 0.1], inside_out: true}",
    "sphere: {centre: [0.1, -0.1, 0.2], radius: 0.4}",
    "cylinder: {centre: [0, 0.1, 0], radius: 0.3, height: 0.5, rotate: [70, 0, 10]}",
    "capsule: {centre: [0.1, 0, 0], radius: 0.2, height: 0.5, rotate: [0, 0, 50]}",
    "cone: {centre: [0, 0, 0.1], radius: 0.5, top_radius: 0.1, height: 0.8, rotate: [30, 0, 0]}",
    "torus: {centre: [0, 0, 0], radius: 0.4, tube: 0.15, rotate: [0, 20, 60], inside_out: true}",
    "plane: {point: [0, 0.1, 0], normal: [1, 2, 3], size: [1, 1]}",
};

static const char block[] = "v -0.3 -0.3 -0.3\nv 0.4 -0.3 -0.3\nv 0.4 0.2 -0.3\nv -0.3 0.2 -0.3\nv -0.3 -0.3 0.3\nv "
                            "0.4 -0.3 0.3\nv 0.4 0.2 0.3\nv "
                            "-0.3 0.2 0.3\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE };

/* Anywhere in the cube of side 1.6 m; the same on every machine. */
static void scatter(float *x)
{
    uint32_t seed = 12345;
    for (int i = 0; i < 3 * COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = 1.6f * ((float)(seed >> 8) / 16777216.0f - 0.5f);
    }
}

static void check_shape(const char *backend, const char *shape, mn_messages *say)
{
    char text[512];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.1}\ntime: {step: 0.001, end: 1}\n"
             "fluids: [{shapes: [{box: {grid: [%d, %d, %d], origin: [0, 0, 0]}}]}]\n"
             "sinks: [{shape: {%s}}, {shape: {sphere: {radius: 9}}, start: 5}]\n",
             SIDE, SIDE, SIDE, shape);
    mn_scene *scene = mn_scene_parse(text, strlen(text), "sinks.yaml", NULL, 0, say);
    mn_options options = {backend, 2};
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    if (!world) fail_msg("%s", mn_messages_get(say, 0).text);
    float *x = malloc(sizeof(float) * 3 * COUNT);
    real4 *now = malloc(sizeof *now * COUNT);
    scatter(x);
    assert_int_equal(mn_world_set(world, "position", x, say), MN_OK);
    int64_t drained = 0, gone = 0, expected = 0;
    world->leaving = 0;
    mn_inflow_system.at[MN_AT_leave](world, mn_inflow_of(world));
    assert_false(world->failed);
    drained = world->leaving;
    assert_true(world->api->get(world->device, world->field[MN_FIELD_pos], 0, now, sizeof *now * COUNT));
    for (int i = 0; i < COUNT; i++) {
        const double place[3] = {(double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]};
        const double distance = mn_shape_distance(mn_inflow_of(world)->sinks[0], place, 1.0);
        gone += now[i].x > 1e38f;
        expected += distance < 0;
        if (fabs(distance) > 1e-6 && (now[i].x > 1e38f) != (distance < 0))
            fail_msg("%s, %s: particle %d at %g m was %s", backend, shape, i, distance,
                     now[i].x > 1e38f ? "deleted" : "kept");
    }
    assert_int_equal(drained, gone);
    assert_true(gone > COUNT / 50 && gone < COUNT - COUNT / 50 && llabs(gone - expected) < 5);
    free(x), free(now);
    mn_world_free(world);
    mn_scene_free(scene);
}

/* The file has a name of its own: another build of this test may run beside this one. */
static void every_shape(void **state)
{
    (void)state;
    char path[] = "/tmp/mn_sinks_XXXXXX.obj", mesh[64];
    const int file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, block, sizeof block - 1) == (ssize_t)sizeof block - 1 && !close(file));
    snprintf(mesh, sizeof mesh, "mesh: {file: %s}", path);
    for (int b = 0; kernel_backend(b); b++)
        for (size_t k = 0; k <= sizeof shapes / sizeof *shapes; k++) {
            mn_messages *say = mn_messages_new();
            check_shape(kernel_backend(b), k < sizeof shapes / sizeof *shapes ? shapes[k] : mesh, say);
            mn_messages_free(say);
        }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
