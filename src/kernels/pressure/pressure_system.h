/* pressure_system.h -- the system that IISPH and DFSPH solve, as matrix-free operators.
 *
 * Unknown k >= 0 at each particle (p dt^2/n^2 for the density, the same times 1/dt for the divergence):
 *
 *   a(k)_i = -1/rho_i sum_j V_j (k_i + k_j) gradW_ij - beta/rho_i sum_b V_b k_i gradW_ib   (or a change of v)
 *          = -1/rho_i (k_i G_i + sum_j V_j k_j gradW_ij)
 *   D(u)_i = sum_j V_j (u_i - u_j).gradW_ij + beta sum_b V_b (u_i - u_b).gradW_ib
 *   find k >= 0 with  r = source + D(a(k)) <= 0,  r_i = 0 where k_i > 0
 *
 * source = n + dt D(v) - 1 (density) or D(v) (divergence). A = -D(a(.)) is symmetric positive semidefinite in the inner
 * product weighted by V, and its diagonal is grad.w: methods/pressure_system.c iterates. The density's dt D(v) needs no
 * pass of its own where the velocity goes with the displacement, D(a + dt v); the field source then holds the rest, n -
 * 1 and the walls' own motion.
 *
 * beta = par->boundary.weight: 1 as in the papers. A wall of mirrored fluid, of pressure k_i and velocity 2 u_b - u_i,
 * would count twice; corrected so that a uniform k leaves particles in their place of rest alone that is
 * 1.78 at a flat wall, 1.71 in an edge, 1.65 in a corner. With beta > 1, wall_lift.h puts a matrix before a(k).
 *
 * trial        = (x, y, z, V q): the vector q that the operator is applied to, beside the position, so that one gather
 *                brings both.
 * displacement = (V u, V u.x) of u = a(q) + dt v, or a(q) alone: with its w, D(a) too needs one gather a pair, since
 *                x_ij.a_j = x_i.a_j - x_j.a_j. Positions count from the middle of the fluid there, so that the
 *                difference loses no more than the size of the fluid in spacings times the float's rounding: far below
 *                the tolerance.
 * term         = what the host sums, four numbers a particle.
 *
 * With `isotropic` each gradient has a matrix of its particle before it (isotropic.h): two gathers a pair more in a(k),
 * one more in D.
 *
 * Hand-tuned, to be measured before it is changed: the loops of pressure_displace and pressure_divergence, up to half
 * of a step. Each makes one gather of 16 bytes a pair, since trial and displacement carry what would be a second one,
 * and sums by fma.
 */
/* needs: isotropic.h vec.h */
#define iisph_PARAMS(P)

#define pressure_system_OWNS(F)                                                                                        \
    F(kappa, real, "Pa s^2", KEEP, COPY, FLUID, "unknown of the pressure system, start of the next solve")             \
    F(trial, real4, "m, m^3 Pa s^2", STEP, PLACE, FLUID, "w: what the operator is applied to, at x, y, z")             \
    F(displacement, real4, "m^4, m^5", STEP, LEVER, FLUID, "displacement times volume; w: its product with the place") \
    F(scaled_residual, real, "Pa s^2", STEP, COPY, FLUID, "z: residual over the diagonal, reversed")                   \
    F(scaled_product, real, "Pa s^2", STEP, COPY, FLUID, "q: A p over the diagonal, p: search direction")              \
    F(unclamped, real, "1", STEP, COPY, FLUID, "1: the unknown is free, 0: it stays at zero")

#define pressure_displace_FIELDS(X)                                                                            \
    X(AROUND, real4, trial) X(HERE, real4, vel) X(HERE, real4, pos) X(HERE, real4, grad) X(PAIR, pair, pair_f) \
    EVEN_FIELDS(X) X(WRITES, real4, displacement)

