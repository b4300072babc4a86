/* pressure_system.h -- the system that IISPH and DFSPH solve, as matrix-free operators.
 *
 * Unknown k >= 0 at each particle (p dt^2/n^2 for the density, the same times 1/dt for the divergence):
 *
 *   a(k)_i = -1/rho_i sum_j V_j (k_i + k_j) gradW_ij - beta/rho_i sum_b V_b k_i gradW_ib  (displacement, or change of velocity)
 *          = -1/rho_i (k_i G_i + sum_j V_j k_j gradW_ij)
 *   D(u)_i = sum_j V_j (u_i - u_j).gradW_ij + beta sum_b V_b (u_i - u_b).gradW_ib
 *   find k >= 0 with  r = source + D(a(k)) <= 0,  r_i = 0 where k_i > 0
 *
 * source = n + dt D(v) - 1 (density) or D(v) (divergence). A = -D(a(.)) is symmetric positive semidefinite in the inner product
 * weighted by V, and its diagonal is grad.w: methods/pressure_system.c iterates. The density's dt D(v) needs no pass of its own where the velocity goes with the
 * push, D(a + dt v); the field source then holds the rest, n - 1 and the walls' own motion.
 *
 * beta = par->wall_weight: 1 as in the papers. A wall that were made of mirrored fluid, of pressure k_i and velocity 2 u_b - u_i, would count twice; corrected so that
 * a uniform k leaves particles in their place of rest alone that is 1.78 at a flat wall, 1.71 in an edge, 1.65 in a corner. With beta > 1, wall_lift.h puts a matrix before a(k).
 *
 * probe = (x, y, z, V q): the vector q that the operator is applied to, beside the position, so that one gather brings both.
 * push  = (V u, V u.x) of u = a(q) + dt v, or a(q) alone: with its w, D(a) too needs one gather a pair, since x_ij.a_j = x_i.a_j - x_j.a_j. Positions count from the middle of the
 *         fluid there, so that the difference loses no more than the size of the fluid in spacings times the float's rounding: far below the tolerance.
 * term  = what the host sums, four numbers a particle.
 */
/* needs: vec.h */
#define iisph_PARAMS(P)

#define pressure_system_OWNS(F)                                                                                \
    F(kappa, real, "Pa s^2", KEEP, COPY, FLUID, "unknown of the pressure system, start of the next solve")     \
    F(probe, real4, "m, m^3 Pa s^2", STEP, PLACE, FLUID, "what the operator is applied to, beside the place")  \
    F(push, real4, "m^4, m^5", STEP, LEVER, FLUID, "volume times displacement; w: its product with the place") \
    F(z, real, "Pa s^2", STEP, COPY, FLUID, "preconditioned residual")                                         \
    F(q, real, "Pa s^2", STEP, COPY, FLUID, "operator applied to the search direction")                        \
    F(loose, real, "1", STEP, COPY, FLUID, "1: the unknown is free, 0: it stays at zero")

#define pressure_push_FIELDS(X) X(NB, real4, probe) X(OWN, real4, vel) X(OWN, real4, pos) X(OWN, real4, grad) X(PAIR, pair, pair_f) X(OUT, real4, push)

/* arg.x = dt: how much of the velocity goes with it. */
LANES(pressure_push)
{
    ITEM();
    const vec a = vec_i(probe, i), g = vec_i(grad, i), u = vec_i(vel, i);
    vec sum = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    FOR_FLUID(j)
        const vec b = vec_j(probe, j);
        sum = add_scaled3(sum, b.w * load_pair(pair_f), sub3(a, b));
    END
    const own c = -CORE_AT(inv_density, u.w);
    const own v = load4_i(pos, i).w, along = v * arg.x;
    const own px = c * (a.w * g.x + v * sum.x) + along * u.x, py = c * (a.w * g.y + v * sum.y) + along * u.y,
              pz = c * (a.w * g.z + v * sum.z) + along * u.z;
    store4_i(push, i, px, py, pz, px * (a.x - par->mid_x) + py * (a.y - par->mid_y) + pz * (a.z - par->mid_z));
}

/* D(a)_i from push; a = pos, g = grad of i. */
INLINE lane pressure_divergence(PAR, LISTS, FIELD(real4) push, FIELD(pair) pair_f, vec a, vec g)
{
    const vec u = vec_i(push, i), m = sub3(a, vec_of(splat(par->mid_x), splat(par->mid_y), splat(par->mid_z)));
    lane sum = splat(0.0f);
    FOR_FLUID(j)
        const vec q = vec_j(push, j);
        sum = lane_fma(load_pair(pair_f), lane_fma(m.x, q.x, lane_fma(m.y, q.y, lane_fma(m.z, q.z, -q.w))), sum);
    END
    return (u.x * g.x + u.y * g.y + u.z * g.z) / a.w - sum;
}

