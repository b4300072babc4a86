/* test_map_walls.c -- the points that fluid particles get on walls made of volume maps, on every backend: reference
 * numbers of a flat wall, moving walls, periodic copies, more walls than slots, particles inside a wall. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

/* Slot s of each particle, in id order: x* and V, velocity and wall. */
static void read_slots(kernel_world *k, int s, double (*pos)[4], double (*vel)[4])
{
    mn_world *w = k->world;
    int ids[KERNEL_MOST];
    real4 p[KERNEL_MOST], v[KERNEL_MOST];
    const int n = w->layout.fluid;
    const size_t at = ((size_t)w->layout.map_at + (size_t)(s * w->layout.map_stride)) * sizeof *p;
    assert_in_range(n, 1, KERNEL_MOST);
    assert_true(s < w->layout.map_slots);
    assert_true(w->api->get(w->device, w->id, 0, ids, (size_t)n * 4));
    assert_true(w->api->get(w->device, w->field[MN_FIELD_pos], at, p, (size_t)n * sizeof *p));
    assert_true(w->api->get(w->device, w->field[MN_FIELD_vel], at, v, (size_t)n * sizeof *v));
    for (int i = 0; i < n; i++) {
        memcpy(pos[ids[i]], (double[4]){(double)p[i].x, (double)p[i].y, (double)p[i].z, (double)p[i].w}, sizeof *pos);
        memcpy(vel[ids[i]], (double[4]){(double)v[i].x, (double)v[i].y, (double)v[i].z, (double)v[i].w}, sizeof *vel);
    }
}

/* Particles of 0.1 m at these places, in a scene with walls. */
static kernel_setup setup_of(int count, const double (*x)[3], const char *walls)
{
    return (kernel_setup){.count = count, .position = x, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3, .scene = walls};
}

static void near(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%s is %.9g, expected %.9g", what, value, expected);
}

static const char *const floor_lines = "wall_method: volume_maps\nwalls: [{shapes: [{plane: {size: [4, 1]}}]}]\n";

/* phi/d, V/d^3, V W(D) of a half space */
static const double flat[8][3] = {{0.25, 18.13746, 1.44333},
                                  {0.5, 15.80221, 1.25750},
                                  {0.75, 13.38842, 1.06542},
                                  {1, 10.97463, 0.36844},
                                  {1.25, 8.63938, 0.08594},
                                  {1.5, 6.46121, 0.00803},
                                  {1.75, 0, 0},
                                  {2, 0, 0}};

static void flat_wall(void **state)
{
    (void)state;
    double x[8][3];
    for (int i = 0; i < 8; i++) x[i][0] = 0.4 * (i - 3.5), x[i][1] = 0.1 * flat[i][0], x[i][2] = 0.01 * i;
    const kernel_setup setup = setup_of(8, (const double(*)[3])x, floor_lines);
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double pos[KERNEL_MOST][4], vel[KERNEL_MOST][4], dens[KERNEL_MOST];
        read_slots(k, 0, pos, vel);
        kernel_world_read(k, "dens", dens);
        const double own = 1e-3 * 8 / (acos(-1) * 0.008);
        for (int i = 0; i < 8; i++) {
            near(pos[i][3] * 1e3, flat[i][1], 2e-5, "V/d^3");
            near(dens[i] - own, flat[i][2], 1e-5, "V W");
            if (flat[i][1] == 0) continue;
            near(pos[i][0], x[i][0], 1e-6, "x of x*");
            near(pos[i][1], x[i][1] - fmax(x[i][1] + 0.025, 0.1), 1e-6, "y of x*");
            near(vel[i][3], 0, 0, "index of the wall");
        }
        kernel_world_free(k);
    }
}

/* A cubic lattice above the wall: the density of the particle in the middle of the first layer. */
static void first_layer(void **state)
{
    (void)state;
    double x[27][3];
    for (int i = 0; i < 27; i++)
        x[i][0] = 0.1 * (i % 3 - 1), x[i][1] = 0.1 + 0.1 * (i / 9), x[i][2] = 0.1 * (i / 3 % 3 - 1);
    const kernel_setup setup = setup_of(27, (const double(*)[3])x, floor_lines);
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double dens[KERNEL_MOST];
        kernel_world_read(k, "dens", dens);
        near(dens[4], 1.2187, 1e-4, "density of the first layer");
        kernel_world_free(k);
    }
}

/* A ball that turns about z and moves along x, after a while: the map follows, and the velocity at x* is that of the
 * ball. */
