/* validate_film.c -- a film of liquid flows down a plate that has a contact angle: does the wall hold it where the
 * liquid begins, 0.6 spacings above the wall's points?
 *
 * Depth h, nu, gravity g along the plate, 100 m/s^2 onto it; looked at from 1.5 to 3 h^2/nu, when it is steady:
 *
 *   mean velocity g h^2/(3 nu) (Nusselt 1916),  u = g/nu (h y - y^2/2)
 *
 * The liquid has the least viscosity of the model, the wall 2.5 times that: no slip (docs/methods/walls.md).
 */
#include <math.h>
#include <stdio.h>

#include "scene/scene.h"
#include "validate_drop.h"

enum { LAYERS = 10, LOOKS = 15 };
static const double SPACING = 2e-3 / 24, FLOOR = 0.6, TOP_SPEED = 0.3; /* m, spacings, m/s */

typedef struct layers {
    double count[LAYERS], height[LAYERS], speed[LAYERS]; /* sums over particles; height in spacings */
    double mean;                                         /* m/s, of all */
} layers;

static mn_status open_film(moment *m, const validation_setup *setup, int depth, double nu, double along,
                           const char *start, mn_messages *say)
{
    const double d = SPACING, wide = 12 * d;
    char text[1200];
    snprintf(text, sizeof text,
             "particles: {spacing: %.9g}\ngravity: [%.9g, -100, 0]\ntime: {adaptive: {max: 3e-5}, end: 1}\n"
             "pressure: {tolerance: 0.002}\n"
             "domain: {min: [0, %.9g, 0], max: [%.9g, %.9g, %.9g], periodic: [x, z]}\n"
             "fluids:\n  - shapes: [{box: {min: [0, %.9g, 0], max: [%.9g, %.9g, %.9g]}}]\n    velocity: [%.9g, 0, 0]\n"
             "%s    viscosity: %.9g\n    surface_tension: 0.0728\n"
             "walls:\n  - friction: 2.5\n    shapes: [{plane: {point: [%.9g, 0, %.9g], normal: [0, 1, 0], size: [%.9g, "
             "%.9g]}}]\n",
             d, along, -12 * d, wide, 48 * d, wide, FLOOR * d, wide, (FLOOR + depth) * d, wide, 0.6 * TOP_SPEED, start,
             nu, 0.5 * wide, 0.5 * wide, 2 * wide, 2 * wide);
    return moment_text(m, setup, text, say);
}

static void look(const moment *m, int depth, layers *sum)
{
    for (int64_t i = 0; i < m->all.count; i++) {
        const double z = (double)m->position[3 * i + 1] / SPACING, u = (double)m->run.velocity[3 * i];
        const int k = (int)floor(z - FLOOR);
        sum->mean += u / ((double)m->all.count * LOOKS);
        if (k < 0 || k >= depth) continue;
        sum->count[k] += 1, sum->height[k] += z, sum->speed[k] += u;
    }
}

/* Height over the points, in spacings, at which a A (H z - z^2/2) + B through the layers has no velocity; the uppermost
   is left out. */
static double still_height(const layers *sum, int depth)
{
    const double top = FLOOR + depth;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < depth - 1; k++) {
        if (sum->count[k] == 0) continue;
        const double z = sum->height[k] / sum->count[k], u = sum->speed[k] / sum->count[k];
        const double x = top * z - 0.5 * z * z;
        n += 1, sx += x, sy += u, sxx += x * x, sxy += x * u;
    }
    const double a = (n * sxy - sx * sy) / (n * sxx - sx * sx), b = (sy - a * sx) / n;
    return top - sqrt(top * top + 2 * b / a);
}

static mn_status film(const validation_setup *setup, int depth, const char *start, double *flux, double *still,
                      mn_messages *say)
{
    const double h = depth * SPACING, nu = 0.2 * sqrt(DROP_SIGMA * SPACING / 1000),
                 along = 2 * nu * TOP_SPEED / (h * h);
    const double steady = 1.5 * h * h / nu;
    layers sum = {.mean = 0};
    moment m;
    mn_status status = open_film(&m, setup, depth, nu, along, start, say);
    for (int k = 1; k <= LOOKS && status == MN_OK; k++) {
        status = moment_go_on(&m, steady * (1 + (double)k / LOOKS));
        if (status == MN_OK) status = validation_read(&m.run, "velocity", m.run.velocity);
        if (status == MN_OK) look(&m, depth, &sum);
    }
    moment_end(&m);
    *flux = sum.mean / (2 * TOP_SPEED / 3), *still = still_height(&sum, depth);
    return status;
}

mn_status validate_laplace_film(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        int depth;
        const char *start, *what[2];
    } rows[] = {{6,
                 "    jitter: 0.1\n",
                 {"film of 6 spacings down a plate: mean velocity over Nusselt's",
                  "height over the wall's points at which it is 0, in spacings"}},
                {6, "    sampling: poisson\n    seed: 2\n", {"the same from Poisson disks", "height"}},
                {4, "    sampling: poisson\n    seed: 2\n", {"4 spacings", "height"}},
                {10, "    sampling: poisson\n    seed: 2\n", {"10 spacings", "height"}}};
    const int count = setup->end > 0 ? 1 : (int)(sizeof rows / sizeof *rows); /* tests: the first */
    for (int k = 0; k < count; k++) {
        double flux = 0, still = 0;
        const mn_status status = film(setup, rows[k].depth, rows[k].start, &flux, &still, say);
        if (status != MN_OK) return status;
        validation_add(out, flux, 1, 0.1, rows[k].what[0], "");
        validation_add(out, still, FLOOR, 0.15 / FLOOR, rows[k].what[1], "");
    }
    return MN_OK;
}
