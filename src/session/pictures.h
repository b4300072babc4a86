/* pictures.h -- pictures of a run: one view and, where it can be told beforehand, one colour scale for all frames. */
#ifndef MN_SESSION_PICTURES_H
#define MN_SESSION_PICTURES_H

#include "scene/scene.h"

typedef struct mn_pictures mn_pictures;

/* `world` is in its first state, also when the run is about to be resumed: the view must not depend on where a run
 * was stopped. `scene` must outlive it. NULL, with a message, on failure. */
mn_pictures *mn_pictures_new(const mn_scene *scene, mn_world *world, mn_messages *say);
void mn_pictures_free(mn_pictures *pictures);

/* What one picture shows, taken from the world; it can be drawn later, by another thread. NULL, with a message, on
 * failure. */
typedef struct mn_shot mn_shot;
mn_shot *mn_pictures_shoot(const mn_pictures *pictures, mn_world *world, mn_messages *say);
mn_status mn_pictures_draw(const mn_pictures *pictures, const mn_shot *shot, const char *path, mn_messages *say);
void mn_shot_free(mn_shot *shot);

#endif
