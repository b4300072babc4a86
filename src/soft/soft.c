/* soft.c -- soft solids in a scene; see soft.h. Their contacts stand in contacts.c. */
#include "soft/soft_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "geometry/vectors.h"

/* ------------------------------------------------------------------------------------------------------------
 * making */

static mn_status out_of_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for the solids");
    return MN_FAILED;
}

static bool within(mn_shape *const *shapes, int count, const double x[3])
{
    for (int k = 0; k < count; k++)
        if (mn_shape_distance(shapes[k], x, 0) <= 0) return true;
    return false;
}

/* Fixes the particles in the fixed shapes. */
static mn_status fix(soft *s, mn_messages *say)
{
    mn_status status = MN_OK;
    int held = 0;
    for (int f = 0; f < s->what->fixed_count && status == MN_OK; f++) {
        mn_shape *shape = mn_shape_new(&s->what->fixed[f], say);
        if (!shape) status = MN_BAD_INPUT;
        for (int i = 0; i < s->elastic->count && shape; i++)
            if (within(&shape, 1, &s->elastic->rest[3 * i])) s->elastic->fixed[i] = 1;
        mn_shape_free(shape);
    }
    for (int i = 0; i < s->elastic->count; i++) held += s->elastic->fixed[i];
    if (status == MN_OK && s->what->fixed_count && !held)
        mn_say_warning(say, s->what->at, "solid '%s': none of its particles is in its fixed shapes", s->what->name);
    return status;
}

/* Where the motion puts a held particle at that time. */
static void held_at(const soft *s, const mn_pose *pose, int i, double x[3], double v[3])
{
    if (s->what->motion.moving) mn_pose_point(pose, &s->elastic->rest[3 * i], x, v);
    else memcpy(x, &s->elastic->rest[3 * i], 3 * sizeof *x), memset(v, 0, 3 * sizeof *v);
}

static void start_moving(soft *s)
{
    mn_elastic *e = s->elastic;
    const mn_pose pose = mn_motion_at(&s->what->motion, 0);
    double centre[3] = {0};
    for (int i = 0; i < e->count; i++)
        for (int a = 0; a < 3; a++) centre[a] += e->rest[3 * i + a] / e->count;
    for (int i = 0; i < e->count; i++) {
        double arm[3], turn[3];
        sub3(&e->rest[3 * i], centre, arm);
        cross3(s->what->angular_velocity, arm, turn);
        for (int a = 0; a < 3; a++) e->v[3 * i + a] = s->what->velocity[a] + turn[a];
        if (e->fixed[i]) held_at(s, &pose, i, &e->x[3 * i], &e->v[3 * i]);
    }
}

static mn_material material_of(const mn_soft_def *what)
{
    return (mn_material){what->density,
                         what->lambda,
                         what->mu,
                         what->hourglass,
                         what->viscosity,
                         what->damping,
                         !what->surface_correction};
}

/* Whether two are the same, bit for bit. */
static bool is_same(const mn_material *a, const mn_material *b)
{
    return a->density == b->density && a->lambda == b->lambda && a->mu == b->mu && a->hourglass == b->hourglass &&
           a->viscosity == b->viscosity && a->damping == b->damping;
}

void mn_soft_renew(mn_soft *solids)
{
    for (int k = 0; k < solids->count; k++) {
        const mn_material now = material_of(solids->at[k].what);
        if (is_same(&now, &solids->at[k].elastic->material)) continue;
        mn_elastic_become(solids->at[k].elastic, &now);
        mn_elastic_forces(solids->at[k].elastic, solids->threads);
    }
}

