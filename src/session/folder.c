/* folder.c -- the folder of a run; see folder.h. */
#include "session/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "io/checksum.h"
#include "scene/text.h"

enum { LONGEST_RUN_YAML = 64 << 20 };

/* The files of a run, and the folders of numbered files. */
static const char *const files[] = {"run.yaml",           "stats.csv",         "timing.csv", "checkpoint.h5",
                                    "checkpoint.prev.h5", "checkpoint.bad.h5", "frames.pvd", "preview.mp4",
                                    "bodies.csv",         "bodies.pvd",        "solids.csv", "solids.pvd"};
static const char *const folders[] = {"frames", "preview", "grids", "bodies", "solids"};
enum { FILES = sizeof files / sizeof *files, FOLDERS = sizeof folders / sizeof *folders };

static mn_place in(const char *path) { return (mn_place){path, 0, 0}; }

static mn_status no_memory(const char *dir, mn_messages *say)
{
    mn_say_failure(say, in(dir), "out of memory");
    return MN_FAILED;
}

static bool is_there(const char *dir, const char *name)
{
    char *path = mn_path_join(dir, name);
    bool there = path && access(path, F_OK) == 0;
    free(path);
    return there;
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

mn_status mn_run_erase(const char *dir, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int i = 0; i < FOLDERS && status == MN_OK; i++) {
        char *path = mn_path_join(dir, folders[i]);
        status = path ? erase_frames(path, say) : no_memory(dir, say);
        free(path);
    }
    for (int i = 0; i < FILES && status == MN_OK; i++) {
        char *path = mn_path_join(dir, files[i]);
        status = erase(path, say);
        free(path);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------- run.yaml */

enum { BLOCK = 1 << 16 };
static const char FILE_LINE[] = "# file "; /* and the checksum of its bytes, and its path */

static bool checksum_of(const char *path, uint64_t *out)
{
    static const size_t size = BLOCK;
    mn_checksum sum = mn_checksum_start();
    FILE *file = fopen(path, "rbe");
    char *block = malloc(size);
    bool good = file && block;
    for (size_t got = size; good && got == size;) {
        got = fread(block, 1, size, file);
        mn_checksum_add(&sum, block, got);
        good = !ferror(file);
    }
    free(block);
    if (file) fclose(file);
    *out = mn_checksum_end(&sum);
    return good;
}

static void put_file(void *user, const char *path, const mn_shape *mesh)
{
    (void)mesh;
    uint64_t sum;
    if (!strpbrk(path, "\r\n") && checksum_of(path, &sum)) mn_put(user, "%s%016" PRIx64 " %s\n", FILE_LINE, sum, path);
}

/* The scene as run, and as comments which files went into it: a mesh may change while its name stays. malloc'd; NULL: out of memory. */
static char *describe(const mn_scene *scene)
{
    mn_text text = {0};
    char *keys = mn_scene_write(scene);
    if (keys) mn_put(&text, "%s", keys);
    if (keys) mn_scene_files(scene, put_file, &text);
    free(keys);
    return mn_text_done(&text);
}

mn_status mn_run_describe(const char *dir, const mn_scene *scene, mn_messages *say)
{
    char *path = mn_path_join(dir, "run.yaml"), *text = describe(scene);
    mn_status status = path && text ? mn_file_write(path, text, strlen(text), say) : no_memory(dir, say);
    free(path);
    free(text);
    return status;
}

/* ------------------------------------------------------------------------------------------ the same scene */

static size_t line_length(const char *text) { return strcspn(text, "\n"); }

static mn_status first_difference(const char *path, const char *old, const char *now, mn_messages *say)
{
    while (*old || *now) {
        size_t a = line_length(old), b = line_length(now);
        if (a != b || memcmp(old, now, a) != 0) {
            const char *was = old + strspn(old, " -"), *is = now + strspn(now, " -");
            mn_say_error(
                say, in(path),
                "the run in this folder is of another scene: it has '%.*s', this one has '%.*s'; expected the same scene to resume",
                (int)line_length(was), was, (int)line_length(is), is);
            return MN_BAD_INPUT;
        }
        old += a + (old[a] == '\n');
        now += b + (now[b] == '\n');
    }
    return MN_OK;
}

/* Whether each file that the old run.yaml has a checksum of has it still. */
static mn_status same_files(const char *path, const char *text, mn_messages *say)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        uint64_t was, is;
        int start = 0;
        if (strncmp(line, FILE_LINE, sizeof FILE_LINE - 1) != 0) continue;
        if (sscanf(line + sizeof FILE_LINE - 1, "%" SCNx64 " %n", &was, &start) != 1 || !start) continue; // NOLINT(cert-err34-c)
        const char *name = line + sizeof FILE_LINE - 1 + start;
        char *file = strndup(name, line_length(name));
        const bool same = file && checksum_of(file, &is) && is == was;
        if (!same)
            mn_say_error(say, in(path),
                         "the file \"%s\" is not the one that the run in this folder began with; expected the same to resume",
                         file ? file : "");
        free(file);
        if (!same) return MN_BAD_INPUT;
    }
    return MN_OK;
}

