/* world.c -- making and unmaking a world, and questions to it. */
#include "core/clock.h"
#include "core/state.h"
#include "core/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_spline.h"
#include "base/threads.h"
#include "core/parts.h"
#include "core/room.h"
#include "scene/change.h"
#include "run/strips.h"

const char *mn_version(void) { return MN_VERSION; }

mn_options mn_default_options(void) { return (mn_options){"cpu", 0}; }

/* Accelerations share their memory unless the user wants to see them. */
static bool wants_acceleration(const mn_scene *s)
{
    bool wanted = s->camera.colour && strcmp(s->camera.colour, "acceleration") == 0;
    for (int k = 0; k < s->frame_field_count; k++) wanted = wanted || strcmp(s->frame_fields[k], "acceleration") == 0;
    for (int k = 0; k < s->probe_count; k++)
        for (int f = 0; f < s->probes[k].field_count; f++)
            wanted = wanted || strcmp(s->probes[k].fields[f], "acceleration") == 0;
    return wanted;
}

static void core_parameters(mn_world *w)
{
    const mn_scene *s = w->scene;
    params *p = &w->par;
    const double h = s->support * s->spacing;
    const mn_support support = w->support = mn_support_of(s->support);
    p->fluids = s->fluid_count;
    p->spacing = (float)s->spacing;
    p->h = (float)h;
    p->inv_h = (float)(1.0 / h);
    p->w0 = (float)mn_spline_peak(h);
    p->eps2 = (float)(0.01 * h * h);
    p->neighbour_ratio = (float)support.neighbours;
    /* replaced before it matters; XSPH divides by it in the first step */
    const double dt = s->adaptive ? s->step_max : s->step;
    p->dt = (float)dt;
    p->inv_dt = (float)(1.0 / dt);
    mn_world_materials(w);
    for (int a = 0; a < 3; a++) {
        w->periodic = w->periodic || s->periodic[a];
        const bool cut = s->bounded && !s->periodic[a];
        const float far = mn_farthest(p->inv_h);
        w->par.keep_low[a] = fmaxf(cut ? (float)s->low[a] : -far, -far);
        w->par.keep_high[a] = fminf(cut ? (float)s->high[a] : far, far);
    }
    if (s->periodic[0]) p->low_x = (float)s->low[0], p->span_x = (float)(s->high[0] - s->low[0]);
    if (s->periodic[1]) p->low_y = (float)s->low[1], p->span_y = (float)(s->high[1] - s->low[1]);
    if (s->periodic[2]) p->low_z = (float)s->low[2], p->span_z = (float)(s->high[2] - s->low[2]);
}

/* What is to change in the run must be possible then: it is said before the first step. */
static mn_status permit_changes(const mn_world *w, mn_messages *say)
{
    mn_scene *next = w->scene->change_count ? mn_scene_copy(w->scene) : NULL;
    mn_status status = next || !w->scene->change_count ? MN_OK : MN_FAILED;
    for (int c = 0; c < w->scene->change_count && status == MN_OK; c++) {
        status = mn_scene_repeat(next, &w->scene->changes[c], say);
        if (status == MN_OK) status = mn_parts_permit(w, next, w->scene->changes[c].at, say);
    }
    mn_scene_free(next);
    return status;
}