static mn_status make(soft *s, int threads, mn_messages *say)
{
    const mn_soft_def *what = s->what;
    s->shapes = calloc((size_t)what->shape_count + 1, sizeof *s->shapes);
    mn_status status = s->shapes ? MN_OK : out_of_memory(say);
    for (int k = 0; k < what->shape_count && status == MN_OK; k++)
        if (!(s->shapes[k] = mn_shape_new(&what->shapes[k], say))) status = MN_BAD_INPUT;
    mn_points points = {0};
    if (status == MN_OK)
        status = mn_sample_volume(s->shapes, what->shapes, what->shape_count, what->sampling, what->spacing, 0,
                                  what->seed, &points, say);
    if (status == MN_OK && (points.count < 1 || points.count > 50000000)) {
        mn_say_error(say, what->at, "solid '%s' has %ld particles; expected 1 to 50 million; use another spacing",
                     what->name, points.count);
        status = MN_BAD_INPUT;
    }
    if (status == MN_OK) {
        const mn_material material = material_of(what);
        s->elastic = mn_elastic_new(points.x, (int)points.count, what->spacing, &material);
        s->load = calloc(3 * (size_t)points.count + 1, sizeof *s->load);
        s->skin = calloc((size_t)points.count + 1, sizeof *s->skin);
        s->before = calloc(9 * (size_t)points.count + 1, sizeof *s->before);
        if (!s->elastic || !s->load || !s->skin || !s->before) status = out_of_memory(say);
    }
    mn_points_free(&points);
    if (status == MN_OK) status = fix(s, say);
    if (status != MN_OK) return status;
    for (int i = 0; i < s->elastic->count; i++)
        if (s->elastic->skin[i]) s->skin[s->skin_count++] = i;
    start_moving(s);
    mn_elastic_forces(s->elastic, threads);
    return MN_OK;
}

static mn_status find_walls(mn_soft *solids, const mn_scene *scene, mn_messages *say)
{
    int count = 0;
    for (int k = 0; k < scene->wall_count; k++) count += scene->walls[k].shape_count;
    solids->walls = calloc((size_t)count + 1, sizeof *solids->walls);
    if (!solids->walls) return out_of_memory(say);
    for (int k = 0; k < scene->wall_count; k++)
        for (int n = 0; n < scene->walls[k].shape_count; n++) {
            mn_shape *shape = mn_shape_new(&scene->walls[k].shapes[n], say);
            if (!shape) return MN_BAD_INPUT;
            solids->walls[solids->wall_count++] = (obstacle){.shape = shape, .motion = &scene->walls[k].motion};
        }
    return MN_OK;
}

mn_soft *mn_soft_new(const mn_scene *scene, int threads, mn_messages *say)
{
    mn_soft *solids = calloc(1, sizeof *solids);
    mn_status status = solids ? MN_OK : out_of_memory(say);
    if (status == MN_OK) {
        solids->threads = threads;
        solids->at = calloc((size_t)scene->solid_count + 1, sizeof *solids->at);
        status = solids->at ? find_walls(solids, scene, say) : out_of_memory(say);
    }
    for (int k = 0; k < scene->solid_count && status == MN_OK; k++) {
        solids->at[k].what = &scene->solids[k];
        solids->count++;
        status = make(&solids->at[k], threads, say);
    }
    if (status == MN_OK) return solids;
    mn_soft_free(solids);
    return NULL;
}

void mn_soft_free(mn_soft *solids)
{
    if (!solids) return;
    for (int k = 0; k < solids->count; k++) {
        soft *s = &solids->at[k];
        for (int n = 0; n < s->what->shape_count && s->shapes; n++) mn_shape_free(s->shapes[n]);
        mn_elastic_free(s->elastic);
        free(s->shapes), free(s->load), free(s->skin), free(s->before);
    }
    for (int k = 0; k < solids->wall_count; k++) mn_shape_free(solids->walls[k].shape);
    free(solids->at), free(solids->walls), free(solids);
}

/* ---------------------------------------------------------------------------------------------------------
 * questions */

int mn_soft_count(const mn_soft *solids) { return solids ? solids->count : 0; }

int mn_soft_particles(const mn_soft *solids)
{
    int sum = 0;
    for (int k = 0; k < mn_soft_count(solids); k++) sum += solids->at[k].elastic->count;
    return sum;
}

const mn_elastic *mn_soft_elastic(const mn_soft *solids, int solid) { return solids->at[solid].elastic; }

double mn_soft_distance(const mn_soft *solids, const double x[3], double limit)
{
    double nearest = limit;
    for (int k = 0; k < mn_soft_count(solids); k++)
        for (int n = 0; n < solids->at[k].what->shape_count; n++)
            nearest = fmin(nearest, mn_shape_distance(solids->at[k].shapes[n], x, limit));
    return nearest;
}

double mn_soft_gap(const mn_soft *solids, const double x[3], double limit)
{
    double nearest = limit;
    for (int k = 0; k < mn_soft_count(solids); k++) {
        const mn_elastic *e = solids->at[k].elastic;
        for (int i = 0; i < e->count; i++) nearest = fmin(nearest, distance3(&e->x[3 * i], x) - 0.5 * e->spacing);
    }
    return nearest;
}

