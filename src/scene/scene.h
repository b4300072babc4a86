/* scene.h -- what a scene file says, as plain structs. The reader fills in every default, so that code that reads these
 * structs never asks "was it given?". SI units. Positions of keys in the file are kept for messages (mn_place).
 */
#ifndef MN_SCENE_H
#define MN_SCENE_H

#include "base/message.h"
#include "scene/models.h"

enum {
    MN_MAX_FLUIDS = 8,
    MN_MAX_WALLS = 32,
    MN_MAX_BODIES = 192,
    MN_MAX_FLOWS = 16,
    MN_MAX_SPECIES = 8,
    MN_MAX_SUBSTANCES = 4,
    MN_MAX_SOLIDS = 16
};

/* The most particles of fluid and of walls that a scene may have; what a machine can hold is another question. */
#define MN_MOST_PARTICLES 5e8
#define MN_MOST_BOUNDARY_POINTS 1e8

/* A value over time: piecewise linear between keyframes, constant outside. count is at least 1. */
typedef struct mn_curve {
    int count, width; /* width: 1 or 3 numbers a key */
    double *time;     /* s, strictly rising */
    double *value;    /* count * width */
} mn_curve;
void mn_curve_at(const mn_curve *curve, double time, double *out);
void mn_curve_rate(const mn_curve *curve, double time, double *out); /* derivative; 0 outside the keys */

typedef enum mn_shape_kind {
    MN_BOX,
    MN_SPHERE,
    MN_CYLINDER,
    MN_CAPSULE,
    MN_CONE,
    MN_TORUS,
    MN_PLANE,
    MN_MESH
} mn_shape_kind;

/* A shape in its own frame, centred on the origin, then scaled, rotated and moved.
 *   box       size[3]
 *   sphere    radius
 *   cylinder, capsule, cone   along y with height; capsule: between the centres of its caps; cone: radius at the base
 *             y = -height/2, radius2 at the top
 *   torus     around y with radius (of the ring) and radius2 (of the tube)
 *   plane     a square sheet size[0] x size[2] at y = 0, normal +y, filled is the half space below
 *   mesh      the triangles of `file` */
typedef struct mn_shape_def {
    mn_shape_kind kind;
    double size[3], radius, radius2, height; /* m */
    char *file;                              /* mesh only, path resolved against the scene file */
    double scale;
    double stretch[3];  /* factors along the shape's own axes, on top of `scale`; 0: 1 */
    double rotation[9]; /* row-major */
    double translate[3];
    bool inside_out; /* filled is everything outside: a container */
    bool open[6];    /* walls only: faces -x +x -y +y -z +z of a box, ends -y +y of a cylinder or cone, left out */
    bool rim;        /* mesh walls only: may have edges with one triangle, and is then the sheet of its triangles */
    int grid[3];     /* box fluid only: exact particle counts, 0: from size; `origin` is the first particle */
    double origin[3];
    mn_place at;
} mn_shape_def;

static inline bool mn_shape_is_open(const mn_shape_def *shape)
{
    bool any = false;
    for (int face = 0; face < 6; face++) any |= shape->open[face];
    return any;
}

/* What its lengths along one of its own axes are multiplied by. */
static inline double mn_shape_factor(const mn_shape_def *shape, int axis)
{
    return shape->stretch[axis] > 0 ? shape->scale * shape->stretch[axis] : shape->scale;
}

typedef enum mn_sampling { MN_LATTICE, MN_POISSON } mn_sampling;
typedef enum mn_settling { MN_SETTLE_AUTO, MN_SETTLE_ALWAYS, MN_SETTLE_NEVER } mn_settling;

typedef struct mn_model_use {
    const mn_model_info *model;
    mn_curve *params; /* model->param_count, in table order */
    mn_place at;
} mn_model_use;