mn_world *mn_world_new(const mn_scene *scene, const mn_options *options, mn_messages *say)
{
    const mn_options defaults = mn_default_options();
    if (!options) options = &defaults;
    if (!scene) {
        mn_say_error(say, MN_NOWHERE, "there is no scene (NULL); the messages of its reading say why");
        return NULL;
    }
    const char *device = NULL;
    const mn_backend_api *api = mn_backend_find(options->backend ? options->backend : "cpu", &device);
    if (!api) {
        static const char *const names[] = {"cpu", "cpu-scalar", "opencl"};
        const char *near = mn_nearest(options->backend, names, 3);
        mn_say_error(say, MN_NOWHERE, "no backend '%s'; expected cpu, cpu-scalar or opencl[:DEVICE]%s%s%s",
                     options->backend, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return NULL;
    }
    mn_world *w = calloc(1, sizeof *w);
    if (!w) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    w->given = mn_scene_copy(scene);
    w->scene = w->own = mn_scene_copy(scene);
    if (!w->own || !w->given) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        mn_world_free(w);
        return NULL;
    }
    w->threads = options->threads;
    w->watch.stage = MN_STAGES, w->watch.part = MN_NO_PART;
    w->keeps_acceleration = wants_acceleration(w->scene);
    w->api = api;
    w->stop_time = INFINITY;
    w->too_dense = -1;
    mn_pairs_forget(w);
    core_parameters(w);
    w->identity = mn_scene_identity(w->scene);
    const int before = mn_threads_use(w->threads);
    w->device = w->identity ? api->open(device, options->threads, say) : NULL;
    const bool ok = w->device && mn_room_check(w, say) == MN_OK && mn_parts_make(w, say) == MN_OK &&
                    mn_fill(w, say) == MN_OK && MN_TRY_EACH(w, start, say) == MN_OK && permit_changes(w, say) == MN_OK;
    if (ok) mn_settle(w, say);
    omp_set_num_threads(before);
    if (ok) return w;
    if (!mn_messages_errors(say)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    mn_world_free(w);
    return NULL;
}

void mn_world_free(mn_world *w)
{
    if (!w) return;
    mn_user_free(w);
    mn_parts_free(w);
    if (w->device) {
        for (int f = 0; f < MN_FIELD_COUNT; f++) mn_field_drop(w, f);
        w->api->release(w->device, w->id);
        w->api->release(w->device, w->copy_source);
        w->api->release(w->device, w->copy_shift);
        w->api->close(w->device);
    }
    mn_scene_free(w->own);
    mn_scene_free(w->given);
    free(w->identity);
    free(w);
}

/* -- changes ------------------------------------------------------------------------------------------------------- */

mn_status mn_world_change(mn_world *w, const char *set, mn_messages *say)
{
    const mn_place at = {set, 0, 0};
    if (mn_user_may(w, true, "mn_world_change", say) != MN_OK) return MN_BAD_INPUT;
    mn_scene *next = mn_scene_copy(w->own);
    mn_status status = next ? mn_scene_change(next, set, w->time, at, say) : MN_FAILED;
    if (status == MN_OK) status = mn_parts_permit(w, next, at, say);
    mn_scene_free(next);
    if (status == MN_OK) status = mn_scene_change(w->own, set, w->time, at, say);
    if (status == MN_OK && mn_scene_add_change(w->own, w->changed, w->time, set)) w->changed++;
    else if (status == MN_OK) status = MN_FAILED;
    if (status == MN_FAILED && !mn_messages_errors(say)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    return status;
}

mn_status mn_world_change_due(mn_world *w, mn_messages *say)
{
    mn_status status = MN_OK;
    while (status == MN_OK && w->changed < w->scene->change_count && w->scene->changes[w->changed].time <= w->time) {
        status = mn_scene_repeat(w->own, &w->scene->changes[w->changed++], say);
    }
    return status;
}

mn_status mn_world_change_first(mn_world *w, int count, mn_messages *say)
{
    return mn_scene_change_first(w->own, w->given, &w->changed, count, say);
}

const mn_change *mn_world_changes(const mn_world *w, int *count)
{
    *count = w->scene->change_count;
    return w->scene->changes;
}

const mn_scene *mn_world_scene(const mn_world *w) { return w->scene; }

/* -- questions ----------------------------------------------------------------------------------------------------- */

double mn_world_time(const mn_world *w) { return w->time; }
int64_t mn_world_steps(const mn_world *w) { return w->steps; }
int64_t mn_world_particles(const mn_world *w) { return w->layout.fluid; }
void mn_world_deleted(const mn_world *w, int64_t *drained, int64_t *lost) { *drained = w->drained, *lost = w->lost; }
size_t mn_world_bytes(const mn_world *w) { return w->api->bytes(w->device); }
const char *mn_world_backend(const mn_world *w) { return w->api->describe(w->device); }
void mn_world_limit_step(mn_world *w, double stop_time) { w->stop_time = stop_time; }

mn_stats mn_world_stats(mn_world *w)
{
    double motion[4] = {0}, weight[4] = {0}, speed[4] = {0}, most[4] = {0};
    if (w->par.n > 0 && w->steps > 0) {
        mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, motion);
        mn_run_sum(w, MN_KERNEL_weight, MN_NO_ARG, weight);
        mn_run_max(w, MN_KERNEL_weight, MN_NO_ARG, most);
        mn_run_max(w, MN_KERNEL_speed, MN_NO_ARG, speed);
    }
    mn_stats stats = (mn_stats){w->steps,
                                w->time,
                                w->dt,
                                w->layout.fluid,
                                w->effort.density_error,
                                fmax(most[2], 0.0),
                                motion[3],
                                weight[1],
                                {motion[0], motion[1], motion[2]},
                                w->effort.pressure_iterations,
                                w->effort.velocity_iterations,
                                sqrt(fmax(speed[2], 0.0)),
                                w->drained,
                                w->lost,
                                0,
                                {0}};
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->stats)
            stats.more_count += w->parts[p].system->stats(w, w->parts[p].me, stats.more + stats.more_count);
    return stats;
}

int mn_world_more(const mn_world *w, char (*out)[MN_STATS_NAME], int capacity)
{
    int count = 0;
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->columns)
            count += w->parts[p].system->columns(w, w->parts[p].me, out + count, capacity - count);
    return count;
}
