/* meshes.h -- the surfaces of frames as files in a folder:
 *
 *     frame_00012.ply            of a scene with one liquid
 *     frame_water_00012.ply      of a scene with several: one mesh each, named after the first fluid of each
 *     frames.pvd                 strings the .vtp, if there are some
 *
 * Fluids of the same density with the same models and parameters are one liquid and share a mesh, unless they are
 * asked for apart.
 */
#ifndef MN_SESSION_MESHES_H
#define MN_SESSION_MESHES_H

#include "surface/barrier.h"
#include "surface/surface.h"

typedef struct mn_meshes_options {
    const char *dir;
    const char *const *formats; /* keys of surface/mesh_files.h */
    int format_count;
    double cell;      /* m; 0: half a spacing */
    double smoothing; /* spacings; negative: the default */
    double hollows;   /* the same */
    bool apart;       /* one mesh for each fluid, whatever it is made of */
    bool keep;        /* files that are there stay as they are */
} mn_meshes_options;

/* Whether two fluids are one liquid: the same density and models. */
bool mn_same_liquid(const mn_fluid *a, const mn_fluid *b);

typedef struct mn_meshes mn_meshes;
/* `scene`, and what the options point to, must outlive it. NULL, with a message, on failure. Makes no folder yet. */
mn_meshes *mn_meshes_new(const mn_scene *scene, const mn_meshes_options *opt, mn_messages *say);
void mn_meshes_free(mn_meshes *meshes);

mn_barrier *mn_meshes_barrier(mn_meshes *meshes); /* to be posed before each frame */

/* The path of the first file of that frame that is there already, malloc'd; NULL: none. */
char *mn_meshes_taken(const mn_meshes *meshes, int number);
/* Whether all files of that frame are there. */
bool mn_meshes_whole(const mn_meshes *meshes, int number);

typedef struct mn_meshes_made {
    int64_t vertices, triangles; /* of all meshes */
    double seconds;              /* for making them, without reading and writing */
} mn_meshes_made;
/* Makes and writes the meshes of one frame. */
mn_status mn_meshes_frame(mn_meshes *meshes, const mn_frame *frame, int number, mn_meshes_made *made, mn_messages *say);
/* Rewrites frames.pvd, of all meshes in the folder; frame k has the time k * interval. Without the format vtp
 * does nothing. */
mn_status mn_meshes_collect(const mn_meshes *meshes, double interval, mn_messages *say);

#endif
