/* live.c -- a session that steps in a thread of its own. Between two steps it does what clients have asked for: changes
 * values, takes a shot of the particles, answers questions about one of them, waits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/world.h"
#include "scene/text.h"
#include "session/session.h"
#include "view/hub.h"

static const double BREATH = 0.012; /* wall s between shots of a world that runs */

/* ---------------------------------------------------------------------------------------------------- fields */

static int field_names(const mn_scene *scene, char names[MN_MAX_SPECIES * 2 + 64][MN_VIEW_NAME])
{
    int count = 0;
    for (int i = 0; i < mn_field_count() && count < 64; i++)
        snprintf(names[count++], MN_VIEW_NAME, "%s", mn_field_name(i));
    for (int k = 0; k < scene->species_count; k++) {
        snprintf(names[count++], MN_VIEW_NAME, "%.50s", scene->species[k].name);
        snprintf(names[count++], MN_VIEW_NAME, "%.50s_surface", scene->species[k].name);
    }
    return count;
}

/* One number a particle, vectors by their length; NULL where the world has no such field. `room` particles. */
static float *values_of(mn_world *world, const char *field, long room)
{
    const long count = mn_world_particles(world);
    const int width = mn_scene_field_width(world->scene, field);
    mn_messages *quiet = mn_messages_new();
    float *all = width > 0 && quiet ? malloc(((size_t)count * (size_t)width + 1) * sizeof *all) : NULL;
    float *out = all ? calloc((size_t)room + 1, sizeof *out) : NULL;
    if (out && mn_world_get(world, field, all, quiet) != MN_OK) {
        free(out);
        out = NULL;
    }
    for (long i = 0; out && i < count; i++)
        out[i] =
            width == 1
                ? all[i]
                : sqrtf(all[3 * i] * all[3 * i] + all[3 * i + 1] * all[3 * i + 1] + all[3 * i + 2] * all[3 * i + 2]);
    free(all);
    mn_messages_free(quiet);
    return out;
}

/* Empty without solids, or without memory: then their particles are drawn. */
static mn_soft_rest soft_rest(const mn_world *world)
{
    mn_soft_rest out = {0};
    size_t n = 0;
    for (int k = 0; k < mn_world_solids(world); k++) n += (size_t)mn_world_solid_particles(world, k);
    float *shift = calloc(3 * n + 1, sizeof *shift);
    out.position = calloc(3 * n + 1, sizeof *out.position);
    out.solid = malloc((n + 1) * sizeof *out.solid);
    bool ok = shift && out.position && out.solid;
    size_t at = 0;
    for (int k = 0; k < mn_world_solids(world) && ok; k++) {
        const size_t count = (size_t)mn_world_solid_particles(world, k);
        ok = mn_world_solid_get(world, k, "position", out.position + 3 * at, NULL) == MN_OK &&
             mn_world_solid_get(world, k, "displacement", shift + 3 * at, NULL) == MN_OK;
        for (size_t i = at; i < at + count; i++) out.solid[i] = k;
        at += count;
    }
    for (size_t i = 0; i < 3 * n && ok; i++) out.position[i] -= shift[i];
    if (ok) out.count = (long)n;
    free(shift);
    return out;
}

/* ----------------------------------------------------------------------------------------------------- shots */

static bool put_bodies(const mn_world *world, mn_view_shot *shot)
{
    const mn_scene *scene = world->scene;
    shot->pose = calloc((size_t)mn_describe_moving(scene) + 1, sizeof *shot->pose);
    if (!shot->pose) return false;
    mn_describe_walls(scene, world->time, shot->pose, &shot->pose_count);
    for (int k = 0; k < scene->body_count; k++) {
        const mn_body_motion body = mn_world_body(world, k);
        mn_describe_pose(body.position, body.quaternion, shot->pose[shot->pose_count++]);
    }
    return true;
}

static bool put_particles(mn_world *world, mn_view_shot *shot, mn_messages *quiet)
{
    const long fluid = mn_world_particles(world);
    shot->count = fluid;
    for (int k = 0; k < mn_world_solids(world); k++) shot->count += mn_world_solid_particles(world, k);
    shot->position = malloc(((size_t)shot->count * 3 + 1) * sizeof *shot->position);
    shot->group = calloc((size_t)shot->count + 1, 1);
    shot->id = malloc(((size_t)shot->count + 1) * sizeof *shot->id);
    float *index = values_of(world, "fluid", shot->count);
    bool ok = shot->position && shot->group && shot->id && index;
    ok = ok && mn_world_get(world, "position", shot->position, quiet) == MN_OK &&
         mn_world_ids(world, shot->id, quiet) == MN_OK;
    for (long i = 0; ok && i < fluid; i++) shot->group[i] = (unsigned char)index[i];
    long at = fluid;
    for (int k = 0; ok && k < mn_world_solids(world); k++) {
        const long count = mn_world_solid_particles(world, k);
        ok = mn_world_solid_get(world, k, "position", shot->position + 3 * at, quiet) == MN_OK;
        for (long i = at; i < at + count; i++)
            shot->group[i] = (unsigned char)(world->scene->fluid_count + k), shot->id[i] = -1;
        at += count;
    }
    free(index);
    return ok;
}

