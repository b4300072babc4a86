/* test_library.c -- what a program that uses the library may do to a world: map fields, be called, add and remove
 * particles; several worlds at once. */
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "meniscus/meniscus.h"
#include "run/device.h"

static const char block[] = "particles: {spacing: 0.05}\n"
                            "gravity: [0, 0, 0]\n"
                            "time: {step: 0.001, end: 1}\n"
                            "fluids:\n"
                            "  - name: water\n"
                            "    viscosity: {model: standard, viscosity: 1}\n"
                            "    shapes: [{box: {grid: [8, 8, 8], origin: [0, 0, 0]}}]\n";

static mn_world *make(const char *text, const char *backend, const char *const *sets, int set_count, mn_messages *say)
{
    mn_options options = mn_default_options();
    options.backend = backend;
    options.threads = 2;
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test.yaml", sets, set_count, say);
    assert_non_null(scene);
    mn_world *world = mn_world_new(scene, &options, say);
    mn_scene_free(scene); /* a world keeps its own */
    assert_non_null(world);
    return world;
}

static bool says(const mn_messages *say, const char *words)
{
    for (int k = 0; k < mn_messages_count(say); k++)
        if (strstr(mn_messages_get(say, k).text, words)) return true;
    return false;
}

static void steps(mn_world *world, int count, mn_messages *say)
{
    for (int k = 0; k < count; k++) {
        const mn_status status = mn_step(world, say);
        for (int m = 0; status != MN_OK && m < mn_messages_count(say); m++)
            print_message("%s\n", mn_messages_get(say, m).text);
        assert_int_equal(status, MN_OK);
    }
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_string_equal(mn_version(), MN_VERSION);
}

/* -- maps ---------------------------------------------------------------------------------------------------------- */

static void check_map(mn_world *world, const char *field, mn_messages *say)
{
    const int64_t n = mn_world_particles(world);
    const int width = mn_world_field_width(world, field);
    float *sorted = calloc((size_t)(n * width), sizeof *sorted);
    int32_t *ids = calloc((size_t)n, sizeof *ids);
    assert_int_equal(mn_world_get(world, field, sorted, say), MN_OK);
    assert_int_equal(mn_world_ids(world, ids, say), MN_OK);
    mn_mapped map;
    assert_int_equal(mn_field_map(world, field, MN_READ, &map, say), MN_OK);
    assert_int_equal(map.count, n);
    assert_int_equal(map.width, width);
    for (int64_t k = 0; k < n; k++)
        for (int64_t at = 0; at < n; at++)
            if (ids[at] == map.id[k])
                assert_memory_equal(map.data + k * map.stride, sorted + at * width, (size_t)width * sizeof *sorted);
    assert_int_equal(mn_field_unmap(world, &map, say), MN_OK);
    assert_null(map.data);
    free(sorted), free(ids);
}

static void fields_are_mapped_in_cell_order_with_ids(void **state)
{
    (void)state;
    static const char *const backends[] = {"cpu", "cpu-scalar", "opencl"};
    for (int b = 0; b < 3; b++) {
        mn_messages *say = mn_messages_new();
        mn_options options = {backends[b], 2};
        mn_scene *scene = mn_scene_parse(block, sizeof block - 1, "test.yaml", NULL, 0, say);
        mn_world *world = mn_world_new(scene, &options, say);
        mn_scene_free(scene);
        if (world || b < 2) { /* there may be no device */
            steps(world, 2, say);
            for (int f = 0; f < mn_field_count(); f++)
                if (strcmp(mn_field_name(f), "acceleration") != 0) check_map(world, mn_field_name(f), say);
            mn_mapped map;
            assert_int_equal(mn_field_map(world, "velocity", MN_READ, &map, say), MN_OK);
            assert_int_equal(map.copied, b == 2);
        }
        mn_world_free(world); /* with an open map */
        mn_messages_free(say);
    }
}

