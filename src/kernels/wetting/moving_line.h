/* moving_line.h -- the angle of a contact line that moves (Cox 1986, Voinov 1976): the liquid bends below what
 * particles can show, from the contact angle at a slip length to another angle a spacing away.
 *
 *   angle^3 = (contact angle)^3 + 9 Ca ln(spacing/slip length),  0 to 180 degrees;  Ca = viscosity U/tension
 *
 * U, the speed of the line outwards along the wall, follows from the surface at and above it: where a line carries its
 * surface along, v.N = U t.N. For the model `laplace`, unless all walls have a slip length of 0. The table comes from
 * methods/moving_lines.c.
 *
 * Not hand-tuned.
 */
/* needs: contact_line.h film_terms.h spline.h surface_weight.h vec.h */
#define moving_line_OWNS(F) \
    F(wall_slip, real4, "s/m", TABLE, COPY, FLUID, "of each fluid on each wall: 9 viscosity ln(d/slip)/(tension pi^3)")

/* Cube root of x, 0 to 1: within 1e-6 of it above 1e-6. */
INLINE num line_root(num x)
{
    const num a = sqrt_of(sqrt_of(x)), tiny = num_of(1e-12f);
    num y = a * sqrt_of(sqrt_of(a));
    for (int pass = 0; pass < 2; pass++) {
        const num cube = y * y * y;
        y = y * (cube + 2.0f * x) / max_of(2.0f * cube + x, tiny);
    }
    return y;
}

/* Cosine of an angle over pi, 0 to 1, within 4e-6. */
INLINE num line_cosine(num angle)
{
    const num z = 0.5f - angle, q = z * z;
    return z * (3.14159265f + q * (q * (2.55016404f + q * (q * 0.08214589f - 0.59926453f)) - 5.16771278f));
}

/* The cosine that follows from the one at rest, where the cube of the angle over pi grows by `more`. */
INLINE num line_bent(num cosine, num more)
{
    const num rest = laplace_angle(cosine);
    const num cube = LAPLACE_UNIT(rest * rest * rest + more);
    const num moved = cosine + line_cosine(line_root(cube)) - line_cosine(rest);
    return choose(max_of(more, -more) > num_of(0.0f), min_of(max_of(moved, num_of(-1.0f)), num_of(1.0f)), cosine);
}

#define laplace_move_FIELDS(X)                                                                              \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(TABLE, real4, wall_slip) X(HERE, real4, laplace_wall)     \
        X(AROUND, real4, laplace_wide) X(HERE, real4, film_factor) X(CHANGES, real4, laplace_pull)

KERNEL(laplace_move)
{
    const num none = num_of(0.0f), tiny = num_of(1e-9f);
    const vec s = vec_here(laplace_wide), e = vec_here(laplace_wall), pull = vec_here(laplace_pull);
    if (!anyone(s.w > none)) return;
    const vec a = vec_here(pos), u = vec_here(vel);
    const num fluid = par->fluids == 1 ? none : u.w;
    vec wall = zero3();
    num near = tiny, bend = none;
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num share = b.w * kernel_w(par, dot3(x, x));
        const num all = num_of((real)par->boundary.count), object = real_of(whole_of(v.w));
        wall = add_scaled3(wall, share, v);
        bend += share * vec_at(wall_slip, whole_of(all * fluid + object)).x;
        near += share;
    END
    wall = scale3(1.0f / near, wall);
    const vec along = add_scaled3(s, -dot3(s, e), e);
    const vec t = scale3(1.0f / max_of(sqrt_of(dot3(along, along)), tiny), along);
    num moved = none, faced = tiny;
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), n = vec_there(laplace_wide, j);
        const num square = max_of(dot3(n, n), tiny), facing = dot3(n, t);
        const num c = surface_weight(par, dot3(x, x)) * LAPLACE_DELTA(sqrt_of(square)) * (1.0f - 0.8f * n.w) / square;
        moved += c * facing * dot3(sub3(vec_there(vel, j), wall), n);
        faced += c * facing * facing;
    END
    const num speed = moved / faced, film = max_of(film_here(par, film_factor, i).x, num_of(1e-3f));
    set_vec(laplace_pull, pull.x, pull.y, pull.z,
            choose(s.w > none, line_bent(pull.w, bend / near * speed / film), pull.w));
}
