/* state.c -- the state of a world: as a snapshot, and as a hash. Particles and clock here; each part saves, restores
 * and hashes its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "core/parts.h"
#include "core/state.h"
#include "core/views.h"
#include "core/world.h"
#include "scene/text.h"

/* -- saving -------------------------------------------------------------------------------------------------------- */

static bool save_clock(const mn_world *w, mn_snapshot *snap)
{
    double *clock = mn_snapshot_add(snap, "clock", MN_F64, 3, 1),
           *effort = mn_snapshot_add(snap, "effort", MN_F64, 4, 1);
    int64_t *counts = mn_snapshot_add(snap, "counts", MN_I64, 4, 1);
    if (!clock || !effort || !counts) return false;
    const mn_effort *e = &w->effort;
    memcpy(clock, (const double[3]){w->time, w->dt, w->next_dt}, 3 * sizeof *clock);
    memcpy(
        effort,
        (const double[4]){e->density_error, e->pressure_iterations, e->velocity_iterations, e->divergence_iterations},
        4 * sizeof *effort);
    memcpy(counts, (const int64_t[4]){w->steps, w->next_id, w->drained, w->lost}, 4 * sizeof *counts);
    double *depth = w->depth.known ? mn_snapshot_add(snap, "depth", MN_F64, 4, 1) : NULL;
    if (depth) depth[0] = w->depth.metres, memcpy(depth + 1, w->depth.down, 3 * sizeof *depth);
    return depth || !w->depth.known;
}

/* Which scene it is a state of. */
static bool save_scene(const mn_world *w, mn_snapshot *snap)
{
    char *identity = mn_snapshot_add(snap, "scene", MN_U8, 1, (long)strlen(w->identity));
    if (identity) memcpy(identity, w->identity, strlen(w->identity));
    return identity != NULL;
}

/* The changes that were made by then, a line each. NULL: no memory. */
static char *changes_of(const mn_scene *scene, int count)
{
    mn_text text = {0};
    mn_put(&text, "%s", "");
    for (int i = 0; i < count; i++) {
        mn_put_number(&text, scene->changes[i].time);
        mn_put(&text, " %s\n", scene->changes[i].set);
    }
    return mn_text_done(&text);
}

static bool save_changes(const mn_world *w, mn_snapshot *snap)
{
    if (w->changed == 0) return true;
    char *text = changes_of(w->scene, w->changed);
    int64_t *count = text ? mn_snapshot_add(snap, "change_count", MN_I64, 1, 1) : NULL;
    char *data = count ? mn_snapshot_add(snap, "changes", MN_U8, 1, (long)strlen(text)) : NULL;
    if (data) *count = w->changed, memcpy(data, text, strlen(text));
    free(text);
    return data != NULL;
}

/* Particles that go with the next step. */
static bool save_going(const mn_world *w, mn_snapshot *snap)
{
    const mn_user *u = &w->user;
    int *going = u->going_count ? mn_snapshot_add(snap, "going", MN_I32, 1, u->going_count) : NULL;
    if (going) memcpy(going, u->going, (size_t)u->going_count * sizeof *going);
    return going || !u->going_count;
}

mn_status mn_world_save(mn_world *w, mn_snapshot *snap, mn_messages *say)
{
    const long n = w->layout.fluid;
    int *id = mn_snapshot_add(snap, "id", MN_I32, 1, n);
    bool ok = id && save_scene(w, snap) && save_changes(w, snap) && save_clock(w, snap) && save_going(w, snap) &&
              w->api->get(w->device, w->id, 0, id, (size_t)n * 4);
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++) {
        if (!mn_persistent(f) || !w->field[f]) continue;
        void *data = mn_snapshot_add(snap, mn_field_table[f].name, MN_F32, (int)mn_field_bytes(f) / 4, n);
        ok = data && w->api->get(w->device, w->field[f], 0, data, (size_t)n * mn_field_bytes(f));
    }
    for (int p = 0; p < w->part_count && ok; p++)
        if (w->parts[p].system->save) ok = w->parts[p].system->save(w, w->parts[p].me, snap);
    if (!ok) mn_say_failure(say, MN_NOWHERE, "cannot collect the state: out of memory or device failure");
    return ok ? MN_OK : MN_FAILED;
}

/* -- loading ------------------------------------------------------------------------------------------------------- */

static mn_status refuse(mn_messages *say, const char *why)
{
    mn_say_error(say, MN_NOWHERE, "%s", why);
    return MN_BAD_INPUT;
}

