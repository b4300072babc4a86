/* stage.c -- what stands around the liquid; see stage.h. */
#include "render/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "geometry/halve.h"
#include "geometry/vectors.h"
#include "render/props.h"
#include "rigid/body_shape.h"

static const double SHIFT = 0.08; /* spacings */

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
    return MN_FAILED;
}

/* -------------------------------------------------------------------------------------------------- meshes */

void mn_cast_free(mn_cast *cast)
{
    for (int k = 0; k < cast->count; k++) {
        free((void *)cast->meshes[k].position);
        free((void *)cast->meshes[k].later);
        free((void *)cast->meshes[k].normal);
        free((void *)cast->meshes[k].colour);
        free((void *)cast->meshes[k].triangle);
    }
    free(cast->meshes);
    *cast = (mn_cast){0};
}

mn_trace_mesh *mn_cast_add(mn_cast *cast)
{
    if (cast->count == cast->capacity) {
        const int capacity = 2 * cast->capacity + 16;
        mn_trace_mesh *grown = realloc(cast->meshes, (size_t)capacity * sizeof *grown);
        if (!grown) return NULL;
        cast->meshes = grown;
        cast->capacity = capacity;
    }
    cast->meshes[cast->count] = (mn_trace_mesh){0};
    return &cast->meshes[cast->count++];
}

/* --------------------------------------------------------------------------------------------------- looks */

static mn_surface_look solid_look(const mn_look *look, bool container, const float standard[3])
{
    static const float tint[3] = {0.955f, 0.98f, 0.975f}, steel[3] = {0.60f, 0.61f, 0.63f};
    const int material = look->material != MN_LOOK_AUTO ? look->material : container ? MN_LOOK_GLASS : MN_LOOK_MATTE;
    mn_surface_look out = {.material = material == MN_LOOK_GLASS   ? MN_GLASS
                                       : material == MN_LOOK_METAL ? MN_METAL
                                                                   : MN_MATTE};
    float colour[3];
    memcpy(colour,
           out.material == MN_GLASS                ? tint
           : out.material == MN_METAL && !standard ? steel
           : standard                              ? standard
                                                   : tint,
           sizeof colour);
    if (look->colour && look->colour[0]) {
        mn_colour_parse(look->colour, colour);
        /* a tint, not a wall */
        for (int c = 0; c < 3 && out.material == MN_GLASS; c++) colour[c] = 0.35f + 0.65f * colour[c];
    }
    out.colour = v3_scale(v3_of(colour), out.material == MN_MATTE ? 0.62f : 1); /* the light is bright */
    out.one_sided = container && out.material != MN_GLASS;
    return out;
}

mn_surface_look mn_stage_liquid(const mn_stage *stage, int fluid)
{
    static const vec3 water = {0.16f, 0.58f, 0.74f};
    mn_surface_look out = {.material = MN_LIQUID, .index = 1.33f};
    vec3 colour = water;
    double depth = 0.25 * 2 * stage->size;
    if (fluid >= 0) {
        const mn_look *look = &stage->scene->fluids[fluid].look;
        float parsed[3];
        if (look->colour && mn_colour_parse(look->colour, parsed)) colour = v3_of(parsed);
        if (look->clarity > 0) depth = look->clarity;
    }
    out.colour = colour;
    const float *c = &colour.x;
    float *a = &out.absorption.x;
    for (int k = 0; k < 3; k++) a[k] = (float)(-log(fmax((double)c[k], 0.01)) / depth);
    return out;
}

/* --------------------------------------------------------------------------------------------------- props */

static mn_status add_prop(mn_stage *s, const mn_mesh *mesh, const mn_prop *as, mn_messages *say)
{
    if (s->count == s->capacity) {
        const int capacity = 2 * s->capacity + 16;
        mn_prop *grown = realloc(s->props, (size_t)capacity * sizeof *grown);
        if (!grown) return no_memory(say);
        s->props = grown;
        s->capacity = capacity;
    }
    mn_prop *prop = &s->props[s->count++];
    /* Liquid ends exactly at walls and bodies: what is opaque comes a little towards it, glass moves away, so that
     * the two never coincide. */
    const double shift = (as->look.material == MN_GLASS ? -SHIFT : SHIFT) * s->scene->spacing;
    const bool ok = mn_crease(mesh, shift, prop);
    prop->look = as->look;
    prop->wall = as->wall;
    prop->body = as->body;
    prop->solid = as->solid;
    prop->coated = false;
    return ok ? MN_OK : no_memory(say);
}

