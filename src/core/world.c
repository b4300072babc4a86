/* world.c -- making and unmaking a world: which models run, which fields exist, where the particles start; and its state as a snapshot. */
#include "core/world.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "core/room.h"
#include "soft/soft.h"
#include "rigid/rigid.h"
#include "methods/methods.h"

mn_options mn_default_options(void) { return (mn_options){"cpu", 0}; }

/* -- fields ----------------------------------------------------------------------------------------------------------------- */

/* Fields that hold positions: their ghosts are shifted, their padding lies far away. */
static bool is_place(int f) { return mn_field_table[f].copies == MN_GHOST_PLACE; }

/* Read at neighbours by some kernel, or sorted with the particles: has room for ghosts and the padding. */
static bool is_whole(int field)
{
    for (int k = 0; k < MN_KERNEL_COUNT; k++)
        for (int f = 0; f < mn_kernel_table[k].count; f++)
            if (mn_kernel_table[k].field[f] == field && mn_kernel_table[k].role[f] == MN_NB) return true;
    return mn_persistent(field);
}

/* Entries of a field that exists at walls. */
static size_t all_entries(const mn_layout *l) { return (size_t)l->map_at + (size_t)l->map_slots * (size_t)l->map_stride; }

/* What the padding of neighbour lists points to: a particle of volume 0 far away, with a density to divide by. */
static bool put_far(mn_world *w, int field)
{
    real4 far[8];
    float one[8];
    for (int k = 0; k < 8; k++) far[k] = (real4){1e12f, 1e12f, 1e12f, 0.0f}, one[k] = 1.0f;
    if (is_place(field)) return w->api->put(w->device, w->field[field], (size_t)w->layout.far_at * 16, far, sizeof far);
    if (field == MN_FIELD_dens) return w->api->put(w->device, w->field[field], (size_t)w->layout.far_at * 4, one, sizeof one);
    return true;
}

/* Named by kernels that do not read it in this scene. */
static bool is_empty(const mn_world *w, int field) { return field == MN_FIELD_hold && !w->par.film; }

/* Accelerations are done with when the pressure begins to push: both have one place, unless somebody wants to see them later. */
static bool is_lodger(const mn_world *w, int field) { return field == MN_FIELD_acc && !w->keeps_acceleration; }

static bool wants_acceleration(const mn_scene *s)
{
    bool wanted = s->camera.colour && strcmp(s->camera.colour, "acceleration") == 0;
    for (int k = 0; k < s->frame_field_count; k++) wanted = wanted || strcmp(s->frame_fields[k], "acceleration") == 0;
    return wanted;
}

/* A field exists from the first time a kernel names it. `term` and pair fields belong to the backend. */
static bool ensure_field(mn_world *w, int field)
{
    if (w->field[field] || field == MN_FIELD_term || mn_field_table[field].type == MN_TYPE_pair) return true;
    if (is_lodger(w, field)) {
        const bool there = ensure_field(w, MN_FIELD_push);
        w->field[field] = w->field[MN_FIELD_push];
        return there;
    }
    const size_t entries = mn_field_table[field].life == MN_LIFE_TABLE || is_empty(w, field) ? 1 /* nobody has filled it */
                           : mn_at_walls(field)                                              ? all_entries(&w->layout)
                           : is_whole(field)                                                 ? (size_t)w->layout.wall_at
                                                                                             : (size_t)w->capacity;
    w->field[field] = w->api->alloc(w->device, entries * mn_field_bytes(field));
    return w->field[field] && put_far(w, field);
}

static void drop_field(mn_world *w, int field)
{
    if (!is_lodger(w, field)) w->api->release(w->device, w->field[field]);
    w->field[field] = NULL;
}

bool mn_world_table(mn_world *w, int field, const void *data, size_t bytes)
{
    w->api->release(w->device, w->field[field]);
    w->field[field] = w->api->alloc(w->device, bytes);
    const bool ok = w->field[field] && w->api->put(w->device, w->field[field], 0, data, bytes);
    if (!ok) w->failed = true;
    return ok;
}

mn_buffer *mn_world_field(mn_world *w, int field) { return ensure_field(w, field) ? w->field[field] : NULL; }

mn_buffer *mn_world_spare(mn_world *w) { return ensure_field(w, MN_FIELD_probe) ? w->field[MN_FIELD_probe] : NULL; }

bool mn_world_spare_back(mn_world *w) { return put_far(w, MN_FIELD_probe); }

/* -- running kernels -------------------------------------------------------------------------------------------------------- */

static void refresh_ghosts(mn_world *w, int field)
{
    if (!w->stale[field] || !w->layout.ghosts || is_empty(w, field)) return;
    w->failed = !w->api->refresh(w->device, w->field[field], (int)mn_field_bytes(field), w->ghost_source, w->ghost_shift,
                                 mn_field_table[field].copies, w->layout.ghost_at, w->layout.ghosts);
    w->stale[field] = false;
}

