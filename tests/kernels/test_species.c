/* Transport of species on every backend: reference numbers of the published forms, and that nothing is lost or becomes negative. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "species/species.h"

static const char one_species[] = "species: [{name: soap}]\n";

/* -- reference numbers ------------------------------------------------------------------------------------------------------ */

/* Writes bulk and surface amounts and areas; the field of species 0 is lent as `amount`. */
static kernel_world *with_amounts(const char *backend, const double bulk[5], const double surface[5], const double area[5])
{
    kernel_setup setup = kernel_t5;
    setup.scene = one_species;
    kernel_world *k = kernel_world_new(&setup, backend);
    mn_world *w = k->world;
    double amount[20] = {0};
    for (int i = 0; i < 5; i++) amount[4 * i] = bulk[i], amount[4 * i + 2] = surface[i];
    assert_non_null(mn_world_field(w, MN_FIELD_area));
    kernel_world_write(k, "area", area);
    kernel_world_write(k, "amount_0", amount);
    kernel_world_run(k, "mixing mixing_room");
    w->field[MN_FIELD_origin] = w->field[MN_FIELD_pos];
    w->field[MN_FIELD_amount] = w->field[MN_FIELD_amount_0];
    return k;
}

/* What the launches changed of the amounts. */
static void changes(kernel_world *k, const double bulk[5], const double surface[5], double dq[5], double ds[5])
{
    double amount[20];
    kernel_world_read(k, "amount_0", amount);
    for (int i = 0; i < 5; i++) {
        dq[i] = amount[4 * i] + amount[4 * i + 1] - (double)(float)bulk[i];
        ds[i] = amount[4 * i + 2] + amount[4 * i + 3] - (double)(float)surface[i];
    }
    k->world->field[MN_FIELD_origin] = k->world->field[MN_FIELD_amount] = NULL;
}

static void compare(const char *what, const double *got, const double *wanted, double factor)
{
    double largest = 0;
    for (int i = 0; i < 5; i++) largest = fmax(largest, fabs(wanted[i]));
    for (int i = 0; i < 5; i++)
        if (fabs(got[i] * factor - wanted[i]) > 2e-5 * largest)
            fail_msg("%s of particle %d is %.9g, expected %.9g", what, i, got[i] * factor, wanted[i]);
}

/* The published form has amounts for concentrations and no normalisation: A = 1, around = 1, k_a V = sigma_a. */
static void adsorption(void **state)
{
    (void)state;
    static const double bulk[5] = {0.1, 0.3, 0.5, 0.2, 0.4}, surface[5] = {0.2}, area[5] = {1, 1}, ones[5] = {1, 1, 1, 1, 1};
    static const double ds_dt[5] = {0.8613318860, 1.5549883217},
                        dq_dt[5] = {-0.3523391821, -1.2025864392, -0.3258082603, -0.1889870793, -0.3465992468};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = with_amounts(kernel_backend(b), bulk, surface, area);
        const double dt = 1.0 / 1024, grid = ldexp(1.5, 23 - 30);
        kernel_world_write(k, "around", ones);
        mn_run(k->world, MN_KERNEL_adsorption_state, (real4){(float)(10 * 1e-3 * dt), (float)(0.1 * dt), 1, (float)(5 * dt)});
        mn_run(k->world, MN_KERNEL_adsorption, (real4){0, (float)grid, 0, 0});
        double dq[5], ds[5], sum = 0;
        changes(k, bulk, surface, dq, ds);
        compare("dS/dt", ds, ds_dt, 1 / dt);
        compare("dQ/dt", dq, dq_dt, 1 / dt);
        for (int i = 0; i < 5; i++) sum += dq[i] + ds[i];
        assert_true(sum == 0);
        kernel_world_free(k);
    }
}

static void surface_diffusion(void **state)
{
    (void)state;
    static const double area[5] = {2e-2, 1e-2, 1.5e-2, 1e-2, 0.5e-2}, s[5] = {1, 0, 0.5, 0.2, 0}, none[5] = {0};
    static const double ds_dt[5] = {-1.7290577039e-3, 1.0435135480e-3, 2.5832617930e-4, 3.3915205260e-4, 8.8065924053e-5};
    double surface[5];
    for (int i = 0; i < 5; i++) surface[i] = s[i] * area[i];
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = with_amounts(kernel_backend(b), none, surface, area);
        const double dt = 1.0 / 1024;
        const real4 arg = {(float)(1e-3 * dt), (float)ldexp(1.5, 23 - 40), 0, 0};
        mn_run(k->world, MN_KERNEL_surface_state, arg);
        mn_run(k->world, MN_KERNEL_surface_diffusion, arg);
        double dq[5], ds[5], sum = 0;
        changes(k, none, surface, dq, ds);
        compare("dS/dt", ds, ds_dt, 1 / dt);
        for (int i = 0; i < 5; i++) sum += ds[i];
        assert_true(sum == 0);
        kernel_world_free(k);
    }
}

