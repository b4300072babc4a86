/* cast.c -- everything that one picture shows: the liquid's surface, walls, bodies and soft solids of a frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "io/picture.h"
#include "render/source.h"
#include "surface/surface.h"

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
    return MN_FAILED;
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ------------------------------------------------------------------------------------------------ the liquid */

/* A gas beside a liquid is not drawn unless it is given a colour. */
static bool is_drawn(const mn_scene *scene, const mn_fluid *fluid)
{
    double heaviest = 0;
    for (int f = 0; f < scene->fluid_count; f++) heaviest = fmax(heaviest, scene->fluids[f].density);
    return fluid->look.visible && (fluid->density > 0.2 * heaviest || fluid->look.colour[0]);
}

/* Fluids that look alike and weigh the same are one liquid: between them no surface is seen. group[f]: its number,
 * -1: not drawn. */
static int group_fluids(const mn_scene *scene, int group[MN_MAX_FLUIDS], int first[MN_MAX_FLUIDS])
{
    int count = 0;
    for (int f = 0; f < scene->fluid_count; f++) {
        const mn_fluid *a = &scene->fluids[f];
        group[f] = is_drawn(scene, a) ? -2 : -1;
        for (int k = 0; k < count && group[f] == -2; k++) {
            const mn_fluid *b = &scene->fluids[first[k]];
            if (a->density == b->density && strcmp(a->look.colour, b->look.colour) == 0 &&
                a->look.clarity == b->look.clarity)
                group[f] = k;
        }
        if (group[f] != -2) continue;
        first[count] = f;
        group[f] = count++;
    }
    return count;
}