/* Allocates what a kernel names and refreshes the ghosts that it reads. */
static mn_launch made_ready(mn_world *w, int kernel, real4 arg, mn_fold *fold)
{
    const mn_kernel_info *info = &mn_kernel_table[kernel];
    mn_launch l = {.kernel = kernel, .arg = arg, .fold = fold, .seconds = &w->seconds[w->stage]};
    for (int f = 0; f < info->count && !w->failed; f++) {
        if (!ensure_field(w, info->field[f])) w->failed = true;
        l.buffers[f] = w->field[info->field[f]];
        if (info->role[f] == MN_NB && !w->failed) refresh_ghosts(w, info->field[f]);
    }
    return l;
}

static void mark_written(mn_world *w, int kernel)
{
    const mn_kernel_info *info = &mn_kernel_table[kernel];
    for (int f = 0; f < info->count; f++) {
        if (info->role[f] == MN_UPD || info->role[f] == MN_OUT) w->stale[info->field[f]] = true;
        /* what density_rates left for the tension is gone: a film's links and the tension's matrix lie there too */
        if (info->field[f] == MN_FIELD_pair_g && info->role[f] == MN_PAIROUT && kernel != MN_KERNEL_density_rates) w->rates = false;
    }
}

static void run(mn_world *w, int kernel, const params *par, real4 arg, mn_fold *fold)
{
    const mn_launch l = made_ready(w, kernel, arg, fold);
    if (w->failed) return;
    w->failed = !w->api->launch(w->device, &l, par);
    mark_written(w, kernel);
}

void mn_run(mn_world *w, int kernel, real4 arg) { run(w, kernel, &w->par, arg, NULL); }

void mn_run_some(mn_world *w, int kernel, int first, int end, real4 arg)
{
    if (first == end) return;
    params par = w->par;
    par.first = first;
    par.n = end;
    run(w, kernel, &par, arg, NULL);
}

void mn_run_bodies(mn_world *w, int kernel, real4 arg)
{
    mn_run_some(w, kernel, w->layout.body_at + w->layout.deaf, w->layout.body_at + w->layout.bodies, arg);
}

void mn_run_sum(mn_world *w, int kernel, real4 arg, double out[4])
{
    mn_fold fold = {.largest = false};
    run(w, kernel, &w->par, arg, &fold);
    memcpy(out, fold.value, sizeof fold.value);
}

void mn_run_max(mn_world *w, int kernel, real4 arg, double out[4])
{
    mn_fold fold = {.largest = true};
    run(w, kernel, &w->par, arg, &fold);
    memcpy(out, fold.value, sizeof fold.value);
}

const double *mn_run_sum_later(mn_world *w, int kernel, real4 arg)
{
    w->later = (mn_fold){.later = true};
    run(w, kernel, &w->par, arg, &w->later);
    return w->later.value;
}

/* -- models ----------------------------------------------------------------------------------------------------------------- */

float mn_active_param(const mn_world *w, const mn_active *a, int fluid, const char *key)
{
    const float *block = (const float *)((const char *)&w->par + a->code->offset + (size_t)fluid * a->code->size);
    if (strcmp(key, "on") == 0) return block[0];
    for (int p = 0; p < a->info->param_count; p++)
        if (strcmp(a->info->params[p].key, key) == 0) return block[0] > 0.0f ? block[1 + p] : 0.0f;
    return 0.0f;
}

static bool uses_model(const mn_scene *s, const mn_model_info *model)
{
    if (s->pressure.model == model) return true;
    for (int f = 0; f < s->fluid_count; f++)
        for (int m = 0; m < s->fluids[f].model_count; m++)
            if (s->fluids[f].models[m].model == model) return true;
    return false;
}

/* The kernel of that name and ending, -1: none. */
static int kernel_of(const char *name, const char *ending)
{
    char whole[96];
    snprintf(whole, sizeof whole, "%s%s", name, ending);
    for (int k = 0; k < MN_KERNEL_COUNT; k++)
        if (strcmp(mn_kernel_table[k].name, whole) == 0) return k;
    return -1;
}

static bool activate_models(mn_world *w)
{
    w->active = calloc((size_t)mn_model_count(), sizeof *w->active);
    if (!w->active) return false;
    for (int m = 0; m < mn_model_count(); m++) {
        const mn_model_info *info = mn_model_at(m);
        if (!uses_model(w->scene, info)) continue;
        mn_active *a = &w->active[w->active_count++];
        *a = (mn_active){.info = info, .code = mn_model_code_of(info)};
        for (const int *kernel = a->code->kernels; *kernel >= 0; kernel++) {
            a->on_walls[a->kernel_count] = kernel_of(mn_kernel_table[*kernel].name, "_on_walls");
            a->kernel[a->kernel_count++] = *kernel;
        }
    }
    return true;
}

