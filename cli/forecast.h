/* forecast.h -- what a run of a scene will take: particles, steps, minutes, memory and disk, each about. */
#ifndef CLI_FORECAST_H
#define CLI_FORECAST_H

#include "meniscus/meniscus.h"

/* The first steps of the scene, tried. */
typedef struct cli_trial {
    int steps;
    double seconds;     /* for one, the shortest; 0: none was tried */
    double dt;          /* s, of the last; 0: none */
    double bytes;       /* of memory, after them */
    const char *reason; /* why none was tried */
} cli_trial;

/* Of a world that has not made a step. On stdout. */
typedef struct cli_forecast {
    double fastest; /* m/s, what it starts with, emits, and reaches by falling */
    double emitted; /* particles */
    double particles;
} cli_forecast;
cli_forecast cli_forecast_begin(const mn_scene *scene, mn_world *world);
void cli_forecast_print(const cli_forecast *forecast, const mn_scene *scene, const cli_trial *trial);

#endif
