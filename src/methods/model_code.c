/* model_code.c -- the code of every model: expands scene/models.def; a model as a part of the world. */
#include "methods/methods.h"

#include <stdio.h>
#include <string.h>

#define K(name) MN_KERNEL_##name, /* a name that no kernel has does not compile */
#define NO_KERNELS
#define MODEL(kind, key, scope, method, kernels, title, paper)                                                         \
    static const int key##_kernels[] = {kernels - 1};                                                                  \
    _Static_assert(sizeof key##_kernels <= sizeof(((mn_model *)0)->kernel) + sizeof(int),                              \
                   "more kernels than mn_model holds");
#include "scene/models.def"
#undef MODEL

static const mn_model_code codes[] = {
#define MODEL(kind, key, scope, method, kernels, title, paper)                                                         \
    {&method, key##_kernels, offsetof(params, key), sizeof(key##_params)},
#include "scene/models.def"
#undef MODEL
};

const mn_model_code *mn_model_code_of(const mn_model_info *model) { return &codes[mn_model_index(model)]; }
const mn_system *mn_model_system(const mn_model_info *model) { return mn_model_code_of(model)->system; }

/* The kernel of that name and ending, -1: none. */
static int kernel_of(const char *name, const char *ending)
{
    char whole[96];
    snprintf(whole, sizeof whole, "%s%s", name, ending);
    for (int k = 0; k < MN_KERNEL_COUNT; k++)
        if (strcmp(mn_kernel_table[k].name, whole) == 0) return k;
    return -1;
}

mn_status mn_model_make(mn_world *w, void *me, mn_messages *say)
{
    (void)w, (void)say;
    mn_model *a = me;
    a->code = mn_model_code_of(a->info);
    for (const int *kernel = a->code->kernels; *kernel >= 0; kernel++) {
        a->on_boundary[a->kernel_count] = kernel_of(mn_kernel_table[*kernel].name, "_on_boundary");
        a->kernel[a->kernel_count++] = *kernel;
    }
    return MN_OK;
}

const mn_model *mn_model_in(const mn_world *w, const char *key)
{
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].model && strcmp(w->parts[p].model->key, key) == 0) return w->parts[p].me;
    return NULL;
}

float mn_model_param(const mn_world *w, const mn_model *a, int fluid, const char *key)
{
    const float *block = (const float *)((const char *)&w->par + a->code->offset + (size_t)fluid * a->code->size);
    if (strcmp(key, "on") == 0) return block[0];
    for (int p = 0; p < a->info->param_count; p++)
        if (strcmp(a->info->params[p].key, key) == 0) return block[0] > 0.0f ? block[1 + p] : 0.0f;
    return 0.0f;
}

/* Values of this time into the parameter block of one use of a model. */
static void fill_block(mn_world *w, const mn_model_use *use, int fluid)
{
    const mn_model_code *code = mn_model_code_of(use->model);
    float *block = (float *)((char *)&w->par + code->offset + (size_t)fluid * code->size);
    block[0] = 1.0f;
    for (int p = 0; p < use->model->param_count; p++) {
        double v;
        mn_curve_at(&use->params[p], w->time, &v);
        block[1 + p] = (float)v;
    }
}

static void parameters(mn_world *w, void *me)
{
    (void)me;
    const mn_scene *s = w->scene;
    fill_block(w, &s->pressure, 0);
    for (int f = 0; f < s->fluid_count; f++)
        for (int m = 0; m < s->fluids[f].model_count; m++) fill_block(w, &s->fluids[f].models[m], f);
}

/* Numbers that the kernels of several models compare with. */
static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    (void)me, (void)say;
    return mn_surface_constants(&w->par) ? MN_OK : MN_FAILED;
}

const mn_system mn_model_parameters_system = {
    .key = "model parameters", .make = make, .at = {[MN_AT_parameters] = parameters}};
