/* rigid.c -- rigid bodies in motion; see rigid.h.
 *
 * Mass, centre of mass and inertia are ours: ODE's own, of a mesh with a hole or inverted faces, would be nonsense.
 * Its spaces are not used either: their order depends on what happened before. All pairs are looked at in the order
 * of the scene.
 */
#include "rigid/rigid.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lock.h"
#include "rigid/ode_parts.h"

/* A body, or a wall that bodies touch. */
typedef struct collider {
    int body, wall; /* one of them -1 */
    dBodyID id;     /* NULL: a wall at rest */
    bool free, contacts;
    double grip, restitution; /* grip of a wall: -1, the body's counts */
    mn_geoms geoms;
} collider;

struct mn_rigid {
    const mn_scene *scene;
    dWorldID world;
    dJointGroupID touching;
    mn_rigid_shape *shapes;
    mn_body_state *states;
    collider *colliders; /* the bodies first, then the walls */
    int collider_count;
    dJointID *joints;
    unsigned long seed;
};

/* ------------------------------------------------------------ ODE's messages */

/* ODE ends the process after an error; instead we leave the call. */
static _Thread_local mn_messages *ode_messages;
static _Thread_local jmp_buf *exit_point;

static void say_ode(mn_severity severity, int number, const char *format, va_list args)
{
    char text[400];
    vsnprintf(text, sizeof text, format, args);
    mn_say(ode_messages, severity, MN_NOWHERE, "rigid bodies: %s (ODE %d)", text, number);
}

static void say_message(int number, const char *format, va_list args) { say_ode(MN_WARNING, number, format, args); }

static void say_error(int number, const char *format, va_list args)
{
    say_ode(MN_ERROR, number, format, args);
    if (exit_point) longjmp(*exit_point, 1);
}

static void start_once(void)
{
    dInitODE2(0);
    dSetMessageHandler(say_message);
    dSetErrorHandler(say_error);
    dSetDebugHandler(say_error);
}

static void start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
    dAllocateODEDataForThread(dAllocateMaskAll);
}

/* ------------------------------------------------------------ making */

static bool set_mass(dBodyID body, const mn_rigid_shape *shape)
{
    const double *i = shape->inertia;
    dMass mass;
    dMassSetParameters(&mass, shape->mass, 0, 0, 0, i[0], i[4], i[8], i[1], i[2], i[5]);
    if (!dMassCheck(&mass)) return false;
    dBodySetMass(body, &mass);
    return true;
}

static dBodyID new_body(mn_rigid *r, const double at[3], bool free)
{
    dBodyID id = dBodyCreate(r->world);
    dBodySetPosition(id, at[0], at[1], at[2]);
    dBodySetFiniteRotationMode(id, 1);
    dBodySetAutoDisableFlag(id, 0);
    if (!free) dBodySetKinematic(id);
    return id;
}

static double widest(const mn_shape *shape)
{
    double low[3], high[3];
    mn_shape_bounds(shape, low, high);
    return fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
}

static void release_body(mn_rigid *r, int k);

static mn_status make_body(mn_rigid *r, int k, mn_messages *say)
{
    const mn_body *body = &r->scene->bodies[k];
    mn_rigid_shape *shape = &r->shapes[k];
    collider *t = &r->colliders[r->collider_count];
    *t = (collider){.body = k,
                    .wall = -1,
                    .free = !body->fixed && !body->motion.moving,
                    .contacts = body->contacts,
                    .grip = body->grip,
                    .restitution = body->restitution};
    mn_status status = mn_rigid_shape_make(body, shape, say);
    if (status != MN_OK) return status;
    r->collider_count++;
    t->id = new_body(r, shape->centre, t->free);
    if (t->free && !set_mass(t->id, shape)) {
        mn_say_error(say, body->at,
                     "the body \"%s\" has no proper inertia; is it far thinner than wide, or far too small?",
                     body->name);
        return MN_BAD_INPUT;
    }
    for (int s = 0; s < shape->count && status == MN_OK; s++)
        status = mn_geoms_add(&t->geoms, shape->shapes[s], &body->shapes[s], t->id, shape->centre, r->scene->spacing,
                              0.05 * widest(shape->shapes[s]), say);
    mn_body_state *state = &r->states[k];
    *state = (mn_body_state){.quaternion = {1, 0, 0, 0}};
    memcpy(state->position, shape->centre, sizeof state->position);
    if (!(body->release > 0)) release_body(r, k);
    return status;
}

