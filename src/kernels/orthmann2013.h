/* orthmann2013.h -- surface area of each particle, after Orthmann et al. 2013 (docs/methods/surface-area.md), in four passes over the lists.
 * Lengths in spacings d, volumes in d^3; q = r/h; sums over the particles of the same liquid:
 *
 *   a_i = V_i/P sum_j V_j (1-q)^3 x_ij                                    offset from the weighted mean, as a vector of area: it acts like the
 *                                                                         force of a constant pressure P, so its sum over a patch of surface is the patch
 *   s_i = sum_j (1-q^2)^2 a_j (j != i),  N = s/|s|                        the same offset with a wide kernel: normal and distance
 *   delta_i = (|s_i| - s_min)/(s_0 - s_min), 0 to 1                       half-sided: 1 in the outermost layer, 0 from the third on
 *   b_j = a_j.N_j (1 + t (k_1 + k_2) + e max(0, (k_1 - k_2)^2 - c))      area at the true surface, half a spacing outside the centres; curvatures k from
 *                                                                         the normals of the neighbours; the last term is for edges
 *   A_i = delta_i sum_j k_ij b_j/D_j,  D_j = sum_k k_jk delta_k           shared out among the surface particles: the sum over i is that over j
 *
 * Sheets of one or two layers: their sides are too near for a to be a force of either. There b is the area of a sheet as thick as what lies above
 * and below an area of it, K = sum_j V_j (1-q^2)^2 (1 + c l), and of its rim; l is the mean square of x_ij across the sheet, along the eigenvector of the smallest
 * eigenvalue of the covariance C of the neighbours:
 *
 *   b_i = 2 K_1/(K + u a_t) + v a_t                                       a_t: the part of a along the sheet, which is there at a rim alone
 *
 * A particle is in such a sheet as far as C is flat (theta -> 1: one layer) or as its neighbours face away from it on the far side (psi -> 1: two layers).
 * Walls count as filled space, or not at all (walls: 0). Constants (par->surface_...) come from reference configurations, see methods/orthmann2013.c.
 */
/* needs: cohesion.h */
#define orthmann2013_PARAMS(P)                                                                                              \
    P(smoothing, 0.1, "1", 0.001, 1, "share of the new delta function in a step; 1: no smoothing over time")                \
    P(every, 2, "1", 1, 1000, "new areas every so many steps")                                                              \
    P(refresh, 10, "1", 1, 1000, "the same for a liquid that hardly deforms")                    \
    P(coherence, 0.001, "1", 0, 1, "a liquid hardly deforms if no density changes by more than this in a step")              \
    P(walls, 1, "1", 0, 1, "1: no surface where the liquid touches a wall; 0: wetted walls count as surface")

#define orthmann2013_OWNS(F)                                                                    \
    F(area, real, "m^2", KEEP, COPY, FLUID, "surface that belongs to the particle")             \
    F(delta, real, "1", KEEP, COPY, FLUID, "nearness to the surface, 0 to 1")                   \
    F(skin, real4, "1, 1/m", KEEP, COPY, FLUID, "normal; w: mean curvature")                    \
    F(outward, real4, "1, 1", STEP, COPY, FLUID, "offset a; w: roundness of the neighbourhood") \
    F(facing, real4, "1, 1", STEP, COPY, FLUID, "normal; w: area but for the curvatures")       \
    F(share, real, "1", STEP, COPY, FLUID, "psi, then b/D")

#define surface_change_FIELDS(X) X(OWN, real, source) X(OUT, real4, term)

/* |dn/dt| at the start of the step, 1/s */
LANES(surface_change)
{
    ITEM();
    const own rate = load1_i(source, i);
    store4_i(term, i, own_pick(rate > own_of(-1e19f), own_max(rate, -rate), own_of(0.0f)), 0.0f, 0.0f, 0.0f);
}

/* A symmetric matrix. */
typedef struct six {
    own xx, yy, zz, xy, xz, yz;
} six;

