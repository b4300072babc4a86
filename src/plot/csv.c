/* csv.c -- reads tables of runs; see csv.h. */
#include "plot/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/measures.h"
#include "scene/text.h"

enum { LARGEST = 1 << 30, MOST_COLUMNS = 1000 };

int mn_csv_find(const mn_csv *csv, const char *name)
{
    for (int c = 0; c < csv->columns; c++)
        if (strcmp(csv->names[c], name) == 0) return c;
    return -1;
}

void mn_csv_free(mn_csv *csv)
{
    free(csv->text);
    free(csv->names);
    free(csv->values);
    *csv = (mn_csv){0};
}

static mn_status no_memory(const char *path, mn_messages *say)
{
    mn_say_failure(say, (mn_place){path, 0, 0}, "out of memory");
    return MN_FAILED;
}

/* Cuts the head into names; what follows it, or NULL. */
static char *read_head(mn_csv *csv, const char *path, mn_status *status, mn_messages *say)
{
    char *end = strchr(csv->text, '\n');
    *status = MN_BAD_INPUT;
    if (!end) {
        mn_say_error(say, (mn_place){path, 0, 0}, "is not a table; expected names of columns, and rows of numbers");
        return NULL;
    }
    *end = 0;
    if (end > csv->text && end[-1] == '\r') end[-1] = 0;
    csv->names = calloc(MOST_COLUMNS, sizeof *csv->names);
    if (!csv->names) {
        *status = no_memory(path, say);
        return NULL;
    }
    char *rest = csv->text, *name;
    while ((name = strsep(&rest, ",")) && csv->columns < MOST_COLUMNS) csv->names[csv->columns++] = name;
    *status = MN_OK;
    return end + 1;
}

static double number(const char *s, const char *end)
{
    char *stop;
    const double value = strtod(s, &stop);
    return stop == end && stop > s ? value : NAN;
}

/* Behind the quote that ends a word; two of them are one within it. */
static const char *quote_end(const char *s, const char *end)
{
    for (s++; s < end; s++)
        if (*s == '"' && *++s != '"') break;
    return s < end ? s : end;
}

/* One row into its place; false: it has too few or too many columns (`broken`), or is not asked for. */
static bool read_row(const mn_csv *csv, const char *line, const char *end, const char *only, long row, long room,
                     bool *broken)
{
    int column = 0;
    bool wanted = !only;
    const char *s = line;
    for (; s <= end && column < csv->columns; column++) {
        const char *close = *s == '"' ? quote_end(s, end) : s; /* a comma within quotes does not end it */
        const char *comma = memchr(close, ',', (size_t)(end - close));
        if (!comma) comma = end;
        if (only && column == 2)
            wanted = strlen(only) == (size_t)(comma - s) && strncmp(s, only, (size_t)(comma - s)) == 0;
        csv->values[(long)column * room + row] = number(s, comma);
        s = comma + 1;
    }
    *broken = column < csv->columns || s <= end;
    return wanted && !*broken;
}

static mn_status read_rows(mn_csv *csv, char *at, const char *only, const char *path, mn_messages *say)
{
    long room = 1, line = 1, broken = 0, first = 0;
    for (const char *s = at; (s = strchr(s, '\n')); s++) room++;
    csv->values = malloc((size_t)room * (size_t)csv->columns * sizeof *csv->values);
    if (!csv->values) return no_memory(path, say);
    for (char *end; (end = strchr(at, '\n')); at = end + 1) {
        bool bad = false;
        *end = 0; /* so that no number reads on */
        char *last = end > at && end[-1] == '\r' ? end - 1 : end;
        *last = 0;
        line++;
        if (last > at && read_row(csv, at, last, only, csv->rows, room, &bad)) csv->rows++;
        if (bad && !broken++) first = line;
    }
    if (broken)
        mn_say_warning(say, (mn_place){path, (int)first, 0},
                       "%ld row%s not as many columns as the head and %s left out, the first in this line", broken,
                       broken == 1 ? " has" : "s have", broken == 1 ? "is" : "are");
    for (int c = 1; c < csv->columns; c++)
        memmove(csv->values + (long)c * csv->rows, csv->values + (long)c * room, (size_t)csv->rows * sizeof(double));
    return MN_OK;
}

mn_status mn_csv_read(const char *path, const char *only, mn_csv *out, mn_messages *say)
{
    *out = (mn_csv){0};
    size_t length;
    struct mn_c_locale locale;
    out->text = mn_file_read(path, LARGEST, &length, say);
    if (!out->text) return mn_status_of_failure(say);
    if (strlen(out->text) != length) {
        mn_say_error(say, (mn_place){path, 0, 0}, "is not a table: it contains a zero byte");
        return MN_BAD_INPUT;
    }
    mn_status status;
    char *rows = read_head(out, path, &status, say);
    if (rows && !mn_c_locale_enter(&locale)) status = no_memory(path, say);
    else if (rows) {
        status = read_rows(out, rows, only, path, say);
        mn_c_locale_leave(&locale);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ units */

static const char *const units[][2] = {
    {"time", "s"},
    {"dt", "s"},
    {"kinetic_energy", "J"},
    {"potential_energy", "J"},
    {"elastic_energy", "J"},
    {"momentum", "kg m/s"},
    {"max_speed", "m/s"},
    {"x", "m"},
    {"y", "m"},
    {"z", "m"},
    {"velocity", "m/s"},
    {"spin", "rad/s"},
    {"force", "N"},
    {"torque", "N m"},
    {"centre", "m"},
    {"flow", "m^3/s"},
    {"area", "m^2"},
    {"speed", "m/s"},
    {"height", "m"},
    {"wall", "s"},
    {"diameter", "m"},
};

static const char *unit_of(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i][0], name) == 0) return units[i][1];
    for (int m = 0; m < mn_measure_count(); m++)
        for (int c = 0; c < mn_measure_at(m)->count; c++)
            if (strcmp(mn_measure_at(m)->columns[c].name, name) == 0) return mn_measure_at(m)->columns[c].unit;
    for (int f = 0; f < mn_field_count(); f++)
        if (strcmp(mn_field_name(f), name) == 0) return mn_field_unit(f);
    return NULL;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

const char *mn_column_unit(const char *name)
{
    static const char *const amounts[] = {"_bulk",    "_surface",    "_emitted", "_drained",
                                          "_reacted", "_evaporated", "_walls"};
    static const char *const parts[] = {"_x", "_y", "_z"};
    const char *unit = unit_of(name);
    for (size_t i = 0; i < 3 && !unit; i++) {
        char whole[80];
        if (!ends_with(name, parts[i]) || strlen(name) >= sizeof whole) continue;
        memcpy(whole, name, strlen(name) - 2);
        whole[strlen(name) - 2] = 0;
        unit = unit_of(whole);
    }
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts && !unit; i++)
        if (ends_with(name, amounts[i])) unit = "mol";
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}
