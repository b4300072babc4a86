/* tables.h -- for the files with the rows of scene files, tables*.c: every key once. SI units; ranges are inclusive and
 * wide enough for anything from a droplet to a harbour. */
#ifndef MN_SCENE_TABLES_H
#define MN_SCENE_TABLES_H

#include "scene/read.h"
#include "scene/key_table.h"

#include <stddef.h>

#define IN(record, member) .offset = offsetof(record, member)
#define AT(record, member) offsetof(record, member)
#define ROWS(rows) .keys = rows, .count = (int)(sizeof rows / sizeof rows[0])
#define METRES_MOST 1e6
#define METRES -METRES_MOST, METRES_MOST
#define LENGTH MN_LENGTH_LEAST, MN_LENGTH_MOST
#define SPEED -1e6, 1e6
#define TIMES 0, 1e9
#define AMOUNTS 0, 1e12

/* Names that keys of several files take; lists end with NULL. */
extern const char *const mn_sampling_names[], *const mn_wall_method_names[];
extern const char *const mn_channel_names[];
/* Of records that begin with an mn_pattern: whether it has a shape, an image. */
bool mn_has_patch(const void *record);
bool mn_has_image(const void *record);

/* clang-format off */
#define PATTERN_ROWS(record, member) \
    {"shape", MN_KEY_SHAPE, NULL, "-", 0, 0, "only points of the wall within this shape: a patch", \
     IN(record, member.shape), .written = mn_has_patch}, \
    {"colour", MN_KEY_CHOICE, NULL, "none", 0, 0, \
     "times this channel of the vertex colours of the wall's PLY meshes (0 to 1)", IN(record, member.colour), \
     .words = mn_channel_names}, \
    {"image", MN_KEY_TEXT, NULL, "\"\"", 0, 4000, \
     "times the brightness of this PNG file (0 to 1), projected onto the wall; its path relative to the scene file", \
     IN(record, member.image), .path = true}, \
    {"origin", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "where the upper left corner of the image lies", \
     IN(record, member.origin), 3, .written = mn_has_image}, \
    {"along", MN_KEY_NUMBERS, "m", "[1, 0, 0]", METRES, "from there to the upper right corner", \
     IN(record, member.along), 3, .written = mn_has_image}, \
    {"down", MN_KEY_NUMBERS, "m", "[0, 0, 1]", METRES, "from there to the lower left corner", \
     IN(record, member.down), 3, .written = mn_has_image}
/* clang-format on */

extern const mn_table mn_fluid_table, mn_look_table, mn_pair_table;
extern const mn_table mn_wall_table, mn_sink_table, mn_body_table, mn_joint_table, mn_rigid_table, mn_solid_table;
extern const mn_table mn_air_table;
extern const mn_table mn_species_table, mn_substance_table, mn_reaction_table;
extern const mn_table mn_output_table, mn_stats_table, mn_checkpoint_table, mn_camera_table;

#endif
