/* free_pieces.c -- pieces of liquid that touch nothing (kernels/tension/free_liquid.h). */
#include "methods/free_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = sizeof((mn_pieces *)0)->label / sizeof(float), LEAST = 8, ANEW = 64 };

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Keeps the larger ones, the largest first. */
static void add(mn_pieces *p, int size[MOST], float label, int particles)
{
    int at = p->count;
    while (at > 0 && size[at - 1] < particles) at--;
    if (particles < LEAST || at == MOST) return;
    const int last = p->count < MOST ? p->count++ : MOST - 1;
    for (int k = last; k > at; k--) p->label[k] = p->label[k - 1], size[k] = size[k - 1];
    p->label[at] = label, size[at] = particles;
}

static void list(mn_world *w, mn_pieces *p)
{
    const size_t n = (size_t)w->par.n;
    float *label = malloc(n * sizeof *label + 4);
    int size[MOST];
    p->count = 0;
    p->known = label && w->api->get(w->device, w->field[MN_FIELD_piece], 0, label, n * sizeof *label);
    if (!p->known) w->failed = true;
    else qsort(label, n, sizeof *label, by_value);
    for (size_t from = 0, to; p->known && from < n; from = to) {
        for (to = from + 1; to < n && label[to] == label[from];) to++;
        add(p, size, label[from], (int)(to - from));
    }
    p->particles = w->par.n;
    free(label);
}

/* Pieces that have met are seen at once, those that have parted within ANEW steps. */
static void find(mn_world *w, mn_pieces *p)
{
    bool changed = !p->known || p->particles != w->par.n;
    double sum[4] = {0};
    if (w->steps % ANEW == 0) mn_run(w, MN_KERNEL_piece_alone, MN_NO_ARG), changed = true;
    do {
        mn_run_sum(w, MN_KERNEL_piece_look, MN_NO_ARG, sum);
        if (sum[0] > 0.0) mn_run(w, MN_KERNEL_piece_take, MN_NO_ARG), changed = true;
    } while (sum[0] > 0.0 && !w->failed);
    if (changed) list(w, p);
}

/* What changes the rate of turning: x with (tr S - S) x = torque; S in xx, yy, zz, xy, xz, yz. */
static void turning(const double s[6], const double torque[3], double x[3])
{
    const double a[3][3] = {{s[1] + s[2], -s[3], -s[4]}, {-s[3], s[0] + s[2], -s[5]}, {-s[4], -s[5], s[0] + s[1]}};
    double inverse[3][3], det = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            inverse[i][k] = a[k1][i1] * a[k2][i2] - a[k1][i2] * a[k2][i1];
        }
    for (int k = 0; k < 3; k++) det += a[0][k] * inverse[k][0];
    const double size = a[0][0] + a[1][1] + a[2][2];
    for (int i = 0; i < 3; i++) {
        x[i] = 0;
        for (int k = 0; k < 3; k++) x[i] += det > 1e-6 * size * size * size ? inverse[i][k] * torque[k] / det : 0.0;
    }
}

/* less: the acceleration of the rest. */
static void balance(mn_world *w, float label, const double sum[4], const double less[3])
{
    double middle[4], c[3], torque[4], spread[4], skew[4], turn[3];
    mn_run_sum(w, MN_KERNEL_piece_middle, MN_ARG(label), middle);
    for (int a = 0; a < 3; a++) c[a] = middle[a] / sum[3];
    const real4 at = {label, (float)c[0], (float)c[1], (float)c[2]};
    mn_run_sum(w, MN_KERNEL_piece_torque, at, torque);
    mn_run_sum(w, MN_KERNEL_piece_spread, at, spread);
    mn_run_sum(w, MN_KERNEL_piece_skew, at, skew);
    turning((const double[6]){spread[0], spread[1], spread[2], spread[3], skew[0], torque[3]}, torque, turn);
    double push[3];
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        push[a] = sum[a] / sum[3] - less[a] - (turn[b] * c[d] - turn[d] * c[b]);
    }
    mn_run(w, MN_KERNEL_piece_carry, (real4){label, (float)push[0], (float)push[1], (float)push[2]});
    mn_run(w, MN_KERNEL_piece_turn, (real4){label, (float)turn[0], (float)turn[1], (float)turn[2]});
}

void mn_pieces_balance(mn_world *w, mn_pieces *p, const double total[4])
{
    double sum[MOST][4], rest[4], less[3];
    memcpy(rest, total, sizeof rest);
    find(w, p);
    for (int k = 0; k < p->count; k++) {
        mn_run_sum(w, MN_KERNEL_piece_sum, MN_ARG(p->label[k]), sum[k]);
        for (int a = 0; a < 4; a++) rest[a] -= sum[k][a];
    }
    const bool crumbs = rest[3] > 1e-6 * total[3];
    for (int a = 0; a < 3; a++) less[a] = crumbs ? rest[a] / rest[3] : 0.0;
    if (crumbs) mn_run(w, MN_KERNEL_laplace_balance, (real4){(float)less[0], (float)less[1], (float)less[2], 0.0f});
    for (int k = 0; k < p->count && !w->failed; k++) balance(w, p->label[k], sum[k], less);
}
