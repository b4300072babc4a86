/* search.c -- brings the particles into cell order, copies those near periodic faces, and has the device list all
 * neighbours.
 *
 * Cells of side h are fixed in space, and the device keeps those near particles (run/strips.h), so the order of
 * particles and of their neighbours depends on positions and ids alone: not on history, threads or restarts.
 */
#include <math.h>
#include <stdlib.h>

#include "core/fields.h"
#include "core/parts.h"
#include "core/world.h"
#include "run/strips.h"

/* Copies of the particles near periodic faces, rebuilt; everything but positions is copied when a kernel asks for
 * it. */
static bool make_copies(mn_world *w)
{
    int count = 0;
    bool ok = w->api->copies(w->device, &w->par, w->field[MN_FIELD_pos], &count);
    ok = ok && (count <= w->copy_room || mn_world_reserve(w, w->capacity, count + count / 4 + 1024));
    ok = ok && w->api->copy_order(w->device, &w->par, w->field[MN_FIELD_pos], count, w->copy_source, w->copy_shift);
    w->layout.copies = ok ? count : 0;
    for (int f = 0; f < MN_FIELD_COUNT; f++) w->stale[f] = f != MN_FIELD_pos;
    return ok && w->api->refresh(w->device, w->field[MN_FIELD_pos], 16, w->copy_source, w->copy_shift, MN_COPIED_PLACE,
                                 w->layout.copies_at, w->layout.copies);
}

/* What stays with a particle from step to step moves with it. */
static int sorted_fields(mn_world *w, mn_sorted *out)
{
    int count = 0;
    for (int f = 0; f < MN_FIELD_COUNT; f++)
        if (w->field[f] && mn_persistent(f)) out[count++] = (mn_sorted){&w->field[f], (int)mn_field_bytes(f)};
    out[count++] = (mn_sorted){&w->id, 4};
    return count;
}

static void count_deleted(mn_world *w, int64_t drained, int64_t lost, bool too_far, mn_messages *say)
{
    if (lost && !w->lost && say && too_far)
        mn_say_warning(say, (mn_place){w->scene->path, 0, 0},
                       "%lld particle%s came farther than %g m from the origin by step %lld, time %g s, where single "
                       "precision cannot resolve the spacing: deleted, as will be all that follow (column lost of "
                       "stats.csv); the key domain bounds where they may go",
                       (long long)lost, lost == 1 ? "" : "s", (double)mn_farthest(w->par.inv_h), (long long)w->steps,
                       w->time);
    else if (lost && !w->lost && say)
        mn_say_warning(say, (mn_place){w->scene->path, 0, 0},
                       "%lld particle%s left the domain by step %lld, time %g s: deleted, as will be all that follow "
                       "(column lost of stats.csv)",
                       (long long)lost, lost == 1 ? "" : "s", (long long)w->steps, w->time);
    w->drained += drained;
    w->lost += lost;
}

/* Whether fluid lies where there are no cells. */
static bool is_too_far(const mn_world *w)
{
    const float far = mn_farthest(w->par.inv_h);
    bool beyond = false;
    for (int a = 0; a < 3; a++) beyond = beyond || w->bounds.low[a] < -far || w->bounds.high[a] > far;
    return beyond && w->layout.fluid > 0;
}

void mn_search(mn_world *w, mn_messages *say)
{
    if (w->failed) return;
    mn_each(w, MN_AT_place);
    bool ok = !w->failed;
    if (ok && w->layout.fluid + w->layout.active > 0) {
        ok = w->api->bounds(w->device, w->field[MN_FIELD_pos], w->field[MN_FIELD_vel], w->layout.fluid, &w->bounds) &&
             w->bounds.bad < 0; /* what is not finite has no cell */
        w->par.mid_x = 0.5f * (w->bounds.low[0] + w->bounds.high[0]);
        w->par.mid_y = 0.5f * (w->bounds.low[1] + w->bounds.high[1]);
        w->par.mid_z = 0.5f * (w->bounds.low[2] + w->bounds.high[2]);
        mn_sorted fields[MN_FIELD_COUNT + 1];
        const int count = sorted_fields(w, fields), before = w->layout.fluid;
        const bool too_far = is_too_far(w);
        const int sent = ok ? mn_user_leave(w) : -1;
        ok = sent >= 0;
        w->leaving = ok ? sent : 0;
        if (ok) mn_each(w, MN_AT_leave);
        ok = ok && !w->failed &&
             w->api->sort(w->device, &w->layout, w->par.inv_h, w->par.keep_low, w->par.keep_high,
                          w->field[MN_FIELD_pos], w->id, fields, count, &w->layout.fluid);
        w->par.n = w->layout.fluid;
        if (ok) count_deleted(w, w->leaving, before - w->layout.fluid - w->leaving, too_far, say);
        if (ok && w->periodic) ok = make_copies(w);
        if (ok) mn_each(w, MN_AT_touch); /* after the copies, whose room may have grown and moved what lies behind it */
        ok = ok && !w->failed;
        w->layout.sees_points = w->points.see_points;
        mn_pairs_forget(w);
        ok = ok && mn_world_spare(w) &&
             w->api->lists(w->device, &w->layout, w->field[MN_FIELD_pos], w->par.h, mn_world_spare(w), &w->too_dense) &&
             mn_world_spare_back(w);
        w->listed = ok;
    }
    w->par.n = w->layout.fluid;
    w->failed = !ok;
}
