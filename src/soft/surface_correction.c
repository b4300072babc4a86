/* surface_correction.c -- makes the gradient F of a soft solid exact for quadratic fields at its surface, where
 * neighbours are missing (elastic.h):
 *
 *   F*_i = F_i (1 + sum_j T_ij) - sum_j F_j T_ij        T_ij from the second derivatives that the neighbours show
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vectors.h"
#include "soft/elastic_parts.h"

/* The six quadratic fields x^2/2, xy, xz, y^2/2, yz, z^2/2 about a centre. */
static void quadratics(const double x[3], const double centre[3], double out[6])
{
    const double u = x[0] - centre[0], v = x[1] - centre[1], w = x[2] - centre[2];
    const double q[6] = {0.5 * u * u, u * v, u * w, 0.5 * v * v, v * w, 0.5 * w * w};
    memcpy(out, q, sizeof q);
}

/* Gradients of the six fields as F of particle j sees them. */
static void slopes_at(const mn_elastic *e, int j, const double centre[3], double out[6][3])
{
    double own[6], sum[6][3] = {{0}};
    quadratics(&e->rest[3 * j], centre, own);
    for (int p = e->first[j]; p < e->first[j + 1]; p++) {
        double other[6], d[3];
        quadratics(&e->rest[3 * e->list[p]], centre, other);
        sub3(&e->rest[3 * e->list[p]], &e->rest[3 * j], d);
        for (int q = 0; q < 6; q++)
            for (int r = 0; r < 3; r++) sum[q][r] += e->volume * e->slope[p] * (other[q] - own[q]) * d[r];
    }
    const double *k = &e->inverse[6 * j];
    for (int q = 0; q < 6; q++) {
        const double x = sum[q][0], y = sum[q][1], z = sum[q][2];
        out[q][0] = k[0] * x + k[1] * y + k[2] * z, out[q][1] = k[1] * x + k[3] * y + k[4] * z,
        out[q][2] = k[2] * x + k[4] * y + k[5] * z;
    }
}

/* Solves a x = b (three right sides) by elimination; second derivatives that the neighbours do not show (pivot below
 * 0.2; whole ones are 1) get 0. */
static void solve(double a[6][6], double b[6][3], double x[6][3])
{
    int row_of[6] = {-1, -1, -1, -1, -1, -1};
    bool used[6] = {false};
    for (int step = 0; step < 6; step++) {
        int row = -1, column = -1;
        double best = 0.2;
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                if (!used[r] && row_of[c] < 0 && fabs(a[r][c]) > best) best = fabs(a[r][c]), row = r, column = c;
        if (row < 0) break;
        used[row] = true, row_of[column] = row;
        for (int r = 0; r < 6; r++) {
            if (r == row) continue;
            const double m = a[r][column] / a[row][column];
            for (int c = 0; c < 6; c++) a[r][c] -= m * a[row][c];
            for (int c = 0; c < 3; c++) b[r][c] -= m * b[row][c];
        }
    }
    for (int c = 0; c < 6; c++)
        for (int k = 0; k < 3; k++) x[c][k] = row_of[c] < 0 ? 0 : b[row_of[c]][k] / a[row_of[c]][c];
}

/* What the gradient of particle i makes of the six fields (0 where it is exact), and how its neighbours' gradients
 * show their second derivatives, gives carry: the second derivatives as measured, turned into the error of F_i.
 * False if there is no error. */
