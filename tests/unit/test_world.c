/* test_world.c -- a world at the edges of what it accepts: unknown backends and fields, bad values, and states that
 * cannot go on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scene/models.h"

#include "meniscus/meniscus.h"
#include "small_world.h"
#include "run/device.h"
#include "boundary/points.h"
#include "core/world.h"

static const char block[] = "particles: {spacing: 0.05}\n"
                            "time: {step: 0.001, end: 1}\n"
                            "fluids:\n"
                            "  - shapes: [{box: {grid: [20, 20, 20], origin: [0, 0, 0]}}]\n";

static small_world make(const char *text, const char *backend) { return small_world_try(text, backend, 2); }

static bool says(const small_world *p, const char *words)
{
    for (int k = 0; k < mn_messages_count(p->say); k++)
        if (strstr(mn_messages_get(p->say, k).text, words)) return true;
    return false;
}

static void unknown_names_are_answered_with_the_nearest(void **state)
{
    (void)state;
    small_world p = make(block, "gpu-scalar");
    assert_null(p.world);
    assert_true(says(&p, "did you mean 'cpu-scalar'"));
    small_world_free(&p);
    p = make(block, "cpu");
    float *out = calloc((size_t)mn_world_particles(p.world) * 3, sizeof *out);
    assert_int_equal(mn_world_get(p.world, "velocitty", out, p.say), MN_BAD_INPUT);
    assert_true(says(&p, "did you mean 'velocity'"));
    assert_int_equal(mn_world_set(p.world, "density", out, p.say), MN_BAD_INPUT);
    out[4] = NAN;
    assert_int_equal(mn_world_set(p.world, "position", out, p.say), MN_BAD_INPUT);
    assert_true(says(&p, "position of particle 1 is not finite"));
    free(out);
    small_world_free(&p);
}

/* Speeds that the smallest step cannot follow end the run: two jets of 5 km/s meet. */
static void absurd_speeds_end_the_run(void **state)
{
    (void)state;
    static const char scene[] = "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {end: 1}\nfluids:\n"
                                "  - {shapes: [{box: {grid: [4, 4, 4]}}], velocity: [5000, 0, 0]}\n"
                                "  - {shapes: [{box: {grid: [4, 4, 4], origin: [0.05, 0, 0]}}]}\n";
    small_world p = make(scene, "cpu");
    assert_non_null(p.world);
    assert_int_equal(mn_step(p.world, p.say), MN_DIVERGED);
    assert_true(says(&p, "diverged at step 1, time") &&
                says(&p, "farther than its support radius in the smallest step"));
    small_world_free(&p);
}

/* Thousands of particles in one place are a run that has diverged, not a failure of the machine. */
static void a_clump_is_divergence(void **state)
{
    (void)state;
    const char *const backends[] = {"cpu", "cpu-scalar", "opencl"};
    char names[1][128];
    for (int b = 0; b < 2 + (mn_devices(names, 1) > 0); b++) {
        small_world p = make(block, backends[b]);
        const int64_t n = mn_world_particles(p.world);
        assert_int_equal(n, 8000);
        float *x = calloc((size_t)n * 3, sizeof *x);
        for (int64_t i = 0; i < 3 * n; i++) x[i] = 0.001f * (float)(i * 7919 % 50);
        assert_int_equal(mn_world_set(p.world, "position", x, p.say), MN_OK);
        assert_int_equal(mn_step(p.world, p.say), MN_DIVERGED);
        assert_true(says(&p, "diverged at step 1") && says(&p, "around particle"));
        free(x);
        small_world_free(&p);
    }
}

/* Eight particles in the middle of a bowl, last in the order of cells, have lists much longer than those of the
 * bowl: their memory grows to fit, whichever thread they fall to, when they alone are left. */
