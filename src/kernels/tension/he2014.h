/* he2014.h -- free-surface energy of He et al. 2014 (diffuse interface), V = V_0/n:
 *
 *   c_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib,   g_i = (1/c_i) sum_j V_j c_j gradW_ij
 *   rho_i a_i = strength/4 sum_j V_j (|g_i|^2 + |g_j|^2) gradW_ij
 *
 * Pair forces V_i V_j (..) gradW are equal and opposite. The energy that they lower is sum_i V_i strength/2 |g_i|^2.
 *
 * Not hand-tuned.
 */
/* needs: masks.h pair.h spline.h vec.h */
#define he2014_PARAMS(P) P(strength, 0.001, "N", 0, 1e9, "kappa, energy of the surface per length")

#define he2014_OWNS(F)                                      \
    F(colour, real, "1", STEP, COPY, FLUID, "colour field") \
    F(steepness, real, "1/m^2", STEP, COPY, FLUID, "square of the relative gradient of colour")

#define he_colour_FIELDS(X) X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, dens) X(WRITES, real, colour)

KERNEL(he_colour)
{
    const vec a = vec_here(pos);
    const num rho = of_fluid(density, vec_here(vel).w);
    num c = num_of(0.0f);
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        c += same_liquid(par, vel, j, rho) * b.w / num_there(dens, j) * kernel_w(par, square3(sub3(a, b)));
    END
    FOR_BOUNDARY(j)
        const vec b = vec_there(pos, j);
        c += b.w * kernel_w(par, square3(sub3(a, b)));
    END
    set_num(colour, c + a.w / num_here(dens) * kernel_w0(par));
}

#define he_gradient_FIELDS(X)                                                                                       \
    X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real, dens) X(AROUND, real, colour) X(PAIR, pair, pair_f) \
    X(WRITES, real, steepness)

/* |g_i|^2 */
KERNEL(he_gradient)
{
    const vec a = vec_here(pos);
    const num rho = of_fluid(density, vec_here(vel).w), own = num_here(colour);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(pos, j);
        const num c = same_liquid(par, vel, j, rho) * b.w * num_there(colour, j) * pair_value(pair_f) /
                      num_there(dens, j);
        sum = add_times3(sum, c, sub3(a, b));
    END
    set_num(steepness, square3(sum) / (own * own));
}

#define he_energy_FIELDS(X) X(HERE, real4, pos) X(HERE, real, dens) X(HERE, real, steepness) X(WRITES, real4, term)

/* V_i/2 |g_i|^2: the energy, over strength */
KERNEL(he_energy)
{
    set_vec(term, 0.5f * vec_here(pos).w / num_here(dens) * num_here(steepness), 0.0f, 0.0f, 0.0f);
}

#define he2014_READS(X) X(AROUND, real, dens) X(AROUND, real, steepness) X(PAIR, pair, pair_f)

PAIR_FACTOR(he2014, TENSION)
{
    return 0.25f / (i.rho * i.dens) * mean_of(i.strength, j.strength) * j.volume * (i.steepness + j.steepness) * p.f /
           j.dens;
}
