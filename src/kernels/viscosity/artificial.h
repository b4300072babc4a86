/* artificial.h -- Monaghan's artificial viscosity in the form of Akinci 2012/2013, between approaching particles only:
 *
 *   a_i = - sum_j K_ij m_j Pi_ij gradW_ij,   Pi_ij = -2 alpha h c/(rho_i + rho_j) (v_ij.x_ij)/(r^2 + 0.01 h^2)
 *   a_i = - sum_b Psi_b Pi_ib gradW_ib,      Pi_ib = -alpha_b h c/(2 rho_i) (v_ib.x_ib)/(r^2 + 0.01 h^2)
 *
 * Pi is 0 where two part, v.x >= 0. K_ij = 2 rho0/(rho_i + rho_j) (Akinci 2013) or 1. Equivalent kinematic viscosity
 * about alpha h c/20.
 */
/* needs: pair.h */
#define artificial_PARAMS(P)                                    \
    P(alpha, 0.01, "1", 0, 1e4, "strength within the fluid")    \
    P(wall_alpha, 0, "1", 0, 1e4, "strength against walls")     \
    P(sound_speed, 30, "m/s", 0, 1e5, "scale of the viscosity") \
    P(surface_correction, 0, "1", 0, 1, "1: multiply by K_ij of Akinci 2013, stronger at the surface")

#define artificial_READS(X) X(AROUND, real, dens) X(PAIR, pair, pair_f)

PAIR_FACTOR(artificial, VISCOSITY)
{
    const num approach = min_of(dot3(sub3(i.v, j.v), p.x), num_of(0.0f));
    const num hc = 0.5f * par->h * (i.sound_speed + j.sound_speed) * (i.alpha + j.alpha);
    const num corrected = 0.5f * (i.surface_correction + j.surface_correction);
    const num boost = num_of(1.0f) + corrected * (2.0f / (i.dens + j.dens) - 1.0f);
    return boost * hc * j.rho * j.volume * p.f * approach / ((i.rho * i.dens + j.rho * j.dens) * (p.r2 + par->eps2));
}

WALL_FACTOR(artificial, FRICTION, wall_alpha)
{
    const num approach = min_of(dot3(sub3(i.v, b.v), p.x), num_of(0.0f));
    return 0.5f * par->h * i.sound_speed / i.dens * b.volume * p.f * approach / (p.r2 + par->eps2);
}
