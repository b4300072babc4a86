/* add_remove.c -- particles that the program adds and removes between steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/parts.h"
#include "core/world.h"
#include "run/strips.h"

/* -- adding -------------------------------------------------------------------------------------------------------- */

static mn_status refuse(mn_messages *say, const char *why, long long number)
{
    mn_say_error(say, MN_NOWHERE, why, number);
    return MN_BAD_INPUT;
}

static mn_status check_new(const mn_world *w, int fluid, int64_t n, const float *x, const float *v, mn_messages *say)
{
    if (fluid < 0 || fluid >= w->scene->fluid_count) {
        mn_say_error(say, MN_NOWHERE, "there is no fluid %d; the scene has %d, counted from 0", fluid,
                     w->scene->fluid_count);
        return MN_BAD_INPUT;
    }
    if (n < 0 || (double)n + (double)w->layout.fluid > MN_MOST_PARTICLES)
        return refuse(say, "expected 0 to 5e+08 particles in a world, found %lld new ones", (long long)n);
    if (n > 0 && !x) return refuse(say, "%lld new particles have no positions", (long long)n);
    const float far = mn_farthest(w->par.inv_h);
    for (int64_t i = 0; i < n; i++) {
        const float *at = x + 3 * i;
        if (!isfinite(at[0] + at[1] + at[2]) || (v && !isfinite(v[3 * i] + v[3 * i + 1] + v[3 * i + 2])))
            return refuse(say, "position or velocity of new particle %lld is not finite", (long long)i);
        for (int a = 0; a < 3; a++)
            if (fabsf(at[a]) > far)
                return refuse(
                    say,
                    "new particle %lld is too far from the origin: single precision cannot resolve the spacing there",
                    (long long)i);
    }
    return MN_OK;
}

/* One layer of new liquid: every part adds its share. */
static bool append(mn_world *w, int fluid, const real4 *pos, const real4 *vel, int count)
{
    const int first = w->layout.fluid;
    bool ok = mn_particles_append(w, pos, vel, count);
    for (int p = 0; p < w->part_count && ok; p++)
        if (w->parts[p].system->emitted)
            ok = w->parts[p].system->emitted(w, w->parts[p].me, fluid, NULL, pos, first, count);
    return ok;
}

mn_status mn_world_add(mn_world *w, int fluid, int64_t n, const float *x, const float *v, int32_t *first_id,
                       mn_messages *say)
{
    if (mn_user_may(w, true, "mn_world_add", say) != MN_OK || check_new(w, fluid, n, x, v, say) != MN_OK)
        return MN_BAD_INPUT;
    if (first_id) *first_id = w->next_id;
    if (n == 0) return MN_OK;
    const mn_status mapped = mn_field_maps_end(w, say);
    if (mapped != MN_OK) return mapped;
    const float volume = (float)(w->scene->spacing * w->scene->spacing * w->scene->spacing);
    real4 *pos = malloc((size_t)n * sizeof *pos), *vel = malloc((size_t)n * sizeof *vel);
    bool ok = pos && vel;
    for (int64_t i = 0; i < n && ok; i++) {
        pos[i] = (real4){x[3 * i], x[3 * i + 1], x[3 * i + 2], volume};
        vel[i] = (real4){0.0f, 0.0f, 0.0f, (float)fluid};
        if (v) vel[i].x = v[3 * i], vel[i].y = v[3 * i + 1], vel[i].z = v[3 * i + 2];
    }
    ok = ok && append(w, fluid, pos, vel, (int)n);
    free(pos), free(vel);
    w->user.touched = true;
    w->depth.known = false;
    if (ok) return MN_OK;
    mn_say_failure(say, MN_NOWHERE, "not enough memory for %lld more particles: %s", (long long)n, mn_why(w));
    w->failed = true; /* some fields may have moved and others not */
    return MN_FAILED;
}

/* -- removing ------------------------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool has(const int *sorted, int count, int id)
{
    return count && bsearch(&id, sorted, (size_t)count, sizeof id, ascending);
}

/* All ids of the world, ascending. */
static int *all_ids(mn_world *w)
{
    int *ids = malloc((size_t)w->layout.fluid * sizeof *ids + 4);
    if (ids && !w->api->get(w->device, w->id, 0, ids, (size_t)w->layout.fluid * 4)) free(ids), ids = NULL;
    if (ids) qsort(ids, (size_t)w->layout.fluid, sizeof *ids, ascending);
    return ids;
}

static mn_status check_going(const mn_world *w, const int *there, const int32_t *ids, int64_t n, mn_messages *say)
{
    for (int64_t k = 0; k < n; k++) {
        if (!has(there, w->layout.fluid, ids[k])) return refuse(say, "there is no particle %lld", (long long)ids[k]);
        if (has(w->user.going, w->user.going_count, ids[k]))
            return refuse(say, "particle %lld was removed already", (long long)ids[k]);
    }
    return MN_OK;
}

mn_status mn_world_remove(mn_world *w, const int32_t *ids, int64_t n, mn_messages *say)
{
    if (mn_user_may(w, true, "mn_world_remove", say) != MN_OK) return MN_BAD_INPUT;
    if (n < 0 || n > w->layout.fluid) return refuse(say, "%lld particles cannot be removed", (long long)n);
    mn_user *u = &w->user;
    int *there = all_ids(w), *going = malloc((size_t)(u->going_count + n) * sizeof *going + 4);
    mn_status status = there && going ? check_going(w, there, ids, n, say) : MN_FAILED;
    if (status == MN_FAILED)
        mn_say_failure(say, MN_NOWHERE, "cannot remove particles: out of memory or device failure");
    free(there);
    if (status == MN_OK) {
        if (u->going_count) memcpy(going, u->going, (size_t)u->going_count * sizeof *going);
        for (int64_t k = 0; k < n; k++) going[u->going_count + k] = ids[k];
        const int all = u->going_count + (int)n;
        qsort(going, (size_t)all, sizeof *going, ascending);
        for (int k = 1; k < all && status == MN_OK; k++)
            if (going[k] == going[k - 1]) status = refuse(say, "particle %lld is named twice", (long long)going[k]);
        if (status == MN_OK) {
            free(u->going);
            u->going = going, u->going_count = all, u->touched = true;
            return MN_OK;
        }
    }
    free(going);
    return status;
}

int mn_user_leave(mn_world *w)
{
    mn_user *u = &w->user;
    if (!u->going_count) return 0;
    const int n = w->layout.fluid, count = u->going_count;
    int *id = malloc((size_t)n * sizeof *id + 4);
    real4 *pos = malloc((size_t)n * sizeof *pos + 16);
    bool ok = id && pos && w->api->get(w->device, w->id, 0, id, (size_t)n * 4) &&
              w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    for (int i = 0; i < n && ok; i++)
        if (has(u->going, count, id[i])) pos[i].x = MN_GONE;
    ok = ok && w->api->put(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos);
    free(id), free(pos);
    u->going_count = 0;
    return ok ? count : -1;
}

void mn_user_free(mn_world *w)
{
    mn_field_maps_end(w, NULL);
    free(w->user.going);
}
