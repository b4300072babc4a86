/* test_geometry.c -- distances of every shape against values worked out by hand, and what the samplers promise:
 * counts, densities, distances between points, determinism, and refusals with messages.
 */
#include "geometry/geometry.h"

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

static mn_shape_def shape_of(mn_shape_kind kind)
{
    return (mn_shape_def){
        .kind = kind, .scale = 1, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .at = {"scene.yaml", 7, 3}};
}

static mn_shape_def box(double x, double y, double z)
{
    mn_shape_def s = shape_of(MN_BOX);
    s.size[0] = x, s.size[1] = y, s.size[2] = z;
    return s;
}

static mn_shape_def sphere(double radius)
{
    mn_shape_def s = shape_of(MN_SPHERE);
    s.radius = radius;
    return s;
}

/* About z by a right angle: x becomes y. */
static void turn(mn_shape_def *s) { memcpy(s->rotation, (double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1}, sizeof s->rotation); }

static void move(mn_shape_def *s, double x, double y, double z)
{
    s->translate[0] = x, s->translate[1] = y, s->translate[2] = z;
}

static void expect_distance(const mn_shape_def *shape, double x, double y, double z, double expected)
{
    mn_shape *solid = mn_shape_new(shape, NULL);
    assert_non_null(solid);
    double d = mn_shape_distance(solid, (double[3]){x, y, z}, 100);
    if (fabs(d - expected) > 1e-9)
        fail_msg("distance of shape %d at (%g, %g, %g) is %.12g, not %.12g", shape->kind, x, y, z, d, expected);
    mn_shape_free(solid);
}

static void expect_message(mn_messages *say, const char *part)
{
    bool found = false;
    for (int i = 0; i < mn_messages_count(say); i++) found |= strstr(mn_messages_get(say, i).text, part) != NULL;
    if (!found)
        fail_msg("no message contains \"%s\" (%d messages; first: %s)", part, mn_messages_count(say),
                 mn_messages_count(say) ? mn_messages_get(say, 0).text : "none");
    mn_messages_clear(say);
}

/* ------------------------------------------------------------ distances */

static void box_and_sphere_distances(void **state)
{
    (void)state;
    mn_shape_def b = box(2, 4, 6);
    expect_distance(&b, 0, 0, 0, -1);
    expect_distance(&b, 0, 1.75, 0, -0.25);
    expect_distance(&b, 3, 0, 0, 2);
    expect_distance(&b, 4, 6, 0, 5);
    expect_distance(&b, 2, 4, 5, 3);
    expect_distance(&b, 1, 2, 3, 0);
    mn_shape_def s = sphere(2);
    expect_distance(&s, 0, 0, 0, -2);
    expect_distance(&s, 0, 3, 4, 3);
    expect_distance(&s, 1.5, 0, 0, -0.5);
}

static void revolution_distances(void **state)
{
    (void)state;
    mn_shape_def c = shape_of(MN_CYLINDER);
    c.radius = 1, c.height = 4;
    expect_distance(&c, 0, 0, 0, -1);
    expect_distance(&c, 0, 1.75, 0, -0.25);
    expect_distance(&c, 4, 6, 0, 5);
    expect_distance(&c, 0, 5, 0.5, 3);
    expect_distance(&c, 0, 0, 3, 2);
    c.kind = MN_CAPSULE;
    expect_distance(&c, 0, 0, 0, -1);
    expect_distance(&c, 0, 2.5, 0, -0.5);
    expect_distance(&c, 3, 6, 0, 4);
    mn_shape_def t = shape_of(MN_TORUS);
    t.radius = 3, t.radius2 = 1;
    expect_distance(&t, 0, 0, 0, 2);
    expect_distance(&t, 0, 0, 3, -1);
    expect_distance(&t, 0, 2, 3, 1);
    expect_distance(&t, 6, 4, 0, 4);
    mn_shape_def k = shape_of(MN_CONE); /* base radius 3 at y = -2, tip at y = 2: slope 3-4-5 */
    k.radius = 3, k.height = 4;
    expect_distance(&k, 0, 0, 0, -1.5 * 0.8);
    expect_distance(&k, 0, -1.9, 0, -0.1);
    expect_distance(&k, 0, 4, 0, 2);
    expect_distance(&k, 6, -6, 0, 5);
    expect_distance(&k, 1.5 + 4, 3, 0, 5); /* off the middle of the slope, along its normal (4, 3) / 5 */
    expect_distance(&k, 0, -3, 1, 1);
    k.radius2 = 3; /* now a cylinder */
    expect_distance(&k, 0, 0, 2.5, -0.5);
    expect_distance(&k, 6, 6, 0, 5);
}

