/* species.h -- amounts that the liquid carries (species.c). */
#ifndef MN_SPECIES_H
#define MN_SPECIES_H

#include "run/backend.h"

/* The field of a species: bulk and surface amount of each particle in mol, kernels/amounts.h. */
int mn_species_field(int species);
/* Totals now, mol: in the bulk and at the surface. */
struct mn_world;
void mn_species_totals(struct mn_world *w, int species, double out[2]);

/* reference.c: second moments of the diffusion sums in reference configurations: bulk, by which D is divided; film, of a flat surface. */
double mn_species_bulk_moment(void);
double mn_species_film_moment(const params *par);
double mn_species_film_rate(void);

/* Puts the surface concentration S of a species, mol/m^2, into the field `film` (real; 0 where there is no surface). Models that depend on a film, such
   as tension, run it before their kernels and read `film`. S over scene->species[k].surface.capacity is the coverage. */
void mn_species_film(struct mn_world *w, int species);

/* Kernels see the field of this species as `amount`; -1: none. */
void mn_species_lend(struct mn_world *w, int species);
/* How many sub-steps a process of this rate (1/s) needs. */
int mn_substeps(double rate, double dt);
/* The grid (kernels/amounts.h) for fluxes that sum up to at most this. */
float mn_flux_grid(double bound);

/* substances.c */
double mn_substance_total(struct mn_world *w, int k); /* mol of substance k */

#endif
