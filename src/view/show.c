/* show.c -- what is shown: nothing, the folder of a run, or a scene that runs; frames from files; scenes to keep. */
#include "view/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/preview.h"
#include "render/source.h"
#include "scene/change.h"
#include "scene/motion.h"
#include "scene/text.h"
#include "session/folder.h"
#include "view/hub.h"

void mn_view_shot_free(mn_view_shot *shot)
{
    if (!shot) return;
    free(shot->position);
    free(shot->group);
    free(shot->id);
    free(shot->pose);
    for (int f = 0; f < shot->field_count; f++) free(shot->field[f].value);
    free(shot);
}

/* -------------------------------------------------------------------------------------------- coming and going */

static mn_show *new_show(mn_hub *hub, mn_show_kind kind, const char *status)
{
    mn_show *show = calloc(1, sizeof *show);
    if (!show) return NULL;
    show->hub = hub;
    show->refs = 1;
    show->kind = kind;
    show->live.status = status;
    pthread_mutex_init(&show->files, NULL);
    pthread_mutex_lock(&hub->lock);
    show->generation = ++hub->generations;
    pthread_mutex_unlock(&hub->lock);
    return show;
}

static void free_show(mn_show *show)
{
    mn_scene_free(show->scene);
    mn_replay_free(show->replay);
    mn_view_shot_free(show->shot);
    for (int i = 0; i < show->set_count; i++) free(show->sets[i]);
    for (int i = 0; i < show->live.todo_count; i++) free(show->live.todo[i]);
    free(show->sets);
    free(show->live.todo);
    free(show->path);
    free(show->dir);
    free(show->description);
    free(show->start);
    free(show->values);
    free(show->geometry);
    free(show->live.said);
    pthread_mutex_destroy(&show->files);
    free(show);
}

void mn_show_release(mn_show *show)
{
    if (--show->refs == 0) free_show(show);
}

void mn_show_end(mn_show *show)
{
    pthread_mutex_lock(&show->hub->lock);
    show->live.stop = 1;
    pthread_cond_broadcast(&show->hub->news);
    pthread_mutex_unlock(&show->hub->lock);
    if (show->live.threaded) pthread_join(show->live.thread, NULL);
    show->live.threaded = false;
}

mn_show *mn_show_none(mn_hub *hub) { return new_show(hub, MN_SHOW_NONE, "none"); }

static void no_memory(mn_messages *say) { mn_say_failure(say, MN_NOWHERE, "out of memory"); }

/* ------------------------------------------------------------------------------------------------------- live */

/* The name of a scene's file, without folder and extension. */
static char *bare_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* The folder of a first run: without the -2 of a second one. */
static size_t first_length(const char *dir)
{
    const char *dash = strrchr(dir, '-');
    char *first =
        dash && dash[1] && dash[1 + strspn(dash + 1, "0123456789")] == 0 ? strndup(dir, (size_t)(dash - dir)) : NULL;
    const size_t length = first && mn_run_exists(first) ? strlen(first) : strlen(dir);
    free(first);
    return length;
}

/* The folder that was asked for or out/NAME, or the first with -2, -3, ... behind it that holds no run. */
static char *free_folder(const char *path, const char *asked)
{
    char *name = asked ? strndup(asked, first_length(asked)) : bare_name(path), *dir = NULL;
    for (int k = 1; name && k < 10000; k++) {
        char number[16] = "";
        if (k > 1) snprintf(number, sizeof number, "-%d", k);
        if (asprintf(&dir, "%s%s%s", asked ? "" : "out/", name, number) < 0) dir = NULL;
        if (!dir || !mn_run_exists(dir)) break;
        free(dir);
        dir = NULL;
    }
    free(name);
    return dir;
}

static bool keep_sets(mn_show *show, const char *const *sets, int count)
{
    show->sets = calloc((size_t)count + 1, sizeof *show->sets);
    for (; show->sets && show->set_count < count; show->set_count++)
        if (!(show->sets[show->set_count] = strdup(sets[show->set_count]))) return false;
    return show->sets != NULL;
}

mn_show *mn_show_live(mn_hub *hub, const char *path, const char *dir, bool first, const char *const *sets,
                      int set_count, bool paused, mn_messages *say)
{
    if (first && dir && mn_run_exists(dir)) {
        mn_say_error(say, (mn_place){dir, 0, 0},
                     "this folder already holds a run; expected another folder, or that one alone to be shown");
        return NULL;
    }
    mn_scene *scene = mn_scene_load(path, sets, set_count, say);
    if (!scene) return NULL;
    mn_show *show = new_show(hub, MN_SHOW_LIVE, "preparing");
    if (!show) {
        no_memory(say);
        mn_scene_free(scene);
        return NULL;
    }
    show->scene = scene;
    show->path = realpath(path, NULL);
    show->dir = first && dir ? strdup(dir) : free_folder(path, dir);
    show->live.paused = paused;
    show->live.end = scene->end;
    show->live.world = hub->opt->world;
    if (show->path && show->dir && keep_sets(show, sets, set_count)) return show;
    no_memory(say);
    free_show(show);
    return NULL;
}

