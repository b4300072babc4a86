/* free_liquid.h -- pieces of liquid that touch nothing, for tension that keeps the momentum and the spin of each
 * (methods/free_pieces.c).
 *
 *   label_i = the largest of the particles' own labels of its piece: a number that its place gives, from neighbour to
 *             neighbour until none changes
 *   sums over a piece: m, F; m x; (x - c) x F; m (x - c)(x - c)^T
 *
 * Not hand-tuned.
 */
/* needs: masks.h vec.h */
#define free_liquid_OWNS(F)                                                                                \
    F(piece, real, "1", KEEP, COPY, FLUID, "the same for all particles of a piece; 0: not known")     \
    F(piece_next, real, "1", STEP, COPY, FLUID, "the same after a look at the neighbours")            \
    F(piece_force, real4, "N, kg", STEP, COPY, FLUID, "force that is to keep momentum and spin; w: mass")

INLINE num piece_of_place(PAR, vec x) { return par->inv_h * (x.x + 0.618034f * x.y + 0.414214f * x.z); }

#define piece_alone_FIELDS(X) X(HERE, real4, pos) X(WRITES, real, piece)

KERNEL(piece_alone)
{
    set_num(piece, piece_of_place(par, vec_here(pos)));
}

#define piece_look_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real, piece) X(WRITES, real, piece_next) X(WRITES, real4, term)

/* term = (1 where the label changes), never where a place is not a number */
KERNEL(piece_look)
{
    const vec a = vec_here(pos);
    const num none = num_of(0.0f), mine = num_here(piece);
    num best = choose(mine == none, piece_of_place(par, a), mine);
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j));
        const num other = num_there(piece, j), known = choose(other == none, best, other);
        best = max_of(best, choose(within_support(par, dot3(x, x)) > none, known, best));
    END
    set_num(piece_next, best);
    const num grows = choose(best > mine, num_of(1.0f), none), below = choose(best < none, num_of(1.0f), none);
    set_vec(term, grows + choose(mine == none, below, none), none, none, none);
}

#define piece_take_FIELDS(X) X(HERE, real, piece_next) X(WRITES, real, piece)

KERNEL(piece_take)
{
    set_num(piece, num_here(piece_next));
}

/* 1 for particles of the piece arg.x */
#define PIECE_HERE choose(num_here(piece) == num_of(arg.x), num_of(1.0f), num_of(0.0f))

#define piece_all_FIELDS(X) X(HERE, real4, piece_force) X(WRITES, real4, term)

/* term = F, m */
KERNEL(piece_all)
{
    const vec f = vec_here(piece_force);
    set_vec(term, f.x, f.y, f.z, f.w);
}

#define piece_sum_FIELDS(X) X(HERE, real, piece) X(HERE, real4, piece_force) X(WRITES, real4, term)

/* the same of one piece */
KERNEL(piece_sum)
{
    const vec f = vec_here(piece_force);
    const num here = PIECE_HERE;
    set_vec(term, here * f.x, here * f.y, here * f.z, here * f.w);
}

#define piece_middle_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real, piece) X(HERE, real4, piece_force) X(WRITES, real4, term)

/* term = m x */
KERNEL(piece_middle)
{
    const vec x = vec_here(pos);
    const num m = PIECE_HERE * vec_here(piece_force).w;
    set_vec(term, m * x.x, m * x.y, m * x.z, num_of(0.0f));
}

#define piece_torque_FIELDS(X) piece_middle_FIELDS(X)

/* arg.yzw: the centre of mass c; term = (x - c) x F, m yz */
KERNEL(piece_torque)
{
    const vec f = vec_here(piece_force), x = sub3(vec_here(pos), vec_of(num_of(arg.y), num_of(arg.z), num_of(arg.w)));
    const vec t = cross3(x, f);
    const num here = PIECE_HERE;
    set_vec(term, here * t.x, here * t.y, here * t.z, here * f.w * x.y * x.z);
}

#define piece_spread_FIELDS(X) piece_middle_FIELDS(X)

/* term = m xx, m yy, m zz, m xy */
KERNEL(piece_spread)
{
    const vec x = sub3(vec_here(pos), vec_of(num_of(arg.y), num_of(arg.z), num_of(arg.w)));
    const num m = PIECE_HERE * vec_here(piece_force).w;
    set_vec(term, m * x.x * x.x, m * x.y * x.y, m * x.z * x.z, m * x.x * x.y);
}

#define piece_skew_FIELDS(X) piece_middle_FIELDS(X)

/* term = m xz */
KERNEL(piece_skew)
{
    const vec x = sub3(vec_here(pos), vec_of(num_of(arg.y), num_of(arg.z), num_of(arg.w)));
    const num none = num_of(0.0f), m = PIECE_HERE * vec_here(piece_force).w;
    set_vec(term, m * x.x * x.z, none, none, none);
}

#define piece_carry_FIELDS(X) X(HERE, real, piece) X(CHANGES, real4, acc)

/* arg.yzw: an acceleration to be taken off */
KERNEL(piece_carry)
{
    const vec a = vec_here(acc);
    const num here = PIECE_HERE;
    set_vec(acc, a.x - here * arg.y, a.y - here * arg.z, a.z - here * arg.w, a.w);
}

#define piece_turn_FIELDS(X) X(HERE, real4, pos) X(HERE, real, piece) X(CHANGES, real4, acc)

/* arg.yzw: a change of the rate of turning about the origin that is to be taken off */
KERNEL(piece_turn)
{
    const vec a = vec_here(acc), t = cross3(vec_of(num_of(arg.y), num_of(arg.z), num_of(arg.w)), vec_here(pos));
    const num here = PIECE_HERE;
    set_vec(acc, a.x - here * t.x, a.y - here * t.y, a.z - here * t.z, a.w);
}
