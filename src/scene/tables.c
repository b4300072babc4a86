/* tables.c -- every key of a scene file, once. SI units; ranges are inclusive and wide enough for anything from a
 * droplet to a harbour. */
#include "scene/read.h"
#include "scene/table.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

#define IN(record, member) .offset = offsetof(record, member)
#define AT(record, member) offsetof(record, member)
#define ROWS(rows) .keys = rows, .count = (int)(sizeof rows / sizeof rows[0])
#define METRES -1e6, 1e6
#define LENGTH MN_LENGTH_LEAST, MN_LENGTH_MOST
#define SPEED -1e6, 1e6
#define TIMES 0, 1e9

/* ------------------------------------------------------------------- names */

static int copy_names(const char *const *all, int count, const char **out, int capacity)
{
    for (int i = 0; i < count && i < capacity; i++) out[i] = all[i];
    return count < capacity ? count : capacity;
}
#define NAMES(function, ...)                                                                                           \
    static int function(const char **out, int capacity)                                                                \
    {                                                                                                                  \
        static const char *const all[] = {__VA_ARGS__};                                                                \
        return copy_names(all, (int)(sizeof all / sizeof all[0]), out, capacity);                                      \
    }

NAMES(axis_names, "x", "y", "z")
NAMES(face_names, "-x", "+x", "-y", "+y", "-z", "+z", "left", "right", "bottom", "top", "back", "front")
NAMES(sampling_names, "lattice", "poisson")
NAMES(iteration_names, "accelerated", "conjugate", "jacobi")
NAMES(outside_names, "clamp", "zero")
NAMES(wall_method_names, "particles", "volume_maps")
NAMES(format_names, "vtp", "bgeo", "ply")
NAMES(mesh_format_names, "ply", "obj", "vtp", "stl")
NAMES(look_names, "spheres", "water", "field")
NAMES(material_names, "auto", "matte", "glass", "metal")
NAMES(law_names, "linear", "langmuir")
NAMES(channel_names, "none", "red", "green", "blue", "grey")
NAMES(body_colours, "orange", "red", "yellow", "green", "teal", "purple", "pink", "brown", "white", "black")
NAMES(joint_names, "ball", "hinge", "slider", "fixed")

static int field_names(const char **out, int capacity)
{
    int count = mn_field_count();
    if (count > capacity) count = capacity;
    for (int i = 0; i < count; i++) out[i] = mn_field_name(i);
    return count;
}

static int pressure_names(const char **out, int capacity) { return mn_models_of_kind("pressure", out, capacity); }

/* ------------------------------------------------- what the writer leaves out */

static bool never(const void *record) { return (void)record, false; }
static bool is_bounded(const void *record) { return ((const mn_scene *)record)->bounded; }
static bool is_adaptive(const void *record) { return ((const mn_scene *)record)->adaptive; }
static bool is_fixed(const void *record) { return !is_adaptive(record); }
static bool is_disc(const void *record) { return ((const mn_emitter *)record)->disc; }
static bool is_rectangle(const void *record) { return !is_disc(record); }
static bool is_uniform(const void *record) { return ((const mn_flow *)record)->kind == MN_FLOW_UNIFORM; }
static bool is_jet(const void *record) { return ((const mn_flow *)record)->kind == MN_FLOW_JET; }
static bool is_vortex(const void *record) { return ((const mn_flow *)record)->kind == MN_FLOW_VORTEX; }
static bool is_shear(const void *record) { return ((const mn_flow *)record)->kind == MN_FLOW_SHEAR; }
static bool is_gridded(const void *record)
{
    const mn_air *air = record;
    return air->grid.file || air->grid.slice_count > 0;
}
static bool is_single(const void *record) { return ((const mn_air_grid *)record)->file; }
static bool is_boxed(const void *record) { return ((const mn_flow *)record)->bounded; }
/* Also a wall that stands still, but may begin to turn about a point. */
static bool is_moving(const void *record)
{
    const mn_motion *m = &((const mn_wall *)record)->motion;
    return m->moving || m->centre[0] != 0 || m->centre[1] != 0 || m->centre[2] != 0;
}
static bool is_wet(const mn_curve *angle) { return angle->count > 1 || (angle->count == 1 && angle->value[0] != 90); }
static bool wets_wall(const void *record) { return is_wet(&((const mn_wall *)record)->contact_angle); }
static bool wets_body(const void *record) { return is_wet(&((const mn_body *)record)->contact_angle); }
static bool wets_solid(const void *record) { return is_wet(&((const mn_soft_def *)record)->contact_angle); }
static bool has_grids(const void *record) { return ((const mn_scene *)record)->grid_output.every > 0; }
static bool is_probe_point(const void *record) { return ((const mn_probe *)record)->kind == MN_PROBE_POINT; }
static bool is_probe_plane(const void *record) { return ((const mn_probe *)record)->kind == MN_PROBE_PLANE; }
static bool is_probe_gauge(const void *record) { return ((const mn_probe *)record)->kind == MN_PROBE_GAUGE; }
static bool has_probes(const void *record) { return ((const mn_scene *)record)->probe_count > 0; }
static bool has_surface(const void *record) { return ((const mn_scene *)record)->surface_output.format_count > 0; }
static bool is_animated(const void *record) { return ((const mn_body *)record)->motion.moving; }
static bool has_density(const void *record) { return ((const mn_body *)record)->density > 0; }
static bool has_mass(const void *record) { return ((const mn_body *)record)->mass > 0; }
static bool has_holes(const void *record) { return ((const mn_fluid *)record)->hole_count > 0; }
static bool has_bodies(const void *record) { return ((const mn_scene *)record)->body_count > 0; }
static bool has_pairs(const void *record) { return ((const mn_scene *)record)->pair_count > 0; }
static bool has_joints(const void *record) { return ((const mn_scene *)record)->joint_count > 0; }
static bool has_limits(const void *record) { return ((const mn_joint *)record)->limited; }
static bool is_ball(const void *record) { return ((const mn_joint *)record)->kind == MN_BALL; }
static bool follows(const void *record) { return ((const mn_soft_def *)record)->motion.moving; }
static bool has_changes(const void *record) { return ((const mn_scene *)record)->change_count > 0; }
static bool has_solids(const void *record) { return ((const mn_scene *)record)->solid_count > 0; }
static bool has_eye(const void *record) { return !((const mn_camera *)record)->automatic; }
static bool is_grid(const void *record) { return ((const mn_draft *)record)->shape.grid[0] > 0; }
static bool is_sized(const void *record) { return !is_grid(record); }
static bool starts_in_shape(const void *record) { return ((const mn_species_start *)record)->shape.scale > 0; }
static bool coats_shape(const void *record) { return ((const mn_coat *)record)->shape.scale > 0; }
static bool coats_by_image(const void *record)
{
    return ((const mn_coat *)record)->image && ((const mn_coat *)record)->image[0];
}
static bool has_species(const void *record) { return ((const mn_scene *)record)->species_count > 0; }
static bool has_substances(const void *record) { return ((const mn_scene *)record)->substance_count > 0; }
static bool colours_walls(const void *record)
{
    return ((const mn_camera *)record)->wall_colour && ((const mn_camera *)record)->wall_colour[0];
}

/* ------------------------------------------------------------------ shapes */

/* clang-format off */
#define ROTATE_ROW \
    {"rotate", MN_KEY_ROTATION, "degrees", "[0, 0, 0]", METRES, \
     "turn about the centre of the shape (mesh: the origin of its file): rotation vector (axis times angle), " \
     "`{axis: [x, y, z], angle: a}`, or the nine numbers of a rotation matrix by rows", \
     IN(mn_draft, shape.rotation), .written = is_sized}
#define SCALE_ROW \
    {"scale", MN_KEY_NUMBER, NULL, "1", 1e-6, 1e6, "enlarges about the same point, before the turn", \
     IN(mn_draft, shape.scale), .written = is_sized}
#define MESH_SCALE_ROW \
    {"scale", MN_KEY_NUMBERS, NULL, "1", 1e-6, 1e6, \
     "enlarges about the same point, before the turn; three numbers: along the axes of the file", \
     IN(mn_draft, shape.stretch), 3, .same = true}
#define PLACE_ROWS \
    {"translate", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "moves, after scale and turn", \
     IN(mn_draft, shape.translate), 3, .written = never}, \
    {"inside_out", MN_KEY_FLAG, NULL, "false", 0, 0, "the solid is everything outside: a container", \
     IN(mn_draft, shape.inside_out)}
#define SHAPE_ROWS ROTATE_ROW, SCALE_ROW, PLACE_ROWS

#define CENTRE_ROW \
    {"centre", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "position of the centre", IN(mn_draft, centre), 3}
