/* zorilla2020.h -- curvature from the free share of a sphere around each surface particle (Zorilla et al. 2020):
 *
 *   surface   N <= 74.6888 |sum_j (x_j - x_i)|/(h N) + offset,  N neighbours (wider supports: as many more)
 *   f         share of sample points on the sphere of radius h around i that lie further than 0.8 h from every
 *             neighbour
 *   n         direction of the mean free point, outwards; kappa h = (-0.6 (1 - 2 f) + 1.6 sqrt(f (1 - f)))/0.3 (0 for a
 *             plane, f = 0.1)
 *   m_i a_i = strength (grad_s f - f kappa n), f of film_terms.h (1 without a film), kappa and n mixed half and half
 *     with their mean over surface neighbours, weight 1 - r/h
 *
 * kappa is the formula -2 (1 - q^2)^(-1/2) cos(arccos(1 - 2 f) + arcsin q) at q = 0.8, written without the arcs. The
 * points are those of a spherical Fibonacci lattice, the same for every particle and step, where the paper draws them
 * at random: equal states give equal forces. Not pairwise: momentum is not kept.
 *
 * Not hand-tuned, but that particles inside the liquid skip the sample points.
 */
/* needs: film_terms.h masks.h vec.h */
#define zorilla2020_PARAMS(P)                                                                    \
    P(strength, 1e-6, "N m", 0, 1e9,                                                             \
        "force of a surface particle per curvature; about tension times the area of a particle") \
    P(samples, 96, "1", 8, 1024, "points on the sphere of a surface particle")                   \
    P(offset, 28, "1", 0, 100, "of the test for surface particles, in neighbours")               \
    P(smoothing, 0.5, "1", 0, 1, "share of the neighbours' mean in normal and curvature")

#define zorilla2020_OWNS(F) \
    F(curved, real4, "1", STEP, COPY, FLUID, "normal of the surface; w: curvature times h")

#define zorilla_sample_FIELDS(X) X(AROUND, real4, pos) X(AROUND, real4, vel) X(WRITES, real4, curved)

/* n and kappa h of surface particles, 0 for all others */
KERNEL(zorilla_sample)
{
    const vec a = vec_here(pos), u = vec_here(vel);
    const num rho = of_fluid(density, u.w);
    vec sum = zero3();
    num neighbours = num_of(0.0f);
    FOR_FLUID(j)
        const vec x = sub3(vec_there(pos, j), a);
        const num one = same_liquid(par, vel, j, rho) * within_support(par, square3(x));
        sum = add_times3(sum, one, x);
        neighbours += one;
    END
    const num lean = sqrt_of(square3(sum)) * par->inv_h / max_of(neighbours, num_of(1.0f));
    const num most = par->neighbour_ratio * (74.6888f * lean + parameter(zorilla2020, offset, u.w));
    const num surface = choose(neighbours > most, num_of(0.0f), parameter(zorilla2020, on, u.w));
    if (!anyone(surface > num_of(0.0f))) {
        set_vec(curved, num_of(0.0f), num_of(0.0f), num_of(0.0f), num_of(0.0f));
        return;
    }

    /* Lanes of a fluid without this model have none; what they find is not used, but must be a number. */
    const num samples = max_of(parameter(zorilla2020, samples, u.w), num_of(1.0f)), step = 2.0f / samples;
    const real near2 = 0.64f * par->h * par->h;
    real turn_x = 1.0f, turn_y = 0.0f, at = 0.0f;
    vec mean = zero3();
    num free = num_of(0.0f);
    while (anyone(samples > num_of(at + 0.5f))) {
        const num up = 1.0f - (at + 0.5f) * step, out = sqrt_of(max_of(1.0f - up * up, num_of(0.0f)));
        const vec point = vec_of(turn_x * out, turn_y * out, up), there = add_times3(a, num_of(par->h), point);
        num covered = num_of(0.0f);
        FOR_FLUID(j)
            covered += choose(square3(sub3(there, vec_there(pos, j))) <= num_of(near2),
                              same_liquid(par, vel, j, rho), num_of(0.0f));
        END
        const num one = choose(samples > num_of(at + 0.5f), choose(covered > num_of(0.0f), num_of(0.0f), num_of(1.0f)),
                               num_of(0.0f));
        mean = add_times3(mean, one, point), free += one;
        /* on by the golden angle */
        const real next = -0.737368878f * turn_x - 0.675490294f * turn_y;
        turn_y = 0.675490294f * turn_x - 0.737368878f * turn_y;
        turn_x = next;
        at += 1.0f;
    }
    const num f = free / samples, length2 = square3(mean);
    const num on = choose(free > num_of(0.0f), surface, num_of(0.0f));
    /* free all around: no direction */
    const num inv = choose(f < num_of(1.0f),
                           choose(length2 > num_of(1e-8f), on / sqrt_of(max_of(length2, num_of(1e-8f))), num_of(0.0f)),
                           num_of(0.0f));
    const num kappa = (1.6f * sqrt_of(max_of(f * (1.0f - f), num_of(0.0f))) - 0.6f * (1.0f - 2.0f * f)) / 0.3f;
    store3(curved, i, scale3(inv, mean), on * kappa);
}

#define zorilla2020_FIELDS(X)                                                                          \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, curved) X(AROUND, real4, film_factor) \
    X(CHANGES, real4, acc)

KERNEL(zorilla2020)
{
    const vec a = vec_here(pos), u = vec_here(vel), c = vec_here(curved);
    const num on = choose(square3(c) < num_of(0.25f), num_of(0.0f), parameter(zorilla2020, on, u.w));
    if (!anyone(on > num_of(0.0f))) return;
    const num rho = of_fluid(density, u.w);
    vec m = zero3(), rise = zero3();
    num bend = num_of(0.0f), all = num_of(0.0f), square = num_of(0.0f);
    const num film = film_here(par, film_factor, i).x;
    FOR_FLUID(j)
        const vec x = sub3(a, vec_there(pos, j)), cj = vec_there(curved, j);
        const num r2 = square3(x), q = min_of(sqrt_of(r2) * par->inv_h, num_of(1.0f));
        const num surface = choose(square3(cj) > num_of(0.25f), same_liquid(par, vel, j, rho), num_of(0.0f));
        const num share = surface * (num_of(1.0f) - q);
        m = add_times3(m, share, cj);
        bend += share * cj.w;
        all += share;
        if (par->film.acts) {
            rise = add_times3(rise, share * (film - vec_there(film_factor, j).x), x);
            square += share * r2;
        }
    END
    const num length2 = square3(m);
    const num mix = choose(min_of(all, length2) > num_of(0.0f), parameter(zorilla2020, smoothing, u.w), num_of(0.0f)),
              keep = 1.0f - mix;
    const num inv = mix / sqrt_of(max_of(length2, num_of(1e-20f)));
    const vec n = add_times3(scale3(keep, c), inv, m);
    const num kappa = keep * c.w + mix * bend / max_of(all, num_of(1e-20f));
    const num per = parameter(zorilla2020, strength, u.w) / (a.w * rho),
              inv_l = 1.0f / sqrt_of(max_of(square3(n), num_of(1e-20f)));
    /* in the plane of the surface the mean of x x^T is half the mean of r^2 */
    const vec g = scale3(2.0f * per / max_of(square, num_of(1e-4f * par->eps2)), rise), old = vec_here(acc);
    const num norm = -inv_l * (per * film * kappa * par->inv_h + inv_l * inner3(g, n));
    store3(acc, i, choose3(on, add3(add_times3(old, norm, n), g), old), old.w);
}
