/* csv.h -- tables of runs (CSV with a head) read back as columns of numbers, and the units of their columns. */
#ifndef MN_PLOT_CSV_H
#define MN_PLOT_CSV_H

#include "base/message.h"

typedef struct mn_csv {
    char *text;   /* owns the names */
    char **names; /* of the columns */
    int columns;
    long rows;
    double *values; /* column by column: values[column * rows + row]; NAN where there is no number */
} mn_csv;

/* `only`: only rows whose third column is this word (bodies.csv, solids.csv); NULL: all. MN_BAD_INPUT, with a message,
 * for what is not a table. A last row that was cut short is left out; so are, with a warning, rows that are not
 * whole. */
mn_status mn_csv_read(const char *path, const char *only, mn_csv *out, mn_messages *say);
void mn_csv_free(mn_csv *csv);
int mn_csv_find(const mn_csv *csv, const char *name); /* -1: none */

/* Of a column of stats.csv, bodies.csv, solids.csv, probes and measures, and of particle fields; "" where it has
 * none. */
const char *mn_column_unit(const char *name);

#endif
