/* write.c -- a scene back into YAML, by the same tables: block style for what has a name, flow style for shapes and
 * models.
 *
 * Reading the result gives the same structs bit for bit: numbers carry enough digits, rotations stand as matrices,
 * meshes as full paths.
 */
#include "scene/read.h"
#include "scene/key_table.h"
#include "scene/text.h"

#include <stdlib.h>
#include <string.h>

static void put_table(mn_text *out, const mn_table *table, const void *record, int indent);

static void put_numbers(mn_text *out, const double *values, int count)
{
    mn_put(out, "[");
    for (int i = 0; i < count; i++) {
        if (i) mn_put(out, ", ");
        mn_put_number(out, values[i]);
    }
    mn_put(out, "]");
}

static void put_value(mn_text *out, const double *value, int width)
{
    if (width == 1) mn_put_number(out, *value);
    else put_numbers(out, value, width);
}

static void put_curve(mn_text *out, const mn_curve *curve)
{
    if (curve->count == 1) {
        put_value(out, curve->value, curve->width);
        return;
    }
    mn_put(out, "{");
    for (int i = 0; i < curve->count; i++) {
        if (i) mn_put(out, ", ");
        mn_put_number(out, curve->time[i]);
        mn_put(out, ": ");
        put_value(out, curve->value + (long)i * curve->width, curve->width);
    }
    mn_put(out, "}");
}

