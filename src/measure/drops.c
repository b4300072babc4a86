/* drops.c -- neighbours of particles, and the connected pieces that they form. */
#include <math.h>
#include <stdlib.h>

#include "base/exact.h"
#include "measure/particle_cells.h"
#include "measure/measure.h"

/* -- nearest neighbours -------------------------------------------------------------------------------------------- */

static void keep_least(void *state, int64_t i, int64_t j, double distance2)
{
    double *least = state;
    (void)i, (void)j;
    if (distance2 < *least) *least = distance2;
}

bool mn_measure_nearest(const mn_cloud *c, double limit, mn_nearest_summary *out)
{
    mn_cells s;
    if (!mn_cells_sort(c, 2 * c->spacing, &s)) return false;
    double sum = 0;
    int64_t close = 0, alone = 0;
    for (int64_t i = 0; i < c->count; i++) {
        double least = INFINITY;
        mn_cells_near(c, &s, i, keep_least, &least);
        const double r = sqrt(least) / c->spacing;
        if (isinf(r)) alone++;
        else sum += r;
        close += r < limit;
    }
    mn_cells_free(&s);
    const double n = c->count > 0 ? (double)c->count : 1;
    *out = (mn_nearest_summary){sum / fmax(1, n - (double)alone), (double)close / n, (double)alone / n};
    return true;
}

static void count_one(void *state, int64_t i, int64_t j, double distance2)
{
    (void)i, (void)j, (void)distance2;
    ++*(int *)state;
}

bool mn_measure_inside(const mn_cloud *c, bool *inside)
{
    enum { COMPANY = 10 };
    mn_cells s;
    if (!mn_cells_sort(c, 2 * c->spacing, &s)) return false;
    for (int64_t i = 0; i < c->count; i++) {
        int others = 0;
        mn_cells_near(c, &s, i, count_one, &others);
        inside[i] = others >= COMPANY;
    }
    mn_cells_free(&s);
    return true;
}

/* -- pieces -------------------------------------------------------------------------------------------------------- */

static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(void *state, int64_t i, int64_t j, double distance2)
{
    int64_t *parent = state;
    (void)distance2;
    parent[root_of(parent, i)] = root_of(parent, j);
}

/* The root of each particle's piece; NULL when out of memory. */
static int64_t *label(const mn_cloud *c)
{
    mn_cells s = {0};
    int64_t *parent = malloc((size_t)(c->count > 0 ? c->count : 1) * sizeof *parent);
    if (!parent || !mn_cells_sort(c, 1.5 * c->spacing, &s)) {
        free(parent);
        return NULL;
    }
    for (int64_t i = 0; i < c->count; i++) parent[i] = i;
    for (int64_t i = 0; i < c->count; i++) mn_cells_near(c, &s, i, join, parent);
    for (int64_t i = 0; i < c->count; i++) parent[i] = root_of(parent, i);
    mn_cells_free(&s);
    return parent;
}

bool mn_measure_pieces(const mn_cloud *c, int least, int *pieces, int64_t *largest, int64_t *crumbs)
{
    int64_t *root = label(c), *size = calloc((size_t)(c->count > 0 ? c->count : 1), sizeof *size);
    const bool good = root && size;
    *pieces = 0;
    *largest = *crumbs = 0;
    for (int64_t i = 0; i < c->count && good; i++) size[root[i]]++;
    for (int64_t i = 0; i < c->count && good; i++) {
        if (size[i] >= least) (*pieces)++;
        else *crumbs += size[i];
        if (size[i] > *largest) *largest = size[i];
    }
    free(size);
    free(root);
    return good;
}

typedef struct member {
    int64_t root, index, size;
} member;

/* Large pieces first, then by their lowest particle; their particles in order. */
static int by_piece(const void *a, const void *b)
{
    const member *p = a, *q = b;
    if (p->size != q->size) return p->size > q->size ? -1 : 1;
    if (p->root != q->root) return p->root < q->root ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static mn_drop describe(const mn_cloud *all, const member *members, int64_t count, float *scratch)
{
    for (int64_t k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) scratch[3 * k + a] = all->position[3 * members[k].index + a];
    const mn_cloud own = {scratch, count, all->spacing};
    mn_drop drop = {.particles = count, .volume = (double)count * mn_power(all->spacing, 3)};
    drop.diameter = mn_cbrt(6 * drop.volume / M_PI);
    mn_measure_moments(&own, drop.centre, drop.axes);
    for (int a = 0; a < 3; a++) drop.axes[a] = sqrt(5 * fmax(0, drop.axes[a]));
    return drop;
}

/* The lowest particle of each piece stands for it, whatever the roots are. */
static void sort_members(member *members, const int64_t *root, int64_t *first, int64_t n)
{
    for (int64_t i = n - 1; i >= 0; i--) first[root[i]] = i;
    for (int64_t i = 0; i < n; i++) members[i] = (member){first[root[i]], i, 0};
    for (int64_t i = 0; i < n; i++) first[i] = 0;
    for (int64_t i = 0; i < n; i++) first[members[i].root]++;
    for (int64_t i = 0; i < n; i++) members[i].size = first[members[i].root];
    qsort(members, (size_t)n, sizeof *members, by_piece);
}

bool mn_measure_drops(const mn_cloud *c, int least, mn_drop **drops, int *count, int64_t *crumbs)
{
    const size_t n = (size_t)(c->count > 0 ? c->count : 1);
    int64_t *root = label(c), *first = calloc(n, sizeof *first);
    member *members = malloc(n * sizeof *members);
    float *scratch = malloc(3 * n * sizeof *scratch);
    int64_t largest;
    *drops = NULL;
    *count = 0;
    *crumbs = 0;
    bool good = root && first && members && scratch && mn_measure_pieces(c, least, count, &largest, crumbs);
    if (good) good = (*drops = calloc((size_t)*count + 1, sizeof **drops));
    if (good) sort_members(members, root, first, c->count);
    int64_t at = 0;
    for (int k = 0; k < *count && good; k++) {
        (*drops)[k] = describe(c, members + at, members[at].size, scratch);
        at += members[at].size;
    }
    free(root);
    free(first);
    free(members);
    free(scratch);
    return good;
}

bool mn_measure_largest(const mn_cloud *c, float *position, int64_t *count)
{
    int64_t *root = label(c), *size = calloc((size_t)(c->count > 0 ? c->count : 1), sizeof *size), best = 0;
    const bool good = root && size;
    *count = 0;
    for (int64_t i = 0; i < c->count && good; i++) size[root[i]]++;
    for (int64_t i = 0; i < c->count && good; i++) /* of equal ones that of the lowest particle */
        if (size[root[i]] > size[root[best]]) best = i;
    for (int64_t i = 0; i < c->count && good; i++) {
        if (root[i] != root[best]) continue;
        for (int a = 0; a < 3; a++) position[3 * *count + a] = c->position[3 * i + a];
        ++*count;
    }
    free(root);
    free(size);
    return good;
}