static void transformed_and_flipped_distances(void **state)
{
    (void)state;
    mn_shape_def b = box(2, 4, 6);
    turn(&b);
    move(&b, 10, 0, 0);
    b.scale = 2; /* now 8 wide along x, 4 along y, 12 along z */
    expect_distance(&b, 10, 0, 0, -2);
    expect_distance(&b, 15, 0, 0, 1);
    expect_distance(&b, 10, 3, 0, 1);
    b.inside_out = true;
    expect_distance(&b, 10, 0, 0, 2);
    expect_distance(&b, 15, 0, 0, -1);
    mn_shape_def p = shape_of(MN_PLANE);
    p.size[0] = p.size[2] = 1;
    move(&p, 0, 1, 0);
    expect_distance(&p, 0, 3, 0, 2);
    expect_distance(&p, 50, 0.5, -20, -0.5);
    double low[3], high[3];
    b.inside_out = false;
    mn_shape *solid = mn_shape_new(&b, NULL);
    mn_shape_bounds(solid, low, high);
    assert_true(fabs(low[0] - 6) < 1e-12 && fabs(high[0] - 14) < 1e-12 && fabs(high[1] - 2) < 1e-12 &&
                fabs(low[2] + 6) < 1e-12);
    mn_shape_free(solid);
}

static void stretch(mn_shape_def *shape, double x, double y, double z)
{
    shape->stretch[0] = x, shape->stretch[1] = y, shape->stretch[2] = z;
}

/* Along its own axes, before the turn. What is round stays so to a thousandth, and has its volume. */
static void stretched_shapes(void **state)
{
    (void)state;
    mn_shape_def b = box(2, 4, 6);
    stretch(&b, 2, 0.5, 1);
    turn(&b); /* 4 x 2 x 6, then x along y */
    expect_distance(&b, 0, 3, 0, 1);
    expect_distance(&b, 2, 0, 0, 1);
    mn_shape_def c = shape_of(MN_CYLINDER);
    c.radius = 1, c.height = 2;
    stretch(&c, 2, 3, 2);
    expect_distance(&c, 3, 0, 0, 1);
    expect_distance(&c, 0, 5, 0, 2);

    const double axes[3] = {2, 1, 4};
    mn_shape_def s = sphere(2);
    s.scale = 0.5;
    stretch(&s, 2, 1, 4);
    move(&s, 0, 0, 7);
    mn_shape *solid = mn_shape_new(&s, NULL);
    for (int i = 0; i < 400; i++) { /* on its surface */
        const double up = -0.995 + 1.99 * i / 399, turned = 2.4 * i, across = sqrt(1 - up * up);
        const double x[3] = {axes[0] * across * cos(turned), axes[1] * up, 7 + axes[2] * across * sin(turned)};
        assert_true(fabs(mn_shape_distance(solid, x, 1)) < 4e-3);
    }
    for (int a = 0; a < 3; a++)
        for (int side = -1; side <= 1; side += 2) {
            double x[3] = {0, 0, 7};
            x[a] += side * (axes[a] + 1);
            assert_true(fabs(mn_shape_distance(solid, x, 5) - 1) < 4e-3);
        }
    const mn_moments m = mn_shape_moments(solid);
    assert_true(fabs(m.volume / (4 * M_PI / 3 * 8) - 1) < 1e-12);
    for (int a = 0; a < 3; a++) assert_true(fabs(m.spread[4 * a] / (m.volume * axes[a] * axes[a] / 5) - 1) < 1e-3);
    mn_points filled = {0}, skin = {0};
    assert_int_equal(mn_sample_volume(&solid, &s, 1, MN_LATTICE, 0.1, 0, 0, &filled, NULL), MN_OK);
    assert_true(fabs((double)filled.count * 1e-3 / m.volume - 1) < 0.02);
    assert_int_equal(mn_sample_surface(solid, &s, 0.1, 0, &skin, NULL), MN_OK);
    assert_true(skin.count > 5000); /* 63.5 m^2 */
    mn_points_free(&filled);
    mn_points_free(&skin);
    mn_shape_free(solid);
    const mn_shape_kind round[] = {MN_CYLINDER, MN_CAPSULE, MN_CONE, MN_TORUS};
    for (int k = 0; k < 4; k++) { /* the others, by their volume */
        mn_shape_def r = shape_of(round[k]);
        r.radius = 1, r.radius2 = 0.3, r.height = 1.5;
        mn_shape *plain = mn_shape_new(&r, NULL);
        stretch(&r, 1, 2, 3);
        mn_shape *wide = mn_shape_new(&r, NULL);
        assert_true(fabs(mn_shape_moments(wide).volume / (6 * mn_shape_moments(plain).volume) - 1) < 1e-9);
        mn_shape_free(plain);
        mn_shape_free(wide);
    }
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_shape_def s = box(1, -1, NAN);
    assert_null(mn_shape_new(&s, say));
    assert_int_equal(mn_messages_get(say, 0).line, 7);
    assert_int_equal(mn_messages_errors(say), 2);
    expect_message(say, "box: size[1] is -1, expected a finite number above 0 (m)");
    s = sphere(INFINITY);
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "sphere: radius is inf");
    s = sphere(1);
    s.scale = 0;
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "scale is 0");
    s = sphere(1);
    s.rotation[0] = -1;
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "not a rotation matrix");
    s = sphere(1);
    s.translate[2] = NAN;
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "translate[2] is");
    s = shape_of(MN_TORUS);
    s.radius = 1, s.radius2 = 2;
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "torus: radius2 (of the tube) is 2, expected at most");
    s = shape_of(MN_CONE);
    s.height = 1;
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "both 0");
    s = shape_of(MN_MESH);
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "no file named");
    s.file = "/nonexistent/bunny.obj";
    assert_null(mn_shape_new(&s, say));
    assert_string_equal(mn_messages_get(say, 0).file, s.file);
    expect_message(say, "No such file");
    s = shape_of((mn_shape_kind)99);
    assert_null(mn_shape_new(&s, say));
    expect_message(say, "unknown kind of shape");
    mn_messages_free(say);
}