INLINE six six_scaled(six m)
{
    const own trace = m.xx + m.yy + m.zz, s = own_pick(trace > own_of(1e-6f), 1.0f / trace, own_of(0.0f));
    six r;
    r.xx = s * m.xx, r.yy = s * m.yy, r.zz = s * m.zz, r.xy = s * m.xy, r.xz = s * m.xz, r.yz = s * m.yz;
    return r;
}

INLINE six six_square(six m)
{
    six r;
    r.xx = m.xx * m.xx + m.xy * m.xy + m.xz * m.xz;
    r.yy = m.xy * m.xy + m.yy * m.yy + m.yz * m.yz;
    r.zz = m.xz * m.xz + m.yz * m.yz + m.zz * m.zz;
    r.xy = m.xx * m.xy + m.xy * m.yy + m.xz * m.yz;
    r.xz = m.xx * m.xz + m.xy * m.yz + m.xz * m.zz;
    r.yz = m.xy * m.xz + m.yy * m.yz + m.yz * m.zz;
    return six_scaled(r);
}

/* Area of a particle in a sheet of K and with a_t, in a thread or alone. */
INLINE own surface_sheet(PAR, own k, own rim)
{
    const real one = par->surface_sheet, thread = par->surface_thread;
    const own whole = k + par->surface_lack * rim, thin = 2.0f * one / own_max(whole, own_of(1.0f)), part = one / own_max(whole, own_of(one)), part2 = part * part;
    /* round threads of d^2, balls of d^3 */
    const own threads = own_pick(whole < own_of(thread), 4.83597586f - (whole - 1.0f) * ((4.83597586f - 3.54490770f) / (thread - 1.0f)),
                                 3.54490770f - (whole - thread) * (1.54490770f / (one - thread)));
    return own_pick(whole < own_of(one), own_min(threads, thin), thin) + (1.0f + par->surface_rim * (part2 * part2)) * rim;
}

/* Between 0 and 1. */
INLINE own cut_to_one(own v) { return own_min(own_max(v, own_of(0.0f)), own_of(1.0f)); }

#define surface_offset_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(OWN, real, dens) X(OUT, real4, outward) X(OUT, real, area) X(OUT, real4, term)

/* outward = (a, det C/(tr C/3)^3); area = b of a sheet; term = P and 1, of the particles inside the liquid and away from walls, then of
   all inside: the pressure that belongs to this packing, in the space V/n of a particle */
