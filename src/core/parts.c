/* parts.c -- the parts of a world; see parts.h. */
#include "core/parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/world.h"

/* One more part, with zeroed state. */
static mn_part *add_part(mn_world *w, const mn_system *system, const char *key)
{
    if (w->part_count == MN_MOST_PARTS) return NULL;
    mn_part *part = &w->parts[w->part_count];
    *part = (mn_part){system, key, system->bytes ? calloc(1, system->bytes) : NULL, NULL};
    if (system->bytes && !part->me) return NULL;
    w->part_count++;
    return part;
}

static mn_status make_part(mn_world *w, const mn_system *system, mn_messages *say)
{
    if (system->wanted && !system->wanted(w->scene)) return MN_OK;
    mn_part *part = add_part(w, system, system->key);
    if (!part) return MN_FAILED;
    return system->make ? system->make(w, part->me, say) : MN_OK;
}

bool mn_parts_use(const mn_scene *s, const mn_model_info *model)
{
    if (s->pressure.model == model) return true;
    for (int f = 0; f < s->fluid_count; f++)
        for (int m = 0; m < s->fluids[f].model_count; m++)
            if (s->fluids[f].models[m].model == model) return true;
    return false;
}

/* Each model that the scene uses; the state of a model begins with a pointer to its description. */
static mn_status make_models(mn_world *w, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int m = 0; m < mn_model_count() && status == MN_OK; m++) {
        const mn_model_info *info = mn_model_at(m);
        if (!mn_parts_use(w->scene, info)) continue;
        mn_part *part = add_part(w, mn_model_system(info), info->key);
        if (!part) return MN_FAILED;
        part->model = info;
        *(const mn_model_info **)part->me = info;
        if (part->system->make) status = part->system->make(w, part->me, say);
    }
    return status;
}

mn_status mn_parts_make(mn_world *w, mn_messages *say)
{
    mn_status status = MN_OK;
#define SYSTEM(name)                                                                                                   \
    if (status == MN_OK) status = make_part(w, &mn_##name##_system, say);
#define MODELS                                                                                                         \
    if (status == MN_OK) status = make_models(w, say);
#include "core/systems.def"
#undef SYSTEM
#undef MODELS
    return status;
}

void mn_parts_free(mn_world *w)
{
    while (w->part_count > 0) {
        const mn_part *part = &w->parts[--w->part_count];
        if (part->system->free) part->system->free(w, part->me);
        free(part->me);
    }
}

void *mn_part_of(const mn_world *w, const mn_system *system)
{
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system == system) return w->parts[p].me;
    return NULL;
}

void mn_each(mn_world *w, mn_moment moment)
{
    const mn_step_stage stage = w->watch.stage;
    for (int p = 0; p < w->part_count; p++) {
        const mn_system *system = w->parts[p].system;
        if (!system->at[moment] || w->failed) continue;
        mn_watch_enter(w, moment == MN_AT_forces && system->stage ? system->stage : stage, p);
        system->at[moment](w, w->parts[p].me);
    }
    mn_watch_enter(w, stage, MN_NO_PART);
}

mn_status mn_try_each(mn_world *w, size_t which, mn_messages *say)
{
    mn_status status = MN_OK;
    const mn_step_stage stage = w->watch.stage;
    for (int p = 0; p < w->part_count && status == MN_OK; p++) {
        mn_try *const call = *(mn_try *const *)((const char *)w->parts[p].system + which);
        if (!call) continue;
        mn_watch_enter(w, stage, p);
        status = call(w, w->parts[p].me, say);
    }
    mn_watch_enter(w, stage, MN_NO_PART);
    return status;
}

mn_status mn_parts_permit(const mn_world *w, const mn_scene *next, mn_place at, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int p = 0; p < w->part_count && status == MN_OK; p++)
        if (w->parts[p].system->permits) status = w->parts[p].system->permits(w, w->parts[p].me, next, at, say);
    return status;
}

double mn_parts_limit(const mn_world *w)
{
    double least = INFINITY;
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->limit) least = fmin(least, w->parts[p].system->limit(w, w->parts[p].me));
    return least;
}

double mn_parts_stop(const mn_world *w)
{
    double least = INFINITY;
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->stop) least = fmin(least, w->parts[p].system->stop(w, w->parts[p].me));
    return least;
}

double mn_parts_fastest(const mn_world *w)
{
    double most = 0.0;
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->fastest) most = fmax(most, w->parts[p].system->fastest(w, w->parts[p].me));
    return most;
}

void mn_parts_extent(const mn_world *w, double low[3], double high[3])
{
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->extent) w->parts[p].system->extent(w, w->parts[p].me, low, high);
}

int mn_parts_rounds(const mn_world *w)
{
    int most = 1;
    for (int p = 0; p < w->part_count; p++) {
        const mn_system *system = w->parts[p].system;
        const int rounds = system->rounds ? system->rounds(w, w->parts[p].me) : 1;
        if (rounds > most) most = rounds;
    }
    return most;
}

unsigned mn_parts_wishes(const mn_world *w)
{
    unsigned all = 0;
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->wishes) all |= w->parts[p].system->wishes(w, w->parts[p].me);
    return all;
}

bool mn_parts_leave_room(const mn_world *w, const double x[3])
{
    const double d = w->scene->spacing;
    double least = INFINITY;
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->room) least = fmin(least, w->parts[p].system->room(w, w->parts[p].me, x, d));
    return least >= MN_ROOM * d;
}
