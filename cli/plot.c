/* plot.c -- `meniscus plot`: columns of the tables of runs over time, as a chart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "args.h"
#include "base/file.h"
#include "columns.h"
#include "plot/chart.h"
#include "report.h"
#include "scene/scene.h"

enum { MOST_RUNS = 64, MOST_COLUMNS = 24, LONGEST_LABEL = 60 };

/* One column of one run: its numbers belong to the table. */
typedef struct curve {
    mn_csv table;
    int x, y;
    int run, column;
    char label[CLI_LONGEST_NAME];
} curve;

typedef struct plot {
    const char *runs[MOST_RUNS]; /* folders, or tables */
    const char *columns[MOST_COLUMNS];
    int run_count, column_count;
    const char *x;
    const char **labels; /* one for each run; NULL: by their names */
    curve *curves;
    int curve_count;
} plot;

static bool is_table(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".csv") == 0 && access(path, R_OK) == 0;
}

/* Folders and tables are runs, other words columns. */
static mn_status sort_words(plot *p, const cli_arguments *args)
{
    for (int i = -1; i < args->more_count; i++) {
        const char *word = i < 0 ? args->operand : args->more[i];
        const bool run = cli_is_folder(word) || is_table(word);
        if (i < 0 && !run) return cli_wrong("'%s' is not a run; expected its directory, or a table (.csv)", word);
        if (run && p->run_count == MOST_RUNS) return cli_wrong("more than %d runs", MOST_RUNS);
        if (!run && p->column_count == MOST_COLUMNS) return cli_wrong("more than %d columns", MOST_COLUMNS);
        if (run) p->runs[p->run_count++] = word;
        else p->columns[p->column_count++] = word;
    }
    return MN_OK;
}

/* Columns that every run has. */
static void choose_usual(plot *p)
{
    static const char *const usual[] = {"kinetic_energy", "potential_energy", "max_speed", "density_error_avg",
                                        "pressure_iterations"};
    if (p->column_count > 0) return;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) p->columns[p->column_count++] = usual[i];
}

/* What the legend calls a run: its folder, or its table without .csv. */
static const char *name_of(const plot *p, int number)
{
    const char *run = p->runs[number], *end = run + strlen(run), *start;
    if (p->labels) return p->labels[number];
    if (is_table(run)) end -= strlen(".csv");
    while (end > run && end[-1] == '/') end--;
    start = end;
    while (start > run && start[-1] != '/') start--;
    static char names[8][CLI_LONGEST_NAME];
    static int next;
    char *name = names[next++ % 8];
    snprintf(name, CLI_LONGEST_NAME, "%.*s", (int)(end - start), start);
    return name;
}

static mn_status read_curves(plot *p, mn_messages *say)
{
    p->curves = calloc((size_t)p->run_count * (size_t)p->column_count, sizeof *p->curves);
    if (!p->curves) return cli_no_memory();
    for (int c = 0; c < p->column_count; c++)
        for (int r = 0; r < p->run_count; r++) {
            curve *one = &p->curves[p->curve_count++];
            const cli_column a = cli_column_cut(p->columns[c]);
            one->run = r, one->column = c;
            const mn_status status = cli_column_find(p->runs[r], &a, &one->table, &one->y, say);
            if (status != MN_OK) return status;
            one->x = mn_csv_find(&one->table, p->x);
            if (one->x < 0) {
                cli_say_columns(&one->table, p->runs[r], p->x, say);
                return MN_BAD_INPUT;
            }
        }
    return MN_OK;
}

