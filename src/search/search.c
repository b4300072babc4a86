/* search.c -- brings the particles into cell order, copies those near periodic faces, and has the device list all neighbours.
 *
 * Cells of side h are fixed in space, and the box of the grid is only a window on them, so the order of particles and of their neighbours
 * depends on positions and ids alone: not on history, threads or restarts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "geometry/geometry.h"
#include "world.h"

enum { MAX_CELLS = 1 << 25, WINDOW_STEP = 8 };

/* Room for spread-out liquid, but not for a whole box around a few lost particles. */
static double most_cells(int n) { return fmin(MAX_CELLS, fmax(1 << 18, 64.0 * n)); }

/* A window around the fluid with an empty layer all around, in coarse steps so that it seldom changes. */
static mn_grid window(const mn_world *w)
{
    mn_grid g = {.inv_h = w->par.inv_h};
    for (int a = 0; a < 3; a++) {
        const double low = floor((double)(w->bounds.low[a] * g.inv_h)), high = floor((double)(w->bounds.high[a] * g.inv_h));
        const double first = floor((fmax(low, -1e8) - 2) / WINDOW_STEP) * WINDOW_STEP;
        const double last = ceil((fmin(high, 1e8) + 3) / WINDOW_STEP) * WINDOW_STEP;
        g.low[a] = (int)first;
        g.size[a] = (int)fmax(last - first, 3);
    }
    /* a few particles that flew far away must not make the grid huge: what lies outside is kept in its border cells */
    while ((double)g.size[0] * g.size[1] * g.size[2] > most_cells(w->layout.fluid)) {
        int longest = 0;
        for (int a = 1; a < 3; a++)
            if (g.size[a] > g.size[longest]) longest = a;
        const int cut = g.size[longest] / 4;
        g.low[longest] += cut / 2;
        g.size[longest] -= cut;
    }
    return g;
}

typedef struct ghost {
    int64_t cell;
    int source;
    float shift[3];
} ghost;

static int by_cell(const void *a, const void *b)
{
    const ghost *x = a, *y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return memcmp(x->shift, y->shift, sizeof x->shift);
}

/* z, y, x cell as one number, in the order of every grid */
static int64_t cell_key(const float x[3], float inv_h)
{
    int64_t key = 0;
    for (int a = 2; a >= 0; a--) key = key * (1 << 21) + ((int64_t)floorf(x[a] * inv_h) + (1 << 20));
    return key;
}

/* Every image of a particle that lies within h outside the periodic box. */
static int find_ghosts(const mn_world *w, const real4 *pos, int n, ghost *out, int room)
{
    const float low[3] = {w->par.low_x, w->par.low_y, w->par.low_z}, span[3] = {w->par.span_x, w->par.span_y, w->par.span_z};
    const float h = w->par.h;
    int count = 0;
    for (int i = 0; i < n; i++) {
        const float x[3] = {pos[i].x, pos[i].y, pos[i].z};
        int from[3], to[3];
        bool any = false;
        for (int a = 0; a < 3; a++) {
            from[a] = span[a] > 0.0f && x[a] + h > low[a] + span[a] ? -1 : 0;
            to[a] = span[a] > 0.0f && x[a] - h < low[a] ? 1 : 0;
            any = any || from[a] || to[a];
        }
        if (!any) continue;
        for (int sz = from[2]; sz <= to[2]; sz++)
            for (int sy = from[1]; sy <= to[1]; sy++)
                for (int sx = from[0]; sx <= to[0]; sx++) {
                    if (!sx && !sy && !sz) continue;
                    if (count < room) {
                        ghost *g = &out[count];
                        *g = (ghost){0, i, {(float)sx * span[0], (float)sy * span[1], (float)sz * span[2]}};
                        const float image[3] = {x[0] + g->shift[0], x[1] + g->shift[1], x[2] + g->shift[2]};
                        g->cell = cell_key(image, w->par.inv_h);
                    }
                    count++;
                }
    }
    return count;
}

