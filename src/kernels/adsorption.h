/* adsorption.h -- between the bulk of j and the surface of i (Langmuir-Hinshelwood, Orthmann et al. 2013, in concentrations):
 *
 *   G_ij = [k_a Q_j (A_i S_0 - Sb_i) - k_f Sb_i] w_ij,   w_ij = V_j W_ij/sum_j V_j W_ij,   j = i included
 *   d Sb_i = dt sum_j G_ij,   d Qb_j = -dt sum_i G_ij
 *
 * A particle that left the surface (A = 0) takes nothing up and returns Sb at the rate of `feedback`.
 * State: k_a dt, k_f dt, S_0, feedback dt in arg -> Q, u = around (A S_0 - Sb) k_a dt, v = around k dt Sb, limit.
 */
#define adsorption_state_FIELDS(X) \
    X(OWN, real4, pos) X(OWN, real, area) X(OWN, real, around) X(OWN, real4, mixing) X(OWN, real4, amount) X(OUT, real4, conc)

LANES(adsorption_state)
{
    ITEM();
    const own4 m = load4_i(amount, i);
    const own s = load1_i(area, i), n = load1_i(around, i), rate = arg.x * arg.z * load4_i(mixing, i).z;
    const own has = own_pick(s > own_of(0.0f), own_of(1.0f), own_of(0.0f)), room = has * arg.x * (s * arg.z - m.z);
    store4_i(conc, i, m.x / load4_i(pos, i).w, n * room, n * (own_pick(s > own_of(0.0f), own_of(arg.y), own_of(arg.w)) * m.z),
             own_pick(rate > own_of(MN_MOST_LOST), MN_MOST_LOST / rate, own_of(1.0f)));
}

#define adsorption_FIELDS(X) X(NB, real4, origin) X(NB, real4, conc) X(UPD, real4, amount)

/* arg: 0, grid */
LANES(adsorption)
{
    ITEM();
    const own4 a = load4_i(origin, i), c = load4_i(conc, i);
    const real grid = arg.y;
    lane surface = splat(0.0f), bulk = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j), d = load4_j(conc, j);
        const lane w = kernel_w(par, origin_distance2(par, a, b)) * lane_min(c.w, d.w);
        surface += on_grid((b.w * w) * (c.y * d.x - c.z), grid);
        bulk += on_grid((a.w * w) * (d.y * c.x - d.z), grid);
    END
    const own self = on_grid((a.w * (kernel_w0(par) * c.w)) * (c.y * c.x - c.z), grid);
    const own4 m = load4_i(amount, i);
    const stock q = stock_plus(m.x, m.y, -(total(bulk) + self)), s = stock_plus(m.z, m.w, total(surface) + self);
    store4_i(amount, i, q.value, q.rest, s.value, s.rest);
}
