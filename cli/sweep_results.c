/* sweep_results.c -- the numbers of a sweep's runs: read back, as a table, as charts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "columns.h"
#include "plot/chart.h"
#include "scene/quantity.h"
#include "scene/scene.h"
#include "sweep.h"

/* ------------------------------------------------------------------------------------------ from a run */

static double number_after(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? strtod(at + strlen(key), NULL) : NAN;
}

/* The last line of the log is the summary; errors are lines before it. */
static void take_log(sweep_run *run, mn_messages *say)
{
    size_t length;
    char *text = mn_file_read(run->log, 64 << 20, &length, NULL);
    for (char *line = text, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end) break;
        *end = 0;
        const char *said = strstr(line, "\"severity\": \"error\"") ? strstr(line, "\"text\": \"") : NULL;
        if (said) mn_say(say, MN_WARNING, (mn_place){run->name, 0, 0}, "%.*s", (int)(strlen(said) - 11), said + 9);
        if (!strstr(line, "{\"event\": \"summary\"")) continue;
        run->steps = number_after(line, "\"steps\": ");
        run->time = number_after(line, "\"time\": ");
        run->wall = number_after(line, "\"wall\": ");
        const char *state = strstr(line, "\"state\": \"");
        if (state) snprintf(run->state, sizeof run->state, "%.16s", state + 10);
    }
    free(text);
}

static double reduce(const sweep_result *r, const double *value, long count)
{
    double sum = 0, least = INFINITY, most = -INFINITY, last = NAN;
    long n = 0;
    for (long i = 0; i < count; i++) {
        if (!isfinite(value[i])) continue;
        sum += last = value[i];
        least = fmin(least, value[i]), most = fmax(most, value[i]);
        n++;
    }
    if (n == 0) return NAN;
    if (strcmp(r->kind, "mean") == 0) return sum / (double)n;
    if (strcmp(r->kind, "min") == 0) return least;
    return strcmp(r->kind, "max") == 0 ? most : last;
}

void sweep_take(const sweep *s, sweep_run *run, mn_messages *say)
{
    take_log(run, say);
    for (int k = 0; k < s->result_count && run->exit == MN_OK; k++) {
        const cli_column column = cli_column_cut(s->results[k].column);
        mn_csv table = {0};
        int at;
        if (cli_column_find(run->dir, &column, &table, &at, say) == MN_OK)
            run->result[k] = reduce(&s->results[k], table.values + (long)at * table.rows, table.rows);
        else run->lacks = true;
        mn_csv_free(&table);
    }
}

/* ---------------------------------------------------------------------------------------------- a table */

static void put_word(mn_file *file, const char *word)
{
    const bool quoted = strpbrk(word, ",\"\n");
    if (quoted) mn_file_put(file, "\"", 1);
    for (; *word; word++) mn_file_put(file, *word == '"' ? "\"\"" : word, *word == '"' ? 2 : 1);
    if (quoted) mn_file_put(file, "\"", 1);
}

mn_status sweep_write(const sweep *s, mn_messages *say)
{
    char *path = mn_path_join(s->dir, "results.csv");
    mn_file *file = path ? mn_file_begin(path, say) : NULL;
    free(path);
    if (!file) return MN_FAILED;
    mn_file_print(file, "run");
    for (int k = 0; k < s->key_count; k++) mn_file_print(file, ",%s", s->keys[k].path);
    mn_file_print(file, ",exit,steps,time");
    for (int k = 0; k < s->result_count; k++) mn_file_print(file, ",%s", s->results[k].name);
    mn_file_print(file, ",state\n");
    for (int r = 0; r < s->run_count; r++) {
        const sweep_run *run = &s->runs[r];
        if (!run->finished) continue;
        put_word(file, run->name);
        for (int k = 0; k < s->key_count; k++) {
            mn_file_print(file, ",");
            put_word(file, s->keys[k].values[run->value[k]]);
        }
        mn_file_print(file, ",%d", run->exit);
        const double numbers[] = {run->steps, run->time};
        for (int k = 0; k < 2 + s->result_count; k++) {
            const double value = k < 2 ? numbers[k] : run->result[k - 2];
            if (isfinite(value)) mn_file_print(file, ",%.9g", value);
            else mn_file_print(file, ",");
        }
        mn_file_print(file, ",%s\n", run->state);
    }
    return mn_file_commit(file, say);
}

/* ---------------------------------------------------------------------------------------------- a chart */

typedef struct unit_search {
    const char *path;
    const char *unit;
} unit_search;

