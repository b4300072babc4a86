/* validate_capillary.c -- tension in N/m where it moves water: capillary rise, jets that break up, bridges, drops that
 * strike and merge, and flow by differences of tension. All with the model laplace.
 *
 * The viscosity that acts is given to the scene, at or above the model's least, 0.2 sqrt(sigma d/rho): the model adds
 * none, and the references are those of this viscosity.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate_drop.h"

static const double SIGMA = DROP_SIGMA, RHO = 1000;

static double least_viscosity(double d) { return 0.2 * sqrt(SIGMA * d / RHO); }

/* -- a column of water breaks up ----------------------------------------------------------------------------------- */

static double bessel_i(int order, double x)
{
    double term = order == 0 ? 1 : 0.5 * x, sum = term;
    for (int k = 1; k < 200; k++) term *= 0.25 * x * x / (k * (double)(k + order)), sum += term;
    return sum;
}
/* I1' = I0 - I1/x */
static double bessel_slope(double x) { return bessel_i(0, x) - bessel_i(1, x) / x; }

/* Growth rate of a wave k on a column of radius r: the positive root of Rayleigh's equation with viscosity
   (Chandrasekhar 1961, section 111). */
static double rayleigh_rate(double r, double k, double nu)
{
    const double x = k * r, right = SIGMA * k / (RHO * r * r) * (1 - x * x) * bessel_i(1, x) / bessel_i(0, x);
    double low = 0, high = sqrt(right);
    for (int step = 0; step < 60; step++) {
        const double w = 0.5 * (low + high), l = sqrt(k * k + w / nu), y = l * r;
        /* I1(x)/I1(y) I1'(y), without overflow for the y of thin liquids */
        const double ratio = bessel_i(1, x) * (y < 100 ? bessel_slope(y) / bessel_i(1, y) : 1 - 0.5 / y);
        const double inner = bessel_slope(x) - 2 * k * l / (l * l + k * k) * ratio;
        const double left = w * w + 2 * nu * k * k / bessel_i(0, x) * inner * w;
        if (left > right * (l * l - k * k) / (l * l + k * k)) high = w;
        else low = w;
    }
    return 0.5 * (low + high);
}

/* Moves the column into the fastest wave, its velocity with it: 0.03 of the radius, growing. */
static mn_status disturb(moment *m, double r, double k, double rate)
{
    const double size = 0.03 * r / bessel_i(1, k * r);
    mn_status status = validation_read(&m->run, "velocity", m->run.velocity);
    for (int64_t i = 0; i < m->all.count && status == MN_OK; i++) {
        float *x = m->position + 3 * i, *v = m->run.velocity + 3 * i;
        const double s = hypot((double)x[0], (double)x[2]), y = (double)x[1];
        const double out = size * bessel_i(1, k * s) * cos(k * y), along = -size * bessel_i(0, k * s) * sin(k * y);
        const double side[3] = {s > 0 ? out * (double)x[0] / s : 0, along, s > 0 ? out * (double)x[2] / s : 0};
        for (int a = 0; a < 3; a++) x[a] += (float)side[a], v[a] += (float)(rate * side[a]);
    }
    if (status == MN_OK) status = mn_world_set(m->run.world, "position", m->position, m->run.say);
    return status == MN_OK ? mn_world_set(m->run.world, "velocity", m->run.velocity, m->run.say) : status;
}

