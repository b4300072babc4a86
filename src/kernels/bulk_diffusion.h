/* bulk_diffusion.h -- diffusion in the bulk (Cleary & Monaghan 1999), amounts moved between pairs:
 *
 *   d Qb_i = 2 D dt sum_j V_i V_j (Q_i - Q_j) f_ij m_ij          f = W'/r < 0, m_ij: the smaller limit of the two
 *
 * limit_i keeps what i can lose within MN_MOST_LOST of what it holds. arg: D dt; the second also the grid in arg.y.
 */
#define bulk_state_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, mixing) X(OWN, real4, amount) X(OUT, real4, conc)

LANES(bulk_state)
{
    ITEM();
    const own rate = arg.x * load4_i(mixing, i).x;
    store4_i(conc, i, load4_i(amount, i).x / load4_i(pos, i).w, own_pick(rate > own_of(MN_MOST_LOST), MN_MOST_LOST / rate, own_of(1.0f)), 0.0f, 0.0f);
}

#define bulk_diffusion_FIELDS(X) X(NB, real4, origin) X(NB, real4, conc) X(UPD, real4, amount)

LANES(bulk_diffusion)
{
    ITEM();
    const own4 a = load4_i(origin, i), c = load4_i(conc, i);
    const real grid = arg.y, rate = 2.0f * arg.x;
    lane gain = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j), d = load4_j(conc, j);
        const lane f = kernel_f(par, origin_distance2(par, a, b));
        const lane c_ij = rate * (a.w * b.w) * f * lane_min(c.y, d.y);
        gain += on_grid(c_ij * (c.x - d.x), grid);
    END
    const own4 m = load4_i(amount, i);
    const stock h = stock_plus(m.x, m.y, total(gain));
    store4_i(amount, i, h.value, h.rest, m.z, m.w);
}
