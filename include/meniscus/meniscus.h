/* meniscus.h -- the whole public interface of libmeniscus. docs/library.md shows how its parts go together.
 *
 * A scene (parsed from a YAML file) describes a liquid; a world is that liquid in motion; a session is a world that
 * runs into a folder; a replay is such a folder read back. All quantities are SI. Nothing here prints, exits or aborts:
 * every call that can fail returns a status, or NULL, and puts what it has to say, with file, line and key, into an
 * mn_messages list that the caller owns.
 *
 *     mn_messages *say = mn_messages_new();
 *     mn_scene *scene = mn_scene_load("dam.yaml", NULL, 0, say);
 *     mn_options opt = mn_default_options();
 *     mn_world *world = scene ? mn_world_new(scene, &opt, say) : NULL;
 *     while (world && mn_world_time(world) < 1.0 && mn_step(world, say) == MN_OK) {}
 *
 * Whose is what
 *  - What a call named ..._new, ..._load, ..._parse or ..._open returns is the caller's, to be given back with
 *    ..._free or ..._close; these take NULL too. Nothing else that is returned is to be freed.
 *  - A world and a session keep a copy of their scene and options: both may be freed or changed as soon as they exist.
 *    What options point to beyond texts (`stop`, `user`) is not copied and has to live as long as the session.
 *  - What is passed in (texts, arrays, options) is read during the call and not kept.
 *  - Texts that come out (names, units, messages, what mn_world_backend says) live as long as what was asked; those
 *    without an object (mn_version, mn_field_name, mn_measure_at) as long as the program.
 *  - Structs that come out by value (mn_stats, mn_body_motion) are the caller's and never change. Set up options with
 *    their mn_default_..., never field by field: later versions have more of them.
 *  - Arrays that are filled have to hold what the call says: a field's width times mn_world_particles, 3 floats times
 *    mn_world_boundary_points; with a `capacity` no more is written than that, and what is returned is the whole count.
 *  - `say` may be NULL everywhere: messages are dropped. A scene that is NULL, because it could not be read, is
 *    MN_BAD_INPUT. Other pointers may be NULL only where it is said.
 *
 * Threads
 *  - Any number of scenes, worlds, sessions, replays and measures may be used at once, each by one thread at a time; it
 *    need not be the thread that made it. A scene is never changed: several threads may make worlds of it at once.
 *  - What belongs to something else goes with it: a map, callback and mn_measured_new with their world, its world with
 *    a session, mn_measured_load with its replay. Use them in the thread that uses their owner.
 *  - A list of messages belongs to one thread at a time: give each thread its own.
 *  - Calls without an object (mn_version, mn_field_*, mn_measure_*, mn_default_*) may come from anywhere.
 *  - All that you have called (callbacks, progress, between) is called in the thread that called the library.
 *  - A world uses mn_options.threads threads of its own within a call (OpenMP); with several worlds at once give each
 *    its share. A session writes its files in a thread of its own, which ends with mn_session_close. Checkpoints are
 *    written, rigid bodies moved and devices opened by one world at a time: others wait.
 *  - After fork() the child may use none of the parent's objects and make no worlds, for OpenMP does not survive it:
 *    call exec.
 *
 * What it does to your program
 *  - It sets no signal handler, locale, rounding mode, environment variable or folder, and its numbers do not depend on
 *    the locale. HDF5's printing of errors is off during a checkpoint and then as before.
 *  - ODE and HDF5 know one caller at a time. A program that uses them itself must not do so while another thread is in
 *    a step or checkpoint of ours. The first world with bodies sets ODE's message handlers.
 */
#ifndef MENISCUS_H
#define MENISCUS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define MN_API __attribute__((visibility("default")))
#else
#define MN_API
#endif

#define MN_VERSION "0.1.0"           /* of this header */
MN_API const char *mn_version(void); /* of the library that runs */

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

