/* schema.c -- the tables as documents: a JSON schema (draft 7) for editors, a Markdown reference for people. */
#include "scene/key_table.h"
#include "scene/node.h"
#include "scene/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *models_intro =
    "A word takes the model with its defaults, a mapping `{model: NAME, PARAMETER: value}` sets parameters; "
    "every parameter may change over time.";

/* -------------------------------------------------------------- JSON schema */

/* How a text with a unit or arithmetic begins. */
#define QUANTITY_PATTERN "^\\\\s*([-+.(0-9]|pi|sqrt)"

static void json_table(mn_text *out, const mn_table *table);

static void json_range(mn_text *out, const mn_key *key)
{
    mn_put(out, ", \"minimum\": ");
    mn_put_number(out, key->min);
    if (key->max == DBL_MAX) return;
    mn_put(out, ", \"maximum\": ");
    mn_put_number(out, key->max);
}

static void json_number(mn_text *out, const mn_key *key, const char *type)
{
    mn_put(out, "{\"anyOf\": [{\"type\": \"%s\"", type);
    json_range(out, key);
    mn_put(out, "}, {\"$ref\": \"#/definitions/quantity\"}%s]}", key->max == DBL_MAX ? ", {\"const\": \".inf\"}" : "");
}

static void json_array(mn_text *out, const mn_key *key, const char *type)
{
    mn_put(out, "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", key->width, key->width);
    json_number(out, key, type);
    mn_put(out, "}");
}

static void json_value(mn_text *out, const mn_key *key)
{
    if (key->width == 1) json_number(out, key, "number");
    else json_array(out, key, "number");
}

static void json_curve(mn_text *out, const mn_key *key)
{
    mn_put(out, "{\"anyOf\": [");
    json_value(out, key);
    mn_put(out,
           ", {\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": false, \"patternProperties\": "
           "{\"" QUANTITY_PATTERN "\": ");
    json_value(out, key);
    mn_put(out, "}}]}");
}

/* Where the scene adds names of its own, any text may stand. */
static void json_names(mn_text *out, const mn_key *key)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_key_names(key, names, MN_MOST_NAMES);
    if (key->open) mn_put(out, "{\"anyOf\": [");
    mn_put(out, "{\"enum\": [");
    for (int i = 0; i < count; i++) mn_put(out, "%s\"%s\"", i ? ", " : "", names[i]);
    mn_put(out, "]}");
    if (key->open) mn_put(out, ", {\"type\": \"string\"}]}");
}

static void json_type(mn_text *out, const mn_key *key)
{
    switch (key->type) {
    case MN_KEY_NUMBER: json_number(out, key, "number"); break;
    case MN_KEY_INTEGER:
    case MN_KEY_LONG: json_number(out, key, "integer"); break;
    case MN_KEY_FLAG: mn_put(out, "{\"type\": \"boolean\"}"); break;
    case MN_KEY_TEXT:
        mn_put(out, "{\"type\": \"string\", \"minLength\": %g, \"maxLength\": %g}", key->min, key->max);
        break;
    case MN_KEY_MODEL:
    case MN_KEY_WORD:
    case MN_KEY_CHOICE: json_names(out, key); break;
    case MN_KEY_NAMES:
    case MN_KEY_MARKS:
        mn_put(out, "{\"type\": \"array\", \"items\": ");
        json_names(out, key);
        mn_put(out, "}");
        break;
    case MN_KEY_NUMBERS:
        if (key->same) mn_put(out, "{\"anyOf\": [");
        if (key->same) json_number(out, key, "number"), mn_put(out, ", ");
        json_array(out, key, "number");
        if (key->same) mn_put(out, "]}");
        break;
    case MN_KEY_INTEGERS: json_array(out, key, "integer"); break;
    case MN_KEY_CURVE: json_curve(out, key); break;
    case MN_KEY_ROTATION: mn_put(out, "{\"$ref\": \"#/definitions/rotation\"}"); break;
    case MN_KEY_SHAPE: mn_put(out, "{\"$ref\": \"#/definitions/shape\"}"); break;
    case MN_KEY_SHAPES:
        mn_put(
            out,
            "{\"type\": \"array\", \"minItems\": %g, \"maxItems\": %g, \"items\": {\"$ref\": \"#/definitions/shape\"}}",
            key->min, key->max);
        break;
    case MN_KEY_MAP:
        if (key->sub->extra == MN_PRESSURE_PARAMETERS) mn_put(out, "{\"anyOf\": [{\"type\": \"string\"}, ");
        json_table(out, key->sub);
        if (key->sub->extra == MN_PRESSURE_PARAMETERS) mn_put(out, "]}");
        break;
    case MN_KEY_LIST:
        mn_put(out, "{\"type\": \"array\", \"minItems\": %g, \"maxItems\": %g, \"items\": ", key->min, key->max);
        json_table(out, key->sub);
        mn_put(out, "}");
        break;
    }
}

