/* stats.h -- the two tables of a run: DIR/stats.csv with the numbers of the simulation (equal runs give equal files)
 * and DIR/timing.csv with wall times, which never repeat. */
#ifndef MN_IO_STATS_H
#define MN_IO_STATS_H

#include "base/message.h"
#include "io/rows.h"

typedef struct mn_stats_log mn_stats_log;

/* resume_step < 0: new tables. Else rows of later steps, and a last row that was cut short, are dropped, and new
 * rows are appended. `more`: names of the columns that depend on the scene. NULL, with a message, on failure. */
mn_stats_log *mn_stats_open(const char *dir, int64_t resume_step, char (*more)[MN_STATS_NAME], int more_count,
                            mn_messages *say);

/* Appends one row to each table. `wall` and the stages are seconds since the start, as mn_world_stages gives them;
 * the table holds what passed since the row before. The stages may not change between rows. */
mn_status mn_stats_row(mn_stats_log *log, const mn_stats *stats, double wall, const mn_stage_time *stages,
                       int stage_count, mn_messages *say);

/* stats.csv, timing.csv. */
mn_rows *mn_stats_rows(mn_stats_log *log);
mn_rows *mn_timing_rows(mn_stats_log *log);

/* Writes what is still buffered; also frees. MN_OK for NULL. */
mn_status mn_stats_close(mn_stats_log *log, mn_messages *say);

#endif
