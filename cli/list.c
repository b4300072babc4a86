/* list.c -- `meniscus list`: the library's tables as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
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

static int models(void)
{
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

static int parameters(void)
{
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

static int fields(void)
{
    for (int i = 0; i < mn_field_count(); i++) {
        const char *name = mn_field_name(i), *unit = mn_field_unit(i);
        printf("%-20s %-6s %-10s %s\n", name, mn_field_width(name) == 3 ? "vector" : "scalar",
               unit && *unit ? unit : "-", mn_field_help(i));
    }
    return MN_OK;
}

/* A shipped scene that does not load is listed all the same: the list is for finding, `check` is for judging. */
static int scenes(void)
{
    int count;
    char **paths = cli_all_scenes(&count);
    int width = 0;
    for (int i = 0; i < count; i++) {
        const int length = (int)(strrchr(paths[i], '.') - strrchr(paths[i], '/')) - 1;
        width = length > width ? length : width;
    }
    if (count == 0)
        fputs("meniscus: warning: no scenes found; set MENISCUS_SCENES to the folder that holds them\n", stderr);
    for (int i = 0; i < count; i++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_load(paths[i], NULL, 0, say);
        const char *file = strrchr(paths[i], '/') + 1;
        printf("%-*.*s  %s\n", width, (int)(strrchr(file, '.') - file), file,
               scene && scene->title ? scene->title : "");
        mn_scene_free(scene);
        mn_messages_free(say);
    }
    cli_free_names(paths, count);
    return MN_OK;
}

static int devices(void)
{
    static char names[MAX_DEVICES][128];
    int count = mn_devices(names, MAX_DEVICES);
    if (count <= 0) puts("no OpenCL devices");
    for (int i = 0; i < count && i < MAX_DEVICES; i++) printf("opencl:%d  %s\n", i, names[i]);
    return MN_OK;
}

static int units(void)
{
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

static int text(char *owned)
{
    if (!owned) return cli_no_memory();
    size_t length = strlen(owned);
    fputs(owned, stdout);
    if (length == 0 || owned[length - 1] != '\n') putchar('\n');
    free(owned);
    return MN_OK;
}
static int schema(void) { return text(mn_scene_schema()); }
static int reference(void) { return text(mn_scene_reference()); }

static const struct {
    const char *name;
    int (*print)(void);
} topics[] = {{"models", models},   {"parameters", parameters}, {"fields", fields}, {"scenes", scenes},
              {"devices", devices}, {"units", units},           {"schema", schema}, {"reference", reference}};
enum { TOPIC_COUNT = sizeof topics / sizeof *topics };

int cli_list_topics(const char **out, int capacity)
{
    for (int i = 0; i < TOPIC_COUNT && i < capacity; i++) out[i] = topics[i].name;
    return TOPIC_COUNT;
}

int cli_list(const cli_arguments *args)
{
    for (int i = 0; i < TOPIC_COUNT; i++)
        if (strcmp(topics[i].name, args->operand) == 0) return topics[i].print();
    return MN_BAD_INPUT;
}
