/* OpenCL and the eight lanes of the CPU against the scalar CPU: the same scene gives the same bits, and a device that is missing or full is an ordinary error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/backend.h"
#include "run/device.h"

#ifdef MN_HAVE_OPENCL

/* Two columns of liquid fall in a tank: free surfaces, walls, more than one block of sums. */
#define DAM(viscosity)                                                                                                             \
    "particles: {spacing: 0.05}\n"                                                                                                 \
    "time: {adaptive: {max: 0.004}, end: 1}\n"                                                                                     \
    "fluids:\n"                                                                                                                    \
    "  - shapes:\n"                                                                                                                \
    "      - box: {grid: [9, 16, 10], origin: [0.06, 0.06, 0.06]}\n"                                                               \
    "      - box: {grid: [5, 9, 10], origin: [0.7, 0.06, 0.06]}\n"                                                                 \
    "    velocity: [0.4, 0, 0.1]\n" viscosity                                                                                      \
    "walls: [{shapes: [{box: {min: [0, 0, 0], max: [1, 1, 0.57], inside_out: true}}]}]\n"

/* Between a resting and a moving plate, periodic along both. */
static const char CHANNEL[] = "particles: {spacing: 0.004}\n"
                              "domain: {min: [0, -0.01, 0], max: [0.032, 0.044, 0.032], periodic: [x, z]}\n"
                              "gravity: [2, 0, 0.5]\n"
                              "time: {step: 0.001, end: 1}\n"
                              "fluids:\n"
                              "  - sampling: poisson\n"
                              "    seed: 1\n"
                              "    shapes: [{box: {min: [0, 0.0024, 0], max: [0.032, 0.0316, 0.032]}}]\n"
                              "    viscosity: {model: weiler2018, viscosity: 0.01, wall_viscosity: 0.015}\n"
                              "walls:\n"
                              "  - shapes: [{plane: {point: [0.016, 0, 0.016], normal: [0, 1, 0], size: [0.028, 0.028]}}]\n"
                              "  - shapes: [{plane: {point: [0.016, 0.034, 0.016], normal: [0, -1, 0], size: [0.028, 0.028]}}]\n"
                              "    motion: {velocity: [0.5, 0, 0]}\n";

/* A jet of a second, lighter liquid onto a pool; a sink eats the corner, and what leaves the domain is dropped. */
static const char JET[] =
    "particles: {spacing: 0.05}\n"
    "domain: {min: [-0.2, -0.2, -0.2], max: [0.9, 1.2, 0.62]}\n"
    "time: {step: 0.003, end: 1}\n"
    "fluids:\n"
    "  - name: water\n"
    "    shapes: [{box: {grid: [13, 4, 8], origin: [0.06, 0.06, 0.06]}}]\n"
    "    viscosity: {model: standard, viscosity: 0.01}\n"
    "  - name: oil\n"
    "    density: 800\n"
    "    emitters: [{disc: {radius: 0.11}, position: [0.35, 0.45, 0.25], direction: [0.3, -1, 0], speed: 6}]\n"
    "    viscosity: [{model: xsph}, {model: artificial, alpha: 0.1, wall_alpha: 0.05}]\n"
    "walls: [{shapes: [{box: {min: [0, 0, 0], max: [2, 0.25, 0.5], inside_out: true}}]}]\n"
    "sinks: [{shape: {box: {min: [0.5, 0, 0], max: [0.7, 0.12, 0.3]}}, start: 0.01}]\n";

/* Drops so far apart that the grid does not reach them: they are kept in its border cells. */
static const char SPRAY[] = "particles: {spacing: 0.05}\n"
                            "time: {step: 0.003, end: 1}\n"
                            "fluids:\n"
                            "  - shapes:\n"
                            "      - box: {grid: [4, 4, 4], origin: [-21, -21, -21]}\n"
                            "      - box: {grid: [5, 5, 5], origin: [0, 0, 0]}\n"
                            "      - box: {grid: [4, 4, 4], origin: [21, 21, 21]}\n";

