/* orthmann2013.h -- surface area of each particle, after Orthmann et al. 2013 (docs/methods/surface-area.md), in four
 * passes over the lists. Lengths in spacings d, volumes in d^3; q = r/(2 d) with any support; sums over the
 * particles of the same liquid:
 *
 *   a_i = V_i/P sum_j V_j (1-q)^3 x_ij
 *       offset from the weighted mean, as a vector of area: it acts like the force of a constant pressure P, so its sum
 *       over a patch of surface is the patch
 *   s_i = sum_j (1-q^2)^2 a_j (j != i),   N = s/|s|
 *       the same offset with a wide kernel: normal and distance
 *   delta_i = (|s_i| - s_min)/(s_0 - s_min), 0 to 1
 *       half-sided: 1 in the outermost layer, 0 from the third on
 *   b_j = a_j.N_j (1 + t (k_1 + k_2) + e max(0, (k_1 - k_2)^2 - c))
 *       area at the true surface, half a spacing outside the centres; curvatures k from the normals of the neighbours;
 *       the last term is for edges
 *   A_i = delta_i sum_j k_ij b_j/D_j,   D_j = sum_k k_jk delta_k
 *       shared out among the surface particles: the sum over i is that over j
 *
 * Sheets of one or two layers: their sides are too near for a to be a force of either. There b is the area of a sheet
 * as thick as what lies above and below an area of it, K = sum_j V_j (1-q^2)^2 (1 + c l), and of its rim; l is the mean
 * square of x_ij across the sheet, along the eigenvector of the smallest eigenvalue of the covariance C of the
 * neighbours:
 *
 *   b_i = 2 K_1/(K + u a_t) + v a_t          a_t: the part of a along the sheet, which is there at a rim alone
 *
 * A particle is in such a sheet as far as C is flat (theta -> 1: one layer) or as its neighbours face away from it on
 * the far side (psi -> 1: two layers). Walls count as filled space, or not at all (walls: 0). Constants
 * come from reference configurations, see methods/orthmann2013.c.
 *
 * Hand-tuned: the first pass makes all its sums at once, since gathers cost more than arithmetic; particles inside the
 * liquid skip the later passes.
 */
/* needs: masks.h vec.h */
#define orthmann2013_PARAMS(P)                                                                                  \
    P(smoothing, 0.1, "1", 0.001, 1, "share of the new delta function in a step; 1: no smoothing over time")    \
    P(every, 2, "1", 1, 1000, "steps between new areas") \
    P(refresh, 10, "1", 1, 1000, "the same for a calm liquid") \
    P(coherence, 0.001, "1", 0, 1, "a liquid is calm if no density changes by more than this share in a step") \
    P(walls, 1, "1", 0, 1, "1: no surface where the liquid touches a wall; 0: wetted walls count as surface")   \
    P(estimator, 0, "1", 0, 2, "0: this program's; 1: as the paper prints it; 2: colour gradient, for comparison")

/* From reference configurations: methods/orthmann2013.c, and those of disordered ones methods/surface_disorder.c.
   Lengths in spacings; roundness: det C/(tr C/3)^3. */
#define orthmann2013_CONSTANTS(C)                                                   \
    C(pressure, "P: pressure of the offsets in a lattice")                          \
    C(layer, "share of its volume V_b that a boundary point has for itself")        \
    C(still, "offset below which a particle is inside the liquid")                  \
    C(round, "roundness above which it is inside")                                  \
    C(thin, "2 over the difference of roundness, inside less flat surface")         \
    C(flat, "least roundness at a flat surface")                                    \
    C(one, "most roundness in a sheet of one layer")                                \
    C(first, "|s| of the outermost layer of a flat surface")                        \
    C(least, "|s| from which on a particle belongs to the surface")                 \
    C(few, "least D")                                                               \
    C(under, "t of surface_diffusion.h: depth of the area below the surface, m")    \
    C(depth, "t: depth of the offsets below the surface")                           \
    C(edge, "e: weight of (k_1 - k_2)^2")                                           \
    C(smooth, "c: (k_1 - k_2)^2 of the sharpest surface without an edge")           \
    C(bent, "most of (k_1 - k_2)^2 that counts")                                    \
    C(beside, "what a wall beside the liquid lacks below the surface")              \
    C(sheet, "K_1: K of a layer")                                                   \
    C(thread, "K of a thread")                                                      \
    C(thick, "factor of l in K")                                                    \
    C(lack, "u: what K lacks at a rim, for each a_t")                               \
    C(rim, "area of a rim for each a_t, less 1")                                    \
    C(rough, "a_t within a disordered layer")                                       \
    C(sharp, "stretches a_t so that `rough` is 0 and a rim stays what it is")       \
    C(apart, "share of neighbours that face away between two layers, face to face") \
    C(same, "that share at a flat surface, over `apart`")                           \
    C(other, "least of that share between two layers, over `apart`")                \
    C(inner, "|a| in the middle one of three layers")                               \
    C(outer, "least |a| at a flat surface")                                         \
    C(reach, "1/(2 spacings), 1/m: 1/h of area_weight, whatever the support is")

