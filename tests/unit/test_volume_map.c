/* test_volume_map.c -- volumes of maps against integrals that need no map: flat walls, a ball, an edge, a mesh;
 * containers, open faces, sheets, periodic copies. */
#include "geometry/boxes.h"
#include "geometry/volume_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static const double d = 0.1, h = 0.2; /* spacing, support */
static const mn_map_region everywhere = {{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}, {0, 0, 0}};

static mn_shape_def shape_of(mn_shape_kind kind, double x, double y, double z)
{
    return (mn_shape_def){.kind = kind,
                          .size = {x, y, z},
                          .scale = 1,
                          .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                          .at = {"scene.yaml", 7, 3}};
}

static mn_volume_map map_of(const mn_shape_def *shape, double cell, const mn_map_region *region)
{
    mn_volume_map m;
    mn_messages *say = mn_messages_new();
    if (mn_volume_map_make(shape, 1, 0.5 * h, 2, cell, region, shape->at, &m, say) != MN_OK)
        fail_msg("%s", mn_messages_count(say) ? mn_messages_get(say, 0).text : "no message");
    mn_messages_free(say);
    return m;
}

static double soft(double phi)
{
    const double q = phi / h;
    return q <= 0 ? 1 : q < 0.5 ? 1 - 6 * q * q + 6 * q * q * q : q < 1 ? 2 * (1 - q) * (1 - q) * (1 - q) : 0;
}

/* 0.8 int pi (h^2 - s^2) gamma(phi + s) ds by the midpoint rule */
static double flat_volume(double phi)
{
    double sum = 0;
    for (int k = 0; k < 20000; k++) {
        const double s = h * ((k + 0.5) / 10000 - 1);
        sum += pi * (h * h - s * s) * soft(phi + s) * h / 10000;
    }
    return 0.8 * sum;
}

/* Around the centre of a ball of radius R (hollow: of a cavity), on spheres of radius s: a cap of each lies within h
 * of x. */
static double ball_volume(double radius, double phi, bool hollow)
{
    double sum = 0, c = hollow ? radius - phi : radius + phi;
    for (int k = 0; k < 40000; k++) {
        const double s = (c + h) * (k + 0.5) / 40000, cosine = fmin(fmax((s * s + c * c - h * h) / (2 * s * c), -1), 1);
        sum += 2 * pi * s * s * (1 - cosine) * soft(hollow ? radius - s : s - radius) * (c + h) / 40000;
    }
    return 0.8 * sum;
}

/* The node nearest to x, and its volume. */
static double volume_near(const mn_volume_map *m, const double x[3], double *phi)
{
    int at[3];
    for (int a = 0; a < 3; a++) at[a] = (int)floor((x[a] - m->low[a]) / m->cell + 0.5);
    for (int a = 0; a < 3; a++) assert_in_range(at[a], 0, m->size[a] - 1);
    const size_t node = (size_t)(at[2] * m->size[1] + at[1]) * (size_t)m->size[0] + (size_t)at[0];
    *phi = (double)m->node[4 * node + 3];
    return flat_volume(*phi) + (double)m->excess[node];
}

static void flat_walls_need_no_excess(void **state)
{
    (void)state;
    static const double reference[9][2] = {{0.25, 18.13746}, {0.5, 15.80221}, {0.75, 13.38842},
                                           {1, 10.97463},    {1.25, 8.63938}, {1.5, 6.46121},
                                           {1.75, 4.51866},  {2, 2.89027},    {2.5, 0.81992}};
    for (int k = 0; k < 9; k++)
        assert_true(fabs(flat_volume(reference[k][0] * d) / (d * d * d) - reference[k][1]) < 1e-4);
    const mn_shape_def box = shape_of(MN_BOX, 2, 2, 2);
    mn_volume_map m = map_of(&box, d, &everywhere);
    assert_false(m.container);
    for (int k = -4; k <= 4; k++) {
        const double x[3] = {0.07 * k, 1 + 0.03 * (k + 5), -0.05 * k};
        double phi;
        const double v = volume_near(&m, x, &phi);
        assert_true(fabs(mn_volume_map_distance(&m, x) - 0.03 * (k + 5)) < 1e-6);
        assert_true(fabs(v - flat_volume(phi)) < 1e-12);
    }
    mn_volume_map_free(&m);
}

