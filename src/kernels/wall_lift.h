/* wall_lift.h -- the gradient of the pressure along a wall, where the wall's particles count more than in the papers (wall_weight beta > 1).
 *
 * A wall particle has the pressure of whoever looks at it, so that a pressure that grows along the wall is seen from the fluid's side only: on a lattice 0.85 of it next to
 * a flat wall, 0.71 in an edge. With beta = 1 the particles there have too high a pressure, which makes up for it; with the right pressure they would sink. So
 * what the pressure does along the wall is raised by what is missing:
 *
 *   a_i <- M_i a_i,  M_i = 1 + s_i (1 - n n^T),  n: direction of sum_b V_b gradW_ib,  s_i = 5/3 (beta - 1) n_w,  n_w = sum_b V_b W_ib, at most 0.4
 *
 * A lattice asks for s = 0.18 next to a flat wall, where n_w = 0.15, and for 0.40 in an edge, where n_w = 0.29. M_i is symmetric and positive, therefore -D(M a(k)) is symmetric
 * and positive semidefinite as it was. The wall bears what it adds: pairs (i, b) share it by V_b W_ib.
 *
 * Volume maps are left out: their one point on the wall does not lie where the particles of a layer would.
 *
 * lift = (sqrt(s) n, s/((1 + s) n_w))
 */
/* needs: spline.h wall_add.h */
#define wall_lift_OWNS(F)                                                         \
    F(lift, real4, "1, 1", STEP, COPY, FLUID, "sqrt(s) n; w: share of the walls")

#define wall_lift_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(PAIR, pair, pair_f) X(UPD, real4, grad) X(OUT, real4, lift)

LANES(wall_lift)
{
    ITEM();
    const own4 a = load4_i(pos, i), g = load4_i(grad, i);
    lane n = splat(0.0f), gx = splat(0.0f), gy = splat(0.0f), gz = splat(0.0f);
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane volume = par->maps == 0 ? b.w : b.w * (1.0f - CORE_AT_J(mapped, load4_j(vel, j).w)), f = volume * load_pair(pair_f);
        n += volume * kernel_w(par, dx * dx + dy * dy + dz * dz);
        gx += f * dx;
        gy += f * dy;
        gz += f * dz;
    END
    const own x = total(gx), y = total(gy), z = total(gz), square = x * x + y * y + z * z, share = total(n);
    const own s = own_pick(square > own_of(0.0f), 1.6666667f * (par->wall_weight - 1.0f) * own_min(share, own_of(0.4f)), own_of(0.0f));
    const own c = own_pick(s > own_of(0.0f), own_sqrt(s / square), own_of(0.0f));
    store4_i(lift, i, c * x, c * y, c * z, own_pick(s > own_of(0.0f), s / ((1.0f + s) * share), own_of(0.0f)));
    store4_i(grad, i, g.x, g.y, g.z, (1.0f + s) * g.w); /* the diagonal: no less than M makes it, as far as it is the particle's own */
}

#define wall_lift_push_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(OWN, real4, lift) X(UPD, real4, push)

/* push of M a; arg.x = dt as in pressure_push. */
LANES(wall_lift_push)
{
    ITEM();
    const own4 q = load4_i(lift, i), p = load4_i(push, i);
    if (!own_any(q.w > own_of(0.0f))) return;
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own s = q.x * q.x + q.y * q.y + q.z * q.z, along = a.w * arg.x;
    const own ax = p.x - along * u.x, ay = p.y - along * u.y, az = p.z - along * u.z, across = q.x * ax + q.y * ay + q.z * az;
    const own x = p.x + s * ax - across * q.x, y = p.y + s * ay - across * q.y, z = p.z + s * az - across * q.z;
    const own lever = x * (a.x - par->mid_x) + y * (a.y - par->mid_y) + z * (a.z - par->mid_z), none = own_of(0.0f);
    store4_i(push, i, own_pick(q.w > none, x, p.x), own_pick(q.w > none, y, p.y), own_pick(q.w > none, z, p.z), own_pick(q.w > none, lever, p.w));
}

#define wall_lift_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, lift) X(NB, real4, push) X(UPD, real4, wall_impulse)

/* Minus what M added, of which a wall point bears the share V_b W_ib/n_w; arg = (c as in pressure_apply, dt as above), velocities as they were in the push. */
LANES(wall_lift_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j), q = load4_j(lift, j), p = load4_j(push, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane along = b.w * arg.y, ax = p.x - along * v.x, ay = p.y - along * v.y, az = p.z - along * v.z;
        const lane s = q.x * q.x + q.y * q.y + q.z * q.z;
        const lane across = lane_pick(s > splat(0.0f), (q.x * ax + q.y * ay + q.z * az) / s, splat(0.0f));
        const lane c = CORE_AT_J(density, v.w) * q.w * kernel_w(par, dx * dx + dy * dy + dz * dz);
        x += c * (ax - across * q.x);
        y += c * (ay - across * q.y);
        z += c * (az - across * q.z);
    END
    add_on_wall(wall_impulse, i, -arg.x * a.w, total(x), total(y), total(z));
}