/* One property: the type inside allOf, so that a description can stand beside a $ref. */
static void json_property(mn_text *out, const mn_key *key)
{
    char help[700];
    const char *standard = key->standard ? key->standard : "";
    snprintf(help, sizeof help, "%s%s%s%s%s%s", key->help, key->unit ? "; unit " : "", key->unit ? key->unit : "",
             key->standard && strcmp(standard, "-") != 0 ? "; default " : "",
             strcmp(standard, "-") != 0 ? standard + (standard[0] == '=') : "", key->standard ? "" : "; required");
    mn_put_quoted(out, key->name);
    mn_put(out, ": {\"description\": ");
    mn_put_quoted(out, help);
    mn_put(out, ", \"allOf\": [");
    json_type(out, key);
    mn_put(out, "]}");
}

static void json_params(mn_text *out, const mn_model_info *model)
{
    for (int i = 0; i < model->param_count; i++) {
        mn_key key = mn_key_of_param(&model->params[i]);
        char standard[40];
        snprintf(standard, sizeof standard, "%g", model->params[i].value);
        key.standard = standard;
        mn_put(out, ", ");
        json_property(out, &key);
    }
}

static void json_table(mn_text *out, const mn_table *table)
{
    const char *kinds[MN_MOST_NAMES], *comma = "";
    mn_put(out, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (int i = 0; i < table->count; i++) {
        mn_put(out, "%s\n", i ? "," : "");
        json_property(out, &table->keys[i]);
        mn_key other = table->keys[i];
        if (!(other.name = mn_key_respelt(other.name))) continue;
        mn_put(out, ",\n");
        json_property(out, &other);
    }
    int count = table->extra == MN_FLUID_MODELS ? mn_fluid_kinds(kinds, MN_MOST_NAMES) : 0;
    for (int i = 0; i < count; i++)
        mn_put(out,
               ",\n\"%s\": {\"anyOf\": [{\"$ref\": \"#/definitions/%s\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
               "\"#/definitions/%s\"}}]}",
               kinds[i], kinds[i], kinds[i]);
    for (int i = 0; table->extra == MN_PRESSURE_PARAMETERS && i < mn_model_count(); i++)
        if (strcmp(mn_model_at(i)->kind, "pressure") == 0) json_params(out, mn_model_at(i));
    mn_put(out, "}, \"required\": [");
    for (int i = 0; i < table->count; i++) {
        if (table->keys[i].standard || mn_key_respelt(table->keys[i].name)) continue; /* by either name */
        mn_put(out, "%s\"%s\"", comma, table->keys[i].name);
        comma = ", ";
    }
    mn_put(out, "]}");
}

static void json_kind(mn_text *out, const char *kind)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_models_of_kind(kind, names, MN_MOST_NAMES);
    mn_put(out, "\"%s\": {\"anyOf\": [{\"enum\": [", kind);
    for (int i = 0; i < count; i++) mn_put(out, "%s\"%s\"", i ? ", " : "", names[i]);
    mn_put(out, "]}");
    if (strcmp(kind, "viscosity") == 0) { /* an amount */
        const mn_key amount = mn_key_of_param(&mn_model_find(kind, "standard")->params[0]);
        mn_put(out, ",\n");
        json_curve(out, &amount);
    }
    for (int i = 0; i < count; i++) {
        mn_put(out,
               ",\n{\"type\": \"object\", \"required\": [\"model\"], \"additionalProperties\": false, \"properties\": "
               "{\"model\": "
               "{\"const\": \"%s\"}",
               names[i]);
        json_params(out, mn_model_find(kind, names[i]));
        mn_put(out, "}}");
    }
    mn_put(out, "]}");
}