static mn_status make_wall(mn_rigid *r, int k, mn_messages *say)
{
    const mn_wall *wall = &r->scene->walls[k];
    const double *centre = wall->motion.centre, origin[3] = {0};
    collider *t = &r->colliders[r->collider_count++];
    *t = (collider){.body = -1, .wall = k, .contacts = true, .grip = -1};
    if (wall->motion.moving) t->id = new_body(r, centre, false);
    mn_status status = MN_OK;
    for (int s = 0; s < wall->shape_count && status == MN_OK; s++) {
        mn_shape *shape = mn_shape_new(&wall->shapes[s], say);
        status = shape ? mn_geoms_add(&t->geoms, shape, &wall->shapes[s], t->id, t->id ? centre : origin, wall->spacing,
                                      0.05 * widest(shape), say)
                       : MN_BAD_INPUT;
        mn_shape_free(shape);
    }
    return status;
}

static void make_joint(mn_rigid *r, int k)
{
    const mn_joint *joint = &r->scene->joints[k];
    const collider *first = &r->colliders[joint->first],
                   *second = joint->second >= 0 ? &r->colliders[joint->second] : NULL;
    if (!first->free && (!second || !second->free)) return;
    /* The world, where a joint holds on to it, is a body that never moves, at the same place: no long lever that
     * would slow the solver. */
    const dBodyID other = second ? second->id : new_body(r, r->shapes[joint->first].centre, false);
    r->joints[k] = mn_joint_make(r->world, joint, first->id, other);
}

static void follow_path(mn_rigid *r, int k, double time);

static mn_status make(mn_rigid *r, mn_messages *say)
{
    const mn_scene *s = r->scene;
    mn_status status = MN_OK;
    for (int k = 0; k < s->body_count && status == MN_OK; k++) status = make_body(r, k, say);
    for (int k = 0; k < s->wall_count && status == MN_OK; k++) status = make_wall(r, k, say);
    if (status != MN_OK) return status;
    for (int k = 0; k < s->joint_count; k++) make_joint(r, k);
    for (int k = 0; k < s->body_count; k++) follow_path(r, k, 0);
    return MN_OK;
}

static mn_status make_guarded(mn_rigid *r, mn_messages *say)
{
    jmp_buf out;
    ode_messages = say, exit_point = &out;
    const mn_status status = setjmp(out) ? MN_FAILED : make(r, say);
    ode_messages = NULL, exit_point = NULL;
    return status;
}

static void drop(mn_rigid *r);

static mn_rigid *new_rigid(const mn_scene *scene, mn_messages *say)
{
    mn_rigid *r = calloc(1, sizeof *r);
    if (r) {
        r->scene = scene;
        r->shapes = calloc((size_t)scene->body_count + 1, sizeof *r->shapes);
        r->states = calloc((size_t)scene->body_count + 1, sizeof *r->states);
        r->colliders = calloc((size_t)scene->body_count + (size_t)scene->wall_count + 1, sizeof *r->colliders);
        r->joints = calloc((size_t)scene->joint_count + 1, sizeof *r->joints);
    }
    if (!r || !r->shapes || !r->states || !r->colliders || !r->joints) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for the bodies");
        drop(r);
        return NULL;
    }
    start();
    r->world = dWorldCreate();
    r->touching = dJointGroupCreate(0);
    r->seed = 1;
    dWorldSetContactSurfaceLayer(r->world, 1e-3 * scene->spacing);
    if (make_guarded(r, say) == MN_OK) return r;
    drop(r);
    return NULL;
}