LANES(surface_offset)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const real inv_d = 1.0f / par->spacing, inv_v = inv_d * inv_d * inv_d;
    const own rho = CORE_AT(density, u.w), solid = own_pick(AT(orthmann2013, walls, u.w) > own_of(0.5f), own_of(1.0f), own_of(0.0f));
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f), weight = splat(0.0f), wide = splat(0.0f);
    lane xx = splat(0.0f), yy = splat(0.0f), zz = splat(0.0f), xy = splat(0.0f), xz = splat(0.0f), yz = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = (a.x - b.x) * inv_d, dy = (a.y - b.y) * inv_d, dz = (a.z - b.z) * inv_d;
        const lane p = lane_max(splat(1.0f) - 0.5f * lane_sqrt(dx * dx + dy * dy + dz * dz), splat(0.0f));
        const lane v = same_liquid(par, rho, fluid_there(par, vel, j)) * inv_v * b.w, c = v * p * p * p, cx = c * dx, cy = c * dy, cz = c * dz;
        const lane even = p * (2.0f - p);
        wide += v * (even * even);
        weight += c;
        x += cx;
        y += cy;
        z += cz;
        xx += cx * dx;
        yy += cy * dy;
        zz += cz * dz;
        xy += cx * dy;
        xz += cx * dz;
        yz += cy * dz;
    END
    own mx = total(x), my = total(y), mz = total(z), wetted = own_of(0.0f);
    if (own_any(solid > own_of(0.0f))) {
        lane wx = splat(0.0f), wy = splat(0.0f), wz = splat(0.0f), wall = splat(0.0f);
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j);
            const lane dx = (a.x - b.x) * inv_d, dy = (a.y - b.y) * inv_d, dz = (a.z - b.z) * inv_d;
            const lane p = lane_max(splat(1.0f) - 0.5f * lane_sqrt(dx * dx + dy * dy + dz * dz), splat(0.0f));
            const lane v = solid * (inv_v * par->surface_layer) * b.w, c = v * p * p * p, cx = c * dx, cy = c * dy, cz = c * dz;
            const lane even = p * (2.0f - p);
            wide += v * (even * even);
            wall += c;
            wx += cx;
            wy += cy;
            wz += cz;
            xx += cx * dx;
            yy += cy * dy;
            zz += cz * dz;
            xy += cx * dy;
            xz += cx * dz;
            yz += cy * dz;
        END
        /* One layer of points stands for the solid behind it: between its own volume and the V_b that pressure sees, as much as the liquid presses against; the one
           point of a volume map, which holds all of it, counts for no more than half a space. */
        const own fx = total(wx), fy = total(wy), fz = total(wz), square = fx * fx + fy * fy + fz * fz, size = own_sqrt(square);
        const own wanted = own_pick(square > own_of(1e-12f), -(mx * fx + my * fy + mz * fz) / square, own_of(1.0f));
        const own least = own_min(par->surface_pressure / own_max(size, own_of(1e-6f)), own_of(1.0f));
        const own filled = own_min(own_max(wanted, least), own_of(1.0f / par->surface_layer));
        /* Along a wall that goes on above the liquid its points cancel out: what they lack below the surface. */
        const own beside = par->surface_beside * own_min(size / par->surface_pressure, own_of(1.0f)), take = beside * wanted;
        mx += (filled + take) * fx + beside * mx, my += (filled + take) * fy + beside * my, mz += (filled + take) * fz + beside * mz, wetted = total(wall);
    }
    const own inv = 1.0f / (total(weight) + wetted + inv_v * a.w), ex = inv * mx, ey = inv * my, ez = inv * mz;
    const own sxx = total(xx), syy = total(yy), szz = total(zz);
    const own cxx = inv * sxx - ex * ex, cyy = inv * syy - ey * ey, czz = inv * szz - ez * ez;
    const own cxy = inv * total(xy) - ex * ey, cxz = inv * total(xz) - ex * ez, cyz = inv * total(yz) - ey * ez;
    const own det = cxx * (cyy * czz - cyz * cyz) - cxy * (cxy * czz - cyz * cxz) + cxz * (cxy * cyz - cyy * cxz);
    const own mean = (cxx + cyy + czz) * 0.333333333f, round = own_pick(mean > own_of(1e-4f), det / (mean * mean * mean), own_of(0.0f));
    const own s = inv_v * a.w / par->surface_pressure, ax = s * mx, ay = s * my, az = s * mz, square = ax * ax + ay * ay + az * az;
    store4_i(outward, i, ax, ay, az, round);
    /* n n^T of the direction n across: the eighth power of the adjugate, where the smallest eigenvalue of C is the largest */
    six across;
    across.xx = cyy * czz - cyz * cyz, across.yy = cxx * czz - cxz * cxz, across.zz = cxx * cyy - cxy * cxy;
    across.xy = cxz * cyz - cxy * czz, across.xz = cxy * cyz - cxz * cyy, across.yz = cxy * cxz - cxx * cyz;
    across = six_square(six_square(six_square(six_scaled(across))));
    const own spread = across.xx * cxx + across.yy * cyy + across.zz * czz + 2.0f * (across.xy * cxy + across.xz * cxz + across.yz * cyz);
    const own through = across.xx * ax * ax + across.yy * ay * ay + across.zz * az * az + 2.0f * (across.xy * ax * ay + across.xz * ax * az + across.yz * ay * az);
    const own thick = own_max(spread, own_of(0.0f)) + (inv / s) * (inv / s) * through;
    const own side = own_sqrt(own_max(square - through, own_of(0.0f))), rim = own_min(own_max(par->surface_sharp * (side - par->surface_rough), own_of(0.0f)), side);
    store1_i(area, i, surface_sheet(par, (total(wide) + inv_v * a.w) * (1.0f + par->surface_thick * thick), rim));
    const own still = own_pick(square < own_of(par->surface_still * par->surface_still), own_of(1.0f), own_of(0.0f)), inside = own_pick(round > own_of(par->surface_round), still, own_of(0.0f));
    const own pressure = load1_i(dens, i) * (sxx + syy + szz) * 0.166666667f, free = own_pick(wetted > own_of(0.0f), own_of(0.0f), inside);
    store4_i(term, i, free * pressure, free, inside * pressure, inside);
}

