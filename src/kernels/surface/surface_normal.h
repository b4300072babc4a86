/* surface_normal.h -- gradient of the colour field of a particle's own liquid, walls left out; dimensionless, points
 * into the fluid, near 0 inside:
 *
 *   n_i = h sum_j V_j/n_j gradW_ij
 *
 * Not hand-tuned.
 */
/* needs: masks.h vec.h */
#define surface_normal_OWNS(F) \
    F(normal, real4, "1", STEP, COPY, FLUID, "h times the gradient of the colour field")

#define surface_normal_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, dens) X(PAIR, pair, pair_f) X(WRITES, real4, normal)

KERNEL(surface_normal)
{
    const vec a = vec_here(pos);
    const num rho = of_fluid(density, vec_here(vel).w);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num c = same_liquid(par, vel, j, rho) * b.w * pair_value(pair_f) / num_there(dens, j);
        sum = add_times3(sum, c, sub3(a, b));
    END
    store3(normal, i, scale3(num_of(par->h), sum), num_of(0.0f));
}