static bool make_ghosts(mn_world *w)
{
    const int n = w->layout.fluid;
    real4 *pos = malloc((size_t)n * sizeof *pos + 16);
    ghost *list = NULL;
    int *source = NULL;
    real4 *shift = NULL;
    bool ok = pos && w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    if (ok) {
        const int count = find_ghosts(w, pos, n, NULL, 0);
        ok = count <= w->ghost_room || mn_world_reserve(w, w->capacity, count + count / 4 + 1024);
        list = malloc(((size_t)count + 1) * sizeof *list);
        source = malloc(((size_t)count + 1) * sizeof *source);
        shift = malloc(((size_t)count + 1) * sizeof *shift);
        ok = ok && list && source && shift;
        if (ok) {
            find_ghosts(w, pos, n, list, count);
            qsort(list, (size_t)count, sizeof *list, by_cell);
            for (int g = 0; g < count; g++) {
                source[g] = list[g].source;
                shift[g] = (real4){list[g].shift[0], list[g].shift[1], list[g].shift[2], 0.0f};
            }
            w->layout.ghosts = count;
            ok = w->api->put(w->device, w->ghost_source, 0, source, (size_t)count * 4) &&
                 w->api->put(w->device, w->ghost_shift, 0, shift, (size_t)count * sizeof *shift);
        }
    }
    free(pos), free(list), free(source), free(shift);
    if (ok)
        ok = w->api->refresh(w->device, w->field[MN_FIELD_pos], 16, w->ghost_source, w->ghost_shift, MN_GHOST_PLACE,
                             w->layout.ghost_at, w->layout.ghosts);
    for (int f = 0; f < MN_FIELD_COUNT; f++) w->stale[f] = f != MN_FIELD_pos;
    return ok;
}

/* What stays with a particle from step to step moves with it. */
static int sorted_fields(mn_world *w, mn_sorted *out)
{
    int count = 0;
    for (int f = 0; f < MN_FIELD_COUNT; f++)
        if (w->field[f] && mn_persistent[f])
            out[count++] = (mn_sorted){&w->field[f], mn_field_table[f].type == MN_TYPE_real4 ? 16 : 4};
    out[count++] = (mn_sorted){&w->id, 4};
    return count;
}

void mn_search(mn_world *w, mn_messages *say)
{
    (void)say;
    if (w->failed) return;
    bool ok = true;
    if (w->walls.moving) ok = mn_walls_place(w, w->time) && mn_walls_upload(w);
    if (ok && w->layout.fluid > 0) {
        ok = w->api->bounds(w->device, w->field[MN_FIELD_pos], w->field[MN_FIELD_vel], w->layout.fluid, &w->bounds);
        w->par.mid_x = 0.5f * (w->bounds.low[0] + w->bounds.high[0]);
        w->par.mid_y = 0.5f * (w->bounds.low[1] + w->bounds.high[1]);
        w->par.mid_z = 0.5f * (w->bounds.low[2] + w->bounds.high[2]);
        mn_sorted fields[MN_FIELD_COUNT + 1];
        const int count = sorted_fields(w, fields);
        const mn_grid grid = window(w);
        ok = ok && mn_world_spare(w) &&
             w->api->sort(w->device, &grid, w->keep_low, w->keep_high, w->field[MN_FIELD_pos], w->id, fields, count,
                          w->layout.fluid, mn_world_spare(w), &w->layout.fluid);
        w->par.n = w->layout.fluid;
        if (ok && w->periodic) ok = make_ghosts(w);
        ok = ok && mn_world_spare(w) &&
             w->api->lists(w->device, &grid, &w->layout, w->field[MN_FIELD_pos], w->par.h, mn_world_spare(w), &w->crowd) &&
             mn_world_spare_back(w);
    }
    w->par.n = w->layout.fluid;
    w->failed = !ok;
}
