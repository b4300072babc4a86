/* list.c -- `meniscus list`: the library's tables as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "measure/measures.h"
#include "scene/models.h"
#include "report.h"
#include "run/device.h"
#include "scene/quantity.h"
#include "scene/scene.h"
#include "scenes.h"

enum { MAX_DEVICES = 64, NAME_WIDTH = 42 };

/* The table is in the order of the step, in which kinds may alternate: each kind is listed where it comes first. */
static bool is_first_of_its_kind(int index)
{
    for (int i = 0; i < index; i++)
        if (strcmp(mn_model_at(i)->kind, mn_model_at(index)->kind) == 0) return false;
    return true;
}

static void models_of(const char *kind)
{
    for (int i = 0; i < mn_model_count(); i++) {
        const mn_model_info *model = mn_model_at(i);
        if (strcmp(kind, model->kind) != 0) continue;
        printf("  %-16s %s%s%s%s\n", model->key, model->title, model->paper && *model->paper ? " (" : "",
               model->paper ? model->paper : "", model->paper && *model->paper ? ")" : "");
    }
}

static int models(const cli_arguments *args)
{
    (void)args;
    for (int i = 0; i < mn_model_count(); i++) {
        if (!is_first_of_its_kind(i)) continue;
        printf("%s%s\n", i ? "\n" : "", mn_model_at(i)->kind);
        models_of(mn_model_at(i)->kind);
    }
    return MN_OK;
}

/* Large bounds stand for "no bound". */
static const char *range(const mn_param_info *param, char *out, size_t size)
{
    char low[32], high[32];
    snprintf(low, sizeof low, "%g", param->min);
    snprintf(high, sizeof high, "%g", param->max);
    if (param->max >= 1e30 && param->min <= -1e30) snprintf(out, size, "any");
    else if (param->max >= 1e30) snprintf(out, size, "%s or more", low);
    else snprintf(out, size, "%s to %s", low, high);
    return out;
}

static int parameters(const cli_arguments *args)
{
    (void)args;
    printf("%-*s %10s  %-10s %-16s %s\n", NAME_WIDTH, "parameter", "default", "unit", "range", "meaning");
    for (int i = 0; i < mn_model_count(); i++) {
        const mn_model_info *model = mn_model_at(i);
        for (int k = 0; k < model->param_count; k++) {
            const mn_param_info *param = &model->params[k];
            char name[128], bounds[80];
            snprintf(name, sizeof name, "%s.%s.%s", model->kind, model->key, param->key);
            printf("%-*s %10g  %-10s %-16s %s\n", NAME_WIDTH, name, param->value,
                   param->unit && *param->unit ? param->unit : "-", range(param, bounds, sizeof bounds), param->help);
        }
    }
    return MN_OK;
}

static int fields(const cli_arguments *args)
{
    (void)args;
    for (int i = 0; i < mn_field_count(); i++) {
        const char *name = mn_field_name(i), *unit = mn_field_unit(i);
        printf("%-20s %-6s %-10s %s\n", name, mn_field_width(name) == 3 ? "vector" : "scalar",
               unit && *unit ? unit : "-", mn_field_help(i));
    }
    return MN_OK;
}

static bool in_group(const char *path, const char *group)
{
    int length;
    const char *own = cli_scene_group(path, &length);
    return (int)strlen(group) == length && strncmp(own, group, (size_t)length) == 0;
}

/* The folders of the scenes, each once, in their order. */
static int groups(char **paths, int count, const char *names[CLI_MOST_NAMES], int lengths[CLI_MOST_NAMES])
{
    int found = 0;
    for (int i = 0; i < count && found < CLI_MOST_NAMES; i++) {
        int length;
        const char *group = cli_scene_group(paths[i], &length);
        bool known = found > 0 && lengths[found - 1] == length &&
                     strncmp(names[found - 1], group, (size_t)length) == 0; /* the paths are sorted */
        if (known) continue;
        names[found] = group;
        lengths[found++] = length;
    }
    return found;
}