/* -- memory ----------------------------------------------------------------------------------------------------------------- */

/* Into a buffer of `total` entries, with what the fluid holds, and what the bodies hold from `from` to `to`. */
static bool move_buffer(mn_world *w, mn_buffer **buffer, size_t width, size_t total, void *host, size_t from, size_t to)
{
    const int stay = w->layout.bodies < w->walls.bodies ? w->layout.bodies : w->walls.bodies;
    const size_t kept = (size_t)w->layout.fluid * width, bodies = to ? (size_t)stay * width : 0;
    mn_buffer *larger = w->api->alloc(w->device, total * width);
    bool ok = larger != NULL;
    if (ok && *buffer && kept) ok = w->api->get(w->device, *buffer, 0, host, kept) && w->api->put(w->device, larger, 0, host, kept);
    if (ok && *buffer && bodies)
        ok =
            w->api->get(w->device, *buffer, from * width, host, bodies) && w->api->put(w->device, larger, to * width, host, bodies);
    w->api->release(w->device, *buffer);
    *buffer = larger;
    return ok;
}

bool mn_world_reserve(mn_world *w, int capacity, int ghost_room)
{
    capacity = (capacity + 7) / 8 * 8;
    const mn_wall_points *p = &w->walls;
    mn_layout next = w->layout;
    next.ghost_at = capacity;
    next.far_at = capacity + ghost_room;
    next.wall_at = next.far_at + 8;
    next.walls = p->resting;
    next.body_at = next.wall_at + p->resting;
    next.map_at = next.body_at + p->bodies + p->image_room;
    next.map_slots = w->maps.slots;
    next.map_stride = capacity;
    if ((int64_t)capacity * (1 + w->maps.slots) + ghost_room + p->resting + p->bodies + p->image_room + 8 > 2000000000)
        return false;
    const size_t whole = (size_t)next.wall_at, all = all_entries(&next);
    void *host = calloc((size_t)(w->layout.fluid > w->layout.bodies ? w->layout.fluid : w->layout.bodies) + 1, 16);
    bool ok = host != NULL;
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++) {
        if (!w->field[f] || mn_field_table[f].life == MN_LIFE_TABLE) continue;
        if (mn_persistent(f) || mn_at_walls(f)) /* places and velocities of walls come anew */
            ok = move_buffer(w, &w->field[f], mn_field_bytes(f), mn_at_walls(f) ? all : whole, host, (size_t)w->layout.body_at,
                             mn_persistent(f) ? 0 : (size_t)next.body_at);
        else drop_field(w, f); /* nothing worth keeping between steps */
    }
    ok = ok && move_buffer(w, &w->id, 4, whole, host, 0, 0);
    free(host);
    w->api->release(w->device, w->ghost_source);
    w->api->release(w->device, w->ghost_shift);
    w->ghost_source = w->api->alloc(w->device, ((size_t)ghost_room + 1) * 4);
    w->ghost_shift = w->api->alloc(w->device, ((size_t)ghost_room + 1) * 16);
    w->capacity = capacity;
    w->ghost_room = ghost_room;
    w->layout = next;
    w->layout.bodies = p->bodies;
    w->layout.deaf = p->deaf;
    ok = ok && w->ghost_source && w->ghost_shift && ensure_field(w, MN_FIELD_pos) && ensure_field(w, MN_FIELD_vel);
    return ok && put_far(w, MN_FIELD_pos) && mn_walls_upload(w);
}

/* -- beginning -------------------------------------------------------------------------------------------------------------- */

/* False: out of memory. */
static bool core_parameters(mn_world *w)
{
    const mn_scene *s = w->scene;
    params *p = &w->par;
    const double h = 2.0 * s->spacing;
    p->fluids = s->fluid_count;
    p->walls = s->wall_count + s->body_count + s->solid_count;
    p->spacing = (float)s->spacing;
    p->h = (float)h;
    p->inv_h = (float)(1.0 / h);
    p->w0 = (float)(8.0 / (3.14159265358979323846 * h * h * h));
    p->eps2 = (float)(0.01 * h * h);
    if (!mn_surface_constants(p)) return false;
    p->film = mn_film_acts(s);
    p->wall_weight = (float)s->wall_weight;
    const double dt = s->adaptive ? s->step_max : s->step; /* replaced before it matters; XSPH divides by it in the first step */
    p->dt = (float)dt;
    p->inv_dt = (float)(1.0 / dt);
    for (int f = 0; f < s->fluid_count; f++)
        p->density[f] = (float)s->fluids[f].density, p->inv_density[f] = (float)(1.0 / s->fluids[f].density);
    for (int a = 0; a < 3; a++) {
        w->periodic = w->periodic || s->periodic[a];
        const bool cut = s->bounded && !s->periodic[a];
        w->par.keep_low[a] = cut ? (float)s->low[a] : -3e38f;
        w->par.keep_high[a] = cut ? (float)s->high[a] : 3e38f;
    }
    if (s->periodic[0]) p->low_x = (float)s->low[0], p->span_x = (float)(s->high[0] - s->low[0]);
    if (s->periodic[1]) p->low_y = (float)s->low[1], p->span_y = (float)(s->high[1] - s->low[1]);
    if (s->periodic[2]) p->low_z = (float)s->low[2], p->span_z = (float)(s->high[2] - s->low[2]);
    return true;
}

