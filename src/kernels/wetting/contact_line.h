/* contact_line.h -- where the surface of a liquid meets a wall: contact angle, hysteresis, and how far the wall under a
 * particle is wet. For the model `laplace` (tension/laplace.h), whose fields and steps 1 to 3 these are; adhesion of
 * other models stands in their own files.
 *
 *   laplace_filled   wet, at the line, or dry
 *   laplace_stick    the angle of a line with hysteresis, from where it was moved
 *   laplace_turn     turns the surface at the line by half the angle to the contact angle
 *
 * The present angles come from wetting/wetting.c.
 *
 * Not hand-tuned.
 */
/* needs: spline.h surface_weight.h vec.h */
#define contact_line_OWNS(F)                                                                              \
    F(wall_wetting, real4, "1", TABLE, COPY, FLUID, "of each fluid on each wall: see wetting_at")         \
    F(laplace_grip, real, "1", KEEP, COPY, FLUID, "how a contact line holds: 1 advances, -1 recedes")     \
    F(laplace_held, real, "1", STEP, COPY, FLUID, "the same after this step")

#define LAPLACE_UNIT(v) min_of(max_of(v, num_of(0.0f)), num_of(1.0f)) /* between 0 and 1 */
/* |s| is 0.9 where the surface is no longer felt, 4.25 at the outermost centres of a flat lattice; from 1.8 on a
   particle is of the surface layer */
#define LAPLACE_DELTA(s) LAPLACE_UNIT(((s) - 0.9f) * (1.0f / 3.35f))
/* in spacings: the surface lies so far outside the outermost centres */
#define LAPLACE_SKIN 0.7f

/* An angle over pi from its cosine, within 3e-5. */
INLINE num laplace_angle(num c)
{
    const num x = max_of(c, -c);
    const num a = sqrt_of(max_of(1.0f - x, num_of(0.0f))) *
                  (0.5f + x * (num_of(-0.06751811f) + x * (num_of(0.02363803f) - 0.00596172f * x)));
    return choose(c < num_of(0.0f), 1.0f - a, a);
}

/* How far the wall under the particle counts as liquid: 1 where it is wet, 1/2 at a contact line, 0 where it is dry. A
   wedge of liquid has its angle over pi of the whole density at its edge. */
INLINE num laplace_filled(PAR, LISTS, FIELD(real4) pos, vec e, num high, num wetting)
{
    const vec a = vec_here(pos), foot = scale3(high, e);
    num wet = a.w * kernel_w(par, high * high);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), x = sub3(sub3(a, b), foot);
        wet += b.w * kernel_w(par, dot3(x, x));
    END
    const num edge = laplace_angle(wetting), all = 2.0f * wet, least = num_of(1e-3f);
    return LAPLACE_UNIT(choose(all < edge, 0.5f * all / max_of(edge, least),
                               0.5f + 0.5f * (all - edge) / max_of(1.0f - edge, least)));
}

/* What the fluid finds at a point of a wall: x the cosine of the contact angle, midway between those of a line that
   advances and of one that recedes; z half of their difference. wall_wetting = (x, x where the contact pattern is
   1, z, z where it is 1); mark: vel.w of the point. */
INLINE vec wetting_at(PAR, TABLE4 wall_wetting, num fluid, num mark)
{
    const whole wall = whole_of(mark);
    const num all = num_of((real)par->boundary.count), share = 2.0f * (mark - real_of(wall));
    const vec c = vec_at(wall_wetting, whole_of(all * fluid + real_of(wall)));
    return vec_of(c.x + share * (c.y - c.x), num_of(0.0f), c.z + share * (c.w - c.z));
}

#define laplace_stick_FIELDS(X)                                                                                    \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(TABLE, real4, wall_wetting) X(HERE, real4, laplace_wall)         \
        X(AROUND, real4, laplace_wide) X(AROUND, real, laplace_grip) \
            X(CHANGES, real4, laplace_pull) X(WRITES, real, laplace_held)

/* Hysteresis: where a line is moved its angle goes from the one at which it recedes to the one at which it advances,
   within a quarter of a spacing; there it holds as it is. What moves is the line, the mean of its particles here: each
   of them jitters. One that comes to the line holds as those that were there. Only where a wall asks for it. */
KERNEL(laplace_stick)
{
    const num none = num_of(0.0f);
    const vec s = vec_here(laplace_wide), e = vec_here(laplace_wall), pull = vec_here(laplace_pull);
    if (!anyone(s.w > none)) {
        set_num(laplace_held, none);
        return;
    }
    const vec a = vec_here(pos), u = vec_here(vel);
    const num fluid = par->fluids == 1 ? none : u.w, own = num_here(laplace_grip);
    vec motion = scale3(s.w, u), wall = zero3();
    num line = max_of(s.w, num_of(1e-9f)), held = none, holding = num_of(1e-9f), near = holding, band = none;
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j));
        const num g = num_there(laplace_grip, j);
        const num share = surface_weight(par, dot3(x, x)) * vec_there(laplace_wide, j).w;
        const num holds = choose(max_of(g, -g) > none, share, none);
        motion = add_scaled3(motion, share, vec_there(vel, j));
        line += share;
        held += holds * g;
        holding += holds;
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num share = b.w * kernel_w(par, dot3(x, x));
        wall = add_scaled3(wall, share, v);
        band += share * wetting_at(par, wall_wetting, fluid, v.w).z;
        near += share;
    END
    const vec t = add_scaled3(s, -dot3(s, e), e), slip = add_scaled3(scale3(1.0f / line, motion), -1.0f / near, wall);
    const num out = dot3(slip, t) / max_of(sqrt_of(dot3(t, t)), num_of(1e-9f));
    const num before = choose(max_of(own, -own) > none, own, held / holding);
    const num moved = before + 4.0f * par->dt / par->spacing * out;
    const num grip = choose(s.w > none, min_of(max_of(moved, num_of(-1.0f)), num_of(1.0f)), none);
    set_num(laplace_held, grip);
    set_vec(laplace_pull, pull.x, pull.y, pull.z, pull.w - grip * band / near);
}

