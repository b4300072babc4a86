/* tables_shapes.c -- keys of scene files: shapes: box, sphere, cylinder, capsule, cone, torus, plane, mesh. */
#include "scene/tables.h"

static const char *const face_names[] = {"-x",    "+x",     "-y",  "+y",   "-z",    "+z", "left",
                                         "right", "bottom", "top", "back", "front", NULL};
static const char *const end_names[] = {"bottom", "top", NULL};

/* What the writer leaves out. */
static bool is_grid(const void *record) { return ((const mn_draft *)record)->shape.grid[0] > 0; }
static bool is_sized(const void *record) { return !is_grid(record); }

/* clang-format off */
#define ROTATE_ROW \
    {"rotate", MN_KEY_ROTATION, "degrees", "[0, 0, 0]", METRES, \
     "turn about the centre of the shape (mesh: the origin of its file): rotation vector (axis times angle), " \
     "`{axis: [x, y, z], angle: a}`, or the nine numbers of a rotation matrix by rows", \
     IN(mn_draft, shape.rotation), .written = is_sized}
#define SCALE_ROW \
    {"scale", MN_KEY_NUMBERS, NULL, "1", 1e-6, 1e6, \
     "enlarges about the same point, before the turn; three numbers: along x, y and z of the shape as it is before " \
     "it is turned (mesh: of the file), its axis or normal being y", \
     IN(mn_draft, shape.stretch), 3, .same = true, .written = is_sized}
#define PLACE_ROWS \
    {"translate", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "moves, after scale and turn", \
     IN(mn_draft, shape.translate), 3, .written = mn_never_written}, \
    {"inside_out", MN_KEY_FLAG, NULL, "false", 0, 0, "the shape is everything outside: a container", \
     IN(mn_draft, shape.inside_out)}
#define SHAPE_ROWS ROTATE_ROW, SCALE_ROW, PLACE_ROWS

#define CENTRE_ROW \
    {"centre", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "position of the centre", IN(mn_draft, centre), 3}
#define AXIS_ROW \
    {"axis", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES, "direction of the axis, any length", \
     IN(mn_draft, axis), 3, .written = mn_never_written}
#define HEIGHT_ROW(help) {"height", MN_KEY_NUMBER, "m", NULL, LENGTH, help, IN(mn_draft, shape.height)}
#define ENDS_ROW \
    {"open", MN_KEY_MARKS, NULL, "[]", 0, 0, "walls only: ends left out; the axis points to the top", \
     IN(mn_draft, shape.open[2]), 2, .words = end_names}
#define RADIUS_ROW(help) {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, help, IN(mn_draft, shape.radius)}
/* clang-format on */

static const mn_key box_rows[] = {
    {"min", MN_KEY_NUMBERS, "m", "-", METRES, "lowest corner; together with `max`", IN(mn_draft, min), 3,
     .written = mn_never_written},
    {"max", MN_KEY_NUMBERS, "m", "-", METRES, "highest corner", IN(mn_draft, max), 3, .written = mn_never_written},
    {"size", MN_KEY_NUMBERS, "m", "-", LENGTH, "edge lengths, instead of `min` and `max`", IN(mn_draft, shape.size), 3,
     .written = is_sized},
    {"centre", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "position of the centre, with `size`", IN(mn_draft, centre), 3,
     .written = is_sized},
    {"grid", MN_KEY_INTEGERS, NULL, "-", 1, 1000000,
     "fluids only: exact numbers of particles along x, y, z, instead of a size", IN(mn_draft, shape.grid), 3,
     .written = is_grid},
    {"origin", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "position of the first particle of `grid`",
     IN(mn_draft, shape.origin), 3, .written = is_grid},
    {"open", MN_KEY_MARKS, NULL, "[]", 0, 0, "walls only: faces left out, `[top]` or `[+y]`", IN(mn_draft, shape.open),
     6, .words = face_names},
    SHAPE_ROWS};

static const mn_key sphere_rows[] = {CENTRE_ROW, RADIUS_ROW("radius"), SHAPE_ROWS};
static const mn_key cylinder_rows[] = {
    CENTRE_ROW, RADIUS_ROW("radius"), HEIGHT_ROW("length along the axis"), AXIS_ROW, ENDS_ROW, SHAPE_ROWS};
static const mn_key capsule_rows[] = {CENTRE_ROW, RADIUS_ROW("radius"),
                                      HEIGHT_ROW("distance between the centres of the two caps"), AXIS_ROW, SHAPE_ROWS};
static const mn_key cone_rows[] = {CENTRE_ROW,
                                   RADIUS_ROW("radius at the base"),
                                   {"top_radius", MN_KEY_NUMBER, "m", "0", 0, 1e6,
                                    "radius at the top; 0 is a pointed cone", IN(mn_draft, shape.radius2)},
                                   HEIGHT_ROW("length along the axis, from the base to the top"),
                                   AXIS_ROW,
                                   ENDS_ROW,
                                   SHAPE_ROWS};
static const mn_key torus_rows[] = {
    CENTRE_ROW,
    RADIUS_ROW("radius of the ring"),
    {"tube", MN_KEY_NUMBER, "m", NULL, LENGTH, "radius of the tube, less than the ring's", IN(mn_draft, shape.radius2)},
    AXIS_ROW,
    SHAPE_ROWS};
static const mn_key plane_rows[] = {
    {"point", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "centre of the sheet", IN(mn_draft, centre), 3},
    {"normal", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES, "direction out of the shape, any length", IN(mn_draft, axis),
     3, .written = mn_never_written},
    {"size", MN_KEY_NUMBERS, "m", NULL, LENGTH, "the two edges; along x and z while the normal is y",
     IN(mn_draft, shape.size), 2},
    SHAPE_ROWS};
static const mn_key mesh_rows[] = {
    {"file", MN_KEY_TEXT, NULL, NULL, 1, 4000, "OBJ, PLY or STL file, its path relative to the scene file",
     IN(mn_draft, shape.file), .path = true},
    {"centre", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "position of the file's origin", IN(mn_draft, centre), 3},
    {"open", MN_KEY_FLAG, NULL, "false", 0, 0,
     "walls with `method: particles` only: it may have holes and a rim, as a terrain has; the wall is the sheet of its "
     "triangles",
     IN(mn_draft, shape.rim)},
    ROTATE_ROW,
    SCALE_ROW,
    PLACE_ROWS};

const char *const mn_shape_names[MN_SHAPE_KINDS] = {"box",  "sphere", "cylinder", "capsule",
                                                    "cone", "torus",  "plane",    "mesh"};

const mn_table mn_shape_tables[MN_SHAPE_KINDS] = {
    {"box", "A block: by two corners, by size and centre, or as an exact grid of particles.", ROWS(box_rows),
     sizeof(mn_draft)},
    {"sphere", "A ball.", ROWS(sphere_rows), sizeof(mn_draft)},
    {"cylinder", "A solid cylinder.", ROWS(cylinder_rows), sizeof(mn_draft)},
    {"capsule", "A cylinder with round caps.", ROWS(capsule_rows), sizeof(mn_draft)},
    {"cone", "A cone, pointed or cut.", ROWS(cone_rows), sizeof(mn_draft)},
    {"torus", "A ring.", ROWS(torus_rows), sizeof(mn_draft)},
    {"plane", "A rectangular sheet; the shape is the half space behind it. For walls and sinks.", ROWS(plane_rows),
     sizeof(mn_draft)},
    {"mesh", "A triangle mesh from a file: watertight, its triangles counter-clockwise seen from outside.",
     ROWS(mesh_rows), sizeof(mn_draft)},
};
