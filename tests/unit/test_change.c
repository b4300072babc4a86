/* Changes while a scene runs: what may change, and that run.yaml repeats a steered run to the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <math.h>
#include "core/state.h"
#include "core/world.h"
#include "scene/motion.h"
#include "session/replay.h"
#include "scene/change.h"
#include "session/session.h"
#include "unit/scene_place.h"

static const char TEXT[] =
    "particles: {spacing: 0.05}\n"
    "time: {step: 0.002, end: 0.06}\n"
    "fluids:\n"
    "  - name: water\n"
    "    shapes: [{box: {grid: [5, 5, 5], origin: [0.075, 0.06, 0.075]}}]\n"
    "    viscosity: {model: xsph, strength: 0.05}\n"
    "    tension: [{model: akinci2013, cohesion: 1}, {model: becker2007, strength: 0.1}]\n"
    "    emitters: [{disc: {radius: 0.06}, position: [0.3, 0.4, 0.3], direction: [0, -1, 0], speed: 1}]\n"
    "walls:\n"
    "  - {name: box, shapes: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5], inside_out: true}}]}\n"
    "  - name: paddle\n"
    "    shapes: [{box: {min: [0.38, 0.05, 0.1], max: [0.42, 0.3, 0.4]}}]\n"
    "    motion: {velocity: [-0.4, 0, 0], angular_velocity: [0, 1, 0], centre: [0.4, 0, 0.25]}\n"
    "air: {velocity: [1, 0, 0]}\n"
    "output: {every: 0.009}\n";

static int set_up(void **state) { return scene_place_make(state, "change", TEXT); }

static void copies_are_equal_and_apart(void **state)
{
    place *p = *state;
    mn_scene *copy = mn_scene_copy(p->scene);
    char *a = mn_scene_write(p->scene), *b = mn_scene_write(copy);
    assert_string_equal(a, b);
    free(b);
    assert_int_equal(mn_scene_change(copy, "gravity=[0, -1, 0]", 0, MN_NOWHERE, p->say), MN_OK);
    b = mn_scene_write(p->scene);
    assert_string_equal(a, b); /* the first is untouched */
    free(b);
    b = mn_scene_write(copy);
    assert_string_not_equal(a, b);
    assert_int_equal(mn_scene_unchange(copy, p->scene, "gravity=", p->say), MN_OK);
    free(b);
    b = mn_scene_write(copy);
    assert_string_equal(a, b);
    free(a);
    free(b);
    mn_scene_free(copy);
}

static void refuse(place *p, const char *set, const char *words)
{
    mn_messages_clear(p->say);
    mn_scene *copy = mn_scene_copy(p->scene);
    char *before = mn_scene_write(copy);
    assert_int_equal(mn_scene_change(copy, set, 0.1, MN_NOWHERE, p->say), MN_BAD_INPUT);
    char *after = mn_scene_write(copy);
    assert_string_equal(before, after);
    if (!said(p->say, words)) print_message("%s: %s\n", set, mn_messages_get(p->say, 0).text);
    assert_true(said(p->say, words));
    free(before);
    free(after);
    mn_scene_free(copy);
}

static void refuses_what_cannot_change(void **state)
{
    place *p = *state;
    refuse(p, "gravty=[0, 0, 0]", "did you mean \"gravity\"");
    refuse(p, "gravity", "expected KEY=VALUE");
    refuse(p, "gravity=[0, 0]", "gravity: expected a list of 3 numbers");
    refuse(p, "gravity=[0, 0, no]", "expected a number");
    refuse(p, "particles.spacing=0.1", "cannot change while the scene runs");
    refuse(p, "fluids.water.jitter=0.1", "cannot change while the scene runs: the world is built from it");
    refuse(p, "fluids.watr.viscosity.strength=1", "did you mean \"water\"");
    refuse(p, "fluids.water.viscosity.strenth=1", "did you mean \"strength\"");
    refuse(p, "fluids.water.viscosity.strength=-1", "from 0");
    refuse(p, "fluids.water.tension.strength=1", "there is no model \"strength\"");
    refuse(p, "fluids.water.drag.strength=1", "no model of drag");
    refuse(p, "walls.paddle=3", "cannot change while the scene runs");
    refuse(p, "gravity={", "");
    refuse(p, "fluids=1", "expected the name or the number");
    refuse(p, "fluids..x=1", "");
}