/* Detergent from an emitter falls onto a greasy floor; a sink takes some of it away. */
static const char WASHING[] =
    "particles: {spacing: 0.05}\n"
    "domain: {min: [-0.2, -0.2, -0.2], max: [0.9, 1.2, 0.62]}\n"
    "time: {step: 0.003, end: 1}\n"
    "fluids:\n"
    "  - shapes: [{box: {grid: [13, 4, 8], origin: [0.06, 0.06, 0.06]}}]\n"
    "    emitters: [{disc: {radius: 0.11}, position: [0.35, 0.45, 0.25], direction: [0.3, -1, 0], speed: 6}]\n"
    "    surface: {model: orthmann2013, walls: 0}\n"
    "walls: [{name: tub, shapes: [{box: {min: [0, 0, 0], max: [2, 0.25, 0.5], inside_out: true}}]}]\n"
    "sinks: [{shape: {box: {min: [0.5, 0, 0], max: [0.7, 0.12, 0.3]}}, start: 0.01}]\n"
    "species:\n"
    "  - {name: soap, diffusion: 1e-3, surface: {adsorption: 10, desorption: 1, capacity: 0.05, diffusion: 0.01, evaporation: 5},\n"
    "     start: [{concentration: 1, shape: {sphere: {centre: [0.4, 0.2, 0.3], radius: 0.2}}}], inflow: [{concentration: 2}]}\n"
    "  - {name: dirt, diffusion: 1e-3}\n"
    "substances: [{name: grease, coats: [{wall: tub, coverage: 0.01}]}]\n"
    "reactions: [{species: soap, substance: grease, product: dirt, rate: 500, coefficients: [1, 1, 2]}]\n";

/* A soapy boat: two films that change tension, adhesion and friction, on two fluids that are one liquid. */
static const char BOAT[] =
    "particles: {spacing: 0.01}\n"
    "time: {step: 0.002, end: 1}\n"
    "fluids:\n"
    "  - name: left\n"
    "    shapes: [{box: {grid: [12, 4, 11], origin: [0.01, 0.01, 0.01]}}]\n"
    "    viscosity: {model: standard, viscosity: 0.001, wall_viscosity: 0.001}\n"
    "    tension: [{model: lafaurie1994, tension: 1}, {model: akinci2013, cohesion: 0.3, curvature: 0.3, adhesion: 3}]\n"
    "    surface: orthmann2013\n"
    "  - name: right\n"
    "    shapes: [{box: {grid: [8, 4, 11], origin: [0.13, 0.01, 0.01]}}]\n"
    "    tension: {model: akinci2013, cohesion: 0.3, curvature: 0.3, adhesion: 3}\n"
    "    surface: {model: orthmann2013, walls: 0, smoothing: 1}\n"
    "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.21, 0.1, 0.12], inside_out: true, open: [top]}}]}]\n"
    "bodies: [{name: boat, density: 300, shapes: [{box: {size: [0.06, 0.03, 0.05], centre: [0.08, 0.06, 0.06]}}]}]\n"
    "species:\n"
    "  - {name: moisture, diffusion: 1e-4, surface: {adsorption: 100, desorption: 1, capacity: 0.01, diffusion: 5e-3},\n"
    "     effect: {friction: 0.5}, start: [{concentration: 10}]}\n"
    "  - {name: soap, surface: {adsorption: 100, desorption: 0.5, capacity: 0.01, diffusion: 1e-4},\n"
    "     effect: {law: langmuir, tension: 0.3, adhesion: 0.7}}\n"
    "substances: [{name: bar, coats: [{wall: boat, coverage: 0.3}]}]\n"
    "reactions: [{species: moisture, substance: bar, product: soap, rate: 1000, coefficients: [0, 1, 1]}]\n";