/* ------------------------------------------------------------ sampling */

static mn_status fill(const mn_shape_def *shapes, int count, mn_sampling how, double spacing, double jitter, int seed,
                      mn_points *out, mn_messages *say)
{
    mn_shape *solids[8] = {0};
    for (int i = 0; i < count; i++) assert_non_null(solids[i] = mn_shape_new(&shapes[i], say));
    mn_status status = mn_sample_volume(solids, shapes, count, how, spacing, jitter, seed, out, say);
    for (int i = 0; i < count; i++) mn_shape_free(solids[i]);
    return status;
}

static mn_points fill_ok(const mn_shape_def *shapes, int count, mn_sampling how, double spacing, double jitter,
                         int seed)
{
    mn_points out = {0};
    assert_int_equal(fill(shapes, count, how, spacing, jitter, seed, &out, NULL), MN_OK);
    return out;
}

static mn_points cover(const mn_shape_def *shape, double spacing)
{
    mn_points out = {0};
    mn_shape *solid = mn_shape_new(shape, NULL);
    assert_non_null(solid);
    assert_int_equal(mn_sample_surface(solid, shape, spacing, 1, &out, NULL), MN_OK);
    for (long i = 0; i < out.count; i++) /* every point lies on the surface */
        assert_true(shape->kind == MN_BOX || fabs(mn_shape_distance(solid, out.x + 3 * i, 1e9)) < 1e-2 * spacing);
    mn_shape_free(solid);
    return out;
}

