/* rules_bodies.c -- rules between the keys of bodies and joints. As in rules.c, every test asks "is it bad?", so
 * that NaN passes. */
#include "scene/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void mn_finish_body(mn_reader *reader, const mn_node *node, void *record)
{
    mn_body *body = record;
    mn_check_closed(reader, node, body->shapes, body->shape_count, "body");
    for (int i = 0; i < body->shape_count; i++)
        if (body->shapes[i].grid[0] > 0)
            mn_complain(reader, mn_shape_node(node, i), "a box by grid is for fluids only; give min and max");
    const mn_node *density = mn_node_get(node, "density"), *mass = mn_node_get(node, "mass");
    bool free = !body->fixed && !body->motion.moving;
    if (density && mass) mn_complain(reader, mass, "expected either density or mass, found both");
    if (free && !density && !mass)
        mn_complain(
            reader, node,
            "the key \"density\" is missing; expected it or mass, since the body is neither fixed nor has a motion");
    if (body->fixed && body->motion.moving)
        mn_complain(reader, mn_node_get(node, "motion"), "expected either fixed: true or a motion, found both");
    for (int a = 0; a < 3 && !free; a++)
        if (body->velocity[a] != 0 || body->angular_velocity[a] != 0) {
            mn_complain(reader, node, "a body that is fixed or has a motion takes no velocity or angular_velocity");
            break;
        }
    if (!free && body->release > 0)
        mn_complain(reader, mn_node_get(node, "release"), "a body that is fixed or has a motion is never released");
    if (body->name && strpbrk(body->name, "/,\""))
        mn_complain(reader, mn_node_get(node, "name"),
                    "expected a name without / , and \" (files and columns are named after it), found \"%s\"",
                    body->name);
    if (body->name && strcmp(body->name, "world") == 0)
        mn_complain(reader, mn_node_get(node, "name"),
                    "the name \"world\" is taken: joints use it for the fixed world");
}

void mn_finish_joint(mn_reader *reader, const mn_node *node, void *record)
{
    mn_joint *joint = record;
    const mn_node *limits = mn_node_get(node, "limits");
    joint->limited = limits != NULL;
    if (!mn_normalise(joint->axis))
        mn_complain(reader, mn_node_get(node, "axis"), "expected a direction, found a vector of length 0");
    if (limits && joint->kind != MN_HINGE && joint->kind != MN_SLIDER)
        mn_complain(reader, limits, "limits are for hinge and slider; a ball has swing and twist");
    if (limits && (joint->limits[0] > 0 || joint->limits[1] < 0))
        mn_complain(reader, limits,
                    "expected [least, most] with 0, the place at the start, between them, found %g to %g",
                    joint->limits[0], joint->limits[1]);
    for (const mn_node *one = limits ? limits->first : NULL; one; one = one->next) {
        const mn_key own = {
            .type = MN_KEY_NUMBER, .unit = joint->kind == MN_HINGE ? "degrees" : "m", .min = -1e6, .max = 1e6};
        double value;
        if (!isnan(joint->limits[one->index < 2 ? one->index : 0])) mn_read_number(reader, &own, one, &value);
    }
    if (limits && joint->kind == MN_HINGE && (joint->limits[0] < -179 || joint->limits[1] > 179))
        mn_complain(reader, limits, "expected limits of a hinge from -179 to 179 degrees, found %g to %g",
                    joint->limits[0], joint->limits[1]);
    for (const char *key = "swing";; key = "twist") {
        const mn_node *given = mn_node_get(node, key);
        if (given && joint->kind != MN_BALL)
            mn_complain(reader, given, "%s is for balls; hinge and slider have limits", key);
        if (key[0] == 't') break;
    }
    if (joint->swing > 85 && joint->swing < 180)
        mn_complain(reader, mn_node_get(node, "swing"), "expected at most 85 degrees, or 180 for a free ball, found %g",
                    joint->swing);
    if (joint->kind != MN_BALL) joint->swing = joint->twist = 180;
}

/* The index of a body, -1 if there is none of that name. */
static int find_body(const mn_scene *scene, const char *name)
{
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].name && strcmp(scene->bodies[i].name, name) == 0) return i;
    return -1;
}

static int need_body(mn_reader *reader, const mn_scene *scene, int joint, const char *key, const char *name)
{
    const int found = find_body(scene, name);
    if (found >= 0) return found;
    char path[80];
    const char *names[MN_MAX_BODIES];
    int count = 0;
    snprintf(path, sizeof path, "joints.%d.%s", joint, key);
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].name) names[count++] = scene->bodies[i].name;
    const char *near = mn_nearest(name, names, count);
    if (near) mn_complain_at(reader, path, "no body is named \"%.60s\"; did you mean \"%s\"?", name, near);
    else mn_complain_at(reader, path, "no body is named \"%.60s\"", name);
    return -1;
}

void mn_check_joints(mn_reader *reader, mn_scene *scene)
{
    for (int i = 0; i < scene->joint_count; i++) {
        mn_joint *joint = &scene->joints[i];
        joint->first = joint->second = -1;
        if (!joint->body || !joint->to) continue;
        joint->first = need_body(reader, scene, i, "body", joint->body);
        if (strcmp(joint->to, "world") != 0) joint->second = need_body(reader, scene, i, "to", joint->to);
        if (joint->first >= 0 && joint->first == joint->second)
            mn_complain_at(reader, "joints", "the joint \"%s\" connects the body \"%s\" with itself",
                           joint->name ? joint->name : "", joint->body);
    }
}
