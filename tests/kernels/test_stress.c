/* Tension as a stress within the surface (lafaurie1994): the sums written down plainly, and the pull along a surface
 * whose tension differs, on every backend. */
#include "kernels/kernel_world.h"
#include "methods/methods.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

static const char fluid[] = "    surface: orthmann2013\n    tension: {model: lafaurie1994, tension: 2}\n";

/* W'/r of the cubic spline */
static double slope(double r, double h)
{
    const double q = r / h, a = fmax(1 - q, 0), b = fmax(0.5 - q, 0);
    return 8 / (acos(-1) * pow(h, 4)) * (24 * b * b - 6 * a * a) / r;
}

static double between(const double a[3], const double b[3], double x[3])
{
    for (int c = 0; c < 3; c++) x[c] = a[c] - b[c];
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* x - m (m.x) */
static void project(const double m[3], const double x[3], double out[3])
{
    const double along = m[0] * x[0] + m[1] * x[1] + m[2] * x[2];
    for (int c = 0; c < 3; c++) out[c] = x[c] - m[c] * along;
}

/* Long: all equations of lafaurie1994.h once more, in doubles and in their order. */
static void sums(void **state)
{
    (void)state;
    static const double area[5] = {2e-2, 1e-2, 0, 1.5e-2, 0.5e-2};
    kernel_setup set = kernel_t5_walls;
    set.wall_volume = 2e-3;
    set.fluid = fluid;
    const double h = 0.2, V = 1e-3;
    params constants = {.spacing = 0.1f, .h = 0.2f};
    assert_true(mn_surface_constants(&constants));
    const double flat = (double)constants.constants.lafaurie1994.flat,
                 edge = (double)constants.constants.lafaurie1994.edge,
                 least = (double)constants.constants.lafaurie1994.least;
    double m[5][3] = {{0}}, s[5], expected[5][3] = {{0}}, x[3], p[3], most = 0;
    for (int i = 0; i < 5; i++) {
        double n[2][3] = {{0}}, k = 0, u[3], along = 0, wall = 0, t[3][3] = {{0}}, both = 0;
        for (int j = 0; j < 9; j++) {
            const double r = between(set.position[i], j < 5 ? set.position[j] : set.wall[j - 5], x),
                         v = j < 5 ? V : 2e-3;
            if (j == i || r >= h) continue;
            for (int c = 0; c < 3; c++) n[j < 5 ? 0 : 1][c] += h * v * slope(r, h) * x[c];
        }
        /* Under the liquid a wall counts whole, beside it as much as the liquid lacks, and not in k. */
        for (int c = 0; c < 3; c++) wall += n[1][c] * n[1][c];
        wall = sqrt(wall);
        for (int c = 0; c < 3; c++) u[c] = wall > 0 ? n[1][c] / wall : 0, along += n[0][c] * u[c];
        const double part = along < 0 ? fmax(-along, wall + along) : wall;
        double square = 0;
        for (int c = 0; c < 3; c++) n[0][c] += part * u[c], square += n[0][c] * n[0][c];
        for (int c = 0; c < 3; c++) m[i][c] = n[0][c] / sqrt(square + 0.01);
        const double under = wall > 0 ? fmin(fmax(1 + 2 * along / wall, 0), 1) : 0;
        for (int j = 0; j < 9; j++) {
            const double r = between(set.position[i], j < 5 ? set.position[j] : set.wall[j - 5], x);
            if (j == i || r >= h) continue;
            project(m[i], x, p);
            const double v = j < 5 ? V : under * 2e-3;
            for (int c = 0; c < 3; c++) k -= 0.5 * v * slope(r, h) * x[c] * p[c];
            for (int c = 0; c < 9; c++) t[c / 3][c % 3] -= v * slope(r, h) * x[c / 3] * x[c % 3];
        }
        /* the two parts of 2 k: their product is m.adj(t).m */
        for (int c = 0; c < 9; c++) {
            const int a = c / 3, b = c % 3, a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            both += m[i][a] * m[i][b] * (t[a1][b1] * t[a2][b2] - t[a1][b2] * t[a2][b1]);
        }
        s[i] = 2 * area[i] /
               fmax(k + (wall > 0 ? 0 : fmin(fmax((flat - k) / (flat - edge), 0), 1)) * sqrt(fmax(k * k - both, 0)),
                    least);
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 9; j++) {
            const double r = between(set.position[i], j < 5 ? set.position[j] : set.wall[j - 5], x);
            if (j == i || r >= h) continue;
            double other[3] = {0};
            project(m[i], x, p);
            if (j < 5) project(m[j], x, other);
            for (int c = 0; c < 3; c++)
                expected[i][c] +=
                    slope(r, h) * (j < 5 ? V * s[i] * p[c] + V * s[j] * other[c] : 2 * 2e-3 * s[i] * p[c]) / (1000 * V);
        }
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 3; c++) most = fmax(most, fabs(expected[i][c]));
    assert_true(most > 0);
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        assert_non_null(mn_world_field(k->world, MN_FIELD_area));
        kernel_world_write(k, "area", area);
        kernel_world_run(k, "force_begin force");
        double acc[5][4];
        kernel_world_read(k, "acc", acc[0]);
        for (int i = 0; i < 5; i++)
            for (int c = 0; c < 3; c++)
                if (fabs(acc[i][c] - expected[i][c]) > 1e-5 * most)
                    fail_msg("%s: particle %d has %.9g, expected %.9g", kernel_backend(b), i, acc[i][c],
                             expected[i][c]);
        kernel_world_free(k);
    }
}

/* A bar of 8 x 2 x 4 particles whose tension grows along x: its middle is pulled by the slope of the tension times
 * its circumference. */
static void along_a_bar(void **state)
{
    (void)state;
    static double place[64][3], film[64][4], acc[64][4];
    for (int i = 0; i < 64; i++) {
        place[i][0] = 0.1 * (i % 8), place[i][1] = 0.1 * (i / 8 % 2), place[i][2] = 0.1 * (double)(i / 16);
        film[i][0] = 0.5 + 0.2 * place[i][0], film[i][1] = film[i][2] = 1;
    }
    const kernel_setup set = {
        .count = 64,
        .position = place,
        .volume = 1e-3,
        .spacing = 0.1,
        .dt = 1e-3,
        .fluid = fluid,
        .scene = "species: [{name: soap, surface: {adsorption: 1, capacity: 1}, effect: {tension: 1}}]\n"};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        kernel_world_run(k, "surface film_begin film_spread");
        kernel_world_write(k, "film_factor", film[0]);
        kernel_world_run(k, "force_begin force");
        kernel_world_read(k, "acc", acc[0]);
        double force = 0;
        for (int i = 0; i < 64; i++)
            if (i % 8 >= 3 && i % 8 <= 4) force += acc[i][0]; /* 1 kg each */
        /* 2 N/m times a slope of 0.2/m, on 0.2 m of a bar of 0.2 x 0.4 m */
        assert_float_equal(force / (2 * 0.2 * 0.2 * 1.2), 1, 0.1);
        kernel_world_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(along_a_bar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
