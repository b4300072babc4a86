/* change.c -- changes while a scene runs: KEY=VALUE put into the copy of it that the world has.
 *
 * What every step asks for again can change: curves, and the rows that the tables mark as live; of the others the
 * message says why they cannot. Rules between keys are those of a file: the scene is written and read once more. Paths
 * are those of --set; a model may be named by its key: fluids.water.viscosity.xsph.strength.
 */
#include "scene/change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "scene/live_keys.h"
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
    bool known; /* rules between keys need not be looked at: it was done before */
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

static void refuse(const walk *w, mn_live_kind why)
{
    static const char *const reasons[] = {
        [MN_MADE_OF] = "the world is built from it",
        [MN_LIVE] = "this scene does not use it",
        [MN_START] = "it sets how a run begins",
        [MN_FILES] = "it sets the layout of the run's files",
        [MN_PICTURES] = "it concerns pictures only, which are made of the frames (meniscus render --set)"};
    mn_say_error(w->say, w->at, "%s: this key cannot change while the scene runs: %s; start a new run with it", w->path,
                 reasons[why]);
}

static bool find_in(walk *w, const mn_table *table, char *record, target *out)
{
    mn_motion *motion = NULL;
    mn_live_kind why = MN_MADE_OF;
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
        if (key->live != MN_MADE_OF && key->live != MN_LIVE) why = key->live;
        if (key->type == MN_KEY_LIST) {
            if (!find_item(w, key, record, &record)) return false;
            table = key->sub;
        } else if (key->type == MN_KEY_MAP) {
            if (mn_section_is_missing(key, record)) {
                refuse(w, MN_LIVE);
                return false;
            }
            record += key->offset;
            table = key->sub;
            motion = strcmp(key->name, "motion") == 0 ? (mn_motion *)record : NULL;
        } else if (!mn_key_is_live(key) || *w->rest || !mn_key_is_used(key, record)) {
            refuse(w, mn_key_is_live(key) && !*w->rest ? MN_LIVE : why);
            return false;
        } else {
            *out = (target){.key = *key, .record = record, .motion = motion};
            return true;
        }
    }
    mn_say_error(w->say, w->at, "%s: this key cannot change while the scene runs as a whole; name one key of it",
                 w->path);
    return false;
}

static bool find(mn_scene *scene, const char *path, mn_place at, mn_messages *say, target *out)
{
    walk w = {.path = path, .rest = path, .at = at, .say = say};
    if (!find_in(&w, &mn_scene_table, (char *)scene, out)) return false;
    const bool may = !out->motion || mn_motion_may_begin(scene, out->motion);
    if (!may)
        mn_say_error(say, at, "%s: only walls can begin to move while the scene runs; start a new run with a motion",
                     path);
    return may;
}

