/* surface_normal.h -- gradient of the colour field of a particle's own liquid, walls left out; dimensionless, points
 * into the fluid, near 0 inside:
 *
 *   n_i = h sum_j V_j/n_j gradW_ij
 */
/* needs: cohesion.h */
#define surface_normal_OWNS(F)                                                           \
    F(normal, real4, "1", STEP, COPY, FLUID, "h times the gradient of the colour field")

#define surface_normal_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, dens) X(PAIR, pair, pair_f) X(WRITES, real4, normal)

KERNEL(surface_normal)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const num rho = of_fluid(density, u.w);
    num x = num_of(0.0f), y = num_of(0.0f), z = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num c = same_liquid(par, rho, fluid_there(par, vel, j)) * b.w * pair_value(pair_f) / num_there(dens, j);
        x += c * (a.x - b.x);
        y += c * (a.y - b.y);
        z += c * (a.z - b.z);
    END
    set_vec(normal, par->h * x, par->h * y, par->h * z, 0.0f);
}