mn_status mn_soft_sample(const mn_soft *solids, int solid, mn_points *points, mn_points *normals)
{
    const mn_elastic *e = solids->at[solid].elastic;
    static const double none[3] = {0};
    mn_status status = MN_OK;
    for (int i = 0; i < e->count && status == MN_OK; i++) {
        status = mn_points_add(points, &e->rest[3 * i]);
        if (status == MN_OK) status = mn_points_add(normals, none);
    }
    return status;
}

void mn_soft_point(const mn_soft *solids, int solid, int particle, double x[3], double velocity[3], double *volume)
{
    const mn_elastic *e = solids->at[solid].elastic;
    memcpy(x, &e->x[3 * particle], 3 * sizeof *x);
    memcpy(velocity, &e->v[3 * particle], 3 * sizeof *velocity);
    *volume = e->volume * fmin(fmax(mn_elastic_swelling(e, particle), 0.1), 10);
}

mn_solid_stats mn_soft_stats(const mn_soft *solids, int solid)
{
    const soft *s = &solids->at[solid];
    const mn_elastic *e = s->elastic;
    mn_solid_stats out = {.particles = e->count,
                          .elastic_energy = mn_elastic_energy(e),
                          .kinetic_energy = mn_elastic_kinetic(e),
                          .stretch = sqrt(e->stretch2),
                          .substeps = s->substeps};
    mn_elastic_momentum(e, out.momentum);
    memcpy(out.force, s->force, sizeof out.force);
    for (int i = 0; i < e->count; i++)
        for (int a = 0; a < 3; a++) out.centre[a] += e->x[3 * i + a];
    for (int a = 0; a < 3; a++) out.centre[a] /= e->count;
    return out;
}

mn_status mn_soft_get(const mn_soft *solids, int solid, const char *field, float *out, mn_messages *say)
{
    static const char *const names[] = {"position", "velocity", "displacement", "stress"};
    const mn_elastic *e = solids->at[solid].elastic;
    int which = 0;
    while (which < 4 && strcmp(names[which], field) != 0) which++;
    for (int i = 0; i < 3 * e->count && which < 3; i++)
        out[i] = (float)(which == 0 ? e->x[i] : which == 1 ? e->v[i] : e->x[i] - e->rest[i]);
    for (int i = 0; i < e->count && which == 3; i++) out[i] = (float)mn_elastic_stress(e, i);
    if (which < 4) return MN_OK;
    const char *near = mn_nearest(field, names, 4);
    mn_say_error(say, MN_NOWHERE,
                 "solids have no field '%s'; expected position, velocity, displacement or stress%s%s%s", field,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return MN_BAD_INPUT;
}

/* --------------------------------------------------------------------------------------------------------------
 * time */

/* Held particles go straight to where the motion puts them at the end of the step. */
static void lead(soft *s, double end, double dt, bool arrived)
{
    mn_elastic *e = s->elastic;
    const mn_pose pose = mn_motion_at(&s->what->motion, end);
    for (int i = 0; i < e->count; i++) {
        double x[3], v[3];
        if (!e->fixed[i]) continue;
        held_at(s, &pose, i, x, v);
        for (int a = 0; a < 3; a++) {
            if (arrived) e->x[3 * i + a] = x[a], e->v[3 * i + a] = v[a];
            else e->v[3 * i + a] = (x[a] - e->x[3 * i + a]) / dt;
        }
    }
    e->fresh = e->fresh && !s->what->motion.moving;
}

void mn_soft_load(mn_soft *solids, const double (*force)[3])
{
    for (int k = 0, first = 0; k < solids->count; first += solids->at[k++].elastic->count) {
        soft *s = &solids->at[k];
        memcpy(s->load, force[first], 3 * (size_t)s->elastic->count * sizeof *s->load);
        memcpy(s->before + 6 * (size_t)s->elastic->count, s->load, 3 * (size_t)s->elastic->count * sizeof *s->load);
        memset(s->force, 0, sizeof s->force);
        for (int i = 0; i < s->elastic->count; i++)
            for (int a = 0; a < 3; a++) s->force[a] += s->load[3 * i + a];
    }
}

/* ------------------------------------------------------------------------------------------- energy of the coupling
 *
 * The fluid sees the velocity v that the particles have at the beginning of the step and does the work load . v; the
 * solid takes up load . u, with the mean velocity u of the step. The difference is made by the coupling. What it has
 * made in sum is taken from the internal motion: all that is no translation or turn, whose momenta stay. */

/* Motion as a whole of the particles that are not held. */
typedef struct whole {
    double centre[3], velocity[3], spin[3];
} whole;

/* False: they lie in one line or are too few to turn. */
static bool motion_as_whole(const mn_elastic *e, whole *m)
{
    int n = 0;
    double sum[6] = {0}, turn[3] = {0}, inertia[9] = {0}, across[9];
    for (int i = 0; i < e->count; i++) {
        if (e->fixed[i]) continue;
        for (int a = 0; a < 3; a++) sum[a] += e->x[3 * i + a], sum[3 + a] += e->v[3 * i + a];
        n++;
    }
    for (int a = 0; a < 3 && n; a++) m->centre[a] = sum[a] / n, m->velocity[a] = sum[3 + a] / n;
    for (int i = 0; i < e->count; i++) {
        double r[3], v[3], moment[3];
        if (e->fixed[i]) continue;
        sub3(&e->x[3 * i], m->centre, r), sub3(&e->v[3 * i], m->velocity, v);
        cross3(r, v, moment);
        const double r2 = dot3(r, r);
        for (int a = 0; a < 3; a++) {
            turn[a] += moment[a];
            for (int b = 0; b < 3; b++) inertia[3 * a + b] += (a == b ? r2 : 0) - r[a] * r[b];
        }
    }
    for (int a = 0; a < 3; a++) cross3(&inertia[3 * ((a + 1) % 3)], &inertia[3 * ((a + 2) % 3)], &across[3 * a]);
    const double det = dot3(inertia, across), size = inertia[0] + inertia[4] + inertia[8];
    if (!(det > 1e-9 * size * size * size)) return false;
    for (int a = 0; a < 3; a++) m->spin[a] = dot3(turn, &across[3 * a]) / det; /* Cramer's rule */
    return true;
}

/* Kinetic energy of the rest of the motion, of which the fraction `keep` of the velocities stays. */
static double internal_motion(mn_elastic *e, const whole *m, double keep)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++) {
        double r[3], turn[3];
        if (e->fixed[i]) continue;
        sub3(&e->x[3 * i], m->centre, r);
        cross3(m->spin, r, turn);
        for (int a = 0; a < 3; a++) {
            const double w = e->v[3 * i + a] - m->velocity[a] - turn[a];
            e->v[3 * i + a] -= (1 - keep) * w;
            sum += w * w;
        }
    }
    return 0.5 * e->mass * sum;
}

