/* film_terms.h -- what a film of surfactant does to tension (x), adhesion (y) and friction (z): factors of the particles, 1
 * where it is clean (film.h). Only where par->film is set; else nothing is read, and the field has no memory. A pair takes
 * the mean of both: equal and opposite forces stay so.
 */
/* needs: vec.h */

INLINE vec film_here(PAR, FIELD(real4) hold, const int i)
{
    if (par->film) return vec_i(hold, i);
    return vec_of(splat(1.0f), splat(1.0f), splat(1.0f));
}

INLINE vec film_there(PAR, FIELD(real4) hold, const neighbour j)
{
    if (par->film) return vec_j(hold, j);
    return vec_of(splat(1.0f), splat(1.0f), splat(1.0f));
}

/* Of the tension between a particle with the factor `mine` and j. */
INLINE lane film_pair(PAR, FIELD(real4) hold, const neighbour j, lane mine)
{
    if (par->film) return 0.5f * (mine + vec_j(hold, j).x);
    return splat(1.0f);
}
