/* inspect.h -- what inspect.c and inspect_emitters.c share. */
#ifndef MN_SESSION_INSPECT_H
#define MN_SESSION_INSPECT_H

#include "boundary/clearance.h"
#include "kernels/port.h"

/* A count of doubtful particles, with the worst of them, the wall and how far that is. */
typedef struct doubt {
    long count;
    int example;
    const char *wall;
    double gap; /* m */
} doubt;

/* How many of `a` have a point of `b` nearer than `near`; *example is one of them. a == b: other points only. */
long mn_inspect_near(const real4 *a, int n, const real4 *b, int m, double near, int *example);
/* Particles inside walls, and those closer than `near` to the surface of one made of particles. */
void mn_inspect_walls(const mn_clearance *c, const real4 *pos, int n, double near, doubt *inside, doubt *close);
/* How many of the places the domain deletes. */
long mn_inspect_outside(const mn_world *w, const real4 *pos, int n, int *example);

/* inspect_emitters.c: of emitter `e`, with the `n` particles of the fluid at the start. */
void mn_inspect_emitter(const mn_world *w, const mn_clearance *c, int e, const real4 *fluid, int n, mn_messages *say);

#endif
