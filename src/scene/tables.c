/* tables.c -- keys of scene files: the top of the file, resolution, domain, time, pressure, changes. */
#include "scene/tables.h"

const char *const mn_sampling_names[] = {"lattice", "poisson", NULL};
const char *const mn_wall_method_names[] = {"particles", "volume_maps", NULL};
static const char *const axis_names[] = {"x", "y", "z", NULL};
static const char *const iteration_names[] = {"accelerated", "conjugate", "jacobi", NULL};

static int pressure_names(const char **out, int capacity) { return mn_models_of_kind("pressure", out, capacity); }

bool mn_never_written(const void *record) { return (void)record, false; }

/* What the writer leaves out. */
static bool is_bounded(const void *record) { return ((const mn_scene *)record)->bounded; }
static bool is_adaptive(const void *record) { return ((const mn_scene *)record)->adaptive; }
static bool is_fixed(const void *record) { return !is_adaptive(record); }
static bool has_bodies(const void *record) { return ((const mn_scene *)record)->body_count > 0; }
static bool has_pairs(const void *record) { return ((const mn_scene *)record)->pair_count > 0; }
static bool has_joints(const void *record) { return ((const mn_scene *)record)->joint_count > 0; }
static bool has_changes(const void *record) { return ((const mn_scene *)record)->change_count > 0; }
static bool has_solids(const void *record) { return ((const mn_scene *)record)->solid_count > 0; }
static bool has_species(const void *record) { return ((const mn_scene *)record)->species_count > 0; }
static bool has_substances(const void *record) { return ((const mn_scene *)record)->substance_count > 0; }

static const char *const settle_names[] = {"auto", "always", "never", NULL};
static const mn_key particle_rows[] = {
    {"spacing", MN_KEY_NUMBER, "m", NULL, 1e-6, 1e3, "particle distance d", IN(mn_scene, spacing)},
    {"support", MN_KEY_NUMBER, NULL, "2", 2, 3,
     "radius of the kernel in spacings; thin films stay whole with 2.15, which has a quarter more neighbours",
     IN(mn_scene, support)},
    {"settle", MN_KEY_CHOICE, NULL, "auto", 0, 0,
     "whether particles that are too dense give way before the first step, without gaining speed; auto: where fluid "
     "has "
     "`sampling: poisson`",
     IN(mn_scene, settle), .words = settle_names},
};
static const mn_table particle_table = {"particles", "Resolution.", ROWS(particle_rows), sizeof(mn_scene)};

static const mn_key domain_rows[] = {
    {"min", MN_KEY_NUMBERS, "m", NULL, METRES, "lowest corner", IN(mn_scene, low), 3},
    {"max", MN_KEY_NUMBERS, "m", NULL, METRES, "highest corner", IN(mn_scene, high), 3},
    {"periodic", MN_KEY_MARKS, NULL, "[]", 0, 0, "axes along which what leaves on one side enters on the other",
     IN(mn_scene, periodic), 3, .words = axis_names},
    {"pressure", MN_KEY_NUMBER, "Pa", "0", 0, 1e9,
     "of the surroundings, on free surfaces within two support radii of a face through which particles leave; on "
     "none beyond three",
     IN(mn_scene, outside), .live = MN_LIVE},
};
static const mn_table domain_table = {"domain",
                                      "Left out, the scene is unbounded; given, particles that leave it are deleted.",
                                      ROWS(domain_rows), sizeof(mn_scene), .finish = mn_finish_domain};

static const mn_key adaptive_rows[] = {
    {"min", MN_KEY_NUMBER, "s", "=max / 1000, at most spacing / (200 m/s)", 1e-12, 10, "smallest step",
     IN(mn_scene, step_min), .live = MN_LIVE},
    {"max", MN_KEY_NUMBER, "s", "0.005", 1e-12, 10, "largest step", IN(mn_scene, step_max), .live = MN_LIVE},
    {"cfl", MN_KEY_NUMBER, NULL, "0.4", 1e-3, 10, "no particle moves further in a step than this times the spacing",
     IN(mn_scene, cfl), .live = MN_LIVE},
    {"force", MN_KEY_NUMBER, NULL, "0.25", 1e-3, 10,
     "the step is at most this times sqrt(support / largest acceleration)", IN(mn_scene, force_limit), .live = MN_LIVE},
};
static const mn_table adaptive_table = {"adaptive", "Limits of the adaptive time step.", ROWS(adaptive_rows),
                                        sizeof(mn_scene)};

