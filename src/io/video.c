/* video.c -- pictures to a video by the ffmpeg program, started without a shell, in the folder of the pictures:
 * nothing in the folder's name can mean anything to ffmpeg. It writes to a partial file that is renamed when ffmpeg
 * has ended well, so that an interrupted run leaves no broken video. */
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
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."),
         *real = folder ? realpath(folder, NULL) : NULL, *whole = NULL;
    if (real && asprintf(&whole, "file:%s/%s", real, slash ? slash + 1 : path) < 0) whole = NULL;
    free(folder);
    free(real);
    return whole;
}

static mn_status encode(char *const *arguments, const char *folder, const char *path, const char *partial, FILE *errors,
                        mn_messages *say)
{
    int status = run(arguments, folder, fileno(errors));
    mn_place at = {path, 0, 0};
    if (status == 0 && rename(partial, path) == 0) return MN_OK;
    if (status <= 0) {
        mn_say_warning(say, at, "no film: %s; the pictures are there", strerror(errno));
    } else {
        char reason[256];
        first_line(errors, reason, sizeof reason);
        mn_say_warning(say, at, "no film: ffmpeg ended with status %d: %s; the pictures are there", status, reason);
    }
    unlink(partial);
    return MN_FAILED;
}

enum { MOST_WORDS = 24 };

/* What comes between the pictures and the name of the film. The filter of a video makes odd sizes even, which
 * yuv420p needs; faststart lets browsers play while loading. A gif is made smaller and gets a palette of its own. */
static const char *const video_words[] = {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                          "-c:v",      "libx264",
                                          "-crf",      "20",
                                          "-preset",   "veryfast",
                                          "-pix_fmt",  "yuv420p",
                                          "-movflags", "+faststart",
                                          "-f",        "mp4",
                                          NULL};
static const char gif_filter[] = "scale='min(640,iw)':-1:flags=lanczos,split[a][b];[a]palettegen=stats_mode=diff[p];"
                                 "[b][p]paletteuse=dither=bayer:bayer_scale=4";
static const char *const gif_words[] = {"-vf", gif_filter, "-loop", "0", "-f", "gif", NULL};

static mn_status write_film(const char *folder, double rate, const char *const *middle, const char *path,
                            mn_messages *say)
{
    char rate_text[32], *partial = NULL, *target = NULL;
    const char *words[MOST_WORDS + 16] = {"ffmpeg",  "-nostdin",      "-y",   "-loglevel", "error",      "-framerate",
                                          rate_text, "-pattern_type", "glob", "-i",        "frame_*.png"};
    int count = 11;
    mn_format(rate_text, sizeof rate_text, "%.6g", rate);
    for (int k = 0; middle[k]; k++) words[count++] = middle[k];
    FILE *errors = tmpfile();
    mn_status status = MN_FAILED;
    if (asprintf(&partial, "%s.partial", path) < 0) partial = NULL;
    if (partial) target = whole_path(partial);
    words[count] = target;
    if (target && errors) status = encode((char *const *)words, folder, path, partial, errors, say);
    else
        mn_say_warning(say, (mn_place){path, 0, 0},
                       "no film: out of memory or no temporary file; the pictures are there");
    if (errors) fclose(errors);
    free(partial);
    free(target);
    return status;
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
    return write_film(folder, frames_per_second, video_words, path, say);
}

mn_status mn_gif_write(const char *folder, double frames_per_second, const char *path, mn_messages *say)
{
    return in_path("ffmpeg") ? write_film(folder, frames_per_second, gif_words, path, say) : MN_OK;
}
