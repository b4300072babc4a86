/* morris2000.h -- continuum surface force from the colour field (Morris 2000), one-sided: walls and other liquids count
 * as outside.
 *
 *   rho_i a_i = tension (f_i kappa_i n_i + |n_i| grad_s f)/h,     u = n/|n| where |n_i| > 0.01 (n of surface_normal.h)
 *   kappa_i   = - sum_j V_j/n_j (u_j - u_i).gradW_ij / sum_j V_j/n_j W_ij
 *   grad_s f  = (1 - u u^T) sum_j V_j/n_j (f_j - f_i) gradW_ij / sum_j V_j/n_j W_ij       f of film_terms.h
 *
 * Sums over neighbours that have a u, the denominators with i itself.
 *
 * Not pairwise: momentum is not kept. A one-sided colour field overestimates the force, and no resolution cures it.
 *
 * Not hand-tuned.
 */
/* needs: film_terms.h masks.h spline.h vec.h */
#define morris2000_PARAMS(P) P(tension, 0.0728, "N/m", 0, 1e9, "sigma of the surface")

#define morris2000_FIELDS(X)                                                                   \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, dens) X(AROUND, real4, normal) \
    X(AROUND, real4, film_factor) X(PAIR, pair, pair_f) X(CHANGES, real4, acc)

KERNEL(morris2000)
{
    const vec a = vec_here(pos), u = vec_here(vel), m = vec_here(normal);
    const num n = num_here(dens), length2 = square3(m);
    const num on = choose(length2 > num_of(1e-4f), parameter(morris2000, on, u.w), num_of(0.0f));
    if (!anyone(on > num_of(0.0f))) return;
    const num rho = of_fluid(density, u.w);
    const num inv = 1.0f / sqrt_of(length2);
    const vec own = scale3(inv, m);
    num spread = num_of(0.0f), share = num_of(0.0f);
    vec slope = zero3();
    const num film = film_here(par, film_factor, i).x;
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), mj = vec_there(normal, j);
        const vec x = sub3(a, b);
        const num l2 = square3(mj);
        const num inv_j = num_of(1.0f) / sqrt_of(max_of(l2, num_of(1e-4f)));
        const num volume = choose(l2 > num_of(1e-4f), same_liquid(par, vel, j, rho) * b.w / num_there(dens, j),
                                  num_of(0.0f));
        const num f = pair_value(pair_f);
        spread += volume * f * inner3(sub3(scale3(inv_j, mj), own), x);
        if (par->film.acts) slope = add_times3(slope, volume * f * (vec_there(film_factor, j).x - film), x);
        share += volume * kernel_w(par, square3(x));
    END
    const num inv_share = 1.0f / (share + a.w / n * kernel_w0(par)), curvature = -spread * inv_share;
    const num sigma = choose(on > num_of(0.0f), parameter(morris2000, tension, u.w) * par->inv_h / (rho * n),
                             num_of(0.0f));
    const vec g = scale3(inv_share / inv, slope); /* |n| grad f */
    const num bent = film * curvature - inv * inv * inner3(g, m);
    const num s = choose(on > num_of(0.0f), sigma * bent, num_of(0.0f));
    const vec old = vec_here(acc), now = add_times3(old, s, m);
    store3(acc, i, add_times3(now, sigma, choose3(on, g, zero3())), old.w);
}
