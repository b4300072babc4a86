/* inflow.c -- emitters that add layers of particles and sinks that delete them.
 *
 * An emitter lays down its pattern each time the liquid has travelled one spacing, advanced by what it travelled too
 * far, so the layers stay one spacing apart whatever the time step. Particles that would begin in a body or a soft
 * solid are held back. A particle that lies in an open sink when a step
 * begins is moved out of every domain; the sort drops it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parts.h"
#include "core/world.h"
#include "geometry/shape.h"
#include "inflow/inflow.h"
#include "inflow/openings.h"

mn_inflow *mn_inflow_of(const mn_world *w) { return mn_part_of(w, &mn_inflow_system); }

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
static mn_status make_pattern(mn_emitter_state *e, double d, mn_messages *say)
{
    const mn_emitter *m = e->emitter;
    double u[3], v[3];
    frame_of(m->direction, u, v);
    const double half[2] = {m->disc ? m->radius : 0.5 * m->size[0], m->disc ? m->radius : 0.5 * m->size[1]};
    const int n[2] = {(int)fmax(1.0, floor(2.0 * half[0] / d + 1e-6)), (int)fmax(1.0, floor(2.0 * half[1] / d + 1e-6))};
    if ((double)n[0] * n[1] > 1e8) {
        mn_say_error(say, m->at, "the emitter's opening holds %.2g particles; expected at most 1e+08",
                     (double)n[0] * n[1]);
        return MN_BAD_INPUT;
    }
    e->offset = malloc((size_t)n[0] * (size_t)n[1] * 3 * sizeof *e->offset);
    if (!e->offset) {
        mn_say_failure(say, m->at, "out of memory for the emitter's opening");
        return MN_FAILED;
    }
    for (int a = 0; a < n[0]; a++)
        for (int b = 0; b < n[1]; b++) {
            const double x = (a - 0.5 * (n[0] - 1)) * d, y = (b - 0.5 * (n[1] - 1)) * d;
            if (m->disc && x * x + y * y > m->radius * m->radius) continue;
            for (int c = 0; c < 3; c++) e->offset[3 * e->count + c] = x * u[c] + y * v[c];
            e->count++;
        }
    return MN_OK;
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_inflow *in = me;
    const int count = mn_scene_emitters(s);
    in->emitters = calloc((size_t)count + 1, sizeof *in->emitters);
    in->sinks = calloc((size_t)s->sink_count + 1, sizeof *in->sinks);
    in->sink_open = calloc((size_t)s->sink_count + 1, sizeof *in->sink_open);
    if (!in->emitters || !in->sinks || !in->sink_open) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return MN_FAILED;
    }
    for (int f = 0; f < s->fluid_count; f++)
        for (int k = 0; k < s->fluids[f].emitter_count; k++) {
            mn_emitter_state *e = &in->emitters[in->emitter_count++];
            *e = (mn_emitter_state){.fluid = f, .emitter = &s->fluids[f].emitters[k], .travelled = s->spacing};
            const mn_status made = make_pattern(e, s->spacing, say);
            if (made != MN_OK) return made;
        }
    for (int k = 0; k < s->sink_count; k++)
        if (!(in->sinks[k] = mn_shape_new(&s->sinks[k].shape, say))) return MN_BAD_INPUT;
    return MN_OK;
}

static void release(mn_world *w, void *me)
{
    mn_inflow *in = me;
    for (int k = 0; k < in->emitter_count; k++) free(in->emitters[k].offset);
    free(in->emitters);
    for (int k = 0; in->sinks && k < w->scene->sink_count; k++) mn_shape_free(in->sinks[k]);
    free(in->sinks);
    free(in->sink_open);
}

/* New particles with what guides them past the opening; every part adds its share. */
static bool append(mn_world *w, const real4 *pos, const real4 *vel, const real4 *guide, const mn_emitter_state *e,
                   int count)
{
    const int first = w->layout.fluid;
    bool ok = mn_particles_append(w, pos, vel, count);
    if (ok && w->field[MN_FIELD_guide])
        ok = w->api->put(w->device, w->field[MN_FIELD_guide], (size_t)first * sizeof *guide, guide,
                         (size_t)count * sizeof *guide);
    for (int p = 0; p < w->part_count && ok; p++)
        if (w->parts[p].system->emitted)
            ok = w->parts[p].system->emitted(w, w->parts[p].me, e->fluid, e->emitter, pos, first, count);
    return ok;
}