/* By brute force over points sorted along x. */
static int by_x(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static double least_distance(const mn_points *points)
{
    double best = INFINITY, *x = malloc((size_t)points->count * 3 * sizeof *x + 1);
    memcpy(x, points->x, (size_t)points->count * 3 * sizeof *x);
    qsort(x, (size_t)points->count, 3 * sizeof *x, by_x);
    for (long i = 0; i < points->count; i++)
        for (long j = i + 1; j < points->count && x[3 * j] - x[3 * i] < best; j++)
            best = fmin(best, sqrt(pow(x[3 * i] - x[3 * j], 2) + pow(x[3 * i + 1] - x[3 * j + 1], 2) +
                                   pow(x[3 * i + 2] - x[3 * j + 2], 2)));
    free(x);
    return best;
}

static double nearest(const mn_points *points, const double x[3])
{
    double best = INFINITY;
    for (long i = 0; i < points->count; i++) {
        const double *p = points->x + 3 * i;
        best = fmin(best, pow(p[0] - x[0], 2) + pow(p[1] - x[1], 2) + pow(p[2] - x[2], 2));
    }
    return sqrt(best);
}

static void box_lattice_is_exact(void **state)
{
    (void)state;
    double d = 0.1; /* not a binary fraction: sizes round up or down */
    mn_shape_def b = box(7 * d, 3 * d, 11 * d);
    move(&b, 0.35, 0.15, 0.55);
    mn_points p = fill_ok(&b, 1, MN_LATTICE, d, 0, 0);
    assert_int_equal(p.count, 7 * 3 * 11);
    for (int k = 0; k < 3; k++) assert_true(fabs(p.x[k] - 0.05) < 1e-12);
    assert_true(fabs(least_distance(&p) - d) < 1e-9);
    mn_points_free(&p);
    for (int k = 1; k < 60; k++) {
        b = box(k * 0.025, 0.025, 0.025);
        p = fill_ok(&b, 1, MN_LATTICE, 0.025, 0, 0);
        assert_int_equal(p.count, k);
        mn_points_free(&p);
    }
    b = box(10, 4, 4);
    turn(&b);
    p = fill_ok(&b, 1, MN_LATTICE, 1, 0, 0);
    assert_int_equal(p.count, 160);
    double top = -INFINITY;
    for (long i = 0; i < p.count; i++) top = fmax(top, p.x[3 * i + 1]);
    assert_true(fabs(top - 4.5) < 1e-9);
    mn_points_free(&p);
}

static void box_grid_counts_are_taken_as_given(void **state)
{
    (void)state;
    mn_shape_def b = box(1, 1, 1);
    b.grid[0] = 5, b.grid[1] = 4, b.grid[2] = 3;
    b.origin[0] = 0.5, b.origin[1] = -2, b.origin[2] = 9;
    mn_points p = fill_ok(&b, 1, MN_LATTICE, 0.25, 0, 0);
    assert_int_equal(p.count, 60);
    assert_true(p.x[0] == 0.5 && p.x[1] == -2 && p.x[2] == 9);
    assert_true(p.x[3 * 59] == 1.5 && p.x[3 * 59 + 1] == -1.25 && p.x[3 * 59 + 2] == 9.5);
    mn_points_free(&p);
}

static void lattice_meets_the_volume(void **state)
{
    (void)state;
    mn_shape_def s = sphere(10);
    mn_points p = fill_ok(&s, 1, MN_LATTICE, 1, 0, 0);
    assert_true(fabs((double)p.count / (4.0 / 3 * pi * 1000) - 1) < 0.02);
    mn_points_free(&p);
    s = shape_of(MN_CYLINDER);
    s.radius = 8, s.height = 10; /* ten layers, the first half a spacing from the cap */
    p = fill_ok(&s, 1, MN_LATTICE, 1, 0, 0);
    assert_true(fabs((double)p.count / (pi * 64 * 10) - 1) < 0.05);
    assert_int_equal(p.count % 10, 0);
    for (long i = 0; i < p.count; i++) assert_true(fabs(p.x[3 * i + 1]) < 4.5 + 1e-9);
    mn_points_free(&p);
    s = shape_of(MN_TORUS);
    s.radius = 12, s.radius2 = 5;
    p = fill_ok(&s, 1, MN_LATTICE, 1, 0, 0);
    assert_true(fabs((double)p.count / (2 * pi * pi * 12 * 25) - 1) < 0.03);
    mn_points_free(&p);
    s = shape_of(MN_CONE);
    s.radius = 10, s.radius2 = 4, s.height = 15;
    p = fill_ok(&s, 1, MN_LATTICE, 1, 0, 0);
    assert_true(fabs((double)p.count / (pi / 3 * 15 * (100 + 40 + 16)) - 1) < 0.03);
    mn_points_free(&p);
}

static void union_has_no_doubles(void **state)
{
    (void)state;
    mn_shape_def boxes[2] = {box(10, 10, 10), box(10, 10, 10)};
    move(&boxes[1], 5, 0, 0); /* in step with the first lattice */
    mn_points p = fill_ok(boxes, 2, MN_LATTICE, 1, 0, 0);
    assert_int_equal(p.count, 1500);
    mn_points_free(&p);
    move(&boxes[1], 10, 0.3, 0.4); /* touching: both keep their counts */
    p = fill_ok(boxes, 2, MN_LATTICE, 1, 0, 0);
    assert_int_equal(p.count, 2000);
    assert_true(least_distance(&p) > 1 - 1e-9);
    mn_points_free(&p);
    /* out of step: they go on with the first lattice */
    mn_shape_def mixed[3] = {box(10, 10, 10), sphere(4), box(6, 6, 6)};
    move(&mixed[1], 5.37, 0.21, 0.1);
    move(&mixed[2], 0.5, 7.2, 0.3);
    turn(&mixed[2]);
    p = fill_ok(mixed, 3, MN_LATTICE, 1, 0, 0);
    assert_true(least_distance(&p) > 0.999);
    assert_true(p.count > 1000 + 100 + 100 && p.count < 1000 + 180 + 200);
    mn_points_free(&p);
    mixed[1].kind = MN_BOX; /* exact counts insist on their own lattice */
    for (int k = 0; k < 3; k++) mixed[1].grid[k] = 4, mixed[1].origin[k] = 3.1, mixed[1].size[k] = 4;
    p = fill_ok(mixed, 2, MN_LATTICE, 1, 0, 0);
    assert_true(least_distance(&p) > 0.5);
    assert_true(p.count > 1000 && p.count < 1064);
    mn_points_free(&p);
}

static void jitter_is_bounded_and_repeatable(void **state)
{
    (void)state;
    mn_shape_def b = box(8, 8, 8);
    mn_points p = fill_ok(&b, 1, MN_LATTICE, 1, 0, 5), q = fill_ok(&b, 1, MN_LATTICE, 1, 0.2, 5),
              r = fill_ok(&b, 1, MN_LATTICE, 1, 0.2, 6);
    double largest = 0;
    for (long i = 0; i < p.count; i++) {
        double *x = p.x + 3 * i, *y = q.x + 3 * i;
        largest = fmax(largest, sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2)));
    }
    assert_true(largest > 0.15 && largest <= 0.2 + 1e-12);
    assert_memory_not_equal(q.x, r.x, (size_t)q.count * 24);
    mn_points again = fill_ok(&b, 1, MN_LATTICE, 1, 0.2, 5);
    assert_memory_equal(q.x, again.x, (size_t)q.count * 24);
    mn_points_free(&p);
    mn_points_free(&q);
    mn_points_free(&r);
    mn_points_free(&again);
}

