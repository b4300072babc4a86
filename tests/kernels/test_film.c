/* What a film does to tension, adhesion and friction, in every model: nothing where it is clean, forces stay equal
 * and opposite, and the liquid is drawn to the clean side in proportion to the gradient. On every backend. */
#include "species/species.h"
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/world.h"

enum { COUNT = 64 };
static const char species[] = "species: [{name: soap, surface: {adsorption: 1, capacity: 1}, effect: {tension: 0.5, "
                              "adhesion: 0.5, friction: 0.5}}]\n";

typedef struct model {
    const char *text;
    const char *words, *field;
    bool pairwise;
} model;
static const model models[] = {
    {"akinci2013, adhesion: 0", "force_begin force", "acc", true},
    {"wang2017, adhesion: 0", "force_begin force", "acc", true},
    {"becker2007", "force_begin force", "acc", true},
    {"tartakovsky2005", "force_begin force", "acc", true},
    {"he2014", "force_begin force", "acc", true},
    {"jeske2023, implicit: 0", "force_begin force", "acc", true},
    {"jeske2023", "velocity", "vel", true},
    {"lafaurie1994", "force_begin force", "acc", true},
    {"morris2000", "force_begin force", "acc", false},
    {"zorilla2020", "force_begin force", "acc", false},
    {"laplace", "force_begin force", "acc", false},
};
enum { MODELS = sizeof models / sizeof *models };

static unsigned seed = 7;
static double chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 16777216.0;
}

static double place[COUNT][3];
static const double rest[COUNT][3];

/* 8 x 4 x 2 particles, a little out of order. */
static void fill(double jitter)
{
    seed = 7;
    for (int i = 0; i < COUNT; i++) {
        place[i][0] = 0.1 * (i % 8 + jitter * chance());
        place[i][1] = 0.1 * (i / 8 % 4 + jitter * chance());
        place[i][2] = 0.1 * (i / 32 + jitter * chance());
    }
}

static kernel_world *make(const model *m, bool film, const char *backend, const kernel_setup *more)
{
    static char fluid[300];
    snprintf(fluid, sizeof fluid, "    tension: {model: %s}\n    surface: orthmann2013\n", m->text);
    kernel_setup set = {
        .count = COUNT, .position = place, .velocity = rest, .volume = 1e-3, .spacing = 0.1, .dt = 1e-4};
    if (more) set = *more;
    set.fluid = fluid;
    set.scene = film ? species : NULL;
    kernel_world *k = kernel_world_new(&set, backend);
    kernel_world_run(k, film ? "surface film_begin film_spread" : "surface");
    return k;
}

/* Accelerations with these factors; NULL: in a scene without species. */
static void accelerate(const model *m, const double *tension, const char *backend, double out[COUNT][3])
{
    kernel_world *k = make(m, tension != NULL, backend, NULL);
    double film[COUNT][4] = {{0}}, read[COUNT][4];
    for (int i = 0; i < COUNT && tension; i++) film[i][0] = tension[i], film[i][1] = film[i][2] = 1;
    if (tension) kernel_world_write(k, "film_factor", film[0]);
    kernel_world_run(k, m->words);
    assert_int_equal(kernel_world_read(k, m->field, read[0]), 4);
    for (int i = 0; i < COUNT; i++) memcpy(out[i], read[i], 3 * sizeof(double));
    kernel_world_free(k);
}

static void clean_is_as_without(void **state)
{
    (void)state;
    fill(0.3);
    double one[COUNT], a[COUNT][3], b[COUNT][3];
    for (int i = 0; i < COUNT; i++) one[i] = 1;
    for (int backend = 0; kernel_backend(backend); backend++)
        for (int m = 0; m < MODELS; m++) {
            accelerate(&models[m], NULL, kernel_backend(backend), a);
            accelerate(&models[m], one, kernel_backend(backend), b);
            double most = 0;
            for (int i = 0; i < COUNT; i++) most = fmax(most, fabs(a[i][0]));
            if (!(most > 0)) fail_msg("%s does nothing", models[m].text);
            if (memcmp(a, b, sizeof a) != 0) fail_msg("%s differs on %s", models[m].text, kernel_backend(backend));
        }
}

static void momentum_is_kept(void **state)
{
    (void)state;
    fill(0.3);
    double f[COUNT], a[COUNT][3];
    for (int i = 0; i < COUNT; i++) f[i] = 2 * chance();
    for (int backend = 0; kernel_backend(backend); backend++)
        for (int m = 0; m < MODELS; m++) {
            if (!models[m].pairwise) continue;
            accelerate(&models[m], f, kernel_backend(backend), a);
            double sum[3] = {0}, size = 0;
            for (int i = 0; i < COUNT; i++)
                for (int c = 0; c < 3; c++) sum[c] += a[i][c], size += fabs(a[i][c]);
            for (int c = 0; c < 3; c++)
                if (fabs(sum[c]) > 1e-6 * size)
                    fail_msg("%s on %s: %g of %g", models[m].text, kernel_backend(backend), sum[c], size);
        }
}

/* Mean pull along x in the middle of the block. */
static double pull(const model *m, double slope, const char *backend)
{
    double f[COUNT], a[COUNT][3], sum = 0;
    for (int i = 0; i < COUNT; i++) f[i] = 0.5 + slope * (place[i][0] - 0.35);
    accelerate(m, f, backend, a);
    for (int i = 0; i < COUNT; i++)
        if (i % 8 >= 3 && i % 8 <= 4) sum += a[i][0];
    return sum / 16;
}

