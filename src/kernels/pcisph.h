/* pcisph.h -- predictive-corrective incompressible SPH (Solenthaler & Pajarola 2009).
 *
 *   x* = x + dt (v* + dt a(k)),  n*_i = sum V_j W(x*_i - x*_j),  k <- max(0, k + delta (n* - 1))
 *
 * kappa = p dt^2, delta = rho times a number of a full neighbourhood (arg.x, host), but at most arg.y of what the particle's own neighbourhood asks for (the
 * inverse of its diagonal, density.h; a half of it is the same in the bulk; 0: no such limit): crowded particles at walls would swing on for ever. Gradients are
 * those of x; the neighbour lists of x serve for x*. Wall particles stay where they are.
 */
/* needs: spline.h */
#define pcisph_PARAMS(P)

#define pcisph_OWNS(F)                                                               \
    F(ahead, real4, "m, m^3", STEP, PLACE, FLUID, "predicted place; w: rest volume")

#define pcisph_predict_FIELDS(X) X(OWN, real4, pos) X(OWN, real4, vel) X(OWN, real4, push) X(OUT, real4, ahead)

LANES(pcisph_predict)
{
    ITEM();
    const own4 a = load4_i(pos, i), v = load4_i(vel, i), p = load4_i(push, i);
    const own c = 1.0f / a.w;
    store4_i(ahead, i, a.x + par->dt * v.x + c * p.x, a.y + par->dt * v.y + c * p.y, a.z + par->dt * v.z + c * p.z, a.w);
}

#define pcisph_correct_FIELDS(X) X(NB, real4, ahead) X(NB, real4, pos) X(OWN, real4, vel) X(OWN, real4, grad) X(UPD, real, kappa) X(UPD, real4, probe) X(OUT, real4, term)

LANES(pcisph_correct)
{
    ITEM();
    const own4 a = load4_i(ahead, i);
    const own4 here = load4_i(pos, i);
    lane n = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(ahead, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        n += b.w * kernel_w(par, dx * dx + dy * dy + dz * dz);
    END
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        n += b.w * kernel_w(par, dx * dx + dy * dy + dz * dz);
    END
    const own r = total(n) + a.w * kernel_w0(par) - 1.0f;
    own delta = arg.x * CORE_AT(density, load4_i(vel, i).w);
    if (arg.y > 0.0f) delta = own_min(delta, arg.y / own_max(load4_i(grad, i).w, own_of(1e-20f)));
    const own value = own_max(load1_i(kappa, i) + delta * r, own_of(0.0f));
    store1_i(kappa, i, value);
    store4_i(probe, i, here.x, here.y, here.z, a.w * value);
    store4_i(term, i, own_max(r, 0.0f), 0.0f, 0.0f, 0.0f);
}

#define pcisph_start_FIELDS(X) X(OWN, real4, pos) X(OUT, real, kappa) X(OUT, real4, probe)

/* Every step begins without pressure. */
LANES(pcisph_start)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    store1_i(kappa, i, 0.0f);
    store4_i(probe, i, a.x, a.y, a.z, 0.0f);
}