static void curved_walls(void **state)
{
    (void)state;
    for (int hollow = 0; hollow < 2; hollow++) {
        mn_shape_def ball = shape_of(MN_SPHERE, 0, 0, 0);
        ball.radius = 0.45;
        ball.inside_out = hollow;
        mn_volume_map m = map_of(&ball, d, &everywhere);
        assert_int_equal(m.container, hollow);
        double worst = 0;
        for (int k = 0; k < 12; k++) {
            const double s = ball.radius + (hollow ? -1 : 1) * 0.015 * (k + 1), x[3] = {0.6 * s, 0, 0.8 * s};
            double phi;
            const double v = volume_near(&m, x, &phi);
            if (phi > 0) worst = fmax(worst, fabs(v - ball_volume(ball.radius, phi, hollow)));
        }
        if (worst > 0.01 * d * d * d) fail_msg("volume off by %g d^3", worst / (d * d * d));
        mn_volume_map_free(&m);
    }
}

/* A corner of a block and of a container, by a sum over a fine lattice. */
static void corners(void **state)
{
    (void)state;
    for (int hollow = 0; hollow < 2; hollow++) {
        mn_shape_def box = shape_of(MN_BOX, 1, 1, 1);
        box.inside_out = hollow;
        mn_volume_map m = map_of(&box, d, &everywhere);
        for (int k = 0; k < 3; k++) {
            const double off = hollow ? -0.1 : 0.05,
                         wish[3] = {0.5 + off, k > 0 ? 0.5 + off : 0.1, k > 1 ? 0.5 + off : 0};
            double x[3], phi, sum = 0;
            for (int a = 0; a < 3; a++) x[a] = m.low[a] + m.cell * floor((wish[a] - m.low[a]) / m.cell + 0.5);
            const double v = volume_near(&m, x, &phi);
            enum { N = 48 };
            mn_shape *solid = mn_shape_new(&box, NULL);
            for (int i = 0; i < N * N * N; i++) {
                const double e = 2 * h / N,
                             o[3] = {(i % N + 0.5) * e - h, (i / N % N + 0.5) * e - h, (i / N / N + 0.5) * e - h};
                const double y[3] = {x[0] + o[0], x[1] + o[1], x[2] + o[2]};
                if (o[0] * o[0] + o[1] * o[1] + o[2] * o[2] < h * h)
                    sum += soft(mn_shape_distance(solid, y, 10)) * e * e * e;
            }
            mn_shape_free(solid);
            if (fabs(v - 0.8 * sum) > 0.15 * d * d * d)
                fail_msg("hollow %d, %d faces: %g d^3, expected %g", hollow, k + 1, v / (d * d * d),
                         0.8 * sum / (d * d * d));
        }
        mn_volume_map_free(&m);
    }
}

