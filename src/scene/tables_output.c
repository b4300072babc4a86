/* tables_output.c -- keys of scene files: frames, grids, meshes, probes, statistics, checkpoints; the camera. */
#include "scene/tables.h"

static const char *const format_names[] = {"vtp", "bgeo", "ply", NULL};
static const char *const mesh_format_names[] = {"ply", "obj", "vtp", "stl", NULL};
static const char *const look_names[] = {"spheres", "water", "field", NULL};

static int field_names(const char **out, int capacity)
{
    int count = mn_field_count();
    if (count > capacity) count = capacity;
    for (int i = 0; i < count; i++) out[i] = mn_field_name(i);
    return count;
}

/* What the writer leaves out. */
static bool has_grids(const void *record) { return ((const mn_scene *)record)->grid_output.every > 0; }
static bool is_probe_point(const void *record) { return ((const mn_probe *)record)->kind == MN_PROBE_POINT; }
static bool is_probe_plane(const void *record) { return ((const mn_probe *)record)->kind == MN_PROBE_PLANE; }
static bool is_probe_gauge(const void *record) { return ((const mn_probe *)record)->kind == MN_PROBE_GAUGE; }
static bool has_probes(const void *record) { return ((const mn_scene *)record)->probe_count > 0; }
static bool has_surface(const void *record) { return ((const mn_scene *)record)->surface_output.format_count > 0; }
static bool has_ground(const void *record) { return ((const mn_camera *)record)->grounded; }
static bool has_eye(const void *record) { return !((const mn_camera *)record)->automatic; }
static bool colours_walls(const void *record)
{
    return ((const mn_camera *)record)->wall_colour && ((const mn_camera *)record)->wall_colour[0];
}

static const mn_key grid_output_rows[] = {
    {"min", MN_KEY_NUMBERS, "m", NULL, METRES, "first node", IN(mn_grid_output, low), 3},
    {"max", MN_KEY_NUMBERS, "m", NULL, METRES, "no node lies beyond", IN(mn_grid_output, high), 3},
    {"spacing", MN_KEY_NUMBER, "m", "=twice particles.spacing", LENGTH, "distance between nodes",
     IN(mn_grid_output, spacing)},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid whose flow is taken; left out, all of them",
     IN(mn_grid_output, fluid)},
    {"every", MN_KEY_NUMBER, "s", NULL, 1e-9, 1e9, "simulated time between grids", IN(mn_grid_output, every)},
    {"average", MN_KEY_NUMBER, "s", "0", TIMES, "averaging time before each grid; 0: the flow at that time",
     IN(mn_grid_output, average)},
};
static const mn_table grid_output_table = {
    "grid", "The flow on a regular grid (`grids/frame_00012.vti`), for pictures or as `air.grid` of another scene.",
    ROWS(grid_output_rows), sizeof(mn_grid_output), .finish = mn_finish_grid_output};

static const mn_key surface_output_rows[] = {
    {"formats", MN_KEY_NAMES, NULL, "[]", 0, 4, "file formats of the meshes; none: no meshes",
     IN(mn_surface_output, formats), .count_offset = AT(mn_surface_output, format_count), .words = mesh_format_names},
    {"cell", MN_KEY_NUMBER, "m", "=half of particles.spacing", LENGTH,
     "width of the grid's cells, a twentieth of particles.spacing to all of it", IN(mn_surface_output, cell)},
    {"smoothing", MN_KEY_NUMBER, NULL, "7", 0, 20, "waves shorter than this many spacings are smoothed away; 0: none",
     IN(mn_surface_output, smoothing)},
    {"hollows", MN_KEY_NUMBER, NULL, "2", 0, 20,
     "closed hollows smaller than a cube of this many spacings are filled; 0: none", IN(mn_surface_output, hollows)},
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
     "simulated time between rows, each of the first step that reaches its time; 0: every step", IN(mn_probe, every),
     .live = MN_LIVE},
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
    {"every", MN_KEY_NUMBER, "s", "0.04", TIMES,
     "simulated time between frames; 0: no frames; not given: at most that in which 1 m/s goes ten spacings",
     IN(mn_scene, frame_interval)},
    {"fields", MN_KEY_NAMES, NULL, "[velocity, density, pressure, id]", 0, 64,
     "particle fields in a frame besides the position; of species `NAME` and `NAME_surface`",
     IN(mn_scene, frame_fields), .count_offset = AT(mn_scene, frame_field_count), .names = field_names, .open = true},
    {"formats", MN_KEY_NAMES, NULL, "[vtp]", 1, 3, "file formats of the frames", IN(mn_scene, frame_formats),
     .count_offset = AT(mn_scene, frame_format_count), .words = format_names},
    {"grid", MN_KEY_MAP, NULL, "-", 0, 0, "the flow on a regular grid", IN(mn_scene, grid_output),
     .sub = &grid_output_table, .written = has_grids},
    {"surface", MN_KEY_MAP, NULL, "-", 0, 0, "meshes of the liquids' surfaces", IN(mn_scene, surface_output),
     .sub = &surface_output_table, .written = has_surface},
    {"probes", MN_KEY_LIST, NULL, "[]", 0, 256, "points, planes and gauges that are measured", IN(mn_scene, probes),
     .count_offset = AT(mn_scene, probe_count), .sub = &probe_table, .written = has_probes},
};
const mn_table mn_output_table = {"output", "Frames.", ROWS(output_rows), sizeof(mn_scene)};

static const mn_key stats_rows[] = {
    {"every", MN_KEY_NUMBER, "s", "0", TIMES,
     "simulated time between the lines of stats.csv, each of the first step that reaches its time; 0: every step",
     IN(mn_scene, stats_interval), .live = MN_LIVE},
    {"surface_energy", MN_KEY_FLAG, NULL, "false", 0, 0,
     "a column surface_energy: that of the free surface after He et al. 2014, in m (times its kappa in N: J)",
     IN(mn_scene, surface_energy)},
};
const mn_table mn_stats_table = {"stats", "Numbers over time.", ROWS(stats_rows), sizeof(mn_scene)};

static const mn_key checkpoint_rows[] = {
    {"every", MN_KEY_NUMBER, "s", "0", TIMES, "simulated time between checkpoints; 0: none",
     IN(mn_scene, checkpoint_interval), .live = MN_LIVE},
    {"wall", MN_KEY_NUMBER, "s", "600", TIMES, "time on the wall clock between checkpoints; 0: none",
     IN(mn_scene, checkpoint_wall), .live = MN_LIVE},
};
const mn_table mn_checkpoint_table = {"checkpoint", "States from which a run can be resumed.", ROWS(checkpoint_rows),
                                      sizeof(mn_scene)};

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
     IN(mn_camera, look), .words = look_names},
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
    {"ground", MN_KEY_NUMBER, "m", "-", METRES,
     "`render`: height of the ground along `up`; left out, it lies under walls and liquid", IN(mn_camera, ground),
     .written = has_ground},
};
const mn_table mn_camera_table = {"camera", "The view of `--preview` and `meniscus render`.", ROWS(camera_rows),
                                  sizeof(mn_camera), .finish = mn_finish_camera};
