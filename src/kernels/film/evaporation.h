/* evaporation.h -- what leaves the surface into the air: d Sb_i = - k_e Sb_i where the particle has a surface. arg.x =
   1 - exp(-k_e dt). */
/* needs: amounts.h */
#define evaporation_FIELDS(X) X(HERE, real, area) X(CHANGES, real4, amount) X(WRITES, real4, term)

KERNEL(evaporation)
{
    const vec m = vec_here(amount);
    const num gone = choose(num_here(area) > num_of(0.0f), arg.x * m.z, num_of(0.0f));
    const stock s = stock_plus(m.z, m.w, -gone);
    set_vec(amount, m.x, m.y, s.value, s.low);
    set_vec(term, gone, 0.0f, 0.0f, 0.0f);
}
