/* wall_lift.h -- the gradient of the pressure along a wall, where boundary points count more than in the papers
 * (wall_weight beta > 1).
 *
 * A boundary point has the pressure of the particle that looks at it, so that a pressure that grows along the wall is
 * seen from the fluid's side only: on a lattice 0.85 of it next to a flat wall, 0.71 in an edge. With beta = 1 the
 * particles there have too high a pressure, which makes up for it; with the right pressure they would sink. So what the
 * pressure does along the wall is raised by what is missing:
 *
 *   a_i <- M_i a_i,   M_i = 1 + s_i (1 - n n^T),   n: direction of sum_b V_b gradW_ib
 *   s_i = 5/3 (beta - 1) n_w,   n_w = sum_b V_b W_ib, at most 0.4
 *
 * A lattice asks for s = 0.18 next to a flat wall, where n_w = 0.15, and for 0.40 in an edge, where n_w = 0.29. M_i is
 * symmetric and positive, therefore -D(M a(k)) is symmetric and positive semidefinite as it was. The wall bears what it
 * adds: pairs (i, b) share it by V_b W_ib. These are the numbers of a support of two spacings; boundary.along and
 * boundary.most of `params` carry them to others.
 *
 * Volume maps are left out: their one point on the wall does not lie where the particles of a layer would.
 *
 * lift = (sqrt(s) n, s/((1 + s) n_w))
 *
 * Not hand-tuned.
 */
/* needs: spline.h vec.h boundary_add.h */
#define wall_lift_OWNS(F) \
    F(lift, real4, "1, 1", STEP, COPY, FLUID, "sqrt(s) n of wall_lift.h; w: share of the walls")

/* s from n_w */
INLINE num wall_raise(PAR, num share)
{
    return 1.6666667f * par->boundary.along * (par->boundary.weight - 1.0f) * min_of(share, num_of(par->boundary.most));
}

#define wall_lift_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(PAIR, pair, pair_f) X(CHANGES, real4, grad) X(WRITES, real4, lift)

KERNEL(wall_lift)
{
    const vec a = vec_here(pos), g = vec_here(grad);
    num share = num_of(0.0f);
    vec sum = zero3();
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), x = sub3(a, b);
        const num volume = par->maps.count == 0 ? b.w : b.w * (1.0f - of_object(mapped, vec_there(vel, j).w));
        share += volume * kernel_w(par, square3(x));
        sum = add_times3(sum, volume * pair_value(pair_f), x);
    END
    const num square = square3(sum);
    const num s = choose(square > num_of(0.0f), wall_raise(par, share), num_of(0.0f));
    const num c = choose(s > num_of(0.0f), sqrt_of(s / square), num_of(0.0f));
    store3(lift, i, scale3(c, sum), choose(s > num_of(0.0f), s / ((1.0f + s) * share), num_of(0.0f)));
    /* the diagonal: no less than M makes it, as far as it is the particle's own */
    store3(grad, i, g, (1.0f + s) * g.w);
}

#define wall_lift_displace_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real4, lift) X(CHANGES, real4, displacement)

/* displacement of M a; arg.x = dt as in pressure_displace. */
KERNEL(wall_lift_displace)
{
    const vec q = vec_here(lift), p = vec_here(displacement);
    if (!anyone(q.w > num_of(0.0f))) return;
    const vec a = vec_here(pos), u = vec_here(vel);
    const vec own = sub3(p, scale3(a.w * arg.x, u)), more = add_times3(p, square3(q), own),
              x = sub3(more, scale3(inner3(q, own), q));
    const num lever = x.x * (a.x - par->mid_x) + x.y * (a.y - par->mid_y) + x.z * (a.z - par->mid_z);
    store3(displacement, i, choose3(q.w, x, p), choose(q.w > num_of(0.0f), lever, p.w));
}

#define wall_lift_on_boundary_FIELDS(X)                                                               \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, lift) X(AROUND, real4, displacement) \
    X(CHANGES, real4, boundary_impulse)

/* Minus what M added, of which a boundary point bears the share V_b W_ib/n_w; arg = (c as in pressure_apply, dt as
   above), velocities as they were in the displacement. */
KERNEL(wall_lift_on_boundary)
{
    const vec a = vec_here(pos);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), q = vec_there(lift, j),
                  own = sub3(vec_there(displacement, j), scale3(b.w * arg.y, v));
        const num s = square3(q), across = choose(s > num_of(0.0f), inner3(q, own) / s, num_of(0.0f));
        const num c = of_fluid(density, v.w) * q.w * kernel_w(par, square3(sub3(a, b)));
        sum = add_times3(sum, c, sub3(own, scale3(across, q)));
    END
    add_on_boundary(boundary_impulse, i, -arg.x * a.w, sum);
}
