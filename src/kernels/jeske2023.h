/* jeske2023.h -- surface tension and adhesion of Jeske et al. 2023, explicit and implicit. sigma in N/m, rho = rest density, n = density/rest density:
 *
 *   W^st(r)  = 10/7 W(max(r, h/2))                                      kernel, constant inside the particle distance
 *   m_i a_i  = - sum_j sigma w_ij W^st_ij x_ij - sum_b sigma_b u_ib W^st_ib x_ib                                              (explicit)
 *   w_ij     = (m_i + m_j)/(rho_i n_i + rho_j n_j),   u_ib = 2 V_b/(n_i + 1)       mean mass over mean density; Psi_b = rho_i V_b for wall particles,
 *                                                     u_ib = (V_i + V_b)/(n_i + 1)   the mean mass for volume maps, as in the paper
 *
 * Implicit: forces at the end of the step, where the distance has grown by dt v and the factor g = W^st over the mean density to first order in dt,
 *
 *   m_i v_i + sum_j g_ij (v_i - v_j) + sum_b g_ib (v_i - v_b) = m_i v*_i - 1/dt sum_j g_ij x_ij - 1/dt sum_b g_ib x_ib
 *   g_ij     = dt^2 sigma w_ij max(0, W^st + dt (W^st'/r x_ij.v*_ij - W^st (rho_i D_i + rho_j D_j)/(rho_i n_i + rho_j n_j)))
 *   g_ib     = dt^2 sigma_b u_ib max(0, W^st + dt (W^st'/r x_ib.v*_ib - W^st D_i/(n_i + 1)))
 *   D_i      = sum_j V_j v*_ij.gradW_ij + sum_b V_b v*_ib.gradW_ib      rate of n, with the cubic spline
 *
 * v* in g_ij and D: the velocity entering the solve; of weak tension (dt^2 sigma/m < 0.05) that of the start of the step, as in the paper (methods/jeske2023.c).
 *
 * a system of velocity_system.h, to which the viscosity of weiler2018 may be added (strong coupling). The paper has no clamp: pairs that part would make
 * the matrix indefinite. Linear momentum is kept to round-off. Angular momentum is kept by the exact solution only: what the solver leaves over turns drops.
 */
/* needs: cohesion.h film_terms.h spline.h vec.h velocity_terms.h wall_add.h */
#define jeske2023_PARAMS(P)                                                                                             \
    P(tension, 2000, "N/m", 0, 1e9, "strength of the attraction within the fluid; the net tension is 0.02 to 0.1 of it") \
    P(adhesion, 0, "N/m", 0, 1e9, "attraction to walls, times the wall's adhesion factor")                               \
    P(implicit, 1, "1", 0, 1, "1: forces of the end of the step, stable at any strength; 0: explicit")                   \
    P(coupling, 1, "1", 0, 1, "1: one system with the weiler2018 viscosity; 0: viscosity solved after the tension")      \
    P(pressure_coupling, 1, "1", 1, 50, "rounds of tension and pressure in a step; 1: one after the other")              \
    P(tolerance, 0.0001, "1", 1e-7, 0.5, "relative residual of the conjugate gradients; a loose one lets drops spin")       \
    P(max_iterations, 100, "1", 1, 10000, "of the conjugate gradients")

/* W^st from the distance: only the outer branch of the spline is left. */
INLINE lane jeske_shape(PAR, lane r)
{
    const lane a = lane_max(lane_min(splat(1.0f) - r * par->inv_h, splat(0.5f)), splat(0.0f));
    return a * a * a;
}
INLINE lane jeske_w(PAR, lane r) { return (par->w0 * (20.0f / 7.0f)) * jeske_shape(par, r); }

/* W^st'/r from f = W'/r */
INLINE lane jeske_f(PAR, lane r, lane f) { return lane_pick(r > splat(0.5f * par->h), (10.0f / 7.0f) * f, splat(0.0f)); }