static void changes_in_a_file_are_checked(void **state)
{
    place *p = *state;
    static const char *const bad[] = {
        "changes=[{time: 0, set: \"gravty=1\"}]",
        "changes=[{time: 0, set: \"gravity=1\"}]",
        "changes=[{time: 1, set: \"gravity=[0, 0, 0]\"}, {time: 0, set: \"gravity=[0, 0, 0]\"}]",
        "changes=[{set: \"gravity=[0, 0, 0]\"}]",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(mn_scene_parse(TEXT, strlen(TEXT), "test.yaml", &bad[i], 1, p->say));
}

/* What a hand at the sliders does. */
typedef struct order {
    int64_t step;
    const char *set;
} order;
static const order hand[] = {{0, "air.velocity=[0, 0, 2]"},
                             {4, "gravity=[1, -5, 0]"},
                             {5, "fluids.water.density=950"},
                             {5, "stats.every=0.005"},
                             {6, "time.step=0.0018"},
                             {6, "pressure.iteration=jacobi"},
                             {6, "time.end=0.07"},
                             {6, "fluids.water.emitters.0.limit=40"},
                             {7, "fluids.water.viscosity.strength=0.2"},
                             {7, "fluids.water.tension.akinci2013.cohesion=3"},
                             {9, "fluids.water.tension.1.strength=0.5"},
                             {10, "fluids.0.emitters.0.speed=1.5"},
                             {12, "walls.paddle.motion.velocity=[0.3, 0, 0.1]"},
                             {13, "walls.paddle.motion.angular_velocity=[0, -2, 1]"},
                             {14, "walls.box.friction=0.1"},
                             {15, "walls.box.motion.velocity=[0.5, 0, 0]"}, /* stood still until now */
                             {14, "pressure.tolerance=0.05"},
                             {17, "gravity=[0, -9.81, 0]"}};

typedef struct pilot {
    mn_messages *say;
    int64_t stop_at;
    volatile sig_atomic_t stop;
    const order *orders;
    size_t count;
} pilot;

static void steer(void *user, mn_world *world)
{
    pilot *me = user;
    const int64_t step = mn_world_steps(world);
    for (size_t i = 0; i < me->count; i++)
        if (me->orders[i].step == step) assert_int_equal(mn_world_change(world, me->orders[i].set, me->say), MN_OK);
    if (step == me->stop_at) me->stop = 1;
}

static uint64_t run(place *p, const mn_scene *scene, const char *name, pilot *who, bool resume, mn_status expected)
{
    char dir[128];
    snprintf(dir, sizeof dir, "%s/%s", p->dir, name);
    mn_session_options opt = mn_default_session_options();
    mn_session_summary sum;
    opt.dir = dir;
    opt.resume = resume;
    opt.between = who ? steer : NULL;
    opt.between_user = who;
    opt.stop = who ? &who->stop : NULL;
    const mn_status status = mn_session_run(scene, &opt, p->say, &sum);
    for (int i = 0; i < mn_messages_count(p->say) && status != expected; i++)
        print_message("%s\n", mn_messages_get(p->say, i).text);
    assert_int_equal(status, expected);
    return sum.hash;
}

static mn_scene *run_yaml(place *p, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s/run.yaml", p->dir, name);
    return mn_scene_load(path, NULL, 0, p->say);
}

static int rows_of(place *p, const char *name)
{
    char path[160], line[2000];
    snprintf(path, sizeof path, "%s/%s/stats.csv", p->dir, name);
    FILE *file = fopen(path, "r");
    int count = 0;
    while (file && fgets(line, sizeof line, file)) count++;
    if (file) fclose(file);
    return count;
}

static void a_steered_run_repeats(void **state)
{
    place *p = *state;
    pilot hands = {.say = p->say, .stop_at = -1, .orders = hand, .count = sizeof hand / sizeof *hand};
    const uint64_t plain = run(p, p->scene, "plain", NULL, false, MN_OK);
    const uint64_t steered = run(p, p->scene, "steered", &hands, false, MN_OK);
    assert_true(plain != steered);
    mn_scene *again = run_yaml(p, "steered");
    assert_non_null(again);
    assert_int_equal(again->change_count, (int)(sizeof hand / sizeof *hand));
    assert_true(run(p, again, "again", NULL, false, MN_OK) == steered);
    assert_true(rows_of(p, "again") == rows_of(p, "steered") && rows_of(p, "steered") < 30); /* fewer since the fifth */

    /* Frames read back know where the walls were: the box that began to move, too. */
    char dir[128];
    mn_frame frame;
    snprintf(dir, sizeof dir, "%s/steered", p->dir);
    mn_replay *replay = mn_replay_open(dir, p->say);
    assert_non_null(replay);
    const mn_motion *box = &mn_replay_scene(replay)->walls[0].motion;
    const double start = again->changes[(int)(sizeof hand / sizeof *hand) - 2].time;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < mn_replay_count(replay); k++) {
            assert_int_equal(mn_replay_frame(replay, mn_replay_number(replay, k), &frame, p->say), MN_OK);
            assert_float_equal(mn_motion_at(box, frame.time).at[0], 0.5 * fmax(0, frame.time - start), 1e-12);
            mn_frame_free(&frame);
        }
    mn_replay_free(replay);
    mn_scene_free(again);
}

