/* scene.c -- from a file or a text to a scene: parse, put it on its base, override, read, check. All errors of a
 * file are said before giving up. */
#include "scene/scene.h"

#include "scene/read.h"
#include "scene/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void mn_scene_free(mn_scene *scene)
{
    if (!scene) return;
    mn_table_release(&mn_scene_table, scene);
    free(scene->path);
    free(scene);
}

static bool read_scene(mn_reader *reader, const char *text, size_t length, const char *const *sets, int set_count)
{
    mn_tree *tree = reader->tree;
    tree->root = mn_tree_parse(tree, text, length, reader->scene->path, reader->say, &reader->errors);
    if (!tree->root) return false;
    if (tree->root->kind != MN_MAPPING) {
        mn_complain_expected(reader, &(mn_key){.type = MN_KEY_MAP}, tree->root);
        return false;
    }
    if (!mn_read_base(reader)) return false;
    for (int i = 0; i < set_count; i++) mn_tree_override(tree, sets[i], reader->say, &reader->errors);
    mn_read_table(reader, &mn_scene_table, tree->root, reader->scene);
    if (!reader->out_of_memory) mn_finish_scene(reader, reader->scene);
    if (reader->out_of_memory)
        mn_say_failure(reader->say, MN_NOWHERE, "out of memory while reading %s", reader->scene->path);
    return reader->errors == 0 && !reader->out_of_memory;
}

mn_scene *mn_scene_parse_draft(const char *text, size_t length, const char *name, const char *const *sets,
                               int set_count, bool *good, mn_messages *say)
{
    *good = false;
    mn_tree tree = {0};
    struct mn_c_locale locale;
    mn_scene *scene = calloc(1, sizeof *scene);
    char *path = strdup(name ? name : "scene");
    if (!scene || !path || !mn_c_locale_enter(&locale)) {
        mn_say_failure(say, MN_NOWHERE, "out of memory while reading %s", name ? name : "a scene");
        free(scene);
        free(path);
        return NULL;
    }
    scene->path = path;
    mn_reader reader = {.say = say, .tree = &tree, .scene = scene};
    *good = read_scene(&reader, text, length, sets, set_count);
    mn_c_locale_leave(&locale);
    mn_tree_free(&tree);
    return scene;
}

static mn_scene *only_good(mn_scene *scene, bool good)
{
    if (good) return scene;
    mn_scene_free(scene);
    return NULL;
}

mn_scene *mn_scene_parse(const char *text, size_t length, const char *name, const char *const *sets, int set_count,
                         mn_messages *say)
{
    bool good;
    mn_scene *scene = mn_scene_parse_draft(text, length, name, sets, set_count, &good, say);
    return only_good(scene, good);
}

/* Directories and what is too large are refused, so that reading ends. */
char *mn_read_file(const char *path, size_t *length, mn_place at, mn_messages *say)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file || fstat(fileno(file), &info) != 0) {
        mn_say_error(say, at, "cannot open the scene: %s", strerror(errno));
    } else if (S_ISDIR(info.st_mode)) {
        mn_say_error(say, at, "is a directory; expected a scene file");
    } else if (info.st_size > MN_TREE_BYTES) {
        mn_say_error(say, at, "the file has %lld bytes; expected at most %d", (long long)info.st_size, MN_TREE_BYTES);
    } else if (!(text = malloc(MN_TREE_BYTES + 1))) {
        mn_say_failure(say, at, "out of memory while reading the scene");
    } else {
        *length = fread(text, 1, MN_TREE_BYTES + 1, file); /* pipes have no size: parse refuses what is too long */
        if (ferror(file)) {
            mn_say_error(say, at, "cannot read the scene: %s", strerror(errno));
            free(text);
            text = NULL;
        }
    }
    if (file) fclose(file);
    return text;
}

mn_scene *mn_scene_load_draft(const char *path, const char *const *sets, int set_count, bool *good, mn_messages *say)
{
    size_t length = 0;
    *good = false;
    char *text = mn_read_file(path, &length, (mn_place){path, 0, 0}, say);
    if (!text) return NULL;
    mn_scene *scene = mn_scene_parse_draft(text, length, path, sets, set_count, good, say);
    free(text);
    return scene;
}

mn_scene *mn_scene_load(const char *path, const char *const *sets, int set_count, mn_messages *say)
{
    bool good;
    mn_scene *scene = mn_scene_load_draft(path, sets, set_count, &good, say);
    return only_good(scene, good);
}

int mn_scene_emitters(const mn_scene *scene)
{
    int count = 0;
    for (int f = 0; f < scene->fluid_count; f++) count += scene->fluids[f].emitter_count;
    return count;
}
