/* Numbers with units and arithmetic; every unit of the tables is one that the reader knows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene/models.h"
#include "scene/quantity.h"
#include "scene/scene.h"
#include "scene/key_table.h"

typedef struct example {
    const char *text, *unit;
    double value;
} example;

/* The right sides are what the plain number would be: the bits have to be equal. */
static const example exact[] = {
    {"2 mm", "m", 0.002},
    {"72.8 mN/m", "N/m", 0.0728},
    {"72.8mN/m", "N/m", 0.0728},
    {"-7.3e1 cm", "m", -0.73},
    {"60 deg", "degrees", 60},
    {"60\302\260", "degrees", 60},
    {"0.3 rad", "rad", 0.3},
    {"1 ms", "s", 0.001},
    {"1 g/cm3", "kg/m^3", 1000},
    {"1.2 g/cm^3", "kg/m^3", 1200},
    {"998.2 kg/m\302\263", "kg/m^3", 998.2},
    {"20 cSt", "m^2/s", 2e-5},
    {"1 cP", "Pa s", 1e-3},
    {"1.845e-5 Pa s", "Pa s", 1.845e-5},
    {"1.8 mPa*s", "Pa s", 1.8e-3},
    {"35 um", "m", 3.5e-5},
    {"35 \302\265m", "m", 3.5e-5},
    {"5 Hz", "1/s", 5},
    {"5 1/s", "1/s", 5},
    {"5/s", "1/s", 5},
    {"5 s-1", "1/s", 5},
    {"0.01 %", "%", 0.01},
    {"50 %", NULL, 0.5},
    {"1920 px", "pixels", 1920},
    {"3 l/(mol s)", "m^3/(mol s)", 0.003},
    {"2.25 in", "m", 0.05715},
    {"9.81 m/s^2", "m/s^2", 9.81},
    {"2 mm", "degrees or m", 0.002},
    {"20 degrees", "degrees or m", 20},
    {"0.5 * 0.02", "m", 0.5 * 0.02},
    {"1/3", NULL, 1.0 / 3},
    {"2 + 3*4", NULL, 14},
    {"(2 + 3)*4", NULL, 20},
    {"7 - 2 - 1", NULL, 4},
    {"8/2/2", NULL, 2},
    {"-2^2", NULL, -4},
    {"2^-1", NULL, 0.5},
    {"--1", NULL, 1},
    {"pi", NULL, M_PI},
    {"sqrt(16)", NULL, 4},
    {"2 m * 3", "m", 6},
    {"sqrt(9 m^2)", "m", 3},
};

static const example close_to[] = {
    {"0.5 * 2 cm + 1 mm", "m", 0.011}, {"2*pi/60 rad/s", "rad/s", M_PI / 30},
    {"60 rpm", "rad/s", 2 * M_PI},     {"180 deg", "rad", M_PI},
    {"1 rad", "degrees", 180 / M_PI},  {"36 km/h", "m/s", 10},
    {"1 dyn/cm", "N/m", 1e-3},         {"sqrt(2 * 9.81 m/s^2 * 20 cm)", "m/s", 1.980908882},
    {"2 * (3 mm)^2", "m^2", 1.8e-5},   {"1 min + 30 s", "s", 90},
};

static void reads(void **state)
{
    (void)state;
    char why[200];
    double value;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        if (!mn_quantity_read(exact[i].text, exact[i].unit, &value, why, sizeof why))
            fail_msg("%s: %s", exact[i].text, why);
        if (value != exact[i].value) fail_msg("%s: %.17g instead of %.17g", exact[i].text, value, exact[i].value);
    }
    for (size_t i = 0; i < sizeof close_to / sizeof *close_to; i++) {
        if (!mn_quantity_read(close_to[i].text, close_to[i].unit, &value, why, sizeof why))
            fail_msg("%s: %s", close_to[i].text, why);
        assert_float_equal(value / close_to[i].value, 1, 1e-9);
    }
}

