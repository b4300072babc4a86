/* validate_dam.c -- dam breaks: the front of Martin & Moyce (1952), and the compression that the solvers leave.
 *
 * Front: the largest x of particles inside the liquid (density above half the rest density: no spray), plus half a spacing, as Z = front/a over
 * T = t sqrt(2 g/a). The published times count from the signal to a diaphragm that first had to give way; the column here is free at t = 0.
 * So the curves are compared after the one constant shift of T, between 0 and 0.5, that serves best (docs/methods/dam-break.md says why); the way of the front
 * between two late moments is compared with the clock as published.
 */
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

static const double measured[][2] = {{0.83, 1.22}, {1.22, 1.47}, {2.00, 2.29}, {2.55, 3.00}, {3.35, 4.13}, {4.03, 4.94},
                                     {4.42, 5.88}, {5.09, 6.98}, {5.69, 7.95}, {6.31, 8.97}, {6.82, 9.99}};
enum { POINTS = sizeof measured / sizeof *measured, STEPS_MOST = 20000 };

typedef struct curve {
    double (*at)[2]; /* T, Z */
    int count;
} curve;

static mn_status front(validation_run *run, double *x)
{
    mn_status status = validation_read(run, "position", run->position);
    if (status == MN_OK) status = validation_read(run, "density", run->density);
    *x = -INFINITY;
    for (int64_t i = 0; i < run->count && status == MN_OK; i++)
        if (run->density[i] > 0.5 * run->scene->fluids[0].density) *x = fmax(*x, run->position[3 * i]);
    return status;
}

static double front_at(const curve *c, double T)
{
    int k = 1;
    while (k < c->count - 1 && c->at[k][0] < T) k++;
    const double *a = c->at[k - 1], *b = c->at[k];
    return c->count < 2 || T <= c->at[0][0] ? c->at[0][1] : a[1] + (b[1] - a[1]) * (T - a[0]) / (b[0] - a[0]);
}

/* Largest deviation over the points that the run reached, with the best shift. */
static double compare(const curve *c, double *shift)
{
    double best = INFINITY;
    for (int s = 0; s <= 50; s++) {
        double worst = 0;
        for (int p = 0; p < POINTS; p++) {
            const double T = measured[p][0] - 0.01 * s;
            if (T > c->at[c->count - 1][0]) continue;
            worst = fmax(worst, fabs(front_at(c, T) / measured[p][1] - 1));
        }
        if (worst < best) best = worst, *shift = 0.01 * s;
    }
    return best;
}

/* Way of the front from the third to the last point, over the measured one; nothing is shifted. */
static double way(const curve *c)
{
    const double *from = measured[2], *to = measured[POINTS - 1];
    return (front_at(c, to[0]) - front_at(c, from[0])) / (to[1] - from[1]);
}

static mn_status martin_moyce(const validation_setup *setup, const char *solver, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "basics/martin-moyce", solver, say) ? MN_OK : MN_BAD_INPUT;
    curve c = {malloc(STEPS_MOST * sizeof *c.at), 0};
    if (status == MN_OK && !c.at) status = MN_FAILED;
    if (status == MN_OK) {
        const double a = run.scene->fluids[0].shapes[0].grid[0] * run.scene->spacing;
        double gravity[3], x = 0;
        mn_curve_at(&run.scene->gravity, 0, gravity);
        c.at[c.count][0] = 0, c.at[c.count++][1] = 1;
        while (status == MN_OK && mn_world_time(run.world) < run.end && c.count < STEPS_MOST) {
            status = validation_step(&run, run.end);
            if (status == MN_OK) status = front(&run, &x);
            c.at[c.count][0] = mn_world_time(run.world) * sqrt(-2 * gravity[1] / a);
            c.at[c.count++][1] = (x + 0.5 * run.scene->spacing) / a;
        }
    }
    if (status == MN_OK) {
        double shift = 0;
        const double worst = compare(&c, &shift);
        validation_add(out, worst, 0, 0.05, "largest deviation of the front", "of its position");
        validation_add(out, shift, 0, 0.5, "shift of T that serves best", "");
        validation_add(out, way(&c), 1, 0.05, "way of the front from T = 2.00 to 6.82, unshifted", "of the measured one");
    }
    free(c.at);
    validation_close(&run);
    return status;
}

mn_status validate_martin_moyce_dfsph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return martin_moyce(setup, "pressure.model=dfsph", out, say);
}

mn_status validate_martin_moyce_iisph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return martin_moyce(setup, "pressure.model=iisph", out, say);
}

/* The mean compression after every step is at most what the scene asked for. */
static mn_status density_error(const validation_setup *setup, const char *solver, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "basics/dam-30k", solver, say) ? MN_OK : MN_BAD_INPUT;
    double worst = 0, sweeps = 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        status = validation_step(&run, run.end);
        if (status != MN_OK) break;
        const mn_stats stats = mn_world_stats(run.world);
        worst = fmax(worst, stats.density_error_avg);
        sweeps = fmax(sweeps, stats.pressure_iterations);
    }
    if (status == MN_OK) {
        const double asked = 0.01 * run.scene->tolerance;
        validation_add(out, worst / asked, 0, 1, "largest mean compression of a step", "of the tolerance");
        validation_add(out, sweeps, 0, run.scene->max_iterations, "most sweeps in a step", "");
    }
    validation_close(&run);
    return status;
}

mn_status validate_density_dfsph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return density_error(setup, "pressure.model=dfsph", out, say);
}

mn_status validate_density_iisph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return density_error(setup, "pressure.model=iisph", out, say);
}

mn_status validate_density_pcisph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return density_error(setup, "pressure.model=pcisph", out, say);
}
