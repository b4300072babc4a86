/* test_ids_and_counts.c -- ids in frames are exact whatever their size, boundary points keep their order beyond 67
 * million, and every particle that goes is counted. */
#include "io_help.h"
#include "boundary/points.h"
#include "core/parts.h"
#include "core/state.h"
#include "inflow/inflow.h"

#include <math.h>

#include "session/output.h"
#include "core/world.h"

static mn_world *make(const char *text, mn_scene **scene)
{
    mn_options options = mn_default_options();
    options.threads = 2;
    *scene = mn_scene_parse(text, strlen(text), "test.yaml", NULL, 0, say);
    mn_world *world = *scene ? mn_world_new(*scene, &options, say) : NULL;
    if (!world) fail_msg("%s", last_message());
    return world;
}

/* ----------------------------------------------------------------------------------------------------- ids */

static const int32_t ids[8] = {0, 1, 16777217, 16777219, 1000000007, 1999999997, 1999999998, 1999999999};

static void check_ids(const unsigned char *bytes, size_t stride, bool big_endian)
{
    for (int k = 0; k < 8; k++, bytes += stride) {
        uint32_t value = 0;
        for (int b = 0; b < 4; b++) value |= (uint32_t)bytes[b] << 8 * (big_endian ? 3 - b : b);
        assert_int_equal(value, ids[k]);
    }
}

static unsigned char *frame(const char *name, size_t *size)
{
    unsigned char *bytes = (unsigned char *)mn_file_read(in_folder(name), 100000, size, say);
    assert_non_null(bytes);
    return bytes;
}

/* Above 2^24 a float no longer holds every integer. */
static void frames_hold_large_ids(void **state)
{
    (void)state;
    mn_scene *scene;
    mn_world *world = make("particles: {spacing: 0.1}\n"
                           "time: {step: 0.001, end: 1}\n"
                           "fluids: [{shapes: [{box: {grid: [2, 2, 2], origin: [0, 0, 0]}}]}]\n"
                           "output: {every: 0.1, fields: [id], formats: [vtp, bgeo, ply]}\n",
                           &scene);
    assert_int_equal(mn_world_particles(world), 8);
    assert_true(world->api->put(world->device, world->id, 0, ids, sizeof ids));
    mn_output *out = mn_output_new(scene, folder, false, NULL, 0, world, say);
    assert_non_null(out);
    assert_int_equal(mn_output_frame(out, world, 0, say), MN_OK);
    size_t size;
    unsigned char *bytes = frame("frames/frame_00000.vtp", &size);
    assert_non_null(strstr((char *)bytes, "type=\"Int32\" Name=\"id\" NumberOfComponents=\"1\""));
    unsigned long long offset;
    assert_int_equal(sscanf(strstr(strstr((char *)bytes, "Name=\"id\""), "offset=\""), "offset=\"%llu\"", &offset), 1);
    check_ids((unsigned char *)memmem(bytes, size, "encoding=\"raw\">\n_", 17) + 17 + offset + 8, 4, false);
    free(bytes);
    bytes = frame("frames/frame_00000.bgeo", &size);
    /* name, width, type, default, then records of x y z 1 id */
    const unsigned char *at = memmem(bytes, size, "\0\2id\0\1\0\0\0\1\0\0\0\0", 14);
    assert_non_null(at);
    check_ids(at + 14 + 16, 20, true);
    free(bytes);
    bytes = frame("frames/frame_00000.ply", &size);
    assert_non_null(strstr((char *)bytes, "property int id\n"));
    at = memmem(bytes, size, "end_header\n", 11);
    assert_non_null(at);
    check_ids(at + 11 + 12, 16, false);
    free(bytes);
    mn_output_free(out);
    mn_world_free(world);
    mn_scene_free(scene);
}

/* ---------------------------------------------------------------------------------------------- deletions */

