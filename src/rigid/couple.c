/* couple.c -- fluid, rigid bodies and deformable solids: forces on wall points become force and torque on each body, and the load of each particle of a
 * solid; both move by the fluid's step.
 *
 *   F = sum_b f_b       T = sum_b (x_b - c) x f_b       with f_b, x_b and c as they were during the step
 *
 * The fluid saw the bodies where they stood and with their velocities at the start of the step, so what it lost is what they get.
 */
#include <stdlib.h>
#include <string.h>

#include "soft/soft.h"
#include "rigid/rigid.h"
#include "core/world.h"

/* Points in the order of the scene, in double precision: the same sum for any number of threads. */
static void add_up(mn_world *w, const double (*force)[3])
{
    const mn_wall_points *p = &w->walls;
    const int walls = w->scene->wall_count;
    mn_body_state *states = mn_rigid_states(w->rigid);
    for (int k = 0; k < mn_rigid_count(w->rigid); k++) {
        memset(states[k].force, 0, sizeof states[k].force);
        memset(states[k].torque, 0, sizeof states[k].torque);
    }
    mn_pose pose = {0};
    for (int b = 0, last = -1; b < p->bodies; b++) {
        const int i = p->owner[b], k = p->wall[i] - walls;
        if (k < 0 || k >= mn_rigid_count(w->rigid)) continue;
        if (k != last) pose = mn_rigid_pose(w->rigid, k);
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

static bool touch_bodies(mn_world *w)
{
    bool ok = true;
    for (int k = 0; w->rigid && k < mn_rigid_count(w->rigid) && ok; k++) {
        const mn_pose pose = mn_rigid_pose(w->rigid, k);
        mn_body_state *state = &mn_rigid_states(w->rigid)[k];
        if (w->scene->bodies[k].contacts)
            ok = mn_solids_touch(w->solids, mn_rigid_form(w->rigid, k), &pose, mn_rigid_is_free(w->rigid, k),
                                 w->scene->bodies[k].grip, w->dt, state->force, state->torque);
    }
    return ok;
}

mn_status mn_bodies_step(mn_world *w, mn_messages *say)
{
    if (!w->rigid && !w->solids) return MN_OK;
    double(*force)[3] = calloc((size_t)w->walls.bodies + 1, sizeof *force), gravity[3];
    if (!force || !mn_walls_forces(w, force)) {
        free(force);
        mn_say_failure(say, MN_NOWHERE, "cannot collect the forces on bodies: out of memory or device failure");
        return MN_FAILED;
    }
    mn_curve_at(&w->scene->gravity, w->time, gravity);
    mn_status status = MN_OK;
    if (w->rigid) add_up(w, (const double(*)[3])force);
    if (w->solids) { /* their particles are the last entries */
        mn_solids_load(w->solids, (const double(*)[3])force + w->walls.bodies - mn_solids_particles(w->solids));
        if (!touch_bodies(w)) status = MN_FAILED;
        if (status == MN_OK) status = mn_solids_step(w->solids, w->time, w->dt, gravity, say);
    }
    if (w->rigid && status == MN_OK) status = mn_rigid_step(w->rigid, w->time, w->dt, gravity, say);
    free(force);
    return status;
}

int mn_world_bodies(const mn_world *w) { return w->rigid ? mn_rigid_count(w->rigid) : 0; }

mn_body_motion mn_world_body(const mn_world *w, int index)
{
    if (index < 0 || index >= mn_world_bodies(w)) return (mn_body_motion){0};
    const mn_body_state *s = mn_rigid_state(w->rigid, index);
    const mn_form *form = mn_rigid_form(w->rigid, index);
    mn_body_motion out = {.mass = form->mass, .volume = form->volume};
    memcpy(out.position, s->position, sizeof out.position);
    memcpy(out.quaternion, s->quaternion, sizeof out.quaternion);
    memcpy(out.velocity, s->velocity, sizeof out.velocity);
    memcpy(out.angular_velocity, s->spin, sizeof out.angular_velocity);
    memcpy(out.force, s->force, sizeof out.force);
    memcpy(out.torque, s->torque, sizeof out.torque);
    return out;
}

int mn_world_solids(const mn_world *w) { return mn_solids_count(w->solids); }
static bool is_solid(const mn_world *w, int index) { return index >= 0 && index < mn_world_solids(w); }

int64_t mn_world_solid_particles(const mn_world *w, int index)
{
    return is_solid(w, index) ? mn_solids_elastic(w->solids, index)->count : 0;
}

mn_solid_stats mn_world_solid(const mn_world *w, int index)
{
    return is_solid(w, index) ? mn_solids_stats(w->solids, index) : (mn_solid_stats){0};
}

mn_status mn_world_solid_get(const mn_world *w, int index, const char *field, float *out, mn_messages *say)
{
    if (is_solid(w, index)) return mn_solids_get(w->solids, index, field, out, say);
    mn_say_error(say, MN_NOWHERE, "there is no solid %d; the scene has %d, counted from 0", index, mn_world_solids(w));
    return MN_BAD_INPUT;
}
