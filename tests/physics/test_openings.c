/* test_openings.c -- emitters whose openings are drawn flush with a wall. Criterion, written before the cure:
 * without weight, the emitted liquid keeps the speed and direction of its emitter to 3 %, no particle is faster than
 * 1.5 times that in any step, and nothing is lost; of points that had to be left out the scene is told. With weight
 * and tension no particle near the opening is faster than 1.5 times the speed that it falls at. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "meniscus/meniscus.h"

static bool said(const mn_messages *say, const char *part)
{
    for (int i = 0; i < mn_messages_count(say); i++)
        if (strstr(mn_messages_get(say, i).text, part)) return true;
    return false;
}

static const char TANK[] = "box: {min: [0, 0, 0], max: [0.5, 0.4, 0.5], inside_out: true}";
static const char PIPE[] = "cylinder: {centre: [0.25, 0.2, 0.25], radius: 0.05, height: 0.4, inside_out: true}";
static const char BALL[] = "sphere: {centre: [0.25, 0.2, 0.25], radius: 0.2, inside_out: true}";
static const char TURNED[] =
    "box: {size: [0.5, 0.4, 0.5], inside_out: true, rotate: [0, 0, 30], translate: [0.25, 0.2, 0.25]}";
static const char BLOCK[] = "box: {min: [0.1, 0.1, 0.1], max: [0.4, 0.2, 0.4]}";
static const char SHEET[] = "plane: {point: [0.25, 0.2, 0.25], size: [0.4, 0.4]}";

typedef struct opening {
    const char *wall, *shape;
    double position[3], direction[3];
    const char *said;
} opening;

static const opening flush[] = {
    {TANK, "disc: {radius: 0.04}", {0.25, 0.4, 0.25}, {0, -1, 0}, "where liquid at rest would be"}, /* ceiling */
    {TANK, "disc: {radius: 0.04}", {0.25, 0, 0.25}, {0, 1, 0}, "where liquid at rest would be"},    /* floor */
    {TANK, "box: {size: [0.08, 0.06]}", {0, 0.2, 0.25}, {1, 0, 0}, "where liquid at rest would be"},
    {TANK, "box: {size: [0.08, 0.06]}", {0.25, 0.2, 0.498}, {0, 0, -1}, "where liquid at rest would be"},
    /* tilted: half of it behind */
    {TANK, "disc: {radius: 0.04}", {0, 0.25, 0.25}, {1, -0.5, 0}, "where liquid at rest would be"},
    {TANK, "box: {size: [0.1, 0.06]}", {0, 0.03, 0.25}, {1, 0, 0}, "are left out"}, /* its lower edge on the floor */
    {TANK, "disc: {radius: 0.05}", {0.05, 0.4, 0.05}, {0, -1, 0}, "are left out"},  /* in a corner */
    {PIPE, "disc: {radius: 0.05}", {0.25, 0.4, 0.25}, {0, -1, 0}, "are left out"},  /* as wide as the pipe */
    {BALL, "disc: {radius: 0.03}", {0.25, 0.4, 0.25}, {0, -1, 0}, "where liquid at rest would be"},
    {TURNED, "disc: {radius: 0.03}", {0.15, 0.373205, 0.25}, {0.5, -0.866025, 0}, "where liquid at rest would be"},
    {BLOCK,
     "disc: {radius: 0.04}",
     {0.25, 0.2, 0.25},
     {0, 1, 0},
     "where liquid at rest would be"}, /* a nozzle: out of an obstacle */
    {SHEET, "disc: {radius: 0.04}", {0.25, 0.2, 0.25}, {0, 1, 0}, "where liquid at rest would be"},
};

