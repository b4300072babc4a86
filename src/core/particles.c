/* particles.c -- memory of the particles on the device: which fields exist, how large they are, and new particles;
 * see particles.h. */
#include "core/particles.h"

#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "core/parts.h"
#include "core/world.h"

/* Fields that hold positions: their copies are shifted, their padding lies far away. */
static bool is_place(int f) { return mn_field_table[f].copies == MN_COPIED_PLACE; }

/* Read at neighbours by some kernel, or sorted with the particles: has room for copies and the padding. */
static bool is_whole(int field)
{
    for (int k = 0; k < MN_KERNEL_COUNT; k++)
        for (int f = 0; f < mn_kernel_table[k].count; f++)
            if (mn_kernel_table[k].field[f] == field && mn_kernel_table[k].role[f] == MN_AROUND) return true;
    return mn_persistent(field);
}

/* Entries of a field that exists at boundary points. */
static size_t all_entries(const mn_layout *l)
{
    return (size_t)l->map_at + (size_t)l->map_slots * (size_t)l->map_stride;
}

/* What the padding of neighbour lists points to: a particle of volume 0 far away, with a density to divide by. */
static bool put_far(mn_world *w, int field)
{
    real4 far[8];
    float one[8];
    for (int k = 0; k < 8; k++) far[k] = (real4){1e12f, 1e12f, 1e12f, 0.0f}, one[k] = 1.0f;
    if (is_place(field)) return w->api->put(w->device, w->field[field], (size_t)w->layout.far_at * 16, far, sizeof far);
    if (field == MN_FIELD_dens)
        return w->api->put(w->device, w->field[field], (size_t)w->layout.far_at * 4, one, sizeof one);
    return true;
}

bool mn_field_is_empty(const mn_world *w, int field)
{
    return mn_field_table[field].at == MN_AT_WANTED && !w->wanted[field];
}

void mn_field_want(mn_world *w, int field, bool wanted)
{
    if (w->wanted[field] == wanted) return;
    mn_field_drop(w, field);
    w->wanted[field] = wanted;
}

/* Accelerations are no longer needed when the pressure is solved: `acc` and `displacement` share memory, unless the
 * user wants to see accelerations later. */
static bool shares_memory(const mn_world *w, int field) { return field == MN_FIELD_acc && !w->keeps_acceleration; }

/* A field exists from the first time a kernel names it. `term` and pair fields belong to the backend. */
bool mn_field_ensure(mn_world *w, int field)
{
    if (w->field[field] || field == MN_FIELD_term || mn_field_table[field].type == MN_TYPE_pair) return true;
    if (shares_memory(w, field)) {
        const bool there = mn_field_ensure(w, MN_FIELD_displacement);
        w->field[field] = w->field[MN_FIELD_displacement];
        return there;
    }
    /* not filled yet */
    const size_t entries = mn_field_table[field].life == MN_LIFE_TABLE || mn_field_is_empty(w, field) ? 1
                           : mn_at_points(field) ? all_entries(&w->layout)
                           : is_whole(field)     ? (size_t)w->layout.resting_at
                                                 : (size_t)w->capacity;
    w->field[field] = w->api->alloc(w->device, entries * mn_field_bytes(field));
    return w->field[field] && put_far(w, field);
}

void mn_field_drop(mn_world *w, int field)
{
    if (!shares_memory(w, field)) w->api->release(w->device, w->field[field]);
    w->field[field] = NULL;
}

bool mn_world_table(mn_world *w, int field, const void *data, size_t bytes)
{
    w->api->release(w->device, w->field[field]);
    w->field[field] = w->api->alloc(w->device, bytes);
    const bool ok = w->field[field] && w->api->put(w->device, w->field[field], 0, data, bytes);
    if (!ok) w->failed = true;
    return ok;
}

mn_buffer *mn_world_field(mn_world *w, int field) { return mn_field_ensure(w, field) ? w->field[field] : NULL; }

mn_buffer *mn_world_spare(mn_world *w) { return mn_field_ensure(w, MN_FIELD_trial) ? w->field[MN_FIELD_trial] : NULL; }

bool mn_world_spare_back(mn_world *w) { return put_far(w, MN_FIELD_trial); }

/* -- room ---------------------------------------------------------------------------------------------------------- */

