/* test_elastic.c -- the soft solid against reference numbers, its laws of conservation, and beam theory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "soft/elastic.h"

/* A lattice block with its corner at the origin; x runs slowest. */
static mn_elastic *block(int nx, int ny, int nz, double d, mn_material m)
{
    double *rest = malloc((size_t)(nx * ny * nz) * 3 * sizeof *rest);
    int n = 0;
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
            for (int z = 0; z < nz; z++, n++) rest[3 * n] = x * d, rest[3 * n + 1] = y * d, rest[3 * n + 2] = z * d;
    mn_elastic *e = mn_elastic_new(rest, n, d, &m);
    free(rest);
    assert_non_null(e);
    return e;
}

static const mn_material soft = {.density = 1000, .lambda = 75000, .mu = 5000, .plain = true};
static const double map[9] = {1.1, 0.05, 0, 0, 0.97, 0, 0.02, 0, 1}, crush[9] = {1.1, 0.05, 0, 0, 0.45, 0, 0.02, 0, 1};

static void apply(mn_elastic *e, const double f[9])
{
    for (int i = 0; i < e->count; i++)
        for (int r = 0; r < 3; r++)
            e->x[3 * i + r] =
                f[3 * r] * e->rest[3 * i] + f[3 * r + 1] * e->rest[3 * i + 1] + f[3 * r + 2] * e->rest[3 * i + 2];
}

static void assert_near(double found, double expected, double allowed)
{
    if (fabs(found - expected) <= allowed) return;
    print_error("found %.12g, expected %.12g within %g\n", found, expected, allowed);
    fail();
}

static void assert_balanced(const mn_elastic *e, double allowed)
{
    double f[3] = {0}, t[3] = {0};
    for (int i = 0; i < e->count; i++)
        for (int r = 0; r < 3; r++) {
            const int s = (r + 1) % 3, u = (r + 2) % 3;
            f[r] += e->force[3 * i + r];
            t[r] += e->x[3 * i + s] * e->force[3 * i + u] - e->x[3 * i + u] * e->force[3 * i + s];
        }
    for (int r = 0; r < 3; r++) assert_near(f[r], 0, allowed), assert_near(t[r], 0, allowed);
}

static void material_constants(void **state)
{
    (void)state;
    assert_near(mn_material_young(&soft), 14687.5, 1e-9);
    assert_near(mn_material_speed(&soft), 9.2195444573, 1e-9);
}

static void stretched_cube(void **state)
{
    (void)state;
    mn_elastic *e = block(3, 3, 3, 0.1, soft);
    apply(e, map);
    mn_elastic_forces(e, 1);
    static const double force[3][3] = {
        {98.4207987544, 67.0390125139, 72.1349933612}, {163.7222118866, 5.8112758171, 5.149868755}, {0, 0, 0}};
    static const double piola[9] = {7515.2, 576.725, 110, 266.75, 5319.965, 0, 236.39, 5.5, 5769.5};
    const int at[3] = {0, 4, 13};
    for (int i = 0; i < 27; i++)
        for (int k = 0; k < 9; k++) assert_near(e->gradient[9 * i + k], map[k], 1e-13);
    /* P = (P K^-1) K, and K of the middle particle is isotropic */
    const double k = 1 / e->inverse[6 * 13];
    for (int c = 0; c < 9; c++) assert_near(e->stress[9 * 13 + c] * k, piola[c], 1e-9 * 7515);
    for (int n = 0; n < 3; n++)
        for (int r = 0; r < 3; r++) assert_near(e->force[3 * at[n] + r], force[n][r], 1e-9 * 98);
    assert_near(mn_elastic_energy(e), 7.820888175, 1e-9);
    assert_near(mn_elastic_swelling(e, 7), 1.1 * 0.97, 1e-12);
    assert_balanced(e, 1e-10);
    mn_elastic_free(e);
}

