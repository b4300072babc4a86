/* validate_capillary.c -- tension in N/m where it moves water: capillary rise, jets that break up, bridges, drops that
 * strike and merge, and flow by differences of tension. All with the model laplace.
 *
 * The references are those of the viscosity that the scene gives, where that is water's or `fitted`. Where it is
 * `standard`, it is the least with which the model adds no friction, 0.2 sqrt(sigma d/rho).
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

/* A periodic column of 8 spacings' radius at rest, then disturbed: growth between 0.05 and 0.15 of the radius. From
   Poisson disks: a lattice resists the wave. `name`: of its curves, of the first start; ratio: to Rayleigh's rate. */
static mn_status column_grows(const validation_setup *setup, double nu, int start, const char *const name[2],
                              double *ratio, mn_messages *say)
{
    enum { MOST = 100 };
    const double d = 1.25e-4, length = 72 * d, k = 2 * M_PI / length;
    char text[1024];
    snprintf(
        text, sizeof text,
        "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: 2.5e-5, end: 1}\npressure: {tolerance: 0.002}\n"
        "domain: {min: [-0.004, 0, -0.004], max: [0.004, %.9g, 0.004], periodic: [y]}\n"
        "fluids:\n  - shapes: [{cylinder: {centre: [0, %.9g, 0], radius: 0.001, height: %.9g}}]\n"
        "    sampling: poisson\n    seed: %d\n    viscosity: {model: fitted, viscosity: %.9g}\n"
        "    surface_tension: 0.0728\n",
        d, length, 0.5 * length, length, start, nu);
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
        *ratio = found / rate;
        if (start == 0) status = validation_curve(setup, "laplace-jet", name[0], "amplitude", time, size, count, say);
    }
    if (status == MN_OK && start == 0)
        status = validation_curve(setup, "laplace-jet", name[1], "amplitude", time, theory, count, say);
    moment_end(&m);
    return status;
}

/* Mean of three starts: single ones differ by a tenth. */
mn_status validate_laplace_jet(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { STARTS = 3 };
    static const struct {
        double viscosity;
        const char *names[2], *what[2];
    } rows[] = {{6e-5,
                 {"measured", "theory"},
                 {"growth of the fastest wave over Rayleigh's, 60 mm^2/s, mean of three starts", "most less least"}},
                {1e-6, {"water", "water-theory"}, {"the same with water's own viscosity", "most less least"}}};
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == MN_OK; k++) {
        double mean = 0, least = INFINITY, most = 0;
        for (int start = 0; start < STARTS && status == MN_OK; start++) {
            double ratio = NAN;
            status = column_grows(setup, rows[k].viscosity, start, rows[k].names, &ratio, say);
            mean += ratio / STARTS, least = fmin(least, ratio), most = fmax(most, ratio);
        }
        if (status != MN_OK) break;
        validation_add(out, mean, 1, 0.1, rows[k].what[0], "");
        validation_add(out, most - least, 0, 0.2, rows[k].what[1], "");
    }
    return status;
}

/* -- a bridge between plates --------------------------------------------------------------------------------------- */

/* Water between plates with 60 degrees, 12 spacings apart, as much as the catenoid that meets them so: the neck is a,
   and the pressure that of the surroundings. It starts as a cylinder, at 90 degrees. The liquid begins 0.6 spacings
   from the walls' points. */
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
    for (int64_t i = 0; i < m->all.count; i++) n += fabs((double)m->position[3 * i]) < 0.5 * d;
    return sqrt(n * d * d / M_PI);
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

/* -- a sheet draws back -------------------------------------------------------------------------------------------- */

/* A free sheet of 80 by 12 spacings, periodic along its edges, from Poisson disks: from 1 to 4 times h over its speed
   of retraction sqrt(2 sigma/(rho h)) (Taylor 1959, Culick 1960) each half gains momentum by 2 sigma along its edge.
   What it gains over that. */
