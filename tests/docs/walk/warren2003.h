/* warren2003.h -- a model as a newcomer writes it, for test_adding_a_model.sh: many-body forces of Warren 2003
 * (DPD), x = x_i - x_j, q = r/h, n = density over rest density:
 *
 *   F_ij = s (-(1 - q) + B (n_i + n_j) (1 - q/0.75)+) x/r        attracts to h, repels below 0.75 h by both densities
 *   F_ib = -adhesion (1 - q) x/r
 */
/* needs: cohesion.h pair.h */
#define warren2003_PARAMS(P)                                              \
    P(strength, 0.001, "N", 0, 1e9, "s, largest attraction of two particles") \
    P(repulsion, 0.6, "1", 0, 100, "B, of repulsion over attraction")     \
    P(adhesion, 0, "N", 0, 1e9, "attraction to walls, times each wall's adhesion")

#define warren2003_READS(X) X(AROUND, real, dens)

INLINE num ramp(num q) { return max_of(num_of(1.0f) - q, num_of(0.0f)); }

PAIR_FACTOR(warren2003, TENSION)
{
    const num q = p.r * par->inv_h, repels = mean_of(i.repulsion, j.repulsion) * (i.dens + j.dens);
    const num force = repels * ramp(q / 0.75f) - ramp(q);
    return mean_of(i.strength, j.strength) * force * inverse_distance(par, p.r) / (i.rho * i.volume);
}

WALL_FACTOR(warren2003, ADHESION, adhesion)
{
    return -ramp(p.r * par->inv_h) * inverse_distance(par, p.r) / (i.rho * i.volume);
}
