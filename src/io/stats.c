/* stats.c -- stats.csv and timing.csv; see stats.h. */
#include "io/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_STAGES = 64 };

static const char STATS_HEAD[] =
    "step,time,dt,particles,density_error_avg,density_error_max,kinetic_energy,potential_energy,"
    "momentum_x,momentum_y,momentum_z,pressure_iterations,velocity_iterations,max_speed,drained,lost";

struct mn_stats_log {
    mn_rows stats, timing;
    double wall, stage[MAX_STAGES]; /* at the row before */
};

static mn_status stats_head(mn_rows *rows, char (*more)[MN_STATS_NAME], int more_count, mn_messages *say)
{
    char row[sizeof STATS_HEAD + MN_STATS_MORE * (MN_STATS_NAME + 1) + 2];
    int length = snprintf(row, sizeof row, "%s", STATS_HEAD);
    for (int k = 0; k < more_count; k++) length += snprintf(row + length, sizeof row - (size_t)length, ",%s", more[k]);
    row[length++] = '\n';
    return mn_rows_add(rows, row, (size_t)length, say);
}

mn_stats_log *mn_stats_open(const char *dir, int64_t resume_step, char (*more)[MN_STATS_NAME], int more_count,
                            mn_messages *say)
{
    mn_stats_log *log = calloc(1, sizeof *log);
    if (!log) {
        mn_say_failure(say, (mn_place){dir, 0, 0}, "cannot open stats.csv: out of memory");
        return NULL;
    }
    log->stats.fd = log->timing.fd = -1;
    if (mn_rows_open(&log->stats, dir, "stats.csv", resume_step, say) == MN_OK &&
        (log->stats.begun || stats_head(&log->stats, more, more_count, say) == MN_OK) &&
        mn_rows_open(&log->timing, dir, "timing.csv", resume_step, say) == MN_OK)
        return log;
    mn_stats_close(log, NULL);
    return NULL;
}

static mn_status stats_row(mn_rows *rows, const mn_stats *s, mn_messages *say)
{
    char row[512 + 32 * MN_STATS_MORE];
    int length = mn_format(
        row, sizeof row, "%lld,%.9g,%.9g,%lld,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d,%.9g,%lld,%lld",
        (long long)s->step, s->time, s->dt, (long long)s->particles, s->density_error_avg, s->density_error_max,
        s->kinetic_energy, s->potential_energy, s->momentum[0], s->momentum[1], s->momentum[2], s->pressure_iterations,
        s->velocity_iterations, s->max_speed, (long long)s->drained, (long long)s->lost);
    for (int k = 0; k < s->more_count; k++)
        length += mn_format(row + length, sizeof row - (size_t)length, ",%.12g", s->more[k]);
    row[length++] = '\n';
    return mn_rows_add(rows, row, (size_t)length, say);
}

static mn_status timing_head(mn_stats_log *log, const mn_stage_time *stages, int count, mn_messages *say)
{
    char row[MAX_STAGES * 40 + 64];
    int length = snprintf(row, sizeof row, "step,time,wall_seconds");
    for (int s = 0; s < count; s++)
        length += snprintf(row + length, sizeof row - (size_t)length, ",%.38s", stages[s].name);
    row[length++] = '\n';
    return mn_rows_add(&log->timing, row, (size_t)length, say);
}

static mn_status timing_row(mn_stats_log *log, const mn_stats *s, double wall, const mn_stage_time *stages, int count,
                            mn_messages *say)
{
    if (!log->timing.begun && timing_head(log, stages, count, say) != MN_OK) return MN_FAILED;
    char row[MAX_STAGES * 24 + 96];
    int length = mn_format(row, sizeof row, "%lld,%.9g,%.6g", (long long)s->step, s->time, wall - log->wall);
    log->wall = wall;
    for (int g = 0; g < count; g++) {
        length += mn_format(row + length, sizeof row - (size_t)length, ",%.6g", stages[g].seconds - log->stage[g]);
        log->stage[g] = stages[g].seconds;
    }
    row[length++] = '\n';
    return mn_rows_add(&log->timing, row, (size_t)length, say);
}

mn_status mn_stats_row(mn_stats_log *log, const mn_stats *stats, double wall, const mn_stage_time *stages,
                       int stage_count, mn_messages *say)
{
    if (stage_count > MAX_STAGES) stage_count = MAX_STAGES;
    mn_status a = stats_row(&log->stats, stats, say);
    mn_status b = timing_row(log, stats, wall, stages, stage_count, say);
    return a != MN_OK ? a : b;
}

mn_rows *mn_stats_rows(mn_stats_log *log) { return &log->stats; }
mn_rows *mn_timing_rows(mn_stats_log *log) { return &log->timing; }

mn_status mn_stats_close(mn_stats_log *log, mn_messages *say)
{
    if (!log) return MN_OK;
    mn_status a = mn_rows_close(&log->stats, say), b = mn_rows_close(&log->timing, say);
    free(log);
    return a != MN_OK ? a : b;
}
