/* film.h -- factors on tension, adhesion and friction from the coverage of the surface, c = S/S_0 of each species (docs/methods/surfactants.md):
 *
 *   linear    f = 1 - sum_k e_k min(1, c_k)                f = 1 + sum_k e_k ln(1 - c_k)    langmuir (tension only), never below 0
 *   hold_i = sum_j k_ij A_j f_j / sum_j k_ij A_j           k = (1 - q^2)^2: carried from the surface to all that lies within a support radius of it;
 *                                                          1 where there is no surface near
 */
/* needs: cohesion.h */
#define film_OWNS(F)                                                                            \
    F(cover, real4, "1, m^2", STEP, COPY, FLUID, "factors of the film at the surface; w: area") \
    F(hold, real4, "1", STEP, COPY, FLUID, "what a film leaves of tension, adhesion, friction")

#define film_begin_FIELDS(X) X(OWN, real, area) X(OUT, real4, cover)

LANES(film_begin)
{
    ITEM();
    store4_i(cover, i, own_of(1.0f), own_of(1.0f), own_of(1.0f), load1_i(area, i));
}

/* ln y for y in [0.001, 1], from the 64th root: nothing of a math library. */
INLINE own film_log(own y)
{
    own r = y;
    for (int k = 0; k < 6; k++) r = own_sqrt(r);
    const own t = (r - 1.0f) / (r + 1.0f), tt = t * t;
    return 128.0f * t * (1.0f + tt * (0.333333333f + tt * 0.2f));
}

#define film_add_FIELDS(X) X(OWN, real4, amount) X(UPD, real4, cover)

/* One species: arg.x = 1/S_0, negative for langmuir; arg.yzw = what a full surface takes from tension, adhesion, friction. */
LANES(film_add)
{
    ITEM();
    const own4 f = load4_i(cover, i), m = load4_i(amount, i);
    if (!own_any(f.w > own_of(0.0f))) return;
    const real per = arg.x < 0.0f ? -arg.x : arg.x;
    const own c = own_pick(f.w > own_of(0.0f), own_min(own_max(per * m.z / f.w, own_of(0.0f)), own_of(1.0f)), own_of(0.0f));
    const own lost = arg.x < 0.0f ? -film_log(own_max(1.0f - c, own_of(0.001f))) : c;
    store4_i(cover, i, f.x - arg.y * lost, f.y - arg.z * c, f.z - arg.w * c, f.w);
}

#define film_spread_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, cover) X(OUT, real4, hold)

LANES(film_spread)
{
    ITEM();
    const own4 a = load4_i(pos, i), f = load4_i(cover, i);
    const own rho = CORE_AT(density, load4_i(vel, i).w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f), sum = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), g = load4_j(cover, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane c = same_liquid(par, rho, fluid_there(par, vel, j)) * surface_weight(par, dx * dx + dy * dy + dz * dz) * g.w;
        x += c * g.x;
        y += c * g.y;
        z += c * g.z;
        sum += c;
    END
    const own all = total(sum) + f.w, inv = own_pick(all > own_of(0.0f), 1.0f / all, own_of(0.0f)), rest = own_pick(all > own_of(0.0f), own_of(0.0f), own_of(1.0f));
    store4_i(hold, i, own_max(rest + inv * (total(x) + f.w * f.x), own_of(0.0f)), own_max(rest + inv * (total(y) + f.w * f.y), own_of(0.0f)),
             own_max(rest + inv * (total(z) + f.w * f.z), own_of(0.0f)), 0.0f);
}
