/* air.h -- the air of the scene: an imported grid, flows as formulas, drag on bodies, and a simulated flow as a
 * grid. */
#ifndef MN_AIR_AIR_H
#define MN_AIR_AIR_H

#include "io/snapshot.h"

/* The imported grid, whose velocities lie on the device, and who feels drag. */
typedef struct mn_air_field {
    int nodes[3];                 /* 0: none */
    double origin[3], spacing[3]; /* m; of the file, before the scene moves it */
    double slowest, fastest;      /* m/s */
    uint64_t felt;                /* which bodies and solids, and their masses; 0: none */
} mn_air_field;
const mn_air_field *mn_air_field_of(const mn_world *w);

/* drag_on_bodies.c: areas of the bodies' points, once they are sampled and again where others feel drag than before;
 * drag of the air on them, a moment of the step. */
bool mn_air_faces(mn_world *w, mn_air_field *air);
void mn_air_on_bodies(mn_world *w, void *me);

/* resample.c: the flow as a grid. Call step after each step, write when one is due. */
bool mn_resample_step(mn_world *w);
mn_status mn_resample_write(mn_world *w, const char *path, mn_messages *say);

#endif
