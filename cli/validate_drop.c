/* validate_drop.c -- drops at rest and swinging, see validate_drop.h. */
#include "validate_drop.h"

#include <math.h>
#include <stdio.h>

#include "scene/scene.h"

static const double RHO = 1000;

double drop_radius(const moment *m) { return cbrt(0.75 / M_PI * (double)m->all.count) * m->all.spacing; }
double drop_capillary_speed(double radius) { return sqrt(DROP_SIGMA / (RHO * radius)); }
double drop_lamb(int l, double radius)
{
    return sqrt(l * (l - 1) * (l + 2) * DROP_SIGMA / (RHO * radius * radius * radius));
}

mn_status drop_open(moment *m, const validation_setup *setup, const drop_setup *drop, mn_messages *say)
{
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: %g, end: 1}\n"
             "pressure: {tolerance: %g}\nfluids:\n  - shapes: [{sphere: {radius: %g}}]\n%s",
             drop->spacing, drop->dt, drop->tolerance, drop->radius, drop->lines);
    return moment_text(m, setup, text, say);
}

static double pressure_inside(moment *m, const double centre[3], double r)
{
    const double d = m->all.spacing;
    double sum = 0, n = 0;
    for (int64_t i = 0; i < m->all.count; i++) {
        double square = 0;
        for (int a = 0; a < 3; a++) square += pow((double)m->position[3 * i + a] - centre[a], 2);
        if (square < pow(r - 3 * d, 2)) sum += (double)m->run.pressure[i], n += 1;
    }
    return sum / fmax(1, n);
}

mn_status drop_look(moment *m, double until, drop_rest *out)
{
    validation_run *run = &m->run;
    mn_status status = MN_OK;
    *out = (drop_rest){0};
    for (int k = 0; k < 3 && status == MN_OK; k++) {
        status = moment_go_on(m, until - 0.0024 + 0.0012 * k);
        if (status == MN_OK) status = validation_read(run, "pressure", run->pressure);
        if (status != MN_OK) break;
        double centre[3], axes[3];
        mn_measure_moments(&m->all, centre, axes);
        const double d = m->all.spacing, r = drop_radius(m), u = drop_capillary_speed(r);
        const mn_stats stats = mn_world_stats(run->world);
        out->radius = r;
        out->pressure += pressure_inside(m, centre, r) / 3;
        out->speed = moment_speed(m) / u;
        out->round = sqrt(axes[2] / axes[0]);
        out->drift = sqrt(pow(stats.momentum[0], 2) + pow(stats.momentum[1], 2) + pow(stats.momentum[2], 2)) /
                     (RHO * pow(d, 3) * (double)m->all.count * u);
    }
    return status;
}

/* -- swinging ------------------------------------------------------------------------------------------------------ */

static void middle(const moment *m, double centre[3])
{
    for (int a = 0; a < 3; a++) centre[a] = 0;
    for (int64_t i = 0; i < m->all.count; i++)
        for (int a = 0; a < 3; a++) centre[a] += (double)m->position[3 * i + a] / (double)m->all.count;
}

mn_status drop_kick(moment *m, int l, double speed)
{
    double centre[3];
    const double r = drop_radius(m);
    mn_status status = validation_read(&m->run, "velocity", m->run.velocity);
    if (status != MN_OK) return status;
    middle(m, centre);
    for (int64_t i = 0; i < m->all.count; i++) {
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = ((double)m->position[3 * i + a] - centre[a]) / r;
        /* gradients of r^2 P_2 and r^3 P_3 over what they are at the pole */
        const double across = x[0] * x[0] + x[2] * x[2];
        const double side = l == 2 ? -0.5 : -x[1], along = l == 2 ? x[1] : x[1] * x[1] - 0.5 * across;
        float *v = m->run.velocity + 3 * i;
        v[0] += (float)(speed * side * x[0]), v[1] += (float)(speed * along), v[2] += (float)(speed * side * x[2]);
    }
    return mn_world_set(m->run.world, "velocity", m->run.velocity, m->run.say);
}

double drop_amplitude(const moment *m, int l)
{
    double centre[3], sum = 0;
    const double r = drop_radius(m);
    middle(m, centre);
    for (int64_t i = 0; i < m->all.count; i++) {
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = ((double)m->position[3 * i + a] - centre[a]) / r;
        const double across = x[0] * x[0] + x[2] * x[2];
        sum += l == 2 ? x[1] * x[1] - 0.5 * across : x[1] * (x[1] * x[1] - 1.5 * across);
    }
    return sum / (double)m->all.count * (2 * l + 1) / 3;
}

/* Least squares of a cos + b sin + c with the damping taken out; returns the sum of squares that is left. */
static double left_over(const double *t, const double *q, int n, double omega, double damping)
{
    double a[3][4] = {{0}};
    for (int i = 0; i < n; i++) {
        const double e = exp(-damping * t[i]), f[3] = {e * cos(omega * t[i]), e * sin(omega * t[i]), 1};
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) a[r][c] += f[r] * f[c];
            a[r][3] += f[r] * q[i];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++) {
            if (r == k || a[k][k] == 0) continue;
            const double by = a[r][k] / a[k][k];
            for (int c = k; c < 4; c++) a[r][c] -= by * a[k][c];
        }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double e = exp(-damping * t[i]), f[3] = {e * cos(omega * t[i]), e * sin(omega * t[i]), 1};
        double at = -q[i];
        for (int r = 0; r < 3; r++) at += a[r][r] != 0 ? a[r][3] / a[r][r] * f[r] : 0;
        sum += at * at;
    }
    return sum;
}

drop_swing drop_fit(const double *time, const double *value, int count, double near)
{
    enum { WIDE = 12, ROUNDS = 8 };
    double omega = near, damping = 0.5 * near, reach = 0.7 * near, best = INFINITY, all = 0;
    for (int round = 0; round < ROUNDS; round++, reach *= 0.35) {
        const double middle_omega = omega, middle_damping = damping;
        for (int i = -WIDE; i <= WIDE; i++)
            for (int k = -WIDE; k <= WIDE; k++) {
                const double o = middle_omega + reach * i / WIDE, b = fmax(0, middle_damping + reach * k / WIDE);
                const double sum = left_over(time, value, count, o, b);
                if (sum < best) best = sum, omega = o, damping = b;
            }
    }
    for (int i = 0; i < count; i++) all += value[i] * value[i];
    return (drop_swing){omega, damping, sqrt(omega * omega + damping * damping), sqrt(best / fmax(all, 1e-300))};
}
