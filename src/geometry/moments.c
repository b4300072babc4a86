/* moments.c -- volume, centroid and second moments of shapes: what mass and inertia are made of. */
#include "geometry/shape.h"
#include "base/exact.h"
#include "geometry/vectors.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* The same body seen from another point: the spread about `centre` plus that of its whole volume put there. */
static void add_spread(double spread[9], double volume, const double offset[3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) spread[3 * r + c] += volume * offset[r] * offset[c];
}

/* sum += sign * part, of disjoint parts (or of a part within the sum). */
static void add_part(mn_moments *sum, const mn_moments *part, double sign)
{
    const double volume = sum->volume + sign * part->volume;
    mn_moments out = {.volume = volume};
    if (!(volume > 0)) return;
    for (int k = 0; k < 3; k++)
        out.centre[k] = (sum->volume * sum->centre[k] + sign * part->volume * part->centre[k]) / volume;
    for (int i = 0; i < 9; i++) out.spread[i] = sum->spread[i] + sign * part->spread[i];
    double offset[3];
    sub3(sum->centre, out.centre, offset);
    add_spread(out.spread, sum->volume, offset);
    sub3(part->centre, out.centre, offset);
    add_spread(out.spread, sign * part->volume, offset);
    *sum = out;
}

/* ------------------------------------------------------------ primitives */

/* In the shape's frame: spread is diagonal, the centroid lies on the y axis. */
static void revolution(double volume, double xx, double yy, double y, mn_moments *out, double diagonal[3])
{
    *out = (mn_moments){.volume = volume, .centre = {0, y, 0}};
    diagonal[0] = diagonal[2] = xx, diagonal[1] = yy;
}

