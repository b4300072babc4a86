/* adsorption.h -- between the bulk of j and the surface of i (Langmuir-Hinshelwood, Orthmann et al. 2013, in
 * concentrations):
 *
 *   G_ij = [k_a Q_j (A_i S_0 - Sb_i) - k_f Sb_i] w_ij,   w_ij = V_j W_ij/sum_j V_j W_ij,   j = i included
 *   d Sb_i = dt sum_j G_ij phi(l_i dt) phi(x_j dt),      d Qb_j = -the same, summed over i
 *
 * A particle that left the surface (A = 0) takes nothing up and returns Sb at the rate k_f = `feedback`. l_i = k_a
 * sum_j w_ij Q_j + k_f is how fast the surface of i comes to rest, x_j = sum_i k_a (A_i S_0 - Sb_i)+ w_ij/V_j how fast
 * the bulk of j empties. A step of any length goes as far as exp(-l t) would: phi(x) = (1 - exp(-x))/x. x phi < 1,
 * nothing becomes negative, and the balance is not touched. State: Qb, u = around k_a dt (A S_0 - Sb), v = around k_f
 * dt Sb, k_f dt. Reach: Qb phi(x), u phi(l), v phi(l), V phi(x). pair_b = W_ij (mixing.h).
 *
 * Hand-tuned: sub-steps read pair_b in place of W, and particles with no surface nearby skip them.
 */
/* needs: amounts.h spline.h */
#define adsorption_OWNS(F)                                                                   \
    F(conc, real4, "of the kernel", STEP, COPY, FLUID, "state of the exchange in this step") \
    F(reach, real4, "of the kernel", STEP, COPY, FLUID, "conc as far as the sub-step goes")  \
    F(busy, real, "mol", STEP, COPY, FLUID, "above 0: a surface nearby gives or takes")

#define adsorption_state_FIELDS(X) \
    X(HERE, real, area) X(HERE, real, around) X(HERE, real4, amount) X(WRITES, real4, conc)

/* arg: k_a dt, k_f dt, S_0, feedback dt */
KERNEL(adsorption_state)
{
    const vec m = vec_here(amount);
    const num s = num_here(area), n = num_here(around), back = choose(s > num_of(0.0f), num_of(arg.y), num_of(arg.w));
    const num room = choose(s > num_of(0.0f), arg.x * (s * arg.z - m.z), num_of(0.0f));
    set_vec(conc, m.x, n * room, n * (back * m.z), back);
}

/* (1 - exp(-x))/x, x >= 0, and x phi never above 0.98: nothing of a math library. exp(-x) is the 16th power of a
   series; for small x that would be a difference of like numbers. */
INLINE num adsorption_phi(num x)
{
    const num z = 0.0625f * x;
    num e = 1.0f / (1.0f + z * (1.0f + z * (0.5f + 0.166666667f * z)));
    for (int k = 0; k < 4; k++) e *= e;
    return choose(x < num_of(0.3f), 1.0f / (1.0f + x * (0.5f + 0.0833333333f * x)),
                  min_of(1.0f - e, num_of(0.98f)) / x);
}

#define adsorption_reach_FIELDS(X)                                                                             \
    X(HERE, real4, pos) X(AROUND, real4, conc) X(HERE, real, around) X(HERE, real, area) X(PAIR, pair, pair_b) \
    X(WRITES, real4, reach) X(WRITES, real, busy) X(WRITES, real4, term)

/* arg: k_a dt. busy > 0: some surface around gives or takes; term = l dt, x dt */
KERNEL(adsorption_reach)
{
    const vec c = vec_here(conc);
    num near = num_of(0.0f), taken = num_of(0.0f), some = num_of(0.0f);
    FOR_FLUID(j)
        const vec d = vec_there(conc, j);
        const num w = pair_value(pair_b);
        near += w * d.x;
        taken += w * max_of(d.y, num_of(0.0f));
        some += w * (max_of(d.y, -d.y) + d.z);
    END
    const num w = kernel_w0(par), mine = max_of(c.y, -c.y) + c.z, loss = taken + w * max_of(c.y, num_of(0.0f));
    const num gain = choose(num_here(area) > num_of(0.0f), arg.x * num_here(around) * (near + w * c.x), num_of(0.0f));
    const num rest = gain + c.w, phi = adsorption_phi(rest), phi_loss = adsorption_phi(loss);
    set_vec(reach, phi_loss * c.x, phi * c.y, phi * c.z, phi_loss * vec_here(pos).w);
    set_num(busy, some + mine);
    set_vec(term, choose(mine > num_of(0.0f), rest, num_of(0.0f)), loss, 0.0f, 0.0f);
}

#define adsorption_FIELDS(X) X(AROUND, real4, reach) X(HERE, real, busy) X(PAIR, pair, pair_b) X(CHANGES, real4, amount)

/* arg: 0, grid */
KERNEL(adsorption)
{
    if (!anyone(num_here(busy) > num_of(0.0f))) return;
    const vec c = vec_here(reach), m = vec_here(amount);
    num surface = num_of(0.0f), bulk = num_of(0.0f);
    FOR_FLUID(j)
        const vec d = vec_there(reach, j);
        const num w = pair_value(pair_b);
        surface += on_grid(w * (c.y * d.x - c.z * d.w), arg.y);
        bulk += on_grid(w * (d.y * c.x - d.z * c.w), arg.y);
    END
    const num self = on_grid(kernel_w0(par) * (c.y * c.x - c.z * c.w), arg.y);
    const stock q = stock_plus(m.x, m.y, -(bulk + self)), s = stock_plus(m.z, m.w, surface + self);
    set_vec(amount, q.value, q.low, s.value, s.low);
}
