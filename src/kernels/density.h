/* density.h -- everything that depends on positions alone, in one pass over the neighbours (fluid j and walls b):
 *
 *   n_i  = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib             density over rest density
 *   G_i  = sum_j V_j gradW_ij + sum_b V_b gradW_ib                -> grad.xyz
 *   D_i  = |G_i|^2/rho_i + V_i sum_j V_j/rho_j |gradW_ij|^2       -> grad.w, the diagonal of the pressure system (rest densities rho)
 *   f_ij = W'(r)/r                                                -> pair_f, so that gradW_ij = f_ij x_ij
 *
 * Wall particles take pressure but are not moved by it within a step: they appear in G_i only.
 */
#define density_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(OUT, real, dens) X(OUT, real4, grad) X(PAIROUT, pair, pair_f)

KERNEL(density)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane n = splat(0.0f), gx = splat(0.0f), gy = splat(0.0f), gz = splat(0.0f), square = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane f = kernel_f(par, r2);
        const lane g = b.w * f;
        const lane inv = par->fluids == 1 ? splat(par->inv_density[0]) : CORE_AT_J(inv_density, load4_j(vel, j).w);
        n += b.w * kernel_w(par, r2);
        gx += g * dx;
        gy += g * dy;
        gz += g * dz;
        /* r2 f as one factor: a padded entry has r2 huge and f = 0 */
        square += inv * g * (f * r2);
        store_pair(pair_f, f);
    END
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane f = kernel_f(par, r2);
        const lane g = b.w * f;
        n += b.w * kernel_w(par, r2);
        gx += g * dx;
        gy += g * dy;
        gz += g * dz;
        store_pair(pair_f, f);
    END
    const own x = total(gx), y = total(gy), z = total(gz);
    store1_i(dens, i, total(n) + a.w * kernel_w0(par));
    store4_i(grad, i, x, y, z, CORE_AT(inv_density, load4_i(vel, i).w) * (x * x + y * y + z * z) + a.w * total(square));
}
