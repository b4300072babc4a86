/* tartakovsky2005.h -- pair forces of Tartakovsky & Meakin 2005 that repel below h/3 and attract from there to h, whatever the masses:
 *
 *   m_i a_i = strength sum_j cos(1.5 pi r/h) x_ij/r
 *
 * displacement = 1: the force goes with x_ij itself, in which form Akinci et al. 2013 compare with it; strength is then in N/m.
 */
/* needs: cohesion.h film_terms.h */
#define tartakovsky2005_PARAMS(P)                                                                                  \
    P(strength, 0.001, "N", 0, 1e9, "largest force between two particles")                                          \
    P(displacement, 0, "1", 0, 1, "1: force times displacement instead of direction, strength in N/m")

#define tartakovsky2005_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, hold) X(UPD, real4, acc)

/* cos(1.5 pi q) for q in [0, 1]: -sqrt(1/2) (cos 2t + sin 2t) with t = 0.75 pi (q - 1/2), |t| < 1.18, by series; error below 1e-6.
   Written out so that every platform gives the same bits. */
INLINE lane cosine_of_pair(lane q)
{
    const lane t = 2.35619449f * (q - 0.5f);
    const lane tt = t * t;
    const lane s = t * (splat(1.0f) + tt * (-0.166666667f + tt * (0.00833333333f + tt * (-1.98412698e-4f + tt * 2.75573192e-6f))));
    const lane c = splat(1.0f) + tt * (-0.5f + tt * (0.0416666667f + tt * (-1.38888889e-3f + tt * (2.48015873e-5f - tt * 2.75573192e-7f))));
    return -0.707106781f * (splat(1.0f) - 2.0f * s * s + 2.0f * s * c);
}

LANES(tartakovsky2005)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    if (!own_any(AT(tartakovsky2005, on, u.w) > 0.0f)) return;
    const own rho = CORE_AT(density, u.w), strength = AT(tartakovsky2005, strength, u.w);
    const own displaced = AT(tartakovsky2005, displacement, u.w);
    const own clean = FILM_OWN(x);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane r = lane_sqrt(r2);
        const lane weight = displaced + (1.0f - displaced) * inverse_distance(par, r);
        const lane w = FLUID_OF(j);
        const lane pull = FILM_PAIR(clean) * same_liquid(par, rho, w) * MEAN(tartakovsky2005, strength, strength, w);
        const lane c = pull * within_support(par, r2) * weight * cosine_of_pair(lane_min(r * par->inv_h, splat(1.0f)));
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    const own s = 1.0f / (a.w * rho);
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + s * total(x), old.y + s * total(y), old.z + s * total(z), old.w);
}
