/* scenes.h -- where the scenes that come with the program lie: MENISCUS_SCENES, the source tree it was built from,
 * or the installed share directory, in that order. */
#ifndef CLI_SCENES_H
#define CLI_SCENES_H

#include "args.h"

/* The path of SCENE: itself if there is such a file, else the shipped scene of that name ("dam-30k",
 * "basics/dam-30k", with or without ".yaml"). malloc'd. NULL when out of memory; a name found nowhere is returned as
 * it is, for the reader of scenes to complain about. */
char *cli_find_scene(const char *name);

/* The folder of a shipped scene's path ("basics"), and its bare name; both end where `length` says. */
const char *cli_scene_group(const char *path, int *length);
const char *cli_scene_name(const char *path, int *length);

/* Paths of all shipped scenes, sorted. malloc'd list of malloc'd paths. */
char **cli_all_scenes(int *count);
void cli_free_names(char **at, int count);

/* Finds and reads the scene that the arguments name, with its --set. *path (malloc'd) is where it lies. NULL if
 * there is any error; the messages then say which, and name the nearest shipped scene if there is no such file. */
mn_scene *cli_load_scene(const cli_arguments *args, char **path, mn_messages *say);
/* The same, but what could be read of a scene with errors comes back too; *good: it has none. */
mn_scene *cli_load_draft(const cli_arguments *args, char **path, bool *good, mn_messages *say);

#endif
