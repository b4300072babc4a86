/* periods.c -- boundary points in a periodic domain: their copies, and bodies that are too long for it. */
#include <math.h>

#include "boundary/points.h"
#include "core/world.h"
#include "geometry/geometry.h"

/* A point and its copies in all, at most: a periodic axis is four supports wide or wider, so that each axis doubles
 * them. */
int mn_boundary_most_copies(const mn_world *w)
{
    return (w->par.span_x > 0.0f ? 2 : 1) * (w->par.span_y > 0.0f ? 2 : 1) * (w->par.span_z > 0.0f ? 2 : 1);
}

/* The point and its copies across the periodic faces, where they can touch the fluid. Returns how many. */
int mn_boundary_copies_of(const mn_world *w, const double x[3], double out[27][3])
{
    const float low[3] = {w->par.low_x, w->par.low_y, w->par.low_z},
                span[3] = {w->par.span_x, w->par.span_y, w->par.span_z};
    const double h = 1.5 * (double)w->par.h;
    int count = 0;
    for (int sz = -1; sz <= 1; sz++)
        for (int sy = -1; sy <= 1; sy++)
            for (int sx = -1; sx <= 1; sx++) {
                const int s[3] = {sx, sy, sz};
                bool near = true;
                for (int a = 0; a < 3; a++) {
                    out[count][a] = x[a] + s[a] * (double)span[a];
                    if (s[a] && !(span[a] > 0.0f)) near = false;
                    if (s[a] && (out[count][a] < (double)low[a] - h || out[count][a] > (double)(low[a] + span[a]) + h))
                        near = false;
                }
                if (near) count++;
            }
    return count;
}

/* Into the periodic box: a wall may begin outside, or have moved on for many spans. */
void mn_boundary_wrap(const mn_world *w, double x[3])
{
    const float low[3] = {w->par.low_x, w->par.low_y, w->par.low_z},
                span[3] = {w->par.span_x, w->par.span_y, w->par.span_z};
    for (int a = 0; a < 3; a++)
        if (span[a] > 0.0f) x[a] -= (double)span[a] * floor((x[a] - (double)low[a]) / (double)span[a]);
}

/* A body longer than the period would overlap its own copy. */
bool mn_boundary_fits_periods(const mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    bool good = true;
    for (int k = 0; k < s->body_count + s->solid_count; k++) {
        const bool body = k < s->body_count;
        const mn_body *b = body ? &s->bodies[k] : NULL;
        const mn_soft_def *e = body ? NULL : &s->solids[k - s->body_count];
        double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
        for (int n = 0; w->periodic && n < (body ? b->shape_count : e->shape_count); n++) {
            mn_shape *shape = mn_shape_new(body ? &b->shapes[n] : &e->shapes[n], NULL);
            double l[3], h[3];
            if (!shape) continue;
            mn_shape_bounds(shape, l, h);
            for (int a = 0; a < 3; a++) low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], h[a]);
            mn_shape_free(shape);
        }
        for (int a = 0; a < 3; a++) {
            const double period = s->high[a] - s->low[a];
            if (!s->periodic[a] || high[a] - low[a] <= period * (1 + 1e-6)) continue;
            mn_say_error(say, body ? b->at : e->at,
                         "the %s \"%s\" is %g m long along %c, on which the domain is periodic: it would overlap "
                         "itself; expected at most the period of %g m",
                         body ? "body" : "solid", body ? b->name : e->name, high[a] - low[a], "xyz"[a], period);
            good = false;
        }
    }
    return good;
}