typedef struct mn_emitter {
    bool disc;           /* else a rectangle */
    double radius;       /* disc, m */
    double size[2];      /* rectangle, m, along its local x and z */
    double position[3];  /* centre of the opening */
    double direction[3]; /* unit vector; the opening is perpendicular to it */
    double start, stop;  /* s */
    mn_curve speed;      /* m/s */
    long limit;          /* particles in all; 0: no limit */
    mn_place at;
} mn_emitter;

/* How a wall, body, solid or fluid looks in ray-traced pictures. */
typedef enum mn_look_material { MN_LOOK_AUTO, MN_LOOK_MATTE, MN_LOOK_GLASS, MN_LOOK_METAL } mn_look_material;
typedef struct mn_look {
    bool visible;
    char *colour;   /* see base/colour.h; "": by what it is */
    int material;   /* mn_look_material; not of fluids */
    double clarity; /* m, fluids only: light has the colour after this distance in it; 0: by the size of the scene */
} mn_look;

typedef struct mn_fluid {
    char *name;
    double density;           /* kg/m^3 */
    mn_curve surface_tension; /* only while it is read: it becomes a use of the model laplace */
    mn_sampling sampling;
    double jitter; /* fraction of the spacing, lattice only */
    int seed;
    mn_shape_def *shapes, *holes; /* what is filled, less the inside of these */
    int shape_count, hole_count;
    double velocity[3];         /* m/s */
    double angular_velocity[3]; /* rad/s about the centre of the fluid's shapes' bounding box */
    mn_emitter *emitters;
    int emitter_count;
    mn_model_use *models; /* viscosity, tension, ... */
    int model_count;
    mn_look look;
    mn_place at;
} mn_fluid;

/* What acts between two of the fluids. */
typedef struct mn_pair {
    char *fluid, *with;
    int first, second;        /* indices of these fluids */
    mn_curve surface_tension; /* N/m, of the interface */
    mn_curve attraction;      /* factor on the tension models that act between particles */
    mn_place at;
} mn_pair;

/* Rigid motion of a wall about `centre`: keyframed, or constant rates. Rotation keyframes are rotation vectors
   (axis times angle, rad). */
typedef struct mn_motion {
    bool moving;
    double centre[3];
    mn_curve translation;       /* width 3, m */
    mn_curve rotation;          /* width 3, rad */
    double velocity[3];         /* m/s, added to the keyframes */
    double angular_velocity[3]; /* rad/s, about `centre` */
} mn_motion;

/* Where on a wall, and how much: within the shape, times a vertex colour, times an image; 0 to 1. */
typedef struct mn_pattern {
    mn_shape_def shape; /* scale 0: the whole wall */
    /* 0 none; 1 red, 2 green, 3 blue, 4 grey: channel of the vertex colours of the wall's PLY meshes */
    int colour;
    char *image;                         /* PNG; NULL: none. Its grey is the weight */
    double origin[3], along[3], down[3]; /* m: upper left corner of the image, and its two edges */
} mn_pattern;

/* The angle where a pattern is 1; in between the cosines are mixed. */
typedef struct mn_contact_pattern {
    mn_pattern pattern; /* none: the angle is the same everywhere */
    mn_curve angle;     /* degrees */
} mn_contact_pattern;

/* The angle of one of the fluids. */
typedef struct mn_fluid_angle {
    char *fluid;
    int index; /* of this fluid */
    mn_curve angle;
    mn_place at;
} mn_fluid_angle;

/* How a liquid with a surface tension wets a wall, body or solid. */
typedef struct mn_wetting {
    mn_curve angle;         /* degrees */
    mn_curve hysteresis;    /* degrees between the angles at which the line advances and recedes */
    double slip;            /* m, of a line that moves, 1 nm unless given; 0: the angle does not depend on its speed */
    mn_fluid_angle *fluids; /* in place of `angle` */
    int fluid_count;
    mn_contact_pattern pattern;
} mn_wetting;

/* What a wall is made of: particles on its surface (Akinci et al. 2012) or a map of distances and volumes (Bender et
 * al. 2019). */
typedef enum mn_wall_method { MN_WALL_SAMPLED, MN_WALL_MAPS } mn_wall_method;

