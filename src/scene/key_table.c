/* key_table.c -- questions about the tables: names, what a row expects, and what a record owns. */
#include "scene/key_table.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mn_key mn_key_of_param(const mn_param_info *param)
{
    return (mn_key){.name = param->key,
                    .type = MN_KEY_CURVE,
                    .unit = param->unit && param->unit[0] && strcmp(param->unit, "1") != 0 ? param->unit : NULL,
                    .min = param->min,
                    .max = param->max,
                    .help = param->help,
                    .width = 1};
}

int mn_models_of_kind(const char *kind, const char **out, int capacity)
{
    int count = 0;
    for (int i = 0; i < mn_model_count() && count < capacity; i++)
        if (strcmp(mn_model_at(i)->kind, kind) == 0) out[count++] = mn_model_at(i)->key;
    return count;
}

static bool is_per_fluid(const char *kind)
{
    for (int i = 0; i < mn_model_count(); i++)
        if (strcmp(mn_model_at(i)->kind, kind) == 0) return mn_model_at(i)->per_fluid;
    return false;
}

int mn_fluid_kinds(const char **out, int capacity)
{
    const char *kinds[MN_MOST_NAMES];
    int all = mn_model_kinds(kinds, MN_MOST_NAMES), count = 0;
    for (int i = 0; i < all && i < MN_MOST_NAMES && count < capacity; i++)
        if (is_per_fluid(kinds[i])) out[count++] = kinds[i];
    return count;
}

int mn_table_names(const mn_table *table, const mn_model_info *model, const char **out, int capacity)
{
    int count = 0;
    for (int i = 0; i < table->count && count < capacity; i++) out[count++] = table->keys[i].name;
    if (table->extra == MN_FLUID_MODELS) count += mn_fluid_kinds(out + count, capacity - count);
    for (int i = 0; model && i < model->param_count && count < capacity; i++) out[count++] = model->params[i].key;
    return count;
}

const mn_key *mn_table_find(const mn_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->keys[i].name, name) == 0) return &table->keys[i];
    return NULL;
}

/* " in m from 0 to 10"; bounds that merely keep numbers finite are not worth a word. */
static void unit_and_range(const mn_key *key, char *out, size_t capacity)
{
    const double vast = 1e6;
    bool from = key->min > -vast, to = key->max < vast || (from && key->min < 0 && key->max == vast);
    int used = key->unit ? snprintf(out, capacity, " in %s", key->unit) : 0;
    out[used] = 0;
    if (from && (to || key->max == vast))
        snprintf(out + used, capacity - (size_t)used, " from %g to %g", key->min, key->max);
    else if (from) snprintf(out + used, capacity - (size_t)used, " from %g", key->min);
    else if (to) snprintf(out + used, capacity - (size_t)used, " up to %g", key->max);
}

int mn_key_names(const mn_key *key, const char **out, int capacity)
{
    if (key->names) return key->names(out, capacity);
    int count = 0;
    while (key->words && count < capacity && key->words[count]) out[count] = key->words[count], count++;
    return count;
}

static void join_names(const mn_key *key, char *out, size_t capacity)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_key_names(key, names, MN_MOST_NAMES);
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", i ? ", " : "", names[i]);
}

void mn_key_expects(const mn_key *key, char *out, size_t capacity)
{
    char range[100], names[700];
    unit_and_range(key, range, sizeof range);
    join_names(key, names, sizeof names);
    switch (key->type) {
    case MN_KEY_NUMBER: snprintf(out, capacity, "a number%s", range); break;
    case MN_KEY_INTEGER:
    case MN_KEY_LONG: snprintf(out, capacity, "a whole number%s", range); break;
    case MN_KEY_FLAG: snprintf(out, capacity, "true or false"); break;
    case MN_KEY_TEXT: snprintf(out, capacity, "a text of %g to %g characters", key->min, key->max); break;
    case MN_KEY_MODEL:
    case MN_KEY_WORD:
    case MN_KEY_CHOICE: snprintf(out, capacity, "one of %s", names); break;
    case MN_KEY_NAMES:
    case MN_KEY_MARKS: snprintf(out, capacity, "a list of %s", names); break;
    case MN_KEY_NUMBERS:
        snprintf(out, capacity, "%sa list of %d numbers%s", key->same ? "a number or " : "", key->width, range);
        break;
    case MN_KEY_INTEGERS: snprintf(out, capacity, "a list of %d whole numbers%s", key->width, range); break;
    case MN_KEY_CURVE:
        if (key->width == 1) snprintf(out, capacity, "a number%s, or keyframes {time: number, ...}", range);
        else snprintf(out, capacity, "a list of %d numbers%s, or keyframes {time: [numbers], ...}", key->width, range);
        break;
    case MN_KEY_ROTATION:
        snprintf(
            out, capacity,
            "a rotation vector of 3 numbers in degrees, {axis: [x, y, z], angle: degrees}, or a matrix of 9 numbers");
        break;
    case MN_KEY_MAP: snprintf(out, capacity, "a mapping {key: value, ...}"); break;
    case MN_KEY_LIST: snprintf(out, capacity, "a list of %g to %g mappings", key->min, key->max); break;
    case MN_KEY_SHAPE: snprintf(out, capacity, "a shape like {sphere: {centre: [0, 0, 0], radius: 1}}"); break;
    case MN_KEY_SHAPES:
        snprintf(out, capacity, "a list of %g to %g shapes like - sphere: {radius: 1}", key->min, key->max);
        break;
    }
}

/* ----------------------------------------------------------------- release */

void mn_curve_release(mn_curve *curve)
{
    free(curve->time);
    free(curve->value);
    *curve = (mn_curve){0};
}

void mn_model_use_release(mn_model_use *use)
{
    for (int i = 0; use->params && i < use->model->param_count; i++) mn_curve_release(&use->params[i]);
    free(use->params);
    use->params = NULL;
}

static void release_list(const mn_key *key, const char *record)
{
    char *items = *(char *const *)(record + key->offset);
    int count = *(const int *)(record + key->count_offset);
    for (int i = 0; items && i < count; i++) mn_table_release(key->sub, items + (size_t)i * key->sub->size);
    free(items);
}

static void release_key(const mn_key *key, char *record)
{
    void *at = record + key->offset;
    switch (key->type) {
    case MN_KEY_TEXT:
    case MN_KEY_WORD: free(*(char **)at); break;
    case MN_KEY_NAMES: {
        int count = *(int *)(record + key->count_offset);
        for (int i = 0; *(char ***)at && i < count; i++) free((*(char ***)at)[i]);
        free(*(char ***)at);
        break;
    }
    case MN_KEY_CURVE: mn_curve_release(at); break;
    case MN_KEY_MODEL: mn_model_use_release(at); break;
    case MN_KEY_MAP: mn_table_release(key->sub, at); break;
    case MN_KEY_LIST: release_list(key, record); break;
    case MN_KEY_SHAPE: free(((mn_shape_def *)at)->file); break;
    case MN_KEY_SHAPES: {
        mn_shape_def *shapes = *(mn_shape_def **)at;
        for (int i = 0; shapes && i < *(int *)(record + key->count_offset); i++) free(shapes[i].file);
        free(shapes);
        break;
    }
    default: break;
    }
}

void mn_table_release(const mn_table *table, void *record)
{
    for (int i = 0; i < table->count; i++) release_key(&table->keys[i], record);
    if (table->extra != MN_FLUID_MODELS) return;
    mn_fluid *fluid = record;
    for (int i = 0; i < fluid->model_count; i++) mn_model_use_release(&fluid->models[i]);
    free(fluid->models);
}
