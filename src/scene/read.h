/* read.h -- nodes into records, by the tables. */
#ifndef MN_SCENE_READ_H
#define MN_SCENE_READ_H

#include "scene/node.h"
#include "scene/key_table.h"

typedef struct mn_reader {
    mn_messages *say;
    mn_tree *tree;
    mn_scene *scene;
    int errors;
    bool out_of_memory;
} mn_reader;

/* One error about a node: its place and key path come first. */
void mn_complain(mn_reader *reader, const mn_node *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same about a path that need not exist: placed at the nearest node that does. */
void mn_complain_at(mn_reader *reader, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Where only the place is left of what was read. */
void mn_complain_place(mn_reader *reader, mn_place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Remembers that memory ran out; returns p. */
void *mn_need(mn_reader *reader, void *p);
/* A place that lives as long as the scene. */
mn_place mn_reader_place(const mn_reader *reader, const mn_node *node);

/* Fills the record: given keys from the node (NULL: none given), the others by default. Unreadable numbers become
 * NaN, so that no later check complains about them again. */
void mn_read_table(mn_reader *reader, const mn_table *table, const mn_node *node, void *record);
void mn_read_key(mn_reader *reader, const mn_key *key, const mn_node *node, void *record);
/* The number in a text by the row's range and integrality; complains about `node`. */
bool mn_read_number(mn_reader *reader, const mn_key *key, const mn_node *node, double *out);
/* "expected ..., found ...". */
void mn_complain_expected(mn_reader *reader, const mn_key *key, const mn_node *node);
void mn_complain_name(mn_reader *reader, const mn_node *node, const char *what, const char *name,
                      const char *const *names, int count);

/* base.c: where the scene is a variation of another, puts that one in its place, with what differs. False: it makes
 * no sense to go on. */
bool mn_read_base(mn_reader *reader);
/* scene.c: the whole file, or NULL after a message that says `at`. Yours to free. */
char *mn_read_file(const char *path, size_t *length, mn_place at, mn_messages *say);

/* read_shape.c */
/* The path of a file that a key named: relative to the folder of the file that the key stands in. Yours to free. */
char *mn_relative_path(mn_reader *reader, const mn_node *node, const char *name);
/* Makes the name of a file that a key gave a whole path; complains if there is no such file. */
void mn_resolve_file(mn_reader *reader, const mn_node *node, const char *what, char **file);
void mn_read_shape(mn_reader *reader, const mn_node *node, mn_shape_def *shape);
void mn_read_rotation(mn_reader *reader, const mn_key *key, const mn_node *node, double matrix[9]);
mn_draft mn_draft_of(const mn_shape_def *shape);
/* Unit length; false if it has none. Vectors of unit length are left as they are, bit for bit. */
bool mn_normalise(double v[3]);

/* read_model.c */
/* The model that the fluid's key surface_tension chooses; NULL where it is not given: whether its models go
 * together. */
void mn_use_surface_tension(mn_reader *reader, const mn_node *given, mn_fluid *fluid);
/* A viscosity that was given as an amount: over the density where it is dynamic, and against walls too. */
void mn_finish_viscosity(mn_reader *reader, const mn_node *given, mn_fluid *fluid);
void mn_read_fluid_model(mn_reader *reader, const mn_node *node, const char *kind, mn_fluid *fluid);

/* rules.c: rules between keys; the finishers of the tables, then the scene as a whole. */
void mn_finish_emitter(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_fluid(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_motion(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_look(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_wall(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_body(mn_reader *reader, const mn_node *node, void *record);  /* rules_bodies.c */
void mn_finish_joint(mn_reader *reader, const mn_node *node, void *record); /* rules_bodies.c */
void mn_finish_solid(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_sink(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_air_slice(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_air_grid(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_grid_output(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_probe(mn_reader *reader, const mn_node *node, void *record); /* rules_probes.c */
void mn_finish_flow(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_domain(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_time(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_pressure(mn_reader *reader, const mn_node *node, void *record); /* read_model.c */
void mn_finish_camera(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_scene(mn_reader *reader, mn_scene *scene);
/* rules_species.c: species, substances and reactions, each by itself and together. */
void mn_finish_species(mn_reader *reader, const mn_node *node, void *record);
void mn_check_species(mn_reader *reader, mn_scene *scene);
/* rules_contact.c: patterns on walls, contact angles. */
void mn_finish_pattern(mn_reader *reader, const mn_node *node, void *record);
void mn_finish_contact_pattern(mn_reader *reader, const mn_node *node, void *record);
void mn_check_contact(mn_reader *reader, mn_scene *scene);
/* Index of a name in a list of records whose first member is the name, or -1 after a complaint; an empty name is -1
 * too, silently. */
int mn_find_name(mn_reader *reader, const char *path, const char *what, const char *name, const void *records,
                 int count, size_t size);
void mn_check_pairs(mn_reader *reader, mn_scene *scene);
/* A name that has to be that of a field, of particles or of a species of the scene. */
void mn_check_field(mn_reader *reader, const mn_scene *scene, const mn_node *node);
/* rules_counts.c: how many particles and points there will be. */
void mn_check_counts(mn_reader *reader, mn_scene *scene);
/* rules_probes.c: names, fields and fluids of the probes. */
void mn_check_probes(mn_reader *reader, mn_scene *scene);
/* change.c: whether all changes can be made. */
void mn_check_changes(mn_reader *reader, mn_scene *scene);
/* rules_bodies.c: joints find their bodies. */
void mn_check_joints(mn_reader *reader, mn_scene *scene);
/* The node of entry `index` of a mapping's `shapes`, or the mapping itself. */
const mn_node *mn_shape_node(const mn_node *node, int index);
/* Shapes that enclose a volume: no plane, nothing inside out. `what` they are of: fluid, body, solid. */
void mn_check_closed(mn_reader *reader, const mn_node *node, const mn_shape_def *shapes, int count, const char *what);

#endif
