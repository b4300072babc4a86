/* near.h -- which points lie near a place: a hash of cubic cells over a list of points that may grow.
 *
 * Cells are as wide as the largest radius asked for, so a query looks at 27 of them. The hash leaves neighbours
 * along x side by side in memory. Different cells may share a bucket; callers see every point of the bucket and must
 * compare distances.
 */
#ifndef MN_GEOMETRY_NEAR_H
#define MN_GEOMETRY_NEAR_H

#include "geometry/geometry.h"

typedef struct near_grid {
    const mn_points *points;
    double cell, per_cell; /* width and 1 / width */
    int *head, *next;      /* bucket -> first point, point -> next point; -1 ends */
    long next_capacity;
    uint32_t mask;
} near_grid;

/* Room for about `expected` points; more only cost time. Points already in the list are not entered. */
mn_status near_new(near_grid *grid, const mn_points *points, double cell, long expected);
void near_free(near_grid *grid);
/* Enters point `index` of the list at its present position. */
mn_status near_add(near_grid *grid, long index);
/* Empties the grid; the points stay. */
void near_clear(near_grid *grid);
/* True if a point lies closer than `radius`, which is at most the cell. */
bool near_any(const near_grid *grid, const double x[3], double radius);
/* The points closer than `radius`: up to `capacity` indices; returns how many were stored. */
int near_list(const near_grid *grid, const double x[3], double radius, int *out, int capacity);

#endif
