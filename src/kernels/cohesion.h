/* cohesion.h -- the weights of pairwise surface tension and adhesion, q = r/h, all exactly 0 from r = h on:
 *
 *   cohesion  C = 32/(pi h^3) { (1-q)^3 q^3 for q > 1/2,  2 (1-q)^3 q^3 - 1/64 below }   repels below 0.2729 h (Akinci et al. 2013, eq. 2)
 *   adhesion  A = 0.007/h^3 (-4 q^2 + 6 q - 2)+^(1/4)                                    between h/2 and h (Akinci et al. 2013, eq. 7)
 *   adhesion  y = 0.01/h^3 (1/16 - (q - 3/4)^2)+                                         between h/2 and h (Wang et al. 2017, eq. 9)
 *
 * The factor of C multiplies the whole bracket, also the 1/64 that makes close particles repel. Of A, pull_akinci2013 is A/r: both pulls are along x.
 */

INLINE lane cohesion_weight(PAR, lane r)
{
    const lane q = lane_min(r * par->inv_h, splat(1.0f));
    const lane a = (splat(1.0f) - q) * q;
    const lane p = a * a * a;
    return (4.0f * par->w0) * lane_pick(q > splat(0.5f), p, p + p - 0.015625f);
}

/* 1/r, bounded so that two particles in one place get no direction. */
INLINE lane inverse_distance(PAR, lane r) { return splat(1.0f) / lane_max(r, splat(1e-6f * par->h)); }

INLINE lane pull_akinci2013(PAR, lane r)
{
    const lane q = lane_min(r * par->inv_h, splat(1.0f));
    const lane a = lane_max((q + q - 1.0f) * (splat(2.0f) - q - q), splat(0.0f));
    return (0.007f * par->inv_h * par->inv_h * par->inv_h) * lane_sqrt(lane_sqrt(a)) * inverse_distance(par, r);
}

INLINE lane pull_wang2017(PAR, lane r)
{
    const lane q = lane_min(r * par->inv_h, splat(1.0f)) - 0.75f;
    return (0.01f * par->inv_h * par->inv_h * par->inv_h) * lane_max(splat(0.0625f) - q * q, splat(0.0f));
}

/* Several fluids of a scene are one liquid where their rest density is the same (a drop over a pool). Tension acts within a liquid, with
   the geometric mean of both coefficients, and not across an interface: same_liquid is 1 or 0. */
INLINE lane fluid_there(PAR, FIELD(real4) vel, const neighbour j)
{
    if (par->fluids == 1) return splat(0.0f);
    return vec_j(vel, j).w;
}
INLINE lane same_liquid(PAR, own rho, lane w)
{
    return par->fluids == 1 ? splat(1.0f) : lane_pick(CORE_AT_J(density, w) == splat(rho), splat(1.0f), splat(0.0f));
}

/* 1 where the neighbour is a real one, 0 for the padding of a list: for terms that no kernel function weighs. */
INLINE lane within_support(PAR, lane r2) { return lane_pick(r2 < splat(par->h * par->h), splat(1.0f), splat(0.0f)); }

/* (1-q^2)^2, exactly 0 from r = h on: weight of the surface's kernels */
INLINE lane surface_weight(PAR, lane r2)
{
    const lane a = lane_max(splat(1.0f) - r2 * (par->inv_h * par->inv_h), splat(0.0f));
    return a * a;
}