static void find_unit(void *user, const char *path, const char *unit, const char *standard, const char *help)
{
    unit_search *search = user;
    (void)standard, (void)help;
    if (strcmp(path, search->path) == 0) search->unit = unit;
}

/* The values of the first key as numbers in its unit; false: some are none. */
static bool read_first(const sweep *s, const mn_scene *scene, const char **unit, double *out)
{
    unit_search search = {s->keys[0].path, NULL};
    char why[200];
    mn_scene_keys(scene, find_unit, &search);
    *unit = search.unit;
    for (int v = 0; v < s->keys[0].count; v++)
        if (!mn_quantity_read(s->keys[0].values[v], search.unit, &out[v], why, sizeof why)) return false;
    return true;
}

/* Runs that differ in the first key alone make a line. */
static bool same_line(const sweep *s, const sweep_run *a, const sweep_run *b)
{
    for (int k = 1; k < s->key_count && !s->args->zip; k++)
        if (a->value[k] != b->value[k]) return false;
    return true;
}

typedef struct drawing {
    mn_line lines[MN_CHART_COLOURS * 2];
    char labels[MN_CHART_COLOURS * 2][240];
    int count;
    double *numbers; /* owned */
} drawing;

static void label_line(const sweep *s, const sweep_run *run, char out[240])
{
    out[0] = 0;
    for (int k = 1; k < s->key_count; k++) {
        const char *dot = strrchr(s->keys[k].path, '.');
        snprintf(out + strlen(out), 240 - strlen(out), "%s%.60s=%.60s", k > 1 ? ", " : "",
                 dot ? dot + 1 : s->keys[k].path, s->keys[k].values[run->value[k]]);
    }
}

/* The lines of one result, as many as there are colours for. */
static bool make_lines(const sweep *s, int result, const double *first, drawing *d)
{
    const size_t room = 2 * (size_t)s->run_count * (MN_CHART_COLOURS * 2);
    *d = (drawing){.numbers = malloc(room * sizeof *d->numbers)};
    if (!d->numbers) return false;
    double *at = d->numbers;
    for (int r = 0; r < s->run_count && d->count < MN_CHART_COLOURS * 2; r++) {
        bool known = false; /* the line of an earlier run */
        for (int q = 0; q < r; q++) known |= same_line(s, &s->runs[q], &s->runs[r]);
        if (known) continue;
        double *x = at, *y = at + s->run_count;
        long n = 0;
        for (int q = r; q < s->run_count; q++) {
            if (!same_line(s, &s->runs[r], &s->runs[q]) || !s->runs[q].finished) continue;
            x[n] = first[s->runs[q].value[0]], y[n++] = s->runs[q].result[result];
        }
        at += 2 * (size_t)s->run_count;
        label_line(s, &s->runs[r], d->labels[d->count]);
        d->lines[d->count] = (mn_line){NULL, x, y, n, d->count, true};
        d->count++;
    }
    for (int k = 0; k < d->count && d->count > 1 && result == 0; k++) d->lines[k].label = d->labels[k];
    return true;
}

bool sweep_draw(const sweep *s, const mn_scene *scene, mn_messages *say)
{
    enum { MOST = 6 };
    double first[SWEEP_VALUES];
    const char *unit;
    if (!read_first(s, scene, &unit, first)) return false;
    drawing *drawings = calloc(MOST, sizeof *drawings);
    mn_panel panels[MOST];
    const int count = s->result_count < MOST ? s->result_count : MOST;
    bool good = drawings;
    for (int k = 0; k < count && good; k++) {
        const cli_column column = cli_column_cut(s->results[k].column);
        good = make_lines(s, k, first, &drawings[k]);
        panels[k] = (mn_panel){.label = s->results[k].name,
                               .unit = mn_column_unit(column.column),
                               .lines = drawings[k].lines,
                               .line_count = drawings[k].count};
    }
    const char *dot = strrchr(s->keys[0].path, '.');
    const mn_chart chart = {.title = scene->title,
                            .x_label = dot ? dot + 1 : s->keys[0].path,
                            .x_unit = unit,
                            .panels = panels,
                            .panel_count = count};
    char *path = mn_path_join(s->dir, "results.png");
    if (good && path) mn_chart_write(path, &chart, say);
    else mn_say_failure(say, MN_NOWHERE, "out of memory");
    for (int k = 0; drawings && k < count; k++) free(drawings[k].numbers);
    free(drawings);
    free(path);
    return true;
}