/* sigma of a pair in a scene of several fluids: the geometric mean within one liquid, where both are explicit or both implicit. w: index of the fluid of j. */
INLINE lane jeske_sigma(PAR, own sigma, own rho, real implicit, lane w)
{
    const lane alike = lane_pick(AT_J(jeske2023, implicit, w) > splat(0.5f), splat(implicit), splat(1.0f - implicit));
    return same_liquid(par, rho, w) * alike * lane_sqrt(sigma * AT_J(jeske2023, on, w) * AT_J(jeske2023, tension, w));
}

/* 2 Psi_b over the rest density: 2 V_b, or V_i + V_b of a volume map. w: index of the wall. */
INLINE lane jeske_wall(PAR, own v, lane v_b, lane w)
{
    const lane map = CORE_AT_J(mapped, w);
    return v_b + map * v + (1.0f - map) * v_b;
}

#define jeske2023_OWNS(F)                                                                                   \
    F(change_tension, real4, "m/s", KEEP, COPY, FLUID, "what the tension changed, start of the next solve")

#define jeske_force_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, acc)

/* Explicit form, for the fluids that ask for it. */
LANES(jeske_force)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own rho = CORE_AT(density, u.w), n = load1_i(dens, i), on = AT(jeske2023, on, u.w) * own_pick(AT(jeske2023, implicit, u.w) > own_of(0.5f), own_of(0.0f), own_of(1.0f));
    const own sigma = on * AT(jeske2023, tension, u.w), stick = film_here(par, hold, i).y * on * AT(jeske2023, adhesion, u.w), clean = film_here(par, hold, i).x;
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    if (own_any(on > own_of(0.0f))) {
        FOR_FLUID(j)
            const lane4 b = load4_j(pos, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane w = jeske_w(par, lane_sqrt(dx * dx + dy * dy + dz * dz));
            lane c = sigma * w * (a.w + b.w) / (n + load1_j(dens, j));
            if (par->fluids > 1) {
                const lane fluid = load4_j(vel, j).w, rho_j = CORE_AT_J(density, fluid);
                c = jeske_sigma(par, sigma, rho, 0.0f, fluid) * w * (rho * a.w + rho_j * b.w) / (rho * n + rho_j * load1_j(dens, j));
            }
            c *= film_pair(par, hold, j, clean);
            x += c * dx;
            y += c * dy;
            z += c * dz;
        END
    }
    if (own_any(stick > own_of(0.0f))) {
        FOR_WALLS(j)
            const lane4 b = load4_j(pos, j);
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            const lane wall = load4_j(vel, j).w;
            const lane c = (stick / (n + 1.0f)) * CORE_AT_J(adhesion, wall) * jeske_wall(par, a.w, b.w, wall) * jeske_w(par, lane_sqrt(dx * dx + dy * dy + dz * dz));
            x += c * dx;
            y += c * dy;
            z += c * dz;
        END
    }
    const own s = -1.0f / (rho * a.w);
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + s * total(x), old.y + s * total(y), old.z + s * total(z), old.w);
}

#define jeske_rate_FIELDS(X)                                                                                                     \
    X(NB, real4, pos) X(NB, real4, vel) X(OWN, real, dens) X(OWN, real4, change_tension) X(PAIR, pair, pair_f) X(PAIROUT, pair, pair_g) \
    X(OUT, real4, probe) X(OUT, real4, guess)

/* What jeske_begin gathers: probe = (x, D), guess = (v* + change of the last step, 1/n); and pair_g = f x_ij.v*_ij, which D is made of and the growth of W^st too. */
LANES(jeske_rate)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), d = load4_i(change_tension, i);
    lane sum = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        const lane s = load_pair(pair_f) * ((a.x - b.x) * (u.x - v.x) + (a.y - b.y) * (u.y - v.y) + (a.z - b.z) * (u.z - v.z));
        sum += b.w * s;
        store_pair(pair_g, s);
    END
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j);
        sum += b.w * load_pair(pair_f) * ((a.x - b.x) * (u.x - v.x) + (a.y - b.y) * (u.y - v.y) + (a.z - b.z) * (u.z - v.z));
    END
    store4_i(probe, i, a.x, a.y, a.z, total(sum));
    store4_i(guess, i, u.x + d.x, u.y + d.y, u.z + d.z, 1.0f / load1_i(dens, i));
}

