/* folder.h -- the folder of a run: is it taken, by which scene, and its two checkpoints. */
#ifndef MN_SESSION_FOLDER_H
#define MN_SESSION_FOLDER_H

#include "scene/scene.h"

/* Whether the folder holds a run, finished or not. */
bool mn_run_exists(const char *dir);

/* Keeps other processes out of the folder while the descriptor stays open. Negative, with a message, if one is in
 * it. */
int mn_run_lock(const char *dir, mn_messages *say);

/* Deletes what a run left in the folder, and nothing else. */
mn_status mn_run_erase(const char *dir, mn_messages *say);

/* Writes run.yaml. */
mn_status mn_run_describe(const char *dir, const mn_scene *scene, mn_messages *say);

/* MN_BAD_INPUT, with the first difference, if the run in the folder is of another scene. What may differ: scene.h,
   mn_scene_compare. */
mn_status mn_run_same_scene(const char *dir, const mn_scene *scene, mn_messages *say);

/* Writes checkpoint.h5 and keeps the one before as checkpoint.prev.h5. */
mn_status mn_run_checkpoint(const char *dir, mn_world *world, mn_messages *say);

/* Puts the world into the newest good state, and says which, and why a newer one was refused. *resumed stays false
 * if there is no checkpoint at all. MN_BAD_INPUT if there are some and none is good. */
mn_status mn_run_resume(const char *dir, mn_world *world, bool *resumed, mn_messages *say);

#endif