/* A periodic column of 8 spacings' radius at rest, then disturbed: growth between 0.05 and 0.15 of the radius. */
mn_status validate_laplace_jet(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { MOST = 100 };
    const double d = 1.25e-4, length = 72 * d, k = 2 * M_PI / length, nu = least_viscosity(d);
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: 5e-5, end: 1}\npressure: {tolerance: 0.002}\n"
             "domain: {min: [-0.004, 0, -0.004], max: [0.004, %.9g, 0.004], periodic: [y]}\n"
             "fluids:\n  - shapes: [{cylinder: {centre: [0, %.9g, 0], radius: 0.001, height: %.9g}}]\n"
             "    viscosity: {model: standard, viscosity: %.9g}\n    surface_tension: 0.0728\n",
             d, length, 0.5 * length, length, nu);
    moment m;
    double time[MOST], size[MOST], theory[MOST], sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
    int count = 0;
    mn_status status = moment_text(&m, setup, text, say);
    if (status == MN_OK) status = moment_go_on(&m, 0.003);
    const double r = status == MN_OK ? sqrt((double)m.all.count * d * d * d / (M_PI * length)) : 1;
    const double rate = rayleigh_rate(r, k, nu);
    if (status == MN_OK) status = disturb(&m, r, k, rate);
    for (; count < MOST && status == MN_OK; count++) {
        status = moment_go_on(&m, 0.003 + 0.0005 * (count + 1));
        if (status != MN_OK) break;
        double sum = 0;
        for (int64_t i = 0; i < m.all.count; i++) sum += cos(k * (double)m.position[3 * i + 1]);
        time[count] = 0.0005 * (count + 1), size[count] = sum / (double)m.all.count;
        theory[count] = 0.03 * exp(rate * time[count]);
        if (size[count] > 0.3) break;
        if (size[count] < 0.05 || size[count] > 0.15) continue;
        const double x = time[count], y = log(size[count]);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    if (status == MN_OK) {
        const double found = n > 2 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : NAN;
        validation_add(out, found / rate, 1, 0.1, "growth of the fastest wave over Rayleigh's, with viscosity", "");
        status = validation_curve(setup, "laplace-jet", "measured", "amplitude", time, size, count, say);
    }
    if (status == MN_OK) status = validation_curve(setup, "laplace-jet", "theory", "amplitude", time, theory, count, say);
    moment_end(&m);
    return status;
}

/* -- a bridge between plates --------------------------------------------------------------------------------------- */

/* Water between plates with 60 degrees, 12 spacings apart, as much as the catenoid that meets them so: the neck is a,
   and the pressure that of the surroundings. It starts as a cylinder, at 90 degrees. The liquid begins 0.6 spacings from
   the walls' points. */
mn_status validate_laplace_catenoid(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    const double d = 1e-4, apart = 12 * d, c = cos(M_PI / 3), u = asinh(c / sqrt(1 - c * c)), a = 0.5 * apart / u;
    const double volume = M_PI * a * a * a * (u + 0.5 * sinh(2 * u)), start = sqrt(volume / (M_PI * apart));
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: 4e-5, end: 1}\n"
             "pressure: {tolerance: 0.0002}\nfluids:\n"
             "  - shapes: [{cylinder: {radius: %.9g, height: %.9g}}]\n    jitter: 0.1\n"
             "    viscosity: {model: standard, viscosity: 1e-6}\n    surface_tension: 0.0728\n"
             "walls:\n  - contact_angle: 60\n"
             "    shapes: [{box: {size: [0.006, 0.0004, 0.006], centre: [0, %.9g, 0]}},\n"
             "             {box: {size: [0.006, 0.0004, 0.006], centre: [0, %.9g, 0]}}]\n",
             d, start, apart, 0.5 * apart + 0.6 * d + 0.0002, -0.5 * apart - 0.6 * d - 0.0002);
    moment m;
    mn_status status = moment_text(&m, setup, text, say);
    double neck = 0, pressure = 0;
    for (int k = 0; k < 4 && status == MN_OK; k++) {
        status = moment_go_on(&m, 0.022 + 0.002 * k);
        if (status == MN_OK) status = validation_read(&m.run, "pressure", m.run.pressure);
        if (status != MN_OK) break;
        double n = 0, inside = 0, sum = 0;
        for (int64_t i = 0; i < m.all.count; i++) {
            const double y = (double)m.position[3 * i + 1];
            const double s = hypot((double)m.position[3 * i], (double)m.position[3 * i + 2]);
            if (fabs(y) < 1.5 * d) n += 1;
            if (s < 0.5 * a && fabs(y) < 3 * d) inside += 1, sum += (double)m.run.pressure[i];
        }
        /* the disc of as many particles, three layers */
        neck += 0.25 * sqrt(n * d * d / (3 * M_PI)), pressure += 0.25 * sum / fmax(1, inside);
    }
    if (status == MN_OK) {
        validation_add(out, neck / a, 1, 0.05, "neck of a bridge over that of the catenoid", "");
        validation_add(out, pressure * a / SIGMA, 0, 0.05, "pressure in it over sigma/neck", "");
    }
    moment_end(&m);
    return status;
}

/* -- two drops merge ----------------------------------------------------------------------------------------------- */

