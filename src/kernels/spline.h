/* spline.h -- cubic spline kernel (Monaghan 1992) with support radius h, q = r/h:
 *
 *   W = 8/(pi h^3) (2 (1-q)+^3 - 8 (1/2-q)+^3)
 *
 * Truncated powers: no branch, and exactly 0 from r = h on, so a padded list entry far away adds nothing.
 */

INLINE lane kernel_w(PAR, lane r2)
{
    const lane q = lane_sqrt(r2) * par->inv_h;
    const lane a = lane_max(splat(1.0f) - q, splat(0.0f));
    const lane b = lane_max(splat(0.5f) - q, splat(0.0f));
    return par->w0 * (2.0f * a * a * a - 8.0f * b * b * b);
}

/* (dW/dr)/r, finite at r = 0, so that grad W = kernel_f * (x_i - x_j). */
INLINE lane kernel_f(PAR, lane r2)
{
    const lane r = lane_sqrt(lane_max(r2, splat(1e-18f)));
    const lane q = r * par->inv_h;
    const lane a = lane_max(splat(1.0f) - q, splat(0.0f));
    const lane b = lane_max(splat(0.5f) - q, splat(0.0f));
    return (par->w0 * par->inv_h) * (24.0f * b * b - 6.0f * a * a) / r;
}

/* Both at once, for one root. */
typedef struct kernel_pair {
    lane w, f;
} kernel_pair;

INLINE kernel_pair kernel_wf(PAR, lane r2)
{
    kernel_pair k;
    const lane r = lane_sqrt(lane_max(r2, splat(1e-18f)));
    const lane q = r * par->inv_h;
    const lane a = lane_max(splat(1.0f) - q, splat(0.0f));
    const lane b = lane_max(splat(0.5f) - q, splat(0.0f));
    const lane a2 = a * a, b2 = b * b;
    k.w = lane_fma(a2, (2.0f * par->w0) * a, b2 * ((-8.0f * par->w0) * b));
    k.f = lane_fma(-6.0f * par->w0 * par->inv_h, a2, (24.0f * par->w0 * par->inv_h) * b2) / r;
    return k;
}

/* W(0), the particle's own share. */
INLINE own kernel_w0(PAR) { return own_of(par->w0); }
