/* jeske2023.h -- surface tension and adhesion of Jeske et al. 2023, explicit and implicit. sigma in N/m, rho = rest
 * density, n = density/rest density:
 *
 *   W^st(r)  = 10/7 W(max(r, h/2))                                      kernel, constant inside the particle distance
 *   m_i a_i  = - sum_j sigma w_ij W^st_ij x_ij - sum_b sigma_b u_ib W^st_ib x_ib                           (explicit)
 *   w_ij     = (m_i + m_j)/(rho_i n_i + rho_j n_j)                      mean mass over mean density
 *   u_ib     = 2 V_b/(n_i + 1)                                          the same, Psi_b = rho_i V_b for boundary points
 *   u_ib     = (V_i + V_b)/(n_i + 1)                                    the mean mass for volume maps, as in the paper
 *
 * Implicit: forces at the end of the step, where the distance has grown by dt v and the factor g = W^st over the mean
 * density to first order in dt,
 *
 *   m_i v_i + sum_j g_ij (v_i - v_j) + sum_b g_ib (v_i - v_b) = m_i v*_i - 1/dt sum_j g_ij x_ij - 1/dt sum_b g_ib x_ib
 *   g_ij     = dt^2 sigma w_ij max(0, W^st + dt (W^st'/r x_ij.v*_ij - W^st q_ij))
 *   q_ij     = (rho_i D_i + rho_j D_j)/(rho_i n_i + rho_j n_j)
 *   g_ib     = dt^2 sigma_b u_ib max(0, W^st + dt (W^st'/r x_ib.v*_ib - W^st D_i/(n_i + 1)))
 *   D_i      = sum_j V_j v*_ij.gradW_ij + sum_b V_b v*_ib.gradW_ib      rate of n, with the cubic spline
 *
 * v* in g_ij and D: the velocity entering the solve; of weak tension (dt^2 sigma/m < 0.05) that of the start of the
 * step, as in the paper (methods/jeske2023.c).
 *
 * a system of velocity_system.h, to which the viscosity of weiler2018 may be added (strong coupling). The paper has no
 * clamp: pairs that part would make the matrix indefinite. Linear momentum is kept to round-off. Angular momentum is
 * kept by the exact solution only: what the solver leaves over turns drops.
 *
 * Hand-tuned: jeske_begin has three loops for the same sum (jeske_residual, jeske_matrix, jeske_of_fluids), see there.
 */
/* needs: boundary_add.h film_terms.h masks.h pair.h spline.h vec.h velocity_terms.h */
#define jeske2023_PARAMS(P)                                                                                           \
    P(cohesion, 2000, "N/m", 0, 1e9,                                                                                  \
        "stiffness of the attraction between particles; the surface tension is 0.02 to 0.1 of it")                    \
    P(adhesion, 0, "N/m", 0, 1e9, "attraction to walls, times the wall's adhesion factor")                            \
    P(implicit, 1, "1", 0, 1, "1: forces of the end of the step, stable at any strength; 0: explicit")                \
    P(coupling, 1, "1", 0, 1, "1: one system with the weiler2018 viscosity; 0: viscosity solved after the tension")   \
    P(pressure_coupling, 1, "1", 1, 50, "rounds of tension and pressure in a step; 1: one after the other")           \
    P(printed, 0, "1", 0, 1,                                                                                          \
        "1: each round goes on from the velocity of the last, with the divergence solver in it, as printed")          \
    P(tolerance, 0.0001, "1", 1e-7, 0.5, "relative residual of the conjugate gradients; a loose one lets drops spin") \
    P(max_iterations, 100, "1", 1, 10000, "of the conjugate gradients")

/* W^st from the distance: only the outer branch of the spline is left. */
INLINE num jeske_shape(PAR, num r)
{
    const num a = max_of(min_of(num_of(1.0f) - r * par->inv_h, num_of(0.5f)), num_of(0.0f));
    return a * a * a;
}
INLINE num jeske_w(PAR, num r) { return (par->w0 * (20.0f / 7.0f)) * jeske_shape(par, r); }

/* W^st'/r from f = W'/r */
INLINE num jeske_f(PAR, num r, num f) { return choose(r > num_of(0.5f * par->h), (10.0f / 7.0f) * f, num_of(0.0f)); }

