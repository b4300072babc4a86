/* pictures.c -- gathers what a picture shows; io/preview.h draws it. */
#include "session/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/preview.h"
#include "session/outlook.h"

struct mn_pictures {
    const mn_scene *scene;
    mn_view view;
    double low, high; /* of the colour scale; equal: of each frame its own */
    bool coated;      /* walls show what clings to them */
    double coat_low, coat_high;
};

struct mn_shot {
    double time;              /* s */
    long count, walls, soft;  /* particles, boundary points, and how many of those are of soft solids */
    float *positions, *field; /* 3 a particle */
    float *values;
    float *wall; /* 3 a boundary point; NULL: none are shown */
    int *wall_group;
    float *coat; /* share of each boundary point that is coated; NULL: not shown */
};

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
    return MN_FAILED;
}

void mn_shot_free(mn_shot *shot)
{
    if (!shot) return;
    free(shot->positions);
    free(shot->field);
    free(shot->values);
    free(shot->wall);
    free(shot->wall_group);
    free(shot->coat);
    free(shot);
}

/* An empty shot with room for what the world has now; NULL when out of memory. */
static mn_shot *new_shot(mn_world *world, bool solids, bool coated)
{
    const size_t count = (size_t)mn_world_particles(world),
                 walls = solids ? (size_t)mn_world_boundary_points(world) : 0;
    mn_shot *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->time = mn_world_time(world);
    s->count = (long)count;
    s->walls = (long)walls;
    for (int k = 0; k < mn_world_solids(world); k++) s->soft += (long)mn_world_solid_particles(world, k);
    s->positions = calloc(count + 1, 3 * sizeof(float));
    s->field = calloc(count + 1, 3 * sizeof(float));
    s->values = calloc(count + 1, sizeof(float));
    s->wall = calloc(walls + 1, 3 * sizeof(float));
    s->wall_group = calloc(walls + 1, sizeof(int));
    if (coated) s->coat = calloc(walls + 1, sizeof(float));
    if (s->positions && s->field && s->values && s->wall && s->wall_group && !s->coat == !coated) return s;
    mn_shot_free(s);
    return NULL;
}

/* ----------------------------------------------------------------------------------------------- the view */

/* What is to be seen: the fluid as it begins, where it comes from and goes to, and the walls as far as they are near
 * it. */
static void frame_box(const mn_pictures *p, const mn_shot *first, double low[3], double high[3])
{
    double a[3], b[3], margin = 0;
    for (int c = 0; c < 3; c++) {
        low[c] = INFINITY;
        high[c] = -INFINITY;
    }
    if (mn_preview_bounds(first->positions, first->count, a, b)) {
        memcpy(low, a, sizeof a);
        memcpy(high, b, sizeof b);
    }
    const bool walls = mn_preview_bounds(first->wall, first->walls, a, b);
    const bool fluid = mn_outlook(p->scene, walls ? a : NULL, walls ? b : NULL, low, high);
    for (int c = 0; c < 3 && fluid; c++) margin = fmax(margin, high[c] - low[c]);
    margin = fmax(margin, 4 * p->scene->spacing);
    for (int c = 0; c < 3 && fluid; c++) {
        double far_low = low[c] - 2 * margin, far_high = high[c] + 2 * margin, room = walls ? 0 : 0.25 * margin;
        low[c] = walls ? fmin(low[c], fmax(a[c], far_low)) : low[c] - room;
        high[c] = walls ? fmax(high[c], fmin(b[c], far_high)) : high[c] + room;
    }
    for (int c = 0; c < 3 && !fluid; c++) {
        low[c] = walls ? a[c] : -1;
        high[c] = walls ? b[c] : 1;
    }
}

static void choose_view(mn_pictures *p, const mn_shot *first)
{
    const mn_camera *camera = &p->scene->camera;
    double low[3], high[3];
    frame_box(p, first, low, high);
    if (camera->automatic) {
        p->view = mn_view_auto(low, high, camera->up, (double)camera->width / camera->height);
    } else {
        memcpy(p->view.eye, camera->eye, sizeof p->view.eye);
        memcpy(p->view.target, camera->target, sizeof p->view.target);
        memcpy(p->view.up, camera->up, sizeof p->view.up);
        p->view.fov = camera->fov;
        p->view.cut = camera->cut;
    }
    p->low = camera->range[0];
    p->high = camera->range[1];
    if (p->low != p->high || strcmp(camera->colour, "speed") != 0) return;
    const float ends[2] = {0, (float)mn_outlook_speed(p->scene, low, high)};
    if (ends[1] > 0) mn_preview_range(ends, 2, &p->low, &p->high);
}

/* The scale of the coat: the camera's, or from none to the most at the start. */
static void choose_coat_scale(mn_pictures *p, const mn_shot *first)
{
    p->coat_low = p->scene->camera.wall_range[0];
    p->coat_high = p->scene->camera.wall_range[1];
    if (!first->coat || p->coat_low != p->coat_high) return;
    for (long i = 0; i < first->walls; i++) p->coat_high = fmax(p->coat_high, (double)first->coat[i]);
}

/* ---------------------------------------------------------------------------------------------------- shots */

