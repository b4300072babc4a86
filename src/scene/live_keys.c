/* live_keys.c -- which keys may change while a scene runs; see live_keys.h. Their list, with values, is that of the
 * sliders of `meniscus view`. */
#include "scene/live_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/change.h"
#include "scene/read.h"

bool mn_key_is_live(const mn_key *key) { return key->type == MN_KEY_CURVE || key->live == MN_LIVE; }

bool mn_key_is_used(const mn_key *key, const void *record)
{
    return key->type == MN_KEY_CURVE || !key->written || key->written == mn_never_written || key->written(record);
}

bool mn_section_is_missing(const mn_key *map, const char *record)
{
    return map->written && strcmp(map->name, "motion") != 0 && !map->written(record);
}

bool mn_motion_may_begin(const mn_scene *scene, const mn_motion *motion)
{
    for (int k = 0; k < scene->wall_count; k++)
        if (motion == &scene->walls[k].motion) return true;
    return motion->moving;
}

bool mn_key_is_centre(const mn_key *key) { return key->type == MN_KEY_NUMBERS && strcmp(key->name, "centre") == 0; }

/* The way through the tables to a key, and who is told of it. */
typedef struct tour {
    const mn_scene *scene;
    mn_live_visit *visit;
    void *user;
    double time;
    char path[400];
} tour;

/* One more step of the path; returns how long it was. */
static size_t go(tour *t, const char *step)
{
    const size_t length = strlen(t->path);
    snprintf(t->path + length, sizeof t->path - length, "%s%s", length ? "." : "", step);
    return length;
}

/* Its words and which of them it is; false: it has none. */
static bool is_choice(const mn_key *key, const void *at, mn_live *live)
{
    static const char *const marks[] = {"false", "true", NULL};
    live->words = key->type == MN_KEY_FLAG                                 ? marks
                  : key->type == MN_KEY_WORD || key->type == MN_KEY_CHOICE ? key->words
                                                                           : NULL;
    int chosen = 0;
    if (key->type == MN_KEY_FLAG) chosen = *(const bool *)at;
    else if (key->type == MN_KEY_CHOICE) chosen = *(const int *)at;
    else if (live->words)
        while (live->words[chosen] && strcmp(live->words[chosen], *(char *const *)at) != 0) chosen++;
    live->value[0] = chosen;
    return live->words && live->words[chosen];
}

static void show_key(tour *t, const mn_key *key, const void *at)
{
    const bool vector = key->type == MN_KEY_NUMBERS || key->type == MN_KEY_CURVE;
    mn_live live = {.path = t->path,
                    .name = key->name,
                    .unit = key->unit,
                    .help = key->help,
                    .min = key->min,
                    .max = key->max,
                    .whole = key->type == MN_KEY_INTEGER || key->type == MN_KEY_LONG,
                    .width = vector ? key->width : 1};
    const bool numbers = (vector || live.whole || key->type == MN_KEY_NUMBER) && live.width >= 1 && live.width <= 3;
    if (!numbers && !is_choice(key, at, &live)) return;
    if (key->type == MN_KEY_CURVE) {
        const mn_curve *curve = at;
        if (!curve->count || curve->width != live.width) return;
        mn_curve_at(curve, t->time, live.value);
        live.keyed = curve->count > 1;
    } else if (live.whole) {
        live.value[0] = key->type == MN_KEY_LONG ? (double)*(const long *)at : *(const int *)at;
    } else if (numbers) {
        memcpy(live.value, at, (size_t)live.width * sizeof(double));
    }
    if (!isfinite(live.value[0])) return; /* an emitter that never ends */
    const size_t length = go(t, key->name);
    t->visit(t->user, &live);
    t->path[length] = 0;
}

static void show_params(tour *t, const mn_model_use *use)
{
    for (int i = 0; use->params && i < use->model->param_count; i++) {
        const mn_key key = mn_key_of_param(&use->model->params[i]);
        show_key(t, &key, &use->params[i]);
    }
}

