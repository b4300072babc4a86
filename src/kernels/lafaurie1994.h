/* lafaurie1994.h -- surface tension as a stress within the surface (Lafaurie et al. 1994) on the areas of orthmann2013,
 * x = x_i - x_j:
 *
 *   P_i  = 1 - m m^T,   m = n/sqrt(n^2 + 0.01),   n = h sum V gradW     the plane of the surface
 *   k_i  = - 1/2 sum V x.P_i gradW                                      1 inside; at the surface what its neighbours
 *                                                                       pass on where that is little, from a flat
 *                                                                       surface to an edge, and no wall near: of its
 *                                                                       two parts the larger; never less than at a
 *                                                                       corner (methods/surface_disorder.c)
 *   s_i  = tension f_i A_i/k_i                                          f: what a film leaves of the tension (film.h)
 *   F_i  = sum_j (V_j s_i P_i + V_i s_j P_j) gradW_ij + 2 sum_b V_b s_i P_i gradW_ib
 *
 * Walls under the liquid count as liquid in n; beside it they count only as much as the liquid lacks: with w their
 * share of n and c the part of the liquid's n towards them, max(-c, |w| + c) of |w| where c < 0. Else the dry part of a
 * wall would tilt the surface, and the liquid would creep up. In k they count 1 + 2 c/|w|, between 0 and 1.
 *
 * the divergence of tension f delta P: tension times curvature along the normal, tension grad_s f along the surface.
 * Equal and opposite between two particles. The surface goes on into walls, at right angles if nothing else attracts
 * the liquid, and they feel it: a body is pulled by `tension` along each metre of its waterline.
 */
/* needs: cohesion.h film_terms.h spline.h wall_add.h */
#define lafaurie1994_PARAMS(P) P(tension, 0.07, "N/m", 0, 1e9, "surface tension; needs `surface: orthmann2013`")

/* From a flat surface, an edge and a corner, see methods/surface_disorder.c. */
#define lafaurie1994_CONSTANTS(C) \
    C(flat) C(edge) C(least)

#define lafaurie1994_OWNS(F) \
    F(plane, real4, "1, N m", STEP, COPY, FLUID, "normal of the surface; w: stress of the surface")

#define stress_plane_FIELDS(X)                                                                                        \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real4, film_factor) X(HERE, real, area) X(PAIR, pair, pair_f) \
    X(WRITES, real4, plane)

