/* rules_contact.c -- contact angles: a fluid that has one, patterns that say where, hysteresis and slip
 * lengths that fit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/read.h"

bool mn_pattern_is_given(const mn_pattern *p) { return p->shape.scale > 0 || p->colour || (p->image && p->image[0]); }

void mn_finish_pattern(mn_reader *reader, const mn_node *node, void *record)
{
    mn_pattern *p = record;
    if (!p->image || !p->image[0]) return;
    mn_resolve_file(reader, mn_node_get(node, "image"), "image", &p->image);
    const double c[3] = {p->along[1] * p->down[2] - p->along[2] * p->down[1],
                         p->along[2] * p->down[0] - p->along[0] * p->down[2],
                         p->along[0] * p->down[1] - p->along[1] * p->down[0]};
    if (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == 0)
        mn_complain(reader, node,
                    "along and down have to span the image: both need a length, and different directions");
}

void mn_finish_contact_pattern(mn_reader *reader, const mn_node *node, void *record)
{
    mn_finish_pattern(reader, node, record);
    if (node && !mn_pattern_is_given(record))
        mn_complain(reader, node, "the pattern does not say where the angle differs; expected shape, colour or image");
}

static bool has_laplace(const mn_scene *scene)
{
    for (int i = 0; i < scene->fluid_count; i++)
        for (int m = 0; m < scene->fluids[i].model_count; m++)
            if (strcmp(scene->fluids[i].models[m].model->key, "laplace") == 0) return true;
    return false;
}

/* Whether half of the hysteresis leads out of 0 to 180 degrees at a key of either curve. */
static bool leads_out(const mn_curve *angle, const mn_curve *hysteresis, double *when)
{
    const mn_curve *both[2] = {angle, hysteresis};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < both[c]->count; k++) {
            double a = 90, h = 0;
            *when = both[c]->count > 1 ? both[c]->time[k] : 0;
            mn_curve_at(angle, *when, &a);
            mn_curve_at(hysteresis, *when, &h);
            if (a - h / 2 < 0 || a + h / 2 > 180) return true;
        }
    return false;
}

static void find_fluids(mn_reader *reader, const mn_scene *scene, const char *list, int index, mn_wetting *c)
{
    char path[96];
    for (int k = 0; k < c->fluid_count; k++) {
        snprintf(path, sizeof path, "%s.%d.contact_angles.%d.fluid", list, index, k);
        c->fluids[k].index = mn_find_name(reader, path, "fluid", c->fluids[k].fluid, scene->fluids, scene->fluid_count,
                                          sizeof *scene->fluids);
        for (int i = 0; i < k; i++)
            if (c->fluids[i].index >= 0 && c->fluids[i].index == c->fluids[k].index)
                mn_complain_at(reader, path, "\"%s\" has an angle here already; expected each fluid once",
                               c->fluids[k].fluid);
    }
}

static void check_wetting(mn_reader *reader, const mn_scene *scene, const char *list, int index, mn_wetting *c)
{
    char path[64];
    double when = 0;
    find_fluids(reader, scene, list, index, c);
    snprintf(path, sizeof path, "%s.%d.contact_hysteresis", list, index);
    bool out = leads_out(&c->angle, &c->hysteresis, &when);
    for (int k = 0; k < c->fluid_count && !out; k++) out = leads_out(&c->fluids[k].angle, &c->hysteresis, &when);
    if (mn_pattern_is_given(&c->pattern.pattern) && !out) out = leads_out(&c->pattern.angle, &c->hysteresis, &when);
    if (out)
        mn_complain_at(reader, path,
                       "the contact angle plus or minus half of it leaves 0 to 180 degrees (at %g s); expected less",
                       when);
    snprintf(path, sizeof path, "%s.%d.contact_slip", list, index);
    if (c->slip >= scene->spacing)
        mn_complain_at(reader, path, "%g m is not below particles.spacing, %g m; expected some nm", c->slip,
                       scene->spacing);
}

/* Keys that only a fluid with a contact angle gives a meaning. */
static void refuse_contact(mn_reader *reader)
{
    static const char *const lists[] = {"walls", "bodies", "solids"};
    static const char *const keys[] = {"contact_angle", "contact_angles", "contact_hysteresis", "contact_slip",
                                       "contact_pattern"};
    for (int k = 0; k < 15; k++) {
        const mn_node *list = mn_node_get(reader->tree->root, lists[k / 5]);
        for (const mn_node *each = list ? list->first : NULL; each; each = each->next) {
            const mn_node *node = mn_node_get(each, keys[k % 5]);
            if (node)
                mn_complain(reader, node,
                            "no fluid has a contact angle; expected surface_tension on one of the fluids");
        }
    }
}

/* Whether the scene gives a key of `pressure`. */
static bool says_of_pressure(const mn_reader *reader, const char *key)
{
    const mn_node *pressure = mn_node_get(reader->tree->root, "pressure");
    return pressure && pressure->kind == MN_MAPPING && mn_node_get(pressure, key);
}

/* Contact angles need a fluid that has one. It needs walls whose pressure is right, and a solver that leaves little
 * error for the tension to answer, unless the scene says otherwise. */
void mn_check_contact(mn_reader *reader, mn_scene *scene)
{
    if (!has_laplace(scene)) {
        refuse_contact(reader);
        return;
    }
    if (scene->support != 2)
        mn_complain_at(reader, "particles.support",
                       "the model laplace measures curvature with constants for a support of 2; expected 2, or "
                       "another model of tension, found %g",
                       scene->support);
    if (!says_of_pressure(reader, "wall_weight")) scene->wall_weight = 1.78;
    if (!says_of_pressure(reader, "tolerance")) scene->tolerance = 0.002;
    for (int k = 0; k < scene->wall_count; k++) check_wetting(reader, scene, "walls", k, &scene->walls[k].contact);
    for (int k = 0; k < scene->body_count; k++) check_wetting(reader, scene, "bodies", k, &scene->bodies[k].contact);
    for (int k = 0; k < scene->solid_count; k++) check_wetting(reader, scene, "solids", k, &scene->solids[k].contact);
}