#define AXIS_ROW \
    {"axis", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES, "direction of the axis, any length", \
     IN(mn_draft, axis), 3, .written = never}
#define HEIGHT_ROW(help) {"height", MN_KEY_NUMBER, "m", NULL, LENGTH, help, IN(mn_draft, shape.height)}
#define RADIUS_ROW(help) {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, help, IN(mn_draft, shape.radius)}
/* clang-format on */

static const mn_key box_rows[] = {
    {"min", MN_KEY_NUMBERS, "m", "-", METRES, "lowest corner; together with `max`", IN(mn_draft, min), 3,
     .written = never},
    {"max", MN_KEY_NUMBERS, "m", "-", METRES, "highest corner", IN(mn_draft, max), 3, .written = never},
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
     6, .names = face_names},
    SHAPE_ROWS};

static const mn_key sphere_rows[] = {CENTRE_ROW, RADIUS_ROW("radius"), SHAPE_ROWS};
static const mn_key cylinder_rows[] = {CENTRE_ROW, RADIUS_ROW("radius"), HEIGHT_ROW("length along the axis"), AXIS_ROW,
                                       SHAPE_ROWS};
static const mn_key capsule_rows[] = {CENTRE_ROW, RADIUS_ROW("radius"),
                                      HEIGHT_ROW("distance between the centres of the two caps"), AXIS_ROW, SHAPE_ROWS};
static const mn_key cone_rows[] = {CENTRE_ROW,
                                   RADIUS_ROW("radius at the base"),
                                   {"top_radius", MN_KEY_NUMBER, "m", "0", 0, 1e6,
                                    "radius at the top; 0 is a pointed cone", IN(mn_draft, shape.radius2)},
                                   HEIGHT_ROW("length along the axis, from the base to the top"),
                                   AXIS_ROW,
                                   SHAPE_ROWS};
static const mn_key torus_rows[] = {
    CENTRE_ROW,
    RADIUS_ROW("radius of the ring"),
    {"tube", MN_KEY_NUMBER, "m", NULL, LENGTH, "radius of the tube, less than the ring's", IN(mn_draft, shape.radius2)},
    AXIS_ROW,
    SHAPE_ROWS};
static const mn_key plane_rows[] = {
    {"point", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "centre of the sheet", IN(mn_draft, centre), 3},
    {"normal", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES, "direction away from the solid, any length",
     IN(mn_draft, axis), 3, .written = never},
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
    MESH_SCALE_ROW,
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
    {"plane", "A rectangular sheet; the solid is the half space behind it. For walls and sinks.", ROWS(plane_rows),
     sizeof(mn_draft)},
    {"mesh", "A triangle mesh from a file: watertight, its triangles counter-clockwise seen from outside.",
     ROWS(mesh_rows), sizeof(mn_draft)},
};

/* ------------------------------------------------------------------- looks */

#define LOOK_ROWS(help)                                                                                                \
    {"visible", MN_KEY_FLAG, NULL, "true", 0, 0, "draw it", IN(mn_look, visible)},                                     \
    {                                                                                                                  \
        "colour", MN_KEY_TEXT, NULL, "\"\"", 0, 24, help, IN(mn_look, colour)                                          \
    }

static const mn_key look_rows[] = {
    LOOK_ROWS("a name (`orange`, `red`, `yellow`, `green`, `teal`, `purple`, `pink`, `brown`, `white`, `black`, "
              "`grey`, `blue`) or "
              "`\"#rrggbb\"`; empty: by what it is"),
    {"material", MN_KEY_CHOICE, NULL, "auto", 0, 0, "`auto`: glass for containers (`inside_out`), else matte",
     IN(mn_look, material), .names = material_names},
};
static const mn_table look_table = {"look", "How it looks in the pictures of `meniscus render`.", ROWS(look_rows),
                                    sizeof(mn_look), .finish = mn_finish_look};

static const mn_key fluid_look_rows[] = {
    LOOK_ROWS("colour of white light after `clarity` metres of it, written as that of a wall; empty: that of water"),
    {"clarity", MN_KEY_NUMBER, "m", "0", 0, 1e6,
     "length of liquid after which white light has its colour; 0: a quarter of the size of what is seen",
     IN(mn_look, clarity)},
};
static const mn_table fluid_look_table = {"fluid-look", "How it looks in the pictures of `meniscus render`.",
                                          ROWS(fluid_look_rows), sizeof(mn_look), .finish = mn_finish_look};

/* ------------------------------------------------------------------ fluids */

static const mn_key disc_rows[] = {
    {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, "radius of the opening", IN(mn_emitter, radius)}};
static const mn_table disc_table = {"disc", "A round opening.", ROWS(disc_rows), sizeof(mn_emitter)};

static const mn_key rectangle_rows[] = {{"size", MN_KEY_NUMBERS, "m", NULL, LENGTH,
                                         "edges of the opening; along x and z while the direction is y",
                                         IN(mn_emitter, size), 2}};
static const mn_table rectangle_table = {"rectangle", "A rectangular opening.", ROWS(rectangle_rows),
                                         sizeof(mn_emitter)};

static const mn_key emitter_rows[] = {
    {"disc", MN_KEY_MAP, NULL, "-", 0, 0, "a round opening; this or `box`", 0, .sub = &disc_table, .written = is_disc},
    {"box", MN_KEY_MAP, NULL, "-", 0, 0, "a rectangular opening", 0, .sub = &rectangle_table, .written = is_rectangle},
    {"position", MN_KEY_NUMBERS, "m", NULL, METRES, "centre of the opening", IN(mn_emitter, position), 3},
    {"direction", MN_KEY_NUMBERS, NULL, NULL, METRES, "where the fluid goes, perpendicular to the opening; any length",
     IN(mn_emitter, direction), 3},
    {"speed", MN_KEY_CURVE, "m/s", NULL, 0, 1e6, "of the emitted particles", IN(mn_emitter, speed), 1},
    {"start", MN_KEY_NUMBER, "s", "0", TIMES, "first moment of emission", IN(mn_emitter, start)},
    {"stop", MN_KEY_NUMBER, "s", ".inf", 0, DBL_MAX, "last moment of emission; `.inf`: never", IN(mn_emitter, stop)},
    {"limit", MN_KEY_LONG, NULL, "0", 0, 2e9, "most particles it emits in all; 0: no limit", IN(mn_emitter, limit)},
};
static const mn_table emitter_table = {
    "emitters",         "Openings from which fluid flows.", ROWS(emitter_rows),
    sizeof(mn_emitter), .at = AT(mn_emitter, at),           .finish = mn_finish_emitter};

static const mn_key fluid_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=fluid1, fluid2, ...", 1, 60, "its name in messages, overrides and files",
     IN(mn_fluid, name)},
    {"density", MN_KEY_NUMBER, "kg/m^3", "1000", 1e-3, 1e6, "rest density", IN(mn_fluid, density)},
    {"surface_tension", MN_KEY_CURVE, "N/m", "-", 0, 1e9,
     "tension of its free surface, water 0.0728; short for `tension: {model: laplace, tension: ...}`",
     IN(mn_fluid, surface_tension), 1, .written = never},
    {"sampling", MN_KEY_CHOICE, NULL, "lattice", 0, 0, "how the shapes are filled", IN(mn_fluid, sampling),
     .names = sampling_names},
    {"jitter", MN_KEY_NUMBER, NULL, "0", 0, 0.5,
     "lattice only: random shift of each particle, as fraction of the spacing", IN(mn_fluid, jitter)},
    {"seed", MN_KEY_INTEGER, NULL, "0", 0, 2147483647, "of the random numbers of this fluid's sampling",
     IN(mn_fluid, seed)},
    {"shapes", MN_KEY_SHAPES, NULL, "[]", 0, 10000, "what is filled at the start: the union of these",
     IN(mn_fluid, shapes), .count_offset = AT(mn_fluid, shape_count)},
    {"holes", MN_KEY_SHAPES, NULL, "[]", 0, 10000, "what is left out of it: the inside of these", IN(mn_fluid, holes),
     .count_offset = AT(mn_fluid, hole_count), .written = has_holes},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "at the start", IN(mn_fluid, velocity), 3},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED,
     "at the start, about the centre of the shapes' bounding box", IN(mn_fluid, angular_velocity), 3},
    {"emitters", MN_KEY_LIST, NULL, "[]", 0, 1000, "openings from which this fluid flows", IN(mn_fluid, emitters),
     .count_offset = AT(mn_fluid, emitter_count), .sub = &emitter_table},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_fluid, look), .sub = &fluid_look_table},
};
static const mn_table fluid_table = {
    "fluids",
    "Each fluid has shapes, emitters or both. Its models are keys too: `viscosity: xsph` takes the model with its "
    "defaults, "
    "`viscosity: {model: xsph, PARAMETER: value}` sets parameters, a list of such entries adds models up.",
    ROWS(fluid_rows),
    sizeof(mn_fluid),
    .extra = MN_FLUID_MODELS,
    .at = AT(mn_fluid, at),
    .finish = mn_finish_fluid};

