/* film_step.c -- what the species on the surface do to tension, adhesion and friction (kernels/film/film_factor.h). */
#include <math.h>

#include "core/world.h"
#include "species/species.h"

void mn_film_parameters(mn_world *w, void *me)
{
    (void)me;
    w->par.film.acts = mn_scene_film_acts(w->scene);
    mn_field_want(w, MN_FIELD_film_factor, w->par.film.acts);
}

void mn_film_step(mn_world *w, void *me)
{
    (void)me;
    if (!w->par.film.acts || !w->par.n || w->failed) return;
    mn_run(w, MN_KERNEL_film_begin, MN_NO_ARG);
    for (int k = 0; k < w->scene->species_count; k++) {
        const mn_species *s = &w->scene->species[k];
        if (!mn_species_acts(s)) continue;
        const double per = 1.0 / s->surface.capacity;
        mn_species_lend(w, k);
        mn_run(w, MN_KERNEL_film_add,
               (real4){(float)(s->effect.law == MN_LAW_LANGMUIR ? -per : per), (float)s->effect.tension,
                       (float)s->effect.adhesion, (float)s->effect.friction});
        mn_species_lend(w, -1);
    }
    mn_run(w, MN_KERNEL_film_spread, MN_NO_ARG);
}
