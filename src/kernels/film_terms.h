/* film_terms.h -- what a film of surfactant does to tension (x), adhesion (y) and friction (z): factors of the particles, 1 where it is clean (film.h).
 * Only where par->film is set; else nothing is read, and the field has no memory. A pair takes the mean of both: equal and opposite forces stay so.
 */
#define FILM_OWN(part) (par->film ? load4_i(hold, i).part : own_of(1.0f))
#define FILM_AT(part) (par->film ? load4_j(hold, j).part : splat(1.0f))
#define FILM_PAIR(mine) (par->film ? 0.5f * ((mine) + load4_j(hold, j).x) : splat(1.0f))