/* Leaves out the points that lie in the fluid's holes. */
static mn_status cut_holes(const mn_fluid *fluid, mn_points *points, long from, double spacing, mn_messages *say)
{
    for (int k = 0; k < fluid->hole_count; k++) {
        mn_solid *hole = mn_solid_new(&fluid->holes[k], say);
        if (!hole) return MN_BAD_INPUT;
        long kept = from;
        for (long i = from; i < points->count; i++)
            if (mn_solid_distance(hole, points->x + 3 * i, spacing) >= 0)
                memmove(points->x + 3 * kept++, points->x + 3 * i, 3 * sizeof *points->x);
        points->count = kept;
        mn_solid_free(hole);
    }
    return MN_OK;
}

/* Points of one fluid, from all its shapes. */
static mn_status sample_fluid(const mn_scene *s, const mn_fluid *fluid, mn_points *out, double centre[3], mn_messages *say)
{
    mn_solid **solids = calloc((size_t)fluid->shape_count + 1, sizeof *solids);
    mn_status status = solids ? MN_OK : MN_FAILED;
    const long before = out->count;
    double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
    for (int k = 0; k < fluid->shape_count && status == MN_OK; k++) {
        solids[k] = mn_solid_new(&fluid->shapes[k], say);
        if (!solids[k]) status = MN_BAD_INPUT;
        else {
            double l[3], h[3];
            mn_solid_bounds(solids[k], l, h);
            for (int a = 0; a < 3; a++) low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], h[a]);
        }
    }
    for (int a = 0; a < 3; a++) centre[a] = 0.5 * (low[a] + high[a]);
    if (status == MN_OK && fluid->shape_count)
        status = mn_sample_volume(solids, fluid->shapes, fluid->shape_count, fluid->sampling, s->spacing, fluid->jitter,
                                  fluid->seed, out, say);
    if (status == MN_OK) status = cut_holes(fluid, out, before, s->spacing, say);
    for (int k = 0; solids && k < fluid->shape_count; k++) mn_solid_free(solids[k]);
    free(solids);
    return status;
}

/* Bodies and solids take their room: of the points from `from` on, those within or all but touching one are left out. */
static void leave_room(const mn_world *w, mn_points *points, long from)
{
    const double d = w->scene->spacing;
    long kept = from;
    for (long i = from; i < points->count; i++) {
        const double *x = points->x + 3 * i;
        bool outside = true;
        for (int k = 0; k < w->scene->body_count && outside; k++)
            outside = mn_form_distance(mn_rigid_form(w->rigid, k), x, d) >= 0.4 * d;
        if (outside && w->solids) outside = mn_solids_distance(w->solids, x, d) >= 0.4 * d;
        if (outside) memmove(points->x + 3 * kept++, x, 3 * sizeof *x);
    }
    points->count = kept;
}

