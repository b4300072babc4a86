/* launch.c -- running kernels over the particles of a world; see launch.h. */
#include "core/launch.h"

#include <string.h>

#include "core/fields.h"
#include "core/world.h"

static void refresh_copies(mn_world *w, int field)
{
    if (!w->stale[field] || !w->layout.copies || mn_field_is_empty(w, field)) return;
    w->failed = !w->api->refresh(w->device, w->field[field], (int)mn_field_bytes(field), w->copy_source, w->copy_shift,
                                 mn_field_table[field].copies, w->layout.copies_at, w->layout.copies);
    w->stale[field] = false;
}

/* Allocates what a kernel names and refreshes the copies that it reads. */
static mn_launch made_ready(mn_world *w, int kernel, real4 arg, mn_fold *fold)
{
    const mn_kernel_info *info = &mn_kernel_table[kernel];
    mn_launch l = {.kernel = kernel, .arg = arg, .fold = fold, .seconds = mn_watch_now(w)};
    for (int f = 0; f < info->count && !w->failed; f++) {
        if (!mn_field_ensure(w, info->field[f])) w->failed = true;
        l.buffers[f] = w->field[info->field[f]];
        if (info->role[f] == MN_AROUND && !w->failed) refresh_copies(w, info->field[f]);
    }
    return l;
}

static void mark_written(mn_world *w, int kernel)
{
    const mn_kernel_info *info = &mn_kernel_table[kernel];
    for (int f = 0; f < info->count; f++) {
        if (info->role[f] == MN_CHANGES || info->role[f] == MN_WRITES) w->stale[info->field[f]] = true;
        if (info->role[f] == MN_PAIR_WRITES) w->pair_writer[info->field[f] - MN_FIRST_PAIR] = kernel;
    }
}

static void run(mn_world *w, int kernel, const params *par, real4 arg, mn_fold *fold)
{
    const mn_launch l = made_ready(w, kernel, arg, fold);
    if (w->failed) return;
    w->failed = !w->api->launch(w->device, &l, par);
    mark_written(w, kernel);
}

void mn_run(mn_world *w, int kernel, real4 arg) { run(w, kernel, &w->par, arg, NULL); }

void mn_run_some(mn_world *w, int kernel, int first, int end, real4 arg)
{
    if (first == end) return;
    params par = w->par;
    par.first = first;
    par.n = end;
    run(w, kernel, &par, arg, NULL);
}

void mn_run_active(mn_world *w, int kernel, real4 arg)
{
    mn_run_some(w, kernel, w->layout.active_at + w->layout.without_lists, w->layout.active_at + w->layout.active, arg);
}

void mn_run_sum(mn_world *w, int kernel, real4 arg, double out[4])
{
    mn_fold fold = {.largest = false};
    run(w, kernel, &w->par, arg, &fold);
    memcpy(out, fold.value, sizeof fold.value);
}

void mn_run_max(mn_world *w, int kernel, real4 arg, double out[4])
{
    mn_fold fold = {.largest = true};
    run(w, kernel, &w->par, arg, &fold);
    memcpy(out, fold.value, sizeof fold.value);
}

const double *mn_run_sum_later(mn_world *w, int kernel, real4 arg)
{
    w->later = (mn_fold){.later = true};
    run(w, kernel, &w->par, arg, &w->later);
    return w->later.value;
}

bool mn_pair_holds(const mn_world *w, int field, int kernel) { return w->pair_writer[field - MN_FIRST_PAIR] == kernel; }

void mn_pairs_forget(mn_world *w)
{
    for (int f = 0; f < MN_PAIR_FIELDS; f++) w->pair_writer[f] = -1;
}

const char *mn_why(const mn_world *w)
{
    const char *words = w->api->failure(w->device);
    return *words ? words : "out of memory"; /* of the host: the device had no part in it */
}
