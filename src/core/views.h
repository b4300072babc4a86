/* views.h -- fields on the host, in the order of ids. */
#ifndef MN_CORE_VIEWS_H
#define MN_CORE_VIEWS_H

#include <stddef.h>
#include <stdint.h>

#include "meniscus/meniscus.h"

typedef struct mn_id_place {
    int id, at;
} mn_id_place;

/* The field of that name; MN_BAD_INPUT, with a message, where there is none, or it is not kept. */
struct mn_field_view;
mn_status mn_view_find(const mn_world *w, const char *field, struct mn_field_view *out, mn_messages *say);
/* Whether it is three of the four floats of its only field, as they are. */
bool mn_view_is_plain(const struct mn_field_view *view);
/* [k].at: where the particle with the k-th smallest id lies. NULL when out of memory or the device failed. The
 * caller frees it. */
mn_id_place *mn_id_order(mn_world *w);
/* What the fluid holds in a field; zeros where it does not exist. NULL as above. */
void *mn_fetch(mn_world *w, int field);

#endif