/* How far an edge of round shapes may be, so that their outline looks round. */
static double fine_edge(const mn_shape_def *shape)
{
    return 0.05 * shape->scale * fmax(shape->radius, shape->radius2) + 1e-12;
}

static void keep_triangles(mn_mesh *mesh, bool (*keep)(const void *, const mn_mesh *, int), const void *context)
{
    int kept = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        if (!keep(context, mesh, t)) continue;
        memmove(mesh->triangle + 3 * (size_t)kept++, mesh->triangle + 3 * (size_t)t, 3 * sizeof *mesh->triangle);
    }
    mesh->triangle_count = kept;
}

typedef struct lids {
    const mn_shape_def *shape;
    const mn_stage *stage;
    double top, bottom, size;
    bool coated; /* its bottom shows something */
} lids;

/* Whether a triangle of a container faces straight up or down, opposite to the container's inside. */
static bool is_lid(const lids *l, const mn_mesh *mesh, int t)
{
    const int *c = mesh->triangle + 3 * (size_t)t;
    double a[3], b[3], n[3], height[3];
    for (int k = 0; k < 3; k++) height[k] = dot3(mesh->vertex + 3 * (size_t)c[k], l->stage->up);
    sub3(mesh->vertex + 3 * (size_t)c[1], mesh->vertex + 3 * (size_t)c[0], a);
    sub3(mesh->vertex + 3 * (size_t)c[2], mesh->vertex + 3 * (size_t)c[0], b);
    cross3(a, b, n);
    if (fabs(dot3(n, l->stage->up)) < 0.99 * length3(n)) return false;
    if (fabs(height[0] - l->top) < 1e-3 * l->size) return true;
    return !l->coated && fabs(height[0] - l->stage->ground) < 2 * l->stage->bar;
}

static bool drawn(const void *context, const mn_mesh *mesh, int t)
{
    const lids *l = context;
    if (l->shape->kind == MN_PLANE) return t / 2 == 3;
    if (l->shape->kind == MN_BOX && l->shape->open[t / 2]) return false;
    return l->shape->kind == MN_MESH || !l->shape->inside_out || !is_lid(l, mesh, t);
}

static void leave_out(const mn_stage *s, const mn_shape_def *shape, bool coated, mn_mesh *mesh)
{
    lids l = {.shape = shape, .stage = s, .coated = coated, .top = -INFINITY, .bottom = INFINITY};
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double height = dot3(mesh->vertex + 3 * (size_t)v, s->up);
        l.top = fmax(l.top, height);
        l.bottom = fmin(l.bottom, height);
    }
    l.size = l.top - l.bottom;
    keep_triangles(mesh, drawn, &l);
}

static mn_status add_bar(mn_stage *s, const mn_shape_def *bar, const mn_prop *as, mn_messages *say)
{
    mn_shape *made = mn_shape_new(bar, say);
    mn_mesh mesh = {0};
    mn_status status = made ? mn_shape_skin(made, fine_edge(bar), &mesh, say) : MN_FAILED;
    if (status == MN_OK) status = add_prop(s, &mesh, as, say);
    mn_mesh_free(&mesh);
    mn_shape_free(made);
    return status;
}

/* Bars along the edges of a glass container, so that one sees where it is: twelve of a box, a ring at each end of a
 * cylinder or cone. */