/* The pair sum written down plainly. */
static void bulk_diffusion(void **state)
{
    (void)state;
    static const double bulk[5] = {0.1e-3, 0.3e-3, 0.5e-3, 0.2e-3, 0}, none[5] = {0};
    double dq_dt[5] = {0};
    const double h = 0.2, V = 1e-3;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            double r = 0;
            for (int c = 0; c < 3; c++) r += pow(kernel_t5.position[i][c] - kernel_t5.position[j][c], 2);
            r = sqrt(r);
            if (i == j || r >= h) continue;
            const double q = r / h, a = 1 - q, b = fmax(0.5 - q, 0), slope = 8 / (acos(-1) * pow(h, 4)) * (24 * b * b - 6 * a * a);
            dq_dt[i] += 2 * 1e-3 * V * V * (bulk[i] - bulk[j]) / V * slope / r;
        }
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = with_amounts(kernel_backend(b), bulk, none, none);
        const double dt = 1.0 / 1024;
        const real4 arg = {(float)(1e-3 * dt), (float)ldexp(1.5, 23 - 46), 0, 0};
        mn_run(k->world, MN_KERNEL_bulk_state, arg);
        mn_run(k->world, MN_KERNEL_bulk_diffusion, arg);
        double dq[5], ds[5], sum = 0;
        changes(k, bulk, none, dq, ds);
        compare("dQ/dt", dq, dq_dt, 1 / dt);
        for (int i = 0; i < 5; i++) sum += dq[i];
        assert_true(sum == 0);
        kernel_world_free(k);
    }
}

/* -- reaction --------------------------------------------------------------------------------------------------------------- */

/* dS, dR and the product of a launch of all reaction kernels. */
static void reaction(void **state)
{
    (void)state;
    static const double surface[5] = {0.5, 0.2, 0.1, 0, 0.3}, ones[5] = {1, 1, 1, 1, 1};
    static const double ds_dt[5] = {-0.8557449283, -0.3799295685, -0.0451996668, 0, -1.4321978541},
                        dr_dt[4] = {-0.7001393074, -0.6656561030, -0.2949269036, -1.0523497036};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_setup setup = kernel_t5_walls;
        setup.scene = "species: [{name: soap}, {name: foam}]\nsubstances: [{name: grease, coats: [{wall: wall1, coverage: 0}]}]\n";
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        mn_world *w = k->world;
        assert_int_equal(w->layout.bodies, 4);
        double amount[20] = {0};
        real4 coat[4];
        for (int i = 0; i < 5; i++) amount[4 * i + 2] = surface[i];
        for (int i = 0; i < 4; i++) coat[i] = (real4){1, 0, 1, 1};
        assert_non_null(mn_world_field(w, MN_FIELD_area));
        assert_non_null(mn_world_field(w, MN_FIELD_coat_0));
        kernel_world_write(k, "area", ones);
        kernel_world_write(k, "amount_0", amount);
        const size_t at = (size_t)w->layout.body_at * sizeof *coat;
        assert_true(w->api->put(w->device, w->field[MN_FIELD_coat_0], at, coat, sizeof coat));
        const double dt = 1.0 / 1024;
        const float rate = (float)(10 * dt), grid = (float)ldexp(1.5, 23 - 30);
        mn_species_lend(w, 0);
        w->field[MN_FIELD_coat] = w->field[MN_FIELD_coat_0];
        mn_run(w, MN_KERNEL_reaction_reach, (real4){rate, 2, 0, 0});
        mn_run_bodies(w, MN_KERNEL_coat_reach, (real4){rate, 1, 0, 0});
        mn_run(w, MN_KERNEL_reaction, (real4){rate, 2, grid, 0});
        mn_run_bodies(w, MN_KERNEL_coat_reaction, (real4){rate, 1, grid, 0});
        mn_species_lend(w, 1);
        mn_run(w, MN_KERNEL_reaction_product, MN_ARG(3));
        mn_species_lend(w, -1);
        w->field[MN_FIELD_coat] = NULL;
        assert_false(w->failed);
        double product[20], ds[5], dp[5], sum[3] = {0};
        kernel_world_read(k, "amount_0", amount);
        kernel_world_read(k, "amount_1", product);
        assert_true(w->api->get(w->device, w->field[MN_FIELD_coat_0], at, coat, sizeof coat));
        for (int i = 0; i < 5; i++) {
            ds[i] = amount[4 * i + 2] + amount[4 * i + 3] - (double)(float)surface[i];
            dp[i] = product[4 * i] + product[4 * i + 1];
            sum[0] += ds[i], sum[2] += dp[i];
            assert_true(3 * ds[i] + 2 * dp[i] == 0); /* to the last bit */
        }
        for (int i = 0; i < 4; i++) {
            const double dr = (double)coat[i].x + (double)coat[i].y - 1;
            sum[1] += dr;
            assert_float_equal(dr / dt, dr_dt[i], 2e-5);
        }
        compare("dS/dt", ds, ds_dt, 0.5 / dt);
        assert_true(sum[0] == 2 * sum[1] && sum[2] == -3 * sum[1]);
        kernel_world_free(k);
    }
}

/* Constants of the reference configurations: 1 within a few percent in the bulk, less along a film of two layers. */
static void reference_configurations(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    assert_float_equal(mn_species_bulk_moment(), 1.0200, 1e-3);
    const double film = mn_species_film_moment(say);
    mn_messages_free(say);
    printf("film moment %g\n", film);
    assert_true(film > 0.6 && film < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adsorption), cmocka_unit_test(surface_diffusion),
                                       cmocka_unit_test(bulk_diffusion), cmocka_unit_test(reaction),
                                       cmocka_unit_test(reference_configurations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
