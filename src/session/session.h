/* session.h -- one run of a scene into a folder: steps, frames, tables, checkpoints, resume.
 *
 * The folder
 *     run.yaml                             the scene as run, every default filled in, and what was changed when
 *     stats.csv, timing.csv                see io/stats.h
 *     frames/frame_00012.vtp, frames.pvd   frame k at the time k * output.every
 *     surface/frame_00012.ply, frames.pvd  with output.surface: meshes of the liquids, see meshes.h
 *     grids/frame_00012.vti                with output.grid: grid k of the flow, of the first step from
 *                                          k * output.grid.every on
 *     bodies.csv, bodies/, bodies.pvd      with rigid bodies, see session/rigid_output.h
 *     preview/frame_00012.png, preview.mp4 with `preview`
 *     coats/frame_00012.vtp                with substances, see coats.h
 *     solids.csv, solids/                  see soft_output.h
 *     checkpoint.h5, checkpoint.prev.h5    the last two states, the newer one first
 *     checkpoint.bad.h5                    one that could not be read when the run was resumed
 *
 * Invariants
 *  1. The step limits depend on the scene and the time alone (multiples of the frame interval), never on where a run
 *     was stopped or resumed, nor on `until`: an interrupted run continues to the same bits. Hence a run ends with the
 *     first step that reaches its end, which may lie past it by less than one step.
 *  2. At every moment the folder holds a whole checkpoint, once one was written.
 *  3. Rows and frames of a step are on the disk before the checkpoint of that step: a resumed run misses none. If some
 *     were deleted, it says which (gaps.h).
 *  4. The old run is untouched until the new world exists, and then only with `overwrite`.
 *
 * Times are simulated seconds unless called wall.
 */
#ifndef MN_SESSION_H
#define MN_SESSION_H

#include <signal.h>

#include "scene/scene.h"

enum { MN_SESSION_STAGES = 32 };

typedef struct mn_session_progress {
    mn_stats stats;        /* of the last step */
    double begin, end;     /* s, of this session and of the run */
    int64_t first_step;    /* of this session */
    int64_t last_step;     /* asked for; negative: no limit */
    double wall;           /* s since the session began */
    double particle_steps; /* fluid particles times steps since the session began */
} mn_session_progress;

typedef struct mn_session_options {
    const char *dir;            /* NULL: no files at all */
    double until;               /* s; negative: the scene's end */
    int64_t steps;              /* the run's last step, counted from its very beginning; negative: no limit */
    mn_options world;           /* backend, threads */
    const char *const *formats; /* instead of the scene's; see io/frames.h */
    int format_count;           /* 0: the scene's */
    bool preview, resume, overwrite;
    bool inspect;                      /* warn of what is doubtful about a new run: mn_world_inspect */
    const volatile sig_atomic_t *stop; /* looked at after each step; NULL: never */
    void (*progress)(void *user, const mn_session_progress *now);
    void *user;
    double progress_interval; /* wall s between calls of `progress` */
    /* Called before the first step, after each and once the end is reached, in the thread of the run: it may wait, ask
     * the world, and change it (mn_world_change), which run.yaml then tells. NULL: never */
    void (*between)(void *user, mn_world *world);
    void *between_user;
} mn_session_options;
mn_session_options mn_default_session_options(void);

typedef struct mn_session_summary {
    char backend[128];
    int64_t first_step, steps; /* the step it began at, and the run's steps at the end */
    double time;               /* s, reached */
    int64_t particles, wall_particles;
    int64_t drained, lost;  /* deleted since the run's beginning: in sinks, outside the domain */
    double wall, step_wall; /* s in all, and inside mn_step */
    double particle_steps;
    double density_error_avg, density_error_max; /* means over the rows of stats.csv; largest */
    double pressure_iterations;                  /* mean over the rows */
    size_t bytes;
    int frames, checkpoints; /* written by this session */
    struct {
        char name[40];
        double seconds;
    } stages[MN_SESSION_STAGES];
    int stage_count;
    uint64_t hash; /* of the last state; 0 if the run diverged */
} mn_session_summary;

/* MN_OK: reached its end. MN_INTERRUPTED: `stop` was set; a checkpoint was written. MN_DIVERGED, MN_FAILED: the last
 * good frames and checkpoint are kept. MN_BAD_INPUT: nothing was changed. `out` is filled as far as the run came. */
mn_status mn_session_run(const mn_scene *scene, const mn_session_options *opt, mn_messages *say,
                         mn_session_summary *out);

#endif
