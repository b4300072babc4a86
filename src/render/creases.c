/* creases.c -- triangles with a smooth normal at each corner, but sharp where faces meet at an angle. */
#include <stdlib.h>

#include "geometry/vec.h"
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

static float longest_side(const mn_prop *p)
{
    float most = 0;
    for (size_t i = 0; i < (size_t)p->vertex_count; i++) {
        const size_t next = i % 3 == 2 ? i - 2 : i + 1;
        most = fmaxf(most, v3_length(v3_sub(v3_of(p->position + 3 * i), v3_of(p->position + 3 * next))));
    }
    return most;
}

/* Three corners into the twelve of four triangles. */
static void quarter(const float *in, float *out, bool unit)
{
    static const int pair[12][2] = {{0, 0}, {0, 1}, {2, 0}, {0, 1}, {1, 1}, {1, 2},
                                    {2, 0}, {1, 2}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    for (size_t k = 0; k < 12; k++) {
        vec3 middle = v3_scale(v3_add(v3_of(in + 3 * pair[k][0]), v3_of(in + 3 * pair[k][1])), 0.5f);
        if (unit) middle = v3_unit(middle);
        out[3 * k] = middle.x, out[3 * k + 1] = middle.y, out[3 * k + 2] = middle.z;
    }
}

bool mn_prop_refine(mn_prop *p, double edge)
{
    while (p->triangle_count < 500000 && (double)longest_side(p) > edge) {
        const size_t triangles = (size_t)p->triangle_count, corners = 12 * triangles;
        float *position = malloc((3 * corners + 1) * sizeof *position),
              *normal = malloc((3 * corners + 1) * sizeof *normal);
        int32_t *triangle = malloc((corners + 1) * sizeof *triangle);
        const bool ok = position && normal && triangle;
        for (size_t t = 0; t < triangles && ok; t++) {
            quarter(p->position + 9 * t, position + 36 * t, false);
            quarter(p->normal + 9 * t, normal + 36 * t, true);
        }
        for (size_t i = 0; i < corners && ok; i++) triangle[i] = (int32_t)i;
        if (!ok) {
            free(position);
            free(normal);
            free(triangle);
            return false;
        }
        mn_prop_free(p);
        p->position = position, p->normal = normal, p->triangle = triangle;
        p->vertex_count = (long)corners, p->triangle_count = (long)(4 * triangles);
    }
    return true;
}

void mn_prop_free(mn_prop *prop)
{
    free(prop->position);
    free(prop->normal);
    free(prop->triangle);
}