static bool carry_at(const mn_elastic *e, int i, double carry[27])
{
    static const int pair[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    double error[6][3], seen[6][6] = {{0}}, weight[6][3], largest = 0;
    slopes_at(e, i, &e->rest[3 * i], error);
    for (int q = 0; q < 6; q++)
        for (int r = 0; r < 3; r++) largest = fmax(largest, fabs(error[q][r]));
    if (largest < 1e-6 * e->spacing) return false;
    const double *k = &e->inverse[6 * i], full[3][3] = {{k[0], k[1], k[2]}, {k[1], k[3], k[4]}, {k[2], k[4], k[5]}};
    for (int p = e->first[i]; p < e->first[i + 1]; p++) {
        double there[6][3], d[3], u[3];
        slopes_at(e, e->list[p], &e->rest[3 * i], there);
        sub3(&e->rest[3 * e->list[p]], &e->rest[3 * i], d);
        for (int r = 0; r < 3; r++) u[r] = e->volume * e->slope[p] * dot3(full[r], d);
        for (int q = 0; q < 6; q++) /* transposed: row q is the field, column m the measured derivative */
            for (int m = 0; m < 6; m++) {
                const int a = pair[m][0], b = pair[m][1];
                seen[q][m] += 0.5 * ((there[q][a] - error[q][a]) * u[b] + (there[q][b] - error[q][b]) * u[a]);
            }
    }
    solve(seen, error, weight);
    for (int a = 0; a < 3; a++)
        for (int r = 0; r < 3; r++)
            for (int n = 0; n < 3; n++) {
                double sum = 0;
                for (int b = 0; b < 3; b++)
                    for (int m = 0; m < 6; m++)
                        if ((pair[m][0] == a && pair[m][1] == b) || (pair[m][0] == b && pair[m][1] == a))
                            sum += (a == b ? 1 : 0.5) * weight[m][n] * full[b][r];
                carry[9 * a + 3 * r + n] = e->volume * sum;
            }
    return true;
}

/* T of a pair: of particle i, which is at the edge, towards D = X_j - X_i. */
static void carry_of(const mn_elastic *e, int i, double slope, const double d[3], double t[9])
{
    const double *c = &e->carry[27 * (size_t)e->edge[i]];
    for (int a = 0; a < 3; a++)
        for (int n = 0; n < 3; n++)
            t[3 * a + n] = slope * (c[9 * a + n] * d[0] + c[9 * a + 3 + n] * d[1] + c[9 * a + 6 + n] * d[2]);
}

bool mn_correction_make(mn_elastic *e)
{
    e->edge = malloc(((size_t)e->count + 1) * sizeof *e->edge);
    e->plain = calloc(9 * (size_t)e->count + 1, sizeof *e->plain);
    if (!e->edge || !e->plain) return false;
    int count = 0, room = 0;
    for (int i = 0; i < e->count; i++) {
        if (count == room) {
            double *more = realloc(e->carry, 27 * sizeof *more * (size_t)(room = 2 * room + 256));
            if (!more) return false;
            e->carry = more;
        }
        e->edge[i] = carry_at(e, i, &e->carry[27 * (size_t)count]) ? count++ : -1;
    }
    e->carried = calloc(9 * (size_t)count + 1, sizeof *e->carried);
    for (int i = 0; i < e->count && e->carried; i++)
        for (int p = e->first[i]; p < e->first[i + 1] && e->edge[i] >= 0; p++) {
            double d[3], t[9];
            sub3(&e->rest[3 * e->list[p]], &e->rest[3 * i], d);
            carry_of(e, i, e->slope[p], d, t);
            for (int k = 0; k < 9; k++) e->carried[9 * (size_t)e->edge[i] + (size_t)k] += t[k];
        }
    return e->carried != NULL;
}

/* a += b t, or a += b t^T */
static void add_times(const double b[9], const double t[9], double sign, double a[9])
{
    for (int r = 0; r < 9; r += 3)
        for (int n = 0; n < 3; n++) a[r + n] += sign * (b[r] * t[n] + b[r + 1] * t[3 + n] + b[r + 2] * t[6 + n]);
}

static void add_times_turned(const double b[9], const double t[9], double a[9])
{
    for (int r = 0; r < 9; r += 3)
        for (int n = 0; n < 3; n++) a[r + n] += b[r] * t[3 * n] + b[r + 1] * t[3 * n + 1] + b[r + 2] * t[3 * n + 2];
}

/* F* = F_i (1 + sum_j T_ij) - sum_j F_j T_ij */
void mn_correction_of_gradient(mn_elastic *e, int i)
{
    double out[9];
    memcpy(out, &e->plain[9 * i], sizeof out);
    if (e->edge[i] >= 0) {
        add_times(&e->plain[9 * i], &e->carried[9 * (size_t)e->edge[i]], 1, out);
        for (int p = e->first[i]; p < e->first[i + 1]; p++) {
            double d[3], t[9];
            sub3(&e->rest[3 * e->list[p]], &e->rest[3 * i], d);
            carry_of(e, i, e->slope[p], d, t);
            add_times(&e->plain[9 * e->list[p]], t, -1, out);
        }
    }
    memcpy(&e->gradient[9 * i], out, sizeof out);
}

/* out += what the corrections of the particle and of its neighbours make of P. */
void mn_correction_of_stress(const mn_elastic *e, int i, double out[9])
{
    if (e->edge[i] >= 0) add_times_turned(&e->piola[9 * i], &e->carried[9 * (size_t)e->edge[i]], out);
    for (int p = e->first[i]; p < e->first[i + 1]; p++) {
        const int j = e->list[p];
        if (e->edge[j] < 0) continue;
        double d[3], t[9];
        sub3(&e->rest[3 * j], &e->rest[3 * i], d);
        carry_of(e, j, e->slope[p], d, t); /* -T_ji: the same with D turned around */
        add_times_turned(&e->piola[9 * j], t, out);
    }
}
