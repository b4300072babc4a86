/* read_model.c -- a choice of model with its parameters. Keys, units and ranges come from the table of models, not
 * from here. */
#include "scene/quantity.h"
#include "scene/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain_model(mn_reader *reader, const mn_node *node, const char *kind)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_models_of_kind(kind, names, MN_MOST_NAMES);
    for (int i = 0; i < mn_model_count(); i++) {
        const mn_model_info *other = mn_model_at(i);
        if (strcmp(other->key, node->text) != 0) continue;
        mn_complain(reader, node, "%s is a model of %s, not of %s", other->key, other->kind, kind);
        return;
    }
    char what[80];
    snprintf(what, sizeof what, "%s model", kind);
    mn_complain_name(reader, node, what, node->text, names, count);
}

/* The model that a word or the `model` of a mapping names; NULL after a complaint. */
static const mn_model_info *find_model(mn_reader *reader, const mn_node *node, const char *kind)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_models_of_kind(kind, names, MN_MOST_NAMES);
    const mn_node *name = node->kind == MN_MAPPING ? mn_node_get(node, "model") : node;
    if (!name) {
        mn_complain(reader, node, "the key \"model\" is missing; expected a %s model, for example %s", kind,
                    count ? names[0] : "none");
        return NULL;
    }
    if (name->broken) return NULL;
    if (name->kind != MN_SCALAR || !name->text[0]) {
        mn_complain(reader, name, "expected the name of a %s model, or {model: name, parameter: value, ...}", kind);
        return NULL;
    }
    const mn_model_info *model = mn_model_find(kind, name->text);
    if (!model) complain_model(reader, name, kind);
    return model;
}

static void read_params(mn_reader *reader, const mn_node *node, const mn_model_info *model, mn_model_use *use)
{
    use->model = model;
    use->at = mn_reader_place(reader, node);
    use->params = mn_need(reader, calloc((size_t)model->param_count + 1, sizeof(mn_curve)));
    for (int i = 0; use->params && i < model->param_count; i++) {
        mn_key key = mn_key_of_param(&model->params[i]);
        const mn_node *given = mn_node_get(node, key.name);
        if (given) {
            mn_read_key(reader, &key, given, &use->params[i]);
            continue;
        }
        mn_curve *curve = &use->params[i];
        curve->time = mn_need(reader, calloc(1, sizeof(double)));
        curve->value = mn_need(reader, calloc(1, sizeof(double)));
        curve->count = curve->width = 1;
        if (curve->value) curve->value[0] = model->params[i].value;
    }
}

static void refuse_unknown(mn_reader *reader, const mn_node *node, const mn_model_info *model)
{
    const char *names[MN_MOST_NAMES] = {"model"};
    int count = 1;
    for (int i = 0; i < model->param_count && count < MN_MOST_NAMES; i++) names[count++] = model->params[i].key;
    for (const mn_node *child = node->kind == MN_MAPPING ? node->first : NULL; child; child = child->next) {
        bool known = child->twin;
        for (int i = 0; i < count; i++) known |= strcmp(child->key, names[i]) == 0;
        mn_node at = *node;
        at.at = child->key_at;
        if (!known && strcmp(model->key, "jeske2023") == 0 && strcmp(child->key, "tension") == 0)
            mn_complain(
                reader, &at,
                "the key \"tension\" is now \"cohesion\": a stiffness between particles, not the surface tension, "
                "which is 0.02 to 0.1 of it; for N/m give the fluid surface_tension");
        else if (!known) mn_complain_name(reader, &at, "key", child->key, names, count);
    }
}

/* Room for one more; NULL: no memory. */
static mn_model_use *new_use(mn_reader *reader, mn_fluid *fluid)
{
    mn_model_use *models = realloc(fluid->models, ((size_t)fluid->model_count + 1) * sizeof *models);
    if (!models) return mn_need(reader, NULL);
    fluid->models = models;
    models[fluid->model_count] = (mn_model_use){0};
    return &models[fluid->model_count++];
}

static void add_model(mn_reader *reader, const mn_node *node, const char *kind, mn_fluid *fluid)
{
    if (node->broken) return;
    const mn_model_info *model = find_model(reader, node, kind);
    if (!model) return;
    for (int i = 0; i < fluid->model_count; i++) {
        if (fluid->models[i].model != model) continue;
        mn_complain(reader, node, "the model %s is listed twice", model->key);
        return;
    }
    mn_model_use *use = new_use(reader, fluid);
    if (!use) return;
    read_params(reader, node, model, use);
    refuse_unknown(reader, node, model);
}

/* A viscosity may be an amount instead of a model: a number or keyframes. With tension in N/m, which stills what single
 * particles do, the model is `fitted`, else `standard`. */
static bool is_amount(const mn_node *node)
{
    const bool curve = node->kind == MN_MAPPING && node->first && !mn_node_get(node, "model");
    const char *text = curve ? node->first->key : node->kind == MN_SCALAR ? node->text : NULL;
    return text && *text && strchr("+-.(0123456789", *text);
}

/* Whether an amount is in Pa s, that is dynamic: over the density it is the kinematic viscosity. */
static bool is_dynamic(const mn_node *node)
{
    double value;
    char why[300];
    const mn_node *first = node->kind == MN_MAPPING ? node->first : node;
    return first->kind == MN_SCALAR && !mn_is_decimal(first->text) &&
           !mn_quantity_read(first->text, "m^2/s", &value, why, sizeof why) &&
           mn_quantity_read(first->text, "Pa s", &value, why, sizeof why);
}

