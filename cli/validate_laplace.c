/* validate_laplace.c -- tension in N/m: drops of water of 1 mm, without weight.
 *
 * U = sqrt(sigma/(rho R)) is the speed of capillary motion. Each drop starts from a lattice, unless it says otherwise.
 * Drops at rest are brought to rest with twenty times water's viscosity; from 17 or 33 ms on they have water's.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "validate_drop.h"

static const double RADIUS = 1e-3, WATER = 1e-6; /* m, m^2/s */

#define POISSON "    sampling: poisson\n"

typedef struct rest_row {
    double radius, dt;
    const char *lines, *what[3];
} rest_row;

static mn_status rest_all(const validation_setup *setup, double tolerance, double until, const rest_row *rows,
                          int count, validation_report *out, mn_messages *say)
{
    double drift = 0;
    for (int k = 0; k < count; k++) {
        const drop_setup one = {RADIUS, RADIUS / rows[k].radius, rows[k].dt, tolerance, rows[k].lines};
        drop_rest d = {0};
        moment m;
        mn_status status = drop_open(&m, setup, &one, say);
        if (status == MN_OK) status = drop_look(&m, until, &d);
        moment_end(&m);
        if (status != MN_OK) return status;
        validation_add(out, d.pressure * d.radius / (2 * DROP_SIGMA), 1, 0.05, rows[k].what[0], "");
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
        {7, 6e-5, DROP_STILL, {"7 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
        {7, 3e-5, DROP_STILL, {"the same, half the step: pressure", "speed", "axes"}},
        {10, 4e-5, DROP_STILL, {"10 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
        {10, 2e-5, DROP_STILL, {"the same, half the step: pressure", "speed", "axes"}},
        {7, 6e-5, DROP_STILL POISSON, {"7 spacings, from Poisson disks: pressure", "speed", "axes"}},
    };
    return rest_all(setup, 0.002, 0.0252, rows, (int)(sizeof rows / sizeof *rows), out, say);
}

/* With a solver ten times as exact: a tolerance of 0.002 takes 7 to 31 % of the pressure here. */
mn_status validate_laplace_sizes(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const rest_row rows[] = {
        {6, 7e-5, DROP_ROUND, {"6 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
        {6, 3.5e-5, DROP_ROUND, {"the same, half the step: pressure", "speed", "axes"}},
        {6, 7e-5, DROP_ROUND POISSON, {"6 spacings, from Poisson disks: pressure", "speed", "axes"}},
        {15,
         2.2e-5,
         DROP_ROUND,
         {"15 spacings: pressure over 2 sigma/R", "speed over U", "longest over shortest axis"}},
    };
    return rest_all(setup, 0.0002, 0.0412, rows, (int)(sizeof rows / sizeof *rows), out, say);
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

/* Half to twice of what water has. */
static void add_damping(validation_report *out, double damping, double lamb, const char *what)
{
    validation_add(out, damping / lamb, 1.25, 0.6, what, "");
}

typedef struct swing_row {
    int l;
    double spacings, dt; /* to the radius; s */
    const char *lines, *what[2];
} swing_row;

/* A ball at rest, kicked into a wave of l: 0.05 of the radius. Two periods. */
static mn_status kicked(const validation_setup *setup, const swing_row *row, validation_report *out, mn_messages *say)
{
    enum { POINTS = 80 };
    const drop_setup ball = {RADIUS, RADIUS / row->spacings, row->dt, 0.002, row->lines};
    const double start = 0.036, own = (row->l - 1) * (2 * row->l + 1);
    double time[POINTS], value[POINTS];
    moment m;
    mn_status status = drop_open(&m, setup, &ball, say);
    if (status == MN_OK) status = moment_go_on(&m, start);
    const double r = status == MN_OK ? drop_radius(&m) : RADIUS, lamb = drop_lamb(row->l, r);
    if (status == MN_OK) status = drop_kick(&m, row->l, 0.05 * r * lamb);
    for (int k = 0; k < POINTS && status == MN_OK; k++) {
        time[k] = 4 * M_PI / lamb * (k + 1) / POINTS;
        status = moment_go_on(&m, start + time[k]);
        if (status == MN_OK) value[k] = drop_amplitude(&m, row->l);
    }
    if (status == MN_OK) {
        const drop_swing swing = drop_fit(time, value, POINTS, lamb);
        validation_add(out, swing.own / lamb, 1, 0.05, row->what[0], "");
        add_damping(out, swing.damping, own * WATER / (r * r), row->what[1]);
        char name[60];
        snprintf(name, sizeof name, "%s-%g-%gus%s", row->l == 2 ? "two" : "three", row->spacings, 1e6 * row->dt,
                 strstr(row->lines, POISSON) ? "-poisson" : "");
        status = validation_curve(setup, "laplace-lamb", name, "amplitude", time, value, POINTS, say);
    }
    moment_end(&m);
    return status;
}

/* A short capsule swings as l = 2. The frequency is that of the second to the sixth passage through the round shape,
   the damping from the largest elongations between them. */
static mn_status capsule(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] = "particles: {spacing: 1e-4}\ngravity: [0, 0, 0]\ntime: {step: 4e-5, end: 1}\n"
                               "pressure: {tolerance: 0.002}\nfluids:\n"
                               "  - shapes: [{capsule: {radius: 9.3e-4, height: 2.4e-4}}]\n" DROP_WATER;
    moment m;
    mn_status status = moment_text(&m, setup, text, say);
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
        const double r = drop_radius(&m), lamb = drop_lamb(2, r);
        const double omega = 4 * M_PI / (at[5] - at[1]), damping = log(most[2] / most[4]) / (0.5 * (at[5] - at[1]));
        const double own = sqrt(omega * omega + damping * damping);
        validation_add(out, own / lamb, 1, 0.05, "frequency of l = 2 without its damping over Lamb's, 10 spacings", "");
        add_damping(out, damping, 5 * WATER / (r * r), "its damping over that of water");
    }
    moment_end(&m);
    return status;
}

mn_status validate_laplace_lamb(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const swing_row rows[] = {
        {2, 10, 2e-5, DROP_ROUND, {"of a ball that is kicked, half the step: frequency", "damping"}},
        {2, 10, 4e-5, DROP_ROUND POISSON, {"the same from Poisson disks: frequency", "damping"}},
        {2, 6, 8e-5, DROP_ROUND, {"6 spacings: frequency", "damping"}},
        {2, 15, 2.2e-5, DROP_ROUND, {"15 spacings: frequency", "damping"}}};
    const size_t count = setup->end > 0 ? 0 : sizeof rows / sizeof *rows; /* tests: the capsule only */
    mn_status status = capsule(setup, out, say);
    for (size_t k = 0; k < count && status == MN_OK; k++) status = kicked(setup, &rows[k], out, say);
    return status;
}

mn_status validate_laplace_lamb_three(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const swing_row rows[] = {
        {3, 7, 6e-5, DROP_ROUND, {"frequency of l = 3 over Lamb's, 7 spacings", "its damping over that of water"}},
        {3, 10, 4e-5, DROP_ROUND, {"the same, 10 spacings", "damping"}},
        {3, 15, 2.2e-5, DROP_ROUND, {"the same, 15 spacings", "damping"}},
        {3, 6, 8e-5, DROP_ROUND, {"the same, 6 spacings", "damping"}},
        {3, 10, 2e-5, DROP_ROUND, {"the same, 10 spacings, half the step", "damping"}},
        {3, 10, 4e-5, DROP_ROUND POISSON, {"the same, 10 spacings from Poisson disks", "damping"}}};
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == MN_OK; k++)
        status = kicked(setup, &rows[k], out, say);
    return status;
}
