/* soft_output.h -- the soft solids of a run in its folder:
 *
 *     solids.csv                one row a solid whenever stats.csv gets one
 *     solids/frame_00012.vtp    all their particles, with velocity, displacement, stress (von Mises') and
 *                               index of the solid; solids.pvd lists them
 */
#ifndef MN_SESSION_SOFT_OUTPUT_H
#define MN_SESSION_SOFT_OUTPUT_H

#include "io/rows.h"
#include "scene/scene.h"

/* solids.csv, closed by mn_rows_free; NULL without a message if the scene has no solids. */
mn_rows *mn_soft_open(const mn_scene *scene, const char *dir, int64_t resume_step, mn_messages *say);
/* Of this step; MN_OK for NULL. */
mn_status mn_soft_row(mn_rows *rows, const mn_scene *scene, const mn_world *world, mn_messages *say);

/* Where the particles of all solids are, for meshes: a copy. To be released whatever the status. */
typedef struct mn_soft_state {
    float *position, *displacement;
    int32_t *solid;
    long count;
} mn_soft_state;
mn_status mn_soft_gather(const mn_scene *scene, const mn_world *world, mn_soft_state *out, mn_messages *say);
void mn_soft_release(mn_soft_state *state);

/* One frame in the formats of the scene. */
mn_status mn_soft_frame(const mn_scene *scene, const mn_world *world, const char *dir, int number, mn_messages *say);

#endif