/* plane = (m, s) */
KERNEL(stress_plane)
{
    const vec a = vec_here(pos);
    const num fluid = vec_here(vel).w, rho = of_fluid(density, fluid);
    const num s = film_here(par, film_factor, i).x * parameter(lafaurie1994, on, fluid) *
                  parameter(lafaurie1994, tension, fluid) * num_here(area);
    num x = num_of(0.0f), y = num_of(0.0f), z = num_of(0.0f), wx = num_of(0.0f), wy = num_of(0.0f), wz = num_of(0.0f);
    num xx = num_of(0.0f), yy = num_of(0.0f), zz = num_of(0.0f), xy = num_of(0.0f), xz = num_of(0.0f),
        yz = num_of(0.0f);
    num wxx = num_of(0.0f), wyy = num_of(0.0f), wzz = num_of(0.0f), wxy = num_of(0.0f), wxz = num_of(0.0f),
        wyz = num_of(0.0f);
    if (anyone(s > num_of(0.0f))) {
        FOR_FLUID(j)
            const vec b = vec_there(pos, j);
            const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const num c = same_liquid(par, rho, fluid_there(par, vel, j)) * b.w * pair_value(pair_f), cx = c * dx,
                      cy = c * dy, cz = c * dz;
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
        const num solid = choose(parameter(orthmann2013, walls, fluid) > num_of(0.5f), num_of(1.0f), num_of(0.0f));
        FOR_BOUNDARY(j)
            const vec b = vec_there(pos, j);
            const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const num c = solid * b.w * pair_value(pair_f), cx = c * dx, cy = c * dy, cz = c * dz;
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
    const num ux = wx, uy = wy, uz = wz, wall = sqrt_of(ux * ux + uy * uy + uz * uz),
              per = 1.0f / max_of(wall, num_of(1e-30f));
    const num fx = x, fy = y, fz = z, along = per * (fx * ux + fy * uy + fz * uz);
    const num part = per * choose(along < num_of(0.0f), max_of(-along, wall + along), wall);
    const num nx = par->h * (fx + part * ux), ny = par->h * (fy + part * uy), nz = par->h * (fz + part * uz),
              inv = 1.0f / sqrt_of(nx * nx + ny * ny + nz * nz + 0.01f);
    const num mx = inv * nx, my = inv * ny, mz = inv * nz,
              under = min_of(max_of(1.0f + 2.0f * per * along, num_of(0.0f)), num_of(1.0f));
    const num txx = xx + under * wxx, tyy = yy + under * wyy, tzz = zz + under * wzz;
    const num txy = xy + under * wxy, txz = xz + under * wxz, tyz = yz + under * wyz;
    const num across = mx * mx * txx + my * my * tyy + mz * mz * tzz +
                       2.0f * (mx * my * txy + mx * mz * txz + my * mz * tyz);
    const num both = mx * mx * (tyy * tzz - tyz * tyz) + my * my * (txx * tzz - txz * txz) +
                     mz * mz * (txx * tyy - txy * txy) +
                     2.0f * (mx * my * (txz * tyz - txy * tzz) + mx * mz * (txy * tyz - txz * tyy) +
                             my * mz * (txy * txz - txx * tyz));
    const num k = 0.5f * (txx + tyy + tzz - across), apart = sqrt_of(max_of(k * k - both, num_of(0.0f)));
    const num rim = choose(wall > num_of(0.0f), num_of(0.0f),
                           min_of(max_of((CONST(lafaurie1994, flat) - k) *
                                             (1.0f / (CONST(lafaurie1994, flat) - CONST(lafaurie1994, edge))),
                                         num_of(0.0f)),
                                  num_of(1.0f)));
    set_vec(plane, mx, my, mz, s / max_of(k + rim * apart, num_of(CONST(lafaurie1994, least))));
}

#define lafaurie1994_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, plane) X(PAIR, pair, pair_f) X(CHANGES, real4, acc)

KERNEL(lafaurie1994)
{
    const vec a = vec_here(pos), p = vec_here(plane);
    const num rho = of_fluid(density, vec_here(vel).w), s = p.w;
    num x = num_of(0.0f), y = num_of(0.0f), z = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), q = vec_there(plane, j);
        const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z,
                  f = same_liquid(par, rho, fluid_there(par, vel, j)) * pair_value(pair_f);
        const num mine = f * (b.w * s), other = f * (a.w * q.w), both = mine + other;
        const num up = mine * (p.x * dx + p.y * dy + p.z * dz), uq = other * (q.x * dx + q.y * dy + q.z * dz);
        x += both * dx - (up * p.x + uq * q.x);
        y += both * dy - (up * p.y + uq * q.y);
        z += both * dz - (up * p.z + uq * q.z);
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j);
        const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, c = 2.0f * pair_value(pair_f) * (b.w * s);
        const num up = c * (p.x * dx + p.y * dy + p.z * dz);
        x += c * dx - up * p.x;
        y += c * dy - up * p.y;
        z += c * dz - up * p.z;
    END
    const num inv = 1.0f / (rho * a.w);
    const vec old = vec_here(acc);
    set_vec(acc, old.x + inv * x, old.y + inv * y, old.z + inv * z, old.w);
}

#define lafaurie1994_on_boundary_FIELDS(X) X(AROUND, real4, pos) X(AROUND, real4, plane) X(CHANGES, real4, wall_force)

KERNEL(lafaurie1994_on_boundary)
{
    const vec a = vec_here(pos);
    num x = num_of(0.0f), y = num_of(0.0f), z = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), q = vec_there(plane, j);
        const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z,
                  c = kernel_wf(par, dx * dx + dy * dy + dz * dz).f * q.w;
        const num up = c * (q.x * dx + q.y * dy + q.z * dz);
        x += c * dx - up * q.x;
        y += c * dy - up * q.y;
        z += c * dz - up * q.z;
    END
    add_on_boundary(wall_force, i, 2.0f * a.w, x, y, z);
}
