/* laplace.h -- surface tension in N/m and contact angle in degrees: the Laplace pressure as the condition at the free
 * surface (in the spirit of Blank, Nair & Poeschel 2024). docs/methods/laplace.md
 *
 *   g = sum_j V_j gradW_ij,  w = sum_b V_b gradW_ib,  n_w = sum_b V_b W_ib,  e = -w/|w|,  k = (1-q^2)^2
 *   1 pull_i = M_i V_i (2 g + beta w)                       what a pressure of 1 does, reversed (pressure/ambient.h)
 *     a_i = -V_i/d^2 (2 g - c_w b e)                        area vector of the surface, outwards; walls count as liquid
 *     b = max(2 gradient of a half space, 1.4 |w|)         as far as it is wet under the particle (c_w, laplace_filled)
 *   2 s_i = a_i + sum_j k a_j = s_n e + s_t t,  L_i         L = 1 at a contact line; not of the other side of a sheet
 *     where a wall has hysteresis, the contact angle of a line depends on where it was moved (wetting/contact_line.h);
 *     where it has a slip length, on how fast it moves (wetting/moving_line.h)
 *   3 at a contact line s_i is turned by half the angle to the contact angle, and
 *     y_i = cos of the angle above the line - cos of the contact angle
 *   4 N_i = unit vector of s_i + sum_j k s_j,  delta_i      normal, and how near the surface is
 *   5 kappa_i = trace of P (M + D P)^-1 (laplace_curvature), M and P sums of x_ji and N_j - N_i along the surface with
 *     c = k delta_j where N_i.N_j > 0; D: how deep the centres lie under the surface
 *   6 kappa' = mean of kappa along the surface; inside, mean of the last step's over all: it creeps into the liquid
 *   7 the same again; kappa'' = that + 6.8 (kappa' - that) at the surface, 4 beside walls, but for rims on a wall that
 *     is wetted
 *     F_i = (tension f kappa'' + ambient) pull_i            f: what a film leaves of the tension (film_factor.h)
 *         + L_i (1/2 tension y_i/d) (pull_i along the wall) a contact line that is to move
 *         + tension grad_s f (a_i.N_i) d^2                  along the surface, where a film differs
 *         + friction, where the fluid's viscosity is less than the particles need to lie still (methods/laplace.c):
 *           of what the velocity of a particle has that its neighbours do not share, L L v instead of L v, so that
 *           a flow that is even over some spacings goes on; beside walls, and on volume maps, of the velocity itself
 *
 * The force is a pressure times the very vector by which the solver's pressure pushes: a uniform pressure tension kappa
 * balances it to rounding, wherever the particles are. At a contact line what is out of balance acts along the wall.
 * Adding `ambient` everywhere is the same as letting the solver's pressure go down to -ambient instead of 0. All fluids
 * of a scene are one liquid here. The solver starts from the last pressure smoothed: what it does not see, a pressure
 * that changes its sign from particle to particle, would otherwise add up from step to step.
 *
 * Hand-tuned: laplace_bend also smooths the last pressure, which would else be a pass of its own.
 */
/* needs: ambient.h contact_line.h film_terms.h isotropic.h spline.h surface_weight.h vec.h velocity_maps.h */
#define laplace_PARAMS(P) \
    P(tension, 0.0728, "N/m", 0, 1e9, "surface tension; the fluid's key `surface_tension` is short for this")

#define laplace_OWNS(F)                                                                                         \
    F(laplace_pull, real4, "m^2", STEP, COPY, FLUID, "what a pressure of 1 does, reversed; w: wetting, then y") \
    F(laplace_wall, real4, "1", STEP, COPY, FLUID, "direction away from walls; w: their share of the density")  \
    F(laplace_area, real4, "1", STEP, COPY, FLUID, "area vector in spacings^2; w: height over a wall, m")       \
    F(laplace_wide, real4, "1", STEP, COPY, FLUID, "the same spread out; w: 1 at a contact line")               \
    F(laplace_turn, real4, "1", STEP, COPY, FLUID, "the same, turned to the angle at a contact line")           \
    F(laplace_face, real4, "1", STEP, COPY, FLUID, "normal; w: size of the area vector")                        \
    F(laplace_bend, real, "1/m", STEP, COPY, FLUID, "curvature of the surface")                                 \
    F(laplace_even, real, "1/m", STEP, COPY, FLUID, "its mean over the neighbours")                             \
    F(laplace_rough, real4, "m/s", STEP, COPY, FLUID, "how rough the velocity is; w: start of the solver, Pa s^2") \
    F(laplace_kappa, real, "1/m", KEEP, COPY, FLUID, "curvature as it goes on into the liquid")                 \
    F(laplace_along, real, "1/m", KEEP, COPY, FLUID, "curvature of the surface along a contact line")