static mn_world *make(const opening *o, const char *method, const char *more, mn_messages *say, mn_scene **scene)
{
    char text[1200];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.01}\ntime: {end: 0.1}\n%s\nfluids:\n  - viscosity: {model: xsph}\n%s"
             "    emitters: [{%s, position: [%g, %g, %g], direction: [%g, %g, %g], speed: 2}]\n"
             "walls: [{name: tank, method: %s, shapes: [{%s}]}]\n",
             more ? "" : "gravity: [0, 0, 0]", more ? more : "", o->shape, o->position[0], o->position[1],
             o->position[2], o->direction[0], o->direction[1], o->direction[2], method, o->wall);
    *scene = mn_scene_parse(text, strlen(text), "opening.yaml", NULL, 0, say);
    mn_world *w = *scene ? mn_world_new(*scene, NULL, say) : NULL;
    if (!w) fail_msg("%s: %s", text, mn_messages_count(say) ? mn_messages_get(say, 0).text : "?");
    return w;
}

/* The mean velocity along the direction, and the largest part across it. */
static void velocities(mn_world *w, const double direction[3], double *along, double *across)
{
    const int n = (int)mn_world_particles(w);
    float *v = malloc(3 * (size_t)n * sizeof *v + 16);
    const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    assert_int_equal(mn_world_get(w, "velocity", v, NULL), MN_OK);
    *along = *across = 0;
    for (int i = 0; i < n; i++) {
        double dot = 0, square = 0;
        for (int a = 0; a < 3; a++) {
            dot += (double)v[3 * i + a] * direction[a] / length;
            square += (double)v[3 * i + a] * (double)v[3 * i + a];
        }
        *along += dot / n;
        *across = fmax(*across, sqrt(fmax(square - dot * dot, 0)));
    }
    free(v);
}

static void keeps_its_speed(const opening *o, const char *method)
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene;
    mn_world *w = make(o, method, NULL, say, &scene);
    mn_world_inspect(w, say);
    if (!said(say, o->said)) fail_msg("'%s' is not said of %s, %s", o->said, o->wall, o->shape);
    assert_false(said(say, "start inside"));
    while (mn_world_time(w) < 0.09) {
        assert_int_equal(mn_step(w, say), MN_OK);
        const double fastest = mn_world_stats(w).max_speed;
        if (fastest > 1.5 * 2)
            fail_msg("%s %s of %s: %g m/s at %g s", o->shape, o->wall, method, fastest, mn_world_time(w));
    }
    double along, across;
    velocities(w, o->direction, &along, &across);
    assert_true(mn_world_particles(w) > 300);
    assert_int_equal(mn_world_stats(w).lost, 0);
    if (!(fabs(along / 2 - 1) < 0.03)) fail_msg("%s at %s of %s: mean %g m/s", o->shape, o->wall, method, along);
    if (!(across < 0.5)) fail_msg("%s at %s of %s: %g m/s across", o->shape, o->wall, method, across);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

static void flush_with_walls_of_particles(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof flush / sizeof *flush; k++) keeps_its_speed(&flush[k], "particles");
}

static void flush_with_volume_maps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof flush / sizeof *flush; k++) keeps_its_speed(&flush[k], "volume_maps");
}

