/* lafaurie1994.h -- surface tension as a stress within the surface (Lafaurie et al. 1994) on the areas of orthmann2013,
 * x = x_i - x_j:
 *
 *   P_i  = 1 - m m^T,   m = n/sqrt(n^2 + 0.01),   n = h sum V gradW          the plane of the surface
 *   k_i  = - 1/2 sum V x.P_i gradW
 *   s_i  = f_i A_i/k_i                                                       f: what a film leaves (film_factor.h)
 *   F_i  = sum_j (V_j T_i s_i P_i + V_i T_j s_j P_j) gradW_ij + 2 sum_b V_b T_i s_i P_i gradW_ib      T: tension
 *
 * k is 1 inside; at the surface it is what the neighbours pass on. Where that is little (from a flat surface to an
 * edge, no wall near) it is the larger of its two parts; it is never less than at a corner
 * (methods/surface_disorder.c).
 *
 * Walls under the liquid count as liquid in n; beside it they count only as much as the liquid lacks: with w their
 * share of n and c the part of the liquid's n towards them, max(-c, |w| + c) of |w| where c < 0. Else the dry part of a
 * wall would tilt the surface, and the liquid would creep up. In k they count 1 + 2 c/|w|, between 0 and 1.
 *
 * F is the divergence of tension f delta P: tension times curvature along the normal, tension grad_s f along the
 * surface. Equal and opposite between two particles; between two fluids only where both use the model, times their
 * `attraction`. The surface goes on into walls, at right angles if nothing else attracts the liquid, and they feel it:
 * a body is pulled by `tension` along each metre of its waterline.
 *
 * Not hand-tuned.
 */
/* needs: film_terms.h masks.h pair.h vec.h */
#define lafaurie1994_PARAMS(P) P(tension, 0.07, "N/m", 0, 1e9, "surface tension; needs `surface: orthmann2013`")

/* From a flat surface, an edge and a corner, see methods/surface_disorder.c. */
#define lafaurie1994_CONSTANTS(C)      \
    C(flat, "k of a flat surface")     \
    C(edge, "k of an edge")            \
    C(least, "k of a corner: least k")

#define lafaurie1994_OWNS(F) \
    F(plane, real4, "1, m^2", STEP, COPY, FLUID, "normal of the surface; w: its stress over the tension")

#define stress_plane_FIELDS(X)                                                                                        \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real4, film_factor) X(HERE, real, area) X(PAIR, pair, pair_f) \
    X(WRITES, real4, plane)

/* plane = (m, s) */
KERNEL(stress_plane)
{
    const vec a = vec_here(pos);
    const num fluid = vec_here(vel).w, rho = of_fluid(density, fluid);
    const num s = film_here(par, film_factor, i).x * parameter(lafaurie1994, on, fluid) * num_here(area);
    moments liquid = moments_zero(), walls = moments_zero();
    if (anyone(s > num_of(0.0f))) {
        FOR_FLUID(j)
            const vec b = vec_there(pos, j);
            liquid = moments_plus(liquid, same_liquid(par, vel, j, rho) * b.w * pair_value(pair_f), sub3(a, b));
        END
        const num filled = choose(parameter(orthmann2013, walls, fluid) > num_of(0.5f), num_of(1.0f), num_of(0.0f));
        FOR_BOUNDARY(j)
            const vec b = vec_there(pos, j);
            walls = moments_plus(walls, filled * b.w * pair_value(pair_f), sub3(a, b));
        END
    }
    const num wall = sqrt_of(square3(walls.first)), per = 1.0f / max_of(wall, num_of(1e-30f));
    const num along = per * inner3(liquid.first, walls.first);
    const num part = per * choose(along < num_of(0.0f), max_of(-along, wall + along), wall);
    const vec n = scale3(num_of(par->h), add_times3(liquid.first, part, walls.first));
    const vec m = scale3(1.0f / sqrt_of(square3(n) + 0.01f), n);
    const num under = min_of(max_of(1.0f + 2.0f * per * along, num_of(0.0f)), num_of(1.0f));
    const six t = six_times(num_of(-1.0f), six_plus_times(liquid.second, under, walls.second));
    const num across = six_along(t, m), both = six_along(six_adjugate(t), m);
    const num k = 0.5f * (t.xx + t.yy + t.zz - across), apart = sqrt_of(max_of(k * k - both, num_of(0.0f)));
    const num rim = choose(wall > num_of(0.0f), num_of(0.0f),
                           min_of(max_of((CONST(lafaurie1994, flat) - k) *
                                             (1.0f / (CONST(lafaurie1994, flat) - CONST(lafaurie1994, edge))),
                                         num_of(0.0f)),
                                  num_of(1.0f)));
    store3(plane, i, m, s / max_of(k + rim * apart, num_of(CONST(lafaurie1994, least))));
}

/* c P x, P = 1 - m m^T */
INLINE vec stress_along(num c, vec m, vec x) { return sub3(scale3(c, x), scale3(c * inner3(m, x), m)); }

#define lafaurie1994_READS(X) X(AROUND, real4, plane) X(PAIR, pair, pair_f)

PAIR_ACCELERATION(lafaurie1994, STRESS)
{
    const num mine = j.volume * i.tension * i.plane.w, other = i.volume * j.tension * j.plane.w;
    const vec force = add3(stress_along(mine, i.plane, p.x), stress_along(other, j.plane, p.x));
    return scale3(p.f / (i.rho * i.volume), force);
}

WALL_ACCELERATION(lafaurie1994, STRESS, tension)
{
    return stress_along(2.0f * p.f * b.volume * i.plane.w / (i.rho * i.volume), i.plane, p.x);
}
