/* world.h -- the liquid in motion: fields on a device, the clock, and the parts of the world, which own the rest.
 * A device failure is sticky: `failed` is set, every later mn_run does nothing, and the step reports it at its end. */
#ifndef MN_WORLD_H
#define MN_WORLD_H

#include "base/support.h"
#include "core/depth.h"
#include "core/launch.h"
#include "core/particles.h"
#include "core/step.h"
#include "core/system.h"
#include "core/user.h"

struct mn_world {
    const mn_scene *scene; /* as it stands now: `own` */
    mn_scene *given, *own; /* copies: as it was given, and with the changes made since */
    int changed;           /* how many of the scene's changes were made */
    char *identity;        /* of the scene, as checkpoints hold it: scene/identity.c */
    const mn_backend_api *api;
    mn_backend *device;
    params par;         /* what kernels see */
    mn_support support; /* numbers that depend on the support radius alone */
    bool failed;
    mn_status told;               /* a failure that has its message already; MN_OK: none */
    int threads;                  /* 0: all cores */
    mn_part parts[MN_MOST_PARTS]; /* in the order of core/systems.def */
    int part_count;
    mn_watch watch; /* time by stage and part */
    mn_user user;   /* callbacks, maps, particles taken away */

    /* particles */
    mn_buffer *field[MN_FIELD_COUNT], *id;              /* on the device, in cell order; NULL: not named yet */
    bool stale[MN_FIELD_COUNT], wanted[MN_FIELD_COUNT]; /* copies are older than the field; a part wants the field */
    int pair_writer[MN_PAIR_FIELDS + 1];                /* kernel that wrote each field of pairs; -1: none */
    mn_layout layout;                                   /* where fluid, points and copies begin in a field */
    mn_point_room points;
    int capacity, copy_room; /* room for so many particles, and copies across periodic faces */
    mn_buffer *copy_source, *copy_shift;
    mn_fold later; /* sum of mn_run_sum_later */
    bool periodic, keeps_acceleration;
    bool listed;            /* the lists are those of the particles there are: none was added since the search */
    mn_bounds bounds;       /* of the fluid after the last step */
    int too_dense;          /* a particle among thousands in one place, -1: none */
    int next_id, first_new; /* id of the next particle; of the first that no step has seen yet */
    int64_t drained, lost;  /* particles deleted so far: in sinks, outside the domain */
    int64_t leaving;        /* marked to be dropped by the next sort */

    /* clock */
    double time, dt, last_dt, next_dt, stop_time; /* dt: of this step, or the last one */
    mn_depth depth;                               /* of the liquid along gravity, measured now and then */
    int64_t steps;
    double fastest;    /* m/s, of fluid that can meet something; with an adaptive step */
    int round, rounds; /* of implicit velocities and pressure in this step; */
    bool sequence;     /* each goes on from the velocity of the last */
    double retry;      /* s; not 0: take this step back and make one of this length */
    mn_effort effort;  /* iterations of this step, and the density error that is left */
};

#endif
