/* soft.h -- the soft solids of a scene: sampling, what holds them, what they touch. Their mechanics stand in
 * elastic.h.
 *
 * To the fluid the particles of a solid are boundary points that move, each with the volume it has at the moment; the
 * forces of fluid and air on them are the load of the next step of the solid. The whole state is x and v of every
 * particle, and the surplus of energy of each solid.
 */
#ifndef MN_SOFT_SOFT_H
#define MN_SOFT_SOFT_H

#include "rigid/body_shape.h"
#include "soft/elastic.h"
#include "scene/motion.h"
#include "geometry/geometry.h"
#include "io/snapshot.h"

typedef struct mn_soft mn_soft;
/* NULL, with a message, on failure. `scene` must outlive it. */
mn_soft *mn_soft_new(const mn_scene *scene, int threads, mn_messages *say);
void mn_soft_free(mn_soft *solids);
/* Takes the materials of the scene as it is now. */
void mn_soft_renew(mn_soft *solids);
int mn_soft_count(const mn_soft *solids);
int mn_soft_particles(const mn_soft *solids); /* of all together */
const mn_elastic *mn_soft_elastic(const mn_soft *solids, int solid);
/* Distance from the nearest solid at rest, negative inside; at least `limit` beyond that. */
double mn_soft_distance(const mn_soft *solids, const double x[3], double limit);
/* The same of the solids as they are now: from their particles, half a spacing thick. */
double mn_soft_gap(const mn_soft *solids, const double x[3], double limit);
/* Appends the particles of a solid at rest; they have no normals. */
mn_status mn_soft_sample(const mn_soft *solids, int solid, mn_points *points, mn_points *normals);
/* Where a particle is, how fast, and its present volume. */
void mn_soft_point(const mn_soft *solids, int solid, int particle, double x[3], double velocity[3], double *volume);

/* A step: the forces (N) of fluid and air on each particle, of one solid after the other; contacts with rigid
 * bodies; motion from `time` to `time + dt`. MN_DIVERGED, with a message, when a solid leaves the finite numbers. */
void mn_soft_load(mn_soft *solids, const double (*force)[3]);
/* `force` and `torque` (about pose->at) get what the solids do to the body during the step. */
bool mn_soft_touch(mn_soft *solids, const mn_rigid_shape *shape, const mn_pose *pose, bool is_free, double grip,
                   double dt, double force[3], double torque[3]);
mn_status mn_soft_step(mn_soft *solids, double time, double dt, const double gravity[3], mn_messages *say);

mn_solid_stats mn_soft_stats(const mn_soft *solids, int solid);
mn_status mn_soft_get(const mn_soft *solids, int solid, const char *field, float *out, mn_messages *say);
bool mn_soft_save(const mn_soft *solids, mn_snapshot *snap);
mn_status mn_soft_restore(mn_soft *solids, const mn_snapshot *snap, mn_messages *say);
uint64_t mn_soft_hash(const mn_soft *solids, uint64_t hash); /* FNV-1a, continued */

/* soft_part.c: those of a world; NULL: none. */
mn_soft *mn_soft_of(const mn_world *w);

#endif
