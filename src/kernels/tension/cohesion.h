/* cohesion.h -- the weights of pairwise surface tension and adhesion, q = r/h, all exactly 0 from r = h on:
 *
 *   cohesion  C = 32/(pi h^3) { (1-q)^3 q^3 for q > 1/2,  2 (1-q)^3 q^3 - 1/64 below }
 *             Akinci et al. 2013, eq. 2; repels below 0.2729 h
 *   adhesion  A = 0.007/h^3 (-4 q^2 + 6 q - 2)+^(1/4)
 *             Akinci et al. 2013, eq. 7; between h/2 and h
 *   adhesion  y = 0.01/h^3 (1/16 - (q - 3/4)^2)+
 *             Wang et al. 2017, eq. 9; between h/2 and h
 *
 * The factor of C multiplies the whole bracket, also the 1/64 that makes close particles repel. Of A, pull_akinci2013
 * is A/r: both pulls are along x.
 */

INLINE num cohesion_weight(PAR, num r)
{
    const num q = min_of(r * par->inv_h, num_of(1.0f));
    const num a = (num_of(1.0f) - q) * q;
    const num p = a * a * a;
    return (4.0f * par->w0) * choose(q > num_of(0.5f), p, p + p - 0.015625f);
}

/* 1/r, bounded so that two particles in one place get no direction. */
INLINE num inverse_distance(PAR, num r) { return num_of(1.0f) / max_of(r, num_of(1e-6f * par->h)); }

INLINE num pull_akinci2013(PAR, num r)
{
    const num q = min_of(r * par->inv_h, num_of(1.0f));
    const num a = max_of((q + q - 1.0f) * (num_of(2.0f) - q - q), num_of(0.0f));
    return (0.007f * par->inv_h * par->inv_h * par->inv_h) * sqrt_of(sqrt_of(a)) * inverse_distance(par, r);
}

INLINE num pull_wang2017(PAR, num r)
{
    const num q = min_of(r * par->inv_h, num_of(1.0f)) - 0.75f;
    return (0.01f * par->inv_h * par->inv_h * par->inv_h) * max_of(num_of(0.0625f) - q * q, num_of(0.0f));
}
