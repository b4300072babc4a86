/* The model laplace, on every backend: its force is the push of a uniform pressure, reversed, beside walls too; the
 * liquid as a whole does not move itself; and the pressure that users see is without that of the surroundings. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE / 2, WALLS = 36 };
static double place[COUNT][3], wall[WALLS][3];

/* A shaken block of four by two by four on a plate. */
static kernel_setup block(const char *fluid)
{
    for (int i = 0; i < COUNT; i++) {
        place[i][0] = 0.1 * (i % 4) + 0.01 * sin(i), place[i][1] = 0.1 * (i / 16) + 0.01 * sin(3 * i + 1),
        place[i][2] = 0.1 * (i / 4 % 4) + 0.01 * sin(7 * i + 2);
    }
    for (int i = 0; i < WALLS; i++)
        wall[i][0] = 0.1 * (i % 6) - 0.1, wall[i][1] = -0.1, wall[i][2] = 0.1 * (i / 6) - 0.1;
    return (kernel_setup){.count = COUNT,
                          .position = (const double(*)[3])place,
                          .volume = 1e-3,
                          .wall_count = WALLS,
                          .wall = (const double(*)[3])wall,
                          .spacing = 0.1,
                          .dt = 1e-3,
                          .fluid = fluid};
}

#define PASSES "laplace_area laplace_wide laplace_turn laplace_face laplace_bend laplace_even "

static void balances_a_uniform_pressure(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++)
        for (int walls = 0; walls < 2; walls++) {
            kernel_setup set = block("    surface_tension: 0\n");
            if (!walls) set.wall_count = 0;
            kernel_world *k = kernel_world_new(&set, kernel_backend(b));
            double acc[4 * COUNT], kappa[COUNT], moved[4 * COUNT], largest = 0;
            kernel_world_run(k, "force_begin " PASSES "laplace=100");
            kernel_world_read(k, "acc", acc);
            for (int i = 0; i < COUNT; i++) kappa[i] = 100;
            kernel_world_write(k, "kappa", kappa);
            kernel_world_run(k, "wall_lift pressure_start pressure_displace=0 wall_lift_displace=0");
            kernel_world_read(k, "displacement", moved);
            for (int i = 0; i < COUNT; i++)
                for (int a = 0; a < 3; a++) largest = fmax(largest, fabs(acc[4 * i + a]));
            assert_true(largest > 0.1);
            for (int i = 0; i < COUNT; i++)
                for (int a = 0; a < 3; a++)
                    assert_true(fabs(acc[4 * i + a] + moved[4 * i + a] / 1e-3) < 3e-6 * largest);
            kernel_world_free(k);
        }
}

static void does_not_move_itself(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        kernel_setup set = block("    surface_tension: 2\n");
        set.wall_count = 0;
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double acc[4 * COUNT], sum[3] = {0}, size = 0;
        kernel_world_run(k, "force_begin force");
        kernel_world_read(k, "acc", acc);
        for (int i = 0; i < COUNT; i++)
            for (int a = 0; a < 3; a++) sum[a] += acc[4 * i + a], size += fabs(acc[4 * i + a]);
        for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 1e-6 * size);
        kernel_world_free(k);
    }
}

/* Two blocks far apart: neither of them moves or turns itself, or the other one. */
static void no_piece_moves_or_turns_itself(void **state)
{
    (void)state;
    static double places[2 * COUNT][3];
    for (int b = 0; kernel_backend(b); b++) {
        kernel_setup set = block("    surface_tension: 2\n");
        for (int i = 0; i < 2 * COUNT; i++)
            for (int a = 0; a < 3; a++)
                places[i][a] = place[i % COUNT][a] + (i < COUNT ? 0 : 1 + 0.01 * sin(5 * i + a));
        set.position = (const double(*)[3])places, set.count = 2 * COUNT, set.wall_count = 0;
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double acc[8 * COUNT];
        kernel_world_run(k, "force_begin force");
        kernel_world_read(k, "acc", acc);
        kernel_world_free(k);
        for (int piece = 0; piece < 2; piece++) {
            double sum[3] = {0}, turn[3] = {0}, centre[3] = {0}, size = 0;
            for (int i = piece * COUNT; i < (piece + 1) * COUNT; i++)
                for (int a = 0; a < 3; a++) centre[a] += places[i][a] / COUNT;
            for (int i = piece * COUNT; i < (piece + 1) * COUNT; i++)
                for (int a = 0; a < 3; a++) {
                    const int c = (a + 1) % 3, d = (a + 2) % 3;
                    sum[a] += acc[4 * i + a], size += fabs(acc[4 * i + a]);
                    turn[a] +=
                        (places[i][c] - centre[c]) * acc[4 * i + d] - (places[i][d] - centre[d]) * acc[4 * i + c];
                }
            for (int a = 0; a < 3; a++) {
                if (!(fabs(sum[a]) < 1e-6 * size)) fail_msg("piece %d moves: %g of %g", piece, sum[a], size);
                if (!(fabs(turn[a]) < 1e-6 * size * 0.2)) fail_msg("piece %d turns: %g of %g", piece, turn[a], size);
            }
        }
    }
}