#define surface_facing_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, outward) X(OWN, real, area) X(UPD, real, delta) X(OUT, real4, facing) X(OUT, real, share)

/* facing = ((1 - theta) N, b but for the curvatures); share = psi; delta is smoothed over time (0: a new particle). arg.x = P of the reference over that of this
   packing, arg.y = steps since the last time */
LANES(surface_facing)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), o = load4_i(outward, i);
    const own rho = CORE_AT(density, u.w), theta = cut_to_one((par->surface_flat - o.w) * (1.0f / (par->surface_flat - par->surface_one)));
    const real inv_d = 1.0f / par->spacing;
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f), away = splat(0.0f), like = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), p = load4_j(outward, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane c = same_liquid(par, rho, fluid_there(par, vel, j)) * surface_weight(par, dx * dx + dy * dy + dz * dz);
        const lane mine = lane_max(dx * o.x + dy * o.y + dz * o.z, splat(0.0f)), theirs = lane_min(dx * p.x + dy * p.y + dz * p.z, splat(0.0f));
        x += c * p.x;
        y += c * p.y;
        z += c * p.z;
        away -= c * (mine * theirs);
        like += c * lane_max(o.x * p.x + o.y * p.y + o.z * p.z, splat(0.0f));
    END
    const own sx = total(x), sy = total(y), sz = total(z), s = own_sqrt(sx * sx + sy * sy + sz * sz), inv = 1.0f / own_max(s, own_of(1e-6f));
    const own along = arg.x * inv * (o.x * sx + o.y * sy + o.z * sz), keep = 1.0f - theta;
    /* two layers: neighbours that face the other way, from where these face; a clear offset; no round neighbourhood */
    const own apart = inv_d * inv_d * total(away), far = apart / own_max(par->surface_apart * (apart + total(like)), own_of(1e-9f));
    const own clear = (own_sqrt(o.x * o.x + o.y * o.y + o.z * o.z) - par->surface_inner) * (1.0f / (par->surface_outer - par->surface_inner)), flat = par->surface_thin * (par->surface_round - o.w);
    const own psi = own_max(theta, cut_to_one((far - par->surface_same) * (1.0f / (par->surface_other - par->surface_same))) * cut_to_one(clear) * cut_to_one(flat));
    store4_i(facing, i, keep * inv * sx, keep * inv * sy, keep * inv * sz, along + psi * (load1_i(area, i) - along));
    store1_i(share, i, psi);
    const own step = own_min(own_max((s - par->surface_least) / (par->surface_first - par->surface_least), own_of(1e-6f)), own_of(1.0f));
    const own fresh = own_max(psi, step), old = load1_i(delta, i);
    own rest = own_pick(old > own_of(0.0f), own_of(1.0f), own_of(0.0f));
    for (int k = 0; k < (int)arg.y; k++) rest *= 1.0f - AT(orthmann2013, smoothing, u.w);
    store1_i(delta, i, rest * old + (1.0f - rest) * fresh);
}

/* Normals at a right angle or more; those of lattices are at right angles but for rounding. A sheet has none. */
INLINE own_int surface_across(vec f, vec g)
{
    return f.x * g.x + f.y * g.y + f.z * g.z < (1e-3f * (f.x * f.x + f.y * f.y + f.z * f.z)) * (g.x * g.x + g.y * g.y + g.z * g.z);
}