/* A run that has come to its end goes on where the end was put off, also when it is repeated. */
static void the_end_can_be_put_off(void **state)
{
    place *p = *state;
    char dir[128];
    snprintf(dir, sizeof dir, "%s/longer", p->dir);
    mn_session_options opt = mn_default_session_options();
    mn_session_summary sum;
    opt.dir = dir;
    mn_session *session = mn_session_open(p->scene, &opt, p->say);
    assert_non_null(session);
    while (!mn_session_done(session)) assert_int_equal(mn_session_step(session, p->say), MN_OK);
    const int64_t first = mn_world_steps(mn_session_world(session));
    assert_int_equal(mn_world_change(mn_session_world(session), "time.end=0.08", p->say), MN_OK);
    while (!mn_session_done(session)) assert_int_equal(mn_session_step(session, p->say), MN_OK);
    assert_true(mn_world_steps(mn_session_world(session)) >= first + 10);
    assert_int_equal(mn_session_close(session, p->say, &sum), MN_OK);
    mn_scene *again = run_yaml(p, "longer");
    assert_non_null(again);
    assert_true(run(p, again, "longer-again", NULL, false, MN_OK) == sum.hash);
    mn_scene_free(again);
}

/* Stopped in between: only with its changes it goes on, and to the same bits. */
static void a_steered_run_resumes(void **state)
{
    place *p = *state;
    pilot hands = {.say = p->say, .stop_at = 16, .orders = hand, .count = sizeof hand / sizeof *hand},
          none = {.say = p->say, .stop_at = -1};
    run(p, p->scene, "half", &hands, false, MN_INTERRUPTED);
    mn_scene *half = run_yaml(p, "half");
    assert_non_null(half);
    run(p, p->scene, "half", &none, true, MN_BAD_INPUT);
    assert_true(said(p->say, "are not those of the scene"));
    mn_messages_clear(p->say);
    const uint64_t resumed = run(p, half, "half", &none, true, MN_OK);
    const uint64_t whole = run(p, half, "whole", NULL, false, MN_OK);
    assert_true(resumed == whole);
    mn_scene_free(half);
}

