/* peer2015.h -- implicit viscosity by prescribed gradients of velocity (Peer et al. 2015), x = x_i - x_j:
 *
 *   G_i = 1/n_i sum_j V_j (v_j - v_i) gradW_ij^T                    = R + E + S: spin, expansion, shear
 *   T_i = R + E' + xi S                                             E' = 0 where n_i < 1 and the liquid contracts
 *   sum_j g_ij (v_i - v_j) = sum_j g_ij 1/2 (T_i + T_j) x_ij        g_ij = 1/2 (rho_i + rho_j) V_i V_j W_ij
 *
 * The equations are the paper's, times the mass: then g is symmetric for any masses. Its rows add up to nothing, on the
 * right side too: the solve changes no momentum. It starts from the velocities, so that each piece keeps the velocity
 * of its centre, which the equations leave open. With `corrected` G is divided by what the sums make of a linear field,
 * C = -1/n_i sum_j V_j x gradW^T, where its determinant is not small: then G is exact at free surfaces too.
 *
 * Not hand-tuned: the iterations of velocity_system.h take the time.
 */
/* needs: spline.h vec.h velocity_terms.h */
#define peer2015_PARAMS(P)                                                                                         \
    P(xi, 0.9, "1", 0, 1, "share of the shear rate that a step leaves; 0: rigid")                                  \
    P(corrected, 0, "1", 0, 1, "1: gradients that are exact for linear fields, also at surfaces; 0: as published") \
    P(tolerance, 1e-5, "1", 1e-7, 0.5, "relative residual of the conjugate gradients")                             \
    P(max_iterations, 300, "1", 1, 10000, "of the conjugate gradients")

#define peer2015_OWNS(F)                                                                         \
    F(target_x, real4, "1/s", STEP, COPY, FLUID, "gradient of v_x that the viscosity aims at")   \
    F(target_y, real4, "1/s", STEP, COPY, FLUID, "gradient of v_y that the viscosity aims at")   \
    F(target_z, real4, "1/s", STEP, COPY, FLUID, "gradient of v_z that the viscosity aims at")

/* A matrix by its rows. */
typedef struct peer_rows {
    vec x, y, z;
} peer_rows;

/* M a */
INLINE vec peer_times(peer_rows m, vec a) { return vec_of(inner3(m.x, a), inner3(m.y, a), inner3(m.z, a)); }

/* a of `s` */
INLINE vec peer_row_times(vec a, six s)
{
    return vec_of(a.x * s.xx + a.y * s.xy + a.z * s.xz, a.x * s.xy + a.y * s.yy + a.z * s.yz,
                  a.x * s.xz + a.y * s.yz + a.z * s.zz);
}

/* G C^-1 where det C > 0.05 and it is asked for, else G. */
INLINE peer_rows peer_corrected(peer_rows g, six c, num wanted)
{
    const six a = six_adjugate(c);
    const num det = c.xx * a.xx + c.xy * a.xy + c.xz * a.xz, good = choose(det > num_of(0.05f), wanted, num_of(0.0f)),
              per = 1.0f / max_of(det, num_of(0.05f));
    const six inverse = six_times(per, a);
    peer_rows out;
    out.x = choose3(good, peer_row_times(g.x, inverse), g.x);
    out.y = choose3(good, peer_row_times(g.y, inverse), g.y);
    out.z = choose3(good, peer_row_times(g.z, inverse), g.z);
    return out;
}

/* R + E' + xi S = G - (1 - xi) S - (E - E') */
INLINE peer_rows peer_target_of(peer_rows g, num n, num xi)
{
    const num trace = g.x.x + g.y.y + g.z.z, third = (1.0f / 3.0f) * trace, less = 1.0f - xi;
    const num thin = choose(n < num_of(1.0f), num_of(1.0f), num_of(0.0f)),
              lost = choose(trace < num_of(0.0f), thin * third, num_of(0.0f));
    const num xy = 0.5f * less * (g.x.y + g.y.x), xz = 0.5f * less * (g.x.z + g.z.x),
              yz = 0.5f * less * (g.y.z + g.z.y);
    peer_rows t;
    t.x = sub3(g.x, vec_of(less * (g.x.x - third) + lost, xy, xz));
    t.y = sub3(g.y, vec_of(xy, less * (g.y.y - third) + lost, yz));
    t.z = sub3(g.z, vec_of(xz, yz, less * (g.z.z - third) + lost));
    return t;
}

