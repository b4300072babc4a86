/* cohesion.h -- the weights of pairwise surface tension and adhesion, q = r/h, all exactly 0 from r = h on:
 *
 *   cohesion  C = 32/(pi h^3) { (1-q)^3 q^3 for q > 1/2,  2 (1-q)^3 q^3 - 1/64 below }   repels below 0.2729 h (Akinci
 *                                                                                        et al. 2013, eq. 2)
 *   adhesion  A = 0.007/h^3 (-4 q^2 + 6 q - 2)+^(1/4)                                    between h/2 and h (Akinci et
 *                                                                                        al. 2013, eq. 7)
 *   adhesion  y = 0.01/h^3 (1/16 - (q - 3/4)^2)+                                         between h/2 and h (Wang et al.
 *                                                                                        2017, eq. 9)
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

/* Several fluids of a scene are one liquid where their rest density is the same (a drop over a pool). Tension acts
   within a liquid, with the geometric mean of both coefficients, and not across an interface: same_liquid is 1 or 0. */
INLINE num same_liquid_of(PAR, num rho, num w)
{
    return par->fluids == 1 ? num_of(1.0f) : choose(of_fluid(density, w) == num_of(rho), num_of(1.0f), num_of(0.0f));
}
INLINE num same_liquid(PAR, FIELD(real4) vel, const neighbour j, num rho)
{
    if (par->fluids == 1) return num_of(1.0f);
    return same_liquid_of(par, rho, vec_there(vel, j).w);
}

/* 1 where the neighbour is a real one, 0 for the padding of a list: for terms that no kernel function weighs. */
INLINE num within_support(PAR, num r2) { return choose(r2 < num_of(par->h * par->h), num_of(1.0f), num_of(0.0f)); }

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
