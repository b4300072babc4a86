/* packing.h -- what a uniform k of the pressure system amounts to as a pressure, among particles that lie as they do.
 *
 * When space is stretched by 1 + e, n_i changes by -3 e c_i, c_i = -1/3 sum_j V_j r W'(r): the work against k is that
 * of the pressure c k. In a continuum c = 1; on a cubic lattice it is 1.020, in a liquid that has come to rest 0.9885.
 *
 * Not hand-tuned.
 */
/* needs: spline.h vec.h */
#define packing_FIELDS(X) X(AROUND, real4, pos) X(WRITES, real4, term)

/* term = (c, 1) where the neighbourhood is whole and without walls, else 0. */
KERNEL(packing)
{
    const vec a = vec_here(pos);
    num sum = num_of(0.0f), walls = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num r2 = square3(sub3(a, b));
        sum += b.w * kernel_f(par, r2) * r2;
    END
    FOR_BOUNDARY(j)
        walls += vec_there(pos, j).w;
    END
    const num c = sum * (-1.0f / 3.0f);
    const num full = choose(c > num_of(0.9f), choose(walls > num_of(0.0f), num_of(0.0f), num_of(1.0f)), num_of(0.0f));
    set_vec(term, full * c, full, 0.0f, 0.0f);
}