/* ------------------------------------------------------------ walls and sinks */

#define CONTACT_ANGLE_ROW(record, is_written)                                                                          \
    {                                                                                                                  \
        "contact_angle", MN_KEY_CURVE, "degrees", "90", 0, 180,                                                        \
            "between it and the surface of a fluid with `surface_tension`, through the liquid",                        \
            IN(record, contact_angle), 1, .written = is_written                                                        \
    }

static const mn_key motion_rows[] = {
    {"centre", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "point about which it turns", IN(mn_motion, centre), 3},
    {"translation", MN_KEY_CURVE, "m", "[0, 0, 0]", METRES, "shift from the place where the shapes put it",
     IN(mn_motion, translation), 3},
    {"rotation", MN_KEY_CURVE, "rad", "[0, 0, 0]", METRES, "rotation vector (axis times angle) about `centre`",
     IN(mn_motion, rotation), 3},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "constant, added to the keyframes", IN(mn_motion, velocity),
     3, .live = true},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED, "constant, about `centre`",
     IN(mn_motion, angular_velocity), 3, .live = true},
};
static const mn_table motion_table = {"motion", "A given path; left out, a wall stands still and a body is free.",
                                      ROWS(motion_rows), sizeof(mn_motion), .finish = mn_finish_motion};

static const mn_key wall_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=wall1, wall2, ...", 1, 60, "its name in messages and overrides", IN(mn_wall, name)},
    {"shapes", MN_KEY_SHAPES, NULL, NULL, 1, 10000, "solids whose surface holds the fluid", IN(mn_wall, shapes),
     .count_offset = AT(mn_wall, shape_count)},
    {"method", MN_KEY_CHOICE, NULL, "=wall_method", 0, 0, "what it is made of", IN(mn_wall, method),
     .names = wall_method_names},
    {"spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between its boundary points",
     IN(mn_wall, spacing)},
    {"map_spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between the nodes of its volume map",
     IN(mn_wall, map_spacing)},
    {"friction", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' viscosity against this wall; 0: free slip",
     IN(mn_wall, friction), 1},
    {"adhesion", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' adhesion to this wall", IN(mn_wall, adhesion),
     1},
    CONTACT_ANGLE_ROW(mn_wall, wets_wall),
    {"motion", MN_KEY_MAP, NULL, "-", 0, 0, "how it moves", IN(mn_wall, motion), .sub = &motion_table,
     .written = is_moving},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_wall, look), .sub = &look_table},
};
static const mn_table wall_table = {"walls",
                                    "Solids that hold the fluid, fixed or on a given path.",
                                    ROWS(wall_rows),
                                    sizeof(mn_wall),
                                    .at = AT(mn_wall, at),
                                    .finish = mn_finish_wall};

/* ------------------------------------------------------------ bodies and joints */

static const mn_key body_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=body1, body2, ...", 1, 60, "its name in messages, joints, overrides and files",
     IN(mn_body, name)},
    {"shapes", MN_KEY_SHAPES, NULL, NULL, 1, 1000, "the body is the union of these", IN(mn_body, shapes),
     .count_offset = AT(mn_body, shape_count)},
    {"density", MN_KEY_NUMBER, "kg/m^3", "-", 1e-3, 1e6,
     "of the body; this or `mass`, unless it is fixed or has a motion", IN(mn_body, density), .written = has_density},
    {"mass", MN_KEY_NUMBER, "kg", "-", 1e-15, 1e12, "of the whole body, spread evenly over its volume; for hollow ones",
     IN(mn_body, mass), .written = has_mass},
    {"spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between its boundary points",
     IN(mn_body, spacing)},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "of its centre of mass at the start", IN(mn_body, velocity),
     3},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED, "at the start, about its centre of mass",
     IN(mn_body, angular_velocity), 3},
    {"fixed", MN_KEY_FLAG, NULL, "false", 0, 0, "it stays where it is; the forces on it are recorded",
     IN(mn_body, fixed)},
    {"release", MN_KEY_NUMBER, "s", "0", 0, 1e9, "it is held until this time, then released with its velocities",
     IN(mn_body, release)},
    {"motion", MN_KEY_MAP, NULL, "-", 0, 0, "a given path: it pushes, and nothing pushes it", IN(mn_body, motion),
     .sub = &motion_table, .written = is_animated},
    {"friction", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' viscosity against this body; 0: free slip",
     IN(mn_body, friction), 1},
    {"adhesion", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' adhesion to this body", IN(mn_body, adhesion),
     1},
    CONTACT_ANGLE_ROW(mn_body, wets_body),
    {"drag", MN_KEY_CURVE, NULL, "0", 0, 1e6, "drag coefficient against the air, 1 in the paper; 0: no drag",
     IN(mn_body, drag), 1},
    {"contacts", MN_KEY_FLAG, NULL, "true", 0, 0, "it touches walls and other bodies; false: it passes through them",
     IN(mn_body, contacts)},
    {"grip", MN_KEY_NUMBER, NULL, "0.5", 0, 1e6,
     "Coulomb's coefficient of friction in contacts with walls and bodies; between two bodies the geometric mean",
     IN(mn_body, grip)},
    {"restitution", MN_KEY_NUMBER, NULL, "0", 0, 1, "speed after over speed before a contact; of two bodies the larger",
     IN(mn_body, restitution)},
    {"colour", MN_KEY_CHOICE, NULL, "orange", 0, 0, "in pictures", IN(mn_body, colour), .names = body_colours},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_body, look), .sub = &look_table},
};
static const mn_table body_table = {"bodies",
                                    "Rigid bodies that fluid, contacts and joints move. Their surfaces are covered "
                                    "with boundary points, like those of walls.",
                                    ROWS(body_rows),
                                    sizeof(mn_body),
                                    .at = AT(mn_body, at),
                                    .finish = mn_finish_body};

static const mn_key joint_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=joint1, joint2, ...", 1, 60, "its name in messages and overrides",
     IN(mn_joint, name)},
    {"kind", MN_KEY_CHOICE, NULL, NULL, 0, 0,
     "ball: a common point; hinge: and a common axis; slider: along an axis; fixed: glued", IN(mn_joint, kind),
     .names = joint_names},
    {"body", MN_KEY_TEXT, NULL, NULL, 1, 60, "name of the first body", IN(mn_joint, body)},
    {"to", MN_KEY_TEXT, NULL, "world", 1, 60, "name of the second body; `world`: a fixed place", IN(mn_joint, to)},
    {"anchor", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "the common point at the start, for ball and hinge",
     IN(mn_joint, anchor), 3},
    {"axis", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES,
     "of hinge and slider; of a ball that has `swing` and `twist`, the direction along the limb", IN(mn_joint, axis),
     3},
    {"limits", MN_KEY_NUMBERS, "degrees or m", "-", METRES,
     "how far a hinge turns (degrees) or a slider goes (m) from its place at the start, `[least, most]`",
     IN(mn_joint, limits), 2, .written = has_limits},
    {"swing", MN_KEY_NUMBER, "degrees", "180", 0, 180, "how far a ball bends to any side; at most 85, or 180: freely",
     IN(mn_joint, swing), .written = is_ball},
    {"twist", MN_KEY_NUMBER, "degrees", "180", 0, 180, "how far a ball turns about the axis; 180: freely",
     IN(mn_joint, twist), .written = is_ball},
};
static const mn_table joint_table = {
    "joints",
    "They hold bodies together. Bodies that a joint connects do not collide with each other.",
    ROWS(joint_rows),
    sizeof(mn_joint),
    .at = AT(mn_joint, at),
    .finish = mn_finish_joint};

static const mn_key rigid_rows[] = {
    {"substeps", MN_KEY_INTEGER, NULL, "1", 1, 1000, "steps of the bodies in one step of the fluid",
     IN(mn_scene, rigid_substeps)},
    {"iterations", MN_KEY_INTEGER, NULL, "50", 1, 10000, "of the solver of contacts and joints in each",
     IN(mn_scene, rigid_iterations)},
};
static const mn_table rigid_table = {"rigid", "How contacts and joints of the bodies are solved.", ROWS(rigid_rows),
                                     sizeof(mn_scene)};

