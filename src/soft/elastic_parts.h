/* elastic_parts.h -- between elastic.c and the files that make its rest state and correct it at its surface. */
#ifndef MN_SOFT_ELASTIC_PARTS_H
#define MN_SOFT_ELASTIC_PARTS_H

#include "soft/elastic.h"

/* rest_state.c: lists the neighbours (false: out of memory); measures what depends on them, in memory that is there. */
bool mn_elastic_list(mn_elastic *e);
void mn_elastic_measure(mn_elastic *e);

/* surface_correction.c: finds the particles to correct, and how (false: out of memory). Then F of particle i from
 * `plain`; and what P of particle i becomes by it, added to `out`. */
bool mn_correction_make(mn_elastic *e);
void mn_correction_of_gradient(mn_elastic *e, int i);
void mn_correction_of_stress(const mn_elastic *e, int i, double out[9]);

#endif
