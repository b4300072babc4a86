/* grid.c -- see grid.h. */
#include "base/exact.h"
#include "surface/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values of nodes that are not evaluated, and of nodes filled below. */
static const float FAR = 0.5f, FILLED = 1e-3f;
/* With cells up to this a drop of one particle, 0.62 in radius, always holds a node. */
#define SAFE_CELL 0.7f
/* Nodes this near to the level, and alone, are steps of the grid. */
#define STEP_VALUE 0.05f

typedef struct place_list {
    uint64_t *keys;
    size_t count, room, once; /* once: how many there were when each was there once */
} place_list;

static uint64_t key_of(const int p[3])
{
    return (uint64_t)(p[2] + 1) << 42 | (uint64_t)(p[1] + 1) << 21 | (uint64_t)(p[0] + 1);
}

static void place_of(uint64_t key, int p[3])
{
    for (int k = 0; k < 3; k++) p[k] = (int)(key >> (21 * k) & 0x1fffff) - 1;
}

static bool add_key(place_list *list, uint64_t key)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 4096;
        uint64_t *grown = realloc(list->keys, room * sizeof *grown);
        if (!grown) return false;
        list->keys = grown;
        list->room = room;
    }
    list->keys[list->count++] = key;
    return true;
}

static int by_key(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void sort_unique(place_list *list)
{
    if (list->count == 0) return;
    qsort(list->keys, list->count, sizeof *list->keys, by_key);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++)
        if (list->keys[i] != list->keys[kept - 1]) list->keys[kept++] = list->keys[i];
    list->count = list->once = kept;
}

/* Now and then, so that there is room for what comes, and not so often that sorting takes long. */
static void make_unique(place_list *list)
{
    if (list->count > 1 << 22 && list->count / 2 > list->once) sort_unique(list);
}

static int32_t find_key(const place_list *list, uint64_t key)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (list->keys[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low < list->count && list->keys[low] == key ? (int32_t)low : -1;
}

/* ------------------------------------------------------------------------------------------ which blocks */

/* How far from a particle the surface may lie. */
static float margin(const liquid_field *f, float cell) { return CLOUD_REACH + 2 * cell + (f->wall ? 1.2f : 0); }

/* Bounds of the particles of a bin that are (not) deep; false: there are none. */
static bool bin_bounds(const liquid_field *f, int32_t bin, float low[3], float high[3])
{
    const cloud *c = f->cloud;
    bool any = false;
    for (int32_t i = c->first[bin]; i < c->first[bin + 1]; i++) {
        if (f->deep[i]) continue;
        const float p[3] = {c->x[i], c->y[i], c->z[i]};
        for (int k = 0; k < 3; k++) {
            low[k] = any ? fminf(low[k], p[k]) : p[k];
            high[k] = any ? fmaxf(high[k], p[k]) : p[k];
        }
        any = true;
    }
    return any;
}

/* The blocks near particles that are not deep. */
static bool list_surface(const liquid_field *f, float cell, place_list *list)
{
    const float edge = cell * BLOCK_EDGE, far = margin(f, cell);
    for (int32_t bin = 0; bin < f->cloud->bin_count; bin++) {
        float low[3], high[3];
        int a[3], b[3];
        if (!bin_bounds(f, bin, low, high)) continue;
        for (int k = 0; k < 3; k++) {
            a[k] = (int)floorf((low[k] - far) / edge);
            b[k] = (int)floorf((high[k] + far) / edge);
        }
        for (int z = a[2]; z <= b[2]; z++)
            for (int y = a[1]; y <= b[1]; y++)
                for (int x = a[0]; x <= b[0]; x++)
                    if (!add_key(list, key_of((int[3]){x, y, z}))) return false;
        make_unique(list);
    }
    sort_unique(list);
    return true;
}

static bool add_neighbours(const place_list *inner, place_list *all)
{
    for (size_t i = 0; i < inner->count; i++) {
        int p[3];
        place_of(inner->keys[i], p);
        for (int n = 0; n < 27; n++)
            if (!add_key(all, key_of((int[3]){p[0] + n % 3 - 1, p[1] + n / 3 % 3 - 1, p[2] + n / 9 - 1}))) return false;
        make_unique(all);
    }
    sort_unique(all);
    return true;
}

/* Whether a particle lies in the block or within reach of it. */
static bool is_wet(const liquid_field *f, const int place[3], float cell)
{
    const cloud *c = f->cloud;
    const float edge = cell * BLOCK_EDGE;
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = (float)place[k] * edge - CLOUD_REACH;
        high[k] = (float)(place[k] + 1) * edge + CLOUD_REACH;
    }
    cloud_run runs[64];
    const int count = cloud_runs(c, low, high, runs);
    for (int r = 0; r < count; r++)
        for (int32_t i = runs[r].begin; i < runs[r].end; i++)
            if ((!f->mine || f->mine[i]) && c->x[i] >= low[0] && c->x[i] <= high[0] && c->y[i] >= low[1] &&
                c->y[i] <= high[1] && c->z[i] >= low[2] && c->z[i] <= high[2])
                return true;
    return false;
}

