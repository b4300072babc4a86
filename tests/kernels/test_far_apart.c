/* Parts of a scene that are far from each other all keep their walls and cost what they hold, on every backend, with
 * the same bits. */
#include "kernels/kernel_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two tanks and a drop over a floor: five million cells lie between them. */
static const double tank[2][3] = {{0, 0, 0}, {31, -26, 40}}, ground[3] = {-12, 9, 70};
enum { WATER = 10 * 6 * 10, DROP = 27 };

static mn_world *open(const char *backend, mn_messages *say, mn_scene **scene)
{
    char text[4000];
    int used =
        snprintf(text, sizeof text,
                 "particles: {spacing: 0.02}\ntime: {step: 0.004, end: 1}\nfluids:\n  - viscosity: {model: standard, "
                 "viscosity: 0.01}\n    shapes:\n");
    for (int k = 0; k < 2; k++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "      - box: {grid: [10, 6, 10], origin: [%g, %g, %g]}\n", tank[k][0] + 0.022,
                         tank[k][1] + 0.022, tank[k][2] + 0.022);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "      - box: {grid: [3, 3, 3], origin: [%g, %g, %g]}\nwalls:\n", ground[0], ground[1] + 0.1,
                     ground[2]);
    for (int k = 0; k < 2; k++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  - shapes: [{box: {min: [%g, %g, %g], max: [%g, %g, %g], inside_out: true}}]\n", tank[k][0],
                         tank[k][1], tank[k][2], tank[k][0] + 0.224, tank[k][1] + 0.3, tank[k][2] + 0.224);
    snprintf(text + used, sizeof text - (size_t)used,
             "  - shapes: [{plane: {point: [%g, %g, %g], normal: [0, 1, 0], size: [1, 1]}}]\n", ground[0], ground[1],
             ground[2]);
    *scene = mn_scene_parse(text, strlen(text), "far.yaml", NULL, 0, say);
    if (!*scene) fail_msg("%s\n%s", mn_messages_get(say, 0).text, text);
    const mn_options options = {backend, 1};
    return mn_world_new(*scene, &options, say);
}