/* The particles of a layer, at most `most`. What a body or a soft solid has come into the room of is held back: there
 * liquid would be thrown out with a speed that means nothing. */
static int lay_down(const mn_world *w, const mn_emitter_state *e, double speed, long most, real4 *pos, real4 *vel,
                    real4 *guide)
{
    const mn_emitter *m = e->emitter;
    const double d = w->scene->spacing;
    int count = 0;
    for (long i = 0; i < most; i++) {
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = m->position[a] + e->offset[3 * i + a] + e->travelled * m->direction[a];
        if (!mn_parts_leave_room(w, x)) continue;
        const real4 v = {(float)(speed * m->direction[0]), (float)(speed * m->direction[1]),
                         (float)(speed * m->direction[2]), (float)e->fluid};
        pos[count] = (real4){(float)x[0], (float)x[1], (float)x[2], (float)(d * d * d)};
        vel[count] = v;
        guide[count++] = (real4){v.x, v.y, v.z, (float)((w->scene->support * d - e->travelled) / speed)};
    }
    return count;
}

static void say_held_back(const mn_world *w, mn_emitter_state *e, long held, long of, mn_messages *say)
{
    if (!held || e->told) return;
    e->told = true;
    mn_say_warning(say, e->emitter->at,
                   "at %g s %ld of %ld particles of a layer of this emitter are held back: a body or a soft solid is "
                   "in the opening; later layers are held back too as long as it is there",
                   w->time + w->dt, held, of);
}

static bool emit_from(mn_world *w, mn_emitter_state *e, double dt, mn_messages *say)
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
        long most = e->count;
        if (m->limit > 0 && e->emitted + most > m->limit) most = m->limit - e->emitted;
        if (most <= 0) break;
        real4 *pos = malloc((size_t)most * sizeof *pos), *vel = malloc((size_t)most * sizeof *vel),
              *guide = malloc((size_t)most * sizeof *guide);
        ok = pos && vel && guide;
        const int count = ok ? lay_down(w, e, speed, most, pos, vel, guide) : 0;
        ok = ok && (!count || append(w, pos, vel, guide, e, count));
        if (ok) e->emitted += count, say_held_back(w, e, most - count, most, say);
        free(pos), free(vel), free(guide);
    }
    return ok;
}

static bool is_open(const mn_sink *sink, double time) { return time >= sink->start && time <= sink->stop; }

/* Five rows of the table of kernels/inflow/guide_drain.h. */
static void describe(const mn_shape *shape, real4 row[5])
{
    const double *r = shape->rotation, *t = shape->translate;
    for (int k = 0; k < 3; k++)
        row[k] = (real4){(float)r[k], (float)r[3 + k], (float)r[6 + k],
                         (float)-(r[k] * t[0] + r[3 + k] * t[1] + r[6 + k] * t[2])};
    double size[3] = {shape->radius, 0.5 * shape->height, 0.0};
    if (shape->kind == MN_BOX) memcpy(size, shape->half, sizeof size);
    if (shape->kind == MN_CONE) size[1] = shape->radius2, size[2] = 0.5 * shape->height;
    if (shape->kind == MN_TORUS) size[1] = shape->radius2;
    row[3] = (real4){(float)shape->kind, (float)size[0], (float)size[1], (float)size[2]};
    row[4] = (real4){shape->inside_out ? -1.0f : 1.0f, 0.0f, 0.0f, 0.0f};
}

/* Writes the table of the open sinks when they are others than before; meshes are not among them. */
static bool tabulate(mn_world *w, mn_inflow *in)
{
    const mn_scene *s = w->scene;
    bool changed = false;
    for (int k = 0; k < s->sink_count; k++) {
        const bool open = is_open(&s->sinks[k], w->time);
        changed = changed || open != in->sink_open[k];
        in->sink_open[k] = open;
    }
    if (!changed) return true;
    real4 *rows = malloc(5 * (size_t)s->sink_count * sizeof *rows);
    if (!rows) return false;
    in->sinks_listed = 0;
    for (int k = 0; k < s->sink_count; k++)
        if (in->sink_open[k] && in->sinks[k]->kind != MN_MESH)
            describe(in->sinks[k], &rows[5 * (size_t)in->sinks_listed++]);
    const bool ok =
        !in->sinks_listed || mn_world_table(w, MN_FIELD_sinks, rows, 5 * (size_t)in->sinks_listed * sizeof *rows);
    free(rows);
    return ok;
}

