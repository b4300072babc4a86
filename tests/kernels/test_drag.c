/* Drag of Gissler et al. 2017 and the formulas of the air, on every backend.
 *
 * The numbers were computed in double from the equations at the top of src/kernels/air/gissler2017.h. Five particles:
 * the T5 of kernel_world.h at a spacing of 2 mm, 20 times as fast, in still air. Drops: one particle each; L =
 * (3/4pi)^(1/3) d is the radius of a drop of its volume. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/vti.h"
#include "core/clock.h"
#include "kernels/kernel_world.h"

#define DRAG(...) "    drag: {model: gissler2017" __VA_ARGS__ "}\n"
static const double DROP = 0.620350491; /* L/d */

/* -- five particles ------------------------------------------------------------------------------------------------ */

static const double t5_force[] = {-5.0238548e-8,
                                  0,
                                  0,
                                  1.4210946e-6,
                                  -7.1054731e-7,
                                  0,
                                  0,
                                  5.1122502e-6,
                                  -1.7040834e-6,
                                  -2.8938808e-6,
                                  -2.8938808e-6,
                                  2.3151046e-5,
                                  9.2269437e-6,
                                  -1.8453887e-5,
                                  -2.7680831e-5};
static const double t5_deformation[] = {0.00687812, 0.0343906, 0.0687812, 0.113489, 0.0962937};

static void five_particles(void **state)
{
    (void)state;
    double x[5][3], v[5][3];
    for (int i = 0; i < 5; i++)
        for (int a = 0; a < 3; a++) x[i][a] = 0.02 * kernel_t5.position[i][a], v[i][a] = 20 * kernel_t5.velocity[i][a];
    kernel_setup five = kernel_t5;
    five.position = x, five.velocity = v, five.spacing = 0.002, five.volume = 8e-9;
    const double mass = 8e-6;
    const kernel_check rows[] = {
        {"force", &five, DRAG(""), NULL, "force_begin air", "acc", 3, mass, t5_force, 2e-5},
        {"deformation", &five, DRAG(""), NULL, "force_begin air", "deform", 1, 1, t5_deformation, 2e-5},
    };
    kernel_check_all(rows, 2);
}

/* -- who is in the wind -------------------------------------------------------------------------------------------- */

static void read_acc(const kernel_setup *setup, const char *backend, double *acc)
{
    kernel_world *k = kernel_world_new(setup, backend);
    kernel_world_run(k, "force_begin air");
    kernel_world_read(k, "acc", acc);
    kernel_world_free(k);
}

/* Three particles one behind the other: the first has it all, the others nothing. From ahead, and in a wind from the
 * other side. */
static void row_of_three(void **state)
{
    (void)state;
    static const double x[3][3] = {{0, 0, 0}, {0.001, 0, 0}, {0.002, 0, 0}},
                        v[3][3] = {{10, 0, 0}, {10, 0, 0}, {10, 0, 0}};
    const kernel_setup three = {
        .count = 3, .position = x, .velocity = v, .volume = 1e-9, .spacing = 0.001, .dt = 1e-4, .fluid = DRAG("")};
    kernel_setup wind = three;
    wind.scene = "air: {velocity: [20, 0, 0]}\n";
    for (int b = 0; kernel_backend(b); b++) {
        double acc[12], back[12];
        read_acc(&three, kernel_backend(b), acc);
        read_acc(&wind, kernel_backend(b), back);
        assert_true(acc[8] < -20 && acc[0] == 0 && acc[4] == 0);
        assert_true(back[0] > 20 && back[4] == 0 && back[8] == 0);
        assert_float_equal(back[0], -acc[8], 1e-3);
    }
}

/* A boundary point shelters like a fluid particle, and does not count as a neighbour: the drop behind nothing keeps
 * the drag of a lone drop. */
