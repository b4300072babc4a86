/* rounds.h -- velocity models and pressure solved in turns until they agree. From the velocity `base` after the explicit forces, in each round
 *
 *   gain = change by the velocity models of base + kick         kick = change by the pressure of base + gain
 *
 * starting with kick = 0; the step ends with base + gain + kick. (Adding both to one running velocity would add the tension once a round.)
 */
#define rounds_OWNS(F)                                                             \
    F(base, real4, "m/s", STEP, COPY, FLUID, "velocity after the explicit forces") \
    F(gain, real4, "m/s", STEP, COPY, FLUID, "change by the velocity models")      \
    F(kick, real4, "m/s", STEP, COPY, FLUID, "change by the pressure")

#define round_first_FIELDS(X) X(OWN, real4, vel) X(OUT, real4, base) X(OUT, real4, kick)

LANES(round_first)
{
    ITEM();
    const own4 v = load4_i(vel, i);
    store4_i(base, i, v.x, v.y, v.z, 0.0f);
    store4_i(kick, i, 0.0f, 0.0f, 0.0f, 0.0f);
}

#define round_velocity_FIELDS(X) X(OWN, real4, base) X(OWN, real4, kick) X(UPD, real4, vel)

/* Before the velocity models of a later round. */
LANES(round_velocity)
{
    ITEM();
    const own4 b = load4_i(base, i), k = load4_i(kick, i);
    store4_i(vel, i, b.x + k.x, b.y + k.y, b.z + k.z, load4_i(vel, i).w);
}

#define round_pressure_FIELDS(X) X(OWN, real4, base) X(OWN, real4, kick) X(UPD, real4, vel) X(OUT, real4, gain)

/* Between the velocity models and the pressure. */
LANES(round_pressure)
{
    ITEM();
    const own4 b = load4_i(base, i), k = load4_i(kick, i), v = load4_i(vel, i);
    const own x = v.x - (b.x + k.x), y = v.y - (b.y + k.y), z = v.z - (b.z + k.z);
    store4_i(gain, i, x, y, z, 0.0f);
    store4_i(vel, i, b.x + x, b.y + y, b.z + z, v.w);
}

#define round_last_FIELDS(X) X(OWN, real4, base) X(OWN, real4, gain) X(OWN, real4, vel) X(UPD, real4, kick)

/* After the pressure: the mean of the old kick and the new one, arg.x of the latter. Without it stiff tension swings from round to round. */
LANES(round_last)
{
    ITEM();
    const own4 b = load4_i(base, i), g = load4_i(gain, i), v = load4_i(vel, i), k = load4_i(kick, i);
    store4_i(kick, i, k.x + arg.x * (v.x - (b.x + g.x) - k.x), k.y + arg.x * (v.y - (b.y + g.y) - k.y), k.z + arg.x * (v.z - (b.z + g.z) - k.z), 0.0f);
}
