/* depth.c -- how deep the liquid is along gravity, for the length of a step; see depth.h.
 *
 * Liquid is connected through cells, three spacings wide, that are at least a third full: a pool. What presses
 * on the ground of a pool is all that lies above it in the same pool, also around corners. Cells beside them with at
 * least a sixth are its edge. */
#include "core/depth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/particle_cells.h"

enum { WIDE = 3, FULL = 10, EDGE = 4, DEEP = 40 };

typedef struct cell {
    int64_t key;
    int count, parent;   /* parent: another cell of the pool; the first one has itself */
    int kind[MN_FLUIDS]; /* particles of each fluid */
    double low, high;    /* of the particles of the cell, then of the pool, along `down`, in spacings */
    size_t rows;         /* of a first cell: where the rows of its pool begin */
} cell;

typedef struct survey {
    const mn_scene *scene;
    double down[3]; /* over the spacing */
    const real4 *pos, *vel;
    int n;
    cell *cells;
    int *table; /* by hash: which cell, -1: none */
    int count, room;
} survey;

static double along(const survey *s, int i)
{
    return (double)s->pos[i].x * s->down[0] + (double)s->pos[i].y * s->down[1] + (double)s->pos[i].z * s->down[2];
}

static int kind_of(const survey *s, int i) { return s->vel ? (int)s->vel[i].w : 0; }

static bool is_full(const cell *c) { return c->count >= FULL; }

