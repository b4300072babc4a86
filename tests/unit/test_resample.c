/* The flow on a regular grid: a turning block of liquid is the rotation inside, and nothing outside; a fluid alone,
 * and across periodic faces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/vti.h"
#include "air/air.h"

static mn_vti grid_of(const char *text)
{
    char path[] = "resample-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "resample", NULL, 0, say);
    if (!scene) fail_msg("%s", mn_messages_get(say, 0).text);
    mn_world *w = mn_world_new(scene, NULL, say);
    assert_non_null(w);
    mn_vti grid;
    assert_int_equal(mn_resample_write(w, path, say), MN_OK);
    assert_int_equal(mn_vti_read(path, "velocity", &grid, say), MN_OK);
    unlink(path);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
    return grid;
}

static void rotation(void **state)
{
    (void)state;
    mn_vti g = grid_of(
        "particles: {spacing: 0.1}\ntime: {end: 1}\n"
        "fluids:\n"
        "  - {name: still, shapes: [{box: {grid: [2, 2, 2], origin: [3, 0, 0]}}]}\n"
        "  - {name: turning, angular_velocity: [0, 0, 5], shapes: [{box: {grid: [9, 9, 9], origin: [-0.4, -0.4, "
        "-0.4]}}]}\n"
        "output: {grid: {min: [-0.2, -0.2, -0.2], max: [1.05, 0.2, 0.2], spacing: 0.1, fluid: turning, every: 1}}\n");
    assert_int_equal(g.dims[0], 13);
    assert_int_equal(g.dims[1] * g.dims[2], 25);
    for (int n = 0; n < 13 * 25; n++) {
        const double x = -0.2 + 0.1 * (n % 13), y = -0.2 + 0.1 * (n / 13 % 5);
        const float *v = g.vector + 3 * n;
        if (n % 13 < 5) { /* inside, where the neighbours are symmetric */
            assert_float_equal(v[0], -5 * y, 1e-5);
            assert_float_equal(v[1], 5 * x, 1e-5);
        }
        if (n % 13 > 9) assert_true(v[0] == 0 && v[1] == 0); /* further away than the support */
        assert_float_equal(v[2], 0, 1e-6);
    }
    mn_vti_free(&g);
}

static void across_faces(void **state)
{
    (void)state;
    mn_vti g = grid_of(
        "particles: {spacing: 0.1}\ntime: {end: 1}\ndomain: {min: [0, 0, 0], max: [1, 1, 1], periodic: [x, y, z]}\n"
        "fluids: [{velocity: [1, 2, 3], shapes: [{box: {grid: [10, 10, 10], origin: [0.05, 0.05, 0.05]}}]}]\n"
        "output: {grid: {min: [0, 0, 0], max: [1, 1, 1], every: 1}}\n");
    assert_int_equal(g.dims[0], 6); /* twice the particles' spacing */
    assert_float_equal(g.slowest, sqrt(14), 1e-5);
    assert_float_equal(g.fastest, sqrt(14), 1e-5);
    mn_vti_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rotation), cmocka_unit_test(across_faces)};
    return cmocka_run_group_tests_name("resample", tests, NULL, NULL);
}
