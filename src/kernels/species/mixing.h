/* mixing.h -- what the exchange of species needs of the particles' places, once a step:
 *
 *   around_i = 1/(V_i W(0) + sum_j V_j W_ij)             1            fluid neighbours only
 *   x_i      = 2 sum_j V_j |f_ij|                        1/m^2        rate of bulk diffusion over D: what a particle
 *                                                                     can lose in unit time; f = W'/r
 *
 * Hand-tuned: one loop for all three; it keeps W_ij in pair_b, since every sub-step of adsorption.h needs it.
 */
/* needs: amounts.h spline.h */
#define mixing_OWNS(F)                                                                                           \
    F(origin, real4, "m, m^3", STEP, COPY, POINTS, "place without the shift of periodic copies; w: rest volume") \
    F(around, real, "1", STEP, COPY, FLUID, "1/sum of V W over fluid neighbours")

#define origin_take_FIELDS(X) X(HERE, real4, pos) X(WRITES, real4, origin)

/* Positions as they are, for periodic copies of particles and boundary points too (periodic worlds only; elsewhere
   `origin` is `pos`). */
KERNEL(origin_take)
{
    const vec a = vec_here(pos);
    set_vec(origin, a.x, a.y, a.z, a.w);
}

#define mixing_FIELDS(X)                                                                            \
    X(AROUND, real4, origin) X(HERE, real, area) X(PAIR, pair, pair_f) X(PAIR_WRITES, pair, pair_b) \
    X(WRITES, real, around) X(WRITES, real4, term)

/* pair_b = W_ij; term = x, A, V: their largest values */
KERNEL(mixing)
{
    const vec a = vec_here(origin);
    num n = num_of(0.0f), bulk = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(origin, j);
        const num w = kernel_w(par, origin_distance2(par, a, b));
        n += b.w * w;
        set_pair_value(pair_b, w);
        bulk -= b.w * pair_value(pair_f);
    END
    set_num(around, 1.0f / (n + a.w * kernel_w0(par)));
    set_vec(term, 2.0f * bulk, num_here(area), a.w, 0.0f);
}
