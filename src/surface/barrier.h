/* barrier.h -- walls, rigid bodies and soft solids at one moment, and the faces of a periodic box, as what a liquid
 * ends at; see mn_surface_wall. */
#ifndef MN_SURFACE_BARRIER_H
#define MN_SURFACE_BARRIER_H

#include "geometry/bend.h"
#include "scene/motion.h"

typedef struct mn_barrier mn_barrier;

/* `scene` must outlive it. NULL, with a message, on failure; a scene without walls and bodies gives one without
 * effect. */
mn_barrier *mn_barrier_new(const mn_scene *scene, mn_messages *say);
void mn_barrier_free(mn_barrier *barrier);

/* Puts a wall where it is. */
void mn_barrier_wall(mn_barrier *barrier, int wall, const mn_pose *pose);
/* Puts a body where it is: its centre of mass, and its turn since the start as a matrix. */
void mn_barrier_body(mn_barrier *barrier, int body, const double centre[3], const double rotation[9]);

/* Bends the soft solids as their particles are. False: out of memory. */
bool mn_barrier_solids(mn_barrier *barrier, const mn_soft_points *points);

bool mn_barrier_empty(const mn_barrier *barrier);
double mn_barrier_distance(const void *barrier, const double x[3], double limit, double *gap);

#endif
