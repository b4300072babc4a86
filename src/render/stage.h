/* stage.h -- what stands around the liquid, as triangles for the tracer: walls, rigid bodies and soft solids with
 * their looks, and the ground.
 *
 * Defaults. A wall turned inside out is a container: thin glass, without a lid, with bars along the edges of a
 * box, and rings at the ends of a cylinder or cone.
 * A level plane is the ground; without one the ground lies under the lowest thing that is drawn. Everything else is
 * matte.
 */
#ifndef MN_RENDER_STAGE_H
#define MN_RENDER_STAGE_H

#include "scene/motion.h"
#include "geometry/bend.h"
#include "render/tracer.h"

/* Meshes of one picture. They own their arrays. */
typedef struct mn_cast {
    mn_trace_mesh *meshes;
    int count, capacity;
} mn_cast;
void mn_cast_free(mn_cast *cast);
/* Room for one more, NULL when out of memory. Its arrays are to be malloc'd. */
mn_trace_mesh *mn_cast_add(mn_cast *cast);

typedef struct mn_stage mn_stage;

/* Loads the shapes of the scene. `low` and `high` bound what the liquid does in the whole run. NULL, with a message,
 * on failure. */
mn_stage *mn_stage_new(const mn_scene *scene, const double low[3], const double high[3], mn_messages *say);
void mn_stage_free(mn_stage *stage);

/* Light, ground and the view: the camera's, or one that frames what happens. MN_BAD_INPUT, with a message, if the
 * eye is inside something opaque. */
mn_studio mn_stage_studio(const mn_stage *stage);
mn_view mn_stage_view(const mn_stage *stage);
mn_status mn_stage_check_eye(const mn_stage *stage, const mn_view *view, double time, mn_messages *say);

/* What clings to walls and bodies: points with an amount, shown from clean, `least`, to coated, `most`. */
typedef struct mn_coat_points {
    const float *position, *amount;
    const int32_t *object; /* the wall, or the number of walls and the body */
    long count;
    double least, most;
} mn_coat_points;
/* The colour of a wall by the share of it that is coated; for the scale too. */
vec3 mn_coat_colour(float share);

/* Walls at a time, by the motions of `now` (the scene with what was changed until then), bodies in their poses about
 * the centre of mass (NULL: as at the start), both with their motion during the exposure. `coat` may be NULL. */
mn_status mn_stage_walls(const mn_stage *stage, const mn_scene *now, double time, double exposure,
                         const mn_coat_points *coat, mn_cast *out, mn_messages *say);
mn_status mn_stage_bodies(const mn_stage *stage, const mn_pose *poses, double exposure, const mn_coat_points *coat,
                          mn_cast *out, mn_messages *say);
/* Soft solids: their shapes at rest, moved with the particles around each vertex. */
mn_status mn_stage_solids(const mn_stage *stage, const mn_soft_points *points, mn_cast *out, mn_messages *say);

/* A fluid's look; -1: of one that no scene describes. */
mn_surface_look mn_stage_liquid(const mn_stage *stage, int fluid);

#endif
