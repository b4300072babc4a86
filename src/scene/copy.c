/* copy.c -- a scene once more, by the same tables as everything else. */
#include "scene/change.h"
#include "scene/key_table.h"

#include <stdlib.h>
#include <string.h>

typedef struct copying {
    const char *path; /* of the first scene: its places point there */
    const char *own;  /* of the copy */
    bool failed;
} copying;

static void copy_table(copying *c, const mn_table *table, const char *from, char *to);

/* Memory that is the copy's own; NULL, remembered, when there is none. */
static void *same(copying *c, const void *from, size_t bytes)
{
    if (!from) return NULL;
    void *to = malloc(bytes + 1);
    if (to) memcpy(to, from, bytes);
    else c->failed = true;
    return to;
}

static char *same_text(copying *c, const char *from) { return same(c, from, from ? strlen(from) + 1 : 0); }

static void place(const copying *c, mn_place *at)
{
    if (at->file == c->path) at->file = c->own;
}

/* A curve may have several rows (the speed of flows of any kind): it is copied with the first of them. */
static void copy_curve(copying *c, const mn_curve *from, mn_curve *to)
{
    if (to->value != from->value || !from->value) return;
    to->time = same(c, from->time, (size_t)from->count * sizeof *from->time);
    to->value = same(c, from->value, (size_t)(from->count * from->width) * sizeof *from->value);
}

static void copy_model(copying *c, const mn_model_use *from, mn_model_use *to)
{
    place(c, &to->at);
    const int count = from->params ? from->model->param_count : 0;
    to->params = from->params ? calloc((size_t)count + 1, sizeof *to->params) : NULL;
    if (from->params && !to->params) c->failed = true;
    for (int i = 0; i < count && to->params; i++) {
        to->params[i] = from->params[i];
        copy_curve(c, &from->params[i], &to->params[i]);
    }
}

static void copy_shape(copying *c, mn_shape_def *to)
{
    to->file = same_text(c, to->file);
    place(c, &to->at);
}

static void copy_key(copying *c, const mn_key *key, const char *from, char *to)
{
    const void *at = from + key->offset;
    void *out = to + key->offset;
    const int count = *(const int *)(from + key->count_offset);
    switch (key->type) {
    case MN_KEY_TEXT:
    case MN_KEY_WORD: *(char **)out = same_text(c, *(char *const *)at); break;
    case MN_KEY_NAMES: {
        char **names = same(c, *(char **const *)at, (size_t)count * sizeof *names);
        for (int i = 0; names && i < count; i++) names[i] = same_text(c, names[i]);
        *(char ***)out = names;
        break;
    }
    case MN_KEY_CURVE: copy_curve(c, at, out); break;
    case MN_KEY_MODEL: copy_model(c, at, out); break;
    case MN_KEY_MAP: copy_table(c, key->sub, at, out); break;
    case MN_KEY_LIST: {
        const char *items = *(char *const *)at;
        char *copies = same(c, items, (size_t)count * key->sub->size);
        for (int i = 0; copies && i < count; i++)
            copy_table(c, key->sub, items + (size_t)i * key->sub->size, copies + (size_t)i * key->sub->size);
        *(char **)out = copies;
        break;
    }
    case MN_KEY_SHAPE: copy_shape(c, out); break;
    case MN_KEY_SHAPES: {
        mn_shape_def *shapes = same(c, *(mn_shape_def *const *)at, (size_t)count * sizeof *shapes);
        for (int i = 0; shapes && i < count; i++) copy_shape(c, &shapes[i]);
        *(mn_shape_def **)out = shapes;
        break;
    }
    default: break;
    }
}

/* `to` is byte for byte `from`; what it points to becomes its own. */
static void copy_table(copying *c, const mn_table *table, const char *from, char *to)
{
    if (table->at) place(c, (mn_place *)(to + table->at));
    for (int i = 0; i < table->count; i++) copy_key(c, &table->keys[i], from, to);
    if (table->extra != MN_FLUID_MODELS) return;
    const mn_fluid *fluid = (const mn_fluid *)from;
    mn_fluid *copy = (mn_fluid *)to;
    copy->models = same(c, fluid->models, (size_t)fluid->model_count * sizeof *fluid->models);
    if (!copy->models) copy->model_count = 0;
    for (int i = 0; i < copy->model_count; i++) copy_model(c, &fluid->models[i], &copy->models[i]);
}

bool mn_curve_copy(const mn_curve *from, mn_curve *to)
{
    copying c = {0};
    *to = *from;
    copy_curve(&c, from, to);
    return !c.failed;
}

mn_scene *mn_scene_copy(const mn_scene *scene)
{
    mn_scene *copy = malloc(sizeof *copy);
    if (!copy) return NULL;
    *copy = *scene;
    copying c = {.path = scene->path};
    c.own = copy->path = same_text(&c, scene->path);
    copy_table(&c, &mn_scene_table, (const char *)scene, (char *)copy);
    if (!c.failed) return copy;
    mn_scene_free(copy);
    return NULL;
}