/* The inside of a mesh is known to the host only. */
static bool drain_meshes(mn_world *w, const mn_inflow *in)
{
    const mn_scene *s = w->scene;
    bool any = false, changed = false;
    for (int k = 0; k < s->sink_count; k++) any = any || (in->sink_open[k] && in->sinks[k]->kind == MN_MESH);
    if (!any) return true;
    const int n = w->layout.fluid;
    real4 *pos = malloc((size_t)n * sizeof *pos);
    bool ok = pos && w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    for (int i = 0; i < n && ok; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        bool inside = false;
        for (int k = 0; k < s->sink_count && pos[i].x < MN_GONE && !inside; k++)
            inside = in->sink_open[k] && in->sinks[k]->kind == MN_MESH &&
                     mn_shape_distance(in->sinks[k], x, (double)w->par.h) < 0.0;
        if (inside) pos[i].x = MN_GONE, changed = true, w->leaving++;
    }
    if (ok && changed) ok = w->api->put(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    free(pos);
    return ok;
}

/* What lies in open sinks will be dropped by the sort. */
static void drain(mn_world *w, void *me)
{
    mn_inflow *in = me;
    if (!w->scene->sink_count || !w->layout.fluid) return;
    bool ok = tabulate(w, in);
    if (ok && in->sinks_listed) {
        double sum[4] = {0};
        mn_run_sum(w, MN_KERNEL_drain, (real4){(float)in->sinks_listed, MN_GONE, 0.0f, 0.0f}, sum);
        w->leaving += (int64_t)sum[0];
    }
    if (!ok || w->failed || !drain_meshes(w, in)) w->failed = true;
}

static void guide(mn_world *w, void *me)
{
    if (((mn_inflow *)me)->emitter_count) mn_run(w, MN_KERNEL_guided, MN_NO_ARG);
}

static mn_status emit(mn_world *w, void *me, mn_messages *say)
{
    mn_inflow *in = me;
    bool ok = true;
    for (int k = 0; k < in->emitter_count && ok; k++) ok = emit_from(w, &in->emitters[k], w->dt, say);
    w->failed = w->failed || !ok;
    return w->failed ? mn_report_failure(w, say) : MN_OK;
}

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    (void)w;
    const mn_inflow *in = me;
    double *travelled = mn_snapshot_add(snap, "emitter_travelled", MN_F64, 1, in->emitter_count);
    int64_t *emitted = mn_snapshot_add(snap, "emitter_emitted", MN_I64, 1, in->emitter_count);
    if (in->emitter_count && !(travelled && emitted)) return false;
    for (int e = 0; e < in->emitter_count; e++)
        travelled[e] = in->emitters[e].travelled, emitted[e] = in->emitters[e].emitted;
    return true;
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    (void)w;
    mn_inflow *in = me;
    if (!in->emitter_count) return MN_OK;
    const mn_array *travelled = mn_snapshot_need(snap, "emitter_travelled", MN_F64, 1, in->emitter_count, say);
    const mn_array *emitted = mn_snapshot_need(snap, "emitter_emitted", MN_I64, 1, in->emitter_count, say);
    if (!travelled || !emitted) return MN_BAD_INPUT;
    for (int e = 0; e < in->emitter_count; e++) {
        const double distance = ((const double *)travelled->data)[e];
        const int64_t count = ((const int64_t *)emitted->data)[e];
        if (!(fabs(distance) < 1e30) || count < 0 || count > INT64_MAX / 2) {
            mn_say_error(say, MN_NOWHERE, "the checkpoint's emitters have impossible values");
            return MN_BAD_INPUT;
        }
        in->emitters[e].travelled = distance, in->emitters[e].emitted = (long)count;
    }
    return MN_OK;
}

static double coming(const mn_scene *s, mn_place *at)
{
    double count = 0.0;
    bool first = true;
    for (int f = 0; f < s->fluid_count; f++)
        for (int e = 0; e < s->fluids[f].emitter_count; e++) {
            if (first) *at = s->fluids[f].emitters[e].at;
            first = false;
            count += mn_emitter_forecast(s, &s->fluids[f].emitters[e]);
        }
    return count;
}

const mn_system mn_inflow_system = {.key = "inflow",
                                    .bytes = sizeof(mn_inflow),
                                    .coming = coming,
                                    .make = make,
                                    .start = mn_openings_fit,
                                    .free = release,
                                    .at = {[MN_AT_leave] = drain, [MN_AT_contact] = guide},
                                    .emit = emit,
                                    .save = save,
                                    .restore = restore};
