/* species_sums.h -- the fields of species and their sums. Every species has a field of its own; kernels see the one
 * treated now as `amount` (amounts.h).
 *
 *   Q = bulk/V   mol/m^3,     S = surface/A   mol/m^2 where the particle has a surface
 */
#define species_OWNS(F)                                                                                               \
    F(film, real, "mol/m^2 or 1/m^2", STEP, COPY, FLUID, "concentration on the surface, or what a particle can lose") \
    F(amount, real4, "mol", STEP, COPY, FLUID, "the species treated now, one of amount_0 to amount_7")                \
    F(amount_0, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 0")             \
    F(amount_1, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 1")             \
    F(amount_2, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 2")             \
    F(amount_3, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 3")             \
    F(amount_4, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 4")             \
    F(amount_5, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 5")             \
    F(amount_6, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 6")             \
    F(amount_7, real4, "mol", KEEP, COPY, FLUID, "bulk and surface (each: value, low part) of species 7")

#define species_most_FIELDS(X) X(HERE, real4, pos) X(HERE, real, area) X(HERE, real4, amount) X(WRITES, real4, term)

/* Q, S and the surface amount: their largest values set the grid of the fluxes. */
KERNEL(species_most)
{
    const vec m = vec_here(amount);
    const num s = num_here(area);
    set_vec(term, m.x / vec_here(pos).w, choose(s > num_of(0.0f), m.z / s, num_of(0.0f)), m.z, 0.0f);
}

#define species_total_FIELDS(X) X(HERE, real4, amount) X(WRITES, real4, term)

KERNEL(species_total)
{
    const vec m = vec_here(amount);
    set_vec(term, m.x, m.y, m.z, m.w);
}

#define species_outside_FIELDS(X) X(HERE, real4, pos) X(HERE, real4, amount) X(WRITES, real4, term)

/* What particles outside the domain hold, which the next sort deletes. */
KERNEL(species_outside)
{
    const vec a = vec_here(pos), m = vec_here(amount);
    const num over_x = max_of(par->keep_low[0] - a.x, a.x - par->keep_high[0]),
              over_y = max_of(par->keep_low[1] - a.y, a.y - par->keep_high[1]),
              over_z = max_of(par->keep_low[2] - a.z, a.z - par->keep_high[2]);
    const num out = choose(max_of(max_of(over_x, over_y), over_z) > num_of(0.0f), num_of(1.0f), num_of(0.0f));
    set_vec(term, out * m.x, out * m.y, out * m.z, out * m.w);
}

#define species_film_FIELDS(X) X(HERE, real, area) X(HERE, real4, amount) X(WRITES, real, film)

/* S in mol/m^2, 0 where there is no surface: what other models read, at neighbours too, after mn_species_film. */
KERNEL(species_film)
{
    const num s = num_here(area);
    set_num(film, choose(s > num_of(0.0f), vec_here(amount).z / s, num_of(0.0f)));
}