/* Where the cell stands in the table, or would stand. */
static int *place_of(const survey *s, int64_t key)
{
    const uint32_t mask = 2 * (uint32_t)s->room - 1;
    uint32_t at = (uint32_t)((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (s->table[at] >= 0 && s->cells[s->table[at]].key != key) at = (at + 1) & mask;
    return &s->table[at];
}

static bool grow(survey *s)
{
    const int room = s->room ? 2 * s->room : 1024;
    cell *cells = realloc(s->cells, (size_t)room * sizeof *cells);
    if (cells) s->cells = cells;
    int *table = cells ? realloc(s->table, 2 * (size_t)room * sizeof *table) : NULL;
    if (!table) return false;
    s->table = table, s->room = room;
    memset(table, -1, 2 * (size_t)room * sizeof *table);
    for (int c = 0; c < s->count; c++) *place_of(s, s->cells[c].key) = c;
    return true;
}

static int64_t key_of(const survey *s, int i)
{
    const double side = WIDE * s->scene->spacing;
    return mn_cell_key((int64_t)floor((double)s->pos[i].x / side), (int64_t)floor((double)s->pos[i].y / side),
                       (int64_t)floor((double)s->pos[i].z / side));
}

static bool count_cells(survey *s)
{
    int last = -1;
    for (int i = 0; i < s->n; i++) {
        const int64_t key = key_of(s, i);
        if (last < 0 || s->cells[last].key != key) {
            if (s->count == s->room && !grow(s)) return false;
            int *place = place_of(s, key);
            if (*place < 0) {
                s->cells[s->count] = (cell){.key = key, .parent = s->count, .low = INFINITY, .high = -INFINITY};
                *place = s->count++;
            }
            last = *place;
        }
        cell *c = &s->cells[last];
        const double x = along(s, i);
        c->count++, c->kind[kind_of(s, i)]++;
        c->low = fmin(c->low, x), c->high = fmax(c->high, x);
    }
    return true;
}

static int first_of(survey *s, int c)
{
    while (s->cells[c].parent != c) c = s->cells[c].parent = s->cells[s->cells[c].parent].parent;
    return c;
}

static void join(survey *s, int a, int b)
{
    const int one = first_of(s, a), two = first_of(s, b);
    if (one == two) return;
    s->cells[two].parent = one;
    s->cells[one].low = fmin(s->cells[one].low, s->cells[two].low);
    s->cells[one].high = fmax(s->cells[one].high, s->cells[two].high);
}

/* Full cells that touch are one pool; then those at an edge join the one beside them, and connect nothing. */
static void connect(survey *s)
{
    for (int edge = 0; edge < 2; edge++)
        for (int c = 0; c < s->count; c++) {
            const cell *own = &s->cells[c];
            const bool wanted = edge ? !is_full(own) && own->count >= EDGE : is_full(own);
            for (int k = 0; k < 27 && wanted && (!edge || own->parent == c); k++) {
                const int64_t step = mn_cell_key(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1) - mn_cell_key(0, 0, 0);
                const int other = *place_of(s, own->key + step);
                if (other >= 0 && is_full(&s->cells[other])) join(s, other, c);
            }
        }
}

/* The deepest pool of liquids that weigh the same, in spacings. */
static double deepest(const survey *s)
{
    double deep = 0.0;
    for (int c = 0; c < s->count; c++)
        if (s->cells[c].parent == c && is_full(&s->cells[c]))
            deep = fmax(deep, s->cells[c].high - s->cells[c].low + 1.0);
    return deep;
}

/* The deepest of these rows of counts, from above: what lies on a fluid, as layers of its own. A row without particles
 * weighs what the one above it weighs. */
static double deepest_row(const mn_scene *s, const int *count, const unsigned char *pocket, size_t rows)
{
    double weight = 0.0, row = 0.0, deep = 0.0;
    for (size_t k = 0; k < rows; k++) {
        int all = 0;
        double mass = 0.0;
        for (int f = 0; f < s->fluid_count; f++, count++) all += *count, mass += *count * s->fluids[f].density;
        if (all) row = mass / all;
        weight += row;
        for (int f = 0; f < s->fluid_count; f++)
            if (pocket[k] & 1 << f) deep = fmax(deep, weight / s->fluids[f].density);
    }
    return deep;
}

/* The same of liquids that differ in weight, by rows of each pool. Of a fluid that lies in another only what fills a
 * third of a cell counts. -1: out of memory. */
static double deepest_of_several(survey *s)
{
    const size_t fluids = (size_t)s->scene->fluid_count;
    size_t rows = 0;
    double deep = -1.0;
    for (int c = 0; c < s->count; c++) {
        cell *pool = &s->cells[c];
        if (pool->parent != c || !is_full(pool)) continue;
        pool->low -= 0.25; /* so that no layer of a lattice lies on the edge between two rows */
        pool->rows = rows, rows += (size_t)(pool->high - pool->low) + 1;
    }
    int *count = calloc(rows * fluids + 1, sizeof *count);
    unsigned char *pocket = calloc(rows + 1, 1);
    for (int i = 0; i < s->n && count && pocket; i++) {
        const int c = *place_of(s, key_of(s, i)), kind = kind_of(s, i);
        const cell *pool = &s->cells[first_of(s, c)];
        if (!is_full(pool)) continue; /* drops and spray */
        const size_t row = pool->rows + (size_t)(along(s, i) - pool->low);
        count[row * fluids + (size_t)kind]++;
        if (s->cells[c].kind[kind] >= FULL) pocket[row] |= (unsigned char)(1 << kind);
    }
    for (int c = 0; c < s->count && count && pocket; c++) {
        const cell *pool = &s->cells[c];
        if (pool->parent != c || !is_full(pool)) continue;
        deep = fmax(deep, deepest_row(s->scene, count + pool->rows * fluids, pocket + pool->rows,
                                      (size_t)(pool->high - pool->low) + 1));
    }
    if (count && pocket) deep = fmax(deep, 0.0);
    free(count), free(pocket);
    return deep;
}

double mn_heaviest_over_lightest(const mn_scene *s)
{
    double low = INFINITY, high = 0.0;
    for (int f = 0; f < s->fluid_count; f++)
        low = fmin(low, s->fluids[f].density), high = fmax(high, s->fluids[f].density);
    return high / low;
}

bool mn_depth_of(const mn_scene *s, const double down[3], const real4 *pos, const real4 *vel, int n, mn_depth *out)
{
    const double several = mn_heaviest_over_lightest(s);
    survey all = {.scene = s, .pos = pos, .vel = several > 1.0 ? vel : NULL, .n = n};
    for (int a = 0; a < 3; a++) all.down[a] = down[a] / s->spacing;
    double deep = -1.0;
    if (count_cells(&all)) {
        connect(&all);
        deep = deepest(&all);
        if (several > 1.0 && deep * several > DEEP) deep = deepest_of_several(&all);
    }
    free(all.cells), free(all.table);
    *out = (mn_depth){deep >= 0.0, deep > DEEP ? deep * s->spacing : 0.0, {down[0], down[1], down[2]}};
    return out->known;
}
