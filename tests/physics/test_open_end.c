/* Pressure at the open ends of the domain (domain.pressure), on every backend: what it sums to, what it leaves alone,
 * and that air behind a block does not tear. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernel_world.h"
#include "meniscus/meniscus.h"

typedef struct run {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
} run;

static run begin(const char *text, const char *backend)
{
    run r = {mn_messages_new(), NULL, NULL};
    const mn_options options = {backend, 1};
    r.scene = mn_scene_parse(text, strlen(text), "open end", NULL, 0, r.say);
    r.world = r.scene ? mn_world_new(r.scene, &options, r.say) : NULL;
    assert_non_null(r.world);
    return r;
}

static void get(run *r, int field, void *out, size_t bytes)
{
    assert_true(r->world->api->get(r->world->device, r->world->field[field], 0, out, bytes));
}

static void finish(run *r)
{
    mn_world_free(r->world);
    mn_scene_free(r->scene);
    mn_messages_free(r->say);
}

/* A column that is periodic in y and z and ends at a face is pressed by p_a times its section, 0.8 x 0.8 m, to the 2 %
 * that a lattice carries too much (kernels/pressure/packing.h); far from the face nothing acts. */
static void presses_on_an_end(void **state)
{
    (void)state;
    enum { COUNT = 10 * 8 * 8 };
    static real4 pos[COUNT], acc[COUNT];
    for (int b = 0; kernel_backend(b); b++)
        for (int isotropic = 0; isotropic < 2; isotropic++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "particles: {spacing: 0.1}\ngravity: [0, 0, 0]\ntime: {step: 1e-5, end: 1}\n"
                     "domain: {min: [-5, 0, 0], max: [1, 0.8, 0.8], periodic: [y, z], pressure: 500}\n"
                     "pressure: {isotropic: %s}\n"
                     "fluids: [{shapes: [{box: {grid: [10, 8, 8], origin: [0.05, 0.05, 0.05]}}]}]\n",
                     isotropic ? "true" : "false");
            run r = begin(text, kernel_backend(b));
            kernel_world k = {r.say, r.scene, r.world};
            assert_int_equal(mn_step(r.world, r.say), MN_OK);
            kernel_world_run(&k, "search density");
            if (isotropic) kernel_world_run(&k, "even_wall isotropic");
            kernel_world_run(&k, "force_begin ambient=500");
            get(&r, MN_FIELD_pos, pos, sizeof pos);
            get(&r, MN_FIELD_acc, acc, sizeof acc);
            double force = 0;
            for (int i = 0; i < COUNT; i++) {
                force += (double)acc[i].x; /* 1 kg each */
                if (pos[i].x < 0.35f) assert_true(acc[i].x == 0 && acc[i].y == 0);
            }
            if (b == 0) print_message("force on an end: %.4f p A\n", -force / (500 * 0.8 * 0.8));
            if (fabs(force + 500 * 0.8 * 0.8) > 0.03 * 500 * 0.8 * 0.8) fail_msg("%g N on the end", force);
            finish(&r);
        }
}

typedef struct wake {
    double filled, pressure, flow;
} wake;

/* Air of 1 m/s past a block of 4 x 1 cm in a channel that is 16 cm high: the share of two of its heights behind it that
 * particles fill, and the mean pressure there and the flow behind, over the last 0.3 s. */
static wake past_a_block(double pressure, const char *backend)
{
    char text[2048];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {adaptive: {max: 0.002}, end: 1.2}\n"
             "domain: {min: [-0.08, -0.08, 0], max: [0.6, 0.24, 0.08], periodic: [z], pressure: %g}\n"
             "pressure: {tolerance: 0.1, wall_weight: 1.78}\n"
             "fluids:\n"
             "  - density: 1.2\n"
             "    velocity: [1, 0, 0]\n"
             "    shapes:\n"
             "      - box: {grid: [14, 16, 8], origin: [0.005, 0.005, 0.005]}\n"
             "      - box: {grid: [2, 12, 8], origin: [0.145, 0.045, 0.005]}\n"
             "      - box: {grid: [44, 16, 8], origin: [0.165, 0.005, 0.005]}\n"
             "    emitters: [{box: {size: [0.08, 0.16]}, position: [-0.005, 0.08, 0.04], direction: [1, 0, 0], speed: "
             "1}]\n"
             "    viscosity: {model: artificial, alpha: 0.01, sound_speed: 15}\n"
             "walls:\n"
             "  - name: channel\n"
             "    friction: 0\n"
             "    shapes:\n"
             "      - plane: {point: [0.28, -0.006, 0.04], normal: [0, 1, 0], size: [0.66, 0.07]}\n"
             "      - plane: {point: [0.28, 0.166, 0.04], normal: [0, -1, 0], size: [0.66, 0.07]}\n"
             "      - plane: {point: [0.155, 0.014, 0.04], normal: [1, 0, 0], size: [0.04, 0.07]}\n",
             pressure);
    run r = begin(text, backend);
    wake sum = {0, 0, 0};
    double time = 0;
    while (mn_world_time(r.world) < 1.2) {
        assert_int_equal(mn_step(r.world, r.say), MN_OK);
        if (mn_world_time(r.world) < 0.9) continue;
        const size_t n = (size_t)mn_world_particles(r.world);
        float *x = malloc(3 * n * sizeof *x), *v = malloc(3 * n * sizeof *v), *p = malloc(n * sizeof *p);
        assert_true(x && v && p);
        assert_int_equal(mn_world_get(r.world, "position", x, r.say), MN_OK);
        assert_int_equal(mn_world_get(r.world, "velocity", v, r.say), MN_OK);
        assert_int_equal(mn_world_get(r.world, "pressure", p, r.say), MN_OK);
        double count = 0, press = 0, flow = 0;
        const double dt = mn_world_stats(r.world).dt;
        for (size_t i = 0; i < n; i++) {
            const double px = (double)x[3 * i], py = (double)x[3 * i + 1];
            if (px > 0.165 && px < 0.245 && py < 0.04) count += 1, press += (double)p[i];
            if (px > 0.3 && px < 0.5) flow += (double)v[3 * i];
        }
        sum.filled += dt * count * 1e-6 / (0.08 * 0.04 * 0.08);
        sum.pressure += count > 0 ? dt * press / count : 0;
        sum.flow += dt * flow * 1e-6 / (0.2 * 0.16 * 0.08);
        time += dt;
        free(x), free(v), free(p);
    }
    finish(&r);
    return (wake){sum.filled / time, sum.pressure / time, sum.flow / time};
}

