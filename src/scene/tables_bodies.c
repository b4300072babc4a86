/* tables_bodies.c -- keys of scene files: walls, sinks, rigid bodies, joints and soft solids. */
#include "scene/tables.h"

#include <float.h>

static const char *const body_colours[] = {"orange", "red",   "yellow", "green", "teal", "purple",
                                           "pink",   "brown", "white",  "black", NULL};
static const char *const joint_names[] = {"ball", "hinge", "slider", "fixed", NULL};

/* What the writer leaves out. */
/* Also a wall that stands still, but may begin to turn about a point. */
static bool is_moving(const void *record)
{
    const mn_motion *m = &((const mn_wall *)record)->motion;
    return m->moving || m->centre[0] != 0 || m->centre[1] != 0 || m->centre[2] != 0;
}
static bool is_wet(const mn_curve *angle) { return angle->count > 1 || (angle->count == 1 && angle->value[0] != 90); }
static bool wets_wall(const void *record) { return is_wet(&((const mn_wall *)record)->contact.angle); }
static bool wets_body(const void *record) { return is_wet(&((const mn_body *)record)->contact.angle); }
static bool wets_solid(const void *record) { return is_wet(&((const mn_soft_def *)record)->contact.angle); }
static bool tells_wall(const void *record) { return ((const mn_wall *)record)->contact.fluid_count > 0; }
static bool tells_body(const void *record) { return ((const mn_body *)record)->contact.fluid_count > 0; }
static bool tells_solid(const void *record) { return ((const mn_soft_def *)record)->contact.fluid_count > 0; }
static bool sticks(const mn_curve *hysteresis)
{
    return hysteresis->count > 1 || (hysteresis->count == 1 && hysteresis->value[0] != 0);
}
static bool sticks_wall(const void *record) { return sticks(&((const mn_wall *)record)->contact.hysteresis); }
static bool sticks_body(const void *record) { return sticks(&((const mn_body *)record)->contact.hysteresis); }
static bool sticks_solid(const void *record) { return sticks(&((const mn_soft_def *)record)->contact.hysteresis); }
static bool slips(const mn_wetting *c) { return c->slip != 1e-9; }
static bool slips_wall(const void *record) { return slips(&((const mn_wall *)record)->contact); }
static bool slips_body(const void *record) { return slips(&((const mn_body *)record)->contact); }
static bool slips_solid(const void *record) { return slips(&((const mn_soft_def *)record)->contact); }
static bool varies_wall(const void *record)
{
    return mn_pattern_is_given(&((const mn_wall *)record)->contact.pattern.pattern);
}
static bool varies_body(const void *record)
{
    return mn_pattern_is_given(&((const mn_body *)record)->contact.pattern.pattern);
}
static bool is_animated(const void *record) { return ((const mn_body *)record)->motion.moving; }
static bool has_density(const void *record) { return ((const mn_body *)record)->density > 0; }
static bool has_mass(const void *record) { return ((const mn_body *)record)->mass > 0; }
static bool has_limits(const void *record) { return ((const mn_joint *)record)->limited; }
static bool is_ball(const void *record) { return ((const mn_joint *)record)->kind == MN_BALL; }
static bool follows(const void *record) { return ((const mn_soft_def *)record)->motion.moving; }

static const mn_key fluid_angle_rows[] = {
    {"fluid", MN_KEY_TEXT, NULL, NULL, 1, 100, "name of the fluid", IN(mn_fluid_angle, fluid)},
    {"angle", MN_KEY_CURVE, "degrees", NULL, 0, 180, "in place of `contact_angle`", IN(mn_fluid_angle, angle), 1},
};
static const mn_table fluid_angle_table = {"contact_angles", "Contact angles of single fluids.", ROWS(fluid_angle_rows),
                                           sizeof(mn_fluid_angle), .at = AT(mn_fluid_angle, at)};
