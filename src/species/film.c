/* film.c -- what the species on the surface do to tension, adhesion and friction (kernels/film.h). */
#include <math.h>

#include "species/species.h"
#include "core/world.h"

static bool acts(const mn_species *s)
{
    return s->surface.capacity > 0.0 && (s->effect.tension != 0.0 || s->effect.adhesion != 0.0 || s->effect.friction != 0.0);
}

bool mn_film_acts(const mn_scene *scene)
{
    for (int k = 0; k < scene->species_count; k++)
        if (acts(&scene->species[k])) return true;
    return false;
}

double mn_film_most(const mn_world *w)
{
    double most = 1.0;
    for (int k = 0; k < w->scene->species_count; k++) {
        const mn_species *s = &w->scene->species[k];
        const double full = s->effect.law == MN_LAW_LANGMUIR ? 6.907755278982137 /* ln 1000 */ : 1.0;
        if (acts(s)) most += fmax(0.0, fmax(-full * s->effect.tension, fmax(-s->effect.adhesion, -s->effect.friction)));
    }
    return most;
}

void mn_film_step(mn_world *w)
{
    if (!w->par.film || !w->par.n || w->failed) return;
    mn_run(w, MN_KERNEL_film_begin, MN_NO_ARG);
    for (int k = 0; k < w->scene->species_count; k++) {
        const mn_species *s = &w->scene->species[k];
        if (!acts(s)) continue;
        const double per = 1.0 / s->surface.capacity;
        mn_species_lend(w, k);
        mn_run(w, MN_KERNEL_film_add,
               (real4){(float)(s->effect.law == MN_LAW_LANGMUIR ? -per : per), (float)s->effect.tension, (float)s->effect.adhesion,
                       (float)s->effect.friction});
        mn_species_lend(w, -1);
    }
    mn_run(w, MN_KERNEL_film_spread, MN_NO_ARG);
}
