/* validate_solids.c -- soft solids against beam theory, and in the wind. */
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

static float *solid_field(const validation_run *run, const char *field)
{
    float *out = calloc(3 * (size_t)mn_world_solid_particles(run->world, 0) + 1, sizeof *out);
    if (out && mn_world_solid_get(run->world, 0, field, out, run->say) == MN_OK) return out;
    free(out);
    return NULL;
}

mn_status validate_cantilever(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "basics/cantilever", NULL, say) ? MN_OK : MN_BAD_INPUT;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-12)) status = validation_step(&run, run.end);
    float *x = status == MN_OK ? solid_field(&run, "position") : NULL,
          *u = x ? solid_field(&run, "displacement") : NULL;
    if (u) {
        const mn_soft_def *beam = &run.scene->solids[0];
        const double l = 0.48, height = 0.08, width = 0.03, d = beam->spacing, area = height * width;
        const double inertia = width * pow(height, 3) / 12, shear = 5.0 / 6 * area * beam->mu,
                     weight = beam->density * area * 9.81;
        const double theory = weight * (pow(l, 4) / (8 * beam->young * inertia) + l * l / (2 * shear));
        double sum[2] = {0}, speed = 0;
        int count[2] = {0};
        for (int64_t i = 0; i < mn_world_solid_particles(run.world, 0); i++) {
            const double rest = (double)x[3 * i] - (double)u[3 * i];
            const int layer = (int)floor((l - rest) / d);
            if (layer < 2) sum[layer] -= (double)u[3 * i + 1], count[layer]++;
        }
        const double last = sum[0] / count[0], before = sum[1] / count[1];
        const mn_solid_stats stats = mn_world_solid(run.world, 0);
        speed = sqrt(2 * stats.kinetic_energy / (beam->density * area * l));
        validation_add(out, 1000 * (last + 0.5 * (last - before)), 1000 * theory, 0.05, "deflection of the tip", "mm");
        validation_add(out, speed, 0, 0.01, "speed at the end", "m/s");
    } else if (status == MN_OK) status = MN_FAILED;
    free(x), free(u);
    validation_close(&run);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a figure in the
 * wind */

typedef struct limbs {
    double hands, shoulders; /* mean height, m */
} limbs;

/* Hands are what reaches out furthest to the sides at rest. */
static mn_status measure_limbs(const validation_run *run, limbs *out)
{
    float *x = solid_field(run, "position"), *u = x ? solid_field(run, "displacement") : NULL;
    double sum[2] = {0};
    int count[2] = {0};
    for (int64_t i = 0; u && i < mn_world_solid_particles(run->world, 0); i++) {
        const double side = fabs((double)x[3 * i] - (double)u[3 * i]),
                     rest = (double)x[3 * i + 1] - (double)u[3 * i + 1];
        const int which = side > 0.13 ? 0 : side > 0.03 && side < 0.05 && rest > 0.18 && rest < 0.22 ? 1 : -1;
        if (which >= 0) sum[which] += (double)x[3 * i + 1], count[which]++;
    }
    free(x), free(u);
    if (!count[0] || !count[1]) return MN_FAILED;
    *out = (limbs){sum[0] / count[0], sum[1] / count[1]};
    return MN_OK;
}

static int lattice_place(const float *x, const float *u, int64_t i, double d, int n[3])
{
    for (int a = 0; a < 3; a++) n[a] = (int)floor(((double)x[3 * i + a] - (double)u[3 * i + a]) / d + 100.25);
    return (n[2] * 256 + n[1]) * 256 + n[0];
}

/* Of each particle with six neighbours on its lattice, how far its displacement is from their mean: *rough, the root
 * of the mean square; *zigzag, the mean of that with alternating signs. Both over the spacing. A smooth body is
 * hardly rough, a body in an hourglass mode is as much zigzag as rough. */
