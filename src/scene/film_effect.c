/* film_effect.c -- what the species of a scene may do to tension, adhesion and friction. */
#include <math.h>

#include "scene/scene.h"

bool mn_species_acts(const mn_species *s)
{
    return s->surface.capacity > 0.0 &&
           (s->effect.tension != 0.0 || s->effect.adhesion != 0.0 || s->effect.friction != 0.0);
}

bool mn_scene_film_acts(const mn_scene *scene)
{
    for (int k = 0; k < scene->species_count; k++)
        if (mn_species_acts(&scene->species[k])) return true;
    return false;
}

double mn_scene_film_most(const mn_scene *scene)
{
    double most = 1.0;
    for (int k = 0; k < scene->species_count; k++) {
        const mn_species *s = &scene->species[k];
        const double full = s->effect.law == MN_LAW_LANGMUIR ? 6.907755278982137 /* ln 1000 */ : 1.0;
        if (mn_species_acts(s))
            most += fmax(0.0, fmax(-full * s->effect.tension, fmax(-s->effect.adhesion, -s->effect.friction)));
    }
    return most;
}
