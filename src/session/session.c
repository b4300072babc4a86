/* session.c -- the loop of a run; its promises are in session.h. */
#include "session/session.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "io/stats.h"
#include "session/probes.h"
#include "session/rigid_output.h"
#include "session/folder.h"
#include "session/gaps.h"
#include "session/output.h"
#include "session/soft_output.h"
#include "air/air.h"
#include "core/world.h"
#include "scene/change.h"

struct mn_session {
    mn_scene *scene;        /* its own, as given, with the formats asked for */
    mn_session_options opt; /* with texts of its own */
    mn_drawing drawing;
    mn_messages *say; /* of the current call */
    mn_session_summary sum;
    mn_world *world;
    mn_status status; /* of the last step; MN_BAD_INPUT: none, it could not be opened */
    mn_output *output;
    mn_stats_log *log;
    mn_rows *bodies, *solids; /* NULL: none */
    mn_probes *probes;
    int lock;
    double before;           /* s, time before the last step */
    double begin;            /* s, time the session began with */
    double start;            /* wall clock */
    double checkpoint_wall;  /* wall clock of the last checkpoint */
    double progress_wall;    /* wall clock of the last progress */
    int64_t checkpoint_step; /* of the last attempt */
    int64_t kept_step;       /* of the last checkpoint that is good; -1: none */
    double kept_time;        /* s */
    int64_t rows;
    bool undescribed;    /* run.yaml lacks some of the changes */
    double changed_wall; /* wall clock of the last run.yaml */
};
typedef mn_session session;

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether the last step met or crossed a multiple of the interval. */
static bool crossed(const session *s, double interval)
{
    return interval > 0 && mn_intervals(mn_world_time(s->world), interval) > mn_intervals(s->before, interval);
}

/* The scene as it stands now: intervals and the end may have changed since it was given. */
static const mn_scene *scene_now(const session *s) { return s->world ? s->world->scene : s->scene; }

static double end_of(const session *s) { return s->opt.until >= 0 ? s->opt.until : scene_now(s)->end; }

/* ------------------------------------------------------------------------------------------------- set-up */

static mn_status check_folder(const mn_scene *scene, const mn_session_options *opt, mn_messages *say)
{
    if (opt->dir && !mn_folder_possible(opt->dir, say)) return MN_BAD_INPUT;
    if (!opt->dir || !mn_run_exists(opt->dir) || opt->overwrite) return MN_OK;
    if (opt->resume) return mn_run_same_scene(opt->dir, scene, say);
    mn_say_error(say, (mn_place){opt->dir, 0, 0},
                 "this folder already holds a run; expected another folder, --resume to continue it or --overwrite to "
                 "replace it");
    return MN_BAD_INPUT;
}

static void list_tables(const session *s, mn_gaps_table out[MN_GAPS_TABLES])
{
    out[0] = (mn_gaps_table){mn_stats_rows(s->log), 1};
    out[1] = (mn_gaps_table){mn_timing_rows(s->log), 1};
    out[2] = (mn_gaps_table){s->bodies, s->scene->body_count};
    out[3] = (mn_gaps_table){s->solids, s->scene->solid_count};
}

/* Cores that the steps leave free: all but one where a device computes. */
static int spare_threads(const mn_session_options *opt)
{
    const int cores = omp_get_num_procs(), taken = opt->world.threads > 0 ? opt->world.threads : cores;
    const bool device = opt->world.backend && strncmp(opt->world.backend, "opencl", 6) == 0;
    return device ? cores > 1 ? cores - 1 : 1 : cores - taken;
}

