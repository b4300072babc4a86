/* meniscus.h -- the whole public interface of libmeniscus.
 *
 * A scene (parsed from a YAML file) describes a liquid; a world is that liquid in motion. All quantities are SI.
 * Nothing here prints, exits or aborts: every call that can fail returns a status and puts what it has to say, with
 * file, line and key, into an mn_messages list that the caller owns.
 *
 *     mn_messages *say = mn_messages_new();
 *     mn_scene *scene = mn_scene_load("dam.yaml", NULL, 0, say);
 *     mn_options opt = mn_default_options();
 *     mn_world *world = scene ? mn_world_new(scene, &opt, say) : NULL;
 *     while (world && mn_world_time(world) < 1.0 && mn_step(world, say) == MN_OK) {}
 */
#ifndef MENISCUS_H
#define MENISCUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MN_VERSION "0.1.0"

/* Also the exit codes of the tool. */
typedef enum mn_status {
    MN_OK = 0,
    MN_FAILED = 1,    /* out of memory, I/O failure, device failure */
    MN_BAD_INPUT = 2, /* the caller's scene, file or argument is wrong */
    MN_DIVERGED = 3,  /* the simulation left the finite numbers or its bounds */
    MN_INTERRUPTED = 130
} mn_status;

/* ---------------------------------------------------------------- messages */

typedef enum mn_severity { MN_NOTE, MN_WARNING, MN_ERROR } mn_severity;

typedef struct mn_message {
    mn_severity severity;
    const char *file; /* NULL if none */
    int line, column; /* 1-based, 0 if unknown */
    const char *text; /* one line, no newline */
} mn_message;

typedef struct mn_messages mn_messages;
mn_messages *mn_messages_new(void);
void mn_messages_free(mn_messages *list);
void mn_messages_clear(mn_messages *list);
int mn_messages_count(const mn_messages *list);
int mn_messages_errors(const mn_messages *list); /* how many have severity MN_ERROR */
/* What they amount to, where a call returned NULL: MN_OK without errors, MN_FAILED if memory or a device failed,
 * else MN_BAD_INPUT. */
mn_status mn_messages_status(const mn_messages *list);
mn_message mn_messages_get(const mn_messages *list, int index);
/* Preparations that can take long (volume maps) tell how far they are, from 0 to 1, in the thread that called the
 * library. NULL: nobody listens. */
typedef void mn_progress(void *user, const char *what, double part);
void mn_messages_watch(mn_messages *list, mn_progress *tell, void *user);

/* ------------------------------------------------------------------- scene */

typedef struct mn_scene mn_scene;

/* One `--set KEY=VALUE`: a dotted path into the scene, for example "time.step=0.001" or "fluids.0.density=900". */
mn_scene *mn_scene_load(const char *path, const char *const *sets, int set_count, mn_messages *say);
mn_scene *mn_scene_parse(const char *text, size_t length, const char *name, const char *const *sets, int set_count,
                         mn_messages *say);
void mn_scene_free(mn_scene *scene);

/* ------------------------------------------------------------------- world */

typedef struct mn_options {
    const char *backend; /* "cpu" (default), "cpu-scalar", "opencl", "opencl:DEVICE" */
    int threads;         /* 0: all cores */
} mn_options;
mn_options mn_default_options(void);

enum { MN_STATS_MORE = 64, MN_STATS_NAME = 40 };

/* Numbers of the last completed step; what stats.csv holds. */
typedef struct mn_stats {
    int64_t step;
    double time, dt;          /* s */
    int64_t particles;        /* fluid particles */
    double density_error_avg; /* mean positive compression, fraction of the rest density */
    double density_error_max;
    double kinetic_energy, potential_energy; /* J */
    double momentum[3];                      /* kg m/s */
    int pressure_iterations, velocity_iterations;
    double max_speed;      /* m/s */
    int64_t drained, lost; /* particles deleted since the beginning: in sinks, outside the domain */
    int more_count;        /* numbers that depend on the scene, named by mn_world_more */
    double more[MN_STATS_MORE];
} mn_stats;

/* Wall time of one stage since the world was made. */
typedef struct mn_stage_time {
    const char *name;
    double seconds;
} mn_stage_time;

typedef struct mn_world mn_world;
mn_world *mn_world_new(const mn_scene *scene, const mn_options *options, mn_messages *say);
void mn_world_free(mn_world *world);

/* Warns of what is doubtful before the first step: overlapping particles, particles inside walls, a time step far
 * too long. */
void mn_world_inspect(mn_world *world, mn_messages *say);

mn_status mn_step(mn_world *world, mn_messages *say);
/* Changes KEY=VALUE ("fluids.water.viscosity.strength=0.2", "gravity=[0, -5, 0]") from the next step on: any value that
 * may be keyframed, and what the reference of `changes` names. The scene that the world was made from stays as it is.
 * MN_BAD_INPUT, with a message, and nothing changed, where the key cannot change while it runs or the value is out of
 * range. Checkpoints keep what was changed when. */
