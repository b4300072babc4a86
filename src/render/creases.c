/* creases.c -- triangles with a smooth normal at each corner, but sharp where faces meet at an angle. */
#include <stdlib.h>

#include "geometry/halve.h"
#include "geometry/vectors.h"
#include "render/props.h"

/* Corners of each vertex as rows of a table: first[v] to first[v + 1]. */
static bool corners_of(const mn_mesh *m, int **first, int **corner)
{
    const size_t vertices = (size_t)m->vertex_count, corners = 3 * (size_t)m->triangle_count;
    *first = calloc(vertices + 2, sizeof **first);
    *corner = calloc(corners + 1, sizeof **corner);
    if (!*first || !*corner) return false;
    for (size_t i = 0; i < corners; i++) (*first)[m->triangle[i] + 2]++;
    for (size_t v = 2; v <= vertices + 1; v++) (*first)[v] += (*first)[v - 1];
    for (size_t i = 0; i < corners; i++) (*corner)[(*first)[m->triangle[i] + 1]++] = (int)i;
    return true;
}

static void face_of(const mn_mesh *m, int t, double out[3])
{
    const int *c = m->triangle + 3 * (size_t)t;
    double a[3], b[3];
    sub3(m->vertex + 3 * (size_t)c[1], m->vertex + 3 * (size_t)c[0], a);
    sub3(m->vertex + 3 * (size_t)c[2], m->vertex + 3 * (size_t)c[0], b);
    cross3(a, b, out);
}

/* The direction in which all faces around a vertex retreat. */
static void outwards(const double *face, const int *corner, int from, int until, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int k = from; k < until; k++) {
        const double *n = face + 3 * (size_t)(corner[k] / 3), length = length3(n);
        for (int a = 0; a < 3 && length > 0; a++) out[a] += n[a] / length;
    }
    const double length = length3(out);
    for (int a = 0; a < 3; a++) out[a] = length > 0 ? out[a] / length : 0;
}

bool mn_crease(const mn_mesh *m, double shift, mn_prop *out)
{
    const size_t corners = 3 * (size_t)m->triangle_count;
    int *first = NULL, *corner = NULL;
    double *face = calloc(corners + 1, sizeof *face);
    *out = (mn_prop){.position = malloc((3 * corners + 1) * sizeof(float)),
                     .normal = malloc((3 * corners + 1) * sizeof(float)),
                     .triangle = malloc((corners + 1) * sizeof(int32_t)),
                     .vertex_count = (long)corners,
                     .triangle_count = m->triangle_count};
    bool ok = face && out->position && out->normal && out->triangle && corners_of(m, &first, &corner);
    for (int t = 0; t < m->triangle_count && ok; t++) face_of(m, t, face + 3 * (size_t)t);
    for (size_t i = 0; i < corners && ok; i++) {
        const int v = m->triangle[i];
        const double *own = face + 3 * (i / 3);
        double sum[3] = {own[0], own[1], own[2]};
        for (int k = first[v]; k < first[v + 1]; k++) {
            const double *other = face + 3 * (size_t)(corner[k] / 3);
            if (other != own && dot3(own, other) > 0.8 * length3(own) * length3(other))
                for (int a = 0; a < 3; a++) sum[a] += other[a];
        }
        const double length = length3(sum);
        double away[3];
        outwards(face, corner, first[v], first[v + 1], away);
        for (size_t a = 0; a < 3; a++) {
            out->position[3 * i + a] = (float)(m->vertex[3 * (size_t)v + a] + shift * away[a]);
            out->normal[3 * i + a] = (float)(length > 0 ? sum[a] / length : a == 1);
        }
        out->triangle[i] = (int32_t)i;
    }
    free(face);
    free(first);
    free(corner);
    return ok;
}

/* Which sides of a triangle are longer than `edge`, as bits. */
static int long_sides(const float *corner, float edge)
{
    int sides = 0;
    for (size_t k = 0; k < 3; k++) {
        const vec3 d = v3_sub(v3_of(corner + 3 * k), v3_of(corner + 3 * ((k + 1) % 3)));
        sides |= (v3_dot(d, d) > edge * edge) << k;
    }
    return sides;
}

static void write_pieces(const mn_halved *pieces, int count, const float *in, float *out, bool unit)
{
    for (size_t k = 0; k < 3 * (size_t)count; k++) {
        const int *pair = (*pieces)[k];
        vec3 middle = v3_scale(v3_add(v3_of(in + 3 * pair[0]), v3_of(in + 3 * pair[1])), 0.5f);
        if (unit) middle = v3_unit(middle);
        out[3 * k] = middle.x, out[3 * k + 1] = middle.y, out[3 * k + 2] = middle.z;
    }
}

/* Halves the sides that are longer than `edge`, once. *made: how many triangles that makes; it is not done for more
 * than the most. False: out of memory. */
static bool halve_sides(mn_prop *p, float edge, size_t *made)
{
    const mn_halved *pieces;
    size_t count = 0, at = 0;
    for (size_t t = 0; t < (size_t)p->triangle_count; t++)
        count += (size_t)mn_halve(long_sides(p->position + 9 * t, edge), &pieces);
    *made = count;
    if (count == (size_t)p->triangle_count || count > MN_MOST_HALVED) return true;
    float *position = malloc(9 * count * sizeof *position), *normal = malloc(9 * count * sizeof *normal);
    int32_t *triangle = malloc(3 * count * sizeof *triangle);
    const bool ok = position && normal && triangle;
    for (size_t t = 0; t < (size_t)p->triangle_count && ok; t++) {
        const int n = mn_halve(long_sides(p->position + 9 * t, edge), &pieces);
        write_pieces(pieces, n, p->position + 9 * t, position + 9 * at, false);
        write_pieces(pieces, n, p->normal + 9 * t, normal + 9 * at, true);
        at += (size_t)n;
    }
    for (size_t i = 0; i < 3 * count && ok; i++) triangle[i] = (int32_t)i;
    if (!ok) {
        free(position);
        free(normal);
        free(triangle);
        return false;
    }
    mn_prop_free(p);
    p->position = position, p->normal = normal, p->triangle = triangle;
    p->vertex_count = (long)(3 * count), p->triangle_count = (long)count;
    return true;
}

bool mn_prop_refine(mn_prop *p, double edge, bool *coarse)
{
    bool ok = true;
    size_t before = 0, made = 1;
    while (ok && made != before && made <= MN_MOST_HALVED) {
        before = (size_t)p->triangle_count;
        ok = halve_sides(p, (float)edge, &made);
    }
    *coarse = made > MN_MOST_HALVED && made != before;
    return ok;
}

void mn_prop_free(mn_prop *prop)
{
    free(prop->position);
    free(prop->normal);
    free(prop->triangle);
}