/* Locks the folder, and puts the world into the state of its checkpoint if it is to be resumed. */
static mn_status open_folder(session *s)
{
    const mn_session_options *opt = &s->opt;
    mn_status status = mn_folder_make(opt->dir, s->say);
    if (status != MN_OK) return status;
    s->lock = mn_run_lock(opt->dir, s->say);
    if (s->lock < 0) return MN_BAD_INPUT;
    /* Once more under the lock: another run may have begun and ended since. */
    status = check_folder(s->scene, opt, s->say);
    bool resumed = false;
    if (status == MN_OK) {
        s->output = mn_output_new(s->scene, opt->dir, opt->preview, &s->drawing, spare_threads(opt), s->world, s->say);
        if (!s->output) status = MN_FAILED;
    }
    if (status == MN_OK && opt->overwrite) status = mn_run_erase(opt->dir, s->say);
    if (status == MN_OK && opt->resume) {
        status = mn_run_resume(opt->dir, s->world, &resumed, s->say);
        if (status == MN_OK && !resumed)
            mn_say(s->say, MN_NOTE, (mn_place){opt->dir, 0, 0},
                   "there is no checkpoint to resume from: the run starts from the beginning");
    }
    if (status == MN_OK) status = mn_run_describe(opt->dir, s->scene, s->say);
    if (status != MN_OK) return status;
    char more[MN_STATS_MORE][MN_STATS_NAME];
    const int more_count = mn_world_more(s->world, more, MN_STATS_MORE);
    s->log = mn_stats_open(opt->dir, resumed ? mn_world_steps(s->world) : -1, more, more_count, s->say);
    if (!s->log) return MN_FAILED;
    s->bodies = mn_bodies_open(s->scene, opt->dir, resumed ? mn_world_steps(s->world) : -1, s->say);
    if (!s->bodies && s->scene->body_count) return MN_FAILED;
    s->solids = mn_soft_open(s->scene, opt->dir, resumed ? mn_world_steps(s->world) : -1, s->say);
    if (!s->solids && s->scene->solid_count) return MN_FAILED;
    s->probes = mn_probes_open(s->scene, opt->dir, resumed ? mn_world_steps(s->world) : -1, s->say);
    if (!s->probes && s->scene->probe_count) return MN_FAILED;
    mn_gaps_table tables[MN_GAPS_TABLES];
    list_tables(s, tables);
    if (resumed) mn_gaps_say(s->scene, opt->dir, s->world, tables, s->say);
    s->checkpoint_step = s->kept_step = resumed ? mn_world_steps(s->world) : -1;
    s->kept_time = mn_world_time(s->world);
    return MN_OK;
}

/* ------------------------------------------------------------------------------------------------ writing */

static int stage_times(const session *s, mn_stage_time *out)
{
    int count = mn_world_stages(s->world, out, MN_SESSION_STAGES);
    return count < MN_SESSION_STAGES ? count : MN_SESSION_STAGES;
}

static mn_status write_row(session *s, const mn_stats *stats)
{
    s->rows++;
    s->sum.density_error_avg += (stats->density_error_avg - s->sum.density_error_avg) / (double)s->rows;
    s->sum.pressure_iterations += (stats->pressure_iterations - s->sum.pressure_iterations) / (double)s->rows;
    s->sum.density_error_max = fmax(s->sum.density_error_max, stats->density_error_max);
    if (!s->log) return MN_OK;
    mn_stage_time stages[MN_SESSION_STAGES];
    int count = stage_times(s, stages);
    mn_status status = mn_stats_row(s->log, stats, wall_clock() - s->start, stages, count, s->say);
    if (status == MN_OK) status = mn_bodies_row(s->bodies, s->scene, s->world, s->say);
    return status == MN_OK ? mn_soft_row(s->solids, s->scene, s->world, s->say) : status;
}

static mn_status write_frame(session *s)
{
    double number = s->scene->frame_interval > 0 ? mn_intervals(mn_world_time(s->world), s->scene->frame_interval) : 0;
    if (!s->output || number > 99999999) return MN_OK;
    s->sum.frames++;
    return mn_output_frame(s->output, s->world, (int)number, s->say);
}

/* The step goes into the running mean; a grid is written where one is due. */
static mn_status write_grid(session *s)
{
    const mn_grid_output *grid = &s->scene->grid_output;
    if (!s->output || !(grid->every > 0)) return MN_OK;
    if (!mn_resample_step(s->world)) {
        mn_say_failure(s->say, MN_NOWHERE, "out of memory for the grid of the flow");
        return MN_FAILED;
    }
    const double number = mn_intervals(mn_world_time(s->world), grid->every);
    if (!crossed(s, grid->every) || number > 99999999) return MN_OK;
    return mn_output_grid(s->output, s->world, (int)number, s->say);
}

/* A checkpoint that survives a power cut must not be ahead of the tables. Frames are synced one by one. */
static mn_status sync_tables(session *s)
{
    mn_gaps_table tables[MN_GAPS_TABLES];
    list_tables(s, tables);
    mn_status status = MN_OK;
    for (int t = 0; t < MN_GAPS_TABLES && status == MN_OK; t++) status = mn_rows_sync(tables[t].rows, s->say);
    return status == MN_OK ? mn_probes_sync(s->probes, s->say) : status;
}

