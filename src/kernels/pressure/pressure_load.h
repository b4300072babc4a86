/* pressure_load.h -- the scaling of the pressure system where fluids of different density meet.
 *
 * The sweeps of pressure_system.c divide by the diagonal D_i = sum_k s_ik, s_ik what particle k's mobility 1/rho_k adds
 * to it. A light particle moves for all its heavy neighbours: it carries more than its part of their diagonals,
 *
 *   T_k = sum_i s_ik/D_i                   1 within one fluid, 2 at a flat interface, 20 alone in a heavy fluid
 *
 * and the largest eigenvalue of the scaled matrix grows with it, from 2.8 (one fluid, cubic lattice) to 3.8 and 7: the
 * sweeps would overshoot and blow the light fluid up. With
 *
 *   D'_i = sum_k s_ik max(1, (1 + T_k)/2)
 *
 * it is 2.8 again, for densities as 1 to 1000 and any arrangement of two fluids that was tried. Not hand-tuned.
 */
/* needs: isotropic.h spline.h vec.h */
#define pressure_load_OWNS(F) \
    F(load, real, "m^3/kg", STEP, COPY, FLUID, "mobility 1/density, raised where fluids meet")

/* V_i V_j |B gradW|^2 of a pair, x: B x_ij, B of the particle whose diagonal it is in (isotropic.h) */
INLINE num pressure_share(num volumes, num f, vec x) { return volumes * f * f * dot3(x, x); }

#define pressure_load_FIELDS(X)                                                                             \
    X(AROUND, real4, pos) X(HERE, real4, vel) X(AROUND, real4, grad) X(PAIR, pair, pair_f) EVEN_FIELDS(X) \
    X(WRITES, real, load)

KERNEL(pressure_load)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const num tiny = num_of(1e-20f), light = of_fluid(inv_density, vec_here(vel).w);
    num sum = dot3(g, g) / max_of(g.w, tiny);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num share = pressure_share(a.w * b.w, pair_value(pair_f), even_turned(par, j, sub3(a, b)));
        sum += share / max_of(vec_there(grad, j).w, tiny);
    END
    set_num(load, light * max_of(num_of(1.0f), 0.5f + 0.5f * light * sum));
}

#define pressure_scale_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real, load) X(PAIR, pair, pair_f) EVEN_HERE(X) X(CHANGES, real4, grad)

KERNEL(pressure_scale)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const six even = even_or_one(par, i, even_axes, even_planes);
    num sum = dot3(g, g) * num_here(load);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num share = pressure_share(a.w * b.w, pair_value(pair_f), even_side(par, even, sub3(a, b)));
        sum += share * num_there(load, j);
    END
    store3(grad, i, g, sum);
}
