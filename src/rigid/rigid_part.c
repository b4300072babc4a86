/* rigid_part.c -- rigid bodies as a part of the world: they move by the fluid's step, under the forces that the
 * boundary points on them collected. */
#include <math.h>
#include <string.h>

#include "core/parts.h"
#include "core/world.h"
#include "rigid/rigid.h"

typedef struct part {
    mn_rigid *rigid;
} part;

mn_rigid *mn_rigid_of(const mn_world *w)
{
    const part *p = mn_part_of(w, &mn_rigid_system);
    return p ? p->rigid : NULL;
}

static bool wanted(const mn_scene *s) { return s->body_count > 0; }

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    part *p = me;
    p->rigid = mn_rigid_new(w->scene, say);
    return p->rigid ? MN_OK : MN_FAILED;
}

static void release(mn_world *w, void *me)
{
    (void)w;
    mn_rigid_free(((part *)me)->rigid);
}

/* The scene may have changed since the last step. */
static void parameters(mn_world *w, void *me)
{
    (void)w;
    mn_rigid_renew(((part *)me)->rigid);
}

static double room(const mn_world *w, const void *me, const double x[3], double limit)
{
    const part *p = me;
    double nearest = limit;
    for (int k = 0; k < w->scene->body_count; k++) {
        const mn_pose pose = mn_rigid_pose(p->rigid, k);
        double rest[3] = {x[0], x[1], x[2]};
        if (w->steps) mn_pose_rest(&pose, x, rest);
        const double distance = mn_rigid_shape_distance(mn_rigid_shape_of(p->rigid, k), rest, limit);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

static double stop(const mn_world *w, const void *me)
{
    (void)me;
    double next = INFINITY;
    for (int k = 0; k < w->scene->body_count; k++)
        next = fmin(next, mn_motion_next_key(&w->scene->bodies[k].motion, w->time));
    return next;
}

static mn_status move(mn_world *w, void *me, mn_messages *say)
{
    double gravity[3];
    mn_curve_at(&w->scene->gravity, w->time, gravity);
    return mn_rigid_step(((part *)me)->rigid, w->time, w->dt, gravity, say);
}

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    (void)w;
    return mn_rigid_save(((part *)me)->rigid, snap);
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    (void)w;
    return mn_rigid_load(((part *)me)->rigid, snap, say);
}

static bool add_hash(mn_world *w, void *me, uint64_t *hash)
{
    (void)w;
    mn_rigid *rigid = ((part *)me)->rigid;
    *hash = mn_hash(*hash, mn_rigid_states(rigid), (size_t)mn_rigid_count(rigid) * sizeof(mn_body_state));
    return true;
}

int mn_world_bodies(const mn_world *w) { return w->scene->body_count; }

const char *mn_world_body_name(const mn_world *w, int index)
{
    return index >= 0 && index < mn_world_bodies(w) ? w->scene->bodies[index].name : NULL;
}

mn_body_motion mn_world_body(const mn_world *w, int index)
{
    const mn_rigid *rigid = mn_rigid_of(w);
    if (index < 0 || index >= mn_world_bodies(w)) return (mn_body_motion){0};
    const mn_body_state *s = mn_rigid_state(rigid, index);
    const mn_rigid_shape *shape = mn_rigid_shape_of(rigid, index);
    mn_body_motion out = {.mass = shape->mass, .volume = shape->volume};
    memcpy(out.position, s->position, sizeof out.position);
    memcpy(out.quaternion, s->quaternion, sizeof out.quaternion);
    memcpy(out.velocity, s->velocity, sizeof out.velocity);
    memcpy(out.angular_velocity, s->spin, sizeof out.angular_velocity);
    memcpy(out.force, s->force, sizeof out.force);
    memcpy(out.torque, s->torque, sizeof out.torque);
    return out;
}

const mn_system mn_rigid_system = {.key = "rigid bodies",
                                   .bytes = sizeof(part),
                                   .wanted = wanted,
                                   .make = make,
                                   .free = release,
                                   .at = {[MN_AT_parameters] = parameters},
                                   .room = room,
                                   .stop = stop,
                                   .move = move,
                                   .save = save,
                                   .restore = restore,
                                   .hash = add_hash};