static mn_status draw_back(const validation_setup *setup, int layers, int seed, double *pull, mn_messages *say)
{
    const double d = 5e-5, h = layers * d, wide = 12 * d, turn = h / sqrt(2 * SIGMA / (RHO * h));
    double gained[2] = {0, 0};
    char text[1024];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {adaptive: {max: 1e-5}, end: 1}\n"
             "pressure: {tolerance: 0.002}\n"
             "domain: {min: [%.9g, %.9g, 0], max: [%.9g, %.9g, %.9g], periodic: [z]}\n"
             "fluids:\n  - shapes: [{box: {min: [%.9g, 0, 0], max: [%.9g, %.9g, %.9g]}}]\n"
             "    sampling: poisson\n    seed: %d\n    viscosity: {model: fitted, viscosity: 8e-6}\n"
             "    surface_tension: %g\n",
             d, -60 * d, -30 * d, 60 * d, 30 * d, wide, -40 * d, 40 * d, h, wide, seed, SIGMA);
    moment m;
    mn_status status = moment_text(&m, setup, text, say);
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        status = moment_go_on(&m, turn * (1 + 3 * k));
        if (status == MN_OK) status = validation_read(&m.run, "velocity", m.run.velocity);
        for (int64_t i = 0; i < m.all.count && status == MN_OK; i++)
            gained[k] -= copysign(1, (double)m.position[3 * i]) * (double)m.run.velocity[3 * i];
    }
    /* the mass of a particle is that of the sheet over their number */
    *pull = 0.5 * (gained[1] - gained[0]) * RHO * 80 * d * h / (double)m.all.count / (2 * SIGMA * 3 * turn);
    moment_end(&m);
    return status;
}

mn_status validate_laplace_sheet(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        int layers;
        const char *what;
    } rows[] = {{2, "pull at the edge of a sheet of 2 spacings over 2 sigma, mean of three starts"},
                {3, "the same of 3 spacings"},
                {4, "the same of 4 spacings"},
                {6, "the same of 6 spacings"}};
    double least = INFINITY, most = 0;
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == MN_OK; k++) {
        double mean = 0;
        for (int seed = 1; seed <= 3 && status == MN_OK; seed++) {
            double pull = 0;
            status = draw_back(setup, rows[k].layers, seed, &pull, say);
            mean += pull / 3, least = fmin(least, pull), most = fmax(most, pull);
        }
        if (status == MN_OK) validation_add(out, mean, 1, 0.2, rows[k].what, "");
    }
    if (status == MN_OK) validation_add(out, most - least, 0, 0.2, "the largest less the least of all twelve", "");
    return status;
}

/* -- a drop strikes a plate ---------------------------------------------------------------------------------------- */

/* Of the largest piece: mean over 36 directions of the farthest particle of each, and half a spacing. */
static double spread_radius(const moment *m)
{
    enum { SECTORS = 36 };
    double far[SECTORS] = {0}, sum = 0;
    float *own = malloc((size_t)(3 * m->all.count + 3) * sizeof *own);
    int64_t count = 0;
    if (!own || !mn_measure_largest(&m->all, own, &count)) count = 0;
    for (int64_t i = 0; i < count; i++) {
        const double x = (double)own[3 * i], z = (double)own[3 * i + 2];
        const int sector = (int)((atan2(z, x) / (2 * M_PI) + 0.5) * SECTORS) % SECTORS;
        far[sector] = fmax(far[sector], hypot(x, z));
    }
    free(own);
    for (int k = 0; k < SECTORS; k++) sum += far[k] / SECTORS;
    return sum + 0.5 * m->all.spacing;
}

/* Means of five drops each that struck smooth aluminium with a fluorinated monolayer: Jereb et al. 2025, Mendeley Data
   wsh8rxwd38.1. m, m/s, kg/m^3, N/m, Pa s, largest diameter over the drop's. */
