/* surface_disorder.c -- limits of the surface's area (kernels/surface/orthmann2013.h) and of the stress within it
 * (lafaurie1994.h): where one, two and three layers, a flat surface and the inside of a disordered liquid can be
 * told apart.
 *
 * References are cubic lattices of 1, 2, 3 and 7 layers, periodic in x and z, each particle moved by up to DISORDER
 * of a spacing along each axis, always the same. DISORDER is about the most at which the offsets of a surface
 * and of the inside do not overlap. A limit is the mean over the particles of a reference, or lies two standard
 * deviations from it, where nearly all of them are on its side; between two limits the kernels blend.
 */
#include "geometry/random.h"
#include "geometry/vectors.h"
#include "base/exact.h"
#include "methods/methods.h"

#include <math.h>
#include <stdlib.h>

static const double DISORDER = 0.2;
enum { SIDE = 12, LAYERS = 7, MOST = SIDE * SIDE * LAYERS };

typedef struct stack {
    int count;
    double x[MOST][3], a[MOST][3];
    double round[MOST]; /* det C/(tr C/3)^3 */
    double along[MOST]; /* part of a along the layers */
    double far[MOST];   /* share of neighbours that face away, not normalised */
} stack;

/* Lists the particles that may be within `far` spacings of i: up to `far` places away along each axis. `far` is at
 * most 4: a support of 3 spacings that rounding has made a little longer. */
enum { MOST_NEAR = 9 * 9 * LAYERS };
static int near(const stack *s, int i, int far, int list[MOST_NEAR])
{
    const int layers = s->count / (SIDE * SIDE), layer = i / (SIDE * SIDE), row = i / SIDE % SIDE, place = i % SIDE;
    int count = 0;
    for (int y = layer - far; y <= layer + far; y++)
        for (int z = row - far; z <= row + far; z++)
            for (int x = place - far; x <= place + far; x++) {
                const int j = (y * SIDE + (z + SIDE) % SIDE) * SIDE + (x + SIDE) % SIDE;
                if (y >= 0 && y < layers && j != i) list[count++] = j;
            }
    return count;
}

/* From j to i by the nearest image; the square of the distance. */
static double between(const stack *s, int i, int j, double d[3])
{
    for (int k = 0; k < 3; k++) d[k] = s->x[i][k] - s->x[j][k];
    d[0] -= SIDE * round(d[0] / SIDE), d[2] -= SIDE * round(d[2] / SIDE);
    return dot3(d, d);
}

static void offset(stack *s, int i, double pressure)
{
    double sum = 1.0, m[3] = {0.0}, c[3][3] = {{0.0}}, d[3];
    int list[MOST_NEAR];
    const int count = near(s, i, 2, list);
    for (int n = 0; n < count; n++) {
        const double r2 = between(s, i, list[n], d);
        if (r2 >= 4.0) continue;
        const double p = 1.0 - 0.5 * sqrt(r2), w = p * p * p;
        sum += w;
        for (int k = 0; k < 3; k++) {
            m[k] += w * d[k];
            for (int l = 0; l < 3; l++) c[k][l] += w * d[k] * d[l];
        }
    }
    for (int k = 0; k < 3; k++) {
        s->a[i][k] = m[k] / pressure;
        for (int l = 0; l < 3; l++) c[k][l] = c[k][l] / sum - m[k] * m[l] / (sum * sum);
    }
    const double det = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[1][2]) -
                       c[0][1] * (c[0][1] * c[2][2] - c[1][2] * c[0][2]) +
                       c[0][2] * (c[0][1] * c[1][2] - c[1][1] * c[0][2]);
    s->round[i] = det / mn_power((c[0][0] + c[1][1] + c[2][2]) / 3.0, 3);
    s->along[i] = mn_hypot(s->a[i][0], s->a[i][2]);
}

static void facing(stack *s, int i)
{
    double away = 0.0, like = 1e-12, d[3];
    int list[MOST_NEAR];
    const int count = near(s, i, 2, list);
    for (int n = 0; n < count; n++) {
        const int j = list[n];
        const double r2 = between(s, i, j, d);
        if (r2 >= 4.0) continue;
        const double w = (1.0 - 0.25 * r2) * (1.0 - 0.25 * r2);
        away += w * fmax(dot3(d, s->a[i]), 0.0) * fmax(-dot3(d, s->a[j]), 0.0);
        like += w * fmax(dot3(s->a[i], s->a[j]), 0.0);
    }
    s->far[i] = away / (away + like);
}

