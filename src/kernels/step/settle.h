/* settle.h -- particles that start in disorder give way until none is too dense, before the first step: positions move,
 * velocities do not.
 *
 *   s_i = [n_i - 1] / D_i                                         n, G, D of density.h; [x] = x above 0
 *   u_i = s_i G_i + sum_j V_j s_j gradW_ij                        what a pressure s pushes, reversed
 *   x_i <- x_i - arg/rho_i u_i                                    at most a tenth of a spacing
 *
 * One sweep of Jacobi's method on the pressure system, where the solver would reach the same places in one time step,
 * with speeds of displacement over step.
 *
 * Not hand-tuned.
 */
/* needs: density.h integration.h vec.h */
#define settle_OWNS(F) \
    F(settle_shift, real4, "m", STEP, COPY, FLUID, "how far a particle gives way")

/* s_i */
INLINE num settle_pressure(num dens, num diagonal)
{
    return max_of(dens - 1.0f, num_of(0.0f)) / max_of(diagonal, num_of(1e-30f));
}

#define settle_shift_FIELDS(X)                                                                                        \
    X(AROUND, real4, pos) X(HERE, real4, vel) X(AROUND, real, dens) X(AROUND, real4, grad) X(PAIR, pair, pair_f)    \
    X(WRITES, real4, settle_shift) X(WRITES, real4, term)

/* term: how much too dense */
KERNEL(settle_shift)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const num dens_i = num_here(dens);
    vec u = scale3(settle_pressure(dens_i, g.w), g);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num s = settle_pressure(num_there(dens, j), vec_there(grad, j).w);
        u = add_scaled3(u, b.w * s * pair_value(pair_f), sub3(a, b));
    END
    const num scale = arg.x * of_fluid(inv_density, vec_here(vel).w), most = num_of(0.1f * par->spacing);
    const vec x = scale3(-scale * most / max_of(scale * sqrt_of(dot3(u, u)), most), u);
    set_vec(settle_shift, x.x, x.y, x.z, 0.0f);
    set_vec(term, max_of(dens_i - 1.0f, num_of(0.0f)), 0.0f, 0.0f, 0.0f);
}

#define settle_move_FIELDS(X) X(HERE, real4, settle_shift) X(CHANGES, real4, pos)

KERNEL(settle_move)
{
    const vec x = vec_here(settle_shift), a = vec_here(pos);
    set_vec(pos, wrapped(a.x + x.x, par->low_x, par->span_x), wrapped(a.y + x.y, par->low_y, par->span_y),
            wrapped(a.z + x.z, par->low_z, par->span_z), a.w);
}
