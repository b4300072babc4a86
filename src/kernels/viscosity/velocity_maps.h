/* velocity_maps.h -- friction of volume maps. A single point x* = x_i - D n takes only velocities along n. For friction
 * it is spread, as in the authors' program, over four points around it, x* + e t with e = h/2 along and against two
 * tangents, a quarter of the volume each:
 *
 *   sum 1/4 f(r) x x^T = f(r) ((1 - e^2/(2 D^2)) D^2 n n^T + e^2/2),     r^2 = D^2 + e^2
 */
/* needs: spline.h */

typedef struct map_ring {
    num f, r2;         /* W'/r and r^2 */
    num along, across; /* factors of x x^T and of 1 */
} map_ring;

INLINE map_ring map_ring_none(num r2, num f)
{
    map_ring ring;
    ring.f = f;
    ring.r2 = r2;
    ring.along = num_of(1.0f);
    ring.across = num_of(0.0f);
    return ring;
}

/* w: index of the wall; a wall of particles stays as it is. */
INLINE map_ring map_ring_at(PAR, num w, num r2, num f)
{
    const num map = of_object(mapped, w), square = map * (0.25f * par->h * par->h);
    map_ring ring;
    ring.r2 = r2 + square;
    ring.f = choose(map > num_of(0.5f), kernel_f(par, ring.r2), f);
    ring.across = 0.5f * square;
    ring.along = num_of(1.0f) - ring.across / max_of(r2, num_of(1e-30f));
    return ring;
}

INLINE map_ring map_ring_of(PAR, num w, num r2, num f)
{
    if (par->maps.count == 0) return map_ring_none(r2, f);
    return map_ring_at(par, w, r2, f);
}