#define peer_target_FIELDS(X)                                                                          \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real, dens) X(PAIR, pair, pair_f)              \
    X(WRITES, real4, target_x) X(WRITES, real4, target_y) X(WRITES, real4, target_z) X(WRITES, real4, guess)

/* T, and the velocity as the start of the solve. */
KERNEL(peer_target)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const num n = num_here(dens), on = parameter(peer2015, on, u.w);
    peer_rows g;
    g.x = g.y = g.z = zero3();
    six c = six_zero();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const vec s = scale3(on * parameter(peer2015, on, v.w) * b.w * pair_value(pair_f) / n, x);
        g.x = add_times3(g.x, v.x - u.x, s);
        g.y = add_times3(g.y, v.y - u.y, s);
        g.z = add_times3(g.z, v.z - u.z, s);
        c = six_plus(c, scale3(num_of(-1.0f), s), x);
    END
    g = peer_corrected(g, c, parameter(peer2015, corrected, u.w));
    g = peer_target_of(g, n, parameter(peer2015, xi, u.w));
    store3(target_x, i, g.x, num_of(0.0f));
    store3(target_y, i, g.y, num_of(0.0f));
    store3(target_z, i, g.z, num_of(0.0f));
    store3(guess, i, u, num_of(0.0f));
}

#define peer_begin_FIELDS(X)                                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, guess) X(AROUND, real4, target_x)                 \
    X(AROUND, real4, target_y) X(AROUND, real4, target_z) X(PAIR_WRITES, pair, pair_g) X(WRITES, real4, block)     \
    X(WRITES, real4, shear) X(WRITES, real4, residual) X(WRITES, real4, direction) X(WRITES, real4, term)

/* Matrix, first residual r, and term = (r.r/m, square of the sizes of the terms on the right side, |r|^2, 1): what the
   tolerance counts from does not depend on how fast the liquid moves as a whole. */
KERNEL(peer_begin)
{
    if (left_out(arg, i)) {
        set_vec(term, 0.0f, 0.0f, 0.0f, 0.0f);
        return;
    }
    const vec a = vec_here(pos), p = vec_here(guess);
    const num fluid = vec_here(vel).w, rho = of_fluid(density, fluid), on = parameter(peer2015, on, fluid);
    peer_rows t;
    t.x = vec_here(target_x), t.y = vec_here(target_y), t.z = vec_here(target_z);
    vec r = zero3();
    num size = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), x = sub3(a, b);
        const num other = vec_there(vel, j).w;
        const num g = 0.5f * on * parameter(peer2015, on, other) * (rho + of_fluid(density, other)) * a.w * b.w *
                      kernel_w(par, square3(x));
        peer_rows mean;
        mean.x = add3(t.x, vec_there(target_x, j)), mean.y = add3(t.y, vec_there(target_y, j));
        mean.z = add3(t.z, vec_there(target_z, j));
        const vec aim = scale3(0.5f * g, peer_times(mean, x));
        if (arg.y > 0.0f) set_pair_value(pair_g, g);
        size += sqrt_of(square3(aim));
        r = add3(r, sub3(aim, scale3(g, sub3(p, vec_there(guess, j)))));
    END
    const num m = rho * a.w, inv_m = 1.0f / m, square = square3(r);
    if (arg.y > 0.0f) {
        set_vec(block, num_of(0.0f), num_of(0.0f), num_of(0.0f), m);
        set_vec(shear, num_of(0.0f), num_of(0.0f), num_of(0.0f), num_of(0.0f));
        store3(direction, i, scale3(inv_m, r), num_of(0.0f));
    }
    store3(residual, i, r, inv_m);
    set_vec(term, inv_m * square, size * size, square, num_of(1.0f));
}

#define peer_finish_FIELDS(X) X(HERE, real4, guess) X(CHANGES, real4, vel)

KERNEL(peer_finish) { store3(vel, i, vec_here(guess), vec_here(vel).w); }
