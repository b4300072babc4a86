/* validate_fluids.c -- two fluids that move against each other, in slabs that are periodic across: plane flows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

static const double PI = 3.14159265358979323846;

/* ------------------------------------------------------------------------------------ Rayleigh-Taylor instability */

/* A heavy fluid (2) over a light one (1), a wave of wavenumber k between them. */
typedef struct layers {
    double light, heavy, viscosity, gravity, wave; /* kg/m^3, m^2/s, m/s^2, 1/m */
} layers;

/* Zero where n is the growth rate of the wave (Chandrasekhar 1961, chapter X): in each fluid w = A e^-k|y| + B
 * e^-q|y|, q^2 = k^2 + n/nu, with w, its slope and the shear stress continuous, and the jump of the normal stress. */
static double imbalance(const layers *s, double n)
{
    const double k = s->wave, q = sqrt(k * k + n / s->viscosity), mu1 = s->light * s->viscosity,
                 mu2 = s->heavy * s->viscosity, slope = q - k;
    /* slope (B1 + B2) = -2 k,  n (heavy B2 - light B1) = 2 k^2 (mu1 - mu2) */
    const double sum = -2 * k / slope, shear = 2 * k * k * (mu1 - mu2) / n;
    const double b1 = (s->heavy * sum - shear) / (s->heavy + s->light), b2 = sum - b1;
    const double steep = k * (1 - b1) + q * b1;
    return k * (s->heavy * (1 - b2) + s->light * (1 - b1)) - k * k / (n * n) * s->gravity * (s->heavy - s->light) -
           2 * k * k / n * steep * (mu2 - mu1);
}

static double growth_rate(const layers *s)
{
    double low = 1e-3, high = 1.5 * sqrt(s->gravity * s->wave);
    for (int i = 0; i < 100; i++) {
        const double n = 0.5 * (low + high);
        if (imbalance(s, n) < 0) low = n;
        else high = n;
    }
    return 0.5 * (low + high);
}

/* The first Fourier mode of the wave, from the heavy particles: a = -2/area sum V cos(k x). */
static mn_status amplitude(validation_run *run, const float *fluid, double wave, double area, double *out)
{
    const double volume = pow(run->scene->spacing, 3);
    double sum = 0;
    const mn_status status = validation_read(run, "position", run->position);
    for (int64_t i = 0; i < run->count; i++)
        if (fluid[i] > 0) sum += volume * cos(wave * (double)run->position[3 * i]);
    *out = -2 * sum / area;
    return status;
}

/* The start of a growing wave without viscosity: displacement a e^-k|y|, velocity n times that. */
static mn_status disturb(validation_run *run, double wave, double middle, double high, double rate)
{
    mn_status status = validation_read(run, "position", run->position);
    for (int64_t i = 0; i < run->count && status == MN_OK; i++) {
        float *x = run->position + 3 * i, *v = run->velocity + 3 * i;
        const double y = (double)x[1] - middle, a = high * exp(-wave * fabs(y)), phase = wave * (double)x[0];
        const double up = a * cos(phase), along = (y > 0 ? 1 : -1) * a * sin(phase);
        x[0] += (float)along, x[1] += (float)up;
        v[0] = (float)(rate * along), v[1] = (float)(rate * up), v[2] = 0;
    }
    if (status == MN_OK) status = mn_world_set(run->world, "position", run->position, run->say);
    return status == MN_OK ? mn_world_set(run->world, "velocity", run->velocity, run->say) : status;
}

/* Growth rate between amplitudes of 0.015 and 0.04 wavelengths, from a start of 0.01. */
static mn_status grow(validation_run *run, const layers *s, double middle, double *out)
{
    const double area = (run->scene->high[0] - run->scene->low[0]) * (run->scene->high[2] - run->scene->low[2]);
    const double length = 2 * PI / s->wave, bounds[2] = {0.015 * length, 0.04 * length};
    double a = 0, last = 0, then = 0, at[2] = {0, 0};
    float *fluid = malloc((size_t)run->count * sizeof *fluid);
    mn_status status = fluid ? validation_read(run, "fluid", fluid) : MN_FAILED;
    if (status == MN_OK) status = disturb(run, s->wave, middle, 0.01 * length, growth_rate(s));
    int passed = 0;
    while (status == MN_OK && passed < 2 && mn_world_time(run->world) < run->end) {
        status = validation_step(run, run->end);
        if (status == MN_OK) status = amplitude(run, fluid, s->wave, area, &a);
        const double now = mn_world_time(run->world);
        while (passed < 2 && a >= bounds[passed]) {
            const double part = last > 0 ? log(bounds[passed] / last) / log(a / last) : 1;
            at[passed++] = then + part * (now - then);
        }
        last = a, then = now;
    }
    if (passed == 2) *out = log(bounds[1] / bounds[0]) / (at[1] - at[0]);
    else *out = passed == 1 ? log(a / bounds[0]) / (run->end - at[0]) : 0; /* too slow to get there */
    free(fluid);
    return status;
}

