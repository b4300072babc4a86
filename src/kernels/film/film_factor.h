/* film_factor.h -- factors on tension, adhesion and friction from the coverage of the surface, c = S/S_0 of each
 * species (docs/methods/surfactants.md):
 *
 *   linear     f = 1 - sum_k e_k min(1, c_k)
 *   langmuir   f = 1 + sum_k e_k ln(1 - c_k)                 tension only, never below 0
 *   factor_i = sum_j k_ij A_j f_j / sum_j k_ij A_j           k = (1 - q^2)^2: carried from the surface to all that lies
 *                                                            within a support radius of it; 1 where no surface is near
 *
 * Not hand-tuned.
 */
/* needs: masks.h surface_weight.h vec.h */
#define film_OWNS(F)                                                                            \
    F(cover, real4, "1, m^2", STEP, COPY, FLUID, "factors of the film at the surface; w: area") \
    F(film_factor, real4, "1", STEP, COPY, WANTED, "what a film leaves of tension, adhesion, friction")

#define film_begin_FIELDS(X) X(HERE, real, area) X(WRITES, real4, cover)

KERNEL(film_begin)
{
    set_vec(cover, num_of(1.0f), num_of(1.0f), num_of(1.0f), num_here(area));
}

/* ln y for y in [0.001, 1], from the 64th root: nothing of a math library. */
INLINE num film_log(num y)
{
    num r = y;
    for (int k = 0; k < 6; k++) r = sqrt_of(r);
    const num t = (r - 1.0f) / (r + 1.0f), tt = t * t;
    return 128.0f * t * (1.0f + tt * (0.333333333f + tt * 0.2f));
}

#define film_add_FIELDS(X) X(HERE, real4, amount) X(CHANGES, real4, cover)

/* One species: arg.x = 1/S_0, negative for langmuir; arg.yzw = what a full surface takes from tension, adhesion,
   friction. */
KERNEL(film_add)
{
    const vec f = vec_here(cover), m = vec_here(amount);
    if (!anyone(f.w > num_of(0.0f))) return;
    const real per = arg.x < 0.0f ? -arg.x : arg.x;
    const num c = choose(f.w > num_of(0.0f), min_of(max_of(per * m.z / f.w, num_of(0.0f)), num_of(1.0f)), num_of(0.0f));
    const num lost = arg.x < 0.0f ? -film_log(max_of(1.0f - c, num_of(0.001f))) : c;
    set_vec(cover, f.x - arg.y * lost, f.y - arg.z * c, f.z - arg.w * c, f.w);
}

#define film_spread_FIELDS(X) \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, cover) X(WRITES, real4, film_factor)

KERNEL(film_spread)
{
    const vec a = vec_here(pos), f = vec_here(cover);
    const num rho = of_fluid(density, vec_here(vel).w);
    vec sum = zero3();
    num area = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j), g = vec_there(cover, j);
        const num c = same_liquid(par, vel, j, rho) * surface_weight(par, square3(sub3(a, b))) * g.w;
        sum = add_times3(sum, c, g);
        area += c;
    END
    const num none = num_of(0.0f), all = area + f.w, inv = choose(all > none, 1.0f / all, none),
              far = choose(all > none, none, num_of(1.0f));
    const vec near = add_times3(sum, f.w, f);
    set_vec(film_factor, max_of(far + inv * near.x, none), max_of(far + inv * near.y, none),
            max_of(far + inv * near.z, none), 0.0f);
}
