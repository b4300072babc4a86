/* validate_species.h -- what cases with species and films share. */
#ifndef CLI_VALIDATE_SPECIES_H
#define CLI_VALIDATE_SPECIES_H

#include "validate.h"

/* The number of stats.csv with that name; NaN if there is none. */
double species_number(mn_world *world, const char *name);
/* The same of a species: bulk, surface, drained, ... */
double species_column(mn_world *world, const char *species, const char *what);
/* What a species has now, has lost and has turned into. */
double species_account(mn_world *world, const char *species);
/* Steps up to that time. */
mn_status species_until(validation_run *run, double time);

#endif