static void checkerboard(void **state)
{
    (void)state;
    static const double expected[2] = {-9.7862383458, -88.3723846219};
    for (int with = 0; with < 2; with++) {
        mn_material m = soft;
        m.hourglass = with ? 50 : 0;
        mn_elastic *e = block(3, 3, 3, 0.1, m);
        for (int i = 0; i < 27; i++) e->x[3 * i] += (i / 9 + i / 3 % 3 + i % 3) % 2 ? 0.004 : -0.004;
        mn_elastic_forces(e, 1);
        assert_near(e->force[3 * 13], expected[with], 1e-8);
        assert_balanced(e, 1e-10);
        mn_elastic_free(e);
    }
}

static void turned_body_feels_nothing(void **state)
{
    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        mn_material m = soft;
        m.hourglass = 50, m.plain = plain;
        mn_elastic *e = block(4, 3, 5, 0.1, m);
        const double c = cos(0.7), s = sin(0.7), turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
        apply(e, turn);
        mn_elastic_forces(e, 1);
        for (int i = 0; i < 3 * e->count; i++) assert_near(e->force[i], 0, 1e-10);
        assert_near(mn_elastic_energy(e), 0, 1e-20);
        mn_elastic_free(e);
    }
}

/* A rough deformation: the force is the slope of the energy, and nothing accelerates or turns the whole. */
static void force_is_the_slope_of_the_energy(void **state)
{
    (void)state;
    /* the last but one is a sheet, the last a row of particles: pseudo-inverse */
    static const int size[4][3] = {{3, 3, 3}, {4, 3, 2}, {4, 4, 1}, {5, 1, 1}};
    for (int n = 0; n < 10; n++) { /* the last two are crushed to half their height */
        mn_material m = soft;
        m.plain = n < 4;
        mn_elastic *e = block(size[n % 4][0], size[n % 4][1], size[n % 4][2], 0.1, m);
        apply(e, n < 8 ? map : crush);
        unsigned seed = 5;
        for (int i = 0; i < 3 * e->count; i++)
            seed = seed * 1664525u + 1013904223u, e->x[i] += 0.008 * ((double)(seed >> 8) / 16777216.0 - 0.5);
        mn_elastic_forces(e, 1);
        assert_balanced(e, 1e-9);
        double *force = malloc(3 * (size_t)e->count * sizeof *force), top = 0;
        memcpy(force, e->force, 3 * (size_t)e->count * sizeof *force);
        for (int i = 0; i < 3 * e->count; i++) top = fmax(top, fabs(force[i]));
        assert_true(top > 1);
        for (int i = 0; i < 3 * e->count; i++) {
            const double x = e->x[i], step = 1e-6;
            e->x[i] = x + step;
            mn_elastic_forces(e, 1);
            const double more = mn_elastic_energy(e);
            e->x[i] = x - step;
            mn_elastic_forces(e, 1);
            assert_near(force[i], -(more - mn_elastic_energy(e)) / (2 * step), 1e-6 * top);
            e->x[i] = x;
        }
        free(force);
        mn_elastic_free(e);
    }
}

/* A bent, twisted and swelling block: the surface correction gives F of the place of the particle, at faces, edges
 * and corners. */
static void the_surface_sees_quadratic_fields_exactly(void **state)
{
    (void)state;
    double worst[2] = {0};
    for (int plain = 0; plain < 2; plain++) {
        mn_material m = soft;
        m.plain = plain;
        mn_elastic *e = block(5, 4, 6, 0.1, m);
        for (int i = 0; i < e->count; i++) {
            const double x = e->rest[3 * i], y = e->rest[3 * i + 1], z = e->rest[3 * i + 2];
            e->x[3 * i] += 0.3 * x * y + 0.1 * z * z, e->x[3 * i + 1] += 0.2 * y * z - 0.15 * x * x,
                e->x[3 * i + 2] += 0.1 * x * z + 0.2 * y * y;
        }
        mn_elastic_forces(e, 1);
        for (int i = 0; i < e->count; i++) {
            const double x = e->rest[3 * i], y = e->rest[3 * i + 1], z = e->rest[3 * i + 2];
            const double f[9] = {1 + 0.3 * y, 0.3 * x, 0.2 * z, -0.3 * x,   1 + 0.2 * z,
                                 0.2 * y,     0.1 * z, 0.4 * y, 1 + 0.1 * x};
            for (int k = 0; k < 9; k++) worst[plain] = fmax(worst[plain], fabs(e->gradient[9 * i + k] - f[k]));
        }
        mn_elastic_free(e);
    }
    assert_true(worst[0] < 1e-12);
    assert_true(worst[1] > 5e-3);
}