double grid_estimate(const liquid_field *f, float cell)
{
    /* The blocks near the particles of the surface, counted by bins of the cloud; each node costs its value, its
     * wall's and what the mesh takes. */
    const double edge = (double)cell * BLOCK_EDGE, far = (double)margin(f, cell);
    double nodes = 0;
    for (int32_t bin = 0; bin < f->cloud->bin_count; bin++) {
        float low[3], high[3];
        if (!bin_bounds(f, bin, low, high)) continue;
        /* A bin's own share: the bins beside it cover the rest of what it reaches; alone it covers all of it. */
        double all = 1, own = 1;
        for (int k = 0; k < 3; k++) {
            all *= high[k] - low[k] + 2 * far + edge;
            own *= CLOUD_REACH + edge / 4;
        }
        nodes += fmin(all, 3 * own) / mn_power(cell, 3);
    }
    return nodes * 12 + 64.0 * f->cloud->count + 1e6;
}

/* ------------------------------------------------------------------------------------------------ values */

/* Adds one particle to the nodes of a block within its reach. */
static void splat(const float u[3], float volume, const float corner[3], float cell, float *sum)
{
    int a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (int)ceilf((u[k] - CLOUD_REACH - corner[k]) / cell);
        b[k] = (int)floorf((u[k] + CLOUD_REACH - corner[k]) / cell);
        if (a[k] < 0) a[k] = 0;
        if (b[k] >= BLOCK_EDGE) b[k] = BLOCK_EDGE - 1;
        if (a[k] > b[k]) return;
    }
    float dx2[BLOCK_EDGE];
    for (int x = 0; x < BLOCK_EDGE; x++) {
        const float dx = corner[0] + (float)x * cell - u[0];
        dx2[x] = dx * dx;
    }
    for (int z = a[2]; z <= b[2]; z++) {
        const float dz = corner[2] + (float)z * cell - u[2];
        for (int y = a[1]; y <= b[1]; y++) {
            const float dy = corner[1] + (float)y * cell - u[1], rest = dy * dy + dz * dz;
            if (rest >= CLOUD_REACH * CLOUD_REACH) continue;
            float *row = sum + BLOCK_EDGE * (y + BLOCK_EDGE * z);
            for (int x = 0; x < BLOCK_EDGE; x++) row[x] += volume * cloud_kernel(dx2[x] + rest);
        }
    }
}

/* Values from all particles around, as if there were no walls. */
static void fill_free(const liquid_field *f, const float corner[3], float cell, float *out)
{
    const cloud *c = f->cloud;
    float all[BLOCK_NODES] = {0}, mine[BLOCK_NODES] = {0}, low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = corner[k] - CLOUD_REACH;
        high[k] = corner[k] + cell * BLOCK_EDGE + CLOUD_REACH;
    }
    cloud_run runs[64];
    const int count = cloud_runs(c, low, high, runs);
    for (int r = 0; r < count; r++)
        for (int32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float u[3] = {c->x[i], c->y[i], c->z[i]};
            splat(u, f->volume[i], corner, cell, all);
            if (f->mine && f->mine[i]) splat(u, f->volume[i], corner, cell, mine);
        }
    for (int n = 0; n < BLOCK_NODES; n++) out[n] = field_value(f, all[n], mine[n], 1);
}

