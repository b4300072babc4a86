/* maps.h -- walls as volume maps, see maps.c. */
#ifndef MN_BOUNDARY_MAPS_H
#define MN_BOUNDARY_MAPS_H

#include "meniscus/meniscus.h"

typedef struct mn_map mn_map;
typedef struct mn_wall_maps {
    mn_map *map;
    int count, slots; /* slots: entries for each fluid particle */
    bool moving;
    double fastest;  /* no point of them is faster, m/s */
    double *surface; /* points on them for pictures: 3 a point, at rest */
    int *surface_map, surface_count;
} mn_wall_maps;

mn_status mn_maps_make(mn_world *w, mn_messages *say);
bool mn_maps_place(mn_world *w);                               /* where they are at this time */
bool mn_maps_touch(mn_world *w);                               /* the points of all fluid particles on them */
double mn_maps_distance(const mn_world *w, const double x[3]); /* of the nearest, at rest */
void mn_maps_surface(const mn_world *w, float *positions, int *wall);
void mn_maps_free(mn_wall_maps *m);

#endif