typedef struct impact {
    double size, speed, density, tension, viscosity, widest;
    const char *curve, *what[2];
} impact;
#define IMPACT(liquid, speed)                                                                                          \
    {                                                                                                                  \
        liquid ", " speed ", 24 spacings: largest diameter over the drop's", "the same, 48 spacings"                   \
    }

/* A drop strikes a plate at which water rests at 114.5 degrees, and whose lines have a slip length of 1 nm, as
   all have. */
static mn_status strike(const validation_setup *setup, const impact *row, int fine, validation_report *out,
                        mn_messages *say)
{
    enum { MOST = 100 };
    const int spacings = fine ? 48 : 24;
    const double size = row->size, d = size / spacings, speed = row->speed;
    char text[1024], name[64];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [0, -9.81, 0]\ntime: {adaptive: {max: 3e-5}, end: 1}\n"
             "pressure: {tolerance: 0.002}\nfluids:\n"
             "  - shapes: [{sphere: {centre: [0, %.9g, 0], radius: %.9g}}]\n    velocity: [0, %.9g, 0]\n"
             "    density: %.9g\n    viscosity: %.9g\n    surface_tension: %.9g\n"
             "walls:\n  - {contact_angle: 114.5, friction: 2.5,\n"
             "     shapes: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], size: [%.9g, %.9g]}}]}\n",
             d, 0.5 * size + 1.5 * d, 0.5 * size, -speed, row->density, row->viscosity / row->density, row->tension,
             4 * size, 4 * size);
    moment m;
    double time[MOST], wide[MOST], most = 0;
    int count = 0;
    mn_status status = moment_text(&m, setup, text, say);
    for (; count < MOST && status == MN_OK; count++) {
        const double when = 0.05 * size / speed * (count + 1);
        status = moment_go_on(&m, when);
        if (status != MN_OK) break;
        time[count] = when, wide[count] = 2 * spread_radius(&m) / size;
        most = fmax(most, wide[count]);
        if (wide[count] < 0.95 * most) break;
    }
    if (status == MN_OK) {
        snprintf(name, sizeof name, "%s-%d", row->curve, spacings);
        validation_add(out, most, row->widest, 0.1, row->what[fine], "");
        status = validation_curve(setup, "laplace-impact", name, "width", time, wide, count, say);
    }
    moment_end(&m);
    return status;
}

mn_status validate_laplace_impact(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const impact rows[] = {
        {2.585e-3, 0.9062, 997.2, 0.07246, 0.0009439, 1.984, "water-slow", IMPACT("water, We 29, Re 2475", "0.91 m/s")},
        {2.584e-3, 1.5824, 997.2, 0.07246, 0.0009439, 2.804, "water-fast", IMPACT("water, We 89, Re 4319", "1.58 m/s")},
        {2.381e-3, 0.9404, 1151.5, 0.06746, 0.008696, 1.892, "60-slow",
         IMPACT("60 % glycerol, We 36, Re 296", "0.94 m/s")},
        {2.390e-3, 1.6017, 1152.5, 0.06767, 0.009228, 2.317, "60-fast",
         IMPACT("60 % glycerol, We 104, Re 478", "1.60 m/s")},
        {2.349e-3, 0.9367, 1199.1, 0.06688, 0.03611, 1.782, "78-slow",
         IMPACT("78 % glycerol, We 37, Re 73", "0.94 m/s")},
        {2.338e-3, 1.5944, 1199.2, 0.06689, 0.03642, 2.135, "78-fast",
         IMPACT("78 % glycerol, We 107, Re 123", "1.59 m/s")},
        {2.333e-3, 0.9314, 1230.6, 0.06576, 0.1512, 1.622, "91-slow",
         IMPACT("91 % glycerol, We 38, Re 18", "0.93 m/s")},
        {2.326e-3, 1.5864, 1230.8, 0.06580, 0.1546, 1.820, "91-fast",
         IMPACT("91 % glycerol, We 110, Re 29", "1.59 m/s")}};
    mn_status status = MN_OK;
    for (int fine = 0; fine < 2; fine++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows && status == MN_OK; k++)
            status = strike(setup, &rows[k], fine, out, say);
    return status;
}