#define jeske_start_FIELDS(X) \
    X(OWN, real4, pos) X(OWN, real4, vel) X(OWN, real, dens) X(OWN, real, rate) X(OWN, real4, change_tension) X(OUT, real4, probe) X(OUT, real4, guess)

/* The same where density_rates left D and pair_g, of the velocities at the start of the step. */
LANES(jeske_start)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), d = load4_i(change_tension, i);
    store4_i(probe, i, a.x, a.y, a.z, load1_i(rate, i));
    store4_i(guess, i, u.x + d.x, u.y + d.y, u.z + d.z, 1.0f / load1_i(dens, i));
}

/* A particle i of the implicit system, and what its pairs need of it. */
typedef struct jeske_particle {
    vec a, p;       /* place; guess, w: e = 1/n */
    own rho, rate;  /* rest density, D */
    own force;      /* 2 V e sigma dt^2 of W^st/shape; with `strong` without 2 sigma */
    own strong;
    own tension, clean;             /* sigma; what a film leaves of it */
    own thick, mu, viscous, scale;  /* of weiler2018 */
    own denser;                     /* dt e */
} jeske_particle;

/* Growth of W^st over its shape in dt: this times f x.v. */
INLINE real jeske_grow(PAR) { return 0.5f * par->dt / par->w0; }

typedef struct jeske_pair {
    lane g, c; /* the two entries of the matrix */
    vec sum;
} jeske_pair;

/* g and c = b_ij of a pair and what they add to the sum. One division for 1/(n_i + n_j) = e_i e_j/(e_i + e_j), e = 1/n, and
   1/(r^2 + 0.01 h^2); e = 0 in the padding. Hand-tuned: written for a short way from the root to the sums. That way, not the
   number of operations, is what the loop waits for. `all` and `rates`: sums of e and D of both; f, flow: of the lists. */
INLINE jeske_pair jeske_pair_of(PAR, vec sum, jeske_particle o, vec b, vec q, lane force, lane all, lane rates, lane inner, lane f, lane flow)
{
    const vec d = sub3(o.a, b), v = sub3(o.p, q);
    const lane r2 = d.x * d.x + d.y * d.y + d.z * d.z, soft = r2 + par->eps2, inv = q.w / (all * soft), mean = inv * soft;
    const lane w = jeske_shape(par, lane_sqrt(r2)), growth = lane_pick(r2 > splat(0.25f * par->h * par->h), flow, splat(0.0f));
    jeske_pair t;
    t.g = force * mean * lane_max(w * (1.0f - o.denser * rates * mean) + jeske_grow(par) * growth, splat(0.0f));
    t.c = inner * f * (inv * all);
    const lane along = t.c * (v.x * d.x + v.y * d.y + v.z * d.z);
    t.sum = vec_of((sum.x + along * d.x) + t.g * (v.x + par->inv_dt * d.x), (sum.y + along * d.y) + t.g * (v.y + par->inv_dt * d.y),
                      (sum.z + along * d.z) + t.g * (v.z + par->inv_dt * d.z));
    return t;
}

/* A pair of the loop below, ready to be added: d.w = slow (D_i + D_j), v.w = 1/(n (r^2 + 0.01 h^2)). */
typedef struct jeske_ready {
    vec d, v;
    lane root, soft, growth, axial, pull;
} jeske_ready;