static void poisson_has_the_number_density(void **state)
{
    (void)state;
    mn_shape_def shapes[2] = {box(1.6, 1.6, 1.6), sphere(0.8)};
    move(&shapes[1], 5, 0, 0); /* apart: fronts must be seeded in both */
    double d = 0.1, volume = pow(1.6, 3) + 4.0 / 3 * pi * pow(0.8, 3);
    mn_points p = fill_ok(shapes, 2, MN_POISSON, d, 0, 3);
    assert_true(fabs((double)p.count * d * d * d / volume - 1) < 0.02);
    assert_true(least_distance(&p) >= 0.75 * d);
    long inner = 0;
    for (long i = 0; i < p.count; i++) {
        double *x = p.x + 3 * i;
        bool in_box = fabs(x[0]) < 0.761 && fabs(x[1]) < 0.761 && fabs(x[2]) < 0.761;
        assert_true(in_box || sqrt(pow(x[0] - 5, 2) + x[1] * x[1] + x[2] * x[2]) < 0.761);
        inner += fabs(x[0]) < 0.5 && fabs(x[1]) < 0.5 && fabs(x[2]) < 0.5;
    }
    assert_true(fabs((double)inner / 1000 - 1) < 0.1);
    mn_points again = fill_ok(shapes, 2, MN_POISSON, d, 0, 3), other = fill_ok(shapes, 2, MN_POISSON, d, 0, 4);
    assert_int_equal(again.count, p.count);
    assert_memory_equal(again.x, p.x, (size_t)p.count * 24);
    assert_memory_not_equal(other.x, p.x, (size_t)100 * 24);
    mn_points_free(&p);
    mn_points_free(&again);
    mn_points_free(&other);
    mn_shape_def sheet = box(2, 2, 0.1); /* one particle thick */
    p = fill_ok(&sheet, 1, MN_POISSON, d, 0, 3);
    assert_true(p.count > 300 && p.count <= 400);
    mn_points_free(&p);
}

