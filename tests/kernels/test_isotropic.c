/* Pressure that acts alike in all directions (pressure.isotropic): 64 particles in disorder, with and without a wall
 * under them, on every backend. The matrices of isotropic.h against sums in double; a flow without expansion that is
 * linear has no divergence; forces keep momentum and spin; and what pressure works is what its divergence takes. */
#include "kernels/kernel_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE, POINTS = 49 };
static const double d = 0.1, volume = 1e-3, density = 1000;
/* Flows without expansion, dv_a/dx_b: one anywhere, one past the wall y = 0. */
static const double flows[2][3][3] = {{{1, 2, -0.5}, {0.3, -3, 1}, {-1, 0.7, 2}}, {{0, 3, 0}, {0, 0, 0}, {0, -2, 0}}};

static double position[COUNT][3], velocity[COUNT][3], wall[POINTS][3];

/* between -1 and 1 */
static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

static kernel_setup cluster(bool walls, const char *scene)
{
    unsigned seed = 7;
    for (int i = 0; i < COUNT; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int c = 0; c < 3; c++) position[i][c] = d * (at[c] + 0.1 * noise(&seed)) + (c == 1 ? d : 0);
    }
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++) {
            velocity[i][c] = 0;
            for (int b = 0; b < 3; b++) velocity[i][c] += flows[walls][c][b] * position[i][b];
        }
    for (int k = 0; k < POINTS; k++) wall[k][0] = d * (k % 7 - 1.5), wall[k][1] = 0, wall[k][2] = d * (k / 7 - 1.5);
    return (kernel_setup){.count = COUNT,
                          .position = (const double(*)[3])position,
                          .velocity = (const double(*)[3])velocity,
                          .volume = volume,
                          .wall_count = walls ? POINTS : 0,
                          .wall = walls ? (const double(*)[3])wall : NULL,
                          .wall_volume = 1.4273413e-3,
                          .spacing = d,
                          .dt = 1e-3,
                          .scene = scene};
}

/* W'(r)/r of the cubic spline with support h. */
static double slope(double r, double h)
{
    const double pi = 3.14159265358979323846, q = r / h, a = fmax(1 - q, 0), b = fmax(0.5 - q, 0);
    return 8 / (pi * h * h * h) * (24 * b * b - 6 * a * a) / (h * r);
}

/* x_i - x_j times V gradW, whose sum is -M, and the second factor, whose sum is G */
static void add(double m[3][3], double g[3], const double *a, const double *b)
{
    const double x[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    const double f = volume * slope(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 2 * d);
    for (int r = 0; r < 3; r++) {
        g[r] += f * x[r];
        for (int c = 0; c < 3; c++) m[r][c] -= f * x[r] * x[c];
    }
}

static double between(double s) { return fmin(fmax(s, 0), 1); }

static double distance(const double *a, const double *b) { return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]); }

static bool sees_a_wall(const kernel_setup *setup, int i)
{
    for (int k = 0; k < setup->wall_count; k++)
        if (distance(setup->position[i], setup->wall[k]) < 2 * d) return true;
    return false;
}

/* B of isotropic.h of particle i; returns s. */
static double matrix(const kernel_setup *setup, int i, double even[3][3])
{
    double n[3][3] = {{0}}, g[3] = {0}, a[3][3], s = 1;
    for (int j = 0; j < COUNT; j++)
        if (j != i) add(n, g, setup->position[i], setup->position[j]);
    for (int j = 0; j < COUNT; j++)
        if (distance(setup->position[i], setup->position[j]) < 2 * d && sees_a_wall(setup, j)) s = 0;
    const double mean = (n[0][0] + n[1][1] + n[2][2]) / 3;
    for (int r = 0; r < 9; r++) n[r / 3][r % 3] /= mean;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            a[c][r] = n[(r + 1) % 3][(c + 1) % 3] * n[(r + 2) % 3][(c + 2) % 3] -
                      n[(r + 1) % 3][(c + 2) % 3] * n[(r + 2) % 3][(c + 1) % 3];
    const double det = n[0][0] * a[0][0] + n[0][1] * a[1][0] + n[0][2] * a[2][0];
    s *= between(4 * det - 2) * between(2 - 8 * d * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) even[r][c] = s * a[r][c] / det + (r == c ? 1 - s : 0);
    return s;
}

static const char on[] = "pressure: {model: dfsph, isotropic: true}\n", without[] = "pressure: {model: dfsph}\n";

