/* rules_probes.c -- probes: one kind each, names that can be files, fields and fluids that there are. */
#include <stdio.h>
#include <string.h>

#include "scene/read.h"

void mn_finish_probe(mn_reader *reader, const mn_node *node, void *record)
{
    static const char *const kinds[] = {"point", "plane", "gauge"};
    mn_probe *probe = record;
    int given = 0;
    for (int k = 0; k < 3; k++) {
        if (!mn_node_get(node, kinds[k])) continue;
        probe->kind = (mn_probe_kind)k;
        given++;
    }
    if (given != 1)
        mn_complain(reader, node, "expected one of point, plane and gauge, found %s", given ? "several" : "none");
    const char *key = probe->kind == MN_PROBE_PLANE ? "normal" : "direction";
    if (given == 1 && probe->kind != MN_PROBE_POINT && !mn_normalise(probe->direction))
        mn_complain(reader, mn_node_get(node, kinds[probe->kind]),
                    "%s: expected a direction, found a vector of length 0", key);
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (probe->name && (probe->name[strspn(probe->name, plain)] || (probe->name[0] >= '0' && probe->name[0] <= '9')))
        mn_complain(reader, mn_node_get(node, "name"),
                    "expected letters, digits, - and _, and no digit first: it is the name of a file; found \"%s\"",
                    probe->name);
}

static void find_fluid(mn_reader *reader, const mn_scene *scene, int index)
{
    mn_probe *probe = &scene->probes[index];
    const char *names[MN_MAX_FLUIDS];
    probe->fluid_index = -1;
    if (!probe->fluid || !probe->fluid[0]) return;
    for (int i = 0; i < scene->fluid_count && i < MN_MAX_FLUIDS; i++) {
        names[i] = scene->fluids[i].name ? scene->fluids[i].name : "";
        if (strcmp(probe->fluid, names[i]) == 0) probe->fluid_index = i;
    }
    if (probe->fluid_index >= 0) return;
    char path[80];
    snprintf(path, sizeof path, "output.probes.%d.fluid", index);
    const char *near = mn_nearest(probe->fluid, names, scene->fluid_count);
    mn_complain_at(reader, path, "no fluid \"%s\"%s%s%s", probe->fluid, near ? "; did you mean \"" : "",
                   near ? near : "", near ? "\"?" : "");
}

void mn_check_probes(mn_reader *reader, mn_scene *scene)
{
    const mn_node *list = mn_node_get(mn_node_get(reader->tree->root, "output"), "probes");
    const mn_node *node = list && list->kind == MN_SEQUENCE ? list->first : NULL;
    for (int i = 0; i < scene->probe_count; i++, node = node ? node->next : NULL) {
        mn_probe *probe = &scene->probes[i];
        if (probe->radius == 0) probe->radius = scene->spacing;
        find_fluid(reader, scene, i);
        const mn_node *fields = mn_node_get(mn_node_get(node, "point"), "fields");
        for (const mn_node *child = fields ? fields->first : NULL; child; child = child->next)
            mn_check_field(reader, scene, child);
        char path[80];
        snprintf(path, sizeof path, "output.probes.%d.name", i);
        for (int j = 0; j < i && probe->name; j++)
            if (scene->probes[j].name && strcmp(scene->probes[j].name, probe->name) == 0)
                mn_complain_at(reader, path, "the name \"%s\" is taken by an earlier entry", probe->name);
    }
}
