/* test_rigid.c -- mass properties against formulas, and rigid bodies against mechanics that can be worked out: fall,
 * a top, a pendulum, rest on a floor, joints and their limits, momentum in a collision, the same bits on a rerun and
 * after saving and loading. No fluid. */
#include "rigid/rigid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static mn_scene *parse(const char *text)
{
    char whole[4000];
    snprintf(whole, sizeof whole, "particles: {spacing: 0.05}\ntime: {end: 1}\nfluids: [{density: 1000}]\n%s", text);
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(whole, strlen(whole), "test.yaml", NULL, 0, say);
    if (!scene) fail_msg("%s", mn_messages_get(say, 0).text);
    mn_messages_free(say);
    return scene;
}

static mn_rigid *bodies_of(const mn_scene *scene)
{
    mn_messages *say = mn_messages_new();
    mn_rigid *rigid = mn_rigid_new(scene, say);
    if (!rigid) fail_msg("%s", mn_messages_get(say, 0).text);
    mn_messages_free(say);
    return rigid;
}

static void steps(mn_rigid *rigid, int count, double *time, double dt, double g)
{
    for (int k = 0; k < count; k++, *time += dt)
        assert_int_equal(mn_rigid_step(rigid, *time, dt, (double[3]){0, -g, 0}, NULL), MN_OK);
}

static void near_to(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s is %.9g, expected %.9g +- %g", what, value, expected, tolerance);
}

/* -- mass ---------------------------------------------------------------------------------------------------------- */

/* The polyhedron of a finely cut skin has nearly the moments of the shape itself. */
static void shapes_and_their_skins(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "box: {size: [0.3, 0.5, 0.7], centre: [1, 2, 3], rotate: [10, 20, 30]}",
        "sphere: {radius: 0.4, centre: [1, 0, 0]}",
        "cylinder: {radius: 0.3, height: 0.8, axis: [1, 1, 0]}",
        "capsule: {radius: 0.2, height: 0.5, axis: [0, 0, 1], centre: [0, 1, 0]}",
        "cone: {radius: 0.4, top_radius: 0.1, height: 0.6, axis: [1, 2, 3]}",
        "cone: {radius: 0.4, height: 0.6, scale: 2}",
        "torus: {radius: 0.5, tube: 0.2, axis: [0, 1, 1]}",
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char text[300];
        snprintf(text, sizeof text, "bodies: [{density: 1, shapes: [{%s}]}]\n", shapes[k]);
        mn_scene *scene = parse(text);
        const mn_shape_def *shape = &scene->bodies[0].shapes[0];
        mn_shape *solid = mn_shape_new(shape, NULL);
        mn_mesh skin;
        assert_int_equal(mn_shape_skin(solid, 0.015, &skin, NULL), MN_OK);
        assert_int_equal(mn_mesh_check_watertight(&skin, MN_NOWHERE, NULL), MN_OK);
        char path[64];
        snprintf(path, sizeof path, "skin_%ld.obj", (long)getpid());
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        for (int v = 0; v < skin.vertex_count; v++)
            fprintf(file, "v %.17g %.17g %.17g\n", skin.vertex[3 * v], skin.vertex[3 * v + 1], skin.vertex[3 * v + 2]);
        for (int t = 0; t < skin.triangle_count; t++)
            fprintf(file, "f %d %d %d\n", skin.triangle[3 * t] + 1, skin.triangle[3 * t + 1] + 1,
                    skin.triangle[3 * t + 2] + 1);
        fclose(file);
        mn_shape_def of_file = {.kind = MN_MESH, .file = path, .scale = 1, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        mn_shape *mesh = mn_shape_new(&of_file, NULL);
        assert_non_null(mesh);
        const mn_moments a = mn_shape_moments(solid), b = mn_shape_moments(mesh);
        near_to(shapes[k], b.volume / a.volume, 1, k ? 5e-3 : 1e-9);
        for (int c = 0; c < 3; c++) near_to("centre", b.centre[c], a.centre[c], 1e-3);
        double scale = a.spread[0] + a.spread[4] + a.spread[8];
        for (int c = 0; c < 9; c++) near_to("spread", b.spread[c] / scale, a.spread[c] / scale, k ? 5e-3 : 1e-9);
        unlink(path);
        mn_mesh_free(&skin);
        mn_shape_free(solid);
        mn_shape_free(mesh);
        mn_scene_free(scene);
    }
}

