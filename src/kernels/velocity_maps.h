/* velocity_maps.h -- friction of volume maps. A single point x* = x_i - D n takes only velocities along n. For friction it is spread, as in the authors' program, over four
 * points around it, x* + e t with e = h/2 along and against two tangents, a quarter of the volume each:
 *
 *   sum 1/4 f(r) x x^T = f(r) ((1 - e^2/(2 D^2)) D^2 n n^T + e^2/2),     r^2 = D^2 + e^2
 */
/* needs: spline.h */

typedef struct map_ring {
    lane f, r2;         /* W'/r and r^2 */
    lane along, across; /* factors of x x^T and of 1 */
} map_ring;

INLINE map_ring map_ring_none(lane r2, lane f)
{
    map_ring ring;
    ring.f = f;
    ring.r2 = r2;
    ring.along = splat(1.0f);
    ring.across = splat(0.0f);
    return ring;
}

/* w: index of the wall; a wall of particles stays as it is. */
INLINE map_ring map_ring_at(PAR, lane w, lane r2, lane f)
{
    const lane map = CORE_AT_J(mapped, w), square = map * (0.25f * par->h * par->h);
    map_ring ring;
    ring.r2 = r2 + square;
    ring.f = lane_pick(map > splat(0.5f), kernel_f(par, ring.r2), f);
    ring.across = 0.5f * square;
    ring.along = splat(1.0f) - ring.across / lane_max(r2, splat(1e-30f));
    return ring;
}

INLINE map_ring map_ring_of(PAR, lane w, lane r2, lane f)
{
    if (par->maps == 0) return map_ring_none(r2, f);
    return map_ring_at(par, w, r2, f);
}
