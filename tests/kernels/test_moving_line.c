/* Contact lines that move (kernels/wetting/moving_line.h), on every backend: a ridge that slides over a floor has the
 * angle of Cox and Voinov's law in front and behind; where nothing moves, or the floor moves along, nothing changes.
 * Walls have a slip length unless the scene says that they have none. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wetting/wetting.h"

enum { LONG = 4, HIGH = 2, DEEP = 8, COUNT = LONG * HIGH * DEEP };

static const double D = 1e-4, SIGMA = 0.0728, NU = 1e-5, SLIP = 1e-9, ANGLE = 60;

/* A ridge along z, endless, on a floor; another floor is far below. */
static const char text[] =
    "particles: {spacing: 1e-4}\ngravity: [0, 0, 0]\ntime: {step: 1e-9, end: 1}\n"
    "domain: {min: [-1, -1, 0], max: [1, 1, 8e-4], periodic: [z]}\n"
    "fluids:\n  - {surface_tension: 0.0728, %s\n"
    "     shapes: [{box: {grid: [4, 2, 8], origin: [-1.5e-4, 1.1e-4, 5e-5]}}]}\n"
    "walls:\n  - {contact_angle: 60, %s motion: {velocity: [%g, 0, 0]},\n"
    "     shapes: [{plane: {point: [0, 0, 4e-4], normal: [0, 1, 0], size: [2e-3, 8e-4]}}]}\n"
    "  - {contact_slip: 5 nm, shapes: [{plane: {point: [0, -1e-3, 4e-4], normal: [0, 1, 0], size: [2e-3, 8e-4]}}]}\n";

typedef struct trial {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
} trial;

static trial open_trial(const char *backend, const char *viscosity, const char *slip, double floor)
{
    char scene[1000];
    snprintf(scene, sizeof scene, text, viscosity, slip, floor);
    trial t = {mn_messages_new(), NULL, NULL};
    t.scene = mn_scene_parse(scene, strlen(scene), "ridges", NULL, 0, t.say);
    const mn_options options = {backend, 1};
    t.world = t.scene ? mn_world_new(t.scene, &options, t.say) : NULL;
    for (int m = 0; m < mn_messages_count(t.say); m++) print_error("%s\n", mn_messages_get(t.say, m).text);
    assert_non_null(t.world);
    assert_int_equal(mn_world_particles(t.world), COUNT);
    assert_int_equal(mn_step(t.world, t.say), MN_OK);
    return t;
}

static void close_trial(trial *t)
{
    mn_world_free(t->world);
    mn_scene_free(t->scene);
    mn_messages_free(t->say);
}

/* Cosines before and after laplace_move at that speed along x; line: where there is one. */
static void cosines(trial *t, double speed, double before[COUNT], double after[COUNT], double line[COUNT])
{
    kernel_world k = {t->say, t->scene, t->world};
    static double pull[4 * COUNT], wide[4 * COUNT];
    float velocity[3 * COUNT] = {0};
    for (int i = 0; i < COUNT; i++) velocity[3 * i] = (float)speed, velocity[3 * i + 1] = 0.0F;
    assert_int_equal(mn_world_set(t->world, "velocity", velocity, t->say), MN_OK);
    kernel_world_run(&k, "force_begin laplace_area laplace_wide");
    kernel_world_read(&k, "laplace_pull", pull);
    kernel_world_read(&k, "laplace_wide", wide);
    for (int i = 0; i < COUNT; i++) before[i] = pull[4 * i + 3], line[i] = wide[4 * i + 3];
    kernel_world_run(&k, "laplace_move");
    kernel_world_read(&k, "laplace_pull", pull);
    for (int i = 0; i < COUNT; i++) after[i] = pull[4 * i + 3];
}

static double due(double speed)
{
    const double rest = ANGLE * M_PI / 180, ca = 1000 * NU * speed / SIGMA;
    const double cube = rest * rest * rest + 9 * ca * log(D / SLIP);
    return cos(cbrt(fmin(fmax(cube, 0), M_PI * M_PI * M_PI)));
}