/* Its texts live until the list is cleared or freed. */
typedef struct mn_message {
    mn_severity severity;
    const char *file; /* NULL if none */
    int line, column; /* 1-based, 0 if unknown */
    const char *text; /* one line, no newline */
} mn_message;

typedef struct mn_messages mn_messages;
MN_API mn_messages *mn_messages_new(void); /* NULL: out of memory; the other calls take that as no list */
MN_API void mn_messages_free(mn_messages *list);
MN_API void mn_messages_clear(mn_messages *list);
MN_API int mn_messages_count(const mn_messages *list);
MN_API int mn_messages_errors(const mn_messages *list); /* how many have severity MN_ERROR */
/* Their status, where a call returned NULL: MN_OK without errors, MN_FAILED if memory or a device failed,
 * else MN_BAD_INPUT. */
MN_API mn_status mn_messages_status(const mn_messages *list);
/* Of an index beyond them a note with the text "". */
MN_API mn_message mn_messages_get(const mn_messages *list, int index);
/* Preparations that can take long (volume maps) report their progress, from 0 to 1, in the thread that called the
 * library. NULL: dropped. */
typedef void mn_progress(void *user, const char *what, double part);
MN_API void mn_messages_watch(mn_messages *list, mn_progress *tell, void *user);

/* ------------------------------------------------------------------- scene */

typedef struct mn_scene mn_scene;

/* One `--set KEY=VALUE`: a dotted path into the scene, for example "time.step=0.001" or "fluids.0.density=900".
 * NULL, with messages, where the scene is not good; mn_messages_status gives the kind of failure. Files that a
 * scene names are looked for beside it; those of a text in the current folder, or beside `name` if that is a path. */
MN_API mn_scene *mn_scene_load(const char *path, const char *const *sets, int set_count, mn_messages *say);
MN_API mn_scene *mn_scene_parse(const char *text, size_t length, const char *name, const char *const *sets,
                                int set_count, mn_messages *say);
MN_API void mn_scene_free(mn_scene *scene);
/* The scene as run, every default filled in, as YAML. Fills `out`, with a 0 at the end, as far as `capacity` reaches;
 * returns how many bytes the text has without the 0, 0: out of memory. */
MN_API size_t mn_scene_text(const mn_scene *scene, char *out, size_t capacity);

/* ------------------------------------------------------------------- world */

typedef struct mn_options {
    const char *backend; /* "cpu" (default), "cpu-scalar", "opencl", "opencl:DEVICE" */
    int threads;         /* 0: all cores */
} mn_options;
MN_API mn_options mn_default_options(void);

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
    double max_speed; /* m/s */
    int64_t drained;  /* particles deleted since the beginning, in sinks or by mn_world_remove */
    int64_t lost;     /* the same, outside the domain */
    int more_count;   /* numbers that depend on the scene, named by mn_world_more */
    double more[MN_STATS_MORE];
} mn_stats;

/* Wall time of one stage since the world was made. */
typedef struct mn_stage_time {
    const char *name; /* lives as long as the program */
    double seconds;
} mn_stage_time;

typedef struct mn_world mn_world;
/* `options` may be NULL: the defaults. NULL, with messages, where there can be no such world. */
MN_API mn_world *mn_world_new(const mn_scene *scene, const mn_options *options, mn_messages *say);
MN_API void mn_world_free(mn_world *world);

/* Warns of what is doubtful before the first step: overlapping particles, particles inside walls, a time step far too
 * long. */
MN_API void mn_world_inspect(mn_world *world, mn_messages *say);

/* One time step. MN_OK: done. MN_BAD_INPUT: nothing was changed (see mn_world_limit_step, mn_world_on). MN_DIVERGED,
 * MN_FAILED: the state is lost; make a new world, and mn_checkpoint_read for an earlier one. What a callback returned,
 * where that is not MN_OK. Ends all maps. */