/* A particle without neighbours has an empty row and takes no part. */
INLINE own pressure_inverse(own diagonal) { return own_pick(diagonal > own_of(1e-20f), 1.0f / diagonal, own_of(0.0f)); }

#define density_source_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(OWN, real, dens) X(PAIR, pair, pair_f) X(UPD, real, source) X(UPD, real, kappa) X(OUT, real4, probe)

/* source = n - 1 + dt D(v), arg.z = 1; or, where the velocity goes with the push, n - 1 - dt beta sum_b V_b v_b.gradW_ib. And the warm start: k <- arg.x k, less where
   the liquid expands, and nothing where it does by 1/arg.y or more. Without D(v) the rate that density.h left in source tells: nothing compresses after the
   divergence solver, and gravity and viscosity hardly change that. Forces of tension do. */
LANES(density_source)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own moves = own_of(arg.z);
    lane sum = splat(0.0f);
    if (arg.z > 0.0f) {
        FOR_FLUID(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            sum += b.w * load_pair(pair_f) * ((a.x - b.x) * (u.x - v.x) + (a.y - b.y) * (u.y - v.y) + (a.z - b.z) * (u.z - v.z));
        END
    }
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        sum += par->wall_weight * b.w * load_pair(pair_f) * ((a.x - b.x) * (moves * u.x - v.x) + (a.y - b.y) * (moves * u.y - v.y) + (a.z - b.z) * (moves * u.z - v.z));
    END
    const own n = load1_i(dens, i) - 1.0f, value = n + par->dt * total(sum);
    const own change = arg.z > 0.0f ? value : n + par->dt * own_min(load1_i(source, i), own_of(0.0f));
    const own k = arg.x * own_min(own_max(1.0f + arg.y * change, own_of(0.0f)), own_of(1.0f)) * load1_i(kappa, i);
    store1_i(source, i, value);
    store1_i(kappa, i, k);
    store4_i(probe, i, a.x, a.y, a.z, a.w * k);
}

#define pressure_start_FIELDS(X) X(OWN, real4, pos) X(OWN, real, kappa) X(OUT, real4, probe)

/* probe of k */
LANES(pressure_start)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    store4_i(probe, i, a.x, a.y, a.z, a.w * load1_i(kappa, i));
}

#define pressure_jacobi_FIELDS(X) \
    X(OWN, real4, pos) X(NB, real4, push) X(OWN, real4, grad) X(OWN, real, source) X(PAIR, pair, pair_f) X(UPD, real, kappa) X(UPD, real4, probe) X(OUT, real4, term)

/* One relaxed Jacobi sweep, k <- max(0, k + omega r/diagonal); arg.x = omega. */
LANES(pressure_jacobi)
{
    ITEM();
    const vec a = vec_i(pos, i), g = vec_i(grad, i);
    const lane rate = pressure_divergence(par, LISTS_OF_I, push, pair_f, a, g);
    const own r = load1_i(source, i) + rate;
    const own inv = pressure_inverse(g.w);
    const own value = own_max(load1_i(kappa, i) + arg.x * r * inv, own_of(0.0f)) * own_pick(inv > own_of(0.0f), own_of(1.0f), own_of(0.0f));
    store1_i(kappa, i, value);
    store4_i(probe, i, a.x, a.y, a.z, a.w * value);
    store4_i(term, i, own_max(r, 0.0f), 0.0f, 0.0f, 0.0f);
}

#define pressure_nesterov_FIELDS(X) \
    X(OWN, real4, pos) X(NB, real4, push) X(OWN, real4, grad) X(OWN, real, source) X(PAIR, pair, pair_f) X(UPD, real, kappa) X(UPD, real4, probe) X(OUT, real4, term)

/* One accelerated projected sweep from the extrapolated y = probe.w/V: kappa <- max(0, y + omega r(y)/diagonal), y <- kappa + beta (kappa - last kappa);
   arg = (omega, beta). term = (compression left, test for a restart, distance from the solution: compression, or expansion that a lower pressure cures; its
   square). */
LANES(pressure_nesterov)
{
    ITEM();
    const vec a = vec_i(pos, i), g = vec_i(grad, i);
    const lane rate = pressure_divergence(par, LISTS_OF_I, push, pair_f, a, g);
    const own r = load1_i(source, i) + rate;
    const own inv = pressure_inverse(g.w), y = load4_i(probe, i).w / a.w, last = load1_i(kappa, i);
    const own value = own_max(y + arg.x * r * inv, own_of(0.0f)) * own_pick(inv > own_of(0.0f), own_of(1.0f), own_of(0.0f));
    const own compression = own_max(r, 0.0f);
    store1_i(kappa, i, value);
    store4_i(probe, i, a.x, a.y, a.z, a.w * own_max(value + arg.y * (value - last), 0.0f));
    const own distance = own_max(compression, own_min(-r, y * g.w));
    store4_i(term, i, compression, a.w * g.w * (y - value) * (value - last), distance, distance * distance);
}

