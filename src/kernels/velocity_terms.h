/* velocity_terms.h -- what the begin kernels of velocity_system.h share. Each names a = pos, u = velocity before the solve, p = guess, m = mass. */
/* needs: velocity_maps.h */

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

INLINE own4 velocity_block(own4 k, own4 s, own4 p)
{
    own4 r;
    r.x = k.x * p.x + s.x * p.y + s.y * p.z;
    r.y = s.x * p.x + k.y * p.y + s.z * p.z;
    r.z = s.y * p.x + s.z * p.y + k.z * p.z;
    r.w = own_of(0.0f);
    return r;
}

/* The end of every begin kernel: rest = m u + walls - K p - pairs of the guess, with the pairs' right side in x, y, z too. With arg.y = 1 what an iteration
   needs: the block, and way = rest/m. term = (rest.rest/m, reference of the tolerance |m p|^2 + |rest|^2, |rest|^2, 1). */
#define STORE_BEGIN_(pairs_x, pairs_y, pairs_z)                                                                                       \
    const own inv_m = 1.0f / m;                                                                                                 \
    own4 block_i, shear_i;                                                                                                      \
    block_i.x = m + walls.xx, block_i.y = m + walls.yy, block_i.z = m + walls.zz, block_i.w = m;                                \
    shear_i.x = walls.xy, shear_i.y = walls.xz, shear_i.z = walls.yz, shear_i.w = own_of(0.0f);                                         \
    const own4 kp = velocity_block(block_i, shear_i, p);                                                                        \
    const own rx = m * u.x + walls.x - kp.x - (pairs_x), ry = m * u.y + walls.y - kp.y - (pairs_y);                             \
    const own rz = m * u.z + walls.z - kp.z - (pairs_z);                                                                        \
    const own square = rx * rx + ry * ry + rz * rz, size = m * m * (p.x * p.x + p.y * p.y + p.z * p.z);                         \
    if (arg.y > 0.0f) {                                                                                                         \
        store4_i(block, i, block_i.x, block_i.y, block_i.z, m);                                                                 \
        store4_i(shear, i, shear_i.x, shear_i.y, shear_i.z, 0.0f);                                                              \
        store4_i(way, i, inv_m * rx, inv_m * ry, inv_m * rz, 0.0f);                                                             \
    }                                                                                                                           \
    store4_i(rest, i, rx, ry, rz, inv_m);                                                                                       \
    store4_i(term, i, inv_m * square, size + square, square, 1.0f)

/* The beginning of every begin kernel: with arg.w = 1 only one particle in 32 goes on, eight of 256 side by side, each time
   others of them, lest they lie in step with the order of the particles. */
#define SAMPLE_(i)                                                                                                              \
    if (arg.w > 0.0f && ((((i) >> 3) + 11 * ((i) >> 8)) & 31) != 0) {                                                                                \
        store4_i(term, i, 0.0f, 0.0f, 0.0f, 0.0f);                                                                              \
        return;                                                                                                                 \
    }

/* The end of every solve: v = guess + arg.x rest/m; arg.x = 1: the forces of the velocities `guess` act, no more and no less. */
#define VELOCITY_FINISH_(change)                                                                                                \
    const own4 g = load4_i(guess, i), r = load4_i(rest, i), v = load4_i(vel, i);                                                \
    const own s = arg.x * r.w, x = g.x + s * r.x, y = g.y + s * r.y, z = g.z + s * r.z;                                         \
    store4_i(change, i, x - v.x, y - v.y, z - v.z, 0.0f);                                                                       \
    store4_i(vel, i, x, y, z, v.w)

/* mu_ij: the mean of both fluids, 0 unless both use the model. w: index of the fluid of j. */
INLINE lane weiler_mean(PAR, own mu, own on, lane w)
{
    return 0.5f * on * AT_J(weiler2018, on, w) * (mu + AT_J(weiler2018, viscosity, w) * CORE_AT_J(density, w));
}

/* Adds wall viscosity to `walls` where `wall` > 0: scale friction_b V_b f_ib/(r^2 + 0.01 h^2) x x^T; of volume maps, see velocity_maps.h. */
#define WEILER_WALLS_(scale)                                                                                                    \
    if (own_any(wall > own_of(0.0f))) {                                                                                                          \
        lane xx = splat(0.0f), yy = splat(0.0f), zz = splat(0.0f), xy = splat(0.0f), xz = splat(0.0f), yz = splat(0.0f);        \
        lane ux = splat(0.0f), uy = splat(0.0f), uz = splat(0.0f);                                                              \
        FOR_WALLS(j)                                                                                                            \
            const lane4 b = load4_j(pos, j), v = load4_j(vel, j);                                                               \
            const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;                                                          \
            map_ring ring = map_ring_none(dx * dx + dy * dy + dz * dz, load_pair(pair_f));                                      \
            if (par->maps > 0) ring = map_ring_at(par, v.w, ring.r2, ring.f);                                                   \
            const lane base = (scale) * CORE_AT_J(friction, v.w) * b.w * ring.f / (ring.r2 + par->eps2), c = base * ring.along;  \
            const lane cx = c * dx, cy = c * dy, cz = c * dz, along = c * (v.x * dx + v.y * dy + v.z * dz);                     \
            if (par->maps > 0) {                                                                                                \
                const lane across = base * ring.across;                                                                         \
                xx += across;                                                                                                   \
                yy += across;                                                                                                   \
                zz += across;                                                                                                   \
                ux += across * v.x;                                                                                             \
                uy += across * v.y;                                                                                             \
                uz += across * v.z;                                                                                             \
            }                                                                                                                   \
            xx += cx * dx;                                                                                                      \
            yy += cy * dy;                                                                                                      \
            zz += cz * dz;                                                                                                      \
            xy += cx * dy;                                                                                                      \
            xz += cx * dz;                                                                                                      \
            yz += cy * dz;                                                                                                      \
            ux += along * dx;                                                                                                   \
            uy += along * dy;                                                                                                   \
            uz += along * dz;                                                                                                   \
        END                                                                                                                     \
        walls.xx += total(xx), walls.yy += total(yy), walls.zz += total(zz);                                                    \
        walls.xy += total(xy), walls.xz += total(xz), walls.yz += total(yz);                                                    \
        walls.x += total(ux), walls.y += total(uy), walls.z += total(uz);                                                       \
    }