typedef struct mn_wall {
    char *name;
    mn_shape_def *shapes;
    int shape_count;
    mn_curve friction; /* factor on the fluids' wall friction */
    mn_curve adhesion; /* factor on the fluids' adhesion */
    mn_wetting contact;
    int method;         /* mn_wall_method */
    double spacing;     /* m, of the surface particles */
    double map_spacing; /* m, of the nodes of the volume map */
    mn_motion motion;
    mn_look look;
    mn_place at;
} mn_wall;

/* A rigid body. Neither fixed nor with a motion, it is free and has a density or a mass (the other is 0). */
typedef struct mn_body {
    char *name;
    mn_shape_def *shapes; /* their union */
    int shape_count;
    double density, mass;       /* kg/m^3, kg */
    double spacing;             /* m, of the surface particles */
    double velocity[3];         /* m/s */
    double angular_velocity[3]; /* rad/s about the centre of mass */
    bool fixed;
    double release; /* s: held until then */
    mn_motion motion;
    mn_curve friction, adhesion; /* factors, as of a wall */
    mn_wetting contact;
    mn_curve drag; /* coefficient against the air; 0: none */
    bool contacts;
    double grip, restitution;
    int colour; /* of io/picture.h's ten */
    mn_look look;
    mn_place at;
} mn_body;

typedef enum mn_joint_kind { MN_BALL, MN_HINGE, MN_SLIDER, MN_GLUED } mn_joint_kind;

typedef struct mn_joint {
    char *name;
    mn_joint_kind kind;
    char *body, *to;
    int first, second; /* indices of these bodies; second -1: the world */
    double anchor[3], axis[3];
    bool limited;
    double limits[2];    /* degrees or m */
    double swing, twist; /* degrees */
    mn_place at;
} mn_joint;

/* A soft solid: elastic, hyperelastic after St. Venant and Kirchhoff. */
typedef struct mn_soft_def {
    char *name;
    mn_shape_def *shapes; /* their union */
    int shape_count;
    double spacing; /* m, of its particles */
    mn_sampling sampling;
    int seed;
    double density;              /* kg/m^3 */
    double young, poisson;       /* Pa, 1 */
    double lambda, mu;           /* Pa: what the two above come to, or given instead of them */
    double hourglass, viscosity; /* factors, see soft/elastic.h */
    double damping;              /* 1/s */
    bool surface_correction;
    mn_shape_def *fixed; /* particles inside these follow `motion` */
    int fixed_count;
    mn_motion motion;
    double velocity[3];          /* m/s */
    double angular_velocity[3];  /* rad/s about the centre of its particles */
    mn_curve friction, adhesion; /* factors, as of a wall */
    mn_wetting contact;
    mn_curve drag; /* coefficient against the air; 0: none */
    bool contacts;
    double grip; /* Coulomb's coefficient at walls */
    mn_look look;
    mn_place at;
} mn_soft_def;

typedef struct mn_sink {
    mn_shape_def shape; /* fluid particles inside it are deleted */
    double start, stop;
    mn_place at;
} mn_sink;

/* The flow resampled on a regular grid, as air for another scene. */
typedef struct mn_grid_output {
    double low[3], high[3], spacing; /* m */
    char *fluid;                     /* name; "": all of them */
    int fluid_index;                 /* -1: all */
    double every;                    /* s; 0: no grids */
    double average;                  /* s before each; 0: the flow at that time */
} mn_grid_output;

/* What is measured at a place while a scene runs. */
typedef enum mn_probe_kind { MN_PROBE_POINT, MN_PROBE_PLANE, MN_PROBE_GAUGE } mn_probe_kind;
typedef struct mn_probe {
    char *name; /* of its table */
    mn_probe_kind kind;
    double point[3];     /* m */
    double direction[3]; /* unit vector: normal of a plane, upward axis of a gauge */
    double size[2];      /* m, of a plane; 0: no end */
    double radius;       /* m, of a gauge */
    char **fields;       /* of a point */
    int field_count;
    double every;    /* s; 0: every step */
    char *fluid;     /* name; "": all of them */
    int fluid_index; /* -1: all */
    mn_place at;
} mn_probe;