static int unknown_group(char **paths, int count, const char *asked)
{
    const char *names[CLI_MOST_NAMES];
    int lengths[CLI_MOST_NAMES];
    const int found = groups(paths, count, names, lengths);
    char all[1000] = "";
    for (int i = 0; i < found; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%.*s", i ? ", " : "", lengths[i], names[i]);
    }
    return cli_wrong("'meniscus list scenes': there is no folder '%s'; expected one of %s", asked, all);
}

/* A shipped scene that does not load is listed all the same: the list is for finding, `check` is for judging. */
static int scenes(const cli_arguments *args)
{
    int count, width = 0, listed = 0, length, status = MN_OK;
    const char *group = args->more_count ? args->more[0] : NULL;
    char **paths = cli_all_scenes(&count);
    for (int i = 0; i < count; i++) {
        cli_scene_name(paths[i], &length);
        if (!group || in_group(paths[i], group)) width = length > width ? length : width;
    }
    if (count == 0)
        fputs("meniscus: warning: no scenes found; set MENISCUS_SCENES to the folder that holds them\n", stderr);
    for (int i = 0; i < count; i++) {
        if (group && !in_group(paths[i], group)) continue;
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_load(paths[i], NULL, 0, say);
        const char *name = cli_scene_name(paths[i], &length);
        printf("%-*.*s  %s\n", width, length, name, scene && scene->title ? scene->title : "");
        listed++;
        mn_scene_free(scene);
        mn_messages_free(say);
    }
    if (listed == 0 && count > 0 && group) status = unknown_group(paths, count, group);
    cli_free_names(paths, count);
    return status;
}

static void print_key(void *user, const char *path, const char *unit, const char *standard, const char *help)
{
    (void)user;
    const bool given = standard && strcmp(standard, "-") != 0;
    printf("%-44s %-8s %s%s%s%s\n", path, unit ? unit : "", help,
           given      ? " ("
           : standard ? ""
                      : " (required)",
           given ? standard + (standard[0] == '=') : "", given ? ")" : "");
}

static int keys(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene = NULL;
    char *path = NULL;
    int status = MN_OK;
    if (args->more_count) {
        cli_arguments asked = *args;
        asked.operand = args->more[0];
        scene = cli_load_scene(&asked, &path, say);
        if (!scene) status = mn_status_of_failure(say);
    }
    if (status == MN_OK) mn_scene_keys(scene, print_key, NULL);
    cli_report(say, true);
    mn_scene_free(scene);
    mn_messages_free(say);
    free(path);
    return status;
}

static int devices(const cli_arguments *args)
{
    (void)args;
    static char names[MAX_DEVICES][128];
    int count = mn_devices(names, MAX_DEVICES);
    if (count <= 0) puts("no OpenCL devices");
    for (int i = 0; i < count && i < MAX_DEVICES; i++) printf("opencl:%d  %s\n", i, names[i]);
    return MN_OK;
}

static int units(const cli_arguments *args)
{
    (void)args;
    puts("A number in a scene may have a unit: 2 mm, 72.8 mN/m, 60 deg. Units marked with * take n, u, m, c, d, k, M "
         "and "
         "G before\ntheir name; they are combined as in kg/m^3, m2/s, Pa s, m^3/(mol s).\n");
    for (int i = 0; i < mn_unit_count(); i++) {
        const mn_unit_info unit = mn_unit_at(i);
        const int wide = (unsigned char)unit.name[0] > 127; /* one character of two bytes */
        printf("%-*s %c  %s\n", 8 + wide, unit.name, unit.prefixes ? '*' : ' ', unit.help);
    }
    return MN_OK;
}

static int measures(const cli_arguments *args)
{
    (void)args;
    for (int i = 0; i < mn_measure_count(); i++) {
        const mn_measure_info *info = mn_measure_at(i);
        printf("%-8s %s\n", info->name, info->help);
        for (int c = 0; c < info->count; c++)
            printf("    %-16s %s\n", info->columns[c].name, *info->columns[c].unit ? info->columns[c].unit : "-");
    }
    return MN_OK;
}

