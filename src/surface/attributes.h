/* attributes.h -- the fields of a frame's particles at the vertices of a mesh. */
#ifndef MN_SURFACE_ATTRIBUTES_H
#define MN_SURFACE_ATTRIBUTES_H

#include "surface/faces.h"

/* Fills the fields of `out` (whose vertices are those of the skin); false: out of memory. */
bool attributes_make(const liquid_field *field, const skin *s, const mn_frame *frame, mn_surface *out);

#endif
