/* inflow.h -- emitters and sinks of a world; see inflow.c. */
#ifndef MN_INFLOW_INFLOW_H
#define MN_INFLOW_INFLOW_H

#include "scene/scene.h"

typedef struct mn_emitter_state {
    int fluid;
    const mn_emitter *emitter;
    double *offset; /* 3 a point: the pattern of one layer */
    int count;
    double travelled; /* m, since the last layer */
    long emitted;
    bool told; /* that particles are held back */
} mn_emitter_state;

typedef struct mn_inflow {
    mn_emitter_state *emitters;
    int emitter_count;
    struct mn_shape **sinks;
    bool *sink_open;  /* at the last step */
    int sinks_listed; /* in the table of kernels/inflow/guide_drain.h */
} mn_inflow;
mn_inflow *mn_inflow_of(const mn_world *w);

#endif