/* Values that the chart cannot show. Empty cells and NaN are gaps of the curve. */
static mn_status look_at_numbers(const plot *p, bool logarithmic, mn_messages *say)
{
    bool any = false;
    for (int k = 0; k < p->curve_count; k++) {
        const curve *c = &p->curves[k];
        const double *x = c->table.values + (long)c->x * c->table.rows,
                     *y = c->table.values + (long)c->y * c->table.rows;
        long numbers = 0, below = 0;
        for (long i = 0; i < c->table.rows; i++) {
            const bool number = isfinite(x[i]) && isfinite(y[i]);
            numbers += number;
            below += number && logarithmic && y[i] <= 0.0;
        }
        const mn_place at = {p->runs[c->run], 0, 0};
        if (!numbers) mn_say_warning(say, at, "'%s' has no numbers to draw", p->columns[c->column]);
        if (below)
            mn_say_warning(say, at, "%ld of %ld values of '%s' are not above 0 and cannot be drawn with --log", below,
                           numbers, p->columns[c->column]);
        any |= numbers > below;
    }
    if (any) return MN_OK;
    mn_say_error(say, (mn_place){p->runs[0], 0, 0}, "there is nothing to draw; expected rows of numbers");
    return MN_BAD_INPUT;
}

/* ----------------------------------------------------------------------------------------------- panels */

/* Columns of one unit share a panel, unless there are more runs than can be told apart then; those without a unit stand
 * alone. */
static bool share(const plot *p, int a, int b)
{
    const cli_column first = cli_column_cut(p->columns[a]), second = cli_column_cut(p->columns[b]);
    const char *unit = mn_column_unit(first.column);
    return p->run_count < 3 && *unit && strcmp(unit, mn_column_unit(second.column)) == 0;
}

static void label_curve(const plot *p, curve *c, bool runs, bool columns)
{
    char column[CLI_LONGEST_NAME];
    cli_column_title(p->columns[c->column], column);
    if (runs && columns) snprintf(c->label, sizeof c->label, "%.90s: %.90s", name_of(p, c->run), column);
    else snprintf(c->label, sizeof c->label, "%.180s", runs ? name_of(p, c->run) : column);
}

typedef struct panels {
    mn_panel at[MOST_COLUMNS];
    mn_line *lines;
    char label[MOST_COLUMNS][CLI_LONGEST_NAME];
    int count, used;
    bool told; /* which colour is which run */
} panels;

/* The panel of one column and all that share it. */
static void add_panel(plot *p, panels *out, int column, bool taken[MOST_COLUMNS], bool logarithmic)
{
    int members = 0, colour = 0;
    bool in[MOST_COLUMNS] = {false};
    for (int c = column; c < p->column_count; c++) in[c] = !taken[c] && (c == column || share(p, column, c));
    for (int c = column; c < p->column_count; c++) members += in[c], taken[c] |= in[c];
    mn_line *lines = out->lines + out->used;
    int count = 0;
    for (int k = 0; k < p->curve_count; k++) {
        curve *c = &p->curves[k];
        if (!in[c->column]) continue;
        const bool runs = p->run_count > 1 || p->labels;
        label_curve(p, c, runs, members > 1);
        lines[count++] = (mn_line){.label = (runs && !out->told) || members > 1 ? c->label : NULL,
                                   .x = c->table.values + (long)c->x * c->table.rows,
                                   .y = c->table.values + (long)c->y * c->table.rows,
                                   .count = c->table.rows,
                                   .colour = members > 1 ? colour++ : c->run,
                                   .dots = c->table.rows <= 40};
    }
    out->used += count;
    out->told |= members == 1;
    char *label = out->label[out->count];
    cli_column_title(p->columns[column], label);
    const cli_column a = cli_column_cut(p->columns[column]);
    const char *unit = mn_column_unit(a.column);
    if (members > 1) { /* what they have in common */
        const char *space = strrchr(label, ' ');
        if (strcmp(unit, "J") == 0) snprintf(label, CLI_LONGEST_NAME, "energy");
        else if (space && strlen(space) == 2 && strchr("xyz", space[1])) label[space - label] = 0;
        else if (strcmp(unit, "m/s") == 0) snprintf(label, CLI_LONGEST_NAME, "speed");
        else if (strcmp(unit, "m") == 0) snprintf(label, CLI_LONGEST_NAME, "length");
        else if (strcmp(unit, "s") == 0) snprintf(label, CLI_LONGEST_NAME, "time");
        else snprintf(label, CLI_LONGEST_NAME, "value");
    }
    out->at[out->count++] =
        (mn_panel){.label = label, .unit = unit, .lines = lines, .line_count = count, .logarithmic = logarithmic};
}

