/* read.c -- one mapping after another into its record, by the rows of its table. Goes on after every error. */
#include "scene/read.h"
#include "scene/quantity.h"
#include "scene/text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- complaints */

void mn_complain(mn_reader *reader, const mn_node *node, const char *format, ...)
{
    char text[1500], path[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mn_node_path(node, path, sizeof path);
    reader->errors++;
    mn_say_error(reader->say, node->at, "%s%s%s", path, path[0] ? ": " : "", text);
}

static const mn_node *nearest_node(const mn_node *node, const char *path)
{
    while (node && *path) {
        size_t length = strcspn(path, ".");
        const mn_node *next = NULL;
        for (const mn_node *child = node->first; child && !next; child = child->next) {
            char index[16];
            snprintf(index, sizeof index, "%d", child->index);
            const char *step = child->key ? child->key : index;
            if (strlen(step) == length && strncmp(step, path, length) == 0) next = child;
        }
        if (!next) break;
        node = next;
        path += length + (path[length] == '.');
    }
    return node;
}

void mn_complain_at(mn_reader *reader, const char *path, const char *format, ...)
{
    char text[1500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reader->errors++;
    mn_say_error(reader->say, nearest_node(reader->tree->root, path)->at, "%s: %s", path, text);
}

void mn_complain_place(mn_reader *reader, mn_place at, const char *format, ...)
{
    char text[1500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reader->errors++;
    mn_say_error(reader->say, at, "%s", text);
}

void mn_complain_expected(mn_reader *reader, const mn_key *key, const mn_node *node)
{
    if (node->broken) return;
    char expected[900], found[120];
    mn_key_expects(key, expected, sizeof expected);
    mn_node_describe(node, found, sizeof found);
    const char *hint = "";
    if (node->kind == MN_SCALAR && strstr(node->text, "//")) hint = " (a comment begins with #, not with //)";
    mn_complain(reader, node, "expected %s, found %s%s", expected, found, hint);
}

void mn_complain_name(mn_reader *reader, const mn_node *node, const char *what, const char *name,
                      const char *const *names, int count)
{
    if (reader->errors > 500) count = 0; /* no one reads these; spare the search */
    const char *near = mn_nearest(name, names, count);
    if (near) {
        mn_complain(reader, node, "unknown %s \"%.60s\"; did you mean \"%s\"?", what, name, near);
        return;
    }
    char all[900] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    const char *hint = strstr(name, "//") ? " (a comment begins with #, not with //)" : "";
    mn_complain(reader, node, "unknown %s \"%.60s\"%s; expected one of %s", what, name, hint, all);
}

static void complain_key(mn_reader *reader, const mn_node *node, const mn_table *table, const mn_model_info *model)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_table_names(table, model, names, MN_MOST_NAMES);
    mn_node at = *node->parent; /* the mapping's path, the key's place */
    at.at = node->key_at;
    mn_complain_name(reader, &at, "key", node->key, names, count);
}

void *mn_need(mn_reader *reader, void *p)
{
    if (!p) reader->out_of_memory = true;
    return p;
}

mn_place mn_reader_place(const mn_reader *reader, const mn_node *node)
{
    bool in_file = node && node->at.file && strcmp(node->at.file, reader->scene->path) == 0;
    return (mn_place){reader->scene->path, in_file ? node->at.line : 0, in_file ? node->at.column : 0};
}

/* ----------------------------------------------------------------- numbers */

/* Why a text is not a number, where the reason is a common one; else what the reader of quantities says. */
static void number_hint(const mn_node *node, const char *why, char *out, size_t capacity)
{
    const char *s = node->text, *hint = NULL;
    size_t digits = strspn(s, "+-.0123456789eE");
    if (strstr(s, "//")) hint = "(a comment begins with #, not with //)";
    else if (node->quoted && mn_is_decimal(s)) hint = "in quotes (write the number without them)";
    else if (digits && s[digits] == ',') hint = "(write the decimal point as a point)";
    else if (strcasestr(s, "nan") || strcasestr(s, "inf")) hint = "(numbers have to be finite)";
    if (hint) snprintf(out, capacity, " %s", hint);
    else if (*why) snprintf(out, capacity, " (%s)", why);
}

/* What a value is in the key's unit where the text does not say it, and the limit that it passes where the texts leave
 * it out: those so wide that only slips reach them. */
static void value_hint(const mn_key *key, const mn_node *node, double value, const char *expected, char *out,
                       size_t capacity)
{
    int used = 0;
    if (!mn_is_decimal(node->text) && isfinite(value))
        used = snprintf(out, capacity, " (%g%s%s)", value, key->unit ? " " : "", key->unit ? key->unit : "");
    if (value > key->max && !strstr(expected, " to "))
        snprintf(out + used, capacity - (size_t)used, " (at most %g)", key->max);
    else if (value < key->min && !strstr(expected, " from "))
        snprintf(out + used, capacity - (size_t)used, " (at least %g)", key->min);
}

bool mn_read_number(mn_reader *reader, const mn_key *key, const mn_node *node, double *out)
{
    *out = NAN;
    if (node->broken) return false;
    bool whole = key->type == MN_KEY_INTEGER || key->type == MN_KEY_LONG || key->type == MN_KEY_INTEGERS;
    double value = NAN;
    char expected[900], found[120], why[300] = "", hint[400] = "";
    if (node->kind == MN_SCALAR) {
        if (!mn_is_decimal(node->text)) mn_quantity_read(node->text, key->unit, &value, why, sizeof why);
        else if (!node->quoted) value = strtod(node->text, NULL);
        if (*why) value = NAN;
        if (key->max == DBL_MAX && !node->quoted && strcmp(node->text, ".inf") == 0) {
            *out = INFINITY;
            return true;
        }
    }
    if (isfinite(value) && value >= key->min && value <= key->max && (!whole || value == floor(value))) {
        *out = value == 0 ? 0 : value; /* no negative zero */
        return true;
    }
    mn_key one = *key;
    if (key->type == MN_KEY_NUMBERS || (key->type == MN_KEY_CURVE && key->width > 1)) one.type = MN_KEY_NUMBER;
    if (key->type == MN_KEY_INTEGERS) one.type = MN_KEY_INTEGER;
    mn_key_expects(&one, expected, sizeof expected);
    mn_node_describe(node, found, sizeof found);
    if (node->kind == MN_SCALAR) number_hint(node, why, hint, sizeof hint);
    if (node->kind == MN_SCALAR && !*hint) value_hint(key, node, value, expected, hint, sizeof hint);
    mn_complain(reader, node, "expected %s, found %s%s", expected, found, hint);
    return false;
}

static void read_numbers(mn_reader *reader, const mn_key *key, const mn_node *node, double *out)
{
    for (int i = 0; i < key->width; i++) out[i] = NAN;
    if (key->same && node->kind == MN_SCALAR) {
        mn_read_number(reader, key, node, &out[0]);
        for (int i = 1; i < key->width; i++) out[i] = out[0];
        return;
    }
    if (node->kind != MN_SEQUENCE || node->count != key->width) {
        mn_complain_expected(reader, key, node);
        return;
    }
    int i = 0;
    for (const mn_node *child = node->first; child; child = child->next) mn_read_number(reader, key, child, &out[i++]);
}

static void read_integers(mn_reader *reader, const mn_key *key, const mn_node *node, int *out)
{
    double values[8] = {0};
    read_numbers(reader, key, node, values);
    for (int i = 0; i < key->width; i++) out[i] = isnan(values[i]) ? 0 : (int)values[i];
}

/* ------------------------------------------------------------------ curves */

static bool make_curve(mn_reader *reader, mn_curve *curve, int count, int width)
{
    mn_curve_release(curve); /* of another kind of the same thing, which is refused in the end */
    curve->time = mn_need(reader, calloc((size_t)count, sizeof(double)));
    curve->value = mn_need(reader, calloc((size_t)count * (size_t)width, sizeof(double)));
    if (!curve->time || !curve->value) {
        mn_curve_release(curve);
        return false;
    }
    curve->count = count;
    curve->width = width;
    return true;
}

static void read_value(mn_reader *reader, const mn_key *key, const mn_node *node, double *out)
{
    if (key->width == 1) mn_read_number(reader, key, node, out);
    else read_numbers(reader, key, node, out);
}

static void read_keyframes(mn_reader *reader, const mn_key *key, const mn_node *node, mn_curve *curve)
{
    static const mn_key moment = {.type = MN_KEY_NUMBER, .unit = "s", .min = -1e9, .max = 1e9};
    double last = -INFINITY;
    int i = 0;
    for (const mn_node *child = node->first; child; child = child->next, i++) {
        mn_node time = {
            .kind = MN_SCALAR, .text = child->key, .at = child->key_at, .parent = child->parent, .key = child->key};
        time.broken = child->twin;
        if (mn_read_number(reader, &moment, &time, &curve->time[i])) {
            if (curve->time[i] <= last)
                mn_complain(reader, &time, "keyframe times must increase, but %g s follows %g s", curve->time[i], last);
            last = curve->time[i];
        }
        read_value(reader, key, child, curve->value + (long)i * key->width);
    }
}

static void read_curve(mn_reader *reader, const mn_key *key, const mn_node *node, mn_curve *curve)
{
    if (node->kind == MN_MAPPING && node->count > 0) {
        if (make_curve(reader, curve, node->count, key->width)) read_keyframes(reader, key, node, curve);
    } else if (node->kind == (key->width == 1 ? MN_SCALAR : MN_SEQUENCE)) {
        if (make_curve(reader, curve, 1, key->width)) read_value(reader, key, node, curve->value);
    } else {
        mn_complain_expected(reader, key, node);
    }
}

/* --------------------------------------------------------- words and lists */

static bool has_control(const char *text)
{
    if (strstr(text, "\xe2\x80\xa8") || strstr(text, "\xe2\x80\xa9") || strstr(text, "\xef\xbb\xbf")) return true;
    for (; *text; text++) {
        const unsigned char c = (unsigned char)text[0], d = (unsigned char)text[1];
        if (c < 32 || c == 127 || (c == 0xc2 && d < 0xa0)) return true;
    }
    return false;
}

/* A malloc'd copy in one line: breaks and tabs become blanks, blanks at the ends go. Within the path of a file all
 * stays as it is. */
static void read_text(mn_reader *reader, const mn_key *key, const mn_node *node, char **out)
{
    if (node->kind != MN_SCALAR || node->broken) {
        mn_complain_expected(reader, key, node);
        return;
    }
    char *text = mn_need(reader, strdup(node->text));
    if (!text) return;
    size_t length = strlen(text);
    for (size_t i = 0; i < length && !key->path; i++)
        if (text[i] == '\n' || text[i] == '\t') text[i] = ' ';
    while (length && strchr(" \t\n", text[length - 1])) text[--length] = 0;
    if (key->path) mn_unquote_bytes(text);
    const bool control = !key->path && has_control(text);
    if (control || (double)length < key->min || (double)length > key->max) {
        if (control) mn_complain(reader, node, "a text must not contain control characters");
        else mn_complain_expected(reader, key, node);
        free(text);
        return;
    }
    *out = text;
}

/* The index of a name, or -1 after a complaint. */
static int read_name(mn_reader *reader, const mn_key *key, const mn_node *node, const char **name)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_key_names(key, names, MN_MOST_NAMES);
    if (node->kind != MN_SCALAR || node->broken || (!node->quoted && !node->text[0])) {
        mn_complain_expected(reader, key, node);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(node->text, names[i]) != 0) continue;
        if (name) *name = names[i];
        return i;
    }
    if (key->open && name) return *name = node->text, count;
    mn_complain_name(reader, node, key->type == MN_KEY_MARKS || key->type == MN_KEY_NAMES ? "name" : key->name,
                     node->text, names, count);
    return -1;
}

