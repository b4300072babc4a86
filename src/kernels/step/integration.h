/* integration.h -- the time integration (semi-implicit Euler) and the sums that statistics and the time step need. */
/* needs: spline.h */
#define motion_OWNS(F)                                                                             \
    F(pos, real4, "m, m^3", KEEP, PLACE, POINTS, "place; w: rest volume")                          \
    F(vel, real4, "m/s, 1", KEEP, COPY, POINTS, "velocity; w: index of the fluid, or of the object") \
    F(acc, real4, "m/s^2", STEP, COPY, FLUID, "acceleration by gravity and explicit models")       \
    F(term, real4, "of the kernel", STEP, COPY, FLUID, "summed, or its largest value taken; never stored")

#define force_begin_FIELDS(X) X(WRITES, real4, acc)

KERNEL(force_begin)
{
    set_vec(acc, par->gx, par->gy, par->gz, 0.0f);
}

#define advance_FIELDS(X) X(HERE, real4, acc) X(CHANGES, real4, vel)

/* v <- v + dt a */
KERNEL(advance)
{
    const vec a = vec_here(acc), v = vec_here(vel);
    set_vec(vel, v.x + par->dt * a.x, v.y + par->dt * a.y, v.z + par->dt * a.z, v.w);
}

INLINE num wrapped(num x, real low, real span)
{
    if (span == 0.0f) return x;
    const num y = choose(x < num_of(low), x + span, choose(x >= num_of(low + span), x - span, x));
    return choose(y < num_of(low + span), y, num_of(low)); /* rounding may land on the upper face */
}

#define move_FIELDS(X) X(HERE, real4, vel) X(CHANGES, real4, pos)

/* x <- x + dt v, into the periodic box */
KERNEL(move)
{
    const vec v = vec_here(vel), a = vec_here(pos);
    set_vec(pos, wrapped(a.x + par->dt * v.x, par->low_x, par->span_x),
            wrapped(a.y + par->dt * v.y, par->low_y, par->span_y),
            wrapped(a.z + par->dt * v.z, par->low_z, par->span_z), a.w);
}

#define speed_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real, dens) X(HERE, real4, acc) X(WRITES, real4, term)

/* Alone: no neighbour adds to its density. */
INLINE num is_alone(PAR, num volume, num dens)
{
    return choose(dens > volume * kernel_w0(par), num_of(0.0f), num_of(1.0f));
}

/* For the time step: |v + dt a|^2, |a|^2, |v|^2, and the larger of the first and third where a particle is not alone */
KERNEL(speed)
{
    const vec v = vec_here(vel), a = vec_here(acc);
    const num x = v.x + par->dt * a.x, y = v.y + par->dt * a.y, z = v.z + par->dt * a.z;
    const num next = x * x + y * y + z * z, now = v.x * v.x + v.y * v.y + v.z * v.z;
    const num among = num_of(1.0f) - is_alone(par, vec_here(pos).w, num_here(dens));
    set_vec(term, next, a.x * a.x + a.y * a.y + a.z * a.z, now, among * max_of(next, now));
}

#define liquid_bounds_FIELDS(X) X(HERE, real4, pos) X(HERE, real, dens) X(WRITES, real4, term)

/* arg.x times the positions of particles with neighbours: with 1 and -1 their bounds; w: 1 */
KERNEL(liquid_bounds)
{
    const vec a = vec_here(pos);
    const num alone = is_alone(par, a.w, num_here(dens)), far = num_of(-1e30f);
    const num x = choose(alone > num_of(0.5f), far, arg.x * a.x), y = choose(alone > num_of(0.5f), far, arg.x * a.y),
              z = choose(alone > num_of(0.5f), far, arg.x * a.z);
    set_vec(term, x, y, z, num_of(1.0f) - alone);
}

/* 1 where a particle is beyond a side of the box around the liquid and flies away from it. */
INLINE num flies_off(num x, num v, real low, real high)
{
    return choose(x < num_of(low), choose(v <= num_of(0.0f), num_of(1.0f), num_of(0.0f)),
                  choose(x > num_of(high), choose(v >= num_of(0.0f), num_of(1.0f), num_of(0.0f)), num_of(0.0f)));
}

#define speed_near_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real, dens) X(HERE, real4, acc) X(WRITES, real4, term)

/* As speed, without those alone that fly off. */
KERNEL(speed_near)
{
    const vec p = vec_here(pos), v = vec_here(vel), a = vec_here(acc);
    const num x = v.x + par->dt * a.x, y = v.y + par->dt * a.y, z = v.z + par->dt * a.z;
    num off = flies_off(p.x, v.x, par->liquid_low[0], par->liquid_high[0]);
    off = max_of(off, flies_off(p.y, v.y, par->liquid_low[1], par->liquid_high[1]));
    off = max_of(off, flies_off(p.z, v.z, par->liquid_low[2], par->liquid_high[2]));
    const num counts = num_of(1.0f) - off * is_alone(par, p.w, num_here(dens));
    set_vec(term, counts * max_of(x * x + y * y + z * z, v.x * v.x + v.y * v.y + v.z * v.z), 0.0f, 0.0f, 0.0f);
}

#define momentum_FIELDS(X) X(HERE, real4, pos) X(HERE, real4, vel) X(WRITES, real4, term)

/* m v, and the kinetic energy */
KERNEL(momentum)
{
    const vec v = vec_here(vel);
    const num m = vec_here(pos).w * of_fluid(density, v.w);
    set_vec(term, m * v.x, m * v.y, m * v.z, 0.5f * m * (v.x * v.x + v.y * v.y + v.z * v.z));
}

#define weight_FIELDS(X) X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real, dens) X(WRITES, real4, term)

/* m, potential energy -m g.x, compression */
KERNEL(weight)
{
    const vec a = vec_here(pos);
    const num m = a.w * of_fluid(density, vec_here(vel).w);
    set_vec(term, m, -m * (par->gx * a.x + par->gy * a.y + par->gz * a.z), max_of(num_here(dens) - 1.0f, 0.0f), 0.0f);
}
