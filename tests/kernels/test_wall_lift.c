/* The gradient of pressure next to walls, with wall_weight 1.78: what it is in the middle of the liquid, for a
 * particle on a lattice at rest beside a flat wall and in an edge; and a uniform pressure leaves the particle beside
 * a flat wall alone. On every backend. */
#include "kernels/kernel_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 200 };
static const double d = 0.1, rest = 0.11, packing = 1.0200417; /* of a lattice, kernels/pressure/packing.h */

typedef struct corner {
    double fluid[KERNEL_MOST][3], wall[POINTS][3];
    int fluid_count, wall_count, centre; /* the particle that has all its fluid neighbours */
} corner;

/* Liquid over y = 0, and with an edge also beside x = 0; z goes along both. */
static corner make(bool edge)
{
    corner c = {0};
    for (int z = -1; z <= 1; z++)
        for (int y = 0; y <= 1; y++)
            for (int x = edge ? 0 : -1; x <= 1; x++) {
                if (x == 0 && y == 0 && z == 0) c.centre = c.fluid_count;
                double *at = c.fluid[c.fluid_count++];
                at[0] = rest + x * d, at[1] = rest + y * d, at[2] = z * d;
            }
    for (int z = -3; z <= 2; z++)
        for (int k = edge ? 0 : -4; k <= 4; k++) {
            double *at = c.wall[c.wall_count++];
            at[0] = (edge ? 0 : rest) + k * d, at[2] = (z + 0.5) * d;
            if (!edge || k == 0) continue;
            double *side = c.wall[c.wall_count++];
            side[1] = k * d, side[2] = (z + 0.5) * d;
        }
    return c;
}

/* a(k) at the centre for k = 1 + slope z/d, in units of 1/(rho d). */
static void push_of(const corner *c, const char *backend, const char *pressure, double slope, double out[3])
{
    const kernel_setup setup = {.count = c->fluid_count,
                                .position = c->fluid,
                                .volume = 1e-3,
                                .wall_count = c->wall_count,
                                .wall = c->wall,
                                .wall_volume = 1.4273413e-3,
                                .spacing = d,
                                .dt = 1e-3,
                                .scene = pressure};
    kernel_world *k = kernel_world_new(&setup, backend);
    double probe[4 * KERNEL_MOST], push[4 * KERNEL_MOST];
    kernel_world_run(k, "wall_lift pressure_start");
    assert_int_equal(kernel_world_read(k, "trial", probe), 4);
    for (int i = 0; i < c->fluid_count; i++) probe[4 * i + 3] = 1e-3 * (1 + slope * c->fluid[i][2] / d);
    kernel_world_write(k, "trial", probe);
    kernel_world_run(k, "pressure_displace=0 wall_lift_displace=0");
    assert_int_equal(kernel_world_read(k, "displacement", push), 4);
    for (int a = 0; a < 3; a++) out[a] = push[4 * c->centre + a] / 1e-3 * 1000 * d;
    kernel_world_free(k);
}

static void gradient_along_the_wall(void **state)
{
    (void)state;
    static const char paper[] = "pressure: {model: dfsph, wall_weight: 1}\n",
                      ours[] = "pressure: {model: dfsph, wall_weight: 1.78}\n";
    for (int edge = 0; edge < 2; edge++) {
        const corner c = make(edge);
        const double seen = edge ? 0.7289614 : 0.8646056; /* by a lattice on the fluid's side alone */
        for (int b = 0; kernel_backend(b); b++) {
            double a[3], even[3];
            push_of(&c, kernel_backend(b), paper, 1, a);
            if (fabs(a[2] / -seen - 1) > 1e-4)
                fail_msg("%s: %g of the gradient, expected %g", kernel_backend(b), -a[2], seen);
            push_of(&c, kernel_backend(b), ours, 1, a);
            push_of(&c, kernel_backend(b), ours, 0, even);
            print_message("%s: %.4f of the gradient along %s, a uniform k pushes with %.4f k/(rho d)\n",
                          kernel_backend(b), -a[2] / packing, edge ? "an edge" : "a wall", even[1]);
            assert_true(fabs(a[2] / -packing - 1) < 0.03);
            assert_true(fabs(a[0] - even[0]) < 1e-5 && fabs(a[1] - even[1]) < 1e-5); /* nothing across it */
            assert_true(fabs(even[2]) < 1e-5 && fabs(even[1]) < (edge ? 0.06 : 0.03));
            assert_true(fabs(even[0]) < (edge ? 0.06 : 1e-5));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gradient_along_the_wall)};
    return cmocka_run_group_tests_name("wall lift", tests, NULL, NULL);
}