static const mn_key time_rows[] = {
    {"step", MN_KEY_NUMBER, "s", "-", 1e-12, 10, "fixed time step; left out, the step is adaptive", IN(mn_scene, step),
     .written = is_fixed, .live = MN_LIVE},
    {"adaptive", MN_KEY_MAP, NULL, "-", 0, 0, "limits of the adaptive step; not together with `step`", 0,
     .sub = &adaptive_table, .written = is_adaptive},
    {"end", MN_KEY_NUMBER, "s", NULL, 1e-9, 1e9,
     "simulated time at which the run ends, with the first step that reaches it", IN(mn_scene, end), .live = MN_LIVE},
};
static const mn_table time_table = {"time", "Fixed or adaptive steps, and the end.", ROWS(time_rows), sizeof(mn_scene),
                                    .finish = mn_finish_time};

static const mn_key pressure_rows[] = {
    {"model", MN_KEY_MODEL, NULL, "dfsph", 0, 0, "how pressure is computed", IN(mn_scene, pressure),
     .names = pressure_names},
    {"iteration", MN_KEY_WORD, NULL, "accelerated", 0, 0, "how the linear systems are iterated",
     IN(mn_scene, iteration), .words = iteration_names, .live = MN_LIVE},
    {"warm_start", MN_KEY_FLAG, NULL, "true", 0, 0, "start from the pressures of the last step",
     IN(mn_scene, warm_start), .live = MN_LIVE},
    {"tolerance", MN_KEY_NUMBER, "%", "0.01", 1e-6, 100,
     "average compression at which the solver stops; 0.002 where a fluid has `surface_tension` and this is not given",
     IN(mn_scene, tolerance), .live = MN_LIVE},
    {"divergence_tolerance", MN_KEY_NUMBER, "%", "0.1", 1e-6, 100,
     "average compression per step at which the divergence solver stops", IN(mn_scene, divergence_tolerance),
     .live = MN_LIVE},
    {"min_iterations", MN_KEY_INTEGER, NULL, "2", 0, 10000,
     "smallest number of iterations; max_iterations where that is less and this is not given",
     IN(mn_scene, min_iterations), .live = MN_LIVE},
    {"max_iterations", MN_KEY_INTEGER, NULL, "100", 1, 10000, "largest number of iterations",
     IN(mn_scene, max_iterations), .live = MN_LIVE},
    {"isotropic", MN_KEY_FLAG, NULL, "false", 0, 0, "pressure acts alike in all directions, however the particles lie",
     IN(mn_scene, isotropic)},
    {"wall_weight", MN_KEY_NUMBER, NULL, "1", 1, 2,
     "factor on boundary points in the pressure forces: 1 as in the papers; with 1.78 the pressure next to walls is "
     "that of "
     "its depth",
     IN(mn_scene, wall_weight), .live = MN_LIVE},
};
static const mn_table pressure_table = {
    "pressure",
    "The solver that keeps the fluid from being compressed. Its model's parameters are keys too.",
    ROWS(pressure_rows),
    sizeof(mn_scene),
    .extra = MN_PRESSURE_PARAMETERS,
    .finish = mn_finish_pressure};

static const mn_key change_rows[] = {
    {"time", MN_KEY_NUMBER, "s", NULL, TIMES, "it takes effect with the first step that begins then or later",
     IN(mn_change, time)},
    {"set", MN_KEY_TEXT, NULL, NULL, 3, 1000,
     "`KEY=VALUE` as of `--set`, for example `\"gravity=[0, -5, 0]\"`, of any key with the mark ↻; a `motion` goes "
     "on from where it has come to, and a wall may begin to move",
     IN(mn_change, set)},
};
static const mn_table change_table = {"changes",
                                      "What changes while the scene runs, by rising time; `meniscus view` writes what "
                                      "was steered into run.yaml.",
                                      ROWS(change_rows), sizeof(mn_change), .at = AT(mn_change, at)};

