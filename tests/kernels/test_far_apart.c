/* Parts of a scene that are far from each other all keep their walls, in a grid that leaves out what lies between them; on every backend, with the same bits. */
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
    int used = snprintf(text, sizeof text,
                        "particles: {spacing: 0.02}\ntime: {step: 0.004, end: 1}\nfluids:\n  - viscosity: {model: standard, "
                        "viscosity: 0.01}\n    shapes:\n");
    for (int k = 0; k < 2; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "      - box: {grid: [10, 6, 10], origin: [%g, %g, %g]}\n",
                         tank[k][0] + 0.022, tank[k][1] + 0.022, tank[k][2] + 0.022);
    used += snprintf(text + used, sizeof text - (size_t)used, "      - box: {grid: [3, 3, 3], origin: [%g, %g, %g]}\nwalls:\n",
                     ground[0], ground[1] + 0.1, ground[2]);
    for (int k = 0; k < 2; k++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  - shapes: [{box: {min: [%g, %g, %g], max: [%g, %g, %g], inside_out: true}}]\n", tank[k][0], tank[k][1],
                         tank[k][2], tank[k][0] + 0.224, tank[k][1] + 0.3, tank[k][2] + 0.224);
    snprintf(text + used, sizeof text - (size_t)used,
             "  - shapes: [{plane: {point: [%g, %g, %g], normal: [0, 1, 0], size: [1, 1]}}]\n", ground[0], ground[1], ground[2]);
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
            if (!(above > 0.005 && above < 0.3)) fail_msg("%s: particle %d is %g m above its floor", kernel_backend(b), i, above);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_keep_their_walls)};
    return cmocka_run_group_tests_name("far apart", tests, NULL, NULL);
}
