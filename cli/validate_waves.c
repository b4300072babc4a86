/* validate_waves.c -- waves that break against the wind (Gissler et al. 2017, Fig. 12). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

enum { ROWS = 64, STARTS = 3, LATTICE_WIDTH = 8 };

/* The foremost particles of one row: half the width of the slab, so that single drops do not count. */
typedef struct front_row {
    float first[LATTICE_WIDTH / 2]; /* rising */
    int count;                      /* particles in the row */
} front_row;

static void enter(front_row *row, float x)
{
    enum { KEPT = LATTICE_WIDTH / 2 };
    int at = row->count < KEPT ? row->count : KEPT;
    while (at > 0 && row->first[at - 1] > x) at--;
    if (at < KEPT) {
        for (int k = KEPT - 1; k > at; k--) row->first[k] = row->first[k - 1];
        row->first[at] = x;
    }
    row->count++;
}

/* How much farther the front, which goes to -x, has come at some height than at one below it, and its place there. Rows
 * are one spacing high and start two above the level of the water at rest. */
static double overhang(const float *x, int64_t n, double level, double d, double *place)
{
    front_row rows[ROWS] = {0};
    for (int64_t i = 0; i < n; i++) {
        const double row = floor(((double)x[3 * i + 1] - level) / d) - 2;
        if (row >= 0 && row < ROWS) enter(&rows[(int)row], x[3 * i]);
    }
    double behind = -INFINITY, most = 0;
    for (int k = 0; k < ROWS && rows[k].count >= LATTICE_WIDTH; k++) {
        const double front = (double)rows[k].first[LATTICE_WIDTH / 2 - 1];
        if (behind - front > most) most = behind - front, *place = front;
        behind = fmax(behind, front);
    }
    return most;
}

/* Moment and place at which the first wave hangs over by two spacings; time 0: it does not. */
static mn_status breaking(const validation_setup *setup, const char *const sets[2], const char *name, double *time,
                          double *place, mn_messages *say)
{
    enum { MOST = 4096 };
    const validation_setup changed = validation_with(setup, sets[1]);
    int count = 0;
    validation_run run;
    mn_status status = validation_open(&run, &changed, "gissler2017/waves", sets[0], say) ? MN_OK : MN_BAD_INPUT;
    double *const times = malloc(2 * MOST * sizeof *times), *const hangs = times ? times + MOST : NULL;
    if (!times) status = MN_FAILED;
    double last = 0, then = 0, level = 0;
    if (status == MN_OK) status = validation_read(&run, "position", run.position);
    for (int64_t i = 0; i < run.count && status == MN_OK; i++)
        level = fmax(level, (double)run.position[3 * i + 1] + 0.5 * run.scene->spacing);
    *time = 0, *place = 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end && *time == 0 && count < MOST) {
        status = mn_step(run.world, say); /* spray may leave the tank */
        if (status == MN_OK) status = validation_read(&run, "position", run.position);
        if (status != MN_OK) break;
        const double d = run.scene->spacing, now = mn_world_time(run.world);
        const double hang = overhang(run.position, mn_world_particles(run.world), level, d, place);
        if (hang >= 2 * d) *time = then + (now - then) * (2 * d - last) / (hang - last);
        times[count] = now, hangs[count++] = hang;
        last = hang, then = now;
    }
    if (status == MN_OK) status = validation_curve(setup, "waves", name, "overhang", times, hangs, count, say);
    free(times);
    validation_close(&run);
    return status;
}

/* Without drag and against the paper's wind, from three starts each. */
mn_status validate_waves(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const winds[2] = {"fluids.water.drag=null", "air.velocity=[10, 0, 0]"},
                             *const starts[STARTS] = {"fluids.water.seed=1", "fluids.water.seed=2",
                                                      "fluids.water.seed=3"};
    double time[2][STARTS] = {{0}}, place[2][STARTS] = {{0}}, mean[2] = {0}, at[2] = {0}, broke[2] = {0};
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < STARTS; s++) {
            const char *const sets[2] = {winds[k], starts[s]}, *const names[2] = {"still", "wind"};
            const mn_status status = breaking(setup, sets, names[k], &time[k][s], &place[k][s], say);
            if (status != MN_OK) return status;
            broke[k] += time[k][s] > 0, mean[k] += time[k][s] / STARTS, at[k] += place[k][s] / STARTS;
        }
    double latest = 0, earliest = INFINITY;
    for (int s = 0; s < STARTS; s++) {
        latest = fmax(latest, time[0][s]);
        if (time[1][s] > 0) earliest = fmin(earliest, time[1][s]);
    }
    validation_add(out, broke[0], STARTS, 1e-9, "starts in which the wave breaks without wind, of 3", "");
    validation_add(out, broke[1], STARTS, 1e-9, "against the wind", "");
    validation_least(out, earliest - latest, 0, "against the wind: earliest break less the latest without drag", "s");
    validation_least(out, at[0] - at[1], 0.02, "its distance from the wave maker less that without drag", "m");
    snprintf(out->table, sizeof out->table,
             "  mean of 3 starts: breaks after %.4f s, %.3f m (no drag), %.4f s, %.3f m (wind)\n"
             "  earliest to latest: %.4f to %.4f s, %.4f to %.4f s\n",
             mean[0], 4.6 - at[0], mean[1], 4.6 - at[1], fmin(time[0][0], fmin(time[0][1], time[0][2])), latest,
             earliest, fmax(time[1][0], fmax(time[1][1], time[1][2])));
    return MN_OK;
}
