/* he2014.h -- free-surface energy of He et al. 2014 (diffuse interface), V = V_0/n:
 *
 *   c_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib,   g_i = (1/c_i) sum_j V_j c_j gradW_ij
 *   rho_i a_i = strength/4 sum_j V_j (|g_i|^2 + |g_j|^2) gradW_ij
 *
 * Pair forces V_i V_j (..) gradW are equal and opposite. The energy that they lower is sum_i V_i strength/2 |g_i|^2.
 */
/* needs: cohesion.h pair.h spline.h */
#define he2014_PARAMS(P) P(strength, 0.001, "N", 0, 1e9, "kappa, energy of the surface per length")

#define he2014_OWNS(F)                                                                \
    F(colour, real, "1", STEP, COPY, FLUID, "colour field")                           \
    F(steepness, real, "1/m^2", STEP, COPY, FLUID, "square of its relative gradient")

#define he_colour_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(OUT, real, colour)

LANES(he_colour)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own rho = CORE_AT(density, u.w);
    lane c = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        c += same_liquid(par, rho, fluid_there(par, vel, j)) * b.w / load1_j(dens, j) * kernel_w(par, dx * dx + dy * dy + dz * dz);
    END
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        c += b.w * kernel_w(par, dx * dx + dy * dy + dz * dz);
    END
    store1_i(colour, i, total(c) + a.w / load1_i(dens, i) * kernel_w0(par));
}

#define he_gradient_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real, colour) X(PAIR, pair, pair_f) X(OUT, real, steepness)

/* |g_i|^2 */
LANES(he_gradient)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own rho = CORE_AT(density, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane c = same_liquid(par, rho, fluid_there(par, vel, j)) * b.w * load1_j(colour, j) * load_pair(pair_f) / load1_j(dens, j);
        x += c * (a.x - b.x);
        y += c * (a.y - b.y);
        z += c * (a.z - b.z);
    END
    const own gx = total(x), gy = total(y), gz = total(z), c = load1_i(colour, i);
    store1_i(steepness, i, (gx * gx + gy * gy + gz * gz) / (c * c));
}

#define he2014_READS(X) X(NB, real, dens) X(NB, real, steepness) X(PAIR, pair, pair_f)

PAIR_FACTOR(he2014, TENSION)
{
    return 0.25f / (i.rho * i.dens) * mean_of(i.strength, j.strength) * j.volume * (i.steepness + j.steepness) * p.f / j.dens;
}
