/* reaction.h -- a species at the surface of the liquid (i) and a substance on a wall (k): a_S S + a_R R -> a_P P
 * (Orthmann et al. 2013)
 *
 *   G_ik = k_r dt S_i Rb_k (V_i + V_k)/2 W_ik m_ik >= 0
 *   d Sb_i = -a_S sum_k G_ik,   d Rb_k = -a_R sum_i G_ik,   d Qb_i of the product = a_P sum_k G_ik
 *
 * m_ik is the smaller of the limits that keep a sub-step's loss of either within MN_MOST_LOST (amounts.h for grids and
 * exactness). `coat` at boundary points: amount (value + low part, mol), limit, area. Order: reach, coat_reach,
 * reaction, coat_reaction, reaction_product.
 *
 * Not hand-tuned.
 */
/* needs: amounts.h spline.h */
#define reaction_OWNS(F)                                                                                           \
    F(reacted, real, "mol", STEP, COPY, FLUID, "what reacted in the sub-step")                                     \
    F(coat, real4, "mol, 1, m^2", STEP, COPY, POINTS, "the substance treated now, one of coat_0 to coat_3")        \
    F(coat_0, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, low part), limit and area of substance 0") \
    F(coat_1, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, low part), limit and area of substance 1") \
    F(coat_2, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, low part), limit and area of substance 2") \
    F(coat_3, real4, "mol, 1, m^2", STEP, COPY, POINTS, "amount (value, low part), limit and area of substance 3")

#define reaction_reach_FIELDS(X) \
    X(AROUND, real4, origin) X(AROUND, real4, coat) X(HERE, real, area) X(HERE, real4, amount) X(WRITES, real4, conc)

/* S and its limit; arg: k_r dt, a_S. */
KERNEL(reaction_reach)
{
    const vec a = vec_here(origin);
    const num s = num_here(area);
    num conc_s = num_of(0.0f), limit = num_of(1.0f);
    if (anyone(s > num_of(0.0f))) {
        num sum = num_of(0.0f);
        FOR_BOUNDARY(j)
            const vec b = vec_there(origin, j);
            sum += vec_there(coat, j).x * (0.5f * (a.w + b.w)) * kernel_w(par, origin_distance2(par, a, b));
        END
        const num inv = choose(s > num_of(0.0f), 1.0f / s, num_of(0.0f)), rate = arg.x * arg.y * sum * inv;
        conc_s = vec_here(amount).z * inv;
        limit = choose(rate > num_of(MN_MOST_LOST), MN_MOST_LOST / rate, num_of(1.0f));
    }
    set_vec(conc, conc_s, limit, 0.0f, 0.0f);
}

#define coat_reach_FIELDS(X) X(AROUND, real4, origin) X(AROUND, real4, conc) X(CHANGES, real4, coat)

/* The limit at a boundary point; arg: k_r dt, a_R. */
KERNEL(coat_reach)
{
    const vec a = vec_here(origin), r = vec_here(coat);
    num sum = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(origin, j);
        sum += vec_there(conc, j).x * (0.5f * (a.w + b.w)) * kernel_w(par, origin_distance2(par, a, b));
    END
    const num rate = arg.x * arg.y * sum;
    set_vec(coat, r.x, r.y, choose(rate > num_of(MN_MOST_LOST), MN_MOST_LOST / rate, num_of(1.0f)), r.w);
}

/* The same operations at both ends of a pair. */
INLINE num reaction_pair(PAR, vec a, vec b, real rate, real grid, num s, num r, num limit)
{
    return on_grid(rate * s * r * (0.5f * (a.w + b.w)) * kernel_w(par, origin_distance2(par, a, b)) * limit, grid);
}

#define reaction_FIELDS(X)                                                                         \
    X(AROUND, real4, origin) X(AROUND, real4, coat) X(HERE, real4, conc) X(CHANGES, real4, amount) \
    X(WRITES, real, reacted) X(WRITES, real4, term)

/* arg: k_r dt, a_S, grid */
KERNEL(reaction)
{
    const vec a = vec_here(origin), c = vec_here(conc);
    num sum = num_of(0.0f);
    if (anyone(c.x > num_of(0.0f))) {
        FOR_BOUNDARY(j)
            const vec b = vec_there(origin, j), r = vec_there(coat, j);
            sum += reaction_pair(par, a, b, arg.x, arg.z, c.x, r.x, min_of(c.y, r.z));
        END
    }
    const num g = sum;
    const vec m = vec_here(amount);
    const stock s = stock_plus(m.z, m.w, -(arg.y * g));
    set_vec(amount, m.x, m.y, s.value, s.low);
    set_num(reacted, g);
    set_vec(term, g, 0.0f, 0.0f, 0.0f);
}

#define coat_reaction_FIELDS(X) X(AROUND, real4, origin) X(AROUND, real4, conc) X(CHANGES, real4, coat)

/* arg: k_r dt, a_R, grid */
KERNEL(coat_reaction)
{
    const vec a = vec_here(origin), r = vec_here(coat);
    num sum = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(origin, j), c = vec_there(conc, j);
        sum += reaction_pair(par, a, b, arg.x, arg.z, c.x, r.x, min_of(c.y, r.z));
    END
    const stock s = stock_plus(r.x, r.y, -(arg.y * sum));
    set_vec(coat, s.value, s.low, r.z, r.w);
}

#define reaction_product_FIELDS(X) X(HERE, real, reacted) X(CHANGES, real4, amount)

/* arg: a_P */
KERNEL(reaction_product)
{
    const vec m = vec_here(amount);
    const stock q = stock_plus(m.x, m.y, arg.x * num_here(reacted));
    set_vec(amount, q.value, q.low, m.z, m.w);
}