static void keep_energy(soft *s, double dt)
{
    mn_elastic *e = s->elastic;
    const double *x = s->before, *v = x + 3 * (size_t)e->count, *load = v + 3 * (size_t)e->count;
    double made = 0;
    whole m;
    for (int i = 0; i < 3 * e->count; i++)
        if (!e->fixed[i / 3]) made += load[i] * (e->x[i] - x[i] - dt * v[i]);
    s->surplus += made;
    if ((made == 0 && s->surplus == 0) || !motion_as_whole(e, &m)) return;
    const double internal = internal_motion(e, &m, 1), lost = fmin(s->surplus, internal);
    if (lost > 0) internal_motion(e, &m, sqrt(1 - lost / internal));
    s->surplus =
        fmax(s->surplus - fmax(lost, 0), -internal); /* what it took away earlier counts as long as this lives */
}

mn_status mn_soft_step(mn_soft *solids, double time, double dt, const double gravity[3], mn_messages *say)
{
    for (int k = 0; k < solids->wall_count; k++) solids->walls[k].pose = mn_motion_at(solids->walls[k].motion, time);
    if (!mn_soft_push_apart(solids, dt)) return out_of_memory(say);
    for (int k = 0; k < solids->count; k++) {
        soft *s = &solids->at[k];
        mn_contact *contacts;
        const int count = mn_soft_wall_contacts(solids, s, dt, &contacts);
        if (count < 0) return out_of_memory(say);
        lead(s, time + dt, dt, false);
        memcpy(s->before, s->elastic->x, 3 * (size_t)s->elastic->count * sizeof(double));
        memcpy(s->before + 3 * (size_t)s->elastic->count, s->elastic->v,
               3 * (size_t)s->elastic->count * sizeof(double));
        s->substeps = mn_elastic_advance(s->elastic, dt, gravity, s->load, contacts, count, solids->threads);
        free(contacts);
        lead(s, time + dt, dt, true);
        if (s->substeps > 0) keep_energy(s, dt);
        mn_elastic_forces(s->elastic, solids->threads);
        if (s->substeps > 0 && isfinite(s->elastic->stretch2)) continue;
        mn_say_error(say, s->what->at,
                     "diverged at time %g s: solid '%s' is torn apart or no longer finite; a smaller time step, a "
                     "stiffer material or more "
                     "viscosity may help",
                     time + dt, s->what->name);
        return MN_DIVERGED;
    }
    return MN_OK;
}

