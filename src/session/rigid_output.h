/* rigid_output.h -- the rigid bodies of a run in its folder:
 *
 *     bodies.csv                one row a body whenever stats.csv gets one
 *     bodies/NAME.obj           the triangles of each, about its centre of mass, in the pose of the start
 *     bodies/frame_00012.vtp    one point a body: where it is, and its turn as a rotation vector; bodies.pvd
 *                               lists them
 */
#ifndef MN_SESSION_RIGID_OUTPUT_H
#define MN_SESSION_RIGID_OUTPUT_H

#include "io/rows.h"
#include "scene/scene.h"

/* bodies.csv, closed by mn_rows_free; NULL without a message if the scene has no bodies. */
mn_rows *mn_bodies_open(const mn_scene *scene, const char *dir, int64_t resume_step, mn_messages *say);
/* Of this step; MN_OK for NULL. */
mn_status mn_bodies_row(mn_rows *rows, const mn_scene *scene, const mn_world *world, mn_messages *say);

/* The meshes, and one frame in the formats of the scene. */
mn_status mn_bodies_meshes(const mn_scene *scene, const char *dir, mn_messages *say);
mn_status mn_bodies_frame(const mn_scene *scene, const mn_world *world, const char *dir, int number, mn_messages *say);

#endif
