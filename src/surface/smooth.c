/* smooth.c -- smoothing of the skin without shrinking, volumes and normals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "surface/faces.h"

/* Spacings: over waves up to this the vertices are evened out. */
static const double EVEN_WAVE = 2;
/* Radii of drops and bubbles, in spacings, up to which they are not smoothed, and from which on they are like all
 * else. */
static const double SMALL = 1.5, LARGE = 2.5;

/* The filter is a polynomial of M, a step of each vertex towards the mean of its neighbours: a wave of length L steps
 * is an eigenvector of M with eigenvalue 1 - k, k = (1 - cos(2 pi / L)) / 2, and is multiplied by 1 / (1 + (k / kc)^2).
 * kc belongs to the length that is halved.
 *
 * Where edges are short (across the diagonals of the grid) the mean lies nearer: the same curvature would count less
 * there, and a ball would come out flat at its poles. So the part of the distance that a vertex moves is that of an
 * edge of STEP cells, the shortest there are as a rule. */
static const double STEP = 0.7;
enum { MOST_TERMS = 512 };

typedef struct filter {
    double coefficient[MOST_TERMS]; /* of the Chebyshev polynomials of M */
    int count;
} filter;

/* Chebyshev series of the response; long waves keep their length exactly. */
static filter filter_new(double wave, double cell)
{
    const double pi = 3.14159265358979323846;
    const double kc = 0.5 * (1 - mn_cos(fmin(2 * pi * cell / wave, pi)));
    filter f = {.count = (int)fmin(MOST_TERMS, ceil(4 + 3 * wave / cell))};
    double sum = 0;
    enum { POINTS = 1024 };
    for (int n = 0; n < f.count; n++) {
        double c = 0;
        for (int p = 0; p < POINTS; p++) {
            const double angle = pi * (p + 0.5) / POINTS, k = (1 - mn_cos(angle)) / kc;
            c += mn_cos(n * angle) / (1 + k * k);
        }
        f.coefficient[n] = c * (n ? 2.0 : 1.0) / POINTS;
        sum += f.coefficient[n];
    }
    for (int n = 0; n < f.count; n++) f.coefficient[n] /= sum;
    return f;
}

/* The mean of a vertex's neighbours; where the free surface meets a wall, of those on the free surface. False: it
 * stays. */
static bool mean_of(const skin *s, const float *u, int32_t v, float mean[3])
{
    const int kind = s->kind[v];
    int count = 0;
    if (kind == SKIN_FIXED) return false;
    mean[0] = mean[1] = mean[2] = 0;
    for (int32_t i = s->first[v]; i < s->first[v + 1]; i++) {
        const int32_t n = s->next[i];
        if (kind == SKIN_CONTACT && s->kind[n] == SKIN_WALL) continue;
        for (int k = 0; k < 3; k++) mean[k] += u[3 * (size_t)n + (size_t)k];
        count++;
    }
    if (count < 2) return false;
    for (int k = 0; k < 3; k++) mean[k] /= (float)count;
    return true;
}

/* The square of an edge of `length` over the mean square of the edges that count at each vertex, at most 1. */
static void find_parts(const skin *s, double length, float *part)
{
    const float square = (float)(length * length);
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++) {
        float sum = 0;
        int count = 0;
        for (int32_t i = s->first[v]; i < s->first[v + 1]; i++) {
            if (s->kind[v] == SKIN_CONTACT && s->kind[s->next[i]] == SKIN_WALL) continue;
            for (size_t k = 0; k < 3; k++) {
                const float d = s->u[3 * (size_t)s->next[i] + k] - s->u[3 * (size_t)v + k];
                sum += d * d;
            }
            count++;
        }
        part[v] = square * (float)count / fmaxf(sum, square * (float)count);
        if (!count) part[v] = 1;
    }
}

/* The part of a step that a vertex may take: any (smoothing == EVEN), or on the free surface only across it, and on a
 * wall only along it. */
typedef enum { EVEN, SHAPE } aim;

static void allow(const skin *s, int32_t v, aim what, float step[3])
{
    const float *n = s->normal + 3 * (size_t)v;
    if (what == EVEN) return;
    const float across = step[0] * n[0] + step[1] * n[1] + step[2] * n[2];
    for (int k = 0; k < 3; k++) step[k] = s->kind[v] == SKIN_FREE ? across * n[k] : step[k] - across * n[k];
}

