/* sweep.h -- `meniscus sweep`: a scene run many times with other values, each run in a folder of its own.
 *
 *     DIR/NAME/         a run; NAME tells the values: contact_angle=60_viscosity=1e-5
 *     DIR/NAME.log      what it said (run --json)
 *     DIR/results.csv   one row a finished run: values, exit code, steps, results
 *     DIR/results.png   the results over the first key, where its values are numbers
 *     DIR/curves.png    columns over time, of up to eight runs
 *
 * The same command again continues where it was stopped: finished runs are left as they are.
 */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include <sys/types.h>

#include "args.h"

enum { SWEEP_KEYS = 16, SWEEP_VALUES = 1000, SWEEP_RUNS = 10000, SWEEP_RESULTS = 64 };

typedef struct sweep_key {
    char *path;    /* as of --set */
    char **values; /* as they are written */
    int count;
} sweep_key;

typedef struct sweep_run {
    int value[SWEEP_KEYS]; /* index of each key's value */
    char *name, *dir, *log;
    pid_t pid; /* 0: not running */
    double began;
    bool finished; /* it ended, with `exit` */
    int exit;
    double steps, time, wall; /* of its summary */
    char state[20];
    double result[SWEEP_RESULTS]; /* NAN: it has none */
    bool lacks;                   /* a column that was asked for */
} sweep_run;

/* A number of a table: last, mean, min or max of a column. */
typedef struct sweep_result {
    char kind[8], column[200]; /* as `plot` takes it */
    char name[220];            /* in results.csv */
} sweep_result;

typedef struct sweep {
    const cli_arguments *args;
    const char *dir;
    sweep_key keys[SWEEP_KEYS];
    int key_count;
    sweep_run *runs;
    int run_count;
    sweep_result results[SWEEP_RESULTS];
    int result_count;
    const char *measures[16]; /* what `measure` is asked */
    int measure_count;
    char *measure_text; /* owns them */
} sweep;

/* sweep_plan.c: keys, runs and results that the arguments ask for. */
mn_status sweep_plan(sweep *s);
void sweep_free(sweep *s);

/* sweep_results.c: takes the numbers of a run that ended; writes the table; draws. */
void sweep_take(const sweep *s, sweep_run *run, mn_messages *say);
mn_status sweep_write(const sweep *s, mn_messages *say);
/* False: the first key's values are not numbers. */
bool sweep_draw(const sweep *s, const mn_scene *scene, mn_messages *say);

#endif