static void wall_shelters(void **state)
{
    (void)state;
    static const double x[1][3] = {{0, 0, 0}}, v[1][3] = {{10, 0, 0}}, ahead[1][3] = {{0.001, 0, 0}},
                        behind[1][3] = {{-0.001, 0, 0}};
    kernel_setup alone = {
        .count = 1, .position = x, .velocity = v, .volume = 1e-9, .spacing = 0.001, .dt = 1e-4, .fluid = DRAG("")};
    kernel_setup front = alone, back = alone;
    front.wall_count = back.wall_count = 1;
    front.wall = ahead, back.wall = behind;
    for (int b = 0; kernel_backend(b); b++) {
        double free[4], sheltered[4], exposed[4];
        read_acc(&alone, kernel_backend(b), free);
        read_acc(&front, kernel_backend(b), sheltered);
        read_acc(&back, kernel_backend(b), exposed);
        assert_true(sheltered[0] == 0);
        assert_true(free[0] < -20 && exposed[0] == free[0]);
    }
}

/* -- drops --------------------------------------------------------------------------------------------------------- */

typedef struct drop {
    double diameter; /* m */
    double dt;       /* s */
    double speed;    /* m/s, downwards at the start */
    const char *fluid, *scene;
} drop;

static kernel_world *drop_new(const drop *d, const char *backend)
{
    static const double x[1][3] = {{0, 0, 0}};
    const double v[1][3] = {{0, -d->speed, 0}}, spacing = 0.5 * d->diameter / DROP;
    const kernel_setup setup = {.count = 1,
                                .position = x,
                                .velocity = v,
                                .volume = pow(spacing, 3),
                                .spacing = spacing,
                                .dt = d->dt,
                                .fluid = d->fluid,
                                .scene = d->scene};
    return kernel_world_new(&setup, backend);
}

static void steps(kernel_world *k, int count)
{
    for (int s = 0; s < count; s++) assert_int_equal(mn_step(k->world, k->say), MN_OK);
}

static double fall_speed(kernel_world *k)
{
    double v[4];
    kernel_world_read(k, "vel", v);
    return -v[1];
}

static double deformation(kernel_world *k)
{
    double y;
    kernel_world_read(k, "deform", &y);
    return y;
}

static const char falling[] = "gravity: [0, -9.81, 0]\n";

/* Speeds of a drop of 5 mm at six moments, steps of 1 ms, both discretisations of the deformation; y at the end. */
static void fall_from_rest(void **state)
{
    (void)state;
    static const int moments[] = {100, 250, 500, 1000, 2000, 3000};
    static const double speeds[2][6] = {
        {0.9765840982, 2.4037815226, 4.5652318318, 7.2095251247, 8.0399656998, 8.0606275819},
        {0.9765836171, 2.4037653130, 4.5650358401, 7.2086361556, 8.0398294703, 8.0606198459}};
    static const double y[2] = {0.2251232, 0.2251402};
    for (int b = 0; kernel_backend(b); b++)
        for (int direct = 0; direct < 2; direct++) {
            const drop d = {0.005, 1e-3, 0, direct ? DRAG(", direct: 1") : DRAG(""), falling};
            kernel_world *k = drop_new(&d, kernel_backend(b));
            const int count = b < 2 ? 6 : 2; /* the short part where a step is dear */
            for (int m = 0; m < count; m++) {
                steps(k, moments[m] - (m ? moments[m - 1] : 0));
                assert_float_equal(fall_speed(k), speeds[direct][m], 2e-5);
            }
            if (count == 6) assert_float_equal(deformation(k), y[direct], 1e-5);
            kernel_world_free(k);
        }
}

/* A gust out of still air: the direct form swings beyond the other and comes to rest on it. */
static void gust(void **state)
{
    (void)state;
    const char *scene = "air: {velocity: [6, 0, 0]}\n";
    for (int b = 0; kernel_backend(b); b++) {
        const drop direct = {0.002, 1e-3, 0, DRAG(", direct: 1, strength: 0"), scene},
                   steady = {0.002, 1e-3, 0, DRAG(", strength: 0"), scene};
        kernel_world *k = drop_new(&direct, kernel_backend(b)), *s = drop_new(&steady, kernel_backend(b));
        double most = 0, first = 0;
        steps(s, 1);
        const double rest = deformation(s);
        for (int n = 0; n < (b < 2 ? 3000 : 100); n++) {
            steps(k, 1);
            if (n == 0) first = deformation(k);
            most = fmax(most, deformation(k));
        }
        assert_float_equal(rest, 1.2041 * 0.001 * 36 / (12 * 0.0724), 1e-6);
        assert_true(first < 0.6 * rest);
        assert_true(most > 1.7 * rest && most < 2.1 * rest);
        if (b < 2) assert_float_equal(deformation(k), rest, 2e-3 * rest);
        kernel_world_free(k), kernel_world_free(s);
    }
}