static mn_status add_bars(mn_stage *s, const mn_shape_def *shape, const mn_prop *as, mn_messages *say)
{
    mn_status status = MN_OK;
    double half[3];
    for (int a = 0; a < 3; a++) half[a] = 0.5 * mn_shape_factor(shape, a) * shape->size[a];
    const double thick = s->bar;
    const bool round = shape->kind != MN_BOX;
    mn_prop look = *as;
    look.look.colour = v3_times(as->look.colour, v3(0.68f, 0.85f, 0.82f));
    for (int edge = 0; edge < (round ? 2 : 12) && status == MN_OK; edge++) {
        const int along = edge / 4, b = (along + 1) % 3, c = (along + 2) % 3;
        const double sb = edge & 1 ? 1 : -1, sc = edge & 2 ? 1 : -1;
        double middle[3] = {0, 0, 0};
        mn_shape_def bar = {.kind = MN_BOX, .scale = 1, .at = shape->at};
        memcpy(bar.rotation, shape->rotation, sizeof bar.rotation);
        if (round) {
            const double radius = edge && shape->kind == MN_CONE ? shape->radius2 : shape->radius;
            middle[1] = 0.5 * sb * mn_shape_factor(shape, 1) * shape->height;
            bar.kind = MN_TORUS, bar.radius2 = 0.5 * thick;
            bar.radius = mn_shape_factor(shape, 0) * radius + 0.5 * thick;
            if (radius <= 0) continue;
        } else {
            if (shape->open[2 * b + (sb > 0)] && shape->open[2 * c + (sc > 0)]) continue;
            bar.size[along] = 2 * half[along] + 2 * thick;
            bar.size[b] = bar.size[c] = thick;
            middle[b] = sb * (half[b] + 0.5 * thick);
            middle[c] = sc * (half[c] + 0.5 * thick);
        }
        for (int a = 0; a < 3; a++) bar.translate[a] = shape->translate[a] + dot3(shape->rotation + 3 * a, middle);
        status = add_bar(s, &bar, &look, say);
    }
    return status;
}

/* Elliptic ones have none. */
static bool has_bars(const mn_shape_def *shape)
{
    return shape->inside_out && (shape->kind == MN_BOX || ((shape->kind == MN_CYLINDER || shape->kind == MN_CONE) &&
                                                           mn_shape_factor(shape, 0) == mn_shape_factor(shape, 2)));
}

static bool is_level_plane(const mn_stage *s, const mn_shape_def *shape)
{
    const double normal[3] = {shape->rotation[1], shape->rotation[4], shape->rotation[7]};
    return shape->kind == MN_PLANE && !shape->inside_out && dot3(normal, s->up) > 0.999;
}

/* Whether a wall or body bears the substance that the camera shows. */
static bool is_coated(const mn_scene *scene, int object)
{
    const char *shown = scene->camera.wall_colour;
    for (int k = 0; shown && shown[0] && k < scene->substance_count; k++) {
        const mn_substance *substance = &scene->substances[k];
        for (int i = 0; strcmp(substance->name, shown) == 0 && i < substance->coat_count; i++)
            if (substance->coats[i].object == object) return true;
    }
    return false;
}

/* Cuts the last prop into triangles with sides of at most a spacing. */
static mn_status refine(mn_stage *s, double spacing, const char *name, mn_place at, mn_messages *say)
{
    bool coarse;
    if (!mn_prop_refine(&s->props[s->count - 1], spacing, &coarse)) return no_memory(say);
    if (coarse) mn_say_warning(say, at, MN_HALVED_TOO_FEW, name, spacing);
    return MN_OK;
}

/* A plane as the slab that has its sheet as a side, so that one sees it from its edge, too. */
static mn_shape_def slab_of(const mn_shape_def *plane, double thick)
{
    mn_shape_def out = *plane;
    const double middle[3] = {0, plane->inside_out ? 0.5 * thick : -0.5 * thick, 0};
    out.kind = MN_BOX;
    out.inside_out = false;
    out.size[1] = thick / mn_shape_factor(plane, 1);
    for (int a = 0; a < 3; a++) out.translate[a] += dot3(plane->rotation + 3 * a, middle);
    return out;
}

