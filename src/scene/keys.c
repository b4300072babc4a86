/* keys.c -- every path that --set takes, of any scene or of a given one, by the tables. */
#include <stdio.h>
#include <string.h>

#include "scene/key_table.h"

enum { LONGEST_PATH = 300 };

typedef struct walk {
    mn_key_visit *visit;
    void *user;
    char path[LONGEST_PATH];
} walk;

static void visit_table(walk *w, const mn_table *table, const char *record);

/* Appends ".step"; returns the length to go back to. */
static size_t enter(walk *w, const char *step)
{
    const size_t length = strlen(w->path);
    snprintf(w->path + length, sizeof w->path - length, "%s%s", length ? "." : "", step);
    return length;
}

static void leave(walk *w, size_t length) { w->path[length] = 0; }

static void visit_params(walk *w, const mn_model_info *model)
{
    for (int i = 0; i < model->param_count; i++) {
        const mn_key key = mn_key_of_param(&model->params[i]);
        char standard[40];
        snprintf(standard, sizeof standard, "%g", model->params[i].value);
        const size_t length = enter(w, key.name);
        w->visit(w->user, w->path, key.unit, standard, key.help);
        leave(w, length);
    }
}

/* A kind with several models is a list. */
static void visit_kind(walk *w, const char *kind, const mn_fluid *fluid)
{
    const mn_model_use *uses[MN_MOST_NAMES];
    int count = 0;
    for (int i = 0; fluid && i < fluid->model_count && count < MN_MOST_NAMES; i++)
        if (strcmp(fluid->models[i].model->kind, kind) == 0) uses[count++] = &fluid->models[i];
    const size_t length = enter(w, kind);
    char help[100];
    snprintf(help, sizeof help, "model of %s, such as %s", kind,
             count ? uses[0]->model->key : "those of `list models`");
    w->visit(w->user, w->path, NULL, "-", help);
    for (int i = 0; i < count; i++) {
        char index[16];
        snprintf(index, sizeof index, "%d", i);
        const size_t inner = count > 1 ? enter(w, index) : strlen(w->path);
        visit_params(w, uses[i]->model);
        leave(w, inner);
    }
    leave(w, length);
}

static void visit_shape(walk *w, const mn_shape_def *shape)
{
    if (!shape || shape->scale <= 0) return;
    const size_t length = enter(w, mn_shape_names[shape->kind]);
    visit_table(w, &mn_shape_tables[shape->kind], NULL);
    leave(w, length);
}

static const char *name_of(const mn_table *table, const char *record)
{
    const mn_key *name = mn_table_find(table, "name");
    return name && record ? *(char *const *)(record + name->offset) : NULL;
}

static void visit_entries(walk *w, const mn_key *key, const char *record)
{
    const bool shapes = key->type == MN_KEY_SHAPES;
    const char *items = record ? *(char *const *)(record + key->offset) : NULL;
    int count = record ? *(const int *)(record + key->count_offset) : 0;
    if (!record && !shapes) count = 1;
    for (int i = 0; i < count; i++) {
        char index[16];
        snprintf(index, sizeof index, "%d", i);
        const char *entry = items ? items + (size_t)i * (shapes ? sizeof(mn_shape_def) : key->sub->size) : NULL;
        const char *name = shapes ? NULL : name_of(key->sub, entry);
        const size_t length = enter(w, name && !strchr(name, '.') ? name : index);
        if (shapes) visit_shape(w, (const mn_shape_def *)(const void *)entry);
        else visit_table(w, key->sub, entry);
        leave(w, length);
    }
}

static void visit_key(walk *w, const mn_key *key, const char *record)
{
    const size_t length = enter(w, key->name);
    w->visit(w->user, w->path, key->unit, key->standard, key->help);
    const char *at = record ? record + key->offset : NULL;
    if (key->type == MN_KEY_MAP) visit_table(w, key->sub, at);
    else if (key->type == MN_KEY_LIST || key->type == MN_KEY_SHAPES) visit_entries(w, key, record);
    else if (key->type == MN_KEY_SHAPE) visit_shape(w, (const mn_shape_def *)(const void *)at);
    leave(w, length);
}

static void visit_table(walk *w, const mn_table *table, const char *record)
{
    for (int i = 0; i < table->count; i++) visit_key(w, &table->keys[i], record);
    if (table->extra == MN_PRESSURE_PARAMETERS) {
        const mn_model_info *model = record ? ((const mn_scene *)(const void *)record)->pressure.model : NULL;
        if (model) visit_params(w, model);
    } else if (table->extra == MN_FLUID_MODELS) {
        const char *kinds[MN_MOST_NAMES];
        const int count = mn_fluid_kinds(kinds, MN_MOST_NAMES);
        for (int i = 0; i < count; i++) visit_kind(w, kinds[i], (const mn_fluid *)(const void *)record);
    }
}

void mn_scene_keys(const mn_scene *scene, mn_key_visit *visit, void *user)
{
    walk w = {.visit = visit, .user = user};
    visit_table(&w, &mn_scene_table, (const char *)scene);
}
