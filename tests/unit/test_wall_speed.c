/* test_wall_speed.c -- the largest speed of driven walls, from a few of their points, has the bits that all of them
 * give. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boundary/wall_speed.h"

enum { WALLS = 3, POINTS = 4000 };

typedef struct turned_wall {
    mn_wall_speed speed;
    double rest[3 * POINTS];
    mn_motion motion;
} turned_wall;

static double random_of(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Zero until 0.003 s; from there on with 40 m/s along x. */
static double key[3] = {0, 0.003, 1}, no_turn[9], path[9] = {[6] = 40 * 0.997};

/* A ring about the z axis, whose outermost points are equally fast but for rounding; a cloud of points; a box. */
static void make_walls(turned_wall *wall)
{
    uint64_t seed = 7;
    for (int k = 0; k < POINTS; k++) {
        const double angle = 6.283185307179586 * random_of(&seed), radius = k % 2 ? 0.3 : 0.3 * random_of(&seed);
        double *ring = &wall[0].rest[3 * k], *cloud = &wall[1].rest[3 * k], *box = &wall[2].rest[3 * k];
        ring[0] = 0.1 + radius * cos(angle), ring[1] = 0.2 + radius * sin(angle), ring[2] = 0.1 * random_of(&seed);
        for (int a = 0; a < 3; a++) cloud[a] = random_of(&seed) - 0.5, box[a] = 0.2 * (random_of(&seed) - 0.5);
        box[k % 3] = k % 2 ? 0.1 : -0.1;
    }
    for (int w = 0; w < WALLS; w++) {
        wall[w].motion.moving = true;
        wall[w].motion.rotation = (mn_curve){3, 3, key, no_turn};
        wall[w].motion.translation = (mn_curve){3, 3, key, w == 2 ? path : no_turn};
    }
    memcpy(wall[0].motion.centre, (double[3]){0.1, 0.2, 0}, sizeof wall[0].motion.centre);
}

static double fastest_of_all(const double *x, const mn_pose *pose)
{
    const double *r = pose->rotation, *from = pose->origin;
    double v[3], s[3], most = 0.0;
    for (int a = 0; a < 3; a++) {
        v[a] = r[a] * pose->velocity[0] + r[3 + a] * pose->velocity[1] + r[6 + a] * pose->velocity[2];
        s[a] = r[a] * pose->spin[0] + r[3 + a] * pose->spin[1] + r[6 + a] * pose->spin[2];
    }
    for (int k = 0; k < POINTS; k++) {
        const double p[3] = {x[3 * k] - from[0], x[3 * k + 1] - from[1], x[3 * k + 2] - from[2]};
        const double a = v[0] + s[1] * p[2] - s[2] * p[1], b = v[1] + s[2] * p[0] - s[0] * p[2],
                     c = v[2] + s[0] * p[1] - s[1] * p[0];
        most = fmax(most, a * a + b * b + c * c);
    }
    return sqrt(most);
}

/* Steps of 30 us from `time` on; in how many the first wall had points that are known to be the fastest. */
static int check_steps(turned_wall *wall, double time, int steps)
{
    int known = 0;
    for (int step = 0; step < steps; step++, time += 3e-5) {
        mn_driven_wall driven[WALLS];
        double expected = 0.0;
        for (int w = 0; w < WALLS; w++) {
            driven[w] = (mn_driven_wall){&wall[w].speed, wall[w].rest, POINTS, mn_motion_at(&wall[w].motion, time),
                                         mn_motion_jolt(&wall[w].motion, time)};
            expected = fmax(expected, fmax(fastest_of_all(wall[w].rest, &driven[w].pose),
                                           fastest_of_all(wall[w].rest, &driven[w].jolt)));
        }
        known += wall[0].speed.likely != NULL;
        assert_true(mn_wall_speed_most(driven, WALLS, 0.0) == expected);
        assert_true(mn_wall_speed_most(driven, WALLS, expected + 1.0) == expected + 1.0);
    }
    return known;
}

static void forget(turned_wall *wall)
{
    for (int w = 0; w < WALLS; w++) mn_wall_speed_forget(&wall[w].speed);
}

static void test_steady(void **state)
{
    turned_wall *wall = calloc(WALLS, sizeof *wall);
    (void)state;
    make_walls(wall);
    wall[0].motion.angular_velocity[2] = 37.04;
    wall[1].motion.angular_velocity[0] = 3, wall[1].motion.angular_velocity[1] = -4;
    wall[2].motion.velocity[0] = 2, wall[2].motion.angular_velocity[1] = 5;
    assert_true(check_steps(wall, 0.0, 200) > 190);
    assert_true(wall[0].speed.likely_count < POINTS * 3 / 4);
    check_steps(wall, 0.003, 200); /* a jolt, and another is the fastest */
    check_steps(wall, 7.0, 200);
    forget(wall);
    free(wall);
}

static void test_any_motion(void **state)
{
    turned_wall *wall = calloc(WALLS, sizeof *wall);
    uint64_t seed = 3;
    (void)state;
    make_walls(wall);
    for (int turn = 0; turn < 40; turn++) { /* the same points, another motion: also one that has hardly changed */
        for (int w = 0; w < WALLS; w++) {
            mn_motion *m = &wall[w].motion;
            const double change = turn % 4 == 3 ? 1e-7 : turn % 4 == 2 ? 1e-4 : 1.0;
            for (int a = 0; a < 3; a++) {
                m->velocity[a] += change * 3 * (random_of(&seed) - 0.5);
                m->angular_velocity[a] += change * 20 * (random_of(&seed) - 0.5);
            }
            if (turn % 8 == 7) m->centre[w] = random_of(&seed);
        }
        check_steps(wall, random_of(&seed), 12);
    }
    forget(wall);
    free(wall);
}

static void test_reach(void **state)
{
    turned_wall *wall = calloc(WALLS, sizeof *wall);
    (void)state;
    make_walls(wall);
    for (int turn = 0; turn < 3; turn++) { /* the second time it is known, the third the origin is another */
        const double origin[3] = {turn == 2 ? 0.5 : 0.0, 0.0, 0.0};
        double reach = 0.0;
        for (int k = 0; k < POINTS; k++) {
            const double *x = &wall[1].rest[3 * k], d = x[0] - origin[0];
            reach = fmax(reach, sqrt(d * d + x[1] * x[1] + x[2] * x[2]));
        }
        assert_true(mn_wall_speed_reach(&wall[1].speed, wall[1].rest, POINTS, origin) == reach);
    }
    forget(wall);
    free(wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady), cmocka_unit_test(test_any_motion),
                                       cmocka_unit_test(test_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
