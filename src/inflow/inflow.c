/* inflow.c -- emitters that add layers of particles and sinks that delete them.
 *
 * An emitter lays down its pattern each time the liquid has travelled one spacing, advanced by what it travelled too far, so the layers stay
 * one spacing apart whatever the time step. A particle that lies in an open sink when a step begins is moved out of every domain; the sort drops it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "geometry/geometry.h"
#include "world.h"

static const float GONE = 3.2e38f; /* beyond any keep_high */

/* Two unit vectors perpendicular to the direction. */
static void frame_of(const double n[3], double u[3], double v[3])
{
    const double helper[3] = {fabs(n[1]) < 0.9 ? 0.0 : 1.0, fabs(n[1]) < 0.9 ? 1.0 : 0.0, 0.0};
    u[0] = helper[1] * n[2] - helper[2] * n[1];
    u[1] = helper[2] * n[0] - helper[0] * n[2];
    u[2] = helper[0] * n[1] - helper[1] * n[0];
    const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int a = 0; a < 3; a++) u[a] /= length;
    v[0] = n[1] * u[2] - n[2] * u[1];
    v[1] = n[2] * u[0] - n[0] * u[2];
    v[2] = n[0] * u[1] - n[1] * u[0];
}

/* A square lattice of points within the opening; the disc takes those within its radius. */
static bool make_pattern(mn_emitter_state *e, double d)
{
    const mn_emitter *m = e->emitter;
    double u[3], v[3];
    frame_of(m->direction, u, v);
    const double half[2] = {m->disc ? m->radius : 0.5 * m->size[0], m->disc ? m->radius : 0.5 * m->size[1]};
    const int n[2] = {(int)fmax(1.0, floor(2.0 * half[0] / d + 1e-6)), (int)fmax(1.0, floor(2.0 * half[1] / d + 1e-6))};
    if ((double)n[0] * n[1] > 1e8) return false;
    e->offset = malloc((size_t)n[0] * (size_t)n[1] * 3 * sizeof *e->offset);
    if (!e->offset) return false;
    for (int a = 0; a < n[0]; a++)
        for (int b = 0; b < n[1]; b++) {
            const double x = (a - 0.5 * (n[0] - 1)) * d, y = (b - 0.5 * (n[1] - 1)) * d;
            if (m->disc && x * x + y * y > m->radius * m->radius) continue;
            for (int c = 0; c < 3; c++) e->offset[3 * e->count + c] = x * u[c] + y * v[c];
            e->count++;
        }
    return true;
}

mn_status mn_inflow_make(mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    int count = 0;
    for (int f = 0; f < s->fluid_count; f++) count += s->fluids[f].emitter_count;
    w->emitters = calloc((size_t)count + 1, sizeof *w->emitters);
    w->sinks = calloc((size_t)s->sink_count + 1, sizeof *w->sinks);
    if (!w->emitters || !w->sinks) {
        mn_say_error(say, MN_NOWHERE, "out of memory");
        return MN_FAILED;
    }
    for (int f = 0; f < s->fluid_count; f++)
        for (int k = 0; k < s->fluids[f].emitter_count; k++) {
            mn_emitter_state *e = &w->emitters[w->emitter_count++];
            *e = (mn_emitter_state){.fluid = f, .emitter = &s->fluids[f].emitters[k], .travelled = s->spacing};
            if (!make_pattern(e, s->spacing)) {
                mn_say_error(say, e->emitter->at, "the emitter's opening holds too many particles");
                return MN_BAD_INPUT;
            }
        }
    for (int k = 0; k < s->sink_count; k++)
        if (!(w->sinks[k] = mn_solid_new(&s->sinks[k].shape, say))) return MN_BAD_INPUT;
    return MN_OK;
}

void mn_inflow_free(mn_world *w)
{
    for (int k = 0; k < w->emitter_count; k++) free(w->emitters[k].offset);
    free(w->emitters);
    for (int k = 0; w->sinks && k < w->scene->sink_count; k++) mn_solid_free(w->sinks[k]);
    free(w->sinks);
}

