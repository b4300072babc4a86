/* boxes.c -- a tree over boxes, split at the median centre along the longest axis; see boxes.h. */
#include "geometry/boxes.h"

#include <math.h>
#include <stdlib.h>

typedef struct node {
    double low[3], high[3];
    int first, second; /* children; leaf: the box, -1 */
} node;

typedef struct centred {
    double key;
    int box;
} centred;

struct mn_boxes {
    node *nodes;
    int node_count;
    int *endless, endless_count;
};

typedef struct builder {
    const double (*low)[3], (*high)[3];
    centred *order;
    mn_boxes *tree;
} builder;

static int by_key(const void *a, const void *b)
{
    const centred *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->box > y->box) - (x->box < y->box);
}

/* Sorts order[first..end) along the axis in which the centres spread most. */
static void sort_along(builder *b, int first, int end)
{
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = first; i < end; i++)
        for (int a = 0; a < 3; a++) {
            const double c = b->low[b->order[i].box][a] + b->high[b->order[i].box][a];
            least[a] = fmin(least[a], c), most[a] = fmax(most[a], c);
        }
    int axis = 0;
    for (int a = 1; a < 3; a++)
        if (most[a] - least[a] > most[axis] - least[axis]) axis = a;
    for (int i = first; i < end; i++) b->order[i].key = b->low[b->order[i].box][axis] + b->high[b->order[i].box][axis];
    qsort(b->order + first, (size_t)(end - first), sizeof *b->order, by_key);
}

/* Depth is log2 of the count. Rounding of a distance must not put a shape outside of its box: the boxes of leaves
 * are a little larger. */
static int build(builder *b, int first, int end)
{
    const int at = b->tree->node_count++;
    node *n = &b->tree->nodes[at];
    if (end - first == 1) {
        const int box = b->order[first].box;
        *n = (node){.first = box, .second = -1};
        for (int a = 0; a < 3; a++) {
            const double low = b->low[box][a], high = b->high[box][a],
                         slack = 1e-9 * (fabs(low) + fabs(high) + (high - low));
            n->low[a] = low - slack, n->high[a] = high + slack;
        }
        return at;
    }
    sort_along(b, first, end);
    const int middle = first + (end - first) / 2;
    n->first = build(b, first, middle);
    n->second = build(b, middle, end);
    const node *l = &b->tree->nodes[n->first], *r = &b->tree->nodes[n->second];
    for (int a = 0; a < 3; a++) n->low[a] = fmin(l->low[a], r->low[a]), n->high[a] = fmax(l->high[a], r->high[a]);
    return at;
}

mn_boxes *mn_boxes_new(const double (*low)[3], const double (*high)[3], int count)
{
    mn_boxes *t = calloc(1, sizeof *t);
    builder b = {low, high, malloc(((size_t)count + 1) * sizeof *b.order), t};
    if (t)
        t->nodes = malloc((2 * (size_t)count + 1) * sizeof *t->nodes),
        t->endless = malloc(((size_t)count + 1) * sizeof *t->endless);
    if (!t || !b.order || !t->nodes || !t->endless) {
        mn_boxes_free(t);
        free(b.order);
        return NULL;
    }
    int bounded = 0;
    for (int k = 0; k < count; k++) {
        bool ends = true;
        for (int a = 0; a < 3; a++) ends = ends && isfinite(low[k][a]) && isfinite(high[k][a]);
        if (ends) b.order[bounded++].box = k;
        else t->endless[t->endless_count++] = k;
    }
    if (bounded) build(&b, 0, bounded);
    free(b.order);
    return t;
}

void mn_boxes_free(mn_boxes *boxes)
{
    if (!boxes) return;
    free(boxes->nodes), free(boxes->endless), free(boxes);
}

static double gap_of(const node *n, const double x[3])
{
    double outside2 = 0, inside = -INFINITY;
    for (int a = 0; a < 3; a++) {
        const double below = n->low[a] - x[a], above = x[a] - n->high[a], q = below > above ? below : above;
        outside2 += q > 0 ? q * q : 0;
        inside = q > inside ? q : inside; /* fmax is a call on plain x86-64 */
    }
    return inside > 0 ? sqrt(outside2) : inside;
}

static double visit(const mn_boxes *t, int at, const double x[3], double radius, mn_boxes_look *look, void *user)
{
    const node *n = &t->nodes[at];
    if (n->second < 0) return look(user, n->first, radius);
    const double gap[2] = {gap_of(&t->nodes[n->first], x), gap_of(&t->nodes[n->second], x)};
    const int nearer = gap[1] < gap[0];
    for (int k = 0; k < 2; k++) {
        const int side = k ^ nearer;
        if (gap[side] < radius) radius = visit(t, side ? n->second : n->first, x, radius, look, user);
    }
    return radius;
}

double mn_boxes_visit(const mn_boxes *boxes, const double x[3], double radius, mn_boxes_look *look, void *user)
{
    for (int k = 0; k < boxes->endless_count; k++) radius = look(user, boxes->endless[k], radius);
    if (boxes->node_count && gap_of(&boxes->nodes[0], x) < radius) radius = visit(boxes, 0, x, radius, look, user);
    return radius;
}
