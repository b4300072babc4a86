/* The curvature that the model laplace finds, mean over a surface by its area, against that of the shape: balls,
 * columns, a hole, and the three sides of a ring, of which the inner one is a saddle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/world.h"

typedef struct liquid {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
    int count;
    float *place, *curvature, *area, *face; /* four numbers each, but for the curvature */
} liquid;

static float *field_of(const liquid *l, const char *name)
{
    int f = 0;
    while (f < MN_FIELD_COUNT && strcmp(mn_field_table[f].name, name) != 0) f++;
    assert_true(f < MN_FIELD_COUNT);
    const size_t size = (size_t)l->count * (mn_field_table[f].type == MN_TYPE_real4 ? 16 : 4);
    float *data = malloc(size + 1);
    assert_non_null(data);
    assert_true(l->world->api->get(l->world->device, l->world->field[f], 0, data, size));
    return data;
}

/* From Poisson disks, a spacing of 1 m, thick enough to keep its shape; after two seconds. */
static liquid liquid_of(const char *shape, const char *domain)
{
    char text[1000];
    snprintf(text, sizeof text,
             "particles: {spacing: 1}\ngravity: [0, 0, 0]\ntime: {step: 0.05, end: 1000}\n%sfluids:\n  - %s\n"
             "    sampling: poisson\n    surface_tension: 1000\n    viscosity: {model: standard, viscosity: 0.5}\n",
             domain, shape);
    liquid l = {.say = mn_messages_new()};
    l.scene = mn_scene_parse(text, strlen(text), "shape", NULL, 0, l.say);
    const mn_options options = {"cpu", 0};
    l.world = l.scene ? mn_world_new(l.scene, &options, l.say) : NULL;
    for (int i = 0; i < mn_messages_count(l.say); i++) print_message("%s\n", mn_messages_get(l.say, i).text);
    assert_non_null(l.world);
    for (int k = 0; k < 40; k++) assert_int_equal(mn_step(l.world, l.say), MN_OK);
    l.count = l.world->layout.fluid;
    l.place = field_of(&l, "pos"), l.curvature = field_of(&l, "laplace_kappa");
    l.area = field_of(&l, "laplace_area"), l.face = field_of(&l, "laplace_face");
    return l;
}

static void release(liquid *l)
{
    free(l->place), free(l->curvature), free(l->area), free(l->face);
    mn_world_free(l->world);
    mn_scene_free(l->scene);
    mn_messages_free(l->say);
}

/* Over the particles of the surface that `counts` accepts. */
typedef bool part_of(const float *x, double with);
static double mean_curvature(const liquid *l, part_of *counts, double with)
{
    double sum = 0, all = 0;
    for (int i = 0; i < l->count; i++) {
        const float *n = l->face + 4 * i, *a = l->area + 4 * i;
        if (n[3] < 1.2f || !counts(l->place + 4 * i, with)) continue;
        const double area = (double)(a[0] * n[0] + a[1] * n[1] + a[2] * n[2]);
        sum += area * (double)l->curvature[i], all += area;
    }
    return sum / all;
}

static bool all_of_it(const float *x, double with) { return (void)x, (void)with, true; }
static bool near_the_axis(const float *x, double with) { return hypot((double)x[0], (double)x[2]) < with; }

static void of_balls_columns_and_holes(void **state)
{
    (void)state;
    static const char column[] = "domain: {min: [-50, 0, -50], max: [50, 16, 50], periodic: [y]}\n";
    static const struct {
        const char *shape, *domain;
        part_of *part;
        double with, expected, within;
    } rows[] = {
        {"shapes: [{sphere: {radius: 6}}]", "", all_of_it, 0, 2.0 / 6, 0.03},
        {"shapes: [{sphere: {radius: 10}}]", "", all_of_it, 0, 2.0 / 10, 0.03},
        {"shapes: [{cylinder: {radius: 5, height: 16, centre: [0, 8, 0]}}]", column, all_of_it, 0, 1.0 / 5, 0.03},
        {"shapes: [{cylinder: {radius: 8, height: 16, centre: [0, 8, 0]}}]", column, all_of_it, 0, 1.0 / 8, 0.03},
        {"shapes: [{box: {min: [-20, 0, -20], max: [20, 16, 20]}}]\n    holes: [{cylinder: {radius: 12, height: 20, "
         "centre: [0, 8, 0]}}]",
         column, near_the_axis, 16, -1.0 / 12, 0.05},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        liquid l = liquid_of(rows[k].shape, rows[k].domain);
        const double found = mean_curvature(&l, rows[k].part, rows[k].with);
        print_message("%s: %.4f, expected %.4f\n", rows[k].shape, found, rows[k].expected);
        if (!(fabs(found / rows[k].expected - 1) < rows[k].within)) fail_msg("%s: %g", rows[k].shape, found);
        release(&l);
    }
}

enum { RING = 14, TUBE = 6 };
/* Angle around the tube, 0 at the outer side. */
static double around(const float *x)
{
    return fabs(atan2((double)x[1], hypot((double)x[0], (double)x[2]) - (double)RING));
}
static bool outer(const float *x, double with) { return around(x) < with; }
static bool top(const float *x, double with) { return fabs(around(x) - M_PI / 2) < with; }
static bool inner(const float *x, double with) { return M_PI - around(x) < with; }

/* A ring: 1/tube + 1/(distance from the axis), as it is bent the other way inside. Within a hundredth of a spacing's
   inverse. */
static void of_a_ring(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        part_of *part;
        double expected;
    } rows[] = {{"outer side", outer, 1.0 / TUBE + 1.0 / (RING + TUBE)},
                {"top", top, 1.0 / TUBE},
                {"inner side", inner, 1.0 / TUBE - 1.0 / (RING - TUBE)}};
    liquid l = liquid_of("shapes: [{torus: {radius: 14, tube: 6}}]", "");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double found = mean_curvature(&l, rows[k].part, 0.4);
        print_message("%s: %.4f, expected %.4f\n", rows[k].what, found, rows[k].expected);
        if (!(fabs(found - rows[k].expected) < 0.01)) fail_msg("%s: %g", rows[k].what, found);
    }
    release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_balls_columns_and_holes), cmocka_unit_test(of_a_ring)};
    return cmocka_run_group_tests_name("curvature", tests, NULL, NULL);
}