#define laplace_hold_FIELDS(X) X(HERE, real, laplace_held) X(WRITES, real, laplace_grip)

/* After all have seen how the line held before. */
KERNEL(laplace_hold)
{
    set_num(laplace_grip, num_here(laplace_held));
}

/* The surface above a contact line, mean over the particles around: the cosine of its angle, its height over the wall,
   and how it is bent along the line; w: how much of it there is. high: over the wall. Particles of the line count
   little: they may stand as they like. */
INLINE vec laplace_above(PAR, LISTS, FIELD(real4) pos, FIELD(real4) laplace_wide, FIELD(real4) laplace_wall,
                         FIELD(real) laplace_along, vec e, num high)
{
    const vec a = vec_here(pos);
    num up = num_of(0.0f), over = up, along = up, weight = num_of(1e-6f), near = weight;
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), s = vec_there(laplace_wide, j);
        const num size = sqrt_of(dot3(s, s)), cosine = dot3(s, e) / max_of(size, num_of(1e-9f));
        const num c = surface_weight(par, dot3(x, x)) * LAPLACE_DELTA(size) * (1.0f - 0.8f * s.w);
        const num felt = choose(vec_there(laplace_wall, j).w > num_of(0.0f), c, num_of(0.0f));
        up += c * cosine;
        over += c * (high - dot3(x, e) + LAPLACE_SKIN * par->spacing * cosine);
        along += felt * num_there(laplace_along, j);
        weight += c, near += felt;
    END
    vec mean = vec_of(up / weight, over / weight, along / near);
    mean.w = LAPLACE_UNIT(10.0f * weight);
    return mean;
}

/* The cosine that the surface above has with the wall's normal under the particle. The contact line lies farther out,
   where a round wall has turned: by its curvature along t, the unit vector outwards, times the distance. */
INLINE num laplace_bent_wall(PAR, LISTS, FIELD(real4) pos, FIELD(real4) laplace_wall, vec e, vec t, num high, num c)
{
    const vec a = vec_here(pos);
    const real d = par->spacing;
    num turn = num_of(0.0f), square = num_of(1e-3f * d * d);
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a), n = vec_there(laplace_wall, j);
        const num out = dot3(x, t), near = choose(n.w > num_of(0.03f), surface_weight(par, dot3(x, x)), num_of(0.0f));
        turn += near * out * dot3(sub3(n, e), t);
        square += near * out * out;
    END
    const num s = sqrt_of(max_of(1.0f - c * c, num_of(0.0f)));
    const num apart = LAPLACE_SKIN * d * s + c * (high + LAPLACE_SKIN * d * c) / max_of(s, num_of(0.3f));
    const num most = num_of(0.125f / d), bent = min_of(max_of(turn / square, -most), most);
    /* below 1/(25 d) only the places of the wall's points are seen */
    const num sure = LAPLACE_UNIT((max_of(bent, -bent) * d - 0.04f) * 100.0f);
    return c - s * sure * bent * min_of(max_of(apart, num_of(0.0f)), num_of(3.0f * d));
}

#define laplace_turn_FIELDS(X)                                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, laplace_wide) X(AROUND, real4, laplace_wall) X(HERE, real, laplace_kappa) \
        X(AROUND, real, laplace_along) X(HERE, real4, laplace_area) X(CHANGES, real4, laplace_pull)                  \
            X(WRITES, real4, laplace_turn)

KERNEL(laplace_turn)
{
    const vec s = vec_here(laplace_wide), pull = vec_here(laplace_pull);
    if (!anyone(s.w > num_of(0.0f))) {
        set_vec(laplace_pull, pull.x, pull.y, pull.z, num_of(0.0f));
        set_vec(laplace_turn, s.x, s.y, s.z, s.w);
        return;
    }
    const vec e = vec_here(laplace_wall);
    const num size = sqrt_of(dot3(s, s)), high = vec_here(laplace_area).w;
    const vec t = add_scaled3(s, -dot3(s, e), e);
    const num flat = 1.0f / max_of(sqrt_of(dot3(t, t)), num_of(1e-9f));
    const num wetting = laplace_bent_wall(par, LISTS_OF_I, pos, laplace_wall, e, scale3(flat, t), high, pull.w);
    const vec above = laplace_above(par, LISTS_OF_I, pos, laplace_wide, laplace_wall, laplace_along, e, high);
    /* across the line: the cosine grows by this times the height */
    const num bend = num_here(laplace_kappa) - above.z;
    const num down = above.x - bend * above.y;
    const num y = above.w * (min_of(max_of(down, num_of(-1.0f)), num_of(1.0f)) - wetting);
    /* and has grown by this between the wall and the place of the surface over this centre */
    const num turned = bend * (high + LAPLACE_SKIN * par->spacing * wetting);
    const num led = wetting + 0.5f * y + min_of(max_of(turned, num_of(-0.1f)), num_of(0.1f));
    const num c = min_of(max_of(led, num_of(-1.0f)), num_of(1.0f));
    const num along = s.w * size * sqrt_of(max_of(1.0f - c * c, num_of(0.0f))) * flat;
    const vec r = add_scaled3(add_scaled3(scale3(1.0f - s.w, s), along, t), s.w * size * c, e);
    set_vec(laplace_pull, pull.x, pull.y, pull.z, s.w * y);
    set_vec(laplace_turn, r.x, r.y, r.z, s.w);
}