MN_API mn_status mn_step(mn_world *world, mn_messages *say);
MN_API double mn_world_time(const mn_world *world);
MN_API int64_t mn_world_steps(const mn_world *world);
MN_API int64_t mn_world_particles(const mn_world *world); /* fluid */
/* boundary points of walls, bodies and soft solids; of volume maps, points on the surface */
MN_API int64_t mn_world_boundary_points(const mn_world *world);
/* particles so far: in sinks, outside the domain; neither may be NULL */
MN_API void mn_world_deleted(const mn_world *world, int64_t *drained, int64_t *lost);
/* particle memory in use, host or device */
MN_API size_t mn_world_bytes(const mn_world *world);
MN_API const char *mn_world_backend(const mn_world *world); /* what it runs on, in words */
MN_API mn_stats mn_world_stats(mn_world *world);
/* Names of the numbers in `more`: for each species NAME its amounts in mol, NAME_bulk, NAME_surface, NAME_emitted,
 * NAME_drained, NAME_reacted (used up less produced) and NAME_evaporated; for each substance NAME_walls. Returns how
 * many. */
MN_API int mn_world_more(const mn_world *world, char (*out)[MN_STATS_NAME], int capacity);
MN_API int mn_world_stages(const mn_world *world, mn_stage_time *out, int capacity); /* returns the number of stages */
/* The same time by part: the parts of the world and its models, and `step` for the rest. Returns how many. */
MN_API int mn_world_part_times(const mn_world *world, mn_stage_time *out, int capacity);

/* Never lets a step end after this time; the adaptive and the fixed step are shortened to meet it. At that time
 * mn_step is MN_BAD_INPUT and changes nothing; a later limit, or INFINITY for none, lets it go on. */
MN_API void mn_world_limit_step(mn_world *world, double stop_time);

/* Hash of all particle fields in id order: equal states give equal hashes whatever the thread count. 0: out of
 * memory, or the device failed. */
MN_API uint64_t mn_world_hash(mn_world *world);

/* The scene as it runs, with what mn_world_change has changed; it lives and changes with the world. */
MN_API const mn_scene *mn_world_scene(const mn_world *world);

/* ------------------------------------------------------- fields of particles */

/* "position", "velocity", "density", "pressure", "acceleration" (where output.fields of the scene names it), "id",
 * "fluid" and the fields that models add; a scene with species has NAME and NAME_surface too. */
MN_API int mn_field_count(void);
MN_API const char *mn_field_name(int index); /* NULL beyond the last */
MN_API const char *mn_field_unit(int index);
MN_API const char *mn_field_help(int index);
MN_API int mn_field_width(const char *name); /* 1 or 3; 0 if there is no such field */
/* The same in a world: 0 where it does not keep that field now; its species count too. */
MN_API int mn_world_field_width(const mn_world *world, const char *name);

/* Copies a field in id order: `out` holds a field's width in floats for each particle. */
MN_API mn_status mn_world_get(mn_world *world, const char *field, float *out, mn_messages *say);
/* "id" as it is: a float is exact to 16.7 million */
MN_API mn_status mn_world_ids(mn_world *world, int32_t *out, mn_messages *say);
/* position or velocity, in id order */
MN_API mn_status mn_world_set(mn_world *world, const char *field, const float *in, mn_messages *say);

/* Maps. A field as it lies in memory, in cell order: neighbours in space are neighbours in memory, the order changes
 * with every step, and `id` has their ids. Particle k has its numbers at data + k * stride, width of them; with
 * a stride of 4 and a width of 3 the fourth float is the library's own: leave it. On the CPU position and velocity are
 * not copied; on a device, and of fields that are made of others (density in kg/m^3, speed), data is a copy. */
typedef enum mn_access {
    MN_READ, /* to look at */
    MN_WRITE /* to look at and to change: position (outside of a step), velocity, acceleration (at "forces") */
} mn_access;