/* clang-format off */
#define CONTACT_ROWS(record, wets, tells, sticks, slips) \
    {"contact_angle", MN_KEY_CURVE, "degrees", "90", 0, 180, \
     "between it and the surface of a fluid with `surface_tension`, through the liquid", \
     IN(record, contact.angle), 1, .written = wets}, \
    {"contact_angles", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_FLUIDS, "fluids with another contact angle", \
     IN(record, contact.fluids), .count_offset = AT(record, contact.fluid_count), .sub = &fluid_angle_table, \
     .written = tells}, \
    {"contact_hysteresis", MN_KEY_CURVE, "degrees", "0", 0, 180, \
     "the line advances at half of this above `contact_angle`, recedes at half of it below, and sticks in between", \
     IN(record, contact.hysteresis), 1, .written = sticks}, \
    {"contact_slip", MN_KEY_NUMBER, "m", "1e-9", 0, 1, \
     "slip length of a line that moves: the angle depends on its speed, also without `contact_angle`; 0: it does not", \
     IN(record, contact.slip), .written = slips}
#define CONTACT_PATTERN_ROW(record, varies) \
    {"contact_pattern", MN_KEY_MAP, NULL, "-", 0, 0, "where the contact angle differs", \
     IN(record, contact.pattern), .sub = &contact_pattern_table, .written = varies}

static const mn_key contact_pattern_rows[] = {
    {"angle", MN_KEY_CURVE, "degrees", NULL, 0, 180, "where the pattern is 1; where it is 0: `contact_angle`",
     IN(mn_contact_pattern, angle), 1},
    PATTERN_ROWS(mn_contact_pattern, pattern),
};
/* clang-format on */
static const mn_table contact_pattern_table = {
    "contact_pattern",
    "A contact angle that differs from place to place: by a patch, the vertex colours or an image. Between 0 and 1 the "
    "cosines are mixed, as of two materials by their shares of the area.",
    ROWS(contact_pattern_rows), sizeof(mn_contact_pattern), .finish = mn_finish_contact_pattern};

static const mn_key motion_rows[] = {
    {"centre", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "point about which it turns", IN(mn_motion, centre), 3,
     .live = MN_LIVE},
    {"translation", MN_KEY_CURVE, "m", "[0, 0, 0]", METRES, "shift from the place where the shapes put it",
     IN(mn_motion, translation), 3},
    {"rotation", MN_KEY_CURVE, "rad", "[0, 0, 0]", METRES, "rotation vector (axis times angle) about `centre`",
     IN(mn_motion, rotation), 3},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "constant, added to the keyframes", IN(mn_motion, velocity),
     3, .live = MN_LIVE},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED, "constant, about `centre`",
     IN(mn_motion, angular_velocity), 3, .live = MN_LIVE},
};
static const mn_table motion_table = {"motion", "A given path; left out, a wall stands still and a body is free.",
                                      ROWS(motion_rows), sizeof(mn_motion), .finish = mn_finish_motion};

static const mn_key wall_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=wall1, wall2, ...", 1, 60, "its name in messages and overrides", IN(mn_wall, name)},
    {"shapes", MN_KEY_SHAPES, NULL, NULL, 1, 10000, "shapes whose surface holds the fluid", IN(mn_wall, shapes),
     .count_offset = AT(mn_wall, shape_count)},
    {"method", MN_KEY_CHOICE, NULL, "=wall_method", 0, 0, "what it is made of", IN(mn_wall, method),
     .words = mn_wall_method_names},
    {"spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between its boundary points",
     IN(mn_wall, spacing)},
    {"map_spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between the nodes of its volume map",
     IN(mn_wall, map_spacing)},
    {"friction", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' viscosity against this wall; 0: free slip",
     IN(mn_wall, friction), 1},
    {"adhesion", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' adhesion to this wall", IN(mn_wall, adhesion),
     1},
    CONTACT_ROWS(mn_wall, wets_wall, tells_wall, sticks_wall, slips_wall),
    CONTACT_PATTERN_ROW(mn_wall, varies_wall),
    {"motion", MN_KEY_MAP, NULL, "-", 0, 0, "how it moves", IN(mn_wall, motion), .sub = &motion_table,
     .written = is_moving},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_wall, look), .sub = &mn_look_table, .live = MN_PICTURES},
};
const mn_table mn_wall_table = {"walls",
                                "Surfaces that hold the fluid, at rest or on a given path.",
                                ROWS(wall_rows),
                                sizeof(mn_wall),
                                .at = AT(mn_wall, at),
                                .finish = mn_finish_wall};

