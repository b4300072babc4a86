/* Species on liquids at rest, against formulas: films on drops, the isotherm, the decay of a wave, and what leaves
 * the surface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/parts.h"
#include "methods/methods.h"
#include "species/species.h"
#include "boundary/points.h"
#include "core/world.h"

/* A liquid whose particles stay where they are. */
typedef struct still {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
    int n;
    real4 *pos, *amount;
    float *area;
} still;

static void fetch(still *s)
{
    mn_world *w = s->world;
    assert_false(w->failed);
    assert_true(w->api->get(w->device, w->field[MN_FIELD_pos], 0, s->pos, (size_t)s->n * sizeof *s->pos));
    assert_true(w->api->get(w->device, w->field[mn_species_field(0)], 0, s->amount, (size_t)s->n * sizeof *s->amount));
    if (w->field[MN_FIELD_area])
        assert_true(w->api->get(w->device, w->field[MN_FIELD_area], 0, s->area, (size_t)s->n * sizeof *s->area));
}

static void put_amounts(still *s)
{
    assert_true(s->world->api->put(s->world->device, s->world->field[mn_species_field(0)], 0, s->amount,
                                   (size_t)s->n * sizeof *s->amount));
}

static still *still_new(const char *text)
{
    still *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->say = mn_messages_new();
    s->scene = mn_scene_parse(text, strlen(text), "still", NULL, 0, s->say);
    const mn_options options = {"cpu", 1};
    s->world = s->scene ? mn_world_new(s->scene, &options, s->say) : NULL;
    for (int m = 0; m < mn_messages_count(s->say); m++) print_error("%s\n", mn_messages_get(s->say, m).text);
    assert_non_null(s->world);
    mn_world *w = s->world;
    mn_world_parameters(w);
    mn_search(w, s->say);
    mn_run(w, MN_KERNEL_density, MN_NO_ARG);
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].model && w->parts[p].system->at[MN_AT_surface])
            w->parts[p].system->at[MN_AT_surface](w, w->parts[p].me);
    s->n = w->layout.fluid;
    s->pos = calloc((size_t)s->n, sizeof *s->pos);
    s->amount = calloc((size_t)s->n, sizeof *s->amount);
    s->area = calloc((size_t)s->n, sizeof *s->area);
    assert_true(s->pos && s->amount && s->area);
    fetch(s);
    return s;
}

static void still_free(still *s)
{
    mn_world_free(s->world);
    mn_scene_free(s->scene);
    mn_messages_free(s->say);
    free(s->pos), free(s->amount), free(s->area), free(s);
}

static void wait(still *s, double dt, int steps)
{
    for (int k = 0; k < steps; k++) {
        mn_world_set_dt(s->world, dt);
        mn_species_system.at[MN_AT_transport](s->world, mn_species_of(s->world));
    }
    fetch(s);
}

static double total_of(const still *s)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += (double)s->amount[i].x + (double)s->amount[i].y + (double)s->amount[i].z + (double)s->amount[i].w;
    return sum;
}

static void none_negative(const still *s)
{
    for (int i = 0; i < s->n; i++) assert_true(s->amount[i].x >= 0 && s->amount[i].z >= 0);
}

/* -- films --------------------------------------------------------------------------------------------------------- */

static double legendre(int l, const real4 *x)
{
    const double r = sqrt((double)x->x * (double)x->x + (double)x->y * (double)x->y + (double)x->z * (double)x->z),
                 c = (double)x->z / r;
    return l == 1 ? c : 0.5 * (3 * c * c - 1);
}

