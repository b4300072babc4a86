/* weiler2018.h -- implicit viscosity (Weiler et al. 2018) in mass-weighted, symmetric form, mu = nu rho, h = support radius:
 *
 *   m_i v_i - dt sum_j B_ij (v_i - v_j) - dt sum_b B_ib (v_i - v_b) = m_i v*_i
 *   B_ij = 10 mu_ij V_i V_j/(n_i n_j) gradW_ij x_ij^T/(r^2 + 0.01 h^2),   B_ib = 10 mu_b V_i V_b/n_i^2 gradW_ib x_ib^T/(r^2 + 0.01 h^2)
 *
 * As a system of velocity_system.h: b_ij = -10 dt mu_ij V_i V_j/(n_i n_j) f_ij/(r^2 + 0.01 h^2), gradW_ij = f_ij x_ij.
 */
/* needs: film_terms.h spline.h vec.h velocity_terms.h wall_add.h */
#define weiler2018_PARAMS(P)                                                                  \
    P(viscosity, 0.01, "m^2/s", 0, 1e6, "kinematic viscosity within the fluid")                \
    P(wall_viscosity, 0, "m^2/s", 0, 1e6, "kinematic viscosity against walls; 0: walls slip")  \
    P(tolerance, 0.001, "1", 1e-7, 0.5, "relative residual of the conjugate gradients")        \
    P(max_iterations, 100, "1", 1, 10000, "of the conjugate gradients")

#define weiler_guess_FIELDS(X) X(OWN, real4, vel) X(OWN, real, dens) X(OWN, real4, pos) X(OWN, real4, change) X(OUT, real4, guess)

/* Warm start: the velocity plus the change of the last step; guess.w = V/n. */
LANES(weiler_guess)
{
    ITEM();
    const own4 v = load4_i(vel, i), d = load4_i(change, i);
    store4_i(guess, i, v.x + d.x, v.y + d.y, v.z + d.z, load4_i(pos, i).w / load1_i(dens, i));
}

#define weiler_begin_FIELDS(X)                                                                                                         \
    X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, guess) X(OWN, real4, hold) X(PAIR, pair, pair_f) X(PAIROUT, pair, pair_b) X(OUT, real4, block) \
    X(OUT, real4, shear) X(OUT, real4, rest) X(OUT, real4, way) X(OUT, real4, term)

/* arg.y = 1: the matrix is written; arg.w = 1: of a sample. */
LANES(weiler_begin)
{
    ITEM();
    if (left_out(arg, i)) {
        store4_i(term, i, 0.0f, 0.0f, 0.0f, 0.0f);
        return;
    }
    const vec a = vec_i(pos, i), u = vec_i(vel, i), p = vec_i(guess, i);
    const own rho = CORE_AT(density, u.w), m = rho * a.w, mu = AT(weiler2018, viscosity, u.w) * rho, on = AT(weiler2018, on, u.w);
    const own scale = -10.0f * par->dt * p.w, inner = scale * mu;
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), q = load4_j(guess, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane mean = par->fluids == 1 ? splat(inner) : scale * weiler_mean(par, mu, on, load4_j(vel, j).w);
        const lane c = mean * q.w * load_pair(pair_f) / (dx * dx + dy * dy + dz * dz + par->eps2);
        const lane along = c * ((p.x - q.x) * dx + (p.y - q.y) * dy + (p.z - q.z) * dz);
        if (arg.y > 0.0f) store_pair(pair_b, c);
        x += along * dx;
        y += along * dy;
        z += along * dz;
    END
    const own wall = film_here(par, hold, i).z * AT(weiler2018, wall_viscosity, u.w) * rho * on;
    const velocity_walls walls = weiler_walls(par, LISTS_OF_I, pos, vel, pair_f, a, wall, scale * wall * p.w / a.w);
    store_begin(i, arg, m, u, p, walls, vec_of(x, y, z), block, shear, way, rest, term);
}

#define weiler_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, guess) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, wall_impulse)

/* The wall's part, with the velocities whose forces the fluid got (velocity_system.h). */
LANES(weiler_on_walls)
{
    ITEM();
    const vec a = vec_i(pos, i), u = vec_i(vel, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const vec b = vec_j(pos, j), v = vec_j(vel, j), s = vec_j(guess, j);
        const lane n = load1_j(dens, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane approach = (u.x - s.x) * dx + (u.y - s.y) * dy + (u.z - s.z) * dz;
        const lane mu = film_there(par, hold, j).z * AT_J(weiler2018, on, v.w) * AT_J(weiler2018, wall_viscosity, v.w) * CORE_AT_J(density, v.w);
        const lane c = mu * b.w * kernel_wf(par, r2).f * approach / (n * n * (r2 + par->eps2));
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    add_on_wall(wall_impulse, i, 10.0f * par->dt * CORE_AT(friction, u.w) * a.w, x, y, z);
}
