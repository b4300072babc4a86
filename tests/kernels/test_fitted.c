/* The model fitted, on every backend: against its formula in double precision; a linear flow is its own fit; it keeps
 * momentum and takes energy. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE };
static const double SPACING = 0.1, NU = 0.01;
static double place[COUNT][3], velocity[COUNT][3];

/* A shaken block; a velocity for each particle, or a linear one for all. */
static kernel_setup block(bool linear)
{
    for (int i = 0; i < COUNT; i++) {
        place[i][0] = SPACING * (i % 4) + 0.02 * sin(i), place[i][1] = SPACING * (i / 4 % 4) + 0.02 * sin(3 * i + 1);
        place[i][2] = SPACING * (i / 16) + 0.02 * sin(7 * i + 2);
        const double *x = place[i];
        const double flow[3] = {1 + x[1] - 2 * x[2], 3 * x[0] + 0.5 * x[1], x[2] - x[0]};
        for (int a = 0; a < 3; a++) velocity[i][a] = linear ? flow[a] : sin(5 * i + 2 * a);
    }
    return (kernel_setup){.count = COUNT,
                          .position = (const double(*)[3])place,
                          .velocity = (const double(*)[3])velocity,
                          .volume = 1e-3,
                          .spacing = SPACING,
                          .dt = 1e-4,
                          .fluid = "    viscosity: {model: fitted, viscosity: 0.01}\n"};
}

/* W'(r)/r of the cubic spline. */
static double slope(double r)
{
    const double h = 2 * SPACING, q = r / h, c = 48 / (M_PI * h * h * h * h);
    return q >= 1 ? 0 : q < 0.5 ? c * q * (3 * q - 2) / r : -c * (1 - q) * (1 - q) / r;
}

static double weight(double r2)
{
    const double u = 1 - r2 / (4 * SPACING * SPACING);
    return u > 0 ? u * u : 0;
}

static void solve(double m[3][3], const double y[3], double x[3])
{
    double det[4];
    for (int k = 0; k < 4; k++) {
        double a[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] = j == k - 1 ? y[i] : m[i][j];
        det[k] = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                 a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    }
    for (int k = 0; k < 3; k++) x[k] = det[k + 1] / det[0];
}

/* S: its rows, by the formula of fitted.h. */
static double row[COUNT][COUNT];
static void fit(void)
{
    for (int i = 0; i < COUNT; i++) {
        double s = 0, m[3] = {0}, c[3][3] = {{0}}, b[3];
        for (int j = 0; j < COUNT; j++) {
            double x[3], r2 = 0;
            for (int a = 0; a < 3; a++) x[a] = place[j][a] - place[i][a], r2 += x[a] * x[a];
            s += weight(r2);
            for (int a = 0; a < 3; a++) m[a] += weight(r2) * x[a];
        }
        for (int a = 0; a < 3; a++) m[a] /= s;
        for (int j = 0; j < COUNT; j++) {
            double x[3], r2 = 0;
            for (int a = 0; a < 3; a++) x[a] = place[j][a] - place[i][a], r2 += x[a] * x[a];
            for (int a = 0; a < 3; a++)
                for (int e = 0; e < 3; e++) c[a][e] += weight(r2) * (x[a] - m[a]) * (x[e] - m[e]);
        }
        for (int a = 0; a < 3; a++) c[a][a] += 1e-3 * s * SPACING * SPACING;
        solve(c, m, b);
        for (int j = 0; j < COUNT; j++) {
            double r2 = 0, slant = 0;
            for (int a = 0; a < 3; a++) {
                const double x = place[j][a] - place[i][a];
                r2 += x * x, slant += b[a] * (m[a] - x);
            }
            row[i][j] = weight(r2) * (1 / s + slant);
        }
    }
}

static void reference(const double *dens, double acc[COUNT][3])
{
    double flow[COUNT][3] = {{0}}, force[COUNT][3] = {{0}};
    fit();
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
            for (int a = 0; a < 3; a++) flow[i][a] += row[i][j] * velocity[j][a];
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            double x[3], r2 = 0, approach = 0;
            for (int a = 0; a < 3; a++) {
                x[a] = place[i][a] - place[j][a], r2 += x[a] * x[a];
                approach += x[a] * (flow[i][a] - flow[j][a]);
            }
            if (i == j) continue;
            const double h2 = 4 * SPACING * SPACING, c = 10 * 1000 * NU * 1e-6 / (dens[i] * dens[j]) * slope(sqrt(r2)) *
                                                         approach / (r2 + 0.01 * h2);
            for (int a = 0; a < 3; a++) force[i][a] += c * x[a];
        }
    for (int i = 0; i < COUNT; i++)
        for (int a = 0; a < 3; a++) {
            acc[i][a] = 0;
            for (int j = 0; j < COUNT; j++) acc[i][a] += row[j][i] * force[j][a];
        }
}

static void follows_its_formula(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        const kernel_setup set = block(false);
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double acc[4 * COUNT], dens[COUNT], due[COUNT][3], largest = 0, sum[3] = {0}, power = 0;
        kernel_world_run(k, "force_begin force");
        kernel_world_read(k, "acc", acc);
        kernel_world_read(k, "dens", dens);
        kernel_world_free(k);
        reference(dens, due);
        for (int i = 0; i < COUNT; i++)
            for (int a = 0; a < 3; a++) largest = fmax(largest, fabs(due[i][a]));
        assert_true(largest > 0);
        for (int i = 0; i < COUNT; i++)
            for (int a = 0; a < 3; a++) {
                const double off = acc[4 * i + a] - due[i][a];
                if (!(fabs(off) < 1e-5 * largest))
                    fail_msg("%s: particle %d has %g, expected %g", kernel_backend(b), i, acc[4 * i + a], due[i][a]);
                sum[a] += acc[4 * i + a], power += acc[4 * i + a] * velocity[i][a];
            }
        for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 1e-5 * largest);
        assert_true(power < 0);
    }
}

/* Within what the 0.001 of the fit's matrix, for neighbours in a plane, takes. */
static void a_linear_flow_is_its_own_fit(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        const kernel_setup set = block(true);
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double flow[4 * COUNT];
        kernel_world_run(k, "force_begin force");
        kernel_world_read(k, "fitted_flow", flow);
        kernel_world_free(k);
        for (int i = 0; i < COUNT; i++)
            for (int a = 0; a < 3; a++) assert_true(fabs(flow[4 * i + a] - velocity[i][a]) < 2e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_its_formula),
                                       cmocka_unit_test(a_linear_flow_is_its_own_fit)};
    return cmocka_run_group_tests_name("fitted", tests, NULL, NULL);
}