static const mn_key sink_rows[] = {
    {"shape", MN_KEY_SHAPE, NULL, NULL, 0, 0, "fluid particles inside it are deleted", IN(mn_sink, shape)},
    {"start", MN_KEY_NUMBER, "s", "0", TIMES, "first moment", IN(mn_sink, start)},
    {"stop", MN_KEY_NUMBER, "s", ".inf", 0, DBL_MAX, "last moment; `.inf`: never", IN(mn_sink, stop)},
};
static const mn_table sink_table = {"sinks",         "Where fluid disappears.", ROWS(sink_rows),
                                    sizeof(mn_sink), .at = AT(mn_sink, at),     .finish = mn_finish_sink};

/* ------------------------------------------------------------------- solids */

static const mn_key solid_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=solid1, solid2, ...", 1, 60, "its name in messages, overrides and files",
     IN(mn_soft_def, name)},
    {"shapes", MN_KEY_SHAPES, NULL, NULL, 1, 1000, "the solid at rest is the union of these", IN(mn_soft_def, shapes),
     .count_offset = AT(mn_soft_def, shape_count)},
    {"spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between its particles",
     IN(mn_soft_def, spacing)},
    {"sampling", MN_KEY_CHOICE, NULL, "lattice", 0, 0, "how the shapes are filled", IN(mn_soft_def, sampling),
     .names = sampling_names},
    {"seed", MN_KEY_INTEGER, NULL, "0", 0, 2147483647, "of the random numbers of its sampling", IN(mn_soft_def, seed)},
    {"density", MN_KEY_NUMBER, "kg/m^3", "1000", 1e-3, 1e6, "at rest", IN(mn_soft_def, density)},
    {"young", MN_KEY_NUMBER, "Pa", "-", 1e-6, 1e12, "Young's modulus, with `poisson`", IN(mn_soft_def, young),
     .written = never},
    {"poisson", MN_KEY_NUMBER, NULL, "-", 0, 0.499, "Poisson's ratio, with `young`", IN(mn_soft_def, poisson),
     .written = never},
    {"lambda", MN_KEY_NUMBER, "Pa", "-", 0, 1e15, "Lamé's first constant; with `mu`, instead of `young` and `poisson`",
     IN(mn_soft_def, lambda)},
    {"mu", MN_KEY_NUMBER, "Pa", "-", 1e-7, 1e12, "shear modulus, with `lambda`", IN(mn_soft_def, mu)},
    {"hourglass", MN_KEY_NUMBER, NULL, "50", 0, 1e4, "strength of the hourglass control, against zigzag patterns",
     IN(mn_soft_def, hourglass)},
    {"viscosity", MN_KEY_NUMBER, NULL, "0.05", 0, 10,
     "artificial viscosity between its particles, over the speed of pressure waves times the support",
     IN(mn_soft_def, viscosity)},
    {"damping", MN_KEY_NUMBER, "1/s", "0", 0, 1e6, "rate at which all its velocities decay", IN(mn_soft_def, damping)},
    {"surface_correction", MN_KEY_FLAG, NULL, "true", 0, 0,
     "strain at its surface is exact to second order; false: the plain method", IN(mn_soft_def, surface_correction)},
    {"fixed", MN_KEY_SHAPES, NULL, "[]", 0, 1000, "its particles inside these stay, or follow `motion`",
     IN(mn_soft_def, fixed), .count_offset = AT(mn_soft_def, fixed_count)},
    {"motion", MN_KEY_MAP, NULL, "-", 0, 0, "path of the fixed particles", IN(mn_soft_def, motion),
     .sub = &motion_table, .written = follows},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "at the start", IN(mn_soft_def, velocity), 3},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED, "at the start, about its centre of mass",
     IN(mn_soft_def, angular_velocity), 3},
    {"friction", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' viscosity against it; 0: free slip",
     IN(mn_soft_def, friction), 1},
    {"adhesion", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' adhesion to it", IN(mn_soft_def, adhesion), 1},
    CONTACT_ANGLE_ROW(mn_soft_def, wets_solid),
    {"drag", MN_KEY_CURVE, NULL, "0", 0, 1e6, "drag coefficient against the air, 1 in the paper; 0: no drag",
     IN(mn_soft_def, drag), 1},
    {"contacts", MN_KEY_FLAG, NULL, "true", 0, 0, "walls and other solids stop it; false: it passes through them",
     IN(mn_soft_def, contacts)},
    {"grip", MN_KEY_NUMBER, NULL, "0.5", 0, 1e6, "Coulomb's coefficient of friction in these contacts",
     IN(mn_soft_def, grip)},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_soft_def, look), .sub = &look_table},
};
static const mn_table solid_table = {
    "solids",
    "Elastic solids that fluid and air deform (total-Lagrangian SPH). Two numbers make the material: "
    "`young` and `poisson`, or `lambda` and `mu`.",
    ROWS(solid_rows),
    sizeof(mn_soft_def),
    .at = AT(mn_soft_def, at),
    .finish = mn_finish_solid};

/* --------------------------------------------------------------------- air */

#define FLOW_DIRECTION(help)                                                                                           \
    {                                                                                                                  \
        "direction", MN_KEY_NUMBERS, NULL, NULL, METRES, help, IN(mn_flow, direction), 3                               \
    }
static const mn_key uniform_rows[] = {
    {"velocity", MN_KEY_CURVE, "m/s", NULL, SPEED, "the same everywhere in the box", IN(mn_flow, velocity), 3}};
static const mn_table uniform_table = {"uniform", "Wind.", ROWS(uniform_rows), sizeof(mn_flow)};
static const mn_key jet_rows[] = {
    {"position", MN_KEY_NUMBERS, "m", NULL, METRES, "middle of the opening", IN(mn_flow, point), 3},
    FLOW_DIRECTION("where it blows; any length"),
    {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, "of the opening", IN(mn_flow, radius)},
    {"speed", MN_KEY_CURVE, "m/s", NULL, SPEED, "on the axis at the opening", IN(mn_flow, speed), 1},
    {"spread", MN_KEY_NUMBER, NULL, "0.1", 0, 10, "by how much its radius grows with each metre", IN(mn_flow, spread)},
};
static const mn_table jet_table = {"jet",
                                   "A free jet from a round opening; it widens and slows down, and keeps its momentum.",
                                   ROWS(jet_rows), sizeof(mn_flow)};
static const mn_key vortex_rows[] = {
    {"centre", MN_KEY_NUMBERS, "m", NULL, METRES, "a point of the axis", IN(mn_flow, point), 3},
    {"axis", MN_KEY_NUMBERS, NULL, NULL, METRES, "direction of the axis, any length; it turns by the right-hand rule",
     IN(mn_flow, direction), 3},
    {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, "distance from the axis where it is fastest", IN(mn_flow, radius)},
    {"speed", MN_KEY_CURVE, "m/s", NULL, SPEED, "there", IN(mn_flow, speed), 1},
};
static const mn_table vortex_table = {"vortex", "A vortex: rigid near its axis, falling off like 1/r far away.",
                                      ROWS(vortex_rows), sizeof(mn_flow)};
static const mn_key shear_rows[] = {
    {"point", MN_KEY_NUMBERS, "m", NULL, METRES, "where the velocity is 0", IN(mn_flow, point), 3},
    FLOW_DIRECTION("of the velocity; any length"),
    {"normal", MN_KEY_NUMBERS, NULL, NULL, METRES, "direction in which the velocity grows; any length",
     IN(mn_flow, normal), 3},
    {"rate", MN_KEY_CURVE, "1/s", NULL, SPEED, "by how much it grows with each metre", IN(mn_flow, speed), 1},
};
static const mn_table shear_table = {"shear", "Layers that slide past each other.", ROWS(shear_rows), sizeof(mn_flow)};

static const mn_key flow_rows[] = {
    {"uniform", MN_KEY_MAP, NULL, "-", 0, 0, "wind; this or one of the next three", 0, .sub = &uniform_table,
     .written = is_uniform},
    {"jet", MN_KEY_MAP, NULL, "-", 0, 0, "a free jet", 0, .sub = &jet_table, .written = is_jet},
    {"vortex", MN_KEY_MAP, NULL, "-", 0, 0, "a vortex", 0, .sub = &vortex_table, .written = is_vortex},
    {"shear", MN_KEY_MAP, NULL, "-", 0, 0, "layers", 0, .sub = &shear_table, .written = is_shear},
    {"min", MN_KEY_NUMBERS, "m", "-", METRES,
     "lowest corner of the box in which it blows; left out, it blows everywhere", IN(mn_flow, low), 3,
     .written = is_boxed},
    {"max", MN_KEY_NUMBERS, "m", "-", METRES, "highest corner; together with `min`", IN(mn_flow, high), 3,
     .written = is_boxed},
};
static const mn_table flow_table = {"flows",
                                    "Formulas of the air's motion. They are added to each other and to the rest.",
                                    ROWS(flow_rows),
                                    sizeof(mn_flow),
                                    .at = AT(mn_flow, at),
                                    .finish = mn_finish_flow};

