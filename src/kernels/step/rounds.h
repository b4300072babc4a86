/* rounds.h -- velocity models and pressure solved in turns until they agree. From the velocity `base` after the
 * explicit forces, in each round
 *
 *   gain = change by the velocity models of base + kick         kick = change by the pressure of base + gain
 *
 * starting with kick = 0; the step ends with base + gain + kick. (Adding both to one running velocity would add the
 * tension once a round.)
 */
#define rounds_OWNS(F)                                                             \
    F(base, real4, "m/s", STEP, COPY, FLUID, "velocity after the explicit forces") \
    F(gain, real4, "m/s", STEP, COPY, FLUID, "change by the velocity models")      \
    F(kick, real4, "m/s", STEP, COPY, FLUID, "change by the pressure")

#define round_first_FIELDS(X) X(HERE, real4, vel) X(WRITES, real4, base) X(WRITES, real4, kick)

KERNEL(round_first)
{
    const vec v = vec_here(vel);
    set_vec(base, v.x, v.y, v.z, 0.0f);
    set_vec(kick, 0.0f, 0.0f, 0.0f, 0.0f);
}

#define round_velocity_FIELDS(X) X(HERE, real4, base) X(HERE, real4, kick) X(CHANGES, real4, vel)

/* Before the velocity models of a later round. */
KERNEL(round_velocity)
{
    const vec b = vec_here(base), k = vec_here(kick);
    set_vec(vel, b.x + k.x, b.y + k.y, b.z + k.z, vec_here(vel).w);
}

#define round_pressure_FIELDS(X) X(HERE, real4, base) X(HERE, real4, kick) X(CHANGES, real4, vel) X(WRITES, real4, gain)

/* Between the velocity models and the pressure. */
KERNEL(round_pressure)
{
    const vec b = vec_here(base), k = vec_here(kick), v = vec_here(vel);
    const num x = v.x - (b.x + k.x), y = v.y - (b.y + k.y), z = v.z - (b.z + k.z);
    set_vec(gain, x, y, z, 0.0f);
    set_vec(vel, b.x + x, b.y + y, b.z + z, v.w);
}

#define round_last_FIELDS(X) X(HERE, real4, base) X(HERE, real4, gain) X(HERE, real4, vel) X(CHANGES, real4, kick)

/* After the pressure: the mean of the old kick and the new one, arg.x of the latter. Without it stiff tension swings
   from round to round. */
KERNEL(round_last)
{
    const vec b = vec_here(base), g = vec_here(gain), v = vec_here(vel), k = vec_here(kick);
    set_vec(kick, k.x + arg.x * (v.x - (b.x + g.x) - k.x), k.y + arg.x * (v.y - (b.y + g.y) - k.y),
            k.z + arg.x * (v.z - (b.z + g.z) - k.z), 0.0f);
}
