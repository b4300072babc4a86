/* validate_gissler.c -- drag of Gissler et al. 2017: drops against the paper's own equations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

/* L/d: a particle stands for a drop of its volume */
static const double DROP = 0.620350491;

/* Terminal velocities by the paper's equations; what Gunn & Kinzer (1949) measured is printed with it. */
static const struct {
    double diameter, speed; /* mm, m/s */
    const char *quantity;
} drops[] = {
    {0.5, 1.9899732622, "drop of 0.5 mm (Gunn & Kinzer measured 2.06)"},
    {1.0, 3.7756196339, "1.0 mm (4.03)"},
    {1.4, 4.9320057963, "1.4 mm (5.17)"},
    {2.0, 6.2774107944, "2.0 mm (6.49)"},
    {2.6, 7.0323223827, "2.6 mm (7.57)"},
    {3.0, 7.3069738147, "3.0 mm (8.06)"},
    {3.6, 7.6197792769, "3.6 mm (8.60)"},
    {4.0, 7.7792009896, "4.0 mm (8.83)"},
    {4.6, 7.9648020784, "4.6 mm (9.03)"},
    {5.0, 8.0610832856, "5.0 mm (9.09)"},
    {5.4, 8.1402754720, "5.4 mm (9.14)"},
    {5.8, 8.2055085924, "5.8 mm (9.17)"},
    {6.0, 8.2336801206, "6.0 mm"},
};

static mn_status terminal_speed(const validation_setup *setup, double diameter, double *speed, mn_messages *say)
{
    char text[400];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ntime: {step: 0.002, end: 5}\nfluids:\n  - shapes: [{box: {grid: [1, 1, "
             "1]}}]\n    drag: "
             "gissler2017\n",
             0.5e-3 * diameter / DROP);
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
    while (status == MN_OK && mn_world_time(run.world) < run.end) status = validation_step(&run, run.end);
    if (status == MN_OK) status = validation_read(&run, "velocity", run.velocity);
    if (status == MN_OK) *speed = -(double)run.velocity[1];
    validation_close(&run);
    return status;
}

mn_status validate_terminal_velocity(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof drops / sizeof *drops && status == MN_OK; k++) {
        double speed = 0;
        status = terminal_speed(setup, drops[k].diameter, &speed, say);
        if (status == MN_OK) validation_add(out, speed, drops[k].speed, 0.01, drops[k].quantity, "m/s");
    }
    return status;
}

/* What the paper's Fig. 5 and 6 show: speeds of the three drops, deformations of the first two, over time. */
enum { FALLING = 3, FALL_MOST = 4096 };
typedef struct fall {
    double time[FALL_MOST], speed[FALLING][FALL_MOST], deformation[2][FALL_MOST];
    int count;
} fall;

static mn_status note_fall(validation_run *run, fall *out)
{
    float y[FALLING] = {0};
    const mn_status status = validation_read(run, "deformation", y);
    if (status != MN_OK || out->count >= FALL_MOST) return status;
    out->time[out->count] = mn_world_time(run->world);
    for (int f = 0; f < FALLING; f++) out->speed[f][out->count] = -(double)run->velocity[3 * f + 1];
    for (int f = 0; f < 2; f++) out->deformation[f][out->count] = (double)y[f];
    out->count++;
    return MN_OK;
}

static mn_status leave_fall(const validation_setup *setup, const fall *f, mn_messages *say)
{
    static const char *const names[FALLING] = {"approximate", "direct", "no-drag"};
    mn_status status = MN_OK;
    for (int k = 0; k < FALLING && status == MN_OK; k++)
        status = validation_curve(setup, "falling-drop", names[k], "speed", f->time, f->speed[k], f->count, say);
    for (int k = 0; k < 2 && status == MN_OK; k++)
        status = validation_curve(setup, "falling-drop-shape", names[k], "deformation", f->time, f->deformation[k],
                                  f->count, say);
    return status;
}

/* The falling drop of the paper, by both models of deformation and in a vacuum. */
mn_status validate_falling_drop(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "gissler2017/falling-drop", NULL, say) ? MN_OK : MN_BAD_INPUT;
    double half[3] = {0}, apart = 0;
    float y[3] = {0};
    fall *curves = calloc(1, sizeof *curves);
    if (!curves) status = MN_FAILED;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        status = validation_step(&run, mn_world_time(run.world) < 0.5 ? 0.5 : run.end);
        if (status == MN_OK) status = validation_read(&run, "velocity", run.velocity);
        if (status == MN_OK) status = note_fall(&run, curves);
        if (status != MN_OK) break;
        if (fabs(mn_world_time(run.world) - 0.5) < 1e-9)
            for (int f = 0; f < 3; f++) half[f] = -(double)run.velocity[3 * f + 1];
        apart = fmax(apart, fabs((double)run.velocity[1] - (double)run.velocity[4]));
    }
    if (status == MN_OK) status = validation_read(&run, "deformation", y);
    if (status == MN_OK) status = leave_fall(setup, curves, say);
    free(curves);
    if (status == MN_OK) {
        validation_add(out, half[0], 4.5652318, 1e-3, "speed at 0.5 s", "m/s");
        validation_add(out, half[1], 4.5650358, 1e-3, "the same, direct deformation", "m/s");
        validation_add(out, -(double)run.velocity[1], 8.0606276, 1e-3, "speed at 3 s (Gunn & Kinzer: 9.09)", "m/s");
        validation_add(out, -(double)run.velocity[4], 8.0606198, 1e-3, "the same, direct deformation", "m/s");
        validation_add(out, -(double)run.velocity[7], 29.43, 1e-4, "the same, without drag", "m/s");
        validation_add(out, (double)y[0], 0.2251232, 1e-3, "deformation at 3 s", "");
        validation_add(out, (double)y[1], 0.2251402, 1e-3, "the same, direct", "");
        validation_add(out, apart, 0, 0.01, "largest difference of the two speeds", "m/s");
    }
    validation_close(&run);
    return status;
}