/* The amount between particles; mn_finish_viscosity copies it to walls, and chooses the model. */
static void add_amount(mn_reader *reader, const mn_node *node, mn_fluid *fluid)
{
    mn_model_use *use = new_use(reader, fluid);
    if (!use) return;
    use->model = mn_model_find("viscosity", "standard");
    use->at = mn_reader_place(reader, node);
    use->params = mn_need(reader, calloc((size_t)use->model->param_count + 1, sizeof(mn_curve)));
    if (!use->params) return;
    mn_key key = mn_key_of_param(&use->model->params[0]);
    if (is_dynamic(node)) key.unit = "Pa s";
    mn_read_key(reader, &key, node, &use->params[0]);
}

void mn_finish_viscosity(mn_reader *reader, const mn_node *given, mn_fluid *fluid)
{
    if (!given || !is_amount(given)) return;
    mn_model_use *use = NULL;
    bool laplace = false;
    for (int i = 0; i < fluid->model_count; i++) {
        if (strcmp(fluid->models[i].model->key, "standard") == 0) use = &fluid->models[i];
        laplace = laplace || strcmp(fluid->models[i].model->key, "laplace") == 0;
    }
    if (!use || !use->params || use->params[0].count == 0) return;
    if (laplace) use->model = mn_model_find("viscosity", "fitted"); /* it has the same parameters */
    mn_curve *inside = &use->params[0], *walls = &use->params[1];
    const size_t size = (size_t)inside->count * sizeof(double);
    walls->time = mn_need(reader, malloc(size)), walls->value = mn_need(reader, malloc(size));
    if (!walls->time || !walls->value) return;
    for (int i = 0; i < inside->count && is_dynamic(given); i++) inside->value[i] /= fluid->density;
    memcpy(walls->time, inside->time, size), memcpy(walls->value, inside->value, size);
    walls->count = inside->count, walls->width = 1;
}

void mn_read_fluid_model(mn_reader *reader, const mn_node *node, const char *kind, mn_fluid *fluid)
{
    if (strcmp(kind, "viscosity") == 0 && is_amount(node) && !node->broken) {
        add_amount(reader, node, fluid);
        return;
    }
    if (node->kind != MN_SEQUENCE) {
        add_model(reader, node, kind, fluid);
        return;
    }
    for (const mn_node *child = node->first; child; child = child->next) add_model(reader, child, kind, fluid);
}

void mn_use_surface_tension(mn_reader *reader, const mn_node *given, mn_fluid *fluid)
{
    const mn_model_info *laplace = mn_model_find("tension", "laplace");
    bool named = false;
    for (int i = 0; i < fluid->model_count; i++) named = named || fluid->models[i].model == laplace;
    for (int i = 0; i < fluid->model_count; i++) {
        const mn_model_info *other = fluid->models[i].model;
        if (strcmp(other->kind, "tension") != 0 || (other == laplace && !given)) continue;
        if (other == laplace && given->layer > 0 && fluid->surface_tension.count > 0) { /* a variation, or --set */
            free(fluid->models[i].params[0].time), free(fluid->models[i].params[0].value);
            fluid->models[i].params[0] = fluid->surface_tension;
            fluid->surface_tension = (mn_curve){0};
            return;
        }
        if (given)
            mn_complain(reader, given,
                        "surface_tension chooses the tension model laplace, and the fluid has %s too; "
                        "expected one of them",
                        other->key);
        else if (named)
            mn_complain_place(reader, fluid->models[i].at,
                              "the tension model laplace holds the whole tension of its fluid, "
                              "and %s would come on top; expected one of them",
                              other->key);
        return;
    }
    if (!given || fluid->surface_tension.count == 0) return;
    mn_model_use *use = new_use(reader, fluid);
    if (!use) return;
    use->model = laplace;
    use->at = mn_reader_place(reader, given);
    use->params = mn_need(reader, calloc(2, sizeof(mn_curve)));
    if (!use->params) return;
    use->params[0] = fluid->surface_tension; /* its only parameter */
    fluid->surface_tension = (mn_curve){0};
}

void mn_finish_pressure(mn_reader *reader, const mn_node *node, void *record)
{
    mn_scene *scene = record;
    const mn_table *table = mn_table_find(&mn_scene_table, "pressure")->sub;
    const mn_model_info *model = mn_model_find("pressure", mn_table_find(table, "model")->standard);
    if (mn_node_get(node, "model")) model = find_model(reader, node, "pressure");
    else if (!model) mn_complain_at(reader, "pressure", "the key \"model\" is missing");
    if (model) read_params(reader, node, model, &scene->pressure);
    if (scene->isotropic && model && strcmp(model->key, "dfsph") != 0 && strcmp(model->key, "iisph") != 0)
        mn_complain_at(reader, "pressure.isotropic",
                       "the solver %s has no pressure that acts alike in all directions; expected dfsph or iisph, or "
                       "false",
                       model->key);
    if (!mn_node_get(node, "min_iterations") && scene->min_iterations > scene->max_iterations)
        scene->min_iterations = scene->max_iterations;
    if (scene->min_iterations > scene->max_iterations)
        mn_complain_at(reader, "pressure.min_iterations", "expected at most max_iterations, which is %d, found %d",
                       scene->max_iterations, scene->min_iterations);
}