static const mn_key body_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=body1, body2, ...", 1, 60, "its name in messages, joints, overrides and files",
     IN(mn_body, name)},
    {"shapes", MN_KEY_SHAPES, NULL, NULL, 1, 1000, "the body is the union of these", IN(mn_body, shapes),
     .count_offset = AT(mn_body, shape_count)},
    {"density", MN_KEY_NUMBER, "kg/m^3", "-", 1e-3, 1e6,
     "of the body; this or `mass`, unless it is fixed or has a motion", IN(mn_body, density), .written = has_density,
     .live = MN_LIVE},
    {"mass", MN_KEY_NUMBER, "kg", "-", 1e-15, 1e12, "of the whole body, spread evenly over its volume; for hollow ones",
     IN(mn_body, mass), .written = has_mass, .live = MN_LIVE},
    {"spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between its boundary points",
     IN(mn_body, spacing)},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "of its centre of mass at the start", IN(mn_body, velocity),
     3, .live = MN_START},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED, "at the start, about its centre of mass",
     IN(mn_body, angular_velocity), 3, .live = MN_START},
    {"fixed", MN_KEY_FLAG, NULL, "false", 0, 0, "it stays where it is; the forces on it are recorded",
     IN(mn_body, fixed)},
    {"release", MN_KEY_NUMBER, "s", "0", 0, 1e9, "it is held until this time, then released with its velocities",
     IN(mn_body, release), .live = MN_LIVE},
    {"motion", MN_KEY_MAP, NULL, "-", 0, 0, "a given path: the body moves the fluid, and nothing moves the body",
     IN(mn_body, motion), .sub = &motion_table, .written = is_animated},
    {"friction", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' viscosity against this body; 0: free slip",
     IN(mn_body, friction), 1},
    {"adhesion", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' adhesion to this body", IN(mn_body, adhesion),
     1},
    CONTACT_ROWS(mn_body, wets_body, tells_body, sticks_body, slips_body),
    CONTACT_PATTERN_ROW(mn_body, varies_body),
    {"drag", MN_KEY_CURVE, NULL, "0", 0, 1e6, "drag coefficient against the air, 1 in the paper; 0: no drag",
     IN(mn_body, drag), 1},
    {"contacts", MN_KEY_FLAG, NULL, "true", 0, 0, "it touches walls and other bodies; false: it passes through them",
     IN(mn_body, contacts), .live = MN_LIVE},
    {"grip", MN_KEY_NUMBER, NULL, "0.5", 0, 1e6,
     "Coulomb's coefficient of friction in contacts with walls and bodies; between two bodies the geometric mean",
     IN(mn_body, grip), .live = MN_LIVE},
    {"restitution", MN_KEY_NUMBER, NULL, "0", 0, 1, "speed after over speed before a contact; of two bodies the larger",
     IN(mn_body, restitution), .live = MN_LIVE},
    {"colour", MN_KEY_CHOICE, NULL, "orange", 0, 0, "in pictures", IN(mn_body, colour), .words = body_colours,
     .live = MN_PICTURES},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_body, look), .sub = &mn_look_table, .live = MN_PICTURES},
};
const mn_table mn_body_table = {"bodies",
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
     .words = joint_names},
    {"body", MN_KEY_TEXT, NULL, NULL, 1, 60, "name of the first body", IN(mn_joint, body)},
    {"to", MN_KEY_TEXT, NULL, "world", 1, 60, "name of the second body; `world`: a fixed place", IN(mn_joint, to)},
    {"anchor", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "the common point at the start, for ball and hinge",
     IN(mn_joint, anchor), 3},
    {"axis", MN_KEY_NUMBERS, NULL, "[0, 1, 0]", METRES,
     "of hinge and slider; of a ball that has `swing` and `twist`, the direction along the limb", IN(mn_joint, axis),
     3},
    {"limits", MN_KEY_NUMBERS, "degrees or m", "-", METRES,
     "how far a hinge turns (degrees) or a slider goes (m) from its place at the start, `[least, most]`",
     IN(mn_joint, limits), 2, .written = has_limits, .live = MN_LIVE},
    {"swing", MN_KEY_NUMBER, "degrees", "180", 0, 180,
     "how far a ball bends in any direction; at most 85, or 180: freely", IN(mn_joint, swing), .written = is_ball,
     .live = MN_LIVE},
    {"twist", MN_KEY_NUMBER, "degrees", "180", 0, 180, "how far a ball turns about the axis; 180: freely",
     IN(mn_joint, twist), .written = is_ball, .live = MN_LIVE},
};
const mn_table mn_joint_table = {
    "joints",
    "They hold bodies together. Bodies that a joint connects do not collide with each other.",
    ROWS(joint_rows),
    sizeof(mn_joint),
    .at = AT(mn_joint, at),
    .finish = mn_finish_joint};