static void read_word(mn_reader *reader, const mn_key *key, const mn_node *node, char **out)
{
    const char *name;
    if (read_name(reader, key, node, &name) >= 0) *out = mn_need(reader, strdup(name));
}

static bool is_list(mn_reader *reader, const mn_key *key, const mn_node *node)
{
    bool counted = key->max > 0;
    if (node->kind == MN_SEQUENCE && (!counted || (node->count >= key->min && node->count <= key->max))) return true;
    mn_complain_expected(reader, key, node);
    return false;
}

static void read_marks(mn_reader *reader, const mn_key *key, const mn_node *node, bool *marks)
{
    if (!is_list(reader, key, node)) return;
    for (const mn_node *child = node->first; child; child = child->next) {
        int index = read_name(reader, key, child, NULL);
        /* names beyond the width are second names in the same order */
        if (index >= 0) marks[index % key->width] = true;
    }
}

static void read_names(mn_reader *reader, const mn_key *key, const mn_node *node, char ***out, int *count)
{
    if (!is_list(reader, key, node) || node->count == 0) return;
    *out = mn_need(reader, calloc((size_t)node->count, sizeof(char *)));
    if (!*out) return;
    int used = 0;
    for (const mn_node *child = node->first; child; child = child->next) {
        const char *name;
        if (read_name(reader, key, child, &name) < 0) continue;
        bool twice = false;
        for (int i = 0; i < used; i++) twice |= strcmp((*out)[i], name) == 0;
        char *copy = twice ? NULL : mn_need(reader, strdup(name));
        if (twice) mn_complain(reader, child, "\"%s\" is listed twice", name);
        if (copy) (*out)[used++] = copy;
    }
    *count = used;
}