/* -- flow by differences of tension -------------------------------------------------------------------------------- */

/* Bands of a species, a spacing wide, along the axis: the film on them covers `cover(x)` of the surface. The bulk has
   much more of it than the surface. */
typedef double coverage(double x);
static void add_bands(char *to, size_t room, int axis, double low, double high, double d, coverage *cover)
{
    int at = 0;
    for (double x = low; x < high - 0.5 * d; x += d) {
        const double c = cover(x + 0.5 * d);
        double from[3] = {-1, -1, -1}, end[3] = {1, 1, 1};
        from[axis] = x, end[axis] = x + d;
        at += snprintf(
            to + at, room - (size_t)at,
            "      - {concentration: %.6g, shape: {box: {min: [%.9g, %.9g, %.9g], max: [%.9g, %.9g, %.9g]}}}\n",
            c / (1 - c), from[0], from[1], from[2], end[0], end[1], end[2]);
    }
}
#define SOAP                                                                                                           \
    "species:\n  - name: soap\n    surface: {adsorption: 1e5, desorption: 1e5, "                                       \
    "capacity: 1e-7}\n    effect: {tension: %g}\n    start:\n"

/* By how much the velocities are those of a flow: least squares, mean of eight moments. */
typedef void analytic_flow(const float x[3], double out[3]);
static mn_status flow_strength(moment *m, double from, double every, analytic_flow *flow, double *out)
{
    mn_status status = MN_OK;
    *out = 0;
    for (int look = 0; look < 8 && status == MN_OK; look++) {
        status = moment_go_on(m, from + every * look);
        if (status == MN_OK) status = validation_read(&m->run, "velocity", m->run.velocity);
        if (status != MN_OK) break;
        double up = 0, down = 0, w[3];
        for (int64_t i = 0; i < m->all.count; i++) {
            flow(m->position + 3 * i, w);
            for (int a = 0; a < 3; a++) up += w[a] * (double)m->run.velocity[3 * i + a], down += w[a] * w[a];
        }
        *out += up / down / 8;
    }
    return status;
}

static const double DROP_RADIUS = 1e-3; /* m */
static double cover_drop(double y) { return fmin(0.95, fmax(0.05, 0.5 - 0.4 * y / DROP_RADIUS)); }

/* The flow below in x, y, z; A = 1. */
static void drop_flow(const float x[3], double out[3])
{
    const double r = DROP_RADIUS, y = (double)x[1] / r;
    const double s2 = ((double)x[0] * (double)x[0] + (double)x[2] * (double)x[2]) / (r * r);
    out[0] = -y * (double)x[0] / r, out[1] = 2 * s2 + y * y - 1, out[2] = -y * (double)x[2] / r;
}

/* A drop in a gradient of tension G: within, u_r = -A (1 - r^2/R^2) cos, u_t = A (1 - 2 r^2/R^2) sin, A = G R/(3 mu),
   without any change of its shape; Young, Goldstein & Block 1959 for an outside without viscosity. */
static mn_status marangoni_drop(const validation_setup *setup, double nu, const char *start, double *strength,
                                mn_messages *say)
{
    const double r = DROP_RADIUS, d = 1e-4;
    char text[8192];
    const int at = snprintf(text, sizeof text,
                            "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {step: %.9g, end: 1}\n"
                            "pressure: {tolerance: 0.002}\nfluids:\n  - shapes: [{sphere: {radius: %.9g}}]\n    %s\n"
                            "    surface: orthmann2013\n    viscosity: %.9g\n    surface_tension: 0.0728\n" SOAP,
                            d, 1e-9 / nu, r, start, nu, 0.25);
    add_bands(text + at, sizeof text - (size_t)at, 1, -r - d, r + d, d, cover_drop);
    moment m;
    double speed = 0;
    mn_status status = moment_text(&m, setup, text, say);
    if (status == MN_OK) status = flow_strength(&m, 0.0016, 0.0002, drop_flow, &speed);
    *strength = speed / (0.25 * 0.4 * SIGMA / (3 * RHO * nu));
    moment_end(&m);
    return status;
}

