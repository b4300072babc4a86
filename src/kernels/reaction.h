/* reaction.h -- a species at the surface of the liquid (i) and a substance on a wall (k): a_S S + a_R R -> a_P P (Orthmann et al. 2013)
 *
 *   G_ik = k_r dt S_i Rb_k (V_i + V_k)/2 W_ik m_ik >= 0
 *   d Sb_i = -a_S sum_k G_ik,   d Rb_k = -a_R sum_i G_ik,   d Qb_i of the product = a_P sum_k G_ik
 *
 * m_ik is the smaller of the limits that keep a sub-step's loss of either within MN_MOST_LOST (amounts.h for grids and exactness).
 * `coat` at wall points: amount (value + rest, mol), limit, area. Order: reach, coat_reach, reaction, coat_reaction, reaction_product.
 */
/* needs: amounts.h spline.h */
#define reaction_OWNS(F)                                                                                       \
    F(reacted, real, "mol", STEP, COPY, FLUID, "what reacted in the sub-step")                                 \
    F(coat, real4, "mol, 1, m^2", STEP, COPY, POINTS, "substance under way, one of the following")             \
    F(coat_0, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, rest), limit and area of substance 0") \
    F(coat_1, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, rest), limit and area of substance 1") \
    F(coat_2, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, rest), limit and area of substance 2") \
    F(coat_3, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, rest), limit and area of substance 3")

#define reaction_reach_FIELDS(X) X(NB, real4, origin) X(NB, real4, coat) X(OWN, real, area) X(OWN, real4, amount) X(OUT, real4, conc)

/* S and its limit; arg: k_r dt, a_S. */
LANES(reaction_reach)
{
    ITEM();
    const own4 a = load4_i(origin, i);
    const own s = load1_i(area, i);
    own conc_s = own_of(0.0f), limit = own_of(1.0f);
    if (own_any(s > own_of(0.0f))) {
        lane sum = splat(0.0f);
        FOR_WALLS(j)
            const lane4 b = load4_j(origin, j);
            sum += load4_j(coat, j).x * (0.5f * (a.w + b.w)) * kernel_w(par, origin_distance2(par, a, b));
        END
        const own inv = own_pick(s > own_of(0.0f), 1.0f / s, own_of(0.0f)), rate = arg.x * arg.y * total(sum) * inv;
        conc_s = load4_i(amount, i).z * inv;
        limit = own_pick(rate > own_of(MN_MOST_LOST), MN_MOST_LOST / rate, own_of(1.0f));
    }
    store4_i(conc, i, conc_s, limit, 0.0f, 0.0f);
}

#define coat_reach_FIELDS(X) X(NB, real4, origin) X(NB, real4, conc) X(UPD, real4, coat)

/* The limit at a wall point; arg: k_r dt, a_R. */
LANES(coat_reach)
{
    ITEM();
    const own4 a = load4_i(origin, i), r = load4_i(coat, i);
    lane sum = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j);
        sum += load4_j(conc, j).x * (0.5f * (a.w + b.w)) * kernel_w(par, origin_distance2(par, a, b));
    END
    const own rate = arg.x * arg.y * total(sum);
    store4_i(coat, i, r.x, r.y, own_pick(rate > own_of(MN_MOST_LOST), MN_MOST_LOST / rate, own_of(1.0f)), r.w);
}

/* The same operations at both ends of a pair. */
INLINE lane reaction_pair(PAR, own4 a, lane4 b, real rate, real grid, lane s, lane r, lane limit)
{
    return on_grid(rate * s * r * (0.5f * (a.w + b.w)) * kernel_w(par, origin_distance2(par, a, b)) * limit, grid);
}

#define reaction_FIELDS(X) \
    X(NB, real4, origin) X(NB, real4, coat) X(OWN, real4, conc) X(UPD, real4, amount) X(OUT, real, reacted) X(OUT, real4, term)

/* arg: k_r dt, a_S, grid */
LANES(reaction)
{
    ITEM();
    const own4 a = load4_i(origin, i), c = load4_i(conc, i);
    lane sum = splat(0.0f);
    if (own_any(c.x > own_of(0.0f))) {
        FOR_WALLS(j)
            const lane4 b = load4_j(origin, j), r = load4_j(coat, j);
            sum += reaction_pair(par, a, b, arg.x, arg.z, c.x, r.x, lane_min(c.y, r.z));
        END
    }
    const own g = total(sum);
    const own4 m = load4_i(amount, i);
    const stock s = stock_plus(m.z, m.w, -(arg.y * g));
    store4_i(amount, i, m.x, m.y, s.value, s.rest);
    store1_i(reacted, i, g);
    store4_i(term, i, g, 0.0f, 0.0f, 0.0f);
}

#define coat_reaction_FIELDS(X) X(NB, real4, origin) X(NB, real4, conc) X(UPD, real4, coat)

/* arg: k_r dt, a_R, grid */
LANES(coat_reaction)
{
    ITEM();
    const own4 a = load4_i(origin, i), r = load4_i(coat, i);
    lane sum = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j), c = load4_j(conc, j);
        sum += reaction_pair(par, a, b, arg.x, arg.z, c.x, r.x, lane_min(c.y, r.z));
    END
    const stock s = stock_plus(r.x, r.y, -(arg.y * total(sum)));
    store4_i(coat, i, s.value, s.rest, r.z, r.w);
}

#define reaction_product_FIELDS(X) X(OWN, real, reacted) X(UPD, real4, amount)

/* arg: a_P */
LANES(reaction_product)
{
    ITEM();
    const own4 m = load4_i(amount, i);
    const stock q = stock_plus(m.x, m.y, arg.x * load1_i(reacted, i));
    store4_i(amount, i, q.value, q.rest, m.z, m.w);
}