static void node_place(const float corner[3], float cell, int node, float u[3])
{
    const int place[3] = {node % BLOCK_EDGE, node / BLOCK_EDGE % BLOCK_EDGE, node / (BLOCK_EDGE * BLOCK_EDGE)};
    for (int k = 0; k < 3; k++) u[k] = corner[k] + (float)place[k] * cell;
}

/* The values of one block, from its own particles and walls. */
static bool evaluate(const liquid_field *f, float cell, block *b, float **wall)
{
    float corner[3], middle[3];
    const float half = 0.5f * cell * BLOCK_EDGE, reach = 1.7320508f * half + 2;
    for (int k = 0; k < 3; k++) {
        corner[k] = (float)b->place[k] * cell * BLOCK_EDGE;
        middle[k] = corner[k] + half;
    }
    fill_free(f, corner, cell, b->free);
    if (!f->wall || fabsf(field_wall(f, middle, reach, NULL)) >= reach) return true;
    *wall = malloc(BLOCK_NODES * sizeof(float));
    if (!*wall) return false;
    for (int n = 0; n < BLOCK_NODES; n++) {
        float u[3], gap;
        node_place(corner, cell, n, u);
        if (b->free[n] <= -f->level) { /* no particle near: air, whatever the wall */
            (*wall)[n] = CLOUD_REACH;
            continue;
        }
        float s = field_wall(f, u, 4, &gap);
        if (s < -WALL_BACK && f->behind) {
            b->free[n] = field_behind(f, u);
            s = -s - WALL_BACK;
        } else {
            b->free[n] = field_at_wall(f, u, s, gap, b->free[n], cell);
        }
        (*wall)[n] = s;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------- faces without doubt */

void grid_flags(const grid *g, const block *b, uint8_t flags[WIDE * WIDE * WIDE])
{
    for (int part = 0; part < 8; part++) {
        const int px = part & 1, py = part >> 1 & 1, pz = part >> 2;
        const int32_t other = b->near[13 + px + 3 * py + 9 * pz];
        const block *o = other >= 0 ? &g->blocks[other] : NULL;
        for (int z = 0; z < (pz ? 1 : BLOCK_EDGE); z++)
            for (int y = 0; y < (py ? 1 : BLOCK_EDGE); y++)
                for (int x = 0; x < (px ? 1 : BLOCK_EDGE); x++)
                    flags[px * BLOCK_EDGE + x + WIDE * (py * BLOCK_EDGE + y + WIDE * (pz * BLOCK_EDGE + z))] =
                        o ? node_inside(o, x + BLOCK_EDGE * (y + BLOCK_EDGE * z)) : b->wet;
    }
}

/* The value that decides at a node, by its place within a wide block; NULL: past the list. */
static block *node_at(const grid *g, const block *b, int x, int y, int z, int *node)
{
    const int32_t other = b->near[13 + x / BLOCK_EDGE + 3 * (y / BLOCK_EDGE) + 9 * (z / BLOCK_EDGE)];
    *node = x % BLOCK_EDGE + BLOCK_EDGE * (y % BLOCK_EDGE + BLOCK_EDGE * (z % BLOCK_EDGE));
    return other >= 0 ? &g->blocks[other] : NULL;
}

static float decisive(const block *b, int node)
{
    return b->wall ? fminf(b->free[node], b->wall[node]) : b->free[node];
}

static void fill_node(block *b, int node)
{
    b->free[node] = fmaxf(b->free[node], FILLED);
    if (b->wall) b->wall[node] = fmaxf(b->wall[node], FILLED);
}

/* Fills one of the two empty nodes of each face of the block whose corners are inside and outside by turns: the one
 * nearer to the liquid. */
static bool settle_block(const grid *g, const block *b)
{
    uint8_t flags[WIDE * WIDE * WIDE];
    bool any = false;
    grid_flags(g, b, flags);
    for (int n = 0; n < BLOCK_NODES; n++)
        for (int axis = 0; axis < 3; axis++) {
            const int p[3] = {n % BLOCK_EDGE, n / BLOCK_EDGE % BLOCK_EDGE, n / (BLOCK_EDGE * BLOCK_EDGE)};
            static const int stride[3] = {1, WIDE, WIDE * WIDE};
            const int u = (axis + 1) % 3, v = (axis + 2) % 3, at = p[0] + WIDE * (p[1] + WIDE * p[2]);
            const int s00 = flags[at], s10 = flags[at + stride[u]], s01 = flags[at + stride[v]],
                      s11 = flags[at + stride[u] + stride[v]];
            if (s00 != s11 || s10 != s01 || s00 == s10) continue;
            int first[3] = {p[0], p[1], p[2]}, second[3] = {p[0], p[1], p[2]}, node[2];
            first[u] += s00;
            second[u] += !s00;
            second[v] += 1;
            block *one = node_at(g, b, first[0], first[1], first[2], &node[0]);
            block *two = node_at(g, b, second[0], second[1], second[2], &node[1]);
            if (!one || !two) continue;
            if (decisive(one, node[0]) >= decisive(two, node[1])) fill_node(one, node[0]);
            else fill_node(two, node[1]);
            any = true;
            grid_flags(g, b, flags);
        }
    return any;
}

/* Whether a face of the block has corners inside and outside by turns. */
static bool has_doubt(const grid *g, const block *b)
{
    uint8_t flags[WIDE * WIDE * WIDE];
    static const int stride[3] = {1, WIDE, WIDE * WIDE};
    grid_flags(g, b, flags);
    for (int n = 0; n < BLOCK_NODES; n++) {
        const int at = n % 8 + WIDE * (n / 8 % 8 + WIDE * (n / 64)), s = flags[at];
        for (int axis = 0; axis < 3; axis++) {
            const int u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3];
            if (flags[at + u] != s && flags[at + v] != s && flags[at + u + v] == s) return true;
        }
    }
    return false;
}

/* The value of the node one step from a node of the block along an axis. */
static float value_beside(const grid *g, const block *b, int node, int axis, int sign)
{
    static const int step[3] = {1, 8, 64}, side[3] = {1, 3, 9};
    const int at = node / step[axis] % BLOCK_EDGE;
    const bool past = sign > 0 ? at == BLOCK_EDGE - 1 : at == 0;
    const int32_t other = b->near[13 + (past ? sign * side[axis] : 0)];
    if (other < 0) return b->wet ? FAR : -FAR;
    return g->blocks[other].free[node + sign * step[axis] * (past ? 1 - BLOCK_EDGE : 1)];
}

/* A node just beside the surface, with one node behind it on its side and none beside: it would be a tiny step
 * of the mesh, with edges so short that no smoothing levels it. */
static bool is_step(const grid *g, const block *b, int node)
{
    const float own = b->free[node];
    int same = 0;
    bool clear = false;
    if (fabsf(own) > STEP_VALUE || (b->wall && b->wall[node] < 4 * g->cell)) return false;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const float value = value_beside(g, b, node, axis, sign);
            if ((value > 0) != (own > 0)) continue;
            same++;
            clear = fabsf(value) > 2 * STEP_VALUE;
        }
    return same == 1 && clear;
}

