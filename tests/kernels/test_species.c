/* Transport of species on every backend: reference numbers of the published forms, and that nothing is lost or
 * becomes negative. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "species/species.h"

static const char one_species[] = "species: [{name: soap}]\n";

/* -- reference numbers --------------------------------------------------------------------------------------------- */

/* Writes bulk and surface amounts and areas; the field of species 0 is lent as `amount`. */
static kernel_world *with_amounts(const char *backend, const double bulk[5], const double surface[5],
                                  const double area[5])
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
    w->field[MN_FIELD_origin] = w->field[MN_FIELD_pos];
    kernel_world_run(k, "mixing");
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
    static const double bulk[5] = {0.1, 0.3, 0.5, 0.2, 0.4}, surface[5] = {0.2}, area[5] = {1, 1},
                        ones[5] = {1, 1, 1, 1, 1};
    static const double ds_dt[5] = {0.8613318860, 1.5549883217},
                        dq_dt[5] = {-0.3523391821, -1.2025864392, -0.3258082603, -0.1889870793, -0.3465992468};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = with_amounts(kernel_backend(b), bulk, surface, area);
        const double dt = ldexp(1, -22), grid = ldexp(1.5, 23 - 42); /* so short that nothing is held back */
        kernel_world_write(k, "around", ones);
        mn_run(k->world, MN_KERNEL_adsorption_state,
               (real4){(float)(10 * 1e-3 * dt), (float)(0.1 * dt), 1, (float)(5 * dt)});
        mn_run(k->world, MN_KERNEL_adsorption_reach, MN_ARG(10 * 1e-3 * dt));
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

/* W'/r of two of the five particles, 0 beyond the support. */
static double slope_of(int i, int j, double *r2)
{
    const double h = 0.2;
    *r2 = 0;
    for (int c = 0; c < 3; c++) *r2 += pow(kernel_t5.position[i][c] - kernel_t5.position[j][c], 2);
    const double r = sqrt(*r2), q = r / h, a = 1 - q, b = fmax(0.5 - q, 0);
    return i == j || q >= 1 ? 0 : 8 / (acos(-1) * pow(h, 4)) * (24 * b * b - 6 * a * a) / r;
}

/* Moments and pair sums written down plainly; no normals, so distances count whole. */
static void surface_diffusion(void **state)
{
    (void)state;
    static const double area[5] = {2e-2, 1e-2, 1.5e-2, 1e-2, 0.5e-2}, s[5] = {1, 0, 0.5, 0.2, 0}, none[5] = {0},
                        V = 1e-3, least = 0.02;
    double surface[5], moment[5] = {0}, ds_dt[5] = {0}, fastest = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 5; i++) {
            double rate = 0;
            for (int j = 0; j < 5; j++) {
                double r2;
                const double f = slope_of(i, j, &r2), c = -4 * area[i] * area[j] / (area[i] + area[j]) * V * f;
                if (pass == 0) moment[i] += c * r2 / (4 * area[i]);
                else {
                    const double g = c * 0.5 * (1 / fmax(moment[i], least) + 1 / fmax(moment[j], least));
                    ds_dt[i] += 1e-3 * g * (s[j] - s[i]), rate += g / area[i];
                }
            }
            fastest = fmax(fastest, rate);
        }
    for (int i = 0; i < 5; i++) surface[i] = s[i] * area[i];
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = with_amounts(kernel_backend(b), none, surface, area);
        const double dt = 1.0 / 1024;
        double top[4];
        mn_run(k->world, MN_KERNEL_film_moment, MN_ARG(least));
        mn_run_max(k->world, MN_KERNEL_film_links, MN_NO_ARG, top);
        assert_float_equal(top[0] / fastest, 1, 1e-5);
        mn_run(k->world, MN_KERNEL_species_film, MN_NO_ARG);
        mn_run(k->world, MN_KERNEL_surface_diffusion, (real4){(float)(1e-3 * dt), (float)ldexp(1.5, 23 - 40), 0, 0});
        double dq[5], ds[5], sum = 0;
        changes(k, none, surface, dq, ds);
        compare("dS/dt", ds, ds_dt, 1 / dt);
        for (int i = 0; i < 5; i++) sum += ds[i];
        assert_true(sum == 0);
        kernel_world_free(k);
    }
}

/* A share of what lies on a surface leaves; the sum is what is booked, and particles without a surface keep what
 * they have. */