typedef struct mn_mapped {
    float *data;
    int64_t count;     /* particles */
    int width, stride; /* floats */
    bool copied;       /* data is not the world's own memory */
    const int32_t *id;
} mn_mapped;

/* A map ends with mn_field_unmap, with the callback in which it was made, or with the next step, mn_world_add,
 * mn_checkpoint_read or mn_world_free; then `data` and `id` must not be used any more. At most 16 at once. What was
 * written counts when the map ends; mn_field_unmap is MN_BAD_INPUT where a number is not finite (the next step is then
 * MN_DIVERGED, unless it is mended). */
MN_API mn_status mn_field_map(mn_world *world, const char *field, mn_access how, mn_mapped *out, mn_messages *say);
MN_API mn_status mn_field_unmap(mn_world *world, mn_mapped *map, mn_messages *say);

/* ---------------------------------------------- taking part in a simulation */

/* Called at a moment of each step, in the thread that steps:
 *   "begin"    before the step: the world is at rest, everything may be asked and changed
 *   "density"  neighbours and densities are known
 *   "forces"   all forces but pressure are in "acceleration": own ones are added to it (map it with MN_WRITE)
 *   "contact"  velocities are those with which the particles will move, pressure and walls included
 *   "end"      after the step: as "begin"
 * Within a step ("density", "forces", "contact") fields, stats and questions may be asked, and velocity, at "forces"
 * also acceleration, be written; what would move, add or remove particles or change the scene is refused there. In no
 * callback may the world step or be freed.
 * A callback returns MN_OK to go on. What else it returns, mn_step returns: at "begin" without a step, else when the
 * step is done and whole; no further callback is called in that step. `say` is that of mn_step. Callbacks of a moment
 * are called in the order in which they came. At most 16 for a world; they are not part of checkpoints. */
typedef mn_status mn_callback(mn_world *world, void *user, mn_messages *say);
MN_API mn_status mn_world_on(mn_world *world, const char *moment, mn_callback *call, void *user, mn_messages *say);
/* Takes back a callback with this user; how many there were. */
MN_API int mn_world_off(mn_world *world, mn_callback *call, void *user);

/* Adds n particles of a fluid (its index in the scene), as an emitter does: x and v hold 3 floats each, v may be NULL
 * (at rest). They have the ids *first_id, *first_id + 1, ...; first_id may be NULL. What the liquid carries (species)
 * begins at 0. They should be about a spacing from each other and from all others: what is closer is pushed apart. */
MN_API mn_status mn_world_add(mn_world *world, int fluid, int64_t n, const float *x, const float *v, int32_t *first_id,
                              mn_messages *say);
/* Removes particles by their ids, each at most once: they are there until the next step begins, and are counted as
 * drained. MN_BAD_INPUT, and none is removed, where there is no such particle. */
MN_API mn_status mn_world_remove(mn_world *world, const int32_t *ids, int64_t n, mn_messages *say);

/* Changes KEY=VALUE ("fluids.water.viscosity.strength=0.2", "gravity=[0, -5, 0]") from the next step on: every number,
 * mark and choice that a step asks for (docs/scene-reference.md marks them). The others cannot change: what the world
 * was made of (spacing, shapes, domain, kinds and numbers of fluids, walls, bodies and models), how a run begins, what
 * its files and pictures are like. MN_BAD_INPUT, with a message that says which of these it is, and nothing changed;
 * also where the value is out of range or does not go with the others. Checkpoints keep what was changed when; a
 * session writes it into run.yaml, whose run has the same bits. */
MN_API mn_status mn_world_change(mn_world *world, const char *set, mn_messages *say);

/* ------------------------------------------------------- walls, bodies, solids */

/* Boundary points, mn_world_boundary_points of them: positions (3 floats each) and what each belongs to, counted from 0
 * through walls, then bodies, then soft solids of the scene. Of walls that are volume maps, points on the surface. */
MN_API mn_status mn_world_boundary(mn_world *world, float *positions, int *owner, mn_messages *say);