mn_status validate_rayleigh_taylor(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] =
        "particles: {spacing: 0.025}\n"
        "domain: {min: [0, -0.2, 0], max: [1, 1.5, 0.2], periodic: [x, z]}\n"
        "gravity: [0, -10, 0]\n"
        "time: {adaptive: {max: 0.0005}, end: 1}\n"
        "pressure: {tolerance: 0.01, isotropic: true}\n"
        "fluids:\n"
        "  - {density: 500, shapes: [{box: {grid: [40, 24, 8], origin: [0.0125, 0.0275, 0.0125]}}],\n"
        "     viscosity: {model: standard, viscosity: 0.01}}\n"
        "  - {density: 1000, shapes: [{box: {grid: [40, 24, 8], origin: [0.0125, 0.6275, 0.0125]}}],\n"
        "     viscosity: {model: standard, viscosity: 0.01}}\n"
        "walls: [{shapes: [{plane: {point: [0.5, 0, 0.1], normal: [0, 1, 0], size: [0.975, 0.175]}}]}]\n";
    static const struct {
        const char *set, *what;
        double light;
    } rows[] = {{"fluids.0.density=500", "growth of a wave under a fluid of twice the density, over theory", 500},
                {"fluids.0.density=50", "the same under a fluid of twenty times the density", 50}};
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        const layers s = {rows[k].light, 1000, 0.01, 10, 2 * PI};
        const validation_setup changed = validation_with(setup, rows[k].set);
        validation_run run;
        double rate = 0;
        status = validation_open_text(&run, &changed, text, say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) status = grow(&run, &s, 0.615, &rate);
        validation_close(&run);
        if (status == MN_OK) validation_add(out, rate / growth_rate(&s), 1, 0.1, rows[k].what, "");
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------- a drop of oil */

/* Particles of fluid 1: their number, centre, and second moments about it (xx, yy, zz, xy). */
typedef struct blob {
    double count, centre[3], moment[4];
} blob;

static blob blob_of(const validation_run *run, const float *fluid)
{
    blob b = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < run->count; i++) {
            const float *x = run->position + 3 * i;
            if (!(fluid[i] > 0)) continue;
            if (pass == 0) {
                b.count += 1;
                for (int c = 0; c < 3; c++) b.centre[c] += ((double)x[c] - b.centre[c]) / b.count;
                continue;
            }
            const double u = (double)x[0] - b.centre[0], v = (double)x[1] - b.centre[1], w = (double)x[2] - b.centre[2];
            b.moment[0] += u * u / b.count, b.moment[1] += v * v / b.count, b.moment[2] += w * w / b.count,
                b.moment[3] += u * v / b.count;
        }
    return b;
}

/* Mean pressure in the inner half of the drop's radius less that beyond it by two to four spacings. */
static mn_status pressure_jump(validation_run *run, const float *fluid, double *radius, double *out)
{
    const double d = run->scene->spacing;
    mn_status status = validation_read(run, "position", run->position);
    if (status == MN_OK) status = validation_read(run, "pressure", run->pressure);
    if (status != MN_OK) return status;
    const blob b = blob_of(run, fluid);
    *radius = d * cbrt(0.75 * b.count / PI);
    double sum[2] = {0}, count[2] = {0};
    for (int64_t i = 0; i < run->count; i++) {
        double r2 = 0;
        for (int c = 0; c < 3; c++) r2 += pow((double)run->position[3 * i + c] - b.centre[c], 2);
        const double r = sqrt(r2);
        const int k = r < 0.5 * *radius ? 0 : r > *radius + 2 * d && r < *radius + 4 * d ? 1 : -1;
        if (k >= 0) sum[k] += (double)run->pressure[i], count[k] += 1;
    }
    *out = sum[0] / fmax(1, count[0]) - sum[1] / fmax(1, count[1]);
    return MN_OK;
}