/* to = 2 M from - before, or M from without `before`; `to` may be `before`. */
static void apply_mean(const skin *s, const float *part, aim what, const float *from, const float *before, float *to)
{
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++) {
        const size_t at = 3 * (size_t)v;
        float step[3];
        if (!mean_of(s, from, v, step)) memcpy(step, from + at, sizeof step);
        for (size_t k = 0; k < 3; k++) step[k] = part[v] * (step[k] - from[at + k]);
        allow(s, v, what, step);
        for (size_t k = 0; k < 3; k++)
            to[at + k] = before ? 2 * (from[at + k] + step[k]) - before[at + k] : from[at + k] + step[k];
    }
}

static void accumulate(const skin *s, const filter *f, int n, const float *y, float *sum)
{
    const float a = (float)f->coefficient[n];
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++)
        for (size_t k = 3 * (size_t)v; k < 3 * (size_t)v + 3; k++) sum[k] += a * y[k];
}

/* Where the filter puts the vertices; false: out of memory. */
static bool filtered(const skin *s, const filter *f, double step, aim what, float *sum)
{
    const size_t size = 3 * (size_t)s->count * sizeof(float);
    float *last = malloc(size + 1), *now = malloc(size + 1), *part = malloc(size / 3 + 1);
    const bool good = last && now && part;
    if (good) {
        find_parts(s, step, part);
        memset(sum, 0, size);
        memcpy(last, s->u, size);
        apply_mean(s, part, what, last, NULL, now);
        accumulate(s, f, 0, last, sum);
        accumulate(s, f, 1, now, sum);
        for (int n = 2; n < f->count; n++) {
            apply_mean(s, part, what, now, last, last);
            float *swap = last;
            last = now;
            now = swap;
            accumulate(s, f, n, now, sum);
        }
    }
    free(last);
    free(now);
    free(part);
    return good;
}

/* Evens out the vertices: all move along the surface, those on a wall along the wall. */
static void take_along(skin *s, const float *to)
{
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++) {
        float *u = s->u + 3 * (size_t)v, step[3], across = 0;
        const float *n = s->normal + 3 * (size_t)v;
        if (s->kind[v] == SKIN_FIXED) continue;
        for (size_t k = 0; k < 3; k++) {
            step[k] = to[3 * (size_t)v + k] - u[k];
            across += step[k] * n[k];
        }
        for (int k = 0; k < 3; k++) u[k] += step[k] - across * n[k];
    }
}

/* Smooths the shape where there is liquid enough: that of thin parts is the field's. */
static void take_shape(skin *s, const float *to)
{
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++)
        for (size_t k = 3 * (size_t)v; k < 3 * (size_t)v + 3; k++)
            if (s->kind[v] != SKIN_FIXED) s->u[k] += s->bulk[v] * (to[k] - s->u[k]);
}

/* First the vertices are evened out along the surface, over short spans; then waves of the surface are smoothed away.
 * Were both one step, the motion along the surface would differ with the directions of the grid and bend it. */
static bool smooth(skin *s, double wave, double cell)
{
    const double step = STEP * cell;
    const filter even = filter_new(fmin(wave, EVEN_WAVE), step), shape = filter_new(wave, step);
    float *to = malloc(3 * (size_t)s->count * sizeof *to + 1);
    bool good = to && filtered(s, &even, step, EVEN, to);
    if (good) take_along(s, to);
    good = good && filtered(s, &shape, step, SHAPE, to);
    if (good) take_shape(s, to);
    free(to);
    return good;
}

/* -------------------------------------------------------------------------------------- normals and volumes */

/* Half the cross product of the diagonals: the face's area times its normal. */
static void face_area(const skin *s, const int32_t *f, float area[3])
{
    const float *a = s->u + 3 * (size_t)f[0], *b = s->u + 3 * (size_t)f[1], *c = s->u + 3 * (size_t)f[2],
                *d = s->u + 3 * (size_t)f[3];
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        area[k] = 0.5f * ((c[m] - a[m]) * (d[n] - b[n]) - (c[n] - a[n]) * (d[m] - b[m]));
    }
}