/* What cannot begin or end while it runs, though its numbers can change. */
static bool may_change(const target *t, const walk *w)
{
    if (t->motion && t->motion->moving && mn_key_is_centre(&t->key)) {
        mn_say_error(w->say, w->at, "%s: it moves already; its centre can change only before it begins to", w->path);
        return false;
    }
    const bool limit = strcmp(t->key.name, "swing") == 0 || strcmp(t->key.name, "twist") == 0;
    const mn_joint *joint = limit ? t->record : NULL;
    if (joint && joint->swing >= 180 && joint->twist >= 180) {
        mn_say_error(w->say, w->at, "%s: the joint was made without such limits, and they cannot begin while it runs",
                     w->path);
        return false;
    }
    return true;
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

/* Bytes of a value that owns nothing. */
static size_t bytes_of(const mn_key *key)
{
    switch (key->type) {
    case MN_KEY_INTEGER:
    case MN_KEY_CHOICE: return sizeof(int);
    case MN_KEY_LONG: return sizeof(long);
    case MN_KEY_FLAG: return sizeof(bool);
    case MN_KEY_WORD: return sizeof(char *);
    case MN_KEY_NUMBERS: return (size_t)key->width * sizeof(double);
    default: return sizeof(double);
    }
}

/* The soft solid whose material the value is a part of; NULL: it is none. */
static mn_soft_def *material_of(const target *t)
{
    static const char *const names[] = {"young", "poisson", "lambda", "mu"};
    for (int i = 0; i < 4 && t->key.type == MN_KEY_NUMBER; i++)
        if (strcmp(t->key.name, names[i]) == 0) return t->record;
    return NULL;
}

static void copy_material(const mn_soft_def *from, mn_soft_def *to)
{
    to->young = from->young, to->poisson = from->poisson;
    to->lambda = from->lambda, to->mu = from->mu;
}

/* A material is lambda and mu; young and poisson follow, as in mn_finish_solid. */
static void follow_material(const mn_key *key, mn_soft_def *solid)
{
    if (strcmp(key->name, "young") == 0 || strcmp(key->name, "poisson") == 0) {
        solid->mu = solid->young / (2 * (1 + solid->poisson));
        solid->lambda = 2 * solid->mu * solid->poisson / (1 - 2 * solid->poisson);
    }
    solid->young = solid->mu * (3 * solid->lambda + 2 * solid->mu) / (solid->lambda + solid->mu);
    solid->poisson = solid->lambda / (2 * (solid->lambda + solid->mu));
}

/* Of the two kinds of time steps one follows from the other, as in mn_finish_time. */
static void follow_steps(mn_scene *scene)
{
    if (scene->adaptive) scene->step = scene->step_max;
    else scene->step_min = scene->step_max = scene->step;
}

/* What follows from a new value; `was`: the one before. */
static void follow(const target *t, const void *was, double time)
{
    static const char *const directions[] = {"direction", "axis", "normal"};
    double *value = (double *)((char *)t->record + t->key.offset);
    for (int i = 0; i < 3 && t->key.type == MN_KEY_NUMBERS; i++)
        if (strcmp(t->key.name, directions[i]) == 0) mn_normalise(value);
    if (material_of(t)) follow_material(&t->key, material_of(t));
    /* a body that is held is let go at once, with the end of the next step */
    if (t->key.type == MN_KEY_NUMBER && strcmp(t->key.name, "release") == 0 && *(const double *)was > time &&
        *value <= time)
        *value = nextafter(time, INFINITY);
}

/* Rules between keys: the scene is read once more. */
static mn_status check_rules(mn_scene *scene, const walk *w)
{
    if (w->known) return MN_OK;
    const int changes = scene->change_count;
    scene->change_count = 0;
    char *text = mn_scene_write(scene);
    scene->change_count = changes;
    mn_messages *heard = mn_messages_new();
    mn_scene *again = text && heard ? mn_scene_parse(text, strlen(text), w->path, NULL, 0, heard) : NULL;
    mn_status status = again ? MN_OK : text && heard ? mn_status_of_failure(heard) : MN_FAILED;
    if (status == MN_FAILED) mn_say_failure(w->say, w->at, "out of memory");
    for (int i = 0; status == MN_BAD_INPUT && i < mn_messages_count(heard); i++) {
        const mn_message m = mn_messages_get(heard, i);
        if (m.severity == MN_ERROR)
            mn_say_error(w->say, w->at, "%s: with this value the scene is wrong: %s", w->path, m.text);
    }
    mn_scene_free(again);
    mn_messages_free(heard);
    free(text);
    return status;
}

/* A fresh value in its place; it stays as it was where that breaks a rule. */
static mn_status put_value(mn_scene *scene, const target *t, void *fresh, double time, const walk *w)
{
    void *at = (char *)t->record + t->key.offset;
    const size_t bytes = bytes_of(&t->key);
    double was[9];
    mn_soft_def material = {0}, *solid = material_of(t);
    if (solid) copy_material(solid, &material);
    memcpy(was, at, bytes);
    memcpy(at, fresh, bytes);
    follow(t, was, time);
    const mn_status status = check_rules(scene, w);
    if (status != MN_OK) {
        memcpy(fresh, at, bytes);
        memcpy(at, was, bytes);
        if (solid) copy_material(&material, solid);
    }
    follow_steps(scene);
    char *unused = NULL;
    if (t->key.type == MN_KEY_WORD) memcpy(&unused, status == MN_OK ? was : fresh, sizeof unused);
    free(unused);
    return status;
}

static mn_status put_curve(mn_scene *scene, const target *t, mn_curve fresh, const walk *w)
{
    mn_curve *at = (mn_curve *)((char *)t->record + t->key.offset), was = *at;
    *at = fresh;
    const mn_status status = check_rules(scene, w);
    if (status != MN_OK) *at = was;
    mn_curve_release(status == MN_OK ? &was : &fresh);
    for (int i = 0; t->motion && i < at->count * at->width; i++)
        t->motion->moving = t->motion->moving || at->value[i] != 0;
    return status;
}

/* By the row's type and range, as in a file. */
static mn_status read_value(mn_reader *reader, const target *t, const mn_node *node, double time, const walk *w)
{
    union {
        double numbers[9];
        mn_curve curve;
        char *word;
    } fresh = {{0}};
    mn_key key = t->key;
    key.offset = 0;
    mn_read_key(reader, &key, node, &fresh);
    const bool good = reader->errors == 0 && !reader->out_of_memory;
    if (!good && key.type == MN_KEY_CURVE) mn_curve_release(&fresh.curve);
    if (!good && key.type == MN_KEY_WORD) free(fresh.word);
    if (reader->out_of_memory) mn_say_failure(w->say, w->at, "out of memory");
    if (!good) return reader->out_of_memory ? MN_FAILED : MN_BAD_INPUT;
    if (!may_change(t, w)) return MN_BAD_INPUT;
    if (t->motion && key.type == MN_KEY_NUMBERS && !mn_key_is_centre(&key))
        return change_motion(t, fresh.numbers, time, w);
    return key.type == MN_KEY_CURVE ? put_curve(reader->scene, t, fresh.curve, w)
                                    : put_value(reader->scene, t, &fresh, time, w);
}

static mn_status change(mn_scene *scene, const char *set, double time, bool known, mn_place at, mn_messages *say,
                        mn_tree *tree)
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
    return read_value(&reader, &t, value, time, &(walk){.path = path, .at = at, .say = say, .known = known});
}