/* The amplitude of a mode over the film of a drop decays at l(l+1) D/R^2, R that of the ball of so much liquid. */
static double decay(double radius, const char *sampling, int l)
{
    char text[400];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
             "fluids: [{%s, shapes: [{sphere: {radius: %g}}], surface: {model: orthmann2013, smoothing: 1}}]\n"
             "species: [{name: soap, surface: {diffusion: 1e-4, capacity: 1, feedback: 0}}]\n",
             sampling, 0.01 * radius);
    still *s = still_new(text);
    double volume = 0, before = 0, after = 0;
    for (int i = 0; i < s->n; i++) {
        const double a = (double)s->area[i], y = legendre(l, &s->pos[i]);
        s->amount[i] = (real4){0, 0, (float)(a * (1 + 0.5 * y)), 0};
        volume += (double)s->pos[i].w;
        before += (double)s->amount[i].z * y - a * y;
    }
    put_amounts(s);
    const double total = total_of(s), r2 = pow(0.75 / acos(-1) * volume, 2.0 / 3),
                 time = 0.4 * r2 / (l * (l + 1) * 1e-4);
    wait(s, time / 40, 40);
    for (int i = 0; i < s->n; i++) {
        const double y = legendre(l, &s->pos[i]);
        after += ((double)s->amount[i].z - (double)s->area[i]) * y;
    }
    none_negative(s);
    assert_float_equal(total_of(s) / total, 1, 1e-12);
    still_free(s);
    return log(before / after) / 0.4;
}

static void modes_on_a_sphere(void **state)
{
    (void)state;
    static const double radii[] = {6, 8, 10, 14};
    static const char *const samplings[] = {"sampling: lattice", "jitter: 0.1", "sampling: poisson, seed: 0",
                                            "sampling: poisson, seed: 3"};
    int bad = 0;
    for (int r = 0; r < 4; r++)
        for (int k = 0; k < 4; k++) {
            const double one = decay(radii[r], samplings[k], 1), two = decay(radii[r], samplings[k], 2);
            print_message("drop of %g spacings, %s: l = 1 %.3f, l = 2 %.3f\n", radii[r], samplings[k], one, two);
            if (fabs(one - 1) > 0.05 || fabs(two - 1) > 0.05) bad++;
        }
    assert_int_equal(bad, 0);
}

/* -- isotherm ------------------------------------------------------------------------------------------------------ */

/* Left alone, the film is in balance with the bulk: S/S_0 = K Q/(1 + K Q), K = k_a/k_f, at three fillings and two
 * spacings. */
static void langmuir(void **state)
{
    (void)state;
    static const double start[] = {0.3, 1, 10}, spacing[] = {0.01, 0.005};
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) {
            char text[600];
            snprintf(text, sizeof text,
                     "particles: {spacing: %g}\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
                     "fluids: [{shapes: [{sphere: {radius: 0.05}}], surface: {model: orthmann2013, smoothing: 1}}]\n"
                     "species: [{name: soap, diffusion: 1e-3, start: [{concentration: %g}],\n"
                     "  surface: {adsorption: 10, desorption: 5, capacity: 2e-3, diffusion: 1e-3}}]\n",
                     spacing[d], start[k]);
            still *s = still_new(text);
            const double total = total_of(s);
            wait(s, 0.01, 200);
            double bulk = 0, volume = 0, film = 0, area = 0;
            for (int i = 0; i < s->n; i++)
                bulk += (double)s->amount[i].x, volume += (double)s->pos[i].w, film += (double)s->amount[i].z,
                    area += (double)s->area[i];
            const double q = 2 * bulk / volume, expected = q / (1 + q);
            assert_float_equal(film / area / 2e-3 / expected, 1, 0.02);
            assert_float_equal(total_of(s) / total, 1, 1e-12);
            none_negative(s);
            still_free(s);
        }
}

/* A film too thin to empty the bulk comes to rest as 1 - exp(-(k_a Q + k_f) t), in steps of any length. */
static void kinetics(void **state)
{
    (void)state;
    static const double step[] = {0.02, 0.1, 0.25, 100}, allowed[] = {0.001, 0.001, 0.001, 0.001};
    for (int k = 0; k < 4; k++) {
        still *s =
            still_new("particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
                      "fluids: [{shapes: [{sphere: {radius: 0.05}}], surface: {model: orthmann2013, smoothing: 1}}]\n"
                      "species: [{name: soap, start: [{concentration: 1}],\n"
                      "  surface: {adsorption: 10, desorption: 5, capacity: 1e-6}}]\n");
        const double total = total_of(s);
        wait(s, step[k], 1);
        double film = 0, area = 0;
        for (int i = 0; i < s->n; i++) film += (double)s->amount[i].z, area += (double)s->area[i];
        print_message("a step of %g s: %.4f of the balance\n", step[k], film / area / (1e-6 * 10 / 15));
        assert_float_equal(film / area / (1e-6 * 10 / 15), 1 - exp(-15 * step[k]), allowed[k]);
        assert_float_equal(total_of(s) / total, 1, 1e-12);
        none_negative(s);
        still_free(s);
    }
}

