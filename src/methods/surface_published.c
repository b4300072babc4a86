/* surface_published.c -- areas as Orthmann et al. 2013 print them, and the band of a colour gradient that they compare
 * with (Adami et al. 2010), for fluids whose `estimator` asks for it (docs/methods/surface-area.md). Both reach five
 * spacings, H = 2.5 h with h = 2 d, farther than the lists: they are made here, on the host, one particle after the
 * other, in double; the same bits on every device.
 *
 *   m = sum V_j W_ij x_j/sum V_j W_ij,  phi = |x - m| - d      W = (1 - r^2/H^2)^3
 *   delta* = 2 (1 + phi/d), between 0 and 2; the most where det C < 2.7e-4 H^6 (sheets) or neighbours are fewer than 30
 *   delta <- (1 - kappa) delta + kappa delta*, delta* computed again where a density changes by more than
 *       `coherence` in a step, elsewhere every `refresh` steps; at once for new particles
 *   A = a V/(k d),  a = sum delta_j V_j w_ij/sum V_j w_ij where that is above a_min, 0 elsewhere; w as W with h
 *   V = v/max(1, n),  n = sum v_j w_ij with the norm of poly6
 *
 *   colour gradient: A = 2 V |sum V_j gradW_ij|, without W's norm
 *
 * Walls are not filled space here. k, a_min and the most of delta are those of a flat surface of a lattice. */
#include "methods/surface_published.h"
#include "core/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OURS, PRINTED, GRADIENT };
static const double WIDE = 5.0, NARROW = 2.0, THIN = 2.7e-4 * 15625.0;     /* spacings; of det C, d^6 */
static const double POLY6 = 315.0 / (64.0 * 3.14159265358979323846 * 8.0); /* norm of w, 1/d^3 */
enum { FEW = 30 };

static double weight(double r2, double reach)
{
    const double s = 1.0 - r2 / (reach * reach);
    return s > 0.0 ? s * s * s : 0.0;
}

/* ------------------------------------------------------------------------------------------------------ constants */

static double printed_delta(double offset)
{
    return fmin(fmax(2.0 * offset, 0.0), 2.0); /* 2 (1 + (offset - d)/d), lengths in d */
}

/* Sums over a half space of a cubic lattice, seen from layer `at`; layer 0 is the surface. V of each layer stands in
 * `volume`, and `value` is added up with it. */
typedef struct half_space {
    double all, offset, slope, value;
} half_space;

static half_space look(int at, double reach, const double *volume, const double *value)
{
    const int far = (int)reach;
    half_space s = {0};
    for (int y = -(at < far ? at : far); y <= far; y++)
        for (int x = -far; x <= far; x++)
            for (int z = -far; z <= far; z++) {
                const double v = volume[at + y], w = v * weight(x * x + y * y + z * z, reach);
                const double p = fmax(1.0 - (x * x + y * y + z * z) / (reach * reach), 0.0);
                s.all += w, s.offset += w * y, s.slope += v * p * p * y, s.value += w * value[at + y];
            }
    return s;
}

mn_surface_published mn_surface_published_constants(void)
{
    enum { DEEP = 16 };
    double volume[DEEP], delta[DEEP] = {0}, share[3], n[3];
    for (int k = 0; k < DEEP; k++) volume[k] = 1.0;
    for (int k = 0; k < 3; k++) n[k] = POLY6 * look(k, NARROW, volume, delta).all;
    for (int k = 0; k < DEEP; k++) volume[k] = 1.0 / fmax(1.0, n[k < 2 ? k : 2]);
    for (int k = 0; k < 8; k++) {
        const half_space s = look(k, WIDE, volume, delta);
        delta[k] = printed_delta(s.offset / s.all);
    }
    mn_surface_published c = {.most = delta[0]};
    for (int k = 0; k < 3; k++) {
        const half_space s = look(k, NARROW, volume, delta);
        share[k] = s.value / s.all;
    }
    c.least = 0.5 * (share[1] + share[2]);
    c.scale = share[0] * volume[0] + share[1] * volume[1];
    for (int k = 0; k < 5; k++) c.slope += volume[k] * look(k, WIDE, volume, delta).slope;
    c.top = look(0, WIDE, volume, delta).slope / c.slope;
    return c;
}