#define pressure_gradient_FIELDS(X) \
    X(OWN, real4, pos) X(NB, real4, push) X(OWN, real4, grad) X(OWN, real, source) X(PAIR, pair, pair_f) X(OWN, real, kappa) X(OUT, real, z) X(OUT, real, loose) X(OUT, real4, probe) X(OUT, real4, term)

/* z = -r/diagonal of the current k; free are the particles with pressure or compression, the first search direction is their z.
   term = (compression left, 0, distance from the solution, weighted z.z over the free). */
LANES(pressure_gradient)
{
    ITEM();
    const vec a = vec_i(pos, i), g = vec_i(grad, i);
    const lane rate = pressure_divergence(par, LISTS_OF_I, push, pair_f, a, g);
    const own r = load1_i(source, i) + rate, y = load1_i(kappa, i);
    const own inv = pressure_inverse(g.w);
    const own value = -r * inv;
    const own freedom = own_pick(inv > own_of(0.0f), own_pick(own_max(y, r) > own_of(0.0f), own_of(1.0f), own_of(0.0f)), own_of(0.0f));
    const own compression = own_max(r, 0.0f);
    store1_i(z, i, value);
    store1_i(loose, i, freedom);
    store4_i(probe, i, a.x, a.y, a.z, a.w * freedom * value);
    store4_i(term, i, compression, 0.0f, own_max(compression, own_min(-r, y * g.w)), a.w * g.w * freedom * value * value);
}

#define pressure_curve_FIELDS(X) \
    X(OWN, real4, pos) X(NB, real4, push) X(OWN, real4, grad) X(PAIR, pair, pair_f) X(OWN, real4, probe) X(OUT, real, q) X(OUT, real4, term)

/* q = A p/diagonal along the direction p = probe.w/V. term.x = weighted p.q; the weight V diagonal makes A symmetric. */
LANES(pressure_curve)
{
    ITEM();
    const vec a = vec_i(pos, i), g = vec_i(grad, i);
    const lane rate = pressure_divergence(par, LISTS_OF_I, push, pair_f, a, g);
    const own value = -rate * pressure_inverse(g.w);
    const own weighted = g.w * load4_i(probe, i).w;
    store1_i(q, i, value);
    store4_i(term, i, weighted * value, 0.0f, 0.0f, 0.0f);
}

#define pressure_descend_FIELDS(X) \
    X(OWN, real4, pos) X(OWN, real4, grad) X(OWN, real4, probe) X(OWN, real, q) X(OWN, real, loose) X(UPD, real, kappa) X(UPD, real, z) X(OUT, real4, term)

/* k <- k - alpha p, z <- z - alpha q; arg.x = alpha. Signs are left alone until pressure_clamp. term as in pressure_gradient. */
LANES(pressure_descend)
{
    ITEM();
    const own v = load4_i(pos, i).w, d = load4_i(grad, i).w, freedom = load1_i(loose, i);
    const own step = load1_i(kappa, i) - arg.x * load4_i(probe, i).w / v;
    const own value = load1_i(z, i) - arg.x * load1_i(q, i);
    const own compression = own_max(-value * d, 0.0f);
    store1_i(kappa, i, step);
    store1_i(z, i, value);
    store4_i(term, i, compression, 0.0f, own_max(compression, own_min(value * d, own_max(step, 0.0f) * d)), v * d * freedom * value * value);
}

#define pressure_turn_FIELDS(X) X(OWN, real4, pos) X(OWN, real, loose) X(OWN, real, z) X(UPD, real4, probe)

/* p <- z + beta p on the free particles; arg.x = beta. */
LANES(pressure_turn)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    store4_i(probe, i, a.x, a.y, a.z, a.w * load1_i(loose, i) * load1_i(z, i) + arg.x * load4_i(probe, i).w);
}

#define pressure_clamp_FIELDS(X) X(OWN, real4, pos) X(UPD, real, kappa) X(OUT, real4, probe)

/* k <- max(0, k), and its probe */
LANES(pressure_clamp)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    const own value = own_max(load1_i(kappa, i), 0.0f);
    store1_i(kappa, i, value);
    store4_i(probe, i, a.x, a.y, a.z, a.w * value);
}

#define pressure_apply_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, push) X(UPD, real4, vel)

/* v <- v + c a; arg.x = c: 1/dt for the density, 1 for the divergence; arg.y = dt as in pressure_push. */
LANES(pressure_apply)
{
    ITEM();
    const own volume = load4_i(pos, i).w, c = arg.x / volume, along = volume * arg.y;
    const own4 p = load4_i(push, i), v = load4_i(vel, i);
    store4_i(vel, i, v.x + c * (p.x - along * v.x), v.y + c * (p.y - along * v.y), v.z + c * (p.z - along * v.z), v.w);
}
