/* dfsph.h -- divergence-free SPH (Bender & Koschier 2017): its parameters. The sources of its two systems stand in
 * density.h (divergence) and pressure_system.h (density), which other methods share. */
#define dfsph_PARAMS(P)             \
    P(neighbours, 20, "1", 0, 1000, \
        "particles with fewer neighbours, as many more with a wider support, are left out of the divergence solver")

#define dfsph_OWNS(F) \
    F(kappa_div, real, "Pa s", KEEP, COPY, FLUID, "the same of the divergence solver")

#define divergence_start_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real, source) X(CHANGES, real, kappa_div) X(WRITES, real4, trial)

/* Warm start where the flow converges, as in the paper; arg.x = share of the last solution. */
KERNEL(divergence_start)
{
    const vec a = vec_here(pos);
    const num k = choose(num_here(source) > num_of(0.0f), arg.x * num_here(kappa_div), num_of(0.0f));
    set_num(kappa_div, k);
    set_vec(trial, a.x, a.y, a.z, a.w * k);
}