static mn_status draw(plot *p, const cli_arguments *args, const char *path, const char *title, mn_messages *say)
{
    panels all = {.lines = calloc((size_t)p->curve_count + 1, sizeof *all.lines)};
    bool taken[MOST_COLUMNS] = {false};
    if (!all.lines) return cli_no_memory();
    for (int c = 0; c < p->column_count; c++)
        if (!taken[c]) add_panel(p, &all, c, taken, args->logarithmic);
    const mn_chart chart = {.title = title,
                            .x_label = p->x,
                            .x_unit = mn_column_unit(p->x),
                            .panels = all.at,
                            .panel_count = all.count,
                            .width = args->size[0],
                            .height = args->size[1]};
    const mn_status status = mn_chart_write(path, &chart, say);
    free(all.lines);
    return status;
}

/* Of the scene of a single run. malloc'd. */
static char *title_of_run(const char *run)
{
    char *path = mn_path_join(run, "run.yaml"), *title = NULL;
    mn_messages *quiet = mn_messages_new();
    mn_scene *scene = path && access(path, R_OK) == 0 ? mn_scene_load(path, NULL, 0, quiet) : NULL;
    if (scene && scene->title && scene->title[0]) title = strdup(scene->title);
    mn_scene_free(scene);
    mn_messages_free(quiet);
    free(path);
    return title;
}

/* Where the chart goes; NULL after a message. */
static char *choose_path(const plot *p, const cli_arguments *args)
{
    const bool inside = p->run_count == 1 && cli_is_folder(p->runs[0]);
    char *path = args->dir ? strdup(args->dir) : inside ? mn_path_join(p->runs[0], "plot.png") : strdup("plot.png");
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path) cli_no_memory();
    else if (dot && !strchr(dot, '/') && strcasecmp(dot, ".png") != 0) {
        cli_wrong("'%s': a chart is a PNG file; expected a name that ends in .png", path);
        free(path);
        path = NULL;
    } else if (!args->overwrite && access(path, F_OK) == 0) {
        cli_wrong("'%s' is already there; expected another -o FILE, or --overwrite to replace it", path);
        free(path);
        path = NULL;
    }
    return path;
}

int cli_plot(const cli_arguments *args)
{
    plot p = {.x = args->x ? args->x : "time"};
    mn_status status = sort_words(&p, args);
    if (status != MN_OK) return status;
    if (args->labels.count > 0 && args->labels.count != p.run_count)
        return cli_wrong("--label is given %d times for %d runs; expected one for each", args->labels.count,
                         p.run_count);
    for (int k = 0; k < args->labels.count; k++)
        if (!*args->labels.at[k] || strlen(args->labels.at[k]) > LONGEST_LABEL)
            return cli_wrong("--label: a name of %zu bytes does not fit into a legend; expected 1 to %d",
                             strlen(args->labels.at[k]), LONGEST_LABEL);
    p.labels = args->labels.at;
    choose_usual(&p);
    char *path = choose_path(&p, args);
    if (!path) return MN_BAD_INPUT;
    mn_messages *say = mn_messages_new();
    char *title = args->title ? strdup(args->title) : p.run_count == 1 ? title_of_run(p.runs[0]) : NULL;
    status = read_curves(&p, say);
    if (status == MN_OK) status = look_at_numbers(&p, args->logarithmic, say);
    if (status == MN_OK) status = draw(&p, args, path, title, say);
    cli_report(say, !args->quiet);
    if (status == MN_OK && !args->quiet) printf("written %s\n", path);
    for (int k = 0; k < p.curve_count; k++) mn_csv_free(&p.curves[k].table);
    free(p.curves);
    free(title);
    free(path);
    mn_messages_free(say);
    return status;
}