/* arg.x = dt: how much of the velocity goes with it. */
KERNEL(pressure_displace)
{
    const vec a = vec_here(trial), g = vec_here(grad), u = vec_here(vel);
    vec sum = zero3();
    if (par->pressure.isotropic > 0.0f) {
        FOR_FLUID(j)
            const vec b = vec_there(trial, j);
            sum = add3(sum, six_times_vec(even_there(j), scale3(b.w * pair_value(pair_f), sub3(a, b))));
        END
    } else {
        FOR_FLUID(j)
            const vec b = vec_there(trial, j);
            sum = add_scaled3(sum, b.w * pair_value(pair_f), sub3(a, b));
        END
    }
    const num c = -of_fluid(inv_density, u.w);
    const num v = vec_here(pos).w, along = v * arg.x;
    const num px = c * (a.w * g.x + v * sum.x) + along * u.x, py = c * (a.w * g.y + v * sum.y) + along * u.y,
              pz = c * (a.w * g.z + v * sum.z) + along * u.z;
    set_vec(displacement, px, py, pz, px * (a.x - par->mid_x) + py * (a.y - par->mid_y) + pz * (a.z - par->mid_z));
}

/* D(a)_i from displacement; a = pos, g = grad of i. */
INLINE num pressure_divergence(PAR, LISTS, FIELD(real4) pos, FIELD(real4) displacement, FIELD(pair) pair_f,
                               FIELD(real4) even_axes, FIELD(real4) even_planes, vec a, vec g)
{
    const vec u = vec_here(displacement),
              m = sub3(a, vec_of(num_of(par->mid_x), num_of(par->mid_y), num_of(par->mid_z)));
    num sum = num_of(0.0f);
    if (par->pressure.isotropic > 0.0f) {
        const six even = even_here();
        FOR_FLUID(j)
            const vec q = vec_there(displacement, j);
            sum = fma_of(pair_value(pair_f), dot3(six_times_vec(even, sub3(a, vec_there(pos, j))), q), sum);
        END
    } else {
        FOR_FLUID(j)
            const vec q = vec_there(displacement, j);
            sum = fma_of(pair_value(pair_f), fma_of(m.x, q.x, fma_of(m.y, q.y, fma_of(m.z, q.z, -q.w))), sum);
        END
    }
    return (u.x * g.x + u.y * g.y + u.z * g.z) / a.w - sum;
}

/* A particle without neighbours has an empty row and takes no part. */
INLINE num pressure_inverse(num diagonal) { return choose(diagonal > num_of(1e-20f), 1.0f / diagonal, num_of(0.0f)); }

#define density_source_FIELDS(X)                                                                                   \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real, dens) X(PAIR, pair, pair_f) X(CHANGES, real, source) \
    EVEN_HERE(X) X(CHANGES, real, kappa) X(WRITES, real4, trial)

/* source = n - 1 + dt D(v), arg.z = 1; or, where the velocity goes with the displacement, n - 1 - dt beta sum_b V_b
   v_b.gradW_ib. And the warm start: k <- arg.x k, less where the liquid expands, and nothing where it does by 1/arg.y
   or more. Without D(v) the rate that density.h left in source tells: nothing compresses after the divergence solver,
   and gravity and viscosity change that very little. Forces of tension do. */
KERNEL(density_source)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const num moves = num_of(arg.z);
    num sum = num_of(0.0f);
    if (arg.z > 0.0f) {
        const six even = even_or_one(par, i, even_axes, even_planes);
        FOR_FLUID(j)
            const vec b = vec_there(pos, j), v = vec_there(vel, j);
            sum += b.w * pair_value(pair_f) * inner3(even_side(par, even, sub3(a, b)), sub3(u, v));
        END
    }
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        sum += par->boundary.weight * b.w * pair_value(pair_f) * inner3(sub3(a, b), sub3(scale3(moves, u), v));
    END
    const num n = num_here(dens) - 1.0f, value = n + par->dt * sum;
    const num change = arg.z > 0.0f ? value : n + par->dt * min_of(num_here(source), num_of(0.0f));
    const num k = arg.x * min_of(max_of(1.0f + arg.y * change, num_of(0.0f)), num_of(1.0f)) * num_here(kappa);
    set_num(source, value);
    set_num(kappa, k);
    store3(trial, i, a, a.w * k);
}

