/* describe.c -- a show in words for the page (JSON), and what stands around the liquid as triangles. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "render/props.h"
#include "scene/change.h"
#include "scene/motion.h"
#include "scene/text.h"
#include "session/meshes.h"
#include "view/show.h"

/* ---------------------------------------------------------------------------------------------------- texts */

static void put_real(mn_text *out, double value)
{
    if (isfinite(value)) mn_put_number(out, value);
    else mn_put(out, "null");
}

static void put_reals(mn_text *out, const double *values, int count)
{
    mn_put(out, "[");
    for (int i = 0; i < count; i++) {
        if (i) mn_put(out, ",");
        put_real(out, values[i]);
    }
    mn_put(out, "]");
}

static void put_text(mn_text *out, const char *key, const char *value)
{
    mn_put(out, ",\"%s\":", key);
    if (value) mn_put_quoted(out, value);
    else mn_put(out, "null");
}

static void put_fluids(mn_text *out, const mn_scene *scene)
{
    mn_put(out, ",\"groups\":[");
    for (int f = 0; f < scene->fluid_count + scene->solid_count; f++) {
        const bool solid = f >= scene->fluid_count;
        const mn_look *look = solid ? &scene->solids[f - scene->fluid_count].look : &scene->fluids[f].look;
        float colour[3] = {0.72f, 0.30f, 0.16f};
        const bool given = look->colour && look->colour[0] && mn_colour_parse(look->colour, colour);
        int like = f; /* the first fluid of the same liquid */
        for (int g = f - 1; g >= 0 && !solid; g--)
            if (mn_same_liquid(&scene->fluids[g], &scene->fluids[f])) like = g;
        const bool empty = !solid && !scene->fluids[f].shape_count && !scene->fluids[f].emitter_count;
        mn_put(out, "%s{\"solid\":%s,\"empty\":%s,\"like\":%d", f ? "," : "", solid ? "true" : "false",
               empty ? "true" : "false", like);
        put_text(out, "name", solid ? scene->solids[f - scene->fluid_count].name : scene->fluids[f].name);
        mn_put(out, ",\"spacing\":");
        put_real(out, solid ? scene->solids[f - scene->fluid_count].spacing : scene->spacing);
        mn_put(out, ",\"colour\":");
        if (given || solid) put_reals(out, (double[3]){(double)colour[0], (double)colour[1], (double)colour[2]}, 3);
        else mn_put(out, "null");
        mn_put(out, "}");
    }
    mn_put(out, "]");
}

static void put_fields(mn_text *out, const mn_scene *scene, const char *const *fields, int count)
{
    mn_put(out, ",\"fields\":[");
    for (int f = 0; f < count; f++) {
        const char *unit = mn_scene_field_unit(scene, fields[f]), *help = "";
        for (int i = 0; i < mn_field_count(); i++)
            if (strcmp(mn_field_name(i), fields[f]) == 0) help = mn_field_help(i);
        mn_put(out, "%s{\"width\":%d", f ? "," : "", mn_scene_field_width(scene, fields[f]));
        put_text(out, "name", fields[f]);
        put_text(out, "unit", unit && *unit && strcmp(unit, "1") != 0 ? unit : "");
        put_text(out, "help", help ? help : "");
        mn_put(out, "}");
    }
    mn_put(out, "]");
}

static void put_camera(mn_text *out, const mn_scene *scene, const double low[3], const double high[3], mn_messages *say)
{
    mn_stage *stage = mn_stage_new(scene, low, high, say);
    if (!stage) return;
    const mn_view view = mn_stage_view(stage);
    mn_put(out, ",\"camera\":{\"eye\":");
    put_reals(out, view.eye, 3);
    mn_put(out, ",\"target\":");
    put_reals(out, view.target, 3);
    mn_put(out, ",\"up\":");
    put_reals(out, view.up, 3);
    mn_put(out, ",\"fov\":");
    put_real(out, view.fov);
    mn_put(out, ",\"aspect\":");
    put_real(out, (double)scene->camera.width / scene->camera.height);
    mn_put(out, "},\"up\":");
    put_reals(out, stage->up, 3);
    mn_put(out, ",\"ground\":");
    put_real(out, stage->ground);
    mn_put(out, ",\"low\":");
    put_reals(out, stage->low, 3);
    mn_put(out, ",\"high\":");
    put_reals(out, stage->high, 3);
    mn_stage_free(stage);
}