INLINE vec jeske_add(PAR, vec sum, jeske_ready t, real inv_grow)
{
    const lane mean = t.v.w * t.soft, l = lane_min(par->h - t.root, splat(0.5f * par->h));
    const lane g = t.pull * mean * lane_max(lane_fma(l * l * l, lane_fma(t.d.w, mean, inv_grow), t.growth), splat(0.0f));
    const lane c = lane_fma(par->inv_dt, g, t.axial * t.v.w);
    return vec_of(lane_fma(c, t.d.x, lane_fma(g, t.v.x, sum.x)), lane_fma(c, t.d.y, lane_fma(g, t.v.y, sum.y)),
                  lane_fma(c, t.d.z, lane_fma(g, t.v.z, sum.z)));
}

/* The sum over the pairs of one liquid, without the matrix. Hand-tuned, since most steps need nothing else: as few operations as will
   do, and each pair is added while the root and the quotient of the next are under way. */
INLINE vec jeske_residual(PAR, LISTS, jeske_particle o, FIELD(real4) probe, FIELD(real4) guess, FIELD(real4) hold, FIELD(pair) pair_f, FIELD(pair) pair_g)
{
    const real grow = jeske_grow(par), inv_grow = par->inv_h * par->inv_h * par->inv_h / grow, inside = 0.25f * par->h * par->h;
    const own stiff = o.force * grow, slow = -inv_grow * o.denser;
    const lane none = splat(0.0f);
    vec sum = vec_of(none, none, none);
    jeske_ready t;
    t.d = t.v = sum;
    t.root = t.soft = t.growth = t.axial = none, t.pull = splat(stiff);
    FOR_FLUID(j)
        const vec b = vec_j(probe, j), q = vec_j(guess, j), d = sub3(o.a, b), v = sub3(o.p, q);
        const lane r2 = dot3(d, d), next = r2 + par->eps2, all = o.p.w + q.w;
        const lane inv = q.w / (all * next), r = lane_sqrt(r2);
        sum = jeske_add(par, sum, t, inv_grow);
        t.d = d, t.v = v, t.v.w = inv, t.root = r, t.soft = next;
        t.d.w = slow * (o.rate + b.w);
        t.growth = lane_pick(r2 > splat(inside), load_pair(pair_g), none);
        if (par->film) t.pull = film_pair(par, hold, j, o.clean) * stiff;
        t.axial = o.thick * all * (load_pair(pair_f) * lane_fma(v.z, d.z, lane_fma(v.y, d.y, v.x * d.x)));
    END
    return jeske_add(par, sum, t, inv_grow);
}

/* The same of fluids that differ; with `writes` the matrix is written, and with `coupled` = 1 the viscosity counts. */
INLINE vec jeske_of_fluids(PAR, LISTS, jeske_particle o, real coupled, const int writes, FIELD(real4) vel, FIELD(real4) probe, FIELD(real4) guess,
                           FIELD(real4) hold, FIELD(pair) pair_f, WRITTEN(pair) pair_g, WRITTEN(pair) pair_b)
{
    vec sum = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    FOR_FLUID(j)
        const vec b = vec_j(probe, j), q = vec_j(guess, j);
        const lane other = vec_j(vel, j).w, rho_j = CORE_AT_J(density, other);
        const lane force = film_pair(par, hold, j, o.clean) * jeske_sigma(par, o.tension, o.rho, 1.0f, other) * (o.rho + rho_j) * o.strong;
        const lane inner = o.scale * coupled * weiler_mean(par, o.mu, o.viscous, other) * o.a.w;
        const jeske_pair t = jeske_pair_of(par, sum, o, b, q, force, o.rho * q.w + rho_j * o.p.w, o.rho * o.rate + rho_j * b.w, inner, load_pair(pair_f),
                                           load_pair(pair_g));
        sum = t.sum;
        if (writes) {
            store_pair(pair_g, t.g);
            store_pair(pair_b, t.c);
        }
    END
    return sum;
}