static const mn_key slice_rows[] = {
    {"time", MN_KEY_NUMBER, "s", NULL, -1e9, 1e9, "moment of the file", IN(mn_air_slice, time)},
    {"file", MN_KEY_TEXT, NULL, NULL, 1, 4000, "as above", IN(mn_air_slice, file), .path = true},
};
static const mn_table slice_table = {
    "slices",
    "A grid that changes over time: linear in between, constant before the first and after the last.",
    ROWS(slice_rows),
    sizeof(mn_air_slice),
    .at = AT(mn_air_slice, at),
    .finish = mn_finish_air_slice};

static const mn_key air_grid_rows[] = {
    {"file", MN_KEY_TEXT, NULL, "-", 1, 4000, "VTK image data (.vti), path relative to the scene file",
     IN(mn_air_grid, file), .path = true, .written = is_single},
    {"slices", MN_KEY_LIST, NULL, "[]", 0, 10000, "files over time, instead of `file`; all on the same grid",
     IN(mn_air_grid, slices), .count_offset = AT(mn_air_grid, slice_count), .sub = &slice_table},
    {"array", MN_KEY_TEXT, NULL, "\"\"", 0, 100,
     "name of the array of velocities; left out, the first with three components", IN(mn_air_grid, array)},
    {"outside", MN_KEY_CHOICE, NULL, "clamp", 0, 0,
     "`clamp`: beyond the grid as at its nearest face; `zero`: nothing there", IN(mn_air_grid, outside),
     .names = outside_names},
    {"translate", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "moves the grid", IN(mn_air_grid, translate), 3},
    {"scale", MN_KEY_CURVE, NULL, "1", SPEED, "factor on its velocities", IN(mn_air_grid, scale), 1},
};
static const mn_table air_grid_table = {"grid",
                                        "Velocities on a regular grid from another program, or from a run of this one.",
                                        ROWS(air_grid_rows),
                                        sizeof(mn_air_grid),
                                        .at = AT(mn_air_grid, at),
                                        .finish = mn_finish_air_grid};

static const mn_key air_rows[] = {
    {"density", MN_KEY_NUMBER, "kg/m^3", "1.2041", 0, 1e6, "of the air", IN(mn_air, density), .live = true},
    {"viscosity", MN_KEY_NUMBER, "Pa s", "1.845e-5", 1e-12, 1e6, "dynamic viscosity of the air", IN(mn_air, viscosity),
     .live = true},
    {"velocity", MN_KEY_CURVE, "m/s", "[0, 0, 0]", SPEED, "of the air, everywhere", IN(mn_air, velocity), 3},
    {"flows", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_FLOWS, "formulas added to it", IN(mn_air, flows),
     .count_offset = AT(mn_air, flow_count), .sub = &flow_table},
    {"grid", MN_KEY_MAP, NULL, "-", 0, 0, "an imported grid, added too", IN(mn_air, grid), .sub = &air_grid_table,
     .written = is_gridded},
};
static const mn_table air_table = {
    "air",
    "What the models of drag push against. It is not simulated: it moves as these keys say, and nothing moves it.",
    ROWS(air_rows), sizeof(mn_air)};
/* ------------------------------------------------------------------ species */

#define AMOUNTS 0, 1e12

static const mn_key film_rows[] = {
    {"adsorption", MN_KEY_NUMBER, "m^3/(mol s)", "0", 0, 1e12, "k_a: how fast the surface takes it up; 0: no film",
     IN(mn_species, surface.adsorption)},
    {"desorption", MN_KEY_NUMBER, "1/s", "0", 0, 1e9, "k_f: how fast the surface gives it back",
     IN(mn_species, surface.desorption)},
    {"capacity", MN_KEY_NUMBER, "mol/m^2", "0", AMOUNTS, "S_0: what a full surface holds; needed with `adsorption`",
     IN(mn_species, surface.capacity)},
    {"diffusion", MN_KEY_NUMBER, "m^2/s", "0", 0, 1e6, "D_s: along the surface", IN(mn_species, surface.diffusion)},
    {"feedback", MN_KEY_NUMBER, "1/s", "5", 0, 1e9,
     "how fast particles that left the surface return what they held to the bulk", IN(mn_species, surface.feedback)},
    {"evaporation", MN_KEY_NUMBER, "1/s", "0", 0, 1e9,
     "k_e: how fast what the surface holds is lost to the air; from thin films the liquid below is used up first. "
     "Needs a "
     "`capacity`",
     IN(mn_species, surface.evaporation)},
};
static const mn_table film_table = {"surface", "The film of a species on the liquid's surface.", ROWS(film_rows),
                                    sizeof(mn_species)};

static const mn_key effect_rows[] = {
    {"law", MN_KEY_CHOICE, NULL, "linear", 0, 0,
     "with coverage c = S/S_0: `linear` 1 - tension c, `langmuir` 1 + tension ln(1 - c), never below 0",
     IN(mn_species, effect.law), .names = law_names},
    {"tension", MN_KEY_NUMBER, NULL, "0", -10, 10,
     "what a full surface takes from the surface tension, as a fraction of it", IN(mn_species, effect.tension)},
    {"adhesion", MN_KEY_NUMBER, NULL, "0", -10, 10, "the same for the adhesion to walls",
     IN(mn_species, effect.adhesion)},
    {"friction", MN_KEY_NUMBER, NULL, "0", -10, 10, "the same for the friction at walls",
     IN(mn_species, effect.friction)},
};
static const mn_table effect_table = {"effect", "What the film does to the flow.", ROWS(effect_rows),
                                      sizeof(mn_species)};

static const mn_key start_rows[] = {
    {"concentration", MN_KEY_NUMBER, "mol/m^3", NULL, AMOUNTS, "dissolved in the bulk",
     IN(mn_species_start, concentration)},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid it is in; left out: all",
     IN(mn_species_start, fluid)},
    {"shape", MN_KEY_SHAPE, NULL, "-", 0, 0, "only particles within this shape", IN(mn_species_start, shape),
     .written = starts_in_shape},
};
static const mn_table start_table = {"start",
                                     "Where a species is at the start; of several entries that apply, the last counts.",
                                     ROWS(start_rows), sizeof(mn_species_start), .at = AT(mn_species_start, at)};

static const mn_key carried_rows[] = {
    {"concentration", MN_KEY_CURVE, "mol/m^3", NULL, AMOUNTS, "of the liquid as it leaves the opening",
     IN(mn_species_inflow, concentration), 1},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid whose emitters carry it; left out: all",
     IN(mn_species_inflow, fluid)},
    {"emitter", MN_KEY_INTEGER, NULL, "-1", -1, 1000, "number of the emitter within the fluid, from 0; -1: all",
     IN(mn_species_inflow, emitter)},
};
static const mn_table carried_table = {
    "inflow", "Which emitters carry a species; of several entries that apply, the last counts.", ROWS(carried_rows),
    sizeof(mn_species_inflow), .at = AT(mn_species_inflow, at)};

static const mn_key species_rows[] = {
    {"name", MN_KEY_TEXT, NULL, NULL, 1, 24,
     "letters, digits and _; `NAME` (mol/m^3) and `NAME_surface` (mol/m^2) are fields of frames and pictures",
     IN(mn_species, name)},
    {"diffusion", MN_KEY_NUMBER, "m^2/s", "0", 0, 1e6, "D_b: in the bulk", IN(mn_species, diffusion)},
    {"surface", MN_KEY_MAP, NULL, "-", 0, 0, "its film on the surface", 0, .sub = &film_table},
    {"effect", MN_KEY_MAP, NULL, "-", 0, 0, "what the film does to the flow", 0, .sub = &effect_table},
    {"start", MN_KEY_LIST, NULL, "[]", 0, 1000, "where it is at the start", IN(mn_species, start),
     .count_offset = AT(mn_species, start_count), .sub = &start_table},
    {"inflow", MN_KEY_LIST, NULL, "[]", 0, 1000, "which emitters carry it", IN(mn_species, inflow),
     .count_offset = AT(mn_species, inflow_count), .sub = &carried_table},
};
static const mn_table species_table = {
    "species",
    "What is dissolved in the liquid and gathers at its surface: detergent, dye, salt.",
    ROWS(species_rows),
    sizeof(mn_species),
    .at = AT(mn_species, at),
    .finish = mn_finish_species};