/* However long the step, a drop never outruns the wind, and its shape stays within bounds. */
static void no_overshoot(void **state)
{
    (void)state;
    static const double dts[] = {1e-4, 0.01, 1};
    for (int b = 0; kernel_backend(b); b++)
        for (int t = 0; t < 3; t++) {
            const drop d = {0.001, dts[t], 0, DRAG(", direct: 1"), "air: {velocity: [0, -300, 0]}\n"};
            kernel_world *k = drop_new(&d, kernel_backend(b));
            double last = 0;
            for (int n = 0; n < 40; n++) {
                kernel_world_run(k, "force_begin air advance");
                const double v = fall_speed(k), y = deformation(k);
                assert_true(v >= last && v <= 300 * (1 + 1e-6) && y >= 0 && y <= 1);
                assert_true(v - last <= 0.5 * (300 - last) * (1 + 1e-5));
                last = v;
            }
            if (t == 2) assert_float_equal(last, 300, 1e-3);
            kernel_world_free(k);
        }
}

/* -- air ----------------------------------------------------------------------------------------------------------- */

/* With a huge factor the force is cut to half of the relative velocity in a step: the acceleration is air/(2 dt) of
 * a particle at rest. */
static void air_at(const char *backend, const char *scene, int count, const double (*x)[3], double time,
                   double (*air)[3])
{
    const kernel_setup setup = {.count = count,
                                .position = x,
                                .volume = 1e-9,
                                .spacing = 0.001,
                                .dt = 0.5,
                                .fluid = DRAG(", strength: 1e6"),
                                .scene = scene};
    kernel_world *k = kernel_world_new(&setup, backend);
    double acc[4 * KERNEL_MOST];
    k->world->time = time;
    mn_world_parameters(k->world);
    kernel_world_run(k, "force_begin air");
    kernel_world_read(k, "acc", acc);
    for (int i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) air[i][a] = acc[4 * i + a];
    kernel_world_free(k);
}

static void air_is(const char *scene, double time, int count, const double (*x)[3], const double (*expected)[3])
{
    for (int b = 0; kernel_backend(b); b++) {
        double air[KERNEL_MOST][3];
        air_at(kernel_backend(b), scene, count, x, time, air);
        for (int i = 0; i < count; i++)
            for (int a = 0; a < 3; a++)
                if (fabs(air[i][a] - expected[i][a]) > 1e-5)
                    fail_msg("%s: at %g %g %g the air's component %d is %g, expected %g", kernel_backend(b), x[i][0],
                             x[i][1], x[i][2], a, air[i][a], expected[i][a]);
    }
}

static void formulas(void **state)
{
    (void)state;
    static const double x[3][3] = {{0.5, 0, 0}, {0.5, 0.1, 0}, {-0.5, 0, 0.2}};
    static const double gust[3][3] = {{2, 1, 0}, {2, 1, 0}, {2, 1, 0}};
    air_is("air: {velocity: {0: [1, 1, 0], 2: [3, 1, 0]}}\n", 1, 3, x, gust);
    /* b = 0.1 + 0.2 * 0.5 = 0.2; on the axis 10 * 0.1/b, beside it over (1 + (0.1/0.2)^2)^2; nothing behind the
     * opening */
    static const double jet[3][3] = {{5, 0, 0}, {3.2, 0, 0}, {0, 0, 0}};
    air_is("air: {flows: [{jet: {position: [0, 0, 0], direction: [2, 0, 0], radius: 0.1, speed: 10, spread: 0.2}}]}\n",
           0, 3, x, jet);
    /* about y: at radius 0.5 the fastest, 4 m/s, y x x = -z; at (-0.5, 0, 0.2): 2 * 4 * 0.5/(0.29 + 0.25) (z, ., -x) */
    static const double vortex[3][3] = {{0, 0, -4}, {0, 0, -4}, {4 / 0.54 * 0.2, 0, 4 / 0.54 * 0.5}};
    air_is("air: {flows: [{vortex: {centre: [0, 3, 0], axis: [0, 1, 0], radius: 0.5, speed: {0: 4, 1: 8}}}]}\n", 0, 3,
           x, vortex);
    static const double shear[3][3] = {{0, 0, 1}, {0, 0, 1.2}, {0, 0, 1}};
    air_is("air: {flows: [{shear: {point: [0, -0.5, 0], direction: [0, 0, 1], normal: [0, 1, 0], rate: 2}}]}\n", 0, 3,
           x, shear);
    /* in boxes, added up */
    static const double boxes[3][3] = {{1, 2, 0}, {1, 0, 0}, {1, 0, 0}};
    air_is("air:\n  velocity: [1, 0, 0]\n  flows:\n    - {uniform: {velocity: [0, 2, 0]}, min: [0, -0.05, -1], max: "
           "[1, 0.05, 1]}\n"
           "    - {uniform: {velocity: [9, 9, 9]}, min: [5, 5, 5], max: [6, 6, 6]}\n",
           0, 3, x, boxes);
}