static mn_status make_change(mn_scene *scene, const char *set, double time, bool known, mn_place at, mn_messages *say)
{
    mn_tree tree = {0};
    struct mn_c_locale locale;
    if (!mn_c_locale_enter(&locale)) {
        mn_say_failure(say, at, "out of memory");
        return MN_FAILED;
    }
    const mn_status status = change(scene, set, time, known, at, say, &tree);
    mn_c_locale_leave(&locale);
    mn_tree_free(&tree);
    return status;
}

mn_status mn_scene_change(mn_scene *scene, const char *set, double time, mn_place at, mn_messages *say)
{
    return make_change(scene, set, time, false, at, say);
}

mn_status mn_scene_repeat(mn_scene *scene, const mn_change *c, mn_messages *say)
{
    return make_change(scene, c->set, c->time, true, c->at, say);
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
        } else if (to.key.type == MN_KEY_WORD) {
            char *word = strdup(*(char *const *)at_from);
            failed = !word;
            if (word) free(*(char **)at_to), *(char **)at_to = word;
        } else {
            memcpy(at_to, at_from, bytes_of(&to.key));
            if (material_of(&to)) copy_material(material_of(&from), material_of(&to));
            follow_steps(scene);
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
        status = mn_scene_repeat(scene, &scene->changes[*changed], say);
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

/* Whether the next change is of the same key: a slider that is dragged makes hundreds. */
static bool goes_on(const mn_scene *scene, int i)
{
    const char *set = scene->changes[i].set, *next = i + 1 < scene->change_count ? scene->changes[i + 1].set : "";
    return strncmp(set, next, strcspn(set, "=") + 1) == 0;
}

/* Each as the run will: on a copy. */
void mn_check_changes(mn_reader *reader, mn_scene *scene)
{
    if (!scene->change_count || reader->errors) return;
    mn_scene *copy = mn_need(reader, mn_scene_copy(scene));
    for (int i = 0; copy && i < scene->change_count; i++) {
        const mn_change *c = &scene->changes[i];
        if (i && c->time < scene->changes[i - 1].time)
            mn_complain_place(reader, c->at, "changes.%d.time: times must not fall, but %g s follows %g s", i, c->time,
                              scene->changes[i - 1].time);
        const mn_status status = make_change(copy, c->set, c->time, goes_on(scene, i), c->at, reader->say);
        if (status == MN_FAILED) reader->out_of_memory = true;
        else if (status != MN_OK) reader->errors++;
    }
    mn_scene_free(copy);
}
