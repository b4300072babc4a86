/* soft_part.c -- soft solids as a part of the world: they touch rigid bodies and move by the fluid's step, under the
 * load that the boundary points on them collected. */
#include <omp.h>

#include "core/parts.h"
#include "core/world.h"
#include "rigid/rigid.h"
#include "soft/soft.h"

typedef struct part {
    mn_soft *solids;
} part;

mn_soft *mn_soft_of(const mn_world *w)
{
    const part *p = mn_part_of(w, &mn_soft_system);
    return p ? p->solids : NULL;
}

static bool wanted(const mn_scene *s) { return s->solid_count > 0; }

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    part *p = me;
    p->solids = mn_soft_new(w->scene, w->threads > 0 ? w->threads : omp_get_num_procs(), say);
    return p->solids ? MN_OK : MN_FAILED;
}

static void release(mn_world *w, void *me)
{
    (void)w;
    mn_soft_free(((part *)me)->solids);
}

/* The scene may have changed since the last step. */
static void parameters(mn_world *w, void *me)
{
    (void)w;
    mn_soft_renew(((part *)me)->solids);
}

static double room(const mn_world *w, const void *me, const double x[3], double limit)
{
    const mn_soft *solids = ((const part *)me)->solids;
    return w->steps ? mn_soft_gap(solids, x, limit) : mn_soft_distance(solids, x, limit);
}

/* Contacts with rigid bodies: what each does to the other during the step. */
static bool touch_bodies(mn_world *w, mn_soft *solids)
{
    mn_rigid *rigid = mn_rigid_of(w);
    bool ok = true;
    for (int k = 0; rigid && k < mn_rigid_count(rigid) && ok; k++) {
        const mn_pose pose = mn_rigid_pose(rigid, k);
        mn_body_state *state = &mn_rigid_states(rigid)[k];
        if (w->scene->bodies[k].contacts)
            ok = mn_soft_touch(solids, mn_rigid_shape_of(rigid, k), &pose, mn_rigid_is_free(rigid, k),
                               w->scene->bodies[k].grip, w->dt, state->force, state->torque);
    }
    return ok;
}

static mn_status move(mn_world *w, void *me, mn_messages *say)
{
    mn_soft *solids = ((part *)me)->solids;
    double gravity[3];
    mn_curve_at(&w->scene->gravity, w->time, gravity);
    if (touch_bodies(w, solids)) return mn_soft_step(solids, w->time, w->dt, gravity, say);
    mn_say_failure(say, MN_NOWHERE, "out of memory for the contacts of soft solids");
    return MN_FAILED;
}

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    (void)w;
    return mn_soft_save(((part *)me)->solids, snap);
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    (void)w;
    return mn_soft_restore(((part *)me)->solids, snap, say);
}

static bool add_hash(mn_world *w, void *me, uint64_t *hash)
{
    (void)w;
    *hash = mn_soft_hash(((part *)me)->solids, *hash);
    return true;
}

int mn_world_solids(const mn_world *w) { return w->scene->solid_count; }

static bool is_solid(const mn_world *w, int index) { return index >= 0 && index < mn_world_solids(w); }

int64_t mn_world_solid_particles(const mn_world *w, int index)
{
    return is_solid(w, index) ? mn_soft_elastic(mn_soft_of(w), index)->count : 0;
}

mn_solid_stats mn_world_solid(const mn_world *w, int index)
{
    return is_solid(w, index) ? mn_soft_stats(mn_soft_of(w), index) : (mn_solid_stats){0};
}

mn_status mn_world_solid_get(const mn_world *w, int index, const char *field, float *out, mn_messages *say)
{
    if (is_solid(w, index)) return mn_soft_get(mn_soft_of(w), index, field, out, say);
    mn_say_error(say, MN_NOWHERE, "there is no solid %d; the scene has %d, counted from 0", index, mn_world_solids(w));
    return MN_BAD_INPUT;
}

/* The matrices and pairs of a particle take 1000 bytes. */
static mn_foreseen foresee(const mn_scene *s)
{
    return (mn_foreseen){"particles of soft solids", s->solid_particles, 40, 900};
}

const mn_system mn_soft_system = {.key = "soft solids",
                                  .bytes = sizeof(part),
                                  .wanted = wanted,
                                  .foresee = foresee,
                                  .make = make,
                                  .free = release,
                                  .at = {[MN_AT_parameters] = parameters},
                                  .room = room,
                                  .move = move,
                                  .save = save,
                                  .restore = restore,
                                  .hash = add_hash};
