/* artificial.h -- Monaghan's artificial viscosity in the form of Akinci 2012/2013, between approaching particles only:
 *
 *   a_i = - sum_j K_ij m_j Pi_ij gradW_ij,   Pi_ij = -2 alpha h c/(rho_i + rho_j) (v_ij.x_ij)/(r^2 + 0.01 h^2)  if v_ij.x_ij < 0, else 0
 *   a_i = - sum_b Psi_b Pi_ib gradW_ib,      Pi_ib = -alpha_b h c/(2 rho_i) (v_ib.x_ib)/(r^2 + 0.01 h^2)
 *
 * K_ij = 2 rho0/(rho_i + rho_j) (Akinci 2013) or 1. Equivalent kinematic viscosity about alpha h c/20.
 */
/* needs: film_terms.h spline.h wall_add.h */
#define artificial_PARAMS(P)                                                                              \
    P(alpha, 0.01, "1", 0, 1e4, "strength within the fluid")                                               \
    P(wall_alpha, 0, "1", 0, 1e4, "strength against walls")                                                \
    P(sound_speed, 30, "m/s", 0, 1e5, "scale of the viscosity")                                            \
    P(surface_correction, 0, "1", 0, 1, "1: multiply by K_ij of Akinci 2013, stronger at the surface")

#define artificial_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(OWN, real4, hold) X(PAIR, pair, pair_f) X(UPD, real4, acc)

LANES(artificial)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w);
    const own alpha = AT(artificial, alpha, u.w), on = AT(artificial, on, u.w), hc = par->h * AT(artificial, sound_speed, u.w);
    const own corrected = AT(artificial, surface_correction, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane nj = load1_j(dens, j), rho_j = CORE_AT_J(density, v.w);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane approach = lane_min((u.x - v.x) * dx + (u.y - v.y) * dy + (u.z - v.z) * dz, splat(0.0f));
        const lane mean = par->fluids == 1 ? splat(alpha) : 0.5f * on * AT_J(artificial, on, v.w) * (alpha + AT_J(artificial, alpha, v.w));
        const lane boost = splat(1.0f) + corrected * (2.0f / (n + nj) - 1.0f);
        const lane c = boost * mean * (2.0f * hc) * rho_j * b.w * load_pair(pair_f) * approach / ((rho * n + rho_j * nj) * (r2 + par->eps2));
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    const own wall = FILM_OWN(z) * AT(artificial, wall_alpha, u.w) * on * hc * 0.5f / n;
    if (own_any(wall > own_of(0.0f))) {
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane r2 = dx * dx + dy * dy + dz * dz;
            const lane approach = lane_min((u.x - v.x) * dx + (u.y - v.y) * dy + (u.z - v.z) * dz, splat(0.0f));
            const lane c = wall * CORE_AT_J(friction, v.w) * b.w * load_pair(pair_f) * approach / (r2 + par->eps2);
            x += c * dx;
            y += c * dy;
            z += c * dz;
        END
    }
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + total(x), old.y + total(y), old.z + total(z), old.w);
}

#define artificial_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, wall_force)

/* The wall's part; its loop is over fluid. */
LANES(artificial_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane approach = lane_min((u.x - v.x) * dx + (u.y - v.y) * dy + (u.z - v.z) * dz, splat(0.0f));
        const lane alpha = FILM_AT(z) * AT_J(artificial, on, v.w) * AT_J(artificial, wall_alpha, v.w) * AT_J(artificial, sound_speed, v.w);
        const lane c = alpha * CORE_AT_J(density, v.w) * b.w * kernel_wf(par, r2).f * approach / (load1_j(dens, j) * (r2 + par->eps2));
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    ADD_ON_WALL_(wall_force, 0.5f * par->h * CORE_AT(friction, u.w) * a.w, total(x), total(y), total(z));
}
