/* Drag of the air on bodies, on every backend: a plate across the wind feels 1/2 rho v^2 A whatever the distance of
 * its points, its lee side nothing, what stands behind something nothing; a sheet feels it from both sides; no step
 * makes a light body outrun the wind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/points.h"
#include "kernels/kernel_world.h"
#include "small_world.h"

/* Bodies in a wind, one lone particle far away. */
static small_world stand_new(const char *backend, const char *step, const char *air, const char *bodies)
{
    char text[2000];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: %s, end: 10}\n"
             "fluids: [{shapes: [{box: {grid: [1, 1, 1], origin: [0, 0.5, 0]}}]}]\nair: {%s}\nbodies:\n%s",
             step, air, bodies);
    return small_world_new(text, backend);
}

static mn_body_motion after_step(small_world *s, int body)
{
    assert_int_equal(mn_step(s->world, s->say), MN_OK);
    return mn_world_body(s->world, body);
}

static const double RHO = 1.2041;

static void plates(void **state)
{
    (void)state;
    static const double spacings[] = {0.01, 0.0075, 0.005, 0.0025};
    static const double thick[] = {0.04, 0.02, 0.004}; /* two faces well apart, two close ones, a sheet */
    for (int b = 0; kernel_backend(b); b++)
        for (int k = 0; k < 4; k++)
            for (int t = 0; t < 3; t++) {
                if (b == 2 && k > 1) continue;
                char body[300];
                snprintf(body, sizeof body,
                         "  - {fixed: true, drag: 1, spacing: %g, shapes: [{box: {size: [%g, 0.12, 0.16], centre: [0, "
                         "0, 0]}}]}\n",
                         spacings[k], thick[t]);
                small_world s = stand_new(kernel_backend(b), "0.001", "velocity: [10, 0, 0]", body);
                const mn_body_motion m = after_step(&s, 0);
                const double expected = 0.5 * RHO * 100 * 0.12 * 0.16;
                print_message("%s, points %g m apart, %g m thick: %.4f of 1/2 rho v^2 A\n", kernel_backend(b),
                              spacings[k], thick[t], m.force[0] / expected);
                assert_float_equal(m.force[0], expected, 0.05 * expected);
                assert_float_equal(m.force[1], 0, 1e-3 * expected);
                assert_float_equal(m.torque[0] + m.torque[1] + m.torque[2], 0, 1e-3 * expected);
                small_world_free(&s);
            }
}

/* Which points of a box feel something: those of the windward face alone. */
static void lee_side(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        small_world s =
            stand_new(kernel_backend(b), "0.001", "velocity: [-20, 0, 0]",
                      "  - {fixed: true, drag: 1, shapes: [{box: {size: [0.1, 0.1, 0.1], centre: [0, 0, 0]}}]}\n");
        assert_int_equal(mn_step(s.world, s.say), MN_OK);
        const int n = mn_boundary_of(s.world)->active;
        double(*force)[3] = calloc((size_t)n, sizeof *force);
        assert_true(n > 100 && mn_boundary_forces(s.world, force));
        int felt = 0;
        for (int i = 0; i < n; i++) {
            const bool windward = mn_boundary_of(s.world)->rest[3 * i] > 0.04;
            assert_true(windward ? force[i][0] < 0 : force[i][0] == 0);
            felt += windward;
        }
        assert_int_equal(felt, 100);
        free(force);
        small_world_free(&s);
    }
}

/* A plate right behind another is sheltered; a sheet feels the wind from either side. */
static void shelter(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        small_world s = stand_new(
            kernel_backend(b), "0.001", "velocity: [0, 0, 10]",
            "  - {name: front, fixed: true, drag: 1, shapes: [{box: {size: [0.1, 0.1, 0.004], centre: [0, 0, 0]}}]}\n"
            "  - {name: behind, fixed: true, drag: 1, contacts: false, shapes: [{box: {size: [0.1, 0.1, 0.004], "
            "centre: [0, "
            "0, 0.015]}}]}\n");
        const mn_body_motion front = after_step(&s, 0), behind = mn_world_body(s.world, 1);
        assert_float_equal(front.force[2], 0.5 * RHO, 0.05 * 0.5 * RHO);
        assert_true(behind.force[2] == 0);
        small_world_free(&s);
        small_world back =
            stand_new(kernel_backend(b), "0.001", "velocity: [0, 0, -10]",
                      "  - {fixed: true, drag: 2, shapes: [{box: {size: [0.1, 0.1, 0.004], centre: [0, 0, 0]}}]}\n");
        const mn_body_motion m = after_step(&back, 0);
        assert_float_equal(m.force[2], -RHO, 0.05 * RHO);
        small_world_free(&back);
    }
}

/* A box of 20 g/m^3 in a storm, with steps from short to absurd. */
static void no_overshoot(void **state)
{
    (void)state;
    static const char *const steps[] = {"0.0001", "0.01"};
    for (int t = 0; t < 2; t++) {
        small_world s =
            stand_new("cpu", steps[t], "velocity: [50, 0, 0]",
                      "  - {density: 0.02, drag: 1, shapes: [{box: {size: [0.1, 0.1, 0.1], centre: [0, 0, 0]}}]}\n");
        double last = 0;
        for (int k = 0; k < 60; k++) {
            const mn_body_motion m = after_step(&s, 0);
            assert_true(m.velocity[0] >= last && m.velocity[0] <= 50 * (1 + 1e-6));
            last = m.velocity[0];
        }
        assert_true(last > 10);
        small_world_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plates), cmocka_unit_test(lee_side), cmocka_unit_test(shelter),
                                       cmocka_unit_test(no_overshoot)};
    return cmocka_run_group_tests_name("drag on bodies", tests, NULL, NULL);
}
