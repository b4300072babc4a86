/* Sessions: a run in pieces equals a run in one piece, and no folder is changed by mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/state.h"
#include "core/world.h"
#include "session/folder.h"
#include "session/session.h"
#include "unit/scene_place.h"

static const char TEXT[] = "particles: {spacing: 0.05}\n"
                           "time: {step: 0.002, end: 0.04}\n"
                           "fluids: [{shapes: [{box: {grid: [5, 5, 5], origin: [0.075, 0.06, 0.075]}}]}]\n"
                           "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5], inside_out: true}}]}]\n"
                           "output: {every: 0.009}\n";

static int set_up(void **state) { return scene_place_make(state, "session", TEXT); }

/* A folder of that name below the test's own; the text lives until the next call but three. */
static const char *below(const place *p, const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", p->dir, name);
    return path;
}

static char *contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static mn_session_options options_for(const char *dir)
{
    mn_session_options opt = mn_default_session_options();
    opt.dir = dir;
    return opt;
}

static void needs_no_folder(void **state)
{
    place *p = *state;
    mn_session_options opt = options_for(NULL);
    mn_session_summary sum;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    assert_int_equal(sum.particles, 125);
    assert_true(sum.steps >= 20 && sum.time >= 0.04 && sum.time < 0.042);
    assert_true(sum.particle_steps == 125.0 * (double)sum.steps);
    assert_true(sum.stage_count > 0 && sum.hash != 0 && sum.bytes > 0);
    assert_int_equal(sum.frames, 0);
}

static volatile sig_atomic_t stop_now;

static void stop_at_seven(void *user, const mn_session_progress *now)
{
    (void)user;
    stop_now = now->stats.step >= 7;
}

static void resumes_to_the_same_bits(void **state)
{
    place *p = *state;
    mn_session_summary whole, part, rest;
    mn_session_options opt = options_for(below(p, "whole"));
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &whole), MN_OK);
    assert_int_equal(whole.frames, 5); /* 0, 9, 18, 27, 36 ms */

    opt = options_for(below(p, "pieces"));
    opt.stop = &stop_now;
    opt.progress = stop_at_seven;
    opt.progress_interval = 0;
    stop_now = 0;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &part), MN_INTERRUPTED);
    assert_int_equal(part.steps, 7);
    assert_int_equal(part.checkpoints, 1);

    opt = options_for(below(p, "pieces"));
    opt.resume = true;
    opt.world.threads = 1;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &rest), MN_OK);
    assert_int_equal(rest.first_step, 7);
    assert_true(rest.hash == whole.hash);
    char *a = contents(below(p, "whole/stats.csv")), *b = contents(below(p, "pieces/stats.csv"));
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void leaves_a_taken_folder_alone(void **state)
{
    place *p = *state;
    mn_session_summary sum;
    mn_session_options opt = options_for(below(p, "taken"));
    opt.steps = 3;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    char *before = contents(below(p, "taken/stats.csv"));
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_BAD_INPUT);
    assert_true(said(p->say, "already holds a run"));
    char *after = contents(below(p, "taken/stats.csv"));
    assert_string_equal(before, after);
    opt.overwrite = true;
    opt.steps = 2;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    assert_int_equal(sum.steps, 2);
    free(before);
    free(after);
}

static void refuses_to_resume_another_scene(void **state)
{
    place *p = *state;
    mn_session_summary sum;
    mn_session_options opt = options_for(below(p, "run"));
    opt.steps = 3;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    opt.resume = true;
    double step = p->scene->step;
    p->scene->step = 0.001;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_BAD_INPUT);
    assert_true(said(p->say, "to another scene"));
    /* The end and the formats change no particle. */
    p->scene->step = step;
    p->scene->end = 0.08;
    static const char *const formats[] = {"ply"};
    opt.formats = formats;
    opt.format_count = 1;
    opt.steps = 6;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    assert_int_equal(sum.first_step, 3);
    assert_int_equal(access(below(p, "run/frames/frame_00001.ply"), R_OK), 0);
}

static void keeps_two_runs_apart(void **state)
{
    place *p = *state;
    int lock = mn_run_lock(p->dir, p->say);
    assert_true(lock >= 0);
    assert_int_equal(mn_run_lock(p->dir, p->say), -1);
    assert_true(said(p->say, "another run"));
    mn_session_summary sum;
    mn_session_options opt = options_for(p->dir);
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_BAD_INPUT);
    close(lock);
    lock = mn_run_lock(p->dir, p->say);
    assert_true(lock >= 0);
    close(lock);
}

/* What a checkpoint depends on goes with it, and it is compared key by key. */
static void a_checkpoint_knows_its_scene(void **state)
{
    place *p = *state;
    static const char *const sets[] = {"fluids.0.density=900", "walls.0.friction=0.5", "pressure.model=iisph",
                                       "output.every=0.01"};
    static const char *const says[] = {"fluids.0.density: 1000 in the checkpoint, 900 in the scene",
                                       "walls.0.friction: 1 in the checkpoint, 0.5 in the scene",
                                       "pressure.model: dfsph in the checkpoint, iisph in the scene",
                                       "output.every: 0.009 in the checkpoint, 0.01 in the scene"};
    static const char *const harmless[] = {"title=other", "time.end=7", "output.formats=[ply]", "checkpoint.wall=1",
                                           "camera.fov=50"};
    const mn_options one = {"cpu", 1};
    const char *path = below(p, "a.h5");
    mn_world *world = mn_world_new(p->scene, &one, p->say);
    assert_non_null(world);
    assert_int_equal(mn_step(world, p->say), MN_OK);
    assert_int_equal(mn_checkpoint_write(world, path, p->say), MN_OK);
    const uint64_t hash = mn_world_hash(world);
    mn_world_free(world);
    for (int k = 0; k < 5; k++) {
        mn_messages_clear(p->say);
        mn_scene *scene =
            mn_scene_parse(TEXT, strlen(TEXT), "test.yaml", k < 4 ? &sets[k] : harmless, k < 4 ? 1 : 5, p->say);
        world = mn_world_new(scene, &one, p->say);
        assert_non_null(world);
        const uint64_t before = mn_world_hash(world);
        assert_int_equal(mn_checkpoint_read(world, path, p->say), k < 4 ? MN_BAD_INPUT : MN_OK);
        assert_true(k == 4 || said(p->say, says[k]));
        assert_true(mn_world_hash(world) == (k < 4 ? before : hash)); /* nothing was changed */
        mn_world_free(world);
        mn_scene_free(scene);
    }
}

