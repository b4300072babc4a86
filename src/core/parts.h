/* parts.h -- the parts of a world: made from core/systems.def, found by their system, called at the moments of a
 * step. */
#ifndef MN_CORE_PARTS_H
#define MN_CORE_PARTS_H

#include "core/system.h"

#define SYSTEM(name) extern const mn_system mn_##name##_system;
#define MODELS
#include "core/systems.def"
#undef SYSTEM
#undef MODELS

mn_status mn_parts_make(mn_world *w, mn_messages *say);
void mn_parts_free(mn_world *w);
/* Whether a world of this scene has that model as a part. */
bool mn_parts_use(const mn_scene *s, const mn_model_info *model);
/* The state of a part; NULL where the scene does not want it. */
void *mn_part_of(const mn_world *w, const mn_system *system);

/* Calls every part at that moment of the step. */
void mn_each(mn_world *w, mn_moment moment);
/* The same for what can fail: until one does. `which` is a member of mn_system, see MN_TRY_EACH. */
mn_status mn_try_each(mn_world *w, size_t which, mn_messages *say);
#define MN_TRY_EACH(w, member, say) mn_try_each(w, offsetof(mn_system, member), say)
/* Whether all parts can go on as the scene will be after this change. */
mn_status mn_parts_permit(const mn_world *w, const mn_scene *next, mn_place at, mn_messages *say);

/* The smallest time step and the next stop that the parts ask for, the fastest motion among them, the most rounds. */
double mn_parts_limit(const mn_world *w);
double mn_parts_stop(const mn_world *w);
double mn_parts_fastest(const mn_world *w);
/* Widens a box so that it holds what fluid may run into: walls, bodies, solids. */
void mn_parts_extent(const mn_world *w, double low[3], double high[3]);
int mn_parts_rounds(const mn_world *w);
/* Whether no part (a body, a soft solid) fills the place or all but touches it: is closer than MN_ROOM spacings. */
#define MN_ROOM 0.4
bool mn_parts_leave_room(const mn_world *w, const double x[3]);
unsigned mn_parts_wishes(const mn_world *w); /* of all of them */

/* methods/model_code.c: the system of a model. */
const mn_system *mn_model_system(const mn_model_info *model);

#endif
