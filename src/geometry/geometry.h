/* geometry.h -- shapes: how far, which side, where to put particles. Doubles throughout, host only. */
#ifndef MN_GEOMETRY_H
#define MN_GEOMETRY_H

#include "scene/scene.h"

typedef struct mn_mesh {
    double *vertex; /* 3 a vertex, m */
    int vertex_count;
    int *triangle; /* 3 indices a triangle, counter-clockwise from outside */
    int triangle_count;
    float *colour; /* 3 a vertex, 0 to 1; NULL: the file has none */
} mn_mesh;

/* OBJ, PLY (ascii, binary little and big endian) or STL (ascii, binary), by content and extension. Refuses, with
 * file, line or byte and the reason: missing files, NaN or infinite coordinates, indices out of range, no triangles,
 * truncated data. */
mn_status mn_mesh_read(const char *path, mn_mesh *out, mn_messages *say);
/* The same from memory; `name` serves the messages and its extension the format. The target of the fuzzer. */
mn_status mn_mesh_parse(const char *data, size_t length, const char *name, mn_mesh *out, mn_messages *say);
void mn_mesh_free(mn_mesh *mesh);
/* Says why the mesh is not watertight: holes, non-manifold edges, inverted winding; MN_OK if closed and
 * outward. */
mn_status mn_mesh_check_watertight(const mn_mesh *mesh, mn_place at, mn_messages *say);
/* The same where holes and a rim are meant: the winding must be that of one sheet all the same. */
mn_status mn_mesh_check_sheet(const mn_mesh *mesh, mn_place at, mn_messages *say);

/* A shape ready for queries: transform inverted, mesh loaded with its tree. */
typedef struct mn_shape mn_shape;
mn_shape *mn_shape_new(const mn_shape_def *def, mn_messages *say); /* NULL on failure */
void mn_shape_free(mn_shape *shape);
void mn_shape_bounds(const mn_shape *shape, double low[3], double high[3]); /* of the surface */
/* Signed distance in metres, negative inside the shape (inside_out flips it); exact up to `limit`, at least `limit`
 * beyond. */
double mn_shape_distance(const mn_shape *shape, const double x[3], double limit);
/* Of a mesh that is a sheet: negative behind its triangles (inside_out: before them), positive on their other side and
 * beside its rim. */
double mn_sheet_distance(const mn_shape *sheet, const double x[3], double limit);
const mn_mesh *mn_shape_mesh(const mn_shape *shape); /* in world coordinates; NULL unless it is a mesh */

/* The shape with so much more of it (m) behind each open face. An open end of a cone goes on with its slope, at most to
 * its apex. */
mn_shape_def mn_shape_prolonged(const mn_shape_def *def, double length);

/* Triangles of its surface in world coordinates; round ones are cut so that no edge is longer than about `edge`.
 * Copies meshes. Turned inwards for inside-out shapes. Without the open ends of cylinders and cones; boxes have all of
 * their faces, two triangles each. */
mn_status mn_shape_skin(const mn_shape *shape, double edge, mn_mesh *out, mn_messages *say);

/* Volume, centroid and second moments: spread = integral of (x - centre)(x - centre)^T over the volume, row-major,
 * m^5. */
typedef struct mn_moments {
    double volume, centre[3], spread[9];
} mn_moments;
/* Of one shape: exact for the primitives and for the polyhedron of a mesh. Planes and inside-out shapes have none
 * (zeros). */
mn_moments mn_shape_moments(const mn_shape *shape);
/* Of the union: exact where the bounding boxes are apart; overlaps are counted once by sampling them. */
mn_moments mn_union_moments(mn_shape *const *shapes, int count);

/* A growing list of points. */
typedef struct mn_points {
    double *x; /* 3 a point */
    long count, capacity;
} mn_points;
mn_status mn_points_add(mn_points *points, const double x[3]);
void mn_points_free(mn_points *points);

/* Fills the union of the shapes with one particle per spacing^3 and appends them to `out`. Deterministic for a seed.
 *   MN_LATTICE: cubic, in the frame of each shape. A box whose sides are multiples of the spacing gets exactly that
 *     many, half a spacing from its faces; other shapes get the lattice points inside them, so that number * spacing^3
 *     meets the volume. Shapes that overlap share one lattice. jitter then moves each particle by up to that fraction
 *     of the spacing.
 *   MN_POISSON: disordered, of the same number density, at least 0.75 spacing apart and half a spacing from the
 *     surface.
 * Refuses planes and inside-out shapes (they have no end), meshes that are not watertight, and more than
 * MN_MOST_PARTICLES. */
mn_status mn_sample_volume(mn_shape *const *shapes, const mn_shape_def *defs, int count, mn_sampling how,
                           double spacing, double jitter, int seed, mn_points *out, mn_messages *say);
/* Covers the surface with points about `spacing` apart, evenly, and appends them to `out`: box, plane, cylinder, ...
 * by exact grids and rings, meshes by darts that keep their distance, sharp edges first. */
mn_status mn_sample_surface(const mn_shape *shape, const mn_shape_def *def, double spacing, int seed, mn_points *out,
                            mn_messages *say);

/* The same for the surface that lies `inset` inside; where the shape is thinner than that its middle is covered. */
mn_status mn_sample_inset(const mn_shape *shape, const mn_shape_def *def, double spacing, double inset, int seed,
                          mn_points *out, mn_messages *say);
/* Outward unit normal near the surface: the gradient of the signed distance, smoothed over `width`. */
void mn_shape_normal(const mn_shape *shape, const double x[3], double width, double normal[3]);
/* Whether it is a plate (box, cylinder) thinner than that; then the direction across it. */
bool mn_shape_is_plate(const mn_shape *shape, double thickness, double normal[3]);

#endif
