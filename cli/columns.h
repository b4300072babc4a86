/* columns.h -- columns of the tables of runs, by the words of `plot` and `sweep`: COLUMN of stats.csv, measure.csv or
 * timing.csv, TABLE:COLUMN of another table of the run, TABLE:NAME:COLUMN of one of its bodies or solids. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "plot/csv.h"

enum { CLI_LONGEST_NAME = 200 };

/* A word cut at its colons. */
typedef struct cli_column {
    char table[CLI_LONGEST_NAME], entry[CLI_LONGEST_NAME];
    const char *column; /* in the word */
} cli_column;
cli_column cli_column_cut(const char *word);
/* "kinetic energy" of kinetic_energy; of body tables the entry comes first. */
void cli_column_title(const char *word, char out[CLI_LONGEST_NAME]);

/* Reads the table that has the column, and its place in it. `run`: a folder, or a table. Free the table whatever the
 * status. */
mn_status cli_column_find(const char *run, const cli_column *a, mn_csv *table, int *at, mn_messages *say);
/* An error: there is no such column, but these. */
void cli_say_columns(const mn_csv *csv, const char *path, const char *column, mn_messages *say);

bool cli_is_folder(const char *path);

#endif
