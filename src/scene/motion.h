/* motion.h -- given paths of walls and bodies, and rotations as matrices and quaternions. */
#ifndef MN_SCENE_MOTION_H
#define MN_SCENE_MOTION_H

#include "scene/scene.h"

/* Where a rigid thing is: x = at + rotation (rest - origin), and how fast it moves there. */
typedef struct mn_pose {
    double origin[3], at[3], rotation[9]; /* row-major */
    double velocity[3], spin[3];          /* of the origin, m/s; rad/s in the world's axes */
} mn_pose;
mn_pose mn_motion_at(const mn_motion *motion, double time);
/* The same, but velocity and spin are by how much they change at that very moment: at a key of piecewise linear
 * paths. */
mn_pose mn_motion_jolt(const mn_motion *motion, double time);
double mn_motion_next_key(const mn_motion *motion, double time); /* the first after that time, INFINITY: none */
void mn_pose_point(const mn_pose *pose, const double rest[3], double x[3], double velocity[3]);
void mn_pose_rest(const mn_pose *pose, const double x[3], double rest[3]); /* the inverse */

void mn_rotation_of(const double vector[3], double matrix[9]);       /* rotation vector, rad (Rodrigues) */
void mn_rotation_of_quaternion(const double q[4], double matrix[9]); /* w x y z */
void mn_quaternion_of(const double matrix[9], double q[4]);          /* unit, w >= 0 */

#endif
