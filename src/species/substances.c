/* substances.c -- what clings to walls: how much lies where at the start, and its reactions with species at the
 * liquid's surface.
 *
 * A boundary point bears the amount of its share of the wall's area. The area follows from V_b by the reference of a
 * flat wall of the same spacing, where each point has spacing^2.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_spline.h"
#include "boundary/pattern.h"
#include "boundary/points.h"
#include "core/world.h"
#include "species/species.h"

static int coat_field(int substance) { return MN_FIELD_coat_0 + substance; }

/* -- where it lies ------------------------------------------------------------------------------------------------- */

/* Area of a point over its V_b, 1/m, on a flat wall of square lattice. */
static double area_of_volume(double spacing, double h)
{
    const int reach = (int)(h / spacing) + 1;
    double sum = 0.0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++) { sum += mn_spline(spacing * sqrt(x * x + y * y), h); }
    return spacing * spacing * sum;
}

/* Adds one coat to the body points of its wall. */
static bool lay(mn_world *w, const mn_coat *coat, double *coverage, mn_messages *say)
{
    const mn_boundary *p = mn_boundary_of(w);
    mn_painter painter;
    if (!mn_painter_new(w->scene, coat->object, &coat->pattern, coat->at, &painter, say)) return false;
    for (int b = 0; b < p->active; b++) {
        const int i = p->owner[b];
        if (p->object[i] == coat->object)
            coverage[b] += coat->coverage * mn_painter_at(&painter, &p->rest[3 * (size_t)i]);
    }
    mn_painter_free(&painter);
    return true;
}

/* Objects are walls, then bodies, then solids; no coat lies on a solid, but its points have room for one too. */
static double spacing_of(const mn_scene *s, int object)
{
    const int body = object - s->wall_count, solid = body - s->body_count;
    if (body < 0) return s->walls[object].spacing;
    return solid < 0 ? s->bodies[body].spacing : s->solids[solid].spacing;
}

static bool lay_substance(mn_world *w, int k, mn_messages *say)
{
    const mn_boundary *p = mn_boundary_of(w);
    const mn_scene *s = w->scene;
    mn_species_state *state = mn_species_of(w);
    double *coverage = calloc((size_t)p->active + 1, sizeof *coverage);
    real4 *out = calloc((size_t)p->active + 1, sizeof *out);
    bool ok = coverage && out;
    for (int c = 0; c < s->substances[k].coat_count && ok; c++) ok = lay(w, &s->substances[k].coats[c], coverage, say);
    for (int b = 0; b < p->active && ok; b++) {
        const int i = p->owner[b];
        const double area = (double)p->volume[i] * area_of_volume(spacing_of(s, p->object[i]), (double)w->par.h);
        out[b] = (real4){(float)(coverage[b] * area), 0.0f, 1.0f, (float)area};
        state->coat_most[k] = fmax(state->coat_most[k], (double)out[b].x);
        state->coat_thickest[k] = fmax(state->coat_thickest[k], coverage[b]);
    }
    ok = ok && mn_world_field(w, coat_field(k)) &&
         w->api->put(w->device, w->field[coat_field(k)], (size_t)w->layout.active_at * sizeof *out, out,
                     (size_t)p->active * sizeof *out);
    free(coverage), free(out);
    return ok;
}

/* Notes the order of the points; false: no memory. */
static bool note_order(mn_species_state *state, const mn_boundary *p)
{
    free(state->coated);
    state->coated_count = p->active;
    state->coated = malloc(((size_t)p->active + 1) * sizeof *state->coated);
    if (state->coated && p->active) memcpy(state->coated, p->owner, (size_t)p->active * sizeof *state->coated);
    return state->coated != NULL;
}

/* The coat of substance k goes with its points; on those that had no room for one there is none. */
static bool sort_coat(mn_world *w, const int *was_at, int k)
{
    const mn_boundary *p = mn_boundary_of(w);
    const size_t at = (size_t)w->layout.active_at * sizeof(real4), bytes = (size_t)p->active * sizeof(real4);
    real4 *before = malloc(bytes + 16), *after = malloc(bytes + 16);
    bool ok = before && after && w->api->get(w->device, w->field[coat_field(k)], at, before, bytes);
    for (int b = 0; b < p->active && ok; b++) {
        const int i = p->owner[b], from = was_at[i];
        const double area = (double)p->volume[i] * area_of_volume(spacing_of(w->scene, p->object[i]), (double)w->par.h);
        after[b] = from >= 0 && from < p->active ? before[from] : (real4){0.0f, 0.0f, 1.0f, (float)area};
    }
    ok = ok && w->api->put(w->device, w->field[coat_field(k)], at, after, bytes);
    free(before), free(after);
    return ok;
}

