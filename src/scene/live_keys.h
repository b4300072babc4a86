/* live_keys.h -- which keys may change while a scene runs. change.c changes them. */
#ifndef MN_SCENE_LIVE_KEYS_H
#define MN_SCENE_LIVE_KEYS_H

#include "scene/key_table.h"
#include "scene/scene.h"

/* Whether a row may change at all, */
bool mn_key_is_live(const mn_key *key);
/* and whether it means something in this scene: a fixed step where steps are adaptive does not. */
bool mn_key_is_used(const mn_key *key, const void *record);
/* A section that the scene lacks, such as the jet of a flow that is a vortex; only a motion may begin. */
bool mn_section_is_missing(const mn_key *map, const char *record);
/* A wall that stands still may begin to move while the scene runs; bodies and solids may not. */
bool mn_motion_may_begin(const mn_scene *scene, const mn_motion *motion);
/* The centre of a motion. */
bool mn_key_is_centre(const mn_key *key);

#endif