static int text(char *owned)
{
    if (!owned) return cli_no_memory();
    size_t length = strlen(owned);
    fputs(owned, stdout);
    if (length == 0 || owned[length - 1] != '\n') putchar('\n');
    free(owned);
    return MN_OK;
}
static int schema(const cli_arguments *args) { return (void)args, text(mn_scene_schema()); }
static int reference(const cli_arguments *args) { return (void)args, text(mn_scene_reference()); }

typedef struct topic {
    const char *name;
    int (*print)(const cli_arguments *args);
    const char *what;
} topic;
static const topic topics[] = {
    {"models", models, "models of pressure, viscosity, tension, drag"},
    {"parameters", parameters, "their parameters, with default, unit and range"},
    {"fields", fields, "fields of particles, for output.fields and camera.colour"},
    {"scenes", scenes, "scenes that come with the program; `list scenes FOLDER` for one folder"},
    {"devices", devices, "OpenCL devices, for --backend"},
    {"units", units, "units that numbers in scenes may have"},
    {"keys", keys, "keys for --set; `list keys SCENE` with the names of a scene's entries"},
    {"measures", measures, "what `meniscus measure` can tell of a run, with the columns of its tables"},
    {"schema", schema, "JSON schema of scene files, for editors"},
    {"reference", reference, "all keys of scene files, as Markdown"},
};
enum { TOPIC_COUNT = sizeof topics / sizeof *topics };

int cli_list_topics(const char **out, int capacity)
{
    for (int i = 0; i < TOPIC_COUNT && i < capacity; i++) out[i] = topics[i].name;
    return TOPIC_COUNT;
}

static void overview_models(void)
{
    for (int i = 0; i < mn_model_count(); i++) {
        if (!is_first_of_its_kind(i)) continue;
        int column = printf("  %-12s", mn_model_at(i)->kind);
        for (int k = i; k < mn_model_count(); k++) {
            if (strcmp(mn_model_at(k)->kind, mn_model_at(i)->kind) != 0) continue;
            if (column + (int)strlen(mn_model_at(k)->key) > 100) column = printf("\n%14s", "") - 1;
            column += printf(" %s", mn_model_at(k)->key);
        }
        putchar('\n');
    }
}

static void overview_scenes(void)
{
    int count, lengths[CLI_MOST_NAMES];
    const char *names[CLI_MOST_NAMES];
    char **paths = cli_all_scenes(&count);
    const int found = groups(paths, count, names, lengths);
    printf("\nscenes: %d\n", count);
    for (int g = 0; g < found; g++) {
        int in = 0, column = 0;
        for (int i = 0; i < count; i++) {
            int length;
            const char *group = cli_scene_group(paths[i], &length), *name = cli_scene_name(paths[i], &length);
            if (strncmp(group, names[g], (size_t)lengths[g] + 1) != 0) continue; /* with its slash */
            if (in++ == 0) column = printf("  %-14.*s", lengths[g], names[g]);
            const bool small = length > 6 && strncmp(name + length - 6, "-small", 6) == 0;
            if (column + length > 96 || small) continue;
            column += printf(" %.*s", length, name);
            paths[i][0] = '\1'; /* shown */
        }
        int hidden = 0;
        for (int i = 0; i < count; i++) {
            int length;
            hidden += paths[i][0] != '\1' &&
                      strncmp(cli_scene_group(paths[i], &length), names[g], (size_t)lengths[g] + 1) == 0;
        }
        if (hidden) printf(" +%d", hidden);
        putchar('\n');
    }
    cli_free_names(paths, count);
}

static int overview(void)
{
    puts("topics: meniscus list TOPIC");
    for (int i = 0; i < TOPIC_COUNT; i++) printf("  %-12s %s\n", topics[i].name, topics[i].what);
    puts("\nmodels");
    overview_models();
    overview_scenes();
    return MN_OK;
}

int cli_list(const cli_arguments *args)
{
    if (!args->operand) return overview();
    for (int i = 0; i < TOPIC_COUNT; i++) {
        if (strcmp(topics[i].name, args->operand) != 0) continue;
        if (args->more_count && topics[i].print != scenes && topics[i].print != keys)
            return cli_wrong("'meniscus list %s' takes no further operand, but was given '%s'", args->operand,
                             args->more[0]);
        return topics[i].print(args);
    }
    return MN_BAD_INPUT;
}
