/* forecast.h -- what a run of a scene will take: particles, steps, minutes, memory and disk, each about. */
#ifndef CLI_FORECAST_H
#define CLI_FORECAST_H

#include "meniscus/meniscus.h"

/* The first steps of the scene, tried: what one costs with so many particles, in classes of twice as many each. */
enum { CLI_TRIAL_CLASSES = 24 };
typedef struct cli_trial {
    int steps; /* 0: none was tried */
    struct {
        double particles, seconds; /* of its shortest step */
    } least[CLI_TRIAL_CLASSES];
    double dt;          /* s, of the last; 0: none */
    double particles;   /* after it */
    double bytes;       /* of memory, after them */
    const char *reason; /* why none was tried */
} cli_trial;
void cli_trial_add(cli_trial *trial, double particles, double seconds, double dt);

/* Of a world that has not made a step. On stdout. */
typedef struct cli_forecast {
    double fastest; /* m/s, what it starts with, emits, and reaches by falling */
    double emitted; /* particles */
    double particles;
} cli_forecast;
cli_forecast cli_forecast_begin(const mn_scene *scene, mn_world *world);
void cli_forecast_print(const cli_forecast *forecast, const mn_scene *scene, const cli_trial *trial);

#endif