/* Soap washes grease off a floor that goes on beyond the faces of a periodic box; the liquid flows across them, a greasy ball too. */
static const char FLOOR[] =
    "particles: {spacing: 0.01}\n"
    "domain: {min: [0, -0.1, 0], max: [0.1, 0.5, 0.09], periodic: [x, z]}\n"
    "gravity: [3, -9.81, 1]\n"
    "time: {step: 0.002, end: 1}\n"
    "fluids:\n"
    "  - velocity: [1, 0, 0.5]\n"
    "    shapes: [{box: {grid: [10, 3, 9], origin: [0.005, 0.01, 0.005]}}]\n"
    "    surface: {model: orthmann2013, walls: 0}\n"
    "walls: [{name: floor, shapes: [{plane: {point: [0.05, 0, 0.045], normal: [0, 1, 0], size: [0.09, 0.08]}}]}]\n"
    "bodies: [{name: ball, density: 900, velocity: [2, -1, 0], shapes: [{sphere: {centre: [0.08, 0.06, 0.04], radius: 0.02}}]}]\n"
    "species:\n"
    "  - {name: soap, diffusion: 1e-4, surface: {adsorption: 10, desorption: 1, capacity: 0.01, diffusion: 1e-3}, start: "
    "[{concentration: 1}]}\n"
    "  - {name: dirt, diffusion: 1e-4}\n"
    "substances: [{name: grease, coats: [{wall: floor, coverage: 0.01}, {wall: ball, coverage: 0.02}]}]\n"
    "reactions: [{species: soap, substance: grease, product: dirt, rate: 500}]\n";

/* Salt spreads across the periodic faces of the channel. */
static const char SALT[] =
    "species=[{name: salt, diffusion: 1e-4, start: [{concentration: 1, shape: {sphere: {centre: [0, 0.01, 0], radius: "
    "0.015}}}]}]";

typedef struct golden_case {
    const char *name, *scene, *sets[3];
    int steps;
} golden_case;

static const golden_case cases[] = {
    {"washing: species, substances, reactions", WASHING, {NULL}, 20},
    {"boat: films, two fluids, a body", BOAT, {NULL}, 20},
    {"floor: substances in a periodic box", FLOOR, {NULL}, 20},
    {"salt in a channel", CHANNEL, {SALT}, 8},
    {"dam, dfsph", DAM(""), {NULL}, 12},
    {"weight of walls, dam onto a body",
     DAM(""),
     {"pressure.wall_weight=1.78", "bodies=[{density: 500, shapes: [{box: {size: [0.2, 0.15, 0.2], centre: [0.6, 0.3, 0.3]}}]}]"},
     12},
    {"dam onto bodies",
     DAM("    viscosity: {model: standard, viscosity: 0.02, wall_viscosity: 0.01}\n"),
     {"bodies=[{density: 500, shapes: [{box: {size: [0.2, 0.15, 0.2], centre: [0.6, 0.3, 0.3]}}]}, {density: 800, velocity: [-1, "
      "0, 0], "
      "shapes: [{torus: {radius: 0.12, tube: 0.05, centre: [0.62, 0.5, 0.32]}}]}]"},
     12},
    {"dam, iisph", DAM("    viscosity: {model: artificial, alpha: 0.2, wall_alpha: 0.1}\n"), {"pressure.model=iisph"}, 8},
    {"dam, pcisph", DAM("    viscosity: xsph\n"), {"pressure.model=pcisph"}, 8},
    {"dam, zorilla2020", DAM("    tension: {model: zorilla2020, strength: 0.1}\n"), {NULL}, 8},
    {"dam, wcsph",
     DAM("    viscosity: {model: standard, viscosity: 0.02, wall_viscosity: 0.01}\n"),
     {"pressure.model=wcsph", "time.adaptive.max=0.0005"},
     8},
    {"dam in the wind: gissler2017",
     DAM("    drag: {model: gissler2017, direct: 1}\n"),
     {"air.velocity={0: [20, 0, 0], 0.05: [-20, 5, 0]}", "air.flows=[{vortex: {centre: [0.5, 0.5, 0], axis: [0, 0, 1], radius: "
                                                         "0.2, speed: 10}}, {jet: {position: [0, 0, 0], direction: [1, "
                                                         "1, 0], radius: 0.1, speed: 30}}]"},
     8},
    {"dense walls, lists longer than usual", DAM(""), {"walls.0.spacing=0.02"}, 3},
    {"weight of walls, iisph", DAM(""), {"pressure={model: iisph, wall_weight: 1.78}"}, 6},
    {"walls in motion", DAM(""), {"walls.0.motion.velocity=[0.3, 0.2, 0]", "walls.0.motion.angular_velocity=[0, 0, 1]"}, 6},
    {"walls that strike",
     DAM(""),
     {"walls.0.motion.translation={0: [0, 0, 0], 0.01: [0.2, 0, 0], 0.02: [0, 0.1, 0], 0.03: [0, 0, 0]}"},
     40},
    {"walls in motion, as volume maps",
     DAM("    tension: {model: jeske2023, tension: 500, adhesion: 300}\n"),
     {"wall_method=volume_maps", "walls.0.motion.velocity=[0.3, 0.2, 0]", "walls.0.motion.angular_velocity=[0, 0, 1]"},
     6},
    {"channel: periodic, weiler2018", CHANNEL, {NULL}, 6},
    {"channel of volume maps", CHANNEL, {"wall_method=volume_maps"}, 4},
    {"jet: emitter, sink, two fluids", JET, {NULL}, 30},
    {"drops beyond the grid", SPRAY, {NULL}, 2},
    {"a floor in a wide grid", SPRAY, {"walls=[{shapes: [{plane: {point: [0, -0.05, 0], normal: [0, 1, 0], size: [1, 1]}}]}]"}, 3},
};

