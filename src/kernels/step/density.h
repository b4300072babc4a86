/* density.h -- what depends on the state at the start of the step alone, in one pass over the neighbours (fluid j and
 * walls b):
 *
 *   n_i  = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib             -> dens, density over rest density
 *   G_i  = sum_j V_j gradW_ij + beta sum_b V_b gradW_ib           -> grad.xyz
 *   D_i  = |G_i|^2/rho_i + V_i sum_j V_j/rho_j |gradW_ij|^2       -> grad.w, the diagonal of the pressure system
 *   f_ij = W'(r)/r                                                -> pair_f, so that gradW_ij = f_ij x_ij
 *   D(v) = sum V_j (v_i - v_j).gradW_ij, walls with beta too      -> source of the divergence solver, the rate of n;
 *          a particle with fewer than `neighbours` of them (dfsph) is spray and takes no part: -1e20
 *
 * rho: rest densities; beta = par->boundary.weight (pressure_system.h);
 * and for jeske2023, in density_rates, what its pairs change by to first order in time:
 *
 *   f_ij x_ij.(v_i - v_j)                                         -> pair_g
 *   dn/dt = sum V_j (v_i - v_j).gradW_ij, walls once              -> rate
 *
 * Boundary points take pressure but are not moved by it within a step: they appear in G_i only.
 *
 * Hand-tuned: all sums in one pass, since the gathers cost more than the arithmetic; `rates` is a constant, so that
 * scenes without jeske2023 store one number a pair less.
 */
/* needs: spline.h vec.h */
#define density_OWNS(F)                                                                                  \
    F(dens, real, "1", STEP, COPY, FLUID, "density over rest density")                                   \
    F(grad, real4, "1/m, m/kg", STEP, COPY, FLUID, "G of density.h; w: diagonal of the pressure system") \
    F(source, real, "1 or 1/s", STEP, COPY, FLUID, "right side of the pressure system")                  \
    F(rate, real, "1/s", STEP, COPY, FLUID, "rate of dens, walls counted once")                          \
    F(pair_f, pair, "1/m^5", STEP, COPY, FLUID, "W'(r)/r")                                               \
    F(pair_g, pair, "of the kernel", STEP, COPY, FLUID, "f x.v of a pair, then its entry g of a matrix") \
    F(pair_b, pair, "of the kernel", STEP, COPY, FLUID, "entry b of a matrix, or W(r)")

/* The sums of one particle. */
typedef struct density_sums {
    num n, square, flow, count, rate;
    vec g;
} density_sums;

/* With `rates`, a constant: pair_g and the rate too, else pair_g is 0. */
INLINE density_sums density_of(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, WRITTEN(pair) pair_f,
                               WRITTEN(pair) pair_g, const int rates)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    density_sums sum;
    sum.n = sum.square = sum.flow = sum.count = num_of(0.0f);
    sum.g = vec_of(num_of(0.0f), num_of(0.0f), num_of(0.0f));
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), d = sub3(a, b);
        const num r2 = dot3(d, d);
        const kernel_pair s = kernel_wf(par, r2);
        const num inv = par->fluids == 1 ? num_of(par->inv_density[0]) : of_fluid(inv_density, v.w);
        const num along = dot3(d, sub3(u, v)), f = b.w * s.f;
        sum.n = fma_of(b.w, s.w, sum.n);
        sum.g = add_scaled3(sum.g, f, d);
        sum.flow = fma_of(f, along, sum.flow);
        sum.square = fma_of(inv * f, s.f * r2, sum.square);
        sum.count += choose(s.f < num_of(0.0f), num_of(1.0f), num_of(0.0f));
        set_pair_value(pair_f, s.f);
        if (rates) set_pair_value(pair_g, s.f * along);
    END
    sum.rate = sum.flow;
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), d = sub3(a, b);
        const kernel_pair s = kernel_wf(par, dot3(d, d));
        const num along = dot3(d, sub3(u, v)), f = par->boundary.weight * b.w * s.f;
        sum.n = fma_of(b.w, s.w, sum.n);
        sum.g = add_scaled3(sum.g, f, d);
        sum.flow = fma_of(f, along, sum.flow);
        sum.count += choose(s.f < num_of(0.0f), num_of(1.0f), num_of(0.0f));
        set_pair_value(pair_f, s.f);
        if (rates) sum.rate = fma_of(b.w * s.f, along, sum.rate);
    END
    return sum;
}

INLINE void store_density(PAR, const int i, vec a, num fluid, density_sums sum, WRITTEN(real) dens, WRITTEN(real4) grad,
                          WRITTEN(real) source)
{
    const vec g = sum.g;
    set_num(dens, sum.n + a.w * kernel_w0(par));
    set_vec(grad, g.x, g.y, g.z, of_fluid(inv_density, fluid) * (g.x * g.x + g.y * g.y + g.z * g.z) + a.w * sum.square);
    const num enough = num_of(par->dfsph[0].neighbours * par->neighbour_ratio);
    set_num(source, choose(sum.count >= enough, sum.flow, num_of(-1e20f)));
}

#define density_FIELDS(X)                                                                                            \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(WRITES, real, dens) X(WRITES, real4, grad) X(WRITES, real, source) \
    X(PAIR_WRITES, pair, pair_f)

KERNEL(density)
{
    const density_sums sum = density_of(par, LISTS_OF_I, pos, vel, pair_f, 0, 0);
    store_density(par, i, vec_here(pos), vec_here(vel).w, sum, dens, grad, source);
}

#define density_rates_FIELDS(X)                                                                                      \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(WRITES, real, dens) X(WRITES, real4, grad) X(WRITES, real, source) \
    X(PAIR_WRITES, pair, pair_f) X(PAIR_WRITES, pair, pair_g) X(WRITES, real, rate)

KERNEL(density_rates)
{
    const density_sums sum = density_of(par, LISTS_OF_I, pos, vel, pair_f, pair_g, 1);
    store_density(par, i, vec_here(pos), vec_here(vel).w, sum, dens, grad, source);
    set_num(rate, sum.rate);
}
