/* fuzz_restore.c -- a checkpoint whose seal holds but whose arrays are not what they should be: refused with a
 * message, or loaded, and then the world can be stepped. The input is a list of changes to a good state: which
 * array, what to change, where, and eight bytes. */
#include "io/snapshot.h"
#include "core/state.h"
#include "core/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] =
    "particles: {spacing: 0.02}\n"
    "time: {adaptive: {max: 0.002}, end: 1}\n"
    "fluids:\n"
    "  - shapes: [{box: {grid: [4, 3, 4], origin: [0.021, 0.021, 0.021]}}]\n"
    "    surface: orthmann2013\n"
    "    emitters: [{disc: {radius: 0.02}, position: [0.1, 0.2, 0.1], direction: [0, -1, 0], speed: 1, limit: 40}]\n"
    "walls: [{name: tank, shapes: [{box: {min: [0, 0, 0], max: [0.2, 0.2, 0.2], inside_out: true, open: [top]}}]}]\n"
    "bodies: [{name: ball, density: 500, shapes: [{sphere: {radius: 0.03, centre: [0.14, 0.05, 0.14]}}]}]\n"
    "solids: [{name: soft, young: 1e4, poisson: 0.3, shapes: [{box: {min: [0.1, 0.1, 0.02], max: [0.16, 0.14, "
    "0.06]}}]}]\n"
    "species: [{name: soap, surface: {adsorption: 1, desorption: 1, capacity: 0.01}, start: [{concentration: 1}]}]\n"
    "domain: {min: [-1, -1, -1], max: [2, 2, 2]}\n"
    "output: {every: 0, grid: {min: [0, 0, 0], max: [0.2, 0.2, 0.2], spacing: 0.1, every: 0.1, average: 0.05}}\n";

static mn_scene *scene;
static mn_world *world;
static mn_snapshot good;

static void begin(void)
{
    mn_messages *say = mn_messages_new();
    scene = mn_scene_parse(scene_text, strlen(scene_text), "restore.yaml", NULL, 0, say);
    mn_options options = mn_default_options();
    options.threads = 1;
    world = scene ? mn_world_new(scene, &options, say) : NULL;
    for (int k = 0; world && k < 5; k++)
        if (mn_step(world, say) != MN_OK) world = NULL;
    if (!world || mn_world_save(world, &good, say) != MN_OK) {
        for (int m = 0; m < mn_messages_count(say); m++) fprintf(stderr, "%s\n", mn_messages_get(say, m).text);
        abort();
    }
    mn_messages_free(say);
}

static size_t bytes_of(const mn_array *a) { return (size_t)a->count * (size_t)a->width * mn_type_bytes(a->type); }

/* What becomes of array `index`: itself but for one change; false: left out. */
static bool changed(const mn_array *a, const uint8_t *change, mn_array *out)
{
    *out = *a;
    switch (change[1] % 8) {
    case 0: return false;
    case 1: out->count = (change[2] | change[3] << 8) % 2000; break;
    case 2: out->width = 1 + change[2] % 9; break;
    case 3: out->type = (mn_type)(change[2] % 5); break;
    default: break;
    }
    return true;
}

static void copy(mn_snapshot *snap, const mn_array *a, const mn_array *as, const uint8_t *change, bool mine)
{
    char *data = mn_snapshot_add(snap, as->name, as->type, as->width, as->count);
    if (!data) return;
    const size_t room = bytes_of(as), have = bytes_of(a);
    memcpy(data, a->data, room < have ? room : have);
    if (mine && change[1] % 8 >= 4 && room > 0) {
        const size_t at = ((size_t)(change[2] | change[3] << 8) * 4) % room;
        memcpy(data + at, change + 4, room - at < 8 ? room - at : 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!world) begin();
    mn_snapshot snap = {0}, next = {0};
    for (int a = 0; a < good.count; a++) copy(&snap, &good.arrays[a], &good.arrays[a], NULL, false);
    for (size_t at = 0; at + 12 <= size && at < 8 * 12; at += 12) {
        const uint8_t *change = data + at;
        for (int a = 0; a < snap.count; a++) {
            mn_array as = snap.arrays[a];
            const bool mine = change[0] % snap.count == a;
            if (mine && !changed(&snap.arrays[a], change, &as)) continue;
            copy(&next, &snap.arrays[a], &as, change, mine);
        }
        mn_snapshot_free(&snap);
        snap = next;
        next = (mn_snapshot){0};
        if (snap.count == 0) break;
    }
    mn_messages *say = mn_messages_new();
    mn_status status = mn_world_load(world, &snap, say);
    if (status == MN_OK) {
        if (!(mn_world_time(world) >= 0)) abort();
        status = mn_step(world, say);
        mn_world_stats(world);
        mn_world_hash(world);
    } else if (mn_messages_errors(say) == 0) {
        abort();
    }
    if (mn_world_load(world, &good, say) != MN_OK) abort();
    mn_messages_free(say);
    mn_snapshot_free(&snap);
    return 0;
}