/* within 1.3 spacings of a wall's liquid side: its share of the density is 0.12 there */
#define LAPLACE_BESIDE(share) LAPLACE_UNIT(((share) - 0.03f) * (1.0f / 0.09f))
/* the same by the height of a centre: the first layer, and half of the next */
#define LAPLACE_LOW(high) LAPLACE_UNIT((1.2f - (high)) * (1.0f / 0.6f))
/* in spacings: the liquid begins here above a wall's points */
#define LAPLACE_FLOOR 0.6f
/* and farther above the point that stands for a volume map, which lies d/4 inside it */
#define LAPLACE_MAP 0.3f
/* times viscosity/d^2: the rate at which friction L v stills waves of two spacings in a lattice, the fastest of all */
#define LAPLACE_STIFF 15.0f
#define LAPLACE_LAYER(s) LAPLACE_UNIT(((s) - 0.9f) * (1.0f / 0.9f))

/* Gradient of a half space that begins y h away. */
INLINE num laplace_half(PAR, num y)
{
    const num u = max_of(1.0f - y, num_of(0.0f)), v = max_of(0.5f - y, num_of(0.0f));
    const num u4 = u * u * u * u, v4 = v * v * v * v;
    return 16.0f * par->inv_h * (u4 * (0.5f - 0.4f * u) - v4 * (1.0f - 1.6f * v));
}

#define laplace_area_FIELDS(X)                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(PAIR, pair, pair_f) X(TABLE, real4, wall_wetting)  \
        EVEN_FIELDS(X) X(WRITES, real4, laplace_pull) X(WRITES, real4, laplace_wall) X(WRITES, real4, laplace_area)  \
            X(WRITES, real4, ambient_react)

KERNEL(laplace_area)
{
    const num none = num_of(0.0f);
    const vec a = vec_here(pos);
    const num fluid = par->fluids == 1 ? none : vec_here(vel).w;
    const ambient_sums sums = ambient_sums_of(par, LISTS_OF_I, pos, vel, pair_f, even_axes, even_planes);
    const vec w = sums.w, pull = sums.pull;
    const num near = sums.near, per = 1.0f / max_of(sqrt_of(dot3(w, w)), num_of(1e-9f * par->inv_h));
    const vec e = scale3(-per, w);
    num wet = none, far = none;
    if (anyone(near > none)) {
        FOR_BOUNDARY(j)
            const vec b = vec_there(pos, j), x = sub3(a, b);
            const num share = b.w * kernel_w(par, dot3(x, x));
            wet += share * wetting_at(par, wall_wetting, fluid, vec_there(vel, j).w).x;
            far += share * dot3(x, e);
        END
    }
    const num share = max_of(near, num_of(1e-9f)), wetting = wet / share;
    num high = far / share - LAPLACE_FLOOR * par->spacing;
    if (par->maps.count > 0) high = high - LAPLACE_MAP * par->spacing * (near - sums.hard) / share;
    num full = none;
    if (anyone(near > none)) {
        const num space = 2.0f * laplace_half(par, max_of(high, none) * par->inv_h);
        full = laplace_filled(par, LISTS_OF_I, pos, e, high, wetting) * max_of(space, 1.4f * sqrt_of(dot3(w, w)));
        full = choose(near > none, full, none);
    }
    const num area = a.w / (par->spacing * par->spacing);
    const vec o = add_scaled3(scale3(-2.0f * area, sums.g), area * full, e);
    set_vec(laplace_pull, pull.x, pull.y, pull.z, wetting);
    set_vec(laplace_wall, e.x, e.y, e.z, near);
    set_vec(laplace_area, o.x, o.y, o.z, high);
    store3(ambient_react, i, scale3(a.w, sums.more), none);
}

/* a_i + sum_j k a_j, without those of the other side of a thin sheet, which would take the normal away: neighbours
   count less from a_i.a_j = -`from` on, and nothing from -`to` on. */
