/* species.c -- what the liquid carries: where it is at the start, how it spreads, how much of it there is.
 *
 * Processes act one after the other on each species (kernels/bulk_diffusion.h, adsorption.h, surface_diffusion.h), each in as many sub-steps as
 * it needs to stay stable, MOST_SUBSTEPS at most; beyond that a limiter slows it down and keeps its equilibrium.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geometry.h"
#include "species/species.h"
#include "world.h"

enum { MOST_SUBSTEPS = 32, GRID_BITS = 22 };

int mn_species_field(int species) { return MN_FIELD_amount_0 + species; }

/* -- the start -------------------------------------------------------------------------------------------------------------- */

static bool fill_species(mn_world *w, int k, const real4 *pos, const real4 *vel, real4 *out, mn_messages *say)
{
    const mn_species *s = &w->scene->species[k];
    mn_solid **shape = calloc((size_t)s->start_count + 1, sizeof *shape);
    bool ok = shape != NULL;
    for (int e = 0; e < s->start_count && ok; e++)
        if (s->start[e].shape.scale > 0.0) ok = (shape[e] = mn_solid_new(&s->start[e].shape, say)) != NULL;
    const int n = w->layout.fluid;
    memset(out, 0, ((size_t)n + 1) * sizeof *out);
    for (int i = 0; i < n && ok; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        for (int e = s->start_count - 1; e >= 0; e--) {
            const mn_species_start *start = &s->start[e];
            if (start->fluid_index >= 0 && start->fluid_index != (int)vel[i].w) continue;
            if (shape[e] && mn_solid_distance(shape[e], x, 0.0) > 0.0) continue;
            out[i].x = (float)(start->concentration * (double)pos[i].w);
            break;
        }
    }
    for (int e = 0; shape && e < s->start_count; e++) mn_solid_free(shape[e]);
    free(shape);
    return ok && mn_world_field(w, mn_species_field(k)) &&
           w->api->put(w->device, w->field[mn_species_field(k)], 0, out, (size_t)n * sizeof *out);
}

mn_status mn_species_make(mn_world *w, mn_messages *say)
{
    const int n = w->layout.fluid;
    if (!w->scene->species_count) return MN_OK;
    bool creeps = false;
    for (int k = 0; k < w->scene->species_count; k++) creeps = creeps || w->scene->species[k].surface.diffusion > 0.0;
    if (creeps && !((w->film_moment = mn_species_film_moment(say)) > 0.0)) return MN_FAILED;
    real4 *pos = malloc(((size_t)n + 1) * sizeof *pos), *vel = malloc(((size_t)n + 1) * sizeof *vel),
          *out = malloc(((size_t)n + 1) * sizeof *out);
    bool ok = pos && vel && out && w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) &&
              w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel);
    for (int k = 0; k < w->scene->species_count && ok; k++) ok = fill_species(w, k, pos, vel, out, say);
    free(pos), free(vel), free(out);
    if (!ok && !mn_messages_errors(say)) mn_say_error(say, MN_NOWHERE, "no room for the species on %s", w->api->key);
    return ok ? MN_OK : MN_FAILED;
}

/* -- coming and going ------------------------------------------------------------------------------------------------------- */

