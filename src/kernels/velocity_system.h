/* velocity_system.h -- conjugate gradients for the implicit velocity: M v = b with a symmetric positive definite, mass-weighted matrix that the
 * models add to (weiler2018, ...). All vectors are real4: xyz; the w of the search direction holds V/n of the particle, which the pair terms need.
 *
 * way: search direction, image: M way, rest: residual, guess: the unknown velocity. The preconditioner is the inverse diagonal in rest.w.
 */
#define cg_begin_FIELDS(X) X(OWN, real4, pos) X(OWN, real, dens) X(OWN, real4, image) X(OWN, real4, right) X(UPD, real4, rest) X(OUT, real4, way) X(OUT, real4, term)

/* rest = right - image, way = preconditioned rest; term = (rest.z, |right|^2, |rest|^2). right.w is the matrix diagonal. */
KERNEL(cg_begin)
{
    ITEM();
    const own4 b = load4_i(right, i), m = load4_i(image, i);
    const own inv = 1.0f / b.w;
    const own x = b.x - m.x, y = b.y - m.y, z = b.z - m.z;
    store4_i(rest, i, x, y, z, inv);
    store4_i(way, i, inv * x, inv * y, inv * z, load4_i(pos, i).w / load1_i(dens, i));
    const own square = x * x + y * y + z * z;
    store4_i(term, i, inv * square, b.x * b.x + b.y * b.y + b.z * b.z, square, 0.0f);
}

#define cg_step_FIELDS(X) X(OWN, real4, way) X(OWN, real4, image) X(UPD, real4, guess) X(UPD, real4, rest) X(OUT, real4, term)

/* guess += alpha way, rest -= alpha image; arg.x = alpha. term = (rest.z, 0, |rest|^2) */
KERNEL(cg_step)
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

/* way = z + beta way; arg.x = beta */
KERNEL(cg_turn)
{
    ITEM();
    const own4 r = load4_i(rest, i), p = load4_i(way, i);
    store4_i(way, i, r.w * r.x + arg.x * p.x, r.w * r.y + arg.x * p.y, r.w * r.z + arg.x * p.z, p.w);
}

#define cg_guess_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(OWN, real, dens) X(UPD, real4, change) X(OUT, real4, way) X(OUT, real4, guess)

/* Warm start: the velocity plus the change of the last step; way = guess, for its image. */
KERNEL(cg_guess)
{
    ITEM();
    const own4 v = load4_i(vel, i), d = load4_i(change, i);
    const own x = v.x + d.x, y = v.y + d.y, z = v.z + d.z;
    store4_i(guess, i, x, y, z, v.w);
    store4_i(way, i, x, y, z, load4_i(pos, i).w / load1_i(dens, i));
}

#define cg_finish_FIELDS(X) X(OWN, real4, guess) X(UPD, real4, vel) X(OUT, real4, change)

KERNEL(cg_finish)
{
    ITEM();
    const own4 g = load4_i(guess, i), v = load4_i(vel, i);
    store4_i(change, i, g.x - v.x, g.y - v.y, g.z - v.z, 0.0f);
    store4_i(vel, i, g.x, g.y, g.z, v.w);
}
