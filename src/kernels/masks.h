/* masks.h -- which neighbours count in loops written by hand: factors of 1 or 0. Pair models have theirs in pair.h. */

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
