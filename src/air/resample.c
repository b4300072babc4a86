/* resample.c -- a simulated flow onto a regular grid, so that another scene can take it as its air (output.grid).
 *
 *   v(x) = sum_j V_j W(x - x_j) v_j / sum_j V_j W(x - x_j)
 *
 * over the particles of the chosen fluid, at one moment or, both sums, over the steps of a window of time. Where the
 * lower sum is below a tenth nothing flows: v = 0. The sums go with the checkpoints, so an interrupted run writes
 * the same grids.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "air/air.h"
#include "base/host_spline.h"
#include "core/parts.h"
#include "core/world.h"
#include "io/vti.h"

typedef struct resample {
    double (*sum)[4]; /* NULL: none yet */
} resample;

static resample *resample_of(const mn_world *w) { return mn_part_of(w, &mn_resample_system); }

static void dims_of(const mn_grid_output *g, int dims[3])
{
    for (int a = 0; a < 3; a++) dims[a] = (int)floor((g->high[a] - g->low[a]) / g->spacing + 1e-6) + 1;
}

/* Sums of a node: V W v and V W, all times the seconds they lasted; one entry more for the seconds in all. */
static long entries(const mn_grid_output *g)
{
    int dims[3];
    dims_of(g, dims);
    return (long)dims[0] * dims[1] * dims[2] + 1;
}

static bool ensure_sums(mn_world *w)
{
    resample *r = resample_of(w);
    if (!r->sum) r->sum = calloc((size_t)entries(&w->scene->grid_output), sizeof *r->sum);
    return r->sum != NULL;
}

/* One particle at x onto the nodes within its support. */
static void spread(const mn_grid_output *g, const int dims[3], double h, const double x[3], real4 v, double weight,
                   double (*sum)[4])
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++)
        if (x[a] < g->low[a] - h || x[a] > g->high[a] + h) return;
    for (int a = 0; a < 3; a++) {
        low[a] = (int)fmax(ceil((x[a] - h - g->low[a]) / g->spacing), 0.0);
        high[a] = (int)fmin(floor((x[a] + h - g->low[a]) / g->spacing), dims[a] - 1.0);
        if (low[a] > high[a]) return;
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                const double dx = g->low[0] + i * g->spacing - x[0], dy = g->low[1] + j * g->spacing - x[1],
                             dz = g->low[2] + k * g->spacing - x[2], q = sqrt(dx * dx + dy * dy + dz * dz) / h;
                if (q >= 1.0) continue;
                const double c = weight * mn_spline_shape(q);
                double *s = sum[((long)k * dims[1] + j) * dims[0] + i];
                s[0] += c * (double)v.x, s[1] += c * (double)v.y, s[2] += c * (double)v.z, s[3] += c;
            }
}

/* In the order of the particles, which depends on the state alone; across periodic faces too. */
static bool add(mn_world *w, double seconds)
{
    const mn_grid_output *g = &w->scene->grid_output;
    const int n = w->layout.fluid;
    real4 *pos = malloc((size_t)n * sizeof *pos + 16), *vel = malloc((size_t)n * sizeof *vel + 16);
    const bool ok = pos && vel && ensure_sums(w) &&
                    w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) &&
                    w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel);
    const double h = w->scene->support * w->scene->spacing, w0 = (double)w->par.w0;
    const double span[3] = {(double)w->par.span_x, (double)w->par.span_y, (double)w->par.span_z};
    const int far[3] = {span[0] > 0.0, span[1] > 0.0, span[2] > 0.0}; /* copies to each side */
    int dims[3];
    dims_of(g, dims);
    for (int i = 0; i < n && ok; i++) {
        if (g->fluid_index >= 0 && (int)vel[i].w != g->fluid_index) continue;
        const double weight = seconds * w0 * (double)pos[i].w;
        for (int sz = -far[2]; sz <= far[2]; sz++)
            for (int sy = -far[1]; sy <= far[1]; sy++)
                for (int sx = -far[0]; sx <= far[0]; sx++) {
                    const double x[3] = {(double)pos[i].x + sx * span[0], (double)pos[i].y + sy * span[1],
                                         (double)pos[i].z + sz * span[2]};
                    spread(g, dims, h, x, vel[i], weight, resample_of(w)->sum);
                }
    }
    if (ok) resample_of(w)->sum[entries(g) - 1][3] += seconds;
    free(pos), free(vel);
    return ok;
}

