/* Walls as volume maps with everything: each model of tension with each pressure solver holds a drop between walls;
 * a drop far from walls keeps its momentum; a rounder drop has more tension or less adhesion. `meniscus validate
 * hydrostatic-maps`, `sloshing-maps`, `jeske-matrix-maps`, `jeske-film` take longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physics/physics.h"
#include "scene/key_table.h"

enum { COUNT = 512 };

/* Falls by `steps` steps onto the floor of a box and leaves positions behind. */
static mn_stats run(const char *tension, const char *pressure, double step, int steps, const char *height,
                    float *position)
{
    char text[1200];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.05}\n"
             "time: {step: %g, end: 9}\n"
             "pressure: %s\n"
             "wall_method: volume_maps\n"
             "fluids:\n"
             "  - shapes: [{box: {grid: [8, 8, 8], origin: [0.3, %s, 0.3]}}]\n"
             "    velocity: [0, -1, 0.2]\n"
             "    viscosity: {model: standard, viscosity: 0.01, wall_viscosity: 0.01}\n"
             "    tension: {model: %s}\n"
             "%s"
             "walls:\n"
             "  - shapes: [{box: {min: [0, 0, 0], max: [1, 1.5, 1], inside_out: true}}]\n"
             "    friction: 0.5\n"
             "  - shapes: [{sphere: {centre: [0.5, 0, 0.95], radius: 0.2}}]\n"
             "    motion: {angular_velocity: [0, 1, 0]}\n",
             step, pressure, height, tension,
             strcmp(tension, "lafaurie1994") == 0 ? "    surface: orthmann2013\n" : "");
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "maps", NULL, 0, say);
    const mn_options options = {"cpu", 1};
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    mn_status status = world ? MN_OK : MN_FAILED;
    for (int k = 0; k < steps && status == MN_OK; k++) status = mn_step(world, say);
    mn_stats stats = {0};
    if (status == MN_OK) {
        stats = mn_world_stats(world);
        assert_int_equal(mn_world_particles(world), COUNT);
        status = mn_world_get(world, "position", position, say);
    }
    if (status != MN_OK)
        fail_msg("%s with %s: %s", tension, pressure, mn_messages_count(say) ? mn_messages_get(say, 0).text : "failed");
    mn_world_free(world);
    mn_scene_free(scene);
    mn_messages_free(say);
    return stats;
}

static void every_model(void **state)
{
    (void)state;
    const char *tensions[32], *solvers[16];
    const int tension_count = mn_models_of_kind("tension", tensions, 32),
              solver_count = mn_models_of_kind("pressure", solvers, 16);
    assert_in_range(tension_count, 8, 32);
    assert_in_range(solver_count, 4, 16);
    for (int t = 0; t < tension_count; t++)
        for (int p = 0; p < solver_count; p++) {
            float position[3 * COUNT];
            run(tensions[t], solvers[p], 0.0004, 12, "0.06", position);
            for (int i = 0; i < 3 * COUNT; i++) {
                const float top = i % 3 == 1 ? 1.5f : 1.0f;
                if (!(position[i] > 0 && position[i] < top))
                    fail_msg("%s with %s: particle %d is at %g", tensions[t], solvers[p], i / 3, (double)position[i]);
            }
        }
}

/* Nothing of a wall is felt from afar: the momentum of the drop is that of its fall. */
static void momentum(void **state)
{
    (void)state;
    float position[3 * COUNT];
    const mn_stats s = run("jeske2023", "dfsph", 0.001, 30, "0.8", position);
    const double mass = 1000 * COUNT * 0.05 * 0.05 * 0.05;
    assert_true(fabs(s.momentum[0]) < 1e-5 * mass);
    assert_true(fabs(s.momentum[1] - mass * (-1 - 9.81 * 0.03)) < 1e-5 * mass);
    assert_true(fabs(s.momentum[2] - mass * 0.2) < 1e-5 * mass);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_model), cmocka_unit_test(momentum)};
    return cmocka_run_group_tests_name("maps", tests, NULL, NULL);
}