/* A box that stands still begins to move, with its points and with what lies in it. */
static void walls_begin_to_move(void **state)
{
    place *p = *state;
    mn_world *world = mn_world_new(p->scene, NULL, p->say);
    assert_non_null(world);
    const int64_t n = mn_world_boundary_points(world);
    float *before = malloc((size_t)n * 12), *after = malloc((size_t)n * 12);
    int *wall = malloc((size_t)n * sizeof *wall);
    for (int k = 0; k < 4; k++) assert_int_equal(mn_step(world, p->say), MN_OK);
    assert_int_equal(mn_world_change(world, "walls.box.motion.velocity=[0, 0, 0]", p->say),
                     MN_OK); /* goes on resting */
    assert_int_equal(mn_step(world, p->say), MN_OK);
    mn_world_boundary(world, before, wall, p->say);
    const double from = mn_world_time(world);
    assert_int_equal(mn_world_change(world, "walls.box.motion.velocity=[0.5, 0, 0]", p->say), MN_OK);
    for (int k = 0; k < 20; k++) assert_int_equal(mn_step(world, p->say), MN_OK);
    const double travel = 0.5 * (mn_world_time(world) - from);
    assert_int_equal(mn_world_boundary_points(world), n);
    double low = INFINITY, first = INFINITY;
    for (int64_t i = 0; i < n; i++)
        if (wall[i] == 0) first = fmin(first, (double)before[3 * i]);
    mn_world_boundary(world, after, wall, p->say);
    for (int64_t i = 0; i < n; i++)
        if (wall[i] == 0) low = fmin(low, (double)after[3 * i]);
    assert_float_equal(low - first, travel, 1e-6);
    const int64_t count = mn_world_particles(world);
    float *x = malloc((size_t)count * 12);
    assert_int_equal(mn_world_get(world, "position", x, p->say), MN_OK);
    for (int64_t i = 0; i < count; i++) assert_true((double)x[3 * i] > low);
    free(x), free(before), free(after), free(wall);
    mn_world_free(world);
}

/* Two walls that stand still, of which the later in the file begins first: what is resumed meets both at once. */
static const char STANDING[] =
    "particles: {spacing: 0.05}\n"
    "time: {step: 0.002, end: 0.06}\n"
    "fluids:\n"
    "  - name: water\n"
    "    shapes: [{box: {grid: [5, 5, 5], origin: [0.2, 0.06, 0.2]}}]\n"
    "walls:\n"
    "  - {name: box, shapes: [{box: {min: [0, 0, 0], max: [0.6, 0.6, 0.6], inside_out: true}}]}\n"
    "  - {name: block, shapes: [{box: {min: [0.48, 0.02, 0.1], max: [0.56, 0.3, 0.5]}}]}\n"
    "output: {every: 0.02}\n";
static const order begin[] = {{5, "walls.block.motion.velocity=[-0.3, 0, 0]"},
                              {8, "walls.box.motion.velocity=[0.5, 0, 0]"},
                              {11, "walls.box.motion.angular_velocity=[0.2, 0, 0]"}};
#define BALL "{name: ball, density: 500, shapes: [{sphere: {radius: 0.05, centre: [0.055, 0.06, 0.3]}}]}"
#define COATED "substances=[{name: salt, coats: [{wall: block, coverage: 0.5}]}]"
enum { BESIDE_MOST = 3 };
static const struct {
    const char *what, *sets[BESIDE_MOST];
    int count;
} beside[] = {
    {"in a periodic domain", {"domain={min: [-0.2, -0.2, -0.2], max: [0.8, 0.8, 0.8], periodic: [x, z]}"}, 1},
    {"as volume maps", {"walls.box.method=volume_maps", "walls.block.method=volume_maps"}, 2},
    {"as volume maps in a domain",
     {"walls.box.method=volume_maps", "domain={min: [-0.1, -0.1, 0.2], max: [0.7, 0.7, 0.7]}"},
     2},
    {"as volume maps in a periodic domain",
     {"walls.box.method=volume_maps", "domain={min: [-0.2, -0.2, -0.2], max: [0.8, 0.8, 0.8], periodic: [z]}"},
     2},
    {"beside bodies",
     {"bodies=[" BALL ", {density: 700, shapes: [{box: {min: [0.4, 0.01, 0.2], max: [0.47, 0.1, 0.4]}}]}]"},
     1},
    {"beside substances", {COATED}, 1},
    {"beside substances in a periodic domain",
     {COATED, "domain={min: [-0.2, -0.2, -0.2], max: [0.8, 0.8, 0.8], periodic: [x]}"},
     2},
    {"beside solids",
     {"solids=[{name: rubber, density: 1000, young: 1e5, poisson: 0.3, shapes: [{box: {min: [0.01, 0.01, 0.2], max: "
      "[0.16, 0.16, 0.4]}}]}]"},
     1}};