/* A wave along the flat surface of a periodic pool, lattice or not, decays as exp(-D k^2 t). */
static void flat_film(void **state)
{
    (void)state;
    static const char *const samplings[] = {"jitter: 0", "jitter: 0.1"};
    for (int j = 0; j < 2; j++) {
        char text[500];
        snprintf(text, sizeof text,
                 "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
                 "domain: {min: [0, -1, 0], max: [0.24, 1, 0.1], periodic: [x, z]}\n"
                 "fluids: [{%s, shapes: [{box: {grid: [24, 8, 10], origin: [0.005, 0.005, 0.005]}}], surface: {model: "
                 "orthmann2013, smoothing: 1}}]\n"
                 "species: [{name: soap, surface: {diffusion: 1e-4, capacity: 1, feedback: 0}}]\n",
                 samplings[j]);
        still *s = still_new(text);
        const double k = 2 * acos(-1) / 0.24;
        double before = 0, after = 0;
        for (int i = 0; i < s->n; i++) {
            const double y = cos(k * (double)s->pos[i].x);
            s->amount[i] = (real4){0, 0, (float)((double)s->area[i] * (1 + 0.5 * y)), 0};
            before += ((double)s->amount[i].z - (double)s->area[i]) * y;
        }
        put_amounts(s);
        const double total = total_of(s);
        wait(s, 0.5 / (1e-4 * k * k) / 20, 20);
        for (int i = 0; i < s->n; i++)
            after += ((double)s->amount[i].z - (double)s->area[i]) * cos(k * (double)s->pos[i].x);
        print_message("flat film, %s: %.3f\n", samplings[j], log(before / after) / 0.5);
        assert_float_equal(log(before / after) / 0.5, 1, 0.05);
        assert_float_equal(total_of(s) / total, 1, 1e-12);
        none_negative(s);
        still_free(s);
    }
}

/* -- feedback ------------------------------------------------------------------------------------------------------ */

/* Particles without a surface give all of their film back to the bulk, at the rate asked for. */
static void feedback(void **state)
{
    (void)state;
    still *s = still_new("particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
                         "fluids: [{shapes: [{sphere: {radius: 0.05}}]}]\n"
                         "species: [{name: soap, surface: {adsorption: 0, capacity: 1, feedback: 5}}]\n");
    for (int i = 0; i < s->n; i++) s->amount[i].z = (float)(1e-6 * (1 + i % 7));
    put_amounts(s);
    const double total = total_of(s);
    wait(s, 0.001, 200);
    double film = 0;
    for (int i = 0; i < s->n; i++) film += (double)s->amount[i].z;
    assert_float_equal(film / total, exp(-1), 0.01);
    wait(s, 1, 20);
    film = 0;
    for (int i = 0; i < s->n; i++) film += (double)s->amount[i].z;
    assert_true(film / total < 1e-6);
    assert_float_equal(total_of(s) / total, 1, 1e-12);
    none_negative(s);
    still_free(s);
}

/* -- bulk ---------------------------------------------------------------------------------------------------------- */

/* A wave in a periodic box decays as exp(-D k^2 t), and what crosses the faces arrives to the last bit. */
static void wave(void **state)
{
    (void)state;
    still *s =
        still_new("particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
                  "domain: {min: [-0.033, 0.1, 0.7], max: [0.207, 0.2, 0.8], periodic: [x, y, z]}\n"
                  "fluids: [{jitter: 0.1, shapes: [{box: {grid: [24, 10, 10], origin: [-0.028, 0.105, 0.705]}}]}]\n"
                  "species: [{name: dye, diffusion: 1e-4}]\n");
    const double k = 2 * acos(-1) / 0.24;
    double before = 0, after = 0;
    for (int i = 0; i < s->n; i++) {
        const double y = cos(k * (double)s->pos[i].x);
        s->amount[i] = (real4){(float)(1e-6 * (1 + y)), 0, 0, 0};
        before += (double)s->amount[i].x * y;
    }
    put_amounts(s);
    const double total = total_of(s);
    wait(s, 0.5 / (1e-4 * k * k) / 100, 100);
    for (int i = 0; i < s->n; i++) after += (double)s->amount[i].x * cos(k * (double)s->pos[i].x);
    assert_float_equal(log(before / after), 0.5, 0.5 * 0.03);
    assert_float_equal(total_of(s) / total, 1, 1e-14);
    none_negative(s);
    still_free(s);
}

