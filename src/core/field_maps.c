/* field_maps.c -- fields of the particles as they lie in memory, for the program to read and write. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "core/views.h"
#include "core/world.h"

/* Where a field lies on the host: itself, or a copy that *copy holds and the caller frees. NULL: failed. */
static const void *on_host(mn_world *w, int field, void **copy)
{
    void *own = w->api->host && w->field[field] ? w->api->host(w->device, w->field[field]) : NULL;
    *copy = own ? NULL : mn_fetch(w, field);
    return own ? own : *copy;
}

/* The ids in cell order, into the map. */
static bool take_ids(mn_world *w, mn_open_map *m)
{
    const size_t bytes = (size_t)w->layout.fluid * 4;
    m->map.id = w->api->host ? w->api->host(w->device, w->id) : NULL;
    if (m->map.id) return true;
    m->map.id = m->ids = malloc(bytes + 4);
    return m->ids && w->api->get(w->device, w->id, 0, m->ids, bytes);
}

/* A field that is made of others: its values in cell order. */
static bool make_values(mn_world *w, const mn_field_view *view, mn_open_map *m)
{
    const int n = w->layout.fluid;
    mn_field_source source = {.world = w, .unit = view->scale ? view->scale(w) : 1.0f};
    void *copy[MN_VIEW_NEEDS] = {NULL};
    bool ok = (m->copy = malloc((size_t)n * (size_t)view->width * sizeof *m->copy + 4)) != NULL;
    for (int k = 0; k < MN_VIEW_NEEDS && ok; k++)
        if (view->needs[k] >= 0) ok = (source.data[k] = on_host(w, view->needs[k], &copy[k])) != NULL;
    for (int i = 0; i < n && ok; i++) view->value(&source, i, m->map.id[i], m->copy + (size_t)view->width * (size_t)i);
    for (int k = 0; k < MN_VIEW_NEEDS; k++) free(copy[k]);
    m->map.data = m->copy, m->map.stride = view->width, m->map.copied = true;
    return ok;
}

/* Whether the memory of a view's first field is what users see of it, three floats of four. */
static bool is_plain(const mn_world *w, const mn_field_view *view)
{
    if (view->needs[0] == MN_FIELD_acc) return w->user.calling == MN_CALL_FORCES;
    return mn_view_is_plain(view);
}

static bool take_field(mn_world *w, const mn_field_view *view, mn_open_map *m)
{
    void *copy = NULL;
    m->map.data = (float *)on_host(w, view->needs[0], &copy);
    m->copy = copy;
    m->map.stride = 4, m->map.copied = copy != NULL;
    return m->map.data != NULL;
}

static mn_status refuse(const char *field, const char *why, mn_messages *say)
{
    mn_say_error(say, MN_NOWHERE, "field '%s' %s", field, why);
    return MN_BAD_INPUT;
}

static mn_status may_write(const mn_world *w, const char *field, const mn_field_view *view, mn_messages *say)
{
    if (view->needs[0] == MN_FIELD_acc && !is_plain(w, view))
        return refuse(field, "can be written in a callback at 'forces' only", say);
    if (!is_plain(w, view)) return refuse(field, "cannot be written; position, velocity and acceleration can", say);
    return view->needs[0] == MN_FIELD_pos ? mn_user_may(w, true, "writing to 'position'", say) : MN_OK;
}

static void forget(mn_open_map *m)
{
    free(m->copy), free(m->ids);
    *m = (mn_open_map){0};
}

mn_status mn_field_map(mn_world *w, const char *field, mn_access how, mn_mapped *out, mn_messages *say)
{
    *out = (mn_mapped){0};
    mn_field_view view = {0};
    mn_status status = mn_view_find(w, field, &view, say);
    if (status == MN_OK && how == MN_WRITE) status = may_write(w, field, &view, say);
    if (status != MN_OK) return status;
    mn_open_map *m = NULL;
    for (int k = 0; k < MN_MOST_MAPS && !m; k++)
        if (!w->user.maps[k].open) m = &w->user.maps[k];
    if (!m) return refuse(field, "is one too many: 16 maps are open; expected some to be unmapped", say);
    *m = (mn_open_map){.map = {.count = w->layout.fluid, .width = view.width},
                       .field = how == MN_WRITE ? view.needs[0] : -1,
                       .open = true};
    if (take_ids(w, m) && (is_plain(w, &view) ? take_field(w, &view, m) : make_values(w, &view, m))) {
        *out = m->map;
        return MN_OK;
    }
    forget(m);
    mn_say_failure(say, MN_NOWHERE, "cannot read field '%s': %s", field, mn_why(w));
    return MN_FAILED;
}

/* What was written counts from here on. */
static mn_status end_map(mn_world *w, mn_open_map *m, mn_messages *say)
{
    mn_status status = MN_OK;
    const int n = (int)m->map.count, field = m->field;
    if (field >= 0) {
        for (int i = 0; i < n && status == MN_OK; i++) {
            const float *x = m->map.data + (size_t)m->map.stride * (size_t)i;
            if (isfinite(x[0] + x[1] + x[2])) continue;
            mn_say_error(say, MN_NOWHERE, "%s of particle %d was written and is not finite", mn_field_table[field].name,
                         m->map.id[i]);
            status = MN_BAD_INPUT;
        }
        if (m->copy && !w->api->put(w->device, w->field[field], 0, m->copy, (size_t)n * mn_field_bytes(field))) {
            mn_say_failure(say, MN_NOWHERE, "cannot write to a field: %s", mn_why(w));
            status = MN_FAILED;
        }
        w->stale[field] = true;
        w->user.touched = true;
    }
    forget(m);
    return status;
}

mn_status mn_field_unmap(mn_world *w, mn_mapped *map, mn_messages *say)
{
    mn_open_map *m = NULL;
    for (int k = 0; k < MN_MOST_MAPS && map->data; k++)
        if (w->user.maps[k].open && w->user.maps[k].map.data == map->data) m = &w->user.maps[k];
    *map = (mn_mapped){0};
    if (m) return end_map(w, m, say);
    mn_say_error(say, MN_NOWHERE, "this map is not one of the world, or it was unmapped");
    return MN_BAD_INPUT;
}

mn_status mn_field_maps_end(mn_world *w, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; k < MN_MOST_MAPS; k++)
        if (w->user.maps[k].open) {
            const mn_status ended = end_map(w, &w->user.maps[k], say);
            if (status == MN_OK) status = ended;
        }
    return status;
}
