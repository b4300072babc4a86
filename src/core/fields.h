/* fields.h -- the field tables of fields.def. */
#ifndef MN_FIELDS_H
#define MN_FIELDS_H

#include "run/backend.h"

/* Whether a field stays with its particle from step to step. */
extern const bool mn_persistent[MN_FIELD_COUNT];
/* Whether it exists at wall points, beside pos and vel. */
extern const bool mn_at_walls[MN_FIELD_COUNT];

#endif
