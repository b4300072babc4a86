/* Changes while a scene runs, key by key: of a scene that has every section each key is either changed, read back and
 * put back, or refused with the sentence that says why; and a run in which all of them were changed resumes to the same
 * bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/world.h"
#include "scene/change.h"
#include "scene/key_table.h"
#include "unit/scene_place.h"

static const char TEXT[] =
    "title: everything\n"
    "particles: {spacing: 0.05}\n"
    "time: {adaptive: {max: 0.002}, end: 0.02}\n"
    "fluids:\n"
    "  - name: water\n"
    "    shapes: [{box: {grid: [5, 4, 5], origin: [0.1, 0.06, 0.1]}}]\n"
    "    viscosity: {model: xsph, strength: 0.05}\n"
    "    tension: {model: akinci2013, cohesion: 1}\n"
    "    drag: {model: gissler2017}\n"
    "    surface: orthmann2013\n"
    "    emitters: [{disc: {radius: 0.06}, position: [0.3, 0.6, 0.3], direction: [0, -1, 0], speed: 8},\n"
    "               {box: {size: [0.1, 0.1]}, position: [0.6, 0.6, 0.3], direction: [0, -1, 0], speed: 1}]\n"
    "  - name: oil\n"
    "    density: 900\n"
    "    surface_tension: 0.03\n"
    "    shapes: [{box: {grid: [3, 3, 3], origin: [0.5, 0.06, 0.1]}}]\n"
    "pairs: [{fluid: water, with: oil, attraction: 0.2}]\n"
    "walls:\n"
    "  - {name: box, shapes: [{box: {min: [0, 0, 0], max: [0.8, 0.8, 0.8], inside_out: true}}]}\n"
    "  - name: paddle\n"
    "    shapes: [{box: {min: [0.7, 0.05, 0.1], max: [0.76, 0.3, 0.4]}}]\n"
    "    motion: {velocity: [-0.1, 0, 0]}\n"
    "bodies:\n"
    "  - {name: ball, density: 500, shapes: [{sphere: {radius: 0.05, centre: [0.15, 0.4, 0.6]}}]}\n"
    "  - {name: drop, mass: 0.4, release: 1, shapes: [{sphere: {radius: 0.05, centre: [0.3, 0.4, 0.6]}}]}\n"
    "  - {name: door, density: 700, shapes: [{box: {min: [0.45, 0.3, 0.58], max: [0.55, 0.4, 0.66]}}]}\n"
    "joints:\n"
    "  - {name: limb, kind: ball, body: ball, to: drop, anchor: [0.22, 0.4, 0.6], swing: 60, twist: 60}\n"
    "  - {name: hinge, kind: hinge, body: door, anchor: [0.45, 0.4, 0.6], axis: [0, 0, 1], limits: [-30, 30]}\n"
    "sinks: [{start: 0.005, shape: {box: {min: [0.1, 0.01, 0.1], max: [0.2, 0.1, 0.2]}}}]\n"
    "solids:\n"
    "  - name: rubber\n"
    "    young: 1e5\n"
    "    poisson: 0.3\n"
    "    shapes: [{box: {min: [0.1, 0.1, 0.55], max: [0.25, 0.2, 0.75]}}]\n"
    "air:\n"
    "  velocity: [1, 0, 0]\n"
    "  flows:\n"
    "    - {uniform: {velocity: [0, 0, 1]}, min: [0, 0, 0], max: [1, 1, 1]}\n"
    "    - {jet: {position: [0, 0.4, 0.4], direction: [1, 0, 0], radius: 0.1, speed: 2}}\n"
    "    - {vortex: {centre: [0.4, 0.4, 0.4], axis: [0, 1, 0], radius: 0.1, speed: 1}}\n"
    "    - {shear: {point: [0, 0, 0], direction: [1, 0, 0], normal: [0, 1, 0], rate: 0.5}}\n"
    "species:\n"
    "  - name: soap\n"
    "    diffusion: 1e-4\n"
    "    surface: {adsorption: 1, desorption: 0.5, capacity: 0.01}\n"
    "    effect: {tension: 0.2}\n"
    "    start: [{concentration: 1, fluid: water}]\n"
    "    inflow: [{concentration: 2}]\n"
    "substances: [{name: grease, coats: [{wall: box, coverage: 0.1}]}]\n"
    "reactions: [{species: soap, substance: grease, rate: 1}]\n"
    "output:\n"
    "  every: 0.009\n"
    "  grid: {min: [0, 0, 0], max: [0.8, 0.8, 0.8], every: 0.01}\n"
    "  surface: {formats: [ply]}\n"
    "  probes: [{name: here, point: {position: [0.2, 0.1, 0.2]}, every: 0.005}]\n"
    "stats: {every: 0.004}\n"
    "checkpoint: {every: 0.01}\n"
    "camera: {eye: [2, 1, 2], target: [0.4, 0.2, 0.4]}\n";

static int set_up(void **state) { return scene_place_make(state, "change-all", TEXT); }

typedef struct tour {
    mn_scene *copy;
    const mn_scene *given;
    mn_messages *say;
    char *text; /* as given */
    int changed, refused;
    char (*orders)[700]; /* KEY=VALUE of all that can change */
} tour;

