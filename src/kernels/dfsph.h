/* dfsph.h -- divergence-free SPH (Bender & Koschier 2017): its parameters. The sources of its two systems stand in density.h (divergence) and
 * pressure_system.h (density), which other methods share. */
#define dfsph_PARAMS(P) \
    P(neighbours, 20, "1", 0, 1000, "particles with fewer neighbours are left out of the divergence solver")

#define dfsph_OWNS(F)                                                                  \
    F(kappa_div, real, "Pa s", KEEP, COPY, FLUID, "the same of the divergence solver")

#define divergence_start_FIELDS(X) X(OWN, real4, pos) X(OWN, real, source) X(UPD, real, kappa_div) X(OUT, real4, probe)

/* Warm start where the flow converges, as in the paper; arg.x = share of the last solution. */
LANES(divergence_start)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    const own k = own_pick(load1_i(source, i) > own_of(0.0f), arg.x * load1_i(kappa_div, i), own_of(0.0f));
    store1_i(kappa_div, i, k);
    store4_i(probe, i, a.x, a.y, a.z, a.w * k);
}
