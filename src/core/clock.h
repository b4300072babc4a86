/* clock.h -- the time of a world: the length of a step, and what it depends on. */
#ifndef MN_CORE_CLOCK_H
#define MN_CORE_CLOCK_H

#include "base/message.h"
#include "meniscus/meniscus.h"

/* False, with a message: no step may end after the world's time (mn_world_limit_step). */
bool mn_clock_may_go(const mn_world *w, mn_messages *say);
/* Chooses the length of this step; ends it. */
void mn_clock_choose(mn_world *w);
void mn_clock_advance(mn_world *w);
void mn_world_set_dt(mn_world *w, double dt);
/* The longest that this step can be, before its length is chosen. */
double mn_longest_step(const mn_world *w);
/* Gravity as it is now, m/s^2, and where it points: a unit vector where there is any. */
double mn_clock_gravity(const mn_world *w, double down[3]);
/* Longest step for liquid as deep as it was when it was measured, s; INFINITY where it is shallow. */
double mn_clock_deep(const mn_world *w);

/* Every parameter as it stands at this time of the scene; mn_step calls it. */
void mn_world_parameters(mn_world *w);
/* The part of it that is the same at all times, unless the scene changes: densities. */
void mn_world_materials(mn_world *w);

#endif
