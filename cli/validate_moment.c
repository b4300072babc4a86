/* validate_moment.c -- a scene run to a moment, and its particles then. */
#include "validate_moment.h"

#include <math.h>
#include <stdlib.h>

#include "base/host_spline.h"
#include "scene/scene.h"

void moment_end(moment *m)
{
    free(m->position);
    free(m->fluid);
    free(m->scratch);
    validation_close(&m->run);
}

mn_status moment_go_on(moment *m, double until)
{
    mn_status status = MN_OK;
    mn_world_limit_step(m->run.world, until);
    while (status == MN_OK && mn_world_time(m->run.world) < until) status = mn_step(m->run.world, m->run.say);
    if (status != MN_OK) return status;
    const size_t n = (size_t)mn_world_particles(m->run.world);
    free(m->position), free(m->fluid), free(m->scratch);
    m->position = malloc((3 * n + 3) * sizeof *m->position);
    m->fluid = malloc((n + 1) * sizeof *m->fluid);
    m->scratch = malloc((n + 1) * sizeof *m->scratch);
    if (!m->position || !m->fluid || !m->scratch) return MN_FAILED;
    m->all = (mn_cloud){m->position, (int64_t)n, m->run.scene->spacing};
    status = mn_world_get(m->run.world, "position", m->position, m->run.say);
    return status == MN_OK ? mn_world_get(m->run.world, "fluid", m->fluid, m->run.say) : status;
}

mn_status moment_run(moment *m, const validation_setup *setup, const char *scene, const char *set, double until,
                     mn_messages *say)
{
    *m = (moment){0};
    if (!validation_open(&m->run, setup, scene, set, say)) return MN_BAD_INPUT;
    return moment_go_on(m, until > 0 ? until : m->run.end);
}

mn_status moment_run_with(moment *m, const validation_setup *setup, const char *scene, const char *const *sets,
                          double until, mn_messages *say)
{
    validation_setup own = *setup;
    for (int k = 0; sets[k]; k++) own = validation_with(&own, sets[k]);
    return moment_run(m, &own, scene, NULL, until, say);
}

mn_status moment_text(moment *m, const validation_setup *setup, const char *text, mn_messages *say)
{
    *m = (moment){0};
    return validation_open_text(&m->run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
}

double moment_roundness(const moment *m)
{
    double centre[3], eigenvalue[3];
    mn_measure_moments(&m->all, centre, eigenvalue);
    return eigenvalue[2] / eigenvalue[0];
}

double moment_speed(const moment *m)
{
    const double mass = m->run.scene->fluids[0].density * pow(m->all.spacing, 3) * (double)m->all.count;
    return sqrt(2 * mn_world_stats(m->run.world).kinetic_energy / mass);
}

double moment_surface_energy(moment *m)
{
    const double h = m->run.scene->support * m->all.spacing, w0 = mn_spline_peak(h), volume = pow(m->all.spacing, 3);
    const int64_t n = m->all.count;
    double *colour = m->scratch, energy = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < n; i++) {
            double sum = volume * w0, g[3] = {0, 0, 0};
            for (int64_t j = 0; j < n; j++) {
                double x[3], r2 = 0;
                for (int a = 0; a < 3; a++)
                    x[a] = (double)m->position[3 * i + a] - (double)m->position[3 * j + a], r2 += x[a] * x[a];
                if (j == i || r2 >= h * h) continue;
                const double q = sqrt(r2) / h;
                sum += volume * w0 * mn_spline_shape(q);
                for (int a = 0; pass && a < 3; a++)
                    g[a] += volume * colour[j] * w0 / h * mn_spline_slope(q) * x[a] / sqrt(fmax(r2, 1e-30));
            }
            if (!pass) colour[i] = sum;
            else energy += (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / (colour[i] * colour[i]) / (double)n;
        }
    return energy;
}

double moment_radius(moment *m, double low, double high, double share)
{
    int64_t n = 0;
    for (int64_t i = 0; i < m->all.count; i++) {
        const float *p = m->position + 3 * i;
        if ((double)p[1] >= low && (double)p[1] <= high) m->scratch[n++] = hypot((double)p[0], (double)p[2]);
    }
    return n ? mn_measure_quantile(m->scratch, n, share) : 0;
}

double moment_height(moment *m, double share)
{
    for (int64_t i = 0; i < m->all.count; i++) m->scratch[i] = (double)m->position[3 * i + 1];
    return mn_measure_quantile(m->scratch, m->all.count, share);
}

double moment_distance(const moment *m, int64_t i, const double from[3])
{
    double square = 0;
    for (int a = 0; a < 3; a++) square += pow((double)m->position[3 * i + a] - from[a], 2);
    return sqrt(square);
}

double moment_thinnest(const moment *m, const mn_shape_def *ball, double reach, double *spread)
{
    enum { DIRECTIONS = 60 };
    double found[DIRECTIONS] = {0}, least = INFINITY, square = 0, mean = 0;
    const double d = m->run.scene->spacing, share = 2 * M_PI * 1.6 / DIRECTIONS * ball->radius * ball->radius;
    for (int64_t i = 0; i < m->all.count; i++) {
        double to[3], best = -2;
        int at = 0;
        for (int a = 0; a < 3; a++) to[a] = (double)m->position[3 * i + a] - ball->translate[a];
        const double r = moment_distance(m, i, ball->translate);
        if (r > ball->radius + reach * d || fabs(to[1]) > 0.8 * r) continue;
        for (int k = 0; k < DIRECTIONS; k++) {
            const double up = 0.8 - 1.6 * (k + 0.5) / DIRECTIONS, side = sqrt(1 - up * up), turn = 2.399963 * k;
            const double along = to[0] * side * cos(turn) + to[1] * up + to[2] * side * sin(turn);
            if (along > best) best = along, at = k;
        }
        found[at] += d * d / share;
    }
    for (int k = 0; k < DIRECTIONS; k++) least = fmin(least, found[k]), mean += found[k] / DIRECTIONS;
    for (int k = 0; k < DIRECTIONS; k++) square += pow(found[k] - mean, 2) / DIRECTIONS;
    if (spread) *spread = sqrt(square) / mean;
    return least;
}

mn_status moment_pieces(const moment *m, int least, pieces_summary *out)
{
    *out = (pieces_summary){0};
    return mn_measure_pieces(&m->all, least, &out->count, &out->largest, &out->crumbs) ? MN_OK : MN_FAILED;
}
