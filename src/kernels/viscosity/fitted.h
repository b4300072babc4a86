/* fitted.h -- explicit viscosity of the flow that neighbours share, S^T L S v. L v: the acceleration of the model
 * `standard`; S: a linear velocity fitted to the neighbours by least squares, k = (1-q^2)^2, x = x_j - x_i,
 *
 *   (S v)_i = sum_j S_ij v_j,   S_ij = k (a_i + b_i.x)           j of the same fluid, i itself among them
 *   b = -C^-1 m,  a = 1/s - b.m,   s = sum k,  m = sum k x/s,  C = sum k (x - m)(x - m)^T + 0.001 s d^2
 *   m_i a_i = sum_j S_ji m_j (L S v)_j
 *
 * In disorder each particle moves aside by itself to keep its density. These motions cost `standard` far more than
 * they carry: liquids flow as if they were 1.5 times as thick. S leaves linear flows as they are and takes out what is
 * rough. The forces sum to 0, since each row of S sums to 1, and never add energy, since L never does. What is rough
 * needs friction of another kind, as `laplace` has.
 *
 * Not hand-tuned.
 */
/* needs: boundary_add.h film_terms.h pair.h standard.h surface_weight.h vec.h velocity_maps.h */
#define fitted_PARAMS(P)                                                        \
    P(viscosity, 0.01, "m^2/s", 0, 1e6, "kinematic viscosity within the fluid") \
    P(wall_viscosity, 0, "m^2/s", 0, 1e6, "kinematic viscosity against walls; 0: walls slip")

#define fitted_OWNS(F)                                                                             \
    F(fitted_row, real4, "1/m, 1", STEP, COPY, FLUID, "row of the fit: b; w: a")                   \
    F(fitted_flow, real4, "m/s", STEP, COPY, FLUID, "velocity fitted to the neighbours; w: fluid") \
    F(fitted_force, real4, "N", STEP, COPY, FLUID, "force of the fitted velocities")

/* k for neighbours of the same fluid */
INLINE num fitted_weight(PAR, num r2, num mine, num other)
{
    const num k = surface_weight(par, r2);
    return par->fluids == 1 ? k : choose(mine == other, k, num_of(0.0f));
}

#define fitted_row_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(WRITES, real4, fitted_row) X(WRITES, real4, fitted_flow)

KERNEL(fitted_row)
{
    const vec here = vec_here(pos), u = vec_here(vel);
    num s = num_of(1.0f);
    moments m = moments_zero();
    vec flow = u, flow_x = zero3(), flow_y = flow_x, flow_z = flow_x;
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), here), v = vec_there(vel, j);
        const num near = fitted_weight(par, dot3(x, x), u.w, v.w);
        s += near;
        m = moments_plus(m, near, x);
        flow = add_scaled3(flow, near, v);
        flow_x = add_scaled3(flow_x, near * v.x, x), flow_y = add_scaled3(flow_y, near * v.y, x);
        flow_z = add_scaled3(flow_z, near * v.z, x);
    END
    const vec mean = scale3(1.0f / s, m.first);
    six c = six_plus(m.second, scale3(num_of(-1.0f), m.first), mean);
    const num least = 1e-3f * par->spacing * par->spacing * s; /* neighbours in a plane or in a row */
    c.xx += least, c.yy += least, c.zz += least;
    const six inverse = six_adjugate(c);
    const num per = -1.0f / (c.xx * inverse.xx + c.xy * inverse.xy + c.xz * inverse.xz);
    const vec b = scale3(per, six_times_vec(inverse, mean));
    const num a = 1.0f / s - dot3(b, mean);
    store3(fitted_row, i, b, a);
    store3(fitted_flow, i, add_scaled3(vec_of(dot3(b, flow_x), dot3(b, flow_y), dot3(b, flow_z)), a, flow), u.w);
}

/* c times the friction by a boundary point of object `at`, f = W'/r */
INLINE vec fitted_by_wall(PAR, vec x, vec slip, num at, num c, num f)
{
    const map_ring ring = map_ring_of(par, at, dot3(x, x), f);
    const num rate = c * of_object(friction, at) * ring.f / (ring.r2 + par->eps2);
    return add_scaled3(scale3(rate * ring.along * dot3(x, slip), x), rate * ring.across, slip);
}

#define fitted_force_FIELDS(X)                                                                          \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, fitted_flow) X(AROUND, real, dens)     \
        X(PAIR, pair, pair_f) X(HERE, real4, film_factor) X(WRITES, real4, fitted_force)

KERNEL(fitted_force)
{
    const vec here = vec_here(pos), u = vec_here(fitted_flow);
    const num rho = of_fluid(density, u.w), mine = rho * parameter(fitted, viscosity, u.w), full = num_here(dens);
    const num wall = rho / full * parameter(fitted, wall_viscosity, u.w) * film_here(par, film_factor, i).z;
    vec sum = zero3();
    FOR_FLUID(j)
        const vec there = vec_there(pos, j), v = vec_there(fitted_flow, j), x = sub3(here, there);
        const num other = of_fluid(density, v.w) * parameter(fitted, viscosity, v.w);
        const num mu = parameter(fitted, on, v.w) * standard_between(par, mine, other);
        const num rate = dot3(x, sub3(u, v)) / (dot3(x, x) + par->eps2);
        sum = add_scaled3(sum, mu * there.w / num_there(dens, j) * pair_value(pair_f) * rate, x);
    END
    if (anyone(wall > num_of(0.0f))) {
        FOR_BOUNDARY(j)
            const vec there = vec_there(pos, j), v = vec_there(vel, j), x = sub3(here, there);
            sum = add3(sum, fitted_by_wall(par, x, sub3(u, v), v.w, wall * there.w, pair_value(pair_f)));
        END
    }
    store3(fitted_force, i, scale3(10.0f * here.w / full * parameter(fitted, on, u.w), sum), num_of(0.0f));
}

#define fitted_FIELDS(X)                                                     \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, fitted_row)    \
        X(AROUND, real4, fitted_force) X(CHANGES, real4, acc)

KERNEL(fitted)
{
    const vec here = vec_here(pos), u = vec_here(vel);
    vec sum = scale3(vec_here(fitted_row).w, vec_here(fitted_force));
    FOR_FLUID(j)
        const vec x = sub3(here, vec_there(pos, j)), row = vec_there(fitted_row, j);
        const num near = fitted_weight(par, dot3(x, x), u.w, vec_there(vel, j).w);
        sum = add_scaled3(sum, near * (row.w + dot3(row, x)), vec_there(fitted_force, j));
    END
    store_sum3(acc, i, 1.0f / (of_fluid(density, u.w) * here.w), sum);
}

#define fitted_on_boundary_FIELDS(X)                                                                \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, fitted_flow) X(AROUND, real, dens) \
        X(AROUND, real4, film_factor) X(CHANGES, real4, boundary_force)

KERNEL(fitted_on_boundary)
{
    const vec b = vec_here(pos), v = vec_here(vel);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec a = vec_there(pos, j), u = vec_there(fitted_flow, j), x = sub3(a, b);
        const num full = num_there(dens, j), film = film_there(par, film_factor, j).z;
        const num wall = of_fluid(density, u.w) * parameter(fitted, wall_viscosity, u.w) *
                         parameter(fitted, on, u.w) * film * a.w / (full * full);
        sum = add3(sum, fitted_by_wall(par, x, sub3(u, v), v.w, 10.0f * wall * b.w, kernel_wf(par, dot3(x, x)).f));
    END
    add_on_boundary(boundary_force, i, num_of(-1.0f), sum);
}
