/* wall_contact.h -- no particle passes a wall, whatever pushes it.
 *
 * The pressure of a single layer of wall particles has its steepest rise 0.6 spacings away and weakens beyond: a particle that a spike of pressure drives
 * closer would slip through. The share of the walls in its density, n_w = sum_b V_b W_ib, tells how near it is (0.15 at rest, 0.6 at 0.59 spacings from
 * a flat wall, more in edges), and g = |sum_b V_b gradW_ib| how fast that grows. Before the move the velocity towards the wall is limited to what brings n_w to
 * 0.6 at most; a particle already beyond is led back, a tenth of the way in a step. Relative to the velocity of the wall; sliding is free.
 * vel is read at wall particles, which nobody writes, and updated at i.
 */
#define wall_contact_FIELDS(X) X(NB, real4, pos) X(PAIR, pair, pair_f) X(UPD, real4, vel) X(OUT, real, source)

LANES(wall_contact)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    lane n = splat(0.0f), gx = splat(0.0f), gy = splat(0.0f), gz = splat(0.0f), wx = splat(0.0f), wy = splat(0.0f), wz = splat(0.0f);
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane w = b.w * kernel_w(par, dx * dx + dy * dy + dz * dz), f = b.w * load_pair(pair_f);
        n += w;
        wx += w * v.x;
        wy += w * v.y;
        wz += w * v.z;
        gx += f * dx;
        gy += f * dy;
        gz += f * dz;
    END
    const own share = total(n), x = total(gx), y = total(gy), z = total(gz);
    const own square = x * x + y * y + z * z;
    if (!own_any(share > own_of(0.0f))) return;
    const own inv = 1.0f / share;
    const own rise = x * (u.x - inv * total(wx)) + y * (u.y - inv * total(wy)) + z * (u.z - inv * total(wz)); /* of n_w, 1/s */
    const own room = (0.6f - share) * par->inv_dt;
    const own cut = own_pick(square > own_of(0.0f), own_max(rise - own_max(room, 0.1f * room), own_of(0.0f)) / square, own_of(0.0f)); /* times g = change of velocity */
    store4_i(vel, i, u.x - cut * x, u.y - cut * y, u.z - cut * z, u.w);
    store1_i(source, i, cut);
}

#define wall_contact_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, source) X(UPD, real4, wall_impulse)

/* What the particles around a wall point lost: m_i cut_i V_b gradW_ib. */
LANES(wall_contact_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane c = CORE_AT_J(density, load4_j(vel, j).w) * b.w * load1_j(source, j) * kernel_wf(par, dx * dx + dy * dy + dz * dz).f;
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    ADD_ON_WALL_(wall_impulse, -a.w, total(x), total(y), total(z));
}
