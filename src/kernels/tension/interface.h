/* interface.h -- tension of the interface between two fluids (pairs of the scene), after Brackbill et al. 1992; sums
 * over neighbours j, other: those of a fluid that the particle's own has a tension with. docs/methods/several-fluids.md
 *
 *   b_i = d sum_other V_j gradW_ij                   towards the other fluid
 *   s_i = b_i + sum_own k b_j - sum_other k b_j,     k = (1-q^2)^2;   N_i = s_i/|s_i|,   c_i = |s_i| cut to 0..1
 *   kappa_i = 2 sum k c_j x_ji.(+-N_j - N_i)/sum k c_j (x_ji^2 - (x_ji.N_i)^2)      + own, - other
 *   kappa'_i = mean of +-kappa_j over k c_j, twice
 *   F_i = - kappa'_i V_i sum_other tension V_j gradW_ij
 *
 * The gradient is that by which the solver's pressure acts: a pressure that jumps by tension times kappa from one fluid
 * to the other balances the force of a particle whose neighbourhood is even. Both sides carry half of it.
 *
 * Not hand-tuned.
 */
/* needs: isotropic.h spline.h surface_weight.h vec.h */
#define interface_OWNS(F)                                                                                       \
    F(interface_side, real4, "1", STEP, COPY, FLUID, "sum of gradients towards the other fluid")                \
    F(interface_face, real4, "1", STEP, COPY, FLUID, "normal towards the other fluid; w: how near it is")       \
    F(interface_bend, real, "1/m", STEP, COPY, FLUID, "curvature of the interface, positive around this fluid") \
    F(interface_even, real, "1/m", STEP, COPY, FLUID, "mean of interface_bend over the neighbours")

/* 1 own fluid, -1 one that it has a tension with, 0 another. */
INLINE num interface_sign(PAR, num mine, num other)
{
    const num apart = choose(of_pair(tension, mine, other) > num_of(0.0f), num_of(-1.0f), num_of(0.0f));
    return choose(mine == other, num_of(1.0f), apart);
}

#define interface_side_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(PAIR, pair, pair_f) X(WRITES, real4, interface_side)

KERNEL(interface_side)
{
    const vec a = vec_here(pos);
    const num mine = vec_here(vel).w;
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num other = min_of(interface_sign(par, mine, vec_there(vel, j).w), num_of(0.0f));
        sum = add_scaled3(sum, -(par->spacing * other) * b.w * pair_value(pair_f), sub3(a, b));
    END
    store3(interface_side, i, sum, num_of(0.0f));
}

#define interface_face_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, interface_side) X(WRITES, real4, interface_face)

KERNEL(interface_face)
{
    const vec a = vec_here(pos);
    const num mine = vec_here(vel).w;
    vec sum = vec_here(interface_side);
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j));
        const num side = interface_sign(par, mine, vec_there(vel, j).w);
        sum = add_scaled3(sum, side * surface_weight(par, dot3(x, x)), vec_there(interface_side, j));
    END
    const num size = sqrt_of(dot3(sum, sum)), inv = 1.0f / max_of(size, num_of(1e-9f));
    store3(interface_face, i, scale3(inv, sum), min_of(size, num_of(1.0f)));
}

#define interface_bend_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, interface_face) X(WRITES, real, interface_bend)

KERNEL(interface_bend)
{
    const vec a = vec_here(pos), n = vec_here(interface_face);
    const num mine = vec_here(vel).w, none = num_of(0.0f);
    num bend = none, square = none;
    if (anyone(n.w > none)) {
        FOR_FLUID(j)
            const vec x = sub3(vec_there(pos, j), a), f = vec_there(interface_face, j);
            const num side = interface_sign(par, mine, vec_there(vel, j).w), r2 = dot3(x, x), off = dot3(x, n);
            const num c = side * side * f.w * surface_weight(par, r2);
            bend += c * (side * dot3(x, f) - off);
            square += c * (r2 - off * off);
        END
    }
    const real d = par->spacing;
    const num raw = choose(square > num_of(1e-3f * d * d), 2.0f * bend / max_of(square, num_of(1e-12f * d * d)), none);
    /* what particles can show: a drop of one spacing */
    set_num(interface_bend, min_of(max_of(raw, num_of(-2.0f / d)), num_of(2.0f / d)));
}

/* Mean of +-field over the neighbours at the interface. */
INLINE num interface_mean(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, FIELD(real4) interface_face,
                          FIELD(real) field)
{
    const vec a = vec_here(pos);
    const num mine = vec_here(vel).w, own = vec_here(interface_face).w;
    num sum = own * num_here(field), weight = own;
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j));
        const num side = interface_sign(par, mine, vec_there(vel, j).w);
        const num c = vec_there(interface_face, j).w * surface_weight(par, dot3(x, x));
        sum += side * c * num_there(field, j);
        weight += side * side * c;
    END
    return sum / max_of(weight, num_of(1e-9f));
}

#define interface_even_FIELDS(X)                                                                                \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, interface_face) X(AROUND, real, interface_bend) \
    X(WRITES, real, interface_even)

KERNEL(interface_even)
{
    set_num(interface_even, interface_mean(par, LISTS_OF_I, pos, vel, interface_face, interface_bend));
}

#define interface_force_FIELDS(X)                                                                                \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, interface_face) X(AROUND, real, interface_even) \
    X(PAIR, pair, pair_f) EVEN_FIELDS(X) X(CHANGES, real4, acc) X(WRITES, real4, term)

/* term = (force, mass) */
KERNEL(interface_force)
{
    const vec a = vec_here(pos);
    const num mine = vec_here(vel).w, mass = of_fluid(density, mine) * a.w;
    const num bend = interface_mean(par, LISTS_OF_I, pos, vel, interface_face, interface_even);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const vec x = even_turned(par, j, sub3(a, b));
        sum = add_scaled3(sum, of_pair(tension, mine, vec_there(vel, j).w) * b.w * pair_value(pair_f), x);
    END
    const vec force = scale3(-bend * a.w, sum);
    store_sum3(acc, i, 1.0f / mass, force);
    store3(term, i, force, mass);
}
