/* elastic.c -- total-Lagrangian SPH; equations and promises stand in elastic.h. */
#include "soft/elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spline.h"
#include "geometry/near.h"
#include "geometry/vectors.h"

enum { MOST_NEIGHBOURS = 512, MOST_SUBSTEPS = 100000 };

double mn_material_young(const mn_material *m)
{
    return m->lambda + m->mu > 0 ? m->mu * (3 * m->lambda + 2 * m->mu) / (m->lambda + m->mu) : 0;
}

double mn_material_speed(const mn_material *m) { return sqrt((m->lambda + 2 * m->mu) / m->density); }

/* ------------------------------------------------------------------------------------------------------ rest state */

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

static bool list_neighbours(mn_elastic *e)
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

static void measure_rest(mn_elastic *e)
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

void mn_elastic_become(mn_elastic *e, const mn_material *material)
{
    const double young = mn_material_young(material), speed = mn_material_speed(material);
    e->material = *material;
    e->mass = material->density * e->volume;
    /* twice the sum: the neighbours may move in the opposite direction */
    e->hourglass_rate = sqrt(2 * material->hourglass * young * e->stiff / material->density);
    e->viscous_rate = 2 * material->viscosity * speed * e->h * e->decay + material->damping;
    e->fresh = false;
}

/* ------------------------------------------------------------------------------------------------ surface
 * correction */

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

static bool find_edges(mn_elastic *e)
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

mn_elastic *mn_elastic_new(const double *rest, int count, double spacing, const mn_material *material)
{
    mn_elastic *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->count = count;
    e->spacing = spacing;
    e->h = 2 * spacing;
    e->volume = spacing * spacing * spacing;
    const size_t n = (size_t)count + 1;
    e->rest = calloc(3 * n, sizeof(double)), e->x = calloc(3 * n, sizeof(double)), e->v = calloc(3 * n, sizeof(double));
    e->force = calloc(3 * n, sizeof(double)), e->contact_push = calloc(3 * n, sizeof(double)), e->fixed = calloc(n, 1),
    e->skin = calloc(n, 1);
    e->first = calloc(n, sizeof(int));
    e->inverse = calloc(6 * n, sizeof(double)), e->projector = calloc(6 * n, sizeof(double));
    e->gradient = calloc(9 * n, sizeof(double)), e->stress = calloc(9 * n, sizeof(double)),
    e->piola = calloc(9 * n, sizeof(double));
    bool ok = e->rest && e->x && e->v && e->force && e->contact_push && e->fixed && e->skin && e->first && e->inverse &&
              e->projector && e->gradient && e->stress && e->piola;
    if (ok) {
        memcpy(e->rest, rest, 3 * (size_t)count * sizeof *rest);
        memcpy(e->x, rest, 3 * (size_t)count * sizeof *rest);
        ok = list_neighbours(e);
    }
    if (ok) {
        const size_t pairs = (size_t)e->first[count] + 1;
        e->slope = malloc(pairs * sizeof(double)), e->held = malloc(pairs * sizeof(double));
        ok = e->slope && e->held;
    }
    if (ok) {
        measure_rest(e);
        mn_elastic_become(e, material);
        if (material->plain) e->plain = e->gradient;
        else ok = find_edges(e);
    }
    if (ok) return e;
    mn_elastic_free(e);
    return NULL;
}

void mn_elastic_free(mn_elastic *e)
{
    if (!e) return;
    if (e->plain != e->gradient) free(e->plain);
    free(e->rest), free(e->x), free(e->v), free(e->force), free(e->contact_push), free(e->fixed), free(e->skin),
        free(e->first), free(e->list);
    free(e->slope), free(e->held), free(e->inverse), free(e->projector), free(e->gradient), free(e->stress);
    free(e->piola), free(e->edge), free(e->carry), free(e->carried);
    free(e);
}

/* ---------------------------------------------------------------------------------------------------------- forces */

/* a = b k, k symmetric */
static void times(const double b[9], const double k[6], double a[9])
{
    for (int r = 0; r < 9; r += 3) {
        const double x = b[r], y = b[r + 1], z = b[r + 2];
        a[r] = x * k[0] + y * k[1] + z * k[2], a[r + 1] = x * k[1] + y * k[3] + z * k[4],
        a[r + 2] = x * k[2] + y * k[4] + z * k[5];
    }
}