/* On the contact line the normal is that of the free surface. */
static bool counts_for(const skin *s, int32_t v, const int32_t *face)
{
    if (s->kind[v] != SKIN_CONTACT) return true;
    for (int k = 0; k < 4; k++)
        if (s->kind[face[k]] == SKIN_FREE) return true;
    return false;
}

void skin_normals(skin *s)
{
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++) {
        float *n = s->normal + 3 * (size_t)v, sum[3] = {0};
        for (int32_t i = s->first[v]; i < s->first[v + 1]; i++) {
            const int32_t *face = s->face + 4 * (size_t)s->around[i];
            const float weight = counts_for(s, v, face) ? 1 : 1e-3f; /* all of them where none counts */
            float area[3];
            face_area(s, face, area);
            for (int k = 0; k < 3; k++) sum[k] += weight * area[k];
        }
        const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (int k = 0; k < 3; k++) n[k] = length > 0 ? sum[k] / length : k == 1;
    }
}

/* Of each piece: the volume it encloses, its area that is not on walls, and whether it touches one. */
typedef struct piece {
    double volume, area;
    double from[3]; /* a point near it: less cancellation */
    bool begun, walls;
} piece;

static void measure(const skin *s, piece *pieces)
{
    for (int32_t i = 0; i < s->piece_count; i++) pieces[i] = (piece){0};
    for (int32_t f = 0; f < s->face_count; f++) {
        const int32_t *face = s->face + 4 * (size_t)f;
        piece *p = &pieces[s->piece[face[0]]];
        float area[3];
        double height = 0, size = 0;
        bool wall = true;
        if (!p->begun)
            for (int k = 0; k < 3; k++) p->from[k] = s->u[3 * (size_t)face[0] + (size_t)k];
        p->begun = true;
        face_area(s, face, area);
        for (int k = 0; k < 3; k++) {
            double middle = 0;
            for (int c = 0; c < 4; c++) middle += 0.25 * s->u[3 * (size_t)face[c] + (size_t)k];
            height += (middle - p->from[k]) * area[k];
            size += (double)area[k] * area[k];
        }
        for (int c = 0; c < 4; c++) {
            wall &= s->kind[face[c]] != SKIN_FREE;
            p->walls |= s->kind[face[c]] != SKIN_FREE;
        }
        p->volume += height / 3;
        if (!wall) p->area += sqrt(size);
    }
}

/* Moves free vertices out along their normals, those of each piece by its own distance. */
static void shift(skin *s, const float *distance)
{
    float *walls = malloc(3 * ((size_t)s->count + 1) * sizeof *walls);
    if (!walls) return;
    memcpy(walls, s->normal, 3 * (size_t)s->count * sizeof *walls);
    skin_normals(s);
    for (int32_t v = 0; v < s->count; v++) {
        const float d = distance[s->piece[v]];
        if (s->kind[v] == SKIN_FREE && !s->border[v])
            for (int k = 0; k < 3; k++) s->u[3 * (size_t)v + (size_t)k] += d * s->normal[3 * (size_t)v + (size_t)k];
    }
    memcpy(s->normal, walls, 3 * (size_t)s->count * sizeof *walls);
    free(walls);
}

/* Free pieces get the volume of their particles; others keep the one they had before they were smoothed. */
static bool restore_volumes(skin *s, const piece *before, const float *particles)
{
    piece *now = calloc((size_t)s->piece_count + 1, sizeof *now);
    float *distance = calloc((size_t)s->piece_count + 1, sizeof *distance);
    for (int round = 0; now && distance && round < 3; round++) {
        measure(s, now);
        for (int32_t p = 0; p < s->piece_count; p++) {
            const double target =
                p > 0 && particles && !now[p].walls && particles[p] > 0 ? particles[p] : before[p].volume;
            const double d = now[p].area > 0 ? (target - now[p].volume) / now[p].area : 0;
            distance[p] = (float)fmax(fmin(d, 0.2), -0.2);
        }
        shift(s, distance);
    }
    const bool good = now && distance;
    free(now);
    free(distance);
    return good;
}

