/* stats.c -- stats.csv and timing.csv; see stats.h.
 *
 * Every row is flushed, so that a killed run loses none that it finished; a torn last row is dropped on resume. A failed write
 * is reported once per call and does not harm the rows before it.
 */
#include "io/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { MAX_STAGES = 64 };

static const char STATS_HEAD[] = "step,time,dt,particles,density_error_avg,density_error_max,kinetic_energy,potential_energy,"
                                 "momentum_x,momentum_y,momentum_z,pressure_iterations,velocity_iterations,max_speed,drained,lost";

typedef struct table {
    char *path;
    int fd;
} table;

struct mn_stats_log {
    table stats, timing;
    bool timing_begun;              /* its head is in the file */
    double wall, stage[MAX_STAGES]; /* at the row before */
};

static mn_status fail(const table *t, const char *what, mn_messages *say)
{
    mn_say_error(say, (mn_place){t->path, 0, 0}, "cannot %s this table: %s", what, strerror(errno));
    return MN_FAILED;
}

/* A row that did not fit is taken back, so that the table never holds half of one. */
static mn_status append(const table *t, const char *text, size_t length, mn_messages *say)
{
    off_t start = lseek(t->fd, 0, SEEK_END);
    for (size_t done = 0; done < length;) {
        ssize_t part = write(t->fd, text + done, length - done);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) {
            mn_status status = fail(t, "write", say);
            if (start >= 0 && ftruncate(t->fd, start) != 0) errno = 0; /* the torn row is dropped on resume */
            return status;
        }
        done += (size_t)part;
    }
    return MN_OK;
}

static int commas(const char *line)
{
    int count = 0;
    for (; *line; line++) count += *line == ',';
    return count;
}

/* Rewrites the table with its head and the whole rows up to `last_step`. A table that is not there stays away. Sets *kept if a
   head was found. */
static mn_status trim(const char *path, int64_t last_step, bool *kept, mn_messages *say)
{
    *kept = false;
    FILE *in = fopen(path, "re");
    if (!in) return errno == ENOENT ? MN_OK : fail(&(table){(char *)path, -1}, "read", say);
    mn_file *out = mn_file_begin(path, say);
    if (!out) {
        fclose(in);
        return MN_FAILED;
    }
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int columns = -1;
    while ((length = getline(&line, &capacity, in)) > 0 && line[length - 1] == '\n') {
        if (columns < 0) {
            if (strncmp(line, "step,", 5) != 0) break;
            columns = commas(line);
        } else {
            char *end;
            long long step = strtoll(line, &end, 10);
            if (end == line || *end != ',' || commas(line) != columns || step > last_step) continue;
        }
        mn_file_put(out, line, (size_t)length);
    }
    free(line);
    fclose(in);
    *kept = columns > 0;
    if (*kept) return mn_file_commit(out, say);
    mn_file_abandon(out);
    return MN_OK;
}

static mn_status open_table(table *t, const char *dir, const char *name, int64_t resume_step, bool *kept, mn_messages *say)
{
    *kept = false;
    t->path = mn_path_join(dir, name);
    if (!t->path) {
        mn_say_error(say, (mn_place){dir, 0, 0}, "cannot open %s: out of memory", name);
        return MN_FAILED;
    }
    if (resume_step >= 0 && trim(t->path, resume_step, kept, say) != MN_OK) return MN_FAILED;
    t->fd = open(t->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (*kept ? 0 : O_TRUNC), 0666);
    return t->fd < 0 ? fail(t, "open", say) : MN_OK;
}

static void release(mn_stats_log *log)
{
    if (log->stats.fd >= 0) close(log->stats.fd);
    if (log->timing.fd >= 0) close(log->timing.fd);
    free(log->stats.path);
    free(log->timing.path);
    free(log);
}

static mn_status stats_head(const table *t, char (*more)[MN_STATS_NAME], int more_count, mn_messages *say)
{
    char row[sizeof STATS_HEAD + MN_STATS_MORE * (MN_STATS_NAME + 1) + 2];
    int length = snprintf(row, sizeof row, "%s", STATS_HEAD);
    for (int k = 0; k < more_count; k++) length += snprintf(row + length, sizeof row - (size_t)length, ",%s", more[k]);
    row[length++] = '\n';
    return append(t, row, (size_t)length, say);
}