#define pressure_start_FIELDS(X) X(HERE, real4, pos) X(HERE, real, kappa) X(WRITES, real4, trial)

/* trial of k */
KERNEL(pressure_start)
{
    const vec a = vec_here(pos);
    store3(trial, i, a, a.w * num_here(kappa));
}

#define pressure_jacobi_FIELDS(X)                                                                   \
    X(AROUND, real4, pos) X(AROUND, real4, displacement) X(HERE, real4, grad) X(HERE, real, source) \
    X(PAIR, pair, pair_f) EVEN_FIELDS(X) X(CHANGES, real, kappa) X(CHANGES, real4, trial) X(WRITES, real4, term)

/* One relaxed Jacobi sweep, k <- max(0, k + omega r/diagonal); arg.x = omega. */
KERNEL(pressure_jacobi)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const num rate = pressure_divergence(par, LISTS_OF_I, pos, displacement, pair_f, even_axes, even_planes, a, g);
    const num r = num_here(source) + rate;
    const num inv = pressure_inverse(g.w);
    const num value = max_of(num_here(kappa) + arg.x * r * inv, num_of(0.0f)) *
                      choose(inv > num_of(0.0f), num_of(1.0f), num_of(0.0f));
    set_num(kappa, value);
    store3(trial, i, a, a.w * value);
    set_vec(term, max_of(r, 0.0f), 0.0f, 0.0f, 0.0f);
}

#define pressure_nesterov_FIELDS(X)                                                                 \
    X(AROUND, real4, pos) X(AROUND, real4, displacement) X(HERE, real4, grad) X(HERE, real, source) \
    X(PAIR, pair, pair_f) EVEN_FIELDS(X) X(CHANGES, real, kappa) X(CHANGES, real4, trial) X(WRITES, real4, term)

/* One accelerated projected sweep from the extrapolated y = trial.w/V: kappa <- max(0, y + omega r(y)/diagonal), y <-
   kappa + beta (kappa - last kappa); arg = (omega, beta). term = (compression left, test for a restart, distance from
   the solution: compression, or expansion that a lower pressure cures; its square). */
KERNEL(pressure_nesterov)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const num rate = pressure_divergence(par, LISTS_OF_I, pos, displacement, pair_f, even_axes, even_planes, a, g);
    const num r = num_here(source) + rate;
    const num inv = pressure_inverse(g.w), y = vec_here(trial).w / a.w, last = num_here(kappa);
    const num value = max_of(y + arg.x * r * inv, num_of(0.0f)) *
                      choose(inv > num_of(0.0f), num_of(1.0f), num_of(0.0f));
    const num compression = max_of(r, 0.0f);
    set_num(kappa, value);
    store3(trial, i, a, a.w * max_of(value + arg.y * (value - last), 0.0f));
    const num distance = max_of(compression, min_of(-r, y * g.w));
    set_vec(term, compression, a.w * g.w * (y - value) * (value - last), distance, distance * distance);
}

#define pressure_gradient_FIELDS(X)                                                                 \
    X(AROUND, real4, pos) X(AROUND, real4, displacement) X(HERE, real4, grad) X(HERE, real, source) \
    X(PAIR, pair, pair_f) EVEN_FIELDS(X) X(HERE, real, kappa) X(WRITES, real, scaled_residual)      \
    X(WRITES, real, unclamped) X(WRITES, real4, trial) X(WRITES, real4, term)

/* z = -r/diagonal of the current k; free are the particles with pressure or compression, the first search direction is
   their z. term = (compression left, 0, distance from the solution, weighted z.z over the free). */