static void refuses(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"2 mm", "s", "not in s"},
        {"2 mm", NULL, "no unit"},
        {"2 mmm", "m", "did you mean \"mm\""},
        {"2 q", "m", "list units"},
        {"1/0", NULL, "division by 0"},
        {"2*", NULL, "at the end"},
        {"2*(3", NULL, "\")\" is missing"},
        {"2)", NULL, "unexpected"},
        {"2 pi", NULL, "written with *"},
        {"2 m + 3", "m", "only one side"},
        {"2 m + 3 s", "m", "differ"},
        {"sqrt(-1)", NULL, "negative"},
        {"sqrt(2 m)", "m", "odd power"},
        {"2^0.5", NULL, "written with *"},
        {"2^99", NULL, "whole number"},
        {"1e999", NULL, "finite"},
        {"0^-1", NULL, "finite"},
        {"0x10", NULL, "there is no unit \"x\""},
        {"4 m/(s", "m/s", "is missing"},
        {"((((((((((((((((((((((((1))))))))))))))))))))))))", NULL, "too deep"},
        {"------------------------------1", NULL, "too deep"},
        {"1 m9 m9 m9 m9 m9 m9 m9", "m", "too high"},
        {"hello", NULL, ""},
        {"", NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[200];
        double value;
        if (mn_quantity_read(cases[i][0], cases[i][1], &value, why, sizeof why)) fail_msg("%s is taken", cases[i][0]);
        if (!strstr(why, cases[i][2]) || (cases[i][2][0] == 0 && why[0])) fail_msg("%s: %s", cases[i][0], why);
    }
}

/* "1 UNIT" is 1 for a key of that unit, whatever the table says. */
static void knows(const char *unit)
{
    char text[100], why[200];
    double value;
    if (!unit || !*unit || strcmp(unit, "1") == 0) return;
    snprintf(text, sizeof text, "1 %.*s", (int)(strstr(unit, " or ") ? strcspn(unit, " ") : strlen(unit)), unit);
    if (!mn_quantity_read(text, unit, &value, why, sizeof why)) fail_msg("\"%s\": %s", text, why);
    if (value != 1) fail_msg("\"%s\" is %.17g", text, value);
}

static void walk(const mn_table *table, int depth)
{
    for (int i = 0; i < table->count && depth < 8; i++) {
        knows(table->keys[i].unit);
        if (table->keys[i].sub) walk(table->keys[i].sub, depth + 1);
    }
}

static void knows_every_unit_of_the_tables(void **state)
{
    (void)state;
    walk(&mn_scene_table, 0);
    for (int k = 0; k < MN_SHAPE_KINDS; k++) walk(&mn_shape_tables[k], 0);
    for (int m = 0; m < mn_model_count(); m++)
        for (int p = 0; p < mn_model_at(m)->param_count; p++) knows(mn_model_at(m)->params[p].unit);
}

static const char dressed[] = "particles: {spacing: 10 mm}\n"
                              "time: {end: 2*5 ms, step: 1 ms}\n"
                              "gravity: {0 ms: [0, -981 cm/s^2, 0], 5 ms: [0, 0, 0]}\n"
                              "fluids:\n"
                              "  - density: 1 g/cm3\n"
                              "    surface_tension: 72.8 mN/m\n"
                              "    viscosity: {model: weiler2018, viscosity: 20 cSt}\n"
                              "    shapes: [{box: {min: [0, 0, 0], max: [10 cm, 1 dm, 0.5 * 0.2]}}]\n";
static const char plain[] = "particles: {spacing: 0.01}\n"
                            "time: {end: 0.01, step: 0.001}\n"
                            "gravity: {0: [0, -9.81, 0], 0.005: [0, 0, 0]}\n"
                            "fluids:\n"
                            "  - density: 1000\n"
                            "    surface_tension: 0.0728\n"
                            "    viscosity: {model: weiler2018, viscosity: 2e-5}\n"
                            "    shapes: [{box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}]\n";

static void the_written_scene_is_in_si_units(void **state)
{
    (void)state;
    const char *set = "walls=[{contact_angle: 1 rad, shapes: [{plane: {size: [1 m, 1 m]}}]}]";
    const char *same = "walls=[{contact_angle: 180/pi, shapes: [{plane: {size: [1, 1]}}]}]";
    mn_messages *say = mn_messages_new();
    mn_scene *a = mn_scene_parse(dressed, strlen(dressed), "a", &set, 1, say);
    mn_scene *b = mn_scene_parse(plain, strlen(plain), "a", &same, 1, say);
    for (int i = 0; i < mn_messages_count(say); i++) print_message("%s\n", mn_messages_get(say, i).text);
    assert_non_null(a);
    assert_non_null(b);
    char *first = mn_scene_write(a), *second = mn_scene_write(b);
    assert_string_equal(first, second);
    free(first);
    free(second);
    mn_scene_free(a);
    mn_scene_free(b);
    mn_messages_free(say);
}