/* The world may be made again from the session's scene: this has its own list of what was changed (mn_world_change). */
static mn_status take_changes(session *s)
{
    int count, taken = 0;
    const mn_change *made = mn_world_changes(s->world, &count);
    if (count == s->scene->change_count) return MN_OK;
    mn_change *list = calloc((size_t)count + 1, sizeof *list);
    for (; list && taken < count; taken++) {
        list[taken] = made[taken];
        list[taken].at = (mn_place){s->scene->path, 0, 0};
        if (!(list[taken].set = strdup(made[taken].set))) break;
    }
    for (int i = 0; i < s->scene->change_count; i++) free(s->scene->changes[i].set);
    free(s->scene->changes);
    s->scene->changes = list;
    s->scene->change_count = taken;
    s->undescribed = true;
    if (taken == count) return MN_OK;
    mn_say_failure(s->say, MN_NOWHERE, "out of memory");
    return MN_FAILED;
}

static mn_status describe_changes(session *s)
{
    if (!s->undescribed || !s->opt.dir) return MN_OK;
    s->undescribed = false;
    s->changed_wall = wall_clock();
    return mn_run_describe(s->opt.dir, s->scene, s->say);
}

/* A dragged slider changes a value many times a second: run.yaml follows once a second, and before every
 * checkpoint. */
static mn_status follow_changes(session *s)
{
    const mn_status status = take_changes(s);
    return status == MN_OK && wall_clock() - s->changed_wall > 1 ? describe_changes(s) : status;
}

static mn_status write_checkpoint(session *s)
{
    if (!s->opt.dir || s->checkpoint_step == mn_world_steps(s->world)) return MN_OK;
    mn_status status = mn_output_flush(s->output, s->say); /* a resumed run does not make its frames again */
    if (status == MN_OK) status = take_changes(s);
    if (status == MN_OK) status = describe_changes(s);
    if (status == MN_OK) status = sync_tables(s);
    if (status == MN_OK) status = mn_run_checkpoint(s->opt.dir, s->world, s->say);
    s->checkpoint_step = mn_world_steps(s->world);
    s->checkpoint_wall = wall_clock();
    s->sum.checkpoints += status == MN_OK;
    if (status == MN_OK) {
        s->kept_step = mn_world_steps(s->world);
        s->kept_time = mn_world_time(s->world);
    }
    return status;
}

static void report_progress(session *s, const mn_stats *stats)
{
    if (!s->opt.progress) return;
    s->progress_wall = wall_clock();
    mn_session_progress now = {.stats = *stats,
                               .begin = s->begin,
                               .end = end_of(s),
                               .first_step = s->sum.first_step,
                               .last_step = s->opt.steps,
                               .wall = s->progress_wall - s->start,
                               .particle_steps = s->sum.particle_steps};
    s->opt.progress(s->opt.user, &now);
}

/* Everything that follows a step. The numbers of a step cost a pass over the particles, so they are asked for only
 * when due. */
static mn_status after_step(session *s)
{
    double now = wall_clock();
    const mn_scene *scene = scene_now(s);
    bool row = scene->stats_interval > 0 ? crossed(s, scene->stats_interval) : true;
    bool progress = s->opt.progress && now - s->progress_wall >= s->opt.progress_interval;
    mn_status status = MN_OK;
    if (row || progress) {
        mn_stats stats = mn_world_stats(s->world);
        if (row) status = write_row(s, &stats);
        if (progress) report_progress(s, &stats);
    }
    if (status == MN_OK && crossed(s, s->scene->frame_interval)) status = write_frame(s);
    if (status == MN_OK) status = write_grid(s);
    if (status == MN_OK) status = mn_probes_step(s->probes, s->world, s->before, s->say);
    const double since = now - s->checkpoint_wall, every = scene->checkpoint_wall;
    /* not while frames are being written, for which the run would wait; but not much later either */
    bool wall_due = every > 0 && since >= (mn_output_busy(s->output) ? 1.25 * every : every);
    if (status == MN_OK && (wall_due || crossed(s, scene->checkpoint_interval))) status = write_checkpoint(s);
    return status;
}

/* ----------------------------------------------------------------------------------------------- stepping */

bool mn_session_done(const mn_session *s)
{
    if (s->opt.steps >= 0 && mn_world_steps(s->world) >= s->opt.steps) return true;
    return mn_world_time(s->world) >= end_of(s) * (1 - 1e-12);
}

