/* guide_drain.h -- emitters and sinks.
 *
 * Freshly emitted particles keep the velocity of their emitter until they have passed the support radius: the last
 * layer has nothing behind it yet, and tension would pull it into the jet. guide = (velocity of emission, time left in
 * s).
 *
 * Particles in an open sink are moved out of every domain, so that the next sort drops them. Five rows of `sinks`
 * describe one: three of the map into its frame, p = R x + t; (kind, three dimensions in m); (1: its inside, -1: its
 * outside). inflow.c writes them.
 */
#define inflow_OWNS(F)                                                                                \
    F(guide, real4, "m/s, s", KEEP, COPY, FLUID, "velocity of emission; w: time that it still holds") \
    F(sinks, real4, "m", TABLE, COPY, FLUID, "frames and shapes of the open sinks")

#define guided_FIELDS(X) X(CHANGES, real4, vel) X(CHANGES, real4, guide)

BRANCHING_KERNEL(guided)
{
    const vec g = vec_here(guide);
    if (g.w > 0.0f) {
        set_vec(vel, g.x, g.y, g.z, vec_here(vel).w);
        set_vec(guide, g.x, g.y, g.z, g.w - par->dt);
    }
}

INLINE num sink_square(num x) { return x * x; }

/* 1 within the shape, in its frame: kinds as in mn_shape_kind. */
INLINE num sink_within(real4 shape, num x, num y, num z)
{
    const num up = max_of(y, -y), rho2 = x * x + z * z;
    bool in = y < 0.0f; /* plane: the half space behind it */
    if (shape.x == 0.0f) in = max_of(x, -x) < shape.y && up < shape.z && max_of(z, -z) < shape.w; /* box: half sizes */
    if (shape.x == 1.0f) in = rho2 + y * y < shape.y * shape.y;                                 /* sphere: radius */
    if (shape.x == 2.0f) in = rho2 < shape.y * shape.y && up < shape.z; /* cylinder: radius, half height */
    /* capsule: the same */
    if (shape.x == 3.0f) in = rho2 + sink_square(max_of(up - shape.z, 0.0f)) < shape.y * shape.y;
    if (shape.x == 4.0f) /* cone: radii below and above, half height */
        in = up < shape.w && rho2 < sink_square(shape.y + (shape.z - shape.y) * 0.5f * (y + shape.w) / shape.w);
    /* torus: radii of ring and tube */
    if (shape.x == 5.0f) in = sink_square(sqrt_of(rho2) - shape.y) + y * y < shape.z * shape.z;
    return in ? 1.0f : 0.0f;
}

#define drain_FIELDS(X) X(TABLE, real4, sinks) X(CHANGES, real4, pos) X(WRITES, real4, term)

/* arg.x = how many sinks, arg.y = where to. term.x = 1 for what goes. */
BRANCHING_KERNEL(drain)
{
    const vec a = vec_here(pos);
    num gone = 0.0f;
    for (int s = 0; s < (int)arg.x; s++) {
        const real4 u = sinks[5 * s], v = sinks[5 * s + 1], w = sinks[5 * s + 2];
        const num in = sink_within(sinks[5 * s + 3], u.x * a.x + u.y * a.y + u.z * a.z + u.w,
                                   v.x * a.x + v.y * a.y + v.z * a.z + v.w, w.x * a.x + w.y * a.y + w.z * a.z + w.w);
        gone = max_of(gone, sinks[5 * s + 4].x > 0.0f ? in : 1.0f - in);
    }
    if (gone > 0.0f) set_vec(pos, arg.y, a.y, a.z, a.w);
    set_vec(term, gone, 0.0f, 0.0f, 0.0f);
}
