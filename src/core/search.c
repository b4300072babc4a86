/* search.c -- brings the particles into cell order, copies those near periodic faces, and has the device list all neighbours.
 *
 * Cells of side h are fixed in space, and the box of the grid is only a window on them, so the order of particles and of their neighbours
 * depends on positions and ids alone: not on history, threads or restarts.
 */
#include <math.h>
#include <stdlib.h>

#include "core/fields.h"
#include "core/parts.h"
#include "core/world.h"

enum { MAX_CELLS = 1 << 25, WINDOW_STEP = 4 };

/* Room for spread-out liquid, but not for a whole box around a few lost particles. */
static double most_cells(double n) { return fmin(MAX_CELLS, fmax(1 << 22, 64.0 * n)); }

/* Bodies see each other also where there is no fluid. Driven walls matter only near one of the two. */
static void include_bodies(const mn_world *w, mn_bounds *b)
{
    const mn_point_room *p = &w->points;
    for (int a = 0; a < 3; a++) {
        b->low[a] = fminf(b->low[a], p->low[a]), b->high[a] = fmaxf(b->high[a], p->high[a]);
        if (b->low[a] > b->high[a]) b->low[a] = b->high[a] = 0.0f; /* nobody there yet */
    }
}

/* Takes a quarter off the longest side of the window, from the end where fewer particles are: what flew far away is cut off, not what it left. */
static void shorten(mn_world *w, mn_grid *g)
{
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (g->size[a] > g->size[longest]) longest = a;
    const int cut = g->size[longest] / 4, low = g->low[longest], high = low + g->size[longest];
    const float h = 1.0f / g->inv_h;
    double count[4] = {0};
    if (w->par.n > 0)
        mn_run_sum(w, MN_KERNEL_ends, (real4){(float)longest, h * (float)(low + cut), h * (float)(high - cut), 0.0f}, count);
    if (count[0] <= count[1]) g->low[longest] += cut;
    g->size[longest] -= cut;
}

/* Marks the cells of the axis that fluid or a body that sees others is in; bit 0 is cell `low`. */
static void mark(const mn_world *w, const mn_grid *g, int axis, const real4 *x, uint64_t *taken)
{
    const mn_point_room *p = &w->points;
    for (int64_t i = 0; i < (int64_t)w->layout.fluid + p->active; i++) {
        const real4 at = i < w->layout.fluid ? x[i] : p->pos[i - w->layout.fluid];
        if (i >= w->layout.fluid && !w->periodic && p->vel[i - w->layout.fluid].w < (float)w->scene->wall_count)
            continue; /* a driven wall */
        const float c[3] = {at.x, at.y, at.z};
        const double cell = floor((double)(c[axis] * g->inv_h)) - g->low[axis];
        if (cell >= 0 && cell < g->size[axis]) taken[(int64_t)cell / 64] |= (uint64_t)1 << ((int64_t)cell % 64);
    }
}

/* Leaves out the widest stretches of the axis in which nobody is, but for the cells next to somebody. */
static void leave_out(mn_grid *g, int axis, const uint64_t *taken)
{
    enum { LEAST = 8 };
    int *at = g->gap_at[axis], *width = g->gap_width[axis], empty = 0;
    for (int c = 0; c < g->size[axis]; c++) {
        if (!(taken[c / 64] >> (c % 64) & 1)) {
            empty++;
            continue;
        }
        /* the first and the last empty cell stay; in coarse steps, too */
        const int from = (c - empty + WINDOW_STEP - 1) / WINDOW_STEP * WINDOW_STEP, to = (c - 2) / WINDOW_STEP * WINDOW_STEP;
        const int gap = to - from, first = g->low[axis] + from;
        const bool inner = empty < c;
        empty = 0;
        if (gap < LEAST || !inner) continue;
        int least = 0;
        for (int k = 1; k < MN_GAPS; k++)
            if (width[k] < width[least]) least = k;
        if (gap > width[least]) at[least] = first, width[least] = gap;
    }
}

/* The same window without what lies between parts of the liquid that are far from each other: all of them keep their walls. */
static mn_grid without_gaps(mn_world *w, mn_grid g)
{
    enum { LONGEST = 1 << 24 }; /* cells that floats can tell apart */
    real4 *x = malloc((size_t)w->layout.fluid * sizeof *x + 16);
    const bool ok = x && w->api->get(w->device, w->field[MN_FIELD_pos], 0, x, (size_t)w->layout.fluid * sizeof *x);
    const float span[3] = {w->par.span_x, w->par.span_y, w->par.span_z};
    for (int a = 0; a < 3 && ok; a++) {
        if (span[a] > 0.0f || g.size[a] > LONGEST || abs(g.low[a]) > LONGEST) continue;
        uint64_t *taken = calloc((size_t)g.size[a] / 64 + 1, sizeof *taken);
        if (taken) mark(w, &g, a, x, taken);
        if (taken) leave_out(&g, a, taken);
        free(taken);
        for (int k = 0; k < MN_GAPS; k++) g.size[a] -= g.gap_width[a][k], g.gapped |= g.gap_width[a][k] > 0;
    }
    free(x);
    return g;
}