/* Velocities that are linear in x, y, z and t come back exactly between nodes and slices; beyond the grid its faces,
 * or nothing. */
static void grid(void **state)
{
    (void)state;
    static const int dims[3] = {4, 3, 2};
    static const double origin[3] = {-1, 0, 2}, spacing[3] = {0.5, 0.25, 1};
    float v[2][24][3];
    for (int t = 0; t < 2; t++)
        for (int n = 0; n < 24; n++) {
            const double x = origin[0] + spacing[0] * (n % 4), y = origin[1] + spacing[1] * (n / 4 % 3),
                         z = origin[2] + spacing[2] * (n / 12);
            v[t][n][0] = (float)(1 + x + 2 * y - z + t), v[t][n][1] = (float)(x * y * z),
            v[t][n][2] = (float)(3 - 2 * t);
        }
    char file[2][24] = {"air-XXXXXX", "air-XXXXXX"};
    mn_messages *say = mn_messages_new();
    for (int t = 0; t < 2; t++) {
        const int descriptor = mkstemp(file[t]);
        assert_true(descriptor >= 0);
        close(descriptor);
        const mn_vti_array array = {"velocity", 3, v[t][0]};
        assert_int_equal(mn_vti_write(file[t], t, dims, origin, spacing, &array, 1, say), MN_OK);
    }
    static const double x[5][3] = {{-0.9, 0.1, 2.3}, {0.5, 0.5, 3}, {-1, 0, 2}, {0.2, 0.3, 2.6}, {7, 0.1, 2.3}};
    double at0[5][3], between[5][3], nothing[5][3];
    for (int i = 0; i < 5; i++) {
        const double a = fmin(x[i][0], 0.5), b = x[i][1], c = x[i][2];
        at0[i][0] = 1 + a + 2 * b - c, at0[i][1] = a * b * c, at0[i][2] = 3;
        between[i][0] = 2 * (at0[i][0] + 0.25), between[i][1] = 2 * at0[i][1], between[i][2] = 2 * 2.5;
        for (int k = 0; k < 3; k++) nothing[i][k] = i < 4 ? at0[i][k] : 0;
        nothing[i][0] += 1;
    }
    char scene[400];
    snprintf(scene, sizeof scene, "air: {grid: {file: %s}}\n", file[0]);
    air_is(scene, 0, 5, x, at0);
    snprintf(scene, sizeof scene, "air: {velocity: [1, 0, 0], grid: {file: %s, outside: zero, array: velocity}}\n",
             file[0]);
    air_is(scene, 0, 5, x, nothing);
    snprintf(scene, sizeof scene,
             "air: {grid: {slices: [{time: 1, file: %s}, {time: 5, file: %s}], scale: {0: 1, 2: 2}}}\n", file[0],
             file[1]);
    air_is(scene, 0, 5, x, at0);
    air_is(scene, 2, 5, x, between);
    mn_messages_free(say);
    for (int t = 0; t < 2; t++) unlink(file[t]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_particles), cmocka_unit_test(row_of_three), cmocka_unit_test(wall_shelters),
        cmocka_unit_test(fall_from_rest), cmocka_unit_test(gust),         cmocka_unit_test(no_overshoot),
        cmocka_unit_test(formulas),       cmocka_unit_test(grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
