/* sweep_plan.c -- from --vary, --result and --measure to the runs of a sweep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/measures.h"
#include "sweep.h"

void sweep_free(sweep *s)
{
    for (int k = 0; k < s->key_count; k++) {
        for (int v = 0; v < s->keys[k].count; v++) free(s->keys[k].values[v]);
        free(s->keys[k].values);
        free(s->keys[k].path);
    }
    for (int r = 0; r < s->run_count; r++) free(s->runs[r].name), free(s->runs[r].dir), free(s->runs[r].log);
    free(s->runs);
    free(s->measure_text);
}

/* ----------------------------------------------------------------------------------------------- values */

/* Length of the first of the values: up to a comma outside of brackets and quotes. */
static size_t first_value(const char *s)
{
    int depth = 0;
    char quote = 0;
    const char *at = s;
    for (; *at && (depth > 0 || quote || *at != ','); at++) {
        if (quote) quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'') quote = *at;
        else depth += (*at == '[' || *at == '{' || *at == '(') - (*at == ']' || *at == '}' || *at == ')');
    }
    return (size_t)(at - s);
}

static bool add_value(sweep_key *key, const char *text, size_t length)
{
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    char *copy = strndup(text, length);
    if (!copy) return false;
    key->values[key->count++] = copy;
    return true;
}

/* FROM:TO:COUNT, evenly spaced numbers. */
static bool is_range(const char *text, double *from, double *to, long *count)
{
    char *end;
    if (text[strspn(text, "0123456789+-.eE:")]) return false;
    *from = strtod(text, &end);
    if (end == text || *end != ':') return false;
    const char *second = end + 1;
    *to = strtod(second, &end);
    if (end == second || *end != ':' || end[1] < '0' || end[1] > '9') return false;
    *count = strtol(end + 1, &end, 10);
    return *end == 0;
}

static mn_status read_values(sweep_key *key, const char *text)
{
    double from, to;
    long count;
    key->values = calloc(SWEEP_VALUES, sizeof *key->values);
    if (!key->values) return cli_no_memory();
    if (is_range(text, &from, &to, &count)) {
        if (count < 2 || count > SWEEP_VALUES)
            return cli_wrong("--vary %s: expected 2 to %d values, found %ld", key->path, SWEEP_VALUES, count);
        for (long i = 0; i < count; i++) {
            char number[40];
            const int length =
                mn_format(number, sizeof number, "%.10g", from + (to - from) * (double)i / (double)(count - 1));
            if (!add_value(key, number, (size_t)length)) return cli_no_memory();
        }
        return MN_OK;
    }
    for (const char *s = text;; s++) {
        const size_t length = first_value(s);
        if (key->count == SWEEP_VALUES) return cli_wrong("--vary %s: more than %d values", key->path, SWEEP_VALUES);
        if (!add_value(key, s, length)) return cli_no_memory();
        if (!*key->values[key->count - 1]) return cli_wrong("--vary %s: an empty value in '%s'", key->path, text);
        s += length;
        if (!*s) return MN_OK;
    }
}

static mn_status read_keys(sweep *s)
{
    const cli_words *vary = &s->args->vary;
    if (vary->count == 0) return cli_wrong("'meniscus sweep' needs --vary KEY=A,B,C");
    if (vary->count > SWEEP_KEYS) return cli_wrong("more than %d --vary", SWEEP_KEYS);
    for (int i = 0; i < vary->count; i++) {
        const char *equals = strchr(vary->at[i], '=');
        sweep_key *key = &s->keys[s->key_count++];
        key->path = strndup(vary->at[i], (size_t)(equals - vary->at[i]));
        if (!key->path) return cli_no_memory();
        for (int k = 0; k < i; k++)
            if (strcmp(s->keys[k].path, key->path) == 0) return cli_wrong("--vary %s is given twice", key->path);
        const mn_status status = read_values(key, equals + 1);
        if (status != MN_OK) return status;
        if (s->args->zip && key->count != s->keys[0].count)
            return cli_wrong("--zip: %s has %d values, and %s has %d; expected equal numbers", s->keys[0].path,
                             s->keys[0].count, key->path, key->count);
    }
    return MN_OK;
}

/* ------------------------------------------------------------------------------------------------- runs */

/* The last part of a path, or all of it where two keys end alike. */
static const char *short_key(const sweep *s, int key)
{
    const char *dot = strrchr(s->keys[key].path, '.'), *own = dot ? dot + 1 : s->keys[key].path;
    for (int k = 0; k < s->key_count; k++) {
        const char *other = strrchr(s->keys[k].path, '.');
        if (k != key && strcmp(other ? other + 1 : s->keys[k].path, own) == 0) return s->keys[key].path;
    }
    return own;
}

/* Only what every file system and shell takes. */
static void name_run(const sweep *s, sweep_run *run, char out[240])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+=-";
    out[0] = 0;
    for (int k = 0; k < s->key_count; k++) {
        const size_t used = strlen(out);
        snprintf(out + used, 180 - used, "%s%s=%s", k ? "_" : "", short_key(s, k), s->keys[k].values[run->value[k]]);
        for (char *c = out + used + (k > 0); *c; c++)
            if (!strchr(plain, *c)) *c = '-';
    }
}

