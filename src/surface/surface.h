/* surface.h -- the surface of a liquid as triangles, made from its particles.
 *
 * Promises
 *  1. Every mesh is closed and manifold: each edge belongs to two triangles that run along it in opposite
 *     directions, the triangles around a vertex form one fan, vertices are shared, no triangle is degenerate.
 *     Normals point out of the liquid.
 *  2. The same particles give the same mesh, bit by bit, for any number of threads.
 *  3. Memory grows with the surface, not with the volume of the liquid.
 *
 * The method is described in docs/methods/surface-mesh.md. All lengths are metres.
 */
#ifndef MN_SURFACE_H
#define MN_SURFACE_H

#include "io/frames.h"

/* A named quantity at the vertices: the particles' field of that name, smoothed; integers are those of the nearest
 * particle. */
typedef struct mn_surface_field {
    char name[64];
    mn_frame_type type; /* float or int32_t */
    int width;          /* 1 or 3 */
    void *data;         /* width * vertex_count numbers */
} mn_surface_field;

/* One closed mesh, possibly of many pieces; no vertices at all where there is no liquid. */
typedef struct mn_surface {
    double time; /* s, of the frame */
    int32_t vertex_count, triangle_count;
    float *position; /* 3 a vertex */
    float *normal;   /* 3 a vertex: unit, outwards */
    /* 3 a vertex, m/s: that of the liquid; NULL where the particles have none. Also among the fields */
    float *velocity;
    mn_surface_field *fields; /* "speed" and every field of the particles but their position */
    int field_count;
    int32_t *triangle; /* 3 indices each, counter-clockwise from outside */
} mn_surface;

/* What the liquid ends at: signed distance, positive where liquid may be; exact up to `limit`, at least `limit`
 * beyond. Called by several threads at once. `gap` is how far from the boundary points at rest stay (of the nearest
 * wall); liquid within it is taken to touch. */
typedef double mn_surface_wall(const void *context, const double x[3], double limit, double *gap);

/* Waves shorter than this many spacings are smoothed away by default, and at most. */
#define MN_SURFACE_SMOOTHING 7.0
#define MN_SURFACE_MOST_SMOOTHING 20.0
/* Closed hollows smaller than a cube of this many spacings are filled by default. */
#define MN_SURFACE_HOLLOWS 2.0

typedef struct mn_surface_options {
    double spacing;        /* of the particles; required */
    double cell;           /* of the grid; 0: half a spacing */
    double memory;         /* bytes it may take; 0: what the machine has free */
    double smoothing;      /* waves shorter than this many spacings are smoothed away; 0: none, negative: the default */
    double hollows;        /* closed hollows smaller than a cube of so many spacings are filled; as smoothing */
    bool spray;            /* drops of one particle as spheres, finer than the grid: for pictures */
    const int32_t *liquid; /* for each particle which mesh it belongs to, 0 to liquid_count - 1; NULL: all to one */
    int liquid_count;      /* meshes that are made; 0 counts as 1 */
    mn_surface_wall *wall; /* NULL: no walls */
    const void *walls;     /* its context */
} mn_surface_options;

/* The meshes of the particles in `frame` (fields[0] is the position), one for each liquid, into out[liquid_count].
 * Where liquids touch, their meshes meet. MN_BAD_INPUT, with a message, for a cell that is not above 0 or needs more
 * than the memory, and for positions that are not finite; MN_FAILED when out of memory. On failure `out` is empty. */
mn_status mn_surface_make(const mn_frame *frame, const mn_surface_options *opt, mn_surface *out, mn_messages *say);
void mn_surface_free(mn_surface *surface);

/* NULL: there is none of that name. */
const mn_surface_field *mn_surface_find(const mn_surface *surface, const char *name);

#endif
