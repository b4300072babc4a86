/* periods.c -- bodies and solids against the periods of the domain. */
#include <math.h>

#include "boundary/points.h"
#include "core/world.h"
#include "geometry/geometry.h"

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
            mn_shape *solid = mn_shape_new(body ? &b->shapes[n] : &e->shapes[n], NULL);
            double l[3], h[3];
            if (!solid) continue;
            mn_shape_bounds(solid, l, h);
            for (int a = 0; a < 3; a++) low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], h[a]);
            mn_shape_free(solid);
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
