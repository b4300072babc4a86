/* clock.h -- the time of a world, and the moments between two of its states. */
#ifndef MN_CORE_CLOCK_H
#define MN_CORE_CLOCK_H

#include "base/message.h"
#include "io/snapshot.h"

/* What the solvers of a step did. */
typedef struct mn_effort {
    int pressure_iterations, divergence_iterations, velocity_iterations;
    double density_error; /* mean compression that the pressure left */
} mn_effort;

/* False, with a message: no step may end after the world's time (mn_world_limit_step). */
bool mn_clock_may_go(const mn_world *w, mn_messages *say);
/* Chooses the length of this step; ends it. */
void mn_clock_choose(mn_world *w);
void mn_clock_advance(mn_world *w);
void mn_world_set_dt(mn_world *w, double dt);
/* The longest that this step can be, before its length is chosen. */
double mn_longest_step(const mn_world *w);
/* Every parameter as it stands at this time of the scene; mn_step calls it. */
void mn_world_parameters(mn_world *w);
/* The part of it that is the same at all times, unless the scene changes: densities, whether films act. */
void mn_world_materials(mn_world *w);

/* rounds.c: implicit velocities and pressure; whether this round's result is final (kernels/step/rounds.h). */
void mn_rounds(mn_world *w);
bool mn_round_stays(const mn_world *w);
/* retry.c: makes a step, and repeats it where a part takes it back. */
typedef mn_status mn_try_step(mn_world *w, mn_messages *say);
mn_status mn_with_retries(mn_world *w, mn_try_step *step, mn_messages *say);

/* world.c: makes the scene's changes whose time has come; the first `count` of them and no others. */
mn_status mn_world_change_due(mn_world *w, mn_messages *say);
mn_status mn_world_change_first(mn_world *w, int count, mn_messages *say);
/* search.c: sorts, makes copies and lists. */
void mn_search(mn_world *w, mn_messages *say);
/* diverged.c: what went wrong; whether all is finite. */
mn_status mn_report_failure(mn_world *w, mn_messages *say);
mn_status mn_check_finite(mn_world *w, mn_messages *say);
/* state.c: all that a run needs to go on with the same bits. */
mn_status mn_world_save(mn_world *w, mn_snapshot *snap, mn_messages *say);
mn_status mn_world_load(mn_world *w, const mn_snapshot *snap, mn_messages *say);
/* Longest step for liquid as deep as at the start, s; INFINITY where it is shallow. */
double mn_clock_deep(const mn_world *w);

/* fill.c: the fluid at the start. */
mn_status mn_fill(mn_world *w, mn_messages *say);

#endif