static void box_surface_is_exact(void **state)
{
    (void)state;
    mn_shape_def b = box(0.7, 0.3, 0.5);
    mn_points p = cover(&b, 0.1);
    assert_int_equal(p.count, 8 * 4 * 6 - 6 * 2 * 4);
    assert_true(fabs(least_distance(&p) - 0.1) < 1e-9);
    assert_true(nearest(&p, (double[3]){-0.35, -0.15, -0.25}) < 1e-12 &&
                nearest(&p, (double[3]){0.35, 0.15, 0.25}) < 1e-12);
    mn_points_free(&p);
    b.open[3] = true; /* no lid: its inner points are missing, its rim stays */
    p = cover(&b, 0.1);
    assert_int_equal(p.count, 8 * 4 * 6 - 6 * 2 * 4 - 6 * 4);
    assert_true(nearest(&p, (double[3]){0.35, 0.15, 0.05}) < 1e-12);
    mn_points_free(&p);
    b = box(0.74, 0.26, 0.5);
    p = cover(&b, 0.1);
    assert_int_equal(p.count, 8 * 4 * 6 - 6 * 2 * 4);
    mn_points_free(&p);
    b = shape_of(MN_PLANE);
    b.size[0] = 1, b.size[2] = 0.5;
    p = cover(&b, 0.1);
    assert_int_equal(p.count, 11 * 6);
    mn_points_free(&p);
}

static void revolution_surfaces_are_even(void **state)
{
    (void)state;
    struct {
        mn_shape_kind kind;
        double radius, radius2, height, area;
    } cases[] = {{MN_SPHERE, 10, 0, 0, 4 * pi * 100},
                 {MN_CYLINDER, 8, 0, 12, 2 * pi * 8 * 20},
                 {MN_CAPSULE, 6, 0, 10, 4 * pi * 36 + 2 * pi * 6 * 10},
                 {MN_CONE, 9, 0, 12, pi * 81 + pi * 9 * 15},
                 {MN_CONE, 9, 4, 12, pi * (81 + 16) + pi * 13 * 13},
                 {MN_TORUS, 12, 4, 0, 4 * pi * pi * 48}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mn_shape_def s = shape_of(cases[i].kind);
        s.radius = cases[i].radius, s.radius2 = cases[i].radius2, s.height = cases[i].height;
        turn(&s);
        move(&s, 3, 4, 5);
        mn_points p = cover(&s, 1);
        assert_true(fabs((double)p.count / cases[i].area - 1) < 0.06);
        assert_true(least_distance(&p) > 0.7);
        mn_points_free(&p);
    }
    mn_shape_def tiny = sphere(0.1);
    mn_points p = cover(&tiny, 1);
    assert_int_equal(p.count, 1);
    mn_points_free(&p);
}

