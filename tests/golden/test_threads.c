/* The same bits whatever the number of threads, and whether or not the run was stopped and continued on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "meniscus/meniscus.h"

#define DAM                                                                                                                        \
    "particles: {spacing: 0.05}\n"                                                                                                 \
    "time: {adaptive: {max: 0.004}, end: 1}\n"                                                                                     \
    "fluids:\n"                                                                                                                    \
    "  - shapes:\n"                                                                                                                \
    "      - box: {grid: [9, 16, 18], origin: [0.06, 0.06, 0.06]}\n"                                                               \
    "      - box: {grid: [5, 9, 18], origin: [0.7, 0.06, 0.06]}\n"                                                                 \
    "    viscosity: {model: standard, viscosity: 0.01, wall_viscosity: 0.002}\n"                                                   \
    "walls:\n"                                                                                                                     \
    "  - shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true}}]\n"

/* Disordered liquid between a resting and a moving plate, periodic along both. */
static const char couette[] = "particles: {spacing: 0.004}\n"
                              "domain: {min: [0, -0.01, 0], max: [0.04, 0.06, 0.04], periodic: [x, z]}\n"
                              "gravity: [2, 0, 0.5]\n"
                              "time: {step: 0.001, end: 1}\n"
                              "fluids:\n"
                              "  - sampling: poisson\n"
                              "    shapes: [{box: {min: [0, 0.0024, 0], max: [0.04, 0.0476, 0.04]}}]\n"
                              "    viscosity: {model: weiler2018, viscosity: 0.01, wall_viscosity: 0.015}\n"
                              "walls:\n"
                              "  - shapes: [{plane: {point: [0.02, 0, 0.02], normal: [0, 1, 0], size: [0.036, 0.036]}}]\n"
                              "  - shapes: [{plane: {point: [0.02, 0.05, 0.02], normal: [0, -1, 0], size: [0.036, 0.036]}}]\n"
                              "    motion: {velocity: [0.5, 0, 0]}\n";

/* A tank that is shaken and tilted. */
static const char sloshing[] =
    DAM "    motion: {angular_velocity: [0, 0, 1], translation: {0: [0, 0, 0], 0.05: [0.05, 0, 0], 0.1: [0, 0, 0.02]}}\n";

/* A jet of a second, lighter liquid onto a pool; a sink eats a corner, and what leaves the domain is dropped. */
static const char jet[] = "particles: {spacing: 0.05}\n"
                          "domain: {min: [-0.2, -0.2, -0.2], max: [1.2, 1.2, 0.62]}\n"
                          "time: {step: 0.003, end: 1}\n"
                          "fluids:\n"
                          "  - name: water\n"
                          "    shapes: [{box: {grid: [18, 5, 9], origin: [0.06, 0.06, 0.06]}}]\n"
                          "    viscosity: {model: xsph, strength: 0.1}\n"
                          "  - name: oil\n"
                          "    density: 800\n"
                          "    emitters: [{disc: {radius: 0.11}, position: [0.35, 0.6, 0.25], direction: [0.3, -1, 0], speed: 6}]\n"
                          "    viscosity: {model: artificial, alpha: 0.1}\n"
                          "walls: [{shapes: [{box: {min: [0, 0, 0], max: [1, 1, 0.52], inside_out: true, open: [top]}}]}]\n"
                          "sinks: [{shape: {box: {min: [0.8, 0, 0], max: [1, 0.2, 0.52]}}}]\n";

/* The dam in a gust and a whirl: drops that oscillate. */
static const char windy[] = DAM
    "air: {velocity: {0: [20, 0, 0], 0.05: [-20, 5, 0]}, flows: [{vortex: {centre: [0.5, 0.5, 0], axis: [0, 0, 1], radius: 0.2, "
    "speed: 10}, min: [0, 0.2, 0], max: [1, 1, 1]}]}\n";