static mn_view_shot *take(mn_world *world, char fields[][MN_VIEW_NAME], int count)
{
    mn_messages *quiet = mn_messages_new();
    mn_view_shot *shot = calloc(1, sizeof *shot);
    bool ok = shot && quiet;
    if (ok) {
        shot->refs = 1;
        shot->number = -1;
        shot->time = mn_world_time(world);
        shot->step = mn_world_steps(world);
    }
    ok = ok && put_particles(world, shot, quiet) && put_bodies(world, shot);
    for (int f = 0; ok && f < count; f++) {
        float *value = values_of(world, fields[f], shot->count); /* NULL: there is none, which is an answer too */
        snprintf(shot->field[shot->field_count].name, MN_VIEW_NAME, "%s", fields[f]);
        shot->field[shot->field_count++].value = value;
    }
    mn_messages_free(quiet);
    if (ok) return shot;
    mn_view_shot_free(shot);
    return NULL;
}

/* What clients wait for and the last shot does not have. Under the lock. */
static int wanted_fields(const mn_show *show, char fields[MN_SHOT_FIELDS][MN_VIEW_NAME])
{
    int count = 0;
    for (int c = 0; c < MN_VIEW_CLIENTS; c++) {
        const mn_client *client = &show->hub->client[c];
        if (!client->number || client->frame >= 0) continue;
        int f = 0;
        while (f < count && strcmp(fields[f], client->field) != 0) f++;
        if (f == count && count < MN_SHOT_FIELDS) snprintf(fields[count++], MN_VIEW_NAME, "%s", client->field);
    }
    return count;
}

static bool shot_is_due(const mn_show *show, const mn_world *world)
{
    for (int c = 0; c < MN_VIEW_CLIENTS; c++) {
        const mn_client *client = &show->hub->client[c];
        if (!client->number || !client->wants || client->frame >= 0) continue;
        if (!show->shot || show->shot->step != mn_world_steps(world)) return true;
        bool there = !client->field[0];
        for (int f = 0; f < show->shot->field_count; f++)
            there = there || strcmp(show->shot->field[f].name, client->field) == 0;
        if (!there && show->shot->field_count < MN_SHOT_FIELDS) return true;
    }
    return false;
}

static void take_shot(mn_show *show, mn_world *world)
{
    char fields[MN_SHOT_FIELDS][MN_VIEW_NAME];
    const int count = wanted_fields(show, fields);
    pthread_mutex_unlock(&show->hub->lock);
    mn_view_shot *shot = take(world, fields, count);
    pthread_mutex_lock(&show->hub->lock);
    show->live.shot_wall = mn_view_clock();
    if (!shot) return; /* no memory for a picture: the run goes on without */
    mn_view_shot *before = show->shot;
    show->shot = shot;
    if (before && --before->refs == 0) mn_view_shot_free(before);
    pthread_cond_broadcast(&show->hub->news);
}

/* ----------------------------------------------------------------------------------------------- steering */

static void tell_values(mn_show *show, const mn_world *world)
{
    char *text = mn_describe_values(world->scene, world->time, "values");
    if (!text) return;
    free(show->values);
    show->values = text;
    show->values_version++;
    show->keyed = strstr(text, "\"keyed\":true") != NULL;
    pthread_cond_broadcast(&show->hub->news);
}

static void make_changes(mn_show *show, mn_world *world)
{
    if (!show->live.todo_count) return;
    mn_messages *say = mn_messages_new();
    for (int i = 0; i < show->live.todo_count; i++) {
        mn_world_change(world, show->live.todo[i], say);
        free(show->live.todo[i]);
    }
    show->live.todo_count = 0;
    if (mn_messages_count(say)) {
        char *list = mn_describe_messages(say), *text = NULL;
        if (list && asprintf(&text, "{\"type\":\"note\",\"messages\":%s}", list) >= 0) mn_hub_note(show->hub, 0, text);
        free(list);
    }
    mn_messages_free(say);
    tell_values(show, world);
}

