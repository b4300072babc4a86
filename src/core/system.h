/* system.h -- a part of the world: air, species, rigid bodies, every model of the scene.
 *
 * A part owns its state, its share of parameters, checkpoints, hash and statistics, and the fields that users see of
 * it. The step knows only the moments below: at each of them the parts of the world are called, in the order of
 * core/systems.def. To add a part, see docs/adding-a-part.md.
 */
#ifndef MN_CORE_SYSTEM_H
#define MN_CORE_SYSTEM_H

#include "core/watch.h"
#include "io/snapshot.h"
#include "kernels/port.h"
#include "scene/scene.h"

/* The moments of a step, in its order. */
#define MN_MOMENTS(M)                                                                                                  \
    M(parameters) /* values of this time into the parameters of the kernels */                                         \
    M(append)     /* particles are about to be added: lists and densities still hold */                                \
    M(reserved)   /* memory of the particles has moved: what a part keeps there is to be sent again */                 \
    M(place)      /* what moves goes to its place, before the search */                                                \
    M(leave)      /* before the sort: marks and counts particles that go */                                            \
    M(touch)      /* the particles are sorted; neighbours are not listed yet */                                        \
    M(density)    /* densities are known */                                                                            \
    M(surface)    /* areas, and what lives on the surface; dt is that of the last step */                              \
    M(prepare)    /* velocities of the last step are made ready */                                                     \
    M(forces)     /* adds to the acceleration */                                                                       \
    M(transport)  /* dt is chosen: what the liquid carries spreads */                                                  \
    M(velocity)   /* implicit change of velocity */                                                                    \
    M(pressure)   /* last change of velocity, which keeps the density */                                               \
    M(contact)    /* velocities at walls and emitters, before the particles move */

typedef enum mn_moment {
#define MN_MOMENT_ENTRY(name) MN_AT_##name,
    MN_MOMENTS(MN_MOMENT_ENTRY)
#undef MN_MOMENT_ENTRY
        MN_MOMENT_COUNT
} mn_moment;

typedef void mn_act(mn_world *w, void *me);
typedef mn_status mn_try(mn_world *w, void *me, mn_messages *say);

/* A field as users see it: how each particle's value is made from what the device holds. */
enum { MN_VIEW_NEEDS = 3 };
typedef struct mn_field_source {
    const mn_world *world;
    const void *data[MN_VIEW_NEEDS]; /* the fields that it needs, in the order of the device */
    float unit;                      /* what `scale` of the view returned */
} mn_field_source;
typedef struct mn_field_view {
    const char *name, *unit, *help;
    int width;                   /* floats a particle */
    int needs[MN_VIEW_NEEDS];    /* fields; -1: none */
    float (*scale)(mn_world *w); /* asked once; NULL: 1 */
    void (*value)(const mn_field_source *s, int at, int id, float *out);
} mn_field_view;
/* `value` of a field of one float a particle, as it is (views.c). */
void mn_view_number(const mn_field_source *s, int at, int id, float *out);

/* What a part may ask of a step. */
enum {
    MN_WANTS_RATES = 1,    /* how densities change, by the velocities at the start of the step (kernel density_rates) */
    MN_WANTS_SEQUENCE = 2, /* rounds one after the other, with the divergence solver in them (rounds.c) */
    MN_WANTS_RETRY = 4     /* to take the step back and repeat it (mn_world.retry) */
};

/* What a part will hold, from the scene alone, before anything is made (core/room.c). */
typedef struct mn_foreseen {
    const char *what; /* "nodes of volume maps" */
    double count;     /* about; 0: nothing */
    /* bytes of one, at least: where the fields are (the device, or this machine), and on the host besides */
    double fields, host;
} mn_foreseen;

/* What a part of the world is. Every pointer may be NULL. */
typedef struct mn_system {
    const char *key;                   /* its name in timings and messages */
    size_t bytes;                      /* of its state, zeroed before make; 0: none */
    mn_step_stage stage;               /* where its forces are billed; 0: as those of models */
    bool (*wanted)(const mn_scene *s); /* NULL: always */
    mn_foreseen (*foresee)(const mn_scene *s);
    double (*carried)(const mn_scene *s); /* bytes that it adds to each fluid particle, at least */
    /* particles that it may add in the run, about; *at: where the scene says so */
    double (*coming)(const mn_scene *s, mn_place *at);
    mn_try *make;  /* before there is fluid */
    mn_try *start; /* the fluid is there, before the first step */
    /* whether it can go on as `next`, which the scene is to become by a change; the message says `at` */
    mn_status (*permits)(const mn_world *w, const void *me, const mn_scene *next, mn_place at, mn_messages *say);
    void (*free)(mn_world *w, void *me);
    mn_act *at[MN_MOMENT_COUNT];
    /* what it asks of the step, before the densities: MN_WANTS_... */
    unsigned (*wishes)(const mn_world *w, const void *me);
    mn_try *emit;                                         /* after the particles have moved: new ones */
    mn_try *collect;                                      /* what the fluid did to it in this step */
    mn_try *move;                                         /* from the start of the step to its end */
    double (*limit)(const mn_world *w, const void *me);   /* largest stable time step, s */
    double (*stop)(const mn_world *w, const void *me);    /* time that no step may cross, s */
    double (*fastest)(const mn_world *w, const void *me); /* of what moves, m/s */
    void (*extent)(const mn_world *w, const void *me, double low[3],
                   double high[3]);                   /* widened to hold what it fills */
    int (*rounds)(const mn_world *w, const void *me); /* how often velocity and pressure are repeated to agree */
    /* distance from what it fills now, m */
    double (*room)(const mn_world *w, const void *me, const double x[3], double limit);
    bool (*emitted)(mn_world *w, void *me, int fluid, const mn_emitter *e, const real4 *pos, int first, int count);
    /* its state other than fields that are kept: to and from checkpoints by mn_snapshot_add and mn_snapshot_need, */
    bool (*save)(mn_world *w, void *me, mn_snapshot *snap);
    mn_status (*restore)(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say);
    bool (*hash)(mn_world *w, void *me, uint64_t *hash); /* and into `state` by mn_hash. false: out of memory */
    int (*columns)(const mn_world *w, const void *me, char (*out)[MN_STATS_NAME], int capacity);
    int (*stats)(mn_world *w, void *me, double *out); /* one number a column */
    const mn_field_view *views;
    int view_count;
    /* a field whose name depends on the scene */
    bool (*scene_view)(const mn_world *w, const char *name, mn_field_view *out);
} mn_system;

/* FNV-1a, continued over these bytes (state.c). */
uint64_t mn_hash(uint64_t hash, const void *data, size_t bytes);

typedef struct mn_part {
    const mn_system *system;
    const char *key; /* of the system, or of the model */
    void *me;
    const mn_model_info *model; /* NULL: none */
} mn_part;

#endif
