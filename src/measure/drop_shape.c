/* drop_shape.c -- moments of a liquid, and drops on a floor. */
#include <math.h>
#include <stdlib.h>

#include "base/exact.h"
#include "measure/particle_cells.h"
#include "measure/measure.h"

/* -- moments ------------------------------------------------------------------------------------------------------- */

/* Eigenvalues of a symmetric 3 x 3 matrix (xx yy zz xy xz yz) by the trigonometric formula, rising. */
static void eigenvalues(const double m[6], double out[3])
{
    const double mean = (m[0] + m[1] + m[2]) / 3;
    const double x = m[0] - mean, y = m[1] - mean, z = m[2] - mean;
    const double spread = sqrt((x * x + y * y + z * z + 2 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5])) / 6);
    if (!(spread > 0)) {
        out[0] = out[1] = out[2] = mean;
        return;
    }
    const double determinant =
        (x * (y * z - m[5] * m[5]) - m[3] * (m[3] * z - m[5] * m[4]) + m[4] * (m[3] * m[5] - y * m[4])) /
        (spread * spread * spread);
    const double cosine = fmax(-1, fmin(1, determinant / 2)), turn = M_PI * 2 / 3;
    const double angle = mn_atan2(sqrt(1 - cosine * cosine), cosine) / 3;
    out[2] = mean + 2 * spread * mn_cos(angle);
    out[0] = mean + 2 * spread * mn_cos(angle + turn);
    out[1] = 3 * mean - out[0] - out[2];
}

void mn_measure_moments(const mn_cloud *c, double centre[3], double eigenvalue[3])
{
    double sum[3] = {0, 0, 0}, m[6] = {0, 0, 0, 0, 0, 0};
    const double n = c->count > 0 ? (double)c->count : 1;
    for (int64_t i = 0; i < 3 * c->count; i++) sum[i % 3] += (double)c->position[i];
    for (int a = 0; a < 3; a++) centre[a] = sum[a] / n;
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        const double x = (double)p[0] - centre[0], y = (double)p[1] - centre[1], z = (double)p[2] - centre[2];
        const double add[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
        for (int k = 0; k < 6; k++) m[k] += add[k] / n;
    }
    eigenvalues(m, eigenvalue);
}

double mn_measure_reach(const mn_cloud *c)
{
    double centre[3], eigenvalue[3], far = 0;
    mn_measure_moments(c, centre, eigenvalue);
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        far = fmax(far,
                   sqrt(mn_power(p[0] - centre[0], 2) + mn_power(p[1] - centre[1], 2) + mn_power(p[2] - centre[2], 2)));
    }
    return (far + 0.5 * c->spacing) / (c->spacing * mn_cbrt(0.75 * (double)c->count / M_PI));
}

/* -- wetting ------------------------------------------------------------------------------------------------------- */

static double along(const float *p, const double up[3])
{
    return (double)p[0] * up[0] + (double)p[1] * up[1] + (double)p[2] * up[2];
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

void mn_measure_across(const double up[3], double first[3], double second[3])
{
    const int a = fabs(up[0]) < 0.9 ? 0 : 2;
    const double part = up[a];
    double length = 0;
    for (int k = 0; k < 3; k++) first[k] = (k == a) - part * up[k], length += first[k] * first[k];
    for (int k = 0; k < 3; k++) first[k] /= sqrt(length);
    for (int k = 0; k < 3; k++) second[k] = first[(k + 1) % 3] * up[(k + 2) % 3] - first[(k + 2) % 3] * up[(k + 1) % 3];
}

bool mn_measure_wetted(const mn_cloud *c, const double up[3], double height, double *area)
{
    int64_t *key = malloc((size_t)(c->count > 0 ? c->count : 1) * sizeof *key), low = 0, squares = 0;
    double first[3], second[3], corner[2] = {INFINITY, INFINITY}; /* of the squares: a lattice lies in their middles */
    if (!key) return false;
    mn_measure_across(up, first, second);
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        if (!(along(p, up) < height)) continue;
        corner[0] = fmin(corner[0], along(p, first) - 0.5 * c->spacing);
        corner[1] = fmin(corner[1], along(p, second) - 0.5 * c->spacing);
    }
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        if (along(p, up) < height)
            key[low++] = mn_cell_key((int64_t)floor((along(p, first) - corner[0]) / c->spacing), 0,
                                     (int64_t)floor((along(p, second) - corner[1]) / c->spacing));
    }
    qsort(key, (size_t)low, sizeof *key, by_size);
    for (int64_t k = 0; k < low; k++) squares += k == 0 || key[k] != key[k - 1];
    free(key);
    *area = (double)squares * c->spacing * c->spacing;
    return true;
}

/* Centre of mass of a spherical cap above its floor, over the cube root of its volume; R = 1, height t = 1 -
 * cos(angle): volume pi t^2 (3 - t)/3, first moment pi t^2 (2 - t)^2/4 measured from the sphere's centre. */
static double cap_centre(double angle)
{
    const double pi = M_PI, t = 1 - mn_cos(angle);
    const double volume = pi * t * t * (3 - t) / 3, moment = pi * t * t * (2 - t) * (2 - t) / 4;
    return (moment / volume + mn_cos(pi - angle)) / mn_cbrt(volume);
}

double mn_measure_contact_angle(double centre_over_size)
{
    double low = 0.02, high = M_PI;
    for (int k = 0; k < 60; k++) {
        const double mid = (low + high) / 2;
        if (cap_centre(mid) < centre_over_size) low = mid;
        else high = mid;
    }
    return low * 180 / M_PI;
}

/* Half a spacing below the mean of the lowest layer: what lies less than half a spacing above the height that two in a
 * hundred lie under. Sorts the heights. */
static double find_floor(double *height, int64_t count, double spacing)
{
    const double low = mn_measure_quantile(height, count, 0.02);
    double sum = 0;
    int64_t n = 0;
    for (; n < count && height[n] < low + 0.5 * spacing; n++) sum += height[n];
    return sum / (double)(n > 0 ? n : 1) - 0.5 * spacing;
}

bool mn_measure_cap(const mn_cloud *c, const double up[3], double floor, mn_cap *out)
{
    const double d = c->spacing;
    double *height = c->count > 0 ? malloc((size_t)c->count * sizeof *height) : NULL, sum = 0, top = -INFINITY;
    int64_t layer = 0;
    *out = (mn_cap){0};
    if (!height) return false;
    for (int64_t i = 0; i < c->count; i++) {
        height[i] = along(c->position + 3 * i, up);
        sum += height[i] / (double)c->count;
        top = fmax(top, height[i]);
    }
    out->floor = isnan(floor) ? find_floor(height, c->count, d) : floor;
    for (int64_t i = 0; i < c->count; i++) layer += height[i] < out->floor + d;
    out->angle = mn_measure_contact_angle((sum - out->floor) / (d * mn_cbrt((double)c->count)));
    out->height = top + 0.5 * d - out->floor;
    out->base_radius = sqrt((double)layer * d * d / M_PI);
    free(height);
    return true;
}

/* -- order --------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double mn_measure_quantile(double *value, int64_t count, double share)
{
    if (count <= 0) return NAN;
    qsort(value, (size_t)count, sizeof *value, by_value);
    return value[(int64_t)(share * (double)(count - 1))];
}
