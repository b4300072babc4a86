/* soft_state.h -- what soft.c and contacts.c share: the state of the soft solids. */
#ifndef MN_SOFT_SOFT_STATE_H
#define MN_SOFT_SOFT_STATE_H

#include "soft/soft.h"

typedef struct soft {
    const mn_soft_def *what;
    mn_elastic *elastic;
    mn_shape **shapes;
    double *load;
    int *skin, skin_count;
    double force[3]; /* of fluid and air, N, in the last step */
    double surplus;  /* energy that the coupling has made and internal motion has not yet lost, J */
    double *before;  /* room for x, v and the load of the fluid at the beginning of a step */
    int substeps;
} soft;

/* One shape of a wall. */
typedef struct obstacle {
    mn_shape *shape;
    const mn_motion *motion;
    mn_pose pose;
} obstacle;

struct mn_soft {
    soft *at;
    int count, threads;
    obstacle *walls;
    int wall_count;
};

/* contacts.c: all contacts of the skin with walls during the step, by particle. Negative when out of memory. */
int mn_soft_wall_contacts(const mn_soft *solids, const soft *s, double dt, mn_contact **out);
/* Solids, and distant parts of one solid: their forces on each other, added to the loads. False: out of memory. */
bool mn_soft_push_apart(mn_soft *solids, double dt);

#endif
