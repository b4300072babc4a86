/* velocity_terms.h -- what the begin kernels of velocity_system.h share. Each names a = pos, u = velocity before the
   solve, p = guess, m = mass. Not hand-tuned. */
/* needs: vec.h velocity_maps.h */

/* What walls add: to K_i the block, and to the right side. */
typedef struct velocity_walls {
    six block;
    vec right;
} velocity_walls;

/* + c (v_i - v_b), c a number */
INLINE velocity_walls velocity_walls_plus(velocity_walls w, num c, vec v)
{
    w.block.xx += c, w.block.yy += c, w.block.zz += c;
    w.right = add_times3(w.right, c, v);
    return w;
}

/* K p of the block k, s. */
INLINE vec velocity_block(vec k, vec s, vec p)
{
    return vec_of(k.x * p.x + s.x * p.y + s.y * p.z, s.x * p.x + k.y * p.y + s.z * p.z,
                  s.y * p.x + s.z * p.y + k.z * p.z);
}

/* The beginning of every begin kernel: with arg.w = 1 only one particle in 32 goes on, eight of 256 side by side, each
   time others of them, so that they do not follow the order of the particles. */
INLINE int left_out(const real4 arg, const int i) { return arg.w > 0.0f && (((i >> 3) + 11 * (i >> 8)) & 31) != 0; }

/* The end of every begin kernel: r = m u + walls - K p - pairs of the guess, with the pairs' right side in `pairs`
   too. With arg.y = 1 what an iteration needs: the block, and direction = r/m. term = (r.r/m, reference of the
   tolerance |m p|^2 + |r|^2, |r|^2, 1). */
INLINE void store_begin(const int i, const real4 arg, num m, vec u, vec p, velocity_walls walls, vec pairs,
                        WRITTEN(real4) block, WRITTEN(real4) shear, WRITTEN(real4) direction, WRITTEN(real4) residual,
                        WRITTEN(real4) term)
{
    const num inv_m = 1.0f / m;
    const six k = walls.block;
    const vec diagonal = vec_of(m + k.xx, m + k.yy, m + k.zz), beside = vec_of(k.xy, k.xz, k.yz);
    const vec r = sub3(sub3(add3(scale3(m, u), walls.right), velocity_block(diagonal, beside, p)), pairs);
    const num square = square3(r), size = m * m * square3(p);
    if (arg.y > 0.0f) {
        store3(block, i, diagonal, m);
        store3(shear, i, beside, num_of(0.0f));
        store3(direction, i, scale3(inv_m, r), num_of(0.0f));
    }
    store3(residual, i, r, inv_m);
    set_vec(term, inv_m * square, size + square, square, num_of(1.0f));
}

/* The end of every solve: v = guess + arg.x residual/m; arg.x = 1: the forces of the velocities `guess` act, no more
   and no less. */
INLINE void velocity_finish(const int i, const real4 arg, FIELD(real4) guess, FIELD(real4) residual, WRITTEN(real4) vel,
                            WRITTEN(real4) change)
{
    const vec r = vec_here(residual), v = vec_here(vel), now = add_times3(vec_here(guess), arg.x * r.w, r);
    store3(change, i, sub3(now, v), num_of(0.0f));
    store3(vel, i, now, v.w);
}

/* mu_ij: the mean of both fluids, 0 unless both use the model. w: index of the fluid of j. */
INLINE num weiler_mean(PAR, num mu, num on, num w)
{
    return 0.5f * on * parameter(weiler2018, on, w) * (mu + parameter(weiler2018, viscosity, w) * of_fluid(density, w));
}

/* What wall viscosity adds where `wall` > 0: scale friction_b V_b f_ib/(r^2 + 0.01 h^2) x x^T; of volume maps, see
   velocity_maps.h. */
INLINE velocity_walls weiler_walls(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, FIELD(pair) pair_f, vec a, num wall,
                                   num scale)
{
    velocity_walls sum;
    sum.block = six_zero(), sum.right = zero3();
    if (!anyone(wall > num_of(0.0f))) return sum;
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j), x = sub3(a, b);
        const map_ring ring = map_ring_of(par, v.w, square3(x), pair_value(pair_f));
        const num base = scale * of_object(friction, v.w) * b.w * ring.f / (ring.r2 + par->eps2), c = base * ring.along;
        if (par->maps.count > 0) sum = velocity_walls_plus(sum, base * ring.across, v);
        sum.block = six_plus(sum.block, scale3(c, x), x);
        sum.right = add_times3(sum.right, c * inner3(v, x), x);
    END
    return sum;
}