/* And of one liquid, with the matrix. */
INLINE vec jeske_matrix(PAR, LISTS, jeske_particle o, FIELD(real4) probe, FIELD(real4) guess, FIELD(real4) hold, FIELD(pair) pair_f,
                        WRITTEN(pair) pair_g, WRITTEN(pair) pair_b)
{
    vec sum = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    FOR_FLUID(j)
        const vec b = vec_j(probe, j), q = vec_j(guess, j);
        const jeske_pair t = jeske_pair_of(par, sum, o, b, q, film_pair(par, hold, j, o.clean) * o.force, o.p.w + q.w, o.rate + b.w, o.thick,
                                           load_pair(pair_f), load_pair(pair_g));
        sum = t.sum;
        store_pair(pair_g, t.g);
        store_pair(pair_b, t.c);
    END
    return sum;
}

/* What adhesion of the strength `stick` > 0 adds to `walls`; u = v*. */
INLINE velocity_walls jeske_adhesion(PAR, LISTS, velocity_walls walls, vec a, vec u, own n, own rate, own stick, FIELD(real4) pos, FIELD(real4) vel,
                                     FIELD(pair) pair_f)
{
    const own inv = 1.0f / (n + 1.0f);
    lane held = splat(0.0f), ux = splat(0.0f), uy = splat(0.0f), uz = splat(0.0f);
    FOR_WALLS(j)
        const vec b = vec_j(pos, j), v = vec_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r = lane_sqrt(dx * dx + dy * dy + dz * dz), w = jeske_w(par, r);
        const lane growth = jeske_f(par, r, load_pair(pair_f)) * ((u.x - v.x) * dx + (u.y - v.y) * dy + (u.z - v.z) * dz);
        const lane g = (stick * inv) * CORE_AT_J(adhesion, v.w) * jeske_wall(par, a.w, b.w, v.w) * lane_max(w + par->dt * (growth - w * (rate * inv)), splat(0.0f));
        held += g;
        ux += g * (v.x - par->inv_dt * dx);
        uy += g * (v.y - par->inv_dt * dy);
        uz += g * (v.z - par->inv_dt * dz);
    END
    walls.xx += held, walls.yy += held, walls.zz += held;
    walls.x += ux, walls.y += uy, walls.z += uz;
    return walls;
}

#define jeske_begin_FIELDS(X)                                                                                                   \
    X(NB, real4, pos) X(NB, real4, vel) X(OWN, real, dens) X(NB, real4, probe) X(NB, real4, guess) X(NB, real4, hold) X(PAIR, pair, pair_f)       \
    X(PAIROUT, pair, pair_g) X(PAIROUT, pair, pair_b) X(OUT, real4, block) X(OUT, real4, shear) X(OUT, real4, rest) X(OUT, real4, way) X(OUT, real4, term)

/* The residual of the guess; arg.x = 1: with viscosity, arg.y = 1: and the matrix is written, which only an iteration needs (g in place of f x_ij.v*_ij:
   after that jeske_rate must come first again), arg.z = 1: fluids differ, arg.w = 1: of a sample. All particles have the same volume. */