static bool is_taken(const sweep *s, int count, const char *name)
{
    for (int r = 0; r < count; r++)
        if (strcmp(s->runs[r].name, name) == 0) return true;
    return false;
}

static mn_status make_run(sweep *s, int index)
{
    sweep_run *run = &s->runs[index];
    long rest = index;
    for (int k = s->key_count - 1; k >= 0; k--) { /* the last key changes fastest */
        run->value[k] = s->args->zip ? index : (int)(rest % s->keys[k].count);
        rest /= s->keys[k].count;
    }
    char name[240], log[260];
    name_run(s, run, name);
    const size_t length = strlen(name);
    for (int k = 2; is_taken(s, index, name); k++) snprintf(name + length, sizeof name - length, "-%d", k);
    snprintf(log, sizeof log, "%s.log", name);
    run->name = strdup(name);
    run->dir = mn_path_join(s->dir, name);
    run->log = mn_path_join(s->dir, log);
    s->run_count = index + 1;
    for (int k = 0; k < SWEEP_RESULTS; k++) run->result[k] = NAN;
    return run->name && run->dir && run->log ? MN_OK : cli_no_memory();
}

static mn_status make_runs(sweep *s)
{
    double count = s->args->zip ? s->keys[0].count : 1;
    for (int k = 0; k < s->key_count && !s->args->zip; k++) count *= s->keys[k].count;
    if (count > SWEEP_RUNS) return cli_wrong("these values make %.0f runs; expected at most %d", count, SWEEP_RUNS);
    s->runs = calloc((size_t)count, sizeof *s->runs);
    if (!s->runs) return cli_no_memory();
    mn_status status = MN_OK;
    for (int r = 0; r < (int)count && status == MN_OK; r++) status = make_run(s, r);
    return status;
}

/* ---------------------------------------------------------------------------------------------- results */

static mn_status add_result(sweep *s, const char *kind, const char *column)
{
    if (s->result_count == SWEEP_RESULTS) return cli_wrong("more than %d results", SWEEP_RESULTS);
    sweep_result *r = &s->results[s->result_count++];
    snprintf(r->kind, sizeof r->kind, "%s", kind);
    snprintf(r->column, sizeof r->column, "%s", column);
    snprintf(r->name, sizeof r->name, "%s_%.200s", kind, column);
    for (char *c = r->name; *c; c++)
        if (strchr(":/,", *c)) *c = '_';
    return MN_OK;
}

/* COLUMN, or last(COLUMN), mean(COLUMN), min(COLUMN), max(COLUMN). */
static mn_status read_result(sweep *s, const char *text)
{
    static const char *const kinds[] = {"last", "mean", "min", "max"};
    const char *open = strchr(text, '(');
    const size_t length = strlen(text);
    if (!open) return add_result(s, "last", text);
    for (int k = 0; k < 4; k++) {
        if (strlen(kinds[k]) != (size_t)(open - text) || strncmp(text, kinds[k], strlen(kinds[k])) != 0) continue;
        if (text[length - 1] != ')' || open + 2 >= text + length) break;
        char column[200];
        snprintf(column, sizeof column, "%.*s", (int)(text + length - 1 - open - 1), open + 1);
        return add_result(s, kinds[k], column);
    }
    return cli_wrong(
        "--result: '%s' is not valid; expected COLUMN, last(COLUMN), mean(COLUMN), min(COLUMN) or max(COLUMN)", text);
}

/* WHAT,WHAT: all their columns at the end. */
static mn_status read_measures(sweep *s)
{
    if (!s->args->measure) return MN_OK;
    s->measure_text = strdup(s->args->measure);
    if (!s->measure_text) return cli_no_memory();
    char *rest = s->measure_text, *word;
    while ((word = strsep(&rest, ","))) {
        const mn_measure_info *info = mn_measure_find(word);
        if (!info || s->measure_count == 16)
            return cli_wrong("--measure: there is no '%s'; expected some of those of 'meniscus list measures'", word);
        s->measures[s->measure_count++] = word;
        for (int c = 0; c < info->count && s->args->results.count == 0; c++) {
            char column[200];
            snprintf(column, sizeof column, "measure:%s", info->columns[c].name);
            const mn_status status = add_result(s, "last", column);
            snprintf(s->results[s->result_count - 1].name, 200, "%s", info->columns[c].name);
            if (status != MN_OK) return status;
        }
    }
    return MN_OK;
}

static mn_status read_results(sweep *s)
{
    static const char *const usual[] = {"last(kinetic_energy)", "max(max_speed)", "mean(density_error_avg)",
                                        "mean(pressure_iterations)"};
    mn_status status = read_measures(s);
    for (int i = 0; i < s->args->results.count && status == MN_OK; i++) status = read_result(s, s->args->results.at[i]);
    for (int i = 0; i < 4 && s->result_count == i && status == MN_OK; i++) status = read_result(s, usual[i]);
    return status;
}

mn_status sweep_plan(sweep *s)
{
    mn_status status = read_keys(s);
    if (status == MN_OK) status = make_runs(s);
    return status == MN_OK ? read_results(s) : status;
}