static void moving_wall(void **state)
{
    (void)state;
    static const double x[1][3] = {{1.3, 0.4, 0.62}};
    const kernel_setup setup =
        setup_of(1, x,
                 "walls:\n"
                 "  - shapes: [{plane: {point: [0, 5, 0], normal: [0, -1, 0], size: [1, 1]}}]\n"
                 "  - shapes: [{sphere: {centre: [0.3, 0.5, 0], radius: 0.5}}]\n"
                 "    method: volume_maps\n"
                 "    map_spacing: 0.05\n"
                 "    motion: {centre: [0.3, 0, 0], velocity: [0.5, 0, 0], angular_velocity: [0, 0, 1]}\n");
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        k->world->time = 1;
        kernel_world_run(k, "search");
        /* the centre of the ball turned by 1 rad about (0.3, 0) and moved by 0.5 */
        const double middle[3] = {0.8 - 0.5 * sin(1), 0.5 * cos(1), 0},
                     to[3] = {1.3 - middle[0], 0.4 - middle[1], 0.62};
        const double r = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
        double pos[KERNEL_MOST][4], vel[KERNEL_MOST][4];
        read_slots(k, 0, pos, vel);
        assert_true(r - 0.5 > 0.175); /* too far away to be felt */
        near(pos[0][3], 0, 0, "volume");
        double nearer[1][4] = {
            {middle[0] + to[0] * 0.62 / r, middle[1] + to[1] * 0.62 / r, middle[2] + to[2] * 0.62 / r, 1e-3}};
        kernel_world_write(k, "pos", nearer[0]);
        kernel_world_run(k, "search");
        read_slots(k, 0, pos, vel);
        const double at[3] = {nearer[0][0] - to[0] / r * 0.145, nearer[0][1] - to[1] / r * 0.145,
                              nearer[0][2] - to[2] / r * 0.145};
        for (int a = 0; a < 3; a++) near(pos[0][a], at[a], 1e-3, "x*");
        assert_true(pos[0][3] > 7e-3 && pos[0][3] < 9.8e-3); /* less than of a plane at the same distance, 9.88 d^3 */
        near(vel[0][0], 0.5 - at[1], 2e-3, "velocity along x");
        near(vel[0][1], at[0] - 0.8, 2e-3, "velocity along y");
        near(vel[0][2], 0, 1e-6, "velocity along z");
        near(vel[0][3], 1, 0, "index of the wall");
        kernel_world_free(k);
    }
}

/* A wall that has moved by many spans of the box, and a copy of one across a face. */
static void periodic_walls(void **state)
{
    (void)state;
    static const double x[2][3] = {{0.93, 0.5, 0.12}, {0.5, 0.12, 0.5}};
    const kernel_setup setup =
        setup_of(2, x,
                 "wall_method: volume_maps\n"
                 "domain: {min: [0, 0, 0], max: [1, 1, 1], periodic: [x, z]}\n"
                 "walls:\n"
                 "  - shapes: [{sphere: {centre: [0.23, 0.5, 0.12], radius: 0.2}}]\n"
                 "    map_spacing: 0.05\n"
                 "  - shapes: [{plane: {point: [0.5, 0, 0.5], normal: [0, 1, 0], size: [1, 1]}}]\n"
                 "    motion: {velocity: [100.3, 0, 0]}\n");
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double pos[KERNEL_MOST][4], vel[KERNEL_MOST][4];
        k->world->time = 1.7;
        kernel_world_run(k, "search");
        read_slots(k, 0, pos, vel);
        near(pos[0][0], 0.93 + 0.125, 2e-3, "x* on the copy");
        near(pos[0][2], 0.12, 1e-3, "z of x*");
        near(vel[0][3], 0, 0, "wall");
        near(pos[1][1], 0.12 - 0.145, 1e-5, "x* on the moving wall");
        near(vel[1][0], 100.3, 1e-3, "its velocity");
        near(vel[1][3], 1, 0, "wall");
        kernel_world_free(k);
    }
}

/* Five walls, four slots: the farthest wall is left out. */
static void more_walls_than_slots(void **state)
{
    (void)state;
    static const double x[1][3] = {{0, 0, 0}};
    const kernel_setup setup =
        setup_of(1, x,
                 "wall_method: volume_maps\n"
                 "walls:\n"
                 "  - shapes: [{plane: {point: [0, -0.12, 0], normal: [0, 1, 0], size: [2, 2]}}]\n"
                 "  - shapes: [{plane: {point: [0, 0.16, 0], normal: [0, -1, 0], size: [2, 2]}}]\n"
                 "  - shapes: [{plane: {point: [-0.13, 0, 0], normal: [1, 0, 0], size: [2, 2]}}]\n"
                 "  - shapes: [{plane: {point: [0.14, 0, 0], normal: [-1, 0, 0], size: [2, 2]}}]\n"
                 "  - shapes: [{plane: {point: [0, 0, -0.11], normal: [0, 0, 1], size: [2, 2]}}]\n");
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double pos[KERNEL_MOST][4], vel[KERNEL_MOST][4];
        bool seen[5] = {false};
        for (int s = 0; s < 4; s++) {
            read_slots(k, s, pos, vel);
            assert_true(pos[0][3] > 0);
            seen[(int)vel[0][3]] = true;
        }
        assert_true(seen[0] && !seen[1] && seen[2] && seen[3] && seen[4]);
        kernel_world_free(k);
    }
}

