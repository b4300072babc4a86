/* pieces.c -- which nodes of the liquid are connected, and how many particles each piece holds. */
#include <math.h>
#include <stdlib.h>

#include "base/exact.h"
#include "surface/grid.h"

static uint32_t root_of(uint32_t *parent, uint32_t n)
{
    while (parent[n] != n) {
        parent[n] = parent[parent[n]];
        n = parent[n];
    }
    return n;
}

/* The smaller number stays root, so that the outcome does not hang on the order. */
static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

/* The value of nodes that are filled: just inside the level. */
static const float FILLED = 0.01f;
static const uint32_t MARK = 1u << 31;

static bool is_liquid(const block *b, int node) { return node_inside(b, node); }
static bool is_air(const block *b, int node) { return !(b->free[node] > 0) && !(b->wall && b->wall[node] <= 0); }

/* The node after node n of a block along an axis: its block, -1 for none, and its number there. */
static int32_t next_node(const grid *g, int32_t i, int n, int axis, int *at)
{
    static const int step[3] = {1, 8, 64}, side[3] = {1, 3, 9};
    const bool last = n / step[axis] % 8 == 7;
    *at = last ? n - 7 * step[axis] : n + step[axis];
    return g->blocks[i].near[13 + (last ? side[axis] : 0)];
}

/* Joins neighbours of one kind. Entry 0 is what lies in the blocks that are not evaluated: the bulk of the liquid,
 * the open air. */
static void join_nodes(const grid *g, uint32_t *parent, bool (*is)(const block *b, int node))
{
    for (int32_t i = 0; i < g->count; i++) {
        const block *b = &g->blocks[i];
        for (int n = 0; n < BLOCK_NODES; n++) {
            const uint32_t own = 1 + (uint32_t)i * BLOCK_NODES + (uint32_t)n;
            if (!is(b, n)) continue;
            if (!b->evaluated) join(parent, own, 0);
            for (int axis = 0; axis < 3; axis++) {
                int at;
                const int32_t other = next_node(g, i, n, axis, &at);
                if (other >= 0 && is(&g->blocks[other], at))
                    join(parent, own, 1 + (uint32_t)other * BLOCK_NODES + (uint32_t)at);
            }
        }
    }
}

/* Roots become numbers from 1 on, by place; the bulk is 0. */
static void number_pieces(grid *g, uint32_t *parent)
{
    const uint32_t nodes = (uint32_t)g->count * BLOCK_NODES;
    g->piece_count = 1;
    for (uint32_t n = 1; n <= nodes; n++) {
        const block *b = &g->blocks[(n - 1) / BLOCK_NODES];
        if (!node_inside(b, (int)((n - 1) % BLOCK_NODES))) continue;
        const uint32_t root = root_of(parent, n);
        g->piece[n - 1] = root == 0 ? 0 : root == n ? g->piece_count++ : g->piece[root - 1];
    }
}

static int32_t find_block(const grid *g, const int p[3])
{
    int32_t low = 0, high = g->count;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        const int *q = g->blocks[middle].place;
        const bool before = q[2] != p[2] ? q[2] < p[2] : q[1] != p[1] ? q[1] < p[1] : q[0] < p[0];
        if (before) low = middle + 1;
        else high = middle;
    }
    if (low == g->count) return -1;
    const int *q = g->blocks[low].place;
    return q[0] == p[0] && q[1] == p[1] && q[2] == p[2] ? low : -1;
}

/* The piece of the inside node nearest to a point among the corners of its cell; 0: none, or the bulk. */
static int32_t piece_at(const grid *g, const float u[3])
{
    int32_t best = 0;
    float nearest = INFINITY;
    for (int c = 0; c < 8; c++) {
        int node[3], place[3];
        float d = 0;
        for (int k = 0; k < 3; k++) {
            node[k] = (int)(u[k] / g->cell) + (c >> k & 1);
            place[k] = node[k] / BLOCK_EDGE;
            d += (u[k] - (float)node[k] * g->cell) * (u[k] - (float)node[k] * g->cell);
        }
        const int32_t b = find_block(g, place);
        const int n = node[0] % 8 + 8 * (node[1] % 8 + 8 * (node[2] % 8));
        if (b < 0 || d >= nearest || !node_inside(&g->blocks[b], n)) continue;
        nearest = d;
        best = g->piece[(size_t)b * BLOCK_NODES + (size_t)n];
    }
    return best;
}

