/* change.c -- changes while a scene runs: KEY=VALUE put into the copy of it that the world has.
 *
 * Only values that every step asks for again can change: curves, and the rows that the tables mark as live. Paths are
 * those of --set; a model may be named by its key: fluids.water.viscosity.xsph.strength.
 */
#include "scene/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "scene/motion.h"
#include "scene/read.h"
#include "scene/text.h"

/* ------------------------------------------------------------------------------------------ what a path names */

/* A value that may change: its row, the record that it stands in, and the motion that this is, or NULL. */
typedef struct target {
    mn_key key;
    void *record;
    mn_motion *motion;
} target;

typedef struct walk {
    const char *path, *rest; /* what is not yet walked */
    char step[100];
    mn_messages *say;
    mn_place at;
} walk;

static bool next_step(walk *w)
{
    const size_t length = strcspn(w->rest, ".");
    if (!length || length >= sizeof w->step) return false;
    snprintf(w->step, sizeof w->step, "%.*s", (int)length, w->rest);
    w->rest += length + (w->rest[length] == '.');
    return true;
}

static void unknown(const walk *w, const char *what, const char *const *names, int count)
{
    const char *near = mn_nearest(w->step, names, count);
    char all[600] = "";
    for (int i = 0; i < count && !near; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    }
    mn_say_error(w->say, w->at, "%s: there is no %s \"%s\"%s%s%s", w->path, what, w->step,
                 near    ? "; did you mean \""
                 : count ? "; expected one of "
                         : "",
                 near ? near : all, near ? "\"?" : "");
}

static bool is_index(const char *step, int index)
{
    char text[16];
    snprintf(text, sizeof text, "%d", index);
    return strcmp(step, text) == 0;
}

static bool find_item(walk *w, const mn_key *list, const char *record, char **item)
{
    enum { MOST = 64 };
    const char *names[MOST];
    const mn_key *name = mn_table_find(list->sub, "name");
    char *items = *(char *const *)(record + list->offset);
    const int count = *(const int *)(record + list->count_offset);
    int known = 0;
    if (!next_step(w)) {
        mn_say_error(w->say, w->at, "%s: expected the name or the number of one of %s", w->path, list->name);
        return false;
    }
    for (int i = 0; i < count; i++) {
        *item = items + (size_t)i * list->sub->size;
        const char *own = name ? *(char *const *)(*item + name->offset) : NULL;
        if (is_index(w->step, i) || (own && strcmp(own, w->step) == 0)) return true;
        if (own && known < MOST) names[known++] = own;
    }
    unknown(w, "entry", names, known);
    return false;
}

static bool find_param(walk *w, mn_model_use *use, target *out)
{
    const char *names[MN_MOST_NAMES];
    int count = 0;
    for (int i = 0; i < use->model->param_count && count < MN_MOST_NAMES; i++) {
        if (strcmp(use->model->params[i].key, w->step) == 0) {
            *out = (target){.key = mn_key_of_param(&use->model->params[i]), .record = &use->params[i]};
            return true;
        }
        names[count++] = use->model->params[i].key;
    }
    unknown(w, "parameter", names, count);
    return false;
}

/* The step is a kind of model; the next may be the model or its number, and the last its parameter. */
static bool find_model(walk *w, mn_fluid *fluid, target *out)
{
    mn_model_use *uses[MN_MOST_NAMES], *chosen = NULL;
    const bool short_name = strcmp(w->step, "surface_tension") == 0;
    int count = 0;
    for (int i = 0; i < fluid->model_count && count < MN_MOST_NAMES; i++) {
        const mn_model_info *model = fluid->models[i].model;
        if (short_name ? strcmp(model->key, "laplace") == 0 : strcmp(model->kind, w->step) == 0)
            uses[count++] = &fluid->models[i];
    }
    if (count == 0) {
        mn_say_error(w->say, w->at, "%s: the fluid has no model of %s, and none can begin while it runs", w->path,
                     w->step);
        return false;
    }
    if (short_name) snprintf(w->step, sizeof w->step, "%s", uses[0]->model->params[0].key);
    else if (!next_step(w)) w->step[0] = 0;
    for (int i = 0; i < count; i++)
        if (is_index(w->step, i) || strcmp(w->step, uses[i]->model->key) == 0) chosen = uses[i];
    if (chosen && !next_step(w)) w->step[0] = 0;
    if (!chosen && count > 1) {
        const char *names[MN_MOST_NAMES];
        for (int i = 0; i < count; i++) names[i] = uses[i]->model->key;
        unknown(w, "model", names, count);
        return false;
    }
    return find_param(w, chosen ? chosen : uses[0], out);
}