char *mn_describe(const mn_show *show, const char *const *fields, int field_count, const double low[3],
                  const double high[3], mn_messages *say)
{
    mn_text out = {0};
    const mn_scene *scene = show->scene;
    mn_put(&out, "{\"type\":\"scene\",\"generation\":%d,\"mode\":\"%s\"", show->generation,
           show->kind == MN_SHOW_LIVE ? "live" : "stored");
    put_text(&out, "title", scene->title);
    put_text(&out, "path", show->path);
    put_text(&out, "dir", show->dir);
    mn_put(&out, ",\"spacing\":");
    put_real(&out, scene->spacing);
    mn_put(&out, ",\"end\":");
    put_real(&out, scene->end);
    mn_put(&out, ",\"interval\":");
    put_real(&out, scene->frame_interval);
    put_text(&out, "look", scene->camera.look);
    put_text(&out, "colour", scene->camera.colour);
    mn_put(&out, ",\"range\":");
    put_reals(&out, scene->camera.range, 2);
    mn_put(&out, ",\"sets\":[");
    for (int i = 0; i < show->set_count; i++) {
        if (i) mn_put(&out, ",");
        mn_put_quoted(&out, show->sets[i]);
    }
    mn_put(&out, "],\"bodies\":[");
    for (int k = 0; k < scene->body_count; k++) {
        if (k) mn_put(&out, ",");
        mn_put_quoted(&out, scene->bodies[k].name);
    }
    mn_put(&out, "]");
    put_fluids(&out, scene);
    put_fields(&out, scene, fields, field_count);
    put_camera(&out, scene, low, high, say);
    mn_put(&out, "}");
    return mn_text_done(&out);
}

static void put_live(void *user, const mn_live *value)
{
    mn_text *out = user;
    mn_put(out, "%s{\"path\":", out->data[out->length - 1] == '[' ? "" : ",");
    mn_put_quoted(out, value->path);
    put_text(out, "name", value->name);
    put_text(out, "unit", value->unit ? value->unit : "");
    put_text(out, "help", value->help);
    mn_put(out, ",\"min\":");
    put_real(out, value->min);
    mn_put(out, ",\"max\":");
    put_real(out, value->max);
    mn_put(out, ",\"keyed\":%s,\"whole\":%s,\"value\":", value->keyed ? "true" : "false",
           value->whole ? "true" : "false");
    put_reals(out, value->value, value->width);
    if (value->words) mn_put(out, ",\"words\":");
    for (int i = 0; value->words && value->words[i]; i++) {
        mn_put(out, i ? "," : "[");
        mn_put_quoted(out, value->words[i]);
    }
    mn_put(out, value->words ? "]}" : "}");
}

char *mn_describe_values(const mn_scene *scene, double time, const char *type)
{
    mn_text out = {0};
    mn_put(&out, "{\"type\":\"%s\",\"values\":[", type);
    if (!out.failed) mn_scene_live(scene, time, put_live, &out);
    mn_put(&out, "],\"changes\":[");
    for (int i = 0; i < scene->change_count; i++) {
        mn_put(&out, "%s{\"time\":", i ? "," : "");
        put_real(&out, scene->changes[i].time);
        put_text(&out, "set", scene->changes[i].set);
        mn_put(&out, "}");
    }
    mn_put(&out, "]}");
    return mn_text_done(&out);
}

char *mn_describe_state(const mn_show *show)
{
    mn_text out = {0};
    static const char *const modes[] = {"none", "stored", "live"};
    mn_put(&out, "{\"type\":\"state\",\"generation\":%d,\"mode\":\"%s\",\"status\":\"%s\",\"paused\":%s,\"frames\":%d",
           show->generation, modes[show->kind], show->live.status, show->live.paused ? "true" : "false", show->frames);
    mn_put(&out, ",\"step\":%" PRId64 ",\"particles\":%" PRId64 ",\"time\":", show->live.step, show->live.particles);
    put_real(&out, show->live.time);
    mn_put(&out, ",\"end\":");
    put_real(&out, show->live.end);
    mn_put(&out, ",\"rate\":%.3g,\"part\":%.2f", show->live.rate, show->live.part);
    put_text(&out, "what", show->live.what);
    mn_put(&out, ",\"messages\":%s}", show->live.said ? show->live.said : "[]");
    return mn_text_done(&out);
}

char *mn_describe_messages(mn_messages *say)
{
    static const char *const words[] = {"note", "warning", "error"};
    mn_text out = {0};
    mn_put(&out, "[");
    for (int i = 0; i < mn_messages_count(say); i++) {
        const mn_message m = mn_messages_get(say, i);
        mn_put(&out, "%s{\"severity\":\"%s\"", i ? "," : "", words[m.severity]);
        put_text(&out, "text", m.text);
        put_text(&out, "file", m.file);
        mn_put(&out, ",\"line\":%d}", m.line);
    }
    mn_put(&out, "]");
    return mn_text_done(&out);
}

/* --------------------------------------------------------------------------------------------------- shapes */

/* Bytes that grow. */
typedef struct mn_bytes {
    unsigned char *data;
    size_t size, room;
    bool failed;
} mn_bytes;

/* What can move: all walls, of which some may begin while it runs, then all bodies. */
int mn_describe_moving(const mn_scene *scene) { return scene->wall_count + scene->body_count; }

void mn_describe_pose(const double at[3], const double q[4], float out[7])
{
    for (int a = 0; a < 3; a++) out[a] = (float)at[a];
    for (int a = 0; a < 4; a++) out[3 + a] = (float)q[a];
}