static void evaporation(void **state)
{
    (void)state;
    static const double bulk[5] = {0.1, 0.3, 0.5, 0.2, 0.4}, surface[5] = {0.2, 0.1, 0, 0.4, 0.3},
                        area[5] = {2e-2, 1e-2, 1.5e-2, 0, 0.5e-2};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = with_amounts(kernel_backend(b), bulk, surface, area);
        double dq[5], ds[5], booked[4], sum = 0;
        mn_run_sum(k->world, MN_KERNEL_evaporation, MN_ARG(0.25), booked);
        changes(k, bulk, surface, dq, ds);
        for (int i = 0; i < 5; i++) {
            assert_true(dq[i] == 0);
            assert_float_equal(ds[i], area[i] > 0 ? -0.25 * surface[i] : 0, 1e-7);
            sum += ds[i];
        }
        assert_float_equal(-sum / booked[0], 1, 1e-12);
        kernel_world_free(k);
    }
}

/* The pair sum written down plainly. */
static void bulk_diffusion(void **state)
{
    (void)state;
    static const double bulk[5] = {0.1e-3, 0.3e-3, 0.5e-3, 0.2e-3, 0}, none[5] = {0};
    double dq_dt[5] = {0}, r2;
    const double V = 1e-3;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) dq_dt[i] += 2 * 1e-3 * V * (bulk[i] - bulk[j]) * slope_of(i, j, &r2);
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

/* -- reaction ------------------------------------------------------------------------------------------------------ */

/* dS, dR and the product of a launch of all reaction kernels. */
static void reaction(void **state)
{
    (void)state;
    static const double surface[5] = {0.5, 0.2, 0.1, 0, 0.3}, ones[5] = {1, 1, 1, 1, 1};
    static const double ds_dt[5] = {-0.8557449283, -0.3799295685, -0.0451996668, 0, -1.4321978541},
                        dr_dt[4] = {-0.7001393074, -0.6656561030, -0.2949269036, -1.0523497036};
    for (int b = 0; kernel_backend(b); b++) {
        kernel_setup setup = kernel_t5_walls;
        setup.scene = "species: [{name: soap}, {name: foam}]\nsubstances: [{name: grease, coats: [{wall: wall1, "
                      "coverage: 0}]}]\n";
        kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
        mn_world *w = k->world;
        assert_int_equal(w->layout.active, 4);
        double amount[20] = {0};
        real4 coat[4];
        for (int i = 0; i < 5; i++) amount[4 * i + 2] = surface[i];
        for (int i = 0; i < 4; i++) coat[i] = (real4){1, 0, 1, 1};
        assert_non_null(mn_world_field(w, MN_FIELD_area));
        assert_non_null(mn_world_field(w, MN_FIELD_coat_0));
        kernel_world_write(k, "area", ones);
        kernel_world_write(k, "amount_0", amount);
        const size_t at = (size_t)w->layout.active_at * sizeof *coat;
        assert_true(w->api->put(w->device, w->field[MN_FIELD_coat_0], at, coat, sizeof coat));
        const double dt = 1.0 / 1024;
        const float rate = (float)(10 * dt), grid = (float)ldexp(1.5, 23 - 30);
        mn_species_lend(w, 0);
        w->field[MN_FIELD_origin] = w->field[MN_FIELD_pos];
        w->field[MN_FIELD_coat] = w->field[MN_FIELD_coat_0];
        mn_run(w, MN_KERNEL_reaction_reach, (real4){rate, 2, 0, 0});
        mn_run_active(w, MN_KERNEL_coat_reach, (real4){rate, 1, 0, 0});
        mn_run(w, MN_KERNEL_reaction, (real4){rate, 2, grid, 0});
        mn_run_active(w, MN_KERNEL_coat_reaction, (real4){rate, 1, grid, 0});
        mn_species_lend(w, 1);
        mn_run(w, MN_KERNEL_reaction_product, MN_ARG(3));
        mn_species_lend(w, -1);
        w->field[MN_FIELD_coat] = w->field[MN_FIELD_origin] = NULL;
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
    params par = {.spacing = 0.01f, .h = 0.02f};
    assert_true(mn_surface_constants(&par));
    assert_float_equal(mn_species_bulk_moment(&par), 1.0200, 1e-3);
    print_message("film: %.3f spacings deep, moment %.4f\n", (double)par.constants.orthmann2013.under / 0.01,
                  mn_species_film_moment(&par));
    assert_float_equal(mn_species_film_moment(&par), 0.7, 0.1);
    assert_float_equal(par.constants.orthmann2013.under / 0.01f, 0.7, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adsorption),     cmocka_unit_test(surface_diffusion),
                                       cmocka_unit_test(bulk_diffusion), cmocka_unit_test(evaporation),
                                       cmocka_unit_test(reaction),       cmocka_unit_test(reference_configurations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