/* Of one start, over the analytic flow. */
typedef mn_status one_start(const validation_setup *setup, const char *start, double *strength, mn_messages *say);

/* Mean of three starts from Poisson disks, and how far they differ. */
static mn_status three_starts(const validation_setup *setup, one_start *run, const char *const what[2],
                              validation_report *out, mn_messages *say)
{
    enum { STARTS = 3 };
    mn_status status = MN_OK;
    double mean = 0, least = INFINITY, most = -INFINITY;
    for (int k = 0; k < STARTS && status == MN_OK; k++) {
        char start[60];
        double strength = 0;
        snprintf(start, sizeof start, "sampling: poisson\n    seed: %d", k);
        status = run(setup, start, &strength, say);
        mean += strength / STARTS, least = fmin(least, strength), most = fmax(most, strength);
    }
    if (status != MN_OK) return status;
    validation_add(out, mean, 1, 0.1, what[0], "");
    validation_add(out, most - least, 0, 0.2, what[1], "");
    return MN_OK;
}

static const double WAVE = 4e-3, DEPTH = 1e-3, LAYER_NU = 1e-4; /* m, 40 spacings; m, 10 spacings; m^2/s */
static double cover_layer(double x) { return 0.5 - 0.4 * sin(2 * M_PI * x / WAVE); }

/* Slow flow in a layer of depth h on a floor under a stress cos(k x): what its speed along x is at the height z, over
   the stress. The surface stays flat: psi = B (sinh kz - kz cosh kz) + D z sinh kz, 0 at h, mu psi'' = 1 there. */
static double layer_flow(double z, double h, double k, double mu)
{
    const double s = sinh(k * h), c = cosh(k * h), ratio = (k * h * c - s) / (h * s); /* D/B */
    const double bent = -k * k * (s + k * h * c) + ratio * (2 * k * c + k * k * h * s);
    return (-k * k * z * sinh(k * z) + ratio * (sinh(k * z) + k * z * cosh(k * z))) / (mu * bent);
}

static void layer_flow_at(const float x[3], double out[3])
{
    const double k = 2 * M_PI / WAVE, stress = 0.1 * 0.4 * SIGMA * k;
    out[0] = layer_flow((double)x[1], DEPTH, k, RHO * LAYER_NU) * cos(k * (double)x[0]) * stress;
    out[1] = out[2] = 0;
}

/* A layer of 10 spacings with a film that takes 0.1 of the tension in waves of 40; the floor does not slip. The solver
   is more exact than elsewhere: 0.002 of the density is 2 um in a quarter of a wave, and the layer goes to and fro by
   that at 5 mm/s, half of what is measured. From rest the flow of this time is within 0.003 of the slow one. */
static mn_status marangoni_layer(const validation_setup *setup, const char *start, double *speed, mn_messages *say)
{
    const double d = 1e-4, nu = LAYER_NU;
    char text[8192];
    const int at = snprintf(text, sizeof text,
                            "particles: {spacing: %.9g}\ntime: {step: 3e-6, end: 1}\npressure: {tolerance: 0.00005}\n"
                            "domain: {min: [0, -0.001, 0], max: [%.9g, 0.004, 9e-4], periodic: [x, z]}\n"
                            "fluids:\n  - shapes: [{box: {min: [0, 0, 0], max: [%.9g, %.9g, 9e-4]}}]\n    %s\n"
                            "    surface: orthmann2013\n    surface_tension: 0.0728\n"
                            "    viscosity: %.9g\n"
                            "walls:\n  - friction: 2.5\n    shapes: [{box: {min: [-0.01, -0.0006, -0.01], max: [0.02, "
                            "%.9g, 0.02]}}]\n" SOAP,
                            d, WAVE, WAVE, DEPTH, start, nu, -0.6 * d, 0.1);
    add_bands(text + at, sizeof text - (size_t)at, 0, 0, WAVE, d, cover_layer);
    moment m;
    mn_status status = moment_text(&m, setup, text, say);
    if (status == MN_OK) status = flow_strength(&m, 0.006, 0.0005, layer_flow_at, speed);
    moment_end(&m);
    return status;
}

