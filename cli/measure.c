/* measure.c -- `meniscus measure`: numbers from the frames of a run, as a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "base/file.h"
#include "measure/measures.h"
#include "report.h"
#include "session/replay.h"

enum { MOST_MEASURES = 16 };
#define DROP_LIST "drop-list"
#define HEIGHT_FIELD "height-field"

typedef struct job {
    mn_replay *replay;
    const mn_measure_info *what[MOST_MEASURES];
    int count;
    bool list, field; /* every drop; heights over the ground */
    mn_measure_options options;
    mn_file *table, *drops;
    char *heights; /* folder */
    bool quiet, to_screen;
} job;

int cli_measures(const char **out, int capacity)
{
    const int count = mn_measure_count();
    for (int i = 0; i < count && i < capacity; i++) out[i] = mn_measure_at(i)->name;
    if (count < capacity) out[count] = DROP_LIST;
    if (count + 1 < capacity) out[count + 1] = HEIGHT_FIELD;
    return count + 2;
}

static mn_status choose(job *j, const cli_arguments *args)
{
    const char *names[MOST_MEASURES + 2];
    const int known = cli_measures(names, MOST_MEASURES + 2);
    for (int i = 0; i < args->more_count; i++) {
        const mn_measure_info *info = mn_measure_find(args->more[i]);
        if (strcmp(args->more[i], DROP_LIST) == 0) j->list = true;
        else if (strcmp(args->more[i], HEIGHT_FIELD) == 0) j->field = true;
        else if (info && j->count < MOST_MEASURES) j->what[j->count++] = info;
        else {
            char all[400] = "";
            for (int k = 0; k < known; k++)
                snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", names[k]);
            const char *near = mn_nearest(args->more[i], names, known);
            if (near) return cli_wrong("there is no measure '%s'; did you mean '%s'?", args->more[i], near);
            return cli_wrong("there is no measure '%s'; expected some of %s", args->more[i], all);
        }
        for (int k = 0; info && k < j->count - 1; k++)
            if (j->what[k] == info) return cli_wrong("the measure '%s' is named twice", args->more[i]);
    }
    return MN_OK;
}

/* A line into a file, or onto the screen. */
static void put(job *j, mn_file *file, const char *line)
{
    if (file) mn_file_put(file, line, strlen(line));
    if (file == j->table && j->to_screen) fputs(line, stdout);
}

static void head(job *j)
{
    char line[2000] = "frame,time";
    for (int k = 0; k < j->count; k++)
        for (int c = 0; c < j->what[k]->count; c++)
            snprintf(line + strlen(line), sizeof line - strlen(line), ",%s", j->what[k]->columns[c].name);
    put(j, j->table, line);
    put(j, j->table, "\n");
    if (j->drops) put(j, j->drops, "frame,time,drop,particles,volume,diameter,x,y,z,axis_1,axis_2,axis_3\n");
}

/* Numbers that cannot be told are left empty. */
static void put_number(char *line, size_t size, double value)
{
    const size_t used = strlen(line);
    if (isnan(value)) snprintf(line + used, size - used, ",");
    else mn_format(line + used, size - used, ",%.9g", value);
}

static mn_status row(job *j, mn_measured *m, int number, mn_messages *say)
{
    char line[2000];
    mn_status status = MN_OK;
    mn_format(line, sizeof line, "%d,%.12g", number, mn_measured_time(m));
    for (int k = 0; k < j->count && status == MN_OK; k++) {
        double value[MN_MEASURE_COLUMNS];
        status = mn_measured_take(m, j->what[k]->name, value, say);
        for (int c = 0; c < j->what[k]->count; c++) put_number(line, sizeof line, value[c]);
    }
    if (status == MN_OK && j->count) put(j, j->table, line), put(j, j->table, "\n");
    return status;
}

static mn_status list_drops(job *j, mn_measured *m, int number, mn_messages *say)
{
    const mn_drop *drops;
    int count;
    const mn_status status = mn_measured_drops(m, &drops, &count, NULL, say);
    for (int k = 0; k < count; k++) {
        char line[400];
        const mn_drop *d = &drops[k];
        mn_format(line, sizeof line, "%d,%.12g,%d,%lld,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", number,
                  mn_measured_time(m), k, (long long)d->particles, d->volume, d->diameter, d->centre[0], d->centre[1],
                  d->centre[2], d->axes[0], d->axes[1], d->axes[2]);
        put(j, j->drops, line);
    }
    return status;
}

