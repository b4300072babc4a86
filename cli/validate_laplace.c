/* validate_laplace.c -- tension in N/m and contact angles in degrees: drops of water of 1 mm, without weight.
 *
 * U = sqrt(sigma/(rho R)) is the speed of capillary motion. Each drop starts from a lattice, unless it says otherwise.
 */
#include <math.h>
#include <stdio.h>

#include "scene/scene.h"
#include "validate_moment.h"

static const double SIGMA = 0.0728, RADIUS = 1e-3, U = 0.2698; /* N/m, m, m/s */

typedef struct drop {
    double pressure; /* mean in the middle over 2 sigma/R */
    double speed;    /* root mean square over U */
    double round;    /* longest over shortest moment */
    double drift;    /* speed of the centre over U */
} drop;

static mn_status open_text(moment *m, const validation_setup *setup, const char *text, mn_messages *say)
{
    *m = (moment){0};
    return validation_open_text(&m->run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
}

/* Sums of three moments 1 ms apart. */
static mn_status look(moment *m, double until, drop *out)
{
    validation_run *run = &m->run;
    mn_status status = MN_OK;
    for (int k = 0; k < 3 && status == MN_OK; k++) {
        status = moment_go_on(m, until - 0.0024 + 0.0012 * k);
        if (status == MN_OK) status = validation_read(run, "pressure", run->pressure);
        if (status != MN_OK) break;
        double centre[3], axes[3], sum = 0, n = 0;
        mn_measure_moments(&m->all, centre, axes);
        const double d = m->all.spacing, r = cbrt(0.75 / M_PI * (double)m->all.count) * d;
        for (int64_t i = 0; i < m->all.count; i++) {
            double square = 0;
            for (int a = 0; a < 3; a++) square += pow((double)m->position[3 * i + a] - centre[a], 2);
            if (square < pow(r - 3 * d, 2)) sum += (double)run->pressure[i], n += 1;
        }
        const mn_stats stats = mn_world_stats(run->world);
        out->pressure += sum / fmax(1, n) / (2 * SIGMA / r) / 3;
        out->speed = moment_speed(m) / U;
        out->round = sqrt(axes[2] / axes[0]);
        out->drift = sqrt(pow(stats.momentum[0], 2) + pow(stats.momentum[1], 2) + pow(stats.momentum[2], 2)) /
                     (1000 * pow(d, 3) * (double)m->all.count * U);
    }
    return status;
}

static mn_status rest(const validation_setup *setup, double radius, double dt, double tolerance, const char *lines,
                      double until, drop *out, mn_messages *say)
{
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: %g, end: 1}\n"
             "pressure: {tolerance: %g}\nfluids:\n  - shapes: [{sphere: {radius: %g}}]\n%s",
             RADIUS / radius, dt, tolerance, RADIUS, lines);
    moment m;
    *out = (drop){0};
    mn_status status = open_text(&m, setup, text, say);
    if (status == MN_OK) status = look(&m, until, out);
    moment_end(&m);
    return status;
}

#define WATER "    viscosity: {model: standard, viscosity: 1e-6}\n    surface_tension: 0.0728\n"

typedef struct rest_row {
    double radius, dt;
    const char *lines, *what[3];
} rest_row;

static mn_status rest_all(const validation_setup *setup, double tolerance, const rest_row *rows, int count,
                          validation_report *out, mn_messages *say)
{
    double drift = 0;
    for (int k = 0; k < count; k++) {
        drop d;
        const mn_status status = rest(setup, rows[k].radius, rows[k].dt, tolerance, rows[k].lines, 0.0168, &d, say);
        if (status != MN_OK) return status;
        validation_add(out, d.pressure, 1, 0.05, rows[k].what[0], "");
        validation_add(out, d.speed, 0, 0.01, rows[k].what[1], "");
        validation_add(out, d.round, 1, 0.01, rows[k].what[2], "");
        drift = fmax(drift, d.drift);
    }
    validation_add(out, drift, 0, 1e-5, "speed of the centre over U, of all", "");
    return MN_OK;
}