/* That the state is one of this scene. */
static mn_status check_scene(const mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *a = mn_snapshot_find(snap, "scene");
    if (!a || a->type != MN_U8 || a->width != 1 || a->count < 1)
        return refuse(say,
                      "the checkpoint names no scene: an older version of this program wrote it; expected one of this "
                      "version: start a new run");
    char *was = strndup(a->data, (size_t)a->count);
    if (!was) mn_say_failure(say, MN_NOWHERE, "out of memory");
    const mn_status status = was ? mn_scene_compare(was, w->identity, "the checkpoint", MN_NOWHERE, say) : MN_FAILED;
    free(was);
    return status;
}

/* That the changes made before it are those of the scene, and makes them. */
static mn_status load_changes(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *text = mn_snapshot_find(snap, "changes"), *counts = mn_snapshot_find(snap, "change_count");
    const bool some = text && counts && text->type == MN_U8 && text->width == 1 && counts->type == MN_I64 &&
                      counts->width == 1 && counts->count == 1;
    const int64_t count = some ? *(const int64_t *)counts->data : 0;
    bool same = count >= 0 && count <= w->scene->change_count && some == (text != NULL);
    char *own = same ? changes_of(w->scene, (int)count) : NULL;
    if (same && !own) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return MN_FAILED;
    }
    if (same && some) same = (size_t)text->count == strlen(own) && memcmp(text->data, own, (size_t)text->count) == 0;
    free(own);
    if (!same)
        return refuse(say, "the `changes` that were made before this checkpoint are not those of the scene; expected "
                           "the same to resume, as run.yaml of the run has them");
    return mn_world_change_first(w, (int)count, say);
}

/* Of the last measure; without one it is measured when it is asked for. */
static mn_status load_depth(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *depth = mn_snapshot_find(snap, "depth");
    w->depth = (mn_depth){0};
    if (!depth) return MN_OK;
    if (!mn_snapshot_need(snap, "depth", MN_F64, 4, 1, say)) return MN_BAD_INPUT;
    const double *d = depth->data;
    if (!(d[0] >= 0.0 && d[0] <= 1e30 && fabs(d[1]) <= 1.01 && fabs(d[2]) <= 1.01 && fabs(d[3]) <= 1.01))
        return refuse(say, "the checkpoint's depth has impossible values");
    w->depth = (mn_depth){true, d[0], {d[1], d[2], d[3]}};
    return MN_OK;
}

/* The seal of a file does not prove that a run has written it: only numbers that a run can have are taken. */
static mn_status load_clock(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *clock = mn_snapshot_need(snap, "clock", MN_F64, 3, 1, say);
    const mn_array *effort = mn_snapshot_need(snap, "effort", MN_F64, 4, 1, say);
    const mn_array *counts = mn_snapshot_need(snap, "counts", MN_I64, 4, 1, say);
    if (!clock || !effort || !counts) return MN_BAD_INPUT;
    const double *c = clock->data, *e = effort->data;
    const int64_t *k = counts->data;
    bool good = fabs(e[0]) <= 1e30;
    for (int i = 0; i < 3; i++) good = good && c[i] >= 0.0 && c[i] <= 1e30 && e[1 + i] >= 0.0 && e[1 + i] <= INT32_MAX;
    for (int i = 0; i < 4; i++) good = good && k[i] >= 0 && k[i] <= (i == 1 ? INT32_MAX : INT64_MAX / 2);
    if (!good) return refuse(say, "the checkpoint's clock or counters have impossible values");
    w->time = c[0], w->dt = c[1], w->next_dt = c[2];
    w->par.dt = (float)w->dt, w->par.inv_dt = w->dt > 0.0 ? (float)(1.0 / w->dt) : w->par.inv_dt;
    w->steps = k[0], w->next_id = (int)k[1], w->drained = k[2], w->lost = k[3];
    w->effort = (mn_effort){.density_error = e[0],
                            .pressure_iterations = (int)e[1],
                            .velocity_iterations = (int)e[2],
                            .divergence_iterations = (int)e[3]};
    return load_depth(w, snap, say);
}

static mn_status check_particles(const mn_world *w, const mn_array *pos_array, const mn_array *vel_array,
                                 mn_messages *say)
{
    if (!pos_array || !vel_array) return refuse(say, "the checkpoint holds no positions or velocities");
    const real4 *pos = pos_array->data, *vel = vel_array->data;
    for (long i = 0; i < pos_array->count; i++)
        if (!(vel[i].w >= 0.0f && vel[i].w < (float)w->par.fluids) ||
            !isfinite(pos[i].x + pos[i].y + pos[i].z + pos[i].w)) {
            mn_say_error(say, MN_NOWHERE,
                         "the checkpoint does not fit this scene: particle %ld has no valid fluid or position", i);
            return MN_BAD_INPUT;
        }
    return MN_OK;
}