static bool is_live(const mn_key *key) { return key->type == MN_KEY_CURVE || key->live; }

static bool find_in(walk *w, const mn_table *table, char *record, target *out)
{
    mn_motion *motion = NULL;
    while (next_step(w)) {
        const mn_key *key = mn_table_find(table, w->step);
        const bool named = table->extra == MN_FLUID_MODELS && strcmp(w->step, "surface_tension") == 0;
        if (!key || named) {
            const char *names[MN_MOST_NAMES];
            const int count = mn_table_names(table, NULL, names, MN_MOST_NAMES);
            for (int i = table->count; i < count || named; i++)
                if (named || strcmp(names[i], w->step) == 0) return find_model(w, (mn_fluid *)record, out);
            if (table->extra == MN_PRESSURE_PARAMETERS) return find_param(w, &((mn_scene *)record)->pressure, out);
            unknown(w, "key", names, count);
            return false;
        }
        if (key->type == MN_KEY_LIST) {
            if (!find_item(w, key, record, &record)) return false;
            table = key->sub;
        } else if (key->type == MN_KEY_MAP) {
            record += key->offset;
            table = key->sub;
            motion = strcmp(key->name, "motion") == 0 ? (mn_motion *)record : NULL;
        } else if (!is_live(key) || *w->rest) {
            break;
        } else {
            *out = (target){.key = *key, .record = record, .motion = motion};
            return true;
        }
    }
    mn_say_error(w->say, w->at, "%s: this key cannot change while the scene runs; start a new run with it", w->path);
    return false;
}

/* A wall that stands still may begin to move while the scene runs; bodies and solids may not. */
static bool may_move(const mn_scene *scene, const mn_motion *motion)
{
    for (int k = 0; k < scene->wall_count; k++)
        if (motion == &scene->walls[k].motion) return true;
    return motion->moving;
}

static bool find(mn_scene *scene, const char *path, mn_place at, mn_messages *say, target *out)
{
    walk w = {.path = path, .rest = path, .at = at, .say = say};
    if (!find_in(&w, &mn_scene_table, (char *)scene, out)) return false;
    const bool may = !out->motion || may_move(scene, out->motion);
    if (!may)
        mn_say_error(say, at, "%s: only walls can begin to move while the scene runs; start a new run with a motion",
                     path);
    return may;
}

/* ------------------------------------------------------------------------------------------------- the change */

/* The path goes on from where it has come to: what the old rates did until then goes into the keyframes. */
static bool bend_motion(mn_motion *m, const double velocity[3], const double spin[3], double time)
{
    bool turns = false;
    for (int a = 0; a < 3; a++) {
        for (int k = 0; k < m->translation.count; k++)
            m->translation.value[3 * k + a] += (m->velocity[a] - velocity[a]) * time;
        turns = turns || spin[a] != m->angular_velocity[a];
    }
    memcpy(m->velocity, velocity, sizeof m->velocity);
    if (!turns) return true;
    if (m->rotation.count != 1) return false;
    double was[3], is[3], old[9], new[9], keys[9], part[9], sum[9], q[4];
    for (int a = 0; a < 3; a++) was[a] = m->angular_velocity[a] * time, is[a] = spin[a] * time;
    mn_rotation_of(was, old);
    mn_rotation_of(is, new);
    mn_rotation_of(m->rotation.value, keys);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            part[3 * r + c] = old[3 * r] * keys[c] + old[3 * r + 1] * keys[3 + c] + old[3 * r + 2] * keys[6 + c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum[3 * r + c] = new[r] * part[c] + new[3 + r] * part[3 + c] + new[6 + r] * part[6 + c];
    mn_quaternion_of(sum, q);
    const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), angle = 2 * mn_atan2(sine, q[0]);
    for (int a = 0; a < 3; a++) m->rotation.value[a] = sine > 0 ? q[1 + a] / sine * angle : 0;
    memcpy(m->angular_velocity, spin, sizeof m->angular_velocity);
    return true;
}

