/* wetting.c -- how liquids wet walls, bodies and soft solids: friction, adhesion and contact angles of this moment, for
 * the models that act there (kernels/wetting/contact_line.h, and the adhesion of each model in its own file). */
#include "wetting/wetting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "core/parts.h"

typedef struct wetting {
    /* of each fluid on each wall, as the device has it; as it is to be. NULL: no model heeds contact angles */
    real4 *angles, *next;
    bool sticks; /* a wall has hysteresis now */
} wetting;

/* Cosines of a line that advances and of one that recedes: their mean, and half of their difference. */
static void band(const mn_curve *angle, double hysteresis, double time, float *mean, float *half)
{
    const double degree = M_PI / 180;
    double theta;
    mn_curve_at(angle, time, &theta);
    *mean = (float)(mn_cos(theta * degree) * mn_cos(0.5 * hysteresis * degree));
    *half = (float)(mn_cos((90 - theta) * degree) * mn_cos((90 - 0.5 * hysteresis) * degree));
}

static const mn_wetting *contact_of(const mn_scene *s, int object)
{
    const int body = object - s->wall_count, solid = body - s->body_count;
    if (body < 0) return &s->walls[object].contact;
    return solid < 0 ? &s->bodies[body].contact : &s->solids[solid].contact;
}

static const mn_curve *angle_of(const mn_wetting *c, int fluid)
{
    for (int k = 0; k < c->fluid_count; k++)
        if (c->fluids[k].index == fluid) return &c->fluids[k].angle;
    return &c->angle;
}

/* What each fluid finds on each wall, body and solid at this moment, to the device where it has changed. */
static bool send_angles(mn_world *w, wetting *l)
{
    const mn_scene *s = w->scene;
    const size_t bytes = ((size_t)w->par.fluids * (size_t)w->par.boundary.count + 1) * sizeof *l->angles;
    memset(l->next, 0, bytes);
    l->sticks = false;
    for (int k = 0; k < w->par.boundary.count; k++) {
        const mn_wetting *c = contact_of(s, k);
        double hysteresis;
        mn_curve_at(&c->hysteresis, w->time, &hysteresis);
        l->sticks |= hysteresis > 0.0;
        for (int f = 0; f < w->par.fluids; f++) {
            real4 *to = &l->next[f * w->par.boundary.count + k];
            band(angle_of(c, f), hysteresis, w->time, &to->x, &to->z);
            to->y = to->x, to->w = to->z;
            if (mn_pattern_is_given(&c->pattern.pattern)) band(&c->pattern.angle, hysteresis, w->time, &to->y, &to->w);
        }
    }
    mn_buffer *there = w->field[MN_FIELD_wall_wetting];
    if (there && memcmp(l->angles, l->next, bytes) == 0) return true;
    memcpy(l->angles, l->next, bytes);
    return there ? w->api->put(w->device, there, 0, l->angles, bytes)
                 : mn_world_table(w, MN_FIELD_wall_wetting, l->angles, bytes);
}

mn_status mn_wetting_use_angles(mn_world *w, mn_messages *say)
{
    wetting *l = mn_part_of(w, &mn_wetting_system);
    const size_t count = (size_t)w->par.fluids * (size_t)w->par.boundary.count + 1;
    l->angles = calloc(count, sizeof *l->angles);
    l->next = calloc(count, sizeof *l->next);
    if (l->angles && l->next && send_angles(w, l)) return MN_OK;
    mn_say_failure(say, MN_NOWHERE, "not enough memory for the contact angles on %s", w->api->key);
    return MN_FAILED;
}

bool mn_wetting_sticks(const mn_world *w)
{
    const wetting *l = mn_part_of(w, &mn_wetting_system);
    return l->sticks;
}

double mn_wetting_slip(const mn_world *w, int object) { return contact_of(w->scene, object)->slip; }

bool mn_wetting_slips(const mn_world *w)
{
    for (int k = 0; k < w->par.boundary.count; k++)
        if (mn_wetting_slip(w, k) > 0.0) return true;
    return false;
}

static float value_at(const mn_curve *curve, double time)
{
    double v;
    mn_curve_at(curve, time, &v);
    return (float)v;
}

static void set(mn_world *w, int object, const mn_curve *friction, const mn_curve *adhesion)
{
    w->par.boundary.friction[object] = value_at(friction, w->time);
    w->par.boundary.adhesion[object] = value_at(adhesion, w->time);
}

static void parameters(mn_world *w, void *me)
{
    const mn_scene *s = w->scene;
    wetting *l = me;
    int at = 0;
    for (int k = 0; k < s->wall_count; k++) set(w, at++, &s->walls[k].friction, &s->walls[k].adhesion);
    for (int k = 0; k < s->body_count; k++) set(w, at++, &s->bodies[k].friction, &s->bodies[k].adhesion);
    for (int k = 0; k < s->solid_count; k++) set(w, at++, &s->solids[k].friction, &s->solids[k].adhesion);
    if (l->angles && !send_angles(w, l)) w->failed = true;
}

static void release(mn_world *w, void *me)
{
    (void)w;
    free(((wetting *)me)->angles), free(((wetting *)me)->next);
}

const mn_system mn_wetting_system = {
    .key = "wetting", .bytes = sizeof(wetting), .free = release, .at = {[MN_AT_parameters] = parameters}};