/* Without an end its inner points are missing, its rim stays; so do its triangles. */
static void open_ends_have_no_disc(void **state)
{
    (void)state;
    mn_shape_def cup = shape_of(MN_CYLINDER);
    cup.radius = 8, cup.height = 12, cup.open[3] = true;
    mn_points p = cover(&cup, 1);
    assert_true(fabs((double)p.count / (pi * 64 + 2 * pi * 8 * 12) - 1) < 0.06);
    for (long i = 0; i < p.count; i++) {
        const double *x = p.x + 3 * i, rho = hypot(x[0], x[2]);
        assert_true(rho > 7.99 || x[1] < -5.99);
    }
    assert_true(nearest(&p, (double[3]){8, 6, 0}) < 0.8 && nearest(&p, (double[3]){0, -6, 0}) < 1e-9);
    mn_points_free(&p);
    mn_shape_def funnel = shape_of(MN_CONE); /* slope 3-4-5 */
    funnel.radius = 3, funnel.radius2 = 12, funnel.height = 12, funnel.open[2] = funnel.open[3] = true;
    p = cover(&funnel, 1);
    assert_true(fabs((double)p.count / (pi * 15 * 15 + pi * 15) - 1) < 0.06); /* half a row more at each rim */
    for (long i = 0; i < p.count; i++)
        assert_true(fabs(hypot(p.x[3 * i], p.x[3 * i + 2]) - 7.5 - 0.75 * p.x[3 * i + 1]) < 0.2);
    mn_points_free(&p);
    mn_shape *made = mn_shape_new(&funnel, NULL);
    mn_mesh skin;
    assert_int_equal(mn_shape_skin(made, 0.5, &skin, NULL), MN_OK);
    for (int t = 0; t < skin.triangle_count; t++) {
        const int *c = skin.triangle + 3 * t;
        const double a = skin.vertex[3 * c[0] + 1], b = skin.vertex[3 * c[1] + 1], d = skin.vertex[3 * c[2] + 1];
        assert_true(fmax(a, fmax(b, d)) - fmin(a, fmin(b, d)) > 11);
    }
    mn_mesh_free(&skin);
    mn_shape_free(made);
}

/* Behind an open face a shape goes on: a box and a cylinder as wide as they are, a cone with its slope. */
static void open_shapes_go_on(void **state)
{
    (void)state;
    mn_shape_def b = box(2, 2, 2);
    b.open[0] = true, b.stretch[0] = 2;
    turn(&b);
    mn_shape_def more = mn_shape_prolonged(&b, 10);
    expect_distance(&more, 0, -12, 0, 0); /* its x is the world's y */
    expect_distance(&more, 0, -11.5, 0, -0.5);
    expect_distance(&more, 0, 2, 0, 0);
    mn_shape_def c = shape_of(MN_CYLINDER);
    c.radius = 1, c.height = 4, c.open[3] = true;
    more = mn_shape_prolonged(&c, 10);
    expect_distance(&more, 0, -2, 0, 0);
    expect_distance(&more, 0, 12.5, 0, 0.5);
    c.kind = MN_CONE, c.radius = 3, c.radius2 = 1, c.open[2] = true; /* its apex is 2 above its top */
    more = mn_shape_prolonged(&c, 10);
    expect_distance(&more, 0, 4.5, 0, 0.5);
    expect_distance(&more, 0, -12.25, 0, 0.25);
    assert_true(fabs(more.radius - 8) < 1e-12 && more.radius2 == 0);
}

