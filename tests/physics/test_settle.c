/* test_settle.c -- fluid that starts in disorder does not fly apart: `particles.settle`. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "small_world.h"

enum { MOST = 2000 };
static const char *const backends[] = {"cpu-scalar", "cpu", "opencl"};
static const double RADIUS = 1e-3, TENSION = 0.0728;

/* A drop of water of 1 mm without weight, six spacings to the radius, as `how` says. */
static small_world drop_new(const char *settle, const char *how, const char *backend)
{
    char text[600];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g, settle: %s}\ngravity: [0, 0, 0]\ntime: {end: 1}\n"
             "fluids: [{surface_tension: %g, velocity: [0.5, 0, 0], %s, shapes: [{sphere: {centre: [0, 0, 0], "
             "radius: %g}}]}]\n",
             RADIUS / 6, settle, TENSION, how, RADIUS);
    return small_world_new(text, backend);
}

static int told(const small_world *d, const char *words)
{
    int found = 0;
    for (int i = 0; i < mn_messages_count(d->say); i++) found += strstr(mn_messages_get(d->say, i).text, words) != NULL;
    return found;
}

/* The energy that is not that of the flight, over that of the surface, after a step. */
static double unrest(small_world *d)
{
    assert_int_equal(mn_step(d->world, d->say), MN_OK);
    const mn_stats s = mn_world_stats(d->world);
    const double volume = pow(RADIUS / 6, 3), mass = 1000 * volume * (double)s.particles;
    assert_true(fabs(s.momentum[0] / (0.5 * mass) - 1) < 1e-4);
    return (s.kinetic_energy - 0.5 * mass * 0.25) / (4 * 3.14159265358979 * RADIUS * RADIUS * TENSION);
}

static void no_drop_flies_apart(void **state)
{
    (void)state;
    static const char *const starts[][2] = {
        {"auto", "sampling: poisson"}, {"auto", "sampling: poisson, seed: 5"}, {"always", "jitter: 0.3"}};
    for (int k = 0; k < 3; k++) {
        uint64_t hash[3];
        for (int b = 0; b < 3; b++) {
            small_world d = drop_new(starts[k][0], starts[k][1], backends[b]);
            assert_int_equal(told(&d, "too dense"), 0);
            const double left = unrest(&d);
            if (left > 0.01) fail_msg("%s on %s: %g of the energy of the surface", starts[k][1], backends[b], left);
            hash[b] = mn_world_hash(d.world);
            small_world_free(&d);
        }
        assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
    }
    small_world raw = drop_new("auto", "jitter: 0.3", "cpu");
    assert_int_equal(told(&raw, "settle: always"), 1);
    assert_true(unrest(&raw) > 1); /* or there is nothing to cure */
    small_world_free(&raw);
}

static void places(const char *settle, const char *how, float *out)
{
    small_world d = drop_new(settle, how, "cpu");
    assert_true(mn_world_particles(d.world) < MOST);
    assert_int_equal(mn_world_get(d.world, "position", out, d.say), MN_OK);
    small_world_free(&d);
}

/* Lattices stay as they are, and so does a start that shall. */
static void others_stay_in_place(void **state)
{
    (void)state;
    static float a[3 * MOST], b[3 * MOST];
    places("auto", "sampling: lattice", a), places("never", "sampling: lattice", b);
    assert_memory_equal(a, b, sizeof a);
    places("auto", "jitter: 0.2", a), places("never", "jitter: 0.2", b);
    assert_memory_equal(a, b, sizeof a);
    places("auto", "sampling: poisson", a), places("never", "sampling: poisson", b);
    assert_memory_not_equal(a, b, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_drop_flies_apart), cmocka_unit_test(others_stay_in_place)};
    return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
