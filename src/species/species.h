/* species.h -- amounts that the liquid carries (species.c). */
#ifndef MN_SPECIES_H
#define MN_SPECIES_H

#include "io/snapshot.h"
#include "run/backend.h"
#include "scene/scene.h"

/* What came and went of a species since the beginning, mol. */
typedef struct mn_account {
    double emitted, drained;
    double reacted; /* used up, less what was produced */
    double evaporated;
} mn_account;

typedef struct mn_species_state {
    mn_account account[MN_MAX_SPECIES];
    /* at the start: mol of a boundary point, mol/m^2 */
    double coat_most[MN_MAX_SUBSTANCES], coat_thickest[MN_MAX_SUBSTANCES];
    int *coated, coated_count; /* the boundary points in the order in which the coats lie on the device */
} mn_species_state;
mn_species_state *mn_species_of(const mn_world *w);

/* The field of a species: bulk and surface amount of each particle in mol, kernels/species/amounts.h. */
int mn_species_field(int species);
/* Totals now, mol: in the bulk and at the surface. */
void mn_species_totals(mn_world *w, int species, double out[2]);

/* diffusion_reference.c: second moments of the diffusion sums in reference configurations: bulk, by which D is
 * divided; film, of a flat surface. */
double mn_species_bulk_moment(const params *par);
double mn_species_film_moment(const params *par);
double mn_species_film_rate(const params *par);

/* Puts the surface concentration S of a species, mol/m^2, into the field `film` (real; 0 where there is no surface).
 * Models that depend on a film, such as tension, run it before their kernels and read `film`. S over
 * scene->species[k].surface.capacity is the coverage. */
void mn_species_film(mn_world *w, int species);

/* Kernels see the field of this species as `amount`; -1: none. */
void mn_species_lend(mn_world *w, int species);
/* How many sub-steps a process of this rate (1/s) needs. */
int mn_substeps(double rate, double dt);
/* The grid (kernels/species/amounts.h) for fluxes that sum up to at most this. */
float mn_flux_grid(double bound);

/* film_step.c: whether a film acts, which a change of the scene may decide; after the areas, what it does to each
 * particle. */
void mn_film_parameters(mn_world *w, void *me);
void mn_film_step(mn_world *w, void *me);

/* substances.c */
mn_status mn_substances_make(mn_world *w, mn_messages *say);
void mn_substances_sort(mn_world *w, void *me); /* after boundary points have changed their order */
void mn_substances_step(mn_world *w);
bool mn_substances_save(mn_world *w, mn_snapshot *snap);
mn_status mn_substances_load(mn_world *w, const mn_snapshot *snap, mn_messages *say);
bool mn_substances_hash(mn_world *w, uint64_t *hash);
double mn_substance_total(mn_world *w, int k); /* mol of substance k */

#endif