/* ----------------------------------------------------------------------------------------------------- stored */

static int stored_fields(const mn_frame *frame, const char *names[64])
{
    int count = 0;
    if (mn_frame_find(frame, "velocity")) names[count++] = "speed";
    for (int f = 1; f < frame->field_count && count < 64; f++)
        if (strcmp(frame->fields[f].name, "speed") != 0) names[count++] = frame->fields[f].name;
    return count;
}

/* What nearly all particles of the first, a middle and the last frame lie in. */
static bool survey(mn_replay *replay, double low[3], double high[3], mn_messages *say)
{
    const int count = mn_replay_count(replay), looks[3] = {0, count / 2, count - 1};
    for (int a = 0; a < 3; a++) low[a] = INFINITY, high[a] = -INFINITY;
    for (int k = 0; k < 3; k++) {
        mn_frame frame;
        double from[3], to[3];
        if (mn_replay_frame(replay, mn_replay_number(replay, looks[k]), &frame, say) != MN_OK) return false;
        const bool some = mn_preview_bounds(frame.fields[0].data, frame.count, from, to);
        for (int a = 0; some && a < 3; a++) low[a] = fmin(low[a], from[a]), high[a] = fmax(high[a], to[a]);
        mn_frame_free(&frame);
    }
    for (int a = 0; a < 3; a++)
        if (!(low[a] <= high[a])) low[a] = high[a] = 0;
    return true;
}

/* Empty where the frames do not tell: then their particles are drawn. */
static mn_soft_rest soft_rest(const mn_show *show)
{
    mn_soft_rest out = {0};
    mn_frame frame = {0};
    if (!show->scene->solid_count) return out;
    if (mn_replay_beside(show->replay, "solids", mn_replay_number(show->replay, 0), &frame, NULL) != MN_OK) return out;
    const mn_frame_field *shift = mn_frame_find(&frame, "displacement"), *solid = mn_frame_find(&frame, "solid");
    const size_t n = (size_t)frame.count;
    if (shift && solid && shift->width == 3 && shift->type == MN_FRAME_FLOAT && solid->type == MN_FRAME_INT) {
        const float *x = frame.fields[0].data, *u = shift->data;
        out.position = malloc((3 * n + 1) * sizeof *out.position);
        out.solid = malloc((n + 1) * sizeof *out.solid);
        for (size_t i = 0; i < 3 * n && out.position; i++) out.position[i] = x[i] - u[i];
        if (out.solid) memcpy(out.solid, solid->data, n * sizeof *out.solid);
        if (out.position && out.solid) out.count = frame.count;
    }
    mn_frame_free(&frame);
    return out;
}

static bool describe_stored(mn_show *show, mn_messages *say)
{
    double low[3], high[3];
    mn_frame frame;
    const char *names[64];
    show->frames = mn_replay_count(show->replay);
    if (!survey(show->replay, low, high, say)) return false;
    if (mn_replay_frame(show->replay, mn_replay_number(show->replay, 0), &frame, say) != MN_OK) return false;
    show->description = mn_describe(show, names, stored_fields(&frame, names), low, high, say);
    show->live.particles = frame.count;
    mn_frame_free(&frame);
    show->values = mn_describe_values(show->scene, 0, "values");
    show->values_version = 1;
    if (!show->description || !show->values) no_memory(say);
    mn_soft_rest rest = soft_rest(show);
    const bool good = show->description && show->values && mn_describe_geometry(show, low, high, &rest, say);
    free(rest.position);
    free(rest.solid);
    return good;
}

mn_show *mn_show_stored(mn_hub *hub, const char *dir, mn_messages *say)
{
    mn_replay *replay = mn_replay_open(dir, say);
    if (!replay) return NULL;
    mn_show *show = new_show(hub, MN_SHOW_STORED, "stored");
    if (!show) {
        no_memory(say);
        mn_replay_free(replay);
        return NULL;
    }
    show->replay = replay;
    show->scene = mn_scene_copy(mn_replay_scene(replay));
    show->dir = realpath(dir, NULL);
    show->path = show->dir ? mn_path_join(show->dir, "run.yaml") : NULL;
    show->live.end = show->scene ? show->scene->end : 0;
    if (!show->scene || !show->dir || !show->path) no_memory(say);
    else if (describe_stored(show, say)) return show;
    free_show(show);
    return NULL;
}

/* ----------------------------------------------------------------------------------------------- frames in files */

