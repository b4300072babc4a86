/* step.h -- what step.c is made of, in its order. */
#ifndef MN_CORE_STEP_H
#define MN_CORE_STEP_H

#include "meniscus/meniscus.h"

/* What the solvers of a step did. */
typedef struct mn_effort {
    int pressure_iterations, divergence_iterations, velocity_iterations;
    double density_error; /* mean compression that the pressure left */
} mn_effort;

/* world.c: makes the scene's changes whose time has come; the first `count` of them and no others. */
mn_status mn_world_change_due(mn_world *w, mn_messages *say);
mn_status mn_world_change_first(mn_world *w, int count, mn_messages *say);
/* retry.c: makes a step, and repeats it where a part takes it back. */
typedef mn_status mn_try_step(mn_world *w, mn_messages *say);
mn_status mn_with_retries(mn_world *w, mn_try_step *step, mn_messages *say);
/* settle.c: particles that start too close give way. */
void mn_settle(mn_world *w, mn_messages *say);
/* search.c: sorts, makes copies and lists. */
void mn_search(mn_world *w, mn_messages *say);
/* rounds.c: implicit velocities and pressure; whether this round's result is final (kernels/step/rounds.h). */
void mn_rounds(mn_world *w);
bool mn_round_stays(const mn_world *w);
/* diverged.c: whether all is finite; what went wrong. */
mn_status mn_check_finite(mn_world *w, mn_messages *say);
mn_status mn_report_failure(mn_world *w, mn_messages *say);

#endif
