/* tables.h -- for the files with the rows of scene files, tables*.c: every key once. SI units; ranges are inclusive and
 * wide enough for anything from a droplet to a harbour. */
#ifndef MN_SCENE_TABLES_H
#define MN_SCENE_TABLES_H

#include "scene/read.h"
#include "scene/table.h"

#include <stddef.h>

#define IN(record, member) .offset = offsetof(record, member)
#define AT(record, member) offsetof(record, member)
#define ROWS(rows) .keys = rows, .count = (int)(sizeof rows / sizeof rows[0])
#define METRES -1e6, 1e6
#define LENGTH MN_LENGTH_LEAST, MN_LENGTH_MOST
#define SPEED -1e6, 1e6
#define TIMES 0, 1e9
#define AMOUNTS 0, 1e12

/* Names that keys of several files take; lists end with NULL. */
extern const char *const mn_sampling_names[], *const mn_wall_method_names[];
/* For keys that another key replaces: the writer never shows them. */
bool mn_never_written(const void *record);

extern const mn_table mn_fluid_table, mn_look_table, mn_pair_table;
extern const mn_table mn_wall_table, mn_sink_table, mn_body_table, mn_joint_table, mn_rigid_table, mn_solid_table;
extern const mn_table mn_air_table;
extern const mn_table mn_species_table, mn_substance_table, mn_reaction_table;
extern const mn_table mn_output_table, mn_stats_table, mn_checkpoint_table, mn_camera_table;

#endif
