/* mixing.h -- what the exchange of species needs of the particles' places, once a step:
 *
 *   around_i = 1/(V_i W(0) + sum_j V_j W_ij)             1            fluid neighbours only
 *   x_i      = 2 sum_j V_j |f_ij|                        1/m^2        rate of bulk diffusion over D: what a particle can lose in unit time; f = W'/r
 */
/* needs: amounts.h spline.h */
#define mixing_OWNS(F)                                                                                           \
    F(origin, real4, "m, m^3", STEP, COPY, POINTS, "place without the shift of periodic copies; w: rest volume") \
    F(around, real, "1", STEP, COPY, FLUID, "1/sum of V W")

#define origin_take_FIELDS(X) X(OWN, real4, pos) X(OUT, real4, origin)

/* Positions as they are, for ghosts and images of wall points too (periodic worlds only; elsewhere `origin` is `pos`). */
LANES(origin_take)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    store4_i(origin, i, a.x, a.y, a.z, a.w);
}

#define mixing_FIELDS(X) X(NB, real4, origin) X(OWN, real, area) X(PAIR, pair, pair_f) X(PAIROUT, pair, pair_b) X(OUT, real, around) X(OUT, real4, term)

/* pair_b = W_ij; term = x, A, V: their largest values */
LANES(mixing)
{
    ITEM();
    const own4 a = load4_i(origin, i);
    lane n = splat(0.0f), bulk = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j);
        const lane w = kernel_w(par, origin_distance2(par, a, b));
        n += b.w * w;
        store_pair(pair_b, w);
        bulk -= b.w * load_pair(pair_f);
    END
    store1_i(around, i, 1.0f / (total(n) + a.w * kernel_w0(par)));
    store4_i(term, i, 2.0f * total(bulk), load1_i(area, i), a.w, 0.0f);
}