/* Oil of 900 kg/m^3 in a block of water without weight: the mean jump of pressure over the last half. */
mn_status validate_oil_drop(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] = "particles: {spacing: 0.001}\n"
                               "gravity: [0, 0, 0]\n"
                               "time: {adaptive: {max: 0.002}, end: 0.4}\n"
                               "pressure: {tolerance: 0.002}\n"
                               "fluids:\n"
                               "  - {name: water, density: 1000, viscosity: {model: standard, viscosity: 0.0001},\n"
                               "     shapes: [{box: {grid: [28, 28, 28], origin: [0.0005, 0.0005, 0.0005]}}],\n"
                               "     holes: [{sphere: {radius: 0.008, centre: [0.014, 0.014, 0.014]}}]}\n"
                               "  - {name: oil, density: 900, viscosity: {model: standard, viscosity: 0.0001},\n"
                               "     shapes: [{sphere: {radius: 0.008, centre: [0.014, 0.014, 0.014]}}]}\n"
                               "pairs: [{fluid: oil, with: water, surface_tension: 0.05}]\n";
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
    float *fluid = status == MN_OK ? malloc((size_t)run.count * sizeof *fluid) : NULL;
    if (status == MN_OK) status = fluid ? validation_read(&run, "fluid", fluid) : MN_FAILED;
    double mean = 0, steps = 0, radius = 1;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        double jump = 0;
        status = validation_step(&run, run.end);
        if (status != MN_OK || mn_world_time(run.world) < 0.5 * run.end) continue;
        status = pressure_jump(&run, fluid, &radius, &jump);
        mean += jump, steps += 1;
    }
    if (status == MN_OK) {
        const blob b = blob_of(&run, fluid);
        const double *m = b.moment;
        const double most = fmax(m[0], fmax(m[1], m[2])), least = fmin(m[0], fmin(m[1], m[2]));
        validation_add(out, mean / steps / (2 * 0.05 / radius), 1, 0.1, "jump of pressure over 2 tension/radius", "");
        validation_add(out, sqrt(most / least), 1, 0.05, "longest over shortest axis", "");
    }
    free(fluid);
    validation_close(&run);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a rising bubble */

/* Circumference of a circle over that of the ellipse with these moments and the same area (Ramanujan). */
static double circularity(const double m[4])
{
    const double mean = 0.5 * (m[0] + m[1]), off = sqrt(pow(0.5 * (m[0] - m[1]), 2) + m[3] * m[3]);
    const double a = sqrt(mean + off), b = sqrt(fmax(mean - off, 0)), t = pow((a - b) / (a + b), 2);
    return 2 * sqrt(a * b) / ((a + b) * (1 + 3 * t / (10 + sqrt(4 - 3 * t))));
}

/* Case 1 of Hysing et al. 2009, their numbers at the end of its three seconds. Plane: a slab of eight layers; its sides
 * are periodic, as symmetric about them as walls without friction; above is a free surface instead of a wall. */
mn_status validate_rising_bubble(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] =
        "particles: {spacing: 0.025}\n"
        "domain: {min: [0, -0.2, 0], max: [1, 2.4, 0.2], periodic: [x, z]}\n"
        "gravity: [0, -0.98, 0]\n"
        "time: {adaptive: {max: 0.001}, end: 3}\n"
        "pressure: {tolerance: 0.01}\n"
        "fluids:\n"
        "  - {name: liquid, density: 1000, viscosity: {model: standard, viscosity: 0.01, wall_viscosity: 0.01},\n"
        "     shapes: [{box: {grid: [40, 80, 8], origin: [0.0125, 0.0275, 0.0125]}}],\n"
        "     holes: [{cylinder: {radius: 0.25, height: 1, centre: [0.5, 0.515, 0.1], axis: [0, 0, 1]}}]}\n"
        "  - {name: gas, density: 100, viscosity: {model: standard, viscosity: 0.01},\n"
        "     shapes: [{cylinder: {radius: 0.25, height: 0.2, centre: [0.5, 0.515, 0.1], axis: [0, 0, 1]}}]}\n"
        "walls: [{shapes: [{plane: {point: [0.5, 0, 0.1], normal: [0, 1, 0], size: [0.975, 0.175]}}]}]\n"
        "pairs: [{fluid: gas, with: liquid, surface_tension: 24.5}]\n";
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
    float *fluid = status == MN_OK ? malloc((size_t)run.count * sizeof *fluid) : NULL;
    if (status == MN_OK) status = fluid ? validation_read(&run, "fluid", fluid) : MN_FAILED;
    double fastest = 0, roundest = 1, last = 0.515, then = 0, high = 0;
    for (int m = 1; m <= 30 && status == MN_OK; m++) {
        const double until = run.end * m / 30;
        while (status == MN_OK && mn_world_time(run.world) < until) status = validation_step(&run, until);
        if (status == MN_OK) status = validation_read(&run, "position", run.position);
        if (status != MN_OK) break;
        const blob b = blob_of(&run, fluid);
        fastest = fmax(fastest, (b.centre[1] - last) / (until - then));
        roundest = fmin(roundest, circularity(b.moment));
        last = b.centre[1], then = until, high = b.centre[1];
    }
    if (status == MN_OK) {
        validation_add(out, fastest, 0.2417, 0.1, "largest speed of the bubble", "m/s");
        validation_add(out, high - 0.015, 1.0813, 0.1, "height of its centre at 3 s", "m");
        validation_add(out, roundest, 0.9013, 0.1, "least circularity", "");
    }
    free(fluid);
    validation_close(&run);
    return status;
}