static char *fields_of(mn_world *world, const mn_pick *pick)
{
    char names[MN_MAX_SPECIES * 2 + 64][MN_VIEW_NAME];
    const long count = mn_world_particles(world);
    mn_messages *quiet = mn_messages_new();
    int32_t *ids = malloc(((size_t)count + 1) * sizeof *ids);
    float *value = malloc((3 * (size_t)count + 1) * sizeof *value);
    mn_text out = {0};
    long at = -1;
    if (ids && value && quiet && mn_world_ids(world, ids, quiet) == MN_OK)
        for (long i = 0; i < count && at < 0; i++)
            if (ids[i] == pick->id) at = i;
    mn_put(&out, "{\"type\":\"pick\",\"id\":%d,\"asked\":%ld,\"index\":%ld,\"step\":%lld,\"there\":%s,\"fields\":{",
           pick->id, pick->asked, at, (long long)mn_world_steps(world), at >= 0 ? "true" : "false");
    const int total = at >= 0 ? field_names(world->scene, names) : 0;
    const char *comma = "";
    for (int f = 0; f < total; f++) {
        const int width = mn_scene_field_width(world->scene, names[f]);
        if (mn_world_get(world, names[f], value, quiet) != MN_OK) continue;
        mn_put(&out, "%s\"%s\":[", comma, names[f]);
        for (int a = 0; a < width; a++) mn_put(&out, "%s%.7g", a ? "," : "", (double)value[width * at + a]);
        mn_put(&out, "]");
        comma = ",";
    }
    mn_put(&out, "}}");
    free(ids);
    free(value);
    mn_messages_free(quiet);
    return mn_text_done(&out);
}

static void answer(mn_show *show, mn_world *world)
{
    while (show->live.pick_count) {
        const mn_pick pick = show->live.pick[--show->live.pick_count];
        pthread_mutex_unlock(&show->hub->lock);
        char *text = fields_of(world, &pick);
        pthread_mutex_lock(&show->hub->lock);
        if (text) mn_hub_note(show->hub, pick.client, text);
    }
}

/* ------------------------------------------------------------------------------------------- the description */

/* The box of the fluid, of what pours in, and of the domain where that is not much larger. */
static void find_box(const mn_scene *scene, const mn_view_shot *shot, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) low[a] = INFINITY, high[a] = -INFINITY;
    for (long i = 0; shot && i < shot->count; i++)
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], (double)shot->position[3 * i + a]);
            high[a] = fmax(high[a], (double)shot->position[3 * i + a]);
        }
    for (int f = 0; f < scene->fluid_count; f++)
        for (int e = 0; e < scene->fluids[f].emitter_count; e++)
            for (int a = 0; a < 3; a++) {
                const mn_emitter *m = &scene->fluids[f].emitters[e];
                const double reach = (m->disc ? m->radius : 0.5 * fmax(m->size[0], m->size[1])) + 4 * scene->spacing;
                low[a] = fmin(low[a], m->position[a] - reach + fmin(0, 4 * reach * m->direction[a]));
                high[a] = fmax(high[a], m->position[a] + reach + fmax(0, 4 * reach * m->direction[a]));
            }
    for (int a = 0; a < 3; a++)
        if (!(low[a] <= high[a])) low[a] = -10 * scene->spacing, high[a] = 10 * scene->spacing;
}

static void describe(mn_show *show, mn_world *world)
{
    char names[MN_MAX_SPECIES * 2 + 64][MN_VIEW_NAME], wanted[1][MN_VIEW_NAME] = {"speed"};
    const char *fields[MN_MAX_SPECIES * 2 + 64];
    const int total = field_names(world->scene, names);
    mn_messages *say = mn_messages_new();
    mn_view_shot *shot = take(world, wanted, 1);
    double low[3], high[3];
    int count = 0;
    for (int f = 0; f < total; f++) {
        float *value = values_of(world, names[f], mn_world_particles(world));
        if (value && strcmp(names[f], "position") != 0) fields[count++] = names[f];
        free(value);
    }
    find_box(show->scene, shot, low, high);
    char *text = mn_describe(show, fields, count, low, high, say),
         *start = mn_describe_values(world->scene, 0, "start");
    mn_soft_rest rest = soft_rest(world);
    mn_describe_geometry(show, low, high, &rest, say);
    free(rest.position);
    free(rest.solid);
    pthread_mutex_lock(&show->hub->lock);
    show->description = text;
    show->start = start;
    tell_values(show, world);
    show->shot = shot;
    pthread_mutex_unlock(&show->hub->lock);
    mn_messages_free(say);
}

/* -------------------------------------------------------------------------------------------------- the thread */

