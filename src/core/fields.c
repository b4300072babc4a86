/* fields.c -- fields as users see them: names, units, and how each is made from what the device holds. Always in id order. */
#include "core/fields.h"
#include "soft/soft.h"
#include "rigid/rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "species/species.h"
#include "core/world.h"

typedef struct view {
    const char *name;
    int width;
    const char *unit, *help;
} view;
static const view views[] = {
#define EXPORT(name, width, unit, help) {#name, width, unit, help},
#include "core/fields.def"
#undef EXPORT
};
enum {
#define EXPORT(name, width, unit, help) VIEW_##name,
#include "core/fields.def"
#undef EXPORT
    VIEWS
};

int mn_field_count(void) { return VIEWS; }
const char *mn_field_name(int index) { return index >= 0 && index < VIEWS ? views[index].name : NULL; }
const char *mn_field_unit(int index) { return index >= 0 && index < VIEWS ? views[index].unit : NULL; }
const char *mn_field_help(int index) { return index >= 0 && index < VIEWS ? views[index].help : NULL; }

static int find(const char *name)
{
    for (int v = 0; v < VIEWS; v++)
        if (strcmp(views[v].name, name) == 0) return v;
    return -1;
}

int mn_field_width(const char *name)
{
    const int v = find(name);
    return v < 0 ? 0 : views[v].width;
}

typedef struct place_of {
    int id, at;
} place_of;