static mn_status add_shape(mn_stage *s, const mn_shape_def *shape, const mn_look *look, const mn_prop *as,
                           mn_messages *say)
{
    static const float grey[3] = {0.52f, 0.51f, 0.50f};
    const mn_wall *wall = &s->scene->walls[as->wall];
    const bool level = is_level_plane(s, shape) && s->level_plane && !is_coated(s->scene, as->wall) &&
                       dot3(shape->translate, s->up) < s->ground + 1e-6 * s->size;
    if (level) return MN_OK; /* it is the ground */
    const bool sheet = shape->kind == MN_PLANE && (look->material == MN_LOOK_GLASS || is_coated(s->scene, as->wall));
    const mn_shape_def slab = shape->kind == MN_PLANE && !sheet ? slab_of(shape, wall->spacing) : *shape;
    shape = &slab;
    mn_shape *made = mn_shape_new(shape, say);
    if (!made) return MN_BAD_INPUT;
    mn_mesh mesh = {0};
    mn_prop prop = *as;
    prop.look = solid_look(look, shape->inside_out, grey);
    if (is_coated(s->scene, as->wall)) {
        prop.look.material = MN_MATTE;
        prop.look.one_sided = shape->inside_out;
    }
    mn_status status = mn_shape_skin(made, fine_edge(shape), &mesh, say);
    if (status == MN_OK) leave_out(s, shape, is_coated(s->scene, as->wall), &mesh);
    if (status == MN_OK) status = add_prop(s, &mesh, &prop, say);
    if (status == MN_OK && is_coated(s->scene, as->wall)) { /* fine enough for the colours of its points */
        s->props[s->count - 1].coated = true;
        status = refine(s, wall->spacing, wall->name, wall->at, say);
    }
    if (status == MN_OK && has_bars(shape) && prop.look.material == MN_GLASS) status = add_bars(s, shape, &prop, say);
    mn_mesh_free(&mesh);
    mn_shape_free(made);
    return status;
}

static mn_status add_body(mn_stage *s, int k, mn_messages *say)
{
    const mn_body *body = &s->scene->bodies[k];
    mn_rigid_shape form;
    mn_mesh mesh = {0};
    mn_status status = mn_rigid_shape_make(body, &form, say);
    if (status != MN_OK) return status;
    double edge = 0.5 * body->spacing;
    for (int i = 0; i < body->shape_count; i++)
        if (body->shapes[i].radius > 0) edge = fmin(edge, fine_edge(&body->shapes[i]));
    status = mn_rigid_shape_skin(&form, edge, &mesh, say);
    const mn_prop prop = {
        .look = solid_look(&body->look, false, mn_colour_values[body->colour]), .wall = -1, .body = k, .solid = -1};
    if (status == MN_OK) status = add_prop(s, &mesh, &prop, say);
    if (status == MN_OK && is_coated(s->scene, s->scene->wall_count + k)) {
        s->props[s->count - 1].coated = true;
        status = refine(s, body->spacing, body->name, body->at, say);
    }
    mn_mesh_free(&mesh);
    mn_rigid_shape_free(&form);
    return status;
}