/* Two boxes that overlap make one box; two that only touch are exact. */
static void unions(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies:\n"
              "  - density: 2\n    shapes: [{box: {min: [0, 0, 0], max: [0.6, 0.2, 0.3]}}, {box: {min: [0.4, 0, 0], "
              "max: [1, 0.2, 0.3]}}]\n"
              "  - density: 2\n    shapes: [{box: {min: [0, 0, 0], max: [0.6, 0.2, 0.3]}}, {box: {min: [0.6, 0, 0], "
              "max: [1, 0.2, 0.3]}}]\n"
              "  - mass: 5\n    shapes: [{sphere: {radius: 0.5}}, {sphere: {radius: 0.2, centre: [0.1, 0, 0]}}]\n");
    mn_rigid *rigid = bodies_of(scene);
    for (int k = 0; k < 2; k++) {
        const mn_rigid_shape *f = mn_rigid_shape_of(rigid, k);
        const double tolerance = k ? 1e-12 : 1e-3, mass = 2 * 1 * 0.2 * 0.3;
        near_to("mass", f->mass, mass, tolerance * mass);
        near_to("centre", f->centre[0], 0.5, tolerance);
        near_to("inertia", f->inertia[4], mass * (1 + 0.09) / 12, tolerance * mass);
        near_to("product", f->inertia[1], 0, tolerance * mass);
    }
    const mn_rigid_shape *ball = mn_rigid_shape_of(rigid, 2);
    near_to("given mass", ball->mass, 5, 0);
    near_to("volume with a ball inside", ball->volume, 4 * pi / 3 * 0.125, 1e-4);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* -- motion -------------------------------------------------------------------------------------------------------- */

static void quaternions(void **state)
{
    (void)state;
    static const double vectors[][3] = {{0, 0, 0},     {0.3, 0.2, -0.5}, {3.1, 0, 0},
                                        {0, 3.1, 0.1}, {0.2, 0.1, 3.1},  {-2, 1, 2}};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        double m[9], q[4], back[9];
        mn_rotation_of(vectors[k], m);
        mn_quaternion_of(m, q);
        mn_rotation_of_quaternion(q, back);
        for (int c = 0; c < 9; c++) near_to("rotation there and back", back[c], m[c], 1e-12);
    }
}

static void free_fall(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies: [{density: 100, velocity: [1, 2, 0], shapes: [{sphere: {radius: 0.1, centre: [0, 5, 0]}}]}]\n");
    mn_rigid *rigid = bodies_of(scene);
    double t = 0;
    steps(rigid, 1000, &t, 1e-3, 9.81);
    const mn_body_state *s = mn_rigid_state(rigid, 0);
    near_to("speed", s->velocity[1], 2 - 9.81, 1e-9);
    near_to("height", s->position[1], 5 + 2 - 0.5 * 9.81 * (1 + 1e-3), 1e-9); /* semi-implicit: half a step of g more */
    near_to("distance", s->position[0], 1, 1e-9);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

static void angular_momentum(const mn_rigid *rigid, double out[3])
{
    const mn_body_state *s = mn_rigid_state(rigid, 0);
    const double *inertia = mn_rigid_shape_of(rigid, 0)->inertia;
    double m[9], local[3] = {0}, turned[3] = {0};
    mn_rotation_of_quaternion(s->quaternion, m);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) local[a] += m[3 * b + a] * s->spin[b];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) turned[a] += inertia[3 * a + b] * local[b];
    for (int a = 0; a < 3; a++) {
        out[a] = 0;
        for (int b = 0; b < 3; b++) out[a] += m[3 * a + b] * turned[b];
    }
}