static void what_is_written_to_a_map_counts(void **state)
{
    (void)state;
    static const char *const backends[] = {"cpu", "opencl"};
    uint64_t hash[2][2] = {{0}};
    for (int b = 0; b < 2; b++) {
        mn_messages *say = mn_messages_new();
        for (int kind = 0; kind < 2; kind++) {
            mn_options options = {backends[b], 2};
            mn_scene *scene = mn_scene_parse(block, sizeof block - 1, "test.yaml", NULL, 0, say);
            mn_world *world = mn_world_new(scene, &options, say);
            mn_scene_free(scene);
            if (!world) continue;
            steps(world, 1, say);
            const int64_t n = mn_world_particles(world);
            if (kind == 0) {
                float *v = calloc((size_t)(3 * n), sizeof *v);
                for (int64_t k = 0; k < n; k++) v[3 * k] = (float)k;
                assert_int_equal(mn_world_set(world, "velocity", v, say), MN_OK);
                free(v);
            } else {
                mn_mapped map;
                assert_int_equal(mn_field_map(world, "velocity", MN_WRITE, &map, say), MN_OK);
                for (int64_t k = 0; k < n; k++) {
                    float *v = map.data + k * map.stride;
                    v[0] = (float)map.id[k], v[1] = v[2] = 0.0f;
                }
                if (b == 0) assert_int_equal(mn_field_unmap(world, &map, say), MN_OK); /* else by the step */
            }
            mn_world_limit_step(world, INFINITY);
            mn_step(world, say);
            hash[b][kind] = mn_world_hash(world);
            mn_world_free(world);
        }
        mn_messages_free(say);
        assert_int_equal(hash[b][0], hash[b][1]);
    }
    assert_true(hash[0][0] != 0);
    if (hash[1][0]) assert_int_equal(hash[0][0], hash[1][0]);
}

static void maps_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_world *world = make(block, "cpu", NULL, 0, say);
    mn_mapped map, another = {0};
    assert_int_equal(mn_field_map(world, "velocty", MN_READ, &map, say), MN_BAD_INPUT);
    assert_true(says(say, "did you mean 'velocity'?"));
    assert_int_equal(mn_field_map(world, "density", MN_WRITE, &map, say), MN_BAD_INPUT);
    assert_true(says(say, "'density' cannot be written"));
    assert_int_equal(mn_field_map(world, "acceleration", MN_READ, &map, say), MN_BAD_INPUT);
    assert_int_equal(mn_field_unmap(world, &another, say), MN_BAD_INPUT);
    for (int k = 0; k < 16; k++) assert_int_equal(mn_field_map(world, "speed", MN_READ, &map, say), MN_OK);
    assert_int_equal(mn_field_map(world, "speed", MN_READ, &map, say), MN_BAD_INPUT);
    assert_true(says(say, "16 maps are open"));
    steps(world, 1, say); /* ends them */
    assert_int_equal(mn_field_map(world, "position", MN_WRITE, &map, say), MN_OK);
    map.data[1] = NAN;
    assert_int_equal(mn_field_unmap(world, &map, say), MN_BAD_INPUT);
    assert_int_equal(mn_step(world, say), MN_DIVERGED);
    assert_true(says(say, "began with a position or velocity of particle"));
    mn_world_free(world);
    mn_messages_free(say);
}

/* -- callbacks ----------------------------------------------------------------------------------------------------- */

typedef struct visitor {
    int calls;
    float pull;
    mn_status answer, refused[4];
    int64_t particles;
} visitor;

static mn_status pull_down(mn_world *world, void *user, mn_messages *say)
{
    visitor *v = user;
    mn_mapped a;
    if (mn_field_map(world, "acceleration", MN_WRITE, &a, say) != MN_OK) return MN_FAILED;
    for (int64_t k = 0; k < a.count; k++) a.data[k * a.stride + 1] += v->pull;
    v->calls++;
    return MN_OK; /* the map ends with the call */
}

static void a_force_by_callback_is_gravity(void **state)
{
    (void)state;
    static const char *const gravity = "gravity=[0, -9.81, 0]";
    static const char *const backends[] = {"cpu", "opencl"};
    for (int b = 0; b < 2; b++) {
        mn_messages *say = mn_messages_new();
        mn_options options = {backends[b], 2};
        mn_scene *scene = mn_scene_parse(block, sizeof block - 1, "test.yaml", NULL, 0, say);
        mn_world *pulled = mn_world_new(scene, &options, say), *world = NULL;
        mn_scene_free(scene);
        if (pulled) {
            world = make(block, backends[b], &gravity, 1, say);
            visitor v = {.pull = -9.81f};
            assert_int_equal(mn_world_on(pulled, "forces", pull_down, &v, say), MN_OK);
            steps(pulled, 3, say), steps(world, 3, say);
            assert_int_equal(v.calls, 3);
            assert_int_equal(mn_world_hash(pulled), mn_world_hash(world));
            assert_int_equal(mn_world_off(pulled, pull_down, &v), 1);
            steps(pulled, 1, say);
            assert_int_equal(v.calls, 3);
        } else assert_int_equal(b, 1);
        mn_world_free(pulled), mn_world_free(world);
        mn_messages_free(say);
    }
}