static mn_status measure_zigzag(const validation_run *run, double *rough, double *zigzag)
{
    const double d = run->scene->solids[0].spacing;
    const int64_t n = mn_world_solid_particles(run->world, 0);
    float *x = solid_field(run, "position"), *u = x ? solid_field(run, "displacement") : NULL;
    int *at = malloc((size_t)(1 << 24) * sizeof *at);
    mn_status status = u && at ? MN_OK : MN_FAILED;
    for (int k = 0; k < 1 << 24 && status == MN_OK; k++) at[k] = -1;
    for (int64_t i = 0; i < n && status == MN_OK; i++) {
        int c[3];
        at[lattice_place(x, u, i, d, c)] = (int)i;
    }
    double square = 0, sum[3] = {0};
    int inner = 0;
    for (int64_t i = 0; i < n && status == MN_OK; i++) {
        static const int next[6] = {1, -1, 256, -256, 65536, -65536};
        int c[3], whole = 1;
        const int here = lattice_place(x, u, i, d, c);
        for (int k = 0; k < 6; k++) whole = whole && at[here + next[k]] >= 0;
        if (!whole) continue;
        inner++;
        for (int a = 0; a < 3; a++) {
            double e = (double)u[3 * i + a];
            for (int k = 0; k < 6; k++) e -= (double)u[3 * at[here + next[k]] + a] / 6;
            square += e * e;
            sum[a] += (c[0] + c[1] + c[2]) % 2 ? e : -e;
        }
    }
    if (inner)
        *rough = sqrt(square / inner) / d,
        *zigzag = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / inner / d;
    free(x), free(u), free(at);
    return status;
}

mn_status validate_figure(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "gissler2017/figure-small", NULL, say) ? MN_OK : MN_BAD_INPUT;
    limbs rest = {0}, now = {0};
    if (status == MN_OK) status = measure_limbs(&run, &rest);
    double lowest = 1e30, highest = -1e30, mean = 0, stretch = 0, before = 0, rough = 0, zigzag = 0;
    int samples = 0, turns = 0, rising = 0;
    for (double until = 0.02; status == MN_OK && until < run.end * (1 + 1e-9); until += 0.02) {
        while (status == MN_OK && mn_world_time(run.world) < until * (1 - 1e-12)) status = validation_step(&run, until);
        if (status == MN_OK) status = measure_limbs(&run, &now);
        stretch = fmax(stretch, mn_world_solid(run.world, 0).stretch);
        if (until < 0.5) continue;
        const double lift = now.hands - now.shoulders;
        lowest = fmin(lowest, lift), highest = fmax(highest, lift), mean += lift;
        if (samples++ > 0 && (lift > before) != (rising > 0)) turns++;
        rising = lift > before;
        before = lift;
    }
    if (status == MN_OK) status = measure_zigzag(&run, &rough, &zigzag);
    if (status == MN_OK) {
        /* An arm is a beam of radius 2 cm, 13 cm free. The wind loads it with about 0.6 of 1/2 rho v^2 times its
         * width, 92 N/m: small deflections would be w L^4/(8 E I) = 14 times its length, so it streams along the
         * wind. Its hand, 12 cm along the arm from the shoulder and 4 cm below it at rest, then rises by about 16
         * cm: by half of that at least, for it bends at the shoulder, and by 1.3 times at most, as the drag along
         * it, w L/(pi r^2) = 0.65 E at its root, stretches it. */
        validation_add(out, 100 * (mean / samples - (rest.hands - rest.shoulders)), 14, 0.45,
                       "rise of the hands above the shoulders", "cm");
        /* It swings like a chain in the field w/(rho pi r^2) = 73 m/s^2: 4.5 Hz, in its second mode 10.4 Hz;
         * stiffness and stretch put it in between. 41 to 94 turns in 4.5 s. */
        validation_add(out, turns, 67, 0.4, "times they turn around until 5 s", "");
        validation_add(out, 100 * (highest - lowest), 12, 0.92,
                       "range over which they swing: a spacing at least, at most twice the arm", "cm");
        validation_add(out, stretch, 2, 0.5, "largest stretch", "");
        validation_add(out, rough, 0, 0.1, "roughness of the displacements over the spacing", "");
        validation_add(out, zigzag / rough, 0, 0.1, "share of it that alternates from particle to particle", "");
    }
    validation_close(&run);
    return status;
}