static mn_status fill(mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_points points = {0};
    mn_status status = MN_OK;
    long *end = calloc((size_t)s->fluid_count + 1, sizeof *end);
    double(*centre)[3] = calloc((size_t)s->fluid_count + 1, sizeof *centre);
    if (!end || !centre) status = MN_FAILED;
    for (int f = 0; f < s->fluid_count && status == MN_OK; f++) {
        const long before = points.count;
        status = sample_fluid(s, &s->fluids[f], &points, centre[f], say);
        if (s->body_count + s->solid_count) leave_room(w, &points, before);
        end[f] = points.count;
    }
    if (status == MN_OK && (double)points.count > MN_MOST_PARTICLES) {
        mn_say_error(say, MN_NOWHERE, "%ld fluid particles are too many (at most %g); use a larger spacing", points.count,
                     MN_MOST_PARTICLES);
        status = MN_BAD_INPUT;
    }
    const int n = status == MN_OK ? (int)points.count : 0;
    real4 *pos = malloc(((size_t)n + 1) * sizeof *pos), *vel = malloc(((size_t)n + 1) * sizeof *vel);
    int *id = malloc(((size_t)n + 1) * sizeof *id);
    if (!pos || !vel || !id) status = MN_FAILED;
    for (int i = 0, f = 0; i < n && status == MN_OK; i++) {
        while (i >= end[f]) f++;
        const mn_fluid *fluid = &s->fluids[f];
        const double *x = &points.x[3 * (size_t)i], *o = fluid->angular_velocity, *v = fluid->velocity;
        const double r[3] = {x[0] - centre[f][0], x[1] - centre[f][1], x[2] - centre[f][2]};
        pos[i] = (real4){(float)x[0], (float)x[1], (float)x[2], (float)(s->spacing * s->spacing * s->spacing)};
        vel[i] = (real4){(float)(v[0] + o[1] * r[2] - o[2] * r[1]), (float)(v[1] + o[2] * r[0] - o[0] * r[2]),
                         (float)(v[2] + o[0] * r[1] - o[1] * r[0]), (float)f};
        id[i] = i;
    }
    if (status == MN_OK) {
        bool ok = mn_world_reserve(w, n + (w->emitter_count ? n / 4 + 4096 : 0), w->periodic ? n / 4 + 1024 : 0);
        ok = ok && w->api->put(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) &&
             w->api->put(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel) &&
             w->api->put(w->device, w->id, 0, id, (size_t)n * 4);
        w->layout.fluid = w->par.n = w->next_id = n;
        if (!ok) {
            mn_say_failure(say, MN_NOWHERE, "no room for %d particles on %s: %s", n, w->api->key, w->api->failure(w->device));
            status = MN_FAILED;
        }
    } else if (status == MN_FAILED) mn_say_failure(say, MN_NOWHERE, "out of memory");
    free(pos), free(vel), free(id), free(end), free(centre);
    mn_points_free(&points);
    return status;
}

/* A body longer than the period would lie in itself. */
static bool check_periods(const mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    bool good = true;
    for (int k = 0; k < s->body_count + s->solid_count; k++) {
        const bool body = k < s->body_count;
        const mn_body *b = body ? &s->bodies[k] : NULL;
        const mn_deformable *e = body ? NULL : &s->solids[k - s->body_count];
        double low[3] = {1e300, 1e300, 1e300}, high[3] = {-1e300, -1e300, -1e300};
        for (int n = 0; w->periodic && n < (body ? b->shape_count : e->shape_count); n++) {
            mn_solid *solid = mn_solid_new(body ? &b->shapes[n] : &e->shapes[n], NULL);
            double l[3], h[3];
            if (!solid) continue;
            mn_solid_bounds(solid, l, h);
            for (int a = 0; a < 3; a++) low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], h[a]);
            mn_solid_free(solid);
        }
        for (int a = 0; a < 3; a++) {
            const double period = s->high[a] - s->low[a];
            if (!s->periodic[a] || high[a] - low[a] <= period * (1 + 1e-6)) continue;
            mn_say_error(
                say, body ? b->at : e->at,
                "the %s \"%s\" is %g m long along %c, on which the domain is periodic: it would lie in itself; expected at "
                "most the period of %g m",
                body ? "body" : "solid", body ? b->name : e->name, high[a] - low[a], "xyz"[a], period);
            good = false;
        }
    }
    return good;
}