static const mn_key coat_rows[] = {
    {"wall", MN_KEY_TEXT, NULL, NULL, 1, 60, "name of the wall or body", IN(mn_coat, wall)},
    {"coverage", MN_KEY_NUMBER, "mol/m^2", NULL, AMOUNTS, "at the start", IN(mn_coat, coverage)},
    {"shape", MN_KEY_SHAPE, NULL, "-", 0, 0, "only points of the wall within this shape: a patch", IN(mn_coat, shape),
     .written = coats_shape},
    {"colour", MN_KEY_CHOICE, NULL, "none", 0, 0,
     "times this channel of the vertex colours of the wall's PLY meshes (0 to 1)", IN(mn_coat, colour),
     .names = channel_names},
    {"image", MN_KEY_TEXT, NULL, "\"\"", 0, 4000,
     "times the brightness of this PNG file (0 to 1), projected onto the wall; its path relative to the scene file",
     IN(mn_coat, image), .path = true},
    {"origin", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "where the upper left corner of the image lies",
     IN(mn_coat, origin), 3, .written = coats_by_image},
    {"along", MN_KEY_NUMBERS, "m", "[1, 0, 0]", METRES, "from there to the upper right corner", IN(mn_coat, along), 3,
     .written = coats_by_image},
    {"down", MN_KEY_NUMBERS, "m", "[0, 0, 1]", METRES, "from there to the lower left corner", IN(mn_coat, down), 3,
     .written = coats_by_image},
};
static const mn_table coat_table = {"coats",
                                    "Where on which wall; coats of one point add up.",
                                    ROWS(coat_rows),
                                    sizeof(mn_coat),
                                    .at = AT(mn_coat, at),
                                    .finish = mn_finish_coat};

static const mn_key substance_rows[] = {
    {"name", MN_KEY_TEXT, NULL, NULL, 1, 24, "letters, digits and _", IN(mn_substance, name)},
    {"coats", MN_KEY_LIST, NULL, "[]", 0, 1000, "where it lies at the start", IN(mn_substance, coats),
     .count_offset = AT(mn_substance, coat_count), .sub = &coat_table},
};
static const mn_table substance_table = {"substances", "What lies on walls: grease, dirt.", ROWS(substance_rows),
                                         sizeof(mn_substance), .at = AT(mn_substance, at)};

static const mn_key pair_rows[] = {
    {"fluid", MN_KEY_TEXT, NULL, NULL, 1, 100, "name of one fluid", IN(mn_pair, fluid)},
    {"with", MN_KEY_TEXT, NULL, NULL, 1, 100, "name of the other", IN(mn_pair, with)},
    {"surface_tension", MN_KEY_CURVE, "N/m", "0", 0, 1e9, "tension of the interface, oil and water 0.05",
     IN(mn_pair, surface_tension), 1},
    {"attraction", MN_KEY_CURVE, NULL, "0", 0, 1000,
     "factor on akinci2013, becker2007, tartakovsky2005 and wang2017 between the two; 1: as within one liquid",
     IN(mn_pair, attraction), 1},
};
static const mn_table pair_table = {"pairs",
                                    "What acts between two fluids; see [several fluids](methods/several-fluids.md).",
                                    ROWS(pair_rows), sizeof(mn_pair), .at = AT(mn_pair, at)};

static const mn_key reaction_rows[] = {
    {"species", MN_KEY_TEXT, NULL, NULL, 1, 24, "what is used up at the surface of the liquid",
     IN(mn_reaction, species)},
    {"substance", MN_KEY_TEXT, NULL, NULL, 1, 24, "what is used up on the wall", IN(mn_reaction, substance)},
    {"product", MN_KEY_TEXT, NULL, "\"\"", 0, 24,
     "the species that it becomes in the bulk; left out: it is not followed", IN(mn_reaction, product)},
    {"rate", MN_KEY_NUMBER, "m^2/(mol s)", NULL, 0, 1e12,
     "k_r: the substance decays at k_r times the coverage of the liquid's surface", IN(mn_reaction, rate)},
    {"coefficients", MN_KEY_NUMBERS, NULL, "[1, 1, 1]", 0, 1000,
     "mol of species and of substance that one mol of reaction uses up, and of product that it makes; whole numbers",
     IN(mn_reaction, coefficients), 3},
};
static const mn_table reaction_table = {"reactions", "What a species at the surface does to a substance on walls.",
                                        ROWS(reaction_rows), sizeof(mn_reaction), .at = AT(mn_reaction, at)};

/* --------------------------------------------------------- the scene as a whole */

static const mn_key particle_rows[] = {
    {"spacing", MN_KEY_NUMBER, "m", NULL, 1e-6, 1e3, "particle distance d", IN(mn_scene, spacing)},
    {"support", MN_KEY_NUMBER, NULL, "2", 2, 3,
     "radius of the kernel in spacings; thin films stay whole with 2.15, which has a quarter more neighbours",
     IN(mn_scene, support)}};
static const mn_table particle_table = {"particles", "Resolution.", ROWS(particle_rows), sizeof(mn_scene)};

static const mn_key domain_rows[] = {
    {"min", MN_KEY_NUMBERS, "m", NULL, METRES, "lowest corner", IN(mn_scene, low), 3},
    {"max", MN_KEY_NUMBERS, "m", NULL, METRES, "highest corner", IN(mn_scene, high), 3},
    {"periodic", MN_KEY_MARKS, NULL, "[]", 0, 0, "axes along which what leaves on one side enters on the other",
     IN(mn_scene, periodic), 3, .names = axis_names},
};
static const mn_table domain_table = {"domain",
                                      "Left out, the scene is unbounded; given, particles that leave it are deleted.",
                                      ROWS(domain_rows), sizeof(mn_scene), .finish = mn_finish_domain};

static const mn_key adaptive_rows[] = {
    {"min", MN_KEY_NUMBER, "s", "=max / 1000", 1e-12, 10, "smallest step", IN(mn_scene, step_min)},
    {"max", MN_KEY_NUMBER, "s", "0.005", 1e-12, 10, "largest step", IN(mn_scene, step_max)},
    {"cfl", MN_KEY_NUMBER, NULL, "0.4", 1e-3, 10, "no particle moves further in a step than this times the spacing",
     IN(mn_scene, cfl)},
    {"force", MN_KEY_NUMBER, NULL, "0.25", 1e-3, 10,
     "the step is at most this times sqrt(support / largest acceleration)", IN(mn_scene, force_limit)},
};
static const mn_table adaptive_table = {"adaptive", "Limits of the adaptive time step.", ROWS(adaptive_rows),
                                        sizeof(mn_scene)};

static const mn_key time_rows[] = {
    {"step", MN_KEY_NUMBER, "s", "-", 1e-12, 10, "fixed time step; left out, the step is adaptive", IN(mn_scene, step),
     .written = is_fixed},
    {"adaptive", MN_KEY_MAP, NULL, "-", 0, 0, "limits of the adaptive step; not together with `step`", 0,
     .sub = &adaptive_table, .written = is_adaptive},
    {"end", MN_KEY_NUMBER, "s", NULL, 1e-9, 1e9,
     "simulated time at which the run ends, with the first step that reaches it", IN(mn_scene, end)},
};
static const mn_table time_table = {"time", "Fixed or adaptive steps, and the end.", ROWS(time_rows), sizeof(mn_scene),
                                    .finish = mn_finish_time};

static const mn_key pressure_rows[] = {
    {"model", MN_KEY_MODEL, NULL, "dfsph", 0, 0, "how pressure is computed", IN(mn_scene, pressure),
     .names = pressure_names},
    {"iteration", MN_KEY_WORD, NULL, "accelerated", 0, 0, "how the linear systems are iterated",
     IN(mn_scene, iteration), .names = iteration_names},
    {"warm_start", MN_KEY_FLAG, NULL, "true", 0, 0, "start from the pressures of the last step",
     IN(mn_scene, warm_start)},
    {"tolerance", MN_KEY_NUMBER, "%", "0.01", 1e-6, 100, "average compression at which the solver stops",
     IN(mn_scene, tolerance), .live = true},
    {"divergence_tolerance", MN_KEY_NUMBER, "%", "0.1", 1e-6, 100,
     "average compression per step at which the divergence solver stops", IN(mn_scene, divergence_tolerance),
     .live = true},
    {"min_iterations", MN_KEY_INTEGER, NULL, "2", 0, 10000,
     "smallest number of iterations; max_iterations where that is less and this is not given",
     IN(mn_scene, min_iterations)},
    {"max_iterations", MN_KEY_INTEGER, NULL, "100", 1, 10000, "largest number of iterations",
     IN(mn_scene, max_iterations)},
    {"wall_weight", MN_KEY_NUMBER, NULL, "1", 1, 2,
     "factor on boundary points in the pressure forces: 1 as in the papers; with 1.78 the pressure next to walls is "
     "that of "
     "its depth",
     IN(mn_scene, wall_weight)},
};
static const mn_table pressure_table = {
    "pressure",
    "The solver that keeps the fluid from being compressed. Its model's parameters are keys too.",
    ROWS(pressure_rows),
    sizeof(mn_scene),
    .extra = MN_PRESSURE_PARAMETERS,
    .finish = mn_finish_pressure};