static mn_status try_everything(mn_world *world, void *user, mn_messages *say)
{
    visitor *v = user;
    const float x[3] = {9, 9, 9};
    const int32_t id = 0;
    v->calls++;
    v->particles = mn_world_particles(world);
    v->refused[0] = mn_step(world, say);
    v->refused[1] = mn_world_add(world, 0, 1, x, NULL, NULL, say);
    v->refused[2] = mn_world_change(world, "gravity=[0, -1, 0]", say);
    v->refused[3] = v->calls == 1 ? mn_world_remove(world, &id, 1, say) : MN_OK;
    return v->answer;
}

static void callbacks_may_do_what_their_moment_allows(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_world *world = make(block, "cpu", NULL, 0, say);
    assert_int_equal(mn_world_on(world, "force", try_everything, NULL, say), MN_BAD_INPUT);
    assert_true(says(say, "did you mean 'forces'?"));
    static const char *const within[] = {"density", "forces", "contact"};
    for (int k = 0; k < 3; k++) {
        visitor v = {.answer = MN_OK};
        assert_int_equal(mn_world_on(world, within[k], try_everything, &v, say), MN_OK);
        steps(world, 1, say);
        assert_int_equal(v.calls, 1);
        for (int r = 0; r < 4; r++) assert_int_equal(v.refused[r], MN_BAD_INPUT);
        assert_int_equal(mn_world_off(world, try_everything, &v), 1);
    }
    visitor v = {.answer = MN_INTERRUPTED};
    assert_int_equal(mn_world_on(world, "end", try_everything, &v, say), MN_OK);
    assert_int_equal(mn_step(world, say), MN_INTERRUPTED); /* and the step is done */
    assert_int_equal(mn_world_steps(world), 4);
    assert_int_equal(v.refused[0], MN_BAD_INPUT);
    for (int r = 1; r < 4; r++) assert_int_equal(v.refused[r], MN_OK);
    assert_int_equal(mn_world_particles(world), 513); /* one more, and one that goes with the next step */
    mn_world_off(world, try_everything, &v);
    assert_int_equal(mn_world_on(world, "begin", try_everything, &v, say), MN_OK);
    assert_int_equal(mn_step(world, say), MN_INTERRUPTED); /* there was none */
    assert_int_equal(mn_world_steps(world), 4);
    mn_world_free(world);
    mn_messages_free(say);
}

/* -- adding and removing ------------------------------------------------------------------------------------------- */

static void particles_come_and_go(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_world *world = make(block, "cpu", NULL, 0, say);
    const float x[6] = {1, 0, 0, 1.05f, 0, 0}, v[6] = {0, 1, 0, 0, 1, 0}, bad[3] = {NAN, 0, 0};
    int32_t first = -1;
    assert_int_equal(mn_world_add(world, 1, 1, x, v, NULL, say), MN_BAD_INPUT);
    assert_true(says(say, "there is no fluid 1; the scene has 1"));
    assert_int_equal(mn_world_add(world, 0, 1, bad, NULL, NULL, say), MN_BAD_INPUT);
    assert_int_equal(mn_world_add(world, 0, 2, x, v, &first, say), MN_OK);
    assert_int_equal(first, 512);
    assert_int_equal(mn_world_particles(world), 514);
    steps(world, 2, say);
    int32_t ids[514];
    assert_int_equal(mn_world_ids(world, ids, say), MN_OK);
    assert_int_equal(ids[513], 513);
    const int32_t twice[2] = {3, 3}, missing = 514, going[3] = {513, 3, 100};
    assert_int_equal(mn_world_remove(world, twice, 2, say), MN_BAD_INPUT);
    assert_int_equal(mn_world_remove(world, &missing, 1, say), MN_BAD_INPUT);
    assert_true(says(say, "there is no particle 514"));
    assert_int_equal(mn_world_remove(world, going, 3, say), MN_OK);
    assert_int_equal(mn_world_remove(world, going, 1, say), MN_BAD_INPUT);
    char path[] = "/tmp/meniscus_library_XXXXXX";
    close(mkstemp(path));
    assert_int_equal(mn_checkpoint_write(world, path, say), MN_OK);
    mn_world *again = make(block, "cpu", NULL, 0, say);
    assert_int_equal(mn_checkpoint_read(again, path, say), MN_OK);
    steps(world, 2, say), steps(again, 2, say);
    assert_int_equal(mn_world_particles(world), 511);
    int64_t drained, lost;
    mn_world_deleted(world, &drained, &lost);
    assert_int_equal(drained, 3);
    assert_int_equal(lost, 0);
    assert_int_equal(mn_world_hash(world), mn_world_hash(again));
    remove(path);
    mn_world_free(world), mn_world_free(again);
    mn_messages_free(say);
}