static const char leaving[] =
    "particles: {spacing: 0.05}\n"
    "domain: {min: [-1, -1, -1], max: [1, 1, 1]}\n"
    "gravity: [0, -9.81, 0]\n"
    "time: {step: 0.004, end: 1}\n"
    "fluids:\n"
    "  - velocity: [4, 0, 0]\n"
    "    shapes: [{box: {grid: [6, 6, 6], origin: [0.5, 0, 0]}}]\n"
    "    emitters: [{disc: {radius: 0.1}, position: [-0.5, 0, 0], direction: [0, -1, 0], speed: 5, limit: 300}]\n"
    "sinks: [{shape: {box: {min: [-0.8, -0.8, -0.3], max: [0, -0.4, 0.3], rotate: [0, 10, 0]}}}]\n"
    "output: {every: 0}\n";

static long emitted(const mn_world *w)
{
    long sum = 0;
    for (int k = 0; k < mn_inflow_of(w)->emitter_count; k++) sum += mn_inflow_of(w)->emitters[k].emitted;
    return sum;
}

/* The energy of the particles that a reader of the same state sees. */
static double kinetic_energy(mn_world *w)
{
    const int64_t n = mn_world_particles(w);
    float *v = malloc((size_t)n * 3 * sizeof *v + 4);
    float *p = malloc((size_t)n * sizeof *p + 4);
    int32_t *id = malloc((size_t)n * sizeof *id + 4);
    assert_int_equal(mn_world_get(w, "velocity", v, say), MN_OK);
    assert_int_equal(mn_world_get(w, "pressure", p, say), MN_OK); /* of those emitted in this step too */
    for (int64_t i = 0; i < n; i++) assert_true(isfinite(p[i]) && p[i] >= 0);
    assert_int_equal(mn_world_ids(w, id, say), MN_OK);
    double sum = 0;
    for (int64_t i = 0; i < 3 * n; i++) sum += 0.5 * 1000 * 0.05 * 0.05 * 0.05 * (double)v[i] * (double)v[i];
    for (int64_t i = 0; i < n; i++) assert_true(id[i] >= 0 && (i == 0 || id[i] > id[i - 1]));
    free(v), free(p), free(id);
    return sum;
}

static void what_goes_is_counted(void **state)
{
    (void)state;
    mn_scene *scene;
    mn_world *world = make(leaving, &scene);
    mn_stats stats = {0};
    for (int step = 0; step < 120; step++) {
        assert_int_equal(mn_step(world, say), MN_OK);
        stats = mn_world_stats(world);
        assert_int_equal(stats.particles + stats.drained + stats.lost, 216 + emitted(world));
        assert_true(fabs(stats.kinetic_energy - kinetic_energy(world)) <= 1e-5 * stats.kinetic_energy);
        if (step == 60) { /* the counts are part of the state */
            mn_snapshot snap = {0};
            assert_int_equal(mn_world_save(world, &snap, say), MN_OK);
            world->drained = world->lost = -1;
            assert_int_equal(mn_world_load(world, &snap, say), MN_OK);
            assert_int_equal(world->drained, stats.drained);
            assert_int_equal(world->lost, stats.lost);
            mn_snapshot_free(&snap);
        }
    }
    assert_true(stats.lost > 100 && stats.drained > 100);
    assert_int_equal(mn_messages_count(say), 1); /* once, not once a step */
    assert_says("left the domain by step");
    mn_world_free(world);
    mn_scene_free(scene);
}

/* In 32 bits the rank of point 67,108,864 would be negative and come before that of point 0. */
static void boundary_points_keep_their_order(void **state)
{
    (void)state;
    assert_true(mn_boundary_rank(67108864, 0) > mn_boundary_rank(67108863, 26));
    assert_true(mn_boundary_rank(499999999, 26) == 16000000000LL - 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_hold_large_ids),
                                       cmocka_unit_test(boundary_points_keep_their_order),
                                       cmocka_unit_test(what_goes_is_counted)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
