/* columns.c -- finds columns of the tables of runs; see columns.h. */
#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"

bool cli_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* TABLE:COLUMN, TABLE:ENTRY:COLUMN or COLUMN: cut at the colons. */
cli_column cli_column_cut(const char *word)
{
    cli_column a = {"", "", word};
    const char *first = strchr(word, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!first) return a;
    snprintf(a.table, sizeof a.table, "%.*s", (int)(first - word), word);
    if (second) snprintf(a.entry, sizeof a.entry, "%.*s", (int)(second - first - 1), first + 1);
    a.column = (second ? second : first) + 1;
    return a;
}

/* Where a plain column is looked for, in this order. */
static const char *const tables[] = {"stats", "measure", "timing"};
enum { TABLES = sizeof tables / sizeof *tables };

static char *table_path(const char *run, const char *table)
{
    char *path;
    if (!cli_is_folder(run)) return strdup(run);
    return asprintf(&path, "%s/%s.csv", run, table) < 0 ? NULL : path;
}

void cli_say_columns(const mn_csv *csv, const char *path, const char *column, mn_messages *say)
{
    char all[900] = "";
    const char *near = mn_nearest(column, (const char *const *)csv->names, csv->columns);
    for (int c = 0; c < csv->columns; c++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", c ? ", " : "", csv->names[c]);
    if (near) mn_say_error(say, (mn_place){path, 0, 0}, "there is no column '%s'; did you mean '%s'?", column, near);
    else mn_say_error(say, (mn_place){path, 0, 0}, "there is no column '%s'; expected one of %s", column, all);
}

/* Reads one table and looks for the column; *at < 0: it has none. */
static mn_status look_in(const char *path, const cli_column *a, mn_csv *table, int *at, mn_messages *say)
{
    const mn_status status = mn_csv_read(path, a->entry[0] ? a->entry : NULL, table, say);
    *at = status == MN_OK ? mn_csv_find(table, a->column) : -1;
    return status;
}

/* Opens the table that has the column: the one that is named, or the first that has it. */
mn_status cli_column_find(const char *run, const cli_column *a, mn_csv *table, int *at, mn_messages *say)
{
    const bool named = a->table[0] || !cli_is_folder(run);
    for (int t = 0; t < TABLES && !named; t++) {
        char *path = table_path(run, tables[t]);
        const bool there = path && access(path, R_OK) == 0;
        const mn_status status = there ? look_in(path, a, table, at, say) : MN_OK;
        free(path);
        if (status != MN_OK || (there && *at >= 0)) return status;
        mn_csv_free(table);
    }
    char *path = table_path(run, a->table[0] ? a->table : tables[0]);
    mn_status status = path ? look_in(path, a, table, at, say) : MN_FAILED;
    if (status == MN_OK && *at < 0) {
        cli_say_columns(table, path, a->column, say);
        status = MN_BAD_INPUT;
    } else if (status == MN_OK && table->rows == 0 && a->entry[0]) {
        mn_say_error(say, (mn_place){path, 0, 0}, "no row is named '%s'", a->entry);
        status = MN_BAD_INPUT;
    }
    free(path);
    return status;
}

/* "kinetic energy" of kinetic_energy; of body tables the entry comes first. */
void cli_column_title(const char *word, char out[CLI_LONGEST_NAME])
{
    const cli_column a = cli_column_cut(word);
    const char *table = a.entry[0] ? a.entry : strncmp(a.table, "probes/", 7) == 0 ? a.table + 7 : "";
    snprintf(out, CLI_LONGEST_NAME, "%.90s%s%.90s", table, *table ? " " : "", a.column);
    for (char *c = out; *c; c++)
        if (*c == '_') *c = ' ';
}