static double other(const mn_key *key, double was)
{
    const bool whole = key->type == MN_KEY_INTEGER || key->type == MN_KEY_LONG;
    if (!isfinite(was)) return 0.5;
    if (whole) return was + 1 <= key->max ? was + 1 : was - 1;
    double value = was == 0 ? 0.01 : 1.05 * was;
    if (value > key->max) value = 0.95 * was;
    return fmax(value, key->min);
}

/* A value that the key may have and has not. */
static void another_value(const mn_key *key, const void *at, char *out, size_t room)
{
    const char *names[MN_MOST_NAMES];
    const double *numbers = at;
    const mn_curve *curve = at;
    switch (key->type) {
    case MN_KEY_NUMBER: snprintf(out, room, "%.17g", other(key, *numbers)); break;
    case MN_KEY_INTEGER: snprintf(out, room, "%.0f", other(key, *(const int *)at)); break;
    case MN_KEY_LONG: snprintf(out, room, "%.0f", other(key, (double)*(const long *)at)); break;
    case MN_KEY_FLAG: snprintf(out, room, "%s", *(const bool *)at ? "false" : "true"); break;
    case MN_KEY_CHOICE:
        mn_key_names(key, names, MN_MOST_NAMES);
        snprintf(out, room, "%s", names[*(const int *)at ? 0 : 1]);
        break;
    case MN_KEY_WORD:
        mn_key_names(key, names, MN_MOST_NAMES);
        snprintf(out, room, "%s", names[strcmp(names[0], *(char *const *)at) == 0]);
        break;
    case MN_KEY_CURVE:
        numbers = curve->value;
        if (key->width == 1) {
            snprintf(out, room, "%.17g", numbers ? other(key, *numbers) : 1);
            break;
        } /* fall through */
    case MN_KEY_NUMBERS:
        if (strcmp(key->name, "coefficients") == 0) snprintf(out, room, "[2, 1, 1]");
        else if (key->width == 2) snprintf(out, room, "[%.17g, %.17g]", other(key, numbers[0]), other(key, numbers[1]));
        else
            snprintf(out, room, "[%.17g, %.17g, %.17g]", numbers ? other(key, numbers[0]) : 1, 0.25,
                     numbers ? numbers[2] + 0.01 : 1);
        break;
    default: snprintf(out, room, "x"); break;
    }
}

static bool is_reason(const mn_messages *say)
{
    return said(say, "this key cannot change while the scene runs: ") ||
           said(say, "only walls can begin to move while the scene runs") ||
           said(say, "it moves already; its centre can change only before it begins to");
}

/* `there`: its section is one that the scene has. */
static void try_key(tour *t, const char *path, const mn_key *key, const void *at, bool there)
{
    char set[700], value[160];
    another_value(key, at, value, sizeof value);
    snprintf(set, sizeof set, "%s=%s", path, value);
    mn_messages_clear(t->say);
    const mn_status status = mn_scene_change(t->copy, set, 0.01, MN_NOWHERE, t->say);
    char *now = mn_scene_write(t->copy);
    if (status == MN_OK) {
        if (strcmp(now, t->text) == 0) fail_msg("%s: accepted, but nothing changed", set);
        free(now);
        assert_int_equal(mn_scene_unchange(t->copy, t->given, set, t->say), MN_OK);
        now = mn_scene_write(t->copy);
        snprintf(t->orders[t->changed++], sizeof *t->orders, "%s", set);
    } else {
        if (mn_messages_count(t->say) != 1 || !is_reason(t->say))
            fail_msg("%s: %s", set, mn_messages_count(t->say) ? mn_messages_get(t->say, 0).text : "nothing said");
        const bool live = key->type == MN_KEY_CURVE || (key->live == MN_LIVE && key->written == NULL);
        if (live && there && !strstr(path, ".motion.")) fail_msg("%s: %s", set, mn_messages_get(t->say, 0).text);
        if (live && !there) assert_true(said(t->say, "this scene does not use it"));
        t->refused++;
    }
    if (strcmp(now, t->text) != 0) fail_msg("%s: the scene is not as before", set);
    free(now);
}

