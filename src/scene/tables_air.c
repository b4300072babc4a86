/* tables_air.c -- keys of scene files: the air: wind, flows, grids. */
#include "scene/tables.h"

static const char *const outside_names[] = {"clamp", "zero", NULL};

/* What the writer leaves out. */
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

#define FLOW_DIRECTION(help)                                                                                           \
    {                                                                                                                  \
        "direction", MN_KEY_NUMBERS, NULL, NULL, METRES, help, IN(mn_flow, direction), 3, .live = MN_LIVE              \
    }
static const mn_key uniform_rows[] = {
    {"velocity", MN_KEY_CURVE, "m/s", NULL, SPEED, "the same everywhere in the box", IN(mn_flow, velocity), 3}};
static const mn_table uniform_table = {"uniform", "Wind.", ROWS(uniform_rows), sizeof(mn_flow)};
static const mn_key jet_rows[] = {
    {"position", MN_KEY_NUMBERS, "m", NULL, METRES, "middle of the opening", IN(mn_flow, point), 3, .live = MN_LIVE},
    FLOW_DIRECTION("where it blows; any length"),
    {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, "of the opening", IN(mn_flow, radius), .live = MN_LIVE},
    {"speed", MN_KEY_CURVE, "m/s", NULL, SPEED, "on the axis at the opening", IN(mn_flow, speed), 1},
    {"spread", MN_KEY_NUMBER, NULL, "0.1", 0, 10, "by how much its radius grows with each metre", IN(mn_flow, spread),
     .live = MN_LIVE},
};
static const mn_table jet_table = {"jet",
                                   "A free jet from a round opening; it widens and slows down, and keeps its momentum.",
                                   ROWS(jet_rows), sizeof(mn_flow)};
static const mn_key vortex_rows[] = {
    {"centre", MN_KEY_NUMBERS, "m", NULL, METRES, "a point of the axis", IN(mn_flow, point), 3, .live = MN_LIVE},
    {"axis", MN_KEY_NUMBERS, NULL, NULL, METRES, "direction of the axis, any length; it turns by the right-hand rule",
     IN(mn_flow, direction), 3, .live = MN_LIVE},
    {"radius", MN_KEY_NUMBER, "m", NULL, LENGTH, "distance from the axis where it is fastest", IN(mn_flow, radius),
     .live = MN_LIVE},
    {"speed", MN_KEY_CURVE, "m/s", NULL, SPEED, "there", IN(mn_flow, speed), 1},
};
static const mn_table vortex_table = {"vortex", "A vortex: rigid near its axis, falling off like 1/r far away.",
                                      ROWS(vortex_rows), sizeof(mn_flow)};
static const mn_key shear_rows[] = {
    {"point", MN_KEY_NUMBERS, "m", NULL, METRES, "where the velocity is 0", IN(mn_flow, point), 3, .live = MN_LIVE},
    FLOW_DIRECTION("of the velocity; any length"),
    {"normal", MN_KEY_NUMBERS, NULL, NULL, METRES, "direction in which the velocity grows; any length",
     IN(mn_flow, normal), 3, .live = MN_LIVE},
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
     .written = is_boxed, .live = MN_LIVE},
    {"max", MN_KEY_NUMBERS, "m", "-", METRES, "highest corner; together with `min`", IN(mn_flow, high), 3,
     .written = is_boxed, .live = MN_LIVE},
};
static const mn_table flow_table = {"flows",
                                    "Formulas of the air's motion. They are added to each other and to the rest.",
                                    ROWS(flow_rows),
                                    sizeof(mn_flow),
                                    .at = AT(mn_flow, at),
                                    .finish = mn_finish_flow};

static const mn_key slice_rows[] = {
    {"time", MN_KEY_NUMBER, "s", NULL, -1e9, 1e9, "time of the file", IN(mn_air_slice, time)},
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
     .words = outside_names, .live = MN_LIVE},
    {"translate", MN_KEY_NUMBERS, "m", "[0, 0, 0]", METRES, "moves the grid", IN(mn_air_grid, translate), 3,
     .live = MN_LIVE},
    {"scale", MN_KEY_CURVE, NULL, "1", SPEED, "factor on its velocities", IN(mn_air_grid, scale), 1},
};
static const mn_table air_grid_table = {"grid",
                                        "Velocities on a regular grid from another program, or from a run of this one.",
                                        ROWS(air_grid_rows),
                                        sizeof(mn_air_grid),
                                        .at = AT(mn_air_grid, at),
                                        .finish = mn_finish_air_grid};

static const mn_key air_rows[] = {
    {"density", MN_KEY_NUMBER, "kg/m^3", "1.2041", 0, 1e6, "of the air", IN(mn_air, density), .live = MN_LIVE},
    {"viscosity", MN_KEY_NUMBER, "Pa s", "1.845e-5", 1e-12, 1e6, "dynamic viscosity of the air", IN(mn_air, viscosity),
     .live = MN_LIVE},
    {"velocity", MN_KEY_CURVE, "m/s", "[0, 0, 0]", SPEED, "of the air, everywhere", IN(mn_air, velocity), 3},
    {"flows", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_FLOWS, "formulas added to it", IN(mn_air, flows),
     .count_offset = AT(mn_air, flow_count), .sub = &flow_table},
    {"grid", MN_KEY_MAP, NULL, "-", 0, 0, "an imported grid, added too", IN(mn_air, grid), .sub = &air_grid_table,
     .written = is_gridded},
};
const mn_table mn_air_table = {
    "air",
    "The air, for models of drag. It is not simulated: it moves as these keys say, and nothing changes its motion.",
    ROWS(air_rows), sizeof(mn_air)};
