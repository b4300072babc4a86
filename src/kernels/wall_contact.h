/* wall_contact.h -- no particle passes a wall, whatever pushes it.
 *
 * The pressure of a single layer of wall particles has its steepest rise 0.6 spacings away and weakens beyond: a particle that a spike of pressure drives
 * closer would slip through. The share of the walls in its density, n_w = sum_b V_b W_ib, tells how near it is (0.15 at rest, 0.6 at 0.59 spacings from
 * a flat wall, more in edges), and g = |sum_b V_b gradW_ib| how fast that grows. Before the move the velocity towards the wall is limited to what brings n_w to
 * 0.6 at most; a particle already beyond is led back, a tenth of the way in a step. Relative to the velocity of the wall; sliding is free.
 *
 * That looks no farther ahead than a straight line from n_w and its gradient here does. Who leaps, more than 0.4 spacings in this step past the walls around, is
 * looked at in four places on its way: it goes as far as the last of them before one with n_w > 0.6 in the direction of the gradient in that one, and slides on.
 *
 * vel is read at wall particles, which nobody writes, and updated at i. For points that feel (arg.x = 1): source = what the first limit took, over g; push = what
 * the second took, over n_w.
 */
/* needs: spline.h wall_add.h */
#define wall_contact_FIELDS(X) X(NB, real4, pos) X(PAIR, pair, pair_f) X(UPD, real4, vel) X(OUT, real, source) X(OUT, real4, push)

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
    const own inv = own_pick(share > own_of(0.0f), 1.0f / share, own_of(0.0f));
    const own rise = x * (u.x - inv * total(wx)) + y * (u.y - inv * total(wy)) + z * (u.z - inv * total(wz)); /* of n_w, 1/s */
    const own room = (0.6f - share) * par->inv_dt;
    const own cut = own_pick(square > own_of(0.0f), own_max(rise - own_max(room, 0.1f * room), own_of(0.0f)) / square, own_of(0.0f)); /* times g = change of velocity */
    const own vx = u.x - cut * x, vy = u.y - cut * y, vz = u.z - cut * z;
    const own sx = vx - inv * total(wx), sy = vy - inv * total(wy), sz = vz - inv * total(wz);
    const own far2 = par->dt * par->dt * (sx * sx + sy * sy + sz * sz) - 0.16f * par->spacing * par->spacing;
    const own leaps = own_pick(share > own_of(0.0f), own_pick(far2 > own_of(0.0f), own_of(1.0f), own_of(0.0f)), own_of(0.0f));
    own ex = own_of(0.0f), ey = own_of(0.0f), ez = own_of(0.0f); /* what is taken for that */
    if (own_any(leaps > own_of(0.0f))) {
        lane n1 = splat(0.0f), n2 = splat(0.0f), n3 = splat(0.0f), n4 = splat(0.0f), hx = splat(0.0f), hy = splat(0.0f), hz = splat(0.0f);
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, qx = par->dt * (vx - v.x), qy = par->dt * (vy - v.y), qz = par->dt * (vz - v.z);
            const lane r2 = dx * dx + dy * dy + dz * dz, rq = 2.0f * (dx * qx + dy * qy + dz * qz), q2 = qx * qx + qy * qy + qz * qz;
            n1 += b.w * kernel_w(par, lane_max(r2 + 0.25f * rq + 0.0625f * q2, splat(0.0f)));
            n2 += b.w * kernel_w(par, lane_max(r2 + 0.5f * rq + 0.25f * q2, splat(0.0f)));
            n3 += b.w * kernel_w(par, lane_max(r2 + 0.75f * rq + 0.5625f * q2, splat(0.0f)));
            n4 += b.w * kernel_w(par, lane_max(r2 + rq + q2, splat(0.0f)));
        END
        const own most = own_max(own_of(0.6f), share);
        const own part = own_pick(total(n1) > most, own_of(0.0f), own_pick(total(n2) > most, own_of(0.25f),
                         own_pick(total(n3) > most, own_of(0.5f), own_pick(total(n4) > most, own_of(0.75f), own_of(1.0f)))));
        const own way = par->dt * (part + 0.25f);
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x + way * (vx - v.x), dy = a.y - b.y + way * (vy - v.y), dz = a.z - b.z + way * (vz - v.z);
            const lane f = b.w * kernel_f(par, dx * dx + dy * dy + dz * dz);
            hx += f * dx;
            hy += f * dy;
            hz += f * dz;
        END
        const own px = total(hx), py = total(hy), pz = total(hz), p2 = px * px + py * py + pz * pz;
        const own stop = leaps * (1.0f - part), along = stop * (px * sx + py * sy + pz * sz) / own_max(p2, own_of(1e-20f));
        const own steep = own_pick(p2 * par->spacing * par->spacing > own_of(0.01f), own_of(1.0f), own_of(0.0f)); /* in the middle of the layer there is no gradient */
        ex = own_pick(stop > own_of(0.0f), steep * along * px + (1.0f - steep) * stop * sx, own_of(0.0f));
        ey = own_pick(stop > own_of(0.0f), steep * along * py + (1.0f - steep) * stop * sy, own_of(0.0f));
        ez = own_pick(stop > own_of(0.0f), steep * along * pz + (1.0f - steep) * stop * sz, own_of(0.0f));
    }
    store4_i(vel, i, vx - ex, vy - ey, vz - ez, u.w);
    store1_i(source, i, cut);
    if (arg.x > 0.0f) store4_i(push, i, inv * ex, inv * ey, inv * ez, 0.0f);
}

#define wall_contact_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, source) X(NB, real4, push) X(UPD, real4, wall_impulse)

/* What the particles around a wall point lost: m_i cut_i V_b gradW_ib, and m_i push_i V_b W_ib. */
LANES(wall_contact_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const kernel_pair s = kernel_wf(par, dx * dx + dy * dy + dz * dz);
        const lane4 e = load4_j(push, j);
        const lane m = CORE_AT_J(density, load4_j(vel, j).w) * b.w, c = m * load1_j(source, j) * s.f, w = m * s.w;
        x += c * dx - w * e.x;
        y += c * dy - w * e.y;
        z += c * dz - w * e.z;
    END
    add_on_wall(wall_impulse, i, -a.w, total(x), total(y), total(z));
}
