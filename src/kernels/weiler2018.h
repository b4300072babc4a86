/* weiler2018.h -- implicit viscosity (Weiler et al. 2018) in mass-weighted, symmetric form, mu = nu rho, h = support radius:
 *
 *   m_i v_i - dt sum_j B_ij (v_i - v_j) - dt sum_b B_ib (v_i - v_b) = m_i v*_i
 *   B_ij = 10 mu_ij V_i V_j/(n_i n_j) gradW_ij x_ij^T/(r^2 + 0.01 h^2),   B_ib = 10 mu_b V_i V_b/n_i^2 gradW_ib x_ib^T/(r^2 + 0.01 h^2)
 *
 * right = right side, its w = diagonal (mean of the three), image = matrix times way.
 */
#define weiler2018_PARAMS(P)                                                                  \
    P(viscosity, 0.01, "m^2/s", 0, 1e6, "kinematic viscosity within the fluid")                \
    P(wall_viscosity, 0, "m^2/s", 0, 1e6, "kinematic viscosity against walls; 0: walls slip")  \
    P(tolerance, 0.001, "1", 1e-7, 0.5, "relative residual of the conjugate gradients")        \
    P(max_iterations, 100, "1", 1, 10000, "of the conjugate gradients")

#define weiler_right_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(PAIR, pair, pair_f) X(OUT, real4, right)

KERNEL(weiler_right)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w), m = rho * a.w;
    const own mu = AT(weiler2018, viscosity, u.w) * rho, on = AT(weiler2018, on, u.w);
    lane diagonal = splat(0.0f), x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane mean = par->fluids == 1 ? splat(mu) : 0.5f * on * AT_J(weiler2018, on, v.w) * (mu + AT_J(weiler2018, viscosity, v.w) * CORE_AT_J(density, v.w));
        diagonal += mean * b.w / load1_j(dens, j) * load_pair(pair_f) * r2 / (r2 + par->eps2);
    END
    const own wall = AT(weiler2018, wall_viscosity, u.w) * rho * on / n;
    if (wall > 0.0f) {
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane r2 = dx * dx + dy * dy + dz * dz;
            const lane c = wall * CORE_AT_J(friction, v.w) * b.w * load_pair(pair_f) / (r2 + par->eps2);
            const lane along = c * (v.x * dx + v.y * dy + v.z * dz);
            diagonal += c * r2;
            x += along * dx;
            y += along * dy;
            z += along * dz;
        END
    }
    const own s = -10.0f * par->dt * a.w / n;
    store4_i(right, i, m * u.x + s * total(x), m * u.y + s * total(y), m * u.z + s * total(z), m + s * total(diagonal) * (1.0f / 3.0f));
}

#define weiler_image_FIELDS(X) X(NB, real4, pos) X(NB, real4, way) X(NB, real4, vel) X(OWN, real, dens) X(PAIR, pair, pair_f) X(OUT, real4, image) X(OUT, real4, term)

/* term.x = way . image */
KERNEL(weiler_image)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), p = load4_i(way, i);
    const own n = load1_i(dens, i), rho = CORE_AT(density, u.w), m = rho * a.w;
    const own mu = AT(weiler2018, viscosity, u.w) * rho, on = AT(weiler2018, on, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), q = load4_j(way, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        lane mean = splat(mu);
        if (par->fluids > 1) {
            const lane w = load4_j(vel, j).w;
            mean = 0.5f * on * AT_J(weiler2018, on, w) * (mu + AT_J(weiler2018, viscosity, w) * CORE_AT_J(density, w));
        }
        const lane c = mean * q.w * load_pair(pair_f) / (r2 + par->eps2) * ((p.x - q.x) * dx + (p.y - q.y) * dy + (p.z - q.z) * dz);
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    const own wall = AT(weiler2018, wall_viscosity, u.w) * rho * on / n;
    if (wall > 0.0f) {
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane r2 = dx * dx + dy * dy + dz * dz;
            const lane c = wall * CORE_AT_J(friction, v.w) * b.w * load_pair(pair_f) / (r2 + par->eps2) * (p.x * dx + p.y * dy + p.z * dz);
            x += c * dx;
            y += c * dy;
            z += c * dz;
        END
    }
    const own s = -10.0f * par->dt * a.w / n;
    const own ix = m * p.x + s * total(x), iy = m * p.y + s * total(y), iz = m * p.z + s * total(z);
    store4_i(image, i, ix, iy, iz, 0.0f);
    store4_i(term, i, p.x * ix + p.y * iy + p.z * iz, 0.0f, 0.0f, 0.0f);
}
