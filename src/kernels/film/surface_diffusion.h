/* surface_diffusion.h -- along the surface, between particles that have a share A of it (after Orthmann et al. 2013,
 * with the 1/r of Cleary & Monaghan):
 *
 *   d Sb_i = D dt sum_j g_ij (S_j - S_i),   g_ij = c_ij (1/M_i + 1/M_j)/2
 *   c_ij = 4 A_i A_j V_i V_j/(A_i V_j + A_j V_i) |f_ij|,   f = W'/r
 *   M_i = (1 + t H_i)^2 sum_j c_ij r_t^2/(4 A_i)
 *
 * M is the second moment of the sum, which D = 1 on a smooth surface asks to be 1: r_t is the distance along the
 * tangent plane, and 1 + t H carries it from the depth t at which the particles of a surface lie on the average to the
 * surface itself (H: mean curvature). The mean of the areas is the harmonic one: a particle with a very small surface
 * is no bottleneck for the time step. g is worked out once a step; sums with a pair's number alone follow.
 *
 * No particle of a flat lattice can lose more in unit time than one with a vanishing share just below
 * (species/diffusion_reference.c). The few of a disordered surface that would, one in fifty of a pan full of foam, have
 * their links shortened to that, on both sides alike: else all would need sub-steps half as long.
 *
 * Hand-tuned: sub-steps read one number a pair, g, and particles without a surface skip them.
 */
/* needs: amounts.h spline.h */
#define surface_diffusion_OWNS(F) \
    F(moment, real, "1 or mol/m^2", STEP, COPY, FLUID, "1/M of surface_diffusion.h, then the concentration afterwards")

#define film_moment_FIELDS(X)                                                                 \
    X(AROUND, real4, origin) X(AROUND, real, area) X(HERE, real4, skin) X(PAIR, pair, pair_f) \
    X(PAIR_WRITES, pair, pair_g) X(WRITES, real, moment)

/* moment = 1/M, pair_g = c_ij where i has a surface. arg.x: the least M, where the film ends */
KERNEL(film_moment)
{
    const num s = num_here(area);
    if (!anyone(s > num_of(0.0f))) {
        set_num(moment, num_of(0.0f));
        return;
    }
    /* areas in d^2, volumes in d^3 */
    const real inv_d = 1.0f / par->spacing, d2 = inv_d * inv_d, d3 = d2 * inv_d, scale = -4.0f / (d2 * d3);
    const vec a = vec_here(origin), n = vec_here(skin);
    const num sa = s * d2, va = a.w * d3;
    num sum = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(origin, j);
        const num dx = nearest_image(a.x - b.x, par->span_x), dy = nearest_image(a.y - b.y, par->span_y),
                  dz = nearest_image(a.z - b.z, par->span_z);
        const num r2 = dx * dx + dy * dy + dz * dz, off = dx * n.x + dy * n.y + dz * n.z, sb = num_there(area, j) * d2,
                  vb = b.w * d3;
        num f = pair_value(pair_f);
        if (periodic(par)) f = kernel_f(par, r2);
        const num c = scale * ((sa * sb) * (va * vb)) / max_of(sa * vb + sb * va, num_of(1e-20f)) * f;
        sum += c * (r2 - off * off);
        set_pair_value(pair_g, c);
    END
    const num out = 1.0f + CONST(orthmann2013, under) * n.w, m = out * out * sum / (4.0f * s);
    set_num(moment, choose(s > num_of(0.0f), 1.0f / max_of(m, num_of(arg.x)), num_of(0.0f)));
}

#define film_links_FIELDS(X)                                                                       \
    X(AROUND, real, moment) X(HERE, real, area) X(PAIR_WRITES, pair, pair_g) X(WRITES, real, film) \
    X(WRITES, real4, term)

/* pair_g = g_ij; film and term = sum_j g_ij/A_i, 1/m^2: what a particle can lose in unit time, over D */
KERNEL(film_links)
{
    const num s = num_here(area);
    num rate = num_of(0.0f);
    if (anyone(s > num_of(0.0f))) {
        const num mine = num_here(moment);
        num sum = num_of(0.0f);
        FOR_FLUID(j)
            const num g = pair_value(pair_g) * (0.5f * (mine + num_there(moment, j)));
            sum += g;
            set_pair_value(pair_g, g);
        END
        rate = choose(s > num_of(0.0f), sum / s, num_of(0.0f));
    }
    set_num(film, rate);
    set_vec(term, rate, 0.0f, 0.0f, 0.0f);
}

#define film_limit_FIELDS(X) X(AROUND, real, film) X(PAIR_WRITES, pair, pair_g)

/* No more than arg.x, 1/m^2, of what film_links found. */
KERNEL(film_limit)
{
    const num mine = num_here(film);
    if (!anyone(mine > num_of(0.0f))) return;
    FOR_FLUID(j)
        set_pair_value(pair_g,
                       pair_value(pair_g) *
                           min_of(num_of(1.0f), arg.x / max_of(max_of(mine, num_there(film, j)), num_of(arg.x))));
    END
}

#define surface_diffusion_FIELDS(X) \
    X(AROUND, real, film) X(HERE, real, area) X(PAIR, pair, pair_g) X(CHANGES, real4, amount) X(WRITES, real, moment)

/* film = S (species_film), moment, no longer needed, = S afterwards; arg: D dt, grid */
KERNEL(surface_diffusion)
{
    const num s = num_here(area);
    if (!anyone(s > num_of(0.0f))) {
        set_num(moment, num_of(0.0f));
        return;
    }
    const vec m = vec_here(amount);
    const num mine = num_here(film);
    num gain = num_of(0.0f);
    FOR_FLUID(j)
        gain += on_grid((arg.x * pair_value(pair_g)) * (num_there(film, j) - mine), arg.y);
    END
    const stock h = stock_plus(m.z, m.w, gain);
    set_vec(amount, m.x, m.y, h.value, h.low);
    set_num(moment, choose(s > num_of(0.0f), h.value / s, num_of(0.0f)));
}