/* F as the neighbours give it. */
static void deform(mn_elastic *e, int i)
{
    double a[9] = {0};
    const double *xi = &e->x[3 * i], *ri = &e->rest[3 * i];
    for (int p = e->first[i]; p < e->first[i + 1]; p++) {
        const double *xj = &e->x[3 * e->list[p]], *rj = &e->rest[3 * e->list[p]], c = e->volume * e->slope[p];
        const double g[3] = {c * (rj[0] - ri[0]), c * (rj[1] - ri[1]), c * (rj[2] - ri[2])};
        for (int r = 0; r < 3; r++) {
            const double d = xj[r] - xi[r];
            a[3 * r] += d * g[0], a[3 * r + 1] += d * g[1], a[3 * r + 2] += d * g[2];
        }
    }
    times(a, &e->inverse[6 * i], &e->plain[9 * i]);
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
static void correct(mn_elastic *e, int i)
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

double mn_elastic_swelling(const mn_elastic *e, int particle)
{
    const double *f = &e->gradient[9 * particle];
    return f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
}

/* How far the volume is below 0.6 of its rest value; sheets and rows have none. */
static double compression(const mn_elastic *e, int i)
{
    const double *q = &e->projector[6 * i];
    return q[0] + q[3] + q[5] > 2.5 ? fmax(0.6 - mn_elastic_swelling(e, i), 0) : 0;
}

/* P of one particle; returns a bound of its largest squared stretch. */
static double strain(mn_elastic *e, int i)
{
    const double *f = &e->gradient[9 * i], *q = &e->projector[6 * i];
    double c[6], s[6];
    for (int n = 0, r = 0; r < 3; r++)
        for (int l = r; l < 3; l++, n++) c[n] = f[r] * f[l] + f[3 + r] * f[3 + l] + f[6 + r] * f[6 + l];
    const double trace = 0.5 * e->material.lambda * (c[0] + c[3] + c[5] - q[0] - q[3] - q[5]);
    for (int n = 0; n < 6; n++) s[n] = e->material.mu * (c[n] - q[n]);
    s[0] += trace, s[3] += trace, s[5] += trace;
    times(f, s, &e->piola[9 * i]);
    const double lack = compression(e, i);
    if (lack > 0) {
        const double p = -lack * (e->material.lambda + 2 * e->material.mu);
        for (int r = 0; r < 3; r++) /* the derivative of det F: rows across each other */
            for (int l = 0; l < 3; l++) {
                const int r1 = 3 * ((r + 1) % 3), r2 = 3 * ((r + 2) % 3), l1 = (l + 1) % 3, l2 = (l + 2) % 3;
                e->piola[9 * i + 3 * r + l] += p * (f[r1 + l1] * f[r2 + l2] - f[r1 + l2] * f[r2 + l1]);
            }
    }
    return fmax(fabs(c[0]) + fabs(c[1]) + fabs(c[2]),
                fmax(fabs(c[1]) + fabs(c[3]) + fabs(c[4]), fabs(c[2]) + fabs(c[4]) + fabs(c[5])));
}

/* P K^-1, with what the corrections of the particle and of its neighbours make of P. */
static void spread(mn_elastic *e, int i)
{
    double out[9];
    memcpy(out, &e->piola[9 * i], sizeof out);
    if (e->edge && e->edge[i] >= 0) add_times_turned(&e->piola[9 * i], &e->carried[9 * (size_t)e->edge[i]], out);
    for (int p = e->first[i]; p < e->first[i + 1] && e->edge; p++) {
        const int j = e->list[p];
        if (e->edge[j] < 0) continue;
        double d[3], t[9];
        sub3(&e->rest[3 * j], &e->rest[3 * i], d);
        carry_of(e, j, e->slope[p], d, t); /* -T_ji: the same with D turned around */
        add_times_turned(&e->piola[9 * j], t, out);
    }
    times(out, &e->inverse[6 * i], &e->stress[9 * i]);
}

static void gather(mn_elastic *e, int i)
{
    const double *xi = &e->x[3 * i], *vi = &e->v[3 * i], *ri = &e->rest[3 * i], *fi = &e->gradient[9 * i],
                 *si = &e->stress[9 * i];
    const double v2 = e->volume * e->volume, hold = 0.5 * e->material.hourglass * mn_material_young(&e->material);
    const double drag = e->material.viscosity * e->material.density * mn_material_speed(&e->material) * e->h;
    double out[3] = {0};
    for (int p = e->first[i]; p < e->first[i + 1]; p++) {
        const int j = e->list[p];
        const double *xj = &e->x[3 * j], *vj = &e->v[3 * j], *rj = &e->rest[3 * j], *fj = &e->gradient[9 * j],
                     *sj = &e->stress[9 * j];
        double rest[3], d[3], dv[3];
        sub3(rj, ri, rest), sub3(xj, xi, d), sub3(vj, vi, dv);
        const double r2 = dot3(d, d), c = e->slope[p];
        double bent = -2 * r2; /* ((F_i + F_j) D - 2 d).d */
        for (int r = 0; r < 3; r++) {
            out[r] += c * ((si[3 * r] + sj[3 * r]) * rest[0] + (si[3 * r + 1] + sj[3 * r + 1]) * rest[1] +
                           (si[3 * r + 2] + sj[3 * r + 2]) * rest[2]);
            bent += d[r] * ((fi[3 * r] + fj[3 * r]) * rest[0] + (fi[3 * r + 1] + fj[3 * r + 1]) * rest[1] +
                            (fi[3 * r + 2] + fj[3 * r + 2]) * rest[2]);
        }
        const double along = r2 > 0 ? (drag * c * dot3(dv, d) - hold * e->held[p] * bent) / r2 : 0;
        for (int r = 0; r < 3; r++) out[r] += along * d[r];
    }
    for (int r = 0; r < 3; r++) e->force[3 * i + r] = v2 * out[r];
}

void mn_elastic_forces(mn_elastic *e, int threads)
{
    double stretch2 = 1;
    const int n = e->count;
#pragma omp parallel num_threads(threads) if (n > 1024)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) deform(e, i);
#pragma omp for schedule(static) reduction(max : stretch2)
        for (int i = 0; i < n; i++) {
            if (e->edge) correct(e, i);
            const double c = strain(e, i);
            stretch2 = c <= 1e6 ? fmax(stretch2, c) : INFINITY; /* also where it is NaN */
        }
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) spread(e, i);
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) gather(e, i);
    }
    e->stretch2 = stretch2;
    e->fresh = true;
}

