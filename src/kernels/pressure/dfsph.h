/* dfsph.h -- divergence-free SPH (Bender & Koschier 2017): its parameters. The sources of its two systems stand in
 * density.h (divergence) and pressure_system.h (density), which other methods share. Not hand-tuned. */
/* needs: isotropic.h vec.h */
#define dfsph_PARAMS(P)             \
    P(neighbours, 20, "1", 0, 1000, \
        "particles with fewer neighbours, as many more with a wider support, are left out of the divergence solver")

#define dfsph_OWNS(F) \
    F(kappa_div, real, "Pa s", KEEP, COPY, FLUID, "unknown of the divergence solver, start of the next solve")

#define divergence_source_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(PAIR, pair, pair_f) EVEN_HERE(X) \
    X(WRITES, real, source)

/* D(v) of density.h of the velocities now, where they changed since. */
KERNEL(divergence_source)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const six even = even_or_one(par, i, even_axes, even_planes);
    num flow = num_of(0.0f), count = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        const num f = pair_value(pair_f);
        flow += b.w * f * inner3(even_side(par, even, sub3(a, b)), sub3(u, v));
        count += choose(f < num_of(0.0f), num_of(1.0f), num_of(0.0f));
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        const num f = pair_value(pair_f);
        flow += par->boundary.weight * b.w * f * inner3(sub3(a, b), sub3(u, v));
        count += choose(f < num_of(0.0f), num_of(1.0f), num_of(0.0f));
    END
    set_num(source, choose(count >= num_of(par->dfsph[0].neighbours * par->neighbour_ratio), flow, num_of(-1e20f)));
}

#define divergence_start_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real, source) X(CHANGES, real, kappa_div) X(WRITES, real4, trial)

/* Warm start where the flow converges, as in the paper; arg.x = share of the last solution. */
KERNEL(divergence_start)
{
    const vec a = vec_here(pos);
    const num k = choose(num_here(source) > num_of(0.0f), arg.x * num_here(kappa_div), num_of(0.0f));
    set_num(kappa_div, k);
    set_vec(trial, a.x, a.y, a.z, a.w * k);
}