static mn_status change_motion(const target *t, const double value[3], double time, const walk *w)
{
    mn_motion *m = t->motion;
    const bool turns = strcmp(t->key.name, "angular_velocity") == 0;
    if (bend_motion(m, turns ? m->velocity : value, turns ? value : m->angular_velocity, time)) {
        for (int a = 0; a < 3; a++) m->moving = m->moving || value[a] != 0;
        return MN_OK;
    }
    mn_say_error(w->say, w->at, "%s: it follows keyframes of `rotation`, to which no other rotation can be added",
                 w->path);
    return MN_BAD_INPUT;
}

/* By the row's type and range, as in a file. */
static mn_status read_value(mn_reader *reader, const target *t, const mn_node *node, double time, const walk *w)
{
    union {
        double numbers[9];
        mn_curve curve;
        int integer;
    } fresh = {{0}};
    mn_key key = t->key;
    key.offset = 0;
    mn_read_key(reader, &key, node, &fresh);
    void *at = (char *)t->record + t->key.offset;
    const bool good = reader->errors == 0 && !reader->out_of_memory;
    if (!good && key.type == MN_KEY_CURVE) mn_curve_release(&fresh.curve);
    if (reader->out_of_memory) mn_say_failure(w->say, w->at, "out of memory");
    if (!good) return reader->out_of_memory ? MN_FAILED : MN_BAD_INPUT;
    if (t->motion && key.type == MN_KEY_NUMBERS) return change_motion(t, fresh.numbers, time, w);
    switch (key.type) {
    case MN_KEY_CURVE:
        mn_curve_release(at);
        *(mn_curve *)at = fresh.curve;
        break;
    case MN_KEY_NUMBERS: memcpy(at, fresh.numbers, (size_t)key.width * sizeof(double)); break;
    case MN_KEY_INTEGER: *(int *)at = fresh.integer; break;
    default: *(double *)at = fresh.numbers[0]; break;
    }
    return MN_OK;
}

static mn_status change(mn_scene *scene, const char *set, double time, mn_place at, mn_messages *say, mn_tree *tree)
{
    const char *equals = strchr(set, '=');
    target t = {0};
    if (!equals || equals == set || !equals[1]) {
        mn_say_error(say, at, "expected KEY=VALUE, for example gravity=[0, -5, 0], found \"%.80s\"", set);
        return MN_BAD_INPUT;
    }
    mn_reader reader = {.say = say, .tree = tree, .scene = scene};
    char *path = mn_tree_text(tree, set, (size_t)(equals - set));
    tree->root = mn_node_new(tree, MN_MAPPING, at);
    mn_node *value = path && tree->root ? mn_tree_parse(tree, equals + 1, strlen(equals + 1), at.file ? at.file : set,
                                                        say, &reader.errors)
                                        : NULL;
    if (!path || !tree->root) mn_say_failure(say, at, "out of memory");
    if (!value) return mn_status_of_failure(say);
    value->key = path;
    for (mn_node *child = value->first; child; child = child->next) child->at = at;
    value->at = value->key_at = at;
    mn_node_append(tree->root, value);
    if (reader.errors || !find(scene, path, at, say, &t)) return MN_BAD_INPUT;
    return read_value(&reader, &t, value, time, &(walk){.path = path, .at = at, .say = say});
}

