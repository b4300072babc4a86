/* world.h -- the liquid in motion: particle fields on a device, and what the host must remember between steps.
 *
 * A device failure is sticky: `failed` is set, every later mn_run does nothing, and the step reports it once at its end.
 */
#ifndef MN_WORLD_H
#define MN_WORLD_H

#include "boundary/maps.h"
#include "io/snapshot.h"
#include "run/backend.h"
#include "scene/scene.h"

struct mn_active;
struct mn_rigid;
struct mn_solids;

typedef enum mn_stage {
    MN_STAGE_search,
    MN_STAGE_density,
    MN_STAGE_surface,
    MN_STAGE_divergence,
    MN_STAGE_forces,
    MN_STAGE_air,
    MN_STAGE_velocity,
    MN_STAGE_pressure,
    MN_STAGE_move,
    MN_STAGE_bodies,
    MN_STAGES
} mn_stage;

/* Wall points on the host, in the order of the walls. On the device lie the resting ones, in cell order; then the points that move or feel, the bodies, in
   host order; then copies of bodies across periodic faces. */
typedef struct mn_wall_points {
    int count;
    double *rest; /* 3 a point, pose of t = 0 */
    double *
        normal; /* 3 a point, outward, pose of t = 0; 0 at resting walls; twice as long on sheets, both sides of which are outside; NULL: not known */
    float *face;         /* area of each point for the wind, m^2, negative on sheets; NULL: no body feels it */
    float *volume;       /* V_b, m^3 */
    int *wall;           /* index of its object: the walls of the scene, its bodies, its solids */
    int *owner;          /* of each body entry: its point */
    real4 *pos, *vel;    /* as uploaded; of driven walls at any time only what mn_world_walls left */
    real4 *facing;       /* of each body entry: its outward normal now, as long as `normal`; w: drag coefficient times `face` */
    int resting, bodies; /* entries of each kind */
    int deaf;            /* of the bodies, which begin with them: those of walls, where they carry no substances */
    int images, image_room;
    int *image_of;         /* of each image: the body entry that it shows */
    int version;           /* changes with the resting ones */
    bool rest_sent;        /* the device knows where the points of driven walls are at rest */
    double fastest;        /* of the bodies in this step, m/s */
    float low[3], high[3]; /* around those that are not driven walls */
} mn_wall_points;

/* The imported grid of the air, whose velocities lie on the device. */
typedef struct mn_air_field {
    int nodes[3];                 /* 0: none */
    double origin[3], spacing[3]; /* m */
    double slowest, fastest;      /* m/s */
} mn_air_field;

typedef struct mn_emitter_state {
    int fluid;
    const mn_emitter *emitter;
    double *offset; /* 3 a point: the pattern of one layer */
    int count;
    double travelled; /* m, since the last layer */
    long emitted;
} mn_emitter_state;

/* What came and went of a species since the beginning, mol. */
typedef struct mn_account {
    double emitted, drained;
    double reacted; /* used up, less what was produced */
    double evaporated;
} mn_account;

struct mn_world {
    const mn_scene *scene;
    char *identity; /* of the scene, as checkpoints hold it: scene/identity.c */
    const mn_backend_api *api;
    mn_backend *device;
    params par;
    bool failed;

    mn_buffer *field[MN_FIELD_COUNT];
    bool stale[MN_FIELD_COUNT]; /* ghosts not refreshed since it was written */
    mn_buffer *id;
    mn_layout layout;
    int capacity, ghost_room;
    mn_buffer *ghost_source, *ghost_shift;
    mn_buffer *image_source; /* of the images of wall points; NULL: nobody copies to them */
    mn_wall_points walls;
    mn_air_field air;
    double (*resampled)[4];   /* sums of air/resample.c; NULL: none yet */
    struct mn_rigid *rigid;   /* NULL: no bodies */
    struct mn_solids *solids; /* NULL: no deformable solids */
    mn_wall_maps maps;
    mn_emitter_state *emitters;
    int emitter_count;
    struct mn_solid **sinks;
    bool *sink_open;  /* at the last step */
    int sinks_listed; /* in the table of kernels/inflow.h */
    bool periodic;

    struct mn_active *active; /* models in table order */
    int active_count;

    double time, dt, last_dt, next_dt, stop_time; /* dt: of the step under way, or the last one */
    int64_t steps;
    int next_id;
    int64_t drained, lost; /* particles deleted so far: in sinks, outside the domain */
    mn_account species[MN_MAX_SPECIES];
    double coat_most[MN_MAX_SUBSTANCES], coat_thickest[MN_MAX_SUBSTANCES]; /* at the start: mol of a wall point, mol/m^2 */
    mn_bounds bounds;                                                      /* of the fluid after the last step */
    int crowd;                                                             /* a particle among thousands in one place, -1: none */

    bool rates;      /* pair_g and rate are what density_rates wrote */
    bool last_round; /* of velocity models and pressure in this step */
    int pressure_iterations, divergence_iterations, velocity_iterations;
    double density_error;
    bool listed;             /* the lists are those of the particles there are: none was added since the search; */
    float packing;           /* else mn_pressure_unit as it was before */
    float pressure_scale;    /* p = kappa n^2 times this, */
    bool pressure_is_plain;  /* or without n^2 (pcisph) */
    bool keeps_acceleration; /* until the end of the step */
    int first_unseen; /* id from which on no step has seen a particle yet: emitted at the end of the last one, or all of them at the start */
    mn_fold later;  /* of mn_run_sum_later */
    mn_stage stage; /* where the step is; outside of it: MN_STAGES */
    double seconds[MN_STAGES + 1];
};