/* All steps are found before any is taken away, so that the order does not matter. */
static bool remove_steps(const grid *g)
{
    uint8_t(*step)[BLOCK_NODES / 8] = calloc((size_t)g->count + 1, sizeof *step);
    if (!step) return false;
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t i = 0; i < g->count; i++)
        for (int n = 0; n < BLOCK_NODES && g->blocks[i].evaluated; n++)
            if (is_step(g, &g->blocks[i], n)) step[i][n / 8] |= (uint8_t)(1 << n % 8);
    for (int32_t i = 0; i < g->count; i++)
        for (int n = 0; n < BLOCK_NODES; n++) {
            float *value = &g->blocks[i].free[n];
            if (step[i][n / 8] >> n % 8 & 1) *value = *value > 0 ? -FILLED : FILLED;
        }
    free(step);
    return true;
}

static bool settle_faces(const grid *g)
{
    bool *doubt = calloc((size_t)g->count + 1, sizeof *doubt), any = doubt != NULL;
    while (any) {
        any = false;
#pragma omp parallel for schedule(dynamic, 64)
        for (int32_t i = 0; i < g->count; i++) doubt[i] = has_doubt(g, &g->blocks[i]);
        for (int32_t i = 0; i < g->count; i++)
            if (doubt[i]) any |= settle_block(g, &g->blocks[i]);
    }
    const bool good = doubt != NULL;
    free(doubt);
    return good;
}