/* Radius of the neck in the plane x = 0: of the disc of as many particles. */
static double neck_radius(const moment *m)
{
    const double d = m->all.spacing;
    double n = 0;
    for (int64_t i = 0; i < m->all.count; i++) n += fabs((double)m->position[3 * i]) < d;
    return sqrt(n * d * d / (2 * M_PI));
}

/* Drops of 10 spacings that touch: the neck grows as r^2 = C^2 R sqrt(sigma R/rho) t, with C of 1.0 to 1.62: 1.14
   and 1.39 in experiments (Aarts et al. 2005, Thoroddsen et al. 2005), 1.62 in theory (Duchemin et al. 2003). From
   0.4 to 0.8 R. */
mn_status validate_laplace_merge(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { MOST = 120 };
    const double d = 1e-4, r = 1e-3, tau = sqrt(RHO * r * r * r / SIGMA);
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: 2.5e-5, end: 1}\n"
             "pressure: {tolerance: 0.002}\nfluids:\n"
             "  - shapes: [{sphere: {centre: [%g, 0, 0], radius: %g}}, {sphere: {centre: [%g, 0, 0], radius: %g}}]\n"
             "    viscosity: {model: standard, viscosity: %.9g}\n    surface_tension: 0.0728\n",
             d, r, r, -r, r, least_viscosity(d));
    moment m;
    double time[MOST], neck[MOST], n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    int count = 0;
    mn_status status = moment_text(&m, setup, text, say);
    for (; count < MOST && status == MN_OK; count++) {
        status = moment_go_on(&m, 5e-5 * (count + 1));
        if (status != MN_OK) break;
        time[count] = 5e-5 * (count + 1), neck[count] = neck_radius(&m) / r;
        if (neck[count] > 0.9) break;
        if (neck[count] < 0.4 || neck[count] > 0.8) continue;
        const double x = time[count] / tau, y = neck[count] * neck[count];
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    if (status == MN_OK) {
        const double slope = n > 2 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : NAN;
        validation_add(out, sqrt(slope), 1.31, 0.24, "C of the neck r = C sqrt(R) (sigma R/rho)^(1/4) sqrt(t)", "");
        status = validation_curve(setup, "laplace-merge", "neck", "radius", time, neck, count, say);
    }
    moment_end(&m);
    return status;
}

/* -- a drop strikes a plate ---------------------------------------------------------------------------------------- */

/* Mean over 36 directions of the farthest particle of each, and half a spacing. */
static double spread_radius(const moment *m)
{
    enum { WAYS = 36 };
    double far[WAYS] = {0}, sum = 0;
    for (int64_t i = 0; i < m->all.count; i++) {
        const double x = (double)m->position[3 * i], z = (double)m->position[3 * i + 2];
        const int way = (int)((atan2(z, x) / (2 * M_PI) + 0.5) * WAYS) % WAYS;
        far[way] = fmax(far[way], hypot(x, z));
    }
    for (int k = 0; k < WAYS; k++) sum += far[k] / WAYS;
    return sum + 0.5 * m->all.spacing;
}

/* A drop of 2 mm and 24 spacings at 2 m/s, 90 degrees: We = 110, Re = 256. Largest diameter over its own against the
   laws that were fitted to experiments: 0.61 (Re^2 Oh)^(1/6) (Scheller & Bousfield 1995), and Re^(1/5) P/(1.24 + P), P =
   sqrt(We Re^(-2/5)) (Laan et al. 2014). */
