/* point_list.c -- the growing list of points that the samplers fill. */
#include "geometry/geometry.h"

#include <limits.h>
#include <stdlib.h>

mn_status mn_points_add(mn_points *points, const double x[3])
{
    if (points->count == points->capacity) {
        if (points->capacity > LONG_MAX / (2 * 3 * (long)sizeof(double))) return MN_FAILED;
        long capacity = points->capacity ? 2 * points->capacity : 256;
        double *grown = realloc(points->x, (size_t)capacity * 3 * sizeof *grown);
        if (!grown) return MN_FAILED;
        points->x = grown;
        points->capacity = capacity;
    }
    for (int k = 0; k < 3; k++) points->x[3 * points->count + k] = x[k];
    points->count++;
    return MN_OK;
}

void mn_points_free(mn_points *points)
{
    free(points->x);
    *points = (mn_points){0};
}