#define orthmann2013_OWNS(F)                                                                                      \
    F(area, real, "m^2", KEEP, COPY, FLUID, "surface that belongs to the particle")                               \
    F(delta, real, "1", KEEP, COPY, FLUID, "nearness to the surface, 0 to 1")                                     \
    F(skin, real4, "1, 1/m", KEEP, COPY, FLUID, "normal of the surface; w: mean curvature")                       \
    F(outward, real4, "1, 1", STEP, COPY, FLUID, "offset a of orthmann2013.h; w: roundness of the neighbourhood") \
    F(facing, real4, "1, 1", STEP, COPY, FLUID, "normal of the surface; w: area without the curvatures")          \
    F(share, real, "1", STEP, COPY, FLUID, "psi of orthmann2013.h, then b/D")

#define surface_change_FIELDS(X) X(HERE, real, source) X(WRITES, real4, term)

/* |dn/dt| at the start of the step, 1/s */
KERNEL(surface_change)
{
    const num rate = num_here(source);
    set_vec(term, choose(rate > num_of(-1e19f), max_of(rate, -rate), num_of(0.0f)), 0.0f, 0.0f, 0.0f);
}

/* (1-q^2)^2 with two spacings for h, exactly 0 from there on. */
INLINE num area_weight(PAR, num r2)
{
    const real inv = CONST(orthmann2013, reach);
    const num a = max_of(num_of(1.0f) - r2 * (inv * inv), num_of(0.0f));
    return a * a;
}

/* m over its trace; the square of m over its trace */
INLINE six six_scaled(six m)
{
    const num trace = m.xx + m.yy + m.zz;
    return six_times(choose(trace > num_of(1e-6f), 1.0f / trace, num_of(0.0f)), m);
}
INLINE six six_squared(six m) { return six_scaled(six_square(m)); }

/* Area of a particle in a sheet of K and with a_t, in a thread or alone. */
INLINE num surface_sheet(PAR, num k, num rim)
{
    const real one = CONST(orthmann2013, sheet), thread = CONST(orthmann2013, thread);
    const num sheet = k + CONST(orthmann2013, lack) * rim, thin = 2.0f * one / max_of(sheet, num_of(1.0f)),
              part = one / max_of(sheet, num_of(one)), part2 = part * part;
    /* round threads of d^2, balls of d^3 */
    const num threads = choose(sheet < num_of(thread),
                               4.83597586f - (sheet - 1.0f) * ((4.83597586f - 3.54490770f) / (thread - 1.0f)),
                               3.54490770f - (sheet - thread) * (1.54490770f / (one - thread)));
    return choose(sheet < num_of(one), min_of(threads, thin), thin) +
           (1.0f + CONST(orthmann2013, rim) * (part2 * part2)) * rim;
}

/* Between 0 and 1. */
INLINE num cut_to_one(num v) { return min_of(max_of(v, num_of(0.0f)), num_of(1.0f)); }

/* What surface_offset sums over neighbours of volume v at x, in d^3 and d. */
typedef struct surface_sums {
    moments m;
    num weight, wide;
} surface_sums;