LANES(jeske_begin)
{
    ITEM();
    if (left_out(arg, i)) {
        store4_i(term, i, 0.0f, 0.0f, 0.0f, 0.0f);
        return;
    }
    const vec a = vec_i(pos, i), u = vec_i(vel, i), p = vec_i(guess, i), film = film_here(par, hold, i);
    const own fluid = u.w, rho = CORE_AT(density, fluid), m = rho * a.w, e = p.w; /* u = v* */
    const own on = AT(jeske2023, on, fluid) * own_pick(AT(jeske2023, implicit, fluid) > own_of(0.5f), own_of(1.0f), own_of(0.0f));
    const own square_dt = on * par->dt * par->dt, stick = film.y * square_dt * AT(jeske2023, adhesion, fluid);
    jeske_particle o;
    o.a = a, o.p = p, o.rho = rho, o.rate = vec_i(probe, i).w, o.tension = AT(jeske2023, tension, fluid), o.clean = film.x;
    o.viscous = arg.x * AT(weiler2018, on, fluid), o.mu = o.viscous * AT(weiler2018, viscosity, fluid) * rho, o.scale = -10.0f * par->dt * a.w * e;
    o.strong = a.w * e * square_dt * (par->w0 * (20.0f / 7.0f)), o.force = 2.0f * o.tension * o.strong, o.thick = o.scale * o.mu * a.w;
    o.denser = par->dt * e;
    vec sum;
    if (arg.z > 0.0f) sum = jeske_of_fluids(par, LISTS_OF_I, o, arg.x, arg.y > 0.0f, vel, probe, guess, hold, pair_f, pair_g, pair_b);
    else if (arg.y > 0.0f) sum = jeske_matrix(par, LISTS_OF_I, o, probe, guess, hold, pair_f, pair_g, pair_b);
    else sum = jeske_residual(par, LISTS_OF_I, o, probe, guess, hold, pair_f, pair_g);
    const own wall = film.z * o.viscous * AT(weiler2018, wall_viscosity, fluid) * rho;
    velocity_walls walls = weiler_walls(par, LISTS_OF_I, pos, vel, pair_f, a, wall, o.scale * wall * e);
    if (own_any(stick > own_of(0.0f))) walls = jeske_adhesion(par, LISTS_OF_I, walls, a, u, load1_i(dens, i), o.rate, stick, pos, vel, pair_f);
    store_begin(i, arg, m, u, p, walls, sum, block, shear, way, rest, term);
}

#define jeske_finish_FIELDS(X) X(OWN, real4, guess) X(OWN, real4, rest) X(UPD, real4, vel) X(OUT, real4, change_tension)

LANES(jeske_finish)
{
    ITEM();
    velocity_finish(i, arg, guess, rest, vel, change_tension);
}

#define jeske_force_on_walls_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, wall_force)

/* The wall's part of the explicit adhesion; its loop is over fluid. */
LANES(jeske_force_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane w = load4_j(vel, j).w;
        const lane on = AT_J(jeske2023, on, w) * lane_pick(AT_J(jeske2023, implicit, w) > splat(0.5f), splat(0.0f), splat(1.0f));
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane c = film_there(par, hold, j).y * on * AT_J(jeske2023, adhesion, w) / (load1_j(dens, j) + 1.0f) * jeske_w(par, lane_sqrt(dx * dx + dy * dy + dz * dz));
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    add_on_wall(wall_force, i, -2.0f * CORE_AT(adhesion, load4_i(vel, i).w) * a.w, total(x), total(y), total(z));
}

#define jeske_on_walls_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, guess) X(NB, real4, change_tension) X(NB, real4, probe) X(NB, real, dens) X(NB, real4, hold) X(UPD, real4, wall_impulse)

/* The wall's part of the implicit adhesion, with the velocities whose forces the fluid got. */
LANES(jeske_on_walls)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j), s = load4_j(guess, j), d = load4_j(change_tension, j); /* v* = v - d */
        const lane on = AT_J(jeske2023, on, v.w) * lane_pick(AT_J(jeske2023, implicit, v.w) > splat(0.5f), splat(1.0f), splat(0.0f));
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz, r = lane_sqrt(r2), w = jeske_w(par, r);
        const lane inv = 1.0f / (load1_j(dens, j) + 1.0f);
        const lane growth = jeske_f(par, r, kernel_wf(par, r2).f) * ((u.x - v.x + d.x) * dx + (u.y - v.y + d.y) * dy + (u.z - v.z + d.z) * dz);
        const lane g = film_there(par, hold, j).y * on * AT_J(jeske2023, adhesion, v.w) * inv * lane_max(w + par->dt * (growth - w * (load4_j(probe, j).w * inv)), splat(0.0f));
        x += g * (u.x - s.x + par->inv_dt * dx);
        y += g * (u.y - s.y + par->inv_dt * dy);
        z += g * (u.z - s.z + par->inv_dt * dz);
    END
    add_on_wall(wall_impulse, i, -2.0f * par->dt * par->dt * CORE_AT(adhesion, u.w) * a.w, total(x), total(y), total(z));
}