static bool is_too_large(const mn_world *w, const mn_grid *g)
{
    return (double)g->size[0] * g->size[1] * g->size[2] > most_cells((double)w->layout.fluid + w->layout.bodies);
}

/* A window around fluid and bodies with an empty layer all around, in coarse steps so that it seldom changes. */
static mn_grid window(mn_world *w)
{
    mn_grid g = {.inv_h = w->par.inv_h};
    mn_bounds bounds = w->bounds;
    if (w->points.active) include_bodies(w, &bounds);
    for (int a = 0; a < 3; a++) {
        const double low = floor((double)(bounds.low[a] * g.inv_h)), high = floor((double)(bounds.high[a] * g.inv_h));
        const double first = floor((fmax(low, -1e8) - 2) / WINDOW_STEP) * WINDOW_STEP;
        const double last = ceil((fmin(high, 1e8) + 3) / WINDOW_STEP) * WINDOW_STEP;
        g.low[a] = (int)first;
        g.size[a] = (int)fmax(last - first, 3);
    }
    /* a few particles that flew far away must not make the grid huge */
    if (is_too_large(w, &g)) {
        const mn_grid closed = without_gaps(w, g);
        if (!is_too_large(w, &closed)) return closed;
    }
    while (is_too_large(w, &g)) shorten(w, &g); /* what lies outside is kept in its border cells and sees no walls */
    return g;
}

/* Copies of the particles near periodic faces, made anew; everything but positions is copied when a kernel asks for it. */
static bool make_ghosts(mn_world *w, const mn_grid *grid)
{
    int count = 0;
    bool ok = w->api->ghosts(w->device, grid, &w->par, w->field[MN_FIELD_pos], &count);
    ok = ok && (count <= w->ghost_room || mn_world_reserve(w, w->capacity, count + count / 4 + 1024));
    ok = ok && w->api->ghost_order(w->device, grid, &w->par, w->field[MN_FIELD_pos], count, w->ghost_source, w->ghost_shift);
    w->layout.ghosts = ok ? count : 0;
    for (int f = 0; f < MN_FIELD_COUNT; f++) w->stale[f] = f != MN_FIELD_pos;
    return ok && w->api->refresh(w->device, w->field[MN_FIELD_pos], 16, w->ghost_source, w->ghost_shift, MN_GHOST_PLACE,
                                 w->layout.ghost_at, w->layout.ghosts);
}

/* What stays with a particle from step to step moves with it. */
static int sorted_fields(mn_world *w, mn_sorted *out)
{
    int count = 0;
    for (int f = 0; f < MN_FIELD_COUNT; f++)
        if (w->field[f] && mn_persistent(f)) out[count++] = (mn_sorted){&w->field[f], (int)mn_field_bytes(f)};
    out[count++] = (mn_sorted){&w->id, 4};
    return count;
}

static void count_deleted(mn_world *w, int64_t drained, int64_t lost, mn_messages *say)
{
    if (lost && !w->lost && say)
        mn_say_warning(
            say, (mn_place){w->scene->path, 0, 0},
            "%lld particle%s left the domain by step %lld, time %g s: deleted, as will be all that follow (column lost of "
            "stats.csv)",
            (long long)lost, lost == 1 ? "" : "s", (long long)w->steps, w->time);
    w->drained += drained;
    w->lost += lost;
}

void mn_search(mn_world *w, mn_messages *say)
{
    if (w->failed) return;
    mn_each(w, MN_AT_place);
    bool ok = !w->failed;
    if (ok && w->layout.fluid + w->layout.bodies > 0) {
        ok = w->api->bounds(w->device, w->field[MN_FIELD_pos], w->field[MN_FIELD_vel], w->layout.fluid, &w->bounds);
        w->par.mid_x = 0.5f * (w->bounds.low[0] + w->bounds.high[0]);
        w->par.mid_y = 0.5f * (w->bounds.low[1] + w->bounds.high[1]);
        w->par.mid_z = 0.5f * (w->bounds.low[2] + w->bounds.high[2]);
        mn_sorted fields[MN_FIELD_COUNT + 1];
        const int count = sorted_fields(w, fields);
        const mn_grid grid = window(w);
        const int before = w->layout.fluid;
        w->leaving = 0;
        if (ok) mn_each(w, MN_AT_leave);
        ok = ok && !w->failed &&
             w->api->sort(w->device, &grid, w->par.keep_low, w->par.keep_high, w->field[MN_FIELD_pos], w->id, fields, count,
                          w->layout.fluid, &w->layout.fluid);
        w->par.n = w->layout.fluid;
        if (ok) count_deleted(w, w->leaving, before - w->layout.fluid - w->leaving, say);
        if (ok) mn_each(w, MN_AT_touch);
        ok = ok && !w->failed;
        if (ok && w->periodic) ok = make_ghosts(w, &grid);
        w->layout.shelter = w->points.sheltered;
        mn_pairs_forget(w);
        ok = ok && mn_world_spare(w) &&
             w->api->lists(w->device, &grid, &w->layout, w->field[MN_FIELD_pos], w->par.h, mn_world_spare(w), &w->crowd) &&
             mn_world_spare_back(w);
        w->listed = ok;
    }
    w->par.n = w->layout.fluid;
    w->failed = !ok;
}