/* Detergent from an emitter falls onto a greasy floor; a sink takes some of it away. */
static const char washing[] =
    "particles: {spacing: 0.05}\n"
    "domain: {min: [-0.2, -0.2, -0.2], max: [1.2, 1.2, 0.62]}\n"
    "time: {step: 0.003, end: 1}\n"
    "fluids:\n"
    "  - name: water\n"
    "    shapes: [{box: {grid: [18, 5, 9], origin: [0.06, 0.06, 0.06]}}]\n"
    "    emitters: [{disc: {radius: 0.11}, position: [0.35, 0.6, 0.25], direction: [0.3, -1, 0], speed: 6}]\n"
    "    surface: {model: orthmann2013, walls: 0}\n"
    "walls: [{name: tub, shapes: [{box: {min: [0, 0, 0], max: [1, 1, 0.52], inside_out: true, open: [top]}}]}]\n"
    "sinks: [{shape: {box: {min: [0.8, 0, 0], max: [1, 0.2, 0.52]}}}]\n"
    "species:\n"
    "  - {name: soap, diffusion: 1e-3, surface: {adsorption: 10, desorption: 1, capacity: 0.05, diffusion: 0.01, evaporation: 5},\n"
    "     start: [{concentration: 1, shape: {sphere: {centre: [0.4, 0.2, 0.3], radius: 0.2}}}], inflow: [{concentration: 2}]}\n"
    "  - {name: dirt, diffusion: 1e-3}\n"
    "substances: [{name: grease, coats: [{wall: tub, coverage: 0.01, shape: {sphere: {centre: [0.3, 0, 0.3], radius: 0.3}}}]}]\n"
    "reactions: [{species: soap, substance: grease, product: dirt, rate: 500, coefficients: [1, 1, 2]}]\n";

/* The dam falls onto bodies of all kinds: free ones in contact, one on a path, a pendulum. */
static const char flotsam[] =
    DAM "rigid: {substeps: 2}\n"
        "bodies:\n"
        "  - {density: 500, shapes: [{box: {size: [0.2, 0.15, 0.2], centre: [0.6, 0.3, 0.3]}}]}\n"
        "  - {density: 700, shapes: [{torus: {radius: 0.12, tube: 0.05, centre: [0.62, 0.5, 0.32]}}]}\n"
        "  - {motion: {angular_velocity: [0, 3, 0], centre: [0.6, 0.3, 0.7]}, shapes: [{box: {size: [0.3, 0.2, 0.1], "
        "centre: [0.6, 0.3, 0.7]}}]}\n"
        "  - {density: 2000, velocity: [-1, 0, 0], shapes: [{sphere: {radius: 0.1, centre: [0.8, 0.7, 0.7]}}]}\n"
        "joints: [{kind: ball, body: body4, anchor: [0.8, 0.9, 0.7]}]\n";

/* The dam bends a held strip; a soft block that is led in a circle, and one that falls on it. */
static const char yielding[] = DAM
    "solids:\n"
    "  - {shapes: [{box: {grid: [3, 9, 12], origin: [0.55, 0.03, 0.2]}}], young: 40000, poisson: 0.3, adhesion: 2, fixed: [{box: "
    "{min: [0, -1, -1], max: [1, 0.06, 1]}}]}\n"
    "  - {shapes: [{box: {min: [0.8, 0.6, 0.3], max: [1, 0.7, 0.6]}}], spacing: 0.04, lambda: 20000, mu: 9000, fixed: [{box: {min: "
    "[0.9, 0, 0], max: [2, 1, 1]}}], motion: {centre: [0.8, 0.6, 0.4], angular_velocity: [0, 3, 0]}}\n"
    "  - {shapes: [{sphere: {centre: [0.85, 0.82, 0.45], radius: 0.1}}], sampling: poisson, spacing: 0.04, young: 20000, poisson: "
    "0.4, velocity: [0, -2, 0]}\n";

typedef struct thread_case {
    const char *name, *scene, *set;
    int steps;
} thread_case;