mn_world *mn_world_new(const mn_scene *scene, const mn_options *options, mn_messages *say)
{
    const mn_options defaults = mn_default_options();
    if (!options) options = &defaults;
    const char *device = NULL;
    const mn_backend_api *api = mn_backend_find(options->backend ? options->backend : "cpu", &device);
    if (!api) {
        static const char *const names[] = {"cpu", "cpu-scalar", "opencl"};
        const char *near = mn_nearest(options->backend, names, 3);
        mn_say_error(say, MN_NOWHERE, "no backend '%s'; expected cpu, cpu-scalar or opencl[:DEVICE]%s%s%s", options->backend,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return NULL;
    }
    mn_world *w = calloc(1, sizeof *w);
    if (!w) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    w->scene = scene;
    w->stage = MN_STAGES;
    w->keeps_acceleration = wants_acceleration(scene);
    w->api = api;
    w->stop_time = INFINITY;
    w->crowd = -1;
    w->packing = 1.0f;
    bool ok = core_parameters(w) && (w->identity = mn_scene_identity(scene));
    if (ok) w->device = api->open(device, options->threads, say);
    ok = ok && w->device && activate_models(w) && mn_room_check(w, say) == MN_OK;
    ok = ok && (!scene->body_count || (w->rigid = mn_rigid_new(scene, say)));
    const int threads = options->threads > 0 ? options->threads : omp_get_num_procs();
    ok = ok && (!scene->solid_count || (w->solids = mn_solids_new(scene, threads, say)));
    ok = ok && check_periods(w, say) && mn_walls_make(w, say) == MN_OK && mn_maps_make(w, say) == MN_OK &&
         mn_inflow_make(w, say) == MN_OK && mn_air_make(w, say) == MN_OK && fill(w, say) == MN_OK &&
         mn_species_make(w, say) == MN_OK && mn_substances_make(w, say) == MN_OK;
    if (ok) return w;
    if (!mn_messages_errors(say)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    mn_world_free(w);
    return NULL;
}

void mn_world_free(mn_world *w)
{
    if (!w) return;
    if (w->device) {
        for (int f = 0; f < MN_FIELD_COUNT; f++) drop_field(w, f);
        w->api->release(w->device, w->id);
        w->api->release(w->device, w->image_source);
        w->api->release(w->device, w->ghost_source);
        w->api->release(w->device, w->ghost_shift);
        w->api->close(w->device);
    }
    mn_walls_free(&w->walls);
    mn_rigid_free(w->rigid);
    mn_maps_free(&w->maps);
    mn_solids_free(w->solids);
    mn_inflow_free(w);
    free(w->active);
    free(w->resampled);
    free(w->identity);
    free(w);
}

/* -- questions -------------------------------------------------------------------------------------------------------------- */

double mn_world_time(const mn_world *w) { return w->time; }
int64_t mn_world_steps(const mn_world *w) { return w->steps; }
int64_t mn_world_particles(const mn_world *w) { return w->layout.fluid; }
int64_t mn_world_wall_particles(const mn_world *w) { return w->walls.resting + w->walls.bodies + w->maps.surface_count; }
void mn_world_deleted(const mn_world *w, int64_t *drained, int64_t *lost) { *drained = w->drained, *lost = w->lost; }
size_t mn_world_bytes(const mn_world *w) { return w->api->bytes(w->device); }
const char *mn_world_backend(const mn_world *w) { return w->api->describe(w->device); }
void mn_world_limit_step(mn_world *w, double stop_time) { w->stop_time = stop_time; }

mn_stats mn_world_stats(mn_world *w)
{
    double motion[4] = {0}, weight[4] = {0}, speed[4] = {0}, most[4] = {0};
    if (w->par.n > 0 && w->steps > 0) {
        mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, motion);
        mn_run_sum(w, MN_KERNEL_weight, MN_NO_ARG, weight);
        mn_run_max(w, MN_KERNEL_weight, MN_NO_ARG, most);
        mn_run_max(w, MN_KERNEL_speed, MN_NO_ARG, speed);
    }
    mn_stats stats = (mn_stats){w->steps,
                                w->time,
                                w->dt,
                                w->layout.fluid,
                                w->density_error,
                                fmax(most[2], 0.0),
                                motion[3],
                                weight[1],
                                {motion[0], motion[1], motion[2]},
                                w->pressure_iterations,
                                w->velocity_iterations,
                                sqrt(fmax(speed[2], 0.0)),
                                w->drained,
                                w->lost,
                                0,
                                {0}};
    mn_species_stats(w, &stats);
    return stats;
}

int mn_world_stages(const mn_world *w, mn_stage_time *out, int capacity)
{
    static const char *const names[MN_STAGES] = {"search", "density",  "surface",  "divergence", "forces",
                                                 "air",    "velocity", "pressure", "move",       "bodies"};
    for (int k = 0; k < MN_STAGES && k < capacity; k++) out[k] = (mn_stage_time){names[k], w->seconds[k]};
    return MN_STAGES;
}

/* -- state as a snapshot ---------------------------------------------------------------------------------------------------- */

mn_status mn_world_save(mn_world *w, mn_snapshot *snap, mn_messages *say)
{
    const long n = w->layout.fluid;
    double *clock = mn_snapshot_add(snap, "clock", MN_F64, 5, 1);
    int64_t *counts = mn_snapshot_add(snap, "counts", MN_I64, 5, 1);
    double *travelled = mn_snapshot_add(snap, "emitter_travelled", MN_F64, 1, w->emitter_count);
    int64_t *emitted = mn_snapshot_add(snap, "emitter_emitted", MN_I64, 1, w->emitter_count);
    int64_t *deleted = mn_snapshot_add(snap, "deleted", MN_I64, 2, 1);
    double *account = mn_snapshot_add(snap, "species", MN_F64, 4, w->scene->species_count);
    int *id = mn_snapshot_add(snap, "id", MN_I32, 1, n);
    bool ok = clock && counts && deleted && account && id && (!w->emitter_count || (travelled && emitted));
    if (ok) {
        const double c[5] = {w->time, w->dt, w->next_dt, w->density_error, (double)w->pressure_scale};
        memcpy(clock, c, sizeof c);
        const int64_t k[5] = {w->steps, w->next_id, w->pressure_iterations, w->velocity_iterations, w->divergence_iterations};
        memcpy(counts, k, sizeof k);
        deleted[0] = w->drained, deleted[1] = w->lost;
        for (int s = 0; s < w->scene->species_count; s++)
            account[4 * s] = w->species[s].emitted, account[4 * s + 1] = w->species[s].drained,
                        account[4 * s + 2] = w->species[s].reacted, account[4 * s + 3] = w->species[s].evaporated;
        for (int e = 0; e < w->emitter_count; e++) travelled[e] = w->emitters[e].travelled, emitted[e] = w->emitters[e].emitted;
        ok = w->api->get(w->device, w->id, 0, id, (size_t)n * 4);
    }
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++) {
        if (!mn_persistent(f) || !w->field[f]) continue;
        void *data = mn_snapshot_add(snap, mn_field_table[f].name, MN_F32, (int)mn_field_bytes(f) / 4, n);
        ok = data && w->api->get(w->device, w->field[f], 0, data, (size_t)n * mn_field_bytes(f));
    }
    ok = ok && mn_resample_save(w, snap) == MN_OK;
    ok = ok && mn_substances_save(w, snap);
    ok = ok && (!w->rigid || mn_rigid_save(w->rigid, snap)) && mn_solids_save(w->solids, snap);
    char *identity = ok ? mn_snapshot_add(snap, "scene", MN_U8, 1, (long)strlen(w->identity)) : NULL;
    if (identity) memcpy(identity, w->identity, strlen(w->identity));
    ok = identity != NULL;
    if (!ok) mn_say_failure(say, MN_NOWHERE, "cannot collect the state: out of memory or device failure");
    return ok ? MN_OK : MN_FAILED;
}