static void all_keep_their_walls(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene;
        mn_world *w = open(kernel_backend(b), say, &scene);
        assert_non_null(w);
        assert_int_equal(w->layout.fluid, 2 * WATER + DROP);
        for (int step = 0; step < 70; step++) assert_int_equal(mn_step(w, say), MN_OK);
        static float x[3 * (2 * WATER + DROP)];
        assert_int_equal(mn_world_get(w, "position", x, say), MN_OK);
        for (int i = 0; i < 2 * WATER + DROP; i++) {
            const double *low = i < 2 * WATER ? tank[i / WATER] : ground;
            const double above = (double)x[3 * i + 1] - low[1];
            if (!(above > 0.005 && above < 0.3))
                fail_msg("%s: particle %d is %g m above its floor", kernel_backend(b), i, above);
            for (int a = 0; a < 3 && i < 2 * WATER; a++)
                assert_true((double)x[3 * i + a] > low[a] && (double)x[3 * i + a] < low[a] + 0.3);
        }
        const uint64_t hash = mn_world_hash(w);
        if (b == 0) first = hash;
        assert_true(hash == first);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* Opens a world from a scene's text. */
static mn_world *open_text(const char *text, const char *backend, mn_messages *say, mn_scene **scene)
{
    *scene = mn_scene_parse(text, strlen(text), "far.yaml", NULL, 0, say);
    if (!*scene) fail_msg("%s\n%s", mn_messages_get(say, 0).text, text);
    const mn_options options = {backend, 1};
    mn_world *w = mn_world_new(*scene, &options, say);
    assert_non_null(w);
    return w;
}

/* A box around a slanting pipe would have seven million cells to six thousand particles: it keeps all of them. */
static void a_slanting_pipe_is_tight(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.01}\ntime: {step: 0.002, end: 1}\nfluids:\n  - shapes: [{cylinder: {radius: "
        "0.0165, height: 6.97, axis: [1, -0.5, 1]}}]\nwalls:\n  - shapes: [{cylinder: {radius: 0.028, "
        "height: 7, axis: [1, -0.5, 1], inside_out: true}}]\n";
    uint64_t first = 0;
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene;
        mn_world *w = open_text(text, kernel_backend(b), say, &scene);
        for (int step = 0; step < 50; step++) assert_int_equal(mn_step(w, say), MN_OK);
        const int n = w->layout.fluid;
        float *x = malloc(3 * (size_t)n * sizeof *x);
        assert_int_equal(mn_world_get(w, "position", x, say), MN_OK);
        for (int i = 0; i < n; i++) {
            const double p[3] = {(double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]};
            const double along = (p[0] - 0.5 * p[1] + p[2]) / 1.5;
            const double off = sqrt(fmax(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - along * along, 0.0));
            if (!(off < 0.028 && fabs(along) < 3.5))
                fail_msg("%s: particle %d is at %g m along the pipe, %g m off its axis", kernel_backend(b), i, along,
                         off);
        }
        if (b == 0) first = mn_world_hash(w);
        assert_true(mn_world_hash(w) == first);
        free(x);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* Two hundred drops start side by side, where the table of cells is dense, and end far apart, where it is not. */
static void drops_that_fly_apart(double speed)
{
    enum { DROPS = 216, STEPS = 40 };
    static const char text[] = "particles: {spacing: 0.02}\ngravity: [0, 0, 0]\ntime: {step: 0.004, end: 1}\n"
                               "fluids:\n  - shapes: [{box: {grid: [6, 6, 6], origin: [0, 0, 0]}}]\n";
    float away[3 * DROPS];
    for (int k = 0; k < DROPS; k++) {
        const double z = 2 * (k + 0.5) / DROPS - 1, r = sqrt(1 - z * z), turn = 2.4 * k;
        away[3 * k] = (float)(speed * r * cos(turn)), away[3 * k + 1] = (float)(speed * r * sin(turn));
        away[3 * k + 2] = (float)(speed * z);
    }
    uint64_t first[STEPS];
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene;
        mn_world *w = open_text(text, kernel_backend(b), say, &scene);
        assert_int_equal(mn_world_set(w, "velocity", away, say), MN_OK);
        for (int step = 0; step < STEPS; step++) {
            assert_int_equal(mn_step(w, say), MN_OK);
            if (b == 0) first[step] = mn_world_hash(w);
            assert_true(mn_world_hash(w) == first[step]);
        }
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

static void drops_that_fly_apart_keep_their_bits(void **state)
{
    (void)state;
    drops_that_fly_apart(4); /* a cell in two steps */
    drops_that_fly_apart(40);
    drops_that_fly_apart(4000); /* soon the box around them has more strips than a device makes a map of */
}

/* A tank and twenty drops, beside it or up to two kilometres away: the same memory. */
static void far_drops_cost_what_they_hold(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        size_t bytes[2];
        for (int far = 0; far < 2; far++) {
            char text[4000];
            int used = snprintf(text, sizeof text,
                                "particles: {spacing: 0.02}\ngravity: [0, 0, 0]\ntime: {step: 0.004, end: "
                                "1}\nfluids:\n  - shapes:\n      - "
                                "box: {grid: [20, 10, 20], origin: [0.022, 0.022, 0.022]}\n");
            for (int k = 0; k < 20; k++)
                used += snprintf(text + used, sizeof text - (size_t)used,
                                 "      - box: {grid: [2, 2, 2], origin: [%g, %g, %g]}\n",
                                 far ? 102.4 * (k + 1) : 0.2 * k, far ? -64.0 * k : 1.0, far ? 89.6 * k : 0.4);
            mn_messages *say = mn_messages_new();
            mn_scene *scene;
            mn_world *w = open_text(text, kernel_backend(b), say, &scene);
            for (int step = 0; step < 3; step++) assert_int_equal(mn_step(w, say), MN_OK);
            assert_int_equal(w->layout.fluid, 4000 + 160);
            bytes[far] = w->api->bytes(w->device);
            mn_world_free(w);
            mn_scene_free(scene);
            mn_messages_free(say);
        }
        if (bytes[1] > bytes[0] + 100 * 4160)
            fail_msg("%s: %zu bytes near, %zu far", kernel_backend(b), bytes[0], bytes[1]);
    }
}

/* Where floats cannot tell places apart there are no cells: what comes there is deleted, and said. */
static void no_particle_is_kept_without_cells(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.001}\ngravity: [0, 0, 0]\ntime: {step: 0.001, end: 1}\nfluids:\n  - shapes: "
        "[{box: {grid: [3, 3, 3], origin: [0, 0, 0]}}, {box: {grid: [1, 1, 1], origin: [0, 3998, 0]}}, "
        "{box: {grid: [1, 1, 1], origin: [0, 0, -4002]}}]\n";
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene;
        mn_world *w = open_text(text, kernel_backend(b), say, &scene);
        for (int step = 0; step < 2; step++) assert_int_equal(mn_step(w, say), MN_OK);
        assert_int_equal(w->layout.fluid, 28);
        assert_int_equal(w->lost, 1);
        int said = 0;
        for (int k = 0; k < mn_messages_count(say); k++)
            said += strstr(mn_messages_get(say, k).text,
                           "1 particle came farther than 4000 m from the origin by step 0") != NULL;
        assert_int_equal(said, 1);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keep_their_walls),
        cmocka_unit_test(a_slanting_pipe_is_tight),
        cmocka_unit_test(drops_that_fly_apart_keep_their_bits),
        cmocka_unit_test(far_drops_cost_what_they_hold),
        cmocka_unit_test(no_particle_is_kept_without_cells),
    };
    return cmocka_run_group_tests_name("far apart", tests, NULL, NULL);
}