mn_status mn_world_change(mn_world *world, const char *set, mn_messages *say);
double mn_world_time(const mn_world *world);
int64_t mn_world_steps(const mn_world *world);
int64_t mn_world_particles(const mn_world *world); /* fluid */
/* walls; of volume maps, points on the surface */
int64_t mn_world_wall_particles(const mn_world *world);
/* particles so far: in sinks, outside the domain */
void mn_world_deleted(const mn_world *world, int64_t *drained, int64_t *lost);
/* particle memory in use, host or device */
size_t mn_world_bytes(const mn_world *world);
const char *mn_world_backend(const mn_world *world); /* what it runs on, in words */
mn_stats mn_world_stats(mn_world *world);
/* Names of the numbers in `more`: for each species NAME its amounts in mol, NAME_bulk, NAME_surface, NAME_emitted,
 * NAME_drained, NAME_reacted (used up less produced) and NAME_evaporated; for each substance NAME_walls. Returns how
 * many. */
int mn_world_more(const mn_world *world, char (*out)[MN_STATS_NAME], int capacity);
int mn_world_stages(const mn_world *world, mn_stage_time *out, int capacity); /* returns the number of stages */
/* The same time by who spent it: the parts of the world and its models, and `step` for what is nobody's. Returns how
 * many. */
int mn_world_part_times(const mn_world *world, mn_stage_time *out, int capacity);

/* Never lets a step end after this time; the adaptive and the fixed step are shortened to meet it. At that time
 * mn_step is MN_BAD_INPUT and changes nothing; a later limit, or INFINITY for none, lets it go on. */
void mn_world_limit_step(mn_world *world, double stop_time);

/* Hash of all particle fields in id order: equal states give equal hashes whatever the thread count. 0: out of
 * memory, or the device failed. */
uint64_t mn_world_hash(mn_world *world);

/* Copies a field in id order. `out` holds mn_field_width(name) floats a particle. "position", "velocity", "density",
 * "pressure", "acceleration" (where output.fields of the scene names it), "id", "fluid" and the fields that models
 * add; see mn_field_count. */
int mn_field_count(void);
const char *mn_field_name(int index);
const char *mn_field_unit(int index);
const char *mn_field_help(int index);
int mn_field_width(const char *name); /* 1 or 3; 0 if there is no such field */
mn_status mn_world_get(mn_world *world, const char *field, float *out, mn_messages *say);
/* "id" as it is: a float is exact to 16.7 million */
mn_status mn_world_ids(mn_world *world, int32_t *out, mn_messages *say);
/* position or velocity */
mn_status mn_world_set(mn_world *world, const char *field, const float *in, mn_messages *say);

/* Boundary points: positions (3 floats each) and wall index. Of walls that are volume maps, points on the surface. */
mn_status mn_world_walls(mn_world *world, float *positions, int *wall, mn_messages *say);

/* What each boundary point bears of a substance, mol/m^2, in the same order. */
mn_status mn_world_coverage(mn_world *world, const char *substance, float *out, mn_messages *say);

/* Rigid bodies, in the order of the scene. Of an index beyond them everything is 0. */
typedef struct mn_body_motion {
    double position[3];                      /* m, centre of mass */
    double quaternion[4];                    /* w x y z: the turn since the start */
    double velocity[3], angular_velocity[3]; /* m/s, rad/s */
    /* N, N m about the centre of mass: what the fluid did to it in the last step */
    double force[3], torque[3];
    /* kg, m^3; the mass of a body that nothing moves counts as if its density were 1 */
    double mass, volume;
} mn_body_motion;
int mn_world_bodies(const mn_world *world);
mn_body_motion mn_world_body(const mn_world *world, int index);

/* Deformable solids, in the order of the scene; of an index beyond them everything is 0. Fields of their particles:
 * position, velocity, displacement (3 floats each) and stress (von Mises', Pa). */
typedef struct mn_solid_stats {
    int64_t particles;
    double elastic_energy, kinetic_energy; /* J */
    double momentum[3];                    /* kg m/s */
    double force[3];                       /* N, what fluid and air do to it */
    double centre[3];                      /* m */
    double stretch;                        /* largest, 1 at rest */
    int substeps;                          /* of the last step */
} mn_solid_stats;
int mn_world_solids(const mn_world *world);
int64_t mn_world_solid_particles(const mn_world *world, int index);
mn_solid_stats mn_world_solid(const mn_world *world, int index);
mn_status mn_world_solid_get(const mn_world *world, int index, const char *field, float *out, mn_messages *say);

mn_status mn_checkpoint_write(mn_world *world, const char *path, mn_messages *say);
/* Puts the world into the state of a checkpoint of the same scene. */
mn_status mn_checkpoint_read(mn_world *world, const char *path, mn_messages *say);

#ifdef __cplusplus
}
#endif
#endif
