/* tables_fluids.c -- keys of scene files: fluids, their emitters and looks, and what acts between two of them. */
#include "scene/tables.h"

#include <float.h>

static const char *const material_names[] = {"auto", "matte", "glass", "metal", NULL};

/* What the writer leaves out. */
static bool is_disc(const void *record) { return ((const mn_emitter *)record)->disc; }
static bool is_rectangle(const void *record) { return !is_disc(record); }
static bool has_holes(const void *record) { return ((const mn_fluid *)record)->hole_count > 0; }

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
     IN(mn_look, material), .words = material_names},
};
const mn_table mn_look_table = {"look", "How it looks in the pictures of `meniscus render`.", ROWS(look_rows),
                                sizeof(mn_look), .finish = mn_finish_look};

static const mn_key fluid_look_rows[] = {
    LOOK_ROWS("colour of white light after `clarity` metres of it, written as that of a wall; empty: that of water"),
    {"clarity", MN_KEY_NUMBER, "m", "0", 0, 1e6,
     "length of liquid after which white light has its colour; 0: a quarter of the size of what is seen",
     IN(mn_look, clarity)},
};
static const mn_table fluid_look_table = {"fluid-look", "How it looks in the pictures of `meniscus render`.",
                                          ROWS(fluid_look_rows), sizeof(mn_look), .finish = mn_finish_look};

static const mn_key disc_rows[] = {
    {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, "radius of the opening", IN(mn_emitter, radius)}};
static const mn_table disc_table = {"disc", "A round opening.", ROWS(disc_rows), sizeof(mn_emitter)};

static const mn_key rectangle_rows[] = {
    {"size", MN_KEY_NUMBERS, "m", NULL, LENGTH,
     "edges of the opening: the horizontal one (along z where the direction is y), then the other",
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
    {"start", MN_KEY_NUMBER, "s", "0", TIMES, "first moment of emission", IN(mn_emitter, start), .live = MN_LIVE},
    {"stop", MN_KEY_NUMBER, "s", ".inf", 0, DBL_MAX, "last moment of emission; `.inf`: never", IN(mn_emitter, stop),
     .live = MN_LIVE},
    {"limit", MN_KEY_LONG, NULL, "0", 0, 2e9, "most particles it emits in all; 0: no limit", IN(mn_emitter, limit),
     .live = MN_LIVE},
};
static const mn_table emitter_table = {
    "emitters",         "Openings from which fluid flows.", ROWS(emitter_rows),
    sizeof(mn_emitter), .at = AT(mn_emitter, at),           .finish = mn_finish_emitter};

static const mn_key fluid_rows[] = {
    {"name", MN_KEY_TEXT, NULL, "=fluid1, fluid2, ...", 1, 60, "its name in messages, overrides and files",
     IN(mn_fluid, name)},
    {"density", MN_KEY_NUMBER, "kg/m^3", "1000", 1e-3, 1e6, "rest density", IN(mn_fluid, density), .live = MN_LIVE},
    {"surface_tension", MN_KEY_CURVE, "N/m", "-", 0, 1e9,
     "tension of its free surface, water 0.0728; short for `tension: {model: laplace, tension: ...}`",
     IN(mn_fluid, surface_tension), 1, .written = mn_never_written},
    {"sampling", MN_KEY_CHOICE, NULL, "lattice", 0, 0, "how the shapes are filled", IN(mn_fluid, sampling),
     .words = mn_sampling_names},
    {"jitter", MN_KEY_NUMBER, NULL, "0", 0, 0.5,
     "lattice only: random shift of each particle, as fraction of the spacing", IN(mn_fluid, jitter)},
    {"seed", MN_KEY_INTEGER, NULL, "0", 0, 2147483647, "of the random numbers of this fluid's sampling",
     IN(mn_fluid, seed)},
    {"shapes", MN_KEY_SHAPES, NULL, "[]", 0, 10000, "what is filled at the start: the union of these",
     IN(mn_fluid, shapes), .count_offset = AT(mn_fluid, shape_count)},
    {"holes", MN_KEY_SHAPES, NULL, "[]", 0, 10000, "what is left out of it: the inside of these", IN(mn_fluid, holes),
     .count_offset = AT(mn_fluid, hole_count), .written = has_holes},
    {"velocity", MN_KEY_NUMBERS, "m/s", "[0, 0, 0]", SPEED, "at the start", IN(mn_fluid, velocity), 3,
     .live = MN_START},
    {"angular_velocity", MN_KEY_NUMBERS, "rad/s", "[0, 0, 0]", SPEED,
     "at the start, about the centre of the shapes' bounding box", IN(mn_fluid, angular_velocity), 3, .live = MN_START},
    {"emitters", MN_KEY_LIST, NULL, "[]", 0, 1000, "openings from which this fluid flows", IN(mn_fluid, emitters),
     .count_offset = AT(mn_fluid, emitter_count), .sub = &emitter_table},
    {"look", MN_KEY_MAP, NULL, "-", 0, 0, "in pictures", IN(mn_fluid, look), .sub = &fluid_look_table,
     .live = MN_PICTURES},
};
const mn_table mn_fluid_table = {
    "fluids",
    "Each fluid has shapes, emitters or both. Its models are keys too: `viscosity: xsph` takes the model with its "
    "defaults, `viscosity: {model: xsph, PARAMETER: value}` sets parameters, a list of such entries adds models up. "
    "`viscosity: 1 mm^2/s`, or `1 mPa s` (a number or keyframes), is short for `{model: standard, viscosity: ..., "
    "wall_viscosity: ...}` with the same value twice; on a fluid with `surface_tension` the model is `fitted`.",
    ROWS(fluid_rows),
    sizeof(mn_fluid),
    .extra = MN_FLUID_MODELS,
    .at = AT(mn_fluid, at),
    .finish = mn_finish_fluid};

static const mn_key pair_rows[] = {
    {"fluid", MN_KEY_TEXT, NULL, NULL, 1, 100, "name of one fluid", IN(mn_pair, fluid)},
    {"with", MN_KEY_TEXT, NULL, NULL, 1, 100, "name of the other", IN(mn_pair, with)},
    {"surface_tension", MN_KEY_CURVE, "N/m", "0", 0, 1e9, "tension of the interface, oil and water 0.05",
     IN(mn_pair, surface_tension), 1},
    {"attraction", MN_KEY_CURVE, NULL, "0", 0, 1000,
     "factor on akinci2013, becker2007, tartakovsky2005 and wang2017 between the two; 1: as within one liquid",
     IN(mn_pair, attraction), 1},
};
const mn_table mn_pair_table = {"pairs",
                                "What acts between two fluids; see [several fluids](methods/several-fluids.md).",
                                ROWS(pair_rows), sizeof(mn_pair), .at = AT(mn_pair, at)};
