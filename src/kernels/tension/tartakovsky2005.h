/* tartakovsky2005.h -- pair forces of Tartakovsky & Meakin 2005 that repel below h/3 and attract from there to h,
 * whatever the masses:
 *
 *   m_i a_i = strength sum_j cos(1.5 pi r/h) x_ij/r
 *
 * displacement = 1: the force goes with x_ij itself, in which form Akinci et al. 2013 compare with it; strength is then
 * in N/m.
 */
/* needs: cohesion.h pair.h */
#define tartakovsky2005_PARAMS(P)                                          \
    P(strength, 0.001, "N", 0, 1e9, "largest force between two particles") \
    P(displacement, 0, "1", 0, 1, "1: force times displacement instead of direction, strength in N/m")

#define tartakovsky2005_READS(X)

/* cos(1.5 pi q) for q in [0, 1]: -sqrt(1/2) (cos 2t + sin 2t) with t = 0.75 pi (q - 1/2), |t| < 1.18, by series; error
   below 1e-6. Written out so that every platform gives the same bits. */
INLINE num cosine_of_pair(num q)
{
    const num t = 2.35619449f * (q - 0.5f);
    const num tt = t * t;
    const num s = t * (num_of(1.0f) +
                       tt * (-0.166666667f + tt * (0.00833333333f + tt * (-1.98412698e-4f + tt * 2.75573192e-6f))));
    const num c = num_of(1.0f) +
                  tt * (-0.5f +
                        tt * (0.0416666667f + tt * (-1.38888889e-3f + tt * (2.48015873e-5f - tt * 2.75573192e-7f))));
    return -0.707106781f * (num_of(1.0f) - 2.0f * s * s + 2.0f * s * c);
}

PAIR_FACTOR(tartakovsky2005, TENSION)
{
    const num strength = mean_of(i.strength, j.strength) / (i.volume * i.rho),
              displaced = mean_of(i.displacement, j.displacement);
    const num weight = displaced + (1.0f - displaced) * inverse_distance(par, p.r);
    return strength * weight * cosine_of_pair(min_of(p.r * par->inv_h, num_of(1.0f)));
}