static void walls_begin_beside_all(void **state)
{
    place *p = *state;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        print_message("%s\n", beside[i].what);
        mn_scene *scene =
            mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", beside[i].sets, beside[i].count, p->say);
        for (int m = 0; m < mn_messages_count(p->say) && !scene; m++)
            print_message("%s\n", mn_messages_get(p->say, m).text);
        assert_non_null(scene);
        char steered[40], again[40], half[40];
        snprintf(steered, sizeof steered, "steered-%zu", i);
        snprintf(again, sizeof again, "again-%zu", i);
        snprintf(half, sizeof half, "half-%zu", i);
        pilot hands = {.say = p->say, .stop_at = -1, .orders = begin, .count = 3}, stops = hands,
              none = {.stop_at = -1};
        stops.stop_at = 17;
        const uint64_t hash = run(p, scene, steered, &hands, false, MN_OK);
        mn_scene *same = run_yaml(p, steered);
        assert_non_null(same);
        assert_true(run(p, same, again, NULL, false, MN_OK) == hash);
        run(p, scene, half, &stops, false, MN_INTERRUPTED);
        assert_true(run(p, same, half, &none, true, MN_OK) == hash);
        mn_scene_free(same);
        mn_scene_free(scene);
    }
}

/* Where the wall went, bodies, soft solids and liquid went too. */
static void walls_take_along_what_they_meet(void **state)
{
    place *p = *state;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        mn_scene *scene =
            mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", beside[i].sets, beside[i].count, p->say);
        mn_world *world = mn_world_new(scene, NULL, p->say);
        assert_non_null(world);
        for (int k = 0; k < 4; k++) assert_int_equal(mn_step(world, p->say), MN_OK);
        const double from = mn_world_time(world);
        assert_int_equal(mn_world_change(world, "walls.box.motion.velocity=[1, 0, 0]", p->say), MN_OK);
        while (mn_world_time(world) < from + 0.2) assert_int_equal(mn_step(world, p->say), MN_OK);
        const double wall = mn_world_time(world) - from;
        const int64_t count = mn_world_particles(world);
        float *x = malloc((size_t)count * 12 + 12);
        assert_int_equal(mn_world_get(world, "position", x, p->say), MN_OK);
        for (int64_t k = 0; k < count; k++) assert_true((double)x[3 * k] > wall && (double)x[3 * k] < wall + 0.6);
        free(x);
        if (mn_world_bodies(world)) assert_true(mn_world_body(world, 0).position[0] > wall + 0.045);
        for (int k = 0; k < mn_world_solids(world); k++) {
            const int64_t n = mn_world_solid_particles(world, k);
            x = malloc((size_t)n * 12);
            assert_int_equal(mn_world_solid_get(world, k, "position", x, p->say), MN_OK);
            for (int64_t j = 0; j < n; j++) assert_true((double)x[3 * j] > wall);
            free(x);
        }
        mn_world_free(world);
        mn_scene_free(scene);
    }
}

static uint64_t hash_after(mn_world *world, int steps, mn_messages *say)
{
    for (int k = 0; k < steps; k++) assert_int_equal(mn_step(world, say), MN_OK);
    return mn_world_hash(world);
}

/* A state from before a wall moved is read while it moves: the wall stands where it stood, at rest, until the change is
 * due again; nor does a speed that it no longer has shorten the steps. */