/* sigma of a pair in a scene of several fluids: the geometric mean within one liquid, where both are implicit. w: index
   of the fluid of j. */
INLINE num jeske_sigma(PAR, num sigma, num rho, num w)
{
    const num alike = choose(parameter(jeske2023, implicit, w) > num_of(0.5f), num_of(1.0f), num_of(0.0f));
    return same_liquid_of(par, rho, w) * alike *
           sqrt_of(sigma * parameter(jeske2023, on, w) * parameter(jeske2023, cohesion, w));
}

/* 2 Psi_b over the rest density: 2 V_b, or V_i + V_b of a volume map. w: index of the wall. */
INLINE num jeske_wall(PAR, num v, num v_b, num w)
{
    const num map = of_object(mapped, w);
    return v_b + map * v + (1.0f - map) * v_b;
}

#define jeske2023_OWNS(F) \
    F(change_tension, real4, "m/s", KEEP, COPY, FLUID, "what the tension changed, start of the next solve")

/* The explicit form, between fluids that both ask for it. */
#define jeske_force_BLOCK jeske2023
#define jeske_force_READS(X) X(AROUND, real, dens)

PAIR_FACTOR(jeske_force, TENSION)
{
    const num mass = i.rho * i.volume,
              both = choose(max_of(i.implicit, j.implicit) > num_of(0.5f), num_of(0.0f), num_of(1.0f));
    const num w = jeske_w(par, p.r) * (mass + j.rho * j.volume) / (i.rho * i.dens + j.rho * j.dens);
    return -both * mean_of(i.cohesion, j.cohesion) * w / mass;
}

WALL_FACTOR(jeske_force, ADHESION, adhesion)
{
    const num on = choose(i.implicit > num_of(0.5f), num_of(0.0f), num_of(1.0f));
    return -on * jeske_wall(par, i.volume, b.volume, b.object) * jeske_w(par, p.r) /
           ((i.dens + 1.0f) * i.rho * i.volume);
}

#define jeske_rate_FIELDS(X)                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real, dens) X(HERE, real4, change_tension) \
    X(PAIR, pair, pair_f) X(PAIR_WRITES, pair, pair_g) X(WRITES, real4, trial) X(WRITES, real4, guess)

/* What jeske_begin gathers: trial = (x, D), guess = (v* + change of the last step, 1/n); and pair_g = f x_ij.v*_ij,
   which D is made of and the growth of W^st too. */
KERNEL(jeske_rate)
{
    const vec a = vec_here(pos), u = vec_here(vel), d = vec_here(change_tension);
    num sum = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        const num s = pair_value(pair_f) * inner3(sub3(a, b), sub3(u, v));
        sum += b.w * s;
        set_pair_value(pair_g, s);
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        sum += b.w * pair_value(pair_f) * inner3(sub3(a, b), sub3(u, v));
    END
    set_vec(trial, a.x, a.y, a.z, sum);
    set_vec(guess, u.x + d.x, u.y + d.y, u.z + d.z, 1.0f / num_here(dens));
}

#define jeske_start_FIELDS(X)                                                                                      \
    X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real, dens) X(HERE, real, rate) X(HERE, real4, change_tension) \
    X(WRITES, real4, trial) X(WRITES, real4, guess)

/* The same where density_rates left D and pair_g, of the velocities at the start of the step. */
KERNEL(jeske_start)
{
    const vec a = vec_here(pos), u = vec_here(vel), d = vec_here(change_tension);
    set_vec(trial, a.x, a.y, a.z, num_here(rate));
    set_vec(guess, u.x + d.x, u.y + d.y, u.z + d.z, 1.0f / num_here(dens));
}

/* A particle i of the implicit system, and what its pairs need of it. */
typedef struct jeske_particle {
    vec a, p;       /* place; guess, w: e = 1/n */
    num rho, rate;  /* rest density, D */
    num force;      /* 2 V e sigma dt^2 of W^st/shape; with `strong` without 2 sigma */
    num strong;
    num tension, film;              /* sigma; what a film leaves of it */
    num thick, mu, viscous, scale;  /* of weiler2018 */
    num denser;                     /* dt e */
} jeske_particle;

/* Growth of W^st over its shape in dt: this times f x.v. */
INLINE real jeske_grow(PAR) { return 0.5f * par->dt / par->w0; }