static mn_status advance(session *s)
{
    s->before = mn_world_time(s->world);
    double interval = s->scene->frame_interval;
    mn_world_limit_step(s->world, interval > 0 ? (mn_intervals(s->before, interval) + 1) * interval : INFINITY);
    double start = wall_clock();
    const int64_t before = mn_world_steps(s->world);
    mn_status status = mn_step(s->world, s->say);
    s->sum.step_wall += wall_clock() - start;
    if (mn_world_steps(s->world) > before) s->sum.particle_steps += (double)mn_world_particles(s->world);
    return status;
}

mn_status mn_session_step(mn_session *s, mn_messages *say)
{
    s->say = say;
    if (s->status == MN_DIVERGED || s->status == MN_FAILED) {
        mn_say_error(say, MN_NOWHERE, "the session has failed; expected it to be closed");
        return s->status;
    }
    if (mn_session_done(s)) {
        mn_say_error(say, (mn_place){s->scene->path, 0, 0},
                     "the run has reached its end, step %lld, time %g s; expected no more steps",
                     (long long)mn_world_steps(s->world), mn_world_time(s->world));
        return MN_BAD_INPUT;
    }
    mn_status status = follow_changes(s);
    const int64_t before = mn_world_steps(s->world);
    if (status == MN_OK) status = advance(s);
    const bool answered = status != MN_OK && mn_world_steps(s->world) > before; /* by a callback: the step is whole */
    if (status != MN_OK && !answered) return s->status = status;
    mn_status written = after_step(s);
    if (written == MN_OK) written = mn_world_change_due(s->world, say); /* the end may be one of them */
    s->status = written;
    return written == MN_OK ? status : written;
}

static bool is_stopped(const session *s) { return s->opt.stop && *s->opt.stop; }

mn_status mn_session_frame(mn_session *s, mn_messages *say)
{
    const int before = s->sum.frames;
    mn_status status = MN_OK;
    do status = mn_session_step(s, say);
    while (status == MN_OK && s->sum.frames == before && !mn_session_done(s) && !is_stopped(s));
    return status == MN_OK && is_stopped(s) ? MN_INTERRUPTED : status;
}

int mn_session_frames(const mn_session *s) { return s->sum.frames; }

mn_status mn_session_checkpoint(mn_session *s, mn_messages *say)
{
    s->say = say;
    return write_checkpoint(s);
}

mn_world *mn_session_world(mn_session *s) { return s->world; }

/* ------------------------------------------------------------------------------------------------ opening */

mn_session_options mn_default_session_options(void)
{
    return (mn_session_options){.until = -1, .steps = -1, .world = mn_default_options(), .progress_interval = 1};
}

/* The scene with the formats asked for. */
static mn_scene *with_formats(const mn_scene *scene, const mn_session_options *opt)
{
    mn_scene borrowed = *scene;
    if (opt->format_count > 0) {
        borrowed.frame_formats = (char **)opt->formats; /* only read */
        borrowed.frame_format_count = opt->format_count;
    }
    return mn_scene_copy(&borrowed);
}

static bool keep_options(session *s, const mn_session_options *opt)
{
    s->opt = *opt;
    s->opt.dir = opt->dir ? strdup(opt->dir) : NULL;
    s->opt.world.backend = opt->world.backend ? strdup(opt->world.backend) : NULL;
    s->opt.formats = NULL, s->opt.format_count = 0; /* they are in the scene */
    return (s->opt.dir || !opt->dir) && (s->opt.world.backend || !opt->world.backend);
}

static void release(session *s)
{
    mn_output_free(s->output);
    mn_world_free(s->world);
    if (s->lock >= 0) close(s->lock);
    mn_scene_free(s->scene);
    free((char *)s->opt.dir), free((char *)s->opt.world.backend);
    free(s);
}

static mn_status close_tables(session *s)
{
    const mn_status stats = mn_stats_close(s->log, s->say), bodies = mn_rows_free(s->bodies, s->say),
                    solids = mn_rows_free(s->solids, s->say), probes = mn_probes_close(s->probes, s->say);
    s->log = NULL, s->bodies = NULL, s->solids = NULL, s->probes = NULL;
    return stats != MN_OK ? stats : bodies != MN_OK ? bodies : solids != MN_OK ? solids : probes;
}

