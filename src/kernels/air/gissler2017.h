/* gissler2017.h -- drag of the air on each particle (Gissler et al. 2017). v = v_air - v_i, s = |v|, d the spacing, L =
 * (3/4pi)^(1/3) d:
 *
 *   deformation  y = min(1, C_F rho_a L s^2/(C_k C_b tension)), or, `direct`, the oscillator whose rest this is:
 *                y'' = C_F rho_a s^2/(C_b rho L^2) - C_k tension y/(rho L^3) - C_d mu y'/(rho L^2),   0 <= y <= 1
 *   coefficient  Re = 2 rho_a s L/mu_a,  C_sphere = 24/Re (1 + Re^(2/3)/6) up to Re = 1000, then 0.424
 *                C_drop = C_sphere (1 + 2.632 y)
 *   area         f = min(1, N/(2/3 38)), N fluid neighbours (38: with a support of 2 d)
 *                C = (1-f) C_drop + f,  A = (1-f) pi (L (1 + C_b y))^2 + f d^2
 *   exposure     e = 1 - max_j v.x_ij/(s |x_ij|) in [0, 1], x_ij = x_i - x_j, over fluid and wall neighbours
 *   m a = 1/2 rho_a s v C A e
 *
 * Bodies (points b of area A_b with outward normal n_b): F_b = 1/2 rho_a s v C_b A_b e_b, e_b as above, 0 on the lee
 * side, n_b.v >= 0.
 *
 * C_F = 1/3, C_k = 8, C_d = 5, C_b = 1/2. Explicit, so a step may take at most half of the relative velocity: the force
 * is cut to that.
 *
 * Hand-tuned: the loop keeps the square of the largest cosine, so that there is one root a particle; those that feel
 * no wind, or are hidden, skip the rest.
 */
/* needs: air_velocity.h boundary_add.h masks.h vec.h */
#define gissler2017_PARAMS(P)                                                                            \
    P(direct, 0, "1", 0, 1,                                                                          \
        "deformation of drops; 0: in balance with the present wind, 1: an oscillator with a memory") \
    P(tension, 0.0724, "N/m", 1e-9, 1e6, "surface tension that keeps a drop round")                  \
    P(liquid_viscosity, 0.00102, "Pa s", 0, 1e6, "damps the oscillation of a drop")                  \
    P(strength, 1, "1", 0, 1e6, "factor on the force")

INLINE real drop_radius(PAR) { return 0.620350491f * par->spacing; }

/* what a steady wind makes of y, before the limit of 1 */
INLINE num drop_at_rest(PAR, num s, num tension)
{
    return par->air.density * drop_radius(par) * s * s / (12.0f * tension);
}

#define gissler2017_OWNS(F)                                                 \
    F(deform, real, "1", KEEP, COPY, FLUID, "flattening of a drop, 0 to 1") \
    F(deform_rate, real, "1/s", KEEP, COPY, FLUID, "rate of deform")        \
    F(wall_face, real4, "1, m^2", STEP, COPY, POINTS, "outward normal; w: drag coefficient times area")

#define gissler2017_oscillate_FIELDS(X)                                                            \
    X(HERE, real4, pos) X(HERE, real4, vel) X(CHANGES, real, deform) X(CHANGES, real, deform_rate) \
    X(TABLE, real4, air_grid)

/* The oscillator over the time arg.x, in pieces of at most half its own time; where these would be too many, in one
   implicit step. */
KERNEL(gissler2017_oscillate)
{
    if (arg.x <= 0.0f) return;
    const vec u = vec_here(vel);
    const num tension = max_of(parameter(gissler2017, tension, u.w), num_of(1e-9f)),
              inv_mass = of_fluid(inv_density, u.w) / (drop_radius(par) * drop_radius(par));
    const num stiff = 8.0f * tension * inv_mass / drop_radius(par),
              damp = 5.0f * parameter(gissler2017, liquid_viscosity, u.w) * inv_mass;
    const num drive = stiff * drop_at_rest(par, air_past(par, air_grid, vec_here(pos), u).w, tension);
    const num pieces = max_of(2.0f * arg.x * sqrt_of(stiff), arg.x * damp),
              cut = real_of(whole_of(min_of(pieces, num_of(1000.0f))));
    const num few = choose(pieces < num_of(1000.0f), num_of(1.0f), num_of(0.0f));
    const num count = max_of(few * (cut + choose(pieces > cut, num_of(1.0f), num_of(0.0f))), num_of(1.0f));
    const num dt = arg.x / count, soft = few + (1.0f - few) * (1.0f + dt * (damp + dt * stiff)),
              damping = few * (dt * damp);
    const num first = num_here(deform), first_rate = num_here(deform_rate);
    num y = first, rate = first_rate;
    for (int k = 0; anyone(num_of((float)k) < count); k++) {
        const num part = choose(num_of((float)k) < count, num_of(1.0f), num_of(0.0f));
        const num next = (rate + dt * (drive - stiff * y) - damping * rate) / soft;
        rate = choose(part > num_of(0.0f), next, rate);
        y += part * (dt * rate);
        rate = choose(y < num_of(0.0f), max_of(rate, num_of(0.0f)),
                      choose(y > num_of(1.0f), min_of(rate, num_of(0.0f)), rate));
        y = min_of(max_of(y, num_of(0.0f)), num_of(1.0f));
    }
    const num felt = parameter(gissler2017, on, u.w) * parameter(gissler2017, direct, u.w);
    set_num(deform, choose(felt < num_of(0.5f), first, y));
    set_num(deform_rate, choose(felt < num_of(0.5f), first_rate, rate));
}