static void sheets_and_open_faces(void **state)
{
    (void)state;
    const mn_shape_def sheet = shape_of(MN_PLANE, 2, 0, 2);
    mn_volume_map m = map_of(&sheet, d, &everywhere);
    assert_true(fabs(mn_volume_map_distance(&m, (double[3]){0.3, 0.17, 0.2}) - 0.17) < 1e-6);
    assert_true(fabs(mn_volume_map_distance(&m, (double[3]){0.3, -0.17, 0.2}) + 0.17) < 1e-6);
    assert_true(mn_volume_map_distance(&m, (double[3]){1.2, 0, 0.2}) > 0.15); /* beside it is nothing */
    mn_volume_map_free(&m);
    mn_shape_def tank = shape_of(MN_BOX, 1, 1, 1);
    tank.inside_out = tank.open[3] = true;
    m = map_of(&tank, d, &everywhere);
    assert_true(mn_volume_map_distance(&m, (double[3]){0, 0.5, 0}) > 0.4);
    assert_true(mn_volume_map_distance(&m, (double[3]){0, 99, 0}) > 0.4); /* goes on without end */
    assert_true(fabs(mn_volume_map_distance(&m, (double[3]){0.4, 99, 0}) - 0.1) < 1e-6);
    assert_true(mn_volume_map_distance(&m, (double[3]){0, -0.55, 0}) < 0);
    mn_volume_map_free(&m);
    mn_shape_def drum = shape_of(MN_CYLINDER, 0, 0, 0);
    drum.radius = 0.5, drum.height = 1;
    drum.inside_out = drum.open[3] = true;
    m = map_of(&drum, d, &everywhere);
    assert_true(mn_volume_map_distance(&m, (double[3]){0, 0.5, 0}) > 0.4);
    assert_true(mn_volume_map_distance(&m, (double[3]){0, 99, 0}) > 0.4);
    assert_true(fabs(mn_volume_map_distance(&m, (double[3]){0.4, 99, 0}) - 0.1) < 2e-3);
    assert_true(mn_volume_map_distance(&m, (double[3]){0, -0.55, 0}) < 0);
    mn_volume_map_free(&m);
}

static void periodic_copies(void **state)
{
    (void)state;
    mn_shape_def ball = shape_of(MN_SPHERE, 0, 0, 0);
    ball.radius = 0.2;
    ball.translate[0] = 0.95;
    const mn_map_region region = {{0, -1e300, -1e300}, {1, 1e300, 1e300}, {1, 0, 0}};
    mn_volume_map m = map_of(&ball, 0.05, &region);
    assert_true(fabs(mn_volume_map_distance(&m, (double[3]){0.2, 0, 0}) - 0.05) < 2e-3);
    assert_true(fabs(mn_volume_map_distance(&m, (double[3]){0.7, 0, 0}) - 0.05) < 2e-3);
    mn_volume_map_free(&m);
}

static void meshes(void **state)
{
    (void)state;
    char path[] = "/tmp/volume-map-XXXXXX.obj";
    const int file = mkstemps(path, 4);
    FILE *out = fdopen(file, "w");
    for (int k = 0; k < 8; k++) fprintf(out, "v %g %g %g\n", k % 2 - 0.5, k / 2 % 2 - 0.5, k / 4 - 0.5);
    fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", out);
    fclose(out);
    mn_shape_def mesh = shape_of(MN_MESH, 0, 0, 0), box = shape_of(MN_BOX, 1, 1, 1);
    mesh.file = path;
    mn_volume_map m = map_of(&mesh, 0.5 * d, &everywhere), b = map_of(&box, 0.5 * d, &everywhere);
    for (int k = 0; k < 20; k++) {
        const double x[3] = {0.5 + 0.02 * (k % 5 + 1), 0.1 * (k % 7), 0.07 * (k % 9)};
        double phi, phi_box;
        const double v = volume_near(&m, x, &phi), exact = volume_near(&b, x, &phi_box);
        assert_true(fabs(phi - phi_box) < 1e-6);
        if (fabs(v - exact) > 0.3 * d * d * d) fail_msg("volume off by %g d^3", (v - exact) / (d * d * d));
    }
    mn_volume_map_free(&m), mn_volume_map_free(&b);
    unlink(path);
}

