/* surface_normal.h -- gradient of the colour field of a particle's own liquid, walls left out; dimensionless, points into the fluid,
 * near 0 inside:
 *
 *   n_i = h sum_j V_j/n_j gradW_ij
 */
/* needs: cohesion.h */
#define surface_normal_OWNS(F)                                                           \
    F(normal, real4, "1", STEP, COPY, FLUID, "h times the gradient of the colour field")

#define surface_normal_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(PAIR, pair, pair_f) X(OUT, real4, normal)

LANES(surface_normal)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own rho = CORE_AT(density, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane c = same_liquid(par, rho, fluid_there(par, vel, j)) * b.w * load_pair(pair_f) / load1_j(dens, j);
        x += c * (a.x - b.x);
        y += c * (a.y - b.y);
        z += c * (a.z - b.z);
    END
    store4_i(normal, i, par->h * total(x), par->h * total(y), par->h * total(z), 0.0f);
}
