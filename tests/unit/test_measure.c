/* Measures against shapes whose numbers are known: caps, ellipsoids, drops, slopes, streams. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/measure.h"

enum { MOST = 400000 };
static float position[3 * MOST];
static int64_t count;

typedef bool body(const double x[3], const void *shape);

/* Fills a body with a lattice that is turned, so that no face lies along it, and shifted. */
static void fill(body *in, const void *shape, double reach, double d)
{
    const double c = cos(0.5), s = sin(0.5);
    const int n = (int)(1.8 * reach / d) + 2;
    for (int i = -n; i <= n; i++)
        for (int j = -n; j <= n; j++)
            for (int k = -n; k <= n; k++) {
                const double a = (i + 0.31) * d, b = (j + 0.17) * d, e = (k + 0.42) * d, y = c * b - s * e;
                const double x[3] = {c * a - s * y, s * a + c * y, s * b + c * e};
                if (!in(x, shape)) continue;
                assert_in_range(count, 0, MOST - 1);
                for (int q = 0; q < 3; q++) position[3 * count + q] = (float)x[q];
                count++;
            }
}

typedef struct ellipsoid {
    double centre[3], axes[3];
} ellipsoid;

static bool in_ellipsoid(const double x[3], const void *shape)
{
    const ellipsoid *e = shape;
    double sum = 0;
    for (int a = 0; a < 3; a++) sum += pow((x[a] - e->centre[a]) / e->axes[a], 2);
    return sum < 1;
}

/* A cap of a sphere of radius 1 that meets the floor y = 0 at an angle. */
static bool in_cap(const double x[3], const void *angle)
{
    const double middle = -cos(*(const double *)angle);
    return x[1] > 0 && x[0] * x[0] + pow(x[1] - middle, 2) + x[2] * x[2] < 1;
}

static void a_cap_has_its_angle(void **state)
{
    (void)state;
    const double d = 0.06, up[3] = {0, 1, 0};
    for (int degrees = 40; degrees <= 150; degrees += 10) {
        const double angle = degrees * M_PI / 180, t = 1 - cos(angle);
        count = 0;
        fill(in_cap, &angle, 2, d);
        const mn_cloud c = {position, count, d};
        mn_cap cap;
        double area;
        assert_true(mn_measure_cap(&c, up, 0, &cap));
        assert_float_equal(cap.angle, degrees, 2);
        assert_float_equal(cap.height, t, 0.8 * d);
        assert_float_equal(cap.base_radius, sin(angle), 1.2 * d);
        assert_float_equal((double)count * d * d * d / (M_PI * t * t * (3 - t) / 3), 1, 0.02);
        assert_true(mn_measure_cap(&c, up, NAN, &cap)); /* the floor is found */
        assert_float_equal(cap.floor, 0, d);
        assert_true(mn_measure_wetted(&c, up, 2.0 * d, &area));
        if (degrees >= 60 && degrees <= 120) assert_float_equal(sqrt(area / M_PI), sin(angle), 1.5 * d);
    }
}

/* The same drop on a wall that leans. */
static void floors_may_lean(void **state)
{
    (void)state;
    const double angle = M_PI / 3, d = 0.06;
    count = 0;
    fill(in_cap, &angle, 2, d);
    for (int64_t i = 0; i < count; i++) { /* y -> x -> z -> y */
        float *p = position + 3 * i, x = p[0];
        p[0] = p[1], p[1] = p[2], p[2] = x;
    }
    const mn_cloud c = {position, count, d};
    mn_cap cap;
    assert_true(mn_measure_cap(&c, (const double[3]){1, 0, 0}, 0, &cap));
    assert_float_equal(cap.angle, 60, 2);
}

static void an_ellipsoid_has_its_axes(void **state)
{
    (void)state;
    const ellipsoid e = {{0.2, -0.1, 0.3}, {0.5, 0.8, 1.1}};
    double centre[3], eigenvalue[3];
    count = 0;
    fill(in_ellipsoid, &e, 2, 0.05);
    const mn_cloud c = {position, count, 0.05};
    mn_measure_moments(&c, centre, eigenvalue);
    for (int a = 0; a < 3; a++) {
        assert_float_equal(centre[a], e.centre[a], 1e-3);
        assert_float_equal(sqrt(5 * eigenvalue[a]), e.axes[a], 0.01);
    }
}

