/* spline.h -- cubic spline kernel (Monaghan 1992) with support radius h, q = r/h:
 *
 *   W = 8/(pi h^3) (2 (1-q)+^3 - 8 (1/2-q)+^3)
 *
 * Truncated powers: no branch, and exactly 0 from r = h on, so a padded list entry far away adds nothing.
 */

INLINE num kernel_w(PAR, num r2)
{
    const num q = sqrt_of(r2) * par->inv_h;
    const num a = max_of(num_of(1.0f) - q, num_of(0.0f));
    const num b = max_of(num_of(0.5f) - q, num_of(0.0f));
    return par->w0 * (2.0f * a * a * a - 8.0f * b * b * b);
}

/* (dW/dr)/r, finite at r = 0, so that grad W = kernel_f * (x_i - x_j). */
INLINE num kernel_f(PAR, num r2)
{
    const num r = sqrt_of(max_of(r2, num_of(1e-18f)));
    const num q = r * par->inv_h;
    const num a = max_of(num_of(1.0f) - q, num_of(0.0f));
    const num b = max_of(num_of(0.5f) - q, num_of(0.0f));
    return (par->w0 * par->inv_h) * (24.0f * b * b - 6.0f * a * a) / r;
}

/* Both at once, for one root. */
typedef struct kernel_pair {
    num w, f;
} kernel_pair;

INLINE kernel_pair kernel_wf(PAR, num r2)
{
    kernel_pair k;
    const num r = sqrt_of(max_of(r2, num_of(1e-18f)));
    const num q = r * par->inv_h;
    const num a = max_of(num_of(1.0f) - q, num_of(0.0f));
    const num b = max_of(num_of(0.5f) - q, num_of(0.0f));
    const num a2 = a * a, b2 = b * b;
    k.w = fma_of(a2, (2.0f * par->w0) * a, b2 * ((-8.0f * par->w0) * b));
    k.f = fma_of(-6.0f * par->w0 * par->inv_h, a2, (24.0f * par->w0 * par->inv_h) * b2) / r;
    return k;
}

/* W(0), the particle's own share. */
INLINE num kernel_w0(PAR) { return num_of(par->w0); }
