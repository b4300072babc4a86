/* inflow.h -- freshly emitted particles keep the velocity of their emitter until they have passed the support radius: the last layer has nothing behind
 * it yet, and tension would pull it into the jet.
 *
 * guide = (velocity of emission, time left in s)
 */
#define guided_FIELDS(X) X(UPD, real4, vel) X(UPD, real4, guide)

KERNEL(guided)
{
    ITEM();
    const own4 g = load4_i(guide, i);
    if (g.w > 0.0f) {
        store4_i(vel, i, g.x, g.y, g.z, load4_i(vel, i).w);
        store4_i(guide, i, g.x, g.y, g.z, g.w - par->dt);
    }
}
