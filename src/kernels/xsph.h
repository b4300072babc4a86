/* xsph.h -- XSPH velocity smoothing (Monaghan 1989), as an acceleration of the velocities at the start of the step, symmetric in the pair:
 *
 *   dt a_i = - eps sum_j 2 m_j/(rho_i + rho_j) v_ij W_ij - eps_b sum_b V_b/n_i v_ib W_ib
 */
/* needs: film_terms.h spline.h wall_add.h */
#define xsph_PARAMS(P)                                             \
    P(strength, 0.1, "1", 0, 1, "share of the mean neighbour velocity taken over in a step") \
    P(wall_strength, 0, "1", 0, 1, "the same towards walls")

#define xsph_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(OWN, real4, hold) X(UPD, real4, acc)

LANES(xsph)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w);
    const own eps = AT(xsph, strength, u.w), on = AT(xsph, on, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane nj = load1_j(dens, j), rho_j = CORE_AT_J(density, v.w);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane mean = par->fluids == 1 ? splat(eps) : 0.5f * on * AT_J(xsph, on, v.w) * (eps + AT_J(xsph, strength, v.w));
        const lane c = 2.0f * mean * rho_j * b.w / (rho * n + rho_j * nj) * kernel_w(par, dx * dx + dy * dy + dz * dz);
        x += c * (u.x - v.x);
        y += c * (u.y - v.y);
        z += c * (u.z - v.z);
    END
    const own wall = FILM_OWN(z) * AT(xsph, wall_strength, u.w) * on / n;
    if (own_any(wall > own_of(0.0f))) {
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane c = wall * CORE_AT_J(friction, v.w) * b.w * kernel_w(par, dx * dx + dy * dy + dz * dz);
            x += c * (u.x - v.x);
            y += c * (u.y - v.y);
            z += c * (u.z - v.z);
        END
    }
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x - par->inv_dt * total(x), old.y - par->inv_dt * total(y), old.z - par->inv_dt * total(z), old.w);
}

#define xsph_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, wall_force)

/* The wall's part; its loop is over fluid. */
LANES(xsph_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane eps = FILM_AT(z) * AT_J(xsph, on, v.w) * AT_J(xsph, wall_strength, v.w);
        const lane c = eps * CORE_AT_J(density, v.w) * b.w / load1_j(dens, j) * kernel_w(par, dx * dx + dy * dy + dz * dz);
        x += c * (u.x - v.x);
        y += c * (u.y - v.y);
        z += c * (u.z - v.z);
    END
    ADD_ON_WALL_(wall_force, -par->inv_dt * CORE_AT(friction, u.w) * a.w, total(x), total(y), total(z));
}