/* The frames of a run in progress can be read too, once there are some. Under `files`. */
static bool open_files(mn_show *show, mn_messages *say)
{
    if (!show->replay && show->kind == MN_SHOW_LIVE) show->replay = mn_replay_open(show->dir, say);
    else if (show->kind == MN_SHOW_LIVE) mn_replay_update(show->replay); /* what was steered since */
    if (!show->replay && !mn_messages_errors(say)) mn_say_error(say, MN_NOWHERE, "there are no frames yet");
    return show->replay != NULL;
}

static bool put_poses(const mn_show *show, int number, mn_view_shot *shot, mn_messages *say)
{
    const mn_scene *scene = show->scene;
    mn_frame frame;
    shot->pose = calloc((size_t)mn_describe_moving(scene) + 1, sizeof *shot->pose);
    if (!shot->pose) return false;
    mn_describe_walls(mn_replay_scene(show->replay), shot->time, shot->pose, &shot->pose_count);
    if (!scene->body_count) return true;
    if (mn_replay_beside(show->replay, "bodies", number, &frame, say) != MN_OK) return false;
    const mn_frame_field *turn = mn_frame_find(&frame, "rotation");
    const bool good = turn && turn->width == 3 && frame.count == scene->body_count;
    for (int k = 0; good && k < scene->body_count; k++) {
        const float *x = (const float *)frame.fields[0].data + 3 * (size_t)k,
                    *v = (const float *)turn->data + 3 * (size_t)k;
        double matrix[9], q[4];
        mn_rotation_of((double[3]){(double)v[0], (double)v[1], (double)v[2]}, matrix);
        mn_quaternion_of(matrix, q);
        mn_describe_pose((double[3]){(double)x[0], (double)x[1], (double)x[2]}, q, shot->pose[shot->pose_count++]);
    }
    mn_frame_free(&frame);
    return good;
}

static double number_at(const mn_frame_field *field, long i)
{
    return field->type == MN_FRAME_INT ? (double)((const int32_t *)field->data)[i]
                                       : (double)((const float *)field->data)[i];
}

/* The particles of the frame, and those of soft solids behind them. */
static bool put_frame(const mn_show *show, const mn_frame *frame, const mn_frame *soft, mn_view_shot *shot)
{
    const mn_frame_field *fluid = mn_frame_find(frame, "fluid"), *id = mn_frame_find(frame, "id"),
                         *solid = mn_frame_find(soft, "solid");
    const size_t first = (size_t)frame->count, rest = (size_t)soft->count;
    shot->count = frame->count + soft->count;
    shot->position = malloc((3 * (first + rest) + 1) * sizeof *shot->position);
    shot->group = calloc(first + rest + 1, 1);
    shot->id = malloc((first + rest + 1) * sizeof *shot->id);
    if (!shot->position || !shot->group || !shot->id) return false;
    memcpy(shot->position, frame->fields[0].data, 3 * first * sizeof *shot->position);
    if (rest) memcpy(shot->position + 3 * first, soft->fields[0].data, 3 * rest * sizeof *shot->position);
    for (size_t i = 0; i < first + rest; i++) {
        const bool is_solid = i >= first;
        shot->id[i] = is_solid ? -1 : id && id->width == 1 ? (int32_t)number_at(id, (long)i) : (int32_t)i;
        const double group = is_solid ? (solid ? number_at(solid, (long)(i - first)) : 0) + show->scene->fluid_count
                             : fluid  ? number_at(fluid, (long)i)
                                      : 0;
        shot->group[i] = group > 0 && group < 256 ? (unsigned char)group : 0;
    }
    return true;
}

static void put_value(const mn_frame *frame, const char *field, const char *file, mn_view_shot *shot, mn_messages *say)
{
    float *value = field[0] ? mn_paint_values(frame, field, file, say) : NULL;
    float *all = value ? calloc((size_t)shot->count + 1, sizeof *all) : NULL;
    if (all) memcpy(all, value, (size_t)frame->count * sizeof *all);
    free(value);
    snprintf(shot->field[0].name, MN_VIEW_NAME, "%s", field);
    shot->field[0].value = all;
    shot->field_count = 1;
}