/* Below this a particle is inside the liquid. */
#define SURFACE_NONE 1e-4f
INLINE own at_surface(own delta, own value) { return own_pick(delta > own_of(SURFACE_NONE), value, own_of(0.0f)); }

#define surface_share_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, facing) X(NB, real, delta) X(UPD, real, share) X(OUT, real4, skin)

/* share = b/D; skin = normal (0 in a sheet) and mean curvature, 1/m */
LANES(surface_share)
{
    ITEM();
    const own delta_i = load1_i(delta, i);
    if (!own_any(delta_i > own_of(SURFACE_NONE))) {
        store1_i(share, i, own_of(0.0f));
        store4_i(skin, i, own_of(0.0f), own_of(0.0f), own_of(0.0f), own_of(0.0f));
        return;
    }
    const vec a = vec_i(pos, i), f = vec_i(facing, i);
    const own rho = CORE_AT(density, load4_i(vel, i).w);
    const real inv_d = 1.0f / par->spacing;
    lane sum = splat(0.0f), bend = splat(0.0f), turn = splat(0.0f), square = splat(0.0f);
    FOR_FLUID(j)
        const vec b = vec_j(pos, j), g = vec_j(facing, j);
        const lane dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, r2 = dx * dx + dy * dy + dz * dz;
        const lane same = same_liquid(par, rho, fluid_there(par, vel, j)) * surface_weight(par, r2) * load1_j(delta, j);
        const lane c = lane_pick(surface_across(f, g), splat(0.0f), same); /* not the other side of a sheet */
        const lane off = dx * f.x + dy * f.y + dz * f.z, nx = g.x - f.x, ny = g.y - f.y, nz = g.z - f.z;
        sum += c;
        bend += c * (dx * nx + dy * ny + dz * nz);
        turn += c * (nx * nx + ny * ny + nz * nz);
        square += c * (r2 - off * off);
    END
    const own across = total(square) * inv_d * inv_d;
    const own inv = own_pick(across > own_of(1e-3f), 2.0f / across, own_of(0.0f));
    const own curved = own_min(own_max(total(bend) * inv_d * inv, own_of(-1.0f)), own_of(1.0f));
    const own unlike = own_min(own_max(2.0f * total(turn) * inv - curved * curved - par->surface_smooth, own_of(0.0f)), own_of(par->surface_bent));
    const own held = 1.0f + (1.0f - load1_i(share, i)) * (par->surface_depth * curved + par->surface_edge * delta_i * unlike);
    store1_i(share, i, at_surface(delta_i, f.w * held / own_max(total(sum) + delta_i, own_of(par->surface_few))));
    store4_i(skin, i, at_surface(delta_i, f.x), at_surface(delta_i, f.y), at_surface(delta_i, f.z), at_surface(delta_i, 0.5f * inv_d * curved));
}

#define surface_area_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, facing) X(NB, real, share) X(OWN, real, delta) X(OUT, real, area)

LANES(surface_area)
{
    ITEM();
    const own fluid = load4_i(vel, i).w, delta_i = load1_i(delta, i);
    const own own_delta = own_pick(delta_i > own_of(SURFACE_NONE), delta_i * AT(orthmann2013, on, fluid), own_of(0.0f));
    if (!own_any(own_delta > own_of(0.0f))) {
        store1_i(area, i, own_of(0.0f));
        return;
    }
    const vec a = vec_i(pos, i), f = vec_i(facing, i);
    const own rho = CORE_AT(density, fluid);
    lane sum = splat(0.0f);
    FOR_FLUID(j)
        const vec b = vec_j(pos, j), g = vec_j(facing, j);
        const lane dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
        const lane c = same_liquid(par, rho, fluid_there(par, vel, j)) * surface_weight(par, dx * dx + dy * dy + dz * dz) * load1_j(share, j);
        sum += lane_pick(surface_across(f, g), splat(0.0f), c);
    END
    store1_i(area, i, par->spacing * par->spacing * own_delta * own_max(total(sum) + load1_i(share, i), own_of(0.0f)));
}