static int32_t root_of(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Closed parts of the mesh, drops and bubbles, that are not much larger than what is smoothed away would vanish:
 * they count as thin. */
static bool spare_small_parts(skin *s)
{
    int32_t *parent = malloc(((size_t)s->count + 1) * sizeof *parent);
    double *volume = calloc((size_t)s->count + 1, sizeof *volume);
    if (parent && volume) {
        for (int32_t v = 0; v < s->count; v++) parent[v] = v;
        for (size_t i = 0; i < 4 * (size_t)s->face_count; i++) {
            const int32_t a = root_of(parent, s->face[i]), b = root_of(parent, s->face[i - i % 4 + (i + 1) % 4]);
            if (a < b) parent[b] = a;
            else parent[a] = b;
        }
        for (int32_t f = 0; f < s->face_count; f++) {
            const int32_t *face = s->face + 4 * (size_t)f, root = root_of(parent, face[0]);
            float area[3];
            face_area(s, face, area);
            for (size_t k = 0; k < 3; k++) {
                double middle = -(double)s->u[3 * (size_t)root + k];
                for (int c = 0; c < 4; c++) middle += 0.25 * (double)s->u[3 * (size_t)face[c] + k];
                volume[root] += middle * (double)area[k] / 3;
            }
        }
        for (int32_t v = 0; v < s->count; v++) {
            const double radius = mn_cbrt(fabs(volume[root_of(parent, v)]) * 0.238732414637843); /* 3 / (4 pi) */
            s->bulk[v] *= (float)fmin(fmax((radius - SMALL) / (LARGE - SMALL), 0), 1);
        }
    }
    const bool good = parent && volume;
    free(parent);
    free(volume);
    return good;
}

/* Twice the area of a triangle, squared. */
static float triangle_size(const skin *s, int32_t a, int32_t b, int32_t c)
{
    const float *p = s->u + 3 * (size_t)a, *q = s->u + 3 * (size_t)b, *r = s->u + 3 * (size_t)c;
    float size = 0;
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        const float x = (q[m] - p[m]) * (r[n] - p[n]) - (q[n] - p[n]) * (r[m] - p[m]);
        size += x * x;
    }
    return size;
}

/* A third of the distance to the mean of all neighbours; on a wall, along it. */
static void loosen(skin *s, int32_t v)
{
    float *u = s->u + 3 * (size_t)v, step[3] = {0}, across = 0;
    const float *n = s->normal + 3 * (size_t)v, part = 0.3f / (float)(s->first[v + 1] - s->first[v]);
    for (int32_t i = s->first[v]; i < s->first[v + 1]; i++)
        for (int k = 0; k < 3; k++) step[k] += part * (s->u[3 * (size_t)s->next[i] + (size_t)k] - u[k]);
    if (s->kind[v] == SKIN_WALL || s->kind[v] == SKIN_CONTACT)
        for (int k = 0; k < 3; k++) across += step[k] * n[k];
    for (int k = 0; k < 3; k++) u[k] += step[k] - across * n[k];
}

/* Vertices that fell together, or almost, are moved apart until every triangle has an area, however the faces are
 * cut. */
static void untangle(skin *s, double cell)
{
    const float least = (float)(1e-3 * cell * cell);
    bool any = true;
    for (int round = 0; round < 50 && any; round++) {
        any = false;
        for (int32_t f = 0; f < s->face_count; f++) {
            const int32_t *v = s->face + 4 * (size_t)f;
            bool thin = false;
            for (int c = 0; c < 4; c++) thin |= triangle_size(s, v[c], v[(c + 1) % 4], v[(c + 2) % 4]) < least * least;
            for (int c = 0; c < 4 && thin; c++) loosen(s, v[c]);
            any |= thin;
        }
    }
}

bool skin_smooth(skin *s, const liquid_field *field, const float *particles, double wave, double cell)
{
    piece *before = calloc((size_t)s->piece_count + 1, sizeof *before);
    bool good = before != NULL;
    if (good) measure(s, before);
    if (wave > 0) good = good && spare_small_parts(s) && smooth(s, wave, cell);
    good = good && restore_volumes(s, before, particles);
    if (good && field->wall) skin_meet_walls(s, field);
    if (good) untangle(s, cell);
    free(before);
    return good;
}