KERNEL(pressure_gradient)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const num rate = pressure_divergence(par, LISTS_OF_I, pos, displacement, pair_f, even_axes, even_planes, a, g);
    const num r = num_here(source) + rate, y = num_here(kappa);
    const num inv = pressure_inverse(g.w);
    const num value = -r * inv;
    const num freedom = choose(inv > num_of(0.0f), choose(max_of(y, r) > num_of(0.0f), num_of(1.0f), num_of(0.0f)),
                               num_of(0.0f));
    const num compression = max_of(r, 0.0f);
    set_num(scaled_residual, value);
    set_num(unclamped, freedom);
    store3(trial, i, a, a.w * freedom * value);
    set_vec(term, compression, 0.0f, max_of(compression, min_of(-r, y * g.w)), a.w * g.w * freedom * value * value);
}

#define pressure_curve_FIELDS(X)                                                                                   \
    X(AROUND, real4, pos) X(AROUND, real4, displacement) X(HERE, real4, grad) X(PAIR, pair, pair_f) EVEN_FIELDS(X) \
    X(HERE, real4, trial) X(WRITES, real, scaled_product) X(WRITES, real4, term)

/* q = A p/diagonal along the direction p = trial.w/V. term.x = weighted p.q; the weight V diagonal makes A symmetric.
   */
KERNEL(pressure_curve)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    const num rate = pressure_divergence(par, LISTS_OF_I, pos, displacement, pair_f, even_axes, even_planes, a, g);
    const num value = -rate * pressure_inverse(g.w);
    const num weighted = g.w * vec_here(trial).w;
    set_num(scaled_product, value);
    set_vec(term, weighted * value, 0.0f, 0.0f, 0.0f);
}

#define pressure_descend_FIELDS(X)                                                               \
    X(HERE, real4, pos) X(HERE, real4, grad) X(HERE, real4, trial) X(HERE, real, scaled_product) \
    X(HERE, real, unclamped) X(CHANGES, real, kappa) X(CHANGES, real, scaled_residual) X(WRITES, real4, term)

/* k <- k - alpha p, z <- z - alpha q; arg.x = alpha. Signs are left alone until pressure_clamp. term as in
   pressure_gradient. */
KERNEL(pressure_descend)
{
    const num v = vec_here(pos).w, d = vec_here(grad).w, freedom = num_here(unclamped);
    const num step = num_here(kappa) - arg.x * vec_here(trial).w / v;
    const num value = num_here(scaled_residual) - arg.x * num_here(scaled_product);
    const num compression = max_of(-value * d, 0.0f);
    set_num(kappa, step);
    set_num(scaled_residual, value);
    set_vec(term, compression, 0.0f, max_of(compression, min_of(value * d, max_of(step, 0.0f) * d)),
            v * d * freedom * value * value);
}

#define pressure_turn_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real, unclamped) X(HERE, real, scaled_residual) X(CHANGES, real4, trial)

/* p <- z + beta p on the free particles; arg.x = beta. */
KERNEL(pressure_turn)
{
    const vec a = vec_here(pos);
    store3(trial, i, a, a.w * num_here(unclamped) * num_here(scaled_residual) + arg.x * vec_here(trial).w);
}

#define pressure_clamp_FIELDS(X) X(HERE, real4, pos) X(CHANGES, real, kappa) X(WRITES, real4, trial)

/* k <- max(0, k), and its trial */
KERNEL(pressure_clamp)
{
    const vec a = vec_here(pos);
    const num value = max_of(num_here(kappa), 0.0f);
    set_num(kappa, value);
    store3(trial, i, a, a.w * value);
}

#define pressure_apply_FIELDS(X) X(HERE, real4, pos) X(HERE, real4, displacement) X(CHANGES, real4, vel)

/* v <- v + c a; arg.x = c: 1/dt for the density, 1 for the divergence; arg.y = dt as in pressure_displace. */
KERNEL(pressure_apply)
{
    const num volume = vec_here(pos).w, c = arg.x / volume, along = volume * arg.y;
    const vec p = vec_here(displacement), v = vec_here(vel);
    set_vec(vel, v.x + c * (p.x - along * v.x), v.y + c * (p.y - along * v.y), v.z + c * (p.z - along * v.z), v.w);
}
