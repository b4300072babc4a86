/* scenes.c -- finds shipped scenes by name. A scene lies one folder below the root: basics/dam-30k.yaml. */
#include "scenes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/message.h"
#include "scene/scene.h"

#ifndef MN_SOURCE_SCENES
#define MN_SOURCE_SCENES "scenes"
#endif
#ifndef MN_SHARE_SCENES
#define MN_SHARE_SCENES "/usr/local/share/meniscus/scenes"
#endif

enum { LONGEST_SCENE = 8 << 20 };

/* The scenes that were installed with this program, wherever its folder lies now; NULL: none. */
static const char *beside_program(void)
{
    static char path[4200];
    const ssize_t length = readlink("/proc/self/exe", path, 4000);
    if (length <= 0) return NULL;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    snprintf(slash, sizeof path - (size_t)(slash - path), "/../share/meniscus/scenes");
    return access(path, R_OK) == 0 ? path : NULL;
}

static const char *root(void)
{
    const char *asked = getenv("MENISCUS_SCENES");
    if (asked && *asked) return asked;
    if ((asked = beside_program())) return asked;
    return access(MN_SOURCE_SCENES, R_OK) == 0 ? MN_SOURCE_SCENES : MN_SHARE_SCENES;
}

typedef struct names {
    char **at;
    int count;
} names;

static void add(names *list, char *name)
{
    char **grown = name ? realloc(list->at, (size_t)(list->count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(name);
        return;
    }
    list->at = grown;
    list->at[list->count++] = name;
}

static bool is_scene(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".json") == 0);
}

static void add_folder(names *list, const char *folder, int depth)
{
    DIR *dir = opendir(folder);
    if (!dir) return;
    const struct dirent *entry;
    while ((entry = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
        if (entry->d_name[0] == '.') continue;
        char *path;
        if (asprintf(&path, "%s/%s", folder, entry->d_name) < 0) break;
        if (is_scene(path)) {
            add(list, path);
            continue;
        }
        if (depth > 0) add_folder(list, path, depth - 1);
        free(path);
    }
    closedir(dir);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **cli_all_scenes(int *count)
{
    names list = {0};
    add_folder(&list, root(), 1);
    if (list.count > 1) qsort(list.at, (size_t)list.count, sizeof *list.at, by_name);
    *count = list.count;
    return list.at;
}

void cli_free_names(char **at, int count)
{
    for (int i = 0; i < count; i++) free(at[i]);
    free(at);
}

/* "…/basics/dam-30k.yaml" answers to dam-30k, dam-30k.yaml, basics/dam-30k and basics/dam-30k.yaml. */
static bool answers_to(const char *path, const char *name)
{
    size_t length = strlen(path), bare = (size_t)(strrchr(path, '.') - path), asked = strlen(name);
    const size_t ends[] = {length, bare};
    for (int i = 0; i < 2; i++) {
        if (asked >= ends[i]) continue;
        const char *tail = path + ends[i] - asked;
        if (tail[-1] == '/' && strncmp(tail, name, asked) == 0) return true;
    }
    return false;
}

/* A folder is not a scene, but may have its name: the folder of its run. */
static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

char *cli_find_scene(const char *name)
{
    if (is_file(name)) return strdup(name);
    int count;
    char **all = cli_all_scenes(&count), *found = NULL;
    for (int i = 0; i < count && !found; i++)
        if (answers_to(all[i], name)) found = strdup(all[i]);
    cli_free_names(all, count);
    return found ? found : strdup(name);
}

const char *cli_scene_name(const char *path, int *length)
{
    const char *name = strrchr(path, '/') + 1;
    *length = (int)(strrchr(name, '.') - name);
    return name;
}

const char *cli_scene_group(const char *path, int *length)
{
    const char *end = strrchr(path, '/'), *start = end;
    while (start > path && start[-1] != '/') start--;
    *length = (int)(end - start);
    return start;
}

/* Whether the name fits several shipped scenes: then no one of them is taken. */
static bool is_ambiguous(const char *name, mn_messages *say)
{
    int count, fitting = 0;
    char text[400] = "";
    char **all = is_file(name) ? NULL : cli_all_scenes(&count);
    for (int i = 0; all && i < count; i++) {
        if (!answers_to(all[i], name)) continue;
        int length;
        const char *group = cli_scene_group(all[i], &length);
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.*s", fitting++ ? ", " : "", (int)(strrchr(group, '.') - group),
                 group);
    }
    if (all) cli_free_names(all, count);
    if (fitting > 1) mn_say_error(say, MN_NOWHERE, "several scenes are named '%s'; expected one of %s", name, text);
    return fitting > 1;
}

static void suggest_scene(const char *name, mn_messages *say)
{
    int count;
    char **all = cli_all_scenes(&count);
    for (int i = 0; i < count; i++) { /* down to the bare names */
        char *slash = strrchr(all[i], '/');
        *strrchr(all[i], '.') = 0;
        memmove(all[i], slash + 1, strlen(slash));
    }
    const char *near = mn_nearest(name, (const char *const *)all, count);
    if (near) mn_say(say, MN_NOTE, MN_NOWHERE, "there is a scene named '%s'; did you mean that?", near);
    cli_free_names(all, count);
}

/* Its files are looked for in the current folder. */
static mn_scene *load_standard_input(const cli_arguments *args, char **path, bool *good, mn_messages *say)
{
    size_t length = 0;
    *path = strdup("stdin");
    char *text = *path ? mn_file_read("/dev/stdin", LONGEST_SCENE, &length, say) : NULL;
    mn_scene *scene = text ? mn_scene_parse_draft(text, length, *path, args->sets, args->set_count, good, say) : NULL;
    free(text);
    return scene;
}

mn_scene *cli_load_draft(const cli_arguments *args, char **path, bool *good, mn_messages *say)
{
    *good = false;
    if (strcmp(args->operand, "-") == 0) return load_standard_input(args, path, good, say);
    if (is_ambiguous(args->operand, say)) return NULL;
    *path = cli_find_scene(args->operand);
    if (!*path) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    mn_scene *scene = mn_scene_load_draft(*path, args->sets, args->set_count, good, say);
    if (access(*path, F_OK) != 0) suggest_scene(args->operand, say);
    return scene;
}

mn_scene *cli_load_scene(const cli_arguments *args, char **path, mn_messages *say)
{
    bool good;
    mn_scene *scene = cli_load_draft(args, path, &good, say);
    if (scene && good && mn_messages_errors(say) == 0) return scene;
    mn_scene_free(scene);
    return NULL;
}