typedef struct jeske_pair {
    num g, c; /* the two entries of the matrix */
    vec sum;
} jeske_pair;

/* g and c = b_ij of a pair and what they add to the sum. One division for 1/(n_i + n_j) = e_i e_j/(e_i + e_j), e = 1/n,
   and 1/(r^2 + 0.01 h^2); e = 0 in the padding. Hand-tuned: written for a short chain from the root to the sums. That
   chain, not the number of operations, is what the loop waits for. `all` and `rates`: sums of e and D of both; f, flow:
   of the lists. */
INLINE jeske_pair jeske_pair_of(PAR, vec sum, jeske_particle o, vec b, vec q, num force, num all, num rates, num inner,
                                num f, num flow)
{
    const vec d = sub3(o.a, b), v = sub3(o.p, q);
    const num r2 = square3(d), soft = r2 + par->eps2, inv = q.w / (all * soft),
              mean = inv * soft;
    const num w = jeske_shape(par, sqrt_of(r2)),
              growth = choose(r2 > num_of(0.25f * par->h * par->h), flow, num_of(0.0f));
    jeske_pair t;
    t.g = force * mean * max_of(w * (1.0f - o.denser * rates * mean) + jeske_grow(par) * growth, num_of(0.0f));
    t.c = inner * f * (inv * all);
    t.sum = add_times3(add_times3(sum, t.c * inner3(v, d), d), t.g, add_times3(v, num_of(par->inv_dt), d));
    return t;
}

/* A pair of the loop below, ready to be added: d.w = slow (D_i + D_j), v.w = 1/(n (r^2 + 0.01 h^2)). */
typedef struct jeske_ready {
    vec d, v;
    num root, soft, growth, axial, pull;
} jeske_ready;

INLINE vec jeske_add(PAR, vec sum, jeske_ready t, real inv_grow)
{
    const num mean = t.v.w * t.soft, l = min_of(par->h - t.root, num_of(0.5f * par->h));
    const num g = t.pull * mean * max_of(fma_of(l * l * l, fma_of(t.d.w, mean, inv_grow), t.growth), num_of(0.0f));
    const num c = fma_of(par->inv_dt, g, t.axial * t.v.w);
    return vec_of(fma_of(c, t.d.x, fma_of(g, t.v.x, sum.x)), fma_of(c, t.d.y, fma_of(g, t.v.y, sum.y)),
                  fma_of(c, t.d.z, fma_of(g, t.v.z, sum.z)));
}

/* The sum over the pairs of one liquid, without the matrix. Hand-tuned, since most steps need nothing else: as few
   operations as will do, and each pair is added while the root and the quotient of the next are computed. */
INLINE vec jeske_residual(PAR, LISTS, jeske_particle o, FIELD(real4) trial, FIELD(real4) guess,
                          FIELD(real4) film_factor, FIELD(pair) pair_f, FIELD(pair) pair_g)
{
    const real grow = jeske_grow(par), inv_grow = par->inv_h * par->inv_h * par->inv_h / grow,
               inside = 0.25f * par->h * par->h;
    const num stiff = o.force * grow, slow = -inv_grow * o.denser;
    const num none = num_of(0.0f);
    vec sum = zero3();
    jeske_ready t;
    t.d = t.v = sum;
    t.root = t.soft = t.growth = t.axial = none, t.pull = num_of(stiff);
    FOR_FLUID(j)
        const vec b = vec_there(trial, j), q = vec_there(guess, j), d = sub3(o.a, b), v = sub3(o.p, q);
        const num r2 = dot3(d, d), next = r2 + par->eps2, all = o.p.w + q.w;
        const num inv = q.w / (all * next), r = sqrt_of(r2);
        sum = jeske_add(par, sum, t, inv_grow);
        t.d = d, t.v = v, t.v.w = inv, t.root = r, t.soft = next;
        t.d.w = slow * (o.rate + b.w);
        t.growth = choose(r2 > num_of(inside), pair_value(pair_g), none);
        if (par->film.acts) t.pull = film_pair(par, film_factor, j, o.film) * stiff;
        t.axial = o.thick * all * (pair_value(pair_f) * fma_of(v.z, d.z, fma_of(v.y, d.y, v.x * d.x)));
    END
    return jeske_add(par, sum, t, inv_grow);
}