static const thread_case cases[] = {
    {"dam, dfsph", DAM, "pressure.model=dfsph", 16},
    {"dam, iisph by jacobi", DAM, "pressure={model: iisph, iteration: jacobi}", 8},
    {"dam, pcisph", DAM, "pressure.model=pcisph", 8},
    {"dam, wcsph", DAM, "pressure.model=wcsph", 16},
    {"couette: periodic, weiler2018", couette, NULL, 12},
    {"sloshing: walls in motion", sloshing, NULL, 16},
    {"sloshing in a volume map", sloshing, "wall_method=volume_maps", 12},
    {"jet: emitter, sink, two liquids", jet, NULL, 40},
    {"jet into a volume map", jet, "wall_method=volume_maps", 20},
    {"dam in the wind: gissler2017", windy, "fluids.0.drag={model: gissler2017, direct: 1}", 16},
    {"washing: species, substances, reactions", washing, NULL, 40},
    {"dam onto bodies", flotsam, NULL, 30},
    {"dam onto soft solids", yielding, NULL, 20},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct run {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
} run;

static void print_messages(const run *r)
{
    for (int m = 0; m < mn_messages_count(r->say); m++) print_error("%s\n", mn_messages_get(r->say, m).text);
}

static run begin(const thread_case *c, const char *backend, int threads)
{
    run r = {.say = mn_messages_new()};
    assert_non_null(r.say);
    r.scene = mn_scene_parse(c->scene, strlen(c->scene), c->name, &c->set, c->set ? 1 : 0, r.say);
    const mn_options options = {backend, threads};
    r.world = r.scene ? mn_world_new(r.scene, &options, r.say) : NULL;
    if (!r.world) print_messages(&r);
    assert_non_null(r.world);
    return r;
}

static void advance(run *r, int steps)
{
    for (int s = 0; s < steps; s++)
        if (mn_step(r->world, r->say) != MN_OK) {
            print_messages(r);
            fail();
        }
}

static void end(run *r)
{
    mn_world_free(r->world);
    mn_scene_free(r->scene);
    mn_messages_free(r->say);
}

static uint64_t straight(const thread_case *c, const char *backend, int threads)
{
    run r = begin(c, backend, threads);
    const int64_t before = mn_world_particles(r.world);
    advance(&r, c->steps);
    const uint64_t hash = mn_world_hash(r.world);
    if (c->scene == jet || c->scene == washing)
        assert_true(mn_world_particles(r.world) != before); /* emitter and sink were at work */
    end(&r);
    return hash;
}

/* Half way with `threads`, through a file, and on with another number of them. */
static uint64_t interrupted(const thread_case *c, int threads)
{
    char path[] = "threads-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    run first = begin(c, "cpu", threads);
    advance(&first, c->steps / 2);
    assert_int_equal(mn_checkpoint_write(first.world, path, first.say), MN_OK);
    end(&first);
    run second = begin(c, "cpu", 3 - threads);
    if (mn_checkpoint_read(second.world, path, second.say) != MN_OK) {
        print_messages(&second);
        fail();
    }
    unlink(path);
    advance(&second, c->steps - c->steps / 2);
    const uint64_t hash = mn_world_hash(second.world);
    end(&second);
    return hash;
}

static bool has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

static void same_bits(void **state)
{
    const thread_case *c = *state;
    const uint64_t one = straight(c, "cpu", 1), again = straight(c, "cpu", 1), two = straight(c, "cpu", 2),
                   three = straight(c, "cpu", 3);
    print_message("%s: %016" PRIx64 "\n", c->name, one);
    assert_true(one == again);
    assert_true(one == two);
    assert_true(one == three);
    assert_true(one == interrupted(c, 1));
    assert_true(one == interrupted(c, 2));
    assert_true(one == straight(c, "cpu:plain", 2)); /* no matter how wide the machine is */
    if (has_avx2()) assert_true(one == straight(c, "cpu:avx2", 2));
}

int main(void)
{
    struct CMUnitTest tests[CASES];
    for (int c = 0; c < CASES; c++)
        tests[c] = (struct CMUnitTest){cases[c].name, same_bits, NULL, NULL, (void *)(uintptr_t)&cases[c]};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