static const mn_key scene_rows[] = {
    {"title", MN_KEY_TEXT, NULL, "\"\"", 0, 200, "one line about the scene", IN(mn_scene, title), .live = MN_FILES},
    {"particles", MN_KEY_MAP, NULL, NULL, 0, 0, "resolution", 0, .sub = &particle_table},
    {"domain", MN_KEY_MAP, NULL, "-", 0, 0, "bounds and periodic axes", 0, .sub = &domain_table, .written = is_bounded},
    {"gravity", MN_KEY_CURVE, "m/s^2", "[0, -9.81, 0]", METRES, "acceleration of all fluids", IN(mn_scene, gravity), 3},
    {"time", MN_KEY_MAP, NULL, NULL, 0, 0, "time step and end", 0, .sub = &time_table},
    {"pressure", MN_KEY_MAP, NULL, "-", 0, 0, "pressure solver; a word is short for `{model: word}`", 0,
     .sub = &pressure_table},
    {"fluids", MN_KEY_LIST, NULL, NULL, 1, MN_MAX_FLUIDS, "the liquids", IN(mn_scene, fluids),
     .count_offset = AT(mn_scene, fluid_count), .sub = &mn_fluid_table},
    {"pairs", MN_KEY_LIST, NULL, "[]", 0, 0.5 * MN_MAX_FLUIDS *(MN_MAX_FLUIDS - 1), "what acts between two fluids",
     IN(mn_scene, pairs), .count_offset = AT(mn_scene, pair_count), .sub = &mn_pair_table, .written = has_pairs},
    {"walls", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_WALLS, "surfaces that hold the fluids", IN(mn_scene, walls),
     .count_offset = AT(mn_scene, wall_count), .sub = &mn_wall_table},
    {"wall_method", MN_KEY_CHOICE, NULL, "particles", 0, 0, "form of the walls that have no `method`",
     IN(mn_scene, wall_method), .words = mn_wall_method_names},
    {"bodies", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_BODIES, "rigid bodies", IN(mn_scene, bodies),
     .count_offset = AT(mn_scene, body_count), .sub = &mn_body_table, .written = has_bodies},
    {"joints", MN_KEY_LIST, NULL, "[]", 0, 1000, "what holds bodies together", IN(mn_scene, joints),
     .count_offset = AT(mn_scene, joint_count), .sub = &mn_joint_table, .written = has_joints},
    {"rigid", MN_KEY_MAP, NULL, "-", 0, 0, "solver of contacts and joints", 0, .sub = &mn_rigid_table,
     .written = has_bodies},
    {"sinks", MN_KEY_LIST, NULL, "[]", 0, 1000, "where fluid is deleted", IN(mn_scene, sinks),
     .count_offset = AT(mn_scene, sink_count), .sub = &mn_sink_table},
    {"solids", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_SOLIDS, "soft solids", IN(mn_scene, solids),
     .count_offset = AT(mn_scene, solid_count), .sub = &mn_solid_table, .written = has_solids},
    {"air", MN_KEY_MAP, NULL, "-", 0, 0, "the air, for drag", IN(mn_scene, air), .sub = &mn_air_table},
    {"species", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_SPECIES, "what is dissolved in the liquid", IN(mn_scene, species),
     .count_offset = AT(mn_scene, species_count), .sub = &mn_species_table, .written = has_species},
    {"substances", MN_KEY_LIST, NULL, "[]", 0, MN_MAX_SUBSTANCES, "substances on walls, such as grease",
     IN(mn_scene, substances), .count_offset = AT(mn_scene, substance_count), .sub = &mn_substance_table,
     .written = has_substances},
    {"reactions", MN_KEY_LIST, NULL, "[]", 0, 64, "between species and substances", IN(mn_scene, reactions),
     .count_offset = AT(mn_scene, reaction_count), .sub = &mn_reaction_table, .written = has_substances},
    {"changes", MN_KEY_LIST, NULL, "[]", 0, 100000, "what changes while it runs", IN(mn_scene, changes),
     .count_offset = AT(mn_scene, change_count), .sub = &change_table, .written = has_changes},
    {"output", MN_KEY_MAP, NULL, "-", 0, 0, "frames", 0, .sub = &mn_output_table, .live = MN_FILES},
    {"stats", MN_KEY_MAP, NULL, "-", 0, 0, "numbers over time", 0, .sub = &mn_stats_table, .live = MN_FILES},
    {"checkpoint", MN_KEY_MAP, NULL, "-", 0, 0, "states to resume from", 0, .sub = &mn_checkpoint_table},
    {"camera", MN_KEY_MAP, NULL, "-", 0, 0, "the view of pictures", IN(mn_scene, camera), .sub = &mn_camera_table,
     .live = MN_PICTURES},
};
const mn_table mn_scene_table = {"scene", "The keys at the top of a scene file.", ROWS(scene_rows), sizeof(mn_scene)};
