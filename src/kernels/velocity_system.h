/* velocity_system.h -- conjugate gradients for the implicit velocity: M v = b with a symmetric positive definite, mass-weighted matrix
 *
 *   (M v)_i = K_i v_i + sum_j (g_ij 1 + b_ij x_ij x_ij^T) (v_i - v_j)
 *
 *   g_ij >= 0   pair_g, kg: alike in all directions (jeske2023)        b_ij >= 0   pair_b, kg/m^2: along the line of centres (weiler2018)
 *   K_i         mass plus what walls add: block = (xx, yy, zz, m), shear = (xy, xz, yz, 0)
 *
 * A model writes these once a solve, together with the residual of the start; then an iteration reads two or three numbers a pair.
 *
 * guess: the unknown velocity, rest: residual, way: search direction, image: M way; all xyz, rest.w = 1/m. Pair terms leave sum m v alone, and
 * the residual is divided by the mass, not by the diagonal: so every iterate keeps the momentum to round-off, however early the iteration stops.
 */
/* needs: vec.h velocity_terms.h */
#define velocity_system_OWNS(F)                                                                       \
    F(guess, real4, "m/s", STEP, COPY, FLUID, "velocity that the solve has reached; w: of the model") \
    F(rest, real4, "kg m/s, 1/kg", STEP, COPY, FLUID, "residual; w: 1/mass")                          \
    F(way, real4, "m/s", STEP, COPY, FLUID, "search direction")                                       \
    F(image, real4, "kg m/s", STEP, COPY, FLUID, "matrix times search direction")                     \
    F(block, real4, "kg", STEP, COPY, FLUID, "diagonal of the block K; w: mass")                      \
    F(shear, real4, "kg", STEP, COPY, FLUID, "the rest of K: xy, xz, yz")                             \
    F(change, real4, "m/s", KEEP, COPY, FLUID, "what the viscosity changed, start of the next solve")

/* image = K p + the sums over the pairs; term.x = way . image */
INLINE void store_image(const int i, FIELD(real4) block, FIELD(real4) shear, vec p, lane x, lane y, lane z, WRITTEN(real4) image, WRITTEN(real4) term)
{
    const vec kp = velocity_block(vec_i(block, i), vec_i(shear, i), p);
    const own ix = kp.x + x, iy = kp.y + y, iz = kp.z + z;
    store4_i(image, i, ix, iy, iz, splat(0.0f));
    store4_i(term, i, p.x * ix + p.y * iy + p.z * iz, splat(0.0f), splat(0.0f), splat(0.0f));
}

#define image_even_FIELDS(X) X(NB, real4, way) X(OWN, real4, block) X(OWN, real4, shear) X(PAIR, pair, pair_g) X(OUT, real4, image) X(OUT, real4, term)

LANES(image_even)
{
    ITEM();
    const vec p = vec_i(way, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 q = load4_j(way, j);
        const lane g = load_pair(pair_g);
        x += g * (p.x - q.x);
        y += g * (p.y - q.y);
        z += g * (p.z - q.z);
    END
    store_image(i, block, shear, p, x, y, z, image, term);
}

#define image_axial_FIELDS(X) \
    X(NB, real4, pos) X(NB, real4, way) X(OWN, real4, block) X(OWN, real4, shear) X(PAIR, pair, pair_b) X(OUT, real4, image) X(OUT, real4, term)

LANES(image_axial)
{
    ITEM();
    const vec a = vec_i(pos, i), p = vec_i(way, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), q = load4_j(way, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane c = load_pair(pair_b) * ((p.x - q.x) * dx + (p.y - q.y) * dy + (p.z - q.z) * dz);
        x += c * dx;
        y += c * dy;
        z += c * dz;
    END
    store_image(i, block, shear, p, x, y, z, image, term);
}

#define image_both_FIELDS(X)                                                                                                         \
    X(NB, real4, pos) X(NB, real4, way) X(OWN, real4, block) X(OWN, real4, shear) X(PAIR, pair, pair_g) X(PAIR, pair, pair_b) \
    X(OUT, real4, image) X(OUT, real4, term)

LANES(image_both)
{
    ITEM();
    const vec a = vec_i(pos, i), p = vec_i(way, i);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), q = load4_j(way, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane vx = p.x - q.x, vy = p.y - q.y, vz = p.z - q.z;
        const lane g = load_pair(pair_g), c = load_pair(pair_b) * (vx * dx + vy * dy + vz * dz);
        x += g * vx + c * dx;
        y += g * vy + c * dy;
        z += g * vz + c * dz;
    END
    store_image(i, block, shear, p, x, y, z, image, term);
}

#define cg_step_FIELDS(X) X(OWN, real4, way) X(OWN, real4, image) X(UPD, real4, guess) X(UPD, real4, rest) X(OUT, real4, term)

/* guess += alpha way, rest -= alpha image; arg.x = alpha. term = (rest.rest/m, 0, |rest|^2) */
LANES(cg_step)
{
    ITEM();
    const own4 p = load4_i(way, i), m = load4_i(image, i), v = load4_i(guess, i), r = load4_i(rest, i);
    const own x = r.x - arg.x * m.x, y = r.y - arg.x * m.y, z = r.z - arg.x * m.z;
    store4_i(guess, i, v.x + arg.x * p.x, v.y + arg.x * p.y, v.z + arg.x * p.z, v.w);
    store4_i(rest, i, x, y, z, r.w);
    const own square = x * x + y * y + z * z;
    store4_i(term, i, r.w * square, 0.0f, square, 0.0f);
}

#define cg_turn_FIELDS(X) X(OWN, real4, rest) X(UPD, real4, way)

/* way = rest/m + beta way; arg.x = beta */
LANES(cg_turn)
{
    ITEM();
    const own4 r = load4_i(rest, i), p = load4_i(way, i);
    store4_i(way, i, r.w * r.x + arg.x * p.x, r.w * r.y + arg.x * p.y, r.w * r.z + arg.x * p.z, 0.0f);
}

#define cg_finish_FIELDS(X) X(OWN, real4, guess) X(OWN, real4, rest) X(UPD, real4, vel) X(OUT, real4, change)

LANES(cg_finish)
{
    ITEM();
    velocity_finish(i, arg, guess, rest, vel, change);
}

#define velocity_relax_FIELDS(X) X(OWN, real4, rest) X(UPD, real4, guess)

/* guess += arg.x rest/m: a Richardson step */
LANES(velocity_relax)
{
    ITEM();
    const own4 g = load4_i(guess, i), r = load4_i(rest, i);
    const own s = arg.x * r.w;
    store4_i(guess, i, g.x + s * r.x, g.y + s * r.y, g.z + s * r.z, g.w);
}
