/* film_terms.h -- what a film of surfactant does to tension (x), adhesion (y) and friction (z): factors of the
 * particles, 1 without a film (film_factor.h). They are read where par->film.acts is set; otherwise the field has no
 * memory. A pair takes the mean of both: equal and opposite forces stay so.
 */
/* needs: vec.h */

INLINE vec film_here(PAR, FIELD(real4) film_factor, const int i)
{
    if (par->film.acts) return vec_here(film_factor);
    return vec_of(num_of(1.0f), num_of(1.0f), num_of(1.0f));
}

INLINE vec film_there(PAR, FIELD(real4) film_factor, const neighbour j)
{
    if (par->film.acts) return vec_there(film_factor, j);
    return vec_of(num_of(1.0f), num_of(1.0f), num_of(1.0f));
}

/* Of the tension between a particle with the factor `mine` and j. */
INLINE num film_pair(PAR, FIELD(real4) film_factor, const neighbour j, num mine)
{
    if (par->film.acts) return 0.5f * (mine + vec_there(film_factor, j).x);
    return num_of(1.0f);
}