/* -------------------------------------------------------------------------------------------------- making */

static void link_blocks(grid *g, const place_list *all)
{
    for (int32_t i = 0; i < g->count; i++) {
        block *b = &g->blocks[i];
        for (int n = 0; n < 27; n++)
            b->near[n] = find_key(
                all, key_of((int[3]){b->place[0] + n % 3 - 1, b->place[1] + n / 3 % 3 - 1, b->place[2] + n / 9 - 1}));
    }
}

static bool fill_blocks(grid *g, const liquid_field *f)
{
    bool good = true;
#pragma omp parallel for schedule(dynamic, 16) reduction(&& : good)
    for (int32_t i = 0; i < g->count; i++) {
        block *b = &g->blocks[i];
        if (b->evaluated) good = good && evaluate(f, g->cell, b, &g->walls[i]);
        else
            for (int n = 0; n < BLOCK_NODES; n++) b->free[n] = b->wet ? FAR : -FAR;
        b->wall = g->walls[i];
    }
    return good;
}

/* Liquid next to air must be evaluated. Returns whether there was a block to change. */
static bool promote(grid *g)
{
    bool any = false;
    for (int32_t i = 0; i < g->count; i++) {
        block *b = &g->blocks[i];
        bool dry = false;
        for (int n = 0; n < 27 && b->wet && !b->evaluated; n++)
            dry |= b->near[n] >= 0 && !g->blocks[b->near[n]].wet && !g->blocks[b->near[n]].evaluated;
        if (dry) b->evaluated = any = true;
    }
    return any;
}

static bool set_blocks(grid *g, const liquid_field *f, const place_list *inner, const place_list *all)
{
    g->count = (int32_t)all->count;
    g->blocks = calloc(all->count + 1, sizeof *g->blocks);
    g->values = malloc((all->count + 1) * BLOCK_NODES * sizeof(float));
    g->walls = calloc(all->count + 1, sizeof *g->walls);
    if (!g->blocks || !g->values || !g->walls) return false;
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t i = 0; i < g->count; i++) {
        block *b = &g->blocks[i];
        place_of(all->keys[i], b->place);
        b->free = g->values + (size_t)i * BLOCK_NODES;
        b->evaluated = find_key(inner, all->keys[i]) >= 0;
        b->wet = is_wet(f, b->place, g->cell);
    }
    link_blocks(g, all);
    return true;
}

bool grid_new(grid *out, const liquid_field *f, float cell, double hollows)
{
    *out = (grid){.cell = cell};
    place_list inner = {0}, all = {0};
    bool good = list_surface(f, cell, &inner) && add_neighbours(&inner, &all) && set_blocks(out, f, &inner, &all);
    while (good && promote(out)) {
        /* What was promoted needs neighbours of its own. */
        for (int32_t i = 0; i < out->count && good; i++)
            if (out->blocks[i].evaluated) good = add_key(&inner, key_of(out->blocks[i].place));
        sort_unique(&inner);
        grid_free(out);
        *out = (grid){.cell = cell};
        good = good && add_neighbours(&inner, &all) && set_blocks(out, f, &inner, &all);
    }
    good = good && fill_blocks(out, f);
    if (good && cell > SAFE_CELL) grid_hold_particles(out, f);
    good = good && grid_fill_hollows(out, hollows);
    good = good && remove_steps(out) && settle_faces(out);
    free(inner.keys);
    free(all.keys);
    if (!good) grid_free(out);
    return good;
}

void grid_free(grid *g)
{
    for (int32_t i = 0; g->walls && i < g->count; i++) free(g->walls[i]);
    free(g->walls);
    free(g->blocks);
    free(g->values);
    free(g->piece);
    free(g->piece_volume);
    free(g->piece_particle);
    *g = (grid){0};
}
