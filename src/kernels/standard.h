/* standard.h -- explicit viscosity by the standard Laplacian (Monaghan 2005), mu = nu rho, h = support radius:
 *
 *   m_i a_i = 10 sum_j mu_ij V_i V_j/(n_i n_j) (v_ij.x_ij)/(r^2 + 0.01 h^2) gradW_ij       (mu_ij: mean of both fluids)
 *           + 10 sum_b mu_b V_i V_b/n_i^2 (v_ib.x_ib)/(r^2 + 0.01 h^2) gradW_ib            (mu_b = wall_viscosity rho friction_b)
 *
 * A volume map brakes along the wall too, see velocity_maps.h.
 *
 * Pair forces are central and antisymmetric: linear and angular momentum are kept.
 */
/* needs: film_terms.h velocity_maps.h wall_add.h */
#define standard_PARAMS(P)                                                                   \
    P(viscosity, 0.01, "m^2/s", 0, 1e6, "kinematic viscosity within the fluid")               \
    P(wall_viscosity, 0, "m^2/s", 0, 1e6, "kinematic viscosity against walls; 0: walls slip")

#define standard_volume_FIELDS(X) X(OWN, real4, pos) X(OWN, real, dens) X(OUT, real4, probe)

/* The volume of the moment, V/n, beside the position: one gather brings both. */
LANES(standard_volume)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    store4_i(probe, i, a.x, a.y, a.z, a.w / load1_i(dens, i));
}

#define standard_FIELDS(X) X(NB, real4, probe) X(NB, real4, pos) X(NB, real4, vel) X(OWN, real, dens) X(OWN, real4, hold) X(PAIR, pair, pair_f) X(UPD, real4, acc)

LANES(standard)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w);
    const own mu = AT(standard, viscosity, u.w) * rho, on = AT(standard, on, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(probe, j), v = load4_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = lane_fma(dz, dz, lane_fma(dy, dy, dx * dx));
        const lane approach = lane_fma(dz, u.z - v.z, lane_fma(dy, u.y - v.y, dx * (u.x - v.x)));
        const lane mean = par->fluids == 1 ? splat(mu) : 0.5f * on * AT_J(standard, on, v.w) * (mu + AT_J(standard, viscosity, v.w) * CORE_AT_J(density, v.w));
        const lane c = mean * b.w * load_pair(pair_f) * approach / (r2 + par->eps2);
        x = lane_fma(c, dx, x);
        y = lane_fma(c, dy, y);
        z = lane_fma(c, dz, z);
    END
    const own wall = FILM_OWN(z) * AT(standard, wall_viscosity, u.w) * rho * on / n;
    if (own_any(wall > own_of(0.0f))) {
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane r2 = dx * dx + dy * dy + dz * dz;
            const lane approach = (u.x - v.x) * dx + (u.y - v.y) * dy + (u.z - v.z) * dz;
            if (par->maps == 0) {
                const lane c = wall * CORE_AT_J(friction, v.w) * b.w * load_pair(pair_f) * approach / (r2 + par->eps2);
                x += c * dx;
                y += c * dy;
                z += c * dz;
            } else {
                const map_ring ring = map_ring_at(par, v.w, r2, load_pair(pair_f));
                const lane c = wall * CORE_AT_J(friction, v.w) * b.w * ring.f / (ring.r2 + par->eps2), along = c * ring.along * approach;
                const lane across = c * ring.across;
                x += along * dx + across * (u.x - v.x);
                y += along * dy + across * (u.y - v.y);
                z += along * dz + across * (u.z - v.z);
            }
        END
    }
    const own s = 10.0f / (rho * n);
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + s * total(x), old.y + s * total(y), old.z + s * total(z), old.w);
}

#define standard_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, wall_force)

/* The wall's part; its loop is over fluid. */
LANES(standard_on_walls)
{
    VISCOSITY_ON_WALLS_(standard, vel, wall_force, 1.0f);
}