static const mn_key grid_output_rows[] = {
    {"min", MN_KEY_NUMBERS, "m", NULL, METRES, "first node", IN(mn_grid_output, low), 3},
    {"max", MN_KEY_NUMBERS, "m", NULL, METRES, "no node lies beyond", IN(mn_grid_output, high), 3},
    {"spacing", MN_KEY_NUMBER, "m", "=twice particles.spacing", LENGTH, "distance between nodes",
     IN(mn_grid_output, spacing)},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid whose flow is taken; left out, all of them",
     IN(mn_grid_output, fluid)},
    {"every", MN_KEY_NUMBER, "s", NULL, 1e-9, 1e9, "simulated time between grids", IN(mn_grid_output, every)},
    {"average", MN_KEY_NUMBER, "s", "0", TIMES, "mean over so long before each; 0: the flow of the moment",
     IN(mn_grid_output, average)},
};
static const mn_table grid_output_table = {
    "grid", "The flow on a regular grid (`grids/frame_00012.vti`), for pictures or as `air.grid` of another scene.",
    ROWS(grid_output_rows), sizeof(mn_grid_output), .finish = mn_finish_grid_output};

static const mn_key surface_output_rows[] = {
    {"formats", MN_KEY_NAMES, NULL, "[]", 0, 4, "file formats of the meshes; none: no meshes",
     IN(mn_surface_output, formats), .count_offset = AT(mn_surface_output, format_count), .names = mesh_format_names},
    {"cell", MN_KEY_NUMBER, "m", "=half of particles.spacing", LENGTH,
     "width of the grid's cells, at most particles.spacing", IN(mn_surface_output, cell)},
    {"smoothing", MN_KEY_NUMBER, NULL, "7", 0, 20, "waves shorter than this many spacings are smoothed away; 0: none",
     IN(mn_surface_output, smoothing)},
    {"per_fluid", MN_KEY_FLAG, NULL, "false", 0, 0, "one mesh for each fluid, also where several are the same liquid",
     IN(mn_surface_output, per_fluid)},
};
static const mn_table surface_output_table = {"surface",
                                              "Closed meshes of the liquids' surfaces with each frame "
                                              "(`surface/frame_00012.ply`), as `meniscus mesh` makes them.",
                                              ROWS(surface_output_rows), sizeof(mn_surface_output)};

static const mn_key probe_point_rows[] = {
    {"position", MN_KEY_NUMBERS, "m", NULL, METRES, "where", IN(mn_probe, point), 3},
    {"fields", MN_KEY_NAMES, NULL, "[pressure, velocity]", 1, 16,
     "particle fields, averaged over the liquid within two spacings; of species `NAME` and `NAME_surface`",
     IN(mn_probe, fields), .count_offset = AT(mn_probe, field_count), .names = field_names, .open = true},
};
static const mn_table probe_point_table = {
    "point", "Fields at a place, and how full of liquid it is (`filled`, about 1 inside). Empty where there is none.",
    ROWS(probe_point_rows), sizeof(mn_probe)};
static const mn_key probe_plane_rows[] = {
    {"point", MN_KEY_NUMBERS, "m", NULL, METRES, "its middle", IN(mn_probe, point), 3},
    {"normal", MN_KEY_NUMBERS, NULL, NULL, METRES, "direction in which flow counts as positive, any length",
     IN(mn_probe, direction), 3},
    {"size", MN_KEY_NUMBERS, "m", "[0, 0]", 0, 1e6, "its two edges, along x and z while the normal is y; 0: no end",
     IN(mn_probe, size), 2},
};
static const mn_table probe_plane_table = {
    "plane", "What flows through a plane: `flow` in m^3/s, `area` of the liquid in it in m^2, and their ratio `speed`.",
    ROWS(probe_plane_rows), sizeof(mn_probe)};
static const mn_key probe_gauge_rows[] = {
    {"point", MN_KEY_NUMBERS, "m", NULL, METRES, "where it stands; heights are counted from here", IN(mn_probe, point),
     3},
    {"direction", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES, "where it points, any length", IN(mn_probe, direction), 3},
    {"radius", MN_KEY_NUMBER, "m", "=particles.spacing", LENGTH, "liquid this near to its line counts",
     IN(mn_probe, radius)},
};
static const mn_table probe_gauge_table = {
    "gauge", "How high the liquid stands along a line: `height` in m, empty where there is none.",
    ROWS(probe_gauge_rows), sizeof(mn_probe)};

static const mn_key probe_rows[] = {
    {"name", MN_KEY_TEXT, NULL, NULL, 1, 60, "letters, digits, - and _: its table is `probes/NAME.csv`",
     IN(mn_probe, name)},
    {"point", MN_KEY_MAP, NULL, "-", 0, 0, "fields at a place; this or one of the next two", 0,
     .sub = &probe_point_table, .written = is_probe_point},
    {"plane", MN_KEY_MAP, NULL, "-", 0, 0, "flow through a plane", 0, .sub = &probe_plane_table,
     .written = is_probe_plane},
    {"gauge", MN_KEY_MAP, NULL, "-", 0, 0, "height of the liquid along a line", 0, .sub = &probe_gauge_table,
     .written = is_probe_gauge},
    {"every", MN_KEY_NUMBER, "s", "0", TIMES,
     "simulated time between rows, each of the first step that reaches its time; 0: every step", IN(mn_probe, every)},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid that is measured; left out, all of them",
     IN(mn_probe, fluid)},
};
static const mn_table probe_table = {"probes",
                                     "What is measured at a place while the scene runs, as `probes/NAME.csv`.",
                                     ROWS(probe_rows),
                                     sizeof(mn_probe),
                                     .at = AT(mn_probe, at),
                                     .finish = mn_finish_probe};

static const mn_key output_rows[] = {
    {"every", MN_KEY_NUMBER, "s", "0.04", TIMES, "simulated time between frames; 0: no frames",
     IN(mn_scene, frame_interval)},
    {"fields", MN_KEY_NAMES, NULL, "[velocity, density, pressure, id]", 0, 64,
     "particle fields in a frame besides the position; of species `NAME` and `NAME_surface`",
     IN(mn_scene, frame_fields), .count_offset = AT(mn_scene, frame_field_count), .names = field_names, .open = true},
    {"formats", MN_KEY_NAMES, NULL, "[vtp]", 1, 3, "file formats of the frames", IN(mn_scene, frame_formats),
     .count_offset = AT(mn_scene, frame_format_count), .names = format_names},
    {"grid", MN_KEY_MAP, NULL, "-", 0, 0, "the flow on a regular grid", IN(mn_scene, grid_output),
     .sub = &grid_output_table, .written = has_grids},
    {"surface", MN_KEY_MAP, NULL, "-", 0, 0, "meshes of the liquids' surfaces", IN(mn_scene, surface_output),
     .sub = &surface_output_table, .written = has_surface},
    {"probes", MN_KEY_LIST, NULL, "[]", 0, 256, "points, planes and gauges that are measured", IN(mn_scene, probes),
     .count_offset = AT(mn_scene, probe_count), .sub = &probe_table, .written = has_probes},
};
static const mn_table output_table = {"output", "Frames.", ROWS(output_rows), sizeof(mn_scene)};

static const mn_key stats_rows[] = {
    {"every", MN_KEY_NUMBER, "s", "0", TIMES,
     "simulated time between the lines of stats.csv, each of the first step that reaches its time; 0: every step",
     IN(mn_scene, stats_interval)},
    {"surface_energy", MN_KEY_FLAG, NULL, "false", 0, 0,
     "a column surface_energy: that of the free surface after He et al. 2014, in m (times its kappa in N: J)",
     IN(mn_scene, surface_energy)},
};
static const mn_table stats_table = {"stats", "Numbers over time.", ROWS(stats_rows), sizeof(mn_scene)};

static const mn_key checkpoint_rows[] = {
    {"every", MN_KEY_NUMBER, "s", "0", TIMES, "simulated time between checkpoints; 0: none",
     IN(mn_scene, checkpoint_interval)},
    {"wall", MN_KEY_NUMBER, "s", "600", TIMES, "time on the wall clock between checkpoints; 0: none",
     IN(mn_scene, checkpoint_wall)},
};
static const mn_table checkpoint_table = {"checkpoint", "States from which a run can be resumed.",
                                          ROWS(checkpoint_rows), sizeof(mn_scene)};

