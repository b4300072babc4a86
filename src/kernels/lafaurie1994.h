/* lafaurie1994.h -- surface tension as a stress within the surface (Lafaurie et al. 1994) on the areas of orthmann2013, x = x_i - x_j:
 *
 *   P_i  = 1 - m m^T,   m = n/sqrt(n^2 + 0.01),   n = h sum V gradW     the plane of the surface
 *   k_i  = - 1/2 sum V x.P_i gradW                                      1 inside; at the surface what its neighbours pass on
 *                                                                       where that is little, from a flat surface to an edge, and no wall near: of its two
 *                                                                       parts the larger; never less than at a corner (methods/surface_disorder.c)
 *   s_i  = tension f_i A_i/k_i                                          f: what a film leaves of the tension (film.h)
 *   F_i  = sum_j (V_j s_i P_i + V_i s_j P_j) gradW_ij + 2 sum_b V_b s_i P_i gradW_ib
 *
 * Walls under the liquid count as liquid in n; beside it they count only as much as the liquid lacks: with w their share of n and c the part of the liquid's n towards them,
 * max(-c, |w| + c) of |w| where c < 0. Else the dry part of a wall would tilt the surface, and the liquid would creep up. In k they count 1 + 2 c/|w|, between 0 and 1.
 *
 * the divergence of tension f delta P: tension times curvature along the normal, tension grad_s f along the surface. Equal and opposite between two particles. The surface
 * goes on into walls, at right angles if nothing else attracts the liquid, and they feel it: a body is pulled by `tension` along each metre of its waterline.
 */
/* needs: cohesion.h film_terms.h spline.h wall_add.h */
#define lafaurie1994_PARAMS(P) P(tension, 0.07, "N/m", 0, 1e9, "surface tension; needs `surface: orthmann2013`")

#define lafaurie1994_OWNS(F)                                                                        \
    F(plane, real4, "1, N m", STEP, COPY, FLUID, "normal of the surface; w: stress of the surface")

#define stress_plane_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(OWN, real4, hold) X(OWN, real, area) X(PAIR, pair, pair_f) X(OUT, real4, plane)