static void read_list(mn_reader *reader, const mn_key *key, const mn_node *node, char *record)
{
    if (!is_list(reader, key, node) || node->count == 0) return;
    char *items = mn_need(reader, calloc((size_t)node->count, key->sub->size));
    if (!items) return;
    *(char **)(record + key->offset) = items;
    *(int *)(record + key->count_offset) = node->count;
    for (const mn_node *child = node->first; child; child = child->next, items += key->sub->size) {
        if (child->kind == MN_MAPPING) mn_read_table(reader, key->sub, child, items);
        else mn_complain_expected(reader, &(mn_key){.type = MN_KEY_MAP}, child);
    }
}

static void read_shapes(mn_reader *reader, const mn_key *key, const mn_node *node, mn_shape_def **shapes, int *count)
{
    if (!is_list(reader, key, node) || node->count == 0) return;
    *shapes = mn_need(reader, calloc((size_t)node->count, sizeof(mn_shape_def)));
    if (!*shapes) return;
    *count = node->count;
    for (const mn_node *child = node->first; child; child = child->next)
        mn_read_shape(reader, child, &(*shapes)[child->index]);
}

static void read_flag(mn_reader *reader, const mn_key *key, const mn_node *node, bool *out)
{
    bool scalar = node->kind == MN_SCALAR && !node->quoted;
    if (scalar && strcmp(node->text, "true") == 0) *out = true;
    else if (scalar && strcmp(node->text, "false") == 0) *out = false;
    else mn_complain_expected(reader, key, node);
}

