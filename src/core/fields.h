/* fields.h -- questions to the field table, which comes from the <file>_OWNS lines of the kernel files. */
#ifndef MN_FIELDS_H
#define MN_FIELDS_H

#include "run/backend.h"

/* Whether a field stays with its particle from step to step: sorted, saved. */
static inline bool mn_persistent(int field) { return mn_field_table[field].life == MN_LIFE_KEEP; }
/* Whether it has room for boundary points too and can be read there. */
static inline bool mn_at_points(int field) { return mn_field_table[field].at == MN_AT_POINTS; }
/* Bytes of an entry. */
static inline size_t mn_field_bytes(int field) { return mn_field_table[field].type == MN_TYPE_real4 ? 16 : 4; }

#endif
