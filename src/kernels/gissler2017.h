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
#define gissler2017_PARAMS(P)                                                                                            \
    P(direct, 0, "1", 0, 1, "deformation of the drops: 0 as the wind of the moment would hold it, 1 it oscillates on its own") \
    P(tension, 0.0724, "N/m", 1e-9, 1e6, "surface tension that keeps a drop round")                                      \
    P(liquid_viscosity, 0.00102, "Pa s", 0, 1e6, "damps the oscillation of a drop")                                      \
    P(strength, 1, "1", 0, 1e6, "factor on the force")

#define DROP_RADIUS (0.620350491f * par->spacing)

/* what a steady wind makes of y, before the limit of 1 */
INLINE own drop_at_rest(PAR, own s, own tension) { return par->air.density * DROP_RADIUS * s * s / (12.0f * tension); }

#define gissler2017_oscillate_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(UPD, real, deform) X(UPD, real, deform_rate) X(TABLE, real4, air_grid)

/* The oscillator over the time arg.x, in pieces of at most half its own time; where these would be too many, in one implicit step. */
KERNEL(gissler2017_oscillate)
{
    ITEM();
    const own4 u = load4_i(vel, i);
    if (AT(gissler2017, on, u.w) == 0.0f || AT(gissler2017, direct, u.w) < 0.5f || arg.x <= 0.0f) return;
    const own tension = AT(gissler2017, tension, u.w), radius = DROP_RADIUS, inv_mass = CORE_AT(inv_density, u.w) / (radius * radius);
    const own stiff = 8.0f * tension * inv_mass / radius, damp = 5.0f * AT(gissler2017, liquid_viscosity, u.w) * inv_mass;
    const own push = stiff * drop_at_rest(par, air_past(par, air_grid, load4_i(pos, i), u).w, tension);
    const own pieces = own_max(2.0f * arg.x * own_sqrt(stiff), arg.x * damp);
    const int count = pieces < 1000.0f ? (int)pieces + (pieces > (float)(int)pieces ? 1 : 0) : 1;
    const own dt = arg.x / (float)count, soft = pieces < 1000.0f ? 1.0f : 1.0f + dt * (damp + dt * stiff);
    const own damping = pieces < 1000.0f ? dt * damp : 0.0f;
    own y = load1_i(deform, i), rate = load1_i(deform_rate, i);
    for (int k = 0; k < count; k++) {
        rate = (rate + dt * (push - stiff * y) - damping * rate) / soft;
        y += dt * rate;
        if (y < 0.0f) y = 0.0f, rate = own_max(rate, 0.0f);
        if (y > 1.0f) y = 1.0f, rate = own_min(rate, 0.0f);
    }
    store1_i(deform, i, y);
    store1_i(deform_rate, i, rate);
}

#define gissler2017_wind_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(UPD, real, deform) X(OUT, real4, wind) X(TABLE, real4, air_grid)

/* wind = (v, s), 0 where nothing is felt; the force follows in drag_force.h. */
KERNEL(gissler2017_wind)
{
    ITEM();
    const own4 u = load4_i(vel, i);
    own4 v = air_past(par, air_grid, load4_i(pos, i), u);
    const bool on = AT(gissler2017, on, u.w) != 0.0f;
    if (on && AT(gissler2017, direct, u.w) < 0.5f) store1_i(deform, i, own_min(drop_at_rest(par, v.w, AT(gissler2017, tension, u.w)), 1.0f));
    if (!on || v.w < 1e-6f) v.x = v.y = v.z = v.w = 0.0f;
    store4_i(wind, i, v.x, v.y, v.z, v.w);
}

#define gissler2017_on_bodies_FIELDS(X) \
    X(NB, real4, pos) X(OWN, real4, vel) X(OWN, real4, wall_face) X(UPD, real4, wall_force) X(TABLE, real4, air_grid)

/* wall_face = (n_b, C_b A_b), negative where both sides of a sheet are outside; arg.x as above. */
KERNEL(gissler2017_on_bodies)
{
    ITEM();
    const own4 face = load4_i(wall_face, i);
    if (face.w == 0.0f) return;
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), v = air_past(par, air_grid, a, u);
    const own s = v.w;
    if (s < 1e-6f || (face.w > 0.0f && face.x * v.x + face.y * v.y + face.z * v.z >= 0.0f)) return;
    const own ex = v.x / s, ey = v.y / s, ez = v.z / s;
    lane cover = splat(0.0f);
    FOR_ALL(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane ahead = lane_max(ex * dx + ey * dy + ez * dz, splat(0.0f));
        cover = lane_max(cover, within_support(par, r2) * ahead * ahead / lane_max(r2, splat(1e-30f)));
    END
    const own exposed = own_max(1.0f - own_sqrt(largest(cover)), 0.0f), size = face.w > 0.0f ? face.w : -face.w;
    const own most = 0.5f * CORE_AT(point_mass, u.w) / arg.x; /* 0: nothing moves it */
    own push = 0.5f * par->air.density * s * size * exposed;
    if (most > 0.0f && push > most) push = most;
    ADD_ON_WALL_(wall_force, push, v.x, v.y, v.z);
}