static void make(stack *s, int layers, double disorder, double pressure)
{
    random_stream random = random_from(1, (uint64_t)layers);
    s->count = layers * SIDE * SIDE;
    for (int i = 0; i < s->count; i++) {
        const int place[3] = {i % SIDE, i / (SIDE * SIDE), i / SIDE % SIDE};
        for (int k = 0; k < 3; k++) s->x[i][k] = place[k] + disorder * (2.0 * random_unit(&random) - 1.0);
    }
    for (int i = 0; i < s->count; i++) offset(s, i, pressure);
    for (int i = 0; i < s->count; i++) facing(s, i);
}

/* What the neighbours of i pass on of a stress in the plane of the surface (kernels/tension/lafaurie1994.h); nothing
 * beyond the faces x = 0 and z = 0 with 2 and 1 cuts. */
static double passed_on(const stack *s, int i, int cuts, double support)
{
    const double inv = 1.0 / support;
    const int far = (int)ceil(support);
    double n[3] = {0.0}, t[3][3] = {{0.0}}, d[3], across = 0.0;
    int list[MOST_NEAR];
    const int count = near(s, i, far, list);
    for (int m = 0; m < count; m++) {
        const int j = list[m];
        const double r2 = between(s, i, j, d), r = sqrt(r2);
        if (r2 >= support * support || (cuts > 0 && fabs(s->x[i][2] - s->x[j][2]) > 0.5 * SIDE) ||
            (cuts > 1 && fabs(s->x[i][0] - s->x[j][0]) > 0.5 * SIDE))
            continue;
        const double p = 1.0 - inv * r, q = fmax(0.5 - inv * r, 0.0),
                     slope = -(3.0 * p * p - 12.0 * q * q) / (3.14159265358979323846 * r) * mn_power(2.0 * inv, 4);
        for (int k = 0; k < 3; k++) {
            n[k] += slope * d[k];
            for (int l = 0; l < 3; l++) t[k][l] -= slope * d[k] * d[l];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) across += n[k] * n[l] * t[k][l];
    return 0.5 * (t[0][0] + t[1][1] + t[2][2] - across / dot3(n, n));
}

/* Means of the two surfaces, and of the rows where they end; then the corner of a cube of a lattice. */
static void stress_limits(params *p, stack *s)
{
    enum { EACH = SIDE * SIDE };
    const double support = mn_support_in(p);
    double flat = 0.0, edge = 0.0;
    for (int k = 0; k < 2 * EACH; k++) {
        const int i = k < EACH ? k : s->count - 2 * EACH + k, row = i / SIDE % SIDE;
        flat += passed_on(s, i, 0, support) / (2 * EACH);
        if (row == 0 || row == SIDE - 1) edge += passed_on(s, i, 1, support) / (4 * SIDE);
    }
    p->constants.lafaurie1994.flat = (float)flat;
    p->constants.lafaurie1994.edge = (float)edge;
    make(s, 3, 0.0, (double)p->constants.orthmann2013.pressure);
    p->constants.lafaurie1994.least = (float)passed_on(s, 0, 2, support);
}

typedef struct spread {
    double mean, deviation;
} spread;

/* Of a value over a layer and the one like it from the other side; NULL: the length of a. */
static spread over(const stack *s, const double *value, int layer)
{
    enum { EACH = SIDE * SIDE };
    double first = 0.0, second = 0.0;
    for (int k = 0; k < 2 * EACH; k++) {
        const int i = k < EACH ? layer * EACH + k : s->count - (layer + 1) * EACH + k - EACH;
        const double v = value ? value[i] : length3(s->a[i]);
        first += v / (2 * EACH), second += v * v / (2 * EACH);
    }
    return (spread){first, sqrt(fmax(second - first * first, 0.0))};
}

bool mn_surface_disorder(params *p)
{
    stack *s = calloc(1, sizeof *s);
    if (!s) return false;
    orthmann2013_constants *o = &p->constants.orthmann2013;
    const double pressure = (double)o->pressure, apart = (double)o->apart;
    make(s, 1, DISORDER, pressure);
    const spread flat = over(s, s->round, 0), rough = over(s, s->along, 0);
    make(s, 2, DISORDER, pressure);
    const spread other = over(s, s->far, 0);
    make(s, 3, DISORDER, pressure);
    const spread inner = over(s, NULL, 1);
    make(s, LAYERS, DISORDER, pressure);
    const spread top = over(s, s->round, 0), outer = over(s, NULL, 0), same = over(s, s->far, 0);
    o->one = (float)(flat.mean + 2.0 * flat.deviation);
    o->flat = (float)(top.mean - 2.0 * top.deviation);
    o->rough = (float)rough.mean;
    o->same = (float)(same.mean / apart);
    o->other = (float)((other.mean - 2.0 * other.deviation) / apart);
    o->inner = (float)inner.mean;
    o->outer = (float)(outer.mean - 2.0 * outer.deviation);
    stress_limits(p, s);
    free(s);
    return true;
}