/* Inside the wall there is no volume to feel, but a direction out. */
static void inside(void **state)
{
    (void)state;
    static const double x[1][3] = {{0, -0.07, 0}}, v[1][3] = {{1, -2, 0}};
    const kernel_setup setup = {
        .count = 1, .position = x, .velocity = v, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3, .scene = floor_lines};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double dens[KERNEL_MOST], vel[4 * KERNEL_MOST];
        kernel_world_run(k, "wall_stop map_stop");
        kernel_world_read(k, "dens", dens);
        kernel_world_read(k, "vel", vel);
        near(dens[0], 1e-3 * 8 / (acos(-1) * 0.008), 1e-6, "density");
        near(vel[0], 1, 0, "velocity along the wall");
        near(vel[1], 5, 1e-4, "velocity away from it"); /* 0.05 d/dt */
        kernel_world_free(k);
    }
}

/* Adhesion of jeske2023 of single particles, with the mean mass of the paper. Reference: force over sigma_b d/m if
 * the density were the rest density. */
static void adhesion(void **state)
{
    (void)state;
    static const double reference[4] = {1.088, 0.955, 0.818, 0.359};
    double x[4][3];
    for (int i = 0; i < 4; i++) x[i][0] = 0.4 * (i - 1.5), x[i][1] = 0.1 * flat[i][0], x[i][2] = 0;
    for (int implicit = 0; implicit < 2; implicit++) {
        const kernel_setup setup = {
            .count = 4,
            .position = (const double(*)[3])x,
            .volume = 1e-3,
            .spacing = 0.1,
            .dt = 1e-4,
            .scene = floor_lines,
            .fluid = implicit ? "    tension: {model: jeske2023, cohesion: 5, adhesion: 2, tolerance: 1e-7}\n"
                              : "    tension: {model: jeske2023, cohesion: 5, adhesion: 2, implicit: 0}\n"};
        for (int b = 0; kernel_backend(b); b++) {
            kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
            double dens[KERNEL_MOST], got[4 * KERNEL_MOST];
            kernel_world_run(k, implicit ? "force_begin velocity" : "force_begin force");
            kernel_world_read(k, "dens", dens);
            kernel_world_read(k, implicit ? "vel" : "acc", got);
            for (int i = 0; i < 4; i++) {
                const double pull = reference[i] * 2 * 0.1 / 1 * 2 / (dens[i] + 1); /* sigma_b d/m, mean density */
                near(got[4 * i + 1] / (implicit ? 1e-4 : 1), -pull, 1.5e-3 * pull, "acceleration");
                near(got[4 * i], 0, 1e-7, "acceleration along the wall");
            }
            kernel_world_free(k);
        }
    }
}

/* A particle that slides along the wall, 1.15 d above it: the four points of velocity_maps.h brake it, explicit and
 * implicit. */
static void friction(void **state)
{
    (void)state;
    static const double x[1][3] = {{0, 0.115, 0}}, v[1][3] = {{2, 0, -1}};
    for (int implicit = 0; implicit < 2; implicit++) {
        const kernel_setup setup = {
            .count = 1,
            .position = x,
            .velocity = v,
            .volume = 1e-3,
            .spacing = 0.1,
            .dt = 1e-2,
            .scene = floor_lines,
            .fluid = implicit
                         ? "    viscosity: {model: weiler2018, viscosity: 0.1, wall_viscosity: 0.5, tolerance: 1e-7}\n"
                         : "    viscosity: {model: standard, viscosity: 0.1, wall_viscosity: 0.5}\n"};
        for (int b = 0; kernel_backend(b); b++) {
            kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
            double pos[KERNEL_MOST][4], vel[KERNEL_MOST][4], dens[KERNEL_MOST], got[4 * KERNEL_MOST];
            read_slots(k, 0, pos, vel);
            kernel_world_read(k, "dens", dens);
            kernel_world_run(k, implicit ? "force_begin velocity" : "force_begin force");
            kernel_world_read(k, implicit ? "vel" : "acc", got);
            /* D = 0.14, e = 0.1, q = sqrt(D^2 + e^2)/h > 1/2: W' = -48/(pi h^4) (1 - q)^2 */
            const double h = 0.2, r2 = 0.0296, q = sqrt(r2) / h,
                         slope = -48 / (acos(-1) * pow(h, 4)) * (1 - q) * (1 - q);
            const double rate =
                -10 * 0.5 * pos[0][3] * slope / sqrt(r2) * 0.005 / ((r2 + 0.01 * h * h) * dens[0] * dens[0]); /* 1/s */
            for (int a = 0; a < 3; a++) {
                const double expected = implicit ? v[0][a] / (1 + 1e-2 * rate) : -rate * v[0][a];
                near(got[a], expected, 2e-5 * fmax(1, rate), implicit ? "velocity" : "acceleration");
            }
            kernel_world_free(k);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_wall),
                                       cmocka_unit_test(first_layer),
                                       cmocka_unit_test(moving_wall),
                                       cmocka_unit_test(periodic_walls),
                                       cmocka_unit_test(more_walls_than_slots),
                                       cmocka_unit_test(inside),
                                       cmocka_unit_test(adhesion),
                                       cmocka_unit_test(friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
