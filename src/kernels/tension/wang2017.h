/* wang2017.h -- surface tension and adhesion of Wang et al. 2017 (eq. 3 to 9), x = x_i - x_j not normalised:
 *
 *   a_i = sum_j g_ij (- cohesion m_j C(r) x - curvature (m_i + m_j)/(2 m_i) (n_i - n_j)),   g_ij = 2/(n_i^2 + n_j^2)
 *       - adhesion sum_b adhesion_b rho0 V_b y(r) x
 *
 * The correction g_ij stands inside the sum, where its pair index has a meaning. The tension that results is about 9
 * curvature rho0 h^2; cohesion = 2 gamma/h pulls at r = h/2 as akinci2013 does with gamma, adhesion = 10.3 beta/h peaks
 * as its beta.
 */
/* needs: cohesion.h pair.h */
#define wang2017_PARAMS(P)                                                                                           \
    P(cohesion, 10, "m^3/(kg s^2)", 0, 1e9,                                                                          \
        "alpha of the attraction between particles; about 2/support at 1000 kg/m^3")                                 \
    P(curvature, 1, "m/s^2", 0, 1e6, "beta of the term that makes the surface small; tension/(9 density support^2)") \
    P(adhesion, 50, "m^3/(kg s^2)", 0, 1e9,                                                                          \
        "eta, the attraction to walls, times each wall's adhesion; about 10/support is moderate")

#define wang2017_READS(X) X(AROUND, real, dens) X(AROUND, real4, normal)

PAIR_ACCELERATION(wang2017, TENSION)
{
    const num boost = 2.0f / (i.dens * i.dens + j.dens * j.dens);
    const num pull = mean_of(i.cohesion, j.cohesion) * i.rho * j.volume * cohesion_weight(par, p.r);
    const num bend = mean_of(i.curvature, j.curvature) * 0.5f / i.volume * (i.volume + j.volume);
    return scale3(-boost, add3(scale3(pull, p.x), scale3(bend, sub3(i.normal, j.normal))));
}

WALL_FACTOR(wang2017, ADHESION, adhesion)
{
    return -i.rho * b.volume * pull_wang2017(par, p.r);
}
