/* wetting.h -- friction, adhesion and contact angles of liquids on walls; see wetting.c. */
#ifndef MN_WETTING_WETTING_H
#define MN_WETTING_WETTING_H

#include "core/world.h"

/* A model that heeds contact angles asks for them when it is made: from then on the field wall_wetting holds those of
 * the moment. */
mn_status mn_wetting_use_angles(mn_world *w, mn_messages *say);
/* Whether a contact line holds where it is now: a wall has hysteresis. */
bool mn_wetting_sticks(const mn_world *w);
/* m, of a line that moves on a wall, body or solid; 0: the angle does not depend on its speed. Whether one has some. */
double mn_wetting_slip(const mn_world *w, int object);
bool mn_wetting_slips(const mn_world *w);

#endif
