/* weiler2018.h -- implicit viscosity (Weiler et al. 2018) in mass-weighted, symmetric form, mu = nu rho, h = support
 * radius:
 *
 *   m_i v_i - dt sum_j B_ij (v_i - v_j) - dt sum_b B_ib (v_i - v_b) = m_i v*_i
 *   B_ij = 10 mu_ij V_i V_j/(n_i n_j) gradW_ij x_ij^T/(r^2 + 0.01 h^2)
 *   B_ib = 10 mu_b V_i V_b/n_i^2 gradW_ib x_ib^T/(r^2 + 0.01 h^2)
 *
 * Not hand-tuned: the iterations of velocity_system.h take the time. As a system of it: b_ij = -10 dt mu_ij V_i
 * V_j/(n_i n_j) f_ij/(r^2 + 0.01 h^2), gradW_ij = f_ij x_ij.
 */
/* needs: film_terms.h spline.h vec.h velocity_terms.h boundary_add.h */
#define weiler2018_PARAMS(P)                                                                  \
    P(viscosity, 0.01, "m^2/s", 0, 1e6, "kinematic viscosity within the fluid")               \
    P(wall_viscosity, 0, "m^2/s", 0, 1e6, "kinematic viscosity against walls; 0: walls slip") \
    P(tolerance, 0.001, "1", 1e-7, 0.5, "relative residual of the conjugate gradients")       \
    P(max_iterations, 100, "1", 1, 10000, "of the conjugate gradients")

#define weiler_guess_FIELDS(X) \
    X(HERE, real4, vel) X(HERE, real, dens) X(HERE, real4, pos) X(HERE, real4, change) X(WRITES, real4, guess)

/* Warm start: the velocity plus the change of the last step; guess.w = V/n. */
KERNEL(weiler_guess)
{
    const vec v = vec_here(vel), d = vec_here(change);
    set_vec(guess, v.x + d.x, v.y + d.y, v.z + d.z, vec_here(pos).w / num_here(dens));
}

#define weiler_begin_FIELDS(X)                                                                         \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, guess) X(HERE, real4, film_factor)    \
    X(PAIR, pair, pair_f) X(PAIR_WRITES, pair, pair_b) X(WRITES, real4, block) X(WRITES, real4, shear) \
    X(WRITES, real4, residual) X(WRITES, real4, direction) X(WRITES, real4, term)

/* arg.y = 1: the matrix is written; arg.w = 1: of a sample. */
KERNEL(weiler_begin)
{
    if (left_out(arg, i)) {
        set_vec(term, 0.0f, 0.0f, 0.0f, 0.0f);
        return;
    }
    const vec a = vec_here(pos), u = vec_here(vel), p = vec_here(guess);
    const num rho = of_fluid(density, u.w), m = rho * a.w, mu = parameter(weiler2018, viscosity, u.w) * rho,
              on = parameter(weiler2018, on, u.w);
    const num scale = -10.0f * par->dt * p.w, inner = scale * mu;
    vec sum = zero3();
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), q = vec_there(guess, j);
        const num mean = par->fluids == 1 ? num_of(inner) : scale * weiler_mean(par, mu, on, vec_there(vel, j).w);
        const num c = mean * q.w * pair_value(pair_f) / (square3(x) + par->eps2);
        if (arg.y > 0.0f) set_pair_value(pair_b, c);
        sum = add_times3(sum, c * inner3(sub3(p, q), x), x);
    END
    const num wall = film_here(par, film_factor, i).z * parameter(weiler2018, wall_viscosity, u.w) * rho * on;
    const velocity_walls walls = weiler_walls(par, LISTS_OF_I, pos, vel, pair_f, a, wall, scale * wall * p.w / a.w);
    store_begin(i, arg, m, u, p, walls, sum, block, shear, direction, residual, term);
}

#define weiler_on_boundary_FIELDS(X)                                                          \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, guess) X(AROUND, real, dens) \
    X(AROUND, real4, film_factor) X(CHANGES, real4, boundary_impulse)

/* The wall's part, with the velocities whose forces the fluid got (velocity_system.h). */
KERNEL(weiler_on_boundary)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num n = num_there(dens, j), r2 = square3(x), approach = inner3(sub3(u, vec_there(guess, j)), x);
        const num mu = film_there(par, film_factor, j).z * parameter(weiler2018, on, v.w) *
                       parameter(weiler2018, wall_viscosity, v.w) * of_fluid(density, v.w);
        const num c = mu * b.w * kernel_wf(par, r2).f * approach / (n * n * (r2 + par->eps2));
        sum = add_times3(sum, c, x);
    END
    add_on_boundary(boundary_impulse, i, 10.0f * par->dt * of_object(friction, u.w) * a.w, sum);
}
