/* morris2000.h -- continuum surface force from the colour field (Morris 2000), one-sided: walls and other liquids count as outside.
 *
 *   u = n/|n| where |n_i| > 0.01 (n of surface_normal.h),   kappa_i = - sum_j V_j/n_j (u_j - u_i).gradW_ij / sum_j V_j/n_j W_ij
 *   rho_i a_i = tension (f_i kappa_i n_i + |n_i| grad_s f)/h    sums over neighbours that have a u, the denominator with i itself; f of film_terms.h,
 *                                                           grad_s f = (1 - u u^T) sum_j V_j/n_j (f_j - f_i) gradW_ij / sum_j V_j/n_j W_ij
 *
 * Not pairwise: momentum is not kept. A one-sided colour field overestimates the force, and no resolution cures it.
 */
/* needs: cohesion.h film_terms.h spline.h */
#define morris2000_PARAMS(P) P(tension, 0.0728, "N/m", 0, 1e9, "sigma of the surface")

#define morris2000_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, normal) X(NB, real4, hold) X(PAIR, pair, pair_f) X(UPD, real4, acc)

LANES(morris2000)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), m = load4_i(normal, i);
    const own n = load1_i(dens, i), length2 = m.x * m.x + m.y * m.y + m.z * m.z;
    const own on = own_pick(length2 > own_of(1e-4f), AT(morris2000, on, u.w), own_of(0.0f));
    if (!own_any(on > own_of(0.0f))) return;
    const own rho = CORE_AT(density, u.w);
    const own inv = 1.0f / own_sqrt(length2);
    lane spread = splat(0.0f), share = splat(0.0f), x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    const own clean = film_here(par, hold, i).x;
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), mj = load4_j(normal, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane l2 = mj.x * mj.x + mj.y * mj.y + mj.z * mj.z;
        const lane inv_j = splat(1.0f) / lane_sqrt(lane_max(l2, splat(1e-4f)));
        const lane volume = lane_pick(l2 > splat(1e-4f), same_liquid(par, rho, fluid_there(par, vel, j)) * b.w / load1_j(dens, j), splat(0.0f));
        const lane f = load_pair(pair_f);
        spread += volume * f * ((mj.x * inv_j - m.x * inv) * dx + (mj.y * inv_j - m.y * inv) * dy + (mj.z * inv_j - m.z * inv) * dz);
        if (par->film) {
            const lane c = volume * f * (load4_j(hold, j).x - clean);
            x += c * dx;
            y += c * dy;
            z += c * dz;
        }
        share += volume * kernel_w(par, dx * dx + dy * dy + dz * dz);
    END
    const own whole = 1.0f / (total(share) + a.w / n * kernel_w0(par)), curvature = -total(spread) * whole;
    const own sigma = own_pick(on > own_of(0.0f), AT(morris2000, tension, u.w) * par->inv_h / (rho * n), own_of(0.0f));
    const own along = whole / inv, gx = along * total(x), gy = along * total(y), gz = along * total(z); /* |n| grad f */
    const own bent = clean * curvature - inv * inv * (gx * m.x + gy * m.y + gz * m.z);
    const own s = own_pick(on > own_of(0.0f), sigma * bent, own_of(0.0f));
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + s * m.x + sigma * own_pick(on > own_of(0.0f), gx, own_of(0.0f)), old.y + s * m.y + sigma * own_pick(on > own_of(0.0f), gy, own_of(0.0f)),
             old.z + s * m.z + sigma * own_pick(on > own_of(0.0f), gz, own_of(0.0f)), old.w);
}