static void drop(mn_rigid *r)
{
    if (!r) return;
    for (int k = 0; k < r->collider_count; k++) mn_geoms_free(&r->colliders[k].geoms);
    for (int k = 0; r->shapes && k < r->scene->body_count; k++) mn_rigid_shape_free(&r->shapes[k]);
    if (r->touching) dJointGroupDestroy(r->touching);
    if (r->world) dWorldDestroy(r->world);
    free(r->shapes), free(r->states), free(r->colliders), free(r->joints);
    free(r);
}

/* ODE has one sequence of random numbers and caches of its own for all worlds: one thread at a time. */
mn_rigid *mn_rigid_new(const mn_scene *scene, mn_messages *say)
{
    mn_lock_take(MN_LOCK_ODE);
    mn_rigid *r = new_rigid(scene, say);
    mn_lock_give(MN_LOCK_ODE);
    return r;
}

void mn_rigid_free(mn_rigid *r)
{
    if (!r) return;
    mn_lock_take(MN_LOCK_ODE);
    drop(r);
    mn_lock_give(MN_LOCK_ODE);
}

/* ------------------------------------------------------------ questions */

int mn_rigid_count(const mn_rigid *r) { return r->scene->body_count; }
const mn_rigid_shape *mn_rigid_shape_of(const mn_rigid *r, int body) { return &r->shapes[body]; }
mn_body_state *mn_rigid_states(mn_rigid *r) { return r->states; }
const mn_body_state *mn_rigid_state(const mn_rigid *r, int body) { return &r->states[body]; }
bool mn_rigid_is_free(const mn_rigid *r, int body) { return r->colliders[body].free; }

mn_pose mn_rigid_pose(const mn_rigid *r, int body)
{
    const mn_body_state *s = &r->states[body];
    mn_pose pose;
    memcpy(pose.origin, r->shapes[body].centre, sizeof pose.origin);
    memcpy(pose.at, s->position, sizeof pose.at);
    memcpy(pose.velocity, s->velocity, sizeof pose.velocity);
    memcpy(pose.spin, s->spin, sizeof pose.spin);
    mn_rotation_of_quaternion(s->quaternion, pose.rotation);
    return pose;
}

double mn_rigid_joint(const mn_rigid *r, int joint)
{
    if (!r->joints[joint]) return 0;
    if (r->scene->joints[joint].kind == MN_HINGE) return dJointGetHingeAngle(r->joints[joint]);
    if (r->scene->joints[joint].kind == MN_SLIDER) return dJointGetSliderPosition(r->joints[joint]);
    return 0;
}

/* ------------------------------------------------------------ one step */

/* True of a free body before its release. */
static bool is_held(const mn_rigid *r, const collider *t, double time)
{
    return t->body >= 0 && t->free && time < r->scene->bodies[t->body].release;
}

static void release_body(mn_rigid *r, int k)
{
    memcpy(r->states[k].velocity, r->scene->bodies[k].velocity, sizeof r->states[k].velocity);
    memcpy(r->states[k].spin, r->scene->bodies[k].angular_velocity, sizeof r->states[k].spin);
}

/* State of a body with a motion at that time. */
static void follow_path(mn_rigid *r, int k, double time)
{
    const mn_motion *motion = &r->scene->bodies[k].motion;
    if (!motion->moving) return;
    mn_body_state *s = &r->states[k];
    const mn_pose pose = mn_motion_at(motion, time);
    mn_pose_point(&pose, r->shapes[k].centre, s->position, s->velocity);
    mn_quaternion_of(pose.rotation, s->quaternion);
    memcpy(s->spin, pose.spin, sizeof s->spin);
}

static void put(dBodyID id, const double x[3], const double q[4], const double v[3], const double w[3])
{
    dBodySetPosition(id, x[0], x[1], x[2]);
    dBodySetQuaternion(id, q);
    dBodySetLinearVel(id, v[0], v[1], v[2]);
    dBodySetAngularVel(id, w[0], w[1], w[2]);
}