/* -- jet ----------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Share of a ring around the jet that particles fill: from 2.5 to 12.5 cm off its opening, 0.2 to 0.8 m below it. */
static double filled(const float *x, size_t n, double d)
{
    const double inner = 0.12, outer = 0.22, top = 0.2, bottom = 0.8;
    double count = 0;
    for (size_t i = 0; i < n; i++) {
        const double r = hypot((double)x[3 * i], (double)x[3 * i + 2]), deep = -(double)x[3 * i + 1];
        count += r > inner && r < outer && deep > top && deep < bottom;
    }
    return count * d * d * d / (3.14159265358979 * (outer * outer - inner * inner) * (bottom - top));
}

/* How far the liquid (the first fluid) of a jet has come, past all but the foremost fiftieth of it, how wide the
 * front spacings are, and what is filled around it. */
typedef struct jet {
    double front, wide, filled;
} jet;

static mn_status jet_run(const validation_setup *setup, const char *scene, const char *set, jet *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, scene, set, say) ? MN_OK : MN_BAD_INPUT;
    if (status == MN_OK) mn_world_limit_step(run.world, run.end);
    while (status == MN_OK && mn_world_time(run.world) < run.end) status = mn_step(run.world, say);
    const size_t n = status == MN_OK ? (size_t)mn_world_particles(run.world) : 0;
    float *x = malloc(3 * n * sizeof *x + 4), *fluid = malloc(n * sizeof *fluid + 4),
          *depth = malloc(n * sizeof *depth + 4);
    if (!x || !fluid || !depth) status = MN_FAILED;
    if (status == MN_OK) status = validation_read(&run, "position", x);
    if (status == MN_OK) status = validation_read(&run, "fluid", fluid);
    size_t count = 0;
    for (size_t i = 0; i < n && status == MN_OK; i++)
        if (fluid[i] == 0) depth[count++] = -x[3 * i + 1];
    if (status == MN_OK && count < 100) status = MN_FAILED;
    if (status == MN_OK) {
        qsort(depth, count, sizeof *depth, by_value);
        out->front = (double)depth[count - 1 - count / 50];
        out->filled = filled(x, n, run.scene->spacing);
        for (size_t i = 0; i < n; i++)
            if (fluid[i] == 0 && -(double)x[3 * i + 1] > out->front - 0.2)
                out->wide = fmax(out->wide, hypot((double)x[3 * i], (double)x[3 * i + 2]));
    }
    free(x), free(fluid), free(depth);
    validation_close(&run);
    return status;
}

