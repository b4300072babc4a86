/* override.c -- `--set KEY=VALUE`, and `set` of variations: replaces or adds one node of the tree before the schema
 * sees it, so that an override obeys exactly the rules of the file. Entries of a list are named by index or by their
 * `name`, models by `model`.
 */
#include "scene/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, COMMAND_LINE = 1000 /* layer of --set: above all files */ };

typedef struct override {
    mn_tree *tree;
    mn_messages *say;
    int *errors;
    mn_place at; /* of --set, the file is the whole "--set KEY=VALUE" */
    int layer;
} override;

#define FAULT(o, ...) ((*(o)->errors)++, mn_say_error((o)->say, (o)->at, __VA_ARGS__))
#define NO_MEMORY(o, ...) ((*(o)->errors)++, mn_say_failure((o)->say, (o)->at, __VA_ARGS__))

static const char *name_of(const mn_node *entry)
{
    const mn_node *name = mn_node_get(entry, "name");
    if (!name) name = mn_node_get(entry, "model"); /* of a fluid's models */
    return name && name->kind == MN_SCALAR ? name->text : NULL;
}

/* Entries at the top of a scene that have no name are called fluid1, wall2, ... */
static bool is_default_name(const mn_node *entry, const char *step)
{
    const mn_node *list = entry->parent;
    char name[80];
    if (!list->key || list->parent->parent || strlen(list->key) > 40 || name_of(entry)) return false;
    mn_default_name(list->key, entry->index, name, sizeof name);
    return strcmp(name, step) == 0;
}

static mn_node *find_in_list(override *o, mn_node *list, const char *step, const char *path)
{
    char *end;
    long index = strtol(step, &end, 10);
    bool number = *end == 0 && step[0] >= '0' && step[0] <= '9';
    const char *names[MOST_NAMES];
    int count = 0;
    for (mn_node *entry = list->first; entry; entry = entry->next) {
        if (number && entry->index == index) return entry;
        const char *name = name_of(entry);
        if ((name && strcmp(name, step) == 0) || is_default_name(entry, step)) return entry;
        if (name && count < MOST_NAMES) names[count++] = name;
    }
    const char *near = mn_nearest(step, names, count);
    if (number) FAULT(o, "%s: there is no entry %.20s; the list has %d, counted from 0", path, step, list->count);
    else if (near) FAULT(o, "%s: no entry is named \"%.60s\"; did you mean \"%.60s\"?", path, step, near);
    else
        FAULT(o, "%s: no entry is named \"%.60s\"; expected a name or an index from 0 to %d", path, step,
              list->count - 1);
    return NULL;
}

/* `viscosity: xsph` is short for `viscosity: {model: xsph}`: made long so that its parameters can be set. */
static bool lengthen(override *o, mn_node *scalar)
{
    mn_node *model = mn_node_new(o->tree, MN_SCALAR, scalar->at);
    if (!model) return false;
    model->text = scalar->text;
    model->key = "model";
    model->layer = scalar->layer;
    scalar->kind = MN_MAPPING;
    scalar->at = o->at;
    scalar->text = NULL;
    mn_node_append(scalar, model);
    return true;
}

/* The child that one step of the path names, made if a mapping lacks it. */
static mn_node *descend(override *o, mn_node *node, const char *step)
{
    if (node->kind == MN_SEQUENCE) {
        char path[400];
        mn_node_path(node, path, sizeof path);
        return find_in_list(o, node, step, path);
    }
    if (node->kind == MN_SCALAR && !lengthen(o, node)) return NULL;
    const char *spelling = mn_key_spelling(step);
    if (spelling) step = spelling;
    mn_node *child = mn_node_get(node, step);
    if (child) return child;
    const char *model = mn_node_get(node, "model") ? name_of(node) : NULL;
    if (model && strcmp(model, step) == 0) return node; /* viscosity.xsph.strength, whether there is a list or not */
    child = mn_node_new(o->tree, MN_MAPPING, o->at);
    char *key = mn_tree_text(o->tree, step, strlen(step));
    if (!child || !key) return NULL;
    child->key = key;
    child->layer = o->layer;
    mn_node_append(node, child);
    return child;
}