mn_status validate_laplace_drop(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const rest_row rows[] = {
        {7, 6e-5, WATER, {"7 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
        {7, 3e-5, WATER, {"the same, half the step: pressure", "speed", "axes"}},
        {10, 4e-5, WATER, {"10 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
        {10, 2e-5, WATER, {"the same, half the step: pressure", "speed", "axes"}},
        {7, 6e-5, WATER "    sampling: poisson\n", {"7 spacings, from Poisson disks: pressure", "speed", "axes"}},
    };
    return rest_all(setup, 0.002, rows, (int)(sizeof rows / sizeof *rows), out, say);
}

/* With a solver ten times as exact: a tolerance of 0.002 takes 7 to 31 % of the pressure here. */
mn_status validate_laplace_sizes(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const rest_row rows[] = {
        {6, 7e-5, WATER, {"6 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
        {6, 3.5e-5, WATER, {"the same, half the step: pressure", "speed", "axes"}},
        {6, 7e-5, WATER "    sampling: poisson\n", {"6 spacings, from Poisson disks: pressure", "speed", "axes"}},
        {15, 2.2e-5, WATER, {"15 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
    };
    return rest_all(setup, 0.0002, rows, (int)(sizeof rows / sizeof *rows), out, say);
}

/* -- oscillation --------------------------------------------------------------------------------------------------- */

static double elongation(const moment *m)
{
    double centre[3] = {0}, q = 0;
    for (int64_t i = 0; i < m->all.count; i++)
        for (int a = 0; a < 3; a++) centre[a] += (double)m->position[3 * i + a] / (double)m->all.count;
    for (int64_t i = 0; i < m->all.count; i++)
        for (int a = 0; a < 3; a++)
            q += (a == 1 ? 1 : -0.5) * pow((double)m->position[3 * i + a] - centre[a], 2) / (double)m->all.count;
    return q;
}

/* A short capsule swings as l = 2. The frequency is that of the second to the sixth passage through the round shape,
   the damping from the largest elongations between them. */
mn_status validate_laplace_lamb(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] = "particles: {spacing: 1e-4}\ngravity: [0, 0, 0]\ntime: {step: 4e-5, end: 1}\n"
                               "pressure: {tolerance: 0.002}\nfluids:\n"
                               "  - shapes: [{capsule: {radius: 9.3e-4, height: 2.4e-4}}]\n" WATER;
    moment m;
    mn_status status = open_text(&m, setup, text, say);
    double last = 0, at[6] = {0}, most[7] = {0};
    int passed = 0;
    for (double t = 2e-4; t < 0.04 && passed < 6 && status == MN_OK; t += 2e-4) {
        status = moment_go_on(&m, t);
        if (status != MN_OK) break;
        const double q = elongation(&m);
        most[passed] = fmax(most[passed], fabs(q));
        if (t > 3e-4 && q * last < 0) at[passed++] = t - 2e-4 * q / (q - last);
        last = q;
    }
    if (status == MN_OK) {
        const double r = cbrt(0.75 / M_PI * (double)m.all.count) * 1e-4, lamb = sqrt(8 * SIGMA / (1000 * r * r * r));
        const double omega = 4 * M_PI / (at[5] - at[1]), damping = log(most[2] / most[4]) / (0.5 * (at[5] - at[1]));
        const double own = sqrt(omega * omega + damping * damping);
        /* sqrt(sigma d/rho)/5: what the model makes of water's viscosity */
        const double nu = 0.2 * sqrt(SIGMA * 1e-4 / 1000);
        validation_add(out, own / lamb, 1, 0.05, "frequency of l = 2 without its damping over Lamb's, 10 spacings", "");
        validation_add(out, damping / (5 * nu / (r * r)), 1, 0.5, "damping over Lamb's at the least viscosity", "");
    }
    moment_end(&m);
    return status;
}

/* -- drops on a plate ---------------------------------------------------------------------------------------------- */

/* A cap with the volume of half a ball of 8 spacings on a plate, which starts with the angle `from`; the angle of the
   cap with its centre of mass. The liquid begins 0.6 spacings above the wall's points. */
static mn_status sessile(const validation_setup *setup, double angle, double from, double *found, double *speed,
                         mn_messages *say)
{
    char text[1024];
    const double d = RADIUS / 8, c = cos(from * M_PI / 180), ball = RADIUS * cbrt(2 / ((2 + c) * (1 - c) * (1 - c)));
    snprintf(text, sizeof text,
             "particles: {spacing: %g}\ngravity: [0, 0, 0]\ntime: {step: 4e-5, end: 1}\npressure: {tolerance: 0.002}\n"
             "fluids:\n  - shapes: [{sphere: {centre: [0, %g, 0], radius: %g}}]\n"
             "    holes: [{box: {min: [-1, -1, -1], max: [1, %g, 1]}}]\n    jitter: 0.1\n" WATER
             "walls:\n  - contact_angle: %g\n"
             "    shapes: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], size: [0.006, 0.006]}}]\n",
             d, 0.6 * d - ball * c, ball, 0.6 * d, angle);
    moment m;
    mn_status status = open_text(&m, setup, text, say);
    if (status == MN_OK) status = moment_go_on(&m, 0.016);
    if (status == MN_OK) {
        mn_cap cap;
        if (!mn_measure_cap(&m.all, (const double[3]){0, 1, 0}, 0.6 * d, &cap)) status = MN_FAILED;
        *found = cap.angle;
        *speed = moment_speed(&m) / U;
    }
    moment_end(&m);
    return status;
}

/* The bars of 30, 105, 120 and 150 degrees are what is reached, not what is asked for: see docs/methods/laplace.md. */
mn_status validate_laplace_angle(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        double angle, from, bar, calm;
        const char *what;
    } rows[] = {{60, 90, 5, 0.01, "contact angle, 60 asked for"},
                {90, 90, 5, 0.01, "90 asked for"},
                {75, 45, 5, 0.05, "75 asked for, from 45: the line draws back"},
                {75, 90, 5, 0.02, "75 asked for"},
                {45, 90, 5, 0.1, "45 asked for"},
                {105, 90, 8, 0.03, "105 asked for, comes out low"},
                {120, 90, 14, 0.05, "120 asked for, comes out low"},
                {150, 90, 25, 0.1, "150 asked for, comes out low"},
                {30, 90, 10, 0.3, "30 asked for, restless"}};
    const int count = setup->end > 0 ? 3 : (int)(sizeof rows / sizeof *rows); /* tests: the first three */
    for (int k = 0; k < count; k++) {
        double angle = 0, speed = 0;
        const mn_status status = sessile(setup, rows[k].angle, rows[k].from, &angle, &speed, say);
        if (status != MN_OK) return status;
        validation_add(out, angle, rows[k].angle, rows[k].bar / rows[k].angle, rows[k].what, "degrees");
        validation_add(out, speed, 0, rows[k].calm, "speed over U", "");
    }
    return MN_OK;
}

/* -- all models ---------------------------------------------------------------------------------------------------- */

/* The drop of 7 spacings with each model, its coefficients set for water as its page says. Only laplace is held to 5 %;
   the bars of the others are there to be seen. */
mn_status validate_tension(const validation_setup *setup, validation_report *out, mn_messages *say)
{
#define THICK "    viscosity: {model: standard, viscosity: 1e-5}\n"
    static const struct {
        const char *lines, *pressure, *speed;
        double bar, calm;
    } rows[] = {
        {WATER, "laplace: pressure over 2 sigma/R", "speed over U", 0.05, 0.01},
        {THICK "    tension: {model: akinci2013, cohesion: 119, curvature: 119}\n", "akinci2013", "speed", 100, 1},
        {THICK "    tension: {model: wang2017, cohesion: 830000, curvature: 99}\n", "wang2017", "speed", 100, 100},
        {THICK "    surface: orthmann2013\n    tension: {model: lafaurie1994, tension: 0.0728}\n", "lafaurie1994",
         "speed", 100, 100},
        {THICK "    tension: {model: jeske2023, cohesion: 1.2}\n", "jeske2023", "speed", 100, 1},
        {THICK "    tension: {model: morris2000, tension: 0.0728}\n", "morris2000", "speed", 100, 100},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        drop d;
        const mn_status status = rest(setup, 7, 3e-5, 0.002, rows[k].lines, 0.0168, &d, say);
        if (status != MN_OK) return status;
        validation_add(out, d.pressure, 1, rows[k].bar, rows[k].pressure, "");
        validation_add(out, d.speed, 0, rows[k].calm, rows[k].speed, "");
    }
    return MN_OK;
}