static mn_status marangoni_drop_100(const validation_setup *setup, const char *start, double *strength,
                                    mn_messages *say)
{
    return marangoni_drop(setup, 1e-4, start, strength, say);
}
static mn_status marangoni_drop_400(const validation_setup *setup, const char *start, double *strength,
                                    mn_messages *say)
{
    return marangoni_drop(setup, 4e-4, start, strength, say);
}

mn_status validate_laplace_marangoni(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        one_start *run;
        const char *what[2], *lattice;
    } rows[] = {{marangoni_drop_100,
                 {"flow in a drop with a gradient of tension over the analytic, 100 mm^2/s, mean of three starts",
                  "most less least"},
                 "the same from a lattice"},
                {marangoni_drop_400, {"the drop at 400 mm^2/s, mean of three starts", "most less least"}, NULL},
                {marangoni_layer,
                 {"flow in a layer of 10 spacings with waves of tension over the analytic, mean of three starts",
                  "most less least"},
                 "the same from a lattice"}};
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == MN_OK; k++) {
        double strength = 0;
        status = three_starts(setup, rows[k].run, rows[k].what, out, say);
        if (status != MN_OK || !rows[k].lattice) continue;
        status = rows[k].run(setup, "sampling: lattice", &strength, say);
        if (status == MN_OK) validation_add(out, strength, 1, 0.1, rows[k].lattice, "");
    }
    return status;
}

/* -- capillary rise ------------------------------------------------------------------------------------------------ */

/* Mean height of the liquid in columns of 1.5 spacings whose middle `inside` accepts. */
typedef bool place(double x, double z);
static double level(const moment *m, const double low[2], const double high[2], place *inside)
{
    enum { MOST = 64 };
    const double cell = 1.5 * m->all.spacing;
    static double height[MOST * MOST];
    mn_height_grid grid = {1, {0, 0}, {low[0], low[1]}, {cell, cell}};
    double sum = 0, n = 0;
    for (int a = 0; a < 2; a++) grid.count[a] = (int)fmin(MOST, floor((high[a] - low[a]) / cell + 0.5));
    mn_measure_heights(&m->all, NULL, &grid, height);
    for (int i = 0; i < grid.count[0]; i++)
        for (int k = 0; k < grid.count[1]; k++) {
            const double x = low[0] + cell * (i + 0.5), z = low[1] + cell * (k + 0.5),
                         h = height[i + grid.count[0] * k];
            if (!isnan(h) && inside(x, z)) sum += h, n += 1;
        }
    return sum / fmax(1, n);
}

/* Mean pressure of particles between two heights where `inside` says so, over -rho g their height above `zero`. */
static double suction(const moment *m, double low, double high, double zero, place *inside)
{
    double p = 0, weight = 0;
    for (int64_t i = 0; i < m->all.count; i++) {
        const float *x = m->position + 3 * i;
        if ((double)x[1] < low || (double)x[1] > high || !inside((double)x[0], (double)x[2])) continue;
        p += (double)m->run.pressure[i], weight -= RHO * 9.81 * ((double)x[1] - zero);
    }
    return p / weight;
}

static bool in_tube(double x, double z) { return hypot(x, z) < 0.0014; }
static bool around_tube(double x, double z) { return hypot(x, z) > 0.0026 && hypot(x, z) < 0.0054; }