/* plane = (m, s) */
LANES(stress_plane)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    const own fluid = load4_i(vel, i).w, rho = CORE_AT(density, fluid);
    const own s = film_here(par, hold, i).x * AT(lafaurie1994, on, fluid) * AT(lafaurie1994, tension, fluid) * load1_i(area, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f), wx = splat(0.0f), wy = splat(0.0f), wz = splat(0.0f);
    lane xx = splat(0.0f), yy = splat(0.0f), zz = splat(0.0f), xy = splat(0.0f), xz = splat(0.0f), yz = splat(0.0f);
    lane wxx = splat(0.0f), wyy = splat(0.0f), wzz = splat(0.0f), wxy = splat(0.0f), wxz = splat(0.0f), wyz = splat(0.0f);
    if (own_any(s > own_of(0.0f))) {
        FOR_FLUID(j)
            const lane4 b = load4_j(pos, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane c = same_liquid(par, rho, fluid_there(par, vel, j)) * b.w * load_pair(pair_f), cx = c * dx, cy = c * dy, cz = c * dz;
            x += cx;
            y += cy;
            z += cz;
            xx -= cx * dx;
            yy -= cy * dy;
            zz -= cz * dz;
            xy -= cx * dy;
            xz -= cx * dz;
            yz -= cy * dz;
        END
        const own solid = own_pick(AT(orthmann2013, walls, fluid) > own_of(0.5f), own_of(1.0f), own_of(0.0f));
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane c = solid * b.w * load_pair(pair_f), cx = c * dx, cy = c * dy, cz = c * dz;
            wx += cx;
            wy += cy;
            wz += cz;
            wxx -= cx * dx;
            wyy -= cy * dy;
            wzz -= cz * dz;
            wxy -= cx * dy;
            wxz -= cx * dz;
            wyz -= cy * dz;
        END
    }
    const own ux = total(wx), uy = total(wy), uz = total(wz), wall = own_sqrt(ux * ux + uy * uy + uz * uz), per = 1.0f / own_max(wall, own_of(1e-30f));
    const own fx = total(x), fy = total(y), fz = total(z), along = per * (fx * ux + fy * uy + fz * uz);
    const own part = per * own_pick(along < own_of(0.0f), own_max(-along, wall + along), wall);
    const own nx = par->h * (fx + part * ux), ny = par->h * (fy + part * uy), nz = par->h * (fz + part * uz), inv = 1.0f / own_sqrt(nx * nx + ny * ny + nz * nz + 0.01f);
    const own mx = inv * nx, my = inv * ny, mz = inv * nz, under = own_min(own_max(1.0f + 2.0f * per * along, own_of(0.0f)), own_of(1.0f));
    const own txx = total(xx) + under * total(wxx), tyy = total(yy) + under * total(wyy), tzz = total(zz) + under * total(wzz);
    const own txy = total(xy) + under * total(wxy), txz = total(xz) + under * total(wxz), tyz = total(yz) + under * total(wyz);
    const own across = mx * mx * txx + my * my * tyy + mz * mz * tzz + 2.0f * (mx * my * txy + mx * mz * txz + my * mz * tyz);
    const own both = mx * mx * (tyy * tzz - tyz * tyz) + my * my * (txx * tzz - txz * txz) + mz * mz * (txx * tyy - txy * txy) +
                     2.0f * (mx * my * (txz * tyz - txy * tzz) + mx * mz * (txy * tyz - txz * tyy) + my * mz * (txy * txz - txx * tyz));
    const own k = 0.5f * (txx + tyy + tzz - across), apart = own_sqrt(own_max(k * k - both, own_of(0.0f)));
    const own rim = own_pick(wall > own_of(0.0f), own_of(0.0f), own_min(own_max((par->stress_flat - k) * (1.0f / (par->stress_flat - par->stress_edge)), own_of(0.0f)), own_of(1.0f)));
    store4_i(plane, i, mx, my, mz, s / own_max(k + rim * apart, own_of(par->stress_least)));
}

#define lafaurie1994_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, plane) X(PAIR, pair, pair_f) X(UPD, real4, acc)

LANES(lafaurie1994)
{
    ITEM();
    const own4 a = load4_i(pos, i), p = load4_i(plane, i);
    const own rho = CORE_AT(density, load4_i(vel, i).w), s = p.w;
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), q = load4_j(plane, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, f = same_liquid(par, rho, fluid_there(par, vel, j)) * load_pair(pair_f);
        const lane mine = f * (b.w * s), other = f * (a.w * q.w), both = mine + other;
        const lane up = mine * (p.x * dx + p.y * dy + p.z * dz), uq = other * (q.x * dx + q.y * dy + q.z * dz);
        x += both * dx - (up * p.x + uq * q.x);
        y += both * dy - (up * p.y + uq * q.y);
        z += both * dz - (up * p.z + uq * q.z);
    END
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, c = 2.0f * load_pair(pair_f) * (b.w * s);
        const lane up = c * (p.x * dx + p.y * dy + p.z * dz);
        x += c * dx - up * p.x;
        y += c * dy - up * p.y;
        z += c * dz - up * p.z;
    END
    const own inv = 1.0f / (rho * a.w);
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + inv * total(x), old.y + inv * total(y), old.z + inv * total(z), old.w);
}

#define lafaurie1994_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, plane) X(UPD, real4, wall_force)

LANES(lafaurie1994_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), q = load4_j(plane, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, c = kernel_wf(par, dx * dx + dy * dy + dz * dz).f * q.w;
        const lane up = c * (q.x * dx + q.y * dy + q.z * dz);
        x += c * dx - up * q.x;
        y += c * dy - up * q.y;
        z += c * dz - up * q.z;
    END
    add_on_wall(wall_force, i, 2.0f * a.w, total(x), total(y), total(z));
}