/* Into a buffer of `total` entries, with what the fluid holds, and what the active points hold, from `from` to `to`. */
static bool move_buffer(mn_world *w, mn_buffer **buffer, size_t width, size_t total, void *host, size_t from, size_t to)
{
    const int stay = w->layout.active < w->points.active ? w->layout.active : w->points.active;
    const size_t kept = (size_t)w->layout.fluid * width, active = to ? (size_t)stay * width : 0;
    mn_buffer *larger = w->api->alloc(w->device, total * width);
    bool ok = larger != NULL;
    if (ok && *buffer && kept)
        ok = w->api->get(w->device, *buffer, 0, host, kept) && w->api->put(w->device, larger, 0, host, kept);
    if (ok && *buffer && active)
        ok = w->api->get(w->device, *buffer, from * width, host, active) &&
             w->api->put(w->device, larger, to * width, host, active);
    w->api->release(w->device, *buffer);
    *buffer = larger;
    return ok;
}

bool mn_world_reserve(mn_world *w, int capacity, int copy_room)
{
    capacity = (capacity + 7) / 8 * 8;
    const mn_point_room *p = &w->points;
    mn_layout next = w->layout;
    next.copies_at = capacity;
    next.far_at = capacity + copy_room;
    next.resting_at = next.far_at + 8;
    next.resting = p->resting;
    next.active_at = next.resting_at + p->resting;
    next.map_at = next.active_at + p->active + p->copies;
    next.map_slots = p->slots;
    next.map_stride = capacity;
    if ((int64_t)capacity * (1 + p->slots) + copy_room + p->resting + p->active + p->copies + 8 > 2000000000)
        return false;
    const size_t whole = (size_t)next.resting_at, all = all_entries(&next);
    void *host = calloc((size_t)(w->layout.fluid > w->layout.active ? w->layout.fluid : w->layout.active) + 1, 16);
    bool ok = host != NULL;
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++) {
        if (!w->field[f] || mn_field_table[f].life == MN_LIFE_TABLE) continue;
        if (mn_persistent(f) || mn_at_points(f)) /* places and velocities of walls are sent again */
            ok = move_buffer(w, &w->field[f], mn_field_bytes(f), mn_at_points(f) ? all : whole, host,
                             (size_t)w->layout.active_at, mn_persistent(f) ? 0 : (size_t)next.active_at);
        else mn_field_drop(w, f); /* nothing worth keeping between steps */
    }
    ok = ok && move_buffer(w, &w->id, 4, whole, host, 0, 0);
    free(host);
    w->api->release(w->device, w->copy_source);
    w->api->release(w->device, w->copy_shift);
    w->copy_source = w->api->alloc(w->device, ((size_t)copy_room + 1) * 4);
    w->copy_shift = w->api->alloc(w->device, ((size_t)copy_room + 1) * 16);
    w->capacity = capacity;
    w->copy_room = copy_room;
    w->layout = next;
    w->layout.active = p->active;
    w->layout.without_lists = p->without_lists;
    ok = ok && w->copy_source && w->copy_shift && mn_field_ensure(w, MN_FIELD_pos) && mn_field_ensure(w, MN_FIELD_vel);
    if (ok && put_far(w, MN_FIELD_pos)) mn_each(w, MN_AT_reserved);
    else return false;
    return !w->failed;
}

bool mn_particles_append(mn_world *w, const real4 *pos, const real4 *vel, int count)
{
    const int n = w->layout.fluid;
    if ((int64_t)w->next_id + count > 2000000000) return false;
    mn_each(w, MN_AT_append);
    w->listed = false;
    if (n + count > w->capacity && !mn_world_reserve(w, n + count + (n + count) / 2 + 1024, w->copy_room)) return false;
    int *id = malloc((size_t)count * sizeof *id);
    void *zero = calloc((size_t)count, sizeof(real4));
    bool ok = id && zero;
    for (int i = 0; i < count && ok; i++) id[i] = w->next_id + i;
    ok = ok && w->api->put(w->device, w->id, (size_t)n * 4, id, (size_t)count * 4);
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++) {
        if (!w->field[f] || !mn_persistent(f)) continue;
        const size_t width = mn_field_bytes(f);
        const void *data = f == MN_FIELD_pos ? (const void *)pos : f == MN_FIELD_vel ? (const void *)vel : zero;
        ok = w->api->put(w->device, w->field[f], (size_t)n * width, data, (size_t)count * width);
    }
    /* stats.csv reads densities before the next step computes them: the rest density until then. */
    for (int i = 0; i < count && ok; i++) ((float *)zero)[i] = 1.0f;
    if (ok && w->field[MN_FIELD_dens])
        ok = w->api->put(w->device, w->field[MN_FIELD_dens], (size_t)n * 4, zero, (size_t)count * 4);
    free(id), free(zero);
    if (!ok) return false;
    w->next_id += count;
    w->layout.fluid += count;
    w->par.n = w->layout.fluid;
    return true;
}