/* Meshes of the liquids' surfaces, made with each frame. */
typedef struct mn_surface_output {
    char **formats; /* ply, obj, vtp, stl; none: no meshes */
    int format_count;
    double cell;      /* m */
    double smoothing; /* spacings */
    double hollows;   /* spacings */
    bool per_fluid;   /* also of fluids that are the same liquid */
} mn_surface_output;

/* Where a species is at the start: concentration in a fluid (NULL: in all), within a shape if there is one. */
typedef struct mn_species_start {
    char *fluid;
    int fluid_index;      /* -1: all */
    double concentration; /* mol/m^3 */
    mn_shape_def shape;   /* scale 0: none, everywhere */
    mn_place at;
} mn_species_start;

/* What an emitter's liquid carries. */
typedef struct mn_species_inflow {
    char *fluid;
    int fluid_index;        /* -1: all */
    int emitter;            /* number within the fluid, -1: all */
    mn_curve concentration; /* mol/m^3 */
    mn_place at;
} mn_species_inflow;

typedef enum mn_law { MN_LAW_LINEAR, MN_LAW_LANGMUIR } mn_law;

/* Something dissolved in the liquid and held by its surface. */
typedef struct mn_species {
    char *name;
    double diffusion; /* m^2/s, in the bulk */
    struct {
        double adsorption;  /* m^3/(mol s) */
        double desorption;  /* 1/s */
        double capacity;    /* mol/m^2 */
        double diffusion;   /* m^2/s, along the surface */
        double feedback;    /* 1/s, of what left the surface */
        double evaporation; /* 1/s, into the air */
    } surface;
    struct { /* what a full surface does to the flow */
        mn_law law;
        double tension, adhesion, friction; /* fraction lost at full coverage; langmuir: elasticity of the tension */
    } effect;
    mn_species_start *start;
    int start_count;
    mn_species_inflow *inflow;
    int inflow_count;
    mn_place at;
} mn_species;

/* One coat of a substance on the points of a wall. */
typedef struct mn_coat {
    mn_pattern pattern;
    char *wall;      /* name of a wall or body */
    int object;      /* its index: of the walls, then the bodies */
    double coverage; /* mol/m^2 where the pattern is 1 */
    mn_place at;
} mn_coat;

typedef struct mn_substance {
    char *name;
    mn_coat *coats;
    int coat_count;
    mn_place at;
} mn_substance;

/* a_S species at the surface + a_R substance on the wall -> a_P product in the bulk. */
typedef struct mn_reaction {
    char *species, *substance, *product;               /* product may be empty: it vanishes */
    int species_index, substance_index, product_index; /* -1: none */
    double rate;                                       /* m^2/(mol s) */
    double coefficients[3];
    mn_place at;
} mn_reaction;

/* KEY=VALUE that takes effect with the first step that begins at this time or later; see change.h. */
typedef struct mn_change {
    double time; /* s */
    char *set;
    mn_place at;
} mn_change;

typedef struct mn_camera {
    bool automatic;
    double eye[3], target[3], up[3];
    double fov;        /* degrees, vertical */
    double cut;        /* m: fluid nearer to the eye is not drawn */
    int width, height; /* pixels */
    char *look;        /* "spheres", "water" or "field" */
    char *colour;      /* field shown: "speed" (default) or a field's name */
    double range[2];   /* of the colour scale; both 0: automatic */
    bool show_walls;
    char *wall_colour;    /* name of a substance; empty: walls in grey */
    double wall_range[2]; /* mol/m^2; both 0: from the start of the run */
    bool caption;         /* title and time in the picture */
    double aperture;      /* m, diameter of the lens; 0: everything is sharp */
    double focus;         /* m, distance that is sharp; 0: that of the target */
    double shutter;       /* s, exposure; 0: no motion blur */
    bool grounded;        /* `ground` is given */
    double ground;        /* m, height of the ground along `up` */
} mn_camera;

