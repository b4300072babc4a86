/* wang2017.h -- surface tension and adhesion of Wang et al. 2017 (eq. 3 to 9), x = x_i - x_j not normalised:
 *
 *   a_i = sum_j g_ij (- cohesion m_j C(r) x - curvature (m_i + m_j)/(2 m_i) (n_i - n_j)),   g_ij = 2/(n_i^2 + n_j^2)
 *       - adhesion sum_b adhesion_b rho0 V_b y(r) x
 *
 * The correction g_ij stands inside the sum, where its pair index has a meaning. The tension that results is about 9 curvature rho0 h^2;
 * cohesion = 2 gamma/h pulls at r = h/2 as akinci2013 does with gamma, adhesion = 10.3 beta/h peaks as its beta.
 */
/* needs: cohesion.h film_terms.h */
#define wang2017_PARAMS(P)                                                                                        \
    P(cohesion, 10, "m^3/(kg s^2)", 0, 1e9, "alpha of the attraction between particles; about 2/support at 1000 kg/m^3") \
    P(curvature, 1, "m/s^2", 0, 1e6, "beta of the term that makes the surface small; tension/(9 density support^2)") \
    P(adhesion, 50, "m^3/(kg s^2)", 0, 1e9, "eta, the attraction to walls, times each wall's adhesion; about 10/support is moderate")

#define wang2017_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, normal) X(NB, real4, hold) X(UPD, real4, acc)

LANES(wang2017)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), m = load4_i(normal, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w);
    if (!own_any(AT(wang2017, on, u.w) > 0.0f)) return;
    const own clean = FILM_OWN(x);
    const own cohesion = AT(wang2017, cohesion, u.w), curvature = AT(wang2017, curvature, u.w), share = 0.5f / a.w;
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), mj = load4_j(normal, j);
        const lane w = FLUID_OF(j);
        const lane nj = load1_j(dens, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane boost = FILM_PAIR(clean) * same_liquid(par, rho, w) * 2.0f / (n * n + nj * nj);
        const lane c = boost * MEAN(wang2017, cohesion, cohesion, w) * rho * b.w * cohesion_weight(par, lane_sqrt(r2));
        const lane e = boost * within_support(par, r2) * MEAN(wang2017, curvature, curvature, w) * share * (a.w + b.w);
        x -= c * dx + e * (m.x - mj.x);
        y -= c * dy + e * (m.y - mj.y);
        z -= c * dz + e * (m.z - mj.z);
    END
    ADHESION_TO_WALLS_(wang2017)
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + total(x), old.y + total(y), old.z + total(z), old.w);
}

#define wang2017_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, hold) X(UPD, real4, wall_force)

/* The wall's part of the adhesion; its loop is over fluid. */
LANES(wang2017_on_walls)
{
    ADHESION_ON_WALLS_(wang2017);
}