mn_status mn_scene_change(mn_scene *scene, const char *set, double time, mn_place at, mn_messages *say)
{
    mn_tree tree = {0};
    struct mn_c_locale locale;
    if (!mn_c_locale_enter(&locale)) {
        mn_say_failure(say, at, "out of memory");
        return MN_FAILED;
    }
    const mn_status status = change(scene, set, time, at, say, &tree);
    mn_c_locale_leave(&locale);
    mn_tree_free(&tree);
    return status;
}

mn_status mn_scene_unchange(mn_scene *scene, const mn_scene *given, const char *set, mn_messages *say)
{
    const mn_place at = {set, 0, 0};
    char *path = strndup(set, strcspn(set, "="));
    target to = {0}, from = {0};
    bool failed = path == NULL;
    if (!failed && (!find(scene, path, at, say, &to) || !find((mn_scene *)given, path, at, say, &from))) {
        free(path);
        return MN_BAD_INPUT;
    }
    free(path);
    if (!failed && to.motion) {
        mn_motion fresh = *from.motion;
        failed = !mn_curve_copy(&from.motion->translation, &fresh.translation);
        failed = !mn_curve_copy(&from.motion->rotation, &fresh.rotation) || failed;
        mn_curve_release(&to.motion->translation);
        mn_curve_release(&to.motion->rotation);
        *to.motion = fresh;
    } else if (!failed) {
        void *at_to = (char *)to.record + to.key.offset;
        const void *at_from = (const char *)from.record + from.key.offset;
        if (to.key.type == MN_KEY_CURVE) {
            mn_curve_release(at_to);
            failed = !mn_curve_copy(at_from, at_to);
        } else {
            memcpy(at_to, at_from, (to.key.type == MN_KEY_NUMBERS ? (size_t)to.key.width : 1) * sizeof(double));
        }
    }
    if (failed) mn_say_failure(say, at, "out of memory");
    return failed ? MN_FAILED : MN_OK;
}