/* x^(1/3), x > 0: from x^(5/16), by Halley's iteration */
INLINE num cube_root(num x)
{
    const num q = sqrt_of(sqrt_of(x));
    num y = q * sqrt_of(sqrt_of(q));
    for (int k = 0; k < 3; k++) {
        const num c = y * y * y;
        y *= (c + x + x) / (c + c + x);
    }
    return y;
}

/* Against the wind e: 1 if b lies within the support of a, and the square of the cosine at which it then
   hides a. */
typedef struct neighbour_ahead {
    num near, cover;
} neighbour_ahead;

INLINE neighbour_ahead look_ahead(PAR, vec a, vec b, vec e)
{
    const vec x = sub3(a, b);
    const num r2 = square3(x), ahead = max_of(inner3(e, x), num_of(0.0f));
    neighbour_ahead n;
    n.near = within_support(par, r2);
    n.cover = n.near * ahead * ahead / max_of(r2, num_of(1e-30f));
    return n;
}

#define gissler2017_force_FIELDS(X)                                                           \
    X(AROUND, real4, pos) X(HERE, real4, vel) X(CHANGES, real, deform) X(CHANGES, real4, acc) \
    X(TABLE, real4, air_grid)

/* arg.x: no step is longer than this */
KERNEL(gissler2017_force)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const num on = parameter(gissler2017, on, u.w);
    vec v = air_past(par, air_grid, a, u);
    const num held = min_of(drop_at_rest(par, v.w, max_of(parameter(gissler2017, tension, u.w), num_of(1e-9f))),
                            num_of(1.0f));
    const num y = choose((1.0f - parameter(gissler2017, direct, u.w)) * on > num_of(0.5f), held, num_here(deform));
    set_num(deform, y);
    const num s = choose(v.w < num_of(1e-6f), num_of(0.0f), on * v.w);
    if (!anyone(s > num_of(0.0f))) return;
    const vec e = scale3(1.0f / max_of(s, num_of(1e-6f)), v);
    num count = num_of(0.0f), cover = num_of(0.0f); /* cover: the square of the largest cosine */
    FOR_FLUID(j)
        const neighbour_ahead b = look_ahead(par, a, vec_there(pos, j), e);
        count += b.near;
        cover = max_of(cover, b.cover);
    END
    FOR_BOUNDARY(j)
        cover = max_of(cover, look_ahead(par, a, vec_there(pos, j), e).cover);
    END
    const num exposed = max_of(1.0f - sqrt_of(cover), num_of(0.0f));
    if (!anyone(exposed > num_of(0.0f))) return;

    const num f = min_of(count * (1.5f / 38.0f) / par->neighbour_ratio, num_of(1.0f));
    num coefficient = f, area = f * par->spacing * par->spacing;
    if (anyone(f < num_of(1.0f))) { /* drops: not inside the liquid */
        const num reynolds = max_of(s * (2.0f * par->air.density * drop_radius(par) / par->air.viscosity),
                                    num_of(1e-3f)),
                  root = cube_root(reynolds);
        const num sphere = choose(reynolds > num_of(1000.0f), num_of(0.424f), 24.0f / reynolds + 4.0f / root);
        const num wide = drop_radius(par) * (1.0f + 0.5f * y);
        coefficient += (1.0f - f) * sphere * (1.0f + 2.632f * y);
        area += (1.0f - f) * 3.14159265f * wide * wide;
    }
    const num drag = 0.5f * parameter(gissler2017, strength, u.w) * par->air.density * s * coefficient * area * exposed;
    const num rate = min_of(drag * of_fluid(inv_density, u.w) / a.w, num_of(0.5f / arg.x));
    store_sum3(acc, i, rate, v);
}

#define gissler2017_on_bodies_FIELDS(X)                                                               \
    X(AROUND, real4, pos) X(HERE, real4, vel) X(HERE, real4, wall_face) X(CHANGES, real4, boundary_force) \
    X(TABLE, real4, air_grid)

/* wall_face = (n_b, C_b A_b), negative where both sides of a sheet are outside; arg.x as above. */
KERNEL(gissler2017_on_bodies)
{
    const vec face = vec_here(wall_face), a = vec_here(pos), u = vec_here(vel), v = air_past(par, air_grid, a, u);
    const num lee = choose(face.w > num_of(0.0f), inner3(face, v), num_of(-1.0f));
    const num size = choose((lee < num_of(0.0f)) & (v.w >= num_of(1e-6f)), max_of(face.w, -face.w), num_of(0.0f));
    if (!anyone(size > num_of(0.0f))) return;
    const num s = max_of(v.w, num_of(1e-6f));
    const vec e = vec_of(v.x / s, v.y / s, v.z / s);
    num cover = num_of(0.0f);
    FOR_ALL(j)
        cover = max_of(cover, look_ahead(par, a, vec_there(pos, j), e).cover);
    END
    const num exposed = max_of(1.0f - sqrt_of(cover), num_of(0.0f));
    const num most = 0.5f * of_object(point_mass, u.w) / arg.x; /* 0: nothing moves it */
    const num drag = 0.5f * par->air.density * s * size * exposed;
    add_on_boundary(boundary_force, i, choose(most > num_of(0.0f), min_of(drag, most), drag), v);
}