static void bends_as_due(void **state)
{
    (void)state;
    static double before[COUNT], after[COUNT], line[COUNT], first[COUNT];
    static const double speeds[] = {0.05, -0.05, 0.2, 2};
    for (int b = 0; kernel_backend(b); b++) {
        /* the same without the key */
        trial t = open_trial(kernel_backend(b), "viscosity: 1e-5,", b ? "contact_slip: 1 nm," : "", 0);
        for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++) {
            int lines = 0;
            cosines(&t, speeds[s], before, after, line);
            for (int i = 0; i < COUNT; i++) {
                const double expected = line[i] > 0 ? due(i % LONG < LONG / 2 ? -speeds[s] : speeds[s]) : before[i];
                lines += line[i] > 0;
                if (fabs(after[i] - expected) > (line[i] > 0 ? 1e-3 : 0))
                    fail_msg("particle %d at %g m/s on %s: %.7g, expected %.7g", i, speeds[s], kernel_backend(b),
                             after[i], expected);
            }
            assert_true(lines >= 2 * DEEP);
            if (s == 0 && b == 0) memcpy(first, after, sizeof first);
            if (s == 0) assert_memory_equal(first, after, sizeof first);
        }
        close_trial(&t);
    }
}

/* At rest, on a floor that moves along, on one without a slip length, and of a fluid without a viscosity. */
static void stays_as_it_was(void **state)
{
    (void)state;
    static double before[COUNT], after[COUNT], line[COUNT];
    static const struct {
        double speed, floor;
        const char *viscosity, *slip;
    } rows[] = {{0, 0, "viscosity: 1e-5,", ""},
                {0.1, 0.1, "viscosity: 1e-5,", ""},
                {0.1, 0, "viscosity: 1e-5,", "contact_slip: 0,"},
                {0.1, 0, "viscosity: {model: xsph, strength: 0.05},", ""}};
    for (int b = 0; kernel_backend(b); b++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            trial t = open_trial(kernel_backend(b), rows[r].viscosity, rows[r].slip, rows[r].floor);
            cosines(&t, rows[r].speed, before, after, line);
            for (int i = 0; i < COUNT; i++)
                if (fabs(after[i] - before[i]) > (r == 1 ? 1e-6 : 0))
                    fail_msg("row %zu, particle %d on %s: %.8g, not %.8g", r, i, kernel_backend(b), after[i],
                             before[i]);
            close_trial(&t);
        }
}

/* Every wall, body and solid has 1 nm, with and without a contact angle; 0 is none, also when the scene is written and
   read again. Where all have 0, no kernel asks how fast lines are. */
static void is_there_unless_it_is_0(void **state)
{
    (void)state;
    static const char all[] =
        "particles: {spacing: 1e-4}\ntime: {step: 1e-9, end: 1}\n"
        "fluids:\n  - {surface_tension: 0.07, shapes: [{box: {grid: [3, 3, 3]}}]}\n"
        "walls:\n"
        "  - {%s shapes: [{plane: {point: [0, -1, 0], normal: [0, 1, 0], size: [1e-3, 1e-3]}}]}\n"
        "  - {%s contact_angle: 60,\n"
        "     shapes: [{plane: {point: [0, 1, 0], normal: [0, 1, 0], size: [1e-3, 1e-3]}}]}\n"
        "bodies:\n  - {%s density: 500, shapes: [{box: {centre: [1, 0, 0], size: [1e-3, 1e-3, 1e-3]}}]}\n"
        "solids:\n  - {%s young: 1e4, poisson: 0.3,\n"
        "     shapes: [{box: {centre: [2, 0, 0], size: [1e-3, 1e-3, 1e-3]}}]}\n";
    static const struct {
        const char *key;
        double slip;
    } rows[] = {{"", 1e-9}, {"contact_slip: 0,", 0}, {"contact_slip: 0 nm,", 0}, {"contact_slip: 5 nm,", 5e-9}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *key = rows[r].key;
        char first[1500];
        snprintf(first, sizeof first, all, key, key, key, key);
        mn_messages *say = mn_messages_new();
        mn_scene *read = mn_scene_parse(first, strlen(first), "all", NULL, 0, say);
        for (int m = 0; m < mn_messages_count(say); m++) print_error("%s\n", mn_messages_get(say, m).text);
        assert_non_null(read);
        char *written = mn_scene_write(read);
        mn_scene *scene = mn_scene_parse(written, strlen(written), "again", NULL, 0, say);
        assert_non_null(scene);
        const mn_options options = {"cpu", 1};
        mn_world *w = mn_world_new(scene, &options, say);
        assert_non_null(w);
        assert_int_equal(w->par.boundary.count, 4);
        for (int k = 0; k < 4; k++) assert_float_equal(mn_wetting_slip(w, k), rows[r].slip, 1e-20);
        assert_int_equal(mn_wetting_slips(w), rows[r].slip > 0);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_scene_free(read);
        free(written);
        mn_messages_free(say);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bends_as_due), cmocka_unit_test(stays_as_it_was),
                                       cmocka_unit_test(is_there_unless_it_is_0)};
    return cmocka_run_group_tests_name("moving line", tests, NULL, NULL);
}
