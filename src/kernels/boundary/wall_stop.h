/* wall_stop.h -- no particle passes a wall, whatever pushes it.
 *
 * The pressure of a single layer of boundary points has its steepest rise 0.6 spacings away and weakens beyond: a
 * particle that a spike of pressure drives closer would slip through. The share of the walls in its density, n_w =
 * sum_b V_b W_ib, tells how near it is (0.15 at rest, 0.6 at 0.59 spacings from a flat wall, more in edges; other
 * supports have another limit in place of 0.6, for the same distance: par->boundary.near), and g =
 * |sum_b V_b gradW_ib| how fast that grows. Before the move the velocity towards the wall is limited to what brings n_w
 * to 0.6 at most; a particle already beyond is led back, a tenth of the distance in a step. Relative to the velocity of
 * the wall; sliding is free.
 *
 * That looks no farther ahead than a straight line from n_w and its gradient here does. A particle that leaps, more
 * than 0.4 spacings in this step past the walls around, is looked at in four places on its path: it goes as far as the
 * last of them before one with n_w > 0.6 in the direction of the gradient in that one, and slides on.
 *
 * vel is read at boundary points, which no kernel writes, and updated at i. For points that feel (arg.x = 1): source =
 * what the first limit took, over g; displacement = what the second took, over n_w.
 *
 * Hand-tuned: the four places on a path are looked at in one loop, and only where a particle leaps: few do.
 */
/* needs: spline.h vec.h boundary_add.h */
#define wall_stop_FIELDS(X)                                                                 \
    X(AROUND, real4, pos) X(PAIR, pair, pair_f) X(CHANGES, real4, vel) X(WRITES, real, source) \
    X(WRITES, real4, displacement)

/* Of the velocity v what a particle at a, which leaps past walls by s = v - theirs, has to lose not to pass them: 0
   where stop = 0. */
INLINE vec wall_leap(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, vec a, vec v, vec s, num share, num leaps)
{
    num n1 = num_of(0.0f), n2 = num_of(0.0f), n3 = num_of(0.0f), n4 = num_of(0.0f);
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), x = sub3(a, b), q = scale3(num_of(par->dt), sub3(v, vec_there(vel, j)));
        const num r2 = square3(x), rq = 2.0f * inner3(x, q), q2 = square3(q);
        n1 += b.w * kernel_w(par, max_of(r2 + 0.25f * rq + 0.0625f * q2, num_of(0.0f)));
        n2 += b.w * kernel_w(par, max_of(r2 + 0.5f * rq + 0.25f * q2, num_of(0.0f)));
        n3 += b.w * kernel_w(par, max_of(r2 + 0.75f * rq + 0.5625f * q2, num_of(0.0f)));
        n4 += b.w * kernel_w(par, max_of(r2 + rq + q2, num_of(0.0f)));
    END
    const num most = max_of(num_of(par->boundary.near), share);
    const num part = choose(n1 > most, num_of(0.0f), choose(n2 > most, num_of(0.25f),
                     choose(n3 > most, num_of(0.5f), choose(n4 > most, num_of(0.75f), num_of(1.0f)))));
    const num later = par->dt * (part + 0.25f);
    vec p = zero3();
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), x = add_times3(sub3(a, b), later, sub3(v, vec_there(vel, j)));
        p = add_times3(p, b.w * kernel_f(par, square3(x)), x);
    END
    const num p2 = square3(p), stop = leaps * (1.0f - part), along = stop * inner3(p, s) / max_of(p2, num_of(1e-20f));
    /* in the middle of the layer there is no gradient */
    const num steep = choose(p2 * par->spacing * par->spacing > num_of(0.01f), num_of(1.0f), num_of(0.0f));
    return choose3(stop, add_times3(scale3(steep * along, p), (1.0f - steep) * stop, s), zero3());
}

KERNEL(wall_stop)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    num share = num_of(0.0f);
    vec g = zero3(), moving = zero3();
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), x = sub3(a, b);
        const num w = b.w * kernel_w(par, square3(x));
        share += w;
        moving = add_times3(moving, w, vec_there(vel, j));
        g = add_times3(g, b.w * pair_value(pair_f), x);
    END
    if (!anyone(share > num_of(0.0f))) return;
    const num square = square3(g), inv = choose(share > num_of(0.0f), 1.0f / share, num_of(0.0f));
    const vec walls = scale3(inv, moving);
    const num rise = inner3(g, sub3(u, walls)); /* of n_w, 1/s */
    const num room = (par->boundary.near - share) * par->inv_dt;
    /* times g = change of velocity */
    const num cut = choose(square > num_of(0.0f), max_of(rise - max_of(room, 0.1f * room), num_of(0.0f)) / square,
                           num_of(0.0f));
    const vec v = sub3(u, scale3(cut, g)), s = sub3(v, walls);
    const num far2 = par->dt * par->dt * square3(s) - 0.16f * par->spacing * par->spacing;
    const num leaps = choose(share > num_of(0.0f), choose(far2 > num_of(0.0f), num_of(1.0f), num_of(0.0f)),
                             num_of(0.0f));
    vec lost = zero3();
    if (anyone(leaps > num_of(0.0f))) lost = wall_leap(par, LISTS_OF_I, pos, vel, a, v, s, share, leaps);
    store3(vel, i, sub3(v, lost), u.w);
    set_num(source, cut);
    if (arg.x > 0.0f) store3(displacement, i, scale3(inv, lost), num_of(0.0f));
}

#define wall_stop_on_boundary_FIELDS(X)                                                             \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, source) X(AROUND, real4, displacement) \
    X(CHANGES, real4, boundary_impulse)

/* What the particles around a boundary point lost: m_i cut_i V_b gradW_ib, and m_i displacement_i V_b W_ib. */
KERNEL(wall_stop_on_boundary)
{
    const vec a = vec_here(pos);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), x = sub3(a, b);
        const kernel_pair s = kernel_wf(par, square3(x));
        const num m = of_fluid(density, vec_there(vel, j).w) * b.w, c = m * num_there(source, j) * s.f, w = m * s.w;
        sum = add3(sum, sub3(scale3(c, x), scale3(w, vec_there(displacement, j))));
    END
    add_on_boundary(boundary_impulse, i, -a.w, sum);
}
