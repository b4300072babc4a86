/* akinci2013.h -- cohesion, surface area minimisation and adhesion of Akinci et al. 2013 (eq. 1 to 6), x = x_i - x_j:
 *
 *   a_i = sum_j K_ij (- cohesion m_j C(r) x/r - curvature (m_i + m_j)/(2 m_i) (n_i - n_j)),   K_ij = 2/(n_i + n_j)
 *       - adhesion sum_b adhesion_b rho0 V_b A(r) x/r
 *
 * The mean mass keeps momentum where masses differ. The two terms have different units, hence two coefficients; the
 * paper's single gamma is both of them in SI units at 1000 kg/m^3. The tension that results is about 7.5 curvature rho0
 * h^2.
 */
/* needs: cohesion.h pair.h */
#define akinci2013_PARAMS(P)                                                                                    \
    P(cohesion, 1, "m^4/(kg s^2)", 0, 1e6, "gamma of the attraction between particles; about 1 at 1000 kg/m^3") \
    P(curvature, 1, "m/s^2", 0, 1e6,                                                                            \
        "gamma of the term that makes the surface small; tension/(7.5 density support^2)")                      \
    P(adhesion, 1, "m^4/(kg s^2)", 0, 1e6, "beta, the attraction to walls, times each wall's adhesion")

#define akinci2013_READS(X) X(AROUND, real, dens) X(AROUND, real4, normal)

PAIR_ACCELERATION(akinci2013, TENSION)
{
    const num boost = 2.0f / (i.dens + j.dens);
    const num pull = mean_of(i.cohesion, j.cohesion) * i.rho * j.volume * cohesion_weight(par, p.r) *
                     inverse_distance(par, p.r);
    const num bend = mean_of(i.curvature, j.curvature) * 0.5f / i.volume * (i.volume + j.volume);
    return scale3(-boost, add3(scale3(pull, p.x), scale3(bend, sub3(i.normal, j.normal))));
}

WALL_FACTOR(akinci2013, ADHESION, adhesion)
{
    return -i.rho * b.volume * pull_akinci2013(par, p.r);
}