/* --------------------------------------------------------------------------------------------------- neighbours */

/* Particles by cells as wide as a kernel reaches; across a periodic face a cell comes again, with its shift. */
typedef struct cells {
    int n, slots;
    const real4 *pos;
    double low[3], side[3], span[3]; /* span 0: not periodic */
    int count[3];                    /* cells along a periodic axis */
    int *start, *entry, *cell;       /* start of each slot in entry; cell: three numbers a particle */
} cells;

static double along(const real4 *p, int axis) { return (double)(axis == 0 ? p->x : axis == 1 ? p->y : p->z); }

static int slot_of(const cells *c, const int at[3])
{
    const uint32_t key = (uint32_t)at[0] * 73856093u ^ (uint32_t)at[1] * 19349663u ^ (uint32_t)at[2] * 83492791u;
    return (int)((key ^ key >> 15) & (uint32_t)(c->slots - 1));
}

static void free_cells(cells *c) { free(c->start), free(c->entry), free(c->cell); }

static bool make_cells(cells *c, const params *par, const real4 *pos, int n, double spacings)
{
    const double reach = spacings * (double)par->spacing;
    const float low[3] = {par->low_x, par->low_y, par->low_z}, span[3] = {par->span_x, par->span_y, par->span_z};
    c->n = n, c->pos = pos, c->slots = 1024;
    while (c->slots < n) c->slots *= 2;
    for (int k = 0; k < 3; k++) {
        c->span[k] = (double)span[k], c->low[k] = span[k] > 0.0f ? (double)low[k] : 0.0;
        c->count[k] = span[k] > 0.0f ? (int)fmax(1.0, floor(c->span[k] / reach)) : 0;
        c->side[k] = c->count[k] ? c->span[k] / c->count[k] : reach;
    }
    c->start = calloc((size_t)c->slots + 1, sizeof *c->start);
    c->entry = malloc((size_t)n * sizeof *c->entry + 4), c->cell = malloc(3 * (size_t)n * sizeof *c->cell + 4);
    if (!c->start || !c->entry || !c->cell) return false;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            const double at = floor((along(&pos[i], k) - c->low[k]) / c->side[k]);
            c->cell[3 * i + k] = (int)fmin(fmax(at, c->count[k] ? 0.0 : -1e9), c->count[k] ? c->count[k] - 1 : 1e9);
        }
        c->start[slot_of(c, &c->cell[3 * i]) + 1]++;
    }
    for (int s = 0; s < c->slots; s++) c->start[s + 1] += c->start[s];
    for (int i = n - 1; i >= 0; i--) c->entry[--c->start[slot_of(c, &c->cell[3 * i]) + 1]] = i;
    /* each start has moved down to that of the slot before it: entries of slot s lie from start[s + 1] on */
    return true;
}

/* A visit of the neighbours of i in the 27 cells around it. */
typedef struct sums {
    double weight, first[3], second[6], slope[3], shared; /* of W, W x, W x x, W'x, and of delta with the narrow w */
    double narrow;
    int count; /* particles within H */
} sums;

typedef struct estimate {
    cells wide, near;       /* of W and w */
    const float *rho;       /* rest density of each particle's fluid */
    double *volume, *delta; /* V in d^3 */
    double inv_d;
} estimate;

static void add_wide(sums *s, const double x[3], double v)
{
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (r2 >= WIDE * WIDE) return;
    const double p = 1.0 - r2 / (WIDE * WIDE), w = v * p * p * p;
    s->count++, s->weight += w;
    for (int k = 0; k < 3; k++) s->first[k] += w * x[k], s->slope[k] += v * p * p * x[k];
    s->second[0] += w * x[0] * x[0], s->second[1] += w * x[1] * x[1], s->second[2] += w * x[2] * x[2];
    s->second[3] += w * x[0] * x[1], s->second[4] += w * x[0] * x[2], s->second[5] += w * x[1] * x[2];
}

static void add_near(sums *s, const double x[3], double v, double delta)
{
    const double w = v * weight(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], NARROW);
    s->narrow += w, s->shared += w * delta;
}

