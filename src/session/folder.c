/* folder.c -- the folder of a run; see folder.h. */
#include "session/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { LONGEST_RUN_YAML = 64 << 20 };

/* The files of a run, and the folders of numbered files. */
static const char *const files[] = {"run.yaml",           "stats.csv",         "timing.csv",        "checkpoint.h5",
                                    "checkpoint.prev.h5", "checkpoint.bad.h5", "frames.pvd",        "preview.mp4",
                                    "bodies.csv",         "bodies.pvd",        "solids.csv",        "solids.pvd",
                                    "render/film.mp4",    "render/film.gif",   "surface/frames.pvd"};
static const char *const folders[] = {"frames", "preview", "grids", "bodies", "solids", "coats", "render", "surface"};
enum { FILES = sizeof files / sizeof *files, FOLDERS = sizeof folders / sizeof *folders };

static mn_place in(const char *path) { return (mn_place){path, 0, 0}; }

static mn_status no_memory(const char *dir, mn_messages *say)
{
    mn_say_failure(say, in(dir), "out of memory");
    return MN_FAILED;
}

/* Asks for no memory, the want of which must not make a taken folder a free one. */
static bool is_there(const char *dir, const char *name)
{
    char path[PATH_MAX + 1];
    const int length = snprintf(path, sizeof path, "%s/%s", dir, name);
    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0; /* a longer path has no file */
}

bool mn_run_exists(const char *dir)
{
    for (int i = 0; i < FILES; i++)
        if (is_there(dir, files[i])) return true;
    return false;
}

int mn_run_lock(const char *dir, mn_messages *say)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        mn_say_error(say, in(dir), "cannot open this folder: %s", strerror(errno));
        return -1;
    }
    /* File systems without locks let everyone in, as every other program does there. */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        mn_say_error(say, in(dir), "another run is writing into this folder; expected one run a folder");
        close(fd);
        return -1;
    }
    return fd;
}

static mn_status erase(const char *path, mn_messages *say)
{
    if (!path) return no_memory("run", say);
    if (unlink(path) == 0 || errno == ENOENT) return MN_OK;
    mn_say_error(say, in(path), "cannot delete this file of the old run: %s", strerror(errno));
    return MN_FAILED;
}

/* Only frame_* is ours. */
static mn_status erase_frames(const char *folder, mn_messages *say)
{
    DIR *dir = opendir(folder);
    if (!dir) return MN_OK;
    mn_status status = MN_OK;
    const struct dirent *entry;
    while ((entry = readdir(dir)) && status == MN_OK) {
        if (strncmp(entry->d_name, "frame_", 6) != 0) continue;
        char *path = mn_path_join(folder, entry->d_name);
        status = erase(path, say);
        free(path);
    }
    closedir(dir);
    return status;
}

/* Tables of probes. */
static mn_status erase_tables(const char *dir, mn_messages *say)
{
    char *folder = mn_path_join(dir, "probes");
    DIR *list = folder ? opendir(folder) : NULL;
    mn_status status = MN_OK;
    const struct dirent *entry;
    while (list && (entry = readdir(list)) && status == MN_OK) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".csv") != 0) continue;
        char *path = mn_path_join(folder, entry->d_name);
        status = erase(path, say);
        free(path);
    }
    if (list) closedir(list);
    free(folder);
    return status;
}