static void walls_stand_again(void **state)
{
    place *p = *state;
    for (size_t i = 0; i < 2 * (sizeof beside / sizeof *beside); i++) {
        const size_t k = i / 2, count = (size_t)beside[k].count;
        const char *sets[BESIDE_MOST + 1];
        for (size_t n = 0; n < count; n++) sets[n] = beside[k].sets[n];
        sets[count] = "time={end: 0.06, adaptive: {max: 0.002}}";
        mn_scene *scene = mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", sets, (int)(count + i % 2), p->say);
        mn_world *world = mn_world_new(scene, NULL, p->say);
        assert_non_null(world);
        mn_snapshot before = {0};
        hash_after(world, 3, p->say);
        assert_int_equal(mn_world_save(world, &before, p->say), MN_OK);
        const uint64_t stood = hash_after(world, 4, p->say);
        assert_int_equal(mn_world_change(world, "walls.box.motion.velocity=[0, 30, 0]", p->say), MN_OK);
        const uint64_t moved = hash_after(world, 5, p->say);
        assert_int_equal(mn_world_load(world, &before, p->say), MN_OK);
        if (hash_after(world, 4, p->say) != stood) fail_msg("%s: it does not stand as it stood", beside[k].what);
        if (hash_after(world, 5, p->say) != moved) fail_msg("%s: it moves otherwise", beside[k].what);
        mn_snapshot_free(&before);
        mn_world_free(world);
        mn_scene_free(scene);
    }
}

/* Soap begins to change the tension in a run, and ends: as in a world that reads the state of that time. */
static void films_begin_and_end(void **state)
{
    place *p = *state;
    static const char text[] =
        "particles: {spacing: 0.05}\n"
        "time: {step: 0.002, end: 1}\n"
        "domain: {min: [0, 0, 0], max: [0.6, 0.6, 0.6], periodic: [x]}\n"
        "fluids:\n"
        "  - shapes: [{box: {grid: [12, 6, 6], origin: [0.025, 0.2, 0.2]}}]\n"
        "    tension: {model: akinci2013, cohesion: 1}\n"
        "    surface: orthmann2013\n"
        "species: [{name: soap, surface: {adsorption: 10, capacity: 0.01}, start: [{concentration: 5}]}]\n";
    static const char begins[] = "species.soap.effect.tension=0.5", ends[] = "species.soap.effect.tension=0";
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test.yaml", NULL, 0, p->say);
    uint64_t hash[2];
    mn_snapshot before = {0};
    for (int k = 0; k < 2; k++) {
        mn_world *world = mn_world_new(scene, NULL, p->say);
        assert_non_null(world);
        if (k) assert_int_equal(mn_world_load(world, &before, p->say), MN_OK);
        else hash_after(world, 3, p->say);
        if (!k) assert_int_equal(mn_world_save(world, &before, p->say), MN_OK);
        assert_int_equal(mn_world_change(world, begins, p->say), MN_OK);
        hash[k] = hash_after(world, 10, p->say);
        assert_int_equal(mn_world_change(world, ends, p->say), MN_OK);
        hash_after(world, 10, p->say);
        mn_world_free(world);
    }
    assert_true(hash[0] == hash[1]);
    mn_snapshot_free(&before);
    mn_scene_free(scene);
}

/* A wall in front of a coated one begins to move: the coat stays on its wall, none of it is lost. */
static void coats_stay_where_they_are(void **state)
{
    place *p = *state;
    static const char *const sets[] = {COATED};
    mn_scene *scene = mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", sets, 1, p->say);
    mn_world *world = mn_world_new(scene, NULL, p->say);
    assert_non_null(world);
    const int64_t n = mn_world_boundary_points(world);
    float *x = malloc((size_t)n * 12), *amount = malloc((size_t)n * 4);
    int *wall = malloc((size_t)n * sizeof *wall);
    double sum[2] = {0};
    for (int pass = 0; pass < 2; pass++) {
        mn_world_boundary(world, x, wall, p->say);
        assert_int_equal(mn_world_coverage(world, "salt", amount, p->say), MN_OK);
        for (int64_t i = 0; i < n; i++) {
            assert_true(wall[i] == 1 ? amount[i] > 0.4f : amount[i] == 0.0f);
            sum[pass] += (double)amount[i];
        }
        assert_int_equal(mn_world_change(world, "walls.box.motion.velocity=[0.1, 0, 0]", p->say), MN_OK);
        for (int k = 0; k < 3; k++) assert_int_equal(mn_step(world, p->say), MN_OK);
        assert_int_equal(mn_world_boundary_points(world), n);
    }
    assert_true(sum[0] == sum[1]);
    free(x), free(amount), free(wall);
    mn_world_free(world);
    mn_scene_free(scene);
}

