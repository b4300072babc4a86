/* wall_contact.h -- no particle passes a wall, whatever pushes it.
 *
 * The pressure of a single layer of boundary points has its steepest rise 0.6 spacings away and weakens beyond: a
 * particle that a spike of pressure drives closer would slip through. The share of the walls in its density, n_w =
 * sum_b V_b W_ib, tells how near it is (0.15 at rest, 0.6 at 0.59 spacings from a flat wall, more in edges), and g =
 * |sum_b V_b gradW_ib| how fast that grows. Before the move the velocity towards the wall is limited to what brings n_w
 * to 0.6 at most; a particle already beyond is led back, a tenth of the way in a step. Relative to the velocity of the
 * wall; sliding is free.
 *
 * That looks no farther ahead than a straight line from n_w and its gradient here does. Who leaps, more than 0.4
 * spacings in this step past the walls around, is looked at in four places on its way: it goes as far as the last of
 * them before one with n_w > 0.6 in the direction of the gradient in that one, and slides on.
 *
 * vel is read at boundary points, which nobody writes, and updated at i. For points that feel (arg.x = 1): source =
 * what the first limit took, over g; displacement = what the second took, over n_w.
 */
/* needs: spline.h wall_add.h */
#define wall_contact_FIELDS(X)                                                                 \
    X(AROUND, real4, pos) X(PAIR, pair, pair_f) X(CHANGES, real4, vel) X(WRITES, real, source) \
    X(WRITES, real4, displacement)

KERNEL(wall_contact)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    num n = num_of(0.0f), gx = num_of(0.0f), gy = num_of(0.0f), gz = num_of(0.0f), wx = num_of(0.0f), wy = num_of(0.0f),
        wz = num_of(0.0f);
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const num w = b.w * kernel_w(par, dx * dx + dy * dy + dz * dz), f = b.w * pair_value(pair_f);
        n += w;
        wx += w * v.x;
        wy += w * v.y;
        wz += w * v.z;
        gx += f * dx;
        gy += f * dy;
        gz += f * dz;
    END
    const num share = n, x = gx, y = gy, z = gz;
    const num square = x * x + y * y + z * z;
    if (!anyone(share > num_of(0.0f))) return;
    const num inv = choose(share > num_of(0.0f), 1.0f / share, num_of(0.0f));
    const num rise = x * (u.x - inv * wx) + y * (u.y - inv * wy) + z * (u.z - inv * wz); /* of n_w, 1/s */
    const num room = (0.6f - share) * par->inv_dt;
    /* times g = change of velocity */
    const num cut = choose(square > num_of(0.0f), max_of(rise - max_of(room, 0.1f * room), num_of(0.0f)) / square,
                           num_of(0.0f));
    const num vx = u.x - cut * x, vy = u.y - cut * y, vz = u.z - cut * z;
    const num sx = vx - inv * wx, sy = vy - inv * wy, sz = vz - inv * wz;
    const num far2 = par->dt * par->dt * (sx * sx + sy * sy + sz * sz) - 0.16f * par->spacing * par->spacing;
    const num leaps = choose(share > num_of(0.0f), choose(far2 > num_of(0.0f), num_of(1.0f), num_of(0.0f)),
                             num_of(0.0f));
    num ex = num_of(0.0f), ey = num_of(0.0f), ez = num_of(0.0f); /* what is taken for that */
    if (anyone(leaps > num_of(0.0f))) {
        num n1 = num_of(0.0f), n2 = num_of(0.0f), n3 = num_of(0.0f), n4 = num_of(0.0f), hx = num_of(0.0f),
            hy = num_of(0.0f), hz = num_of(0.0f);
        FOR_BOUNDARY(j)
            const vec b = vec_there(pos, j), v = vec_there(vel, j);
            const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, qx = par->dt * (vx - v.x),
                      qy = par->dt * (vy - v.y), qz = par->dt * (vz - v.z);
            const num r2 = dx * dx + dy * dy + dz * dz, rq = 2.0f * (dx * qx + dy * qy + dz * qz),
                      q2 = qx * qx + qy * qy + qz * qz;
            n1 += b.w * kernel_w(par, max_of(r2 + 0.25f * rq + 0.0625f * q2, num_of(0.0f)));
            n2 += b.w * kernel_w(par, max_of(r2 + 0.5f * rq + 0.25f * q2, num_of(0.0f)));
            n3 += b.w * kernel_w(par, max_of(r2 + 0.75f * rq + 0.5625f * q2, num_of(0.0f)));
            n4 += b.w * kernel_w(par, max_of(r2 + rq + q2, num_of(0.0f)));
        END
        const num most = max_of(num_of(0.6f), share);
        const num part = choose(n1 > most, num_of(0.0f), choose(n2 > most, num_of(0.25f),
                         choose(n3 > most, num_of(0.5f), choose(n4 > most, num_of(0.75f), num_of(1.0f)))));
        const num later = par->dt * (part + 0.25f);
        FOR_BOUNDARY(j)
            const vec b = vec_there(pos, j), v = vec_there(vel, j);
            const num dx = a.x - b.x + later * (vx - v.x), dy = a.y - b.y + later * (vy - v.y),
                      dz = a.z - b.z + later * (vz - v.z);
            const num f = b.w * kernel_f(par, dx * dx + dy * dy + dz * dz);
            hx += f * dx;
            hy += f * dy;
            hz += f * dz;
        END
        const num px = hx, py = hy, pz = hz, p2 = px * px + py * py + pz * pz;
        const num stop = leaps * (1.0f - part),
                  along = stop * (px * sx + py * sy + pz * sz) / max_of(p2, num_of(1e-20f));
        /* in the middle of the layer there is no gradient */
        const num steep = choose(p2 * par->spacing * par->spacing > num_of(0.01f), num_of(1.0f), num_of(0.0f));
        ex = choose(stop > num_of(0.0f), steep * along * px + (1.0f - steep) * stop * sx, num_of(0.0f));
        ey = choose(stop > num_of(0.0f), steep * along * py + (1.0f - steep) * stop * sy, num_of(0.0f));
        ez = choose(stop > num_of(0.0f), steep * along * pz + (1.0f - steep) * stop * sz, num_of(0.0f));
    }
    set_vec(vel, vx - ex, vy - ey, vz - ez, u.w);
    set_num(source, cut);
    if (arg.x > 0.0f) set_vec(displacement, inv * ex, inv * ey, inv * ez, 0.0f);
}

#define wall_contact_on_boundary_FIELDS(X)                                                             \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, source) X(AROUND, real4, displacement) \
    X(CHANGES, real4, wall_impulse)

/* What the particles around a boundary point lost: m_i cut_i V_b gradW_ib, and m_i push_i V_b W_ib. */
KERNEL(wall_contact_on_boundary)
{
    const vec a = vec_here(pos);
    num x = num_of(0.0f), y = num_of(0.0f), z = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const kernel_pair s = kernel_wf(par, dx * dx + dy * dy + dz * dz);
        const vec e = vec_there(displacement, j);
        const num m = of_fluid(density, vec_there(vel, j).w) * b.w, c = m * num_there(source, j) * s.f, w = m * s.w;
        x += c * dx - w * e.x;
        y += c * dy - w * e.y;
        z += c * dz - w * e.z;
    END
    add_on_boundary(wall_impulse, i, -a.w, x, y, z);
}
