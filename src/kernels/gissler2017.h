/* gissler2017.h -- drag of the air on each particle (Gissler et al. 2017). v = v_air - v_i, s = |v|, d the spacing, L = (3/4pi)^(1/3) d:
 *
 *   deformation  y = min(1, C_F rho_a L s^2/(C_k C_b tension)), or, `direct`, the oscillator whose rest this is:
 *                y'' = C_F rho_a s^2/(C_b rho L^2) - C_k tension y/(rho L^3) - C_d mu y'/(rho L^2),   0 <= y <= 1
 *   coefficient  Re = 2 rho_a s L/mu_a,  C_sphere = 24/Re (1 + Re^(2/3)/6) up to Re = 1000, then 0.424;   C_drop = C_sphere (1 + 2.632 y)
 *   area         f = min(1, N/(2/3 38)), N fluid neighbours;   C = (1-f) C_drop + f,  A = (1-f) pi (L (1 + C_b y))^2 + f d^2
 *   exposure     e = 1 - max_j v.x_ij/(s |x_ij|) in [0, 1], x_ij = x_i - x_j, over fluid and wall neighbours
 *   m a = 1/2 rho_a s v C A e
 *
 * Bodies (points b of area A_b with outward normal n_b):  F_b = 1/2 rho_a s v C_b A_b e_b,  e_b as above, 0 on the lee side, n_b.v >= 0.
 *
 * C_F = 1/3, C_k = 8, C_d = 5, C_b = 1/2. Explicit, so a step may take at most half of the relative velocity: the force is cut to that.
 */
/* needs: air.h cohesion.h wall_add.h */
#define gissler2017_PARAMS(P)                                                                                            \
    P(direct, 0, "1", 0, 1, "deformation of drops; 0: in balance with the wind of the moment, 1: an oscillator with memory") \
    P(tension, 0.0724, "N/m", 1e-9, 1e6, "surface tension that keeps a drop round")                                      \
    P(liquid_viscosity, 0.00102, "Pa s", 0, 1e6, "damps the oscillation of a drop")                                      \
    P(strength, 1, "1", 0, 1e6, "factor on the force")

INLINE real drop_radius(PAR) { return 0.620350491f * par->spacing; }

/* what a steady wind makes of y, before the limit of 1 */
INLINE own drop_at_rest(PAR, own s, own tension) { return par->air.density * drop_radius(par) * s * s / (12.0f * tension); }

#define gissler2017_OWNS(F)                                                                             \
    F(deform, real, "1", KEEP, COPY, FLUID, "flattening of a drop, 0 to 1")                             \
    F(deform_rate, real, "1/s", KEEP, COPY, FLUID, "its rate")                                          \
    F(wall_face, real4, "1, m^2", STEP, COPY, POINTS, "outward normal; w: drag coefficient times area")

#define gissler2017_oscillate_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(UPD, real, deform) X(UPD, real, deform_rate) X(TABLE, real4, air_grid)

/* The oscillator over the time arg.x, in pieces of at most half its own time; where these would be too many, in one implicit step. */
LANES(gissler2017_oscillate)
{
    ITEM();
    if (arg.x <= 0.0f) return;
    const own4 u = load4_i(vel, i);
    const own tension = own_max(AT(gissler2017, tension, u.w), own_of(1e-9f)), inv_mass = CORE_AT(inv_density, u.w) / (drop_radius(par) * drop_radius(par));
    const own stiff = 8.0f * tension * inv_mass / drop_radius(par), damp = 5.0f * AT(gissler2017, liquid_viscosity, u.w) * inv_mass;
    const own push = stiff * drop_at_rest(par, air_past(par, air_grid, load4_i(pos, i), u).w, tension);
    const own pieces = own_max(2.0f * arg.x * own_sqrt(stiff), arg.x * damp), cut = own_real(own_whole(own_min(pieces, own_of(1000.0f))));
    const own few = own_pick(pieces < own_of(1000.0f), own_of(1.0f), own_of(0.0f));
    const own count = own_max(few * (cut + own_pick(pieces > cut, own_of(1.0f), own_of(0.0f))), own_of(1.0f));
    const own dt = arg.x / count, soft = few + (1.0f - few) * (1.0f + dt * (damp + dt * stiff)), damping = few * (dt * damp);
    const own first = load1_i(deform, i), first_rate = load1_i(deform_rate, i);
    own y = first, rate = first_rate;
    for (int k = 0; own_any(own_of((float)k) < count); k++) {
        const own part = own_pick(own_of((float)k) < count, own_of(1.0f), own_of(0.0f));
        const own next = (rate + dt * (push - stiff * y) - damping * rate) / soft;
        rate = own_pick(part > own_of(0.0f), next, rate);
        y += part * (dt * rate);
        rate = own_pick(y < own_of(0.0f), own_max(rate, own_of(0.0f)), own_pick(y > own_of(1.0f), own_min(rate, own_of(0.0f)), rate));
        y = own_min(own_max(y, own_of(0.0f)), own_of(1.0f));
    }
    const own felt = AT(gissler2017, on, u.w) * AT(gissler2017, direct, u.w);
    store1_i(deform, i, own_pick(felt < own_of(0.5f), first, y));
    store1_i(deform_rate, i, own_pick(felt < own_of(0.5f), first_rate, rate));
}

