/* level.c -- how far and how high liquid reaches, and what flows through a plane. */
#include <math.h>

#include "base/exact.h"
#include "measure/measure.h"

double mn_measure_front(const mn_cloud *c, const bool *inside, int axis, int sign)
{
    double far = -INFINITY;
    for (int64_t i = 0; i < c->count; i++)
        if (!inside || inside[i]) far = fmax(far, sign * (double)c->position[3 * i + axis]);
    return isinf(far) ? NAN : sign * (far + 0.5 * c->spacing);
}

void mn_measure_heights(const mn_cloud *c, const bool *inside, const mn_height_grid *grid, double *out)
{
    const int up = grid->up, first = up == 0 ? 1 : 0, second = up == 2 ? 1 : 2;
    for (int k = 0; k < grid->count[0] * grid->count[1]; k++) out[k] = NAN;
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        const double u = floor(((double)p[first] - grid->origin[0]) / grid->cell[0]),
                     v = floor(((double)p[second] - grid->origin[1]) / grid->cell[1]);
        if ((inside && !inside[i]) || !(u >= 0 && u < grid->count[0] && v >= 0 && v < grid->count[1])) continue;
        double *at = &out[(int)u + grid->count[0] * (int)v];
        const double height = (double)p[up] + 0.5 * c->spacing;
        if (!(*at >= height)) *at = height; /* NAN too */
    }
}

/* The place of a particle: along a direction, and its distance from the line squared. */
static double place(const float *p, const double point[3], const double direction[3], double *aside)
{
    double s = 0, square = 0;
    for (int a = 0; a < 3; a++) {
        const double d = (double)p[a] - point[a];
        s += d * direction[a];
        square += d * d;
    }
    *aside = square - s * s;
    return s;
}

double mn_measure_gauge(const mn_cloud *c, const double point[3], const double up[3], double radius)
{
    double high = -INFINITY, aside;
    for (int64_t i = 0; i < c->count; i++) {
        const double s = place(c->position + 3 * i, point, up, &aside);
        if (s >= 0 && aside < radius * radius) high = fmax(high, s);
    }
    return isinf(high) ? NAN : high + 0.5 * c->spacing;
}

/* (1 - r^2/(2 d)^2)^3, its integral made 1: each particle stands for d^3. */
void mn_measure_weights(const mn_cloud *c, const double point[3], float *weight, double *filled)
{
    const double reach = 2 * c->spacing, whole = 315 / (64 * M_PI * 8);
    *filled = 0;
    for (int64_t i = 0; i < c->count; i++) {
        double square = 0;
        for (int a = 0; a < 3; a++) square += mn_power((double)c->position[3 * i + a] - point[a], 2);
        const double t = 1 - square / (reach * reach), w = t > 0 ? whole * t * t * t : 0;
        weight[i] = (float)w;
        *filled += w;
    }
}

mn_flux mn_measure_flux(const mn_cloud *c, const float *velocity, const double point[3], const double normal[3],
                        const double size[2])
{
    const double d = c->spacing;
    double edge[2][3];
    mn_measure_across(normal, edge[0], edge[1]);
    mn_flux out = {0, 0, 0};
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i, *v = velocity + 3 * i;
        double unused, through = 0;
        bool in = fabs(place(p, point, normal, &unused)) < d;
        for (int e = 0; e < 2 && in; e++) in = size[e] <= 0 || fabs(place(p, point, edge[e], &unused)) < 0.5 * size[e];
        if (!in) continue;
        for (int k = 0; k < 3; k++) through += (double)v[k] * normal[k];
        out.area += 0.5 * d * d; /* d^3 over a slab of 2 d */
        out.flow += 0.5 * d * d * through;
    }
    out.speed = out.area > 0 ? out.flow / out.area : 0;
    return out;
}
