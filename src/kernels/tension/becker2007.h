/* becker2007.h -- cohesion of Becker & Teschner 2007 (eq. 14), kernel-weighted attraction at every distance:
 *
 *   a_i = - strength/m_0 sum_j m_j W(r) x_ij,   m_0 = rho0 d^3
 *
 * m_0 is one mass for all, so that pair forces are equal and opposite.
 * With clamp = 1 the weight is W(max(r, d)), gentler on close pairs. No repulsion: particles at the surface tend to
 * cluster.
 */
/* needs: pair.h spline.h */
#define becker2007_PARAMS(P)                                                         \
    P(strength, 0.1, "m^3/s^2", 0, 1e9, "kappa of the attraction between particles") \
    P(clamp, 0, "1", 0, 1, "1: pairs closer than the spacing attract no stronger than at it")

#define becker2007_READS(X)

PAIR_FACTOR(becker2007, TENSION)
{
    const num strength = mean_of(i.strength, j.strength) / (par->spacing * par->spacing * par->spacing);
    const num least = mean_of(i.clamp, j.clamp) * par->spacing * par->spacing;
    return -strength * j.volume * kernel_w(par, max_of(p.r2, least));
}
