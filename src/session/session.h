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
 *     render/frame_00012.png               with mn_drawing, by render/run_pictures.h
 *     coats/frame_00012.vtp                with substances, see coats.h
 *     probes/NAME.csv                      with output.probes, see probes.h
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
 *  5. Where the program that uses the library has changed the world (mn_user.touched), a state cannot be computed again
 *     from an earlier one. What mn_world_change did is not of that kind: run.yaml has it.
 *
 * The calls stand in meniscus.h. Times are simulated seconds unless called wall.
 */
#ifndef MN_SESSION_H
#define MN_SESSION_H

#include "scene/scene.h"

/* What is drawn of a run while it goes on, from its folder. `frame` is called once the files of a frame are whole: by a
 * thread of its own where cores are left (queue.h), else at once. A failure ends the run. */
typedef struct mn_drawing {
    mn_status (*frame)(void *user, int number, mn_messages *say);
    void *user;
} mn_drawing;
/* mn_session_run with drawing. When the run is over the frames that wait are drawn, too; once `stop` of the options is
 * set they are left, with a note. */
mn_status mn_session_run_drawn(const mn_scene *scene, const mn_session_options *options, const mn_drawing *drawing,
                               mn_messages *say, mn_session_summary *out);

#endif
