/* Viscosity of Peer et al. 2015 on every backend: numbers worked out independently in double precision; momentum; and,
 * with gradients that are exact for linear fields, what the method promises: a rigid rotation stays, shear is left
 * times xi, expansion stays. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>

#define VISCOSITY(text) "    viscosity: {model: peer2015, " text "}\n"
#define TIGHT "tolerance: 1e-7, max_iterations: 1000"

/* The mean of the velocities, which the equations leave open, is that of the start. */
static const double five[] = {-0.010812390568,  -0.027401747129, -0.036721734844, -0.052376359878, 0.058276374518,
                              -0.0095855267035, -0.059674093402, -0.10403558749,  0.07849083788,   0.026814178642,
                              -0.051042339707,  -0.20517648667,  -0.053951334794, 0.17420329981,   0.17299291034};

static void five_particles(void **state)
{
    (void)state;
    const kernel_check row = {"peer2015", &kernel_t5, VISCOSITY("xi: 0.9, " TIGHT), NULL, "velocity", "vel", 3, 1,
                              five,       1e-5};
    kernel_check_all(&row, 1);
}

enum { BLOB = 60 };

/* A disordered blob with free surfaces all round; v = G x + offset, or at random where G is NULL. */
static void make_blob(double x[BLOB][3], double v[BLOB][3], const double G[3][3], double offset)
{
    unsigned seed = 5;
    for (int i = 0; i < BLOB; i++) {
        const int place[3] = {i % 4, i / 4 % 4, i / 16};
        for (int a = 0; a < 3; a++) {
            seed = seed * 1664525u + 1013904223u;
            x[i][a] = 0.09 * place[a] + 0.02 * ((double)(seed >> 8) / (1 << 24) - 0.5);
        }
        for (int a = 0; a < 3; a++) {
            seed = seed * 1664525u + 1013904223u;
            v[i][a] = G ? offset : (double)(seed >> 8) / (1 << 24) - 0.5;
            for (int b = 0; b < 3 && G; b++) v[i][a] += G[a][b] * x[i][b];
        }
    }
}

static void solve(const double x[BLOB][3], const double v[BLOB][3], const char *fluid, const char *backend,
                  double out[4 * BLOB])
{
    const kernel_setup setup = {
        .count = BLOB, .position = x, .velocity = v, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3, .fluid = fluid};
    kernel_world *k = kernel_world_new(&setup, backend);
    kernel_world_run(k, "velocity");
    kernel_world_read(k, "vel", out);
    kernel_world_free(k);
}

/* However early the iteration ends. */
static void keeps_momentum(void **state)
{
    (void)state;
    static const char *const fluids[] = {VISCOSITY("xi: 0.5, max_iterations: 3"), VISCOSITY("xi: 0, " TIGHT)};
    double x[BLOB][3], v[BLOB][3], out[4 * BLOB];
    make_blob(x, v, NULL, 0);
    for (int b = 0; kernel_backend(b); b++)
        for (int f = 0; f < 2; f++) {
            double change = 0, sum[3] = {0};
            solve((const double(*)[3])x, (const double(*)[3])v, fluids[f], kernel_backend(b), out);
            for (int i = 0; i < BLOB; i++)
                for (int a = 0; a < 3; a++) {
                    const double d = out[4 * i + a] - v[i][a];
                    change += fabs(d), sum[a] += d;
                }
            assert_true(change > 1);
            for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 2e-6 * change);
        }
}

/* v = G x becomes T x about the same centre: spin and expansion stay, shear is left times xi. The offset of 10 m/s is
 * the flight of the whole blob, which must not loosen the tolerance. */
static void linear_fields(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double before[3][3], after[3][3];
    } fields[] = {{"rotation", {{0, -3, 1}, {3, 0, 2}, {-1, -2, 0}}, {{0, -3, 1}, {3, 0, 2}, {-1, -2, 0}}},
                  {"shear", {{0, 4, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 2 + 2 * 0.7, 0}, {-2 + 2 * 0.7, 0, 0}, {0, 0, 0}}},
                  {"stretch", {{2, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{1.4, 0, 0}, {0, -0.7, 0}, {0, 0, -0.7}}},
                  {"expansion", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    for (int b = 0; kernel_backend(b); b++)
        for (int f = 0; f < (int)(sizeof fields / sizeof *fields); f++) {
            double x[BLOB][3], v[BLOB][3], out[4 * BLOB], centre[3] = {0}, mean[3] = {0};
            make_blob(x, v, fields[f].before, 10);
            solve((const double(*)[3])x, (const double(*)[3])v, VISCOSITY("xi: 0.7, corrected: 1, " TIGHT),
                  kernel_backend(b), out);
            for (int i = 0; i < BLOB; i++)
                for (int a = 0; a < 3; a++) centre[a] += x[i][a] / BLOB, mean[a] += v[i][a] / BLOB;
            for (int i = 0; i < BLOB; i++)
                for (int a = 0; a < 3; a++) {
                    double expected = mean[a];
                    for (int c = 0; c < 3; c++) expected += fields[f].after[a][c] * (x[i][c] - centre[c]);
                    if (fabs(out[4 * i + a] - expected) > 2e-5)
                        fail_msg("%s on %s: v[%d] of %d is %.9g, expected %.9g", fields[f].name, kernel_backend(b), a,
                                 i, out[4 * i + a], expected);
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(five_particles), cmocka_unit_test(keeps_momentum),
                                       cmocka_unit_test(linear_fields)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
