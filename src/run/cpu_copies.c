/* cpu_copies.c -- copies of particles across periodic faces on the CPU: which there are, their order, their fields. */
#include "run/cpu_backend.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* To which side a copy is due along one axis: a periodic box is at least four supports wide, so there is one at
 * most. */
static int copy_side(float x, float h, float low, float span)
{
    if (!(span > 0.0f)) return 0;
    return x + h > low + span ? -1 : x - h < low ? 1 : 0;
}

typedef struct copy {
    int cell;
    real4 shift;
} copy;

/* The copies of a particle that fall into known cells, seven at most: with some, but not none, of its sides. */
static int copies_of(const mn_strips *strips, const params *par, real4 x, copy out[7])
{
    const int sx = copy_side(x.x, par->h, par->low_x, par->span_x),
              sy = copy_side(x.y, par->h, par->low_y, par->span_y),
              sz = copy_side(x.z, par->h, par->low_z, par->span_z);
    int count = 0;
    for (int some = 1; some < 8; some++) {
        if ((some & 1 && !sx) || (some & 2 && !sy) || (some & 4 && !sz)) continue;
        const real4 shift = {some & 1 ? (float)sx * par->span_x : 0.0f, some & 2 ? (float)sy * par->span_y : 0.0f,
                             some & 4 ? (float)sz * par->span_z : 0.0f, 0.0f};
        mn_spot spot = mn_no_spot;
        const int cell = mn_cell_find(strips, x.x + shift.x, x.y + shift.y, x.z + shift.z, &spot);
        if (cell >= 0) out[count++] = (copy){cell, shift};
    }
    return count;
}

bool mn_cpu_copies(mn_backend *b, const params *par, mn_buffer *pos, int *count)
{
    if (!mn_cpu_finish(b)) return false;
    const int cells = mn_cpu_cells(b), n = par->n;
    if (!mn_cpu_reserve(b, &b->start[COPIES], ((size_t)cells + 2) * 4)) return false;
    int *start = b->start[COPIES]->data;
    const real4 *x = pos->data;
    memset(start, 0, ((size_t)cells + 2) * 4);
#pragma omp parallel for num_threads(b->threads) if (n > 4096)
    for (int i = 0; i < n; i++) {
        copy list[7];
        const int copies = copies_of(&b->strips, par, x[i], list);
        for (int k = 0; k < copies; k++) __atomic_fetch_add(&start[list[k].cell], 1, __ATOMIC_RELAXED);
    }
    mn_cpu_starts(start, cells);
    *count = start[cells];
    return true;
}

static void order_copies(int *source, real4 *shift, int count)
{
    for (int a = 1; a < count; a++) {
        const int moving = source[a];
        const real4 along = shift[a];
        int k = a;
        for (; k > 0 && source[k - 1] > moving; k--) source[k] = source[k - 1], shift[k] = shift[k - 1];
        source[k] = moving, shift[k] = along;
    }
}

bool mn_cpu_copy_order(mn_backend *b, const params *par, mn_buffer *pos, int count, mn_buffer *source, mn_buffer *shift)
{
    if (!mn_cpu_finish(b)) return false;
    const int cells = mn_cpu_cells(b), n = par->n;
    int *end = b->start[COPIES]->data,
        *from = source->data; /* end[c]: first place of cell c, one past its last after the scatter */
    real4 *by = shift->data;
    const real4 *x = pos->data;
    (void)count;
#pragma omp parallel for num_threads(b->threads) if (n > 4096)
    for (int i = 0; i < n; i++) {
        copy list[7];
        const int copies = copies_of(&b->strips, par, x[i], list);
        for (int k = 0; k < copies; k++) {
            const int place = __atomic_fetch_add(&end[list[k].cell], 1, __ATOMIC_RELAXED);
            from[place] = i, by[place] = list[k].shift;
        }
    }
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, 1024) if (n > 4096)
    for (int c = 0; c < cells; c++) {
        const int first = c ? end[c - 1] : 0;
        order_copies(from + first, by + first, end[c] - first);
    }
    return true;
}

bool mn_cpu_refresh(mn_backend *b, mn_buffer *field, int width, mn_buffer *source, mn_buffer *shift, mn_copy_kind kind,
                    int copies_at, int copies)
{
    if (!mn_cpu_finish(b)) return false;
    const int *from = source->data;
    if (width == 4) {
        int *f = field->data;
#pragma omp parallel for num_threads(b->threads) if (copies > 4096)
        for (int g = 0; g < copies; g++) f[copies_at + g] = f[from[g]];
        return true;
    }
    real4 *f = field->data;
    const real4 *add = shift->data;
#pragma omp parallel for num_threads(b->threads) if (copies > 4096)
    for (int g = 0; g < copies; g++) {
        real4 v = f[from[g]];
        if (kind == MN_COPIED_PLACE) v.x += add[g].x, v.y += add[g].y, v.z += add[g].z;
        if (kind == MN_COPIED_LEVER) v.w += v.x * add[g].x + v.y * add[g].y + v.z * add[g].z;
        f[copies_at + g] = v;
    }
    return true;
}
