/* velocity_system.h -- conjugate gradients for the implicit velocity: M v = b with a symmetric positive definite,
 * mass-weighted matrix
 *
 *   (M v)_i = K_i v_i + sum_j (g_ij 1 + b_ij x_ij x_ij^T) (v_i - v_j)
 *
 *   g_ij >= 0   pair_g, kg: alike in all directions (jeske2023)
 *   b_ij >= 0   pair_b, kg/m^2: along the line of centres (weiler2018)
 *   K_i         mass plus what walls add: block = (xx, yy, zz, m), shear = (xy, xz, yz, 0)
 *
 * A model writes these once a solve, together with the residual of the start; then an iteration reads two or three
 * numbers a pair.
 *
 * guess: the unknown velocity; residual, its w = 1/m; direction of search; product: M direction; all xyz. Pair terms
 * leave sum m v alone, and the residual is divided by the mass, not by the diagonal: so every iterate keeps the
 * momentum to round-off, however early the iteration stops.
 *
 * Hand-tuned: a product for each set of pair numbers, since an iteration is bound by reading them.
 */
/* needs: vec.h velocity_terms.h */
#define velocity_system_OWNS(F)                                                                       \
    F(guess, real4, "m/s", STEP, COPY, FLUID, "velocity that the solve has reached; w: of the model") \
    F(residual, real4, "kg m/s, 1/kg", STEP, COPY, FLUID, "residual; w: 1/mass")                      \
    F(direction, real4, "m/s", STEP, COPY, FLUID, "search direction")                                 \
    F(product, real4, "kg m/s", STEP, COPY, FLUID, "matrix times search direction")                   \
    F(block, real4, "kg", STEP, COPY, FLUID, "diagonal of the block K; w: mass")                      \
    F(shear, real4, "kg", STEP, COPY, FLUID, "xy, xz, yz of the block K")                             \
    F(change, real4, "m/s", KEEP, COPY, FLUID, "what the viscosity changed, start of the next solve")

/* product = K p + the sums over the pairs; term.x = direction . product */
INLINE void store_product(const int i, FIELD(real4) block, FIELD(real4) shear, vec p, vec sum,
                        WRITTEN(real4) product, WRITTEN(real4) term)
{
    const vec kp = velocity_block(vec_here(block), vec_here(shear), p);
    const vec all = add3(kp, sum);
    store3(product, i, all, num_of(0.0f));
    set_vec(term, inner3(p, all), num_of(0.0f), num_of(0.0f), num_of(0.0f));
}

#define product_even_FIELDS(X)                                                                    \
    X(AROUND, real4, direction) X(HERE, real4, block) X(HERE, real4, shear) X(PAIR, pair, pair_g) \
    X(WRITES, real4, product) X(WRITES, real4, term)

KERNEL(product_even)
{
    const vec p = vec_here(direction);
    vec sum = zero3();
    FOR_FLUID(j)
        sum = add_times3(sum, pair_value(pair_g), sub3(p, vec_there(direction, j)));
    END
    store_product(i, block, shear, p, sum, product, term);
}

#define product_axial_FIELDS(X)                                                                   \
    X(AROUND, real4, pos) X(AROUND, real4, direction) X(HERE, real4, block) X(HERE, real4, shear) \
    X(PAIR, pair, pair_b) X(WRITES, real4, product) X(WRITES, real4, term)

KERNEL(product_axial)
{
    const vec a = vec_here(pos), p = vec_here(direction);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), v = sub3(p, vec_there(direction, j));
        sum = add_times3(sum, pair_value(pair_b) * inner3(v, x), x);
    END
    store_product(i, block, shear, p, sum, product, term);
}

#define product_both_FIELDS(X)                                                                    \
    X(AROUND, real4, pos) X(AROUND, real4, direction) X(HERE, real4, block) X(HERE, real4, shear) \
    X(PAIR, pair, pair_g) X(PAIR, pair, pair_b) X(WRITES, real4, product) X(WRITES, real4, term)

KERNEL(product_both)
{
    const vec a = vec_here(pos), p = vec_here(direction);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), v = sub3(p, vec_there(direction, j));
        sum = add3(sum, add_times3(scale3(pair_value(pair_g), v), pair_value(pair_b) * inner3(v, x), x));
    END
    store_product(i, block, shear, p, sum, product, term);
}

#define cg_step_FIELDS(X)                                                                                  \
    X(HERE, real4, direction) X(HERE, real4, product) X(CHANGES, real4, guess) X(CHANGES, real4, residual) \
    X(WRITES, real4, term)

/* guess += alpha direction, residual -= alpha product; arg.x = alpha. With r = residual, term = (r.r/m, 0, |r|^2) */
KERNEL(cg_step)
{
    const vec p = vec_here(direction), m = vec_here(product), v = vec_here(guess), r = vec_here(residual);
    const num x = r.x - arg.x * m.x, y = r.y - arg.x * m.y, z = r.z - arg.x * m.z;
    set_vec(guess, v.x + arg.x * p.x, v.y + arg.x * p.y, v.z + arg.x * p.z, v.w);
    set_vec(residual, x, y, z, r.w);
    const num square = x * x + y * y + z * z;
    set_vec(term, r.w * square, 0.0f, square, 0.0f);
}

#define cg_turn_FIELDS(X) X(HERE, real4, residual) X(CHANGES, real4, direction)

/* direction = residual/m + beta direction; arg.x = beta */
KERNEL(cg_turn)
{
    const vec r = vec_here(residual), p = vec_here(direction);
    set_vec(direction, r.w * r.x + arg.x * p.x, r.w * r.y + arg.x * p.y, r.w * r.z + arg.x * p.z, 0.0f);
}

#define cg_finish_FIELDS(X) \
    X(HERE, real4, guess) X(HERE, real4, residual) X(CHANGES, real4, vel) X(WRITES, real4, change)

KERNEL(cg_finish)
{
    velocity_finish(i, arg, guess, residual, vel, change);
}

#define velocity_relax_FIELDS(X) X(HERE, real4, residual) X(CHANGES, real4, guess)

/* guess += arg.x residual/m: a Richardson step */
KERNEL(velocity_relax)
{
    const vec g = vec_here(guess), r = vec_here(residual);
    const num s = arg.x * r.w;
    set_vec(guess, g.x + s * r.x, g.y + s * r.y, g.z + s * r.z, g.w);
}
