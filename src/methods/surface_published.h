/* surface_published.h -- areas by the estimators of the paper, for orthmann2013.c. */
#ifndef MN_METHODS_SURFACE_PUBLISHED_H
#define MN_METHODS_SURFACE_PUBLISHED_H

#include "methods/methods.h"

/* From a flat surface of a cubic lattice, lengths in spacings. */
typedef struct mn_surface_published {
    double most, least, scale; /* delta of the outermost layer; a_min; sum of a over the two layers above it */
    double slope, top;         /* gradients of all layers added up; that of the outermost over it */
} mn_surface_published;
mn_surface_published mn_surface_published_constants(void);

/* Whether a fluid of the scene asks for it. */
bool mn_surface_published_asked(const mn_world *w, const mn_model *a);
/* Areas, delta and normals of these fluids; old_delta as they were before this step's. False: out of memory or device
 * failure. */
bool mn_surface_published_run(mn_world *w, const mn_model *a, const float *old_delta, int passed);

#endif
