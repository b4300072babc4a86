/* bulk_diffusion.h -- diffusion in the bulk (Cleary & Monaghan 1999), amounts moved between pairs:
 *
 *   d Qb_i = 2 D dt sum_j V_i V_j (Q_i - Q_j) f_ij          f = W'/r < 0
 *
 * State: Q, V. Across periodic faces f_ij is computed again, from distances that are the same to the last bit at both
 * ends; elsewhere pair_f is.
 *
 * Not hand-tuned.
 */
/* needs: amounts.h spline.h */
#define bulk_state_FIELDS(X) X(HERE, real4, pos) X(HERE, real4, amount) X(WRITES, real4, conc)

KERNEL(bulk_state)
{
    const num v = vec_here(pos).w;
    set_vec(conc, vec_here(amount).x / v, v, num_of(0.0f), num_of(0.0f));
}

#define bulk_diffusion_FIELDS(X) \
    X(AROUND, real4, origin) X(AROUND, real4, conc) X(PAIR, pair, pair_f) X(CHANGES, real4, amount)

/* arg: D dt, grid */
KERNEL(bulk_diffusion)
{
    const vec a = vec_here(origin), c = vec_here(conc), m = vec_here(amount);
    const real rate = 2.0f * arg.x;
    num gain = num_of(0.0f);
    FOR_FLUID(j)
        const vec d = vec_there(conc, j);
        num f = pair_value(pair_f);
        if (periodic(par)) f = kernel_f(par, origin_distance2(par, a, vec_there(origin, j)));
        gain += on_grid((rate * (c.y * d.y) * f) * (c.x - d.x), arg.y);
    END
    const stock h = stock_plus(m.x, m.y, gain);
    set_vec(amount, h.value, h.low, m.z, m.w);
}
