/* pcisph as its papers have it: stopped by the largest error, and steps that are taken back after a shock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "meniscus/meniscus.h"

typedef struct outcome {
    double time, error, reach; /* s; largest compression; largest way in a step, in supports */
    uint64_t state;
} outcome;

/* A block that strikes the floor of a box at 6 m/s. */
static outcome strike(const char *pressure, int steps, const char *backend)
{
    char text[640];
    outcome out = {0};
    snprintf(text, sizeof text,
             "particles: {spacing: 0.05}\ntime: {adaptive: {max: 0.005}, end: 1}\n"
             "pressure: {model: pcisph, tolerance: 0.5, max_iterations: 60, %s}\n"
             "fluids: [{shapes: [{box: {grid: [8, 8, 8], origin: [-0.175, 0.1, -0.175]}}], velocity: [0, -6, 0]}]\n"
             "walls: [{shapes: [{box: {min: [-0.4, 0, -0.4], max: [0.4, 2, 0.4], inside_out: true, open: [top]}}]}]\n",
             pressure);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "strike", NULL, 0, say);
    mn_world *w = scene ? mn_world_new(scene, &(mn_options){.backend = backend}, say) : NULL;
    assert_non_null(w);
    for (int k = 0; k < steps; k++) {
        const double before = mn_world_time(w);
        assert_int_equal(mn_step(w, say), MN_OK);
        const mn_stats now = mn_world_stats(w);
        assert_true(now.time > before);
        out.error = fmax(out.error, now.density_error_max);
        out.reach = fmax(out.reach, now.dt * now.max_speed / 0.1);
    }
    out.time = mn_world_time(w), out.state = mn_world_hash(w);
    mn_world_free(w), mn_scene_free(scene), mn_messages_free(say);
    return out;
}

static void largest_error_stops(void **state)
{
    (void)state;
    const outcome mean = strike("largest: 0", 60, NULL), largest = strike("largest: 1", 60, NULL);
    /* a mean over all particles lets single ones be crushed */
    assert_true(mean.error > 0.3);
    assert_true(largest.error < 0.2);
}

/* Without it, what the blow throws up moves further than 0.45 supports in a step. */
static void shocks_are_taken_back(void **state)
{
    (void)state;
    const outcome plain = strike("largest: 1, rewind: 0", 150, NULL), back = strike("largest: 1, rewind: 1", 150, NULL);
    const outcome mean = strike("rewind: 0", 60, NULL), mean_back = strike("rewind: 1", 60, NULL);
    assert_true(mean.reach > 0.45);
    assert_true(mean_back.reach <= 0.45);
    assert_true(plain.error > 0.05);
    assert_true(back.error < 0.3 * plain.error);
    assert_true(back.state != plain.state);
}

static void same_bits_on_every_backend(void **state)
{
    (void)state;
    const outcome one = strike("largest: 1, rewind: 1", 40, "cpu"),
                  other = strike("largest: 1, rewind: 1", 40, "cpu-scalar");
    assert_true(one.state == other.state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(largest_error_stops), cmocka_unit_test(shocks_are_taken_back),
                                       cmocka_unit_test(same_bits_on_every_backend)};
    return cmocka_run_group_tests_name("pcisph", tests, NULL, NULL);
}