/* Hash after the steps; *particles = how many are left. */
static uint64_t hash_of(const golden_case *c, const char *backend, long *particles)
{
    mn_messages *say = mn_messages_new();
    int sets = 0;
    while (sets < 3 && c->sets[sets]) sets++;
    mn_scene *scene = mn_scene_parse(c->scene, strlen(c->scene), c->name, c->sets, sets, say);
    const mn_options options = {backend, 1};
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    for (int s = 0; world && s < c->steps; s++)
        if (mn_step(world, say) != MN_OK) break;
    for (int m = 0; m < mn_messages_count(say); m++) print_message("%s\n", mn_messages_get(say, m).text);
    assert_non_null(world);
    assert_int_equal(mn_world_steps(world), c->steps);
    const uint64_t hash = mn_world_hash(world);
    *particles = (long)mn_world_particles(world);
    mn_world_free(world);
    mn_scene_free(scene);
    mn_messages_free(say);
    return hash;
}

static void same_bits(void **state)
{
    const golden_case *c = *state;
    long cpu, device, lanes;
    const uint64_t expected = hash_of(c, "cpu-scalar", &cpu), got = hash_of(c, "opencl", &device),
                   eight = hash_of(c, "cpu", &lanes);
    print_message("%s: %ld particles\n", c->name, device);
    assert_int_equal(device, cpu);
    assert_int_equal(lanes, cpu);
    assert_true(got == expected);
    assert_true(eight == expected);
}

static void wrong_device_names_the_others(void **state)
{
    (void)state;
    char names[1][128];
    mn_messages *say = mn_messages_new();
    const char *device = NULL;
    const mn_backend_api *api = mn_backend_find("opencl:abacus", &device);
    assert_ptr_equal(api, &mn_backend_opencl);
    assert_null(api->open(device, 0, say));
    assert_int_equal(mn_messages_errors(say), 1);
    assert_non_null(strstr(mn_messages_get(say, 0).text, "no OpenCL device 'abacus'"));
    mn_devices(names, 1);
    assert_non_null(strstr(mn_messages_get(say, 0).text, names[0]));
    mn_messages_clear(say);
    assert_null(api->open("999", 0, say));
    assert_int_equal(mn_messages_errors(say), 1);
    mn_messages_free(say);
}

