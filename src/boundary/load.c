/* load.c -- forces of the fluid on boundary points become force and torque on each rigid body, and the load of each
 * particle of a soft solid.
 *
 *   F = sum_b f_b       T = sum_b (x_b - c) x f_b       with f_b, x_b and c as they were during the step
 *
 * The fluid saw the bodies where they stood and with their velocities at the start of the step, so what it lost is
 * what they get.
 */
#include <stdlib.h>
#include <string.h>

#include "boundary/points.h"
#include "core/world.h"
#include "rigid/rigid.h"
#include "soft/soft.h"

/* Points in the order of the scene, in double precision: the same sum for any number of threads. */
static void add_up(const mn_world *w, const mn_boundary *p, mn_rigid *rigid, const double (*force)[3])
{
    const int walls = w->scene->wall_count;
    mn_body_state *states = mn_rigid_states(rigid);
    for (int k = 0; k < mn_rigid_count(rigid); k++) {
        memset(states[k].force, 0, sizeof states[k].force);
        memset(states[k].torque, 0, sizeof states[k].torque);
    }
    mn_pose pose = {0};
    for (int b = 0, last = -1; b < p->active; b++) {
        const int i = p->owner[b], k = p->object[i] - walls;
        if (k < 0 || k >= mn_rigid_count(rigid)) continue;
        if (k != last) pose = mn_rigid_pose(rigid, k);
        last = k;
        double x[3], v[3];
        mn_pose_point(&pose, &p->rest[3 * i], x, v);
        for (int a = 0; a < 3; a++) {
            const int c = (a + 1) % 3, d = (a + 2) % 3;
            states[k].force[a] += force[b][a];
            states[k].torque[a] += (x[c] - pose.at[c]) * force[b][d] - (x[d] - pose.at[d]) * force[b][c];
        }
    }
}

mn_status mn_boundary_collect(mn_world *w, const mn_boundary *p, mn_messages *say)
{
    mn_rigid *rigid = mn_rigid_of(w);
    mn_soft *solids = mn_soft_of(w);
    if (!rigid && !solids) return MN_OK;
    double(*force)[3] = calloc((size_t)p->active + 1, sizeof *force);
    const bool ok = force && mn_boundary_forces(w, force);
    if (ok && rigid) add_up(w, p, rigid, (const double(*)[3])force);
    if (ok && solids) /* their particles are the last entries */
        mn_soft_load(solids, (const double(*)[3])force + p->active - mn_soft_particles(solids));
    free(force);
    if (!ok) mn_say_failure(say, MN_NOWHERE, "cannot collect the forces on bodies: out of memory or device failure");
    return ok ? MN_OK : MN_FAILED;
}
