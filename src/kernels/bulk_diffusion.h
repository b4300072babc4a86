/* bulk_diffusion.h -- diffusion in the bulk (Cleary & Monaghan 1999), amounts moved between pairs:
 *
 *   d Qb_i = 2 D dt sum_j V_i V_j (Q_i - Q_j) f_ij          f = W'/r < 0
 *
 * State: Q, V. Across periodic faces f_ij is worked out anew, from distances that are the same to the last bit at both ends; elsewhere pair_f is.
 */
/* needs: amounts.h spline.h */
#define bulk_state_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, amount) X(OUT, real4, conc)

LANES(bulk_state)
{
    ITEM();
    const own v = load4_i(pos, i).w;
    store4_i(conc, i, load4_i(amount, i).x / v, v, own_of(0.0f), own_of(0.0f));
}

#define bulk_diffusion_FIELDS(X) X(NB, real4, origin) X(NB, real4, conc) X(PAIR, pair, pair_f) X(UPD, real4, amount)

/* arg: D dt, grid */
LANES(bulk_diffusion)
{
    ITEM();
    const own4 a = load4_i(origin, i), c = load4_i(conc, i), m = load4_i(amount, i);
    const real rate = 2.0f * arg.x;
    lane gain = splat(0.0f);
    FOR_FLUID(j)
        const lane4 d = load4_j(conc, j);
        lane f = load_pair(pair_f);
        if (periodic(par)) f = kernel_f(par, origin_distance2(par, a, load4_j(origin, j)));
        gain += on_grid((rate * (c.y * d.y) * f) * (c.x - d.x), arg.y);
    END
    const stock h = stock_plus(m.x, m.y, total(gain));
    store4_i(amount, i, h.value, h.rest, m.z, m.w);
}