static void walk(tour *t, const char *path, const mn_table *table, const char *record, bool there)
{
    for (int i = 0; i < table->count; i++) {
        const mn_key *key = &table->keys[i];
        char name[300];
        snprintf(name, sizeof name, "%s%s%s", path, path[0] ? "." : "", key->name);
        if (key->type == MN_KEY_MAP) {
            const bool motion = strcmp(key->name, "motion") == 0;
            walk(t, name, key->sub, record + key->offset, there && (motion || !key->written || key->written(record)));
        } else if (key->type == MN_KEY_LIST) {
            const char *items = *(char *const *)(record + key->offset);
            const int count = *(const int *)(record + key->count_offset);
            for (int k = 0; k < count; k++) {
                char item[320];
                snprintf(item, sizeof item, "%s.%d", name, k);
                walk(t, item, key->sub, items + (size_t)k * key->sub->size, there);
            }
        } else if (strcmp(name, "fluids.0.surface_tension") != 0) {
            try_key(t, name, key, record + key->offset,
                    there); /* without the model laplace there is no surface_tension */
        }
    }
}

static tour tour_of(place *p)
{
    enum { MOST = 400 };
    tour t = {.copy = mn_scene_copy(p->scene), .given = p->scene, .say = p->say, .text = mn_scene_write(p->scene)};
    t.orders = calloc(MOST, sizeof *t.orders);
    assert_true(t.copy && t.text && t.orders);
    walk(&t, "", &mn_scene_table, (const char *)p->scene, true);
    assert_true(t.changed < MOST);
    return t;
}

static void tour_end(tour *t)
{
    mn_messages_clear(t->say);
    mn_scene_free(t->copy);
    free(t->text);
    free(t->orders);
}

static void every_key_changes_or_says_why(void **state)
{
    tour t = tour_of(*state);
    print_message("%d keys changed, %d refused\n", t.changed, t.refused);
    assert_true(t.changed > 100 && t.refused > 100);
    tour_end(&t);
}

static void reasons_are_right(void **state)
{
    place *p = *state;
    static const char *const cases[][2] = {
        {"particles.spacing=0.1", "the world is built from it"},
        {"walls.box.method=volume_maps", "the world is built from it"},
        {"pressure.model=iisph", "the world is built from it"},
        {"fluids.water.velocity=[1, 0, 0]", "it sets how a run begins"},
        {"species.soap.start.0.concentration=2", "it sets how a run begins"},
        {"output.every=0.1", "it sets the layout of the run's files"},
        {"output.surface.cell=0.1", "it sets the layout of the run's files"},
        {"camera.fov=30", "it concerns pictures only"},
        {"walls.box.look.visible=false", "it concerns pictures only"},
        {"time.step=0.001", "this scene does not use it"},
        {"air.flows.0.jet.radius=1", "this scene does not use it"},
        {"bodies.ball.mass=1", "this scene does not use it"},
        {"walls.paddle.motion.centre=[1, 0, 0]", "it moves already"},
        {"time.adaptive={max: 0.01}", "name one key of it"},
        {"time.adaptive.max=1e-9", "with this value the scene is wrong"},
        {"pressure.max_iterations=1", "with this value the scene is wrong: pressure.min_iterations"},
        {"air.flows.1.jet.direction=[0, 0, 0]", "with this value the scene is wrong"},
        {"pressure.max_iterations=1.5", "expected a whole number"},
        {"pressure.iteration=jacobbi", "did you mean \"jacobi\""},
        {"solids.rubber.poisson=0.6", "from 0 to 0.499"}};
    char *before = mn_scene_write(p->scene);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mn_messages_clear(p->say);
        assert_int_equal(mn_scene_change(p->scene, cases[i][0], 0, MN_NOWHERE, p->say), MN_BAD_INPUT);
        if (!said(p->say, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], mn_messages_count(p->say) ? mn_messages_get(p->say, 0).text : "nothing");
        char *after = mn_scene_write(p->scene);
        assert_string_equal(before, after);
        free(after);
    }
    mn_messages_clear(p->say);
    free(before);
}

/* A material is four numbers of which two are given. */
static void materials_follow(void **state)
{
    place *p = *state;
    const mn_soft_def *s = &p->scene->solids[0];
    assert_int_equal(mn_scene_change(p->scene, "solids.rubber.young=2e5", 0, MN_NOWHERE, p->say), MN_OK);
    assert_true(fabs(s->mu / (2e5 / 2.6) - 1) < 1e-12 && fabs(s->poisson - 0.3) < 1e-12);
    assert_int_equal(mn_scene_change(p->scene, "solids.rubber.mu=1e5", 0, MN_NOWHERE, p->say), MN_OK);
    assert_true(s->mu == 1e5 && s->young > 2.2e5);
}

