/* rigid.h -- rigid bodies in motion: forces in, poses out. Contacts and joints are solved by ODE.
 *
 * The states here are the whole truth: before every step they are put into ODE and after it they are read back, and
 * its random numbers are seeded from here. So a state that was saved and loaded goes on with the same bits.
 */
#ifndef MN_RIGID_RIGID_H
#define MN_RIGID_RIGID_H

#include "rigid/body_shape.h"
#include "scene/motion.h"
#include "io/snapshot.h"

typedef struct mn_body_state {
    double position[3];   /* of the centre of mass, m */
    double quaternion[4]; /* w x y z, from the rest pose */
    double velocity[3];   /* m/s, of the centre of mass */
    double spin[3];       /* rad/s, in the world's axes */
    double force[3];      /* N, what the fluid does to it */
    double torque[3];     /* N m, about the centre of mass */
} mn_body_state;

typedef struct mn_rigid mn_rigid;
/* Bodies, joints and walls of the scene; NULL, with a message, on failure. `scene` must outlive it. */
mn_rigid *mn_rigid_new(const mn_scene *scene, mn_messages *say);
void mn_rigid_free(mn_rigid *rigid);
/* Takes masses, contacts, joints' limits and iterations of the scene as it is now. */
void mn_rigid_renew(mn_rigid *rigid);
int mn_rigid_count(const mn_rigid *rigid);
const mn_rigid_shape *mn_rigid_shape_of(const mn_rigid *rigid, int body);
/* One for each body; the caller sets force and torque before a step. */
mn_body_state *mn_rigid_states(mn_rigid *rigid);
const mn_body_state *mn_rigid_state(const mn_rigid *rigid, int body);
bool mn_rigid_is_free(const mn_rigid *rigid, int body);
/* From `time` to `time + dt`, with constant forces. MN_DIVERGED if a state is no longer finite. */
mn_status mn_rigid_step(mn_rigid *rigid, double time, double dt, const double gravity[3], mn_messages *say);
mn_pose mn_rigid_pose(const mn_rigid *rigid, int body);
/* How far a hinge has turned (rad) or a slider gone (m); 0 for others. */
double mn_rigid_joint(const mn_rigid *rigid, int joint);

/* Two things of the rest pose that contacts would have to push apart, deeper than `depth`: names of the first such
 * pair; false if there is none. */
bool mn_rigid_overlap(mn_rigid *rigid, double depth, const char **first, const char **second);

bool mn_rigid_save(const mn_rigid *rigid, mn_snapshot *snap);
mn_status mn_rigid_load(mn_rigid *rigid, const mn_snapshot *snap, mn_messages *say);

/* rigid_part.c: those of a world; NULL: none. */
mn_rigid *mn_rigid_of(const mn_world *w);

#endif
