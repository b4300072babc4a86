/* change.h -- a scene that changes while it runs; see change.c. */
#ifndef MN_SCENE_CHANGE_H
#define MN_SCENE_CHANGE_H

#include "scene/scene.h"

/* copy.c: a copy that shares nothing with the first. NULL: no memory. */
mn_scene *mn_scene_copy(const mn_scene *scene);
/* The same of a curve; false: no memory, and what it lacks is NULL. */
bool mn_curve_copy(const mn_curve *from, mn_curve *to);

/* Puts KEY=VALUE into the scene: any value that may be keyframed, and what the tables call live. `time`: when, for
 * motions, which go on from where they have come to. MN_BAD_INPUT, with a message that says `at`, where there is no
 * such key, it cannot change (and why), or its value is out of range or does not go with the others; the scene is then
 * as before. */
mn_status mn_scene_change(mn_scene *scene, const char *set, double time, mn_place at, mn_messages *say);

/* One of the scene's own list, which was checked when it was read or made: only its own value is looked at. */
mn_status mn_scene_repeat(mn_scene *scene, const mn_change *change, mn_messages *say);

/* Gives the key of `set` the value back that `given`, of which the scene is a copy, has there. */
mn_status mn_scene_unchange(mn_scene *scene, const mn_scene *given, const char *set, mn_messages *say);

/* All that the first *changed of the scene's changes changed gets the value back that `given` has; then the first
 * `count` are made. */
mn_status mn_scene_change_first(mn_scene *scene, const mn_scene *given, int *changed, int count, mn_messages *say);

/* live_keys.c: what may change: its path, its row and its value at that time; `keyed`: it follows keyframes. A choice
 * has `words`, ended by NULL, and its value is the number of one of them; those of a mark are false and true. */
typedef struct mn_live {
    const char *path, *name, *unit, *help; /* unit NULL: none */
    const char *const *words;              /* NULL: numbers */
    double min, max;
    int width;
    double value[3];
    bool keyed, whole; /* whole: a count */
} mn_live;
typedef void mn_live_visit(void *user, const mn_live *value);
void mn_scene_live(const mn_scene *scene, double time, mn_live_visit *visit, void *user);

/* Lists a change as number `index`. False: no memory. */
bool mn_scene_add_change(mn_scene *scene, int index, double time, const char *set);

#endif
