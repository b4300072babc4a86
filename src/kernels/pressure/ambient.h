/* ambient.h -- pressure of the surroundings: at open ends of the domain (domain.pressure), and of tension/laplace.h.
 *
 *   pull_i = M_i V_i (sum_j V_j (B_i + B_j) gradW_ij + beta B_i sum_b V_b gradW_ib)
 *   F_i    = s_i p_a pull_i,   s_i = 3 - y_i/h between 0 and 1
 *
 * y: distance from the nearest face that is not periodic. pull is what a pressure of 1 does, reversed, by the operator
 * of pressure_system.h: beside walls (M, beta: wall_lift.h) and with `isotropic` (B: isotropic.h; else 1). So a uniform
 * k = p_a balances F, walls or not. Inside the fluid pull is about 0; F sums to p_a times the free surface. Far from
 * faces nothing acts: a cavity has no pressure, and that of the rest closes it. Walls get back, to rounding, what they
 * do to the fluid.
 *
 * Not hand-tuned.
 */
/* needs: boundary_add.h isotropic.h spline.h vec.h wall_lift.h */
#define ambient_OWNS(F) \
    F(ambient_react, real4, "N, N m", STEP, COPY, FLUID, "what walls bear beside pairs; w: pressure V")

typedef struct ambient_sums {
    vec pull; /* m^2 */
    vec more; /* 1/m: what M adds to it, over the volume */
    vec g, w; /* 1/m: sums of gradW over fluid and walls */
    num near; /* share of the walls in the density, */
    num hard; /* and without volume maps */
} ambient_sums;

INLINE ambient_sums ambient_sums_of(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, FIELD(pair) pair_f,
                                    FIELD(real4) even_axes, FIELD(real4) even_planes)
{
    const num none = num_of(0.0f);
    const vec a = vec_here(pos);
    vec g = zero3(), w = g, points = g, turned = g;
    num near = none, hard = none;
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        g = add_scaled3(g, b.w * pair_value(pair_f), sub3(a, b));
        if (par->pressure.isotropic > 0.0f)
            turned = add_scaled3(turned, b.w * pair_value(pair_f), even_turned(par, j, sub3(a, b)));
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), x = sub3(a, b);
        const num f = b.w * pair_value(pair_f), share = b.w * kernel_w(par, dot3(x, x));
        const num point = par->maps.count == 0 ? num_of(1.0f) : 1.0f - of_object(mapped, vec_there(vel, j).w);
        w = add_scaled3(w, f, x);
        points = add_scaled3(points, point * f, x);
        near += share;
        hard += point * share;
    END
    vec u = add_scaled3(scale3(num_of(2.0f), g), num_of(par->boundary.weight), w);
    if (par->pressure.isotropic > 0.0f)
        u = add3(turned, six_times_vec(even_here(), add_scaled3(g, num_of(par->boundary.weight), w)));
    /* M: more along the wall than across it */
    const num square = dot3(points, points), across = dot3(u, points) / max_of(square, num_of(1e-20f));
    const num s = wall_raise(par, hard);
    const vec more = add_scaled3(scale3(s, u), -s * across, points), pull = scale3(a.w, add3(u, more));
    const ambient_sums sums = {pull, more, g, w, near, hard};
    return sums;
}

#define ambient_FIELDS(X)                                                            \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(PAIR, pair, pair_f) EVEN_FIELDS(X) \
    X(CHANGES, real4, acc) X(WRITES, real4, ambient_react)

/* 1 within two support radii of a face of the domain through which particles leave, 0 from three on. */
INLINE num ambient_open(PAR, vec a)
{
    const num x = min_of(a.x - par->keep_low[0], par->keep_high[0] - a.x),
              y = min_of(a.y - par->keep_low[1], par->keep_high[1] - a.y),
              z = min_of(a.z - par->keep_low[2], par->keep_high[2] - a.z);
    return min_of(max_of(3.0f - par->inv_h * min_of(min_of(x, y), z), num_of(0.0f)), num_of(1.0f));
}

/* arg.x = p_a */
KERNEL(ambient)
{
    const ambient_sums sums =
        ambient_sums_of(par, LISTS_OF_I, pos, vel, pair_f, even_axes, even_planes);
    const num outside = arg.x * ambient_open(par, vec_here(pos)), volume = vec_here(pos).w, pressed = outside * volume;
    const vec old = vec_here(acc);
    store3(acc, i, add_scaled3(old, outside * of_fluid(inv_density, vec_here(vel).w) / volume, sums.pull), old.w);
    store3(ambient_react, i, scale3(pressed / max_of(sums.near, num_of(1e-9f)), sums.more), pressed);
}

#define ambient_on_boundary_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, ambient_react) X(CHANGES, real4, boundary_force)

KERNEL(ambient_on_boundary)
{
    const vec a = vec_here(pos);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), r = vec_there(ambient_react, j);
        const kernel_pair both = kernel_wf(par, dot3(x, x));
        sum = add_scaled3(add_scaled3(sum, par->boundary.weight * r.w * both.f, x), -both.w, r);
    END
    add_on_boundary(boundary_force, i, a.w, sum);
}
