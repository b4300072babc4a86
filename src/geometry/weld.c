/* weld.c -- points at the same place; see weld.h. */
#include "geometry/weld.h"

#include <stdlib.h>
#include <string.h>

/* Points by position, then by number. */
typedef struct placed {
    double x[3];
    int index;
} placed;

static int by_position(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k]) return a->x[k] < b->x[k] ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

bool mn_weld(const double *x, size_t count, int *out)
{
    placed *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(sorted[i].x, x + 3 * i, sizeof sorted[i].x);
        sorted[i].index = (int)i;
    }
    qsort(sorted, count, sizeof *sorted, by_position);
    for (size_t i = 0, first = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            if (sorted[i].x[k] != sorted[first].x[k]) first = i;
        out[sorted[i].index] = sorted[first].index;
    }
    free(sorted);
    return true;
}
