/* species.c -- what the liquid carries: where it is at the start, how it spreads, how much of it there is.
 *
 * Processes act one after the other on each species (kernels/species/bulk_diffusion.h; kernels/film/adsorption.h,
 * surface_diffusion.h, evaporation.h), each in as many sub-steps as it needs to stay stable, MOST_SUBSTEPS at most;
 * beyond that it is slower than asked for, with the same equilibrium.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/points.h"
#include "core/parts.h"
#include "core/world.h"
#include "geometry/geometry.h"
#include "base/exact.h"
#include "species/species.h"

enum { MOST_SUBSTEPS = 32, GRID_BITS = 22 };

int mn_species_field(int species) { return MN_FIELD_amount_0 + species; }

/* -- the start ----------------------------------------------------------------------------------------------------- */

static bool fill_species(mn_world *w, int k, const real4 *pos, const real4 *vel, real4 *out, mn_messages *say)
{
    const mn_species *s = &w->scene->species[k];
    mn_shape **shape = calloc((size_t)s->start_count + 1, sizeof *shape);
    bool ok = shape != NULL;
    for (int e = 0; e < s->start_count && ok; e++)
        if (s->start[e].shape.scale > 0.0) ok = (shape[e] = mn_shape_new(&s->start[e].shape, say)) != NULL;
    const int n = w->layout.fluid;
    memset(out, 0, ((size_t)n + 1) * sizeof *out);
    for (int i = 0; i < n && ok; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        for (int e = s->start_count - 1; e >= 0; e--) {
            const mn_species_start *start = &s->start[e];
            if (start->fluid_index >= 0 && start->fluid_index != (int)vel[i].w) continue;
            if (shape[e] && mn_shape_distance(shape[e], x, 0.0) > 0.0) continue;
            out[i].x = (float)(start->concentration * (double)pos[i].w);
            break;
        }
    }
    for (int e = 0; shape && e < s->start_count; e++) mn_shape_free(shape[e]);
    free(shape);
    return ok && mn_world_field(w, mn_species_field(k)) &&
           w->api->put(w->device, w->field[mn_species_field(k)], 0, out, (size_t)n * sizeof *out);
}

mn_species_state *mn_species_of(const mn_world *w) { return mn_part_of(w, &mn_species_system); }

static mn_status start(mn_world *w, void *me, mn_messages *say)
{
    (void)me;
    const int n = w->layout.fluid;
    real4 *pos = malloc(((size_t)n + 1) * sizeof *pos), *vel = malloc(((size_t)n + 1) * sizeof *vel),
          *out = malloc(((size_t)n + 1) * sizeof *out);
    bool ok = pos && vel && out && w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) &&
              w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel);
    for (int k = 0; k < w->scene->species_count && ok; k++) ok = fill_species(w, k, pos, vel, out, say);
    free(pos), free(vel), free(out);
    if (!ok && !mn_messages_errors(say))
        mn_say_failure(say, MN_NOWHERE, "not enough memory for the species on %s", w->api->key);
    return ok ? mn_substances_make(w, say) : MN_FAILED;
}

/* -- coming and going ---------------------------------------------------------------------------------------------- */

/* mol/m^3 that an emitter's liquid carries at that time. */
static double carried(const mn_world *w, int species, int fluid, const mn_emitter *emitter, double time)
{
    const mn_species *s = &w->scene->species[species];
    if (!emitter) return 0.0; /* added by the program */
    const int number = (int)(emitter - w->scene->fluids[fluid].emitters);
    for (int e = s->inflow_count - 1; e >= 0; e--) {
        const mn_species_inflow *in = &s->inflow[e];
        if ((in->fluid_index >= 0 && in->fluid_index != fluid) || (in->emitter >= 0 && in->emitter != number)) continue;
        double concentration;
        mn_curve_at(&in->concentration, time, &concentration);
        return concentration;
    }
    return 0.0;
}

void mn_species_lend(mn_world *w, int species)
{
    w->field[MN_FIELD_amount] = species < 0 ? NULL : w->field[mn_species_field(species)];
}

static void fold_species(mn_world *w, int kernel, int species, double out[2])
{
    double sum[4] = {0};
    mn_species_lend(w, species);
    if (w->par.n > 0) mn_run_sum(w, kernel, MN_NO_ARG, sum);
    mn_species_lend(w, -1);
    out[0] = sum[0] + sum[1], out[1] = sum[2] + sum[3];
}

