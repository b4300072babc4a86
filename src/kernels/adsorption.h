/* adsorption.h -- between the bulk of j and the surface of i (Langmuir-Hinshelwood, Orthmann et al. 2013, in concentrations):
 *
 *   G_ij = [k_a Q_j (A_i S_0 - Sb_i) - k_f Sb_i] w_ij,   w_ij = V_j W_ij/sum_j V_j W_ij,   j = i included
 *   d Sb_i = dt sum_j G_ij phi(l_i dt) phi(x_j dt),      d Qb_j = -the same, summed over i
 *
 * A particle that left the surface (A = 0) takes nothing up and returns Sb at the rate k_f = `feedback`.
 * l_i = k_a sum_j w_ij Q_j + k_f is how fast the surface of i comes to rest, x_j = sum_i k_a (A_i S_0 - Sb_i)+ w_ij/V_j how fast the bulk of j empties. A
 * step of any length goes as far as exp(-l t) would: phi(x) = (1 - exp(-x))/x. x phi < 1, nothing becomes negative, and the balance is not touched.
 * State: Qb, u = around k_a dt (A S_0 - Sb), v = around k_f dt Sb, k_f dt. Reach: Qb phi(x), u phi(l), v phi(l), V phi(x). pair_b = W_ij (mixing.h).
 */
/* needs: amounts.h spline.h */
#define adsorption_OWNS(F)                                                                       \
    F(conc, real4, "of the kernel", STEP, COPY, FLUID, "state of the exchange under way")        \
    F(reach, real4, "of the kernel", STEP, COPY, FLUID, "the same, as far as the sub-step goes") \
    F(busy, real, "mol", STEP, COPY, FLUID, "above 0: some surface around gives or takes")

#define adsorption_state_FIELDS(X) X(OWN, real, area) X(OWN, real, around) X(OWN, real4, amount) X(OUT, real4, conc)

/* arg: k_a dt, k_f dt, S_0, feedback dt */
LANES(adsorption_state)
{
    ITEM();
    const own4 m = load4_i(amount, i);
    const own s = load1_i(area, i), n = load1_i(around, i), back = own_pick(s > own_of(0.0f), own_of(arg.y), own_of(arg.w));
    const own room = own_pick(s > own_of(0.0f), arg.x * (s * arg.z - m.z), own_of(0.0f));
    store4_i(conc, i, m.x, n * room, n * (back * m.z), back);
}

/* (1 - exp(-x))/x, x >= 0, and x phi never above 0.98: nothing of a math library. exp(-x) is the 16th power of a series; for small x that would be
   a difference of like numbers. */
INLINE own adsorption_phi(own x)
{
    const own z = 0.0625f * x;
    own e = 1.0f / (1.0f + z * (1.0f + z * (0.5f + 0.166666667f * z)));
    for (int k = 0; k < 4; k++) e *= e;
    return own_pick(x < own_of(0.3f), 1.0f / (1.0f + x * (0.5f + 0.0833333333f * x)), own_min(1.0f - e, own_of(0.98f)) / x);
}

#define adsorption_reach_FIELDS(X)                                                                                            \
    X(OWN, real4, pos) X(NB, real4, conc) X(OWN, real, around) X(OWN, real, area) X(PAIR, pair, pair_b) X(OUT, real4, reach) \
    X(OUT, real, busy) X(OUT, real4, term)

/* arg: k_a dt. busy > 0: some surface around gives or takes; term = l dt, x dt */
LANES(adsorption_reach)
{
    ITEM();
    const own4 c = load4_i(conc, i);
    lane near = splat(0.0f), taken = splat(0.0f), some = splat(0.0f);
    FOR_FLUID(j)
        const lane4 d = load4_j(conc, j);
        const lane w = load_pair(pair_b);
        near += w * d.x;
        taken += w * lane_max(d.y, splat(0.0f));
        some += w * (lane_max(d.y, -d.y) + d.z);
    END
    const own w = kernel_w0(par), mine = own_max(c.y, -c.y) + c.z, loss = total(taken) + w * own_max(c.y, own_of(0.0f));
    const own gain = own_pick(load1_i(area, i) > own_of(0.0f), arg.x * load1_i(around, i) * (total(near) + w * c.x), own_of(0.0f));
    const own rest = gain + c.w, phi = adsorption_phi(rest), hold_back = adsorption_phi(loss);
    store4_i(reach, i, hold_back * c.x, phi * c.y, phi * c.z, hold_back * load4_i(pos, i).w);
    store1_i(busy, i, total(some) + mine);
    store4_i(term, i, own_pick(mine > own_of(0.0f), rest, own_of(0.0f)), loss, 0.0f, 0.0f);
}

#define adsorption_FIELDS(X) X(NB, real4, reach) X(OWN, real, busy) X(PAIR, pair, pair_b) X(UPD, real4, amount)

/* arg: 0, grid */
LANES(adsorption)
{
    ITEM();
    if (!own_any(load1_i(busy, i) > own_of(0.0f))) return;
    const own4 c = load4_i(reach, i), m = load4_i(amount, i);
    lane surface = splat(0.0f), bulk = splat(0.0f);
    FOR_FLUID(j)
        const lane4 d = load4_j(reach, j);
        const lane w = load_pair(pair_b);
        surface += on_grid(w * (c.y * d.x - c.z * d.w), arg.y);
        bulk += on_grid(w * (d.y * c.x - d.z * c.w), arg.y);
    END
    const own self = on_grid(kernel_w0(par) * (c.y * c.x - c.z * c.w), arg.y);
    const stock q = stock_plus(m.x, m.y, -(total(bulk) + self)), s = stock_plus(m.z, m.w, total(surface) + self);
    store4_i(amount, i, q.value, q.rest, s.value, s.rest);
}
