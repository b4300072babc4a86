/* rules_pairs.c -- pairs of fluids: two that there are, each pair once. */
#include <stdio.h>

#include "scene/read.h"

static int find(mn_reader *reader, mn_scene *scene, int index, const char *key, const char *name)
{
    char path[48];
    snprintf(path, sizeof path, "pairs.%d.%s", index, key);
    return mn_find_name(reader, path, "fluid", name, scene->fluids, scene->fluid_count, sizeof *scene->fluids);
}

static bool same(const mn_pair *a, const mn_pair *b)
{
    return (a->first == b->first && a->second == b->second) || (a->first == b->second && a->second == b->first);
}

void mn_check_pairs(mn_reader *reader, mn_scene *scene)
{
    for (int k = 0; k < scene->pair_count; k++) {
        mn_pair *pair = &scene->pairs[k];
        char path[32];
        snprintf(path, sizeof path, "pairs.%d", k);
        pair->first = find(reader, scene, k, "fluid", pair->fluid);
        pair->second = find(reader, scene, k, "with", pair->with);
        if (pair->first < 0 || pair->second < 0) continue;
        if (pair->first == pair->second)
            mn_complain_at(reader, path, "the fluid \"%s\" with itself; expected two fluids", pair->fluid);
        for (int i = 0; i < k; i++)
            if (same(pair, &scene->pairs[i]))
                mn_complain_at(reader, path, "\"%s\" and \"%s\" are a pair already; expected each pair once",
                               pair->fluid, pair->with);
    }
}