/* -- everything at once -------------------------------------------------------------------------------------------- */

/* A scene in which everything goes on at once. */
static mn_world *busy_world(const char *text, mn_messages *say, mn_scene **scene)
{
    *scene = mn_scene_parse(text, strlen(text), "busy", NULL, 0, say);
    const mn_options options = {"cpu", 1};
    mn_world *w = *scene ? mn_world_new(*scene, &options, say) : NULL;
    for (int m = 0; m < mn_messages_count(say); m++) print_error("%s\n", mn_messages_get(say, m).text);
    assert_non_null(w);
    return w;
}

/* Nothing is below zero, nowhere more of the substance than at the start. */
static void all_in_bounds(mn_world *w, mn_messages *say, float most)
{
    float *values = calloc((size_t)w->layout.fluid, sizeof *values),
          *coat = calloc((size_t)mn_world_boundary_points(w), sizeof *coat);
    static const char *const names[] = {"soap", "soap_surface", "dirt", "dirt_surface"};
    for (int f = 0; f < 4; f++) {
        assert_int_equal(mn_world_get(w, names[f], values, say), MN_OK);
        for (int i = 0; i < w->layout.fluid; i++) assert_true(values[i] >= 0);
    }
    assert_int_equal(mn_world_coverage(w, "grease", coat, say), MN_OK);
    for (int i = 0; i < mn_world_boundary_points(w); i++) assert_true(coat[i] >= 0 && coat[i] < most);
    free(values), free(coat);
}

/* Nothing is lost while liquid that carries detergent is poured, washes grease off and flows away; the reaction
 * keeps its proportions. */
static void washing(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.05}\ntime: {step: 0.003, end: 1}\n"
        "fluids:\n"
        "  - shapes: [{box: {grid: [12, 5, 9], origin: [0.06, 0.06, 0.06]}}]\n"
        "    emitters: [{disc: {radius: 0.11}, position: [0.35, 0.6, 0.25], direction: [0.3, -1, 0], speed: 6}]\n"
        "    surface: {model: orthmann2013, walls: 0}\n"
        "walls: [{name: tub, shapes: [{box: {min: [0, 0, 0], max: [1, 1, 0.52], inside_out: true, open: [top]}}]}]\n"
        "sinks: [{shape: {box: {min: [0.8, 0, 0], max: [1, 0.2, 0.52]}}}]\n"
        "species:\n"
        "  - {name: soap, diffusion: 1e-3, surface: {adsorption: 100, desorption: 1, capacity: 0.05, diffusion: 0.01, "
        "evaporation: "
        "3},\n"
        "     start: [{concentration: 1, shape: {sphere: {centre: [0.4, 0.2, 0.3], radius: 0.2}}}], inflow: "
        "[{concentration: 2}]}\n"
        "  - {name: dirt, diffusion: 1e-3}\n"
        "substances: [{name: grease, coats: [{wall: tub, coverage: 0.01}]}]\n"
        "reactions: [{species: soap, substance: grease, product: dirt, rate: 500, coefficients: [2, 1, 3]}]\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene;
    mn_world *w = busy_world(text, say, &scene);
    double start[2], now[2], grease = mn_substance_total(w, 0), dirt[2];
    mn_species_totals(w, 0, start);
    for (int k = 0; k < 150; k++) assert_int_equal(mn_step(w, say), MN_OK);
    mn_species_totals(w, 0, now);
    mn_species_totals(w, 1, dirt);
    const mn_account *a = &mn_species_of(w)->account[0], *b = &mn_species_of(w)->account[1];
    const double washed = grease - mn_substance_total(w, 0), had = start[0] + a->emitted;
    assert_true(a->drained > 0.01 * had && a->evaporated > 0.01 * had && now[1] > 0.01 * had &&
                washed > 0.05 * grease && b->drained > 0);
    assert_float_equal((now[0] + now[1] + a->drained + a->reacted + a->evaporated) / had, 1, 1e-10);
    assert_float_equal(a->reacted / (2 * washed), 1, 1e-10);
    assert_float_equal((dirt[0] + dirt[1] + b->drained) / (3 * washed), 1, 1e-10);
    all_in_bounds(w, say, 0.0101f);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

