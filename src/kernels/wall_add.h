/* wall_add.h -- what kernels share that give walls their part. The end of each: field += scale (x, y, z) at the wall point i. */
/* needs: film_terms.h spline.h */

#define ADD_ON_WALL_(field, scale, sum_x, sum_y, sum_z)                                                        \
    const own4 had = load4_i(field, i);                                                                       \
    const own by = (scale);                                                                                   \
    store4_i(field, i, had.x + by * (sum_x), had.y + by * (sum_y), had.z + by * (sum_z), 0.0f)

/* The whole of a kernel <viscosity>_on_walls: friction against the wall point i with the Laplacian of standard.h, mu_b = wall_viscosity rho friction_b,
   with the velocities `of` the fluid; to `field` times `time`. */
#define VISCOSITY_ON_WALLS_(model, of, field, time)                                                                        \
    ITEM();                                                                                                               \
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);                                                                  \
    lane x = splat(0.0f), y = splat(0.0f), z = splat(0.0f);                                                               \
    FOR_FLUID(j)                                                                                                          \
        const lane4 b = load4_j(pos, j), v = load4_j(vel, j), s = load4_j(of, j);                                         \
        const lane n = load1_j(dens, j);                                                                                  \
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;                                                        \
        const lane r2 = dx * dx + dy * dy + dz * dz;                                                                      \
        const lane approach = (u.x - s.x) * dx + (u.y - s.y) * dy + (u.z - s.z) * dz;                                     \
        const lane mu = FILM_AT(z) * AT_J(model, on, v.w) * AT_J(model, wall_viscosity, v.w) * CORE_AT_J(density, v.w);   \
        const lane c = mu * b.w * kernel_wf(par, r2).f * approach / (n * n * (r2 + par->eps2));                           \
        x += c * dx;                                                                                                      \
        y += c * dy;                                                                                                      \
        z += c * dz;                                                                                                      \
    END                                                                                                                   \
    ADD_ON_WALL_(field, 10.0f * (time) * CORE_AT(friction, u.w) * a.w, total(x), total(y), total(z))