static void json_definitions(mn_text *out)
{
    static const char *number = "{\"anyOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/definitions/quantity\"}]}";
    static const char *vector = "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": %s}";
    const char *kinds[MN_MOST_NAMES];
    int count = mn_fluid_kinds(kinds, MN_MOST_NAMES);
    char three[200], nine[200];
    snprintf(three, sizeof three, vector, 3, 3, number);
    snprintf(nine, sizeof nine, vector, 9, 9, number);
    mn_put(out, "\"quantity\": {\"type\": \"string\", \"pattern\": \"" QUANTITY_PATTERN "\", \"description\": "
                "\"arithmetic, and a unit: 2 mm, 2*pi/60, 0.5 * 20 cSt\"},\n");
    mn_put(out,
           "\"rotation\": {\"anyOf\": [%s, %s, {\"type\": \"object\", \"required\": [\"axis\", \"angle\"], "
           "\"additionalProperties\": false, \"properties\": {\"axis\": %s, \"angle\": %s}}]},\n",
           three, nine, three, number);
    mn_put(out, "\"shape\": {\"type\": \"object\", \"minProperties\": 1, \"maxProperties\": 1, "
                "\"additionalProperties\": false, "
                "\"properties\": {");
    for (int i = 0; i < MN_SHAPE_KINDS; i++) {
        mn_put(out, "%s\n\"%s\": ", i ? "," : "", mn_shape_names[i]);
        json_table(out, &mn_shape_tables[i]);
    }
    mn_put(out, "}}");
    for (int i = 0; i < count; i++) {
        mn_put(out, ",\n");
        json_kind(out, kinds[i]);
    }
}

char *mn_scene_schema(void)
{
    struct mn_c_locale locale;
    mn_text out = {0};
    if (!mn_c_locale_enter(&locale)) return NULL;
    mn_put(&out, "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"Meniscus "
                 "scene\",\n\"definitions\": {\n");
    json_definitions(&out);
    mn_put(&out, "},\n\"anyOf\": [");
    json_table(&out, &mn_scene_table);
    mn_put(
        &out,
        ",\n{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"base\"], \"properties\": {"
        "\"title\": {\"type\": \"string\"}, \"base\": {\"type\": \"string\", \"description\": \"file of the scene that "
        "this one is a variation of\"}, \"set\": {\"type\": \"object\", \"description\": \"what differs, by the paths "
        "of "
        "--set\"}}}]}\n");
    mn_c_locale_leave(&locale);
    return mn_text_done(&out);
}

/* ----------------------------------------------------------------- Markdown */

static void put_cell(mn_text *out, const char *text)
{
    for (; text && *text; text++) mn_put(out, *text == '|' ? "\\|" : "%c", *text);
}

static void row_range(mn_text *out, const mn_key *key)
{
    bool numeric = key->type == MN_KEY_NUMBER || key->type == MN_KEY_INTEGER || key->type == MN_KEY_LONG ||
                   key->type == MN_KEY_NUMBERS || key->type == MN_KEY_INTEGERS || key->type == MN_KEY_CURVE;
    if (!numeric || key->min == key->max) return;
    if (key->max == DBL_MAX) mn_put(out, "%g or more", key->min);
    else if (key->min > -1e6 || key->max < 1e6) mn_put(out, "%g to %g", key->min, key->max);
}