/* The front is as far with drag as with simulated air, which stays around the jet, lags behind that of the jet without
 * air, and is wider. The last run: the simulated air without pressure at its open end. */
mn_status validate_jet(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const scenes[] = {"gissler2017/jet-vacuum-small", "gissler2017/jet-drag-small",
                                         "gissler2017/jet-two-phase-small", "gissler2017/jet-two-phase-small"};
    jet jets[4] = {{0}};
    mn_status status = MN_OK;
    for (int k = 0; k < 4 && status == MN_OK; k++)
        status = jet_run(setup, scenes[k], k == 3 ? "domain.pressure=0" : NULL, &jets[k], say);
    if (status != MN_OK) return status;
    validation_add(out, jets[1].front, jets[2].front, 0.15, "front with drag, against that in simulated air", "m");
    /* pressures on both sides of the front are equal at u = v/(1 + sqrt(rho_air/rho)) */
    validation_add(out, jets[1].front / jets[0].front, 1 / (1 + sqrt(50.0 / 1000)), 0.1,
                   "front with drag over front without air", "");
    validation_least(out, jets[1].wide / jets[0].wide, 1.2, "width of the front with drag over that without air", "");
    validation_least(out, jets[2].wide / jets[0].wide, 1.2, "the same in simulated air", "");
    validation_add(out, jets[2].filled, 1, 0.1, "share of the space around the jet that the simulated air fills", "");
    validation_add(out, fmax(jets[3].filled - 0.8, 0), 0, 0, "what of it is beyond 0.8 without the pressure", "");
    return MN_OK;
}

/* -- windshield ---------------------------------------------------------------------------------------------------- */

/* Which share of the water has come down to the apron, x < 0.03 m. */
static mn_status on_the_apron(const validation_setup *setup, bool imported, double *share, mn_messages *say)
{
    validation_setup constant = *setup;
    if (!imported) {
        constant = validation_with(&constant, "air.grid.scale=0");
        constant = validation_with(&constant, "air.velocity=[14, 0, 0]");
    }
    validation_run run;
    mn_status status = validation_open(&run, &constant, "gissler2017/wiper-small", NULL, say) ? MN_OK : MN_BAD_INPUT;
    if (status == MN_OK) mn_world_limit_step(run.world, run.end);
    while (status == MN_OK && mn_world_time(run.world) < run.end) status = mn_step(run.world, say);
    const size_t n = status == MN_OK ? (size_t)mn_world_particles(run.world) : 0;
    float *x = malloc(3 * n * sizeof *x + 4);
    if (!x || !n) status = status == MN_OK ? MN_FAILED : status;
    if (status == MN_OK) status = validation_read(&run, "position", x);
    size_t count = 0;
    for (size_t i = 0; i < n && status == MN_OK; i++) count += x[3 * i] < 0.03f;
    if (status == MN_OK) *share = (double)count / (double)n;
    free(x);
    validation_close(&run);
    return status;
}

/* Imported and constant air of the same wind lead the water to different places. */
mn_status validate_wiper(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    double imported = 0, constant = 0;
    mn_status status = on_the_apron(setup, true, &imported, say);
    if (status == MN_OK) status = on_the_apron(setup, false, &constant, say);
    if (status != MN_OK) return status;
    validation_add(out, imported, 0, 0.05, "share of the water on the apron, imported air", "");
    validation_least(out, constant, 0.1, "the same, constant air", "");
    return MN_OK;
}
