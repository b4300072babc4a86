/* maps.h -- walls as volume maps, see maps.c. */
#ifndef MN_BOUNDARY_MAPS_H
#define MN_BOUNDARY_MAPS_H

#include "meniscus/meniscus.h"

typedef struct mn_map mn_map;
typedef struct mn_maps {
    mn_map *map;
    int count;
    bool moving;
    double fastest;  /* no point of them is faster, m/s */
    double *surface; /* points on them for pictures: 3 a point, at rest */
    int *surface_map, surface_count;
} mn_maps;

mn_maps *mn_maps_of(const mn_world *w);
double mn_maps_distance(const mn_world *w, const double x[3]); /* of the nearest, at rest */
void mn_maps_surface(const mn_world *w, float *positions, int *wall);

#endif