void mn_read_key(mn_reader *reader, const mn_key *key, const mn_node *node, void *record)
{
    void *at = (char *)record + key->offset;
    int *count = (int *)((char *)record + key->count_offset);
    double number;
    switch (key->type) {
    case MN_KEY_NUMBER: mn_read_number(reader, key, node, at); break;
    case MN_KEY_INTEGER: *(int *)at = mn_read_number(reader, key, node, &number) ? (int)number : 0; break;
    case MN_KEY_LONG: *(long *)at = mn_read_number(reader, key, node, &number) ? (long)number : 0; break;
    case MN_KEY_FLAG: read_flag(reader, key, node, at); break;
    case MN_KEY_TEXT: read_text(reader, key, node, at); break;
    case MN_KEY_WORD: read_word(reader, key, node, at); break;
    case MN_KEY_CHOICE: {
        int index = read_name(reader, key, node, NULL);
        *(int *)at = index < 0 ? 0 : index;
        break;
    }
    case MN_KEY_NAMES: read_names(reader, key, node, at, count); break;
    case MN_KEY_MARKS: read_marks(reader, key, node, at); break;
    case MN_KEY_NUMBERS: read_numbers(reader, key, node, at); break;
    case MN_KEY_INTEGERS: read_integers(reader, key, node, at); break;
    case MN_KEY_CURVE: read_curve(reader, key, node, at); break;
    case MN_KEY_ROTATION: mn_read_rotation(reader, key, node, at); break;
    case MN_KEY_MODEL: break; /* with its parameters, by the table's finisher */
    case MN_KEY_MAP: mn_read_table(reader, key->sub, node, at); break;
    case MN_KEY_LIST: read_list(reader, key, node, record); break;
    case MN_KEY_SHAPE: mn_read_shape(reader, node, at); break;
    case MN_KEY_SHAPES: read_shapes(reader, key, node, at, count); break;
    }
}

/* ---------------------------------------------------------------- mappings */

/* The default of a row as a node: a scalar, or `[a, b, c]` split at the commas. */
static mn_node *standard_node(mn_reader *reader, const char *text)
{
    bool list = text[0] == '[';
    mn_node *node = mn_need(reader, mn_node_new(reader->tree, list ? MN_SEQUENCE : MN_SCALAR, MN_NOWHERE));
    if (!node) return NULL;
    node->text = strcmp(text, "\"\"") == 0 ? "" : text;
    node->quoted = node->text != text;
    for (text += list; list && *text && *text != ']';) {
        size_t length = strcspn(text, ",]");
        mn_node *item = mn_need(reader, mn_node_new(reader->tree, MN_SCALAR, MN_NOWHERE));
        if (!item || !(item->text = mn_need(reader, mn_tree_text(reader->tree, text, length)))) return NULL;
        mn_node_append(node, item);
        text += length + strspn(text + length, ", ");
    }
    return node;
}

static bool has_required(const mn_table *table)
{
    for (int i = 0; i < table->count; i++)
        if (!table->keys[i].standard) return true;
    return false;
}