/* What each boundary point bears of a substance, mol/m^2, one float each, in the same order. */
MN_API mn_status mn_world_coverage(mn_world *world, const char *substance, float *out, mn_messages *say);

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
MN_API int mn_world_bodies(const mn_world *world);
MN_API mn_body_motion mn_world_body(const mn_world *world, int index);
MN_API const char *mn_world_body_name(const mn_world *world, int index); /* NULL beyond the last */

/* Soft solids, in the order of the scene; of an index beyond them everything is 0. Fields of their particles:
 * position, velocity, displacement (3 floats for each of mn_world_solid_particles) and stress (1, von Mises', Pa). */
typedef struct mn_solid_stats {
    int64_t particles;
    double elastic_energy, kinetic_energy; /* J */
    double momentum[3];                    /* kg m/s */
    double force[3];                       /* N, what fluid and air do to it */
    double centre[3];                      /* m */
    double stretch;                        /* largest, 1 at rest */
    int substeps;                          /* of the last step */
} mn_solid_stats;
MN_API int mn_world_solids(const mn_world *world);
MN_API int64_t mn_world_solid_particles(const mn_world *world, int index);
MN_API mn_solid_stats mn_world_solid(const mn_world *world, int index);
MN_API mn_status mn_world_solid_get(const mn_world *world, int index, const char *field, float *out, mn_messages *say);

/* ------------------------------------------------------------- checkpoints */

/* Writes beside `path` and renames: what was there before stays whole where this fails. */
MN_API mn_status mn_checkpoint_write(mn_world *world, const char *path, mn_messages *say);
/* Puts the world into the state of a checkpoint of the same scene. Ends all maps. Of another scene: MN_BAD_INPUT, and
 * the message names the key that differs. A damaged one may be found out half-way: then free the world. */
MN_API mn_status mn_checkpoint_read(mn_world *world, const char *path, mn_messages *say);

/* ---------------------------------------------------------------- sessions */

/* A run of a scene into a folder: steps, frames, tables, pictures, checkpoints, resume; what `meniscus run` does.
 * Frames lie at multiples of output.every, whatever the steps; an interrupted run continues to the same bits. */
enum { MN_SESSION_STAGES = 32 };

typedef struct mn_session_progress {
    mn_stats stats;        /* of the last step */
    double begin, end;     /* s, of this session and of the run */
    int64_t first_step;    /* of this session */
    int64_t last_step;     /* asked for; negative: no limit */
    double wall;           /* s since the session began */
    double particle_steps; /* fluid particles times steps since the session began */
} mn_session_progress;

typedef struct mn_session_options {
    const char *dir;            /* NULL: no files at all */
    double until;               /* s; negative: the scene's end */
    int64_t steps;              /* the run's last step, counted from its very beginning; negative: no limit */
    mn_options world;           /* backend, threads */
    const char *const *formats; /* of the frames, instead of the scene's: vtp, bgeo, ply */
    int format_count;           /* 0: the scene's */
    bool preview;               /* pictures */
    bool resume;                /* continue from the folder's checkpoint, if it has one; the scene must be the same */
    bool overwrite;             /* replace the run that the folder holds */
    bool inspect;               /* warn of what is doubtful about a new run: mn_world_inspect */
    const volatile sig_atomic_t *stop; /* read after each step of mn_session_run; NULL: never */
    void (*progress)(void *user, const mn_session_progress *now); /* `now` is good until it returns; NULL: never */
    void *user;
    double progress_interval; /* wall s between calls of `progress` */
    /* Called by mn_session_run before the first step, after each and once the end is reached, in the thread of the run:
     * it may wait, ask the world, and change it (mn_world_change), which run.yaml then records. NULL: never */
    void (*between)(void *user, mn_world *world);
    void *between_user;
} mn_session_options;
MN_API mn_session_options mn_default_session_options(void);