static mn_status load_particles(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *id = mn_snapshot_find(snap, "id"), *field[MN_FIELD_COUNT] = {NULL};
    if (!id || id->type != MN_I32 || id->width != 1 || id->count > 1000000000)
        return refuse(say, "the checkpoint does not fit this scene: array 'id' is missing or not one of numbers");
    const long n = id->count;
    for (int f = 0; f < MN_FIELD_COUNT; f++)
        if (mn_persistent(f) && mn_snapshot_find(snap, mn_field_table[f].name) &&
            !(field[f] = mn_snapshot_need(snap, mn_field_table[f].name, MN_F32, (int)mn_field_bytes(f) / 4, n, say)))
            return MN_BAD_INPUT;
    const mn_status status = check_particles(w, field[MN_FIELD_pos], field[MN_FIELD_vel], say);
    if (status != MN_OK) return status;
    bool ok = n <= w->capacity || mn_world_reserve(w, (int)n, w->copy_room);
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++)
        if (field[f])
            ok = mn_field_ensure(w, f) &&
                 w->api->put(w->device, w->field[f], 0, field[f]->data, (size_t)n * mn_field_bytes(f));
    ok = ok && w->api->put(w->device, w->id, 0, id->data, (size_t)n * 4);
    if (!ok) {
        mn_say_failure(say, MN_NOWHERE, "cannot load the checkpoint onto %s: %s", w->api->key, mn_why(w));
        return MN_FAILED;
    }
    w->layout.fluid = w->par.n = (int)n;
    w->listed = false;
    w->first_new = 0;
    return MN_OK;
}

static mn_status load_going(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *a = mn_snapshot_find(snap, "going");
    w->user.going_count = 0;
    if (!a) return MN_OK;
    if (a->type != MN_I32 || a->width != 1 || a->count > w->layout.fluid)
        return refuse(say, "the checkpoint's array 'going' is not a list of particles that leave");
    return mn_world_remove(w, a->data, a->count, say);
}

mn_status mn_world_load(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    mn_status status = check_scene(w, snap, say);
    if (status == MN_OK) status = load_changes(w, snap, say);
    if (status == MN_OK) status = load_clock(w, snap, say);
    if (status == MN_OK) status = load_particles(w, snap, say);
    if (status == MN_OK) status = load_going(w, snap, say);
    for (int p = 0; p < w->part_count && status == MN_OK; p++)
        if (w->parts[p].system->restore) status = w->parts[p].system->restore(w, w->parts[p].me, snap, say);
    return status;
}

mn_status mn_checkpoint_write(mn_world *w, const char *path, mn_messages *say)
{
    mn_snapshot snap = {0};
    mn_status status = mn_user_may(w, true, "mn_checkpoint_write", say);
    if (status == MN_OK) status = mn_world_save(w, &snap, say);
    if (status == MN_OK) status = mn_snapshot_write(&snap, path, say);
    mn_snapshot_free(&snap);
    return status;
}

mn_status mn_checkpoint_read(mn_world *w, const char *path, mn_messages *say)
{
    mn_snapshot snap = {0};
    mn_status status = mn_user_may(w, true, "mn_checkpoint_read", say);
    if (status == MN_OK) mn_field_maps_end(w, NULL); /* whatever was written in them is of no use any more */
    if (status == MN_OK) status = mn_snapshot_read(&snap, path, say);
    if (status == MN_OK) status = mn_world_load(w, &snap, say);
    mn_snapshot_free(&snap);
    return status;
}

/* -- hash ---------------------------------------------------------------------------------------------------------- */

uint64_t mn_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t b = 0; b < bytes; b++) hash = (hash ^ byte[b]) * 1099511628211u;
    return hash;
}

/* FNV-1a over ids and the persistent fields, particle by particle in id order, then what the parts add; 0 when out
 * of memory. */
uint64_t mn_world_hash(mn_world *w)
{
    uint64_t hash = 1469598103934665603u;
    mn_id_place *order = mn_id_order(w);
    unsigned char *data[MN_FIELD_COUNT] = {NULL};
    bool ok = order != NULL;
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++)
        if (mn_persistent(f) && w->field[f]) ok = (data[f] = mn_fetch(w, f)) != NULL;
    for (int k = 0; k < w->layout.fluid && ok; k++) {
        hash = (hash ^ (uint64_t)(uint32_t)order[k].id) * 1099511628211u;
        for (int f = 0; f < MN_FIELD_COUNT; f++)
            if (data[f]) hash = mn_hash(hash, data[f] + (size_t)order[k].at * mn_field_bytes(f), mn_field_bytes(f));
    }
    for (int f = 0; f < MN_FIELD_COUNT; f++) free(data[f]);
    free(order);
    for (int p = 0; p < w->part_count && ok; p++)
        if (w->parts[p].system->hash) ok = w->parts[p].system->hash(w, w->parts[p].me, &hash);
    return ok ? hash : 0;
}
