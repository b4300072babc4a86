/* opencl_search.c -- order, neighbours and ghosts on the device; the kernels and their invariants are in search.cl.
 *
 * Neighbour lists lie in columns: entry k of particle i at k * pitch + i, so that work items side by side read memory side by side. The number of
 * columns is a guess that the lists themselves check: one that does not fit is counted to its end, and the pass is made again with more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/opencl.h"

enum { BOUNDS_GROUPS = 256, FIRST_COLUMNS = 48, MOST_COLUMNS = 4096 };

/* A grid as kernels take it: inv_h, low, size. */
typedef struct grid_args {
    cl_float inv_h;
    cl_int4 low, size;
    cl_int cells;
} grid_args;
#define GRID(g) MN_CL_VALUE((g).inv_h), MN_CL_VALUE((g).low), MN_CL_VALUE((g).size)

static grid_args args_of(const mn_grid *g)
{
    return (grid_args){g->inv_h,
                       {{g->low[0], g->low[1], g->low[2], 0}},
                       {{g->size[0], g->size[1], g->size[2], 0}},
                       g->size[0] * g->size[1] * g->size[2]};
}

static float lower(float a, float b) { return a < b ? a : b; }
static float upper(float a, float b) { return a > b ? a : b; }

bool mn_cl_bounds(mn_backend *b, mn_buffer *pos, mn_buffer *vel, int n, mn_bounds *out)
{
    if (b->bounds_known && b->bounds_of == pos->data && b->bounds_n == n) return *out = b->bounds, true;
    const size_t most = ((size_t)n + MN_CL_LANES - 1) / MN_CL_LANES, groups = most < BOUNDS_GROUPS ? most : BOUNDS_GROUPS;
    *out = (mn_bounds){{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, -1};
    if (!groups) return true;
    const cl_int count = n;
    if (!mn_cl_reserve(b, &b->partial, groups * 2 * sizeof(real4))) return false;
    if (!MN_CL_RUN(b, MN_CL_bounds_block, groups * MN_CL_LANES, MN_CL_LANES, MN_CL_BUFFER(pos), MN_CL_BUFFER(vel),
                   MN_CL_VALUE(count), MN_CL_BUFFER(b->partial)))
        return false;
    const real4 *corner = mn_cl_fetch(b, b->partial, 0, groups * 2 * sizeof(real4));
    if (!corner) return false;
    int bad = n;
    for (size_t g = 0; g < groups; g++) {
        const real4 l = corner[2 * g], h = corner[2 * g + 1];
        int first;
        memcpy(&first, &corner[2 * g].w, sizeof first);
        bad = first < bad ? first : bad;
        *out = (mn_bounds){{lower(l.x, out->low[0]), lower(l.y, out->low[1]), lower(l.z, out->low[2])},
                           {upper(h.x, out->high[0]), upper(h.y, out->high[1]), upper(h.z, out->high[2])},
                           -1};
    }
    out->bad = bad < n ? bad : -1;
    b->bounds = *out, b->bounds_of = pos->data, b->bounds_n = n, b->bounds_known = true;
    return true;
}

/* -- sorting ---------------------------------------------------------------------------------------------------------------- */

/* counts in start[0, cells) -> first index of each cell; start[cells] = total */
static bool starts_from_counts(mn_backend *b, mn_buffer *start, size_t blocks)
{
    const cl_int count = (cl_int)blocks;
    const size_t items = blocks * MN_CL_LANES;
    return MN_CL_RUN(b, MN_CL_scan_sums, items, MN_CL_LANES, MN_CL_BUFFER(start), MN_CL_BUFFER(b->block_sum)) &&
           MN_CL_RUN(b, MN_CL_scan_tops, MN_CL_LANES, MN_CL_LANES, MN_CL_BUFFER(b->block_sum), MN_CL_VALUE(count)) &&
           MN_CL_RUN(b, MN_CL_scan_fill, items, MN_CL_LANES, MN_CL_BUFFER(start), MN_CL_BUFFER(b->block_sum));
}

/* Leaves the first particle of each cell in o->start and in o->order which of the n particles from `base` on comes to each place, by id within a cell. */
static bool make_order(mn_backend *b, mn_cl_order *o, const grid_args *grid, const float low[3], const float high[3],
                       mn_buffer *pos, int base, mn_buffer *id, int n)
{
    const size_t blocks = (size_t)grid->cells / MN_BLOCK + 1, items = (size_t)n;
    const cl_float4 keep_low = {{low[0], low[1], low[2], 0}}, keep_high = {{high[0], high[1], high[2], 0}};
    const cl_int count = n, at = base;
    if (!mn_cl_reserve(b, &o->cell_of, items * 4) || !mn_cl_reserve(b, &o->order, items * 4) ||
        !mn_cl_reserve(b, &o->member, items * 8) || !mn_cl_reserve(b, &o->start, blocks * MN_BLOCK * 4) ||
        !mn_cl_reserve(b, &b->block_sum, blocks * 4))
        return false;
    return mn_cl_zero(b, o->start, blocks * MN_BLOCK * 4) &&
           MN_CL_RUN(b, MN_CL_cell_count, items, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(at), MN_CL_VALUE(count), GRID(*grid),
                     MN_CL_VALUE(keep_low), MN_CL_VALUE(keep_high), MN_CL_VALUE(grid->cells), MN_CL_BUFFER(o->cell_of),
                     MN_CL_BUFFER(o->order), MN_CL_BUFFER(o->start)) &&
           starts_from_counts(b, o->start, blocks) &&
           MN_CL_RUN(b, MN_CL_cell_scatter, items, b->group, MN_CL_BUFFER(o->cell_of), MN_CL_BUFFER(o->order), MN_CL_BUFFER(id),
                     MN_CL_VALUE(count), MN_CL_VALUE(grid->cells), MN_CL_BUFFER(o->start), MN_CL_BUFFER(o->member)) &&
           MN_CL_RUN(b, MN_CL_cell_rank, items, b->group, MN_CL_BUFFER(o->cell_of), MN_CL_BUFFER(id), MN_CL_VALUE(count),
                     MN_CL_VALUE(grid->cells), MN_CL_BUFFER(o->start), MN_CL_BUFFER(o->member), MN_CL_BUFFER(o->order));
}

static bool permute(mn_backend *b, const grid_args *grid, mn_buffer *field, int width)
{
    mn_buffer **scratch = width == 16 ? &b->scratch16 : &b->scratch4;
    if (!*scratch || (*scratch)->bytes != field->bytes) {
        /* fields of one width are equally long, so this happens once */
        mn_cl_release(b, *scratch);
        *scratch = mn_cl_alloc(b, field->bytes - 64);
        if (!*scratch) return false;
    }
    const cl_int entries = (cl_int)(field->bytes / (size_t)width);
    if (!MN_CL_RUN(b, width == 16 ? MN_CL_gather_16 : MN_CL_gather_4, (size_t)entries, b->group, MN_CL_BUFFER(b->fluid.order),
                   MN_CL_BUFFER(b->fluid.start), MN_CL_VALUE(grid->cells), MN_CL_BUFFER(field), MN_CL_BUFFER(*scratch),
                   MN_CL_VALUE(entries)))
        return false;
    const cl_mem data = field->data;
    field->data = (*scratch)->data;
    (*scratch)->data = data;
    return true;
}

bool mn_cl_sort(mn_backend *b, const mn_grid *grid, const float low[3], const float high[3], mn_buffer *pos, mn_buffer *id,
                const mn_sorted *fields, int field_count, int n, int *kept)
{
    const grid_args g = args_of(grid);
    b->bounds_known = false;
    if (!make_order(b, &b->fluid, &g, low, high, pos, 0, id, n)) return false;
    for (int f = 0; f < field_count; f++)
        if (!permute(b, &g, *fields[f].buffer, fields[f].width)) return false;
    const cl_int *total = mn_cl_fetch(b, b->fluid.start, (size_t)g.cells * 4, 4);
    if (total) *kept = *total;
    return total != NULL;
}

/* -- neighbour lists -------------------------------------------------------------------------------------------------------- */

static bool mark_cells(mn_backend *b, const grid_args *grid, mn_buffer *pos, int at, int count, mn_buffer **span)
{
    const size_t bytes = (size_t)grid->cells * sizeof(cl_int2);
    const cl_int base = at, particles = count;
    return mn_cl_reserve(b, span, bytes) && mn_cl_zero(b, *span, bytes) &&
           MN_CL_RUN(b, MN_CL_cell_mark, (size_t)count, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(base), MN_CL_VALUE(particles),
                     GRID(*grid), MN_CL_BUFFER(*span));
}

static bool same_walls(const mn_backend *b, const mn_grid *grid, const mn_layout *layout)
{
    return b->wall_span && b->wall_version == layout->wall_version && b->wall_count == layout->walls &&
           b->wall_base == layout->wall_at && memcmp(&b->wall_grid, grid, sizeof *grid) == 0;
}

/* The bodies, which come in any order, by cell; those outside the grid are left out. */
static bool order_bodies(mn_backend *b, const mn_grid *grid, const grid_args *g, const mn_layout *layout, mn_buffer *pos)
{
    const int count = layout->bodies + layout->images;
    if (b->counted < (size_t)count) {
        const size_t room = (size_t)count + (size_t)count / 4;
        cl_int *up = malloc(room * sizeof *up);
        for (size_t k = 0; up && k < room; k++) up[k] = (cl_int)k;
        const cl_int e = up && mn_cl_reserve(b, &b->count_up, room * 4)
                             ? clEnqueueWriteBuffer(b->queue, b->count_up->data, CL_TRUE, 0, room * 4, up, 0, NULL, NULL)
                             : CL_OUT_OF_HOST_MEMORY;
        free(up);
        if (e) return mn_cl_fail(b, "clEnqueueWriteBuffer", e);
        b->counted = room;
    }
    float low[3], high[3];
    mn_grid_box(grid, low, high);
    return make_order(b, &b->bodies, g, low, high, pos, layout->body_at, b->count_up, count);
}

/* `columns` lists of at least n entries. */
static bool room_for_lists(mn_backend *b, mn_cl_columns *l, int n, int columns)
{
    const int64_t wanted = l->pitch ? (int64_t)n + n / 8 : n; /* a flow that once grew will grow again */
    const int64_t pitch = n <= l->pitch ? l->pitch : (wanted + 63) / 64 * 64;
    if ((uint64_t)pitch * (uint64_t)columns > UINT32_MAX) {
        snprintf(b->failed, sizeof b->failed, "more than 2^32 neighbour pairs");
        return false;
    }
    const size_t bytes = (size_t)pitch * (size_t)columns * 4;
    /* pair fields are as large and hold nothing between steps: they go first, so that both find room */
    if (l == &b->lists && l->index && l->index->bytes < bytes)
        for (int p = 0; p < MN_PAIR_FIELDS; p++) mn_cl_release(b, b->pair[p]), b->pair[p] = NULL;
    if (!mn_cl_reserve(b, &l->rows, (size_t)pitch * sizeof(cl_int2)) || !mn_cl_reserve(b, &l->index, bytes)) return false;
    l->pitch = (int)pitch;
    l->columns = columns;
    return true;
}

/* One pass with the columns there are; *most = neighbours of the particle that has most, if they did not fit, else 0. */
static bool fill_columns(mn_backend *b, mn_cl_columns *l, const mn_grid *grid, const mn_layout *layout, mn_buffer *pos, float h,
                         int *most)
{
    const grid_args g = args_of(grid);
    const bool own = l == &b->lists;
    const cl_float h2 = h * h * (1.0f - 2e-6f); /* strict even where a lattice puts pairs at exactly h */
    const cl_int first = own ? 0 : layout->body_at + layout->deaf, count = own ? layout->fluid : layout->bodies - layout->deaf,
                 ghosts = layout->ghosts, walls = own || layout->shelter ? layout->walls : 0,
                 bodies = own || layout->shelter ? layout->bodies + layout->images : 0, body_at = layout->body_at,
                 columns = l->columns, pitch = l->pitch;
    float low[3], high[3];
    mn_grid_box(grid, low, high);
    const cl_float4 keep_low = {{low[0], low[1], low[2], 0}}, keep_high = {{high[0], high[1], high[2], 0}};
    const cl_int4 maps = {{layout->map_at, own ? layout->map_slots : 0, layout->map_stride, 0}};
    mn_buffer *ghost_span = ghosts ? b->ghost_span : b->nothing, *wall_span = walls ? b->wall_span : b->nothing;
    mn_buffer *body_start = bodies ? b->bodies.start : b->nothing, *body_order = bodies ? b->bodies.order : b->nothing;
    if (!mn_cl_zero(b, b->needed, 16) ||
        !MN_CL_RUN(b, MN_CL_list_neighbours, (size_t)count, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(first), MN_CL_VALUE(count),
                   GRID(g), MN_CL_VALUE(h2), MN_CL_BUFFER(b->fluid.start), MN_CL_BUFFER(ghost_span), MN_CL_BUFFER(wall_span),
                   MN_CL_BUFFER(body_start), MN_CL_BUFFER(body_order), MN_CL_VALUE(body_at), MN_CL_VALUE(keep_low),
                   MN_CL_VALUE(keep_high), MN_CL_VALUE(ghosts), MN_CL_VALUE(walls), MN_CL_VALUE(bodies), MN_CL_VALUE(maps),
                   MN_CL_VALUE(columns), MN_CL_VALUE(pitch), MN_CL_BUFFER(l->rows), MN_CL_BUFFER(l->index),
                   MN_CL_BUFFER(b->needed)))
        return false;
    const cl_int *needed = mn_cl_fetch(b, b->needed, 0, 4);
    if (needed) *most = *needed;
    return needed != NULL;
}

/* Passes until all neighbours of the n owners fit. */
static bool fill_lists(mn_backend *b, mn_cl_columns *l, const mn_grid *grid, const mn_layout *layout, mn_buffer *pos, float h,
                       int n, int *crowd)
{
    int columns = l->columns ? l->columns : FIRST_COLUMNS, most = 0;
    for (;;) {
        if (!room_for_lists(b, l, n, columns) || !fill_columns(b, l, grid, layout, pos, h, &most)) return false;
        if (!most) return true;
        if (most > MOST_COLUMNS) {
            snprintf(b->failed, sizeof b->failed, "%d particles within one support radius", most);
            *crowd = 0; /* which one, the device does not say */
            return false;
        }
        columns = (most + most / 16 + 3) / 4 * 4;
    }
}

bool mn_cl_lists(mn_backend *b, const mn_grid *grid, const mn_layout *layout, mn_buffer *pos, float h, mn_buffer *spare, int *crowd)
{
    (void)spare;
    *crowd = -1;
    const grid_args g = args_of(grid);
    if (layout->ghosts && !mark_cells(b, &g, pos, layout->ghost_at, layout->ghosts, &b->ghost_span)) return false;
    if (layout->walls && !same_walls(b, grid, layout)) {
        if (!mark_cells(b, &g, pos, layout->wall_at, layout->walls, &b->wall_span)) return false;
        b->wall_grid = *grid, b->wall_version = layout->wall_version, b->wall_count = layout->walls, b->wall_base = layout->wall_at;
    }
    if (layout->bodies && !order_bodies(b, grid, &g, layout, pos)) return false;
    if (!fill_lists(b, &b->lists, grid, layout, pos, h, layout->fluid, crowd)) return false;
    int body_crowd;
    const int felt = layout->bodies - layout->deaf;
    return !felt || fill_lists(b, &b->body_lists, grid, layout, pos, h, felt, &body_crowd);
}

/* -- ghosts ----------------------------------------------------------------------------------------------------------------- */

/* The periodic box as kernels take it. */
typedef struct box_args {
    cl_float h;
    cl_float4 low, span;
} box_args;
#define BOX(x) MN_CL_VALUE((x).h), MN_CL_VALUE((x).low), MN_CL_VALUE((x).span)

static box_args box_of(const params *par)
{
    return (box_args){par->h, {{par->low_x, par->low_y, par->low_z, 0}}, {{par->span_x, par->span_y, par->span_z, 0}}};
}

bool mn_cl_ghosts(mn_backend *b, const mn_grid *grid, const params *par, mn_buffer *pos, int *count)
{
    const grid_args g = args_of(grid);
    const box_args box = box_of(par);
    const size_t blocks = (size_t)g.cells / MN_BLOCK + 1;
    const cl_int n = par->n;
    if (!mn_cl_reserve(b, &b->ghost_end, blocks * MN_BLOCK * 4) || !mn_cl_reserve(b, &b->block_sum, blocks * 4) ||
        !mn_cl_zero(b, b->ghost_end, blocks * MN_BLOCK * 4) ||
        !MN_CL_RUN(b, MN_CL_ghost_count, (size_t)n, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(n), GRID(g), BOX(box),
                   MN_CL_BUFFER(b->ghost_end)) ||
        !starts_from_counts(b, b->ghost_end, blocks))
        return false;
    const cl_int *total = mn_cl_fetch(b, b->ghost_end, (size_t)g.cells * 4, 4);
    if (total) *count = *total;
    return total != NULL;
}

bool mn_cl_ghost_order(mn_backend *b, const mn_grid *grid, const params *par, mn_buffer *pos, int count, mn_buffer *source,
                       mn_buffer *shift)
{
    const grid_args g = args_of(grid);
    const box_args box = box_of(par);
    const cl_int n = par->n, ghosts = count;
    return mn_cl_reserve(b, &b->fluid.member, (size_t)count * 8) &&
           MN_CL_RUN(b, MN_CL_ghost_scatter, (size_t)n, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(n), GRID(g), BOX(box),
                     MN_CL_BUFFER(b->ghost_end), MN_CL_BUFFER(b->fluid.member)) &&
           MN_CL_RUN(b, MN_CL_ghost_rank, (size_t)count, b->group, MN_CL_BUFFER(pos), MN_CL_VALUE(ghosts), GRID(g), BOX(box),
                     MN_CL_BUFFER(b->ghost_end), MN_CL_BUFFER(b->fluid.member), MN_CL_BUFFER(source), MN_CL_BUFFER(shift));
}

bool mn_cl_refresh(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift, mn_ghost_kind kind,
                   int ghost_at, int ghosts)
{
    const cl_int how = kind, at = ghost_at, count = ghosts;
    if (width == 4)
        return MN_CL_RUN(b, MN_CL_refresh_4, (size_t)ghosts, b->group, MN_CL_BUFFER(field), MN_CL_BUFFER(source), MN_CL_VALUE(at),
                         MN_CL_VALUE(count));
    return MN_CL_RUN(b, MN_CL_refresh_16, (size_t)ghosts, b->group, MN_CL_BUFFER(field), MN_CL_BUFFER(source), MN_CL_BUFFER(shift),
                     MN_CL_VALUE(how), MN_CL_VALUE(at), MN_CL_VALUE(count));
}