/* Tip of a clamped beam under its weight or a load at its end, over the deflection of Timoshenko's theory (shear
 * included). Everything left of x = 0 is held; the length counts from there, half a spacing before the first free
 * particle, to half a spacing behind the last. */
static double cantilever(int length, int height, int width, double poisson, bool at_the_end)
{
    const double d = 0.01, young = 1e6, density = 1000, l = length * d, a = l - d / 2;
    const double area = width * height * d * d, inertia = width * pow(height, 3) * pow(d, 4) / 12,
                 shear = 5.0 / 6 * area * young / (2 * (1 + poisson));
    const double period = 2 * 3.14159265358979 * l * l / (3.516 * sqrt(young * inertia / (density * area)));
    const mn_material m = {.density = density,
                           .lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
                           .mu = young / (2 * (1 + poisson)),
                           .hourglass = 50,
                           .viscosity = 0.05,
                           .damping = 1.4 * 2 * 3.14159265358979 / period};
    mn_elastic *e = block(length + 3, height, width, d, m);
    double *load = calloc(3 * (size_t)e->count, sizeof *load), gravity[3] = {0};
    const double weight = 0.02 * l * 8 * young * inertia / pow(l, 4),
                 force = 0.02 * l * 3 * young * inertia / pow(l, 3);
    const double line = at_the_end ? force * (a * a * (3 * l - a) / (6 * young * inertia) + a / shear)
                                   : weight * (pow(l, 4) / (8 * young * inertia) + l * l / (2 * shear));
    const int layer = height * width, last = e->count - layer;
    for (int i = 0; i < 3 * layer; i++) e->fixed[i] = 1;
    if (at_the_end)
        for (int i = last; i < e->count; i++) load[3 * i + 1] = -force / layer;
    else gravity[1] = -weight / (density * area);
    assert_true(mn_elastic_advance(e, 1.5 * period, gravity, load, NULL, 0, 1) > 0);
    double tip = 0, before = 0;
    for (int i = last; i < e->count; i++)
        tip += (e->rest[3 * i + 1] - e->x[3 * i + 1]) / layer,
            before += (e->rest[3 * (i - layer) + 1] - e->x[3 * (i - layer) + 1]) / layer;
    free(load);
    mn_elastic_free(e);
    return (tip + 0.5 * (tip - before)) / line;
}

static void a_cantilever_bends_as_beam_theory_says(void **state)
{
    (void)state;
    const double sheet = cantilever(30, 5, 1, 0, true), beam = cantilever(26, 6, 2, 0.3, false);
    print_message("deflection over theory: 5 particles high, end load %.4f; 6 high, weight %.4f\n", sheet, beam);
    assert_near(sheet, 1, 0.05);
    assert_near(beam, 1, 0.05);
}

static void the_viscosity_only_takes(void **state)
{
    (void)state;
    mn_material m = soft;
    m.viscosity = 0.1;
    mn_elastic *e = block(4, 4, 4, 0.1, m);
    unsigned seed = 7;
    for (int i = 0; i < 3 * e->count; i++)
        seed = seed * 1664525u + 1013904223u, e->v[i] = (double)(seed >> 8) / 16777216.0 - 0.5;
    mn_elastic_forces(e, 1);
    double power = 0;
    for (int i = 0; i < 3 * e->count; i++) power += e->force[i] * e->v[i];
    assert_true(power < 0);
    assert_balanced(e, 1e-9);
    mn_elastic_free(e);
}

