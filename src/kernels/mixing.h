/* mixing.h -- what the exchange of species needs of the particles' places, once a step:
 *
 *   around_i  = 1/(V_i W(0) + sum_j V_j W_ij)                           fluid neighbours only
 *   mixing.x = 2 sum_j V_j |f_ij|                        1/m^2         rate of bulk diffusion over D
 *   mixing.y = sum_j (A_i V_j + A_j V_i) |f_ij|/A_i      1/m^2         rate of surface diffusion over D, f = W'/r
 *   mixing.z = what V_i holds of the surfaces around: A_i W(0) around_i + sum_j A_j W_ij around_j     1/m    rate of adsorption over k_a S_0
 *
 * These are the largest fractions a particle can lose in unit time. They bound the sub-step and, where that is not enough, the flux (limiter): the first
 * pass of a limiter whose second pass are the kernels of the processes.
 */
#define origin_take_FIELDS(X) X(OWN, real4, pos) X(OUT, real4, origin)

/* Positions as they are, for ghosts too (periodic worlds only; elsewhere `origin` is `pos`). */
LANES(origin_take)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    store4_i(origin, i, a.x, a.y, a.z, a.w);
}

#define mixing_FIELDS(X) X(NB, real4, pos) X(NB, real, area) X(OUT, real, around) X(OUT, real4, mixing) X(OUT, real4, term)

LANES(mixing)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    const own s = load1_i(area, i);
    lane n = splat(0.0f), bulk = splat(0.0f), film = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const kernel_pair w = kernel_wf(par, dx * dx + dy * dy + dz * dz);
        const lane t = load1_j(area, j);
        n += b.w * w.w;
        bulk -= b.w * w.f;
        film -= lane_pick(t > splat(0.0f), (s * b.w + t * a.w) * w.f, splat(0.0f));
    END
    const own x = 2.0f * total(bulk), y = own_pick(s > own_of(0.0f), total(film) / s, own_of(0.0f));
    store1_i(around, i, 1.0f / (total(n) + a.w * kernel_w0(par)));
    store4_i(mixing, i, x, y, 0.0f, 0.0f);
    store4_i(term, i, x, y, s, a.w);
}

#define mixing_room_FIELDS(X) X(NB, real4, pos) X(NB, real, area) X(NB, real, around) X(UPD, real4, mixing) X(OUT, real4, term)

LANES(mixing_room)
{
    ITEM();
    const own4 a = load4_i(pos, i);
    lane g = splat(0.0f);
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        g += load1_j(area, j) * load1_j(around, j) * kernel_w(par, dx * dx + dy * dy + dz * dz);
    END
    const own4 old = load4_i(mixing, i);
    const own z = total(g) + load1_i(area, i) * load1_i(around, i) * kernel_w0(par);
    store4_i(mixing, i, old.x, old.y, z, 0.0f);
    store4_i(term, i, z, 0.0f, 0.0f, 0.0f);
}
