/* What cuts the surface of liquids: the surfaces of soft solids are made of few enough triangles, and it is said where
 * these are larger than they should be. */
#include "surface/barrier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Messages of a cube of so many spacings that it would need too many triangles. */
static int complaints(double edge)
{
    char text[400];
    snprintf(text, sizeof text,
             "particles: {spacing: 1}\ntime: {end: 1}\nfluids: [{shapes: [{box: {grid: [2, 2, 2]}}]}]\nsolids: [{name: "
             "jelly, density: 1000, young: 1e4, poisson: 0.3, shapes: [{box: {size: [%g, %g, %g]}}]}]\n",
             edge, edge, edge);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    assert_non_null(scene);
    mn_barrier *barrier = mn_barrier_new(scene, say);
    assert_non_null(barrier);
    int found = 0;
    for (int m = 0; m < mn_messages_count(say); m++)
        found += strstr(mn_messages_get(say, m).text, "'jelly' would need more than two million triangles") != NULL;
    double gap, beside[3] = {0.5 * edge + 2, 0, 0};
    assert_true(mn_barrier_distance(barrier, beside, 5, &gap) > 1.999); /* it is there whatever its triangles */
    assert_true(mn_barrier_distance(barrier, beside, 5, &gap) < 2.001);
    mn_barrier_free(barrier);
    mn_scene_free(scene);
    mn_messages_free(say);
    return found;
}

static void surfaces_of_solids_end_at_two_million_triangles(void **state)
{
    (void)state;
    assert_int_equal(complaints(20), 0);
    assert_int_equal(complaints(260), 1); /* 12 times 4 to the power of 9 otherwise: 3 million */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces_of_solids_end_at_two_million_triangles)};
    return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