/* The same on a floor that goes on beyond the faces of a periodic box: what crosses them is kept to the last bit. */
static void washing_across_faces(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.01}\ngravity: [3, -9.81, 1]\ntime: {step: 0.002, end: 1}\n"
        "domain: {min: [0, -0.1, 0], max: [0.1, 0.5, 0.09], periodic: [x, z]}\n"
        "fluids:\n"
        "  - velocity: [1, 0, 0.5]\n"
        "    shapes: [{box: {grid: [10, 3, 9], origin: [0.005, 0.01, 0.005]}}]\n"
        "    surface: {model: orthmann2013, walls: 0}\n"
        "walls: [{name: floor, shapes: [{plane: {point: [0.05, 0, 0.045], normal: [0, 1, 0], size: [0.09, 0.08]}}]}]\n"
        "species:\n"
        "  - {name: soap, diffusion: 1e-4, surface: {adsorption: 10, desorption: 1, capacity: 0.01, diffusion: 1e-3},\n"
        "     start: [{concentration: 1}]}\n"
        "  - {name: dirt, diffusion: 1e-4}\n"
        "substances: [{name: grease, coats: [{wall: floor, coverage: 0.01}]}]\n"
        "reactions: [{species: soap, substance: grease, product: dirt, rate: 500, coefficients: [1, 1, 2]}]\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene;
    mn_world *w = busy_world(text, say, &scene);
    double start[2], soap[2], dirt[2];
    const double grease = mn_substance_total(w, 0);
    assert_float_equal(grease, 0.01 * 0.1 * 0.09, 0.03 * 0.01 * 0.1 * 0.09); /* the whole floor */
    mn_species_totals(w, 0, start);
    for (int k = 0; k < 100; k++) assert_int_equal(mn_step(w, say), MN_OK);
    mn_species_totals(w, 0, soap);
    mn_species_totals(w, 1, dirt);
    const double washed = grease - mn_substance_total(w, 0);
    print_message("washed off %.3g of the grease\n", washed / grease);
    assert_true(washed > 0.05 * grease);
    assert_float_equal((start[0] - soap[0] - soap[1]) / washed, 1, 1e-10);
    assert_float_equal((dirt[0] + dirt[1]) / (2 * washed), 1, 1e-10);
    /* all over the floor alike: no line where the faces are */
    const mn_boundary *p = mn_boundary_of(w);
    float *coat = calloc((size_t)mn_world_boundary_points(w), sizeof *coat);
    assert_int_equal(mn_world_coverage(w, "grease", coat, say), MN_OK);
    double part[2] = {0, 0};
    int count[2] = {0, 0};
    for (int b = 0; b < p->active; b++) {
        const real4 x = p->pos[p->resting + b];
        const int edge = x.x < 0.015f || x.x > 0.085f || x.z < 0.015f || x.z > 0.075f;
        part[edge] += (double)coat[p->resting + b], count[edge]++;
    }
    print_message("left inside %.3g, at the faces %.3g\n", part[0] / count[0], part[1] / count[1]);
    assert_float_equal(part[1] / count[1] / (part[0] / count[0]), 1, 0.1);
    free(coat);
    all_in_bounds(w, say, 0.0101f);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes_on_a_sphere), cmocka_unit_test(flat_film),
                                       cmocka_unit_test(langmuir),          cmocka_unit_test(kinetics),
                                       cmocka_unit_test(feedback),          cmocka_unit_test(wave),
                                       cmocka_unit_test(washing),           cmocka_unit_test(washing_across_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
