/* source.h -- where pictures come from: numbered frames of a run, or meshes. */
#ifndef MN_RENDER_SOURCE_H
#define MN_RENDER_SOURCE_H

#include "scene/motion.h"
#include "io/frames.h"
#include "render/run_pictures.h"
#include "render/stage.h"
#include "session/replay.h"
#include "surface/surface.h"

typedef struct mn_mesh_file {
    long number;
    char *liquid; /* "" where a frame has one mesh */
    char *path;
    int rank;  /* of its format: the lowest is read */
    int fluid; /* of the scene */
} mn_mesh_file;

typedef struct mn_source {
    const char *path;
    mn_scene *scene;   /* with what was set */
    mn_replay *replay; /* NULL: frames are mesh files */
    mn_barrier *barrier;
    long *numbers;
    int count;
    mn_mesh_file *files; /* by number, then by liquid */
    int file_count;
} mn_source;

/* Finds the frames and reads the scene, with `sets`. MN_BAD_INPUT, with a message, if there is nothing to draw. */
mn_status mn_source_open(mn_source *s, const mn_render_options *opt, mn_messages *say);
void mn_source_close(mn_source *s);

/* Keeps the frames that were asked for. */
mn_status mn_source_select(mn_source *s, const mn_render_options *opt, mn_messages *say);

/* What the run does as a whole, from a few of its frames: the box of nearly all particles, and the scale of the
 * colours. */
typedef struct mn_survey {
    double low[3], high[3];
    double least, most;           /* of the field on the surface */
    double coat_least, coat_most; /* of the substance on walls */
} mn_survey;
mn_status mn_source_survey(const mn_source *s, mn_survey *out, mn_messages *say);
/* The same before the run, from its scene, but for the substance on walls: where the liquid begins, comes from and
 * flies to. False: only the run tells the scale of the colours. */
bool mn_survey_before(const mn_scene *scene, mn_survey *out);
/* The scale of what clings to walls: the camera's, or from none to the most in the first frame. */
mn_status mn_source_survey_coat(const mn_source *s, mn_survey *out, mn_messages *say);

/* Whether surfaces are painted by a field, and which; NULL: they are clear. */
const char *mn_paint_field(const mn_scene *scene);
/* The frame of the same number in another folder of the run: bodies, solids or coats, in the first format there is. */
mn_status mn_source_beside(const mn_source *s, long number, const char *folder, mn_frame *out, mn_messages *say);
/* One number a particle: the field, vectors by their length; speed from the velocity. malloc'd; NULL, with a message
 * that names the fields there are, if the frame lacks it. */
float *mn_paint_values(const mn_frame *frame, const char *field, const char *file, mn_messages *say);

/* The vertices of a mesh as a frame, with their fields. `count`: how many there must be. *frame is to be freed if the
 * status is MN_OK. */
mn_status mn_source_vertices(const char *file, long count, mn_frame *frame, mn_messages *say);

/* Adds everything of frame k to the cast. */
typedef struct mn_take {
    const mn_stage *stage;
    const mn_survey *survey;
    double exposure;     /* s */
    double time;         /* out: s, of the frame; NAN: none */
    double mesh_seconds; /* out: spent on the surface of the liquid */
} mn_take;
mn_status mn_source_cast(const mn_source *s, int k, mn_take *take, mn_cast *out, mn_messages *say);

/* Gives faces of a liquid that lie on a wall the wall's normal at its sharp edges, where vertices are doubled. False:
 * out of memory; the surface is to be freed all the same. */
bool mn_rims_split(mn_surface *surface, mn_surface_wall *wall, const void *walls, double spacing);

#endif
