/* diverged.c -- when a step has failed: which particle, where and why. */
#include <math.h>
#include <stdlib.h>

#include "core/world.h"

mn_status mn_report_failure(mn_world *w, mn_messages *say)
{
    const mn_place at = {w->scene->path, 0, 0};
    if (w->too_dense >= 0) {
        int id = -1;
        w->api->get(w->device, w->id, (size_t)w->too_dense * 4, &id, 4);
        mn_say_error(say, at,
                     "diverged at step %lld, time %g s (dt %g s): %s around particle %d; a smaller time step may help",
                     (long long)w->steps + 1, w->time, w->dt, w->api->failure(w->device), id);
        return MN_DIVERGED;
    }
    if (w->bounds.bad >= 0) {
        int id = -1;
        w->api->get(w->device, w->id, (size_t)w->bounds.bad * 4, &id, 4);
        mn_say_error(say, at,
                     "step %lld, time %g s, began with a position or velocity of particle %d that is not finite",
                     (long long)w->steps + 1, w->time, id);
        return MN_DIVERGED;
    }
    if (w->told != MN_OK) {
        if (!mn_messages_errors(say))
            mn_say_error(say, at, "an earlier step of this world failed; its message says why");
        return w->told;
    }
    mn_say_failure(say, at, "step %lld, time %g s: %s failed: %s", (long long)w->steps + 1, w->time, w->api->key,
                   mn_why(w));
    return MN_FAILED;
}

static int fastest_particle(mn_world *w, double *speed)
{
    const int n = w->layout.fluid;
    real4 *vel = malloc((size_t)n * sizeof *vel + 16);
    int at = 0, id = -1;
    *speed = -1.0;
    if (vel && w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel))
        for (int i = 0; i < n; i++) {
            const double v = sqrt((double)vel[i].x * (double)vel[i].x + (double)vel[i].y * (double)vel[i].y +
                                  (double)vel[i].z * (double)vel[i].z);
            if (v > *speed) *speed = v, at = i;
        }
    if (n) w->api->get(w->device, w->id, (size_t)at * 4, &id, 4);
    free(vel);
    return id;
}

/* Farthest that anything may sensibly go in one step, in support radii. */
static const double FARTHEST = 1000.0;

/* NaN, positions beyond all bounds and speeds that no step can follow end the run before they reach a file. */
mn_status mn_check_finite(mn_world *w, mn_messages *say)
{
    if (w->failed) return mn_report_failure(w, say);
    const mn_bounds before = w->bounds;
    if (!w->api->bounds(w->device, w->field[MN_FIELD_pos], w->field[MN_FIELD_vel], w->layout.fluid, &w->bounds))
        return mn_report_failure(w, say);
    const mn_place at = {w->scene->path, 0, 0};
    double reach = 0.0;
    for (int a = 0; a < 3 && w->layout.fluid; a++)
        reach = fmax(reach, fmax((double)before.low[a] - (double)w->bounds.low[a],
                                 (double)w->bounds.high[a] - (double)before.high[a]));
    if (w->bounds.bad < 0 && reach > FARTHEST * (double)w->par.h) {
        double speed;
        const int id = fastest_particle(w, &speed);
        mn_say_error(
            say, at,
            "diverged at step %lld, time %g s (dt %g s): particle %d moves at %.3g m/s, farther in one step than %g "
            "support radii; a smaller time step may help",
            (long long)w->steps + 1, w->time + w->dt, w->dt, id, speed, FARTHEST);
        return MN_DIVERGED;
    }
    if (w->bounds.bad < 0 && w->scene->adaptive && w->fastest * w->scene->step_min > (double)w->par.h) {
        double speed; /* now; that one was foreseen before the pressure acted */
        const int id = fastest_particle(w, &speed);
        if (speed * w->scene->step_min > (double)w->par.h) {
            mn_say_error(say, at,
                         "diverged at step %lld, time %g s (dt %g s): particle %d moves at %.3g m/s, farther than its "
                         "support radius in the smallest step, %g s; check may show what starts too close, or a "
                         "smaller time.adaptive.min may help",
                         (long long)w->steps + 1, w->time + w->dt, w->dt, id, speed, w->scene->step_min);
            return MN_DIVERGED;
        }
    }
    if (w->bounds.bad < 0) return MN_OK;
    int id = -1;
    w->api->get(w->device, w->id, (size_t)w->bounds.bad * 4, &id, 4);
    mn_say_error(say, at,
                 "diverged at step %lld, time %g s (dt %g s): particle %d has a position or velocity that is not "
                 "finite; a smaller "
                 "time step may help",
                 (long long)w->steps + 1, w->time + w->dt, w->dt, id);
    return MN_DIVERGED;
}
