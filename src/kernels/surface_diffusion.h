/* surface_diffusion.h -- along the surface, between particles that have a share A of it (Orthmann et al. 2013 with the 1/r of Cleary & Monaghan):
 *
 *   d Sb_i = D_num dt sum_j (A_i V_j + A_j V_i) (S_i - S_j) f_ij m_ij        f = W'/r < 0
 *
 * arg: D_num dt; the second also the grid in arg.y. State: S, A, limit.
 */
#define surface_state_FIELDS(X) X(OWN, real, area) X(OWN, real4, mixing) X(OWN, real4, amount) X(OUT, real4, conc)

LANES(surface_state)
{
    ITEM();
    const own s = load1_i(area, i), rate = arg.x * load4_i(mixing, i).y;
    store4_i(conc, i, own_pick(s > own_of(0.0f), load4_i(amount, i).z / s, own_of(0.0f)), s, own_pick(rate > own_of(MN_MOST_LOST), MN_MOST_LOST / rate, own_of(1.0f)), 0.0f);
}

#define surface_diffusion_FIELDS(X) X(NB, real4, origin) X(NB, real4, conc) X(UPD, real4, amount)

LANES(surface_diffusion)
{
    ITEM();
    const own4 a = load4_i(origin, i), c = load4_i(conc, i), m = load4_i(amount, i);
    if (!own_any(c.y > own_of(0.0f))) return;
    const real grid = arg.y;
    lane gain = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j), d = load4_j(conc, j);
        const lane f = kernel_f(par, origin_distance2(par, a, b));
        const lane c_ij = arg.x * (c.y * b.w + d.y * a.w) * f * lane_min(c.z, d.z);
        gain += lane_pick(d.y > splat(0.0f), on_grid(c_ij * (c.x - d.x), grid), splat(0.0f));
    END
    const stock h = stock_plus(m.z, m.w, own_pick(c.y > own_of(0.0f), total(gain), own_of(0.0f)));
    store4_i(amount, i, m.x, m.y, h.value, h.rest);
}
