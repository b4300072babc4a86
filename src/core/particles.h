/* particles.h -- memory of the particles on the device. */
#ifndef MN_CORE_PARTICLES_H
#define MN_CORE_PARTICLES_H

#include "run/backend.h"

/* What boundary points ask of that memory and of the search. */
typedef struct mn_point_room {
    int resting;            /* points that never move */
    int active;             /* points that move or feel; */
    int without_lists;      /* the first of them, whose forces are not asked for */
    int copies;             /* most copies of active points across periodic faces */
    int slots;              /* points on volume maps of each fluid particle */
    bool see_points;        /* active points ask which others stand before them */
    float low[3], high[3];  /* around the active ones that see others */
    const real4 *pos, *vel; /* the active ones on the host; of driven walls not up to date */
} mn_point_room;

/* The x of a particle that the next sort drops: beyond any domain. */
#define MN_GONE 3.2e38f

/* A field exists from the first time it is named. */
bool mn_field_ensure(mn_world *w, int field);
void mn_field_drop(mn_world *w, int field);
/* Whether kernels name it, but may not read it: no part wants it (WANTED in kernels/port.h). */
bool mn_field_is_empty(const mn_world *w, int field);
/* The part that writes such a field says whether it will, before the kernels of a step run. */
void mn_field_want(mn_world *w, int field, bool wanted);
/* A field's buffer, made if there is none yet. */
mn_buffer *mn_world_field(mn_world *w, int field);
/* Fills a TABLE field. */
bool mn_world_table(mn_world *w, int field, const void *data, size_t bytes);
/* A buffer of 16 bytes a particle that holds nothing between steps, for the search; spare_back makes it a field
 * again. */
mn_buffer *mn_world_spare(mn_world *w);
bool mn_world_spare_back(mn_world *w);

/* Room for at least this many; fluid and wall data are kept. */
bool mn_world_reserve(mn_world *w, int capacity, int copy_room);
/* New particles behind the others; what else stays with a particle starts at zero. */
bool mn_particles_append(mn_world *w, const real4 *pos, const real4 *vel, int count);

#endif