static void a_bowl_has_long_lists_inside(void **state)
{
    (void)state;
    for (int k = 0, bowl = 400; bowl < 3600; k++, bowl = bowl * 9 / 8) {
        small_world p = small_world_try(block, "cpu", 1 + k % 3);
        const int64_t n = mn_world_particles(p.world);
        float *x = calloc((size_t)n * 3, sizeof *x);
        assert_int_equal(mn_world_get(p.world, "position", x, p.say), MN_OK);
        for (int i = 0; i < bowl + 8; i++) {
            const double z = -0.02 - 0.97 * i / bowl, r = i < bowl ? 0.095 : 0, turn = 2.399963 * i;
            x[3 * i] = (float)(1.45 + r * sqrt(fmax(1 - z * z, 0)) * cos(turn)),
                  x[3 * i + 1] = (float)(1.45 + r * sqrt(fmax(1 - z * z, 0)) * sin(turn));
            x[3 * i + 2] = (float)(1.501 + r * z);
        }
        assert_int_equal(mn_world_set(p.world, "position", x, p.say), MN_OK);
        const mn_status status = mn_step(p.world, p.say);
        assert_true(status == MN_OK || status == MN_DIVERGED);
        /* of the bowl's pairs an index and a factor each, and 512 bytes for everybody */
        assert_true(mn_world_bytes(p.world) < 8u * (size_t)bowl * (size_t)bowl + 512u * (size_t)n);
        free(x);
        small_world_free(&p);
    }
}

static void a_flight_beyond_all_bounds_is_divergence(void **state)
{
    (void)state;
    small_world p = make(block, "cpu");
    float *v = calloc((size_t)mn_world_particles(p.world) * 3, sizeof *v);
    v[3 * 17] = 1e9f;
    assert_int_equal(mn_world_set(p.world, "velocity", v, p.say), MN_OK);
    assert_int_equal(mn_step(p.world, p.say), MN_DIVERGED);
    assert_true(says(&p, "particle") && says(&p, "support radii"));
    free(v);
    small_world_free(&p);
}

static void doubts_are_warnings(void **state)
{
    (void)state;
    small_world p = make("particles: {spacing: 0.05}\n"
                         "time: {step: 0.5, end: 1}\n"
                         "fluids:\n"
                         "  - shapes: [{box: {grid: [4, 4, 4], origin: [0.2, 0.2, 0.2]}}]\n"
                         "walls:\n"
                         "  - shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n",
                         "cpu");
    assert_non_null(p.world);
    mn_world_inspect(p.world, p.say);
    assert_int_equal(mn_messages_errors(p.say), 0);
    assert_true(says(&p, "64 particles start inside a wall"));
    assert_true(says(&p, "time.step"));
    small_world_free(&p);
}