/* The height does not depend on the viscosity: with thirty times water's it is reached without long swings. */
#define RISE_WATER "    viscosity: {model: fitted, viscosity: 3e-5}\n    surface_tension: 0.0728\n"
static const char *const rise_viscosity[] = {
    "fluids.pool.viscosity={model: fitted, viscosity: 3e-5, wall_viscosity: 1e-6}",
    "fluids.column.viscosity={model: fitted, viscosity: 3e-5, wall_viscosity: 1e-6}"};

/* What the walls pull up is the weight of what stands above the level of pressure 0: in the tube 2 sigma cos/(rho g r),
   around it, where the wall of the pool has 90 degrees, 2 sigma cos a/(rho g (X^2 - a^2)). */
static mn_status rise_in_tube(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum {
        BEFORE = 120,
        MEAN = 50,
        LOOKS = BEFORE + MEAN
    }; /* every 5 ms; from 0.6 s on every 1 ms, of which the mean is taken */
    const double r = 0.0015, a = 0.00255, x = 0.0055, c = 0.5, lift = 2 * SIGMA * c / (RHO * 9.81);
    const double inner = lift / r, outer = lift * a / (x * x - a * a), box[2][2] = {{-0.006, -0.006}, {0.006, 0.006}};
    moment m;
    double time[LOOKS], height[LOOKS], rise = 0, pull = 0;
    validation_setup thick = *setup;
    for (int f = 0; f < 2; f++) thick = validation_with(&thick, rise_viscosity[f]);
    mn_status status = moment_run(&m, &thick, "laplace/capillary-rise", "pressure.tolerance=0.00005", 0.001, say);
    for (int k = 0; k < LOOKS && status == MN_OK; k++) {
        time[k] = k < BEFORE ? 0.005 * (k + 1) : 0.005 * BEFORE + 0.001 * (k - BEFORE + 1);
        status = moment_go_on(&m, time[k]);
        if (status == MN_OK) status = validation_read(&m.run, "pressure", m.run.pressure);
        if (status != MN_OK) break;
        const double around = level(&m, box[0], box[1], around_tube);
        height[k] = level(&m, box[0], box[1], in_tube) - around;
        if (k < BEFORE) continue;
        rise += height[k] / MEAN;
        pull += suction(&m, around + 0.001, around + 0.002, around - outer, in_tube) / MEAN;
    }
    if (status == MN_OK) {
        validation_add(out, 1000 * rise, 1000 * (inner - outer), 0.1, "rise in a tube, 60 degrees, 6 spacings", "mm");
        validation_add(out, pull, 1, 0.1, "pressure below that of the surroundings over rho g height", "");
        status = validation_curve(setup, "laplace-rise", "tube", "height", time, height, LOOKS, say);
    }
    moment_end(&m);
    return status;
}

static const double PLATES = 1.0 / 6000; /* m, spacing */
static bool between(double x, double z) { return (void)z, x > 0 && x < 12 * PLATES; }
static bool beside(double x, double z) { return (void)z, x > 19 * PLATES && x < 43 * PLATES; }

/* Root mean square distance, in spacings, of the surface between the plates from the arc of a circle with the same
   mean height. */
static double off_the_arc(const moment *m, const double low[2], const double high[2])
{
    enum { CELLS = 8 };
    const double w = 12 * PLATES, ring = 0.5 * w / 0.5, cell = 1.5 * PLATES;
    double h[CELLS], arc[CELLS], mean[2] = {0, 0}, sum = 0;
    for (int k = 0; k < CELLS; k++) {
        const double from[2] = {low[0] + cell * k, low[1]}, to[2] = {low[0] + cell * (k + 1), high[1]};
        h[k] = level(m, from, to, between);
        arc[k] = -sqrt(ring * ring - pow(cell * (k + 0.5) - 0.5 * w, 2));
        mean[0] += h[k] / CELLS, mean[1] += arc[k] / CELLS;
    }
    for (int k = 0; k < CELLS; k++) sum += pow(h[k] - mean[0] - arc[k] + mean[1], 2) / CELLS;
    return sqrt(sum) / PLATES;
}

