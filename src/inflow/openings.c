/* openings.c -- openings of emitters at walls: a layer must not begin among boundary points, or in a volume map.
 *
 * An opening drawn flush with a wall is moved, point by point, along its direction to where liquid at rest would
 * lie: 1.1 spacings from boundary points, 1.15 from maps. The wall stays closed: nothing runs out through the opening
 * when the emitter has ended, and nothing behind the wall is felt. The flow through the opening is the same, since a
 * point moves along its own stream line. Points that find no such place within three spacings and twice their
 * distance from the middle of the opening (a wall tilted by 60 degrees) take the best one, if no wall throws it (0.8
 * spacings); else they are left out: the wall next to the stream has their room. Where all points have that much
 * room, nothing is changed.
 */
#include "inflow/openings.h"

#include <math.h>
#include <string.h>

#include "boundary/clearance.h"
#include "boundary/maps.h"

static const double THROWS = 0.8 / MN_REST_AT_POINTS; /* of the room at rest */

typedef struct fitting {
    const mn_world *w;
    const mn_clearance *c;
    const double *direction;
} fitting;

/* How much of the room that liquid at rest has: 1 and more is enough; -1 inside a wall. */
static double room_at(const fitting *f, const double from[3], double shift, const char **wall)
{
    const double d = f->w->scene->spacing;
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = from[a] + shift * f->direction[a];
    const mn_standing s = mn_clearance_at(f->c, x, MN_REST_AT_POINTS * d);
    if (s.near && wall) *wall = s.near;
    if (mn_clearance_is_inside(f->c, x, &s)) return -1.0;
    return fmin(s.gap / (MN_REST_AT_POINTS * d), mn_maps_distance(f->w, x) / (MN_REST_AT_MAPS * d));
}

/* The shortest shift with enough room, to a hundredth of a spacing; *room gets the most that there is. */
static double shift_of(const fitting *f, const double from[3], double longest, double *room, const char **wall)
{
    const double d = f->w->scene->spacing, step = fmax(0.1 * d, longest / 400);
    double best = 0.0;
    *room = room_at(f, from, 0.0, wall);
    for (double shift = step; shift <= longest && *room < 1.0; shift += step) {
        const double here = room_at(f, from, shift, wall);
        if (here > *room + 1e-3) *room = here, best = shift;
    }
    if (best == 0.0) return best;
    double low = best - step, high = best;
    while (high - low > 0.01 * d) {
        const double middle = 0.5 * (low + high);
        if (room_at(f, from, middle, NULL) >= fmin(*room, 1.0)) high = middle;
        else low = middle;
    }
    return high;
}

/* Where no point is so near to a wall that it would be thrown, all stay where they are. */
static bool is_clear(const fitting *f, const mn_emitter_state *e)
{
    for (int i = 0; i < e->count; i++) {
        const double *o = e->offset + 3L * i, *p = e->emitter->position;
        if (room_at(f, (double[3]){p[0] + o[0], p[1] + o[1], p[2] + o[2]}, 0.0, NULL) < THROWS) return false;
    }
    return true;
}

/* An emitter deep in a wall is not flush with it: it stays, and is warned of. */
static bool is_deep(const fitting *f, const double x[3])
{
    const double d = f->w->scene->spacing;
    const mn_standing s = mn_clearance_at(f->c, x, MN_REST_AT_POINTS * d);
    const double map = mn_maps_distance(f->w, x);
    return mn_clearance_is_inside(f->c, x, &s) && s.gap == INFINITY && !(isfinite(map) && map > -MN_REST_AT_MAPS * d);
}

static void report(const mn_emitter_state *e, int moved, int left, double farthest, double d, const char *wall,
                   mn_messages *say)
{
    const char *name = wall ? wall : "a wall";
    if (e->count == 0)
        mn_say_warning(say, e->emitter->at,
                       "this emitter is at '%s' and points into it: nothing can flow; turn its direction or move it",
                       name);
    else if (left)
        mn_say_warning(say, e->emitter->at,
                       "%d of %d particles of a layer of this emitter would be closer than 0.8 spacings to '%s' next "
                       "to the stream and are left out; liquid at rest keeps %g",
                       left, e->count + left, name, MN_REST_AT_POINTS);
    if (e->count && moved)
        mn_say(say, MN_NOTE, e->emitter->at,
               "this emitter's opening is at '%s': %d of %d particles of a layer begin up to %.3g m (%.2g spacings) "
               "farther along "
               "its direction, where liquid at rest would be",
               name, moved, e->count, farthest, farthest / d);
}

static void fit(const fitting *f, mn_emitter_state *e, mn_messages *say)
{
    const mn_emitter *m = e->emitter;
    const double d = f->w->scene->spacing;
    const char *wall = NULL;
    int kept = 0, moved = 0;
    double farthest = 0.0;
    if (is_clear(f, e) || is_deep(f, m->position)) return;
    for (int i = 0; i < e->count; i++) {
        double *o = e->offset + 3L * i, room;
        const double from[3] = {m->position[0] + o[0], m->position[1] + o[1], m->position[2] + o[2]};
        const double shift =
            shift_of(f, from, 2.0 * sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) + 3.0 * d, &room, &wall);
        if (room < THROWS) continue;
        for (int a = 0; a < 3 && shift > 0.0; a++) o[a] += shift * m->direction[a];
        moved += shift > 0.0;
        farthest = fmax(farthest, shift);
        memmove(e->offset + 3L * kept++, o, 3 * sizeof *o);
    }
    const int left = e->count - kept;
    e->count = kept;
    report(e, moved, left, farthest, d, wall, say);
}

mn_status mn_openings_fit(mn_world *w, void *me, mn_messages *say)
{
    mn_inflow *in = me;
    if (!in->emitter_count || !w->scene->wall_count) return MN_OK;
    mn_clearance *c = mn_clearance_new(w);
    if (!c) return MN_FAILED;
    for (int e = 0; e < in->emitter_count; e++) {
        const fitting f = {w, c, in->emitters[e].emitter->direction};
        fit(&f, &in->emitters[e], say);
    }
    mn_clearance_free(c);
    return MN_OK;
}
