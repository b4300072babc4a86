/* surface_weight.h -- the weights by which models of the surface average over neighbours. */

/* (1-q^2)^2, exactly 0 from r = h on: weight of the surface's kernels; area_weight with two spacings for h, whatever
   the support is */
INLINE num surface_weight(PAR, num r2)
{
    const num a = max_of(num_of(1.0f) - r2 * (par->inv_h * par->inv_h), num_of(0.0f));
    return a * a;
}
INLINE num area_weight(PAR, num r2)
{
    const num a = max_of(num_of(1.0f) - r2 * (par->inv_two * par->inv_two), num_of(0.0f));
    return a * a;
}
