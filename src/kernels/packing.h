/* packing.h -- what a uniform k of the pressure system amounts to as a pressure, among particles that lie as they do.
 *
 * When space is stretched by 1 + e, n_i changes by -3 e c_i, c_i = -1/3 sum_j V_j r W'(r): the work against k is that of the pressure c k. In a
 * continuum c = 1; on a cubic lattice it is 1.020, in a liquid that has come to rest 0.9885.
 */
/* needs: spline.h */
#define packing_FIELDS(X) X(NB, real4, pos) X(OUT, real4, term)

/* term = (c, 1) where the neighbourhood is whole and without walls, else 0. */
LANES(packing)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane sum = splat(0.0f), walls = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        sum += b.w * kernel_f(par, r2) * r2;
    END
    FOR_WALLS(j)
        walls += load4_j(pos, j).w;
    END
    const own c = total(sum) * (-1.0f / 3.0f);
    const own whole = own_pick(c > own_of(0.9f), own_pick(total(walls) > own_of(0.0f), own_of(0.0f), own_of(1.0f)), own_of(0.0f));
    store4_i(term, i, whole * c, whole, 0.0f, 0.0f);
}