static const mn_array *need(const mn_snapshot *snap, const char *name, mn_type type, int width, long count, mn_messages *say)
{
    const mn_array *a = mn_snapshot_find(snap, name);
    if (a && a->type == type && a->width == width && a->count == count) return a;
    mn_say_error(say, MN_NOWHERE, "the checkpoint does not fit this scene: array '%s' is %s", name,
                 a ? "of another size" : "missing");
    return NULL;
}

/* The numbers of a clock and of counters that a run can have; the seal of a file does not prove that a run has written it. */
static bool plausible(const mn_array *clock, const mn_array *counts, const mn_array *deleted, const mn_array *travelled,
                      const mn_array *emitted)
{
    const double *c = clock->data;
    for (int k = 0; k < 5; k++)
        if (!((c[k] >= 0 || k == 3) && fabs(c[k]) <= 1e30)) return false;
    const mn_array *const all[3] = {counts, deleted, emitted};
    for (int a = 0; a < 3; a++)
        for (long k = 0; all[a] && k < all[a]->count * all[a]->width; k++) {
            const int64_t value = ((const int64_t *)all[a]->data)[k];
            if (value < 0 || value > (a == 0 && k > 0 ? INT32_MAX : INT64_MAX / 2)) return false;
        }
    for (long e = 0; travelled && e < travelled->count; e++)
        if (!(fabs(((const double *)travelled->data)[e]) < 1e30)) return false;
    return true;
}

/* That the state is one of this scene. */
static mn_status check_scene(const mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_array *a = mn_snapshot_find(snap, "scene");
    if (!a || a->type != MN_U8 || a->width != 1 || a->count < 1) {
        mn_say_error(say, MN_NOWHERE,
                     "the checkpoint does not say of which scene it is, as those of older versions of this program; "
                     "expected one of this version: start the run anew");
        return MN_BAD_INPUT;
    }
    char *was = strndup(a->data, (size_t)a->count);
    if (!was) mn_say_failure(say, MN_NOWHERE, "out of memory");
    const mn_status status = was ? mn_scene_compare(was, w->identity, "the checkpoint", MN_NOWHERE, say) : MN_FAILED;
    free(was);
    return status;
}

