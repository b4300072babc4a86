/* models.c -- expands models.def and the PARAMS lines into the table of models.h. */
#include "scene/models.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "kernels/port.h"

#define INFO(key, value, unit, low, high, help) {#key, unit, help, value, low, high},
#define MODEL(kind, key, scope, method, kernels, title, paper)                                                         \
    static const mn_param_info key##_params_info[] = {key##_PARAMS(INFO){NULL, NULL, NULL, 0, 0, 0}};
#include "scene/models.def"
#undef MODEL

enum { SCENE, FLUID };
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)) - 1)
static const mn_model_info infos[] = {
#define MODEL(kind, key, scope, method, kernels, title, paper)                                                         \
    {#kind, #key, title, paper, key##_params_info, COUNT(key##_params_info), scope == FLUID},
#include "scene/models.def"
#undef MODEL
};

int mn_model_count(void) { return (int)(sizeof infos / sizeof *infos); }
const mn_model_info *mn_model_at(int index) { return &infos[index]; }
int mn_model_index(const mn_model_info *model) { return (int)(model - infos); }

const mn_model_info *mn_model_find(const char *kind, const char *key)
{
    for (int m = 0; m < mn_model_count(); m++)
        if (strcmp(infos[m].kind, kind) == 0 && strcmp(infos[m].key, key) == 0) return &infos[m];
    return NULL;
}

int mn_model_kinds(const char **out, int capacity)
{
    int count = 0;
    for (int m = 0; m < mn_model_count(); m++) {
        bool known = false;
        for (int k = 0; k < m; k++) known = known || strcmp(infos[k].kind, infos[m].kind) == 0;
        if (known) continue;
        if (count < capacity) out[count] = infos[m].kind;
        count++;
    }
    return count;
}