static void fill_missing(mn_reader *reader, const mn_key *key, const mn_node *node, void *record)
{
    char expected[900];
    mn_key_expects(key, expected, sizeof expected);
    if (node) mn_complain(reader, node, "the key \"%s\" is missing; expected %s", key->name, expected);
    for (int i = 0; key->type == MN_KEY_MAP && i < key->sub->count; i++)
        if (!key->sub->keys[i].standard) fill_missing(reader, &key->sub->keys[i], NULL, (char *)record + key->offset);
    int width = key->type == MN_KEY_NUMBER ? 1 : key->type == MN_KEY_NUMBERS ? key->width : 0;
    for (int i = 0; i < width; i++) ((double *)((char *)record + key->offset))[i] = NAN;
}

/* An absent mapping has the defaults of its rows, unless some of them have none: then it stays absent
 * (`domain`). */
static void fill_absent(mn_reader *reader, const mn_key *key, const mn_node *node, void *record)
{
    if (!key->standard) {
        fill_missing(reader, key, node, record);
    } else if (key->type == MN_KEY_MAP) {
        if (!has_required(key->sub)) mn_read_table(reader, key->sub, NULL, (char *)record + key->offset);
    } else if (key->standard[0] != '=' && strcmp(key->standard, "-") != 0) {
        mn_node *standard = standard_node(reader, key->standard);
        if (standard) mn_read_key(reader, key, standard, record);
    }
}

static bool read_extra(mn_reader *reader, const mn_table *table, const mn_node *child, void *record)
{
    if (table->extra != MN_FLUID_MODELS) return false;
    const char *kinds[MN_MOST_NAMES];
    int count = mn_fluid_kinds(kinds, MN_MOST_NAMES);
    for (int i = 0; i < count; i++) {
        if (strcmp(child->key, kinds[i]) != 0) continue;
        mn_read_fluid_model(reader, child, kinds[i], record);
        return true;
    }
    return false;
}

/* The model whose parameters stand beside the rows, NULL if there is none or it is not known. */
static const mn_model_info *model_beside(const mn_table *table, const mn_node *node)
{
    if (table->extra != MN_PRESSURE_PARAMETERS) return NULL;
    const mn_node *model = mn_node_get(node, "model");
    if (!model) return mn_model_find("pressure", mn_table_find(table, "model")->standard);
    return model->kind == MN_SCALAR ? mn_model_find("pressure", model->text) : NULL;
}

/* Beside an unknown model, every parameter of its kind passes: one complaint is enough. */
static bool is_param(const mn_table *table, const mn_model_info *model, const char *name)
{
    if (table->extra != MN_PRESSURE_PARAMETERS) return false;
    for (int m = 0; m < mn_model_count(); m++) {
        const mn_model_info *info = mn_model_at(m);
        if (model ? info != model : strcmp(info->kind, "pressure") != 0) continue;
        for (int i = 0; i < info->param_count; i++)
            if (strcmp(info->params[i].key, name) == 0) return true;
    }
    return false;
}

/* `pressure: iisph` is short for `pressure: {model: iisph}`. */
static const mn_node *lengthen(mn_reader *reader, const mn_node *word)
{
    mn_node *model = mn_need(reader, mn_node_new(reader->tree, MN_SCALAR, word->at));
    mn_node *whole = mn_need(reader, mn_node_new(reader->tree, MN_MAPPING, word->at));
    if (!model || !whole) return NULL;
    whole->parent = word->parent;
    whole->key = word->key;
    model->text = word->text;
    model->key = "model";
    mn_node_append(whole, model);
    return whole;
}

void mn_read_table(mn_reader *reader, const mn_table *table, const mn_node *node, void *record)
{
    bool word = node && node->kind == MN_SCALAR && node->text[0];
    if (word && table->extra == MN_PRESSURE_PARAMETERS) node = lengthen(reader, node);
    if (node && node->kind != MN_MAPPING) {
        mn_complain_expected(reader, &(mn_key){.type = MN_KEY_MAP}, node);
        node = NULL;
    }
    const mn_model_info *model = model_beside(table, node);
    for (const mn_node *child = node ? node->first : NULL; child; child = child->next) {
        const mn_key *key = mn_table_find(table, child->key);
        if (child->twin) continue;
        if (key) mn_read_key(reader, key, child, record);
        else if (!read_extra(reader, table, child, record) && !is_param(table, model, child->key))
            complain_key(reader, child, table, model);
    }
    for (int i = 0; i < table->count; i++)
        if (!mn_node_get(node, table->keys[i].name)) fill_absent(reader, &table->keys[i], node, record);
    if (table->at) *(mn_place *)((char *)record + table->at) = mn_reader_place(reader, node);
    if (table->finish) table->finish(reader, node, record);
}