mn_status mn_scene_change_first(mn_scene *scene, const mn_scene *given, int *changed, int count, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int i = 0; i < *changed && status == MN_OK; i++)
        status = mn_scene_unchange(scene, given, scene->changes[i].set, say);
    for (*changed = 0; *changed < count && status == MN_OK; ++*changed) {
        const mn_change *c = &scene->changes[*changed];
        status = mn_scene_change(scene, c->set, c->time, c->at, say);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------- the list */

bool mn_scene_add_change(mn_scene *scene, int index, double time, const char *set)
{
    mn_change *grown = realloc(scene->changes, ((size_t)scene->change_count + 1) * sizeof *grown);
    char *text = strdup(set);
    if (grown) scene->changes = grown;
    if (!grown || !text) {
        free(text);
        return false;
    }
    memmove(grown + index + 1, grown + index, (size_t)(scene->change_count - index) * sizeof *grown);
    grown[index] = (mn_change){.time = time, .set = text, .at = {scene->path, 0, 0}};
    scene->change_count++;
    return true;
}

/* ---------------------------------------------------------------------------------------------- what may change */

typedef struct tour {
    const mn_scene *scene;
    mn_live_visit *visit;
    void *user;
    double time;
    char path[400];
} tour;

/* One more step of the path; returns how long it was. */
static size_t go(tour *t, const char *step)
{
    const size_t length = strlen(t->path);
    snprintf(t->path + length, sizeof t->path - length, "%s%s", length ? "." : "", step);
    return length;
}

static void show_key(tour *t, const mn_key *key, const void *at)
{
    mn_live live = {.path = t->path,
                    .name = key->name,
                    .unit = key->unit,
                    .help = key->help,
                    .min = key->min,
                    .max = key->max,
                    .width = key->type == MN_KEY_NUMBER ? 1 : key->width};
    if (live.width < 1 || live.width > 3) return;
    if (key->type == MN_KEY_CURVE) {
        const mn_curve *curve = at;
        if (!curve->count || curve->width != live.width) return;
        mn_curve_at(curve, t->time, live.value);
        live.keyed = curve->count > 1;
    } else {
        memcpy(live.value, at, (size_t)live.width * sizeof(double));
    }
    const size_t length = go(t, key->name);
    t->visit(t->user, &live);
    t->path[length] = 0;
}

static void show_params(tour *t, const mn_model_use *use)
{
    for (int i = 0; use->params && i < use->model->param_count; i++) {
        const mn_key key = mn_key_of_param(&use->model->params[i]);
        show_key(t, &key, &use->params[i]);
    }
}

static void show_models(tour *t, const mn_fluid *fluid)
{
    for (int i = 0; i < fluid->model_count; i++) {
        const mn_model_use *use = &fluid->models[i];
        if (strcmp(use->model->key, "laplace") == 0 && use->params) { /* by the name that starts a scene with it too */
            mn_key key = mn_key_of_param(&use->model->params[0]);
            key.name = "surface_tension";
            show_key(t, &key, &use->params[0]);
            continue;
        }
        const size_t length = go(t, use->model->kind);
        go(t, use->model->key);
        show_params(t, use);
        t->path[length] = 0;
    }
}

static void show_table(tour *t, const mn_table *table, const char *record);

static void show_list(tour *t, const mn_key *key, const char *record)
{
    const mn_key *name = mn_table_find(key->sub, "name");
    const char *items = *(char *const *)(record + key->offset);
    for (int i = 0; i < *(const int *)(record + key->count_offset); i++) {
        const char *item = items + (size_t)i * key->sub->size, *own = name ? *(char *const *)(item + name->offset) : "";
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        const size_t length = go(t, key->name);
        go(t, own && *own && !strpbrk(own, ".=\"'\\ ") ? own : number);
        show_table(t, key->sub, item);
        t->path[length] = 0;
    }
}

/* What stands still and cannot begin to move. */
static bool is_still(const tour *t, const mn_key *key, const char *record)
{
    const mn_motion *motion = (const mn_motion *)(record + key->offset);
    return strcmp(key->name, "motion") == 0 && !may_move(t->scene, motion);
}

/* Keyframes of a motion are places: to jump there would tear the liquid. */
static bool is_place(const mn_key *key)
{
    return strcmp(key->name, "translation") == 0 || strcmp(key->name, "rotation") == 0;
}

static void show_table(tour *t, const mn_table *table, const char *record)
{
    for (int i = 0; i < table->count; i++) {
        const mn_key *key = &table->keys[i];
        if (key->type == MN_KEY_LIST) {
            show_list(t, key, record);
        } else if (key->type == MN_KEY_MAP && !is_still(t, key, record)) {
            const size_t length = go(t, key->name);
            show_table(t, key->sub, record + key->offset);
            t->path[length] = 0;
        } else if (is_live(key) && !is_place(key)) {
            show_key(t, key, record + key->offset);
        }
    }
    if (table->extra == MN_FLUID_MODELS) show_models(t, (const mn_fluid *)record);
    if (table->extra == MN_PRESSURE_PARAMETERS) show_params(t, &((const mn_scene *)record)->pressure);
}

void mn_scene_live(const mn_scene *scene, double time, mn_live_visit *visit, void *user)
{
    tour t = {.scene = scene, .visit = visit, .user = user, .time = time};
    show_table(&t, &mn_scene_table, (const char *)scene);
}

/* Each as the run will: on a copy. */
void mn_check_changes(mn_reader *reader, mn_scene *scene)
{
    if (!scene->change_count || reader->errors) return;
    mn_scene *copy = mn_need(reader, mn_scene_copy(scene));
    for (int i = 0; copy && i < scene->change_count; i++) {
        const mn_change *c = &scene->changes[i];
        if (i && c->time < scene->changes[i - 1].time) {
            mn_say_error(reader->say, c->at, "changes.%d.time: times must not fall, but %g s follows %g s", i, c->time,
                         scene->changes[i - 1].time);
            reader->errors++;
        }
        const mn_status status = mn_scene_change(copy, c->set, c->time, c->at, reader->say);
        if (status == MN_FAILED) reader->out_of_memory = true;
        else if (status != MN_OK) reader->errors++;
    }
    mn_scene_free(copy);
}
