/* views.c -- fields as users see them: their names and units, and how each is made from what the device holds.
 * Always in id order.
 *
 * Every part owns its views (core/system.h); here are those of the particles themselves.
 */
#include "core/views.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "core/parts.h"
#include "core/world.h"

/* -- views of the particles ---------------------------------------------------------------------------------------- */

void mn_view_number(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    *out = ((const float *)s->data[0])[at];
}

static void vector(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    const real4 v = ((const real4 *)s->data[0])[at];
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static void density(const mn_field_source *s, int at, int id, float *out)
{
    const int fluid = (int)((const real4 *)s->data[0])[at].w;
    *out = (id < s->world->first_new ? ((const float *)s->data[1])[at] : 1.0f) * s->world->par.density[fluid];
}

static void acceleration(const mn_field_source *s, int at, int id, float *out)
{
    if (id < s->world->first_new) vector(s, at, id, out);
    else out[0] = out[1] = out[2] = 0.0f;
}

static void number(const mn_field_source *s, int at, int id, float *out)
{
    (void)s, (void)at;
    *out = (float)id;
}

static void fluid(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    *out = ((const real4 *)s->data[0])[at].w;
}

static void speed(const mn_field_source *s, int at, int id, float *out)
{
    (void)id;
    const real4 v = ((const real4 *)s->data[0])[at];
    *out = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static const mn_field_view views[] = {
    {"position", "m", "centre of the particle", 3, {MN_FIELD_pos, -1, -1}, NULL, vector},
    {"velocity", "m/s", "velocity at the end of the step", 3, {MN_FIELD_vel, -1, -1}, NULL, vector},
    {"density",
     "kg/m^3",
     "SPH density at the start of the step; rest density of particles added since",
     1,
     {MN_FIELD_vel, MN_FIELD_dens, -1},
     NULL,
     density},
    {"acceleration",
     "m/s^2",
     "acceleration by gravity and explicit models, without pressure; kept where output.fields names it",
     3,
     {MN_FIELD_acc, -1, -1},
     NULL,
     acceleration},
    {"id", "1", "number of the particle, never changed or used again", 1, {-1, -1, -1}, NULL, number},
    {"fluid", "1", "index of the fluid in the scene", 1, {MN_FIELD_vel, -1, -1}, NULL, fluid},
    {"speed", "m/s", "magnitude of the velocity", 1, {MN_FIELD_vel, -1, -1}, NULL, speed}};
enum { OWN_VIEWS = sizeof views / sizeof *views };

/* -- the list of all views ----------------------------------------------------------------------------------------- */

/* View number `index` of a list that goes on over all systems; counts it down where it is not among these. */
static const mn_field_view *among(const mn_field_view *list, int count, int *index)
{
    if (*index < count) return &list[*index];
    *index -= count;
    return NULL;
}

/* Systems that several models share are listed once. */
static bool is_first_use(int model)
{
    for (int m = 0; m < model; m++)
        if (mn_model_system(mn_model_at(m)) == mn_model_system(mn_model_at(model))) return false;
    return true;
}

static const mn_field_view *view_at(int index)
{
    if (index < 0) return NULL;
    const mn_field_view *found = among(views, OWN_VIEWS, &index);
#define SYSTEM(name)                                                                                                   \
    if (!found) found = among(mn_##name##_system.views, mn_##name##_system.view_count, &index);
#define MODELS
#include "core/systems.def"
#undef SYSTEM
#undef MODELS
    for (int m = 0; m < mn_model_count() && !found; m++) {
        const mn_system *system = mn_model_system(mn_model_at(m));
        if (is_first_use(m)) found = among(system->views, system->view_count, &index);
    }
    return found;
}

int mn_field_count(void)
{
    int count = 0;
    while (view_at(count)) count++;
    return count;
}

const char *mn_field_name(int index) { return view_at(index) ? view_at(index)->name : NULL; }
const char *mn_field_unit(int index) { return view_at(index) ? view_at(index)->unit : NULL; }
const char *mn_field_help(int index) { return view_at(index) ? view_at(index)->help : NULL; }

static const mn_field_view *find(const char *name)
{
    const mn_field_view *view;
    for (int v = 0; (view = view_at(v)); v++)
        if (strcmp(view->name, name) == 0) return view;
    return NULL;
}

int mn_field_width(const char *name)
{
    const mn_field_view *view = find(name);
    return view ? view->width : 0;
}

/* -- reading ------------------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const mn_id_place *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Each into the place of its number: where few numbers are missing this beats sorting tenfold. False: many are, or one
 * is there twice (in a forged checkpoint), or no memory. */
static bool place_by_id(const int *id, int n, mn_id_place *order)
{
    int low = INT_MAX, high = INT_MIN;
    for (int i = 0; i < n; i++) low = id[i] < low ? id[i] : low, high = id[i] > high ? id[i] : high;
    const int64_t span = n ? (int64_t)high - low + 1 : 0;
    int *at = span <= 4 * (int64_t)n + 1024 ? malloc((size_t)span * sizeof *at + 4) : NULL;
    if (!at) return false;
    memset(at, 0xff, (size_t)span * sizeof *at);
    for (int i = 0; i < n; i++) at[id[i] - low] = i;
    int k = 0;
    for (int64_t s = 0; s < span; s++)
        if (at[s] >= 0) order[k++] = (mn_id_place){low + (int)s, at[s]};
    free(at);
    return k == n;
}

mn_id_place *mn_id_order(mn_world *w)
{
    const int n = w->layout.fluid;
    int *id = malloc((size_t)n * sizeof *id + 4);
    mn_id_place *order = malloc((size_t)n * sizeof *order + 8);
    if (!id || !order || !w->api->get(w->device, w->id, 0, id, (size_t)n * 4)) {
        free(id), free(order);
        return NULL;
    }
    if (!place_by_id(id, n, order)) {
        for (int i = 0; i < n; i++) order[i] = (mn_id_place){id[i], i};
        qsort(order, (size_t)n, sizeof *order, by_id);
    }
    free(id);
    return order;
}

void *mn_fetch(mn_world *w, int field)
{
    const size_t bytes = (size_t)w->layout.fluid * mn_field_bytes(field);
    void *data = calloc(1, bytes + 16);
    if (data && w->field[field] && !w->api->get(w->device, w->field[field], 0, data, bytes)) {
        free(data);
        return NULL;
    }
    return data;
}

/* A field whose name depends on the scene. */
static bool scene_view(const mn_world *w, const char *name, mn_field_view *out)
{
    for (int p = 0; p < w->part_count; p++)
        if (w->parts[p].system->scene_view && w->parts[p].system->scene_view(w, name, out)) return true;
    return false;
}

static mn_status no_such_field(const char *field, mn_messages *say)
{
    const int count = mn_field_count();
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    for (int k = 0; names && k < count; k++) names[k] = mn_field_name(k);
    const char *near = names ? mn_nearest(field, names, count) : NULL;
    mn_say_error(say, MN_NOWHERE, "no field '%s'%s%s%s", field, near ? "; did you mean '" : "", near ? near : "",
                 near ? "'?" : "");
    free(names);
    return MN_BAD_INPUT;
}

mn_status mn_view_find(const mn_world *w, const char *field, mn_field_view *out, mn_messages *say)
{
    const mn_field_view *known = find(field);
    if (known) *out = *known;
    else if (!scene_view(w, field, out)) return no_such_field(field, say);
    if (out->value == acceleration && !w->keeps_acceleration && w->user.calling != MN_CALL_FORCES) {
        mn_say_error(say, MN_NOWHERE, "field 'acceleration' is kept only where output.fields of the scene names it");
        return MN_BAD_INPUT;
    }
    return MN_OK;
}

bool mn_view_is_plain(const mn_field_view *view) { return view->value == vector; }

int mn_world_field_width(const mn_world *w, const char *name)
{
    mn_field_view view;
    return mn_view_find(w, name, &view, NULL) == MN_OK ? view.width : 0;
}

mn_status mn_world_get(mn_world *w, const char *field, float *out, mn_messages *say)
{
    mn_field_view view = {0};
    const mn_status found = mn_view_find(w, field, &view, say);
    if (found != MN_OK) return found;
    mn_field_source source = {.world = w, .unit = view.scale ? view.scale(w) : 1.0f};
    void *data[MN_VIEW_NEEDS] = {NULL};
    mn_id_place *order = mn_id_order(w);
    bool ok = order != NULL;
    for (int k = 0; k < MN_VIEW_NEEDS && ok; k++) {
        if (view.needs[k] >= 0) ok = (data[k] = mn_fetch(w, view.needs[k])) != NULL;
        source.data[k] = data[k];
    }
    for (int k = 0; k < w->layout.fluid && ok; k++)
        view.value(&source, order[k].at, order[k].id, out + (size_t)view.width * (size_t)k);
    free(order);
    for (int k = 0; k < MN_VIEW_NEEDS; k++) free(data[k]);
    if (!ok) mn_say_failure(say, MN_NOWHERE, "cannot read field '%s': %s", field, mn_why(w));
    return ok ? MN_OK : MN_FAILED;
}

mn_status mn_world_ids(mn_world *w, int32_t *out, mn_messages *say)
{
    mn_id_place *order = mn_id_order(w);
    if (!order) {
        mn_say_failure(say, MN_NOWHERE, "cannot read field 'id': %s", mn_why(w));
        return MN_FAILED;
    }
    for (int k = 0; k < w->layout.fluid; k++) out[k] = order[k].id;
    free(order);
    return MN_OK;
}

/* -- writing ------------------------------------------------------------------------------------------------------- */

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
    if (target == MN_FIELD_pos && mn_user_may(w, true, "setting 'position'", say) != MN_OK) return MN_BAD_INPUT;
    for (long k = 0; k < 3L * n; k++)
        if (!isfinite(in[k])) {
            mn_say_error(say, MN_NOWHERE, "%s of particle %ld is not finite", field, k / 3);
            return MN_BAD_INPUT;
        }
    mn_id_place *order = mn_id_order(w);
    real4 *data = order ? mn_fetch(w, target) : NULL;
    bool ok = data != NULL;
    if (ok) {
        for (int k = 0; k < n; k++)
            data[order[k].at].x = in[3 * k], data[order[k].at].y = in[3 * k + 1], data[order[k].at].z = in[3 * k + 2];
        ok = w->api->put(w->device, w->field[target], 0, data, (size_t)n * sizeof *data);
    }
    free(order), free(data);
    w->stale[target] = true;
    w->user.touched = true;
    w->depth.known = false;
    if (!ok) mn_say_failure(say, MN_NOWHERE, "cannot set field '%s': out of memory or device failure", field);
    return ok ? MN_OK : MN_FAILED;
}
