/* wcsph.h -- weakly compressible SPH (Becker & Teschner 2007):  p = rho c^2/7 ((n)^7 - 1), clamped at 0.
 * k = p/n^2 in Pa; the acceleration follows from pressure_displace of k. */
#define wcsph_PARAMS(P)                  \
    P(sound_speed, 50, "m/s", 0.01, 1e5, \
      "numerical speed of sound; ten times the fastest motion keeps compression near 1 %")

#define wcsph_pressure_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real, dens) X(WRITES, real, kappa) X(WRITES, real4, trial)

KERNEL(wcsph_pressure)
{
    const vec a = vec_here(pos);
    const num n = num_here(dens), c = num_of(par->wcsph[0].sound_speed);
    const num n2 = n * n, n4 = n2 * n2;
    const num p = of_fluid(density, vec_here(vel).w) * c * c * (1.0f / 7.0f) * (n4 * n2 * n - 1.0f);
    const num value = max_of(p, 0.0f) / n2;
    set_num(kappa, value);
    set_vec(trial, a.x, a.y, a.z, a.w * value);
}