static void drawn_to_the_clean_side(void **state)
{
    (void)state;
    fill(0.05);
    for (int backend = 0; kernel_backend(backend); backend++)
        for (int m = 0; m < MODELS; m++) {
            const double none = pull(&models[m], 0, kernel_backend(backend)),
                         once = pull(&models[m], 0.5, kernel_backend(backend)) - none,
                         twice = pull(&models[m], 1, kernel_backend(backend)) - none;
            if (backend == 0)
                print_message("%s: %.4g m/s2 at a slope of 0.5/m, %.4g at twice that\n", models[m].text, once, twice);
            if (!(once > 0) || fabs(twice / once - 2) > 0.02)
                fail_msg("%s on %s: %g, twice the slope %g", models[m].text, kernel_backend(backend), once, twice);
        }
}

/* ------------------------------------------------------------------- walls */

static void less_hold_on_boundary(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words, *field;
        int part;
    } cases[] = {
        {"tension: {model: akinci2013, cohesion: 0, curvature: 0, adhesion: 1}", "force_begin force", "acc", 1},
        {"tension: {model: wang2017, cohesion: 0, curvature: 0, adhesion: 1}", "force_begin force", "acc", 1},
        {"tension: {model: jeske2023, cohesion: 0, adhesion: 1, implicit: 0}", "force_begin force", "acc", 1},
        {"viscosity: {model: standard, viscosity: 0, wall_viscosity: 0.1}", "force_begin force", "acc", 2},
        {"viscosity: {model: artificial, alpha: 0, wall_alpha: 1}", "force_begin force", "acc", 2},
        {"viscosity: {model: xsph, strength: 0, wall_strength: 0.1}", "force_begin force", "acc", 2}};
    for (int backend = 0; kernel_backend(backend); backend++)
        for (int c = 0; c < 6; c++) {
            double a[2][5][4];
            for (int half = 0; half < 2; half++) {
                char fluid[300];
                snprintf(fluid, sizeof fluid, "    %s\n    surface: orthmann2013\n", cases[c].text);
                kernel_setup set = kernel_t5_walls;
                set.fluid = fluid;
                set.scene = species;
                kernel_world *k = kernel_world_new(&set, kernel_backend(backend));
                kernel_world_run(k, "surface film_begin film_spread");
                double film[5][4];
                for (int i = 0; i < 5; i++)
                    for (int p = 0; p < 4; p++) film[i][p] = half && p == cases[c].part ? 0.5 : 1;
                kernel_world_write(k, "film_factor", film[0]);
                kernel_world_run(k, cases[c].words);
                kernel_world_read(k, cases[c].field, a[half][0]);
                kernel_world_free(k);
            }
            double most = 0;
            for (int i = 0; i < 5; i++)
                for (int p = 0; p < 3; p++) {
                    most = fmax(most, fabs(a[0][i][p]));
                    if (fabs(a[1][i][p] - 0.5 * a[0][i][p]) > 1e-6 * fabs(a[0][i][p]))
                        fail_msg("%s: %g is not half of %g", cases[c].text, a[1][i][p], a[0][i][p]);
                }
            if (!(most > 0)) fail_msg("%s does nothing", cases[c].text);
        }
}

/* ------------------------------------------------------------ laws of state */

static void laws(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double coverage, expected;
    } cases[] = {{"linear", 0, 1},    {"linear", 0.3, 1 - 0.8 * 0.3},          {"linear", 1.7, 0.2},
                 {"langmuir", 0, 1},  {"langmuir", 0.3, 1 - 0.8 * 0.35667494}, {"langmuir", 0.6, 1 - 0.8 * 0.91629073},
                 {"langmuir", 0.9, 0}};
    static const double one[1][3] = {{0, 0, 0}};
    for (int backend = 0; kernel_backend(backend); backend++)
        for (int c = 0; c < 7; c++) {
            char scene[300];
            snprintf(
                scene, sizeof scene,
                "species: [{name: soap, surface: {adsorption: 1, capacity: 2e-6}, effect: {law: %s, tension: 0.8}}]\n",
                cases[c].law);
            const kernel_setup set = {.count = 1,
                                      .position = one,
                                      .velocity = one,
                                      .volume = 1e-3,
                                      .spacing = 0.1,
                                      .dt = 1e-4,
                                      .scene = scene,
                                      .fluid = "    surface: orthmann2013\n"};
            kernel_world *k = kernel_world_new(&set, kernel_backend(backend));
            kernel_world_run(k, "surface");
            double area, film[4];
            kernel_world_read(k, "area", &area);
            assert_true(area > 0);
            kernel_world_write(k, "amount_0", (const double[4]){0, 0, cases[c].coverage * 2e-6 * area, 0});
            mn_film_step(k->world, NULL);
            kernel_world_read(k, "film_factor", film);
            if (fabs(film[0] - cases[c].expected) > 1e-5)
                fail_msg("%s at %g on %s: %.7g, not %.7g", cases[c].law, cases[c].coverage, kernel_backend(backend),
                         film[0], cases[c].expected);
            kernel_world_free(k);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clean_is_as_without), cmocka_unit_test(momentum_is_kept),
                                       cmocka_unit_test(drawn_to_the_clean_side),
                                       cmocka_unit_test(less_hold_on_boundary), cmocka_unit_test(laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
