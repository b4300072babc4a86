/* rest_state.c -- what a soft solid is at rest: neighbours, their weights, K and its inverse (elastic.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_spline.h"
#include "geometry/near.h"
#include "geometry/vectors.h"
#include "soft/elastic_parts.h"

enum { MOST_NEIGHBOURS = 512 };

/* W, and -W'/r. */
static void spline(double r, double h, double *value, double *slope)
{
    const double q = r / h, w0 = mn_spline_peak(h);
    *value = w0 * mn_spline_shape(q);
    *slope = r > 0 ? w0 * -mn_spline_slope(q) / (h * r) : 0;
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

bool mn_elastic_list(mn_elastic *e)
{
    const mn_points points = {.x = e->rest, .count = e->count, .capacity = e->count};
    near_grid grid;
    /* what lies at h has no weight, whatever rounding says */
    const double reach = e->h * (1 - 1e-9);
    bool ok = near_new(&grid, &points, e->h, e->count) == MN_OK;
    for (int i = 0; i < e->count && ok; i++) ok = near_add(&grid, i) == MN_OK;
    int room = 32 * e->count + 64;
    e->list = malloc((size_t)room * sizeof *e->list);
    ok = ok && e->list;
    for (int i = 0; i < e->count && ok; i++) {
        int found[MOST_NEIGHBOURS];
        const int count = near_list(&grid, &e->rest[3 * i], reach, found, MOST_NEIGHBOURS);
        if (e->first[i] + count > room) {
            room += room / 2 + MOST_NEIGHBOURS;
            int *more = room > 0 ? realloc(e->list, (size_t)room * sizeof *more) : NULL;
            if (!more) {
                ok = false;
                break;
            }
            e->list = more;
        }
        qsort(found, (size_t)count, sizeof *found, ascending);
        int at = e->first[i];
        for (int k = 0; k < count; k++)
            if (found[k] != i) e->list[at++] = found[k];
        e->first[i + 1] = at;
    }
    near_free(&grid);
    return ok;
}

/* Eigenvalues and eigenvectors (columns of q) of a symmetric matrix by Jacobi's rotations. */
static void eigen(double a[3][3], double q[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) q[r][c] = r == c;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int r = 0; r < 2; r++)
            for (int c = r + 1; c < 3; c++) {
                if (a[r][c] == 0) continue;
                const double theta = (a[c][c] - a[r][r]) / (2 * a[r][c]);
                const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), cs = 1 / sqrt(t * t + 1),
                             sn = t * cs;
                for (int k = 0; k < 3; k++) {
                    const double u = a[k][r], v = a[k][c];
                    a[k][r] = cs * u - sn * v, a[k][c] = sn * u + cs * v;
                }
                for (int k = 0; k < 3; k++) {
                    const double u = a[r][k], v = a[c][k];
                    a[r][k] = cs * u - sn * v, a[c][k] = sn * u + cs * v;
                }
                for (int k = 0; k < 3; k++) {
                    const double u = q[k][r], v = q[k][c];
                    q[k][r] = cs * u - sn * v, q[k][c] = sn * u + cs * v;
                }
            }
}

/* K^-1 and K K^-1 of a symmetric K. Directions in which the neighbours do not reach out have neither. */
static void invert(const double k[6], double inverse[6], double projector[6])
{
    const double c0 = k[3] * k[5] - k[4] * k[4], c1 = k[2] * k[4] - k[1] * k[5], c2 = k[1] * k[4] - k[2] * k[3];
    const double det = k[0] * c0 + k[1] * c1 + k[2] * c2;
    if (det >= 1e-6) {
        const double s = 1 / det;
        const double full[6] = {c0 * s,
                                c1 * s,
                                c2 * s,
                                (k[0] * k[5] - k[2] * k[2]) * s,
                                (k[1] * k[2] - k[0] * k[4]) * s,
                                (k[0] * k[3] - k[1] * k[1]) * s};
        const double one[6] = {1, 0, 0, 1, 0, 1};
        memcpy(inverse, full, sizeof full);
        memcpy(projector, one, sizeof one);
        return;
    }
    double a[3][3] = {{k[0], k[1], k[2]}, {k[1], k[3], k[4]}, {k[2], k[4], k[5]}}, q[3][3];
    eigen(a, q);
    const double top = fmax(a[0][0], fmax(a[1][1], a[2][2]));
    memset(inverse, 0, 6 * sizeof *inverse);
    memset(projector, 0, 6 * sizeof *projector);
    for (int m = 0; m < 3; m++) {
        if (!(a[m][m] > 1e-3 * top)) continue;
        const double u = q[0][m], v = q[1][m], w = q[2][m], outer[6] = {u * u, u * v, u * w, v * v, v * w, w * w};
        for (int c = 0; c < 6; c++) inverse[c] += outer[c] / a[m][m], projector[c] += outer[c];
    }
}

void mn_elastic_measure(mn_elastic *e)
{
    for (int i = 0; i < e->count; i++) {
        double k[6] = {0}, lean[3] = {0}, springs = 0, friction = 0;
        for (int p = e->first[i]; p < e->first[i + 1]; p++) {
            double d[3], w;
            sub3(&e->rest[3 * e->list[p]], &e->rest[3 * i], d);
            const double r2 = dot3(d, d);
            spline(sqrt(r2), e->h, &w, &e->slope[p]);
            e->held[p] = w / r2;
            const double c = e->volume * e->slope[p];
            k[0] += c * d[0] * d[0], k[1] += c * d[0] * d[1], k[2] += c * d[0] * d[2];
            k[3] += c * d[1] * d[1], k[4] += c * d[1] * d[2], k[5] += c * d[2] * d[2];
            for (int r = 0; r < 3; r++) lean[r] += c * d[r];
            springs += e->volume * e->held[p];
            friction += c;
        }
        invert(k, &e->inverse[6 * i], &e->projector[6 * i]);
        /* half a space gives 0.6; sheets and rows are skin altogether */
        e->skin[i] = length3(lean) * e->spacing > 0.2 ||
                     e->projector[6 * i] + e->projector[6 * i + 3] + e->projector[6 * i + 5] < 2.5;
        e->stiff = fmax(e->stiff, springs);
        e->decay = fmax(e->decay, friction);
    }
}