/* Of many shapes only those near a node are asked, and the distances are those to the nearest of all. */
static void many_shapes(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    mn_shape_def *balls = calloc(COUNT, sizeof *balls);
    for (int k = 0; k < COUNT; k++) {
        balls[k] = shape_of(MN_SPHERE, 0, 0, 0);
        balls[k].radius = 0.05 + 0.1 * (k * 37 % 11) / 11.0;
        for (int a = 0; a < 3; a++) balls[k].translate[a] = 2.5 * ((k * (a + 3) * 7919) % 1009) / 1009.0;
    }
    mn_volume_map m;
    assert_int_equal(mn_volume_map_make(balls, COUNT, 0.5 * h, 2, d, &everywhere, balls->at, &m, NULL), MN_OK);
    const size_t nodes = (size_t)m.size[0] * (size_t)m.size[1] * (size_t)m.size[2];
    for (size_t n = 0; n < nodes; n += 7) {
        const size_t at[3] = {n % (size_t)m.size[0], n / (size_t)m.size[0] % (size_t)m.size[1],
                              n / ((size_t)m.size[0] * (size_t)m.size[1])};
        double nearest = 8 * h;
        for (int k = 0; k < COUNT; k++) {
            double r2 = 0;
            for (int a = 0; a < 3; a++) r2 += pow(m.low[a] + m.cell * (double)at[a] - balls[k].translate[a], 2);
            nearest = fmin(nearest, sqrt(r2) - balls[k].radius);
        }
        if (fabs((double)m.node[4 * n + 3] - nearest) > 1e-6)
            fail_msg("node %zu: %g instead of %g", n, (double)m.node[4 * n + 3], nearest);
    }
    mn_volume_map_free(&m);
    free(balls);
}

static void expect_refusal(const mn_shape_def *shape, double cell, const char *part)
{
    mn_volume_map m;
    mn_messages *say = mn_messages_new();
    assert_int_equal(mn_volume_map_make(shape, 1, 0.5 * h, 2, cell, &everywhere, shape->at, &m, say), MN_BAD_INPUT);
    assert_true(mn_messages_count(say) > 0);
    if (!strstr(mn_messages_get(say, 0).text, part)) fail_msg("%s", mn_messages_get(say, 0).text);
    mn_messages_free(say);
}

static void refusals(void **state)
{
    (void)state;
    mn_shape_def box = shape_of(MN_BOX, 1, 1, 1);
    expect_refusal(&box, 1e-4, "too large");
    box.open[3] = true;
    expect_refusal(&box, d, "inside_out");
    box.inside_out = true;
    memcpy(box.rotation, (double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1}, sizeof box.rotation);
    expect_refusal(&box, d, "turned");
    mn_shape_def drum = shape_of(MN_CYLINDER, 0, 0, 0);
    drum.radius = drum.height = 1, drum.open[2] = true;
    expect_refusal(&drum, d, "inside_out");
    drum.kind = MN_CONE, drum.inside_out = true;
    expect_refusal(&drum, d, "a cylinder or a box");
}

static double count_look(void *user, int box, double radius)
{
    (void)box;
    ++*(int *)user;
    return radius;
}

/* Of thousands of shapes a node asks those nearby: the time grows with the nodes, not with nodes times shapes. */
static void few_of_many_shapes_are_asked(void **state)
{
    (void)state;
    enum { SIDE = 16, ALL = SIDE * SIDE * SIDE };
    double(*low)[3] = malloc(ALL * sizeof *low), (*high)[3] = malloc(ALL * sizeof *high);
    for (int k = 0; k < ALL; k++) {
        const double at[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        for (int a = 0; a < 3; a++) low[k][a] = at[a] - 0.3, high[k][a] = at[a] + 0.3;
    }
    mn_boxes *tree = mn_boxes_new((const double(*)[3])low, (const double(*)[3])high, ALL);
    assert_non_null(tree);
    int near = 0, far = 0;
    mn_boxes_visit(tree, (const double[3]){7.1, 8.2, 5.3}, 0.5, count_look, &near);
    mn_boxes_visit(tree, (const double[3]){7.1, 8.2, 99}, 0.5, count_look, &far);
    assert_in_range(near, 1, 8);
    assert_int_equal(far, 0);
    mn_boxes_free(tree);
    free(low), free(high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_of_many_shapes_are_asked),
                                       cmocka_unit_test(flat_walls_need_no_excess),
                                       cmocka_unit_test(curved_walls),
                                       cmocka_unit_test(corners),
                                       cmocka_unit_test(sheets_and_open_faces),
                                       cmocka_unit_test(periodic_copies),
                                       cmocka_unit_test(meshes),
                                       cmocka_unit_test(many_shapes),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