/* Falls at most as fast as from the ceiling to the floor. */
static void with_weight_and_tension(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene;
        mn_world *w = make(&flush[k], "particles", "    tension: {model: akinci2013}\n", say, &scene);
        while (mn_world_time(w) < 0.09) {
            assert_int_equal(mn_step(w, say), MN_OK);
            const double fastest = mn_world_stats(w).max_speed;
            if (fastest > 1.5 * sqrt(4 + 2 * 9.81 * 0.4))
                fail_msg("case %d: %g m/s at %g s", k, fastest, mn_world_time(w));
        }
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* What cannot flow is said, and does no harm. */
static void into_the_wall(void **state)
{
    (void)state;
    static const opening out[] = {{TANK, "disc: {radius: 0.04}", {0.25, 0, 0.25}, {0, -1, 0}, "points into it"},
                                  {TANK, "box: {size: [0.08, 0.06]}", {0, 0.2, 0.25}, {-1, 0, 0}, "points into it"}};
    for (int k = 0; k < 4; k++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene;
        mn_world *w = make(&out[k / 2], k % 2 ? "particles" : "volume_maps", NULL, say, &scene);
        assert_true(said(say, out[k / 2].said));
        for (int s = 0; s < 3; s++) assert_int_equal(mn_step(w, say), MN_OK);
        assert_int_equal(mn_world_particles(w), 0);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* A ball or a soft block lies in the opening at the start and falls out of it: particles are held back meanwhile,
 * with a word, and nothing becomes faster than 1.5 times the fall to the floor before the block reaches it. */
static void held_back_by_what_lies_in_it(void **state)
{
    (void)state;
    static const char *const inside[] = {
        "bodies: [{name: cork, density: 500, shapes: [{sphere: {centre: [0.2, 0.3, 0.2], radius: 0.03}}]}]\n",
        "solids: [{density: 1000, young: 1e4, poisson: 0.3, shapes: [{box: {min: [0.17, 0.27, 0.17], max: [0.23, 0.33, "
        "0.23]}}]}]\n"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "particles: {spacing: 0.01}\ntime: {end: 0.3}\nfluids:\n  - emitters: [{disc: {radius: 0.03}, "
                 "position: [0.2, 0.3, 0.2], direction: [0, -1, 0], speed: 1}]\n%s"
                 "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.4, 0.6, 0.4], inside_out: true}}]}]\n",
                 inside[k]);
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_parse(text, strlen(text), "cork.yaml", NULL, 0, say);
        mn_world *w = scene ? mn_world_new(scene, NULL, say) : NULL;
        assert_non_null(w);
        mn_world_inspect(w, say);
        assert_true(said(say, k ? "start inside a solid" : "inside 'cork'; they are held back"));
        while (mn_world_time(w) < 0.22) {
            assert_int_equal(mn_step(w, say), MN_OK);
            const double fastest = mn_world_stats(w).max_speed;
            if (fastest > 1.5 * sqrt(1 + 2 * 9.81 * 0.3))
                fail_msg("case %d: %g m/s at %g s", k, fastest, mn_world_time(w));
        }
        assert_true(said(say, "of this emitter are held back: a body or a soft solid is in the opening"));
        assert_true(mn_world_particles(w) > 200); /* once it has gone, the liquid flows */
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* The edges of `size` lie where the reference says: first the horizontal one, along z where the direction is y. */
static void edges_in_order(void **state)
{
    (void)state;
    static const int along[3] = {2, 2, 0}, other[3] = {1, 0, 1}; /* for directions x, y, z */
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 0.001, end: 1}\nfluids:\n"
            "  - emitters: [{box: {size: [0.08, 0.03]}, position: [0, 0, 0], direction: [%d, %d, %d], speed: 1}]\n",
            k == 0, k == 1, k == 2);
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_parse(text, strlen(text), "edges.yaml", NULL, 0, say);
        mn_world *w = scene ? mn_world_new(scene, NULL, say) : NULL;
        assert_non_null(w);
        while (mn_world_particles(w) == 0) assert_int_equal(mn_step(w, say), MN_OK);
        const int64_t n = mn_world_particles(w);
        float *x = calloc(3 * (size_t)n, sizeof *x), low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
        assert_int_equal(mn_world_get(w, "position", x, say), MN_OK);
        for (int64_t i = 0; i < 3 * n; i++)
            low[i % 3] = fminf(low[i % 3], x[i]), high[i % 3] = fmaxf(high[i % 3], x[i]);
        assert_float_equal(high[along[k]] - low[along[k]], 0.07, 1e-4); /* centres of eight and of three */
        assert_float_equal(high[other[k]] - low[other[k]], 0.02, 1e-4);
        free(x);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flush_with_walls_of_particles), cmocka_unit_test(flush_with_volume_maps),
        cmocka_unit_test(with_weight_and_tension),       cmocka_unit_test(into_the_wall),
        cmocka_unit_test(held_back_by_what_lies_in_it),  cmocka_unit_test(edges_in_order)};
    return cmocka_run_group_tests_name("openings", tests, NULL, NULL);
}