static bool emitted(mn_world *w, void *me, int fluid, const mn_emitter *e, const real4 *pos, int first, int count)
{
    mn_species_state *state = me;
    real4 *amount = calloc((size_t)count + 1, sizeof *amount);
    bool ok = amount != NULL;
    for (int k = 0; k < w->scene->species_count && ok; k++) {
        const double concentration = carried(w, k, fluid, e, w->time);
        for (int i = 0; i < count; i++) {
            amount[i].x = (float)(concentration * (double)pos[i].w);
            state->account[k].emitted += (double)amount[i].x;
        }
        ok = w->api->put(w->device, w->field[mn_species_field(k)], (size_t)first * sizeof *amount, amount,
                         (size_t)count * sizeof *amount);
    }
    free(amount);
    return ok;
}

/* Before the sort: accounts for what the particles hold that it will drop. */
static void leave(mn_world *w, void *me)
{
    mn_species_state *state = me;
    bool outside = w->leaving > 0;
    for (int a = 0; a < 3; a++)
        outside = outside || w->bounds.low[a] < w->par.keep_low[a] || w->bounds.high[a] > w->par.keep_high[a];
    for (int k = 0; k < w->scene->species_count && outside; k++) {
        double gone[2];
        fold_species(w, MN_KERNEL_species_outside, k, gone);
        state->account[k].drained += gone[0] + gone[1];
    }
}

void mn_species_totals(mn_world *w, int species, double out[2])
{
    fold_species(w, MN_KERNEL_species_total, species, out);
}

/* -- one step ------------------------------------------------------------------------------------------------------ */

/* 1.5 * 2^23 steps of a grid on which 2^22 steps hold the flux through a particle. */
float mn_flux_grid(double bound)
{
    int exponent;
    frexp(fmax(bound, 1e-30), &exponent); /* bound <= 2^exponent */
    return (float)ldexp(1.5, 23 + exponent - GRID_BITS);
}

static int substeps(double most) { return (int)fmin(fmax(ceil(most), 1.0), MOST_SUBSTEPS); }

int mn_substeps(double rate, double dt) { return substeps(rate * dt / (double)MN_MOST_LOST); }

/* What the places of the particles allow, largest values. */
typedef struct room {
    double bulk, film;   /* rates of diffusion over D, 1/m^2 (kernels/species/mixing.h, surface_diffusion.h) */
    double area, volume; /* m^2, m^3 of a particle */
} room;

/* Diffusion keeps between the concentrations that are there as long as no particle loses more than all it has. */
static const double MOST_SPREAD = 0.9;

typedef struct pace {
    int count;
    double dt,
        /* of a sub-step: its length, shorter than asked for where MOST_SUBSTEPS are too few; the largest share that
         * leaves a particle */
        share;
} pace;

static pace pace_of(double rate, double dt)
{
    const int count = substeps(rate * dt / MOST_SPREAD);
    const double slower = fmin(1.0, MOST_SPREAD * count / (rate * dt));
    return (pace){count, slower * dt / count, slower * rate * dt / count};
}

static void diffuse(mn_world *w, const mn_species *s, const room *m, double most)
{
    const double d = s->diffusion / mn_species_bulk_moment(&w->par);
    const pace p = pace_of(d * m->bulk, w->dt);
    const real4 arg = {(float)(d * p.dt), mn_flux_grid(p.share * most * m->volume), 0.0f, 0.0f};
    for (int k = 0; k < p.count; k++) {
        mn_run(w, MN_KERNEL_bulk_state, MN_NO_ARG);
        mn_run(w, MN_KERNEL_bulk_diffusion, arg);
    }
}

/* Rates of this moment into `reach`; returns the largest, of surfaces or bulk, times dt. */
static double adsorption_rates(mn_world *w, const mn_species *s, double dt)
{
    double top[4];
    const double ka = s->surface.adsorption * dt, kf = s->surface.desorption * dt, back = s->surface.feedback * dt;
    mn_run(w, MN_KERNEL_adsorption_state, (real4){(float)ka, (float)kf, (float)s->surface.capacity, (float)back});
    mn_run_max(w, MN_KERNEL_adsorption_reach, MN_ARG(ka), top);
    return fmax(top[0], top[1]);
}

/* Stable at any length; sub-steps are for the approach to the balance alone. */
static void adsorb(mn_world *w, const mn_species *s, const room *m, const double most[4])
{
    const double held = most[2], uptake = s->surface.adsorption * most[0] * (s->surface.capacity * m->area + held);
    const double flux = uptake + fmax(s->surface.desorption, s->surface.feedback) * held;
    if (!(flux > 0.0)) return;
    const int count = substeps(adsorption_rates(w, s, w->dt) / 5.0);
    const double dt = w->dt / count;
    for (int k = 0; k < count; k++) {
        if (count > 1) adsorption_rates(w, s, dt);
        mn_run(w, MN_KERNEL_adsorption, (real4){0.0f, mn_flux_grid(2.0 * dt * flux), 0.0f, 0.0f});
    }
}