static const char cube_text[] = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                                "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void mesh_equals_the_box(void **state)
{
    (void)state;
    char path[] = "/tmp/mn_geometry_XXXXXX.obj";
    close(mkstemps(path, 4));
    write_text(path, cube_text);
    mn_shape_def m = shape_of(MN_MESH), b = box(2, 2, 2);
    m.file = path;
    m.scale = b.scale = 1.5;
    turn(&m);
    turn(&b);
    move(&m, 1, 2, 3);
    move(&b, 1, 2, 3);
    mn_shape *mesh = mn_shape_new(&m, NULL), *cube = mn_shape_new(&b, NULL);
    assert_non_null(mesh);
    for (int i = 0; i < 1000; i++) {
        double x[3] = {1 + 0.61 * (i % 10 - 4.6), 2 + 0.57 * (i / 10 % 10 - 4.4), 3 + 0.53 * (i / 100 - 4.7)};
        double exact = mn_shape_distance(cube, x, 1), limited = mn_shape_distance(mesh, x, 1),
               far = mn_shape_distance(mesh, x, INFINITY);
        assert_true(fabs(far - exact) < 1e-9);
        assert_true(fabs(limited - (fabs(exact) < 1 ? exact : copysign(1, exact))) < 1e-9);
    }
    mn_shape_free(cube);
    mn_points p = fill_ok(&m, 1, MN_LATTICE, 0.25, 0, 0);
    assert_int_equal(p.count, 12 * 12 * 12);
    mn_points_free(&p);

    double d = 0.15, worst = 0;
    p = cover(&m, d);
    assert_true(least_distance(&p) > 0.6 * d);
    assert_true(fabs((double)p.count * d * d / 54 - 1) < 0.25);
    for (int i = 0; i <= 40; i++) /* one face, with its edges and corners */
        for (int j = 0; j <= 40; j++)
            worst = fmax(worst, nearest(&p, (double[3]){1 - 1.5 + 0.075 * i, 2 - 1.5 + 0.075 * j, 4.5}));
    assert_true(worst < 0.95 * d);
    assert_true(nearest(&p, (double[3]){2.5, 3.5, 4.5}) < 1e-9);
    mn_points again = cover(&m, d);
    assert_memory_equal(again.x, p.x, (size_t)p.count * 24);
    mn_points_free(&again);
    mn_points_free(&p);
    p = cover(&m, 100); /* smaller than a particle */
    assert_int_equal(p.count, 1);
    mn_points_free(&p);
    mn_shape_free(mesh);

    mn_messages *say = mn_messages_new();
    write_text(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_null(mn_shape_new(&m, say));
    expect_message(say, "3 edges with only one triangle (holes)");
    m.rim = true; /* a sheet */
    p = cover(&m, 0.1);
    assert_true(p.count > 40);
    mn_points_free(&p);
    write_text(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n");
    assert_null(mn_shape_new(&m, say));
    expect_message(say, "1 edge where neighbours are wound in opposite senses");
    mn_messages_free(say);
    unlink(path);
}

static void unfillable_requests_are_refused(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_points p = {0};
    mn_shape_def s = box(1000, 1000, 1000);
    assert_int_equal(fill(&s, 1, MN_LATTICE, 0.1, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "1e+12 particles at a spacing of 0.1 m, more than the 5e+08 allowed");
    assert_int_equal(fill(&s, 1, MN_POISSON, 0.1, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "more than the 5e+08 allowed");
    assert_int_equal(fill(&s, 1, MN_LATTICE, NAN, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "spacing is");
    assert_int_equal(fill(&s, 1, MN_LATTICE, 1e-30, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "too far from the origin");
    assert_int_equal(fill(&s, 1, MN_LATTICE, 10, 2, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "jitter is 2, expected 0 to 1");
    s.inside_out = true;
    assert_int_equal(fill(&s, 1, MN_LATTICE, 10, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "an inside-out shape cannot be filled");
    s = shape_of(MN_PLANE);
    s.size[0] = s.size[2] = 1;
    assert_int_equal(fill(&s, 1, MN_LATTICE, 0.1, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "a plane cannot be filled");
    s = box(1, 1, 1);
    s.grid[0] = 3;
    assert_int_equal(fill(&s, 1, MN_LATTICE, 0.1, 0, 0, &p, say), MN_BAD_INPUT);
    expect_message(say, "box: 0 particles along y");
    s = box(1, 1, 1);
    assert_int_equal(fill(&s, 1, MN_LATTICE, 1.5, 0, 0, &p, say), MN_OK);
    expect_message(say, "too small to hold a particle");
    mn_shape_def big[] = {box(1e5, 1e5, 1e5), sphere(1e5)};
    for (int i = 0; i < 2; i++) {
        mn_shape *solid = mn_shape_new(&big[i], say);
        assert_int_equal(mn_sample_surface(solid, &big[i], 0.1, 0, &p, say), MN_BAD_INPUT);
        expect_message(say, "more than the 5e+08 allowed");
        mn_shape_free(solid);
    }
    assert_int_equal(p.count, 0);
    mn_points_free(&p);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_and_sphere_distances),
        cmocka_unit_test(revolution_distances),
        cmocka_unit_test(transformed_and_flipped_distances),
        cmocka_unit_test(stretched_shapes),
        cmocka_unit_test(bad_shapes_are_refused),
        cmocka_unit_test(box_lattice_is_exact),
        cmocka_unit_test(box_grid_counts_are_taken_as_given),
        cmocka_unit_test(lattice_meets_the_volume),
        cmocka_unit_test(union_has_no_doubles),
        cmocka_unit_test(jitter_is_bounded_and_repeatable),
        cmocka_unit_test(poisson_has_the_number_density),
        cmocka_unit_test(box_surface_is_exact),
        cmocka_unit_test(open_ends_have_no_disc),
        cmocka_unit_test(open_shapes_go_on),
        cmocka_unit_test(revolution_surfaces_are_even),
        cmocka_unit_test(mesh_equals_the_box),
        cmocka_unit_test(unfillable_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
