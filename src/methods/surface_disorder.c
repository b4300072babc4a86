/* surface_disorder.c -- limits of the surface's area (kernels/orthmann2013.h): where one, two and three layers, a flat surface and the inside of a disordered liquid can be told apart.
 *
 * References are cubic lattices of 1, 2, 3 and 7 layers, periodic in x and z, each particle moved by up to DISORDER of a spacing along each axis, always the same way. DISORDER is
 * about the most at which the offsets of a surface and of the inside do not overlap. A limit is the mean over the particles of a reference, or lies two standard deviations from it, where
 * nearly all of them are on its side; between two limits the kernels blend.
 */
#include "methods/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DISORDER = 0.2;
enum { SIDE = 8, LAYERS = 7, MOST = SIDE * SIDE * LAYERS };

typedef struct stack {
    int count;
    double x[MOST][3], a[MOST][3];
    double round[MOST], along[MOST],
        far[MOST]; /* det C/(tr C/3)^3; part of a along the layers; share of neighbours that face away, not normalised */
} stack;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* From j to i by the nearest image; the square of the distance. */
static double between(const stack *s, int i, int j, double d[3])
{
    for (int k = 0; k < 3; k++) d[k] = s->x[i][k] - s->x[j][k];
    d[0] -= SIDE * round(d[0] / SIDE), d[2] -= SIDE * round(d[2] / SIDE);
    return dot(d, d);
}

static void offset(stack *s, int i, double pressure)
{
    double sum = 1.0, m[3] = {0.0}, c[3][3] = {{0.0}}, d[3];
    for (int j = 0; j < s->count; j++) {
        const double r2 = between(s, i, j, d);
        if (j == i || r2 >= 4.0) continue;
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
    const double det = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[1][2]) - c[0][1] * (c[0][1] * c[2][2] - c[1][2] * c[0][2]) +
                       c[0][2] * (c[0][1] * c[1][2] - c[1][1] * c[0][2]);
    s->round[i] = det / pow((c[0][0] + c[1][1] + c[2][2]) / 3.0, 3.0);
    s->along[i] = hypot(s->a[i][0], s->a[i][2]);
}

static void facing(stack *s, int i)
{
    double away = 0.0, like = 1e-12, d[3];
    for (int j = 0; j < s->count; j++) {
        const double r2 = between(s, i, j, d);
        if (j == i || r2 >= 4.0) continue;
        const double w = (1.0 - 0.25 * r2) * (1.0 - 0.25 * r2);
        away += w * fmax(dot(d, s->a[i]), 0.0) * fmax(-dot(d, s->a[j]), 0.0);
        like += w * fmax(dot(s->a[i], s->a[j]), 0.0);
    }
    s->far[i] = away / (away + like);
}

static void make(stack *s, int layers, double pressure)
{
    unsigned state = 1;
    s->count = layers * SIDE * SIDE;
    for (int i = 0; i < s->count; i++) {
        const int place[3] = {i % SIDE, i / (SIDE * SIDE), i / SIDE % SIDE};
        for (int k = 0; k < 3; k++) {
            state = state * 1664525u + 1013904223u;
            s->x[i][k] = place[k] + DISORDER * (2.0 * (state >> 8) / 16777216.0 - 1.0);
        }
    }
    for (int i = 0; i < s->count; i++) offset(s, i, pressure);
    for (int i = 0; i < s->count; i++) facing(s, i);
}

typedef struct spread {
    double mean, deviation;
} spread;

/* Of a value over a layer; NULL: the length of a. */
static spread over(const stack *s, const double *value, int layer)
{
    enum { EACH = SIDE * SIDE };
    double first = 0.0, second = 0.0;
    for (int i = layer * EACH; i < (layer + 1) * EACH; i++) {
        const double v = value ? value[i] : sqrt(dot(s->a[i], s->a[i]));
        first += v / EACH, second += v * v / EACH;
    }
    return (spread){first, sqrt(fmax(second - first * first, 0.0))};
}

void mn_surface_disorder(params *p)
{
    stack *s = calloc(1, sizeof *s);
    if (!s) return;
    const double pressure = (double)p->surface_pressure, apart = (double)p->surface_apart;
    make(s, 1, pressure);
    const spread flat = over(s, s->round, 0), rough = over(s, s->along, 0);
    make(s, 2, pressure);
    const spread other = over(s, s->far, 0);
    make(s, 3, pressure);
    const spread inner = over(s, NULL, 1);
    make(s, LAYERS, pressure);
    const spread top = over(s, s->round, 0), outer = over(s, NULL, 0), same = over(s, s->far, 0);
    p->surface_one = (float)(flat.mean + 2.0 * flat.deviation);
    p->surface_flat = (float)(top.mean - 2.0 * top.deviation);
    p->surface_rough = (float)rough.mean;
    p->surface_same = (float)(same.mean / apart);
    p->surface_other = (float)((other.mean - 2.0 * other.deviation) / apart);
    p->surface_inner = (float)inner.mean;
    p->surface_outer = (float)(outer.mean - 2.0 * outer.deviation);
    free(s);
}
