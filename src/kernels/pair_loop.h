/* pair_loop.h -- what all pair models have in common. Read once for each, with MODEL its name, MODEL_BLOCK that of
 * its parameters, MODEL_PLACE the field with the neighbours' places, and MODEL_WALLS 1 where it acts against walls
 * (kernel_tables.sh):
 *
 *   a_i += sum_j s_ij pair(i, j) + sum_b s_ib wall(i, b)
 *   F_b -= sum_i m_i s_ib wall(i, b)                             on boundary points that move or feel
 *
 * s: the shares of pair.h, 0 where one of the two does not use the model.
 */
#define OF(part) JOIN(MODEL, part) /* OF(_pair) is akinci2013_pair, and so on */
#define PARTICLE OF(_particle)
#define FIELDS OF(_fields)

/* Loads the properties of its fluid. */
INLINE PARTICLE OF(_of_fluid)(PAR, PARTICLE a)
{
    const num fluid = a.v.w;
    a.rho = of_fluid(density, fluid);
    a.on = parameter(MODEL_BLOCK, on, fluid);
    JOIN(MODEL_BLOCK, _PARAMS)(LOAD_PARAM)
    return a;
}

/* The same as that of i, where there is only one. */
INLINE PARTICLE OF(_of_same_fluid)(PARTICLE a, PARTICLE i)
{
    a.rho = i.rho, a.on = i.on;
    JOIN(MODEL_BLOCK, _PARAMS)(COPY_PARAM)
    return a;
}

INLINE PARTICLE OF(_here)(PAR, FIELDS f, const int i)
{
    PARTICLE a;
    a.x = vec_here(f.pos), a.v = vec_here(f.vel), a.volume = a.x.w,
    a.film = vec_of(num_of(1.0f), num_of(1.0f), num_of(1.0f));
    if (par->film.acts) a.film = vec_here(f.film_factor);
    OF(_READS)(LOAD_READ_I)
    return OF(_of_fluid)(par, a);
}

/* A neighbour, but for its fluid. */
INLINE PARTICLE OF(_there)(PAR, FIELDS f, const neighbour j)
{
    PARTICLE a;
    a.x = vec_there(f.MODEL_PLACE, j), a.v = vec_there(f.vel, j), a.volume = vec_there(f.pos, j).w,
    a.film = vec_of(num_of(1.0f), num_of(1.0f), num_of(1.0f));
    if (par->film.acts) a.film = vec_there(f.film_factor, j);
    OF(_READS)(LOAD_READ_J)
    return a;
}

/* sum + what the neighbour `at`, entry k of the list, does to i. */
INLINE vec OF(_with_particle)(PAR, FIELDS f, vec sum, PARTICLE i, const neighbour at, const entry k, const int alike)
{
    const PARTICLE other = OF(_there)(par, f, at);
    separation p = separation_of(par, i.x, other.x);
    OF(_READS)(LOAD_LISTED)
    if (alike) return OF(_add_pair)(par, sum, i, OF(_of_same_fluid)(other, i), p, num_of(1.0f));
    const PARTICLE j = OF(_of_fluid)(par, other);
    return OF(_add_pair)(par, sum, i, j, p, OF(_share)(par, i, j));
}

#if MODEL_WALLS
INLINE vec OF(_with_wall)(PAR, FIELDS f, vec sum, PARTICLE i, const neighbour at, const entry k)
{
    const boundary_point b = boundary_point_of(vec_there(f.pos, at), vec_there(f.vel, at));
    separation p = separation_of(par, i.x, b.x);
    OF(_READS)(LOAD_LISTED)
    return OF(_add_wall)(par, sum, i, b, p, OF(_wall_share)(par, i, b));
}
#endif

KERNEL(MODEL)
{
    const FIELDS f = {PAIR_FIELDS(POINTER_VALUE) OF(_READS)(POINTER_VALUE)};
    const PARTICLE me = OF(_here)(par, f, i);
    const num none = num_of(0.0f);
    if (!anyone(me.on > none)) return;
    vec sum = zero3();
    if (par->fluids == 1 && !par->film.acts) {
        FOR_FLUID(j)
            sum = OF(_with_particle)(par, f, sum, me, j, k, 1);
        END
    } else {
        FOR_FLUID(j)
            sum = OF(_with_particle)(par, f, sum, me, j, k, 0);
        END
    }
#if MODEL_WALLS
    if (anyone(OF(_strength)(me) > none)) {
        FOR_BOUNDARY(j)
            sum = OF(_with_wall)(par, f, sum, me, j, k);
        END
    }
#endif
    const vec old = vec_here(acc);
    store3(acc, i, choose3(me.on, add3(old, sum), old), old.w);
}

#if MODEL_WALLS
KERNEL(OF(_on_boundary))
{
    const FIELDS f = {PAIR_FIELDS(POINTER_VALUE) OF(_READS)(POINTER_VALUE)};
    const boundary_point b = boundary_point_of(vec_here(f.pos), vec_here(f.vel));
    vec sum = zero3();
    FOR_FLUID(j)
        const PARTICLE a = OF(_of_fluid)(par, OF(_there)(par, f, j));
        sum = OF(_add_wall)(par, sum, a, b, separation_of(par, a.x, b.x),
                            a.rho * a.volume * OF(_wall_share)(par, a, b));
    END
    store3(boundary_force, i, sub3(vec_here(boundary_force), sum), num_of(0.0f));
}
#endif

#undef OF
#undef PARTICLE
#undef FIELDS