INLINE surface_sums surface_plus(surface_sums s, num v, vec x)
{
    const num p = max_of(num_of(1.0f) - 0.5f * sqrt_of(square3(x)), num_of(0.0f)), c = v * p * p * p,
              even = p * (2.0f - p);
    s.wide += v * (even * even);
    s.weight += c;
    s.m = moments_plus(s.m, c, x);
    return s;
}

/* The offset m of the liquid with that of the walls, f. One layer of points stands for the solid behind it: between its
   own volume and the V_b that pressure sees, as much as the liquid presses against; the one point of a volume map,
   which holds all of it, counts for no more than half a space. */
INLINE vec surface_with_walls(PAR, vec m, vec f)
{
    const num square = square3(f), size = sqrt_of(square);
    const num wanted = choose(square > num_of(1e-12f), -inner3(m, f) / square, num_of(1.0f));
    const num least = min_of(CONST(orthmann2013, pressure) / max_of(size, num_of(1e-6f)), num_of(1.0f));
    const num filled = min_of(max_of(wanted, least), num_of(1.0f / CONST(orthmann2013, layer)));
    /* Along a wall that goes on above the liquid its points cancel out: what they lack below the surface. */
    const num beside = CONST(orthmann2013, beside) * min_of(size / CONST(orthmann2013, pressure), num_of(1.0f));
    return add3(m, add_times3(scale3(filled + beside * wanted, f), beside, m));
}

/* b of a particle in a sheet: c its covariance, m and s m the offset and a, wide = K but for the thickness. */
INLINE num surface_of_sheet(PAR, six c, vec m, num s, num inv, num wide)
{
    /* n n^T of the direction n across: the eighth power of the adjugate, where the smallest eigenvalue of C is the
       largest */
    const six n = six_squared(six_squared(six_squared(six_scaled(six_adjugate(c)))));
    const vec a = scale3(s, m);
    const num spread = six_inner(n, c);
    const num through = n.xx * a.x * a.x + n.yy * a.y * a.y + n.zz * a.z * a.z +
                        2.0f * (n.xy * a.x * a.y + n.xz * a.x * a.z + n.yz * a.y * a.z);
    const num thick = max_of(spread, num_of(0.0f)) + (inv / s) * (inv / s) * through;
    const num side = sqrt_of(max_of(square3(a) - through, num_of(0.0f))),
              rim = min_of(max_of(CONST(orthmann2013, sharp) * (side - CONST(orthmann2013, rough)), num_of(0.0f)),
                           side);
    return surface_sheet(par, wide * (1.0f + CONST(orthmann2013, thick) * thick), rim);
}

#define surface_offset_FIELDS(X)                                                                                    \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(HERE, real, dens) X(WRITES, real4, outward) X(WRITES, real, area) \
    X(WRITES, real4, term)

/* outward = (a, det C/(tr C/3)^3); area = b of a sheet; term = P and 1, of the particles inside the liquid and away
   from walls, then of all inside: the pressure that belongs to this packing, in the space V/n of a particle */