/* Those that older versions have written hold no scene. */
static void a_checkpoint_without_a_scene_is_refused(void **state)
{
    place *p = *state;
    mn_snapshot snap = {0}, old = {0};
    mn_world *world = mn_world_new(p->scene, NULL, p->say);
    assert_int_equal(mn_world_save(world, &snap, p->say), MN_OK);
    for (int a = 0; a < snap.count; a++) {
        const mn_array *from = &snap.arrays[a];
        if (strcmp(from->name, "scene") == 0) continue;
        void *to = mn_snapshot_add(&old, from->name, from->type, from->width, from->count);
        memcpy(to, from->data, mn_type_bytes(from->type) * (size_t)from->width * (size_t)from->count);
    }
    assert_int_equal(old.count, snap.count - 1);
    assert_int_equal(mn_world_load(world, &snap, p->say), MN_OK);
    assert_int_equal(mn_world_load(world, &old, p->say), MN_BAD_INPUT);
    assert_true(said(p->say, "the checkpoint names no scene: an older version of this program wrote it"));
    mn_snapshot_free(&snap);
    mn_snapshot_free(&old);
    mn_world_free(world);
}

static void stepping_is_running(void **state)
{
    place *p = *state;
    mn_session_summary run, stepped;
    mn_session_options opt = options_for(below(p, "run"));
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &run), MN_OK);
    char dir[128];
    snprintf(dir, sizeof dir, "%s", below(p, "stepped"));
    opt = options_for(dir);
    mn_scene *scene = mn_scene_parse(TEXT, strlen(TEXT), "test.yaml", NULL, 0, p->say);
    mn_session *session = mn_session_open(scene, &opt, p->say);
    assert_non_null(session);
    mn_scene_free(scene); /* neither scene nor options are needed any more */
    memset(dir, 'x', sizeof dir);
    assert_int_equal(mn_session_frames(session), 1);
    assert_int_equal(mn_session_step(session, p->say), MN_OK);
    assert_int_equal(mn_session_frame(session, p->say), MN_OK);
    assert_int_equal(mn_session_frames(session), 2);
    assert_true(mn_world_time(mn_session_world(session)) == 0.009);
    while (!mn_session_done(session)) assert_int_equal(mn_session_frame(session, p->say), MN_OK);
    assert_int_equal(mn_session_step(session, p->say), MN_BAD_INPUT);
    assert_true(said(p->say, "the run has reached its end"));
    assert_int_equal(mn_session_close(session, p->say, &stepped), MN_OK);
    assert_int_equal(stepped.hash, run.hash);
    assert_int_equal(stepped.steps, run.steps);
    assert_int_equal(stepped.frames, run.frames);
    char *a = contents(below(p, "run/stats.csv")), *b = contents(below(p, "stepped/stats.csv"));
    assert_string_equal(a, b);
    free(a), free(b);
    assert_null(mn_session_open(p->scene, &(mn_session_options){.dir = below(p, "run"), .until = -1}, p->say));
    assert_int_equal(mn_session_close(NULL, p->say, NULL), MN_OK);
}

static void a_state_that_was_touched_is_not_computed_again(void **state)
{
    place *p = *state;
    mn_session_options opt = options_for(below(p, "run"));
    mn_session *session = mn_session_open(p->scene, &opt, p->say);
    for (int k = 0; k < 4; k++) assert_int_equal(mn_session_step(session, p->say), MN_OK);
    assert_int_equal(mn_session_checkpoint(session, p->say), MN_OK);
    assert_int_equal(mn_session_step(session, p->say), MN_OK);
    mn_mapped v;
    assert_int_equal(mn_field_map(mn_session_world(session), "velocity", MN_WRITE, &v, p->say), MN_OK);
    v.data[0] = 3e38f;
    assert_int_equal(mn_session_step(session, p->say), MN_DIVERGED);
    assert_int_equal(mn_session_step(session, p->say), MN_DIVERGED);
    assert_true(said(p->say, "the session has failed"));
    assert_int_equal(mn_session_close(session, p->say, NULL), MN_OK);
    assert_false(said(p->say, "computing the state before that step again"));
    assert_true(said(p->say, "the state of step 4"));
    mn_session_summary sum;
    mn_messages_clear(p->say);
    opt.resume = true;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    assert_int_equal(sum.first_step, 4);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, scene_place_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(needs_no_folder),
        CASE(resumes_to_the_same_bits),
        CASE(leaves_a_taken_folder_alone),
        CASE(refuses_to_resume_another_scene),
        CASE(keeps_two_runs_apart),
        CASE(a_checkpoint_knows_its_scene),
        CASE(a_checkpoint_without_a_scene_is_refused),
        CASE(stepping_is_running),
        CASE(a_state_that_was_touched_is_not_computed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
