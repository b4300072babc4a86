/* measures.h -- what can be asked of particles by name: the table behind mn_measured_take and `meniscus measure`. */
#ifndef MN_MEASURES_H
#define MN_MEASURES_H

#include "io/frames.h"
#include "measure/measure.h"
#include "scene/scene.h"

struct mn_measured {
    const mn_scene *scene;
    mn_measure_options options;
    double time;
    mn_cloud cloud;
    float *position, *velocity; /* velocity NULL: the frame does not hold it */
    bool *inside;               /* the liquid without its spray; NULL until asked for */
    mn_drop *drops;             /* NULL until asked for */
    int drop_count;
    int64_t crumbs;
    double *height; /* NULL until asked for */
    mn_height_grid grid;
};

/* The particles of a frame that are asked for. NULL, with a message, where a name is unknown or memory is short. */
mn_measured *mn_measured_make(const mn_scene *scene, const mn_frame *frame, const mn_measure_options *options,
                              mn_messages *say);

/* Checks the names against the scene, with a message where one is unknown. */
mn_status mn_measure_check(const mn_scene *scene, const mn_measure_options *options, mn_messages *say);

const mn_measure_info *mn_measure_find(const char *name); /* NULL: none */

#endif