/* -------------------------------------------------------------------------------------------------------------
 * state */

static const char *array_name(char out[48], int solid, const char *what)
{
    snprintf(out, 48, "solid%d_%s", solid, what);
    return out;
}

bool mn_soft_save(const mn_soft *solids, mn_snapshot *snap)
{
    bool ok = true;
    for (int k = 0; k < mn_soft_count(solids) && ok; k++) {
        const soft *s = &solids->at[k];
        const size_t bytes = 3 * (size_t)s->elastic->count * sizeof(double);
        char name[48];
        double *x = mn_snapshot_add(snap, array_name(name, k, "position"), MN_F64, 3, s->elastic->count);
        double *v = mn_snapshot_add(snap, array_name(name, k, "velocity"), MN_F64, 3, s->elastic->count);
        double *force = mn_snapshot_add(snap, array_name(name, k, "force"), MN_F64, 3, 1);
        double *surplus = mn_snapshot_add(snap, array_name(name, k, "surplus"), MN_F64, 1, 1);
        ok = x && v && force && surplus;
        if (!ok) break;
        memcpy(x, s->elastic->x, bytes), memcpy(v, s->elastic->v, bytes), memcpy(force, s->force, sizeof s->force);
        *surplus = s->surplus;
    }
    return ok;
}

static mn_status refuse_array(const mn_array *array, bool newer, const char *name, const char *solid, mn_messages *say)
{
    if (!array && newer)
        mn_say_error(
            say, MN_NOWHERE,
            "the checkpoint has no array '%s' of solid '%s': an earlier version of this program wrote it, which "
            "did not yet count the energy that the coupling makes; resume with that program, or start a new "
            "run",
            name, solid);
    else
        mn_say_error(say, MN_NOWHERE,
                     "the checkpoint does not fit this scene: array '%s' is missing or not that of solid '%s'", name,
                     solid);
    return MN_BAD_INPUT;
}

mn_status mn_soft_restore(mn_soft *solids, const mn_snapshot *snap, mn_messages *say)
{
    for (int pass = 0; pass < 2; pass++) /* all are looked at before the first is changed */
        for (int k = 0; k < mn_soft_count(solids); k++) {
            soft *s = &solids->at[k];
            enum { SURPLUS = 3 };
            static const char *const what[4] = {"position", "velocity", "force", "surplus"};
            double *const to[4] = {s->elastic->x, s->elastic->v, s->force, &s->surplus};
            for (int n = 0; n < 4; n++) {
                char name[48];
                const mn_array *a = mn_snapshot_find(snap, array_name(name, k, what[n]));
                const long count = n < 2 ? s->elastic->count : 1;
                const int width = n < 3 ? 3 : 1;
                bool ok = a && a->type == MN_F64 && a->width == width && a->count == count;
                for (long i = 0; i < width * count && ok; i++)
                    ok = fabs(((const double *)a->data)[i]) < (n < 2 ? 1e12 : 1e30);
                if (!ok) return refuse_array(a, n == SURPLUS, name, s->what->name, say);
                if (pass == 1) memcpy(to[n], a->data, (size_t)(width * count) * sizeof(double));
            }
            if (pass == 1) mn_elastic_forces(s->elastic, solids->threads);
        }
    return MN_OK;
}

uint64_t mn_soft_hash(const mn_soft *solids, uint64_t hash)
{
    for (int k = 0; k < mn_soft_count(solids); k++) {
        const soft *s = &solids->at[k];
        const size_t bytes = 3 * (size_t)s->elastic->count * sizeof(double);
        hash = mn_hash(hash, s->elastic->x, bytes);
        hash = mn_hash(hash, s->elastic->v, bytes);
        hash = mn_hash(hash, &s->surplus, sizeof s->surplus);
    }
    return hash;
}
