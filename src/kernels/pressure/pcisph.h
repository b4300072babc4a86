/* pcisph.h -- predictive-corrective incompressible SPH (Solenthaler & Pajarola 2009).
 *
 *   x* = x + dt (v* + dt a(k)),  n*_i = sum V_j W(x*_i - x*_j),  k <- max(0, k + delta (n* - 1))
 *
 * kappa = p dt^2, delta = rho times a number of a full neighbourhood (arg.x, host), but at most arg.y of what the
 * particle's own neighbourhood asks for (the inverse of its diagonal, density.h; a half of it is the same in the bulk;
 * 0: no such limit): particles pressed together at walls would swing on for ever. Gradients are those of x; the
 * neighbour lists of x serve for x*. Boundary points stay where they are. Not hand-tuned.
 */
/* needs: spline.h vec.h */
#define pcisph_PARAMS(P)                                                                                              \
    P(largest, 0, "1", 0, 1, "1: stops by the largest compression of any particle, as in the paper; 0: by the mean") \
    P(rewind, 0, "1", 0, 1,                                                                                          \
        "1: a step that ends in a shock (Ihmsen et al. 2010) is taken back and repeated, shorter; adaptive steps only")

#define pcisph_OWNS(F) \
    F(ahead, real4, "m, m^3", STEP, PLACE, FLUID, "predicted place; w: rest volume")

#define pcisph_predict_FIELDS(X) \
    X(HERE, real4, pos) X(HERE, real4, vel) X(HERE, real4, displacement) X(WRITES, real4, ahead)

KERNEL(pcisph_predict)
{
    const vec a = vec_here(pos), v = vec_here(vel), p = vec_here(displacement);
    const num c = 1.0f / a.w;
    set_vec(ahead, a.x + par->dt * v.x + c * p.x, a.y + par->dt * v.y + c * p.y, a.z + par->dt * v.z + c * p.z, a.w);
}

#define pcisph_correct_FIELDS(X)                                                                                   \
    X(AROUND, real4, ahead) X(AROUND, real4, pos) X(HERE, real4, vel) X(HERE, real4, grad) X(CHANGES, real, kappa) \
    X(CHANGES, real4, trial) X(WRITES, real, source) X(WRITES, real4, term)

KERNEL(pcisph_correct)
{
    const vec a = vec_here(ahead);
    const vec here = vec_here(pos);
    num n = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(ahead, j);
        n += b.w * kernel_w(par, square3(sub3(a, b)));
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j);
        n += b.w * kernel_w(par, square3(sub3(a, b)));
    END
    const num r = n + a.w * kernel_w0(par) - 1.0f;
    num delta = arg.x * of_fluid(density, vec_here(vel).w);
    if (arg.y > 0.0f) delta = min_of(delta, arg.y / max_of(vec_here(grad).w, num_of(1e-20f)));
    const num value = max_of(num_here(kappa) + delta * r, num_of(0.0f));
    set_num(kappa, value);
    set_num(source, r);
    set_vec(trial, here.x, here.y, here.z, a.w * value);
    set_vec(term, max_of(r, 0.0f), 0.0f, 0.0f, 0.0f);
}

#define pcisph_left_FIELDS(X) X(HERE, real, source) X(WRITES, real4, term)

/* The compression that pcisph_correct has found, for its largest. */
KERNEL(pcisph_left) { set_vec(term, max_of(num_here(source), 0.0f), 0.0f, 0.0f, 0.0f); }

#define pcisph_start_FIELDS(X) X(HERE, real4, pos) X(WRITES, real, kappa) X(WRITES, real4, trial)

/* Every step begins without pressure. */
KERNEL(pcisph_start)
{
    const vec a = vec_here(pos);
    set_num(kappa, 0.0f);
    set_vec(trial, a.x, a.y, a.z, 0.0f);
}