mn_view_shot *mn_show_frame(mn_show *show, int number, const char *field, mn_messages *say)
{
    mn_frame frame = {0}, soft = {0};
    mn_view_shot *shot = calloc(1, sizeof *shot);
    if (!shot) return NULL;
    shot->refs = 1;
    shot->step = -1;
    pthread_mutex_lock(&show->files);
    bool ok = open_files(show, say);
    if (ok && show->kind == MN_SHOW_STORED) {
        const int count = mn_replay_count(show->replay);
        ok = number < count;
        if (!ok) mn_say_error(say, MN_NOWHERE, "there is no frame %d; expected 0 to %d", number, count - 1);
        if (ok) shot->number = number, number = mn_replay_number(show->replay, number);
    } else {
        shot->number = number;
    }
    ok = ok && mn_replay_frame(show->replay, number, &frame, say) == MN_OK;
    if (ok && show->scene->solid_count) ok = mn_replay_beside(show->replay, "solids", number, &soft, say) == MN_OK;
    if (ok) shot->time = frame.time;
    ok = ok && put_frame(show, &frame, &soft, shot) && put_poses(show, number, shot, say);
    if (ok) put_value(&frame, field, show->dir, shot, say);
    mn_frame_free(&frame);
    mn_frame_free(&soft);
    pthread_mutex_unlock(&show->files);
    if (ok) return shot;
    mn_view_shot_free(shot);
    return NULL;
}

/* Where the particle with that id is; -1: nowhere. */
static long place_of(const mn_frame *frame, long id)
{
    const mn_frame_field *ids = mn_frame_find(frame, "id");
    if (!ids) return id < frame->count ? id : -1;
    long at = -1;
    for (long i = 0; i < frame->count && at < 0; i++)
        if ((long)number_at(ids, i) == id) at = i;
    return at;
}

char *mn_show_pick_stored(mn_show *show, int number, long index, long given, mn_messages *say)
{
    mn_frame frame = {0};
    mn_text out = {0};
    pthread_mutex_lock(&show->files);
    bool ok = open_files(show, say);
    if (ok && show->kind == MN_SHOW_STORED)
        number = number < mn_replay_count(show->replay) ? mn_replay_number(show->replay, number) : -1;
    ok = ok && number >= 0 && mn_replay_frame(show->replay, number, &frame, say) == MN_OK;
    const long asked = given < 0 ? index : -1;
    if (ok && given >= 0) index = place_of(&frame, given);
    ok = ok && index >= 0 && index < frame.count;
    const mn_frame_field *id = ok ? mn_frame_find(&frame, "id") : NULL;
    mn_put(&out, "{\"type\":\"pick\",\"id\":%ld,\"asked\":%ld,\"index\":%ld,\"there\":%s,\"fields\":{",
           id          ? (long)number_at(id, index)
           : given < 0 ? index
                       : given,
           asked, ok ? index : -1, ok ? "true" : "false");
    for (int f = 0; ok && f < frame.field_count; f++) {
        const mn_frame_field *field = &frame.fields[f];
        mn_put(&out, "%s\"%s\":[", f ? "," : "", field->name);
        for (int a = 0; a < field->width; a++)
            mn_put(&out, "%s%.7g", a ? "," : "", number_at(field, field->width * index + a));
        mn_put(&out, "]");
    }
    mn_put(&out, "}}");
    mn_frame_free(&frame);
    pthread_mutex_unlock(&show->files);
    return mn_text_done(&out);
}

/* ------------------------------------------------------------------------------------------------- to keep a scene */

/* A name beside the folder of the run that no file has yet: out/crown.yaml, out/crown-2.yaml. */
static char *free_file(const char *dir)
{
    char *path = NULL;
    for (int k = 1; k < 10000; k++) {
        const int length = k == 1 ? asprintf(&path, "%s.yaml", dir) : asprintf(&path, "%s-%d.yaml", dir, k);
        if (length < 0) return NULL;
        if (access(path, F_OK) != 0) return path;
        free(path);
    }
    return NULL;
}

/* `KEY=VALUE` as an entry of `set`; a later one of the same key counts. */
static void put_sets(mn_text *out, const char *const *sets, int count)
{
    for (int i = 0; i < count; i++) {
        const size_t length = strcspn(sets[i], "=") + 1;
        bool later = false;
        for (int k = i + 1; k < count; k++) later = later || strncmp(sets[i], sets[k], length) == 0;
        if (later) continue;
        mn_put(out, "  \"%.*s\": %s\n", (int)length - 1, sets[i], sets[i] + length);
    }
}

char *mn_show_save(mn_show *show, const char *const *sets, int count, char **path, mn_messages *say)
{
    mn_text out = {0};
    *path = NULL;
    mn_scene *test = mn_scene_load(show->path, sets, count, say); /* it must run */
    if (!test) return NULL;
    mn_scene_free(test);
    mn_put(&out, "# Saved by meniscus view.\nbase: ");
    mn_put_quoted(&out, show->path);
    mn_put(&out, "\n");
    if (count) mn_put(&out, "set:\n");
    put_sets(&out, sets, count);
    char *text = mn_text_done(&out);
    *path = show->dir ? free_file(show->dir) : NULL;
    if (!text || !*path) no_memory(say);
    if (text && *path && mn_file_write(*path, text, strlen(text), say) == MN_OK) return text;
    free(text);
    free(*path);
    *path = NULL;
    return NULL;
}