void mn_substances_sort(mn_world *w, void *me)
{
    mn_species_state *state = me;
    const mn_boundary *p = mn_boundary_of(w);
    if (!state->coated || (p->active == state->coated_count &&
                           memcmp(p->owner, state->coated, (size_t)p->active * sizeof *p->owner) == 0))
        return;
    int *was_at = malloc(((size_t)p->count + 1) * sizeof *was_at);
    for (int i = 0; i < p->count && was_at; i++) was_at[i] = -1;
    for (int b = 0; b < state->coated_count && was_at; b++)
        if (state->coated[b] < p->count) was_at[state->coated[b]] = b; /* fewer where the points were replaced */
    bool ok = was_at != NULL;
    for (int k = 0; k < w->scene->substance_count && ok; k++) ok = sort_coat(w, was_at, k);
    free(was_at);
    if (!ok || !note_order(state, p)) w->failed = true;
}

mn_status mn_substances_make(mn_world *w, mn_messages *say)
{
    bool ok = w->scene->substance_count == 0 || note_order(mn_species_of(w), mn_boundary_of(w));
    for (int k = 0; k < w->scene->substance_count && ok; k++) ok = lay_substance(w, k, say);
    if (!ok && !mn_messages_errors(say))
        mn_say_failure(say, MN_NOWHERE, "not enough memory for the substances on %s", w->api->key);
    return ok ? MN_OK : MN_FAILED;
}

/* -- reactions ----------------------------------------------------------------------------------------------------- */

/* The most that boundary points around a particle, or particles around a boundary point, can sum up to of V W. */
static const double MOST_WEIGHT = 2.0;

static void react(mn_world *w, const mn_reaction *r, double most)
{
    mn_species_state *state = mn_species_of(w);
    const double ka = r->rate, as = r->coefficients[0], ar = r->coefficients[1], ap = r->coefficients[2];
    const double coat = state->coat_most[r->substance_index], thick = state->coat_thickest[r->substance_index];
    if (!(ka * most * coat > 0.0)) return;
    const int count = mn_substeps(ka * fmax(ar * most, as * thick), w->dt);
    const double dt = w->dt / count, largest = fmax(fmax(as, ar), fmax(ap, 1.0));
    const float rate = (float)(ka * dt), grid = mn_flux_grid(largest * MOST_WEIGHT * ka * dt * most * coat);
    double used = 0.0;
    for (int k = 0; k < count; k++) {
        double sum[4] = {0};
        mn_species_lend(w, r->species_index);
        w->field[MN_FIELD_coat] = w->field[coat_field(r->substance_index)];
        mn_boundary_copy(w, MN_FIELD_coat);
        mn_run(w, MN_KERNEL_reaction_reach, (real4){rate, (float)as, 0.0f, 0.0f});
        mn_run_active(w, MN_KERNEL_coat_reach, (real4){rate, (float)ar, 0.0f, 0.0f});
        mn_boundary_copy(w, MN_FIELD_coat);
        mn_run_sum(w, MN_KERNEL_reaction, (real4){rate, (float)as, grid, 0.0f}, sum);
        mn_run_active(w, MN_KERNEL_coat_reaction, (real4){rate, (float)ar, grid, 0.0f});
        if (r->product_index >= 0) {
            mn_species_lend(w, r->product_index);
            mn_run(w, MN_KERNEL_reaction_product, MN_ARG(ap));
        }
        mn_species_lend(w, -1);
        w->field[MN_FIELD_coat] = NULL;
        used += sum[0];
    }
    state->account[r->species_index].reacted += as * used;
    if (r->product_index >= 0) state->account[r->product_index].reacted -= ap * used;
}