typedef struct mn_session_summary {
    char backend[128];
    int64_t first_step, steps; /* the step it began at, and the run's steps at the end */
    double time;               /* s, reached */
    int64_t particles, boundary_points;
    int64_t drained, lost;  /* deleted since the run's beginning: in sinks, outside the domain */
    double wall, step_wall; /* s in all, and inside mn_step */
    double particle_steps;
    double density_error_avg, density_error_max; /* means over the rows of stats.csv; largest */
    double pressure_iterations;                  /* mean over the rows */
    size_t bytes;
    int frames, checkpoints; /* written by this session */
    struct {
        char name[40];
        double seconds;
    } stages[MN_SESSION_STAGES];
    int stage_count;
    uint64_t hash; /* of the last state; 0 if the run diverged */
} mn_session_summary;

/* The whole run. MN_OK: reached its end. MN_INTERRUPTED: `stop` was set; a checkpoint was written. MN_DIVERGED,
 * MN_FAILED: the last good frames and checkpoint are kept. MN_BAD_INPUT: nothing was changed. `out` (may be NULL) is
 * filled as far as the run came. */
MN_API mn_status mn_session_run(const mn_scene *scene, const mn_session_options *options, mn_messages *say,
                                mn_session_summary *out);

/* The same step by step. Opening makes the world, locks the folder (no other run can write into it meanwhile),
 * puts the world into the state of its checkpoint if `resume` asks for it, else writes frame 0. NULL, with messages,
 * on failure. */
typedef struct mn_session mn_session;
MN_API mn_session *mn_session_open(const mn_scene *scene, const mn_session_options *options, mn_messages *say);
/* Its world, until mn_session_close, which frees it. It may be asked, written, called back from and changed like any
 * other; do not call mn_step, mn_world_limit_step, mn_checkpoint_read or mn_world_free on it. */
MN_API mn_world *mn_session_world(mn_session *session);
/* Whether the run has reached its end (time or steps). */
MN_API bool mn_session_done(const mn_session *session);
/* One step, and all that is due after it: rows, frame, checkpoint. At the end of the run MN_BAD_INPUT. After a failure
 * it says so again and does nothing: close the session. */
MN_API mn_status mn_session_step(mn_session *session, mn_messages *say);
/* Steps until one has written the next frame, or to the end of the run. MN_INTERRUPTED: `stop` was set. */
MN_API mn_status mn_session_frame(mn_session *session, mn_messages *say);
/* Frames that it has written so far, the first one included; 0 without a folder. */
MN_API int mn_session_frames(const mn_session *session);
/* A checkpoint now. Without a folder nothing. */
MN_API mn_status mn_session_checkpoint(mn_session *session, mn_messages *say);
/* Writes a checkpoint of a whole state, waits for all files, and frees the session and its world. Of a run that has
 * diverged it keeps the state before that step. `out` may be NULL. What went wrong in closing; a failure of the last
 * step is not told again. */
MN_API mn_status mn_session_close(mn_session *session, mn_messages *say, mn_session_summary *out);

/* ---------------------------------------------------------------- measures */

/* The frames of a run, read back from its folder. NULL, with a message, where the folder holds no run or no frames. */
typedef struct mn_replay mn_replay;
MN_API mn_replay *mn_replay_open(const char *dir, mn_messages *say);
MN_API void mn_replay_free(mn_replay *replay);
MN_API int mn_replay_count(const mn_replay *replay);               /* of the frames that are there */
MN_API int mn_replay_number(const mn_replay *replay, int index);   /* of one of them, ascending; -1 beyond them */
MN_API double mn_replay_time(const mn_replay *replay, int number); /* s, by its number */
MN_API bool mn_replay_update(mn_replay *replay);                   /* finds those that came since; false: no memory */

/* Particles made ready to be measured: of a world as it is now, or of a frame. It holds copies of them, but asks the
 * scene: use it before the next step or frame, and free it before its world or replay. NULL, with a message, where
 * there is no such fluid, wall or frame. `options` may be NULL: all fluids, the first wall that is a floor, drops of
 * 8 particles or more. */