/* Free flight and spin in sub-steps: energy, momentum and the state itself do not depend on the threads. */
static void the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    static const double none[3] = {0};
    mn_elastic *e[2];
    for (int t = 0; t < 2; t++) {
        mn_material m = soft;
        m.hourglass = 50, m.viscosity = 0.05;
        e[t] = block(16, 10, 10, 0.1, m);
        for (int i = 0; i < e[t]->count; i++)
            e[t]->v[3 * i] = 0.5 - e[t]->rest[3 * i + 1], e[t]->v[3 * i + 1] = e[t]->rest[3 * i],
                        e[t]->v[3 * i + 2] = sin(i);
        for (int s = 0; s < 5; s++) assert_true(mn_elastic_advance(e[t], 0.01, none, NULL, NULL, 0, t ? 3 : 1) > 1);
    }
    assert_memory_equal(e[0]->x, e[1]->x, 3 * (size_t)e[0]->count * sizeof(double));
    assert_memory_equal(e[0]->v, e[1]->v, 3 * (size_t)e[0]->count * sizeof(double));
    double p[3], sum = 0;
    mn_elastic_momentum(e[0], p);
    for (int i = 0; i < e[0]->count; i++) sum += sin(i);
    assert_near(p[2], e[0]->mass * sum, 1e-11);
    mn_elastic_free(e[0]), mn_elastic_free(e[1]);
}

/* A block thrown against a wall at nearly the speed of its shear waves is crushed, but neither passes the wall nor
 * stays inside out. */
static void a_crushed_block_recovers(void **state)
{
    (void)state;
    static const double none[3] = {0};
    mn_material m = {.density = 1000, .lambda = 20000, .mu = 15000, .hourglass = 50, .viscosity = 0.05};
    mn_elastic *e = block(6, 6, 6, 0.02, m);
    for (int i = 0; i < e->count; i++) e->v[3 * i + 1] = -3.5;
    double lowest = 1, least = 1;
    for (int s = 0; s < 300; s++) {
        mn_contact contacts[216];
        for (int i = 0; i < e->count; i++)
            contacts[i] =
                (mn_contact){.particle = i, .gap = e->x[3 * i + 1] - 0.01 + 0.03, .normal = {0, 1, 0}, .friction = 0.5};
        assert_true(mn_elastic_advance(e, 0.001, none, NULL, contacts, e->count, 1) > 0);
        mn_elastic_forces(e, 1);
        for (int i = 0; i < e->count; i++)
            lowest = fmin(lowest, e->x[3 * i + 1]), least = fmin(least, mn_elastic_swelling(e, i));
    }
    assert_true(least < 0.6);
    assert_true(lowest > -0.04);
    for (int i = 0; i < e->count; i++) assert_true(mn_elastic_swelling(e, i) > 0.8);
    double p[3];
    mn_elastic_momentum(e, p);
    assert_true(p[1] > 0.2 * 3.5 * e->mass * e->count); /* and it has bounced */
    mn_elastic_free(e);
}

/* A free vibration: without viscosity the total energy stays. */
static void energy_stays(void **state)
{
    (void)state;
    static const double none[3] = {0};
    mn_elastic *e = block(8, 4, 4, 0.1, soft);
    for (int i = 0; i < e->count; i++) e->v[3 * i] = 0.2 * (e->rest[3 * i] - 0.35);
    const double before = mn_elastic_kinetic(e);
    double least = 1e300, most = 0, elastic = 0;
    for (int s = 0; s < 200; s++) {
        assert_true(mn_elastic_advance(e, 0.002, none, NULL, NULL, 0, 1) > 0);
        mn_elastic_forces(e, 1);
        const double total = mn_elastic_energy(e) + mn_elastic_kinetic(e);
        least = fmin(least, total), most = fmax(most, total), elastic = fmax(elastic, mn_elastic_energy(e));
    }
    assert_true(elastic > 0.5 * before);
    assert_true(least > 0.98 * before && most < 1.02 * before);
    mn_elastic_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(material_constants),
        cmocka_unit_test(stretched_cube),
        cmocka_unit_test(checkerboard),
        cmocka_unit_test(turned_body_feels_nothing),
        cmocka_unit_test(force_is_the_slope_of_the_energy),
        cmocka_unit_test(the_surface_sees_quadratic_fields_exactly),
        cmocka_unit_test(a_cantilever_bends_as_beam_theory_says),
        cmocka_unit_test(the_viscosity_only_takes),
        cmocka_unit_test(the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(a_crushed_block_recovers),
        cmocka_unit_test(energy_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
