/* output.h -- frames of a running world: chosen fields in chosen formats, the .pvd that strings them, and pictures. */
#ifndef MN_SESSION_OUTPUT_H
#define MN_SESSION_OUTPUT_H

#include "session/session.h"

typedef struct mn_output mn_output;

/* `scene` must outlive it; `world` is in its first state, see pictures.h. NULL, with a message, on failure.
   `spare`: threads for two queues during the run, one that writes frames, makes meshes and draws previews, and one that
   draws (`drawing`; NULL: nothing is); 0: all is done immediately. */
mn_output *mn_output_new(const mn_scene *scene, const char *dir, bool preview, const mn_drawing *drawing, int spare,
                         mn_world *world, mn_messages *say);
void mn_output_free(mn_output *out);

/* Frame `number` at the world's time. With a queue it may be in the files only after mn_output_flush, and a failure is
 * that of an earlier frame. */
mn_status mn_output_frame(mn_output *out, mn_world *world, int number, mn_messages *say);

/* Waits until all frames are in their files; MN_OK for NULL. To be called before a checkpoint, and before what follows.
 * */
mn_status mn_output_flush(mn_output *out, mn_messages *say);

/* Whether mn_output_flush would wait. */
bool mn_output_busy(mn_output *out);

/* Waits until the frames are drawn; once *stop is set only for the one in hand, and says how many are left. */
mn_status mn_output_drawn(mn_output *out, const volatile sig_atomic_t *stop, mn_messages *say);

/* Brings the collections up to the last frame; of the first 256 frames each does it itself, later ones seldom. */
mn_status mn_output_collect(mn_output *out, mn_messages *say);

/* The flow as a grid (output.grid). */
mn_status mn_output_grid(mn_output *out, mn_world *world, int number, mn_messages *say);

/* Makes preview.mp4 of the pictures if there are some and ffmpeg can be found. */
void mn_output_film(const mn_output *out, mn_messages *say);

#endif
