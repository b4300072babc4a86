/* The exported pressure: what both solvers of dfsph did, in the unit of the particles' packing; on every backend. */
#include "kernels/kernel_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE };

static kernel_setup lattice(void)
{
    static double position[COUNT][3];
    for (int i = 0; i < COUNT; i++) {
        position[i][0] = 0.1 * (i % SIDE);
        position[i][1] = 0.1 * (i / SIDE % SIDE);
        position[i][2] = 0.1 * (i / SIDE / SIDE);
    }
    return (kernel_setup){
        .count = COUNT, .position = (const double(*)[3])position, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3};
}

/* r W'(r) of the cubic spline with support h. */
static double slope(double r, double h)
{
    const double pi = 3.14159265358979323846, q = r / h, a = fmax(1 - q, 0), b = fmax(0.5 - q, 0);
    return 8 / (pi * h * h * h) * (24 * b * b - 6 * a * a) * q;
}

/* Eight of the particles have all 26 neighbours. */
static void packing_of_a_lattice(void **state)
{
    (void)state;
    const kernel_setup setup = lattice();
    const double d = 0.1, h = 0.2;
    const double c = -1e-3 / 3 * (6 * slope(d, h) + 12 * slope(sqrt(2) * d, h) + 8 * slope(sqrt(3) * d, h));
    assert_true(fabs(c - 1.020) < 5e-4);
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double sum[4];
        kernel_world_sum(k, "packing", sum);
        assert_true(sum[1] == 8 && fabs(sum[0] / 8 - c) < 2e-6);
        kernel_world_free(k);
    }
}

/* p = c n^2 (kappa/dt^2 + kappa_div/dt), c the mean packing from the first step on. */
static void pressure_counts_both_solvers(void **state)
{
    (void)state;
    const kernel_setup setup = lattice();
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        double kappa[COUNT], impulse[COUNT], dens[COUNT], got[COUNT], sum[4];
        /* all fields exist, the scale is known */
        kernel_world_run(k, "prepare force_begin force advance velocity pressure");
        for (int i = 0; i < COUNT; i++) kappa[i] = 1e-3 + 1e-5 * i, impulse[i] = 0.3 + 0.01 * i;
        kernel_world_write(k, "kappa", kappa);
        kernel_world_write(k, "kappa_div", impulse);
        kernel_world_read(k, "dens", dens);
        kernel_world_sum(k, "packing", sum);
        for (int steps = 0; steps < 2; steps++) {
            k->world->steps = steps;
            kernel_world_read(k, "pressure", got);
            for (int i = 0; i < COUNT; i++) {
                const double p =
                    (steps ? sum[0] / sum[1] : 1) * dens[i] * dens[i] * (kappa[i] / 1e-6 + impulse[i] / 1e-3);
                if (fabs(got[i] - p) > 1e-5 * p) fail_msg("%s: %g Pa, expected %g", kernel_backend(b), got[i], p);
            }
        }
        kernel_world_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packing_of_a_lattice),
                                       cmocka_unit_test(pressure_counts_both_solvers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