/* Fills a TABLE field. */
bool mn_world_table(mn_world *w, int field, const void *data, size_t bytes);

/* Runs a kernel over the wall points that feel, if there are any. */
void mn_run_bodies(mn_world *w, int kernel, real4 arg);
/* The same over entries [first, end) of them, for kernels without neighbours. */
void mn_run_some(mn_world *w, int kernel, int first, int end, real4 arg);
/* Runs a kernel over the fluid: refreshes the ghosts it reads, marks what it wrote. */
void mn_run(mn_world *w, int kernel, real4 arg);
/* The same, folding what it writes to `term`. */
void mn_run_sum(mn_world *w, int kernel, real4 arg, double out[4]);
void mn_run_max(mn_world *w, int kernel, real4 arg, double out[4]);
/* A sum whose value is there when that of the next sum or maximum is; one at a time. */
const double *mn_run_sum_later(mn_world *w, int kernel, real4 arg);
#define MN_ARG(a) ((real4){(float)(a), 0.0f, 0.0f, 0.0f})
#define MN_NO_ARG ((real4){0.0f, 0.0f, 0.0f, 0.0f})

/* Room for at least this many; fluid and wall data are kept. */
bool mn_world_reserve(mn_world *w, int capacity, int ghost_room);

/* step.c: every parameter as it stands at this moment of the scene; the length of the step. mn_step does both by itself. */
void mn_world_parameters(mn_world *w);
void mn_world_set_dt(mn_world *w, double dt);

/* A buffer of 16 bytes a particle that holds nothing between steps, for the search; spare_back makes it a field again. */
mn_buffer *mn_world_spare(mn_world *w);
bool mn_world_spare_back(mn_world *w);

/* core/search.c: sorts, makes ghosts and lists. */
void mn_search(mn_world *w, mn_messages *say);
/* boundary/points.c */
mn_status mn_walls_make(mn_world *w, mn_messages *say);
double mn_spline(double r, double h); /* the kernel W of the scheme, 1/m^3 */
bool mn_walls_place(mn_world *w);     /* host points into entries: which rest, which are bodies */
bool mn_walls_move(mn_world *w);      /* brings the bodies to their places at this time, on the device too */
bool mn_walls_upload(mn_world *w);    /* all points, after memory has moved */
void mn_walls_images(mn_world *w,
                     int field); /* what body points hold in a field of 16 bytes, to their images across periodic faces */
void mn_walls_free(mn_wall_points *p);
/* The mean force of the fluid on each body entry during the last step, N; owner[] says which point it is. */
bool mn_walls_forces(mn_world *w, double (*force)[3]);
/* rigid/couple.c: bodies and solids follow the forces of the fluid on their points, from the start of the step to its end. */
mn_status mn_bodies_step(mn_world *w, mn_messages *say);
/* air/air.c: loads the imported grid; puts the air at the world's time into its parameters. */
mn_status mn_air_make(mn_world *w, mn_messages *say);
void mn_air_parameters(mn_world *w);
double mn_longest_step(const mn_world *w); /* of the step that begins, while it has no length yet: step.c */
/* air/drag_on_bodies.c: areas of the bodies' points; drag of the air on them. */
bool mn_air_faces(mn_world *w);
void mn_air_on_bodies(mn_world *w);
/* air/resample.c: the flow as a grid. Call step after each step, write when one is due. */
bool mn_resample_step(mn_world *w);
mn_status mn_resample_write(mn_world *w, const char *path, mn_messages *say);
mn_status mn_resample_save(const mn_world *w, mn_snapshot *snap);
mn_status mn_resample_load(mn_world *w, const mn_snapshot *snap);
/* A field's buffer, made if there is none yet. */
mn_buffer *mn_world_field(mn_world *w, int field);

/* species/species.c */
mn_status mn_species_make(mn_world *w, mn_messages *say); /* after the fluid */
bool mn_species_leave(mn_world *w);                       /* before the sort: books what the particles hold that it will drop */
void mn_species_step(mn_world *w);                        /* places and lists of the start of the step, and its dt */
/* species/film.c */
bool mn_film_acts(const mn_scene *scene);            /* some species changes the flow */
void mn_film_step(mn_world *w);                      /* after the areas: what the film does to each particle */
double mn_film_most(const mn_world *w);              /* the largest factor that it can be */
void mn_species_stats(mn_world *w, mn_stats *stats); /* fills `more` */
/* mol/m^3 that an emitter's liquid carries at that time. */
double mn_species_emitted(const mn_world *w, int species, int fluid, const mn_emitter *emitter, double time);
/* species/substances.c */
mn_status mn_substances_make(mn_world *w, mn_messages *say);
void mn_substances_step(mn_world *w);
bool mn_substances_save(mn_world *w, mn_snapshot *snap);
mn_status mn_substances_load(mn_world *w, const mn_snapshot *snap, mn_messages *say);
bool mn_substances_hash(mn_world *w, uint64_t *hash);
/* fields.c: what the unknowns of the pressure system, a k of 1 Pa, carry. */
float mn_pressure_unit(mn_world *w);
/* inflow/inflow.c */
mn_status mn_inflow_make(mn_world *w, mn_messages *say);
bool mn_inflow_drain(mn_world *w, int64_t *drained); /* between bounds and sort: what lies in open sinks will be dropped */
void mn_inflow_step(mn_world *w, double dt);         /* emits */
void mn_inflow_free(mn_world *w);

mn_status mn_world_save(mn_world *w, mn_snapshot *snap, mn_messages *say);
mn_status mn_world_load(mn_world *w, const mn_snapshot *snap, mn_messages *say);

#endif