INLINE vec laplace_spread(PAR, LISTS, FIELD(real4) pos, FIELD(real4) field, real from, real to)
{
    const vec a = vec_here(pos), own = vec_here(field);
    const real steep = 1.0f / (to - from);
    vec sum = vec_of(num_of(0.0f), num_of(0.0f), num_of(0.0f));
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), other = vec_there(field, j);
        const num same = LAPLACE_UNIT(steep * (to + dot3(own, other)));
        sum = add_scaled3(sum, same * surface_weight(par, dot3(x, x)), other);
    END
    return add3(sum, own);
}

#define laplace_wide_FIELDS(X)                                                                                     \
    X(AROUND, real4, pos) X(AROUND, real4, laplace_area) X(HERE, real4, laplace_wall) X(WRITES, real4, laplace_wide)

KERNEL(laplace_wide)
{
    const vec e = vec_here(laplace_wall), s = laplace_spread(par, LISTS_OF_I, pos, laplace_area, 0.75f, 1.25f);
    const num sn = dot3(s, e), size = sqrt_of(dot3(s, s));
    const vec t = add_scaled3(s, -sn, e);
    const num flat = sqrt_of(dot3(t, t));
    /* a contact line: beside a wall, the surface neither parallel to it nor missing */
    const num low = choose(e.w > num_of(0.0f), LAPLACE_LOW(vec_here(laplace_area).w / par->spacing), num_of(0.0f));
    const num line = low *
                     LAPLACE_UNIT((flat - 0.25f * size) / max_of(0.2f * size, num_of(1e-6f))) *
                     LAPLACE_UNIT((size - 0.4f) * 2.0f);
    set_vec(laplace_wide, s.x, s.y, s.z, line);
}

#define laplace_face_FIELDS(X) X(AROUND, real4, pos) X(AROUND, real4, laplace_turn) X(WRITES, real4, laplace_face)

/* smoothed once more, except at a contact line, where the direction is known */
KERNEL(laplace_face)
{
    const vec w = vec_here(laplace_turn), s = laplace_spread(par, LISTS_OF_I, pos, laplace_turn, 1.0f, 4.0f);
    const num size = sqrt_of(dot3(w, w)), tiny = num_of(1e-9f);
    const vec n = add_scaled3(scale3((1.0f - w.w) / max_of(sqrt_of(dot3(s, s)), tiny), s),
                              w.w / max_of(size, tiny), w);
    const num inv = 1.0f / max_of(sqrt_of(dot3(n, n)), tiny);
    set_vec(laplace_face, inv * n.x, inv * n.y, inv * n.z, size);
}

/* How far friction is that of the whole velocity: beside walls, and everywhere on volume maps, which have no bumps that
   hold a line. */
INLINE num laplace_plain(PAR, num share) { return par->maps.count > 0 ? num_of(1.0f) : LAPLACE_BESIDE(share); }

/* L v: the acceleration by friction of the model `standard`, over ten times the viscosity. */
INLINE vec laplace_unlike(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, FIELD(pair) pair_f)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const num rho = of_fluid(density, u.w);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num heavy = par->fluids == 1 ? num_of(1.0f) : 0.5f + 0.5f * of_fluid(density, v.w) / rho;
        const num rate = dot3(x, sub3(u, v)) / (dot3(x, x) + par->eps2) * b.w * pair_value(pair_f);
        sum = add_scaled3(sum, heavy * rate, x);
    END
    return sum;
}

/* Least squares of how the normal turns along the surface, trace of P M^-1. P: the symmetric part of sum c m x^T, m by
   how much a neighbour's normal differs; M = sum c x x^T, or with x + D m in place of one x, at the height D over the
   centres. The ratio of their traces is exact for spheres only: where the two curvatures differ, it depends on where
   the neighbours happen to lie, and columns boil. */
