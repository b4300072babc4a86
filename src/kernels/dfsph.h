/* dfsph.h -- divergence-free SPH (Bender & Koschier 2017): the divergence half; the density half is pressure_system.h.
 *
 * source = D(v), the rate of n. A particle with fewer than `neighbours` of them is spray: it takes no part.
 */
#define dfsph_PARAMS(P) \
    P(neighbours, 20, "1", 0, 1000, "particles with fewer neighbours are left out of the divergence solver")

#define divergence_source_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(PAIR, pair, pair_f) X(OUT, real, source) X(UPD, real, kappa_div)

KERNEL(divergence_source)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    lane sum = splat(0.0f), count = splat(0.0f);
    FOR_ALL(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane f = load_pair(pair_f);
        sum += b.w * f * ((a.x - b.x) * (u.x - v.x) + (a.y - b.y) * (u.y - v.y) + (a.z - b.z) * (u.z - v.z));
        count += lane_pick(f < splat(0.0f), splat(1.0f), splat(0.0f));
    END
    const int counts = total(count) >= AT(dfsph, neighbours, 0);
    store1_i(source, i, counts ? total(sum) : -1e20f);
    store1_i(kappa_div, i, counts ? load1_i(kappa_div, i) : 0.0f);
}