/* The search for pieces ends where a place is not a number; the step then says so. */
static void pieces_are_found_in_any_state(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        const kernel_setup set = block("    surface_tension: 2\n");
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double pos[4 * COUNT], sum[4] = {1};
        kernel_world_read(k, "pos", pos);
        pos[4 * 5] = NAN;
        kernel_world_write(k, "pos", pos);
        kernel_world_run(k, "piece_alone");
        for (int look = 0; look < COUNT && sum[0] > 0; look++) {
            kernel_world_sum(k, "piece_look", sum);
            kernel_world_run(k, "piece_take");
        }
        assert_true(sum[0] == 0);
        kernel_world_free(k);
    }
}

static void pressure_is_above_that_of_the_surroundings(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        kernel_setup set = block("    surface_tension: 2\n");
        set.wall_count = 0;
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double kappa[COUNT], dens[COUNT], shown[COUNT];
        kernel_world_run(k, "force_begin force pressure");             /* ambient: 2 N/m over 0.1 m; scale: 1/dt^2 */
        for (int i = 0; i < COUNT; i++) kappa[i] = i == 0 ? 0 : 50e-6; /* 50 Pa over a step of 1 ms */
        kernel_world_write(k, "kappa", kappa);
        kernel_world_read(k, "dens", dens);
        kernel_world_read(k, "pressure", shown);
        assert_true(shown[0] == 0);
        for (int i = 1; i < COUNT; i++) assert_true(fabs(shown[i] - 30 * dens[i] * dens[i]) < 1e-3);
        kernel_world_free(k);
    }
}

/* A slab, free above and below and periodic in z, with a film on one half that takes 0.7 of the tension: along the
   border both faces are drawn to the clean half by 0.7 tension width. */
static void is_drawn_where_the_tension_is_larger(void **state)
{
    (void)state;
    enum { SLAB = 24 * 6 * 8 };
    static const char text[] = "particles: {spacing: 0.001}\ngravity: [0, 0, 0]\ntime: {step: 1e-6, end: 1}\n"
                               "domain: {min: [-0.05, -0.05, 0], max: [0.05, 0.05, 0.008], periodic: [z]}\n"
                               "fluids:\n  - shapes: [{box: {grid: [24, 6, 8], origin: [-0.0115, 0.0005, 0.0005]}}]\n"
                               "    surface: orthmann2013\n    surface_tension: 0.04\n"
                               "species:\n  - {name: soap, surface: {adsorption: 1e6, desorption: 1, capacity: 0.001}, "
                               "effect: {tension: 0.7},\n"
                               "     start: [{concentration: 10, shape: {box: {min: [0, -1, -1], max: [1, 1, 1]}}}]}\n";
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_parse(text, strlen(text), "slab", NULL, 0, say);
        const mn_options options = {kernel_backend(b), 1};
        mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
        assert_non_null(w);
        for (int step = 0; step < 10; step++) assert_int_equal(mn_step(w, say), MN_OK);
        kernel_world k = {say, scene, w};
        kernel_world_run(&k, "force_begin " PASSES "laplace=0");
        static real4 pos[SLAB], acc[SLAB];
        assert_true(w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, sizeof pos));
        assert_true(w->api->get(w->device, w->field[MN_FIELD_acc], 0, acc, sizeof acc));
        double force = 0;
        for (int i = 0; i < SLAB; i++)
            if (fabs((double)pos[i].x) < 0.006) force += 1000 * 1e-9 * (double)acc[i].x;
        const double expected = -0.7 * 0.04 * 2 * 0.008;
        if (b == 0) print_message("force along a border of soap: %.3f of what the tensions say\n", force / expected);
        if (fabs(force - expected) > 0.1 * fabs(expected)) fail_msg("%g N, expected %g", force, expected);
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* Two fluids over three floors: a patch on one that rests, a patch on one that moves, and one with an angle for each
   fluid. Particles over the middle of each see the cosine of that place. */