/* What a step does with a value: each change alone, against a world without it, after the same steps. */
static void changes_take_effect(void **state)
{
    place *p = *state;
    static const char *const sets[] = {"fluids.oil.density=1500",
                                       "time.adaptive.max=0.001",
                                       "pressure.max_iterations=2",
                                       "pressure.iteration=jacobi",
                                       "pressure.wall_weight=1.5",
                                       "fluids.water.emitters.0.stop=0.001",
                                       "bodies.ball.density=1500",
                                       "bodies.ball.drag=5",
                                       "bodies.drop.release=0",
                                       "solids.rubber.density=3000",
                                       "solids.rubber.young=1e6",
                                       "solids.rubber.drag=5",
                                       "sinks.0.start=1",
                                       "air.flows.1.jet.radius=0.3",
                                       "air.flows.2.vortex.axis=[1, 0, 0]",
                                       "species.soap.effect.tension=0.9",
                                       "species.soap.surface.adsorption=9",
                                       "reactions.0.rate=50",
                                       "rigid.substeps=3"};
    enum { COUNT = sizeof sets / sizeof *sets, STEPS = 6 };
    uint64_t plain = 0;
    for (int i = -1; i < COUNT; i++) {
        mn_world *world = mn_world_new(p->scene, &(mn_options){"cpu", 1}, p->say);
        assert_non_null(world);
        for (int k = 0; k < STEPS; k++) {
            if (k == 2 && i >= 0 && mn_world_change(world, sets[i], p->say) != MN_OK)
                fail_msg("%s: %s", sets[i], mn_messages_get(p->say, mn_messages_count(p->say) - 1).text);
            assert_int_equal(mn_step(world, p->say), MN_OK);
        }
        const uint64_t hash = mn_world_hash(world);
        if (i < 0) plain = hash;
        else if (hash == plain) fail_msg("%s: no effect", sets[i]);
        if (i >= 0 && strcmp(sets[i], "bodies.ball.density=1500") == 0)
            assert_true(fabs(mn_world_body(world, 0).mass / mn_world_body(world, 0).volume - 1500) < 1e-6);
        mn_world_free(world);
    }
}

/* All that can change does, step after step; a checkpoint half-way continues to the same bits. */
static void changed_worlds_resume(void **state)
{
    place *p = *state;
    tour t = tour_of(p);
    char path[128];
    snprintf(path, sizeof path, "%s/half.h5", p->dir);
    enum { STEPS = 12 };
    mn_world *world = mn_world_new(p->scene, &(mn_options){"cpu", 1}, p->say);
    uint64_t whole = 0;
    for (int k = 0; k < STEPS; k++) {
        for (int i = k; i < t.changed && k < STEPS / 2; i += STEPS / 2)
            if (mn_world_change(world, t.orders[i], p->say) != MN_OK) /* may not go with what was changed before */
                assert_true(said(p->say, "with this value the scene is wrong"));
        assert_int_equal(mn_step(world, p->say), MN_OK);
        if (k == STEPS / 2) assert_int_equal(mn_checkpoint_write(world, path, p->say), MN_OK);
    }
    whole = mn_world_hash(world);
    int count;
    mn_world_changes(world, &count);
    print_message("%d of %d changes made\n", count, t.changed);
    assert_true(count > t.changed - 5);
    mn_scene *again =
        mn_scene_copy(mn_world_scene(world)); /* what run.yaml holds: the scene as given, and its changes */
    for (int i = 0; i < count; i++)
        assert_int_equal(mn_scene_unchange(again, p->scene, again->changes[i].set, p->say), MN_OK);
    mn_world_free(world);
    world = mn_world_new(again, &(mn_options){"cpu", 1}, p->say);
    if (mn_checkpoint_read(world, path, p->say) != MN_OK)
        fail_msg("%s", mn_messages_get(p->say, mn_messages_count(p->say) - 1).text);
    for (int k = STEPS / 2 + 1; k < STEPS; k++) assert_int_equal(mn_step(world, p->say), MN_OK);
    assert_true(mn_world_hash(world) == whole);
    mn_world_free(world);
    mn_scene_free(again);
    tour_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_key_changes_or_says_why, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(reasons_are_right, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(materials_follow, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(changes_take_effect, set_up, scene_place_end),
        cmocka_unit_test_setup_teardown(changed_worlds_resume, set_up, scene_place_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
