/* gaps.c -- rows and frames that a resumed run has lost; see gaps.h.
 *
 * Rows: where every step has one the steps are known. Else a step has a row in all tables or in none, and stats.csv
 * tells by its times whether one
 * is missing in all of them: each row is the first after a multiple of the interval, so that the step before it, time
 * - dt, had not reached it.
 */
#include "session/gaps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/frames.h"
#include "scene/text.h"

/* Multiples of an interval count as reached within this fraction of it: k * interval and a sum of steps differ by
   rounding. */
static const double SLACK = 1e-9;
/* Times in tables have nine digits. */
static const double DIGITS = 2e-9;

double mn_intervals(double time, double interval) { return floor(time / interval + SLACK); }

static double intervals_read(double time, double interval)
{
    return floor(time / interval + fmax(SLACK, DIGITS * fabs(time) / interval));
}

/* Numbers that are missing, as ranges: "3, 7 to 12". */
typedef struct gaps {
    mn_text text;
    int64_t first, last; /* of the open range; first < 0: none */
    int64_t count;
    int ranges;
} gaps;

enum { SHOWN = 6 };

static void put_range(gaps *g)
{
    if (g->first < 0 || g->ranges++ >= SHOWN) return;
    mn_put(&g->text, "%s%lld", g->ranges > 1 ? ", " : "", (long long)g->first);
    if (g->last > g->first) mn_put(&g->text, " to %lld", (long long)g->last);
}

static void lacks(gaps *g, int64_t number)
{
    g->count++;
    if (g->first >= 0 && number == g->last + 1) {
        g->last = number;
        return;
    }
    put_range(g);
    g->first = g->last = number;
}

/* Says "`before` 3, 7 to 12`after`" and frees. */
static void say_gaps(gaps *g, const char *path, const char *before, const char *after, mn_messages *say)
{
    put_range(g);
    if (g->ranges > SHOWN) mn_put(&g->text, " and others, %lld in all,", (long long)g->count);
    char *text = mn_text_done(&g->text);
    if (g->count) mn_say_warning(say, (mn_place){path, 0, 0}, "%s %s%s", before, text ? text : "", after);
    free(text);
}

/* --------------------------------------------------------------------------------------------------- rows */