/* Puts `count` new particles behind the others; what else stays with a particle starts at zero. */
static bool append(mn_world *w, const real4 *pos, const real4 *vel, const real4 *guide, int count)
{
    const int n = w->layout.fluid;
    if ((int64_t)w->next_id + count > 2000000000) return false;
    if (n + count > w->capacity && !mn_world_reserve(w, n + count + (n + count) / 2 + 1024, w->ghost_room)) return false;
    int *id = malloc((size_t)count * sizeof *id);
    void *zero = calloc((size_t)count, sizeof(real4));
    bool ok = id && zero;
    for (int i = 0; i < count && ok; i++) id[i] = w->next_id + i;
    ok = ok && w->api->put(w->device, w->id, (size_t)n * 4, id, (size_t)count * 4);
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++) {
        if (!w->field[f] || !mn_persistent[f]) continue;
        const size_t width = mn_field_table[f].type == MN_TYPE_real4 ? 16 : 4;
        const void *data = f == MN_FIELD_pos     ? (const void *)pos
                           : f == MN_FIELD_vel   ? (const void *)vel
                           : f == MN_FIELD_guide ? (const void *)guide
                                                 : zero;
        ok = w->api->put(w->device, w->field[f], (size_t)n * width, data, (size_t)count * width);
    }
    free(id), free(zero);
    if (ok) {
        w->next_id += count;
        w->layout.fluid += count;
        w->par.n = w->layout.fluid;
    }
    return ok;
}

static bool emit(mn_world *w, mn_emitter_state *e, double dt)
{
    const mn_emitter *m = e->emitter;
    const double end = w->time + dt, d = w->scene->spacing;
    if (end <= m->start || end > m->stop || !e->count) return true;
    double speed;
    mn_curve_at(&m->speed, end, &speed);
    e->travelled += fmax(speed, 0.0) * fmin(dt, end - m->start);
    bool ok = true;
    while (e->travelled >= d && ok) {
        e->travelled -= d;
        long count = e->count;
        if (m->limit > 0 && e->emitted + count > m->limit) count = m->limit - e->emitted;
        if (count <= 0) break;
        real4 *pos = malloc((size_t)count * sizeof *pos), *vel = malloc((size_t)count * sizeof *vel),
              *guide = malloc((size_t)count * sizeof *guide);
        ok = pos && vel && guide;
        for (long i = 0; i < count && ok; i++) {
            double x[3];
            for (int a = 0; a < 3; a++) x[a] = m->position[a] + e->offset[3 * i + a] + e->travelled * m->direction[a];
            pos[i] = (real4){(float)x[0], (float)x[1], (float)x[2], (float)(d * d * d)};
            vel[i] = (real4){(float)(speed * m->direction[0]), (float)(speed * m->direction[1]), (float)(speed * m->direction[2]),
                             (float)e->fluid};
            guide[i] = (real4){vel[i].x, vel[i].y, vel[i].z, (float)((2.0 * d - e->travelled) / speed)};
        }
        ok = ok && append(w, pos, vel, guide, (int)count);
        if (ok) e->emitted += count;
        free(pos), free(vel), free(guide);
    }
    return ok;
}

static bool is_open(const mn_sink *sink, double time) { return time >= sink->start && time <= sink->stop; }

bool mn_inflow_drain(mn_world *w, int64_t *drained)
{
    const mn_scene *s = w->scene;
    bool open = false;
    *drained = 0;
    for (int k = 0; k < s->sink_count; k++) open = open || is_open(&s->sinks[k], w->time);
    const int n = w->layout.fluid;
    if (!open || !n) return true;
    real4 *pos = malloc((size_t)n * sizeof *pos);
    bool ok = pos && w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    for (int i = 0; i < n && ok; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        bool inside = false;
        for (int k = 0; k < s->sink_count && !inside; k++)
            inside = is_open(&s->sinks[k], w->time) && mn_solid_distance(w->sinks[k], x, 0.0) < 0.0;
        if (inside) pos[i].x = GONE, ++*drained;
    }
    if (ok && *drained) ok = w->api->put(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    free(pos);
    return ok;
}

void mn_inflow_step(mn_world *w, double dt)
{
    bool ok = true;
    for (int k = 0; k < w->emitter_count && ok; k++) ok = emit(w, &w->emitters[k], dt);
    w->failed = w->failed || !ok;
}
