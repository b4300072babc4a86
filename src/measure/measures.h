/* measures.h -- what can be asked of a frame by name: the table behind `meniscus measure` and its columns. */
#ifndef MN_MEASURES_H
#define MN_MEASURES_H

#include "io/frames.h"
#include "measure/measure.h"
#include "scene/scene.h"

/* What to measure: which particles, on which floor. */
typedef struct mn_measure_options {
    const char *fluid; /* name; NULL: all fluids */
    const char *wall;  /* name of the wall that is the floor; NULL: the first that has one */
    int least;         /* particles of a drop; fewer are crumbs */
} mn_measure_options;

/* Checks the names against the scene, with a message where one is unknown. */
mn_status mn_measure_check(const mn_scene *scene, const mn_measure_options *options, mn_messages *say);

/* A frame made ready: the particles that are asked for. */
typedef struct mn_measured {
    const mn_scene *scene;
    mn_measure_options options;
    double time;
    mn_cloud cloud;
    float *position, *velocity; /* velocity NULL: the frame does not hold it */
    bool *inside;               /* the liquid without its spray; NULL until asked for */
} mn_measured;
mn_status mn_measured_make(mn_measured *out, const mn_scene *scene, const mn_frame *frame,
                           const mn_measure_options *options, mn_messages *say);
void mn_measured_free(mn_measured *m);

/* The grid of columns under a liquid, two spacings wide; its heights are malloc'd. NULL without liquid or memory. */
double *mn_measured_heights(mn_measured *m, mn_height_grid *grid);

enum { MN_MEASURE_COLUMNS = 8 };
typedef struct mn_measure_info {
    const char *name, *help;
    struct {
        const char *name, *unit; /* unit "": a pure number */
    } columns[MN_MEASURE_COLUMNS];
    int count;
    mn_status (*take)(mn_measured *m, double out[MN_MEASURE_COLUMNS], mn_messages *say);
} mn_measure_info;
int mn_measure_count(void);
const mn_measure_info *mn_measure_at(int index);
const mn_measure_info *mn_measure_find(const char *name); /* NULL: none */

#endif