static mn_status write_heights(const job *j, mn_measured *m, int number, mn_messages *say)
{
    mn_height_grid grid;
    const double *height;
    char name[40], *path;
    const mn_status status = mn_measured_heights(m, &grid, &height, say);
    if (status != MN_OK) return status;
    snprintf(name, sizeof name, "frame_%05d.csv", number);
    path = mn_path_join(j->heights, name);
    mn_file *file = path ? mn_file_begin(path, say) : NULL;
    const char *axes = "xyz";
    const int first = grid.up == 0 ? 1 : 0, second = grid.up == 2 ? 1 : 2;
    if (file) mn_file_print(file, "%c,%c,height\n", axes[first], axes[second]);
    for (int k = 0; file && k < grid.count[0] * grid.count[1]; k++) {
        if (isnan(height[k])) continue;
        const int column = k % grid.count[0], line = k / grid.count[0];
        mn_file_print(file, "%.9g,%.9g,%.9g\n", grid.origin[0] + (column + 0.5) * grid.cell[0],
                      grid.origin[1] + (line + 0.5) * grid.cell[1], height[k]);
    }
    free(path);
    return file ? mn_file_commit(file, say) : MN_FAILED;
}

static mn_status measure_frame(job *j, int number, mn_messages *say)
{
    mn_measured *m = mn_measured_load(j->replay, number, &j->options, say);
    mn_status status = m ? row(j, m, number, say) : mn_status_of_failure(say);
    if (status == MN_OK && j->list) status = list_drops(j, m, number, say);
    if (status == MN_OK && j->field) status = write_heights(j, m, number, say);
    mn_measured_free(m);
    return status;
}

static mn_status measure_all(job *j, const cli_arguments *args, mn_messages *say)
{
    mn_status status = MN_OK;
    int done = 0;
    head(j);
    for (int i = 0; i < mn_replay_count(j->replay) && status == MN_OK; i++) {
        const int number = mn_replay_number(j->replay, i);
        if (!cli_frame_wanted(args, number)) continue;
        status = measure_frame(j, number, say);
        done++;
    }
    if (status == MN_OK && done == 0) {
        mn_say_error(say, MN_NOWHERE, "--frames: the run has none of these frames; expected some of %d to %d",
                     mn_replay_number(j->replay, 0), mn_replay_number(j->replay, mn_replay_count(j->replay) - 1));
        status = MN_BAD_INPUT;
    }
    return status;
}

/* DIR/name, refused where it is there already; NULL with a message. */
static char *free_place(const char *dir, const char *name, bool overwrite, mn_messages *say)
{
    char *path = mn_path_join(dir, name);
    if (!path) mn_say_failure(say, MN_NOWHERE, "out of memory");
    if (!path || overwrite || access(path, F_OK) != 0) return path;
    mn_say_error(say, (mn_place){path, 0, 0},
                 "is already there; expected another -o FILE, or --overwrite to replace it");
    free(path);
    return NULL;
}

/* Opens what is written; false after a message. */
static bool open_files(job *j, const cli_arguments *args, char *paths[3], mn_messages *say)
{
    const char *run = args->operand;
    if (j->count && args->dir && strcmp(args->dir, "-") == 0) j->to_screen = true;
    else if (j->count) {
        paths[0] = args->dir ? strdup(args->dir) : free_place(run, "measure.csv", args->overwrite, say);
        if (paths[0] && args->dir && !args->overwrite && access(paths[0], F_OK) == 0) {
            mn_say_error(say, (mn_place){paths[0], 0, 0}, "is already there; --overwrite replaces it");
            return false;
        }
        if (!paths[0] || !(j->table = mn_file_begin(paths[0], say))) return false;
    }
    if (j->list) {
        paths[1] = free_place(run, "drops.csv", args->overwrite, say);
        if (!paths[1] || !(j->drops = mn_file_begin(paths[1], say))) return false;
    }
    if (j->field) {
        j->heights = paths[2] = free_place(run, "heights", args->overwrite, say);
        if (!j->heights || mn_folder_make(j->heights, say) != MN_OK) return false;
    }
    return true;
}

static mn_status close_file(mn_file *file, mn_status status, mn_messages *say)
{
    if (!file) return status;
    if (status == MN_OK) return mn_file_commit(file, say);
    mn_file_abandon(file);
    return status;
}

int cli_measure(const cli_arguments *args)
{
    job j = {.quiet = args->quiet, .options = mn_default_measure_options()};
    j.options.fluid = args->fluid;
    j.options.wall = args->wall;
    if (args->least > 0) j.options.least = (int)args->least;
    char *paths[3] = {NULL, NULL, NULL};
    if (args->more_count == 0) return cli_wrong("'meniscus measure' needs a WHAT; 'meniscus list measures' names them");
    mn_status status = choose(&j, args);
    if (status != MN_OK) return status;
    mn_messages *say = mn_messages_new();
    mn_replay *replay = mn_replay_open(args->operand, say);
    j.replay = replay;
    status = replay ? mn_measure_check(mn_replay_scene(replay), &j.options, say) : mn_status_of_failure(say);
    if (status == MN_OK && !open_files(&j, args, paths, say)) status = mn_status_of_failure(say);
    if (status == MN_OK) status = measure_all(&j, args, say);
    status = close_file(j.table, status, say);
    status = close_file(j.drops, status, say);
    cli_report(say, !args->quiet);
    for (int k = 0; k < 3; k++) {
        if (status == MN_OK && paths[k] && !args->quiet) printf("written %s\n", paths[k]);
        free(paths[k]);
    }
    mn_replay_free(replay);
    mn_messages_free(say);
    return status;
}