KERNEL(surface_offset)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const real inv_d = 1.0f / par->spacing, inv_v = inv_d * inv_d * inv_d;
    const num rho = of_fluid(density, u.w), none = num_of(0.0f),
              filled = choose(parameter(orthmann2013, walls, u.w) > num_of(0.5f), num_of(1.0f), none);
    surface_sums liquid;
    liquid.m = moments_zero(), liquid.weight = liquid.wide = none;
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        liquid = surface_plus(liquid, same_liquid(par, vel, j, rho) * inv_v * b.w, scale3(num_of(inv_d), sub3(a, b)));
    END
    surface_sums walls = liquid; /* offset and weight of their own; the other sums go on */
    walls.m.first = zero3(), walls.weight = none;
    vec m = liquid.m.first;
    if (anyone(filled > none)) {
        FOR_BOUNDARY(j)
            const vec b = vec_there(pos, j);
            walls = surface_plus(walls, filled * (inv_v * CONST(orthmann2013, layer)) * b.w,
                                 scale3(num_of(inv_d), sub3(a, b)));
        END
        m = surface_with_walls(par, m, walls.m.first);
    }
    const six sum = walls.m.second;
    const num inv = 1.0f / (liquid.weight + walls.weight + inv_v * a.w);
    const vec e = scale3(inv, m);
    const six c = six_plus(six_times(inv, sum), scale3(num_of(-1.0f), e), e);
    const num det = c.xx * (c.yy * c.zz - c.yz * c.yz) - c.xy * (c.xy * c.zz - c.yz * c.xz) +
                    c.xz * (c.xy * c.yz - c.yy * c.xz);
    const num mean = (c.xx + c.yy + c.zz) * 0.333333333f,
              round = choose(mean > num_of(1e-4f), det / (mean * mean * mean), none);
    const num s = inv_v * a.w / CONST(orthmann2013, pressure), limit = num_of(CONST(orthmann2013, still));
    const vec offset = scale3(s, m);
    store3(outward, i, offset, round);
    set_num(area, surface_of_sheet(par, c, m, s, inv, walls.wide + inv_v * a.w));
    const num still = choose(square3(offset) < limit * limit, num_of(1.0f), none),
              inside = choose(round > num_of(CONST(orthmann2013, round)), still, none);
    const num pressure = num_here(dens) * (sum.xx + sum.yy + sum.zz) * 0.166666667f,
              free = choose(walls.weight > none, none, inside);
    set_vec(term, free * pressure, free, inside * pressure, inside);
}

#define surface_facing_FIELDS(X)                                                                                      \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, outward) X(HERE, real, area) X(CHANGES, real, delta) \
    X(WRITES, real4, facing) X(WRITES, real, share)

/* facing = ((1 - theta) N, b but for the curvatures); share = psi; delta is smoothed over time (0: a new particle).
   arg.x = P of the reference over that of this packing, arg.y = steps since the last time */
KERNEL(surface_facing)
{
    const vec a = vec_here(pos), u = vec_here(vel), o = vec_here(outward);
    const num rho = of_fluid(density, u.w),
              theta = cut_to_one((CONST(orthmann2013, flat) - o.w) *
                                 (1.0f / (CONST(orthmann2013, flat) - CONST(orthmann2013, one))));
    const real inv_d = 1.0f / par->spacing;
    vec sum = zero3();
    num away = num_of(0.0f), like = num_of(0.0f);
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), p = vec_there(outward, j);
        const num c = same_liquid(par, vel, j, rho) * area_weight(par, square3(x));
        const num mine = max_of(inner3(x, o), num_of(0.0f)), theirs = min_of(inner3(x, p), num_of(0.0f));
        sum = add_times3(sum, c, p);
        away -= c * (mine * theirs);
        like += c * max_of(inner3(o, p), num_of(0.0f));
    END
    const num s = sqrt_of(square3(sum)), inv = 1.0f / max_of(s, num_of(1e-6f));
    const num along = arg.x * inv * inner3(o, sum), keep = 1.0f - theta;
    /* two layers: neighbours of opposite direction, from where these face; a clear offset; no round neighbourhood */
    const num apart = inv_d * inv_d * away,
              far = apart / max_of(CONST(orthmann2013, apart) * (apart + like), num_of(1e-9f));
    const num clear = (sqrt_of(square3(o)) - CONST(orthmann2013, inner)) *
                      (1.0f / (CONST(orthmann2013, outer) - CONST(orthmann2013, inner))),
              flat = CONST(orthmann2013, thin) * (CONST(orthmann2013, round) - o.w);
    const num psi = max_of(theta, cut_to_one((far - CONST(orthmann2013, same)) *
                                             (1.0f / (CONST(orthmann2013, other) - CONST(orthmann2013, same)))) *
                                      cut_to_one(clear) * cut_to_one(flat));
    store3(facing, i, scale3(keep * inv, sum), along + psi * (num_here(area) - along));
    set_num(share, psi);
    const num step = min_of(
        max_of((s - CONST(orthmann2013, least)) / (CONST(orthmann2013, first) - CONST(orthmann2013, least)),
               num_of(1e-6f)),
        num_of(1.0f));
    const num fresh = max_of(psi, step), old = num_here(delta);
    num kept = choose(old > num_of(0.0f), num_of(1.0f), num_of(0.0f));
    for (int k = 0; k < (int)arg.y; k++) kept *= 1.0f - parameter(orthmann2013, smoothing, u.w);
    set_num(delta, kept * old + (1.0f - kept) * fresh);
}

