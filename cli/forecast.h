/* forecast.h -- what a run of a scene will take: particles, steps, minutes, memory and disk, each about. */
#ifndef CLI_FORECAST_H
#define CLI_FORECAST_H

#include "meniscus/meniscus.h"

/* The first steps of the scene, tried: what one costs with so many particles, in classes of twice as many each. */
enum { CLI_TRIAL_CLASSES = 24, CLI_TRIAL_STEPS = 4096 };
typedef struct cli_trial {
    int steps; /* 0: none was tried */
    struct {
        int count;
        double particles, seconds; /* sums over its steps */
    } class[CLI_TRIAL_CLASSES];
    double dt;                        /* s, mean over the latter half of the steps; 0: none */
    double time[CLI_TRIAL_STEPS + 1]; /* s, simulated, after each */
    double particles;                 /* after the last */
    double speed;                     /* m/s, the fastest then */
    double bytes;                     /* of memory, after it */
    const char *reason;               /* why none was tried */
} cli_trial;
void cli_trial_add(cli_trial *trial, const mn_stats *stats, double seconds);

/* Of a world that has not made a step. On stdout. */
typedef struct cli_forecast {
    double given;   /* m/s, what it starts with and emits */
    double fastest; /* m/s, what it starts with, emits, and reaches by falling */
    double emitted; /* particles */
    double particles;
} cli_forecast;
cli_forecast cli_forecast_begin(const mn_scene *scene, mn_world *world);
void cli_forecast_print(const cli_forecast *forecast, const mn_scene *scene, const cli_trial *trial,
                        const char *backend);

#endif