static void full_device_is_an_error(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    const mn_backend_api *api = &mn_backend_opencl;
    mn_backend *b = api->open("0", 0, say);
    assert_non_null(b);
    const size_t before = api->bytes(b);
    assert_null(api->alloc(b, (size_t)1 << 50));
    assert_non_null(strstr(api->failure(b), "clCreateBuffer"));
    assert_non_null(strstr(api->failure(b), "the device has no room for another 1125899906.8 MB"));
    assert_int_equal(api->bytes(b), before);

    /* and the device is still of use; fresh memory is zero */
    const int in[4] = {1, -2, 3, -4};
    int out[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    mn_buffer *buffer = api->alloc(b, sizeof out);
    assert_non_null(buffer);
    assert_true(api->bytes(b) >= before + sizeof out);
    assert_true(api->put(b, buffer, 8, in, sizeof in));
    assert_true(api->get(b, buffer, 0, out, sizeof out));
    assert_memory_equal(out, ((const int[]){0, 0, 1, -2, 3, -4, 0, 0}), sizeof out);
    api->release(b, buffer);
    assert_int_equal(api->bytes(b), before);
    api->close(b);
    mn_messages_free(say);
}

/* A particle that is not finite is found, the first one if there are several. */
static void bounds_find_bad_particles(void **state)
{
    (void)state;
    enum { N = 70000 };
    mn_messages *say = mn_messages_new();
    const mn_backend_api *api = &mn_backend_opencl;
    mn_backend *b = api->open(NULL, 0, say);
    real4 *x = calloc(N, sizeof *x);
    assert_true(b && x);
    mn_buffer *pos = api->alloc(b, N * sizeof *x), *vel = api->alloc(b, N * sizeof *x);
    assert_true(pos && vel);
    for (int i = 0; i < N; i++) x[i] = (real4){(float)i, (float)(i % 777) - 5.0f, -1.5f, 1.0f};
    mn_bounds bounds;
    assert_true(api->put(b, pos, 0, x, N * sizeof *x) && api->bounds(b, pos, vel, N, &bounds));
    assert_int_equal(bounds.bad, -1);
    assert_true(bounds.low[0] == 0.0f && bounds.high[0] == (float)(N - 1) && bounds.low[1] == -5.0f && bounds.high[1] == 771.0f);
    assert_true(bounds.low[2] == -1.5f && bounds.high[2] == -1.5f);
    x[69001].x = 0.0f / (float)atoi("0"), x[345].y = 1.0f / (float)atoi("0");
    assert_true(api->put(b, vel, 0, x, N * sizeof *x) && api->bounds(b, pos, vel, N, &bounds));
    assert_int_equal(bounds.bad, 345);
    api->release(b, pos), api->release(b, vel);
    api->close(b);
    free(x);
    mn_messages_free(say);
}

int main(void)
{
    char names[1][128];
    if (!mn_devices(names, 1)) {
        print_message("skipped: no OpenCL device on this machine\n");
        return 0;
    }
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES + 3] = {cmocka_unit_test(wrong_device_names_the_others),
                                          cmocka_unit_test(full_device_is_an_error), cmocka_unit_test(bounds_find_bad_particles)};
    for (int c = 0; c < CASES; c++)
        tests[3 + c] = (struct CMUnitTest){cases[c].name, same_bits, NULL, NULL, (void *)(uintptr_t)&cases[c]};
    return cmocka_run_group_tests_name("opencl", tests, NULL, NULL);
}

#else

int main(void)
{
    print_message("skipped: built without OpenCL\n");
    return 0;
}

#endif