static void keep_pace(mn_show *show, const mn_world *world)
{
    const double now = mn_view_clock();
    show->live.time = mn_world_time(world);
    show->live.step = mn_world_steps(world);
    show->live.particles = mn_world_particles(world);
    const double interval = show->scene->frame_interval;
    show->frames = interval > 0 && show->dir ? (int)floor(show->live.time / interval * (1 + 1e-12)) + 1 : 0;
    if (now - show->live.rate_wall < 0.5) return;
    show->live.rate = (double)(show->live.step - show->live.rate_step) / (now - show->live.rate_wall);
    show->live.rate_step = show->live.step;
    show->live.rate_wall = now;
    if (show->keyed) tell_values(show, world);
    pthread_cond_broadcast(&show->hub->news);
}

static void set_status(mn_show *show, const char *status)
{
    if (show->live.status == status) return;
    show->live.status = status;
    show->live.rate_wall = mn_view_clock();
    show->live.rate_step = show->live.step;
    if (strcmp(status, "running") != 0) show->live.rate = 0;
    pthread_cond_broadcast(&show->hub->news);
}

/* What the session has said since: warnings of the scene come before the first step. */
static void hear_session(mn_show *show)
{
    const int count = mn_messages_count(show->live.say);
    if (count == show->live.heard) return;
    show->live.heard = count;
    free(show->live.said);
    show->live.said = mn_describe_messages(show->live.say);
    pthread_cond_broadcast(&show->hub->news);
}

static void between(void *user, mn_world *world)
{
    mn_show *show = user;
    if (!show->description) describe(show, world);
    pthread_mutex_lock(&show->hub->lock);
    keep_pace(show, world);
    hear_session(show);
    while (!show->live.stop) {
        make_changes(show, world);
        show->live.end = mn_world_scene(world)->end; /* it may have been put off */
        show->live.ended = show->live.time >= show->live.end * (1 - 1e-12);
        const bool waits = show->live.ended || (show->live.paused && show->live.singles == 0);
        answer(show, world);
        if (shot_is_due(show, world) && (waits || mn_view_clock() - show->live.shot_wall > BREATH))
            take_shot(show, world);
        if (show->live.stop || (!show->live.ended && (!show->live.paused || show->live.singles > 0))) break;
        set_status(show, show->live.ended ? "ended" : "paused");
        if (shot_is_due(show, world) || show->live.todo_count || show->live.pick_count) continue;
        pthread_cond_wait(&show->hub->news, &show->hub->lock);
    }
    if (show->live.singles > 0) show->live.singles--;
    else if (!show->live.stop) set_status(show, "running");
    pthread_mutex_unlock(&show->hub->lock);
}

static void prepare(void *user, const char *what, double part)
{
    mn_show *show = user;
    pthread_mutex_lock(&show->hub->lock);
    snprintf(show->live.what, sizeof show->live.what, "%s", what);
    show->live.part = part;
    pthread_cond_broadcast(&show->hub->news);
    pthread_mutex_unlock(&show->hub->lock);
}

static void *run(void *user)
{
    mn_show *show = user;
    mn_messages *say = mn_messages_new();
    mn_session_summary sum;
    mn_session_options opt = mn_default_session_options();
    opt.dir = show->dir;
    opt.world = show->live.world;
    opt.stop = &show->live.stop;
    opt.inspect = true;
    opt.between = between;
    opt.between_user = show;
    show->live.say = say;
    if (say) mn_messages_watch(say, prepare, show);
    const mn_status status = say ? mn_session_run(show->scene, &opt, say, &sum) : MN_FAILED;
    if (say) mn_messages_watch(say, NULL, NULL);
    pthread_mutex_lock(&show->hub->lock);
    set_status(show, status == MN_OK || status == MN_INTERRUPTED ? "stopped" : "failed");
    free(show->live.said);
    show->live.said = mn_describe_messages(say);
    pthread_cond_broadcast(&show->hub->news);
    pthread_mutex_unlock(&show->hub->lock);
    mn_messages_free(say);
    return NULL;
}

void mn_live_begin(mn_show *show)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16 << 20); /* that of a main thread, about */
    show->live.threaded = pthread_create(&show->live.thread, &attributes, run, show) == 0;
    pthread_attr_destroy(&attributes);
    if (show->live.threaded) return;
    pthread_mutex_lock(&show->hub->lock);
    show->live.said = strdup("[{\"severity\":\"error\",\"text\":\"cannot start a thread for the run\",\"line\":0}]");
    set_status(show, "failed");
    pthread_mutex_unlock(&show->hub->lock);
}