/* -- several worlds at once ---------------------------------------------------------------------------------------- */

typedef struct job {
    const char *scene;
    uint64_t hash;
    char file[40];
} job;

static void *work(void *user)
{
    job *j = user;
    mn_messages *say = mn_messages_new();
    char path[400];
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", MN_SOURCE_DIR, j->scene);
    mn_scene *scene = mn_scene_load(path, NULL, 0, say);
    mn_options options = {"cpu", 1};
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    mn_scene_free(scene);
    strcpy(j->file, "/tmp/meniscus_library_XXXXXX");
    close(mkstemp(j->file));
    mn_status status = world ? MN_OK : MN_FAILED;
    for (int k = 0; k < 6 && status == MN_OK; k++) {
        status = mn_step(world, say);
        if (status == MN_OK && k == 3) status = mn_checkpoint_write(world, j->file, say);
    }
    if (status == MN_OK) status = mn_checkpoint_read(world, j->file, say);
    for (int k = 4; k < 6 && status == MN_OK; k++) status = mn_step(world, say);
    j->hash = status == MN_OK ? mn_world_hash(world) : 0;
    remove(j->file);
    mn_world_free(world);
    mn_messages_free(say);
    return NULL;
}

static void several_worlds_run_at_once(void **state)
{
    (void)state;
    static const char *const scenes[] = {"basics/floating-box", "gissler2017/pendulum", "akinci2013/crown-small",
                                         "basics/floating-box"};
    enum { JOBS = 4 };
    job alone[JOBS], together[JOBS];
    pthread_t thread[JOBS];
    for (int k = 0; k < JOBS; k++) {
        alone[k] = together[k] = (job){.scene = scenes[k]};
        work(&alone[k]);
        assert_true(alone[k].hash != 0);
    }
    for (int k = 0; k < JOBS; k++) assert_int_equal(pthread_create(&thread[k], NULL, work, &together[k]), 0);
    for (int k = 0; k < JOBS; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < JOBS; k++) assert_int_equal(together[k].hash, alone[k].hash);
}

static void *work_on_device(void *user)
{
    const mn_options options = {"opencl", 1};
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(block, sizeof block - 1, "test.yaml", NULL, 0, say);
    mn_world *world = mn_world_new(scene, &options, say);
    mn_scene_free(scene);
    mn_status status = world ? MN_OK : MN_FAILED;
    for (int k = 0; k < 3 && status == MN_OK; k++) status = mn_step(world, say);
    *(uint64_t *)user = status == MN_OK ? mn_world_hash(world) : 0;
    mn_world_free(world);
    mn_messages_free(say);
    return NULL;
}

/* The first test of all: several threads look for drivers for the first time. */
static void worlds_on_a_device_begin_at_once(void **state)
{
    (void)state;
    enum { JOBS = 3 };
    uint64_t hash[JOBS] = {0};
    pthread_t thread[JOBS];
    for (int k = 0; k < JOBS; k++) assert_int_equal(pthread_create(&thread[k], NULL, work_on_device, &hash[k]), 0);
    for (int k = 0; k < JOBS; k++) pthread_join(thread[k], NULL);
    char names[1][128];
    if (mn_devices(names, 1) == 0) skip();
    mn_messages *say = mn_messages_new();
    mn_world *world = make(block, "cpu", NULL, 0, say);
    steps(world, 3, say);
    for (int k = 0; k < JOBS; k++) assert_int_equal(hash[k], mn_world_hash(world));
    mn_world_free(world);
    mn_messages_free(say);
}

typedef struct mixed {
    const mn_scene *scene; /* of all of them */
    const char *backend;
    uint64_t hash;
    double volume;
} mixed;

static mn_status push(mn_world *world, void *user, mn_messages *say)
{
    mn_mapped a;
    (void)user;
    if (mn_field_map(world, "acceleration", MN_WRITE, &a, say) != MN_OK) return MN_FAILED;
    for (int64_t k = 0; k < a.count; k++) a.data[k * a.stride] += 1;
    return mn_field_unmap(world, &a, say);
}

static void *work_mixed(void *user)
{
    mixed *m = user;
    mn_messages *say = mn_messages_new();
    const mn_options options = {m->backend, 1};
    mn_world *world = mn_world_new(m->scene, &options, say);
    mn_status status = world ? mn_world_on(world, "forces", push, NULL, say) : MN_FAILED;
    const float x[3] = {1, 1, 1};
    for (int k = 0; k < 8 && status == MN_OK; k++) {
        if (k == 3) status = mn_world_add(world, 0, 1, x, NULL, NULL, say);
        if (k == 5) status = mn_world_change(world, "gravity=[0, -2, 0]", say);
        if (status == MN_OK) status = mn_step(world, say);
    }
    double volume[MN_MEASURE_COLUMNS] = {0};
    mn_measured *measured = status == MN_OK ? mn_measured_new(world, NULL, say) : NULL;
    if (measured) status = mn_measured_take(measured, "volume", volume, say);
    mn_measured_free(measured);
    m->volume = volume[0];
    m->hash = status == MN_OK ? mn_world_hash(world) : 0;
    mn_world_free(world);
    mn_messages_free(say);
    return NULL;
}