/* Everything in one cell that is i's liquid; shift in m. */
static void visit_cell(const estimate *e, const cells *c, int i, const int at[3], const double shift[3], sums *s)
{
    const int slot = slot_of(c, at), end = slot + 1 < c->slots ? c->start[slot + 2] : c->n;
    for (int k = c->start[slot + 1]; k < end; k++) {
        const int j = c->entry[k];
        if (memcmp(&c->cell[3 * j], at, 3 * sizeof *at) != 0 || e->rho[j] != e->rho[i]) continue;
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = (along(&c->pos[j], a) + shift[a] - along(&c->pos[i], a)) * e->inv_d;
        if (c == &e->wide) add_wide(s, x, e->volume[j]);
        else add_near(s, x, e->volume[j], e->delta[j]);
    }
}

static sums visit(const estimate *e, const cells *c, int i)
{
    sums s = {0};
    for (int o = 0; o < 27; o++) {
        const int step[3] = {o % 3 - 1, o / 3 % 3 - 1, o / 9 - 1};
        int at[3];
        double shift[3] = {0};
        for (int k = 0; k < 3; k++) {
            at[k] = c->cell[3 * i + k] + step[k];
            if (!c->count[k]) continue;
            if (at[k] < 0) at[k] += c->count[k], shift[k] = -c->span[k];
            else if (at[k] >= c->count[k]) at[k] -= c->count[k], shift[k] = c->span[k];
        }
        visit_cell(e, c, i, at, shift, &s);
    }
    return s;
}

/* ------------------------------------------------------------------------------------------------------- estimates */

/* delta* of eq. 2, 4 and 6 */
static double fresh_delta(const sums *s, double most)
{
    double e[3], c[6];
    for (int k = 0; k < 3; k++) e[k] = s->first[k] / s->weight;
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) c[k] = s->second[k] / s->weight - e[row[k]] * e[column[k]];
    const double det =
        c[0] * (c[1] * c[2] - c[5] * c[5]) - c[3] * (c[3] * c[2] - c[5] * c[4]) + c[4] * (c[3] * c[5] - c[1] * c[4]);
    if (det < THIN || s->count - 1 < FEW) return most;
    return printed_delta(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]));
}

/* What goes back to the device. */
typedef struct outcome {
    float *area, *delta;
    real4 *skin;
} outcome;

static void set_skin(real4 *skin, const double out[3], bool at_surface)
{
    const double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    const double inv = at_surface && size > 1e-9 ? -1.0 / size : 0.0;
    *skin = (real4){(float)(inv * out[0]), (float)(inv * out[1]), (float)(inv * out[2]), 0.0f};
}

/* Share of the new delta after `passed` steps. */
static double taken(double smoothing, int passed, bool is_new)
{
    double kept = is_new ? 0.0 : 1.0;
    for (int k = 0; k < passed; k++) kept *= 1.0 - smoothing;
    return 1.0 - kept;
}

/* What a fluid asks for. */
typedef struct wish {
    int kind, refresh;
    double coherence, smoothing;
} wish;

/* delta of the paper's, by how densities `changed` in this step. */
static void renew(const estimate *e, const mn_surface_published *c, const wish *of, int64_t steps, int passed,
                  double changed, int i, outcome *out)
{
    const bool is_new = !(out->delta[i] > 0.0f), rests = changed <= of->coherence && of->refresh > passed;
    if (rests && !is_new && steps % of->refresh >= passed) return;
    const sums s = visit(e, &e->wide, i);
    const double part = taken(of->smoothing, rests ? of->refresh : passed, is_new);
    e->delta[i] += part * (fresh_delta(&s, c->most) - e->delta[i]);
    out->delta[i] = (float)fmax(e->delta[i] / c->most, 1e-6);
    set_skin(&out->skin[i], s.first, true);
}

/* Area of one particle, in d^2; 0: not at the surface. */
static double area_of(const estimate *e, const mn_surface_published *c, int kind, int i, outcome *out)
{
    if (kind == PRINTED) {
        const sums s = visit(e, &e->near, i);
        const double share = s.shared / s.narrow;
        return share > c->least ? e->volume[i] * share / c->scale : 0.0;
    }
    const sums s = visit(e, &e->wide, i);
    const double share = sqrt(s.slope[0] * s.slope[0] + s.slope[1] * s.slope[1] + s.slope[2] * s.slope[2]) / c->slope;
    out->delta[i] = (float)fmax(fmin(share / c->top, 1.0), 1e-6);
    set_skin(&out->skin[i], s.slope, true);
    return share > 0.05 * c->top ? e->volume[i] * share : 0.0;
}