static const mn_key change_rows[] = {
    {"time", MN_KEY_NUMBER, "s", NULL, TIMES, "it takes effect with the first step that begins then or later",
     IN(mn_change, time)},
    {"set", MN_KEY_TEXT, NULL, NULL, 3, 1000,
     "`KEY=VALUE` as of `--set`, for example `\"gravity=[0, -5, 0]\"`: any value that may be keyframed, the rates of a "
     "`motion` (it goes on from where it has come to; a wall may begin to move, unless the domain is periodic, the "
     "wall "
     "a volume map, or there are bodies, solids or substances), the pressure's tolerances, density and viscosity of "
     "the "
     "air",
     IN(mn_change, set)},
};
static const mn_table change_table = {"changes",
                                      "What changes while the scene runs, by rising time; `meniscus view` writes what "
                                      "was steered into run.yaml.",
                                      ROWS(change_rows), sizeof(mn_change), .at = AT(mn_change, at)};

static const mn_key camera_rows[] = {
    {"eye", MN_KEY_NUMBERS, "m", "-", METRES, "position of the camera; left out, the fluid is framed automatically",
     IN(mn_camera, eye), 3, .written = has_eye},
    {"target", MN_KEY_NUMBERS, "m", "-", METRES, "point in the middle of the picture; together with `eye`",
     IN(mn_camera, target), 3, .written = has_eye},
    {"up", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES, "direction that is up in the picture", IN(mn_camera, up), 3},
    {"fov", MN_KEY_NUMBER, "degrees", "40", 1, 170, "vertical angle of view", IN(mn_camera, fov)},
    {"cut", MN_KEY_NUMBER, "m", "0", 0, 1e6,
     "fluid nearer to the camera than this, along the view, is not drawn; with `eye`", IN(mn_camera, cut)},
    {"size", MN_KEY_INTEGERS, "pixels", "[1280, 720]", 16, 8192, "width and height of the picture",
     IN(mn_camera, width), 2},
    {"look", MN_KEY_WORD, NULL, "spheres", 0, 0,
     "previews show the particles as `spheres`, or the liquid as a clear surface: `water` (painted if `colour` is not "
     "`speed`), or "
     "that "
     "surface painted by `colour`: `field`; `render` takes `spheres` for `water`",
     IN(mn_camera, look), .names = look_names},
    {"colour", MN_KEY_WORD, NULL, "speed", 0, 0, "what the colours show: `speed` or a field", IN(mn_camera, colour),
     .names = field_names, .open = true},
    {"range", MN_KEY_NUMBERS, NULL, "[0, 0]", -1e30, 1e30, "values at the ends of the colour scale; both 0: automatic",
     IN(mn_camera, range), 2},
    {"walls", MN_KEY_FLAG, NULL, "false", 0, 0, "draw the boundary points of walls too", IN(mn_camera, show_walls)},
    {"wall_colour", MN_KEY_TEXT, NULL, "\"\"", 0, 24, "a substance: walls are coloured by how much of it they carry",
     IN(mn_camera, wall_colour), .written = colours_walls},
    {"wall_range", MN_KEY_NUMBERS, "mol/m^2", "[0, 0]", AMOUNTS,
     "values at the ends of that scale; both 0: from none to the most at the start", IN(mn_camera, wall_range), 2,
     .written = colours_walls},
    {"caption", MN_KEY_FLAG, NULL, "true", 0, 0, "title and time in the picture", IN(mn_camera, caption)},
    {"aperture", MN_KEY_NUMBER, "m", "0", 0, 1e6, "`render`: diameter of the lens; 0: everything is sharp",
     IN(mn_camera, aperture)},
    {"focus", MN_KEY_NUMBER, "m", "0", 0, 1e6, "`render`: distance that is sharp; 0: that of the target",
     IN(mn_camera, focus)},
    {"shutter", MN_KEY_NUMBER, "s", "0", 0, 1e6, "`render`: exposure, what moves meanwhile is blurred; 0: none",
     IN(mn_camera, shutter)},
};
static const mn_table camera_table = {"camera", "The view of `--preview` and `meniscus render`.", ROWS(camera_rows),
                                      sizeof(mn_camera), .finish = mn_finish_camera};

static const mn_key scene_rows[] = {
    {"title", MN_KEY_TEXT, NULL, "\"\"", 0, 200, "one line about the scene", IN(mn_scene, title)},
    {"particles", MN_KEY_MAP, NULL, NULL, 0, 0, "resolution", 0, .sub = &particle_table},
    {"domain", MN_KEY_MAP, NULL, "-", 0, 0, "bounds and periodic axes", 0, .sub = &domain_table, .written = is_bounded},
    {"gravity", MN_KEY_CURVE, "m/s^2", "[0, -9.81, 0]", METRES, "acceleration of all fluids", IN(mn_scene, gravity), 3},
    {"time", MN_KEY_MAP, NULL, NULL, 0, 0, "time step and end", 0, .sub = &time_table},
    {"pressure", MN_KEY_MAP, NULL, "-", 0, 0, "pressure solver; a word is short for `{model: word}`", 0,
     .sub = &pressure_table},
    {"fluids", MN_KEY_LIST, NULL, NULL, 1, MN_MAX_FLUIDS, "the liquids", IN(mn_scene, fluids),
     .count_offset = AT(mn_scene, fluid_count), .sub = &fluid_table},
    {"pairs", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_FLUIDS *(MN_MAX_FLUIDS - 1) / 2, "what acts between two fluids",
     IN(mn_scene, pairs), .count_offset = AT(mn_scene, pair_count), .sub = &pair_table, .written = has_pairs},
    {"walls", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_WALLS, "solids that hold the fluids", IN(mn_scene, walls),
     .count_offset = AT(mn_scene, wall_count), .sub = &wall_table},
    {"wall_method", MN_KEY_CHOICE, NULL, "particles", 0, 0, "form of the walls that have no `method`",
     IN(mn_scene, wall_method), .names = wall_method_names},
    {"bodies", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_BODIES, "rigid bodies", IN(mn_scene, bodies),
     .count_offset = AT(mn_scene, body_count), .sub = &body_table, .written = has_bodies},
    {"joints", MN_KEY_LIST, NULL, "[]", 0, 1000, "what holds bodies together", IN(mn_scene, joints),
     .count_offset = AT(mn_scene, joint_count), .sub = &joint_table, .written = has_joints},
    {"rigid", MN_KEY_MAP, NULL, "-", 0, 0, "solver of contacts and joints", 0, .sub = &rigid_table,
     .written = has_bodies},
    {"sinks", MN_KEY_LIST, NULL, "[]", 0, 1000, "where fluid is deleted", IN(mn_scene, sinks),
     .count_offset = AT(mn_scene, sink_count), .sub = &sink_table},
    {"solids", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_SOLIDS, "soft solids", IN(mn_scene, solids),
     .count_offset = AT(mn_scene, solid_count), .sub = &solid_table, .written = has_solids},
    {"air", MN_KEY_MAP, NULL, "-", 0, 0, "the air, for drag", IN(mn_scene, air), .sub = &air_table},
    {"species", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_SPECIES, "what is dissolved in the liquid", IN(mn_scene, species),
     .count_offset = AT(mn_scene, species_count), .sub = &species_table, .written = has_species},
    {"substances", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_SUBSTANCES, "what lies on walls", IN(mn_scene, substances),
     .count_offset = AT(mn_scene, substance_count), .sub = &substance_table, .written = has_substances},
    {"reactions", MN_KEY_LIST, NULL, "[]", 0, 64, "between species and substances", IN(mn_scene, reactions),
     .count_offset = AT(mn_scene, reaction_count), .sub = &reaction_table, .written = has_substances},
    {"changes", MN_KEY_LIST, NULL, "[]", 0, 100000, "what changes while it runs", IN(mn_scene, changes),
     .count_offset = AT(mn_scene, change_count), .sub = &change_table, .written = has_changes},
    {"output", MN_KEY_MAP, NULL, "-", 0, 0, "frames", 0, .sub = &output_table},
    {"stats", MN_KEY_MAP, NULL, "-", 0, 0, "numbers over time", 0, .sub = &stats_table},
    {"checkpoint", MN_KEY_MAP, NULL, "-", 0, 0, "states to resume from", 0, .sub = &checkpoint_table},
    {"camera", MN_KEY_MAP, NULL, "-", 0, 0, "the view of pictures", IN(mn_scene, camera), .sub = &camera_table},
};
const mn_table mn_scene_table = {"scene", "The keys at the top of a scene file.", ROWS(scene_rows), sizeof(mn_scene)};