static const char *type_word(const mn_key *key, char *buffer, size_t capacity)
{
    const char *names[MN_MOST_NAMES];
    int count = mn_key_names(key, names, MN_MOST_NAMES);
    size_t used = 0;
    switch (key->type) {
    case MN_KEY_NUMBER: return "number";
    case MN_KEY_INTEGER:
    case MN_KEY_LONG: return "whole number";
    case MN_KEY_FLAG: return "true or false";
    case MN_KEY_TEXT: return "text";
    case MN_KEY_NUMBERS:
        snprintf(buffer, capacity, "%s%d numbers", key->same ? "number or " : "", key->width);
        return buffer;
    case MN_KEY_INTEGERS: snprintf(buffer, capacity, "%d whole numbers", key->width); return buffer;
    case MN_KEY_CURVE: return key->width == 1 ? "number or keyframes" : "3 numbers or keyframes";
    case MN_KEY_ROTATION: return "rotation";
    case MN_KEY_MAP:
        snprintf(buffer, capacity, "mapping, see [%s](#%s)", key->sub->name, key->sub->name);
        return buffer;
    case MN_KEY_LIST: snprintf(buffer, capacity, "list, see [%s](#%s)", key->sub->name, key->sub->name); return buffer;
    case MN_KEY_SHAPE: return "[shape](#shapes)";
    case MN_KEY_SHAPES: return "list of [shapes](#shapes)";
    default: break;
    }
    used = (size_t)snprintf(buffer, capacity, key->type == MN_KEY_NAMES || key->type == MN_KEY_MARKS ? "list of " : "");
    for (int i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(buffer + used, capacity - used, "%s`%s`", i ? ", " : "", names[i]);
    return buffer;
}

static void put_row(mn_text *out, const mn_key *key, const char *standard)
{
    char buffer[600];
    mn_put(out, "| `%s`%s | ", key->name, key->type == MN_KEY_CURVE || key->live == MN_LIVE ? " ↻" : "");
    put_cell(out, type_word(key, buffer, sizeof buffer));
    mn_put(out, " | %s | ", key->unit ? key->unit : "");
    if (!standard) mn_put(out, "**required**");
    else if (standard[0] == '=') put_cell(out, standard + 1);
    else if (strcmp(standard, "-") != 0) mn_put(out, "`%s`", standard);
    mn_put(out, " | ");
    row_range(out, key);
    mn_put(out, " | ");
    put_cell(out, key->help);
    mn_put(out, " |\n");
}

static void put_head(mn_text *out)
{
    mn_put(out, "\n| key | value | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
}

static void put_section(mn_text *out, const mn_table *table, int level)
{
    mn_put(out, "\n%.*s %s\n\n%s\n", level, "#####", table->name, table->help);
    put_head(out);
    for (int i = 0; i < table->count; i++) put_row(out, &table->keys[i], table->keys[i].standard);
    for (int i = 0; i < table->count; i++)
        if (table->keys[i].sub) put_section(out, table->keys[i].sub, level < 5 ? level + 1 : 5);
}

static void put_models(mn_text *out)
{
    const char *kinds[MN_MOST_NAMES], *names[MN_MOST_NAMES];
    int count = mn_model_kinds(kinds, MN_MOST_NAMES);
    mn_put(out, "\n## models\n\n%s\n", models_intro);
    for (int k = 0; k < count && k < MN_MOST_NAMES; k++) {
        int models = mn_models_of_kind(kinds[k], names, MN_MOST_NAMES);
        for (int m = 0; m < models; m++) {
            const mn_model_info *model = mn_model_find(kinds[k], names[m]);
            mn_put(out, "\n### %s: %s\n\n%s%s%s%s\n", kinds[k], names[m], model->title ? model->title : "",
                   model->paper && model->paper[0] ? " (" : "", model->paper ? model->paper : "",
                   model->paper && model->paper[0] ? ")" : "");
            if (model->param_count) put_head(out);
            for (int i = 0; i < model->param_count; i++) {
                mn_key key = mn_key_of_param(&model->params[i]);
                char standard[40];
                snprintf(standard, sizeof standard, "%g", model->params[i].value);
                put_row(out, &key, standard);
            }
        }
    }
}

char *mn_scene_reference(void)
{
    struct mn_c_locale locale;
    mn_text out = {0};
    if (!mn_c_locale_enter(&locale)) return NULL;
    mn_put(
        &out,
        "# Scene files\n\n"
        "Generated from the tables that the reader uses (`meniscus list reference`); do not edit.\n\n"
        "A scene is a YAML mapping (JSON is YAML too). Quantities are in SI units unless they say otherwise, the y "
        "axis points up by default "
        "gravity. "
        "Comments begin "
        "with `#`. Anchors, aliases and tags are not used. Vectors are lists, `[x, y, z]`. Unknown keys are errors.\n\n"
        "**Keyframes.** Where a value may be keyframes, write a mapping from time in seconds to value, `{0: 1.0, 2.5: "
        "3.0}` or "
        "`{0: [0, -9.81, 0], 2: [0, 0, 0]}`, with rising times: linear in between, constant before the first and after "
        "the "
        "last.\n\n"
        "**Units and arithmetic.** A plain number is in the unit of its key. With a unit of its own it is converted: "
        "`2 "
        "mm`, `72.8 mN/m`, `60 deg`, `20 cSt`, `1 g/cm3`; a unit that measures something else is an error. Sums, "
        "products, powers (`^`), brackets, `pi` and `sqrt()` may stand for a number: `2*pi/60`, `0.5 * 2 mm`, `sqrt(2 "
        "* "
        "9.81 * 0.3)`. A unit belongs to the whole product before it. In JSON such a value is a text in quotes. "
        "`meniscus list units` names all units; run.yaml holds plain SI numbers.\n\n"
        "**Overrides.** `--set time.step=0.001` replaces or adds one value by its path; entries of lists are named by "
        "index or "
        "name: "
        "`--set fluids.0.density=900`, `--set fluids.water.viscosity.strength=0.1`. The value is YAML; `null` removes "
        "a key, a section or an entry: `--set domain=null`, `--set walls.lid=null`. `meniscus list keys SCENE` lists "
        "all "
        "paths. `center` and `color` are read as `centre` and `colour`. An overridden "
        "`step` "
        "replaces the "
        "file's `adaptive`, and vice versa.\n\n"
        "**Changes.** Keys with the mark ↻ can change while a scene runs: under [`changes`](#changes), by the "
        "sliders of `meniscus view`, by `mn_world_change` and Python's `world.set`. Of the others a message says why "
        "they cannot: "
        "the world is built from them (resolution, shapes, kinds of models), they set how a run begins, or what its "
        "files or pictures are like.\n\n"
        "**Variations.** A scene may be another one with some values changed: `base: other.yaml` names its file "
        "(relative to "
        "this one), `set` "
        "holds what differs, by the paths of `--set`: `set: {time.step: 0.001, fluids.water.tension: {model: "
        "he2014}}`. "
        "Besides these two "
        "keys it may have a `title`. A base may have a base.\n");
    put_section(&out, &mn_scene_table, 2);
    mn_put(&out, "\n## shapes\n\nA shape is a mapping with one key, its kind: `- sphere: {centre: [0, 1, 0], radius: "
                 "0.5}`. It is "
                 "scaled and turned "
                 "about its centre, then moved.\n");
    for (int i = 0; i < MN_SHAPE_KINDS; i++) put_section(&out, &mn_shape_tables[i], 3);
    put_models(&out);
    mn_c_locale_leave(&locale);
    return mn_text_done(&out);
}
