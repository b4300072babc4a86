/* video.c -- pictures to a video by the ffmpeg program, started without a shell, in the folder of the pictures: nothing in the folder's name can mean
 * anything to ffmpeg. It writes to a partial file that is renamed when ffmpeg has ended well, so that an interrupted run leaves no broken video. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "io/preview.h"

/* Is there a program of that name in the PATH? */
static bool in_path(const char *program)
{
    const char *folders = getenv("PATH");
    char path[4096];
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        int used = snprintf(path, sizeof path, "%.*s/%s", (int)(length < 4000 ? length : 4000), folders, program);
        if (length > 0 && used > 0 && (size_t)used < sizeof path && access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Runs the program in a folder with its complaints going to `errors`; its exit status, or -1 with errno. */
static int run(char *const *arguments, const char *folder, int errors)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    pid_t child = -1;
    if (!error) {
        error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, errors, 2);
        if (!error) error = posix_spawn_file_actions_addchdir_np(&actions, folder);
        if (!error) error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    int state = 0;
    while (!error && waitpid(child, &state, 0) < 0)
        if (errno != EINTR) error = errno;
    errno = error;
    return error ? -1 : WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

/* The first line of what the program said. */
static void first_line(FILE *errors, char *out, int size)
{
    rewind(errors);
    if (!fgets(out, size, errors)) snprintf(out, (size_t)size, "no reason given");
    out[strcspn(out, "\r\n")] = 0;
}

/* "file:" and the whole path of what is not there yet; malloc'd, NULL with errno. */
static char *whole_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), *real = folder ? realpath(folder, NULL) : NULL,
         *whole = NULL;
    if (real && asprintf(&whole, "file:%s/%s", real, slash ? slash + 1 : path) < 0) whole = NULL;
    free(folder);
    free(real);
    return whole;
}

static mn_status encode(const char *folder, double rate, const char *path, const char *partial, FILE *errors, mn_messages *say)
{
    char rate_text[32], *target = whole_path(partial);
    mn_format(rate_text, sizeof rate_text, "%.6g", rate);
    /* The filter makes odd sizes even, which yuv420p needs; faststart lets browsers play while loading. */
    char *arguments[] = {"ffmpeg",
                         "-nostdin",
                         "-y",
                         "-loglevel",
                         "error",
                         "-framerate",
                         rate_text,
                         "-pattern_type",
                         "glob",
                         "-i",
                         "frame_*.png",
                         "-vf",
                         "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                         "-c:v",
                         "libx264",
                         "-crf",
                         "20",
                         "-preset",
                         "veryfast",
                         "-pix_fmt",
                         "yuv420p",
                         "-movflags",
                         "+faststart",
                         "-f",
                         "mp4",
                         target,
                         NULL};
    int status = target ? run(arguments, folder, fileno(errors)) : -1;
    mn_place at = {path, 0, 0};
    if (status == 0 && rename(partial, path) == 0) {
        free(target);
        return MN_OK;
    }
    if (status <= 0) {
        mn_say_warning(say, at, "no film: %s; the pictures are written", strerror(errno));
    } else {
        char reason[256];
        first_line(errors, reason, sizeof reason);
        mn_say_warning(say, at, "no film: ffmpeg ended with status %d: %s; the pictures are written", status, reason);
    }
    unlink(partial);
    free(target);
    return MN_FAILED;
}

mn_status mn_video_write(const char *folder, double frames_per_second, const char *path, mn_messages *say)
{
    mn_place at = {path, 0, 0};
    if (!in_path("ffmpeg")) {
        mn_say(say, MN_NOTE, at, "no film: ffmpeg is not in the PATH; the pictures are written");
        return MN_OK;
    }
    if (!(frames_per_second > 0) || !isfinite(frames_per_second)) {
        mn_say_error(say, at, "cannot make a video of %g frames a second; expected more than 0", frames_per_second);
        return MN_BAD_INPUT;
    }
    char *partial = NULL;
    FILE *errors = tmpfile();
    mn_status status = MN_FAILED;
    if (asprintf(&partial, "%s.partial", path) >= 0 && errors)
        status = encode(folder, frames_per_second, path, partial, errors, say);
    else mn_say_warning(say, at, "no film: out of memory or no temporary file; the pictures are written");
    if (errors) fclose(errors);
    free(partial);
    return status;
}