/* Five of the times in which a column comes to rest, 0.12 s, are over at 0.6 s: then the mean of ten looks. Lines that
   move have another angle, so columns are slower than their viscosity makes them.
   Between plates of 60 degrees, 12 spacings or 2 mm apart, beside a pool whose walls have 90: sides at 0 and 12
   spacings, 18 and 44. The liquid begins 0.6 spacings from the walls. Deep 9 spacings, periodic. */
static mn_status rise_between_plates(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { LOOKS = 130 };
    const double d = PLATES, rise = 2 * SIGMA * 0.5 / (RHO * 9.81 * 12 * d), low[2] = {0, 0}, high[2] = {12 * d, 9 * d};
    const double pool[2][2] = {{18 * d, 0}, {44 * d, 9 * d}};
    char text[2048];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ntime: {adaptive: {max: 9e-5}, end: 1}\npressure: {tolerance: 0.00005}\n"
             "domain: {min: [-0.01, -0.01, 0], max: [0.02, 0.02, %.9g], periodic: [z]}\n"
             "fluids:\n  - shapes: [{box: {min: [0, 0, 0], max: [%.9g, %.9g, %.9g]}},\n"
             "             {box: {min: [0, 0, 0], max: [%.9g, %.9g, %.9g]}}]\n"
             "    holes: [{box: {min: [%.9g, %.9g, -1], max: [%.9g, 1, 1]}}]\n" RISE_WATER
             "walls:\n  - shapes: [{box: {min: [%.9g, %.9g, -0.01], max: [%.9g, 0.018, 0.02], inside_out: true}},\n"
             "             {box: {min: [%.9g, %.9g, -0.01], max: [%.9g, 0.015, 0.02]}}]\n"
             "  - contact_angle: 60\n"
             "    shapes: [{box: {min: [%.9g, %.9g, -0.01], max: [%.9g, 0.015, 0.02]}},\n"
             "             {box: {min: [%.9g, %.9g, -0.01], max: [%.9g, 0.015, 0.02]}}]\n",
             d, 9 * d, 44 * d, 10 * d, 9 * d, 12 * d, 10 * d + 0.7 * rise, 9 * d, 12 * d, 4 * d, 18 * d, -4.6 * d,
             -0.6 * d, 44.6 * d, 15 * d, 4.6 * d, 17.4 * d, -4.6 * d, 0.4 * d, -0.6 * d, 12.6 * d, 4.6 * d, 15 * d);
    moment m;
    double time[LOOKS], height[LOOKS], found = 0, shape = 0, pull = 0;
    mn_status status = moment_text(&m, setup, text, say);
    for (int k = 0; k < LOOKS && status == MN_OK; k++) {
        time[k] = 0.005 * (k + 1);
        status = moment_go_on(&m, time[k]);
        if (status == MN_OK) status = validation_read(&m.run, "pressure", m.run.pressure);
        if (status != MN_OK) break;
        const double around = level(&m, pool[0], pool[1], beside);
        height[k] = level(&m, low, high, between) - around;
        if (k < LOOKS - 10) continue;
        found += height[k] / 10, shape += off_the_arc(&m, low, high) / 10;
        pull += suction(&m, around + 8 * d, around + 14 * d, around, between) / 10;
    }
    if (status == MN_OK) {
        validation_add(out, 1000 * found, 1000 * rise, 0.1, "rise between plates, 60 degrees, 12 spacings", "mm");
        validation_add(out, pull, 1, 0.1, "pressure below that of the surroundings over rho g height", "");
        validation_add(out, shape, 0, 0.5, "distance of the meniscus from the arc of a circle, in spacings", "");
        status = validation_curve(setup, "laplace-rise", "plates", "height", time, height, LOOKS, say);
    }
    moment_end(&m);
    return status;
}

mn_status validate_laplace_rise(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    const mn_status status = rise_between_plates(setup, out, say);
    return status == MN_OK ? rise_in_tube(setup, out, say) : status;
}
