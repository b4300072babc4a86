/* soft.h -- the deformable solids of a scene: sampling, what holds them, what they touch. Their mechanics stand in elastic.h.
 *
 * To the fluid the particles of a solid are wall points that move, each with the volume it has at the moment; the forces of fluid and air on them are
 * the load of the next step of the solid. The whole state is x and v of every particle.
 */
#ifndef MN_SOFT_SOFT_H
#define MN_SOFT_SOFT_H

#include "rigid/shape.h"
#include "soft/elastic.h"
#include "scene/motion.h"
#include "geometry/geometry.h"
#include "io/snapshot.h"

typedef struct mn_solids mn_solids;
/* NULL, with a message, on failure. `scene` must outlive it. */
mn_solids *mn_solids_new(const mn_scene *scene, int threads, mn_messages *say);
void mn_solids_free(mn_solids *solids);
int mn_solids_count(const mn_solids *solids);
int mn_solids_particles(const mn_solids *solids); /* of all together */
const mn_elastic *mn_solids_elastic(const mn_solids *solids, int solid);
/* Distance from the nearest solid at rest, negative inside; at least `limit` beyond that. */
double mn_solids_distance(const mn_solids *solids, const double x[3], double limit);
/* Appends the particles of a solid at rest; they have no normals. */
mn_status mn_solids_sample(const mn_solids *solids, int solid, mn_points *points, mn_points *normals);
/* Where a particle is, how fast, and its present volume. */
void mn_solids_point(const mn_solids *solids, int solid, int particle, double x[3], double velocity[3], double *volume);

/* A step: the forces (N) of fluid and air on each particle, of one solid after the other; contacts with rigid bodies; motion from `time` to `time + dt`.
   MN_DIVERGED, with a message, when a solid leaves the finite numbers. */
void mn_solids_load(mn_solids *solids, const double (*force)[3]);
/* `force` and `torque` (about pose->at) get what the solids do to the body during the step. */
bool mn_solids_touch(mn_solids *solids, const mn_form *form, const mn_pose *pose, bool is_free, double grip, double dt,
                     double force[3], double torque[3]);
mn_status mn_solids_step(mn_solids *solids, double time, double dt, const double gravity[3], mn_messages *say);

mn_solid_stats mn_solids_stats(const mn_solids *solids, int solid);
mn_status mn_solids_get(const mn_solids *solids, int solid, const char *field, float *out, mn_messages *say);
bool mn_solids_save(const mn_solids *solids, mn_snapshot *snap);
mn_status mn_solids_restore(mn_solids *solids, const mn_snapshot *snap, mn_messages *say);
uint64_t mn_solids_hash(const mn_solids *solids, uint64_t hash); /* FNV-1a, continued */

/* system.c: those of a world; NULL: none. */
mn_solids *mn_soft_of(const mn_world *w);

#endif