mn_status validate_laplace_impact(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { MOST = 100 };
    const double size = 2e-3, d = size / 24, speed = 2, nu = least_viscosity(d);
    const double we = RHO * speed * speed * size / SIGMA, re = speed * size / nu, oh = sqrt(we) / re;
    const double p = sqrt(we * pow(re, -0.4));
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, -9.81, 0]\ntime: {adaptive: {max: 3e-5}, end: 1}\n"
             "pressure: {tolerance: 0.002}\nfluids:\n"
             "  - shapes: [{sphere: {centre: [0, %.9g, 0], radius: %.9g}}]\n    velocity: [0, %.9g, 0]\n"
             "    viscosity: {model: standard, viscosity: %.9g, wall_viscosity: %.9g}\n    surface_tension: 0.0728\n"
             "walls:\n  - contact_angle: 90\n"
             "    shapes: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], size: [0.008, 0.008]}}]\n",
             d, 0.5 * size + 1.5 * d, 0.5 * size, -speed, nu, nu);
    moment m;
    double time[MOST], wide[MOST], most = 0;
    int count = 0;
    mn_status status = moment_text(&m, setup, text, say);
    for (; count < MOST && status == MN_OK; count++) {
        status = moment_go_on(&m, 5e-5 * (count + 1));
        if (status != MN_OK) break;
        time[count] = 5e-5 * (count + 1), wide[count] = 2 * spread_radius(&m) / size;
        most = fmax(most, wide[count]);
        if (wide[count] < 0.95 * most) break;
    }
    if (status == MN_OK) {
        validation_add(out, most, 0.61 * pow(re * re * oh, 1.0 / 6), 0.1,
                       "largest diameter over the drop's (Scheller & Bousfield 1995)", "");
        validation_add(out, most, pow(re, 0.2) * p / (1.24 + p), 0.1, "the same (Laan et al. 2014)", "");
        status = validation_curve(setup, "laplace-impact", "diameter", "width", time, wide, count, say);
    }
    moment_end(&m);
    return status;
}

/* -- flow by differences of tension -------------------------------------------------------------------------------- */

/* A film takes 0.25 of the tension where it is full: its coverage is 0.5 - 0.4 y/R, made by bands of a species that
   the bulk has much more of than the surface. */
static int marangoni_bands(char *to, size_t room, double r, double d)
{
    int at = 0;
    for (double y = -r - d; y < r + d; y += d) {
        const double cover = fmin(0.95, fmax(0.05, 0.5 - 0.4 * (y + 0.5 * d) / r));
        at += snprintf(to + at, room - (size_t)at,
                       "      - {concentration: %.6g, shape: {box: {min: [-1, %.9g, -1], max: [1, %.9g, 1]}}}\n",
                       cover / (1 - cover), y, y + d);
    }
    return at;
}

/* A drop in a gradient of tension G: within, u_r = -A (1 - r^2/R^2) cos, u_t = A (1 - 2 r^2/R^2) sin, A = G R/(3 mu),
   without any change of its shape; Young, Goldstein & Block 1959 for an outside without viscosity. A by least squares
   of the velocities, mean of eight moments. */
mn_status validate_laplace_marangoni(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    const double r = 1e-3, d = 1e-4, nu = 1e-4;
    char text[8192];
    int at = snprintf(text, sizeof text,
                      "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: 1e-5, end: 1}\n"
                      "pressure: {tolerance: 0.002}\nfluids:\n  - shapes: [{sphere: {radius: %.9g}}]\n"
                      "    surface: orthmann2013\n    viscosity: {model: standard, viscosity: %.9g}\n"
                      "    surface_tension: 0.0728\nspecies:\n  - name: soap\n"
                      "    surface: {adsorption: 1e5, desorption: 1e5, capacity: 1e-7}\n    effect: {tension: 0.25}\n"
                      "    start:\n",
                      d, r, nu);
    at += marangoni_bands(text + at, sizeof text - (size_t)at, r, d);
    moment m;
    double speed = 0;
    mn_status status = moment_text(&m, setup, text, say);
    for (int k = 0; k < 8 && status == MN_OK; k++) {
        status = moment_go_on(&m, 0.0016 + 0.0002 * k);
        if (status == MN_OK) status = validation_read(&m.run, "velocity", m.run.velocity);
        if (status != MN_OK) break;
        double up = 0, down = 0;
        for (int64_t i = 0; i < m.all.count; i++) {
            const float *x = m.position + 3 * i, *v = m.run.velocity + 3 * i;
            const double y = (double)x[1] / r, s2 = ((double)x[0] * (double)x[0] + (double)x[2] * (double)x[2]) / (r * r);
            /* the same flow in x, y, z */
            const double w[3] = {-y * (double)x[0] / r, 2 * s2 + y * y - 1, -y * (double)x[2] / r};
            for (int a = 0; a < 3; a++) up += w[a] * (double)v[a], down += w[a] * w[a];
        }
        speed += up / down / 8;
    }
    if (status == MN_OK)
        validation_add(out, speed / (0.25 * 0.4 * SIGMA / (3 * RHO * nu)), 1, 0.1,
                       "flow in a drop with a gradient of tension over the analytic", "");
    moment_end(&m);
    return status;
}