/* Colours of the values at the vertices. malloc'd. */
static float *painted(const mn_surface *surface, const char *field, double least, double most)
{
    const mn_surface_field *f = mn_surface_find(surface, field);
    float *colour = f ? malloc((3 * (size_t)surface->vertex_count + 1) * sizeof *colour) : NULL;
    const double scale = most > least ? 255 / (most - least) : 0;
    for (size_t v = 0; colour && v < (size_t)surface->vertex_count; v++) {
        const float *x = (const float *)f->data + v * (size_t)f->width;
        double value = f->type == MN_FRAME_INT ? ((const int32_t *)f->data)[v * (size_t)f->width]
                       : f->width == 3         ? (double)sqrtf(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
                                               : (double)x[0];
        value = fmin(fmax((value - least) * scale, 0), 255);
        const int entry = (int)value < 254 ? (int)value : 254;
        const mn_colour a = mn_ramp(entry), b = mn_ramp(entry + 1);
        const float t = (float)(value - entry);
        colour[3 * v] = a.r + t * (b.r - a.r);
        colour[3 * v + 1] = a.g + t * (b.g - a.g);
        colour[3 * v + 2] = a.b + t * (b.b - a.b);
    }
    return colour;
}

/* Hands a surface over to the cast, which takes its arrays. */
static mn_status add_surface(mn_surface *surface, mn_surface_look look, const mn_scene *scene, const mn_take *take,
                             mn_cast *out, mn_messages *say)
{
    mn_trace_mesh *mesh = mn_cast_add(out);
    if (!mesh) return no_memory(say);
    const char *field = mn_paint_field(scene);
    const size_t numbers = 3 * (size_t)surface->vertex_count;
    mesh->look = look;
    mesh->vertex_count = surface->vertex_count;
    mesh->triangle_count = surface->triangle_count;
    if (field) {
        mesh->look.material = MN_PAINTED;
        mesh->colour = painted(surface, field, take->survey->least, take->survey->most);
        if (!mesh->colour) return no_memory(say);
    }
    if (take->exposure > 0 && surface->velocity) {
        float *later = malloc((numbers + 1) * sizeof *later);
        if (!later) return no_memory(say);
        for (size_t i = 0; i < numbers; i++) {
            const float half = 0.5f * (float)take->exposure * surface->velocity[i], x = surface->position[i];
            surface->position[i] = x - half;
            later[i] = x + half;
        }
        mesh->later = later;
    }
    mesh->position = surface->position;
    mesh->normal = surface->normal;
    mesh->triangle = surface->triangle;
    surface->position = surface->normal = NULL;
    surface->triangle = NULL;
    return MN_OK;
}

/* Drops the particles before the cut, so that a painted liquid shows on it what is inside. Clear liquid needs none of
 * it: rays begin behind the cut (light.c). The data of the frame are its own (mn_frame_read). */
static bool cut_frame(mn_frame *frame, const mn_view *view)
{
    const vec3 eye = v3_from(view->eye), forward = v3_unit(v3_sub(v3_from(view->target), eye));
    const float *at = frame->fields[0].data;
    bool *kept = malloc((size_t)frame->count * sizeof *kept + 1);
    if (!kept) return false;
    long count = 0;
    for (long i = 0; i < frame->count; i++)
        count += kept[i] = (double)v3_dot(v3_sub(v3_of(at + 3 * i), eye), forward) >= view->cut;
    for (int f = 0; f < frame->field_count; f++) {
        const size_t size = 4 * (size_t)frame->fields[f].width;
        char *data = (char *)frame->fields[f].data;
        long to = 0;
        for (long i = 0; i < frame->count; i++)
            if (kept[i]) memmove(data + size * (size_t)to++, data + size * (size_t)i, size);
    }
    frame->count = count;
    free(kept);
    return true;
}

static mn_status add_liquid(const mn_source *s, const mn_frame *frame, mn_take *take, mn_cast *out, mn_messages *say)
{
    const mn_scene *scene = s->scene;
    int group[MN_MAX_FLUIDS], first[MN_MAX_FLUIDS];
    const int groups = group_fluids(scene, group, first);
    const mn_frame_field *fluid = mn_frame_find(frame, "fluid");
    const bool alone = groups == 1 && scene->fluid_count == 1;
    if (frame->count == 0 || groups == 0) return MN_OK;
    int hidden = groups; /* fluids that are not drawn make a mesh that is left out */
    int32_t *liquid = NULL;
    bool any_hidden = false;
    for (int f = 0; f < scene->fluid_count; f++) any_hidden |= group[f] < 0;
    if (!alone && fluid && (groups > 1 || any_hidden)) {
        liquid = malloc((size_t)frame->count * sizeof *liquid);
        if (!liquid) return no_memory(say);
        for (long i = 0; i < frame->count; i++) {
            const int f = ((const int32_t *)fluid->data)[i];
            liquid[i] = f >= 0 && f < scene->fluid_count && group[f] >= 0 ? group[f] : hidden;
        }
    }
    const int made = liquid ? groups + any_hidden : 1;
    mn_surface surfaces[MN_MAX_FLUIDS + 1] = {0};
    const mn_surface_options opt = {.spacing = scene->spacing,
                                    .smoothing = -1,
                                    .hollows = -1,
                                    .spray = true,
                                    .liquid = liquid,
                                    .liquid_count = made,
                                    .wall = mn_barrier_empty(s->barrier) ? NULL : mn_barrier_distance,
                                    .walls = s->barrier};
    const double start = wall_clock();
    mn_status status = mn_surface_make(frame, &opt, surfaces, say);
    take->mesh_seconds += wall_clock() - start;
    for (int k = 0; k < groups && k < made && status == MN_OK && opt.wall; k++)
        if (!mn_rims_split(&surfaces[k], opt.wall, opt.walls, opt.spacing)) status = no_memory(say);
    for (int k = 0; k < groups && k < made && status == MN_OK; k++)
        status = add_surface(&surfaces[k], mn_stage_liquid(take->stage, first[k]), scene, take, out, say);
    for (int k = 0; k < made; k++) mn_surface_free(&surfaces[k]);
    free(liquid);
    return status;
}

/* ------------------------------------------------------------------------------------- bodies and soft solids */

/* What clings to the walls in frame k. *frame holds it, and is to be freed if the status is MN_OK. */
static mn_status read_coat(const mn_source *s, int k, const mn_survey *survey, mn_frame *frame, mn_coat_points *out,
                           mn_messages *say)
{
    mn_status status = mn_source_beside(s, s->numbers[k], "coats", frame, say);
    if (status != MN_OK) return status;
    const mn_frame_field *amount = mn_frame_find(frame, s->scene->camera.wall_colour),
                         *object = mn_frame_find(frame, "object");
    if (amount && object && amount->type == MN_FRAME_FLOAT && amount->width == 1 && object->type == MN_FRAME_INT) {
        *out = (mn_coat_points){frame->fields[0].data, amount->data,       object->data,
                                frame->count,          survey->coat_least, survey->coat_most};
        return MN_OK;
    }
    mn_say_error(say, (mn_place){s->path, 0, 0}, "the frame %ld of the coats does not fit the scene", s->numbers[k]);
    mn_frame_free(frame);
    return MN_BAD_INPUT;
}

static mn_status add_bodies(const mn_source *s, int k, const mn_take *take, const mn_coat_points *coat, mn_cast *out,
                            mn_messages *say)
{
    mn_frame frame;
    mn_status status = mn_source_beside(s, s->numbers[k], "bodies", &frame, say);
    if (status != MN_OK) return status;
    mn_pose poses[MN_MAX_BODIES] = {0};
    const mn_frame_field *turn = mn_frame_find(&frame, "rotation"), *velocity = mn_frame_find(&frame, "velocity"),
                         *spin = mn_frame_find(&frame, "angular_velocity");
    if (!turn || !velocity || !spin || frame.count != s->scene->body_count) {
        mn_say_error(say, (mn_place){s->path, 0, 0}, "the frame %ld of the bodies does not fit the scene",
                     s->numbers[k]);
        status = MN_BAD_INPUT;
    }
    for (size_t b = 0; status == MN_OK && b < (size_t)frame.count; b++) {
        double vector[3];
        for (size_t a = 0; a < 3; a++) {
            poses[b].at[a] = (double)((const float *)frame.fields[0].data)[3 * b + a];
            poses[b].velocity[a] = (double)((const float *)velocity->data)[3 * b + a];
            poses[b].spin[a] = (double)((const float *)spin->data)[3 * b + a];
            vector[a] = (double)((const float *)turn->data)[3 * b + a];
        }
        mn_rotation_of(vector, poses[b].rotation);
    }
    if (status == MN_OK) status = mn_stage_bodies(take->stage, poses, take->exposure, coat, out, say);
    mn_frame_free(&frame);
    return status;
}

static mn_status add_solids(const mn_source *s, int k, const mn_take *take, mn_cast *out, mn_messages *say)
{
    mn_frame frame;
    mn_status status = mn_source_beside(s, s->numbers[k], "solids", &frame, say);
    if (status != MN_OK) return status;
    mn_soft_points points;
    if (mn_replay_soft(&frame, &points)) {
        status = mn_stage_solids(take->stage, &points, out, say);
    } else {
        mn_say_error(say, (mn_place){s->path, 0, 0}, "the frame %ld of the solids does not fit the scene",
                     s->numbers[k]);
        status = MN_BAD_INPUT;
    }
    mn_frame_free(&frame);
    return status;
}

/* --------------------------------------------------------------------------------------------------- meshes */

/* The mesh as a surface, its normals smooth. False: out of memory. */
static bool smooth_surface(const mn_mesh *mesh, mn_surface *to)
{
    const size_t vertices = (size_t)mesh->vertex_count, corners = 3 * (size_t)mesh->triangle_count;
    float *position = malloc((3 * vertices + 1) * sizeof *position), *normal = calloc(3 * vertices + 1, sizeof *normal);
    int32_t *triangle = calloc(corners + 3, sizeof *triangle);
    *to = (mn_surface){.vertex_count = mesh->vertex_count,
                       .triangle_count = mesh->triangle_count,
                       .position = position,
                       .normal = normal,
                       .triangle = triangle};
    if (!position || !normal || !triangle) return false;
    for (size_t i = 0; i < 3 * vertices; i++) position[i] = (float)mesh->vertex[i];
    for (size_t i = 0; i < corners; i++) triangle[i] = mesh->triangle[i];
    for (size_t t = 0; t < corners; t += 3) {
        const vec3 a = v3_of(position + 3 * (size_t)triangle[t]), b = v3_of(position + 3 * (size_t)triangle[t + 1]),
                   c = v3_of(position + 3 * (size_t)triangle[t + 2]), face = v3_cross(v3_sub(b, a), v3_sub(c, a));
        for (size_t j = 0; j < 3; j++) {
            float *n = normal + 3 * (size_t)triangle[t + j];
            n[0] += face.x, n[1] += face.y, n[2] += face.z;
        }
    }
    for (size_t v = 0; v < vertices; v++) {
        const vec3 n = v3_unit(v3_of(normal + 3 * v));
        memcpy(normal + 3 * v, &n, sizeof n);
    }
    return true;
}

/* What colours and exposure need of the vertices. The velocity stays the frame's. */
static mn_status take_fields(mn_surface *to, const mn_frame *frame, const char *paint, const char *file, bool exposed,
                             mn_messages *say)
{
    const mn_frame_field *velocity = mn_frame_find(frame, "velocity");
    if (velocity && velocity->type == MN_FRAME_FLOAT && velocity->width == 3) to->velocity = (float *)velocity->data;
    if (exposed && !to->velocity) {
        mn_say_error(say, (mn_place){file, 0, 0},
                     "the mesh has no velocity, which the exposure needs (camera.shutter)");
        return MN_BAD_INPUT;
    }
    if (!paint) return MN_OK;
    float *values = mn_paint_values(frame, paint, file, say);
    if (!values) return MN_BAD_INPUT;
    to->fields = calloc(1, sizeof *to->fields);
    if (!to->fields) {
        free(values);
        return no_memory(say);
    }
    to->field_count = 1;
    to->fields[0] = (mn_surface_field){.type = MN_FRAME_FLOAT, .width = 1, .data = values};
    snprintf(to->fields[0].name, sizeof to->fields[0].name, "%s", paint);
    return MN_OK;
}

/* A mesh file as liquid. */
static mn_status add_mesh(const mn_source *s, const mn_mesh_file *file, const mn_take *take, mn_cast *out,
                          mn_messages *say)
{
    const char *paint = mn_paint_field(s->scene);
    const bool exposed = take->exposure > 0;
    mn_mesh mesh;
    mn_frame frame = {0};
    mn_status status = mn_mesh_read(file->path, &mesh, say);
    if (status != MN_OK) return status;
    mn_surface surface;
    if (!smooth_surface(&mesh, &surface)) status = no_memory(say);
    if (status == MN_OK && (paint || exposed)) status = mn_source_vertices(file->path, mesh.vertex_count, &frame, say);
    if (status == MN_OK && (paint || exposed)) status = take_fields(&surface, &frame, paint, file->path, exposed, say);
    if (status == MN_OK)
        status = add_surface(&surface, mn_stage_liquid(take->stage, file->fluid), s->scene, take, out, say);
    mn_surface_free(&surface);
    mn_frame_free(&frame);
    mn_mesh_free(&mesh);
    return status;
}

static mn_status add_meshes(const mn_source *s, int k, const mn_take *take, mn_cast *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int f = 0; f < s->file_count && status == MN_OK; f++)
        if (s->files[f].number == s->numbers[k]) status = add_mesh(s, &s->files[f], take, out, say);
    return status;
}