/* An uneven box that tumbles freely keeps its angular momentum. */
static void tumbling(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies: [{density: 100, angular_velocity: [1, 5, 2], shapes: [{box: {size: [0.2, 0.4, 0.7]}}]}]\n");
    mn_rigid *rigid = bodies_of(scene);
    double before[3], after[3], t = 0;
    angular_momentum(rigid, before);
    steps(rigid, 2000, &t, 5e-4, 0);
    angular_momentum(rigid, after);
    const double size = sqrt(before[0] * before[0] + before[1] * before[1] + before[2] * before[2]);
    for (int a = 0; a < 3; a++) near_to("angular momentum", after[a] / size, before[a] / size, 0.01);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* Physical pendulum of small swing: T = 2 pi sqrt(I / (m g l)), I about the hinge. */
static void pendulum(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies: [{density: 1000, angular_velocity: [0, 0, 0.2], shapes: [{box: {size: [0.05, 0.6, 0.1], "
              "centre: [0, -0.4, 0]}}]}]\n"
              "joints: [{kind: hinge, body: body1, anchor: [0, 0, 0], axis: [0, 0, 1]}]\n");
    mn_rigid *rigid = bodies_of(scene);
    mn_rigid_states(rigid)[0].velocity[0] = 0.2 * 0.4; /* about the hinge, not about the centre */
    const double expected = 2 * pi * sqrt(((0.05 * 0.05 + 0.6 * 0.6) / 12 + 0.16) / (9.81 * 0.4)), dt = 5e-4;
    double t = 0, last = 0, first = -1, final = 0, most = 0;
    int crossings = 0;
    for (int k = 0; k < 14000; k++) {
        steps(rigid, 1, &t, dt, 9.81);
        const double angle = mn_rigid_joint(rigid, 0);
        most = fmax(most, angle);
        if (last > 0 && angle <= 0) {
            final = t - dt * angle / (angle - last);
            if (first < 0) first = final;
            else crossings++;
        }
        last = angle;
    }
    assert_true(crossings >= 4);
    near_to("period", (final - first) / crossings / expected, 1, 2e-3);
    near_to("swing", most, 0.2 / (2 * pi / expected), 2e-3);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

static void box_on_floor(void **state)
{
    (void)state;
    static const char *const floors[] = {
        "walls: [{shapes: [{plane: {size: [4, 4]}}]}]\n",
        "walls: [{shapes: [{box: {min: [-2, 0, -2], max: [2, 3, 2], inside_out: true, open: [top]}}]}]\n",
        "walls: [{shapes: [{cylinder: {radius: 2, height: 1, centre: [0, -0.5, 0]}}]}]\n",
        "walls: [{shapes: [{cone: {radius: 3, top_radius: 2, height: 1, centre: [0, -0.5, 0]}}]}]\n",
    };
    for (size_t k = 0; k < sizeof floors / sizeof *floors; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "bodies: [{density: 500, shapes: [{box: {size: [0.4, 0.2, 0.3], centre: [0.1, 0.15, 0.1]}}]}]\n%s",
                 floors[k]);
        mn_scene *scene = parse(text);
        mn_rigid *rigid = bodies_of(scene);
        double t = 0;
        steps(rigid, 1500, &t, 1e-3, 9.81);
        const mn_body_state *s = mn_rigid_state(rigid, 0);
        near_to(floors[k], s->position[1], 0.1, 1e-3);
        near_to("sideways", s->position[0], 0.1, 2e-3);
        near_to("upright", fabs(s->quaternion[0]), 1, 1e-4);
        near_to("speed", s->velocity[1], 0, 1e-3);
        mn_rigid_free(rigid);
        mn_scene_free(scene);
    }
}

/* A ball falls out of a drum without a floor, and lies in one without a lid. */
static void open_drums(void **state)
{
    (void)state;
    for (int lidless = 0; lidless < 2; lidless++) {
        char text[600];
        snprintf(text, sizeof text,
                 "bodies: [{density: 500, shapes: [{sphere: {radius: 0.1, centre: [0.05, 0.3, 0]}}]}]\n"
                 "walls: [{shapes: [{cylinder: {radius: 0.5, height: 1, centre: [0, 0.5, 0], inside_out: true, open: "
                 "[%s]}}]}]\n",
                 lidless ? "top" : "bottom");
        mn_scene *scene = parse(text);
        mn_rigid *rigid = bodies_of(scene);
        double t = 0;
        steps(rigid, 600, &t, 1e-3, 9.81);
        const double height = mn_rigid_state(rigid, 0)->position[1];
        if (lidless) near_to("height in the drum", height, 0.1, 5e-3);
        else near_to("height below it", height, 0.3 - 0.5 * 9.81 * 0.36, 0.02);
        mn_rigid_free(rigid);
        mn_scene_free(scene);
    }
}

/* On a slope: slides if the slope is steeper than the grip, stays if not. */
static void grip(void **state)
{
    (void)state;
    for (int slippery = 0; slippery < 2; slippery++) {
        char text[600];
        snprintf(text, sizeof text,
                 "bodies: [{density: 500, grip: %g, shapes: [{box: {size: [0.4, 0.2, 0.4], rotate: [0, 0, -20], "
                 "centre: [0.0342, "
                 "0.09397, 0]}}]}]\n"
                 "walls: [{shapes: [{plane: {size: [8, 8], rotate: [0, 0, -20]}}]}]\n",
                 slippery ? 0.1 : 0.6);
        mn_scene *scene = parse(text);
        mn_rigid *rigid = bodies_of(scene);
        double t = 0;
        steps(rigid, 1000, &t, 1e-3, 9.81);
        const double *x = mn_rigid_state(rigid, 0)->position, a = 20 * pi / 180;
        const double slid = hypot(x[0] - 0.0342, x[1] - 0.09397), expected = 0.5 * 9.81 * (sin(a) - 0.1 * cos(a));
        near_to("distance down the slope", slid, slippery ? expected : 0, slippery ? 0.1 * expected : 5e-3);
        mn_rigid_free(rigid);
        mn_scene_free(scene);
    }
}

static void restitution(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies: [{density: 500, restitution: 0.8, shapes: [{sphere: {radius: 0.1, centre: [0, 1.1, 0]}}]}]\n"
              "walls: [{shapes: [{plane: {size: [4, 4]}}]}]\n");
    mn_rigid *rigid = bodies_of(scene);
    double t = 0, top = 0;
    steps(rigid, 500, &t, 1e-3, 9.81);
    for (int k = 0; k < 500; k++) {
        steps(rigid, 1, &t, 1e-3, 9.81);
        top = fmax(top, mn_rigid_state(rigid, 0)->position[1] - 0.1);
    }
    near_to("height after the bounce", top, 0.64, 0.03);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* A hinge falls onto its stop, a slider too; a ball bends no farther than its swing. */
static void limits(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies:\n"
              "  - {name: arm, density: 1000, shapes: [{box: {size: [0.4, 0.05, 0.05], centre: [0.2, 0, 0]}}]}\n"
              "  - {name: sled, density: 1000, shapes: [{box: {size: [0.1, 0.1, 0.1], centre: [2, 0, 0]}}]}\n"
              "  - {name: limb, density: 1000, shapes: [{capsule: {radius: 0.05, height: 0.4, axis: [1, 0, 0], centre: "
              "[4.2, 0, 0]}}]}\n"
              "  - {name: glued, density: 1000, shapes: [{sphere: {radius: 0.1, centre: [6, 0, 0]}}]}\n"
              "joints:\n"
              "  - {kind: hinge, body: arm, axis: [0, 0, 1], limits: [-30, 10]}\n"
              "  - {kind: slider, body: sled, axis: [0, 1, 0], limits: [-0.25, 0.5]}\n"
              "  - {kind: ball, body: limb, anchor: [4, 0, 0], axis: [1, 0, 0], swing: 40, twist: 20}\n"
              "  - {kind: fixed, body: glued}\n");
    mn_rigid *rigid = bodies_of(scene);
    double t = 0, x[3], v[3];
    steps(rigid, 2000, &t, 1e-3, 9.81);
    near_to("hinge angle", mn_rigid_joint(rigid, 0), -30 * pi / 180, 0.02);
    near_to("arm", mn_rigid_state(rigid, 0)->position[1], -0.2 * sin(30 * pi / 180), 0.005);
    near_to("slider", mn_rigid_joint(rigid, 1), -0.25, 2e-3);
    near_to("sled", mn_rigid_state(rigid, 1)->position[1], -0.25, 2e-3);
    near_to("limb", mn_rigid_state(rigid, 2)->position[1], -0.2 * sin(40 * pi / 180), 0.01);
    near_to("glued", mn_rigid_state(rigid, 3)->position[1], 0, 1e-3);
    const mn_pose pose = mn_rigid_pose(rigid, 2);
    mn_pose_point(&pose, (double[3]){4, 0, 0}, x, v);
    near_to("anchor", hypot(x[0] - 4, x[1]), 0, 2e-3);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* Two boxes meet in empty space: momentum stays to rounding. */
static void collision_momentum(void **state)
{
    (void)state;
    mn_scene *scene =
        parse("bodies:\n"
              "  - {density: 1000, velocity: [1, 0.2, 0], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
              "  - {density: 400, velocity: [-1, 0, 0.1], restitution: 0.5, shapes: [{torus: {radius: 0.2, tube: "
              "0.05, centre: [0.6, 0.05, 0]}}]}\n");
    mn_rigid *rigid = bodies_of(scene);
    double before[3], after[3], t = 0;
    const double m[2] = {mn_rigid_shape_of(rigid, 0)->mass, mn_rigid_shape_of(rigid, 1)->mass};
    for (int a = 0; a < 3; a++)
        before[a] = m[0] * mn_rigid_state(rigid, 0)->velocity[a] + m[1] * mn_rigid_state(rigid, 1)->velocity[a];
    steps(rigid, 600, &t, 1e-3, 0);
    for (int a = 0; a < 3; a++)
        after[a] = m[0] * mn_rigid_state(rigid, 0)->velocity[a] + m[1] * mn_rigid_state(rigid, 1)->velocity[a];
    for (int a = 0; a < 3; a++) near_to("momentum", after[a], before[a], 1e-10 * m[0]);
    assert_true(fabs(mn_rigid_state(rigid, 0)->velocity[0] - 1) > 0.1);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* A body on a path arrives where the path says, and pushes what lies before it. */
static void paths(void **state)
{
    (void)state;
    mn_scene *scene = parse(
        "bodies:\n"
        "  - {name: pusher, motion: {velocity: [0.5, 0, 0]}, shapes: [{box: {size: [0.2, 0.2, 0.2], centre: [0, 0.1, "
        "0]}}]}\n"
        "  - {name: pushed, density: 500, grip: 0.1, shapes: [{box: {size: [0.2, 0.2, 0.2], centre: [0.3, 0.1, 0]}}]}\n"
        "  - {name: rock, fixed: true, shapes: [{box: {size: [0.2, 0.2, 0.2], centre: [0, 3, 0]}}]}\n"
        "walls: [{shapes: [{plane: {size: [4, 4]}}]}]\n");
    mn_rigid *rigid = bodies_of(scene);
    double t = 0;
    steps(rigid, 1000, &t, 1e-3, 9.81);
    near_to("pusher", mn_rigid_state(rigid, 0)->position[0], 0.5, 1e-6);
    assert_true(mn_rigid_state(rigid, 1)->position[0] > 0.68);
    near_to("rock", mn_rigid_state(rigid, 2)->position[1], 3, 0);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* Held, it stays under weight and blow; let go, it sets out with its velocity. */
static void release(void **state)
{
    (void)state;
    mn_scene *scene = parse(
        "bodies:\n"
        "  - {density: 100, release: 0.5, velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1, centre: [0, 5, 0]}}]}\n"
        "  - {density: 100, velocity: [1, 4, 0], shapes: [{sphere: {radius: 0.1, centre: [-0.3, 4.5, 0]}}]}\n");
    mn_rigid *rigid = bodies_of(scene);
    double t = 0;
    steps(rigid, 400, &t, 1e-3, 9.81);
    const mn_body_state *s = mn_rigid_state(rigid, 0);
    assert_true(s->position[1] == 5 && s->position[0] == 0 && s->velocity[0] == 0);
    assert_true(mn_rigid_state(rigid, 1)->position[1] < 4.9); /* it has bounced off */
    steps(rigid, 100, &t, 1e-3, 9.81);
    assert_true(s->position[1] == 5);
    steps(rigid, 200, &t, 1e-3, 9.81);
    near_to("fall", s->position[1], 5 - 0.5 * 9.81 * 0.2 * 0.201, 2e-2 * 0.2 + 1e-9);
    near_to("distance", s->position[0], 0.2, 2e-3);
    mn_rigid_free(rigid);
    mn_scene_free(scene);
}

/* A heap of all shapes, twice, and once more with a break in the middle: the same bits. */
static void same_bits(void **state)
{
    (void)state;
    mn_scene *scene = parse(
        "rigid: {substeps: 2}\nbodies:\n"
        "  - {density: 500, shapes: [{box: {size: [0.2, 0.3, 0.2], centre: [0, 0.3, 0]}}]}\n"
        "  - {density: 800, restitution: 0.4, shapes: [{sphere: {radius: 0.15, centre: [0.05, 0.8, 0]}}]}\n"
        "  - {density: 300, shapes: [{cylinder: {radius: 0.1, height: 0.3, axis: [1, 0.2, 0], centre: [0, 1.2, "
        "0.05]}}]}\n"
        "  - {density: 300, shapes: [{capsule: {radius: 0.1, height: 0.2, axis: [0, 0.2, 1], centre: [0, 1.6, 0]}}]}\n"
        "  - {density: 300, shapes: [{cone: {radius: 0.15, height: 0.3, centre: [0.1, 2, 0]}}]}\n"
        "  - {density: 300, shapes: [{torus: {radius: 0.2, tube: 0.06, centre: [0, 2.4, 0]}}]}\n"
        "walls: [{shapes: [{box: {min: [-0.5, 0, -0.5], max: [0.5, 4, 0.5], inside_out: true, open: [top]}}]}]\n");
    mn_rigid *a = bodies_of(scene), *b = bodies_of(scene), *c = bodies_of(scene);
    double ta = 0, tb = 0;
    steps(a, 800, &ta, 1e-3, 9.81);
    steps(b, 500, &tb, 1e-3, 9.81);
    mn_snapshot snap = {0};
    assert_true(mn_rigid_save(b, &snap));
    assert_int_equal(mn_rigid_load(c, &snap, NULL), MN_OK);
    mn_snapshot_free(&snap);
    double tc = tb;
    steps(b, 300, &tb, 1e-3, 9.81);
    steps(c, 300, &tc, 1e-3, 9.81);
    for (int k = 0; k < mn_rigid_count(a); k++) {
        assert_memory_equal(mn_rigid_state(a, k), mn_rigid_state(b, k), sizeof(mn_body_state));
        assert_memory_equal(mn_rigid_state(a, k), mn_rigid_state(c, k), sizeof(mn_body_state));
        assert_true(mn_rigid_state(a, k)->position[1] > 0.04);
    }
    mn_rigid_free(a), mn_rigid_free(b), mn_rigid_free(c);
    mn_scene_free(scene);
}

static void overlaps_are_found(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        char text[400];
        snprintf(text, sizeof text,
                 "bodies:\n  - {name: a, density: 500, shapes: [{sphere: {radius: 0.2, centre: [0, 1, 0]}}]}\n"
                 "  - {name: b, density: 500, shapes: [{sphere: {radius: 0.2, centre: [%g, 1, 0]}}]}\n"
                 "walls: [{name: floor, shapes: [{plane: {size: [4, 4]}}]}]\n",
                 apart ? 0.5 : 0.3);
        mn_scene *scene = parse(text);
        mn_rigid *rigid = bodies_of(scene);
        const char *first = "", *second = "";
        assert_int_equal(mn_rigid_overlap(rigid, 0.01, &first, &second), !apart);
        if (!apart) assert_string_equal(first, "a"), assert_string_equal(second, "b");
        mn_rigid_free(rigid);
        mn_scene_free(scene);
    }
}

/* -- points -------------------------------------------------------------------------------------------------------- */

/* Every point lies the inset below the surface, or in the middle of a thin part, and its normal points outwards. */
static void points_below_the_surface(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "box: {size: [0.6, 0.5, 0.7]}",
        "sphere: {radius: 0.4}",
        "cylinder: {radius: 0.3, height: 0.8, axis: [1, 1, 0]}",
        "capsule: {radius: 0.2, height: 0.5}",
        "cone: {radius: 0.4, top_radius: 0.2, height: 0.6}",
        "torus: {radius: 0.5, tube: 0.2}",
        "box: {size: [0.8, 0.05, 0.8]}",
        "cylinder: {radius: 0.4, height: 0.05}",
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char text[300];
        snprintf(text, sizeof text, "bodies: [{density: 1, shapes: [{%s}]}]\n", shapes[k]);
        mn_scene *scene = parse(text);
        mn_rigid_shape form;
        assert_int_equal(mn_rigid_shape_make(&scene->bodies[0], &form, NULL), MN_OK);
        mn_points points = {0}, normals = {0};
        assert_int_equal(mn_rigid_shape_sample(&form, &scene->bodies[0], 1, &points, &normals, NULL), MN_OK);
        assert_true(points.count > 50 && points.count == normals.count);
        for (long i = 0; i < points.count; i++) {
            const double *x = points.x + 3 * i, *n = normals.x + 3 * i,
                         out[3] = {x[0] + 0.04 * n[0], x[1] + 0.04 * n[1], x[2] + 0.04 * n[2]};
            const bool thin = k >= 6;
            near_to(shapes[k], mn_rigid_shape_distance(&form, x, 1), thin ? -0.025 : -MN_BODY_INSET * 0.05, 1e-3);
            if (!thin)
                assert_true(mn_rigid_shape_distance(&form, out, 1) > mn_rigid_shape_distance(&form, x, 1) + 0.02);
            if (thin) near_to("normal of a sheet, twice as long", fabs(n[1]), 2, 1e-12);
        }
        mn_points_free(&points);
        mn_points_free(&normals);
        mn_rigid_shape_free(&form);
        mn_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_their_skins),
        cmocka_unit_test(unions),
        cmocka_unit_test(quaternions),
        cmocka_unit_test(free_fall),
        cmocka_unit_test(tumbling),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(box_on_floor),
        cmocka_unit_test(open_drums),
        cmocka_unit_test(grip),
        cmocka_unit_test(restitution),
        cmocka_unit_test(limits),
        cmocka_unit_test(collision_momentum),
        cmocka_unit_test(paths),
        cmocka_unit_test(release),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(points_below_the_surface),
        cmocka_unit_test(overlaps_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
