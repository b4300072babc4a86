/* standard.h -- explicit viscosity by the standard Laplacian (Monaghan 2005), mu = nu rho, h = support radius:
 *
 *   m_i a_i = 10 sum_j mu_ij V_i V_j/(n_i n_j) (v_ij.x_ij)/(r^2 + 0.01 h^2) gradW_ij
 *           + 10 sum_b mu_b V_i V_b/n_i^2 (v_ib.x_ib)/(r^2 + 0.01 h^2) gradW_ib
 *
 * mu_ij: harmonic mean of both fluids; mu_b = wall_viscosity rho friction_b.
 *
 * A volume map brakes along the wall too, see velocity_maps.h.
 *
 * Pair forces are central and antisymmetric: linear and angular momentum are kept.
 */
/* needs: pair.h velocity_maps.h */
#define standard_PARAMS(P)                                                      \
    P(viscosity, 0.01, "m^2/s", 0, 1e6, "kinematic viscosity within the fluid") \
    P(wall_viscosity, 0, "m^2/s", 0, 1e6, "kinematic viscosity against walls; 0: walls slip")

#define standard_volume_FIELDS(X) X(HERE, real4, pos) X(HERE, real, dens) X(WRITES, real4, trial)

/* The present volume, V/n, beside the position: one gather brings both. */
KERNEL(standard_volume)
{
    const vec a = vec_here(pos);
    set_vec(trial, a.x, a.y, a.z, a.w / num_here(dens));
}

#define standard_READS(X) X(AROUND, real4, trial) X(AROUND, real, dens) X(PAIR, pair, pair_f)
#define standard_PLACE trial

/* Harmonic: the stress that both sides of an interface bear is that of half the distance in each fluid. */
INLINE num standard_between(PAR, num a, num b)
{
    if (par->fluids == 1) return 0.5f * (a + b);
    return choose(a == b, a, 2.0f * a * b / max_of(a + b, num_of(1e-30f)));
}

PAIR_FACTOR(standard, VISCOSITY)
{
    const num mu = standard_between(par, i.viscosity * i.rho, j.viscosity * j.rho),
              approach = dot3(p.x, sub3(i.v, j.v));
    return 10.0f / (i.rho * i.dens) * mu * j.trial.w * p.f * approach / (p.r2 + par->eps2);
}

WALL_ACCELERATION(standard, FRICTION, wall_viscosity)
{
    const map_ring ring = map_ring_of(par, b.object, p.r2, p.f);
    const num c = 10.0f / (i.dens * i.dens) * b.volume * ring.f / (ring.r2 + par->eps2);
    const vec slip = sub3(i.v, b.v);
    return add3(scale3(c * ring.along * dot3(p.x, slip), p.x), scale3(c * ring.across, slip));
}
