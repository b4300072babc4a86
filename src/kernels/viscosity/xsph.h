/* xsph.h -- XSPH velocity smoothing (Monaghan 1989), as an acceleration of the velocities at the start of the step,
 * symmetric in the pair:
 *
 *   dt a_i = - eps sum_j 2 m_j/(rho_i + rho_j) v_ij W_ij - eps_b sum_b V_b/n_i v_ib W_ib
 */
/* needs: pair.h spline.h */
#define xsph_PARAMS(P)                                                                       \
    P(strength, 0.1, "1", 0, 1, "share of the mean neighbour velocity taken over in a step") \
    P(wall_strength, 0, "1", 0, 1, "the same towards walls")

#define xsph_READS(X) X(AROUND, real, dens)

PAIR_ACCELERATION(xsph, VISCOSITY)
{
    const num c = -par->inv_dt * (i.strength + j.strength) * j.rho * j.volume / (i.rho * i.dens + j.rho * j.dens) *
                  kernel_w(par, p.r2);
    return scale3(c, sub3(i.v, j.v));
}

WALL_ACCELERATION(xsph, FRICTION, wall_strength)
{
    return scale3(-par->inv_dt / i.dens * b.volume * kernel_w(par, p.r2), sub3(i.v, b.v));
}
