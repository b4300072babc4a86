/* What still water does to the walls of its tank: together they bear its weight, floor and sides the pressure of the
 * depth, with every solver, and with boundary points as in the papers and as they give the pressure next to walls. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boundary/points.h"
#include "core/world.h"

enum { WIDE = 13, HIGH = 11 }; /* particles */
static const double d = 0.02, gravity = 9.81, wide = (WIDE + 1.2) * 0.02, high = 0.4, sampled = 0.7;

typedef struct load {
    double sum[3], floor, side; /* N; Pa; N/m */
    double depth;               /* m, in the middle */
    double momentum[3];         /* gained by the water while sampled, N s */
    double time;                /* sampled, s */
} load;

/* At least so far from the sides: edges and corners are left out. */
static bool is_inner(double x) { return fmin(x, wide - x) >= 4.6 * d; }

static double depth_inside(mn_world *w, float *x, mn_messages *say)
{
    int count = 0;
    assert_int_equal(mn_world_get(w, "position", x, say), MN_OK);
    for (int i = 0; i < w->layout.fluid; i++) count += is_inner((double)x[3 * i]) && is_inner((double)x[3 * i + 2]);
    return count * d * d * d / pow(wide - 9.2 * d, 2);
}

static load measure(const char *solver)
{
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.02}\n"
             "time: {adaptive: {max: 0.002}, end: 1.4}\n"
             "pressure: {%s}\n"
             "fluids:\n"
             "  - jitter: 0.25\n"
             "    shapes: [{box: {grid: [%d, %d, %d], origin: [0.022, 0.022, 0.022]}}]\n"
             "    viscosity: {model: standard, viscosity: 0.005}\n"
             "walls:\n" /* a wall in motion, so that its points have lists of their own */
             "  - shapes: [{box: {min: [0, 0, 0], max: [%g, %g, %g], inside_out: true}}]\n"
             "    motion: {velocity: [1e-20, 0, 0]}\n",
             solver, WIDE, HIGH, WIDE, wide, high, wide);
    mn_messages *say = mn_messages_new();
    mn_options options = mn_default_options();
    options.threads = 1;
    mn_scene *scene = mn_scene_parse(text, strlen(text), "load.yaml", NULL, 0, say);
    if (!scene) fail_msg("%s\n%s", mn_messages_get(say, 0).text, text);
    mn_world *w = mn_world_new(scene, &options, say);
    assert_non_null(w);
    /* nothing else asks for the force on a driven wall */
    mn_boundary_of(w)->without_lists = w->layout.without_lists = 0;
    const int n = mn_boundary_of(w)->active;
    double(*force)[3] = calloc((size_t)n, sizeof *force);
    float *x = calloc(3 * (size_t)w->layout.fluid, sizeof *x);
    assert_true(force && x);
    load out = {0};
    double start[4] = {0}, end[4], columns = wide / d, samples = 0;
    columns = round(columns) / wide; /* points a metre */
    while (w->time < scene->end - 1e-9) {
        mn_world_limit_step(w, scene->end);
        const bool counts = w->time >= scene->end - sampled;
        if (counts && out.time == 0.0) mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, start);
        assert_int_equal(mn_step(w, say), MN_OK);
        if (!counts) continue;
        assert_true(mn_boundary_forces(w, force));
        out.time += w->dt;
        if (w->steps % 10 == 0) out.depth += depth_inside(w, x, say), samples++;
        for (int b = 0; b < n; b++) {
            const double *at = &mn_boundary_of(w)->rest[3 * mn_boundary_of(w)->owner[b]];
            for (int a = 0; a < 3; a++) out.sum[a] += w->dt * force[b][a];
            if (fabs(at[1]) < 1e-6 && is_inner(at[0]) && is_inner(at[2]))
                out.floor -= w->dt * force[b][1] * columns * columns;
            if (at[0] < 1e-6 && is_inner(at[2])) out.side -= w->dt * force[b][0] * columns;
            if (at[0] > wide - 1e-6 && is_inner(at[2])) out.side += w->dt * force[b][0] * columns;
        }
    }
    mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, end);
    int rows = 0; /* of points that are counted */
    for (int k = 0; k <= (int)round(columns * wide); k++) rows += is_inner(k / columns);
    for (int a = 0; a < 3; a++) out.momentum[a] = end[a] - start[a], out.sum[a] /= out.time;
    out.depth /= samples, out.floor /= out.time * rows * rows, out.side /= 2 * out.time * rows;
    free(force), free(x);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
    return out;
}

static void bears(const char *solver, double tolerance)
{
    const load l = measure(solver);
    const double weight = WIDE * HIGH * WIDE * 1000 * d * d * d * gravity, pressure = 1000 * gravity * l.depth;
    const double borne = -(l.sum[1] + l.momentum[1] / l.time);
    print_message("%s: walls bear %.5f of the weight (less what the water gained); floor %.4f of rho g H, a side %.4f "
                  "of rho g H^2/2\n",
                  solver, borne / weight, l.floor / pressure, l.side / (0.5 * pressure * l.depth));
    assert_true(fabs(borne / weight - 1) < 1e-4);
    assert_true(fabs(l.sum[0] + l.momentum[0] / l.time) < 1e-4 * weight);
    assert_true(fabs(l.sum[2] + l.momentum[2] / l.time) < 1e-4 * weight);
    assert_true(fabs(l.floor / pressure - 1) < tolerance);
    assert_true(fabs(l.side / (0.5 * pressure * l.depth) - 1) < tolerance);
}

static void dfsph(void **state)
{
    (void)state;
    bears("model: dfsph", 0.05);
    bears("model: dfsph, wall_weight: 1.78", 0.02);
}

static void iisph(void **state)
{
    (void)state;
    bears("model: iisph, wall_weight: 1.78", 0.02);
}

static void pcisph(void **state)
{
    (void)state;
    bears("model: pcisph, tolerance: 0.05, wall_weight: 1.78", 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dfsph), cmocka_unit_test(iisph), cmocka_unit_test(pcisph)};
    return cmocka_run_group_tests_name("wall load", tests, NULL, NULL);
}