mn_stats_log *mn_stats_open(const char *dir, int64_t resume_step, char (*more)[MN_STATS_NAME], int more_count, mn_messages *say)
{
    mn_stats_log *log = calloc(1, sizeof *log);
    if (!log) {
        mn_say_error(say, (mn_place){dir, 0, 0}, "cannot open stats.csv: out of memory");
        return NULL;
    }
    log->stats.fd = log->timing.fd = -1;
    bool kept;
    if (open_table(&log->stats, dir, "stats.csv", resume_step, &kept, say) == MN_OK &&
        (kept || stats_head(&log->stats, more, more_count, say) == MN_OK) &&
        open_table(&log->timing, dir, "timing.csv", resume_step, &log->timing_begun, say) == MN_OK)
        return log;
    release(log);
    return NULL;
}

static mn_status stats_row(const table *t, const mn_stats *s, mn_messages *say)
{
    char row[512 + 32 * MN_STATS_MORE];
    int length = mn_format(row, sizeof row, "%lld,%.9g,%.9g,%lld,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d,%.9g,%lld,%lld",
                           (long long)s->step, s->time, s->dt, (long long)s->particles, s->density_error_avg, s->density_error_max,
                           s->kinetic_energy, s->potential_energy, s->momentum[0], s->momentum[1], s->momentum[2],
                           s->pressure_iterations, s->velocity_iterations, s->max_speed, (long long)s->drained, (long long)s->lost);
    for (int k = 0; k < s->more_count; k++) length += mn_format(row + length, sizeof row - (size_t)length, ",%.12g", s->more[k]);
    row[length++] = '\n';
    return append(t, row, (size_t)length, say);
}

static mn_status timing_head(mn_stats_log *log, const mn_stage_time *stages, int count, mn_messages *say)
{
    char row[MAX_STAGES * 40 + 64];
    int length = snprintf(row, sizeof row, "step,time,wall_seconds");
    for (int s = 0; s < count; s++) length += snprintf(row + length, sizeof row - (size_t)length, ",%.38s", stages[s].name);
    row[length++] = '\n';
    log->timing_begun = true;
    return append(&log->timing, row, (size_t)length, say);
}

static mn_status timing_row(mn_stats_log *log, const mn_stats *s, double wall, const mn_stage_time *stages, int count,
                            mn_messages *say)
{
    if (!log->timing_begun && timing_head(log, stages, count, say) != MN_OK) return MN_FAILED;
    char row[MAX_STAGES * 24 + 96];
    int length = mn_format(row, sizeof row, "%lld,%.9g,%.6g", (long long)s->step, s->time, wall - log->wall);
    log->wall = wall;
    for (int g = 0; g < count; g++) {
        length += mn_format(row + length, sizeof row - (size_t)length, ",%.6g", stages[g].seconds - log->stage[g]);
        log->stage[g] = stages[g].seconds;
    }
    row[length++] = '\n';
    return append(&log->timing, row, (size_t)length, say);
}

mn_status mn_stats_row(mn_stats_log *log, const mn_stats *stats, double wall, const mn_stage_time *stages, int stage_count,
                       mn_messages *say)
{
    if (stage_count > MAX_STAGES) stage_count = MAX_STAGES;
    mn_status a = stats_row(&log->stats, stats, say);
    mn_status b = timing_row(log, stats, wall, stages, stage_count, say);
    return a != MN_OK ? a : b;
}

mn_status mn_stats_close(mn_stats_log *log, mn_messages *say)
{
    if (!log) return MN_OK;
    mn_status status = MN_OK;
    if (close(log->stats.fd) != 0) status = fail(&log->stats, "close", say);
    if (close(log->timing.fd) != 0) status = fail(&log->timing, "close", say);
    log->stats.fd = log->timing.fd = -1;
    release(log);
    return status;
}