static void creep(mn_world *w, const mn_species *s, const room *m, double held)
{
    const pace p = pace_of(s->surface.diffusion * m->film, w->dt);
    const real4 arg = {(float)(s->surface.diffusion * p.dt), mn_flux_grid(4.0 * p.share * held), 0.0f, 0.0f};
    mn_run(w, MN_KERNEL_species_film, MN_NO_ARG);
    for (int k = 0; k < p.count && !w->failed; k++) {
        mn_run(w, MN_KERNEL_surface_diffusion, arg);
        mn_buffer *before = w->field[MN_FIELD_film];
        w->field[MN_FIELD_film] = w->field[MN_FIELD_moment];
        w->field[MN_FIELD_moment] = before;
        w->stale[MN_FIELD_film] = true;
    }
}

static void evaporate(mn_world *w, int k)
{
    double gone[4] = {0};
    /* never all of it: what is left stays above the rounding of the pair of floats */
    const double share = fmin(1.0 - mn_exp(-w->scene->species[k].surface.evaporation * w->dt), 1.0 - 0x1p-20);
    mn_run_sum(w, MN_KERNEL_evaporation, MN_ARG(share), gone);
    mn_species_of(w)->account[k].evaporated += gone[0];
}

/* Copies of particles and of boundary points see the positions of their sources; without them there is nothing to
 * copy. */
static void take_origin(mn_world *w)
{
    if (!w->periodic) {
        w->field[MN_FIELD_origin] = w->field[MN_FIELD_pos];
        return;
    }
    mn_run(w, MN_KERNEL_origin_take, MN_NO_ARG);
    if (!w->scene->reaction_count) return;
    mn_run_active(w, MN_KERNEL_origin_take, MN_NO_ARG);
    mn_boundary_copy(w, MN_FIELD_origin);
}

/* The links of a film, when its first species asks for them; m->film < 0 until then. */
static void link_film(mn_world *w, room *m)
{
    double top[4];
    mn_run(w, MN_KERNEL_film_moment, MN_ARG(0.5 * mn_species_film_moment(&w->par)));
    mn_run_max(w, MN_KERNEL_film_links, MN_NO_ARG, top);
    const double limit = mn_species_film_rate(&w->par) / ((double)w->par.spacing * (double)w->par.spacing);
    if (top[0] > limit) mn_run(w, MN_KERNEL_film_limit, MN_ARG(limit));
    m->film = fmin(top[0], limit);
}

/* Places and lists of the start of the step, and its dt. */
static void transport(mn_world *w, void *me)
{
    (void)me;
    const mn_scene *s = w->scene;
    if (!w->par.n || w->failed) return;
    room m = {.film = -1.0};
    bool ready = false;
    take_origin(w);
    for (int k = 0; k < s->species_count && !w->failed; k++) {
        const mn_species *one = &s->species[k];
        double most[4];
        mn_species_lend(w, k);
        mn_run_max(w, MN_KERNEL_species_most, MN_NO_ARG, most);
        const bool some = most[0] > 0.0 || most[2] > 0.0;
        if (some && !ready) {
            double geometry[4];
            mn_run_max(w, MN_KERNEL_mixing, MN_NO_ARG, geometry);
            m.bulk = geometry[0], m.area = geometry[1], m.volume = geometry[2];
            ready = true;
        }
        if (some && one->diffusion > 0.0) diffuse(w, one, &m, most[0]);
        if (some && (one->surface.adsorption > 0.0 || most[2] > 0.0)) adsorb(w, one, &m, most);
        if (some && one->surface.diffusion > 0.0 && most[1] > 0.0) {
            if (m.film < 0.0) link_film(w, &m);
            creep(w, one, &m, most[2]);
        }
        if (one->surface.evaporation > 0.0 && most[2] > 0.0) evaporate(w, k);
        mn_species_lend(w, -1);
    }
    mn_substances_step(w);
    if (!w->periodic) w->field[MN_FIELD_origin] = NULL;
}

void mn_species_film(mn_world *w, int species)
{
    mn_species_lend(w, species);
    mn_run(w, MN_KERNEL_species_film, MN_NO_ARG);
    mn_species_lend(w, -1);
}