double mn_species_emitted(const mn_world *w, int species, int fluid, const mn_emitter *emitter, double time)
{
    const mn_species *s = &w->scene->species[species];
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

bool mn_species_leave(mn_world *w)
{
    bool bounded = w->scene->sink_count > 0;
    for (int a = 0; a < 3; a++) bounded = bounded || w->par.keep_low[a] > -3e38f;
    for (int k = 0; k < w->scene->species_count && bounded; k++) {
        double gone[2];
        fold_species(w, MN_KERNEL_species_outside, k, gone);
        w->species[k].drained += gone[0] + gone[1];
    }
    return !w->failed;
}

void mn_species_totals(mn_world *w, int species, double out[2]) { fold_species(w, MN_KERNEL_species_total, species, out); }

/* -- one step --------------------------------------------------------------------------------------------------------------- */

/* 1.5 * 2^23 steps of a grid on which 2^22 steps hold the flux through a particle. */
float mn_flux_grid(double bound)
{
    int exponent;
    frexp(fmax(bound, 1e-30), &exponent); /* bound <= 2^exponent */
    return (float)ldexp(1.5, 23 + exponent - GRID_BITS);
}

int mn_substeps(double rate, double dt) { return (int)fmin(fmax(ceil(rate * dt / (double)MN_MOST_LOST), 1.0), MOST_SUBSTEPS); }

/* What the places of the particles allow: kernels/mixing.h, largest values. */
typedef struct room {
    double bulk, film, uptake; /* 1/m^2, 1/m^2, 1/m */
    double area, volume;       /* m^2, m^3 of a particle */
} room;

static void diffuse(mn_world *w, const mn_species *s, const room *m, double most)
{
    const double d = s->diffusion / mn_species_bulk_moment(), rate = d * m->bulk;
    const int count = mn_substeps(rate, w->dt);
    const double dt = w->dt / count, share = fmin(rate * dt, (double)MN_MOST_LOST);
    const real4 arg = {(float)(d * dt), mn_flux_grid(share * most * m->volume), 0.0f, 0.0f};
    for (int k = 0; k < count; k++) {
        mn_run(w, MN_KERNEL_bulk_state, arg);
        mn_run(w, MN_KERNEL_bulk_diffusion, arg);
    }
}

static void adsorb(mn_world *w, const mn_species *s, const room *m, const double most[4])
{
    const double ka = s->surface.adsorption, kf = s->surface.desorption, full = s->surface.capacity;
    const double own = kf + ka * most[0], rate = fmax(fmax(own, s->surface.feedback), ka * full * m->uptake);
    const int count = mn_substeps(rate, w->dt);
    const double dt = w->dt / count;
    /* surfaces that would lose too much in a sub-step: slower both ways, towards the same equilibrium */
    const double slower = fmin(1.0, (double)MN_MOST_LOST / (own * dt)), back = fmin(s->surface.feedback * dt, (double)MN_MOST_LOST);
    const double ka_dt = own > 0.0 ? ka * dt * slower : 0.0, kf_dt = own > 0.0 ? kf * dt * slower : 0.0;
    const double held = most[2];
    const double bound = ka_dt * most[0] * (full * m->area + held) + fmax(kf_dt, back) * held;
    if (!(bound > 0.0)) return;
    const real4 state = {(float)ka_dt, (float)kf_dt, (float)full, (float)back};
    for (int k = 0; k < count; k++) {
        mn_run(w, MN_KERNEL_adsorption_state, state);
        mn_run(w, MN_KERNEL_adsorption, (real4){0.0f, mn_flux_grid(2.0 * bound), 0.0f, 0.0f});
    }
}

static void creep(mn_world *w, const mn_species *s, const room *m, double held)
{
    const double d = s->surface.diffusion / w->film_moment, rate = d * m->film;
    const int count = mn_substeps(rate, w->dt);
    const double dt = w->dt / count, share = fmin(rate * dt, (double)MN_MOST_LOST);
    const real4 arg = {(float)(d * dt), mn_flux_grid(4.0 * share * held), 0.0f, 0.0f};
    for (int k = 0; k < count; k++) {
        mn_run(w, MN_KERNEL_surface_state, arg);
        mn_run(w, MN_KERNEL_surface_diffusion, arg);
    }
}

/* Ghosts see the positions of their sources; without ghosts there is nothing to copy. */
static void take_origin(mn_world *w)
{
    if (w->periodic) mn_run(w, MN_KERNEL_origin_take, MN_NO_ARG);
    else w->field[MN_FIELD_origin] = w->field[MN_FIELD_pos];
}

void mn_species_step(mn_world *w)
{
    const mn_scene *s = w->scene;
    if (!s->species_count || !w->par.n || w->failed) return;
    double geometry[4], uptake[4];
    mn_run_max(w, MN_KERNEL_mixing, MN_NO_ARG, geometry);
    mn_run_max(w, MN_KERNEL_mixing_room, MN_NO_ARG, uptake);
    /* a particle with hardly any surface is fast and counts for nothing: the limiter is good enough for it */
    const room m = {geometry[0], fmin(geometry[1], geometry[0]), uptake[0], geometry[2], geometry[3]};
    take_origin(w);
    for (int k = 0; k < s->species_count && !w->failed; k++) {
        const mn_species *one = &s->species[k];
        double most[4];
        mn_species_lend(w, k);
        mn_run_max(w, MN_KERNEL_species_most, MN_NO_ARG, most);
        const bool some = most[0] > 0.0 || most[2] > 0.0;
        if (some && one->diffusion > 0.0) diffuse(w, one, &m, most[0]);
        if (some && (one->surface.adsorption > 0.0 || most[2] > 0.0)) adsorb(w, one, &m, most);
        if (some && one->surface.diffusion > 0.0 && most[1] > 0.0) creep(w, one, &m, most[2]);
        mn_species_lend(w, -1);
    }
    if (!w->periodic) w->field[MN_FIELD_origin] = NULL;
    mn_substances_step(w);
}

void mn_species_film(mn_world *w, int species)
{
    mn_species_lend(w, species);
    mn_run(w, MN_KERNEL_species_film, MN_NO_ARG);
    mn_species_lend(w, -1);
}

/* -- numbers ---------------------------------------------------------------------------------------------------------------- */

static const char *const columns[] = {"bulk", "surface", "emitted", "drained", "reacted"};
enum { COLUMNS = sizeof columns / sizeof *columns };

int mn_world_more(const mn_world *w, char (*out)[MN_STATS_NAME], int capacity)
{
    int count = 0;
    for (int k = 0; k < w->scene->species_count; k++)
        for (int c = 0; c < COLUMNS && count < capacity; c++)
            snprintf(out[count++], MN_STATS_NAME, "%.24s_%s", w->scene->species[k].name, columns[c]);
    for (int k = 0; k < w->scene->substance_count && count < capacity; k++)
        snprintf(out[count++], MN_STATS_NAME, "%.24s_walls", w->scene->substances[k].name);
    return count;
}

void mn_species_stats(mn_world *w, mn_stats *stats)
{
    for (int k = 0; k < w->scene->species_count; k++) {
        double now[2];
        mn_species_totals(w, k, now);
        const double row[COLUMNS] = {now[0], now[1], w->species[k].emitted, w->species[k].drained, w->species[k].reacted};
        for (int c = 0; c < COLUMNS; c++) stats->more[stats->more_count++] = row[c];
    }
    for (int k = 0; k < w->scene->substance_count; k++) stats->more[stats->more_count++] = mn_substance_total(w, k);
}