static int by_id(const void *a, const void *b)
{
    const place_of *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* at[k] = where the particle with the k-th smallest id lies. NULL when out of memory or the device failed. */
static place_of *id_order(mn_world *w)
{
    const int n = w->layout.fluid;
    int *id = malloc((size_t)n * sizeof *id + 4);
    place_of *order = malloc((size_t)n * sizeof *order + 8);
    if (!id || !order || !w->api->get(w->device, w->id, 0, id, (size_t)n * 4)) {
        free(id), free(order);
        return NULL;
    }
    for (int i = 0; i < n; i++) order[i] = (place_of){id[i], i};
    qsort(order, (size_t)n, sizeof *order, by_id);
    free(id);
    return order;
}

static void *fetch(mn_world *w, int field)
{
    const size_t width = mn_field_bytes(field), bytes = (size_t)w->layout.fluid * width;
    void *data = calloc(1, bytes + 16);
    if (data && w->field[field] && !w->api->get(w->device, w->field[field], 0, data, bytes)) {
        free(data);
        return NULL;
    }
    return data;
}

static void copy3(const place_of *order, int n, const real4 *from, float *out)
{
    for (int k = 0; k < n; k++) {
        const real4 v = from[order[k].at];
        out[3 * k] = v.x, out[3 * k + 1] = v.y, out[3 * k + 2] = v.z;
    }
}

/* What the unknowns of the pressure system, a k of 1 Pa, carry: kernels/packing.h; 1 where no neighbourhood is whole. */
float mn_pressure_unit(mn_world *w)
{
    if (!w->listed) return w->packing;
    double sum[4] = {0};
    if (w->par.n > 0 && w->steps > 0) mn_run_sum(w, MN_KERNEL_packing, MN_NO_ARG, sum);
    return sum[1] > 0.0 ? (float)(sum[0] / sum[1]) : 1.0f;
}

/* Concentration of a species: bulk amount over volume, or film over area (0 where there is no surface). */
static mn_status get_species(mn_world *w, int species, bool film, float *out, mn_messages *say)
{
    place_of *order = id_order(w);
    real4 *amount = order ? fetch(w, mn_species_field(species)) : NULL, *pos = amount && !film ? fetch(w, MN_FIELD_pos) : NULL;
    float *area = amount && film ? fetch(w, MN_FIELD_area) : NULL;
    const bool ok = pos || area;
    for (int k = 0; k < w->layout.fluid && ok; k++) {
        const int i = order[k].at;
        if (film) out[k] = area[i] > 0.0f ? amount[i].z / area[i] : 0.0f;
        else out[k] = amount[i].x / pos[i].w;
    }
    free(order), free(amount), free(pos), free(area);
    if (!ok) mn_say_error(say, MN_NOWHERE, "cannot read a species: %s", w->api->failure(w->device));
    return ok ? MN_OK : MN_FAILED;
}

mn_status mn_world_get(mn_world *w, const char *field, float *out, mn_messages *say)
{
    const int v = find(field), n = w->layout.fluid;
    bool film = false;
    const int species = v < 0 ? mn_scene_species_of(w->scene, field, &film) : -1;
    if (species >= 0) return get_species(w, species, film, out, say);
    if (v < 0) {
        const char *names[VIEWS];
        for (int k = 0; k < VIEWS; k++) names[k] = views[k].name;
        const char *near = mn_nearest(field, names, VIEWS);
        mn_say_error(say, MN_NOWHERE, "no field '%s'%s%s%s", field, near ? "; did you mean '" : "", near ? near : "",
                     near ? "'?" : "");
        return MN_BAD_INPUT;
    }
    if (v == VIEW_acceleration && !w->keeps_acceleration) {
        mn_say_error(say, MN_NOWHERE, "field 'acceleration' is kept only where output.fields of the scene names it");
        return MN_BAD_INPUT;
    }
    static const int needs[VIEWS][3] = {
        [VIEW_position] = {MN_FIELD_pos, -1, -1},
        [VIEW_velocity] = {MN_FIELD_vel, -1, -1},
        [VIEW_density] = {MN_FIELD_vel, MN_FIELD_dens, -1},
        [VIEW_pressure] = {MN_FIELD_kappa, MN_FIELD_dens, MN_FIELD_kappa_div},
        [VIEW_acceleration] = {MN_FIELD_acc, -1, -1},
        [VIEW_id] = {-1, -1, -1},
        [VIEW_fluid] = {MN_FIELD_vel, -1, -1},
        [VIEW_speed] = {MN_FIELD_vel, -1, -1},
        [VIEW_deformation] = {MN_FIELD_deform, -1, -1},
        [VIEW_area] = {MN_FIELD_area, -1, -1},
        [VIEW_delta] = {MN_FIELD_delta, -1, -1},
    };
    place_of *order = id_order(w);
    void *data[3] = {NULL, NULL, NULL};
    bool ok = order != NULL;
    for (int k = 0; k < 3 && ok; k++) ok = (data[k] = needs[v][k] < 0 ? calloc(1, 16) : fetch(w, needs[v][k])) != NULL;
    if (ok) {
        const real4 *first4 = data[0];
        const float *first = data[0], *second = data[1], *third = data[2];
        const float unit = v == VIEW_pressure ? mn_pressure_unit(w) : 1.0f;
        if (views[v].width == 3) copy3(order, n, first4, out);
        for (int k = 0; k < n && v == VIEW_acceleration; k++)
            if (order[k].id >= w->first_unseen) memset(out + 3L * k, 0, 3 * sizeof *out);
        for (int k = 0; k < n && views[v].width == 1; k++) {
            const int i = order[k].at;
            switch (v) {
            case VIEW_density:
                out[k] = (order[k].id < w->first_unseen ? second[i] : 1.0f) * w->par.density[(int)first4[i].w];
                break;
            case VIEW_pressure:
                out[k] = unit * (first[i] * w->pressure_scale + third[i] * w->par.inv_dt) *
                         (w->pressure_is_plain ? 1.0f : second[i] * second[i]);
                break;
            case VIEW_id: out[k] = (float)order[k].id; break;
            case VIEW_fluid: out[k] = first4[i].w; break;
            case VIEW_area:
            case VIEW_delta:
            case VIEW_deformation: out[k] = first[i]; break;
            default: out[k] = sqrtf(first4[i].x * first4[i].x + first4[i].y * first4[i].y + first4[i].z * first4[i].z);
            }
        }
    }
    free(order), free(data[0]), free(data[1]), free(data[2]);
    if (!ok) mn_say_error(say, MN_NOWHERE, "cannot read field '%s': %s", field, w->api->failure(w->device));
    return ok ? MN_OK : MN_FAILED;
}

mn_status mn_world_ids(mn_world *w, int32_t *out, mn_messages *say)
{
    place_of *order = id_order(w);
    if (!order) {
        mn_say_error(say, MN_NOWHERE, "cannot read field 'id': %s", w->api->failure(w->device));
        return MN_FAILED;
    }
    for (int k = 0; k < w->layout.fluid; k++) out[k] = order[k].id;
    free(order);
    return MN_OK;
}

mn_status mn_world_set(mn_world *w, const char *field, const float *in, mn_messages *say)
{
    const int target = strcmp(field, "position") == 0   ? MN_FIELD_pos
                       : strcmp(field, "velocity") == 0 ? MN_FIELD_vel
                                                        : -1,
              n = w->layout.fluid;
    if (target < 0) {
        mn_say_error(say, MN_NOWHERE, "field '%s' cannot be set; position and velocity can", field);
        return MN_BAD_INPUT;
    }
    for (long k = 0; k < 3L * n; k++)
        if (!isfinite(in[k])) {
            mn_say_error(say, MN_NOWHERE, "%s of particle %ld is not finite", field, k / 3);
            return MN_BAD_INPUT;
        }
    place_of *order = id_order(w);
    real4 *data = order ? fetch(w, target) : NULL;
    bool ok = data != NULL;
    if (ok) {
        for (int k = 0; k < n; k++)
            data[order[k].at].x = in[3 * k], data[order[k].at].y = in[3 * k + 1], data[order[k].at].z = in[3 * k + 2];
        ok = w->api->put(w->device, w->field[target], 0, data, (size_t)n * sizeof *data);
    }
    free(order), free(data);
    if (!ok) mn_say_failure(say, MN_NOWHERE, "cannot set field '%s': out of memory or device failure", field);
    return ok ? MN_OK : MN_FAILED;
}

/* FNV-1a over ids and the persistent fields, particle by particle in id order, then the states of bodies and solids. */
uint64_t mn_world_hash(mn_world *w)
{
    const int n = w->layout.fluid;
    uint64_t hash = 1469598103934665603u;
    place_of *order = id_order(w);
    unsigned char *data[MN_FIELD_COUNT] = {NULL};
    bool ok = order != NULL;
    for (int f = 0; f < MN_FIELD_COUNT && ok; f++)
        if (mn_persistent(f) && w->field[f]) ok = (data[f] = fetch(w, f)) != NULL;
    if (ok) {
        for (int k = 0; k < n; k++) {
            hash = (hash ^ (uint64_t)(uint32_t)order[k].id) * 1099511628211u;
            for (int f = 0; f < MN_FIELD_COUNT; f++) {
                if (!data[f]) continue;
                const size_t width = mn_field_bytes(f);
                for (size_t b = 0; b < width; b++) hash = (hash ^ data[f][(size_t)order[k].at * width + b]) * 1099511628211u;
            }
        }
    }
    for (int f = 0; f < MN_FIELD_COUNT; f++) free(data[f]);
    free(order);
    const unsigned char *states = w->rigid ? (const unsigned char *)mn_rigid_states(w->rigid) : NULL;
    for (size_t b = 0; states && b < (size_t)mn_rigid_count(w->rigid) * sizeof(mn_body_state); b++)
        hash = (hash ^ states[b]) * 1099511628211u;
    ok = ok && mn_substances_hash(w, &hash);
    return ok ? mn_solids_hash(w->solids, hash) : 0;
}