/* The same of fluids that differ; with `writes` the matrix is written, and with `coupled` = 1 the viscosity counts. */
INLINE vec jeske_of_fluids(PAR, LISTS, jeske_particle o, real coupled, const int writes, FIELD(real4) vel,
                           FIELD(real4) trial, FIELD(real4) guess, FIELD(real4) film_factor, FIELD(pair) pair_f,
                           WRITTEN(pair) pair_g, WRITTEN(pair) pair_b)
{
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(trial, j), q = vec_there(guess, j);
        const num other = vec_there(vel, j).w, rho_j = of_fluid(density, other);
        const num force = film_pair(par, film_factor, j, o.film) * jeske_sigma(par, o.tension, o.rho, other) *
                          (o.rho + rho_j) * o.strong;
        const num inner = o.scale * coupled * weiler_mean(par, o.mu, o.viscous, other) * o.a.w;
        const jeske_pair t = jeske_pair_of(par, sum, o, b, q, force, o.rho * q.w + rho_j * o.p.w,
                                           o.rho * o.rate + rho_j * b.w, inner, pair_value(pair_f), pair_value(pair_g));
        sum = t.sum;
        if (writes) {
            set_pair_value(pair_g, t.g);
            set_pair_value(pair_b, t.c);
        }
    END
    return sum;
}

/* And of one liquid, with the matrix. */
INLINE vec jeske_matrix(PAR, LISTS, jeske_particle o, FIELD(real4) trial, FIELD(real4) guess, FIELD(real4) film_factor,
                        FIELD(pair) pair_f, WRITTEN(pair) pair_g, WRITTEN(pair) pair_b)
{
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(trial, j), q = vec_there(guess, j);
        const jeske_pair t = jeske_pair_of(par, sum, o, b, q, film_pair(par, film_factor, j, o.film) * o.force,
                                           o.p.w + q.w, o.rate + b.w, o.thick, pair_value(pair_f), pair_value(pair_g));
        sum = t.sum;
        set_pair_value(pair_g, t.g);
        set_pair_value(pair_b, t.c);
    END
    return sum;
}

/* What adhesion of the strength `stick` > 0 adds to `walls`; u = v*. */
INLINE velocity_walls jeske_adhesion(PAR, LISTS, velocity_walls walls, vec a, vec u, num n, num rate, num stick,
                                     FIELD(real4) pos, FIELD(real4) vel, FIELD(pair) pair_f)
{
    const num inv = 1.0f / (n + 1.0f);
    num held = num_of(0.0f);
    vec sum = zero3();
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num r = sqrt_of(square3(x)), w = jeske_w(par, r);
        const num growth = jeske_f(par, r, pair_value(pair_f)) * inner3(sub3(u, v), x);
        const num g = (stick * inv) * of_object(adhesion, v.w) * jeske_wall(par, a.w, b.w, v.w) *
                      max_of(w + par->dt * (growth - w * (rate * inv)), num_of(0.0f));
        held += g;
        sum = add_times3(sum, g, sub3(v, scale3(num_of(par->inv_dt), x)));
    END
    walls.block.xx += held, walls.block.yy += held, walls.block.zz += held;
    walls.right = add3(walls.right, sum);
    return walls;
}

#define jeske_begin_FIELDS(X)                                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real, dens) X(AROUND, real4, trial) X(AROUND, real4, guess) \
    X(AROUND, real4, film_factor) X(PAIR, pair, pair_f) X(PAIR_WRITES, pair, pair_g) X(PAIR_WRITES, pair, pair_b)   \
    X(WRITES, real4, block) X(WRITES, real4, shear) X(WRITES, real4, residual) X(WRITES, real4, direction)          \
    X(WRITES, real4, term)

/* The residual of the guess; arg.x = 1: with viscosity, arg.y = 1: and the matrix is written, which only an iteration
   needs (g in place of f x_ij.v*_ij: after that jeske_rate must come first again), arg.z = 1: fluids differ, arg.w = 1:
   of a sample. All particles have the same volume. */