static const char drop[] = "particles: {spacing: 0.1 mm}\n"
                           "time: {end: 10 ms}\n"
                           "fluids: [{name: oil, density: 920, shapes: [{sphere: {radius: 1 mm}}]}]\n";

static mn_scene *drop_with(const char *set)
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(drop, strlen(drop), "a", &set, set ? 1 : 0, say);
    for (int i = 0; i < mn_messages_count(say); i++) print_message("%s\n", mn_messages_get(say, i).text);
    assert_non_null(scene);
    mn_messages_free(say);
    return scene;
}

/* The scene of each pair is written alike: the left one is short for the right one. */
static void a_viscosity_may_be_an_amount(void **state)
{
    static const char *const pairs[][2] = {
        {"1 mm^2/s", "{model: standard, viscosity: 1e-6, wall_viscosity: 1e-6}"},
        {"2e-5", "{model: standard, viscosity: 2e-5, wall_viscosity: 2e-5}"},
        {"920 mPa s", "{model: standard, viscosity: 1e-3, wall_viscosity: 1e-3}"},
        {"{0: 1e-5, 0.002: 1 cSt}",
         "{model: standard, viscosity: {0: 1e-5, 0.002: 1e-6}, wall_viscosity: {0: 1e-5, 0.002: 1e-6}}"},
        {"{0: 460 Pa s, 0.002: 920 Pa s}",
         "{model: standard, viscosity: {0: 0.5, 0.002: 1}, wall_viscosity: {0: 0.5, 0.002: 1}}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char set[2][300];
        mn_scene *scene[2];
        char *written[2];
        for (int k = 0; k < 2; k++) {
            snprintf(set[k], sizeof set[k], "fluids.oil.viscosity=%s", pairs[i][k]);
            scene[k] = drop_with(set[k]);
            written[k] = mn_scene_write(scene[k]);
        }
        assert_string_equal(written[0], written[1]);
        for (int k = 0; k < 2; k++) free(written[k]), mn_scene_free(scene[k]);
    }
}

static void refuses_other_amounts_of_viscosity(void **state)
{
    static const char *const wrong[] = {"-1", "1 kg", "1e9", "{0: 1 Pa s, 1: 1 mm^2/s}", "{0: 1, 1: watery}", "1 mm"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char set[100];
        snprintf(set, sizeof set, "fluids.oil.viscosity=%s", wrong[i]);
        const char *const sets[] = {set};
        mn_messages *say = mn_messages_new();
        if (mn_scene_parse(drop, strlen(drop), "a", sets, 1, say)) fail_msg("%s is taken", wrong[i]);
        assert_true(mn_messages_count(say) > 0);
        assert_non_null(strstr(mn_messages_get(say, 0).text, "fluids.0.viscosity"));
        mn_messages_free(say);
    }
}

/* What a scene leaves out: frames and the least step of a small one, a strict solver where tension is in N/m. */
static void small_scenes_get_small_times(void **state)
{
    (void)state;
    mn_scene *plain_drop = drop_with(NULL), *tense = drop_with("fluids.oil.surface_tension=0.03");
    assert_true(fabs(plain_drop->frame_interval - 1e-3) < 1e-12);
    assert_true(fabs(plain_drop->step_min - 5e-7) < 1e-15);
    assert_true(plain_drop->tolerance == 0.01 && tense->tolerance == 0.002);
    mn_scene_free(plain_drop), mn_scene_free(tense);
    mn_scene *large = drop_with("particles.spacing=0.1"), *given = drop_with("output.every=0.02");
    assert_true(large->frame_interval == 0.04 && large->step_min == 5e-6 && given->frame_interval == 0.02);
    mn_scene_free(large), mn_scene_free(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads),
                                       cmocka_unit_test(refuses),
                                       cmocka_unit_test(knows_every_unit_of_the_tables),
                                       cmocka_unit_test(the_written_scene_is_in_si_units),
                                       cmocka_unit_test(a_viscosity_may_be_an_amount),
                                       cmocka_unit_test(refuses_other_amounts_of_viscosity),
                                       cmocka_unit_test(small_scenes_get_small_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