/* Looks belong to the lists of the old scene, which owns them. */
static void copy_look(mn_look *to, const mn_look *from)
{
    char *colour = strdup(from->colour ? from->colour : "");
    if (!colour) return;
    free(to->colour);
    *to = *from;
    to->colour = colour;
}

/* The old scene with the new one's harmless keys. `out` borrows from both. */
static void take_harmless_keys(mn_scene *old, const mn_scene *now)
{
    old->end = now->end;
    old->frame_formats = now->frame_formats;
    old->frame_format_count = now->frame_format_count;
    old->checkpoint_interval = now->checkpoint_interval;
    old->checkpoint_wall = now->checkpoint_wall;
    old->camera = now->camera;
    for (int k = 0; k < old->fluid_count && k < now->fluid_count; k++) copy_look(&old->fluids[k].look, &now->fluids[k].look);
    for (int k = 0; k < old->wall_count && k < now->wall_count; k++) copy_look(&old->walls[k].look, &now->walls[k].look);
    for (int k = 0; k < old->body_count && k < now->body_count; k++) copy_look(&old->bodies[k].look, &now->bodies[k].look);
    for (int k = 0; k < old->solid_count && k < now->solid_count; k++) copy_look(&old->solids[k].look, &now->solids[k].look);
}

static mn_status compare_parsed(const char *path, const char *text, size_t length, const mn_scene *scene, mn_messages *say)
{
    mn_scene *old = mn_scene_parse(text, length, path, NULL, 0, say);
    if (!old) {
        mn_say_error(say, in(path), "the scene of the run in this folder cannot be read, so it cannot be resumed");
        return MN_BAD_INPUT;
    }
    mn_scene mixed = *old;
    take_harmless_keys(&mixed, scene);
    char *was = mn_scene_write(&mixed), *is = mn_scene_write(scene);
    mn_status status = was && is ? first_difference(path, was, is, say) : no_memory(path, say);
    free(was);
    free(is);
    mn_scene_free(old);
    return status;
}

mn_status mn_run_same_scene(const char *dir, const mn_scene *scene, mn_messages *say)
{
    if (!is_there(dir, "run.yaml")) return MN_OK;
    struct stat info;
    char *path = mn_path_join(dir, "run.yaml"), *now = describe(scene);
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
    if (text) status = strcmp(text, now) == 0 ? MN_OK : compare_parsed(path, text, length, scene, say);
    if (text && status == MN_OK) status = same_files(path, text, say);
    free(text);
    free(now);
    free(path);
    return status;
}

/* -------------------------------------------------------------------------------------------- checkpoints */

/* The old one moves away before the new one is written: mn_checkpoint_write replaces a file only by a whole one, but a disk can
   still turn a whole file bad, and then the one before is there. */
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

/* Resumed from the older one: it takes the place of the newer, lest the next checkpoint push the bad one over it. */
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
        if (*resumed)
            mn_say(say, MN_NOTE, in(path), "resumed at step %lld, time %g s", (long long)mn_world_steps(world),
                   mn_world_time(world));
        else refuse(path, why, say);
        mn_messages_free(why);
        free(path);
    }
    if (*resumed && from == 1) promote_previous(dir);
    if (!any || *resumed) return MN_OK;
    mn_say_error(say, in(dir), "no checkpoint of this run is good; expected one to resume from; --overwrite starts the run anew");
    return MN_BAD_INPUT;
}