static void put_collider(mn_rigid *r, const collider *t, double time)
{
    if (t->body >= 0) {
        follow_path(r, t->body, time);
        mn_body_state *s = &r->states[t->body];
        if (is_held(r, t, time)) memset(s->velocity, 0, sizeof s->velocity), memset(s->spin, 0, sizeof s->spin);
        put(t->id, s->position, s->quaternion, s->velocity, s->spin);
        if (!t->free) return;
        if (is_held(r, t, time)) {
            dBodySetKinematic(t->id);
            return;
        }
        dBodySetDynamic(t->id);
        dBodyAddForce(t->id, s->force[0], s->force[1], s->force[2]);
        dBodyAddTorque(t->id, s->torque[0], s->torque[1], s->torque[2]);
    } else if (t->id) {
        const mn_motion *motion = &r->scene->walls[t->wall].motion;
        const mn_pose pose = mn_motion_at(motion, time);
        double q[4];
        mn_quaternion_of(pose.rotation, q);
        put(t->id, pose.at, q, pose.velocity, pose.spin);
    }
}

static bool get_state(mn_rigid *r, const collider *t)
{
    if (t->body < 0 || !t->free) return true;
    mn_body_state *s = &r->states[t->body];
    const dReal *x = dBodyGetPosition(t->id), *q = dBodyGetQuaternion(t->id), *v = dBodyGetLinearVel(t->id),
                *w = dBodyGetAngularVel(t->id);
    double sum = 0;
    for (int a = 0; a < 3; a++)
        s->position[a] = x[a], s->velocity[a] = v[a], s->spin[a] = w[a], sum += x[a] + v[a] + w[a];
    for (int a = 0; a < 4; a++) s->quaternion[a] = q[a], sum += q[a];
    return isfinite(sum);
}

static bool boxes_meet(dGeomID a, dGeomID b)
{
    dReal p[6], q[6];
    dGeomGetAABB(a, p);
    dGeomGetAABB(b, q);
    for (int k = 0; k < 3; k++)
        if (p[2 * k] > q[2 * k + 1] || q[2 * k] > p[2 * k + 1]) return false;
    return true;
}

static void touch(mn_rigid *r, const collider *a, const collider *b, dGeomID one, dGeomID other)
{
    enum { MOST = 64 };
    dContact contacts[MOST];
    const int count = dCollide(one, other, MOST, &contacts[0].geom, sizeof contacts[0]);
    const double bounce = fmax(a->restitution, b->restitution);
    const double grip = b->grip < 0 ? a->grip : a->grip < 0 ? b->grip : sqrt(a->grip * b->grip);
    for (int k = 0; k < count; k++) {
        dContact *c = &contacts[k];
        if (!isfinite(c->geom.depth + c->geom.normal[0] + c->geom.normal[1] + c->geom.normal[2])) continue;
        c->surface = (dSurfaceParameters){.mode = dContactApprox1 | (bounce > 0 ? dContactBounce : 0), .mu = grip};
        c->surface.bounce = bounce;
        c->surface.bounce_vel = 0.01;
        dJointAttach(dJointCreateContact(r->world, r->touching, c), a->id, b->id);
    }
}

static bool may_touch(const collider *a, const collider *b)
{
    if (!(a->free || b->free) || !a->contacts || !b->contacts) return false;
    return !(a->id && b->id && dAreConnectedExcluding(a->id, b->id, dJointTypeContact));
}

static void find_contacts(mn_rigid *r)
{
    for (int i = 0; i < r->collider_count; i++)
        for (int j = i + 1; j < r->collider_count; j++) {
            const collider *a = &r->colliders[i], *b = &r->colliders[j];
            if (!may_touch(a, b)) continue;
            for (int g = 0; g < a->geoms.count; g++)
                for (int h = 0; h < b->geoms.count; h++)
                    if (boxes_meet(a->geoms.geom[g], b->geoms.geom[h]))
                        touch(r, a, b, a->geoms.geom[g], b->geoms.geom[h]);
        }
}