static void mark(mn_node *node, int layer)
{
    node->layer = layer;
    for (mn_node *child = node->first; child; child = child->next) mark(child, layer);
}

static void replace(mn_node *node, const mn_node *value, const override *o)
{
    node->kind = value->kind;
    node->text = value->text;
    node->quoted = value->quoted;
    node->broken = value->broken;
    node->count = value->count;
    node->first = value->first;
    node->last = value->last;
    node->at = value->at;
    node->key_at = o->at;
    for (mn_node *child = node->first; child; child = child->next) child->parent = node;
    mark(node, o->layer);
}

static bool is_null(const mn_node *value)
{
    return value->kind == MN_SCALAR && !value->quoted &&
           (strcmp(value->text, "null") == 0 || strcmp(value->text, "~") == 0);
}

/* The node of the path, made where mappings lack it; NULL after a complaint. */
static mn_node *walk(override *o, char *steps, bool make)
{
    mn_node *node = o->tree->root;
    int depth = 0;
    for (char *step = steps; step; depth++) {
        char *dot = strchr(step, '.');
        if (dot) *dot++ = 0;
        if (*step == 0 || depth == MN_TREE_DEPTH - 8) {
            FAULT(o, *step ? "the path is too deep" : "the path has an empty part; expected KEY.KEY");
            return NULL;
        }
        if (!make && node->kind != MN_SEQUENCE &&
            !mn_node_get(node, mn_key_spelling(step) ? mn_key_spelling(step) : step)) {
            char path[400];
            mn_node_path(node, path, sizeof path);
            FAULT(o, "%s%sthere is no key \"%.60s\" to remove", path, path[0] ? ": " : "", step);
            return NULL;
        }
        const int before = *o->errors;
        node = descend(o, node, step);
        if (!node && *o->errors == before) NO_MEMORY(o, "out of memory while reading the scene");
        if (!node) return NULL;
        step = dot;
    }
    return node;
}

bool mn_tree_put(mn_tree *tree, const char *path, const mn_node *value, mn_place at, int layer, mn_messages *say,
                 int *errors)
{
    override o = {.tree = tree, .say = say, .errors = errors, .at = at, .layer = layer};
    char *steps = mn_tree_text(tree, path, strlen(path));
    if (!steps) NO_MEMORY(&o, "out of memory while reading the scene");
    if (!steps) return false;
    mn_node *node = walk(&o, steps, !is_null(value));
    if (!node) return false;
    if (is_null(value)) {
        mn_node_remove(node);
        return true;
    }
    replace(node, value, &o);
    return true;
}

/* What stands on the command line has no lines. */
static void place_all(mn_node *node, mn_place at)
{
    node->at = node->key_at = at;
    for (mn_node *child = node->first; child; child = child->next) place_all(child, at);
}

bool mn_tree_override(mn_tree *tree, const char *set, mn_messages *say, int *errors)
{
    override o = {.say = say, .errors = errors};
    const char *equals = strchr(set, '=');
    char *file = mn_tree_alloc(tree, strlen(set) + sizeof "--set ");
    char *path = mn_tree_text(tree, set, equals ? (size_t)(equals - set) : strlen(set));
    if (!file || !path) {
        NO_MEMORY(&o, "out of memory while reading --set");
        return false;
    }
    sprintf(file, "--set %s", set);
    o.at.file = file;
    if (!equals || equals == set) {
        FAULT(&o, "expected KEY=VALUE, for example time.step=0.001 or fluids.0.density=900");
        return false;
    }
    if (equals[1] == 0) {
        FAULT(&o, "there is no value after the =");
        return false;
    }
    mn_node *value = mn_tree_parse(tree, equals + 1, strlen(equals + 1), file, say, errors);
    if (!value) return false;
    place_all(value, o.at);
    return mn_tree_put(tree, path, value, o.at, COMMAND_LINE, say, errors);
}