KERNEL(jeske_begin)
{
    if (left_out(arg, i)) {
        set_vec(term, 0.0f, 0.0f, 0.0f, 0.0f);
        return;
    }
    const vec a = vec_here(pos), u = vec_here(vel), p = vec_here(guess), film = film_here(par, film_factor, i);
    const num fluid = u.w, rho = of_fluid(density, fluid), m = rho * a.w, e = p.w; /* u = v* */
    const num on = parameter(jeske2023, on, fluid) *
                   choose(parameter(jeske2023, implicit, fluid) > num_of(0.5f), num_of(1.0f), num_of(0.0f));
    const num square_dt = on * par->dt * par->dt, stick = film.y * square_dt * parameter(jeske2023, adhesion, fluid);
    jeske_particle o;
    o.a = a, o.p = p, o.rho = rho, o.rate = vec_here(trial).w, o.tension = parameter(jeske2023, cohesion, fluid),
    o.film = film.x;
    o.viscous = arg.x * parameter(weiler2018, on, fluid),
    o.mu = o.viscous * parameter(weiler2018, viscosity, fluid) * rho, o.scale = -10.0f * par->dt * a.w * e;
    o.strong = a.w * e * square_dt * (par->w0 * (20.0f / 7.0f)), o.force = 2.0f * o.tension * o.strong,
    o.thick = o.scale * o.mu * a.w;
    o.denser = par->dt * e;
    vec sum;
    if (arg.z > 0.0f)
        sum = jeske_of_fluids(par, LISTS_OF_I, o, arg.x, arg.y > 0.0f, vel, trial, guess, film_factor, pair_f, pair_g,
                              pair_b);
    else if (arg.y > 0.0f) sum = jeske_matrix(par, LISTS_OF_I, o, trial, guess, film_factor, pair_f, pair_g, pair_b);
    else sum = jeske_residual(par, LISTS_OF_I, o, trial, guess, film_factor, pair_f, pair_g);
    const num wall = film.z * o.viscous * parameter(weiler2018, wall_viscosity, fluid) * rho;
    velocity_walls walls = weiler_walls(par, LISTS_OF_I, pos, vel, pair_f, a, wall, o.scale * wall * e);
    if (anyone(stick > num_of(0.0f)))
        walls = jeske_adhesion(par, LISTS_OF_I, walls, a, u, num_here(dens), o.rate, stick, pos, vel, pair_f);
    store_begin(i, arg, m, u, p, walls, sum, block, shear, direction, residual, term);
}

#define jeske_finish_FIELDS(X) \
    X(HERE, real4, guess) X(HERE, real4, residual) X(CHANGES, real4, vel) X(WRITES, real4, change_tension)

KERNEL(jeske_finish)
{
    velocity_finish(i, arg, guess, residual, vel, change_tension);
}

#define jeske_on_boundary_FIELDS(X)                                                                      \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, guess) X(AROUND, real4, change_tension) \
    X(AROUND, real4, trial) X(AROUND, real, dens) X(AROUND, real4, film_factor) X(CHANGES, real4, boundary_impulse)

/* The wall's part of the implicit adhesion, with the velocities whose forces the fluid got. */
KERNEL(jeske_on_boundary)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    vec sum = zero3();
    FOR_FLUID(j)
        /* v* = v - d */
        const vec b = vec_there(pos, j), v = vec_there(vel, j), s = vec_there(guess, j),
                  d = vec_there(change_tension, j);
        const num on = parameter(jeske2023, on, v.w) *
                       choose(parameter(jeske2023, implicit, v.w) > num_of(0.5f), num_of(1.0f), num_of(0.0f));
        const vec x = sub3(a, b);
        const num r2 = square3(x), r = sqrt_of(r2), w = jeske_w(par, r);
        const num inv = 1.0f / (num_there(dens, j) + 1.0f);
        const num growth = jeske_f(par, r, kernel_wf(par, r2).f) * inner3(add3(sub3(u, v), d), x);
        const num g = film_there(par, film_factor, j).y * on * parameter(jeske2023, adhesion, v.w) * inv *
                      max_of(w + par->dt * (growth - w * (vec_there(trial, j).w * inv)), num_of(0.0f));
        sum = add_times3(sum, g, add_times3(sub3(u, s), num_of(par->inv_dt), x));
    END
    add_on_boundary(boundary_impulse, i, -2.0f * par->dt * par->dt * of_object(adhesion, u.w) * a.w, sum);
}