/* ------------------------------------------------------------------------------------------------------------ time */

double mn_elastic_limit(const mn_elastic *e)
{
    /* the tangent stiffness of a stretched St. Venant-Kirchhoff rod grows as (3 stretch^2 - 1)/2 */
    const double wave = 0.2 * e->h / (mn_material_speed(&e->material) * sqrt(0.5 * (3 * e->stretch2 - 1)));
    double rate2 = 1 / (wave * wave);
    rate2 += e->hourglass_rate * e->hourglass_rate / 2.56; /* 1.6/omega; a spring alone allows 2 */
    rate2 += e->viscous_rate * e->viscous_rate;
    return 1 / sqrt(rate2);
}

/* Penalty of as much stiffness as the body itself, damped, with Coulomb friction that never turns the sliding
 * around. */
static void press(const mn_elastic *e, const mn_contact *c, const double begin[3], double elapsed, double dt,
                  double push[3])
{
    const double *x = &e->x[3 * c->particle], *v = &e->v[3 * c->particle];
    double moved[3], rel[3];
    sub3(x, begin, moved), sub3(v, c->velocity, rel);
    const double gap = c->gap + dot3(c->normal, moved) - elapsed * dot3(c->normal, c->velocity);
    if (!(gap < 0)) return;
    const double speed = mn_material_speed(&e->material);
    const double stiff = e->material.density * speed * speed * e->spacing,
                 damp = e->material.density * speed * e->spacing * e->spacing;
    const double closing = dot3(c->normal, rel), normal = fmax(-stiff * gap - damp * closing, 0);
    double slide[3];
    for (int r = 0; r < 3; r++) slide[r] = rel[r] - closing * c->normal[r];
    const double slip = length3(slide), grip = slip > 0 ? fmin(c->friction * normal / slip, 0.5 * e->mass / dt) : 0;
    for (int r = 0; r < 3; r++) push[r] += normal * c->normal[r] - grip * slide[r];
}

