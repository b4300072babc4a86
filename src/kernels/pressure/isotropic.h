/* isotropic.h -- pressure that acts alike in all directions (pressure.isotropic).
 *
 * Particles seldom lie alike on all sides. Their pressure k is then a stress k M_i, M no multiple of 1, which resists
 * and rubs where a liquid only flows. Here the gradients of particle i are turned by a matrix of its own:
 *
 *   M_i = - sum_j V_j x_ij gradW_ij^T,   N_i = M_i/(a third of its trace)
 *   B_i = 1 + s_i (N_i^-1 - 1)
 *   a(k)_i = -1/rho_i sum_j V_j (k_i B_i + k_j B_j) gradW_ij                          walls as they were
 *   D(u)_i = sum_j V_j (u_i - u_j).B_i gradW_ij
 *
 * so that the stress is k times a third of the trace, and D is 0 for a flow without expansion that is linear around i.
 * -D(a(.)) is symmetric and positive semidefinite as it was. Forces are equal and opposite; since B_i M_i is symmetric,
 * D is 0 for a rigid turn, and spin is kept.
 *
 *   s_i    1 where neighbours lie all around, else down to 0, each between 0 and 1:
 *          4 det N - 2       det N: 1 in an even neighbourhood, 0 in a plane
 *          2 - 8 |G| d       G of density.h: 0.5/d for the particles of a flat surface
 *          0 for particles with a wall within their support, and their neighbours: walls stand for a half space, and
 *          for no neighbours that lie like particles; liquid lies in layers there
 *
 * even_wall, then isotropic run after density.h; they give G, D_i and D(v) their new values.
 *
 * Not hand-tuned.
 */
/* needs: spline.h vec.h */
#define isotropic_OWNS(F)                                                              \
    F(even_axes, real4, "1", STEP, COPY, WANTED, "B of isotropic.h: xx, yy, zz")       \
    F(even_planes, real4, "1", STEP, COPY, WANTED, "B of isotropic.h: xy, xz, yz")     \
    F(even_wall, real, "1", STEP, COPY, WANTED, "1: a wall within the support")

INLINE six even_matrix(vec axes, vec planes)
{
    six m;
    m.xx = axes.x, m.yy = axes.y, m.zz = axes.z, m.xy = planes.x, m.xz = planes.y, m.yz = planes.z;
    return m;
}
#define EVEN_FIELDS(X) X(AROUND, real4, even_axes) X(AROUND, real4, even_planes)
#define EVEN_HERE(X) X(HERE, real4, even_axes) X(HERE, real4, even_planes)
/* B_j x, or x where it does not act */
#define even_turned(par, j, x) even_at(par, even_axes, even_planes, j, x)
#define even_here() even_matrix(vec_here(even_axes), vec_here(even_planes))
#define even_there(j) even_matrix(vec_there(even_axes, j), vec_there(even_planes, j))

/* B_i where it acts, else anything; and B x, or x where it does not act. */
INLINE six even_or_one(PAR, const int i, FIELD(real4) even_axes, FIELD(real4) even_planes)
{
    if (par->pressure.isotropic > 0.0f) return even_here();
    return six_zero();
}
INLINE vec even_side(PAR, six even, vec x)
{
    if (par->pressure.isotropic > 0.0f) return six_times_vec(even, x);
    return x;
}

INLINE vec even_at(PAR, FIELD(real4) even_axes, FIELD(real4) even_planes, const neighbour j, vec x)
{
    if (par->pressure.isotropic > 0.0f) return six_times_vec(even_there(j), x);
    return x;
}

INLINE num even_share(num s) { return min_of(max_of(s, num_of(0.0f)), num_of(1.0f)); }

/* B of M, where `most` is the largest s */
INLINE six even_of(six m, num most)
{
    const num mean = (m.xx + m.yy + m.zz) * (1.0f / 3.0f);
    const six n = six_times(1.0f / max_of(mean, num_of(1e-6f)), m), a = six_adjugate(n);
    const num det = n.xx * a.xx + n.xy * a.xy + n.xz * a.xz;
    const num s = most * even_share(4.0f * det - 2.0f), rest = 1.0f - s;
    six b = six_times(s / max_of(det, num_of(0.5f)), a);
    b.xx += rest, b.yy += rest, b.zz += rest;
    return b;
}

#define even_wall_FIELDS(X) X(AROUND, real4, pos) X(PAIR, pair, pair_f) X(WRITES, real, even_wall)

KERNEL(even_wall)
{
    const num none = num_of(0.0f);
    num least = none;
    FOR_BOUNDARY(j)
        least = min_of(least, choose(vec_there(pos, j).w == none, none, pair_value(pair_f)));
    END
    set_num(even_wall, choose(least < none, num_of(1.0f), none));
}

#define isotropic_FIELDS(X)                                                                   \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(PAIR, pair, pair_f) X(CHANGES, real4, grad) \
    X(AROUND, real, even_wall) X(CHANGES, real, source) X(WRITES, real4, even_axes) X(WRITES, real4, even_planes)

KERNEL(isotropic)
{
    const vec a = vec_here(pos), u = vec_here(vel), g = vec_here(grad);
    const num none = num_of(0.0f), was = num_here(source);
    six m = six_zero(), flow = six_zero(), square = six_zero();
    num wall = num_here(even_wall);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const num f = pair_value(pair_f);
        const num inv = par->fluids == 1 ? num_of(par->inv_density[0]) : of_fluid(inv_density, v.w);
        const vec s = scale3(b.w * f, x);
        wall = max_of(wall, choose(f < none, num_there(even_wall, j), none));
        m = six_plus(m, scale3(num_of(-1.0f), s), x);
        square = six_plus(square, scale3(inv * f, s), x);
        flow = six_plus_both(flow, scale3(b.w * f, sub3(u, v)), x);
    END
    const num around = even_share(2.0f - 8.0f * par->spacing * sqrt_of(square3(g)));
    const six even = even_of(m, choose(wall > none, none, around));
    const vec turned = six_times_vec(even, g);
    const num sum = six_inner(six_square(even), square);
    /* beside walls D(v) is what it was; spray has none */
    const num rate = choose(wall > none, was, six_inner(even, flow));
    set_vec(even_axes, even.xx, even.yy, even.zz, 0.0f);
    set_vec(even_planes, even.xy, even.xz, even.yz, 0.0f);
    store3(grad, i, turned, of_fluid(inv_density, u.w) * square3(turned) + a.w * sum);
    set_num(source, choose(was > num_of(-1e19f), rate, was));
}
