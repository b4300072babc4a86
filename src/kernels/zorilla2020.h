/* zorilla2020.h -- curvature from the free share of a sphere around each surface particle (Zorilla et al. 2020):
 *
 *   surface   N <= 74.6888 |sum_j (x_j - x_i)|/(h N) + offset,  N neighbours
 *   f         share of sample points on the sphere of radius h around i that lie further than 0.8 h from every neighbour
 *   n         direction of the mean free point, outwards;  kappa h = (-0.6 (1 - 2 f) + 1.6 sqrt(f (1 - f)))/0.3   (0 for a plane, f = 0.1)
 *   m_i a_i = strength (grad_s f - f kappa n), f of film_terms.h (1 without a film), kappa and n mixed half and half with their mean over surface neighbours, weight 1 - r/h
 *
 * kappa is the formula -2 (1 - q^2)^(-1/2) cos(arccos(1 - 2 f) + arcsin q) at q = 0.8, written without the arcs. The points are those of a
 * spherical Fibonacci lattice, the same for every particle and step, where the paper draws them at random: equal states give equal forces.
 * Not pairwise: momentum is not kept.
 */
/* needs: cohesion.h film_terms.h */
#define zorilla2020_PARAMS(P)                                                                                      \
    P(strength, 1e-6, "N m", 0, 1e9, "force of a surface particle per curvature; about tension times the area of a particle") \
    P(samples, 96, "1", 8, 1024, "points on the sphere of a surface particle")                                      \
    P(offset, 28, "1", 0, 100, "of the test for surface particles, in neighbours")  \
    P(smoothing, 0.5, "1", 0, 1, "share of the neighbours' mean in normal and curvature")

#define zorilla2020_OWNS(F)                                                  \
    F(curved, real4, "1", STEP, COPY, FLUID, "normal; w: curvature times h")

#define zorilla_sample_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(OUT, real4, curved)

/* n and kappa h of surface particles, 0 for all others */
LANES(zorilla_sample)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own rho = CORE_AT(density, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f), count = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
        const lane one = same_liquid(par, rho, fluid_there(par, vel, j)) * within_support(par, dx * dx + dy * dy + dz * dz);
        x += one * dx;
        y += one * dy;
        z += one * dz;
        count += one;
    END
    const own neighbours = total(count), cx = total(x), cy = total(y), cz = total(z);
    const own lean = own_sqrt(cx * cx + cy * cy + cz * cz) * par->inv_h / own_max(neighbours, own_of(1.0f));
    const own surface = own_pick(neighbours > 74.6888f * lean + AT(zorilla2020, offset, u.w), own_of(0.0f), AT(zorilla2020, on, u.w));
    if (!own_any(surface > own_of(0.0f))) {
        store4_i(curved, i, own_of(0.0f), own_of(0.0f), own_of(0.0f), own_of(0.0f));
        return;
    }

    /* Lanes of a fluid without this model have none; what they find is not used, but must be a number. */
    const own samples = own_max(AT(zorilla2020, samples, u.w), own_of(1.0f)), step = 2.0f / samples;
    const real near2 = 0.64f * par->h * par->h;
    real turn_x = 1.0f, turn_y = 0.0f, at = 0.0f;
    own free_x = own_of(0.0f), free_y = own_of(0.0f), free_z = own_of(0.0f), free = own_of(0.0f);
    while (own_any(samples > own_of(at + 0.5f))) {
        const own up = 1.0f - (at + 0.5f) * step, out = own_sqrt(own_max(1.0f - up * up, own_of(0.0f)));
        const own px = turn_x * out, py = turn_y * out, ax = a.x + px * par->h, ay = a.y + py * par->h, az = a.z + up * par->h;
        lane covered = splat(0.0f);
        FOR_FLUID(j)
            const lane4 b = load4_j(pos, j);
            const lane dx = ax - b.x, dy = ay - b.y, dz = az - b.z;
            covered += lane_pick(dx * dx + dy * dy + dz * dz <= splat(near2), same_liquid(par, rho, fluid_there(par, vel, j)), splat(0.0f));
        END
        const own one = own_pick(samples > own_of(at + 0.5f), own_pick(total(covered) > own_of(0.0f), own_of(0.0f), own_of(1.0f)), own_of(0.0f));
        free_x += one * px, free_y += one * py, free_z += one * up, free += one;
        /* on by the golden angle */
        const real next = -0.737368878f * turn_x - 0.675490294f * turn_y;
        turn_y = 0.675490294f * turn_x - 0.737368878f * turn_y;
        turn_x = next;
        at += 1.0f;
    }
    const own f = free / samples, length2 = free_x * free_x + free_y * free_y + free_z * free_z;
    const own on = own_pick(free > own_of(0.0f), surface, own_of(0.0f));
    /* free all around: no direction */
    const own inv = own_pick(f < own_of(1.0f), own_pick(length2 > own_of(1e-8f), on / own_sqrt(own_max(length2, own_of(1e-8f))), own_of(0.0f)), own_of(0.0f));
    const own kappa = (1.6f * own_sqrt(own_max(f * (1.0f - f), own_of(0.0f))) - 0.6f * (1.0f - 2.0f * f)) / 0.3f;
    store4_i(curved, i, inv * free_x, inv * free_y, inv * free_z, on * kappa);
}

