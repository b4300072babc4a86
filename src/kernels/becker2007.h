/* becker2007.h -- cohesion of Becker & Teschner 2007 (eq. 14), kernel-weighted attraction at every distance:
 *
 *   a_i = - strength/m_0 sum_j m_j W(r) x_ij,   m_0 = rho0 d^3: one mass for all, so that pair forces are equal and opposite
 *
 * With clamp = 1 the weight is W(max(r, d)), gentler on close pairs. No repulsion: particles at the surface tend to cluster.
 */
/* needs: cohesion.h film_terms.h spline.h */
#define becker2007_PARAMS(P)                                                                  \
    P(strength, 0.1, "m^3/s^2", 0, 1e9, "kappa of the attraction between particles")           \
    P(clamp, 0, "1", 0, 1, "1: pairs closer than the spacing attract no stronger than at it")

#define becker2007_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, hold) X(UPD, real4, acc)

LANES(becker2007)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    if (!own_any(AT(becker2007, on, u.w) > 0.0f)) return;
    const own rho = CORE_AT(density, u.w), strength = AT(becker2007, strength, u.w);
    const own least = AT(becker2007, clamp, u.w) * par->spacing * par->spacing;
    const own clean = FILM_OWN(x);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane w = FLUID_OF(j);
        const lane pull = FILM_PAIR(clean) * same_liquid(par, rho, w) * MEAN(becker2007, strength, strength, w);
        const lane c = pull * b.w * kernel_w(par, lane_max(dx * dx + dy * dy + dz * dz, splat(least)));
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    const real s = 1.0f / (par->spacing * par->spacing * par->spacing);
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x - s * total(x), old.y - s * total(y), old.z - s * total(z), old.w);
}