mn_status mn_source_cast(const mn_source *s, int k, mn_take *take, mn_cast *out, mn_messages *say)
{
    take->time = NAN;
    if (!s->replay) return add_meshes(s, k, take, out, say);
    const int number = (int)s->numbers[k];
    mn_frame frame;
    mn_status status = mn_replay_frame(s->replay, number, &frame, say);
    if (status != MN_OK) return status;
    take->time = frame.time;
    status = mn_replay_barrier(s->replay, number, frame.time, s->barrier, say);
    const mn_view view = mn_stage_view(take->stage);
    const bool cut = view.cut > 0 && mn_paint_field(s->scene);
    if (status == MN_OK && cut && !cut_frame(&frame, &view)) status = no_memory(say);
    if (status == MN_OK) status = add_liquid(s, &frame, take, out, say);
    mn_frame_free(&frame);
    mn_frame clinging;
    mn_coat_points points;
    const bool coated = s->scene->camera.wall_colour && s->scene->camera.wall_colour[0];
    if (status == MN_OK && coated) status = read_coat(s, k, take->survey, &clinging, &points, say);
    const mn_coat_points *coat = coated ? &points : NULL;
    const bool free_coat = status == MN_OK && coated;
    if (status == MN_OK)
        status = mn_stage_walls(take->stage, mn_replay_scene(s->replay), take->time, take->exposure, coat, out, say);
    if (status == MN_OK && s->scene->body_count) status = add_bodies(s, k, take, coat, out, say);
    if (free_coat) mn_frame_free(&clinging);
    if (status == MN_OK && s->scene->solid_count) status = add_solids(s, k, take, out, say);
    return status;
}