static int by_step(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Every step of which a table has a row, in order; 1 to `last` where all have one. NULL: no memory. */
static int64_t *steps_of(const mn_gaps_table *tables, bool all, int64_t last, long *count)
{
    long room = all ? (long)last : 0;
    for (int t = 0; t < MN_GAPS_TABLES && !all; t++) room += tables[t].rows ? tables[t].rows->mark_count : 0;
    int64_t *steps = malloc(((size_t)room + 1) * sizeof *steps);
    *count = 0;
    if (!steps) return NULL;
    for (long k = 0; k < room && all; k++) steps[(*count)++] = k + 1;
    if (all) return steps;
    for (int t = 0; t < MN_GAPS_TABLES; t++)
        for (long k = 0; tables[t].rows && k < tables[t].rows->mark_count; k++)
            steps[(*count)++] = tables[t].rows->marks[k].step;
    qsort(steps, (size_t)*count, sizeof *steps, by_step);
    long kept = 0;
    for (long k = 0; k < *count; k++)
        if (!kept || steps[kept - 1] != steps[k]) steps[kept++] = steps[k];
    *count = kept;
    return steps;
}

static void say_steps(const mn_gaps_table *table, const int64_t *steps, long count, mn_messages *say)
{
    const mn_row_mark *mark = table->rows->marks, *end = mark + table->rows->mark_count;
    gaps g = {.first = -1};
    for (long k = 0; k < count; k++) {
        while (mark < end && mark->step < steps[k]) mark++;
        if (mark < end && mark->step == steps[k] && mark->rows >= table->each) continue;
        lacks(&g, steps[k]);
    }
    say_gaps(&g, table->rows->path, "rows are missing, of step", "; the run continues without them", say);
}

/* Rows at intervals: those that are missing in all tables. */
static void say_times(const mn_rows *stats, double interval, double now, mn_messages *say)
{
    double before = 0;
    long lost = 0;
    for (long k = 0; k <= stats->mark_count; k++) {
        const bool last = k == stats->mark_count;
        const double to = last ? now : stats->marks[k].time - stats->marks[k].third;
        if (intervals_read(to, interval) > intervals_read(before, interval) && lost++ < SHOWN)
            mn_say_warning(say, (mn_place){stats->path, 0, 0},
                           "rows are missing between the times %.9g and %.9g s; the run continues without them", before,
                           to);
        if (!last) before = stats->marks[k].time;
    }
    if (lost > SHOWN)
        mn_say_warning(say, (mn_place){stats->path, 0, 0}, "rows are missing in %ld more places, up to %.9g s",
                       lost - SHOWN, now);
}

/* ------------------------------------------------------------------------------------------------- frames */

static bool is_file(const char *dir, const char *folder, int64_t number, const char *extension)
{
    char *path;
    if (asprintf(&path, "%s/%s/frame_%05lld.%s", dir, folder, (long long)number, extension) < 0) return true;
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Files from `first` to `last`. Formats may change from one session to the next: a frame may be there in any, and
   what has no frame in a format at all was not asked for in it. */
static void say_frames(const char *dir, const char *folder, int64_t first, int64_t last, mn_messages *say)
{
    gaps none = {.first = -1}, each[MN_FRAME_FORMATS] = {0};
    int64_t there[MN_FRAME_FORMATS] = {0};
    for (int f = 0; f < MN_FRAME_FORMATS; f++) each[f].first = -1;
    for (int64_t k = first; k <= last; k++) {
        bool found[MN_FRAME_FORMATS], any = false;
        for (int f = 0; f < MN_FRAME_FORMATS; f++) {
            found[f] = is_file(dir, folder, k, mn_frame_formats[f].extension);
            any = any || found[f];
            there[f] += found[f];
        }
        if (!any) lacks(&none, k);
        for (int f = 0; f < MN_FRAME_FORMATS; f++)
            if (any && !found[f] && there[f]) lacks(&each[f], k);
    }
    char *path = mn_path_join(dir, folder);
    say_gaps(&none, path, "missing: frame", "; the run continues without it", say);
    for (int f = 0; f < MN_FRAME_FORMATS; f++) {
        char after[80];
        snprintf(after, sizeof after, " as .%s; the run continues without it", mn_frame_formats[f].extension);
        say_gaps(&each[f], path, "missing: frame", after, say);
    }
    free(path);
}

static void say_grids(const mn_scene *scene, const char *dir, double time, mn_messages *say)
{
    const mn_grid_output *grid = &scene->grid_output;
    /* a step that is longer than the interval leaves numbers out */
    if (!(grid->every > 0) || (scene->adaptive ? scene->step_max : scene->step) > grid->every) return;
    gaps g = {.first = -1};
    for (int64_t k = 1; k <= (int64_t)fmin(mn_intervals(time, grid->every), 99999999); k++)
        if (!is_file(dir, "grids", k, "vti")) lacks(&g, k);
    char *path = mn_path_join(dir, "grids");
    say_gaps(&g, path, "missing: grid", "; the run continues without it", say);
    free(path);
}

void mn_gaps_say(const mn_scene *scene, const char *dir, const mn_world *world,
                 const mn_gaps_table tables[MN_GAPS_TABLES], mn_messages *say)
{
    const double time = mn_world_time(world), interval = scene->stats_interval;
    long count;
    int64_t *steps = steps_of(tables, !(interval > 0), mn_world_steps(world), &count);
    for (int t = 0; t < MN_GAPS_TABLES && steps; t++)
        if (tables[t].rows) say_steps(&tables[t], steps, count, say);
    free(steps);
    if (interval > 0) say_times(tables[0].rows, interval, time, say);
    if (scene->frame_interval > 0 && scene->frame_format_count > 0) {
        const int64_t last = (int64_t)fmin(mn_intervals(time, scene->frame_interval), 99999999);
        say_frames(dir, "frames", 0, last, say);
        if (scene->body_count) say_frames(dir, "bodies", 0, last, say);
        if (scene->solid_count) say_frames(dir, "solids", 0, last, say);
    }
    say_grids(scene, dir, time, say);
}
