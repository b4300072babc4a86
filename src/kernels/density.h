/* density.h -- what depends on the state at the start of the step alone, in one pass over the neighbours (fluid j and walls b):
 *
 *   n_i  = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib             density over rest density
 *   G_i  = sum_j V_j gradW_ij + beta sum_b V_b gradW_ib           -> grad.xyz; beta = par->wall_weight, see pressure_system.h
 *   D_i  = |G_i|^2/rho_i + V_i sum_j V_j/rho_j |gradW_ij|^2       -> grad.w, the diagonal of the pressure system (rest densities rho)
 *   f_ij = W'(r)/r                                                -> pair_f, so that gradW_ij = f_ij x_ij
 *   D(v) = sum V_j (v_i - v_j).gradW_ij, walls with beta too      -> source of the divergence solver, the rate of n;
 *          a particle with fewer than `neighbours` of them (dfsph) is spray and takes no part: -1e20
 *
 * and for jeske2023, in density_rates, what its pairs change by to first order in time:
 *
 *   f_ij x_ij.(v_i - v_j)                                         -> pair_g
 *   dn/dt = sum V_j (v_i - v_j).gradW_ij, walls once              -> rate
 *
 * Wall particles take pressure but are not moved by it within a step: they appear in G_i only.
 */
/* needs: spline.h */
#define DENSITY_(each_pair, after_fluid, each_wall)                                                                                            \
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);                                                                                       \
    lane n = splat(0.0f), gx = splat(0.0f), gy = splat(0.0f), gz = splat(0.0f), square = splat(0.0f), flow = splat(0.0f), count = splat(0.0f); \
    FOR_FLUID(j)                                                                                                                               \
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);                                                                                  \
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;                                                                             \
        const lane r2 = lane_fma(dz, dz, lane_fma(dy, dy, dx * dx));                                                                           \
        const kernel_pair s = kernel_wf(par, r2);                                                                                              \
        const lane inv = par->fluids == 1 ? splat(par->inv_density[0]) : CORE_AT_J(inv_density, v.w);                                          \
        const lane along = lane_fma(dz, u.z - v.z, lane_fma(dy, u.y - v.y, dx * (u.x - v.x))), f = b.w * s.f;                                  \
        n = lane_fma(b.w, s.w, n);                                                                                                             \
        gx = lane_fma(f, dx, gx);                                                                                                              \
        gy = lane_fma(f, dy, gy);                                                                                                              \
        gz = lane_fma(f, dz, gz);                                                                                                              \
        flow = lane_fma(f, along, flow);                                                                                                       \
        square = lane_fma(inv * f, s.f * r2, square);                                                                                          \
        count += lane_pick(s.f < splat(0.0f), splat(1.0f), splat(0.0f));                                                                       \
        store_pair(pair_f, s.f);                                                                                                               \
        each_pair;                                                                                                                             \
    END                                                                                                                                        \
    after_fluid;                                                                                                                               \
    FOR_WALLS(j)                                                                                                                               \
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);                                                                                  \
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;                                                                             \
        const kernel_pair s = kernel_wf(par, lane_fma(dz, dz, lane_fma(dy, dy, dx * dx)));                                                     \
        const lane along = lane_fma(dz, u.z - v.z, lane_fma(dy, u.y - v.y, dx * (u.x - v.x))), f = par->wall_weight * b.w * s.f;               \
        n = lane_fma(b.w, s.w, n);                                                                                                             \
        gx = lane_fma(f, dx, gx);                                                                                                              \
        gy = lane_fma(f, dy, gy);                                                                                                              \
        gz = lane_fma(f, dz, gz);                                                                                                              \
        flow = lane_fma(f, along, flow);                                                                                                       \
        count += lane_pick(s.f < splat(0.0f), splat(1.0f), splat(0.0f));                                                                       \
        store_pair(pair_f, s.f);                                                                                                               \
        each_wall;                                                                                                                             \
    END                                                                                                                                        \
    const own x = total(gx), y = total(gy), z = total(gz);                                                                                     \
    store1_i(dens, i, total(n) + a.w * kernel_w0(par));                                                                                        \
    store4_i(grad, i, x, y, z, CORE_AT(inv_density, u.w) * (x * x + y * y + z * z) + a.w * total(square));                                     \
    store1_i(source, i, own_pick(total(count) >= own_of(par->dfsph[0].neighbours), total(flow), own_of(-1e20f)));

#define density_OWNS(F)                                                                                  \
    F(dens, real, "1", STEP, COPY, FLUID, "density over rest density")                                   \
    F(grad, real4, "1/m, m/kg", STEP, COPY, FLUID, "G of density.h; w: diagonal of the pressure system") \
    F(source, real, "1 or 1/s", STEP, COPY, FLUID, "right side of the pressure system")                  \
    F(rate, real, "1/s", STEP, COPY, FLUID, "rate of dens, walls counted once")                          \
    F(pair_f, pair, "1/m^5", STEP, COPY, FLUID, "W'(r)/r")                                               \
    F(pair_g, pair, "of the kernel", STEP, COPY, FLUID, "f x.v of a pair, then its entry g of a matrix") \
    F(pair_b, pair, "of the kernel", STEP, COPY, FLUID, "entry b of a matrix, or W(r)")

#define density_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(OUT, real, dens) X(OUT, real4, grad) X(OUT, real, source) X(PAIROUT, pair, pair_f)

LANES(density)
{
    ITEM();
    DENSITY_(, , );
}

#define density_rates_FIELDS(X)                                                                                                             \
    X(NB, real4, pos) X(NB, real4, vel) X(OUT, real, dens) X(OUT, real4, grad) X(OUT, real, source) X(PAIROUT, pair, pair_f) X(PAIROUT, pair, pair_g) \
    X(OUT, real, rate)

LANES(density_rates)
{
    ITEM();
    DENSITY_(store_pair(pair_g, s.f * along), lane within = flow, within = lane_fma(b.w * s.f, along, within));
    store1_i(rate, i, total(within));
}