mn_status mn_world_load(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    const mn_status same = check_scene(w, snap, say);
    if (same != MN_OK) return same;
    const mn_array *id = mn_snapshot_find(snap, "id");
    const mn_array *clock = need(snap, "clock", MN_F64, 5, 1, say), *counts = need(snap, "counts", MN_I64, 5, 1, say);
    const mn_array *deleted = need(snap, "deleted", MN_I64, 2, 1, say),
                   *account = need(snap, "species", MN_F64, 4, w->scene->species_count, say);
    if (!id || id->type != MN_I32 || id->width != 1 || id->count > 1000000000) {
        mn_say_error(say, MN_NOWHERE, "the checkpoint does not fit this scene: array 'id' is missing or not one of numbers");
        return MN_BAD_INPUT;
    }
    if (!clock || !counts || !deleted || !account) return MN_BAD_INPUT;
    const long n = id->count;
    const mn_array *field[MN_FIELD_COUNT] = {NULL}, *travelled = NULL, *emitted = NULL;
    for (int f = 0; f < MN_FIELD_COUNT; f++)
        if (mn_persistent(f) && mn_snapshot_find(snap, mn_field_table[f].name) &&
            !(field[f] = need(snap, mn_field_table[f].name, MN_F32, (int)mn_field_bytes(f) / 4, n, say)))
            return MN_BAD_INPUT;
    if (w->emitter_count) {
        travelled = need(snap, "emitter_travelled", MN_F64, 1, w->emitter_count, say);
        emitted = need(snap, "emitter_emitted", MN_I64, 1, w->emitter_count, say);
        if (!travelled || !emitted) return MN_BAD_INPUT;
    }
    if (!plausible(clock, counts, deleted, travelled, emitted)) {
        mn_say_error(say, MN_NOWHERE, "the checkpoint's clock or counters have impossible values");
        return MN_BAD_INPUT;
    }
    if (!field[MN_FIELD_pos] || !field[MN_FIELD_vel]) {
        mn_say_error(say, MN_NOWHERE, "the checkpoint holds no positions or velocities");
        return MN_BAD_INPUT;
    }
    const real4 *vel = field[MN_FIELD_vel]->data, *pos = field[MN_FIELD_pos]->data;
    for (long i = 0; i < n; i++)
        if (!(vel[i].w >= 0.0f && vel[i].w < (float)w->par.fluids) || !isfinite(pos[i].x + pos[i].y + pos[i].z + pos[i].w)) {
            mn_say_error(say, MN_NOWHERE, "the checkpoint does not fit this scene: particle %ld has no valid fluid or position", i);
            return MN_BAD_INPUT;
        }
    if (w->rigid && mn_rigid_load(w->rigid, snap, say) != MN_OK) return MN_BAD_INPUT;
    if (mn_solids_restore(w->solids, snap, say) != MN_OK) return MN_BAD_INPUT;
    bool ok = n <= w->capacity || mn_world_reserve(w, (int)n, w->ghost_room);
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++)
        if (field[f])
            ok = ensure_field(w, f) && w->api->put(w->device, w->field[f], 0, field[f]->data, (size_t)n * mn_field_bytes(f));
    ok = ok && w->api->put(w->device, w->id, 0, id->data, (size_t)n * 4);
    ok = ok && mn_resample_load(w, snap) == MN_OK;
    if (!ok) {
        mn_say_failure(say, MN_NOWHERE, "cannot load the checkpoint onto %s: %s", w->api->key, w->api->failure(w->device));
        return MN_FAILED;
    }
    const double *c = clock->data;
    const int64_t *k = counts->data;
    w->time = c[0], w->dt = c[1], w->next_dt = c[2], w->density_error = c[3], w->pressure_scale = (float)c[4];
    w->listed = false;
    w->first_unseen = 0;
    w->par.dt = (float)w->dt, w->par.inv_dt = w->dt > 0.0 ? (float)(1.0 / w->dt) : w->par.inv_dt;
    w->steps = k[0], w->next_id = (int)k[1], w->pressure_iterations = (int)k[2], w->velocity_iterations = (int)k[3],
    w->divergence_iterations = (int)k[4];
    for (int s = 0; s < w->scene->species_count; s++) {
        const double *a = (const double *)account->data + 4 * s;
        w->species[s] = (mn_account){.emitted = a[0], .drained = a[1], .reacted = a[2], .evaporated = a[3]};
    }
    w->drained = ((const int64_t *)deleted->data)[0], w->lost = ((const int64_t *)deleted->data)[1];
    for (int e = 0; e < w->emitter_count; e++)
        w->emitters[e].travelled = ((const double *)travelled->data)[e],
        w->emitters[e].emitted = (long)((const int64_t *)emitted->data)[e];
    w->layout.fluid = w->par.n = (int)n;
    return mn_substances_load(w, snap, say);
}

mn_status mn_checkpoint_write(mn_world *w, const char *path, mn_messages *say)
{
    mn_snapshot snap = {0};
    mn_status status = mn_world_save(w, &snap, say);
    if (status == MN_OK) status = mn_snapshot_write(&snap, path, say);
    mn_snapshot_free(&snap);
    return status;
}

mn_status mn_checkpoint_read(mn_world *w, const char *path, mn_messages *say)
{
    mn_snapshot snap = {0};
    mn_status status = mn_snapshot_read(&snap, path, say);
    if (status == MN_OK) status = mn_world_load(w, &snap, say);
    mn_snapshot_free(&snap);
    return status;
}
