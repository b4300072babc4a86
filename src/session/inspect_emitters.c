/* inspect_emitters.c -- what is doubtful about an emitter before the first step: layers that begin in walls, bodies,
 * liquid or each other, and what lies close ahead of them. */
#include <stdlib.h>

#include "boundary/clearance.h"
#include "core/parts.h"
#include "core/world.h"
#include "inflow/inflow.h"
#include "rigid/rigid.h"
#include "session/inspect.h"
#include "soft/soft.h"

/* A layer of an emitter that is so near to a wall, in spacings, has met it. */
static const double AT_WALLS = 0.51;

/* The points of a layer as it is laid down. */
static real4 *layer_of(const mn_emitter_state *e)
{
    real4 *pos = calloc((size_t)e->count + 1, sizeof *pos);
    for (int i = 0; i < e->count && pos; i++) {
        const double *o = e->offset + 3L * i, *p = e->emitter->position;
        pos[i] = (real4){(float)(p[0] + o[0]), (float)(p[1] + o[1]), (float)(p[2] + o[2]), 0.0f};
    }
    return pos;
}

/* `held`: inflow.c holds them back. */
static void warn_of_layer(const mn_emitter_state *e, const real4 *pos, long count, int i, const char *what,
                          const char *name, bool held, mn_messages *say)
{
    if (count)
        mn_say_warning(
            say, e->emitter->at,
            "%ld of %d particles of a layer of this emitter start inside %s, for example one at (%g, %g, %g)%s%s%s%s",
            count, e->count, what, (double)pos[i].x, (double)pos[i].y, (double)pos[i].z, name ? " inside '" : "",
            name ? name : "", name ? "'" : "", held ? "; they are held back as long as it is there" : "");
}

/* Bodies and solids that a layer begins in. */
static void layer_in_bodies(const mn_world *w, const mn_emitter_state *e, const real4 *pos, mn_messages *say)
{
    const double d = w->scene->spacing;
    for (int k = 0; k <= w->scene->body_count; k++) {
        const bool body = k < w->scene->body_count;
        long count = 0;
        int example = 0;
        for (int i = 0; i < e->count && (body || mn_soft_of(w)); i++) {
            const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
            const double gap = body ? mn_rigid_shape_distance(mn_rigid_shape_of(mn_rigid_of(w), k), x, d)
                                    : mn_soft_distance(mn_soft_of(w), x, d);
            if (gap < MN_ROOM * d && !count++) example = i;
        }
        warn_of_layer(e, pos, count, example, body ? "a body" : "a solid", body ? w->scene->bodies[k].name : NULL, true,
                      say);
    }
}

/* Whether two emitters are at work at the same time. */
static bool together(const mn_emitter_state *a, const mn_emitter_state *b)
{
    return a->emitter->start < b->emitter->stop && b->emitter->start < a->emitter->stop && a->count && b->count;
}

/* Openings that are at work at the same time and lie in each other. */
static void layer_in_layers(const mn_world *w, int e, const real4 *pos, mn_messages *say)
{
    const mn_emitter_state *own = &mn_inflow_of(w)->emitters[e];
    for (int k = 0; k < e; k++) {
        const mn_emitter_state *other = &mn_inflow_of(w)->emitters[k];
        real4 *there = together(own, other) ? layer_of(other) : NULL;
        int example = 0;
        const long count =
            there ? mn_inspect_near(pos, own->count, there, other->count, 0.75 * w->scene->spacing, &example) : 0;
        warn_of_layer(own, pos, count, example, "another emitter", NULL, false, say);
        free(there);
    }
}

/* How many of a layer that has come so far are at a wall, or in it; *name is one of those. */
static long layer_at_walls(const mn_world *w, const mn_clearance *c, const mn_emitter_state *e, const real4 *pos,
                           double far, real4 *moved, const char **name)
{
    const double *n = e->emitter->direction;
    for (int i = 0; i < e->count; i++)
        moved[i] = (real4){pos[i].x + (float)(far * n[0]), pos[i].y + (float)(far * n[1]),
                           pos[i].z + (float)(far * n[2]), 0.0f};
    doubt inside = {0}, close = {0};
    mn_inspect_walls(c, moved, e->count, AT_WALLS * w->scene->spacing, &inside, &close);
    *name = inside.count > close.count ? inside.wall : close.wall;
    return inside.count > close.count ? inside.count : close.count;
}