static double deepest_contact(dGeomID one, dGeomID other)
{
    enum { MOST = 16 };
    dContactGeom contacts[MOST];
    double depth = 0;
    const int count = boxes_meet(one, other) ? dCollide(one, other, MOST, contacts, sizeof contacts[0]) : 0;
    for (int k = 0; k < count; k++) depth = fmax(depth, contacts[k].depth);
    return depth;
}

static bool overlap(mn_rigid *r, double depth, const char **first, const char **second)
{
    start();
    for (int i = 0; i < r->collider_count; i++)
        for (int j = i + 1; j < r->collider_count; j++) {
            const collider *a = &r->colliders[i], *b = &r->colliders[j];
            for (int g = 0; may_touch(a, b) && g < a->geoms.count; g++)
                for (int h = 0; h < b->geoms.count; h++) {
                    if (deepest_contact(a->geoms.geom[g], b->geoms.geom[h]) <= depth) continue;
                    *first = a->body >= 0 ? r->scene->bodies[a->body].name : r->scene->walls[a->wall].name;
                    *second = b->body >= 0 ? r->scene->bodies[b->body].name : r->scene->walls[b->wall].name;
                    return true;
                }
        }
    return false;
}

bool mn_rigid_overlap(mn_rigid *r, double depth, const char **first, const char **second)
{
    mn_lock_take(MN_LOCK_ODE);
    const bool found = overlap(r, depth, first, second);
    mn_lock_give(MN_LOCK_ODE);
    return found;
}

/* Walls that have begun to move since the last step (or, in an earlier state that was read, are at rest again). All
 * that began later are attached to their bodies in the order of the scene: contacts come out alike whichever was the
 * first. */
static bool move_walls_that_begin(mn_rigid *r)
{
    bool same = true, ok = true;
    for (int k = 0; k < r->collider_count; k++) {
        const collider *t = &r->colliders[k];
        same = same && (t->wall < 0 || r->scene->walls[t->wall].motion.moving == (t->id != NULL));
    }
    for (int k = 0; k < r->collider_count && !same; k++) {
        collider *t = &r->colliders[k];
        if (!t->geoms.at_rest) continue;
        mn_geoms_detach(&t->geoms);
        dBodyDestroy(t->id);
        t->id = NULL;
    }
    for (int k = 0; k < r->collider_count && !same && ok; k++) {
        collider *t = &r->colliders[k];
        if (t->wall < 0 || t->id || !r->scene->walls[t->wall].motion.moving) continue;
        t->id = new_body(r, r->scene->walls[t->wall].motion.centre, false);
        ok = mn_geoms_attach(&t->geoms, t->id, r->scene->walls[t->wall].motion.centre);
    }
    return ok;
}

void mn_rigid_renew(mn_rigid *r)
{
    mn_lock_take(MN_LOCK_ODE);
    dWorldSetQuickStepNumIterations(r->world, r->scene->rigid_iterations);
    for (int k = 0; k < r->scene->body_count; k++) {
        const mn_body *body = &r->scene->bodies[k];
        collider *t = &r->colliders[k];
        t->contacts = body->contacts, t->grip = body->grip, t->restitution = body->restitution;
        if (mn_rigid_shape_weigh(&r->shapes[k], body) && t->free) set_mass(t->id, &r->shapes[k]);
    }
    for (int k = 0; k < r->scene->joint_count; k++)
        if (r->joints[k]) mn_joint_limit(r->joints[k], &r->scene->joints[k]);
    mn_lock_give(MN_LOCK_ODE);
}

static bool sub_step(mn_rigid *r, double time, double dt)
{
    for (int k = 0; k < r->collider_count; k++) put_collider(r, &r->colliders[k], time);
    dWorldSetContactMaxCorrectingVel(r->world, 0.2 * r->scene->spacing / dt);
    find_contacts(r);
    const unsigned long before = dRandGetSeed(); /* of the program that we are part of */
    dRandSetSeed(r->seed);
    const bool stepped = dWorldQuickStep(r->world, dt);
    r->seed = dRandGetSeed();
    dRandSetSeed(before);
    dJointGroupEmpty(r->touching);
    bool finite = stepped;
    for (int k = 0; k < r->collider_count; k++) finite = get_state(r, &r->colliders[k]) && finite;
    return finite;
}