/* A map that ended with the domain is too large as a whole: the change is refused, and the run goes on as if it had not
 * been asked for; where the scene plans it, no run begins. */
static void maps_that_move_may_be_too_large(void **state)
{
    place *p = *state;
    static const char *const sets[] = {"walls.block.method=volume_maps", "walls.block.map_spacing=0.02",
                                       "walls.block.shapes=[{box: {min: [-15, -5, -15], max: [15, -0.1, 15]}}]",
                                       "domain={min: [-0.1, -0.1, -0.1], max: [0.7, 0.7, 0.7]}",
                                       "changes=[{time: 0.02, set: \"walls.block.motion.velocity=[1, 0, 0]\"}]"};
    static const char moves[] = "walls.block.motion.velocity=[1, 0, 0]";
    mn_scene *scene = mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", sets, 4, p->say);
    mn_world *world = mn_world_new(scene, NULL, p->say), *untold = mn_world_new(scene, NULL, p->say);
    assert_non_null(world);
    assert_non_null(untold);
    hash_after(world, 1, p->say);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(mn_world_change(world, moves, p->say), MN_BAD_INPUT);
        assert_int_equal(mn_messages_errors(p->say), 1);
        assert_true(said(p->say, "nodes is too large"));
        mn_messages_clear(p->say);
    }
    int count;
    mn_world_changes(world, &count);
    assert_int_equal(count, 0);
    assert_true(hash_after(world, 2, p->say) == hash_after(untold, 3, p->say));
    mn_world_free(untold);
    /* unasked: the step fails; a world that failed stays so, and says so */
    assert_int_equal(mn_scene_change(world->own, moves, 0, MN_NOWHERE, p->say), MN_OK);
    for (int k = 0; k < 2; k++) {
        mn_messages_clear(p->say);
        assert_int_equal(mn_step(world, p->say), MN_BAD_INPUT);
        assert_int_equal(mn_messages_errors(p->say), 1);
        assert_int_equal(mn_messages_status(p->say), MN_BAD_INPUT);
        assert_true(said(p->say, k ? "an earlier step of this world failed" : "nodes is too large"));
    }
    mn_messages_clear(p->say);
    mn_world_free(world);
    mn_scene_free(scene);
    scene = mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", sets, 5, p->say);
    assert_non_null(scene);
    assert_null(mn_world_new(scene, NULL, p->say));
    assert_int_equal(mn_messages_status(p->say), MN_BAD_INPUT);
    assert_true(said(p->say, "nodes is too large"));
    mn_messages_clear(p->say);
    mn_scene_free(scene);
}

static void bodies_cannot_begin(void **state)
{
    place *p = *state;
    const char *const set = "bodies=[" BALL "]";
    mn_scene *scene = mn_scene_parse(STANDING, strlen(STANDING), "test.yaml", &set, 1, p->say);
    assert_non_null(scene);
    assert_int_equal(mn_scene_change(scene, "bodies.ball.motion.velocity=[1, 0, 0]", 0, MN_NOWHERE, p->say),
                     MN_BAD_INPUT);
    assert_true(said(p->say, "only walls can begin to move"));
    mn_messages_clear(p->say);
    mn_scene_free(scene);
}

/* A paddle whose rates change does not jump. */
static void motions_go_on(void **state)
{
    place *p = *state;
    mn_scene *copy = mn_scene_copy(p->scene);
    const mn_motion *m = &copy->walls[1].motion;
    const mn_pose before = mn_motion_at(m, 0.7);
    assert_int_equal(mn_scene_change(copy, "walls.paddle.motion.velocity=[2, 1, 0]", 0.7, MN_NOWHERE, p->say), MN_OK);
    assert_int_equal(mn_scene_change(copy, "walls.1.motion.angular_velocity=[3, 0, -1]", 0.7, MN_NOWHERE, p->say),
                     MN_OK);
    const mn_pose after = mn_motion_at(m, 0.7);
    for (int a = 0; a < 3; a++) assert_true(fabs(after.at[a] - before.at[a]) < 1e-12);
    for (int a = 0; a < 9; a++) assert_true(fabs(after.rotation[a] - before.rotation[a]) < 1e-12);
    assert_true(fabs(after.velocity[0] - 2) < 1e-6 && fabs(after.spin[0] - 3) < 1e-5);
    mn_scene_free(copy);
}