static void two_drops_and_a_crumb(void **state)
{
    (void)state;
    const double d = 0.05;
    const ellipsoid small = {{-1, 0.2, 0}, {0.3, 0.3, 0.3}}, large = {{0.5, 0, 0}, {0.5, 0.6, 0.5}};
    count = 0;
    fill(in_ellipsoid, &small, 2, d);
    const int64_t first = count;
    fill(in_ellipsoid, &large, 2, d);
    const float crumb[6] = {0, 1.5f, 0, 0.02f, 1.5f, 0};
    memcpy(position + 3 * count, crumb, sizeof crumb);
    count += 2;
    const mn_cloud c = {position, count, d};
    mn_drop *drops;
    int found;
    int64_t crumbs;
    assert_true(mn_measure_drops(&c, 3, &drops, &found, &crumbs));
    assert_int_equal(found, 2);
    assert_int_equal(crumbs, 2);
    assert_int_equal(drops[0].particles, count - 2 - first);
    assert_int_equal(drops[1].particles, first);
    assert_float_equal(drops[1].diameter, 0.6, 0.01);
    assert_float_equal(drops[0].volume, 4 * M_PI / 3 * 0.5 * 0.6 * 0.5, 0.01);
    assert_float_equal(drops[0].centre[0], 0.5, 2e-3);
    assert_float_equal(drops[0].axes[2], 0.6, 0.01);
    free(drops);
    int pieces;
    int64_t largest;
    assert_true(mn_measure_pieces(&c, 1, &pieces, &largest, &crumbs));
    assert_int_equal(pieces, 3);
    float *own = malloc((size_t)(3 * count) * sizeof *own);
    int64_t members;
    assert_true(mn_measure_largest(&c, own, &members));
    assert_int_equal(members, count - 2 - first);
    assert_true(own[0] == position[3 * first]);
    free(own);
    bool *inside = malloc((size_t)count);
    assert_true(mn_measure_inside(&c, inside));
    assert_false(inside[count - 1]);
    assert_float_equal(mn_measure_front(&c, NULL, 1, 1), 1.5 + 0.5 * d, 1e-6);
    assert_float_equal(mn_measure_front(&c, inside, 1, 1), 0.6, d);
    assert_float_equal(mn_measure_front(&c, inside, 0, -1), -1.3, d);
    free(inside);
}

/* y < 0.3 + 0.2 x, within a box. */
static bool in_slope(const double x[3], const void *shape)
{
    (void)shape;
    return fabs(x[0]) < 1 && fabs(x[2]) < 0.5 && x[1] > 0 && x[1] < 0.3 + 0.2 * x[0];
}

static void heights_follow_a_slope(void **state)
{
    (void)state;
    const double d = 0.02;
    count = 0;
    fill(in_slope, NULL, 1.2, d);
    const mn_cloud c = {position, count, d};
    const mn_height_grid grid = {1, {10, 3}, {-1, -0.75}, {0.2, 0.5}};
    double out[30];
    mn_measure_heights(&c, NULL, &grid, out);
    for (int i = 0; i < 10; i++) { /* the highest of a column is near its right side */
        assert_float_equal(out[i + 10], 0.3 + 0.2 * (-1 + 0.2 * (i + 1)), 1.2 * d);
    }
    const double up[3] = {0, 1, 0}, at[3] = {0.5, 0, 0}, dry[3] = {1.5, 0, 0};
    assert_float_equal(mn_measure_gauge(&c, at, up, 1.5 * d), 0.4, 1.2 * d);
    assert_true(isnan(mn_measure_gauge(&c, dry, up, 1.5 * d)));
}

static bool in_box(const double x[3], const void *shape)
{
    (void)shape;
    return fabs(x[0]) < 1 && fabs(x[1]) < 0.25 && fabs(x[2]) < 0.4;
}

static void flow_through_a_plane(void **state)
{
    (void)state;
    const double d = 0.02;
    count = 0;
    fill(in_box, NULL, 1.2, d);
    float *velocity = malloc((size_t)(3 * count) * sizeof *velocity), *weight = malloc((size_t)count * sizeof *weight);
    for (int64_t i = 0; i < count; i++) velocity[3 * i] = 3, velocity[3 * i + 1] = 1, velocity[3 * i + 2] = 0;
    const mn_cloud c = {position, count, d};
    const double point[3] = {0.2, 0, 0}, normal[3] = {1, 0, 0}, all[2] = {0, 0}, part[2] = {0.2, 0.1};
    mn_flux f = mn_measure_flux(&c, velocity, point, normal, all);
    assert_float_equal(f.area, 0.4, 0.01);
    assert_float_equal(f.flow, 1.2, 0.03);
    assert_float_equal(f.speed, 3, 1e-6);
    f = mn_measure_flux(&c, velocity, point, normal, part);
    assert_float_equal(f.area, 0.02, 0.002);
    double filled;
    mn_measure_weights(&c, point, weight, &filled);
    assert_float_equal(filled, 1, 0.02);
    const double outside[3] = {1.2, 0, 0};
    mn_measure_weights(&c, outside, weight, &filled);
    assert_true(filled == 0);
    free(velocity);
    free(weight);
}

static void nothing_is_no_trouble(void **state)
{
    (void)state;
    const mn_cloud none = {position, 0, 0.1};
    mn_drop *drops;
    int found;
    int64_t crumbs;
    mn_cap cap;
    assert_true(mn_measure_drops(&none, 1, &drops, &found, &crumbs));
    assert_int_equal(found, 0);
    free(drops);
    assert_false(mn_measure_cap(&none, (const double[3]){0, 1, 0}, NAN, &cap));
    assert_true(isnan(mn_measure_front(&none, NULL, 0, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cap_has_its_angle),       cmocka_unit_test(floors_may_lean),
        cmocka_unit_test(an_ellipsoid_has_its_axes), cmocka_unit_test(two_drops_and_a_crumb),
        cmocka_unit_test(heights_follow_a_slope),    cmocka_unit_test(flow_through_a_plane),
        cmocka_unit_test(nothing_is_no_trouble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