void mn_describe_walls(const mn_scene *scene, double time, float (*out)[7], int *count)
{
    for (int k = 0; k < scene->wall_count; k++) {
        const mn_pose pose = mn_motion_at(&scene->walls[k].motion, time);
        double q[4];
        mn_quaternion_of(pose.rotation, q);
        mn_describe_pose(pose.at, q, out[(*count)++]);
    }
}

/* Which of what moves a prop belongs to, -1: it is the ground; and the point about which it turns. */
static int moving_of(const mn_scene *scene, const mn_prop *prop, double origin[3])
{
    memset(origin, 0, 3 * sizeof *origin);
    if (prop->body >= 0) return scene->wall_count + prop->body;
    if (prop->wall >= 0) memcpy(origin, scene->walls[prop->wall].motion.centre, 3 * sizeof *origin);
    return prop->wall;
}

/* The head of a prop: i32 moving, material (0 matte, 1 glass, 2 metal), flags (1: seen from its front only; 2: soft),
 * u32 corners; f32 colour[3]; f32 position[3 * corners]; i8 normal[4 * corners]. Of soft ones then: u32 group,
 * different corners, entries; u32 at[corners], first[different + 1], particle[entries];
 * f32 weight[entries], offset[3 * different]: see mn_binding. */
static void put_bytes(mn_bytes *to, const void *data, size_t size)
{
    if (to->size + size > to->room) {
        const size_t room = 2 * to->room + size + 4096;
        unsigned char *grown = realloc(to->data, room);
        if (!grown) {
            to->failed = true;
            return;
        }
        to->data = grown;
        to->room = room;
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put_prop(mn_bytes *to, const mn_scene *scene, const mn_prop *prop)
{
    double origin[3];
    const int32_t head[4] = {moving_of(scene, prop, origin),
                             prop->look.material == MN_GLASS   ? 1
                             : prop->look.material == MN_METAL ? 2
                                                               : 0,
                             (prop->look.one_sided ? 1 : 0) | (prop->solid >= 0 ? 2 : 0),
                             (int32_t)(3 * prop->triangle_count)};
    const float colour[3] = {prop->look.colour.x, prop->look.colour.y, prop->look.colour.z};
    put_bytes(to, head, sizeof head);
    put_bytes(to, colour, sizeof colour);
    for (long c = 0; c < 3 * prop->triangle_count; c++) {
        const size_t v = 3 * (size_t)prop->triangle[c];
        float x[3];
        for (size_t a = 0; a < 3; a++) x[a] = prop->position[v + a] - (float)origin[a];
        put_bytes(to, x, sizeof x);
    }
    for (long c = 0; c < 3 * prop->triangle_count; c++) {
        const size_t v = 3 * (size_t)prop->triangle[c];
        int8_t n[4] = {0, 0, 0, 0};
        for (size_t a = 0; a < 3; a++) n[a] = (int8_t)lrintf(127.0f * fmaxf(-1, fminf(1, prop->normal[v + a])));
        put_bytes(to, n, sizeof n);
    }
}

static bool put_binding(mn_bytes *to, const mn_scene *scene, const mn_prop *prop, const mn_soft_rest *rest)
{
    mn_binding b;
    const mn_soft_points points = {rest->position, NULL, rest->solid, rest->count};
    const bool ok = mn_prop_bind(prop, &points, scene->solids[prop->solid].spacing, &b);
    if (ok) {
        const uint32_t head[3] = {(uint32_t)(scene->fluid_count + prop->solid), (uint32_t)b.count, b.first[b.count]};
        put_bytes(to, head, sizeof head);
        put_bytes(to, b.at, (size_t)b.corners * 4);
        put_bytes(to, b.first, ((size_t)b.count + 1) * 4);
        put_bytes(to, b.particle, (size_t)head[2] * 4);
        put_bytes(to, b.weight, (size_t)head[2] * 4);
        put_bytes(to, b.offset, (size_t)b.count * 12);
    }
    mn_binding_free(&b);
    return ok;
}

bool mn_describe_geometry(mn_show *show, const double low[3], const double high[3], const mn_soft_rest *rest,
                          mn_messages *say)
{
    mn_stage *stage = mn_stage_new(show->scene, low, high, say);
    if (!stage) return false;
    mn_bytes out = {0};
    const bool soft = rest && rest->count > 0; /* else their particles are drawn */
    uint32_t head[3] = {0x31474e4d, 0, soft ? (uint32_t)rest->count : 0};
    for (int k = 0; k < stage->count; k++) head[1] += soft || stage->props[k].solid < 0;
    put_bytes(&out, head, sizeof head);
    for (int k = 0; k < stage->count && !out.failed; k++) {
        const mn_prop *prop = &stage->props[k];
        if (prop->solid >= 0 && !soft) continue;
        put_prop(&out, show->scene, prop);
        if (prop->solid >= 0 && !put_binding(&out, show->scene, prop, rest)) out.failed = true;
    }
    mn_stage_free(stage);
    if (out.failed) free(out.data);
    show->geometry = out.failed ? NULL : out.data;
    show->geometry_size = out.failed ? 0 : out.size;
    return !out.failed;
}
