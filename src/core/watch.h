/* watch.h -- who spends the time of a step: seconds by stage and by part of the world. */
#ifndef MN_CORE_WATCH_H
#define MN_CORE_WATCH_H

#include "meniscus/meniscus.h"

#define MN_STAGES_OF_A_STEP(S)                                                                                         \
    S(search) S(density) S(surface) S(divergence) S(forces) S(air) S(velocity) S(pressure) S(move) S(parts)

typedef enum mn_step_stage {
#define MN_STAGE_ENTRY(name) MN_STAGE_##name,
    MN_STAGES_OF_A_STEP(MN_STAGE_ENTRY)
#undef MN_STAGE_ENTRY
        MN_STAGES
} mn_step_stage;

enum { MN_MOST_PARTS = 40, MN_NO_PART = MN_MOST_PARTS };

typedef struct mn_watch {
    mn_step_stage stage; /* where the step is; outside of it: MN_STAGES */
    int part;            /* whose turn it is; the step's own: MN_NO_PART */
    double wall;         /* what the clock showed when that began, */
    double busy; /* and the kernels' time so far: they may run later, but are billed to the part that launched them */
    double seconds[MN_STAGES + 1][MN_MOST_PARTS + 1];
} mn_watch;

/* Bills the time since the last call, then enters this stage and part. */
void mn_watch_enter(mn_world *w, mn_step_stage stage, int part);
/* Where kernels that are launched now tell their time. */
double *mn_watch_now(mn_world *w);

#endif