/* -- numbers ------------------------------------------------------------------------------------------------------- */

static const char *const columns[] = {"bulk", "surface", "emitted", "drained", "reacted", "evaporated"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int name_columns(const mn_world *w, const void *me, char (*out)[MN_STATS_NAME], int capacity)
{
    (void)me;
    int count = 0;
    for (int k = 0; k < w->scene->species_count; k++)
        for (int c = 0; c < COLUMNS && count < capacity; c++)
            snprintf(out[count++], MN_STATS_NAME, "%.24s_%s", w->scene->species[k].name, columns[c]);
    for (int k = 0; k < w->scene->substance_count && count < capacity; k++)
        snprintf(out[count++], MN_STATS_NAME, "%.24s_walls", w->scene->substances[k].name);
    return count;
}

static int stats(mn_world *w, void *me, double *out)
{
    const mn_species_state *state = me;
    int count = 0;
    for (int k = 0; k < w->scene->species_count; k++) {
        double now[2];
        mn_species_totals(w, k, now);
        const mn_account *a = &state->account[k];
        const double row[COLUMNS] = {now[0], now[1], a->emitted, a->drained, a->reacted, a->evaporated};
        for (int c = 0; c < COLUMNS; c++) out[count++] = row[c];
    }
    for (int k = 0; k < w->scene->substance_count; k++) out[count++] = mn_substance_total(w, k);
    return count;
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

static bool save(mn_world *w, void *me, mn_snapshot *snap)
{
    const mn_species_state *state = me;
    double *account = mn_snapshot_add(snap, "species", MN_F64, 4, w->scene->species_count);
    for (int k = 0; account && k < w->scene->species_count; k++) {
        const mn_account *a = &state->account[k];
        const double row[4] = {a->emitted, a->drained, a->reacted, a->evaporated};
        memcpy(account + 4 * k, row, sizeof row);
    }
    return account && mn_substances_save(w, snap);
}

static mn_status restore(mn_world *w, void *me, const mn_snapshot *snap, mn_messages *say)
{
    mn_species_state *state = me;
    const mn_array *account = mn_snapshot_need(snap, "species", MN_F64, 4, w->scene->species_count, say);
    if (!account) return MN_BAD_INPUT;
    for (int k = 0; k < w->scene->species_count; k++) {
        const double *a = (const double *)account->data + 4 * k;
        state->account[k] = (mn_account){.emitted = a[0], .drained = a[1], .reacted = a[2], .evaporated = a[3]};
    }
    return mn_substances_load(w, snap, say);
}

static void bulk(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    *out = ((const real4 *)s->data[0])[at].x / ((const real4 *)s->data[1])[at].w;
}

static void film(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    const float area = ((const float *)s->data[1])[at];
    *out = area > 0.0f ? ((const real4 *)s->data[0])[at].z / area : 0.0f;
}

/* Concentration of a species: bulk amount over volume, or film over area (0 where there is no surface). */
static bool scene_view(const mn_world *w, const char *name, mn_field_view *out)
{
    bool on_surface = false;
    const int species = mn_scene_species_of(w->scene, name, &on_surface);
    if (species < 0) return false;
    *out = (mn_field_view){.name = name,
                           .width = 1,
                           .needs = {mn_species_field(species), on_surface ? MN_FIELD_area : MN_FIELD_pos, -1},
                           .value = on_surface ? film : bulk};
    return true;
}

static bool add_hash(mn_world *w, void *me, uint64_t *hash)
{
    (void)me;
    return mn_substances_hash(w, hash);
}

static bool wanted(const mn_scene *s) { return s->species_count + s->substance_count > 0; }

static void release(mn_world *w, void *me)
{
    (void)w;
    free(((mn_species_state *)me)->coated);
}

static double bytes_carried(const mn_scene *s) { return 16.0 * s->species_count; }

const mn_system mn_species_system = {.key = "species",
                                     .bytes = sizeof(mn_species_state),
                                     .wanted = wanted,
                                     .carried = bytes_carried,
                                     .start = start,
                                     .free = release,
                                     .at = {[MN_AT_parameters] = mn_film_parameters,
                                            [MN_AT_reserved] = mn_substances_sort,
                                            [MN_AT_leave] = leave,
                                            [MN_AT_surface] = mn_film_step,
                                            [MN_AT_transport] = transport},
                                     .emitted = emitted,
                                     .save = save,
                                     .restore = restore,
                                     .hash = add_hash,
                                     .columns = name_columns,
                                     .stats = stats,
                                     .scene_view = scene_view};