/* Pieces without a particle are where the outskirts of several add up: no liquid. */
static void drop_empty(const grid *g)
{
    const size_t nodes = (size_t)g->count * BLOCK_NODES;
    for (size_t n = 0; n < nodes; n++) {
        const block *b = &g->blocks[n / BLOCK_NODES];
        const int node = (int)(n % BLOCK_NODES);
        if (node_inside(b, node) && g->piece[n] > 0 && g->piece_volume[g->piece[n]] == 0) b->free[node] = -0.01f;
    }
}

static uint32_t *new_parents(const grid *g)
{
    const size_t nodes = (size_t)g->count * BLOCK_NODES;
    uint32_t *parent = calloc(nodes + 1, sizeof *parent);
    for (size_t n = 0; parent && n <= nodes; n++) parent[n] = (uint32_t)n;
    return parent;
}

void grid_hold_particles(grid *g, const liquid_field *f)
{
    for (int32_t i = 0; i < f->cloud->count; i++) {
        const float u[3] = {f->cloud->x[i], f->cloud->y[i], f->cloud->z[i]};
        int node[3], place[3];
        if ((f->mine && !f->mine[i]) || f->deep[i]) continue;
        for (int k = 0; k < 3; k++) {
            node[k] = (int)(u[k] / g->cell + 0.5f);
            place[k] = node[k] / BLOCK_EDGE;
        }
        const int32_t b = find_block(g, place);
        const int n = node[0] % 8 + 8 * (node[1] % 8 + 8 * (node[2] % 8));
        if (b >= 0) g->blocks[b].free[n] = fmaxf(g->blocks[b].free[n], 0.1f);
    }
}

/* Behind walls, too: else the surface between a filled node and the wall beside it would not lie on the wall. */
static void fill_behind_walls(const grid *g, const uint32_t *marks)
{
    for (int32_t i = 0; i < g->count; i++)
        for (int n = 0; n < 3 * BLOCK_NODES; n++) {
            int at[2] = {n / 3, 0};
            const int32_t other = next_node(g, i, at[0], n % 3, &at[1]), owner[2] = {i, other};
            for (int e = 0; e < 2 && other >= 0; e++) {
                const block *b = &g->blocks[owner[!e]];
                const bool behind = b->wall && b->wall[at[!e]] <= 0;
                if (behind && marks[(uint32_t)owner[e] * BLOCK_NODES + (uint32_t)at[e]] & MARK)
                    b->free[at[!e]] = fmaxf(b->free[at[!e]], FILLED);
            }
        }
}

bool grid_fill_hollows(grid *g, double width)
{
    const uint32_t nodes = (uint32_t)g->count * BLOCK_NODES;
    uint32_t *parent = new_parents(g), *size = calloc((size_t)nodes + 1, sizeof *size);
    const bool good = parent && size;
    if (good) {
        const double least = mn_power(width / (double)g->cell, 3);
        bool any = false;
        join_nodes(g, parent, is_air);
        for (uint32_t n = 1; n <= nodes; n++) size[root_of(parent, n)]++;
        for (uint32_t n = 1; n <= nodes; n++) {
            const block *b = &g->blocks[(n - 1) / BLOCK_NODES];
            const int node = (int)((n - 1) % BLOCK_NODES);
            const uint32_t root = root_of(parent, n);
            if (root == 0 || (size[root] & ~MARK) >= least || !is_air(b, node)) continue;
            b->free[node] = FILLED;
            size[n] |= MARK;
            any = true;
        }
        if (any) fill_behind_walls(g, size + 1);
    }
    free(parent);
    free(size);
    return good;
}

bool grid_pieces(grid *g, const liquid_field *f)
{
    const size_t nodes = (size_t)g->count * BLOCK_NODES;
    uint32_t *parent = new_parents(g);
    g->piece = calloc(nodes + 1, sizeof *g->piece);
    if (!parent || !g->piece) {
        free(parent);
        return false;
    }
    join_nodes(g, parent, is_liquid);
    number_pieces(g, parent);
    free(parent);
    g->piece_volume = calloc((size_t)g->piece_count, sizeof *g->piece_volume);
    g->piece_particle = calloc((size_t)g->piece_count, sizeof *g->piece_particle);
    int32_t *of = malloc(((size_t)f->cloud->count + 1) * sizeof *of);
    const bool good = g->piece_volume && g->piece_particle && of;
    if (good) {
#pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < f->cloud->count; i++) {
            const float u[3] = {f->cloud->x[i], f->cloud->y[i], f->cloud->z[i]};
            of[i] = f->mine && !f->mine[i] ? 0 : piece_at(g, u);
        }
        for (int32_t i = 0; i < f->cloud->count; i++) {
            g->piece_volume[of[i]] += of[i] > 0;
            g->piece_particle[of[i]] = i;
        }
        drop_empty(g);
    }
    free(of);
    return good;
}