static void cosine_of_the_place(void **state)
{
    (void)state;
    enum { ROW = 48 };
    static const char text[] =
        "particles: {spacing: 0.1}\ngravity: [0, 0, 0]\ntime: {step: 1e-4, end: 1}\n"
        "fluids:\n  - {name: one, surface_tension: 1, shapes: [{box: {grid: [48, 1, 1], origin: [0.05, 0.1, 0]}}]}\n"
        "  - {name: other, surface_tension: 1, shapes: [{box: {grid: [8, 1, 1], origin: [3.65, 0.1, 2]}}]}\n"
        "walls:\n  - {contact_angle: 120, contact_pattern: {angle: 60, shape: {box: {min: [0.8, -1, -1], max: [9, 9, "
        "9]}}},\n"
        "     shapes: [{plane: {point: [0.8, 0, 1], normal: [0, 1, 0], size: [1.6, 3]}}]}\n"
        "  - {contact_angle: 90, contact_pattern: {angle: 0, shape: {box: {min: [2.4, -1, -1], max: [9, 9, 9]}}},\n"
        "     motion: {velocity: [0.001, 0, 0]},\n"
        "     shapes: [{plane: {point: [2.4, 0, 1], normal: [0, 1, 0], size: [1.6, 3]}}]}\n"
        "  - {contact_angle: 45, contact_angles: [{fluid: other, angle: 135}], contact_hysteresis: {0: 0, 0.5: 20},\n"
        "     shapes: [{plane: {point: [4, 0, 1], normal: [0, 1, 0], size: [1.6, 3]}}]}\n";
    static const struct {
        int at;
        double angle;
    } rows[] = {{4, 120}, {12, 60}, {20, 90}, {28, 0}, {40, 45}, {ROW + 4, 135}};
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_parse(text, strlen(text), "floors", NULL, 0, say);
        const mn_options options = {kernel_backend(b), 1};
        mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
        for (int m = 0; m < mn_messages_count(say); m++) print_error("%s\n", mn_messages_get(say, m).text);
        assert_non_null(w);
        assert_int_equal(mn_step(w, say), MN_OK);
        kernel_world k = {say, scene, w};
        double pull[4 * (ROW + 8)];
        kernel_world_run(&k, "force_begin laplace_area");
        kernel_world_read(&k, "laplace_pull", pull);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            const double found = pull[4 * rows[r].at + 3], expected = cos(rows[r].angle * acos(-1) / 180);
            if (fabs(found - expected) > 1e-3)
                fail_msg("particle %d on %s: %g, expected %g", rows[r].at, kernel_backend(b), found, expected);
        }
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* Power of the friction over what a viscosity of 0.2 sqrt(tension d/rho) would take, for a cube of 8 in a flow:
   `rough`, planes that move against each other, else a strain. */
static double friction_power(mn_world *w, kernel_world *k, bool rough)
{
    enum { CUBE = 512 };
    static float velocity[3 * CUBE], position[3 * CUBE];
    static real4 acc[2][CUBE], vel[CUBE];
    const double nu = 0.2 * sqrt(0.0728 * 1e-3 / 1000);
    double power = 0, all = 0, sum[3] = {0}, size = 0;
    assert_int_equal(mn_world_get(w, "position", position, k->say), MN_OK);
    for (int moving = 0; moving < 2; moving++) {
        for (int i = 0; i < CUBE; i++) {
            const float *x = position + 3 * i;
            const float side = ((int)floorf(x[0] * 1000.0F) & 1) ? 1e-3F : -1e-3F;
            velocity[3 * i] = (float)moving * (rough ? side : x[0]);
            velocity[3 * i + 1] = (float)moving * (rough ? 0.0F : -x[1]), velocity[3 * i + 2] = 0;
        }
        assert_int_equal(mn_world_set(w, "velocity", velocity, k->say), MN_OK);
        kernel_world_run(k, "force_begin force");
        assert_true(w->api->get(w->device, w->field[MN_FIELD_acc], 0, acc[moving], sizeof acc[moving]));
    }
    assert_true(w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, sizeof vel));
    for (int i = 0; i < CUBE; i++) {
        const real4 *still = &acc[0][i], *moved = &acc[1][i], *v = &vel[i];
        const double f[3] = {(double)moved->x - (double)still->x, (double)moved->y - (double)still->y,
                             (double)moved->z - (double)still->z};
        power -= f[0] * (double)v->x + f[1] * (double)v->y + f[2] * (double)v->z;
        for (int a = 0; a < 3; a++) sum[a] += f[a], size += fabs(f[a]);
        all += rough ? 1e-6 * nu * 14.7 / 1e-6 : 2 * nu * 2; /* 14.7/d^2; 2 nu E:E, E:E = 2 */
    }
    for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 1e-3 * size);
    return power / all;
}

