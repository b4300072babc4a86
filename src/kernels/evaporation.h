/* evaporation.h -- what leaves the surface into the air: d Sb_i = - k_e Sb_i where the particle has a surface. arg.x = 1 - exp(-k_e dt). */
/* needs: amounts.h */
#define evaporation_FIELDS(X) X(OWN, real, area) X(UPD, real4, amount) X(OUT, real4, term)

LANES(evaporation)
{
    ITEM();
    const own4 m = load4_i(amount, i);
    const own gone = own_pick(load1_i(area, i) > own_of(0.0f), arg.x * m.z, own_of(0.0f));
    const stock s = stock_plus(m.z, m.w, -gone);
    store4_i(amount, i, m.x, m.y, s.value, s.rest);
    store4_i(term, i, gone, 0.0f, 0.0f, 0.0f);
}