/* Worlds of one scene, on the CPU and on a device at once, with callbacks, new particles, changes and measures. */
static void backends_run_side_by_side(void **state)
{
    (void)state;
    enum { JOBS = 6 };
    char names[1][128];
    const bool device = mn_devices(names, 1) > 0;
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(block, sizeof block - 1, "test.yaml", NULL, 0, say);
    pthread_t thread[JOBS];
    mixed each[JOBS];
    for (int k = 0; k < JOBS; k++) {
        each[k] = (mixed){.scene = scene, .backend = k % 3 == 0 ? "cpu" : k % 3 == 1 ? "cpu-scalar" : "opencl"};
        if (!device && k % 3 == 2) each[k].backend = "cpu";
        assert_int_equal(pthread_create(&thread[k], NULL, work_mixed, &each[k]), 0);
    }
    for (int k = 0; k < JOBS; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < JOBS; k++) {
        assert_true(each[k].hash != 0);
        assert_int_equal(each[k].hash, each[0].hash);
        assert_true(each[k].volume == each[0].volume);
    }
    mn_scene_free(scene);
    mn_messages_free(say);
}

static mn_status count_threads(mn_world *world, void *user, mn_messages *say)
{
    (void)world, (void)say;
    *(int *)user = omp_get_max_threads();
    return MN_OK;
}

/* Loops of the host too: the number is set for them, and is the program's again afterwards. */
static void a_world_takes_the_threads_that_it_was_given(void **state)
{
    (void)state;
    const int before = omp_get_max_threads();
    int seen = 0;
    omp_set_num_threads(5);
    mn_messages *say = mn_messages_new();
    mn_world *world = make(block, "cpu", NULL, 0, say); /* with 2 */
    assert_int_equal(omp_get_max_threads(), 5);
    assert_int_equal(mn_world_on(world, "contact", count_threads, &seen, say), MN_OK);
    steps(world, 1, say);
    assert_int_equal(seen, 2);
    assert_int_equal(omp_get_max_threads(), 5);
    omp_set_num_threads(before);
    mn_world_free(world);
    mn_messages_free(say);
}

static void a_scene_that_could_not_be_read_is_told(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_load("/nonexistent/dam.yaml", NULL, 0, say);
    assert_null(scene);
    mn_messages_clear(say);
    assert_null(mn_world_new(scene, NULL, say));
    assert_true(says(say, "there is no scene"));
    assert_int_equal(mn_messages_status(say), MN_BAD_INPUT);
    assert_null(mn_session_open(scene, NULL, NULL));
    assert_int_equal(mn_session_run(scene, NULL, say, NULL), MN_BAD_INPUT);
    mn_messages_free(say);
}

static void a_world_has_the_fields_that_it_can_give(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_world *world = make(block, "cpu", NULL, 0, say);
    static const char *const sets[] = {"output.fields=[acceleration]"};
    mn_world *keeps = make(block, "cpu", sets, 1, say);
    assert_int_equal(mn_world_field_width(world, "velocity"), 3);
    assert_int_equal(mn_world_field_width(world, "acceleration"), 0);
    assert_int_equal(mn_world_field_width(keeps, "acceleration"), 3);
    assert_int_equal(mn_world_field_width(world, "tea"), 0);
    mn_world_free(world), mn_world_free(keeps);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_on_a_device_begin_at_once),
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(fields_are_mapped_in_cell_order_with_ids),
        cmocka_unit_test(what_is_written_to_a_map_counts),
        cmocka_unit_test(maps_that_make_no_sense_are_refused),
        cmocka_unit_test(a_force_by_callback_is_gravity),
        cmocka_unit_test(callbacks_may_do_what_their_moment_allows),
        cmocka_unit_test(particles_come_and_go),
        cmocka_unit_test(several_worlds_run_at_once),
        cmocka_unit_test(backends_run_side_by_side),
        cmocka_unit_test(a_world_takes_the_threads_that_it_was_given),
        cmocka_unit_test(a_scene_that_could_not_be_read_is_told),
        cmocka_unit_test(a_world_has_the_fields_that_it_can_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
