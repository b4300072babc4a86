/* particle_cells.c -- particles sorted into cubic cells; see particle_cells.h. */
#include "measure/particle_cells.h"

#include <math.h>
#include <stdlib.h>

static int by_key(const void *a, const void *b)
{
    const mn_celled *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

bool mn_cells_sort(const mn_cloud *c, double side, mn_cells *out)
{
    *out = (mn_cells){malloc((size_t)(c->count > 0 ? c->count : 1) * sizeof *out->entry), c->count, side};
    if (!out->entry) return false;
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        const int64_t key =
            mn_cell_key((int64_t)floor(p[0] / side), (int64_t)floor(p[1] / side), (int64_t)floor(p[2] / side));
        out->entry[i] = (mn_celled){key, i};
    }
    qsort(out->entry, (size_t)c->count, sizeof *out->entry, by_key);
    return true;
}

static int64_t first_of(const mn_cells *s, int64_t key)
{
    int64_t low = 0, high = s->count;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        if (s->entry[mid].key < key) low = mid + 1;
        else high = mid;
    }
    return low;
}

void mn_cells_free(mn_cells *cells) { free(cells->entry); }

void mn_cells_near(const mn_cloud *c, const mn_cells *s, int64_t i, mn_cell_visit *visit, void *state)
{
    const float *p = c->position + 3 * i;
    const int64_t x = (int64_t)floor(p[0] / s->side), y = (int64_t)floor(p[1] / s->side),
                  z = (int64_t)floor(p[2] / s->side);
    for (int64_t a = x - 1; a <= x + 1; a++)
        for (int64_t b = y - 1; b <= y + 1; b++) {
            const int64_t last = mn_cell_key(a, b, z + 1);
            for (int64_t e = first_of(s, mn_cell_key(a, b, z - 1)); e < s->count && s->entry[e].key <= last; e++) {
                const int64_t j = s->entry[e].index;
                const float *q = c->position + 3 * j;
                const double dx = (double)(p[0] - q[0]), dy = (double)(p[1] - q[1]), dz = (double)(p[2] - q[2]);
                const double r2 = dx * dx + dy * dy + dz * dz;
                if (j != i && r2 < s->side * s->side) visit(state, i, j, r2);
            }
        }
}
