/* field.h -- the field of one liquid, whose level is its surface: sums over particles, and what walls take of them.
 * Lengths are spacings. */
#ifndef MN_SURFACE_FIELD_H
#define MN_SURFACE_FIELD_H

#include <math.h>

#include "surface/cloud.h"
#include "surface/surface.h"

/* One liquid of a frame, from which a mesh is made. */
typedef struct liquid_field {
    const cloud *cloud;
    const float *volume;  /* of each particle of the cloud, in cubes of the spacing */
    const float *density; /* of number, 1 inside the liquid */
    const bool *deep;     /* particles that no surface is near */
    const bool *mine;     /* particles of this liquid; NULL: all are */
    const float *touch;   /* 0 to 1: whether a particle touches the wall it is nearest to; NULL: no walls */
    const bool *behind;   /* particles on the far side of a wall; NULL: none */
    float level;
    mn_surface_wall *wall;
    const void *walls;
} liquid_field;

/* Liquid on the far side of a wall begins that far behind the wall's surface. */
#define WALL_BACK 0.75f

/* Above 0 inside: from the sum over all particles, that over this liquid's, and the share that walls leave of it. */
static inline float field_value(const liquid_field *f, float all, float mine, float share)
{
    const float above = all / share - f->level;
    return f->mine ? fminf(above, (2 * mine - all) / share) : above;
}

/* Distance of a point (spacings) to the walls, in spacings, and the gap that particles keep there. */
float field_wall(const liquid_field *field, const float u[3], float limit, float *gap);
/* The value at a point, its gradient, and whether another liquid decides it. */
float field_slope(const liquid_field *field, const float u[3], float slope[3], bool *border);
/* 0 to 1: how much liquid there is around a point of the surface; 0 in drops of a few particles. */
float field_bulk(const liquid_field *field, const float u[3]);
/* Share of the kernel around a point that walls leave to the liquid: 1 far from walls, 1/2 where the particles end
 * in front of one. */
float field_share(const liquid_field *field, const float u[3], float s, float gap);
void field_wall_normal(const liquid_field *field, const float u[3], float normal[3]);
/* The value at a node of a grid in front of a wall, whose value without the wall is `free`; s and gap as field_wall
 * gives them. */
float field_at_wall(const liquid_field *field, const float u[3], float s, float gap, float free, float cell);
/* The value at a point behind a wall, of the particles there. */
float field_behind(const liquid_field *field, const float u[3]);

#endif