static void look_for_tension(void *user, const mn_live *live)
{
    if (strcmp(live->path, "fluids.water.surface_tension") == 0) *(double *)user = live->value[0];
}

/* A slider of the tension in N/m has the name by which a scene starts with it, however the scene chose the model. */
static void surface_tension_has_one_name(void **state)
{
    (void)state;
    static const char *const written[] = {"surface_tension: 0.07", "tension: {model: laplace, tension: 0.07}"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "particles: {spacing: 0.05}\ntime: {step: 0.002, end: 0.06}\nfluids:\n  - name: water\n"
                 "    shapes: [{box: {grid: [5, 5, 5]}}]\n    %s\n",
                 written[k]);
        mn_messages *say = mn_messages_new();
        const char *const sets[] = {"fluids.water.surface_tension=0.03"};
        for (int with = 0; with < 2; with++) {
            mn_scene *scene = mn_scene_parse(text, strlen(text), "test.yaml", sets, with, say);
            for (int i = 0; i < mn_messages_count(say); i++) print_message("%s\n", mn_messages_get(say, i).text);
            assert_non_null(scene);
            double tension = 0;
            mn_scene_live(scene, 0, look_for_tension, &tension);
            assert_true(tension == (with ? 0.03 : 0.07));
            mn_scene_free(scene);
        }
        mn_messages_free(say);
    }
}

typedef struct choices {
    const char *iteration, *warm_start;
    int words;
} choices;

static void look_for_choices(void *user, const mn_live *live)
{
    choices *seen = user;
    if (strcmp(live->path, "pressure.iteration") == 0) {
        seen->iteration = live->words[(int)live->value[0]];
        while (live->words[seen->words]) seen->words++;
    }
    if (strcmp(live->path, "pressure.warm_start") == 0) seen->warm_start = live->words[(int)live->value[0]];
}

/* Choices and marks are listed beside the numbers, with the words that the scene reader takes. */
static void choices_have_their_words(void **state)
{
    (void)state;
    static const char text[] = "particles: {spacing: 0.05}\ntime: {step: 0.002, end: 0.06}\nfluids:\n"
                               "  - shapes: [{box: {grid: [5, 5, 5]}}]\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test.yaml", NULL, 0, say);
    choices before = {0}, after = {0};
    assert_non_null(scene);
    mn_scene_live(scene, 0, look_for_choices, &before);
    assert_string_equal(before.iteration, "accelerated");
    assert_string_equal(before.warm_start, "true");
    assert_int_equal(before.words, 3);
    assert_int_equal(mn_scene_change(scene, "pressure.iteration=jacobi", 0, MN_NOWHERE, say), MN_OK);
    assert_int_equal(mn_scene_change(scene, "pressure.warm_start=false", 0, MN_NOWHERE, say), MN_OK);
    mn_scene_live(scene, 0, look_for_choices, &after);
    assert_string_equal(after.iteration, "jacobi");
    assert_string_equal(after.warm_start, "false");
    mn_scene_free(scene);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_have_their_words),
        cmocka_unit_test(surface_tension_has_one_name),
        cmocka_unit_test_setup_teardown(copies_are_equal_and_apart, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(refuses_what_cannot_change, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(changes_in_a_file_are_checked, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(the_end_can_be_put_off, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(a_steered_run_repeats, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(a_steered_run_resumes, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(walls_begin_to_move, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(walls_begin_beside_all, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(walls_take_along_what_they_meet, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(films_begin_and_end, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(coats_stay_where_they_are, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(walls_stand_again, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(maps_that_move_may_be_too_large, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(bodies_cannot_begin, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(motions_go_on, set_up, scene_place_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
