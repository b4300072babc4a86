/* validate_moment.h -- for cases that run a scene to a moment and measure its particles then. Their number may have
 * changed since the start. */
#ifndef CLI_VALIDATE_MOMENT_H
#define CLI_VALIDATE_MOMENT_H

#include "measure/measure.h"
#include "scene/scene.h"
#include "validate.h"

typedef struct moment {
    validation_run run;
    float *position, *fluid;
    double *scratch; /* one number a particle */
    mn_cloud all;
} moment;

/* until: s; 0: the scene's end. End it whatever the status. */
mn_status moment_run(moment *m, const validation_setup *setup, const char *scene, const char *set, double until,
                     mn_messages *say);
/* The same with several changes of the scene; the last is NULL. */
mn_status moment_run_with(moment *m, const validation_setup *setup, const char *scene, const char *const *sets,
                          double until, mn_messages *say);
/* The text of a scene, not yet run: moment_go_on does. */
mn_status moment_text(moment *m, const validation_setup *setup, const char *text, mn_messages *say);
mn_status moment_go_on(moment *m, double until);
void moment_end(moment *m);

/* Largest over smallest eigenvalue of the covariance: 1 for a ball. */
double moment_roundness(const moment *m);
/* Root mean square, m/s, where all fluids are one liquid. */
double moment_speed(const moment *m);
/* Mean of |grad c|^2 over the particles, with their volumes at rest (He et al. 2014): the free-surface energy of Jeske
 * et al. 2023 up to a constant. All pairs: for few particles. */
double moment_surface_energy(moment *m);
/* This share of the particles between two heights is nearer to the y axis. */
double moment_radius(moment *m, double low, double high, double share);
/* This share of the particles lies lower. */
double moment_height(moment *m, double share);

/* Of a particle from a point, m. */
double moment_distance(const moment *m, int64_t i, const double from[3]);
/* Layers of particles in a film on a ball, up to `reach` spacings from it, in each of 60 directions from its centre,
 * all but the poles: the fewest of them. *spread: their standard deviation over their mean. */
double moment_thinnest(const moment *m, const mn_shape_def *ball, double reach, double *spread);

typedef struct pieces_summary {
    int count;               /* of `least` particles or more */
    int64_t largest, crumbs; /* particles of the largest; of all that are not counted */
} pieces_summary;
mn_status moment_pieces(const moment *m, int least, pieces_summary *out);

#endif
