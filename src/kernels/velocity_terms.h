/* velocity_terms.h -- what the begin kernels of velocity_system.h share. Each names a = pos, u = velocity before the
   solve, p = guess, m = mass. */
/* needs: vec.h velocity_maps.h */

/* What walls add: to K_i the symmetric 3 x 3 block, to the right side x, y, z. */
typedef struct velocity_walls {
    num xx, yy, zz, xy, xz, yz, x, y, z;
} velocity_walls;

INLINE velocity_walls velocity_no_walls(void)
{
    velocity_walls w;
    w.xx = w.yy = w.zz = w.xy = w.xz = w.yz = w.x = w.y = w.z = num_of(0.0f);
    return w;
}

/* K p of the block k, s. */
INLINE vec velocity_block(vec k, vec s, vec p)
{
    return vec_of(k.x * p.x + s.x * p.y + s.y * p.z, s.x * p.x + k.y * p.y + s.z * p.z,
                  s.y * p.x + s.z * p.y + k.z * p.z);
}

/* The beginning of every begin kernel: with arg.w = 1 only one particle in 32 goes on, eight of 256 side by side, each
   time others of them, lest they lie in step with the order of the particles. */
INLINE int left_out(const real4 arg, const int i) { return arg.w > 0.0f && (((i >> 3) + 11 * (i >> 8)) & 31) != 0; }

/* The end of every begin kernel: r = m u + walls - K p - pairs of the guess, with the pairs' right side in `pairs`
   too. With arg.y = 1 what an iteration needs: the block, and direction = r/m. term = (r.r/m, reference of the
   tolerance |m p|^2 + |r|^2, |r|^2, 1). */
INLINE void store_begin(const int i, const real4 arg, num m, vec u, vec p, velocity_walls walls, vec pairs,
                        WRITTEN(real4) block, WRITTEN(real4) shear, WRITTEN(real4) direction, WRITTEN(real4) residual,
                        WRITTEN(real4) term)
{
    const num inv_m = 1.0f / m;
    const vec diagonal = vec_of(m + walls.xx, m + walls.yy, m + walls.zz),
              beside = vec_of(walls.xy, walls.xz, walls.yz);
    const vec kp = velocity_block(diagonal, beside, p);
    const num rx = m * u.x + walls.x - kp.x - pairs.x, ry = m * u.y + walls.y - kp.y - pairs.y;
    const num rz = m * u.z + walls.z - kp.z - pairs.z;
    const num square = rx * rx + ry * ry + rz * rz, size = m * m * (p.x * p.x + p.y * p.y + p.z * p.z);
    if (arg.y > 0.0f) {
        set_vec(block, diagonal.x, diagonal.y, diagonal.z, m);
        set_vec(shear, beside.x, beside.y, beside.z, num_of(0.0f));
        set_vec(direction, inv_m * rx, inv_m * ry, inv_m * rz, num_of(0.0f));
    }
    set_vec(residual, rx, ry, rz, inv_m);
    set_vec(term, inv_m * square, size + square, square, num_of(1.0f));
}

/* The end of every solve: v = guess + arg.x residual/m; arg.x = 1: the forces of the velocities `guess` act, no more
   and no less. */
INLINE void velocity_finish(const int i, const real4 arg, FIELD(real4) guess, FIELD(real4) residual, WRITTEN(real4) vel,
                            WRITTEN(real4) change)
{
    const vec g = vec_here(guess), r = vec_here(residual), v = vec_here(vel);
    const num s = arg.x * r.w, x = g.x + s * r.x, y = g.y + s * r.y, z = g.z + s * r.z;
    set_vec(change, x - v.x, y - v.y, z - v.z, num_of(0.0f));
    set_vec(vel, x, y, z, v.w);
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
    velocity_walls sum = velocity_no_walls();
    if (!anyone(wall > num_of(0.0f))) return sum;
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j), v = vec_there(vel, j);
        const num dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const map_ring ring = map_ring_of(par, v.w, dx * dx + dy * dy + dz * dz, pair_value(pair_f));
        const num base = scale * of_wall(friction, v.w) * b.w * ring.f / (ring.r2 + par->eps2), c = base * ring.along;
        const num cx = c * dx, cy = c * dy, cz = c * dz, along = c * (v.x * dx + v.y * dy + v.z * dz);
        if (par->maps > 0) {
            const num across = base * ring.across;
            sum.xx += across;
            sum.yy += across;
            sum.zz += across;
            sum.x += across * v.x;
            sum.y += across * v.y;
            sum.z += across * v.z;
        }
        sum.xx += cx * dx;
        sum.yy += cy * dy;
        sum.zz += cz * dz;
        sum.xy += cx * dy;
        sum.xz += cx * dz;
        sum.yz += cy * dz;
        sum.x += along * dx;
        sum.y += along * dy;
        sum.z += along * dz;
    END
    return sum;
}
