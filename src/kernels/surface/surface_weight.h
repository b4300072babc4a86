/* surface_weight.h -- the weight by which models of the surface average over neighbours. */

/* (1-q^2)^2, exactly 0 from r = h on */
INLINE num surface_weight(PAR, num r2)
{
    const num a = max_of(num_of(1.0f) - r2 * (par->inv_h * par->inv_h), num_of(0.0f));
    return a * a;
}