/* Whether the layer, moved, meets the opening of an emitter that blows against it (1), or that its stream runs into
 * from elsewhere (2): a single particle in the other's layer is too much there. Openings in each other were said. */
static int meets_layer(const mn_world *w, const mn_emitter_state *e, const real4 *pos, const real4 *moved)
{
    const mn_inflow *in = mn_inflow_of(w);
    const double near = 0.75 * w->scene->spacing;
    int met = 0;
    for (int k = 0; k < in->emitter_count && !met; k++) {
        const mn_emitter_state *other = &in->emitters[k];
        const double *a = e->emitter->direction, *b = other->emitter->direction;
        const bool facing = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] <= -0.5;
        if (other == e || !together(e, other)) continue;
        real4 *there = layer_of(other);
        int example = 0;
        const long count = there ? mn_inspect_near(moved, e->count, there, other->count, near, &example) : 0;
        if (facing && 2 * count > e->count) met = 1;
        if (!facing && count && !mn_inspect_near(pos, e->count, there, other->count, near, &example)) met = 2;
        free(there);
    }
    return met;
}

/* What lies so close ahead that the next layers are pressed into those before them: with walls four spacings away and
 * openings eight the liquid leaves in time. */
static void layer_ahead(const mn_world *w, const mn_clearance *c, const mn_emitter_state *e, const real4 *pos,
                        mn_messages *say)
{
    enum { WALLS = 4, OPENINGS = 8, EACH = 4 };
    const double d = w->scene->spacing;
    real4 *moved = malloc((size_t)e->count * sizeof *moved + 16);
    const char *name = NULL;
    bool met = !moved || !e->count || layer_at_walls(w, c, e, pos, 0.0, moved, &name); /* said before */
    for (int k = 1; k < EACH * OPENINGS && !met; k++) {
        const double far = d * k / EACH;
        const bool wall = 2 * layer_at_walls(w, c, e, pos, far, moved, &name) > e->count;
        const double ahead = wall ? far + AT_WALLS * d : far;
        if (wall && ahead >= WALLS * d) break;
        const int opening = wall ? 0 : meets_layer(w, e, pos, moved);
        met = wall || opening;
        if (met)
            mn_say_warning(
                say, e->emitter->at,
                "this emitter %s %s%s%s about %.2g spacings (%.2g m) ahead: layers are pressed into each other "
                "there; expected %d spacings or more",
                opening == 2 ? "streams into" : "faces", wall ? "'" : "another", wall ? name : "", wall ? "'" : " one",
                ahead / d, ahead, wall ? WALLS : OPENINGS);
    }
    free(moved);
}

void mn_inspect_emitter(const mn_world *w, const mn_clearance *c, int e, const real4 *fluid, int n, mn_messages *say)
{
    const mn_emitter_state *state = &mn_inflow_of(w)->emitters[e];
    real4 *pos = layer_of(state);
    if (pos) {
        doubt inside = {0}, close = {0};
        int example = 0;
        mn_inspect_walls(c, pos, state->count, 0.0, &inside, &close);
        if (mn_inspect_outside(w, pos, state->count, &example))
            mn_say_warning(say, state->emitter->at,
                           "this emitter reaches beyond the domain, for example to (%g, %g, %g): what it emits there "
                           "is deleted immediately",
                           (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
        warn_of_layer(state, pos, inside.count, inside.example, "a wall", inside.wall, false, say);
        layer_in_bodies(w, state, pos, say);
        layer_in_layers(w, e, pos, say);
        layer_ahead(w, c, state, pos, say);
        const long count = mn_inspect_near(pos, state->count, fluid, n, 0.75 * w->scene->spacing, &example);
        warn_of_layer(state, pos, count, example, "fluid that is there at the start", NULL, false, say);
    }
    free(pos);
}