/* The field that the colours show, as one number a particle: vectors by their length. */
static mn_status gather(const mn_pictures *p, mn_world *world, mn_shot *s, mn_messages *say)
{
    const char *colour = p->scene->camera.colour, *name = strcmp(colour, "speed") == 0 ? "velocity" : colour;
    const bool vector = mn_scene_field_width(p->scene, name) == 3;
    mn_status status = MN_OK;
    if (s->count > 0) status = mn_world_get(world, "position", s->positions, say);
    if (status == MN_OK && s->count > 0) status = mn_world_get(world, name, vector ? s->field : s->values, say);
    for (long i = 0; i < s->count && vector && status == MN_OK; i++) {
        const float *v = &s->field[3 * i];
        s->values[i] = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    if (status == MN_OK && s->walls > 0) status = mn_world_boundary(world, s->wall, s->wall_group, say);
    if (status == MN_OK && s->walls > 0 && s->coat)
        status = mn_world_coverage(world, p->scene->camera.wall_colour, s->coat, say);
    return status;
}

static mn_shot *shoot(const mn_pictures *p, mn_world *world, bool solids, mn_messages *say)
{
    mn_shot *s = new_shot(world, solids, p->coated);
    if (!s) no_memory(say);
    if (s && gather(p, world, s, say) == MN_OK) return s;
    mn_shot_free(s);
    return NULL;
}

mn_shot *mn_pictures_shoot(const mn_pictures *p, mn_world *world, mn_messages *say)
{
    return shoot(p, world, p->scene->camera.show_walls || p->scene->body_count + p->scene->solid_count > 0, say);
}

mn_pictures *mn_pictures_new(const mn_scene *scene, mn_world *world, mn_messages *say)
{
    mn_pictures *p = calloc(1, sizeof *p);
    if (!p) {
        no_memory(say);
        return NULL;
    }
    p->scene = scene;
    p->coated = scene->camera.wall_colour[0] && mn_world_boundary_points(world) > 0;
    mn_shot *first = shoot(p, world, true, say);
    if (!first) {
        mn_pictures_free(p);
        return NULL;
    }
    choose_view(p, first);
    choose_coat_scale(p, first);
    mn_shot_free(first);
    return p;
}

void mn_pictures_free(mn_pictures *p) { free(p); }

/* --------------------------------------------------------------------------------------------- one picture */

/* The boundary points that are shown: all, or those of bodies and solids, which are seen even where the walls are not.
 * Coats become shares. */
static bool choose_walls(const mn_pictures *p, const mn_shot *s, mn_shot *out)
{
    const bool all = p->scene->camera.show_walls;
    const double scale = p->coat_high > p->coat_low ? 1 / (p->coat_high - p->coat_low) : 0;
    out->wall = malloc(((size_t)s->walls + 1) * 3 * sizeof *out->wall);
    out->wall_group = malloc(((size_t)s->walls + 1) * sizeof *out->wall_group);
    out->coat = s->coat && all ? malloc(((size_t)s->walls + 1) * sizeof *out->coat) : NULL;
    if (!out->wall || !out->wall_group || (s->coat && all && !out->coat)) return false;
    for (long i = 0; i < s->walls; i++) {
        if (!all && s->wall_group[i] < p->scene->wall_count) continue;
        memcpy(out->wall + 3 * out->walls, s->wall + 3 * i, 3 * sizeof *out->wall);
        if (out->coat) out->coat[out->walls] = (float)(((double)s->coat[i] - p->coat_low) * scale);
        out->wall_group[out->walls++] = s->wall_group[i];
    }
    return true;
}

static mn_status draw(const mn_pictures *p, const mn_shot *s, const mn_shot *shown, const char *path, mn_messages *say)
{
    const mn_camera *camera = &p->scene->camera;
    int colours[MN_MAX_WALLS + MN_MAX_BODIES];
    for (int k = 0; k < p->scene->wall_count; k++) colours[k] = -1;
    for (int k = 0; k < p->scene->body_count; k++) colours[p->scene->wall_count + k] = p->scene->bodies[k].colour;
    char title[256], label[96];
    mn_format(title, sizeof title, "%.200s   t = %.3f s", p->scene->title ? p->scene->title : "", s->time);
    mn_scene_field_label(p->scene, camera->colour, label, sizeof label);
    const bool water = strcmp(camera->look, "spheres") != 0;
    const bool plain = strcmp(camera->look, "water") == 0 && strcmp(camera->colour, "speed") == 0;
    const mn_preview preview = {.water = water,
                                .width = camera->width,
                                .height = camera->height,
                                .count = s->count,
                                .positions = s->positions,
                                .radius = (float)(0.55 * p->scene->spacing),
                                .values = plain ? NULL : s->values,
                                .low = p->low,
                                .high = p->high,
                                .wall_count = shown->walls,
                                .walls = shown->walls ? shown->wall : NULL,
                                .wall_group = shown->walls ? shown->wall_group : NULL,
                                .wall_values = shown->walls ? shown->coat : NULL,
                                .soft_count = s->soft,
                                .group_colour = colours,
                                .group_count = p->scene->wall_count + p->scene->body_count,
                                .view = &p->view,
                                .title = camera->caption ? title : NULL,
                                .label = label};
    return mn_preview_write(path, &preview, say);
}

mn_status mn_pictures_draw(const mn_pictures *p, const mn_shot *s, const char *path, mn_messages *say)
{
    mn_shot *shown = calloc(1, sizeof *shown);
    const mn_status status = shown && choose_walls(p, s, shown) ? draw(p, s, shown, path, say) : no_memory(say);
    mn_shot_free(shown);
    return status;
}