static const mn_key rigid_rows[] = {
    {"substeps", MN_KEY_INTEGER, NULL, "1", 1, 1000, "steps of the bodies in one step of the fluid",
     IN(mn_scene, rigid_substeps), .live = MN_LIVE},
    {"iterations", MN_KEY_INTEGER, NULL, "50", 1, 10000, "of the solver of contacts and joints in each",
     IN(mn_scene, rigid_iterations), .live = MN_LIVE},
};
const mn_table mn_rigid_table = {"rigid", "How contacts and joints of the bodies are solved.", ROWS(rigid_rows),
                                 sizeof(mn_scene)};

static const mn_key sink_rows[] = {
    {"shape", MN_KEY_SHAPE, NULL, NULL, 0, 0, "fluid particles inside it are deleted", IN(mn_sink, shape)},
    {"start", MN_KEY_NUMBER, "s", "0", TIMES, "first moment", IN(mn_sink, start), .live = MN_LIVE},
    {"stop", MN_KEY_NUMBER, "s", ".inf", 0, DBL_MAX, "last moment; `.inf`: never", IN(mn_sink, stop), .live = MN_LIVE},
};
const mn_table mn_sink_table = {"sinks",         "Where fluid disappears.", ROWS(sink_rows),
                                sizeof(mn_sink), .at = AT(mn_sink, at),     .finish = mn_finish_sink};

