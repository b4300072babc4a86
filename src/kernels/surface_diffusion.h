/* surface_diffusion.h -- along the surface, between particles that have a share A of it (after Orthmann et al. 2013, with the 1/r of Cleary & Monaghan):
 *
 *   d Sb_i = D dt sum_j g_ij (S_j - S_i),   g_ij = c_ij (1/M_i + 1/M_j)/2,   c_ij = 4 A_i A_j V_i V_j/(A_i V_j + A_j V_i) |f_ij|,   f = W'/r
 *   M_i = (1 + t H_i)^2 sum_j c_ij r_t^2/(4 A_i)
 *
 * M is the second moment of the sum, which D = 1 on a smooth surface asks to be 1: r_t is the distance along the tangent plane, and 1 + t H carries it from
 * the depth t at which the particles of a surface lie on the average to the surface itself (H: mean curvature). The mean of the areas is the harmonic one: a particle
 * with hardly any surface is no bottleneck for the time step. g is worked out once a step; sums with a pair's number alone follow.
 *
 * No particle of a flat lattice can lose more in unit time than one with a vanishing share just below (species/reference.c). The few of a disordered surface that would, one in fifty
 * of a pan full of foam, have their links shortened to that, on both sides alike: else they would ask sub-steps half as long of everybody.
 */
/* needs: amounts.h spline.h */
#define surface_diffusion_OWNS(F)                                                                \
    F(moment, real, "1 or mol/m^2", STEP, COPY, FLUID, "1/M, then the concentration afterwards")

#define film_moment_FIELDS(X) \
    X(NB, real4, origin) X(NB, real, area) X(OWN, real4, skin) X(PAIR, pair, pair_f) X(PAIROUT, pair, pair_g) X(OUT, real, moment)

/* moment = 1/M, pair_g = c_ij where i has a surface. arg.x: the least M, where the film ends */
LANES(film_moment)
{
    ITEM();
    const own s = load1_i(area, i);
    if (!own_any(s > own_of(0.0f))) {
        store1_i(moment, i, own_of(0.0f));
        return;
    }
    /* areas in d^2, volumes in d^3 */
    const real inv_d = 1.0f / par->spacing, d2 = inv_d * inv_d, d3 = d2 * inv_d, scale = -4.0f / (d2 * d3);
    const own4 a = load4_i(origin, i), n = load4_i(skin, i);
    const own sa = s * d2, va = a.w * d3;
    lane sum = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(origin, j);
        const lane dx = nearest_image(a.x - b.x, par->span_x), dy = nearest_image(a.y - b.y, par->span_y), dz = nearest_image(a.z - b.z, par->span_z);
        const lane r2 = dx * dx + dy * dy + dz * dz, off = dx * n.x + dy * n.y + dz * n.z, sb = load1_j(area, j) * d2, vb = b.w * d3;
        lane f = load_pair(pair_f);
        if (periodic(par)) f = kernel_f(par, r2);
        const lane c = scale * ((sa * sb) * (va * vb)) / lane_max(sa * vb + sb * va, splat(1e-20f)) * f;
        sum += c * (r2 - off * off);
        store_pair(pair_g, c);
    END
    const own out = 1.0f + par->surface_under * n.w, m = out * out * total(sum) / (4.0f * s);
    store1_i(moment, i, own_pick(s > own_of(0.0f), 1.0f / own_max(m, own_of(arg.x)), own_of(0.0f)));
}

#define film_links_FIELDS(X) X(NB, real, moment) X(OWN, real, area) X(PAIROUT, pair, pair_g) X(OUT, real, film) X(OUT, real4, term)

/* pair_g = g_ij; film and term = sum_j g_ij/A_i, 1/m^2: what a particle can lose in unit time, over D */
LANES(film_links)
{
    ITEM();
    const own s = load1_i(area, i);
    own rate = own_of(0.0f);
    if (own_any(s > own_of(0.0f))) {
        const own mine = load1_i(moment, i);
        lane sum = splat(0.0f);
        FOR_FLUID(j)
            const lane g = load_pair(pair_g) * (0.5f * (mine + load1_j(moment, j)));
            sum += g;
            store_pair(pair_g, g);
        END
        rate = own_pick(s > own_of(0.0f), total(sum) / s, own_of(0.0f));
    }
    store1_i(film, i, rate);
    store4_i(term, i, rate, 0.0f, 0.0f, 0.0f);
}

#define film_limit_FIELDS(X) X(NB, real, film) X(PAIROUT, pair, pair_g)

/* No more than arg.x, 1/m^2, of what film_links found. */
LANES(film_limit)
{
    ITEM();
    const own mine = load1_i(film, i);
    if (!own_any(mine > own_of(0.0f))) return;
    FOR_FLUID(j)
        store_pair(pair_g, load_pair(pair_g) * lane_min(splat(1.0f), arg.x / lane_max(lane_max(mine, load1_j(film, j)), splat(arg.x))));
    END
}

#define surface_diffusion_FIELDS(X) X(NB, real, film) X(OWN, real, area) X(PAIR, pair, pair_g) X(UPD, real4, amount) X(OUT, real, moment)

/* film = S (species_film), moment, which nobody needs any more, = S afterwards; arg: D dt, grid */
LANES(surface_diffusion)
{
    ITEM();
    const own s = load1_i(area, i);
    if (!own_any(s > own_of(0.0f))) {
        store1_i(moment, i, own_of(0.0f));
        return;
    }
    const own4 m = load4_i(amount, i);
    const own mine = load1_i(film, i);
    lane gain = splat(0.0f);
    FOR_FLUID(j)
        gain += on_grid((arg.x * load_pair(pair_g)) * (load1_j(film, j) - mine), arg.y);
    END
    const stock h = stock_plus(m.z, m.w, total(gain));
    store4_i(amount, i, m.x, m.y, h.value, h.rest);
    store1_i(moment, i, own_pick(s > own_of(0.0f), h.value / s, own_of(0.0f)));
}