typedef enum mn_flow_kind { MN_FLOW_UNIFORM, MN_FLOW_JET, MN_FLOW_VORTEX, MN_FLOW_SHEAR } mn_flow_kind;

/* One formula of the air's motion; the formulas stand in kernels/air/air_velocity.h. */
typedef struct mn_flow {
    mn_flow_kind kind;
    bool bounded;           /* acts within [low, high] only */
    double low[3], high[3]; /* m */
    double point[3];        /* on the axis (jet: the middle of its opening); where the shear is 0 */
    double direction[3];    /* unit vector: of jet and shear, the axis of the vortex */
    double normal[3];       /* shear: unit vector along which the speed grows */
    double radius, spread;  /* m, 1 */
    mn_curve velocity;      /* uniform: width 3, m/s */
    mn_curve speed;         /* m/s; shear: 1/s */
    mn_place at;
} mn_flow;

typedef struct mn_air_slice {
    double time; /* s */
    char *file;
    mn_place at;
} mn_air_slice;

/* Velocities on a regular grid, from one file or from slices over time. */
typedef struct mn_air_grid {
    char *file; /* NULL: slices, or no grid at all; paths are resolved against the scene file */
    mn_air_slice *slices;
    int slice_count;
    char *array;         /* name of the array in the files; "": the first with three components */
    int outside;         /* 0: as at the nearest face, 1: no velocity */
    double translate[3]; /* m */
    mn_curve scale;      /* factor on the velocities */
    mn_place at;
} mn_air_grid;

typedef struct mn_air {
    double density, viscosity; /* kg/m^3, Pa s */
    mn_curve velocity;         /* width 3, m/s, everywhere */
    mn_flow *flows;            /* added to it */
    int flow_count;
    mn_air_grid grid; /* added too */
} mn_air;

struct mn_scene {
    char *path; /* file it came from */
    char *title;
    double spacing;         /* m, particle distance d */
    double support;         /* radius of the kernel, in spacings */
    mn_settling settle;     /* whether particles give way before the first step */
    bool bounded;           /* particles that leave [low, high] are deleted */
    double low[3], high[3]; /* m */
    bool periodic[3];       /* needs bounded */
    double outside;         /* Pa, pressure at the faces that are not periodic */
    mn_curve gravity;       /* width 3, m/s^2 */

    bool adaptive;                   /* time step */
    double step, step_min, step_max; /* s; fixed: step only */
    double cfl, force_limit;         /* lambda of CFL (times d / v_max) and of the force condition */
    double end;                      /* s */

    mn_model_use pressure;
    char *iteration; /* "accelerated", "conjugate" or "jacobi" */
    bool warm_start;
    double tolerance, divergence_tolerance; /* percent, average */
    int min_iterations, max_iterations;
    bool isotropic;     /* pressure acts alike in all directions */
    double wall_weight; /* of boundary points in the gradients of pressure */

    mn_fluid *fluids;
    int fluid_count;
    mn_pair *pairs;
    int pair_count;
    mn_wall *walls;
    int wall_count;
    int wall_method;        /* of walls that do not choose one */
    double boundary_points; /* of walls and bodies, about */
    double solid_particles; /* of soft solids, about */
    mn_body *bodies;
    int body_count;
    mn_joint *joints;
    int joint_count;
    int rigid_substeps, rigid_iterations;
    mn_sink *sinks;
    int sink_count;
    mn_soft_def *solids;
    int solid_count;
    mn_air air;
    mn_species *species;
    int species_count;
    mn_substance *substances;
    int substance_count;
    mn_reaction *reactions;
    int reaction_count;

    mn_change *changes; /* by time */
    int change_count;

