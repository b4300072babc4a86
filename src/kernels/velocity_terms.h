/* velocity_terms.h -- what the begin kernels of velocity_system.h share. Each names a = pos, u = velocity before the solve, p = guess, m = mass. */
/* needs: vec.h velocity_maps.h */

/* What walls add: to K_i the symmetric 3 x 3 block, to the right side x, y, z. */
typedef struct velocity_walls {
    own xx, yy, zz, xy, xz, yz, x, y, z;
} velocity_walls;

INLINE velocity_walls velocity_no_walls(void)
{
    velocity_walls w;
    w.xx = w.yy = w.zz = w.xy = w.xz = w.yz = w.x = w.y = w.z = own_of(0.0f);
    return w;
}

/* K p of the block k, s. */
INLINE vec velocity_block(vec k, vec s, vec p)
{
    return vec_of(k.x * p.x + s.x * p.y + s.y * p.z, s.x * p.x + k.y * p.y + s.z * p.z, s.y * p.x + s.z * p.y + k.z * p.z);
}

/* The beginning of every begin kernel: with arg.w = 1 only one particle in 32 goes on, eight of 256 side by side, each time
   others of them, lest they lie in step with the order of the particles. */
INLINE int left_out(const real4 arg, const int i) { return arg.w > 0.0f && (((i >> 3) + 11 * (i >> 8)) & 31) != 0; }

/* The end of every begin kernel: rest = m u + walls - K p - pairs of the guess, with the pairs' right side in `pairs` too. With
   arg.y = 1 what an iteration needs: the block, and way = rest/m. term = (rest.rest/m, reference of the tolerance
   |m p|^2 + |rest|^2, |rest|^2, 1). */
INLINE void store_begin(const int i, const real4 arg, own m, vec u, vec p, velocity_walls walls, vec pairs, WRITTEN(real4) block,
                        WRITTEN(real4) shear, WRITTEN(real4) way, WRITTEN(real4) rest, WRITTEN(real4) term)
{
    const own inv_m = 1.0f / m;
    const vec diagonal = vec_of(m + walls.xx, m + walls.yy, m + walls.zz), beside = vec_of(walls.xy, walls.xz, walls.yz);
    const vec kp = velocity_block(diagonal, beside, p);
    const own rx = m * u.x + walls.x - kp.x - pairs.x, ry = m * u.y + walls.y - kp.y - pairs.y;
    const own rz = m * u.z + walls.z - kp.z - pairs.z;
    const own square = rx * rx + ry * ry + rz * rz, size = m * m * (p.x * p.x + p.y * p.y + p.z * p.z);
    if (arg.y > 0.0f) {
        store4_i(block, i, diagonal.x, diagonal.y, diagonal.z, m);
        store4_i(shear, i, beside.x, beside.y, beside.z, splat(0.0f));
        store4_i(way, i, inv_m * rx, inv_m * ry, inv_m * rz, splat(0.0f));
    }
    store4_i(rest, i, rx, ry, rz, inv_m);
    store4_i(term, i, inv_m * square, size + square, square, splat(1.0f));
}

/* The end of every solve: v = guess + arg.x rest/m; arg.x = 1: the forces of the velocities `guess` act, no more and no less. */
INLINE void velocity_finish(const int i, const real4 arg, FIELD(real4) guess, FIELD(real4) rest, WRITTEN(real4) vel, WRITTEN(real4) change)
{
    const vec g = vec_i(guess, i), r = vec_i(rest, i), v = vec_i(vel, i);
    const own s = arg.x * r.w, x = g.x + s * r.x, y = g.y + s * r.y, z = g.z + s * r.z;
    store4_i(change, i, x - v.x, y - v.y, z - v.z, splat(0.0f));
    store4_i(vel, i, x, y, z, v.w);
}

/* mu_ij: the mean of both fluids, 0 unless both use the model. w: index of the fluid of j. */
INLINE lane weiler_mean(PAR, own mu, own on, lane w)
{
    return 0.5f * on * AT_J(weiler2018, on, w) * (mu + AT_J(weiler2018, viscosity, w) * CORE_AT_J(density, w));
}

/* What wall viscosity adds where `wall` > 0: scale friction_b V_b f_ib/(r^2 + 0.01 h^2) x x^T; of volume maps, see velocity_maps.h. */
INLINE velocity_walls weiler_walls(PAR, LISTS, FIELD(real4) pos, FIELD(real4) vel, FIELD(pair) pair_f, vec a, own wall, own scale)
{
    velocity_walls sum = velocity_no_walls();
    if (!own_any(wall > own_of(0.0f))) return sum;
    FOR_WALLS(j)
        const vec b = vec_j(pos, j), v = vec_j(vel, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const map_ring ring = map_ring_of(par, v.w, dx * dx + dy * dy + dz * dz, load_pair(pair_f));
        const lane base = scale * CORE_AT_J(friction, v.w) * b.w * ring.f / (ring.r2 + par->eps2), c = base * ring.along;
        const lane cx = c * dx, cy = c * dy, cz = c * dz, along = c * (v.x * dx + v.y * dy + v.z * dz);
        if (par->maps > 0) {
            const lane across = base * ring.across;
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
