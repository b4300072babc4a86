/* wcsph.h -- weakly compressible SPH (Becker & Teschner 2007):  p = rho c^2/7 ((n)^7 - 1), clamped at 0.
 * k = p/n^2 in Pa; the acceleration follows from pressure_push of k. */
#define wcsph_PARAMS(P) P(sound_speed, 50, "m/s", 0.01, 1e5, "numerical speed of sound; ten times the fastest motion keeps compression near 1 %")

#define wcsph_pressure_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(OWN, real, dens) X(OUT, real, kappa) X(OUT, real4, probe)

LANES(wcsph_pressure)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    const own n = load1_i(dens, i), c = splat(par->wcsph[0].sound_speed);
    const own n2 = n * n, n4 = n2 * n2;
    const own p = CORE_AT(density, load4_i(vel, i).w) * c * c * (1.0f / 7.0f) * (n4 * n2 * n - 1.0f);
    const own value = own_max(p, 0.0f) / n2;
    store1_i(kappa, i, value);
    store4_i(probe, i, a.x, a.y, a.z, a.w * value);
}