#define zorilla2020_FIELDS(X) X(NB, real4, pos) X(NB, real4, vel) X(NB, real4, curved) X(NB, real4, hold) X(UPD, real4, acc)

LANES(zorilla2020)
{
    ITEM();
    const own4 a = load4_i(pos, i), u = load4_i(vel, i), c = load4_i(curved, i);
    const own on = own_pick(c.x * c.x + c.y * c.y + c.z * c.z < own_of(0.25f), own_of(0.0f), AT(zorilla2020, on, u.w));
    if (!own_any(on > own_of(0.0f))) return;
    const own rho = CORE_AT(density, u.w);
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f), bend = splat(0.0f), weight = splat(0.0f);
    lane fx = splat(0.0f), fy = splat(0.0f), fz = splat(0.0f), square = splat(0.0f);
    const own clean = film_here(par, hold, i).x;
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j), cj = load4_j(curved, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane q = lane_min(lane_sqrt(dx * dx + dy * dy + dz * dz) * par->inv_h, splat(1.0f));
        const lane same = same_liquid(par, rho, fluid_there(par, vel, j));
        const lane surface = lane_pick(cj.x * cj.x + cj.y * cj.y + cj.z * cj.z > splat(0.25f), same, splat(0.0f));
        const lane share = surface * (splat(1.0f) - q);
        x += share * cj.x;
        y += share * cj.y;
        z += share * cj.z;
        bend += share * cj.w;
        weight += share;
        if (par->film) {
            const lane rise = share * (clean - load4_j(hold, j).x);
            fx += rise * dx;
            fy += rise * dy;
            fz += rise * dz;
            square += share * (dx * dx + dy * dy + dz * dz);
        }
    END
    const own mx = total(x), my = total(y), mz = total(z), all = total(weight), length2 = mx * mx + my * my + mz * mz;
    const own mix = own_pick(own_min(all, length2) > own_of(0.0f), AT(zorilla2020, smoothing, u.w), own_of(0.0f)), keep = 1.0f - mix;
    const own inv = mix / own_sqrt(own_max(length2, own_of(1e-20f)));
    const own nx = keep * c.x + inv * mx, ny = keep * c.y + inv * my, nz = keep * c.z + inv * mz;
    const own kappa = keep * c.w + mix * total(bend) / own_max(all, own_of(1e-20f));
    const own per = AT(zorilla2020, strength, u.w) / (a.w * rho), inv_l = 1.0f / own_sqrt(own_max(nx * nx + ny * ny + nz * nz, own_of(1e-20f)));
    /* in the plane of the surface the mean of x x^T is half the mean of r^2 */
    const own slope = 2.0f * per / own_max(total(square), own_of(1e-4f * par->eps2)), gx = slope * total(fx), gy = slope * total(fy), gz = slope * total(fz);
    const own norm = -inv_l * (per * clean * kappa * par->inv_h + inv_l * (gx * nx + gy * ny + gz * nz));
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, own_pick(on > own_of(0.0f), old.x + norm * nx + gx, old.x), own_pick(on > own_of(0.0f), old.y + norm * ny + gy, old.y),
             own_pick(on > own_of(0.0f), old.z + norm * nz + gz, old.z), old.w);
}