typedef struct mn_measure_options {
    const char *fluid; /* name of one; NULL: all */
    const char *wall;  /* name of the wall that is the floor; NULL: the first that has a plane or a box */
    int least;         /* particles of a drop; fewer are crumbs */
} mn_measure_options;
MN_API mn_measure_options mn_default_measure_options(void);

typedef struct mn_measured mn_measured;
MN_API mn_measured *mn_measured_new(mn_world *world, const mn_measure_options *options, mn_messages *say);
MN_API mn_measured *mn_measured_load(mn_replay *replay, int number, const mn_measure_options *options,
                                     mn_messages *say);
MN_API void mn_measured_free(mn_measured *m);
MN_API double mn_measured_time(const mn_measured *m);       /* s */
MN_API int64_t mn_measured_particles(const mn_measured *m); /* that are asked for */

/* What can be asked by name ("contact", "shape", "front", ...), and the numbers that each gives. */
enum { MN_MEASURE_COLUMNS = 8 };
typedef struct mn_measure_column {
    const char *name, *unit; /* unit "": a pure number */
} mn_measure_column;
typedef struct mn_measure_info {
    const char *name, *help;
    mn_measure_column columns[MN_MEASURE_COLUMNS];
    int count; /* of the columns */
} mn_measure_info;
MN_API int mn_measure_count(void);
MN_API const mn_measure_info *mn_measure_at(int index); /* NULL beyond the last */
/* Fills the first `count` of `out`; what cannot be measured (the angle of a drop that does not touch) is NAN. */
MN_API mn_status mn_measured_take(mn_measured *m, const char *name, double out[MN_MEASURE_COLUMNS], mn_messages *say);

/* Pieces of liquid (particles closer than 1.5 spacings hang together), the largest first. They live as long as `m`.
 * `crumbs` (may be NULL): particles in pieces of fewer than `least`. */
typedef struct mn_drop {
    int64_t particles;
    double volume, diameter; /* m^3; m, of a ball of that volume */
    double centre[3];
    double axes[3]; /* m, semi-axes of the ellipsoid with its moments, rising */
} mn_drop;
MN_API mn_status mn_measured_drops(mn_measured *m, const mn_drop **drops, int *count, int64_t *crumbs,
                                   mn_messages *say);

/* Heights over columns along `up` (0: x, 1: y, 2: z; the axis most along gravity): half a spacing above the highest
 * particle that is not spray, NAN where there is none. The two other axes, in their order, have `count` columns of the
 * width `cell` from `origin` on; height[i + count[0] * j], which lives as long as `m`. Without liquid there are 0. */
typedef struct mn_height_grid {
    int up, count[2];
    double origin[2], cell[2];
} mn_height_grid;
MN_API mn_status mn_measured_heights(mn_measured *m, mn_height_grid *grid, const double **height, mn_messages *say);

/* How high liquid stands along a line: half a spacing above the furthest particle within `radius` of it, from `point`
 * along `up`. NAN: there is none. */
MN_API double mn_measured_gauge(const mn_measured *m, const double point[3], const double up[3], double radius);

/* What flows through a plane, from the particles within a spacing of it. `size`: edges of a rectangle about `point`
 * along two directions across the normal (x and z while that is y); 0: no end. MN_BAD_INPUT where a frame does not hold
 * the velocity. */
typedef struct mn_flux {
    double flow;  /* m^3/s along the normal */
    double area;  /* m^2, of the liquid in it */
    double speed; /* m/s, flow over area; 0 without liquid */
} mn_flux;
MN_API mn_status mn_measured_flux(const mn_measured *m, const double point[3], const double normal[3],
                                  const double size[2], mn_flux *out, mn_messages *say);

#ifdef __cplusplus
}
#endif
#endif