static mn_status add_all(mn_stage *s, mn_messages *say)
{
    static const float soft[3] = {0.72f, 0.30f, 0.16f};
    const mn_scene *scene = s->scene;
    mn_status status = MN_OK;
    for (int k = 0; k < scene->wall_count && status == MN_OK; k++) {
        const mn_prop as = {.wall = k, .body = -1, .solid = -1};
        for (int i = 0; i < scene->walls[k].shape_count && status == MN_OK && scene->walls[k].look.visible; i++)
            status = add_shape(s, &scene->walls[k].shapes[i], &scene->walls[k].look, &as, say);
    }
    for (int k = 0; k < scene->body_count && status == MN_OK; k++)
        if (scene->bodies[k].look.visible) status = add_body(s, k, say);
    for (int k = 0; k < scene->solid_count && status == MN_OK; k++) {
        const mn_prop as = {
            .wall = -1, .body = -1, .solid = k, .look = solid_look(&scene->solids[k].look, false, soft)};
        for (int i = 0; i < scene->solids[k].shape_count && status == MN_OK && scene->solids[k].look.visible; i++) {
            mn_shape *made = mn_shape_new(&scene->solids[k].shapes[i], say);
            mn_mesh mesh = {0};
            status = made ? mn_shape_skin(made, 0.5 * scene->solids[k].spacing, &mesh, say) : MN_BAD_INPUT;
            if (status == MN_OK) status = add_prop(s, &mesh, &as, say);
            if (status == MN_OK)
                status = refine(s, scene->solids[k].spacing, scene->solids[k].name, scene->solids[k].at, say);
            mn_mesh_free(&mesh);
            mn_shape_free(made);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------------------ what is to be seen */

static void find_up(mn_stage *s)
{
    double gravity[3];
    mn_curve_at(&s->scene->gravity, 0, gravity);
    const double g = length3(gravity), c = length3(s->scene->camera.up);
    for (int a = 0; a < 3; a++) s->up[a] = g > 0 ? -gravity[a] / g : s->scene->camera.up[a] / c;
}

/* The box of one shape; false: it has no end. */
static bool bounds_of(const mn_shape_def *shape, double low[3], double high[3])
{
    mn_messages *quiet = mn_messages_new();
    mn_shape *made = mn_shape_new(shape, quiet);
    if (made) mn_shape_bounds(made, low, high);
    mn_shape_free(made);
    mn_messages_free(quiet);
    return made != NULL;
}

/* Widens the view by what stands near the liquid, and lowers the ground under it. */
static void see_shape(mn_stage *s, const mn_shape_def *shape, const double near[2][3], double *lowest)
{
    double low[3], high[3], bottom = 0;
    if (shape->kind == MN_PLANE || !bounds_of(shape, low, high)) return;
    for (int a = 0; a < 3; a++) {
        if (high[a] < near[0][a] || low[a] > near[1][a]) return;
        bottom += s->up[a] * (s->up[a] > 0 ? low[a] : high[a]);
    }
    *lowest = fmin(*lowest, bottom);
    for (int a = 0; a < 3; a++) {
        s->low[a] = fmin(s->low[a], fmax(low[a], near[0][a]));
        s->high[a] = fmax(s->high[a], fmin(high[a], near[1][a]));
    }
}

/* Walls stand on it, unless something is below them: then it lies deeper, and what is free has room to fall and to
 * bend. */
static void find_ground(mn_stage *s, double floor, double lowest)
{
    double gravity[3];
    const mn_scene *scene = s->scene;
    mn_curve_at(&scene->gravity, 0, gravity);
    const bool stands = length3(gravity) > 0 && floor < lowest + 0.02 * s->size;
    s->ground = stands ? floor - s->bar : fmin(lowest, floor) - 0.4 * s->size;
    double plane = INFINITY;
    for (int k = 0; k < scene->wall_count; k++)
        for (int i = 0;
             i < scene->walls[k].shape_count && scene->walls[k].look.visible && !scene->walls[k].motion.moving; i++)
            if (is_level_plane(s, &scene->walls[k].shapes[i]))
                plane = fmin(plane, dot3(scene->walls[k].shapes[i].translate, s->up));
    s->level_plane = plane <= fmin(lowest, floor) + 0.05 * s->size;
    if (s->level_plane) s->ground = plane;
    if (scene->camera.grounded) {
        s->ground = scene->camera.ground;
        s->level_plane = fabs(plane - s->ground) <= 1e-6 * s->size;
    }
}

static void find_box(mn_stage *s, const double low[3], const double high[3])
{
    double near[2][3], most = 4 * s->scene->spacing, lowest = 0;
    for (int a = 0; a < 3; a++) most = fmax(most, high[a] - low[a]);
    for (int a = 0; a < 3; a++) {
        s->low[a] = low[a];
        s->high[a] = high[a];
        near[0][a] = low[a] - 0.75 * most;
        near[1][a] = high[a] + 0.75 * most;
        lowest += s->up[a] * (s->up[a] > 0 ? low[a] : high[a]);
    }
    const mn_scene *scene = s->scene;
    double floor = INFINITY; /* under the walls */
    for (int k = 0; k < scene->wall_count; k++)
        for (int i = 0; i < scene->walls[k].shape_count && scene->walls[k].look.visible; i++)
            see_shape(s, &scene->walls[k].shapes[i], near, &floor);
    for (int k = 0; k < scene->body_count; k++)
        for (int i = 0; i < scene->bodies[k].shape_count && scene->bodies[k].look.visible; i++)
            see_shape(s, &scene->bodies[k].shapes[i], near, &lowest);
    for (int k = 0; k < scene->solid_count; k++)
        for (int i = 0; i < scene->solids[k].shape_count && scene->solids[k].look.visible; i++)
            see_shape(s, &scene->solids[k].shapes[i], near, &lowest);
    s->size = 0.5 * distance3(s->low, s->high);
    s->bar = 0.006 * s->size;
    find_ground(s, floor, lowest);
}

mn_stage *mn_stage_new(const mn_scene *scene, const double low[3], const double high[3], mn_messages *say)
{
    mn_stage *s = calloc(1, sizeof *s);
    if (!s) {
        no_memory(say);
        return NULL;
    }
    s->scene = scene;
    find_up(s);
    find_box(s, low, high);
    if (add_all(s, say) == MN_OK) return s;
    mn_stage_free(s);
    return NULL;
}

void mn_stage_free(mn_stage *s)
{
    if (!s) return;
    for (int k = 0; k < s->count; k++) mn_prop_free(&s->props[k]);
    free(s->props);
    free(s);
}

mn_view mn_stage_view(const mn_stage *s)
{
    const mn_camera *camera = &s->scene->camera;
    if (camera->automatic) return mn_view_auto(s->low, s->high, camera->up, (double)camera->width / camera->height);
    mn_view view = {.fov = camera->fov, .cut = camera->cut};
    memcpy(view.eye, camera->eye, sizeof view.eye);
    memcpy(view.target, camera->target, sizeof view.target);
    memcpy(view.up, camera->up, sizeof view.up);
    return view;
}

/* The lamp stands behind what is seen, to the left and high up: light through the liquid shows its shape. */
mn_studio mn_stage_studio(const mn_stage *s)
{
    const mn_view view = mn_stage_view(s);
    double away[3], middle[3];
    sub3(view.target, view.eye, away);
    for (int a = 0; a < 3; a++) middle[a] = 0.5 * (s->low[a] + s->high[a]);
    const vec3 up = v3_from(s->up), forward = v3_from(away);
    vec3 level = v3_along(forward, -v3_dot(forward, up), up), other;
    if (v3_length(level) < 1e-3f * v3_length(forward)) v3_frame(up, &level, &other);
    level = v3_unit(level);
    const vec3 left = v3_cross(up, level);
    const vec3 lamp = v3_add(v3_scale(up, 0.80f), v3_add(v3_scale(left, 0.52f), v3_scale(level, 0.30f)));
    return (mn_studio){.up = up,
                       .lamp = v3_unit(lamp),
                       .ground = true,
                       .height = (float)(s->ground - 1e-4 * s->size),
                       .centre = v3_from(middle),
                       .size = (float)s->size,
                       .ground_colour = {0.33f, 0.335f, 0.335f},
                       .contact = (float)fmax(s->scene->spacing, 2 * s->bar)};
}

mn_status mn_stage_check_eye(const mn_stage *s, const mn_view *view, double time, mn_messages *say)
{
    const mn_scene *scene = s->scene;
    for (int k = 0; k < scene->wall_count; k++) {
        const mn_wall *wall = &scene->walls[k];
        const mn_pose pose = mn_motion_at(&wall->motion, time);
        double rest[3], d[3];
        sub3(view->eye, pose.at, d);
        for (int a = 0; a < 3; a++)
            rest[a] =
                pose.origin[a] + pose.rotation[a] * d[0] + pose.rotation[3 + a] * d[1] + pose.rotation[6 + a] * d[2];
        for (int i = 0; i < wall->shape_count && wall->look.visible; i++) {
            /* one looks into containers from outside */
            /* and past planes and sheets */
            if (wall->shapes[i].inside_out || wall->shapes[i].rim || wall->shapes[i].kind == MN_PLANE) continue;
            if (mn_shape_is_open(&wall->shapes[i])) continue;
            mn_shape *made = mn_shape_new(&wall->shapes[i], say);
            const bool inside = made && mn_shape_distance(made, rest, s->size) < 0;
            mn_shape_free(made);
            if (!inside) continue;
            mn_say_error(
                say, wall->at,
                "the camera's eye (%g, %g, %g) is inside the wall \"%s\"; expected it outside, or look.visible: false",
                view->eye[0], view->eye[1], view->eye[2], wall->name ? wall->name : "");
            return MN_BAD_INPUT;
        }
    }
    return MN_OK;
}