/* Sums of r^2, r^2 y, r^2 y^2 and r^4 along the axis by Gauss' rule with four points: exact for these polynomials. */
static void cone(const mn_shape *s, mn_moments *out, double diagonal[3])
{
    static const double at[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
    static const double weight[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
    const double half = 0.5 * s->height;
    double volume = 0, first = 0, second = 0, wide = 0;
    for (int k = 0; k < 4; k++) {
        const double y = half * at[k], r = s->radius + (s->radius2 - s->radius) * 0.5 * (1 + at[k]),
                     w = half * weight[k] * pi * r * r;
        volume += w, first += w * y, second += w * y * y, wide += w * r * r / 4;
    }
    const double y = first / volume;
    revolution(volume, wide, second - volume * y * y, y, out, diagonal);
}

static void primitive(const mn_shape *s, mn_moments *out, double diagonal[3])
{
    const double r = s->radius, r2 = s->radius2, h = s->height, *a = s->half;
    double volume, ends;
    switch (s->kind) {
    case MN_BOX:
        volume = 8 * a[0] * a[1] * a[2];
        *out = (mn_moments){.volume = volume};
        for (int k = 0; k < 3; k++) diagonal[k] = volume * a[k] * a[k] / 3;
        break;
    case MN_SPHERE:
        volume = 4 * pi / 3 * r * r * r, revolution(volume, volume * r * r / 5, volume * r * r / 5, 0, out, diagonal);
        break;
    case MN_CYLINDER:
        volume = pi * r * r * h, revolution(volume, volume * r * r / 4, volume * h * h / 12, 0, out, diagonal);
        break;
    case MN_CAPSULE:
        volume = pi * r * r * h, ends = 4 * pi / 3 * r * r * r;
        revolution(volume + ends, volume * r * r / 4 + ends * r * r / 5,
                   volume * h * h / 12 + ends * (h * h / 4 + 3 * h * r / 8 + r * r / 5), 0, out, diagonal);
        break;
    case MN_CONE: cone(s, out, diagonal); break;
    case MN_TORUS:
        volume = 2 * pi * pi * r * r2 * r2;
        revolution(volume, volume * (r * r + 0.75 * r2 * r2) / 2, volume * r2 * r2 / 4, 0, out, diagonal);
        break;
    default: *out = (mn_moments){0}; break;
    }
}

/* ------------------------------------------------------------ meshes */

/* Tetrahedra from the first corner to every triangle: integrals of 1, x and x x^T, with their signs. */
static mn_moments mesh(const mn_mesh *m)
{
    const double *origin = m->vertex + 3 * (size_t)m->triangle[0];
    double volume = 0, first[3] = {0}, second[9] = {0};
    for (size_t t = 0; t < (size_t)m->triangle_count; t++) {
        double p[3][3], n[3], sum[3];
        for (size_t v = 0; v < 3; v++) sub3(m->vertex + 3 * (size_t)m->triangle[3 * t + v], origin, p[v]);
        cross3(p[1], p[2], n);
        const double part = dot3(p[0], n) / 6;
        volume += part;
        for (int k = 0; k < 3; k++) sum[k] = p[0][k] + p[1][k] + p[2][k], first[k] += part * sum[k] / 4;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                second[3 * r + c] +=
                    part / 20 * (sum[r] * sum[c] + p[0][r] * p[0][c] + p[1][r] * p[1][c] + p[2][r] * p[2][c]);
    }
    mn_moments out = {.volume = volume};
    double centre[3];
    for (int k = 0; k < 3; k++) centre[k] = volume > 0 ? first[k] / volume : 0;
    add_spread(second, -volume, centre);
    for (int k = 0; k < 3; k++) out.centre[k] = origin[k] + centre[k];
    memcpy(out.spread, second, sizeof second);
    return out;
}

mn_moments mn_shape_moments(const mn_shape *s)
{
    mn_moments out = {0};
    double diagonal[3] = {0}, local[3];
    if (s->inside_out || s->kind == MN_PLANE) return out;
    if (s->kind == MN_MESH) return s->mesh.triangle_count ? mesh(&s->mesh) : out;
    primitive(s, &out, diagonal);
    memcpy(local, out.centre, sizeof local);
    mn_shape_place(s, local, out.centre);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                out.spread[3 * r + c] += s->rotation[3 * r + k] * diagonal[k] * s->rotation[3 * c + k];
    return out;
}

/* ------------------------------------------------------------ unions */

/* What shape `last` shares with those before it, on a grid over the common part of their boxes; cells that the
 * surface cuts count in part. */
static mn_moments shared_part(mn_shape *const *shapes, int last, const double low[3], const double high[3])
{
    enum { CELLS = 96 };
    double widest = 0, step[3];
    long n[3];
    for (int k = 0; k < 3; k++) widest = fmax(widest, high[k] - low[k]);
    for (int k = 0; k < 3; k++) {
        n[k] = (long)fmax(8, ceil((high[k] - low[k]) / widest * CELLS));
        step[k] = (high[k] - low[k]) / (double)n[k];
    }
    const double cell = mn_cbrt(step[0] * step[1] * step[2]), limit = widest;
    double volume = 0, first[3] = {0}, second[9] = {0};
    for (long z = 0; z < n[2]; z++)
        for (long y = 0; y < n[1]; y++)
            for (long x = 0; x < n[0]; x++) {
                const double at[3] = {((double)x + 0.5) * step[0], ((double)y + 0.5) * step[1],
                                      ((double)z + 0.5) * step[2]};
                const double world[3] = {low[0] + at[0], low[1] + at[1], low[2] + at[2]};
                double before = INFINITY;
                const double own = mn_shape_distance(shapes[last], world, limit);
                if (own > cell) continue;
                for (int s = 0; s < last; s++) before = fmin(before, mn_shape_distance(shapes[s], world, limit));
                const double part = fmin(1, fmax(0, 0.5 - fmax(own, before) / cell)) * step[0] * step[1] * step[2];
                volume += part;
                for (int r = 0; r < 3; r++) {
                    first[r] += part * at[r];
                    for (int c = 0; c < 3; c++) second[3 * r + c] += part * at[r] * at[c];
                }
            }
    mn_moments out = {.volume = volume};
    for (int k = 0; k < 3 && volume > 0; k++) out.centre[k] = first[k] / volume;
    add_spread(second, -volume, out.centre);
    for (int k = 0; k < 3; k++) out.centre[k] += low[k];
    memcpy(out.spread, second, sizeof second);
    return out;
}

mn_moments mn_union_moments(mn_shape *const *shapes, int count)
{
    mn_moments sum = {0};
    for (int i = 0; i < count; i++) {
        const mn_moments own = mn_shape_moments(shapes[i]);
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, l[3], h[3], ol[3],
               oh[3];
        bool touches = false;
        mn_shape_bounds(shapes[i], ol, oh);
        for (int j = 0; j < i; j++) {
            bool apart = false;
            mn_shape_bounds(shapes[j], l, h);
            for (int k = 0; k < 3; k++) {
                l[k] = fmax(l[k], ol[k]), h[k] = fmin(h[k], oh[k]);
                apart |= !(h[k] - l[k] > 1e-9 * (oh[k] - ol[k]));
            }
            for (int k = 0; k < 3 && !apart; k++) low[k] = fmin(low[k], l[k]), high[k] = fmax(high[k], h[k]);
            touches |= !apart;
        }
        add_part(&sum, &own, 1);
        if (!touches) continue;
        const mn_moments twice = shared_part(shapes, i, low, high);
        if (twice.volume > 0) add_part(&sum, &twice, -1);
    }
    return sum;
}