static const mn_key solid_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=solid1, solid2, ...", 1, 60, "its name in messages, overrides and files",
     IN(mn_soft_def, name)},
    {"shapes", MN_KEY_SHAPES, NULL, NULL, 1, 1000, "the solid at rest is the union of these", IN(mn_soft_def, shapes),
     .count_offset = AT(mn_soft_def, shape_count)},
    {"spacing", MN_KEY_NUMBER, "m", "=particles.spacing", 1e-6, 1e3, "distance between its particles",
     IN(mn_soft_def, spacing)},
    {"sampling", MN_KEY_CHOICE, NULL, "lattice", 0, 0, "how the shapes are filled", IN(mn_soft_def, sampling),
     .words = mn_sampling_names},
    {"seed", MN_KEY_INTEGER, NULL, "0", 0, 2147483647, "of the random numbers of its sampling", IN(mn_soft_def, seed)},
    {"density", MN_KEY_NUMBER, "kg/m^3", "1000", 1e-3, 1e6, "at rest", IN(mn_soft_def, density), .live = MN_LIVE},
    {"young", MN_KEY_NUMBER, "Pa", "-", 1e-6, 1e12, "Young's modulus, with `poisson`", IN(mn_soft_def, young),
     .written = mn_never_written, .live = MN_LIVE},
    {"poisson", MN_KEY_NUMBER, NULL, "-", 0, 0.499, "Poisson's ratio, with `young`", IN(mn_soft_def, poisson),
     .written = mn_never_written, .live = MN_LIVE},
    {"lambda", MN_KEY_NUMBER, "Pa", "-", 0, 1e15, "Lamé's first constant; with `mu`, instead of `young` and `poisson`",
     IN(mn_soft_def, lambda), .live = MN_LIVE},
    {"mu", MN_KEY_NUMBER, "Pa", "-", 1e-7, 1e12, "shear modulus, with `lambda`", IN(mn_soft_def, mu), .live = MN_LIVE},
    {"hourglass", MN_KEY_NUMBER, NULL, "50", 0, 1e4, "strength of the hourglass control, against zigzag patterns",
     IN(mn_soft_def, hourglass), .live = MN_LIVE},
    {"viscosity", MN_KEY_NUMBER, NULL, "0.05", 0, 10,
     "artificial viscosity between its particles, over the speed of pressure waves times the support",
     IN(mn_soft_def, viscosity), .live = MN_LIVE},
    {"damping", MN_KEY_NUMBER, "1/s", "0", 0, 1e6, "rate at which all its velocities decay", IN(mn_soft_def, damping),
     .live = MN_LIVE},
    {"surface_correction", MN_KEY_FLAG, NULL, "true", 0, 0,
     "strain at its surface is exact to second order; false: the plain method", IN(mn_soft_def, surface_correction)},
    {"fixed", MN_KEY_SHAPES, NULL, "[]", 0, 1000, "its particles inside these stay, or follow `motion`",
     IN(mn_soft_def, fixed), .count_offset = AT(mn_soft_def, fixed_count)},
    {"motion", MN_KEY_MAP, NULL, "-", 0, 0, "path of the fixed particles", IN(mn_soft_def, motion),
     .sub = &motion_table, .written = follows},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "at the start", IN(mn_soft_def, velocity), 3,
     .live = MN_START},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED, "at the start, about its centre of mass",
     IN(mn_soft_def, angular_velocity), 3, .live = MN_START},
    {"friction", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' viscosity against it; 0: free slip",
     IN(mn_soft_def, friction), 1},
    {"adhesion", MN_KEY_CURVE, NULL, "1", 0, 1e6, "factor on the fluids' adhesion to it", IN(mn_soft_def, adhesion), 1},
    CONTACT_ROWS(mn_soft_def, wets_solid, tells_solid, sticks_solid, slips_solid),
    {"drag", MN_KEY_CURVE, NULL, "0", 0, 1e6, "drag coefficient against the air, 1 in the paper; 0: no drag",
     IN(mn_soft_def, drag), 1},
    {"contacts", MN_KEY_FLAG, NULL, "true", 0, 0, "walls and other solids stop it; false: it passes through them",
     IN(mn_soft_def, contacts), .live = MN_LIVE},
    {"grip", MN_KEY_NUMBER, NULL, "0.5", 0, 1e6, "Coulomb's coefficient of friction in these contacts",
     IN(mn_soft_def, grip), .live = MN_LIVE},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_soft_def, look), .sub = &mn_look_table,
     .live = MN_PICTURES},
};
const mn_table mn_solid_table = {
    "solids",
    "Elastic solids that fluid and air deform (total-Lagrangian SPH). Two numbers make the material: "
    "`young` and `poisson`, or `lambda` and `mu`.",
    ROWS(solid_rows),
    sizeof(mn_soft_def),
    .at = AT(mn_soft_def, at),
    .finish = mn_finish_solid};