INLINE num laplace_curvature(six m, six p)
{
    const num size = m.xx + m.yy + m.zz, turn = p.xx + p.yy + p.zz, square = size * size, tiny = num_of(1e-30f);
    const num both = m.xx * p.xx + m.yy * p.yy + m.zz * p.zz + 2.0f * (m.xy * p.xy + m.xz * p.xz + m.yz * p.yz);
    const num own = m.xx * m.xx + m.yy * m.yy + m.zz * m.zz + 2.0f * (m.xy * m.xy + m.xz * m.xz + m.yz * m.yz);
    const num det = 0.5f * (square - own), mean = 2.0f * turn / max_of(size, tiny);
    /* neighbours in a row show one of the two only */
    const num sure = LAPLACE_UNIT((4.0f * det / max_of(square, tiny) - 0.1f) * 5.0f);
    return mean + sure * ((size * turn - both) / max_of(det, tiny) - mean);
}

/* How far out to lead the curvature from the centres: to the surface, (1.9 - delta) spacings; 0.9: fitted at a radius
   of ten spacings. There a dent is bent three times as much as at the centres, at most. */
INLINE num laplace_depth(PAR, six m, six p, num delta)
{
    const num trace = 0.5f * (p.xx + p.yy + p.zz);
    const num square = p.xx * p.xx + p.yy * p.yy + p.zz * p.zz + 2.0f * (p.xy * p.xy + p.xz * p.xz + p.yz * p.yz);
    const num dent = sqrt_of(max_of(0.5f * square - trace * trace, num_of(0.0f))) - trace;
    const num most = (m.xx + m.yy + m.zz) / (3.0f * max_of(dent, num_of(1e-12f * par->spacing)));
    return min_of((1.9f - delta) * par->spacing, most);
}

#define laplace_bend_FIELDS(X)                                                                              \
    X(AROUND, real4, pos) X(AROUND, real4, laplace_face) X(AROUND, real, kappa) X(HERE, real4, film_factor) \
        X(AROUND, real4, vel) X(PAIR, pair, pair_f) X(HERE, real4, laplace_wall) X(WRITES, real, laplace_bend)  \
            X(WRITES, real4, laplace_rough) X(WRITES, real, laplace_along)

KERNEL(laplace_bend)
{
    const vec a = vec_here(pos), f = vec_here(laplace_face);
    num bend = num_of(0.0f), start = num_of(0.0f), weight = num_of(1.0f);
    six m = six_zero(), p = six_zero();
    vec places = zero3(), turns = places;
    num all = LAPLACE_DELTA(f.w);
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a), n = vec_there(laplace_face, j);
        const num same = dot3(f, n), near = surface_weight(par, dot3(x, x));
        const num c = choose(same > num_of(0.0f), near * LAPLACE_DELTA(n.w), num_of(0.0f));
        const vec along = add_scaled3(x, -dot3(x, f), f), pull = scale3(c, along), turn = add_scaled3(n, -same, f);
        bend += c * dot3(x, sub3(n, f));
        m = six_plus(m, pull, along);
        p = six_plus_both(p, pull, turn);
        places = add3(places, pull), turns = add_scaled3(turns, c, turn), all += c;
        start += near * num_there(kappa, j);
        weight += near;
    END
    const real d = par->spacing;
    const num size = m.xx + m.yy + m.zz;
    /* of neighbours that lie higher or lower: holds back particles that stand out */
    const num stands = 2.0f * (bend - (p.xx + p.yy + p.zz)) / max_of(size, num_of(1e-12f * d * d));
    /* about the mean, so that the particle's own normal is one of many */
    const vec less = scale3(-1.0f / max_of(all, num_of(1e-6f)), places);
    m = six_plus(m, less, places), p = six_plus_both(p, less, turns);
    m = six_plus_times(m, laplace_depth(par, m, p, LAPLACE_DELTA(f.w)), p);
    const num fit = laplace_curvature(m, p);
    const vec e = vec_here(laplace_wall), line = cross3(e, f);
    const num film = film_here(par, film_factor, i).x, beside = choose(e.w > num_of(0.0f), film, num_of(0.0f));
    set_num(laplace_along, beside * six_along(p, line) / max_of(six_along(m, line), num_of(1e-3f * d * d)));
    const num raw = choose(size > num_of(1e-3f * d * d), stands + fit, num_of(0.0f));
    /* what particles can show: a drop of one spacing, a dent of two */
    const num curved = min_of(max_of(raw, num_of(-1.0f / d)), num_of(2.0f / d));
    const vec rough = laplace_unlike(par, LISTS_OF_I, pos, vel, pair_f);
    const num part = (10.0f / LAPLACE_STIFF) * d * d * (1.0f - laplace_plain(par, vec_here(laplace_wall).w));
    set_vec(laplace_rough, part * rough.x, part * rough.y, part * rough.z, (start + num_here(kappa)) / weight);
    set_num(laplace_bend, film * curved);
}