void mn_substances_step(mn_world *w)
{
    for (int k = 0; k < w->scene->reaction_count && !w->failed && w->layout.active; k++) {
        const mn_reaction *r = &w->scene->reactions[k];
        double most[4];
        mn_species_lend(w, r->species_index);
        mn_run_max(w, MN_KERNEL_species_most, MN_NO_ARG, most);
        mn_species_lend(w, -1);
        /* S of a particle with a very small surface means nothing: the limiter takes care of it */
        const double full = w->scene->species[r->species_index].surface.capacity;
        react(w, r, full > 0.0 ? fmin(most[1], 2.0 * full) : most[1]);
    }
}

/* -- questions ----------------------------------------------------------------------------------------------------- */

static real4 *fetch_coat(mn_world *w, int k)
{
    const size_t n = (size_t)w->layout.active;
    real4 *coat = malloc((n + 1) * sizeof *coat);
    if (coat && n &&
        !w->api->get(w->device, w->field[coat_field(k)], (size_t)w->layout.active_at * sizeof *coat, coat,
                     n * sizeof *coat)) {
        free(coat);
        return NULL;
    }
    return coat;
}

double mn_substance_total(mn_world *w, int k)
{
    double sum = 0.0;
    real4 *coat = fetch_coat(w, k);
    for (int b = 0; b < w->layout.active && coat; b++) sum += (double)coat[b].x + (double)coat[b].y;
    free(coat);
    return sum;
}

mn_status mn_world_coverage(mn_world *w, const char *substance, float *out, mn_messages *say)
{
    int k = 0;
    while (k < w->scene->substance_count && strcmp(w->scene->substances[k].name, substance) != 0) k++;
    if (k == w->scene->substance_count) {
        mn_say_error(say, MN_NOWHERE, "no substance '%s'", substance);
        return MN_BAD_INPUT;
    }
    real4 *coat = fetch_coat(w, k);
    if (!coat) {
        mn_say_failure(say, MN_NOWHERE, "cannot read a substance: %s", mn_why(w));
        return MN_FAILED;
    }
    for (int64_t i = 0; i < mn_world_boundary_points(w); i++) out[i] = 0.0f;
    for (int b = 0; b < w->layout.active; b++)
        out[mn_boundary_of(w)->resting + b] = coat[b].w > 0.0f ? coat[b].x / coat[b].w : 0.0f;
    free(coat);
    return MN_OK;
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

bool mn_substances_save(mn_world *w, mn_snapshot *snap)
{
    bool ok = true;
    for (int k = 0; k < w->scene->substance_count && ok; k++) {
        char name[24];
        snprintf(name, sizeof name, "coat_%d", k);
        real4 *coat = fetch_coat(w, k);
        float *to = mn_snapshot_add(snap, name, MN_F32, 4, w->layout.active);
        ok = coat && to;
        if (ok && w->layout.active) memcpy(to, coat, (size_t)w->layout.active * sizeof *coat);
        free(coat);
    }
    return ok;
}

mn_status mn_substances_load(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    for (int k = 0; k < w->scene->substance_count; k++) {
        char name[24];
        snprintf(name, sizeof name, "coat_%d", k);
        const mn_array *a = mn_snapshot_find(snap, name);
        if (!a || a->type != MN_F32 || a->width != 4 || a->count != w->layout.active) {
            mn_say_error(say, MN_NOWHERE, "the checkpoint does not fit this scene: array '%s' is %s", name,
                         a ? "of another size" : "missing");
            return MN_BAD_INPUT;
        }
        if (a->count && !w->api->put(w->device, w->field[coat_field(k)], (size_t)w->layout.active_at * sizeof(real4),
                                     a->data, (size_t)a->count * sizeof(real4))) {
            mn_say_failure(say, MN_NOWHERE, "cannot load the checkpoint onto %s: %s", w->api->key, mn_why(w));
            return MN_FAILED;
        }
    }
    return MN_OK;
}

bool mn_substances_hash(mn_world *w, uint64_t *hash)
{
    for (int k = 0; k < w->scene->substance_count; k++) {
        real4 *coat = fetch_coat(w, k);
        if (!coat) return false;
        const unsigned char *bytes = (const unsigned char *)coat;
        for (size_t b = 0; b < (size_t)w->layout.active * sizeof *coat; b++)
            *hash = (*hash ^ bytes[b]) * 1099511628211u;
        free(coat);
    }
    return true;
}
