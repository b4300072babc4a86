/* motion.h -- the time integration (semi-implicit Euler) and the sums that statistics and the time step need. */
#define motion_OWNS(F)                                                                                     \
    F(pos, real4, "m, m^3", KEEP, PLACE, POINTS, "place; w: rest volume")                                  \
    F(vel, real4, "m/s, 1", KEEP, COPY, POINTS, "velocity; w: index of the fluid, or of the wall")         \
    F(acc, real4, "m/s^2", STEP, COPY, FLUID, "acceleration by gravity and explicit models")               \
    F(term, real4, "of the kernel", STEP, COPY, FLUID, "summed, or its largest value taken; never stored")

#define force_begin_FIELDS(X) X(OUT, real4, acc)

LANES(force_begin)
{
    ITEM();
    store4_i(acc, i, par->gx, par->gy, par->gz, 0.0f);
}

#define advance_FIELDS(X) X(OWN, real4, acc) X(UPD, real4, vel)

/* v <- v + dt a */
LANES(advance)
{
    ITEM();
    const own4 a = load4_i(acc, i), v = load4_i(vel, i);
    store4_i(vel, i, v.x + par->dt * a.x, v.y + par->dt * a.y, v.z + par->dt * a.z, v.w);
}

INLINE own wrapped(own x, real low, real span)
{
    if (span == 0.0f) return x;
    const own y = own_pick(x < own_of(low), x + span, own_pick(x >= own_of(low + span), x - span, x));
    return own_pick(y < own_of(low + span), y, own_of(low)); /* rounding may land on the upper face */
}

#define move_FIELDS(X) X(OWN, real4, vel) X(UPD, real4, pos)

/* x <- x + dt v, into the periodic box */
LANES(move)
{
    ITEM();
    const own4 v = load4_i(vel, i), a = load4_i(pos, i);
    store4_i(pos, i, wrapped(a.x + par->dt * v.x, par->low_x, par->span_x), wrapped(a.y + par->dt * v.y, par->low_y, par->span_y),
             wrapped(a.z + par->dt * v.z, par->low_z, par->span_z), a.w);
}

#define speed_FIELDS(X) X(OWN, real4, vel) X(OWN, real4, acc) X(OUT, real4, term)

/* For the time step: |v + dt a|^2, |a|^2, |v|^2 */
LANES(speed)
{
    ITEM();
    const own4 v = load4_i(vel, i), a = load4_i(acc, i);
    const own x = v.x + par->dt * a.x, y = v.y + par->dt * a.y, z = v.z + par->dt * a.z;
    store4_i(term, i, x * x + y * y + z * z, a.x * a.x + a.y * a.y + a.z * a.z, v.x * v.x + v.y * v.y + v.z * v.z, 0.0f);
}

#define momentum_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(OUT, real4, term)

/* m v, and the kinetic energy */
LANES(momentum)
{
    ITEM();
    const own4 v = load4_i(vel, i);
    const own m = load4_i(pos, i).w * CORE_AT(density, v.w);
    store4_i(term, i, m * v.x, m * v.y, m * v.z, 0.5f * m * (v.x * v.x + v.y * v.y + v.z * v.z));
}

#define weight_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(OWN, real, dens) X(OUT, real4, term)

/* m, potential energy -m g.x, compression */
LANES(weight)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    const own m = a.w * CORE_AT(density, load4_i(vel, i).w);
    store4_i(term, i, m, -m * (par->gx * a.x + par->gy * a.y + par->gz * a.z), own_max(load1_i(dens, i) - 1.0f, 0.0f), 0.0f);
}