static void show_models(tour *t, const mn_fluid *fluid)
{
    for (int i = 0; i < fluid->model_count; i++) {
        const mn_model_use *use = &fluid->models[i];
        if (strcmp(use->model->key, "laplace") == 0 && use->params) { /* by the name that starts a scene with it too */
            mn_key key = mn_key_of_param(&use->model->params[0]);
            key.name = "surface_tension";
            show_key(t, &key, &use->params[0]);
            continue;
        }
        const size_t length = go(t, use->model->kind);
        go(t, use->model->key);
        show_params(t, use);
        t->path[length] = 0;
    }
}

static void show_table(tour *t, const mn_table *table, const char *record);

static void show_list(tour *t, const mn_key *key, const char *record)
{
    const mn_key *name = mn_table_find(key->sub, "name");
    const char *items = *(char *const *)(record + key->offset);
    for (int i = 0; i < *(const int *)(record + key->count_offset); i++) {
        const char *item = items + (size_t)i * key->sub->size, *own = name ? *(char *const *)(item + name->offset) : "";
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        const size_t length = go(t, key->name);
        go(t, own && *own && !strpbrk(own, ".=\"'\\ ") ? own : number);
        show_table(t, key->sub, item);
        t->path[length] = 0;
    }
}

/* A section that the scene lacks, or the motion of what stands still and cannot begin to move. */
static bool is_idle(const tour *t, const mn_key *key, const char *record)
{
    if (strcmp(key->name, "motion") != 0) return mn_section_is_missing(key, record);
    return !mn_motion_may_begin(t->scene, (const mn_motion *)(record + key->offset));
}

/* Whether a fluid has a surface tension in N/m, without which there are no contact angles. */
static bool has_tension(const mn_scene *scene)
{
    bool has = false;
    for (int f = 0; f < scene->fluid_count; f++)
        for (int m = 0; m < scene->fluids[f].model_count; m++)
            has = has || strcmp(scene->fluids[f].models[m].model->key, "laplace") == 0;
    return has;
}

/* Keyframes of a motion are places: to jump there would tear the liquid. A material has two numbers, not four. */
static bool is_shown(const tour *t, const mn_table *table, const mn_key *key, const char *record)
{
    static const char *const hidden[] = {"translation", "rotation", "lambda", "mu"};
    for (int i = 0; i < 4; i++)
        if (strcmp(key->name, hidden[i]) == 0) return false;
    if (strncmp(key->name, "contact_", 8) == 0 && !has_tension(t->scene)) return false;
    const bool motion = strcmp(table->name, "motion") == 0;
    if (motion && mn_key_is_centre(key) && ((const mn_motion *)record)->moving) return false;
    return mn_key_is_live(key) && mn_key_is_used(key, record);
}

static void show_table(tour *t, const mn_table *table, const char *record)
{
    for (int i = 0; i < table->count; i++) {
        const mn_key *key = &table->keys[i];
        if (key->type == MN_KEY_LIST) {
            show_list(t, key, record);
        } else if (key->type == MN_KEY_MAP) {
            if (is_idle(t, key, record)) continue;
            const size_t length = go(t, key->name);
            show_table(t, key->sub, record + key->offset);
            t->path[length] = 0;
        } else if (is_shown(t, table, key, record)) {
            show_key(t, key, record + key->offset);
        }
    }
    if (table->extra == MN_FLUID_MODELS) show_models(t, (const mn_fluid *)record);
    if (table->extra == MN_PRESSURE_PARAMETERS) show_params(t, &((const mn_scene *)record)->pressure);
}

void mn_scene_live(const mn_scene *scene, double time, mn_live_visit *visit, void *user)
{
    tour t = {.scene = scene, .visit = visit, .user = user, .time = time};
    show_table(&t, &mn_scene_table, (const char *)scene);
}