static void put_rotation(mn_text *out, const double m[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool turned = false;
    for (int i = 0; i < 9; i++) turned |= m[i] != identity[i];
    if (turned) put_numbers(out, m, 9);
    else mn_put(out, "[0, 0, 0]");
}

static void put_marks(mn_text *out, const mn_key *key, const bool *marks)
{
    const char *names[MN_MOST_NAMES], *comma = "";
    mn_key_names(key, names, MN_MOST_NAMES);
    mn_put(out, "[");
    for (int i = 0; i < key->width; i++) {
        if (!marks[i]) continue;
        mn_put(out, "%s%s", comma, names[i]);
        comma = ", ";
    }
    mn_put(out, "]");
}

static void put_names(mn_text *out, char *const *names, int count)
{
    mn_put(out, "[");
    for (int i = 0; i < count; i++) mn_put(out, "%s%s", i ? ", " : "", names[i]);
    mn_put(out, "]");
}

static bool all_equal(const double *values, int count)
{
    for (int i = 1; i < count; i++)
        if (values[i] != values[0]) return false;
    return true;
}

static bool is_written(const mn_key *key, const void *record) { return !key->written || key->written(record); }

/* Rows whose value fits behind the colon. */
static void put_inline(mn_text *out, const mn_key *key, const void *record)
{
    const void *at = (const char *)record + key->offset;
    int count = *(const int *)((const char *)record + key->count_offset);
    const char *names[MN_MOST_NAMES];
    switch (key->type) {
    case MN_KEY_NUMBER: mn_put_number(out, *(const double *)at); break;
    case MN_KEY_INTEGER: mn_put(out, "%d", *(const int *)at); break;
    case MN_KEY_LONG: mn_put(out, "%ld", *(const long *)at); break;
    case MN_KEY_FLAG: mn_put(out, *(const bool *)at ? "true" : "false"); break;
    case MN_KEY_TEXT: mn_put_quoted(out, *(char *const *)at); break;
    case MN_KEY_WORD: mn_put(out, "%s", *(char *const *)at); break;
    case MN_KEY_CHOICE: mn_key_names(key, names, MN_MOST_NAMES), mn_put(out, "%s", names[*(const int *)at]); break;
    case MN_KEY_NAMES: put_names(out, *(char **const *)at, count); break;
    case MN_KEY_MARKS: put_marks(out, key, at); break;
    case MN_KEY_NUMBERS:
        if (key->same && all_equal(at, key->width)) mn_put_number(out, *(const double *)at);
        else put_numbers(out, at, key->width);
        break;
    case MN_KEY_INTEGERS:
        for (int i = 0; i < key->width; i++) mn_put(out, "%s%d", i ? ", " : "[", ((const int *)at)[i]);
        mn_put(out, "]");
        break;
    case MN_KEY_CURVE: put_curve(out, at); break;
    case MN_KEY_ROTATION: put_rotation(out, at); break;
    default: break;
    }
}

static void put_shape(mn_text *out, const mn_shape_def *shape)
{
    mn_draft draft = mn_draft_of(shape);
    const mn_table *table = &mn_shape_tables[shape->kind];
    const char *comma = "";
    mn_put(out, "%s: {", mn_shape_names[shape->kind]);
    for (int i = 0; i < table->count; i++) {
        const mn_key *key = &table->keys[i];
        if (!is_written(key, &draft)) continue;
        mn_put(out, "%s%s: ", comma, key->name);
        put_inline(out, key, &draft);
        comma = ", ";
    }
    mn_put(out, "}");
}

static void put_shapes(mn_text *out, const mn_key *key, const char *record, int indent)
{
    const mn_shape_def *shapes = *(mn_shape_def *const *)(record + key->offset);
    int count = *(const int *)(record + key->count_offset);
    mn_put(out, count ? "\n" : " []\n");
    for (int i = 0; i < count; i++) {
        mn_put_indent(out, indent);
        mn_put(out, "- ");
        put_shape(out, &shapes[i]);
        mn_put(out, "\n");
    }
}

static void put_list(mn_text *out, const mn_key *key, const char *record, int indent)
{
    const char *items = *(char *const *)(record + key->offset);
    int count = *(const int *)(record + key->count_offset);
    mn_put(out, count ? "\n" : " []\n");
    for (int i = 0; i < count; i++) {
        size_t start = out->length + (size_t)indent;
        put_table(out, key->sub, items + (size_t)i * key->sub->size, indent + 2);
        if (!out->failed) out->data[start] = '-'; /* in the indentation of the first key */
    }
}

static void put_model(mn_text *out, const mn_model_use *use, int indent)
{
    mn_put(out, " %s\n", use->model->key);
    for (int i = 0; i < use->model->param_count; i++) {
        mn_put_indent(out, indent);
        mn_put(out, "%s: ", use->model->params[i].key);
        put_curve(out, &use->params[i]);
        const char *unit = mn_key_of_param(&use->model->params[i]).unit;
        mn_put(out, unit ? "  # %s\n" : "\n", unit);
    }
}

static void put_key(mn_text *out, const mn_key *key, const void *record, int indent)
{
    mn_put_indent(out, indent);
    mn_put(out, "%s:", key->name);
    switch (key->type) {
    case MN_KEY_MAP:
        mn_put(out, "\n");
        put_table(out, key->sub, (const char *)record + key->offset, indent + 2);
        break;
    case MN_KEY_LIST: put_list(out, key, record, indent + 2); break;
    case MN_KEY_SHAPES: put_shapes(out, key, record, indent + 2); break;
    case MN_KEY_SHAPE:
        mn_put(out, " {");
        put_shape(out, (const mn_shape_def *)((const char *)record + key->offset));
        mn_put(out, "}\n");
        break;
    case MN_KEY_MODEL: put_model(out, (const mn_model_use *)((const char *)record + key->offset), indent); break;
    default:
        mn_put(out, " ");
        put_inline(out, key, record);
        mn_put(out, key->unit ? "  # %s\n" : "\n", key->unit);
    }
}

static void put_fluid_model(mn_text *out, const mn_model_use *use)
{
    mn_put(out, "{model: %s", use->model->key);
    for (int p = 0; p < use->model->param_count; p++) {
        mn_put(out, ", %s: ", use->model->params[p].key);
        put_curve(out, &use->params[p]);
    }
    mn_put(out, "}\n");
}

/* One model stands behind the key of its kind, so that --set names its parameters as in most scenes; several of a kind
 * as a list below it. */
static void put_fluid_models(mn_text *out, const mn_fluid *fluid, int indent)
{
    const char *kinds[MN_MOST_NAMES];
    int count = mn_fluid_kinds(kinds, MN_MOST_NAMES);
    for (int k = 0; k < count; k++) {
        int uses = 0, written = 0;
        for (int i = 0; i < fluid->model_count; i++) uses += strcmp(fluid->models[i].model->kind, kinds[k]) == 0;
        for (int i = 0; i < fluid->model_count; i++) {
            const mn_model_use *use = &fluid->models[i];
            if (strcmp(use->model->kind, kinds[k]) != 0) continue;
            mn_put_indent(out, indent);
            if (written == 0) mn_put(out, "%s:", kinds[k]);
            if (written++ == 0 && uses > 1) mn_put(out, "\n%*s", indent, "");
            mn_put(out, uses > 1 ? "  - " : " ");
            put_fluid_model(out, use);
        }
    }
}

static void put_table(mn_text *out, const mn_table *table, const void *record, int indent)
{
    for (int i = 0; i < table->count; i++)
        if (is_written(&table->keys[i], record)) put_key(out, &table->keys[i], record, indent);
    if (table->extra == MN_FLUID_MODELS) put_fluid_models(out, record, indent);
}

size_t mn_scene_text(const mn_scene *scene, char *out, size_t capacity)
{
    char *text = mn_scene_write(scene);
    const size_t length = text ? strlen(text) : 0;
    if (capacity > 0) out[0] = 0;
    if (text && capacity > 0) {
        const size_t taken = length < capacity ? length : capacity - 1;
        memcpy(out, text, taken);
        out[taken] = 0;
    }
    free(text);
    return length;
}

char *mn_scene_write(const mn_scene *scene)
{
    struct mn_c_locale locale;
    mn_text out = {0};
    if (!mn_c_locale_enter(&locale)) return NULL;
    put_table(&out, &mn_scene_table, scene, 0);
    mn_c_locale_leave(&locale);
    return mn_text_done(&out);
}