/* Means of a curvature: x over the neighbours of the same side of the surface, y of another over all. */
INLINE vec laplace_means(PAR, LISTS, FIELD(real4) pos, FIELD(real4) laplace_face, FIELD(real) outer, FIELD(real) inner)
{
    const vec a = vec_here(pos), f = vec_here(laplace_face);
    num sum = num_of(0.0f), all = num_of(0.0f), deep = num_of(0.0f), weight = num_of(0.0f);
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a), n = vec_there(laplace_face, j);
        const num same = surface_weight(par, dot3(x, x));
        const num c = choose(dot3(f, n) > num_of(0.0f), same * LAPLACE_DELTA(n.w), num_of(0.0f));
        sum += c * num_there(outer, j);
        all += c;
        deep += same * num_there(inner, j);
        weight += same;
    END
    const num delta = LAPLACE_DELTA(f.w) + 1e-3f;
    return vec_of((sum + delta * num_here(outer)) / (all + delta), (deep + num_here(inner)) / (weight + 1.0f),
                  num_of(0.0f));
}

#define laplace_even_FIELDS(X)                                                                                        \
    X(AROUND, real4, pos) X(AROUND, real4, laplace_face) X(AROUND, real, laplace_bend) X(AROUND, real, laplace_kappa) \
        X(WRITES, real, laplace_even)

KERNEL(laplace_even)
{
    const vec m = laplace_means(par, LISTS_OF_I, pos, laplace_face, laplace_bend, laplace_kappa);
    const num layer = LAPLACE_LAYER(vec_here(laplace_face).w);
    set_num(laplace_even, layer * m.x + (1.0f - layer) * m.y);
}

/* Friction in N for a viscosity of 1, with the liquid and with walls. Central, so that it keeps momentum and spin. */
typedef struct laplace_drag {
    vec liquid, walls;
} laplace_drag;
INLINE laplace_drag laplace_friction(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, FIELD(pair) pair_f,
                                     FIELD(real4) laplace_rough, FIELD(real4) laplace_wall)
{
    const vec a = vec_here(pos), u = vec_here(vel), rough = vec_here(laplace_rough);
    const num rho = of_fluid(density, u.w), plain = laplace_plain(par, vec_here(laplace_wall).w);
    laplace_drag sum = {zero3(), zero3()};
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num heavy = par->fluids == 1 ? rho : 0.5f * (rho + of_fluid(density, v.w));
        const num both = 0.5f * (plain + laplace_plain(par, vec_there(laplace_wall, j).w));
        const num apart = both * dot3(x, sub3(u, v)) - dot3(x, sub3(rough, vec_there(laplace_rough, j)));
        const num rate = apart / (dot3(x, x) + par->eps2) * b.w * pair_value(pair_f);
        sum.liquid = add_scaled3(sum.liquid, heavy * rate, x);
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b), slip = sub3(u, v);
        const map_ring ring = map_ring_of(par, v.w, dot3(x, x), pair_value(pair_f));
        const num rate = dot3(x, slip) / (ring.r2 + par->eps2) * b.w * ring.f;
        sum.walls = add_scaled3(sum.walls, rho * rate * ring.along, x);
        if (par->maps.count > 0)
            sum.walls = add_scaled3(sum.walls, rho * b.w * ring.f * ring.across / (ring.r2 + par->eps2), slip);
    END
    sum.liquid = scale3(10.0f * a.w, sum.liquid);
    sum.walls = scale3(10.0f * a.w, sum.walls);
    return sum;
}

/* grad_s f times the area a.N d^2: over the tension, the force where a film leaves more of it on one side than on the
   other; exact for an even slope on a flat lattice. */
INLINE vec laplace_drawn(PAR, LISTS, FIELD(real4) pos, FIELD(real4) laplace_face, FIELD(real4) film_factor, vec area)
{
    const vec a = vec_here(pos), f = vec_here(laplace_face);
    const num mine = vec_here(film_factor).x;
    const real d = par->spacing;
    num square = num_of(1e-6f * d * d);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a), n = vec_there(laplace_face, j);
        const num r2 = dot3(x, x), off = dot3(x, f), near = surface_weight(par, r2);
        const num c = choose(dot3(f, n) > num_of(0.0f), near * LAPLACE_DELTA(n.w), num_of(0.0f));
        sum = add_scaled3(sum, c * (vec_there(film_factor, j).x - mine), add_scaled3(x, -off, f));
        square += c * (r2 - off * off);
    END
    return scale3(2.0f * d * d * max_of(dot3(area, f), num_of(0.0f)) / square, sum);
}