bool mn_resample_step(mn_world *w)
{
    const mn_grid_output *g = &w->scene->grid_output;
    if (!(g->every > 0.0 && g->average > 0.0)) return true;
    /* a window ends with the step that reaches its multiple of `every` */
    const double next = ceil(w->time / g->every - 1e-9) * g->every;
    const bool reached = floor(w->time / g->every + 1e-9) > floor((w->time - w->dt) / g->every + 1e-9);
    return (!reached && next - w->time > g->average) || add(w, w->dt);
}

mn_status mn_resample_write(mn_world *w, const char *path, mn_messages *say)
{
    const mn_grid_output *g = &w->scene->grid_output;
    const long nodes = entries(g) - 1;
    float *velocity = malloc((size_t)nodes * 3 * sizeof *velocity), *share = malloc((size_t)nodes * sizeof *share);
    bool ok = velocity && share && ensure_sums(w) && (resample_of(w)->sum[nodes][3] > 0.0 || add(w, 1.0));
    for (long i = 0; i < nodes && ok; i++) {
        const double *s = resample_of(w)->sum[i], there = s[3] / resample_of(w)->sum[nodes][3];
        share[i] = (float)there;
        for (int a = 0; a < 3; a++) velocity[3 * i + a] = there >= 0.1 ? (float)(s[a] / s[3]) : 0.0f;
    }
    mn_status status = MN_FAILED;
    if (ok) {
        const mn_vti_array arrays[2] = {{"velocity", 3, velocity}, {"share", 1, share}};
        int dims[3];
        dims_of(g, dims);
        status =
            mn_vti_write(path, w->time, dims, g->low, (double[3]){g->spacing, g->spacing, g->spacing}, arrays, 2, say);
        memset(resample_of(w)->sum, 0, ((size_t)nodes + 1) * sizeof *resample_of(w)->sum);
    } else mn_say_failure(say, MN_NOWHERE, "cannot make the grid %s: out of memory or device failure", path);
    free(velocity), free(share);
    return status;
}

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    const resample *r = me;
    if (!r->sum || !(w->scene->grid_output.average > 0.0)) return true;
    const long count = entries(&w->scene->grid_output);
    void *data = mn_snapshot_add(snap, "grid_sums", MN_F64, 4, count);
    if (data) memcpy(data, r->sum, (size_t)count * sizeof *r->sum);
    return data != NULL;
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    resample *r = me;
    const mn_array *a = mn_snapshot_find(snap, "grid_sums");
    free(r->sum);
    r->sum = NULL;
    const long count = entries(&w->scene->grid_output);
    if (!a || a->type != MN_F64 || a->width != 4 || a->count != count) return MN_OK;
    if (!ensure_sums(w) || !r->sum) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for the grid of the flow");
        return MN_FAILED;
    }
    memcpy(r->sum, a->data, (size_t)count * sizeof *r->sum);
    return MN_OK;
}

static void release(mn_world *w, void *me)
{
    (void)w;
    free(((resample *)me)->sum);
}

static double grid_nodes(const mn_grid_output *g)
{
    double nodes = g->every > 0.0 ? 1.0 : 0.0;
    for (int a = 0; a < 3 && nodes > 0.0; a++) nodes *= floor((g->high[a] - g->low[a]) / g->spacing) + 1.0;
    return nodes;
}

static mn_foreseen foresee(const mn_scene *s)
{
    return (mn_foreseen){"nodes of output.grid", grid_nodes(&s->grid_output), 0, 32};
}

const mn_system mn_resample_system = {.key = "resample",
                                      .bytes = sizeof(resample),
                                      .foresee = foresee,
                                      .free = release,
                                      .save = save,
                                      .restore = restore};
