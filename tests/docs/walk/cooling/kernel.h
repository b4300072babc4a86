/* kernel.h -- a part as a newcomer writes it, for test_adding_a_model.sh: temperature that diffuses and
 * is lost to the surroundings:
 *
 *   dT_i/dt = a sum_j 2 V_j (T_i - T_j) f_ij - k (T_i - T_0)        f = W'(r)/r < 0
 */
#define newton_PARAMS(P)                                                \
    P(temperature, 350, "K", 0.001, 1e5, "of new liquid")               \
    P(surroundings, 293, "K", 0, 1e5, "T_0")                            \
    P(diffusivity, 1e-7, "m^2/s", 0, 1, "a")                            \
    P(rate, 0.1, "1/s", 0, 1e6, "k")

#define newton_OWNS(F)                                                  \
    F(warmth, real, "K", KEEP, COPY, FLUID, "temperature; 0: a new particle") \
    F(warming, real, "K/s", STEP, COPY, FLUID, "rate of the temperature")

#define newton_begin_FIELDS(X) X(HERE, real4, vel) X(CHANGES, real, warmth)
KERNEL(newton_begin)
{
    const num t = num_here(warmth);
    set_num(warmth, choose(t > num_of(0.0f), t, parameter(newton, temperature, vec_here(vel).w)));
}

#define newton_rate_FIELDS(X) \
    X(AROUND, real4, pos) X(HERE, real4, vel) X(AROUND, real, warmth) X(PAIR, pair, pair_f) X(WRITES, real, warming)
KERNEL(newton_rate)
{
    const num fluid = vec_here(vel).w, t = num_here(warmth);
    num sum = num_of(0.0f);
    FOR_FLUID(j)
        sum += 2.0f * vec_there(pos, j).w * pair_value(pair_f) * (t - num_there(warmth, j));
    END
    set_num(warming, parameter(newton, diffusivity, fluid) * sum
            - parameter(newton, rate, fluid) * (t - parameter(newton, surroundings, fluid)));
}

#define newton_FIELDS(X) X(HERE, real4, pos) X(HERE, real, warming) X(CHANGES, real, warmth) X(WRITES, real4, term)
/* arg.x = dt; term = (V T, V, V dT) */
KERNEL(newton)
{
    const num v = vec_here(pos).w, change = arg.x * num_here(warming), t = num_here(warmth) + change;
    set_num(warmth, t);
    set_vec(term, v * t, v, v * change, 0.0f);
}
