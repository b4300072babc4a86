/* Bodies in liquid: momentum, a box that floats half submerged, and the pull of a surface at its waterline.
 * A body has its size however closely its points lie. `meniscus validate` also has buoyancy and neutral density. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "physics/physics.h"

static void momentum(void **state)
{
    (void)state;
    assert_validates(validate_bodies_momentum, 0, NULL);
}

static void floating(void **state)
{
    (void)state;
    assert_validates(validate_floating, 1.2, NULL);
}

static void waterline(void **state)
{
    (void)state;
    assert_validates(validate_waterline, 0, NULL);
}

/* How far a ball of 1300 kg/m^3 has sunk after 0.2 s; its points are `points` apart, the fluid's 0.02 m. */
static double sunk(double points)
{
    char text[700];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.02}\ntime: {end: 0.2}\n"
             "fluids: [{shapes: [{box: {min: [0.022, 0.022, 0.022], max: [0.298, 0.3, 0.298]}}]}]\n"
             "bodies: [{density: 1300, spacing: %g, shapes: [{sphere: {centre: [0.16, 0.18, 0.16], radius: 0.05}}]}]\n"
             "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.32, 0.5, 0.32], inside_out: true}}]}]\n",
             points);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "ball.yaml", NULL, 0, say);
    mn_world *w = scene ? mn_world_new(scene, NULL, say) : NULL;
    assert_non_null(w);
    mn_world_inspect(w, say);
    assert_int_equal(mn_messages_count(say), 0);
    while (mn_world_time(w) < 0.2) assert_int_equal(mn_step(w, say), MN_OK);
    const double depth = 0.18 - mn_world_body(w, 0).position[1];
    mn_world_free(w), mn_scene_free(scene), mn_messages_free(say);
    return depth;
}

/* Points that are closer together make the body no larger: it sinks as far, to 10 %. */
static void finely_sampled(void **state)
{
    (void)state;
    const double plain = sunk(0.02);
    assert_true(plain > 0.04);
    assert_float_equal(sunk(0.01), plain, 0.1 * plain);
    assert_float_equal(sunk(0.005), plain, 0.1 * plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum), cmocka_unit_test(floating),
                                       cmocka_unit_test(waterline), cmocka_unit_test(finely_sampled)};
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