/* Normals at a right angle or more; those of lattices are at right angles but for rounding. A sheet has none. */
INLINE whole surface_across(vec f, vec g)
{
    return inner3(f, g) < (1e-3f * square3(f)) * square3(g);
}

/* Below this a particle is inside the liquid. */
#define SURFACE_NONE 1e-4f
INLINE num at_surface(num delta, num value) { return choose(delta > num_of(SURFACE_NONE), value, num_of(0.0f)); }

#define surface_share_FIELDS(X)                                                                 \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, facing) X(AROUND, real, delta) \
    X(CHANGES, real, share) X(WRITES, real4, skin)

/* share = b/D; skin = normal (0 in a sheet) and mean curvature, 1/m */
KERNEL(surface_share)
{
    const num delta_i = num_here(delta);
    if (!anyone(delta_i > num_of(SURFACE_NONE))) {
        set_num(share, num_of(0.0f));
        set_vec(skin, num_of(0.0f), num_of(0.0f), num_of(0.0f), num_of(0.0f));
        return;
    }
    const vec a = vec_here(pos), f = vec_here(facing);
    const num rho = of_fluid(density, vec_here(vel).w);
    const real inv_d = 1.0f / par->spacing;
    num sum = num_of(0.0f), bend = num_of(0.0f), turn = num_of(0.0f), square = num_of(0.0f);
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a), g = vec_there(facing, j), n = sub3(g, f);
        const num r2 = square3(x), off = inner3(x, f);
        const num same = same_liquid(par, vel, j, rho) * area_weight(par, r2) * num_there(delta, j);
        const num c = choose(surface_across(f, g), num_of(0.0f), same); /* not the other side of a sheet */
        sum += c;
        bend += c * inner3(x, n);
        turn += c * square3(n);
        square += c * (r2 - off * off);
    END
    const num across = square * inv_d * inv_d;
    const num inv = choose(across > num_of(1e-3f), 2.0f / across, num_of(0.0f));
    const num curved = min_of(max_of(bend * inv_d * inv, num_of(-1.0f)), num_of(1.0f));
    const num unlike = min_of(max_of(2.0f * turn * inv - curved * curved - CONST(orthmann2013, smooth), num_of(0.0f)),
                              num_of(CONST(orthmann2013, bent)));
    const num held = 1.0f + (1.0f - num_here(share)) *
                                (CONST(orthmann2013, depth) * curved + CONST(orthmann2013, edge) * delta_i * unlike);
    set_num(share, at_surface(delta_i, f.w * held / max_of(sum + delta_i, num_of(CONST(orthmann2013, few)))));
    set_vec(skin, at_surface(delta_i, f.x), at_surface(delta_i, f.y), at_surface(delta_i, f.z),
            at_surface(delta_i, 0.5f * inv_d * curved));
}

#define surface_area_FIELDS(X)                                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, facing) X(AROUND, real, share) X(HERE, real, delta) \
    X(WRITES, real, area)

KERNEL(surface_area)
{
    const num fluid = vec_here(vel).w, delta_i = num_here(delta);
    const num own_delta = choose(delta_i > num_of(SURFACE_NONE), delta_i * parameter(orthmann2013, on, fluid),
                                 num_of(0.0f));
    if (!anyone(own_delta > num_of(0.0f))) {
        set_num(area, num_of(0.0f));
        return;
    }
    const vec a = vec_here(pos), f = vec_here(facing);
    const num rho = of_fluid(density, fluid);
    num sum = num_of(0.0f);
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a);
        const num c = same_liquid(par, vel, j, rho) * area_weight(par, square3(x)) * num_there(share, j);
        sum += choose(surface_across(f, vec_there(facing, j)), num_of(0.0f), c);
    END
    set_num(area, par->spacing * par->spacing * own_delta * max_of(sum + num_here(share), num_of(0.0f)));
}
