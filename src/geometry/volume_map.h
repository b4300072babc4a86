/* volume_map.h -- shapes as grids of signed distances and volumes, for walls that are not made of particles. */
#ifndef MN_GEOMETRY_VOLUME_MAP_H
#define MN_GEOMETRY_VOLUME_MAP_H

#include "geometry/geometry.h"

/* The share of the volume that counts, and how far a wall is felt, in supports; kernels/boundary/map_points.h has them
 * too. */
#define MN_MAP_SHARE 0.8
#define MN_MAP_REACH 0.875
#define MN_MAP_NODES 134217728.0 /* at most, 1 GB */

typedef struct mn_volume_map {
    double low[3], cell; /* place of the first node, distance between nodes, m */
    int size[3];         /* nodes along x, y, z; x runs fastest */
    float *node;         /* four a node: gradient of the signed distance; the distance, m */
    float *excess;       /* volume beyond that of a flat wall at this distance, m^3 */
    bool container;      /* outside the grid is solid, else void */
} mn_volume_map;

/* Where fluid can be. Along a periodic axis (span > 0) the map covers [low, low + span) and shapes appear with their
 * copies. */
typedef struct mn_map_region {
    double low[3], high[3], span[3];
} mn_map_region;

/* The union of the shapes, for a support radius in spacings. Sheets become blocks four supports deep and half a spacing
 * wider on each side; an open face of a container lets it go on without end. Refuses open boxes that are no
 * containers, meshes that are not watertight, and more than MN_MAP_NODES nodes. */
mn_status mn_volume_map_make(const mn_shape_def *defs, int count, double spacing, double support, double cell,
                             const mn_map_region *region, mn_place at, mn_volume_map *out, mn_messages *say);
/* Whether it would not be refused. */
mn_status mn_volume_map_fits(const mn_shape_def *defs, int count, double spacing, double support, double cell,
                             const mn_map_region *region, mn_place at, mn_messages *say);
void mn_volume_map_free(mn_volume_map *map);
/* Signed distance between the nodes, m: the mean of what the eight nodes around expect by their gradients. */
double mn_volume_map_distance(const mn_volume_map *map, const double x[3]);

#endif