/* B as in double; and D of the flow is 0 where it acts in full, and is not without the key. */
static void flow_has_no_divergence(void **state)
{
    (void)state;
    for (int walls = 0; walls < 2; walls++)
        for (int b = 0; kernel_backend(b); b++) {
            double axes[4 * COUNT], planes[4 * COUNT], source[COUNT], plain[COUNT], worst = 0, before = 0, off = 0;
            const kernel_setup s = cluster(walls, on), usual = cluster(walls, without);
            kernel_world *k = kernel_world_new(&usual, kernel_backend(b));
            kernel_world_read(k, "source", plain);
            kernel_world_free(k);
            k = kernel_world_new(&s, kernel_backend(b));
            kernel_world_run(k, "even_wall isotropic");
            kernel_world_read(k, "even_axes", axes);
            kernel_world_read(k, "even_planes", planes);
            kernel_world_read(k, "source", source);
            kernel_world_free(k);
            int whole = 0;
            for (int i = 0; i < COUNT; i++) {
                const double *p = axes + 4 * i, *q = planes + 4 * i;
                const double even[3][3] = {{p[0], q[0], q[1]}, {q[0], p[1], q[2]}, {q[1], q[2], p[2]}};
                double expected[3][3];
                const double share = matrix(&s, i, expected);
                for (int c = 0; c < 9; c++) off = fmax(off, fabs(even[c / 3][c % 3] - expected[c / 3][c % 3]));
                if (share < 0.999999 || plain[i] < -1e19) continue; /* spray has no D */
                whole++;
                worst = fmax(worst, fabs(source[i])), before = fmax(before, fabs(plain[i]));
            }
            print_message("%s, %s: B off by %.1e; divergence of %d particles %.1e 1/s, without the key %.2f\n",
                          kernel_backend(b), walls ? "wall" : "free", off, whole, worst, before);
            assert_true(whole >= (walls ? 1 : 4) && off < 2e-5 && worst < 2e-5 && before > 0.05);
        }
}

/* In a sheet of one layer, and where a particle is alone, B is 1. */
static void thin_films_are_left_alone(void **state)
{
    (void)state;
    kernel_setup s = cluster(false, on);
    for (int i = 0; i < COUNT; i++) position[i][0] = 0.9 * d * (i % 8), position[i][1] = d * (i / 8);
    for (int i = 0; i < COUNT; i++) position[i][2] = i ? 0.02 * d * (i % 3) : 10 * d;
    for (int b = 0; kernel_backend(b); b++) {
        double axes[4 * COUNT], planes[4 * COUNT];
        kernel_world *k = kernel_world_new(&s, kernel_backend(b));
        kernel_world_run(k, "even_wall isotropic");
        kernel_world_read(k, "even_axes", axes);
        kernel_world_read(k, "even_planes", planes);
        kernel_world_free(k);
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++) assert_true(axes[4 * i + c] == 1 && planes[4 * i + c] == 0);
    }
}

/* a(k) in m and D(a(k)) of random k between 0 and 1 */
static void solve(kernel_world *k, unsigned seed, double *unknown, double *push, double *rate)
{
    double trial[4 * COUNT], product[COUNT], grad[4 * COUNT];
    kernel_world_read(k, "trial", trial);
    for (int i = 0; i < COUNT; i++) {
        unknown[i] = 0.5 + 0.5 * noise(&seed);
        trial[4 * i + 3] = volume * unknown[i];
    }
    kernel_world_write(k, "trial", trial);
    kernel_world_run(k, "pressure_displace=0");
    kernel_world_run(k, "pressure_curve");
    kernel_world_read(k, "displacement", push);
    kernel_world_read(k, "scaled_product", product);
    kernel_world_read(k, "grad", grad);
    for (int i = 0; i < COUNT; i++) rate[i] = -product[i] * grad[4 * i + 3];
}

/* Displacements keep momentum and spin (beside a wall, with what the wall bears); the matrix is symmetric, and the work
 * of k on D(a) is what moves the particles. */
static void forces_keep_what_they_must(void **state)
{
    (void)state;
    for (int walls = 0; walls < 2; walls++)
        for (int b = 0; kernel_backend(b); b++) {
            const kernel_setup s = cluster(walls, on);
            kernel_world *k = kernel_world_new(&s, kernel_backend(b));
            double first[COUNT], second[COUNT], push[4 * COUNT], rate[COUNT], other[COUNT], work = 0, motion = 0;
            double sum[3] = {0}, spin[3] = {0}, size = 0, forth = 0, back = 0;
            kernel_world_run(k, "even_wall isotropic pressure_start");
            solve(k, 3, second, push, other);
            solve(k, 5, first, push, rate);
            for (int i = 0; i < COUNT; i++) {
                const double *x = s.position[i], *a = push + 4 * i;
                for (int c = 0; c < 3; c++) {
                    sum[c] += a[c], size += fabs(a[c]), motion += density * a[c] * a[c] / volume;
                    spin[c] += x[(c + 1) % 3] * a[(c + 2) % 3] - x[(c + 2) % 3] * a[(c + 1) % 3];
                }
                work -= volume * first[i] * rate[i];
                forth += volume * second[i] * rate[i], back += volume * first[i] * other[i];
            }
            print_message("%s, %s: momentum %.1e, spin %.1e, work over motion - 1 %.1e, asymmetry %.1e\n",
                          kernel_backend(b), walls ? "wall" : "free",
                          fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))) / size,
                          fmax(fabs(spin[0]), fmax(fabs(spin[1]), fabs(spin[2]))) / (size * SIDE * d),
                          work / motion - 1, forth / back - 1);
            for (int c = 0; c < 3 && !walls; c++)
                assert_true(fabs(sum[c]) < 1e-6 * size && fabs(spin[c]) < 1e-6 * size * SIDE * d);
            assert_true(fabs(work / motion - 1) < 1e-5 && fabs(forth / back - 1) < 1e-5);
            kernel_world_free(k);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flow_has_no_divergence),
                                       cmocka_unit_test(thin_films_are_left_alone),
                                       cmocka_unit_test(forces_keep_what_they_must)};
    return cmocka_run_group_tests_name("isotropic pressure", tests, NULL, NULL);
}
