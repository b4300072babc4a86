/* rims.c -- where a liquid ends at a wall its surface has a sharp edge: faces on the wall have the wall's normal up to
 * that edge. In a mesh for others the edge has one normal, that of the free surface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/source.h"
#include "render/vec3.h"

static const float SHARP = 0.8f;    /* cosine: about 37 degrees, as edges of walls (creases.c) */
static const double ON_WALL = 0.05; /* spacings */

static vec3 face_of(const mn_surface *s, const int32_t *corner)
{
    const vec3 a = v3_of(s->position + 3 * (size_t)corner[0]);
    return v3_unit(v3_cross(v3_sub(v3_of(s->position + 3 * (size_t)corner[1]), a),
                            v3_sub(v3_of(s->position + 3 * (size_t)corner[2]), a)));
}

static bool lies_on_wall(const mn_surface *s, const int32_t *corner, mn_surface_wall *wall, const void *walls,
                         double spacing)
{
    for (int k = 0; k < 3; k++) {
        const float *at = s->position + 3 * (size_t)corner[k];
        const double x[3] = {(double)at[0], (double)at[1], (double)at[2]};
        double gap;
        if (!(fabs(wall(walls, x, spacing, &gap)) < ON_WALL * spacing)) return false;
    }
    return true;
}

/* The corners of triangle t, as bits, that are to have the normal of its face. */
static uint8_t corners_to_split(const mn_surface *s, const int32_t *corner, mn_surface_wall *wall, const void *walls,
                                double spacing)
{
    const vec3 face = face_of(s, corner);
    uint8_t bits = 0;
    for (int k = 0; k < 3; k++)
        bits |= (uint8_t)((v3_dot(face, v3_of(s->normal + 3 * (size_t)corner[k])) < SHARP) << k);
    return bits && lies_on_wall(s, corner, wall, walls, spacing) ? bits : 0;
}

/* Numbers of four bytes, `width` a vertex, again for each of the new vertices. */
static bool repeat(void **data, size_t width, const mn_surface *s, const int32_t *from, size_t count)
{
    const size_t size = 4 * width, old = (size_t)s->vertex_count;
    char *grown = realloc(*data, (old + count) * size);
    if (!grown) return false;
    for (size_t i = 0; i < count; i++) memcpy(grown + (old + i) * size, grown + (size_t)from[i] * size, size);
    *data = grown;
    return true;
}

static bool repeat_all(mn_surface *s, const int32_t *from, size_t count)
{
    void *position = s->position, *normal = s->normal;
    bool good = repeat(&position, 3, s, from, count);
    s->position = position;
    good = good && repeat(&normal, 3, s, from, count);
    s->normal = normal;
    for (int f = 0; f < s->field_count && good; f++) {
        const bool velocity = s->fields[f].data == s->velocity;
        good = repeat(&s->fields[f].data, (size_t)s->fields[f].width, s, from, count);
        if (velocity) s->velocity = s->fields[f].data;
    }
    return good;
}

bool mn_rims_split(mn_surface *s, mn_surface_wall *wall, const void *walls, double spacing)
{
    const size_t triangles = (size_t)s->triangle_count;
    uint8_t *bits = calloc(triangles + 1, 1);
    if (!bits) return false;
#pragma omp parallel for schedule(dynamic, 1024)
    for (size_t t = 0; t < triangles; t++) bits[t] = corners_to_split(s, s->triangle + 3 * t, wall, walls, spacing);
    size_t count = 0;
    for (size_t c = 0; c < 3 * triangles; c++) count += bits[c / 3] >> c % 3 & 1;
    if (count > (size_t)(INT32_MAX - s->vertex_count)) count = 0; /* too many for a picture to show */
    int32_t *from = malloc((count + 1) * sizeof *from);
    size_t made = 0;
    for (size_t c = 0; c < 3 * triangles && from && count; c++)
        if (bits[c / 3] >> c % 3 & 1) from[made++] = s->triangle[c];
    const bool good = from && (count == 0 || repeat_all(s, from, count));
    for (size_t t = 0, at = (size_t)s->vertex_count; t < triangles && good && count; t++) {
        const vec3 face = face_of(s, s->triangle + 3 * t);
        for (size_t k = 0; k < 3; k++) {
            if (!(bits[t] >> k & 1)) continue;
            s->normal[3 * at] = face.x, s->normal[3 * at + 1] = face.y, s->normal[3 * at + 2] = face.z;
            s->triangle[3 * t + k] = (int32_t)at++;
        }
    }
    if (good) s->vertex_count += (int32_t)count;
    free(from);
    free(bits);
    return good;
}
