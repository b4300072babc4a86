/* akinci2013.h -- cohesion, surface area minimisation and adhesion of Akinci et al. 2013 (eq. 1 to 6), x = x_i - x_j:
 *
 *   a_i = sum_j K_ij (- cohesion m_j C(r) x/r - curvature (m_i + m_j)/(2 m_i) (n_i - n_j)),   K_ij = 2/(n_i + n_j)
 *       - adhesion sum_b adhesion_b rho0 V_b A(r) x/r
 *
 * The mean mass keeps momentum where masses differ. The two terms have different units, hence two coefficients; the paper's single gamma
 * is both of them in SI units at 1000 kg/m^3. The tension that results is about 7.5 curvature rho0 h^2.
 */
/* needs: cohesion.h film_terms.h */
#define akinci2013_PARAMS(P)                                                                                      \
    P(cohesion, 1, "m^4/(kg s^2)", 0, 1e6, "gamma of the attraction between particles; about 1 at 1000 kg/m^3")    \
    P(curvature, 1, "m/s^2", 0, 1e6, "gamma of the term that makes the surface small; tension/(7.5 density support^2)") \
    P(adhesion, 1, "m^4/(kg s^2)", 0, 1e6, "beta, the attraction to walls, times each wall's adhesion")

#define akinci2013_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, normal) X(NB, real4, hold) X(UPD, real4, acc)

LANES(akinci2013)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), m = load4_i(normal, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w);
    if (!own_any(AT(akinci2013, on, u.w) > 0.0f)) return;
    const own clean = FILM_OWN(x);
    const own cohesion = AT(akinci2013, cohesion, u.w), curvature = AT(akinci2013, curvature, u.w), share = 0.5f / a.w;
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), mj = load4_j(normal, j);
        const lane w = FLUID_OF(j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane r = lane_sqrt(r2);
        const lane boost = FILM_PAIR(clean) * same_liquid(par, rho, w) * 2.0f / (n + load1_j(dens, j));
        const lane c = boost * MEAN(akinci2013, cohesion, cohesion, w) * rho * b.w * cohesion_weight(par, r) * inverse_distance(par, r);
        const lane e = boost * within_support(par, r2) * MEAN(akinci2013, curvature, curvature, w) * share * (a.w + b.w);
        x -= c * dx + e * (m.x - mj.x);
        y -= c * dy + e * (m.y - mj.y);
        z -= c * dz + e * (m.z - mj.z);
    END
    ADHESION_TO_WALLS_(akinci2013)
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + total(x), old.y + total(y), old.z + total(z), old.w);
}

#define akinci2013_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, hold) X(UPD, real4, wall_force)

/* Two-way adhesion: the wall's part; its loop is over fluid. */
LANES(akinci2013_on_walls)
{
    ADHESION_ON_WALLS_(akinci2013);
}