#define laplace_FIELDS(X)                                                                                    \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, laplace_face) X(AROUND, real, laplace_even) \
        X(AROUND, real4, laplace_rough) X(PAIR, pair, pair_f) X(HERE, real4, laplace_pull)                   \
        X(AROUND, real4, laplace_wall) X(HERE, real4, laplace_wide)                                          \
            X(WRITES, real, kappa) X(WRITES, real, laplace_kappa)                                            \
            X(HERE, real4, laplace_area) X(AROUND, real4, film_factor) \
                X(CHANGES, real4, ambient_react) X(CHANGES, real4, acc) X(WRITES, real4, piece_force)

/* arg = (ambient, viscosity that is added) */
KERNEL(laplace)
{
    const vec m = laplace_means(par, LISTS_OF_I, pos, laplace_face, laplace_even, laplace_even);
    const vec pull = vec_here(laplace_pull), e = vec_here(laplace_wall), more = vec_here(ambient_react);
    const vec face = vec_here(laplace_face);
    const num fluid = vec_here(vel).w, volume = vec_here(pos).w, layer = LAPLACE_LAYER(face.w);
    const num mean = layer * m.x + (1.0f - layer) * m.y, line = vec_here(laplace_wide).w;
    const num beside = LAPLACE_BESIDE(e.w), wetted = beside * LAPLACE_UNIT(2.0f * dot3(face, e));
    /* gives waves back what the means of normals and curvature took from them, 5.34, and what the pressure loses that
       particles put 0.2 spacings outside of the surface; less beside walls, where there is liquid on one side only; not
       to a thin rim on a wall, which would come apart */
    const num sharp = (6.8f - 2.8f * beside) * (1.0f - wetted * (1.0f - line));
    const num bent = mean + sharp * layer * (num_here(laplace_even) - mean);
    const num sigma = parameter(laplace, on, fluid) * parameter(laplace, tension, fluid);
    const num pressure = sigma * bent + arg.x;
    /* half of Young's force on a line that moves; the turned normals bear the other half */
    const num young = sigma * (0.5f / par->spacing) * pull.w;
    const num away = -(sigma * (bent - m.y) * line + young) * dot3(pull, e);
    const num rim = max_of(line, layer * wetted);
    /* four times as much between walls and a line: less does not hold contact lines at water's viscosity */
    const laplace_drag drag = laplace_friction(par, LISTS_OF_I, pos, vel, pair_f, laplace_rough, laplace_wall);
    const vec alone = add_scaled3(add_scaled3(scale3(4.0f * arg.y * rim, drag.walls), young, pull), away, e);
    vec force = add_scaled3(add_scaled3(alone, pressure, pull), num_of(arg.y), drag.liquid);
    if (par->film.acts)
        force = add_scaled3(force, sigma,
                            laplace_drawn(par, LISTS_OF_I, pos, laplace_face, film_factor, vec_here(laplace_area)));
    const vec walls = scale3(1.0f / max_of(e.w, num_of(1e-9f)), add_scaled3(alone, pressure, more));
    const num mass = of_fluid(density, fluid) * volume, inv = 1.0f / mass;
    const vec old = vec_here(acc);
    set_num(laplace_kappa, bent);
    set_num(kappa, vec_here(laplace_rough).w);
    set_vec(ambient_react, walls.x, walls.y, walls.z, pressure * volume);
    set_vec(acc, old.x + inv * force.x, old.y + inv * force.y, old.z + inv * force.z, old.w);
    set_vec(piece_force, force.x, force.y, force.z, mass);
}

#define laplace_balance_FIELDS(X) X(CHANGES, real4, acc)

/* arg: acceleration of the liquid as a weight, which it cannot give itself */
KERNEL(laplace_balance)
{
    const vec a = vec_here(acc);
    set_vec(acc, a.x - arg.x, a.y - arg.y, a.z - arg.z, a.w);
}