/* What the model adds to a thin liquid stills single particles and leaves a flow alone that is even over some spacings:
   a viscosity would take 1 of both. */
static void rubs_only_what_is_rough(void **state)
{
    (void)state;
    static const char text[] = "particles: {spacing: 0.001}\ngravity: [0, 0, 0]\ntime: {step: 1e-9, end: 1}\n"
                               "fluids:\n  - shapes: [{box: {grid: [8, 8, 8], origin: [-0.0035, -0.0035, -0.0035]}}]\n"
                               "    surface_tension: 0.0728\n";
    for (int b = 0; kernel_backend(b); b++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_parse(text, strlen(text), "cube", NULL, 0, say);
        const mn_options options = {kernel_backend(b), 1};
        mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
        assert_non_null(w);
        assert_int_equal(mn_step(w, say), MN_OK);
        kernel_world k = {say, scene, w};
        const double even = friction_power(w, &k, false), rough = friction_power(w, &k, true);
        if (b == 0) print_message("friction over that of a viscosity: %.3f of a strain, %.3f of planes\n", even, rough);
        if (!(even > 0 && even < 0.15)) fail_msg("a strain loses %g on %s", even, kernel_backend(b));
        if (!(rough > 0.5 && rough < 1.5)) fail_msg("planes lose %g on %s", rough, kernel_backend(b));
        mn_world_free(w);
        mn_scene_free(scene);
        mn_messages_free(say);
    }
}

/* How a line holds is the line's, not its particles': one that comes to it holds as those that were there. */
static void who_comes_to_a_line_holds_as_it_does(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        const kernel_setup set = block("    surface_tension: 2\n");
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double wide[4 * COUNT], grip[COUNT];
        int line = 0, comes = 0;
        kernel_world_run(k, "force_begin laplace_area laplace_wide laplace_stick laplace_hold");
        kernel_world_read(k, "laplace_wide", wide);
        for (int i = 0; i < COUNT; i++) {
            line += wide[4 * i + 3] > 0;
            if (wide[4 * i + 3] > wide[4 * comes + 3]) comes = i;
        }
        assert_true(line > 4);
        for (int i = 0; i < COUNT; i++) grip[i] = wide[4 * i + 3] > 0 && i != comes ? 0.5 : 0;
        kernel_world_write(k, "laplace_grip", grip);
        kernel_world_run(k, "laplace_stick laplace_hold");
        kernel_world_read(k, "laplace_grip", grip);
        for (int i = 0; i < COUNT; i++)
            if (fabs(grip[i] - (wide[4 * i + 3] > 0 ? 0.5 : 0)) > 1e-5) fail_msg("particle %d holds %g", i, grip[i]);
        kernel_world_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balances_a_uniform_pressure),
                                       cmocka_unit_test(does_not_move_itself),
                                       cmocka_unit_test(no_piece_moves_or_turns_itself),
                                       cmocka_unit_test(pieces_are_found_in_any_state),
                                       cmocka_unit_test(pressure_is_above_that_of_the_surroundings),
                                       cmocka_unit_test(is_drawn_where_the_tension_is_larger),
                                       cmocka_unit_test(rubs_only_what_is_rough),
                                       cmocka_unit_test(who_comes_to_a_line_holds_as_it_does),
                                       cmocka_unit_test(cosine_of_the_place)};
    return cmocka_run_group_tests_name("laplace", tests, NULL, NULL);
}