static void air_does_not_tear_behind_a_block(void **state)
{
    (void)state;
    const wake torn = past_a_block(0, NULL), whole = past_a_block(3, NULL);
    print_message("behind a block: %.3f filled, %.2f Pa, %.3f m/s; without pressure %.3f filled\n", whole.filled,
                  whole.pressure, whole.flow, torn.filled);
    assert_true(torn.filled < 0.9);
    assert_true(whole.filled > 0.99);
    assert_true(whole.pressure < 0);
    assert_true(fabs(whole.flow - 1) < 0.03);
}

/* Within two support radii of faces all around, the pressure is that of pairs and of walls: water and a ball in it keep
 * their momentum to rounding. */
static void keeps_momentum(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.1}\ngravity: [0, 0, 0]\ntime: {step: 1e-3, end: 1}\n"
        "domain: {min: [-0.2, 0, -0.2], max: [1.4, 0.4, 1.4], pressure: 500}\n"
        "pressure: {wall_weight: 1.78}\n"
        "fluids: [{jitter: 0.1, shapes: [{box: {grid: [12, 4, 12], origin: [0.05, 0.05, 0.05]}}]}]\n"
        "bodies: [{density: 700, shapes: [{box: {size: [0.4, 0.4, 0.4], centre: [0.3, 0.5, 0.5]}}]}]\n";
    for (int b = 0; kernel_backend(b); b++) {
        run r = begin(text, kernel_backend(b));
        for (int step = 0; step < 8; step++) {
            assert_int_equal(mn_step(r.world, r.say), MN_OK);
            const mn_body_motion body = mn_world_body(r.world, 0);
            const double *p = mn_world_stats(r.world).momentum, mass = 0.064 * 700;
            for (int c = 0; c < 3; c++)
                if (fabs(p[c] + mass * body.velocity[c]) > 1e-5 * 500 * 0.48 * 0.02)
                    fail_msg("step %d: %g of %g N s", step, p[c] + mass * body.velocity[c], 500 * 0.48 * 0.02);
        }
        finish(&r);
    }
}

/* Pressure of eight layers of water over a floor, plus rho g y, from 0.5 to 1.5 s; the domain ends just above. */
static double column(double pressure)
{
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.05}\ntime: {adaptive: {max: 0.002}, end: 1.5}\n"
             "domain: {min: [0, -0.5, 0], max: [0.4, 0.5, 0.4], periodic: [x, z], pressure: %g}\n"
             "pressure: {tolerance: 0.0005, wall_weight: 1.78}\n"
             "fluids: [{jitter: 0.1, viscosity: {model: standard, viscosity: 0.05}, shapes: [{box: {grid: [8, 8, 8], "
             "origin: [0.025, 0.055, 0.025]}}]}]\n"
             "walls: [{shapes: [{plane: {point: [0.2, 0, 0.2], normal: [0, 1, 0], size: [0.35, 0.35]}}]}]\n",
             pressure);
    run r = begin(text, NULL);
    static float p[512], x[3 * 512];
    double sum = 0, time = 0;
    while (mn_world_time(r.world) < 1.5) {
        assert_int_equal(mn_step(r.world, r.say), MN_OK);
        if (mn_world_time(r.world) < 0.5) continue;
        assert_int_equal(mn_world_particles(r.world), 512);
        assert_int_equal(mn_world_get(r.world, "pressure", p, r.say), MN_OK);
        assert_int_equal(mn_world_get(r.world, "position", x, r.say), MN_OK);
        const double dt = mn_world_stats(r.world).dt;
        double layer = 0, count = 0;
        for (int i = 0; i < 512; i++)
            if (x[3 * i + 1] > 0.1f && x[3 * i + 1] < 0.2f) layer += (double)(p[i] + 9810 * x[3 * i + 1]), count++;
        sum += dt * layer / count;
        time += dt;
    }
    finish(&r);
    return sum / time;
}

/* The pressure that users see is that above the surroundings. */
static void water_at_rest_shows_its_weight(void **state)
{
    (void)state;
    const double open = column(0), pressed = column(5000);
    print_message("pressure and depth: %.1f Pa, under 5000 Pa %.1f\n", open, pressed);
    if (fabs(pressed - open) > 0.01 * open) fail_msg("%g and %g Pa", open, pressed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(presses_on_an_end), cmocka_unit_test(keeps_momentum),
                                       cmocka_unit_test(water_at_rest_shows_its_weight),
                                       cmocka_unit_test(air_does_not_tear_behind_a_block)};
    return cmocka_run_group_tests_name("pressure at open ends", tests, NULL, NULL);
}