    double frame_interval; /* s; 0: no frames */
    char **frame_fields;
    int frame_field_count;
    char **frame_formats; /* vtp, bgeo, ply */
    int frame_format_count;
    mn_grid_output grid_output;
    mn_probe *probes;
    int probe_count;
    mn_surface_output surface_output;
    double stats_interval;      /* s; 0: every step */
    bool surface_energy;        /* a column of it */
    double checkpoint_interval; /* simulated s; 0: none */
    double checkpoint_wall;     /* wall s; 0: none */
    mn_camera camera;
};

/* core/world.c: what was changed when in a world, and what its scene has yet to come. */
const mn_change *mn_world_changes(const mn_world *world, int *count);

/* Width (1 or 3, 0: no such field) and unit of a field by its name: those of the program, and of this scene's
 * species NAME (mol/m^3, in the bulk) and NAME_surface (mol/m^2). */
int mn_scene_field_width(const mn_scene *scene, const char *name);
const char *mn_scene_field_unit(const mn_scene *scene, const char *name);
/* What people read beside a colour scale: "soap on the surface [mol/m²]" for soap_surface. */
void mn_scene_field_label(const mn_scene *scene, const char *name, char *out, size_t size);
/* The species that a field of the scene belongs to, -1: none; *film: whether it is its film. */
int mn_scene_species_of(const mn_scene *scene, const char *name, bool *film);

/* rules_contact.c: whether a pattern says anything. */
bool mn_pattern_is_given(const mn_pattern *pattern);
/* Emitters of all fluids. */
int mn_scene_emitters(const mn_scene *scene);
/* rules.c: particles that it emits until the end, about. */
double mn_emitter_forecast(const mn_scene *scene, const mn_emitter *emitter);
/* film_effect.c: whether a species changes the flow; whether any does, and the largest factor that its film can be. */
bool mn_species_acts(const mn_species *s);
bool mn_scene_film_acts(const mn_scene *scene);
double mn_scene_film_most(const mn_scene *scene);

/* The scene as run, every default filled in, as YAML that mn_scene_parse reads back to the same structs.
   Returns a malloc'd text, NULL when out of memory. */
char *mn_scene_write(const mn_scene *scene);
/* identity.c: what a state depends on, as text: the scene as run, and a comment with the checksum of each file that
 * it names. malloc'd; NULL: no memory. */
char *mn_scene_identity(const mn_scene *scene);
/* MN_BAD_INPUT, with the keys or the file that differ, where two identities are of different scenes; `where` has the
 * first ("the checkpoint"). The end, the title, formats of frames, times of checkpoints, the camera and looks may
 * differ. */
mn_status mn_scene_compare(const char *was, const char *is, const char *where, mn_place at, mn_messages *say);
/* Calls `visit` with the path of each file that the scene names: meshes (with their shape), grids of air, images. */
typedef void mn_file_visit(void *user, const char *path, const mn_shape_def *mesh);
void mn_scene_files(const mn_scene *scene, mn_file_visit *visit, void *user);

/* As mn_scene_parse and mn_scene_load, but of a scene with errors what could be read comes back too, for further
 * questions to it; *good tells which it is. */
mn_scene *mn_scene_parse_draft(const char *text, size_t length, const char *name, const char *const *sets,
                               int set_count, bool *good, mn_messages *say);
mn_scene *mn_scene_load_draft(const char *path, const char *const *sets, int set_count, bool *good, mn_messages *say);
/* Says what is wrong with the meshes and grids of air that it names. */
void mn_scene_inspect_files(const mn_scene *scene, mn_messages *say);
/* JSON schema and Markdown reference of all keys, generated from the same tables. malloc'd. */
char *mn_scene_schema(void);
char *mn_scene_reference(void);
/* Every path that --set takes, with its unit (NULL: none), default (as in the tables) and meaning. Entries of lists are
 * those of `scene`, by name; NULL: one entry of each list, 0. */
typedef void mn_key_visit(void *user, const char *path, const char *unit, const char *standard, const char *help);
void mn_scene_keys(const mn_scene *scene, mn_key_visit *visit, void *user);

#endif