static void estimate_all(mn_world *w, estimate *e, const real4 *vel, const float *changed, const wish *wishes,
                         int passed, outcome *out)
{
    const int n = e->wide.n;
    const double d = (double)w->par.spacing;
    const mn_surface_published c = mn_surface_published_constants();
    for (int i = 0; i < n; i++) {
        const wish *of = &wishes[(int)vel[i].w];
        e->delta[i] = (double)out->delta[i] * c.most;
        if (of->kind == PRINTED) renew(e, &c, of, w->steps, passed, (double)changed[i], i, out);
    }
    for (int i = 0; i < n; i++) {
        const int kind = wishes[(int)vel[i].w].kind;
        if (kind == OURS) continue;
        out->area[i] = (float)(area_of(e, &c, kind, i, out) * d * d);
        if (!(out->area[i] > 0.0f)) out->skin[i] = (real4){0.0f, 0.0f, 0.0f, 0.0f};
    }
}

static bool put(mn_world *w, int field, const void *data, size_t bytes)
{
    w->stale[field] = true;
    return w->api->put(w->device, w->field[field], 0, data, bytes);
}

bool mn_surface_published_asked(const mn_world *w, const mn_model *a)
{
    for (int f = 0; f < w->par.fluids; f++)
        if (mn_model_param(w, a, f, "estimator") > 0.5f) return true;
    return false;
}

bool mn_surface_published_run(mn_world *w, const mn_model *a, const float *old_delta, int passed)
{
    const int n = w->layout.fluid;
    const size_t size = (size_t)n;
    wish wishes[MN_MAX_FLUIDS] = {{0}};
    for (int f = 0; f < w->par.fluids; f++)
        wishes[f] = (wish){(int)(mn_model_param(w, a, f, "estimator") + 0.5f), (int)mn_model_param(w, a, f, "refresh"),
                           (double)mn_model_param(w, a, f, "coherence"), (double)mn_model_param(w, a, f, "smoothing")};
    real4 *pos = mn_fetch(w, MN_FIELD_pos), *vel = mn_fetch(w, MN_FIELD_vel);
    float *rate = mn_fetch(w, MN_FIELD_source), *rho = malloc(4 * size + 4);
    outcome out = {mn_fetch(w, MN_FIELD_area), mn_fetch(w, MN_FIELD_delta), mn_fetch(w, MN_FIELD_skin)};
    estimate e = {.rho = rho,
                  .volume = malloc(8 * size + 8),
                  .delta = malloc(8 * size + 8),
                  .inv_d = 1.0 / (double)w->par.spacing};
    bool ok = pos && vel && rate && rho && out.area && out.delta && out.skin && e.volume && e.delta &&
              make_cells(&e.wide, &w->par, pos, n, WIDE) && make_cells(&e.near, &w->par, pos, n, NARROW);
    for (int i = 0; i < n && ok; i++) {
        const int fluid = (int)vel[i].w;
        rho[i] = w->par.density[fluid];
        e.volume[i] = (double)pos[i].w * e.inv_d * e.inv_d * e.inv_d;
        rate[i] = rate[i] > -1e19f ? (float)(fabs((double)rate[i]) * w->dt) : 0.0f;
        if (wishes[fluid].kind != OURS) out.delta[i] = old_delta[i];
    }
    for (int i = 0; i < n && ok; i++) e.delta[i] = POLY6 * visit(&e, &e.near, i).narrow;
    for (int i = 0; i < n && ok; i++) e.volume[i] /= fmax(1.0, e.delta[i]);
    if (ok) {
        estimate_all(w, &e, vel, rate, wishes, passed, &out);
        ok = put(w, MN_FIELD_area, out.area, 4 * size) && put(w, MN_FIELD_delta, out.delta, 4 * size) &&
             put(w, MN_FIELD_skin, out.skin, 16 * size);
    }
    free(pos), free(vel), free(rate), free(rho), free(out.area), free(out.delta), free(out.skin);
    free(e.volume), free(e.delta), free_cells(&e.wide), free_cells(&e.near);
    return ok;
}