mn_status mn_run_erase(const char *dir, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int i = 0; i < FOLDERS && status == MN_OK; i++) {
        char *path = mn_path_join(dir, folders[i]);
        status = path ? erase_frames(path, say) : no_memory(dir, say);
        free(path);
    }
    if (status == MN_OK) status = erase_tables(dir, say);
    for (int i = 0; i < FILES && status == MN_OK; i++) {
        char *path = mn_path_join(dir, files[i]);
        status = erase(path, say);
        free(path);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------- run.yaml */

mn_status mn_run_describe(const char *dir, const mn_scene *scene, mn_messages *say)
{
    char *path = mn_path_join(dir, "run.yaml"), *text = mn_scene_identity(scene);
    mn_status status = path && text ? mn_file_write(path, text, strlen(text), say) : no_memory(dir, say);
    free(path);
    free(text);
    return status;
}

mn_status mn_run_same_scene(const char *dir, const mn_scene *scene, mn_messages *say)
{
    if (!is_there(dir, "run.yaml")) return MN_OK;
    struct stat info;
    char *path = mn_path_join(dir, "run.yaml"), *now = mn_scene_identity(scene);
    if (!path || !now) {
        free(path);
        free(now);
        return no_memory(dir, say);
    }
    size_t length;
    const bool regular = stat(path, &info) == 0 && S_ISREG(info.st_mode); /* a pipe would be waited for */
    char *text = regular ? mn_file_read(path, LONGEST_RUN_YAML, &length, say) : NULL;
    if (!regular) mn_say_error(say, in(path), "this is not a file; expected the scene of the run in this folder");
    mn_status status = MN_BAD_INPUT;
    if (text) status = mn_scene_compare(text, now, "run.yaml", in(path), say);
    free(text);
    free(now);
    free(path);
    return status;
}

/* -------------------------------------------------------------------------------------------- checkpoints */

/* The old one moves away before the new one is written: mn_checkpoint_write replaces a file only by a whole one, but
 * a disk can still turn a whole file bad, and then the one before is there. */
mn_status mn_run_checkpoint(const char *dir, mn_world *world, mn_messages *say)
{
    char *path = mn_path_join(dir, "checkpoint.h5"), *previous = mn_path_join(dir, "checkpoint.prev.h5");
    mn_status status = MN_FAILED;
    if (!path || !previous) {
        no_memory(dir, say);
    } else {
        bool moved = rename(path, previous) == 0;
        status = mn_checkpoint_write(world, path, say);
        if (status != MN_OK && moved && rename(previous, path) == 0)
            mn_say(say, MN_NOTE, in(path), "the last good checkpoint is kept");
    }
    free(path);
    free(previous);
    return status;
}

static void refuse(const char *path, const mn_messages *why, mn_messages *say)
{
    bool said = false;
    for (int i = 0; i < mn_messages_count(why); i++) {
        mn_message message = mn_messages_get(why, i);
        if (message.severity != MN_ERROR) continue;
        mn_say_warning(say, in(path), "this checkpoint was refused: %s", message.text);
        said = true;
    }
    if (!said) mn_say_warning(say, in(path), "this checkpoint was refused: it does not fit this scene");
}

/* Resumed from the older one: it takes the place of the newer, or the next checkpoint would overwrite it with the bad
 * one. */
static void promote_previous(const char *dir)
{
    char *path = mn_path_join(dir, "checkpoint.h5"), *previous = mn_path_join(dir, "checkpoint.prev.h5");
    char *bad = mn_path_join(dir, "checkpoint.bad.h5");
    if (path && previous && bad) {
        rename(path, bad);
        rename(previous, path);
    }
    free(path);
    free(previous);
    free(bad);
}

mn_status mn_run_resume(const char *dir, mn_world *world, bool *resumed, mn_messages *say)
{
    static const char *const names[] = {"checkpoint.h5", "checkpoint.prev.h5"};
    bool any = false;
    int from = 0;
    *resumed = false;
    for (int i = 0; i < 2 && !*resumed; i++) {
        if (!is_there(dir, names[i])) continue;
        any = true;
        from = i;
        char *path = mn_path_join(dir, names[i]);
        mn_messages *why = mn_messages_new();
        if (!path || !why) {
            free(path);
            mn_messages_free(why);
            return no_memory(dir, say);
        }
        *resumed = mn_checkpoint_read(world, path, why) == MN_OK;
        /* which says nothing about the checkpoint */
        const bool failed = !*resumed && mn_messages_status(why) == MN_FAILED;
        for (int m = 0; failed && m < mn_messages_count(why); m++)
            mn_say_failure(say, in(path), "%s", mn_messages_get(why, m).text);
        if (*resumed)
            mn_say(say, MN_NOTE, in(path), "resumed at step %lld, time %g s", (long long)mn_world_steps(world),
                   mn_world_time(world));
        else if (!failed) refuse(path, why, say);
        mn_messages_free(why);
        free(path);
        if (failed) return MN_FAILED;
    }
    if (*resumed && from == 1) promote_previous(dir);
    if (!any || *resumed) return MN_OK;
    mn_say_error(say, in(dir),
                 "no checkpoint of this run can be used; expected one to resume from; --overwrite starts the run from "
                 "the beginning");
    return MN_BAD_INPUT;
}
