/* replay.c -- see replay.h. */
#include "session/replay.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "scene/change.h"
#include "scene/motion.h"

struct mn_replay {
    char *dir;
    mn_scene *scene, *given; /* as it was at the frame that was read last; as it began, NULL: nothing was changed yet */
    int changed;             /* changes that the scene has seen */
    struct timespec written; /* run.yaml, when it was read */
    int *numbers;            /* ascending */
    int count;
};

static const char *const extensions[] = {"vtp", "ply", "bgeo"};
enum { EXTENSIONS = sizeof extensions / sizeof *extensions };

static mn_place in(const char *path) { return (mn_place){path, 0, 0}; }

static int by_number(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* The number of frame_NUMBER.EXTENSION; -1: the name is another. */
static int number_in(const char *name)
{
    char digits[12], extension[8], rest[2];
    if (sscanf(name, "frame_%9[0-9].%7[a-z]%1s", digits, extension, rest) != 2) return -1; // NOLINT(cert-err34-c)
    for (int e = 0; e < EXTENSIONS; e++)
        if (strcmp(extension, extensions[e]) == 0) return (int)strtol(digits, NULL, 10);
    return -1;
}

static bool list_frames(mn_replay *r, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int room = 0;
    free(r->numbers);
    r->numbers = NULL;
    while (dir && (entry = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
        const int number = number_in(entry->d_name);
        if (number < 0) continue;
        if (r->count == room) {
            room = room ? 2 * room : 256;
            int *grown = realloc(r->numbers, (size_t)room * sizeof *grown);
            if (!grown) {
                closedir(dir);
                return false;
            }
            r->numbers = grown;
        }
        r->numbers[r->count++] = number;
    }
    if (dir) closedir(dir);
    if (r->count) qsort(r->numbers, (size_t)r->count, sizeof *r->numbers, by_number);
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (i == 0 || r->numbers[i] != r->numbers[i - 1]) r->numbers[kept++] = r->numbers[i];
    r->count = kept;
    return true;
}

mn_replay *mn_replay_open(const char *dir, mn_messages *say)
{
    mn_replay *r = calloc(1, sizeof *r);
    char *path = mn_path_join(dir, "run.yaml"), *folder = mn_path_join(dir, "frames");
    if (r) r->dir = strdup(dir);
    bool good = r && path && folder && r->dir;
    if (!good) mn_say_failure(say, in(dir), "out of memory");
    if (good && access(path, R_OK) != 0) {
        mn_say_error(say, in(dir),
                     "this folder holds no run: there is no run.yaml; expected the folder of 'meniscus run'");
        good = false;
    }
    if (good) {
        struct stat info;
        if (stat(path, &info) == 0) r->written = info.st_mtim;
        r->scene = mn_scene_load(path, NULL, 0, say);
        good = r->scene != NULL;
    }
    if (good && !list_frames(r, folder)) {
        mn_say_failure(say, in(dir), "out of memory");
        good = false;
    }
    if (good && r->count == 0) {
        mn_say_error(say, in(folder),
                     "the run has no frames; expected frame_00000.vtp, .ply or .bgeo (output.every of the scene)");
        good = false;
    }
    free(path);
    free(folder);
    if (good) return r;
    mn_replay_free(r);
    return NULL;
}

void mn_replay_free(mn_replay *r)
{
    if (!r) return;
    mn_scene_free(r->scene);
    mn_scene_free(r->given);
    free(r->numbers);
    free(r->dir);
    free(r);
}

const mn_scene *mn_replay_scene(const mn_replay *r) { return r->scene; }
int mn_replay_count(const mn_replay *r) { return r->count; }

int mn_replay_number(const mn_replay *r, int index) { return index >= 0 && index < r->count ? r->numbers[index] : -1; }

double mn_replay_time(const mn_replay *r, int number) { return number * r->scene->frame_interval; }

/* The path of a frame in the first format there is, malloc'd; NULL: there is none (or no memory). */
static char *frame_path(const mn_replay *r, const char *folder, int number)
{
    for (int e = 0; e < EXTENSIONS; e++) {
        char *path;
        if (asprintf(&path, "%s/%s/frame_%05d.%s", r->dir, folder, number, extensions[e]) < 0) return NULL;
        if (access(path, F_OK) == 0) return path;
        free(path);
    }
    return NULL;
}

/* Makes the changes that the run had seen by then, and no others. */
static mn_status go_to(mn_replay *r, double time, mn_messages *say)
{
    int due = 0;
    while (due < r->scene->change_count && r->scene->changes[due].time <= time) due++;
    if (due == r->changed) return MN_OK;
    if (!r->given) r->given = mn_scene_copy(r->scene);
    if (r->given) return mn_scene_change_first(r->scene, r->given, &r->changed, due, say);
    mn_say_failure(say, in(r->dir), "out of memory");
    return MN_FAILED;
}

mn_status mn_replay_frame(mn_replay *r, int number, mn_frame *out, mn_messages *say)
{
    *out = (mn_frame){0};
    char *path = frame_path(r, "frames", number);
    if (!path) {
        mn_say_error(say, in(r->dir), "the run has no frame %d", number);
        return MN_BAD_INPUT;
    }
    mn_status status = mn_frame_read(path, out, say);
    if (status == MN_OK && !isfinite(out->time)) out->time = mn_replay_time(r, number);
    if (status == MN_OK) status = go_to(r, out->time, say);
    free(path);
    return status;
}

mn_status mn_replay_beside(const mn_replay *r, const char *folder, int number, mn_frame *out, mn_messages *say)
{
    *out = (mn_frame){0};
    char *path = frame_path(r, folder, number);
    if (!path)
        mn_say_error(say, in(r->dir),
                     "there is no frame %d in its folder %s; expected one for each frame of the particles", number,
                     folder);
    const mn_status status = path ? mn_frame_read(path, out, say) : MN_BAD_INPUT;
    free(path);
    return status;
}

/* A run in progress that is steered writes its scene again: takes over what was changed since. */
static void take_changes(mn_replay *r)
{
    struct stat info;
    char *path = mn_path_join(r->dir, "run.yaml");
    const bool newer = path && stat(path, &info) == 0 &&
                       (info.st_mtim.tv_sec != r->written.tv_sec || info.st_mtim.tv_nsec != r->written.tv_nsec);
    mn_scene *fresh = newer ? mn_scene_load(path, NULL, 0, NULL) : NULL;
    for (int i = r->scene->change_count; fresh && i < fresh->change_count; i++)
        mn_scene_add_change(r->scene, i, fresh->changes[i].time, fresh->changes[i].set);
    if (fresh) r->written = info.st_mtim;
    mn_scene_free(fresh);
    free(path);
}

bool mn_replay_update(mn_replay *r)
{
    char *folder = mn_path_join(r->dir, "frames");
    take_changes(r);
    r->count = 0;
    const bool good = folder && list_frames(r, folder);
    free(folder);
    return good;
}

bool mn_replay_soft(const mn_frame *frame, mn_soft_points *out)
{
    const mn_frame_field *shift = mn_frame_find(frame, "displacement"), *solid = mn_frame_find(frame, "solid");
    if (!shift || !solid || shift->width != 3 || solid->type != MN_FRAME_INT) return false;
    *out = (mn_soft_points){frame->fields[0].data, shift->data, solid->data, frame->count};
    return true;
}

static mn_status bend_solids(const mn_replay *r, int number, mn_barrier *barrier, mn_messages *say)
{
    char *path = frame_path(r, "solids", number);
    if (!path) {
        mn_say_warning(say, in(r->dir),
                       "the solids of frame %d are missing: the liquid is cut where they were at the start", number);
        return MN_OK;
    }
    mn_frame frame;
    mn_soft_points points;
    mn_status status = mn_frame_read(path, &frame, say);
    if (status == MN_OK && !mn_replay_soft(&frame, &points)) {
        mn_say_error(say, in(path), "expected the particles of soft solids, with displacement and solid");
        status = MN_BAD_INPUT;
    } else if (status == MN_OK && !mn_barrier_solids(barrier, &points)) {
        mn_say_failure(say, in(path), "out of memory");
        status = MN_FAILED;
    }
    mn_frame_free(&frame);
    free(path);
    return status;
}

mn_status mn_replay_barrier(const mn_replay *r, int number, double time, mn_barrier *barrier, mn_messages *say)
{
    for (int k = 0; k < r->scene->wall_count; k++) {
        const mn_pose pose = mn_motion_at(&r->scene->walls[k].motion, time);
        mn_barrier_wall(barrier, k, &pose);
    }
    if (r->scene->solid_count) {
        const mn_status bent = bend_solids(r, number, barrier, say);
        if (bent != MN_OK) return bent;
    }
    if (!r->scene->body_count) return MN_OK;
    char *path = frame_path(r, "bodies", number);
    if (!path) {
        mn_say_warning(say, in(r->dir),
                       "the bodies of frame %d are missing: the liquid is cut where they were at the start", number);
        return MN_OK;
    }
    mn_frame frame;
    mn_status status = mn_frame_read(path, &frame, say);
    const mn_frame_field *turn = status == MN_OK ? mn_frame_find(&frame, "rotation") : NULL;
    if (status == MN_OK && (frame.count != r->scene->body_count || !turn || turn->width != 3)) {
        mn_say_error(say, in(path), "expected %d bodies, each with its rotation", r->scene->body_count);
        status = MN_BAD_INPUT;
    }
    for (int k = 0; status == MN_OK && k < r->scene->body_count; k++) {
        const float *x = (const float *)frame.fields[0].data + 3 * k, *v = (const float *)turn->data + 3 * k;
        double rotation[9];
        mn_rotation_of((double[3]){(double)v[0], (double)v[1], (double)v[2]}, rotation);
        mn_barrier_body(barrier, k, (double[3]){(double)x[0], (double)x[1], (double)x[2]}, rotation);
    }
    mn_frame_free(&frame);
    free(path);
    return status;
}
