/* amounts.h -- amounts of a species that are moved from particle to particle and never lost.
 *
 * A particle holds amounts (mol) in `amount`: bulk = x + y, surface = z + w, each a pair of floats (rounded value,
 * low) with 48 bits together. What passes between two particles is computed at both with the same operations, so that
 * one gets exactly what the other gives, and is rounded down to a grid of 2^22 steps up to the most that can pass a
 * particle in this launch. Multiples of the grid add up without rounding, in any order: the total of a species is kept
 * to the last bit of the pairs, however many steps and threads.
 *
 * Distances are taken from `origin`, the positions without the shift of copies, by the nearest image: a pair across a
 * periodic face sees the same distance from both sides.
 */

/* Down to a multiple of the grid's step, and never more than 2^22 of them; grid = 1.5 * 2^23 steps. Odd: on_grid(-f) =
   -on_grid(f). Never more than f. */
INLINE num on_grid(num f, real grid)
{
    const real step = 7.9472862e-8f * grid;
    const num size = min_of(max_of(f, -f), num_of(0.33333331f * grid)), near = (size + grid) - grid;
    const num down = choose(near > size, near - step, near);
    return choose(f < num_of(0.0f), -down, down);
}

typedef struct stock {
    num value, low;
} stock;

/* value + low + change, exact but for the last bit of `low`. */
INLINE stock stock_plus(num value, num low, num change)
{
    stock a;
    const num s = value + change, b = s - value;
    const num e = ((value - (s - b)) + (change - b)) + low;
    const num t = s + e, c = t - s;
    a.value = t;
    a.low = (s - (t - c)) + (e - c);
    return a;
}

INLINE num nearest_image(num d, real span)
{
    if (span == 0.0f) return d;
    return choose(d > num_of(0.5f * span), d - span, choose(d < num_of(-0.5f * span), d + span, d));
}

INLINE int periodic(PAR) { return par->span_x + par->span_y + par->span_z > 0.0f; }

INLINE num origin_distance2(PAR, vec a, vec b)
{
    const num dx = nearest_image(a.x - b.x, par->span_x), dy = nearest_image(a.y - b.y, par->span_y),
               dz = nearest_image(a.z - b.z, par->span_z);
    return dx * dx + dy * dy + dz * dz;
}