int mn_elastic_advance(mn_elastic *e, double dt, const double gravity[3], const double *load,
                       const mn_contact *contacts, int contact_count, int threads)
{
    double *begin = contact_count ? malloc(3 * (size_t)contact_count * sizeof *begin) : NULL;
    int *first = contact_count ? malloc((size_t)e->count * sizeof *first) : NULL;
    if (contact_count && (!begin || !first)) {
        free(begin), free(first);
        return -1;
    }
    for (int i = 0; i < e->count && contact_count; i++) first[i] = -1;
    for (int k = contact_count - 1; k >= 0; k--) {
        first[contacts[k].particle] = k;
        memcpy(&begin[3 * k], &e->x[3 * contacts[k].particle], 3 * sizeof *begin);
    }
    memset(e->contact_push, 0, 3 * (size_t)e->count * sizeof *e->contact_push);
    int steps = 0;
    double elapsed = 0;
    while (elapsed < dt) {
        if (!e->fresh) mn_elastic_forces(e, threads);
        const double left = dt - elapsed, parts = ceil(left / mn_elastic_limit(e) * (1 - 1e-12));
        if (!(parts < MOST_SUBSTEPS) || ++steps > MOST_SUBSTEPS) {
            steps = -1;
            break;
        }
        const double part = left / fmax(parts, 1), keep = 1 / (1 + part * e->material.damping);
#pragma omp parallel for num_threads(threads) if (e->count > 1024) schedule(static)
        for (int i = 0; i < e->count; i++) {
            double push[3] = {0}, *v = &e->v[3 * i], *x = &e->x[3 * i];
            for (int k = contact_count ? first[i] : -1; k >= 0 && k < contact_count && contacts[k].particle == i; k++)
                press(e, &contacts[k], &begin[3 * k], elapsed, part, push);
            for (int r = 0; r < 3; r++) {
                if (!e->fixed[i]) {
                    const double f = e->force[3 * i + r] + push[r] + (load ? load[3 * i + r] : 0);
                    v[r] = (v[r] + part * (f / e->mass + gravity[r])) * keep;
                    e->contact_push[3 * i + r] += push[r] * part / dt;
                }
                x[r] += part * v[r];
            }
        }
        elapsed = parts <= 1 ? dt : elapsed + part;
        e->fresh = false;
    }
    free(begin), free(first);
    return steps;
}

/* --------------------------------------------------------------------------------------------------------- numbers */

/* Cauchy's stress P F^T/det F without its mean. */
double mn_elastic_stress(const mn_elastic *e, int particle)
{
    const double *f = &e->gradient[9 * particle], *p = &e->piola[9 * particle],
                 swelling = mn_elastic_swelling(e, particle);
    double s[9], square = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            s[3 * r + c] = (p[3 * r] * f[3 * c] + p[3 * r + 1] * f[3 * c + 1] + p[3 * r + 2] * f[3 * c + 2]) / swelling;
    const double mean = (s[0] + s[4] + s[8]) / 3;
    for (int k = 0; k < 9; k++) square += (s[k] - (k % 4 ? 0 : mean)) * (s[k] - (k % 4 ? 0 : mean));
    return sqrt(1.5 * square);
}

double mn_elastic_energy(const mn_elastic *e)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++) {
        const double *f = &e->gradient[9 * i], *q = &e->projector[6 * i];
        double c[6], trace, square = 0;
        for (int n = 0, r = 0; r < 3; r++)
            for (int l = r; l < 3; l++, n++) {
                c[n] = 0.5 * (f[r] * f[l] + f[3 + r] * f[3 + l] + f[6 + r] * f[6 + l] - q[n]);
                square += (r == l ? 1 : 2) * c[n] * c[n];
            }
        trace = c[0] + c[3] + c[5];
        const double lack = compression(e, i), barrier = 0.5 * (e->material.lambda + 2 * e->material.mu) * lack * lack;
        sum += e->volume * (0.5 * e->material.lambda * trace * trace + e->material.mu * square + barrier);
    }
    return sum;
}

double mn_elastic_kinetic(const mn_elastic *e)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++) sum += dot3(&e->v[3 * i], &e->v[3 * i]);
    return 0.5 * e->mass * sum;
}

void mn_elastic_momentum(const mn_elastic *e, double out[3])
{
    double sum[3] = {0};
    for (int i = 0; i < e->count; i++)
        for (int r = 0; r < 3; r++) sum[r] += e->v[3 * i + r];
    for (int r = 0; r < 3; r++) out[r] = e->mass * sum[r];
}
