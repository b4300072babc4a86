/* files.c -- the files that a scene names besides itself: meshes, grids of air, images. */
#include "scene/key_table.h"

typedef struct walk {
    mn_file_visit *visit;
    void *user;
} walk;

static void visit_table(const walk *w, const mn_table *table, const char *record);

static void visit_shape(const walk *w, const mn_shape_def *shape)
{
    if (shape->kind == MN_MESH && shape->file) w->visit(w->user, shape->file, shape);
}

static void visit_key(const walk *w, const mn_key *key, const char *record)
{
    const char *at = record + key->offset, *text;
    const int count = *(const int *)(record + key->count_offset);
    switch (key->type) {
    case MN_KEY_TEXT:
        text = *(char *const *)at;
        if (text && *text && key->path) w->visit(w->user, text, NULL);
        break;
    case MN_KEY_MAP: visit_table(w, key->sub, at); break;
    case MN_KEY_LIST:
        for (int i = 0; i < count; i++) visit_table(w, key->sub, *(char *const *)at + (size_t)i * key->sub->size);
        break;
    case MN_KEY_SHAPE: visit_shape(w, (const mn_shape_def *)at); break;
    case MN_KEY_SHAPES:
        for (int i = 0; i < count; i++) visit_shape(w, *(mn_shape_def *const *)at + i);
        break;
    default: break;
    }
}

static void visit_table(const walk *w, const mn_table *table, const char *record)
{
    for (int i = 0; i < table->count; i++)
        if (!table->keys[i].written || table->keys[i].written(record)) visit_key(w, &table->keys[i], record);
}

void mn_scene_files(const mn_scene *scene, mn_file_visit *visit, void *user)
{
    visit_table(&(walk){visit, user}, &mn_scene_table, (const char *)scene);
}
