/* replay.h -- a run read back from its folder: its scene, its frames, where its walls and bodies were. */
#ifndef MN_SESSION_REPLAY_H
#define MN_SESSION_REPLAY_H

#include "io/frames.h"
#include "scene/scene.h"
#include "surface/barrier.h"

/* As it was at the frame that was read last: with what was changed until then. */
const mn_scene *mn_replay_scene(const mn_replay *replay);

/* Frame `number`: mn_frame_read of the first format there is, vtp, ply or bgeo. Its time is known whatever the
 * format. */
mn_status mn_replay_frame(mn_replay *replay, int number, mn_frame *out, mn_messages *say);
/* The frame of the same number in another folder of the run: bodies, solids, coats. */
mn_status mn_replay_beside(const mn_replay *replay, const char *folder, int number, mn_frame *out, mn_messages *say);
/* The particles of soft solids in a frame of the folder solids, which must outlive them; false: it is none. */
bool mn_replay_soft(const mn_frame *frame, mn_soft_points *out);
/* Puts walls, bodies and soft solids where they were in that frame, the one that was read last. Bodies and solids
 * stay where they began, with a warning, if their frame is missing. */
mn_status mn_replay_barrier(const mn_replay *replay, int number, double time, mn_barrier *barrier, mn_messages *say);

#endif
