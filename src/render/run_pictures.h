/* run_pictures.h -- ray-traced pictures of a finished run, or of meshes, without simulating.
 *
 * The source is the folder of a run (run.yaml and frames/), a folder of meshes frame_*.ply, .obj or .stl, or one
 * such file. Pictures are DIR/frame_00012.png; with more than one of them and ffmpeg DIR/film.mp4 and DIR/film.gif.
 */
#ifndef MN_RUN_PICTURES_H
#define MN_RUN_PICTURES_H

#include <signal.h>

#include "scene/scene.h"

enum { MN_RENDER_SAMPLES = 16 };

typedef struct mn_render_options {
    const char *source;
    const char *dir;        /* NULL: SOURCE/render; of a mesh file: its name without the extension, and -render */
    long first, last, step; /* of the frames; last negative: to the end */
    int width, height;      /* 0: the camera's */
    int samples;            /* most a pixel; 0: MN_RENDER_SAMPLES, four times as many with a lens or an exposure */
    int threads;            /* 0: all */
    const char *const *sets;
    int set_count;
    bool overwrite; /* replaces pictures that are there */
    bool resume;    /* leaves them, and makes the others */
    /* looked at before each picture; NULL: never */
    const volatile sig_atomic_t *stop;
    void (*progress)(void *user, int done, int count, const char *picture); /* after each picture; NULL: none */
    void *user;
} mn_render_options;

typedef struct mn_render_summary {
    char dir[4096];
    int pictures, kept;           /* made; there already, with `resume` */
    double seconds, mesh_seconds; /* wall clock in all, and for the surfaces of it */
} mn_render_summary;

/* MN_BAD_INPUT, with a message and before anything is written: no frames, none of the wanted ones, an unknown field
 * or key, an eye inside a wall, an impossible size, a picture that is there already. */
mn_status mn_render(const mn_render_options *opt, mn_messages *say, mn_render_summary *out);

/* Pictures of a run while it goes on, into DIR/render. Camera and colours follow from the scene alone, since the
 * rest of the run is not known yet: mn_render afterwards may frame it closer. Where only the run tells the scale of
 * the colours, all are drawn at its end. */
typedef struct mn_live_render mn_live_render;

/* `threads`: 0: those of the thread that draws. NULL, with a message and before anything is written: an eye inside a
 * wall, an impossible size, a scene that writes no frames. `scene` must outlive it. */
mn_live_render *mn_live_render_new(const mn_scene *scene, const char *dir, int threads, mn_messages *say);
void mn_live_render_free(mn_live_render *live);
/* Draws a frame whose files are whole. One call at a time. */
mn_status mn_live_render_frame(void *live, int number, mn_messages *say);
/* After the run: draws the frames that have no picture (of a run that was stopped and resumed), and makes the films.
 * `opt`: stop, progress and user alone count. */
mn_status mn_live_render_finish(mn_live_render *live, const mn_render_options *opt, mn_messages *say,
                                mn_render_summary *out);

#endif