/* Walls and openings: what is said of a scene, or NULL. */
static void doubts_of_walls(void **state)
{
    (void)state;
    static const struct {
        const char *fluid, *walls, *said;
    } cases[] = {
        /* the box of the tank filled to its walls, as they come to mind first */
        {"shapes: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]",
         "shapes: [{box: {min: [0, 0, 0], max: [0.5, 1, 0.5], inside_out: true}}]",
         "424 particles start closer than 0.8 spacings to a wall"},
        {"shapes: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]",
         "shapes: [{plane: {point: [0.2, 0, 0.2], size: [1, 1]}}]",
         "100 particles start closer than 0.8 spacings to a wall"},
        {"shapes: [{box: {min: [0.5, 0.5, 0.5], max: [0.8, 1, 0.8]}}]",
         "shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true, open: [top]}}]", NULL},
        {"shapes: [{box: {min: [0.5, 2, 0.5], max: [0.8, 3, 0.8]}}, {box: {min: [2, 2, 2], max: [3, 3, 3]}}]",
         "shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true, open: [top]}}]", NULL},
        {"shapes: [{sphere: {centre: [0, 2, 0], radius: 0.3}}, {sphere: {centre: [0, -0.1, 0], radius: 0.3}}]",
         "shapes: [{cylinder: {radius: 0.5, height: 1, inside_out: true, open: [top]}}]", NULL},
        {"shapes: [{sphere: {centre: [0, 2, 0], radius: 0.3}}, {sphere: {centre: [0, -0.1, 0], radius: 0.3}}]",
         "shapes: [{cylinder: {radius: 0.5, height: 1, inside_out: true}}]", "particles start inside a wall"},
        {"shapes: [{sphere: {centre: [0, 0.1, 0], radius: 0.15}}]", /* a sheet with an opening encloses nothing */
         "shapes: [{cone: {radius: 0.2, top_radius: 0.6, height: 0.6, open: [bottom, top]}}]", NULL},
        {"shapes: [{box: {min: [0.5, 0.5, 0.5], max: [1.5, 0.8, 0.8]}}]",
         "shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true, open: [top]}}]",
         "particles start inside a wall"},
        {"shapes: [{box: {min: [2, 2, 2], max: [3, 3, 3]}}]",
         "shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true}}]", "8000 particles start inside a wall"},
        {"shapes: [{sphere: {radius: 0.3}}, {sphere: {radius: 0.3, centre: [3, 0, 0]}}]",
         "shapes: [{sphere: {radius: 0.5, inside_out: true}}, {sphere: {radius: 0.5, centre: [3, 0, 0], inside_out: "
         "true}}]",
         NULL},
        {"shapes: [{sphere: {radius: 0.3, centre: [3, 0, 0]}}]",
         "{shapes: [{sphere: {radius: 0.5, inside_out: true}}], motion: {translation: [3, 0, 0]}}", NULL},
        {"emitters: [{disc: {radius: 0.2}, position: [0, 2, 0], direction: [0, -1, 0], speed: 1}]",
         "shapes: [{box: {size: [1, 1, 1], inside_out: true, open: [top]}}]", NULL},
        {"shapes: [{sphere: {radius: 0.2}}], holes: [{sphere: {radius: 0.3}}]",
         "shapes: [{sphere: {radius: 1, inside_out: true}}]", "no fluid particles and no emitters"},
        {"shapes: [{sphere: {radius: 0.2}}]", "shapes: [{sphere: {radius: 1, inside_out: true}}], spacing: 0.2",
         "the boundary points of 'wall1' are 4 times as far apart as the particles of the liquid"},
        {"emitters: [{disc: {radius: 0.2}, position: [0, 0.2, 0], direction: [0, -1, 0], speed: 1}]",
         "shapes: [{box: {size: [1, 1, 1]}}]", "particles of a layer of this emitter start inside a wall"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char scene[1000];
        const bool flow = cases[k].walls[0] == '{';
        snprintf(scene, sizeof scene, "particles: {spacing: 0.05}\ntime: {end: 1}\nfluids: [{%s}]\nwalls: [%s%s%s]\n",
                 cases[k].fluid, flow ? "" : "{", cases[k].walls, flow ? "" : "}");
        small_world p = make(scene, "cpu");
        assert_non_null(p.world);
        mn_world_inspect(p.world, p.say);
        if (cases[k].said) assert_true(says(&p, cases[k].said));
        else assert_int_equal(mn_messages_count(p.say), 0);
        small_world_free(&p);
    }
}

static void doubts_of_the_domain(void **state)
{
    (void)state;
    small_world p =
        make("particles: {spacing: 0.05}\ntime: {end: 1}\ndomain: {min: [0, 0, 0], max: [1, 1, 1], periodic: [x]}\n"
             "fluids: [{shapes: [{box: {min: [-0.5, 0.8, 0.2], max: [0.5, 1.2, 0.4]}}],\n"
             "  emitters: [{disc: {radius: 0.1}, position: [0.5, 0.5, 2], direction: [0, 0, 1], speed: 1}]}]\n",
             "cpu");
    assert_non_null(p.world);
    mn_world_inspect(p.world, p.say);
    assert_true(says(&p, "320 particles start outside the domain") &&
                says(&p, "this emitter reaches beyond the domain"));
    small_world_free(&p);
}

/* What comes later in the run counts too: gravity, viscosity, speed of an emitter and of a wall. */
static void doubts_of_later_times(void **state)
{
    (void)state;
    static const char *const late[] = {"{0: [0, 0, 0], 0.5: [0, -1e4, 0]}", "{0: 0, 0.5: 10}", "{0: 0, 0.5: 1000}",
                                       "{0.5: [0, 0, 0], 0.6: [0, 9, 0], 0.7: [0, 0, 0]}"};
    for (int k = 0; k < 4; k++) {
        char scene[1000];
        const char *value = late[k];
        snprintf(scene, sizeof scene,
                 "particles: {spacing: 0.05}\ntime: {step: 0.005, end: 1}\ngravity: %s\nfluids: [{viscosity: {model: "
                 "standard, "
                 "viscosity: %s}, "
                 "emitters: [{disc: {radius: 0.2}, position: [0, 2, 0], direction: [0, -1, 0], speed: %s}]}]\n"
                 "walls: [{shapes: [{box: {size: [1, 1, 1]}}], motion: {translation: %s}}]\n",
                 k == 0 ? value : "[0, 0, 0]", k == 1 ? value : "0", k == 2 ? value : "0.1",
                 k == 3 ? value : "[0, 0, 0]");
        small_world p = make(scene, "cpu");
        assert_non_null(p.world);
        mn_world_inspect(p.world, p.say);
        assert_true(says(&p, "time.step of 0.005 s is far too long"));
        small_world_free(&p);
    }
}

static void doubts_of_close_particles(void **state)
{
    (void)state;
    small_world p = make(block, "cpu");
    mn_world_inspect(p.world, p.say);
    assert_int_equal(mn_messages_count(p.say), 0);
    float *x = calloc((size_t)mn_world_particles(p.world) * 3, sizeof *x);
    assert_int_equal(mn_world_get(p.world, "position", x, p.say), MN_OK);
    x[0] += 0.04f; /* onto its neighbour */
    assert_int_equal(mn_world_set(p.world, "position", x, p.say), MN_OK);
    mn_world_inspect(p.world, p.say);
    assert_true(says(&p, "2 particles start closer than half a spacing"));
    free(x);
    small_world_free(&p);
}

/* What emitters and bodies start in or too close to is said, with how far. Long: a table of scenes. */
static void doubts_of_emitters_and_bodies(void **state)
{
    (void)state;
    static const char *const jet =
        "emitters: [{disc: {radius: 0.2}, position: [0.5, 0.5, 0.5], direction: [0, 1, 0], speed: 1}";
    static const struct {
        const char *fluid, *more, *said;
    } cases[] = {
        {"%s], shapes: [{box: {min: [0.2, 0.2, 0.2], max: [0.8, 0.8, 0.8]}}]", "",
         "inside fluid that is there at the start"},
        {"%s], shapes: [{box: {min: [0.2, 0.6, 0.2], max: [0.8, 0.8, 0.8]}}]", "", NULL},
        {"%s]", "bodies: [{name: log, density: 500, shapes: [{box: {min: [0, 0, 0], max: [0.5, 1, 1]}}]}]",
         "start inside a body, for example one at (0.425, 0.5, 0.325) inside 'log'"},
        {"%s]",
         "solids: [{density: 1000, young: 1e4, poisson: 0.3, shapes: [{box: {min: [0, 0, 0], max: [0.5, 1, 1]}}]}]",
         "start inside a solid"},
        {"%s, {box: {size: [0.2, 0.2]}, position: [0.6, 0.52, 0.6], direction: [0, 0, 1], speed: 1}]", "",
         "inside another emitter"},
        {"%s, stop: 0.5}, {box: {size: [0.2, 0.2]}, position: [0.6, 0.52, 0.6], direction: [0, 0, 1], speed: 1, start: "
         "0.5}]",
         "", NULL},
        /* a plate thinner than a spacing has its particles close below its surface, a body of fine particles too; a
         * thick one does not */
        {"shapes: [{box: {grid: [10, 4, 10], origin: [0, 0, 0]}}]",
         "bodies: [{name: sheet, density: 1300, shapes: [{box: {min: [0.1, 0.172, 0.1], max: [0.3, 0.187, 0.3]}}]}]",
         "to the boundary points of a body and will be pushed out, for example one at"},
        {"shapes: [{box: {grid: [10, 4, 10], origin: [0, 0, 0]}}]",
         "bodies: [{name: fine, spacing: 0.02, density: 1300, shapes: [{box: {min: [0.1, 0.172, 0.1], max: [0.3, "
         "0.287, 0.3]}}]}]",
         "away from 'fine'; they rest at 1.1 spacings"},
        {"shapes: [{box: {grid: [10, 4, 10], origin: [0, 0, 0]}}]",
         "bodies: [{name: thick, density: 1300, shapes: [{box: {min: [0.1, 0.172, 0.1], max: [0.3, 0.287, 0.3]}}]}]",
         NULL},
        {"shapes: [{box: {grid: [10, 4, 10], origin: [0, 0, 0]}}]",
         "solids: [{name: gel, spacing: 0.02, density: 1300, young: 1e4, poisson: 0.3, shapes: [{box: {min: [0.1, "
         "0.172, 0.1], max: [0.3, 0.287, 0.3]}}]}]",
         "to the particles of a soft solid and will be pushed out, for example one at (0.15, 0.15, 0.15), 0.64 "
         "spacings "
         "(0.032 m) away from 'gel'; they rest at 1.1 spacings"},
        {"shapes: [{box: {grid: [4, 4, 4], origin: [0.035, 0.02, 0.035]}}]",
         "walls: [{name: tank, shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true}}]}]",
         "for example one at (0.035, 0.02, 0.035), 0.4 spacings (0.02 m) away from 'tank'"},
        {"shapes: [{box: {grid: [4, 4, 4], origin: [0.06, 0.02, 0.06]}}]",
         "walls: [{name: tank, method: volume_maps, shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: "
         "true}}]}]",
         ", 0.4 spacings (0.02 m) away; they rest at 1.15 spacings"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char scene[1500], fluid[700];
        const bool ends = strstr(cases[k].fluid, "%s, stop") != NULL; /* goes on within the braces of the emitter */
        const char *rest = strncmp(cases[k].fluid, "%s", 2) == 0 ? cases[k].fluid + 2 : NULL;
        if (rest) snprintf(fluid, sizeof fluid, "%.*s%s", (int)strlen(jet) - ends, jet, rest);
        else snprintf(fluid, sizeof fluid, "%s", cases[k].fluid);
        snprintf(scene, sizeof scene, "particles: {spacing: 0.05}\ntime: {end: 1}\nfluids: [{%s}]\n%s\n", fluid,
                 cases[k].more);
        small_world p = make(scene, "cpu");
        assert_non_null(p.world);
        mn_world_inspect(p.world, p.say);
        if (cases[k].said && !says(&p, cases[k].said)) {
            for (int i = 0; i < mn_messages_count(p.say); i++) print_message("%s\n", mn_messages_get(p.say, i).text);
            fail_msg("case %zu: '%s' is not said", k, cases[k].said);
        }
        if (!cases[k].said && mn_messages_count(p.say)) fail_msg("case %zu: %s", k, mn_messages_get(p.say, 0).text);
        small_world_free(&p);
    }
}

/* Particles of two fluids lie side by side in memory, and only one has the model: the other's lanes must not spoil
 * it. */
static void models_of_one_fluid_only(void **state)
{
    (void)state;
    for (int m = 0; m < mn_model_count(); m++) {
        const mn_model_info *model = mn_model_at(m);
        if (strcmp(model->kind, "tension") != 0 && strcmp(model->kind, "viscosity") != 0) continue;
        char scene[1000];
        snprintf(scene, sizeof scene,
                 "particles: {spacing: 0.05}\ntime: {step: 0.001, end: 1}\ngravity: [0, 0, 0]\n"
                 "fluids:\n  - shapes: [{box: {grid: [6, 6, 6]}}]\n    surface: orthmann2013\n    %s: %s\n"
                 "  - shapes: [{box: {grid: [6, 6, 6], origin: [0.025, 0.025, 0.025]}}]\n    surface: orthmann2013\n"
                 "output: {fields: [acceleration]}\n",
                 model->kind, model->key);
        uint64_t hash[2];
        for (int b = 0; b < 2; b++) {
            small_world p = make(scene, b ? "cpu-scalar" : "cpu");
            assert_non_null(p.world);
            float a[3 * 432];
            for (int step = 0; step < 2; step++) assert_int_equal(mn_step(p.world, p.say), MN_OK);
            assert_int_equal(mn_world_get(p.world, "acceleration", a, p.say), MN_OK);
            for (int i = 0; i < 3 * 432; i++) assert_true(isfinite(a[i]));
            hash[b] = mn_world_hash(p.world);
            small_world_free(&p);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* A step of no length would end as diverged. */
static void a_step_at_the_limit_is_refused(void **state)
{
    (void)state;
    small_world p = make(
        "particles: {spacing: 0.05}\ntime: {step: 0.002, end: 1}\nfluids: [{shapes: [{box: {grid: [4, 4, 4]}}]}]\n",
        "cpu");
    assert_non_null(p.world);
    mn_world_limit_step(p.world, 0.003);
    assert_int_equal(mn_step(p.world, p.say), MN_OK);
    assert_int_equal(mn_step(p.world, p.say), MN_OK);
    assert_true(mn_world_time(p.world) == 0.003);
    const uint64_t hash = mn_world_hash(p.world);
    for (int late = 0; late < 2; late++) { /* at the limit, and with one in the past */
        if (late) mn_world_limit_step(p.world, 0.001);
        assert_int_equal(mn_step(p.world, p.say), MN_BAD_INPUT);
        assert_true(says(&p, "no step may end after"));
        assert_int_equal(mn_world_steps(p.world), 2);
        assert_true(mn_world_hash(p.world) == hash);
    }
    mn_world_limit_step(p.world, INFINITY);
    assert_int_equal(mn_step(p.world, p.say), MN_OK);
    assert_float_equal(mn_world_time(p.world), 0.005, 1e-15);
    small_world_free(&p);
}

static void an_index_beyond_is_answered(void **state)
{
    (void)state;
    static const char *const objects[] = {
        "", "bodies: [{density: 500, shapes: [{sphere: {radius: 0.1, centre: [1, 0, 0]}}]}]\n"
            "solids: [{density: 500, young: 1e4, poisson: 0.3, shapes: [{sphere: {radius: 0.1, "
            "centre: [2, 0, 0]}}]}]\n"};
    for (int some = 0; some < 2; some++) {
        char scene[600];
        snprintf(scene, sizeof scene,
                 "particles: {spacing: 0.05}\ntime: {end: 1}\nfluids: [{shapes: [{box: {grid: [4, 4, 4]}}]}]\n%s",
                 objects[some]);
        small_world p = make(scene, "cpu");
        assert_non_null(p.world);
        assert_int_equal(mn_world_bodies(p.world), some);
        assert_int_equal(mn_world_solids(p.world), some);
        for (int index = -1; index <= 1; index++) {
            const bool there = some && index == 0;
            float x[3 * 1000];
            assert_true((mn_world_body(p.world, index).mass > 0) == there);
            assert_true((mn_world_solid(p.world, index).particles > 0) == there);
            assert_true((mn_world_solid_particles(p.world, index) > 0) == there);
            assert_int_equal(mn_world_solid_get(p.world, index, "position", x, p.say), there ? MN_OK : MN_BAD_INPUT);
        }
        assert_true(says(&p, "there is no solid -1"));
        small_world_free(&p);
    }
}

/* In the corner of a box that is periodic in all directions each point has seven images. */
static void a_corner_shows_every_point_eight_times(void **state)
{
    (void)state;
    small_world p = make(
        "particles: {spacing: 0.05}\ntime: {end: 1}\ndomain: {min: [0, 0, 0], max: [1, 1, 1], periodic: [x, y, z]}\n"
        "fluids: [{shapes: [{box: {grid: [4, 4, 4], origin: [0.4, 0.4, 0.4]}}]}]\n"
        "bodies: [{density: 500, shapes: [{sphere: {radius: 0.14, centre: [0, 0, 0]}}]}]\n",
        "cpu");
    assert_non_null(p.world);
    assert_true(mn_boundary_of(p.world)->active > 32);
    assert_int_equal(mn_boundary_of(p.world)->copies, 7 * mn_boundary_of(p.world)->active);
    assert_int_equal(mn_step(p.world, p.say), MN_OK);
    small_world_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_names_are_answered_with_the_nearest),
        cmocka_unit_test(absurd_speeds_end_the_run),
        cmocka_unit_test(a_clump_is_divergence),
        cmocka_unit_test(a_bowl_has_long_lists_inside),
        cmocka_unit_test(a_flight_beyond_all_bounds_is_divergence),
        cmocka_unit_test(doubts_are_warnings),
        cmocka_unit_test(doubts_of_walls),
        cmocka_unit_test(doubts_of_the_domain),
        cmocka_unit_test(doubts_of_later_times),
        cmocka_unit_test(doubts_of_close_particles),
        cmocka_unit_test(doubts_of_emitters_and_bodies),
        cmocka_unit_test(models_of_one_fluid_only),
        cmocka_unit_test(a_step_at_the_limit_is_refused),
        cmocka_unit_test(an_index_beyond_is_answered),
        cmocka_unit_test(a_corner_shows_every_point_eight_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
