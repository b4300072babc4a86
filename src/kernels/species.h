/* species.h -- the fields of species and their sums. Every species has a field of its own; kernels see the one under way as `amount` (amounts.h).
 *
 *   Q = bulk/V   mol/m^3,     S = surface/A   mol/m^2 where the particle has a surface
 */
#define species_OWNS(F)                                                                                               \
    F(film, real, "mol/m^2 or 1/m^2", STEP, COPY, FLUID, "concentration on the surface, or what a particle can lose") \
    F(amount, real4, "mol", STEP, COPY, FLUID, "species under way, one of the following")                             \
    F(amount_0, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 0")         \
    F(amount_1, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 1")         \
    F(amount_2, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 2")         \
    F(amount_3, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 3")         \
    F(amount_4, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 4")         \
    F(amount_5, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 5")         \
    F(amount_6, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 6")         \
    F(amount_7, real4, "mol", KEEP, COPY, FLUID, "bulk (value, rest) and surface (value, rest) of species 7")

#define species_most_FIELDS(X) X(OWN, real4, pos) X(OWN, real, area) X(OWN, real4, amount) X(OUT, real4, term)

/* Q, S and the surface amount: their largest values set the grid of the fluxes. */
LANES(species_most)
{
    ITEM();
    const own4 m = load4_i(amount, i);
    const own s = load1_i(area, i);
    store4_i(term, i, m.x / load4_i(pos, i).w, own_pick(s > own_of(0.0f), m.z / s, own_of(0.0f)), m.z, 0.0f);
}

#define species_total_FIELDS(X) X(OWN, real4, amount) X(OUT, real4, term)

LANES(species_total)
{
    ITEM();
    const own4 m = load4_i(amount, i);
    store4_i(term, i, m.x, m.y, m.z, m.w);
}

#define species_outside_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, amount) X(OUT, real4, term)

/* What particles outside the domain hold, which the next sort deletes. */
LANES(species_outside)
{
    ITEM();
    const own4 a = load4_i(pos, i), m = load4_i(amount, i);
    const own over_x = own_max(par->keep_low[0] - a.x, a.x - par->keep_high[0]), over_y = own_max(par->keep_low[1] - a.y, a.y - par->keep_high[1]),
              over_z = own_max(par->keep_low[2] - a.z, a.z - par->keep_high[2]);
    const own out = own_pick(own_max(own_max(over_x, over_y), over_z) > own_of(0.0f), own_of(1.0f), own_of(0.0f));
    store4_i(term, i, out * m.x, out * m.y, out * m.z, out * m.w);
}

#define species_film_FIELDS(X) X(OWN, real, area) X(OWN, real4, amount) X(OUT, real, film)

/* S in mol/m^2, 0 where there is no surface: what other models read, at neighbours too, after mn_species_film. */
LANES(species_film)
{
    ITEM();
    const own s = load1_i(area, i);
    store1_i(film, i, own_pick(s > own_of(0.0f), load4_i(amount, i).z / s, own_of(0.0f)));
}