/* The world, the folder and frame 0. */
static mn_status begin(session *s)
{
    mn_status status = check_folder(s->scene, &s->opt, s->say);
    if (status != MN_OK) return status;
    s->world = mn_world_new(s->scene, &s->opt.world, s->say);
    if (!s->world) return mn_status_of_failure(s->say);
    if (s->opt.inspect && !s->opt.resume) mn_world_inspect(s->world, s->say);
    if (s->opt.dir) status = open_folder(s);
    if (status == MN_BAD_INPUT) status = mn_status_of_failure(s->say);
    if (status == MN_OK) status = mn_world_change_due(s->world, s->say);
    if (status != MN_OK) return status;
    s->begin = mn_world_time(s->world);
    s->sum.first_step = mn_world_steps(s->world);
    s->start = s->checkpoint_wall = s->progress_wall = wall_clock();
    report_progress(
        s, &(mn_stats){.step = s->sum.first_step, .time = s->begin, .particles = mn_world_particles(s->world)});
    const bool first = mn_world_steps(s->world) == 0 && s->scene->frame_interval > 0;
    return first ? write_frame(s) : MN_OK;
}

/* What the program that opened it has asked for; *status where it returns NULL. */
static session *open_session(const mn_scene *scene, const mn_session_options *opt, const mn_drawing *drawing,
                             mn_messages *say, mn_status *status)
{
    *status = MN_FAILED;
    if (!scene) {
        mn_say_error(say, MN_NOWHERE, "there is no scene (NULL); the messages of its reading say why");
        *status = MN_BAD_INPUT;
        return NULL;
    }
    session *s = calloc(1, sizeof *s);
    if (s) {
        s->lock = -1, s->checkpoint_step = s->kept_step = -1, s->say = say;
        if (drawing) s->drawing = *drawing;
        s->scene = with_formats(scene, opt);
        if (keep_options(s, opt) && s->scene) *status = begin(s);
        if (*status == MN_OK) return s;
        close_tables(s);
        release(s);
    }
    if (*status == MN_FAILED && !mn_messages_errors(say)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    return NULL;
}

mn_session *mn_session_open(const mn_scene *scene, const mn_session_options *opt, mn_messages *say)
{
    const mn_session_options standard = mn_default_session_options();
    mn_status status;
    return open_session(scene, opt ? opt : &standard, NULL, say, &status);
}

/* ------------------------------------------------------------------------------------------------ closing */

/* A step that diverges destroys the state before it. But steps give the same bits each time: that state is computed
 * once more, from the last checkpoint or from the beginning, and kept. Not where checkpoints are turned off, or where
 * something else has changed it. */
static void keep_last_good_state(session *s)
{
    const int64_t last = mn_world_steps(s->world);
    const mn_scene *scene = scene_now(s);
    if (!(scene->checkpoint_wall > 0 || scene->checkpoint_interval > 0) || s->kept_step == last) return;
    if (s->world->user.touched) return;
    mn_say(s->say, MN_NOTE, (mn_place){s->opt.dir, 0, 0}, "computing the state before that step again, from step %lld",
           (long long)(s->kept_step < 0 ? 0 : s->kept_step));
    mn_messages *quiet = mn_messages_new(); /* what is to be said of the scene was said when the run began */
    char *path = mn_path_join(s->opt.dir, "checkpoint.h5");
    mn_world_free(s->world);
    s->world = mn_world_new(s->scene, &s->opt.world, quiet);
    mn_status status = s->world && path ? MN_OK : MN_FAILED;
    if (status == MN_OK && s->kept_step >= 0) status = mn_checkpoint_read(s->world, path, quiet);
    while (status == MN_OK && mn_world_steps(s->world) < last && !is_stopped(s)) {
        status = advance(s);
        if (status == MN_OK && s->scene->grid_output.every > 0 && !mn_resample_step(s->world)) status = MN_FAILED;
        if (status == MN_OK && wall_clock() - s->progress_wall >= s->opt.progress_interval) {
            mn_stats stats = mn_world_stats(s->world);
            report_progress(s, &stats);
        }
    }
    if (status == MN_OK && mn_world_steps(s->world) == last) write_checkpoint(s);
    mn_messages_free(quiet);
    free(path);
}

static void say_what_is_kept(session *s)
{
    const mn_place at = {s->opt.dir, 0, 0};
    if (s->kept_step >= 0)
        mn_say(s->say, MN_NOTE, at,
               "kept: frames and rows up to the last good step, and the state of step %lld, time %g s, as checkpoint",
               (long long)s->kept_step, s->kept_time);
    else mn_say(s->say, MN_NOTE, at, "kept: frames and rows up to the last good step");
}

static void say_where_it_failed(session *s)
{
    const mn_place at = {s->opt.dir, 0, 0};
    const long long steps = (long long)mn_world_steps(s->world), kept = (long long)s->kept_step;
    if (s->kept_step >= 0)
        mn_say(s->say, MN_NOTE, at,
               "the run ended at step %lld, time %g s; --resume continues from its checkpoint of step %lld, time %g s",
               steps, mn_world_time(s->world), kept, s->kept_time);
    else if (s->opt.dir) mn_say(s->say, MN_NOTE, at, "the run ended at step %lld, before its first checkpoint", steps);
}

static mn_status summarise(session *s)
{
    mn_session_summary *sum = &s->sum;
    snprintf(sum->backend, sizeof sum->backend, "%s", mn_world_backend(s->world));
    sum->steps = mn_world_steps(s->world);
    sum->time = mn_world_time(s->world);
    sum->particles = mn_world_particles(s->world);
    sum->boundary_points = mn_world_boundary_points(s->world);
    mn_world_deleted(s->world, &sum->drained, &sum->lost);
    sum->wall = wall_clock() - s->start;
    sum->bytes = mn_world_bytes(s->world);
    mn_stage_time stages[MN_SESSION_STAGES];
    sum->stage_count = stage_times(s, stages);
    for (int i = 0; i < sum->stage_count; i++) {
        snprintf(sum->stages[i].name, sizeof sum->stages[i].name, "%s", stages[i].name);
        sum->stages[i].seconds = stages[i].seconds;
    }
    if (s->status != MN_OK) return MN_OK;
    sum->hash = mn_world_hash(s->world);
    if (sum->hash) return MN_OK;
    mn_say_failure(s->say, MN_NOWHERE, "cannot collect the state for its hash: out of memory or device failure");
    return MN_FAILED;
}

/* What is left to do for a run that has come to its end, or that has failed. */
static mn_status finish(session *s)
{
    mn_status status = take_changes(s);
    if (status == MN_OK && s->status == MN_OK) status = write_checkpoint(s);
    if (status == MN_OK) status = describe_changes(s);
    if (status != MN_OK) s->status = status;
    if (s->status == MN_DIVERGED && s->opt.dir) {
        keep_last_good_state(s);
        say_what_is_kept(s);
        if (!s->world) return status;
    }
    if (s->status == MN_FAILED) say_where_it_failed(s);
    const mn_status summed = summarise(s);
    mn_status listed = mn_output_flush(s->output, s->say);
    if (s->output && listed == MN_OK) listed = mn_output_collect(s->output, s->say);
    const mn_status drawn = mn_output_drawn(s->output, s->opt.stop, s->say);
    if (listed == MN_OK) listed = drawn;
    if (status == MN_OK) status = summed != MN_OK ? summed : listed;
    if (s->output && status == MN_OK && s->status == MN_OK) mn_output_film(s->output, s->say);
    return status;
}

mn_status mn_session_close(mn_session *s, mn_messages *say, mn_session_summary *out)
{
    if (out) *out = (mn_session_summary){0};
    if (!s) return MN_OK;
    s->say = say;
    mn_status status = finish(s);
    const mn_status closed = close_tables(s);
    if (status == MN_OK) status = closed;
    if (status == MN_FAILED && !mn_messages_errors(say)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    if (out) *out = s->sum;
    release(s);
    return status;
}

/* Whoever steers has his turn. */
static void let_steer(session *s)
{
    if (s->opt.between) s->opt.between(s->opt.between_user, s->world);
}

mn_status mn_session_run(const mn_scene *scene, const mn_session_options *opt, mn_messages *say,
                         mn_session_summary *out)
{
    return mn_session_run_drawn(scene, opt, NULL, say, out);
}

mn_status mn_session_run_drawn(const mn_scene *scene, const mn_session_options *opt, const mn_drawing *drawing,
                               mn_messages *say, mn_session_summary *out)
{
    const mn_session_options standard = mn_default_session_options();
    if (out) *out = (mn_session_summary){0};
    mn_status status;
    session *s = open_session(scene, opt ? opt : &standard, drawing, say, &status);
    if (!s) return status;
    let_steer(s);
    while (status == MN_OK && !is_stopped(s) && !mn_session_done(s)) {
        status = mn_session_step(s, say);
        if (status == MN_OK) let_steer(s);
    }
    const bool stopped = is_stopped(s) && !mn_session_done(s);
    const mn_status closed = mn_session_close(s, say, out);
    if (status == MN_OK) status = closed;
    return status == MN_OK && stopped ? MN_INTERRUPTED : status;
}