/* x^(1/3), x > 0: from x^(5/16), by Halley's iteration */
INLINE own cube_root(own x)
{
    const own q = own_sqrt(own_sqrt(x));
    own y = q * own_sqrt(own_sqrt(q));
    for (int k = 0; k < 3; k++) {
        const own c = y * y * y;
        y *= (c + x + x) / (c + c + x);
    }
    return y;
}

/* Against the wind (ex, ey, ez): 1 if b lies within the support of a, and the square of the cosine at which it then hides a. */
typedef struct neighbour_ahead {
    lane near, cover;
} neighbour_ahead;

INLINE neighbour_ahead look_ahead(PAR, own4 a, lane4 b, own ex, own ey, own ez)
{
    const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    const lane r2 = dx * dx + dy * dy + dz * dz;
    const lane ahead = lane_max(ex * dx + ey * dy + ez * dz, splat(0.0f));
    neighbour_ahead n;
    n.near = within_support(par, r2);
    n.cover = n.near * ahead * ahead / lane_max(r2, splat(1e-30f));
    return n;
}

#define gissler2017_force_FIELDS(X) X(NB, real4, pos) X(OWN, real4, vel) X(UPD, real, deform) X(UPD, real4, acc) X(TABLE, real4, air_grid)

/* arg.x: no step is longer than this */
LANES(gissler2017_force)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own on = AT(gissler2017, on, u.w);
    own4 v = air_past(par, air_grid, a, u);
    const own held = own_min(drop_at_rest(par, v.w, own_max(AT(gissler2017, tension, u.w), own_of(1e-9f))), own_of(1.0f));
    const own y = own_pick((1.0f - AT(gissler2017, direct, u.w)) * on > own_of(0.5f), held, load1_i(deform, i));
    store1_i(deform, i, y);
    const own s = own_pick(v.w < own_of(1e-6f), own_of(0.0f), on * v.w);
    if (!own_any(s > own_of(0.0f))) return;
    const own inv_s = 1.0f / own_max(s, own_of(1e-6f)), ex = v.x * inv_s, ey = v.y * inv_s, ez = v.z * inv_s;
    lane count = splat(0.0f), cover = splat(0.0f); /* cover: the square of the largest cosine */
    FOR_FLUID(j)
        const neighbour_ahead b = look_ahead(par, a, load4_j(pos, j), ex, ey, ez);
        count += b.near;
        cover = lane_max(cover, b.cover);
    END
    FOR_WALLS(j)
        cover = lane_max(cover, look_ahead(par, a, load4_j(pos, j), ex, ey, ez).cover);
    END
    const own exposed = own_max(1.0f - own_sqrt(largest(cover)), own_of(0.0f));
    if (!own_any(exposed > own_of(0.0f))) return;

    const own f = own_min(total(count) * (1.5f / 38.0f), own_of(1.0f));
    own coefficient = f, area = f * par->spacing * par->spacing;
    if (own_any(f < own_of(1.0f))) { /* drops: not in the midst of the liquid */
        const own reynolds = own_max(s * (2.0f * par->air.density * drop_radius(par) / par->air.viscosity), own_of(1e-3f)), root = cube_root(reynolds);
        const own sphere = own_pick(reynolds > own_of(1000.0f), own_of(0.424f), 24.0f / reynolds + 4.0f / root);
        const own wide = drop_radius(par) * (1.0f + 0.5f * y);
        coefficient += (1.0f - f) * sphere * (1.0f + 2.632f * y);
        area += (1.0f - f) * 3.14159265f * wide * wide;
    }
    const own push = 0.5f * AT(gissler2017, strength, u.w) * par->air.density * s * coefficient * area * exposed;
    const own rate = own_min(push * CORE_AT(inv_density, u.w) / a.w, own_of(0.5f / arg.x));
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + rate * v.x, old.y + rate * v.y, old.z + rate * v.z, old.w);
}

#define gissler2017_on_bodies_FIELDS(X) \
    X(NB, real4, pos) X(OWN, real4, vel) X(OWN, real4, wall_face) X(UPD, real4, wall_force) X(TABLE, real4, air_grid)

/* wall_face = (n_b, C_b A_b), negative where both sides of a sheet are outside; arg.x as above. */
LANES(gissler2017_on_bodies)
{
    ITEM();
    const own4 face = load4_i(wall_face, i), a = load4_i(pos, i), u = load4_i(vel, i), v = air_past(par, air_grid, a, u);
    const own lee = own_pick(face.w > own_of(0.0f), face.x * v.x + face.y * v.y + face.z * v.z, own_of(-1.0f));
    const own size = own_pick((lee < own_of(0.0f)) & (v.w >= own_of(1e-6f)), own_max(face.w, -face.w), own_of(0.0f));
    if (!own_any(size > own_of(0.0f))) return;
    const own s = own_max(v.w, own_of(1e-6f)), ex = v.x / s, ey = v.y / s, ez = v.z / s;
    lane cover = splat(0.0f);
    FOR_ALL(j)
        cover = lane_max(cover, look_ahead(par, a, load4_j(pos, j), ex, ey, ez).cover);
    END
    const own exposed = own_max(1.0f - own_sqrt(largest(cover)), own_of(0.0f));
    const own most = 0.5f * CORE_AT(point_mass, u.w) / arg.x; /* 0: nothing moves it */
    const own push = 0.5f * par->air.density * s * size * exposed;
    add_on_wall(wall_force, i, own_pick(most > own_of(0.0f), own_min(push, most), push), v.x, v.y, v.z);
}