static mn_status step(mn_rigid *r, double time, double dt, const double gravity[3], mn_messages *say)
{
    const int parts = r->scene->rigid_substeps;
    jmp_buf out;
    volatile bool finite = true;
    start();
    ode_messages = say, exit_point = &out;
    if (setjmp(out)) {
        ode_messages = NULL, exit_point = NULL;
        return MN_FAILED;
    }
    if (!move_walls_that_begin(r)) {
        ode_messages = NULL, exit_point = NULL;
        mn_say_failure(say, MN_NOWHERE, "out of memory for a wall that begins to move");
        return MN_FAILED;
    }
    dWorldSetGravity(r->world, gravity[0], gravity[1], gravity[2]);
    for (int k = 0; k < parts && finite; k++) finite = sub_step(r, time + k * dt / parts, dt / parts);
    for (int k = 0; k < r->scene->body_count; k++) {
        follow_path(r, k, time + dt);
        if (is_held(r, &r->colliders[k], time) && !is_held(r, &r->colliders[k], time + dt)) release_body(r, k);
    }
    ode_messages = NULL, exit_point = NULL;
    if (finite) return MN_OK;
    for (int k = 0; k < r->scene->body_count; k++) {
        const mn_body_state *s = &r->states[k];
        if (isfinite(s->position[0] + s->velocity[0] + s->quaternion[0] + s->spin[0] + s->position[1] + s->position[2]))
            continue;
        mn_say_error(say, r->scene->bodies[k].at,
                     "diverged at time %g s (dt %g s): the body \"%s\" has a state that is not finite; a smaller time "
                     "step may help",
                     time + dt, dt, r->scene->bodies[k].name);
        break;
    }
    return MN_DIVERGED;
}

mn_status mn_rigid_step(mn_rigid *r, double time, double dt, const double gravity[3], mn_messages *say)
{
    mn_lock_take(MN_LOCK_ODE);
    const mn_status status = step(r, time, dt, gravity, say);
    mn_lock_give(MN_LOCK_ODE);
    return status;
}

/* ------------------------------------------------------------ saving */

enum { NUMBERS = sizeof(mn_body_state) / sizeof(double) };

bool mn_rigid_save(const mn_rigid *r, mn_snapshot *snap)
{
    double *states = mn_snapshot_add(snap, "bodies", MN_F64, NUMBERS, r->scene->body_count);
    int64_t *seed = mn_snapshot_add(snap, "bodies_seed", MN_I64, 1, 1);
    if (!states || !seed) return false;
    memcpy(states, r->states, (size_t)r->scene->body_count * sizeof *r->states);
    *seed = (int64_t)r->seed;
    return true;
}

mn_status mn_rigid_load(mn_rigid *r, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *states = mn_snapshot_find(snap, "bodies"), *seed = mn_snapshot_find(snap, "bodies_seed");
    bool good = states && seed && states->type == MN_F64 && states->width == NUMBERS &&
                states->count == r->scene->body_count && seed->type == MN_I64 && seed->width == 1 && seed->count == 1;
    const double *numbers = good ? states->data : NULL;
    for (long i = 0; good && i < states->count * NUMBERS; i++)
        good = fabs(numbers[i]) < (i % NUMBERS < 13 ? 1e12 : 1e30);
    if (!good) {
        mn_say_error(
            say, MN_NOWHERE,
            "the checkpoint does not fit this scene: the states of its bodies are missing or of another number");
        return MN_BAD_INPUT;
    }
    memcpy(r->states, states->data, (size_t)r->scene->body_count * sizeof *r->states);
    r->seed = (unsigned long)*(const int64_t *)seed->data;
    return MN_OK;
}
