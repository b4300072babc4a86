/* show.h -- what is shown, and what of it the senders need: shots of the particles, texts, tables. */
#ifndef MN_VIEW_SHOW_H
#define MN_VIEW_SHOW_H

#include <pthread.h>

#include "scene/scene.h"
#include "session/replay.h"
#include "view/view.h"

enum { MN_SHOT_FIELDS = 8, MN_VIEW_NAME = 64, MN_VIEW_PICKS = 16 };

/* The particles at one moment. Shared, never changed once it is there. */
typedef struct mn_view_shot {
    int refs;     /* under the hub's lock */
    int number;   /* of the frame; -1: of the running world */
    int64_t step; /* -1: not known */
    double time;  /* s */
    long count;
    float *position;      /* 3 a particle */
    unsigned char *group; /* fluid, or the number of fluids and the soft solid */
    int32_t *id;          /* NULL: not known */
    struct {
        char name[MN_VIEW_NAME];
        float *value;
    } field[MN_SHOT_FIELDS];
    int field_count;
    float (*pose)[7]; /* of what moves: place, then quaternion w x y z */
    int pose_count;
} mn_view_shot;
void mn_view_shot_free(mn_view_shot *shot);

/* A request of a client that only the run's thread can serve. */
typedef struct mn_pick {
    int client; /* number of the client that gets the answer */
    int32_t id;
    long asked; /* for the particle at this place of a frame; -1: for that id */
} mn_pick;

typedef enum mn_show_kind { MN_SHOW_NONE, MN_SHOW_STORED, MN_SHOW_LIVE } mn_show_kind;

typedef struct mn_hub mn_hub;

/* A run in progress: its thread, what clients ask of it, and what it says of itself. */
typedef struct mn_live_run {
    pthread_t thread;
    bool threaded;
    mn_options world;
    volatile sig_atomic_t stop;
    bool paused, ended;
    int singles; /* steps to go in spite of the pause */
    char **todo; /* KEY=VALUE to be changed */
    int todo_count;
    mn_pick pick[MN_VIEW_PICKS];
    int pick_count;
    const char *status; /* preparing, running, paused, ended, failed, stopped */
    mn_messages *say;   /* of the session; its thread's own */
    int heard;          /* how many of them are in `said` */
    char *said;         /* JSON list of messages */
    char what[100];     /* is being prepared */
    double part;        /* of it */
    double time, end;   /* s */
    int64_t step, particles;
    double rate;      /* steps a wall second */
    double shot_wall; /* wall clock of the last shot */
    double rate_wall;
    int64_t rate_step;
} mn_live_run;

typedef struct mn_show {
    mn_hub *hub;
    int refs; /* under the hub's lock, as all that follows */
    int generation;
    mn_show_kind kind;
    mn_scene *scene;  /* as it was given */
    char *path, *dir; /* of the scene's file (NULL: none) and of the run */
    char **sets;      /* that it was made with */
    int set_count;
    char *description; /* JSON; NULL: not known yet */
    char *start;       /* JSON: what can be steered, with the values that a live run began with */
    char *values;      /* as it stands */
    int values_version;
    bool keyed;              /* some of them follow keyframes */
    unsigned char *geometry; /* what stands around the liquid */
    size_t geometry_size;
    mn_view_shot *shot; /* of the running world; NULL: none yet */

    /* stored, and the frames of a run in progress */
    pthread_mutex_t files;
    mn_replay *replay;
    int frames; /* numbers 0 to frames - 1 where the run is live */

    mn_live_run live; /* of a run in progress */
} mn_show;

/* show.c. NULL, with a message, where the source cannot be read. */
mn_show *mn_show_stored(mn_hub *hub, const char *dir, mn_messages *say);
/* It waits for mn_live_begin. `dir`: of the run; not `first`: the next free one after it. */
mn_show *mn_show_live(mn_hub *hub, const char *path, const char *dir, bool first, const char *const *sets,
                      int set_count, bool paused, mn_messages *say);
mn_show *mn_show_none(mn_hub *hub);
/* Ends its run, if it has one, and waits for it. Not under the lock. */
void mn_show_end(mn_show *show);
void mn_show_release(mn_show *show); /* under the lock */
/* A frame from its file, with that field; NULL, with a message. Not under the lock. */
mn_view_shot *mn_show_frame(mn_show *show, int number, const char *field, mn_messages *say);
/* All fields of one particle as JSON, from its file: that with the id, or at that place where id is -1. malloc'd;
 * NULL: none. */
char *mn_show_pick_stored(mn_show *show, int number, long index, long id, mn_messages *say);
/* YAML with `base` and `set`, written beside the folder of the run; its path is put into *path. malloc'd; NULL, with a
 * message. */
char *mn_show_save(mn_show *show, const char *const *sets, int count, char **path, mn_messages *say);

/* live.c: the run's thread. One run at a time: not all libraries below allow two. */
void mn_live_begin(mn_show *show);

/* The particles of soft solids at rest, and which each is of; malloc'd. */
typedef struct mn_soft_rest {
    float *position;
    int32_t *solid;
    long count;
} mn_soft_rest;

/* describe.c: texts and shapes. `fields` are those that can be shown. malloc'd; NULL: no memory. */
char *mn_describe(const mn_show *show, const char *const *fields, int field_count, const double low[3],
                  const double high[3], mn_messages *say);
char *mn_describe_values(const mn_scene *scene, double time, const char *type);
char *mn_describe_state(const mn_show *show);
char *mn_describe_messages(mn_messages *say);
bool mn_describe_geometry(mn_show *show, const double low[3], const double high[3], const mn_soft_rest *rest,
                          mn_messages *say);
/* Poses of what moves, in the order of the geometry. */
int mn_describe_moving(const mn_scene *scene);
void mn_describe_walls(const mn_scene *scene, double time, float (*out)[7], int *count);
void mn_describe_pose(const double at[3], const double q[4], float out[7]);

#endif
