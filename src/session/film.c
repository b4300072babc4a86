/* film.c -- runs ffmpeg; see film.h. The film is made beside its target and renamed, as every other file. */
#include "session/film.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

/* The exit status of a quiet ffmpeg, or -1 if there is none to run. */
static int run_quietly(char *const *words)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    pid_t child;
    int failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (!failed) failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return -1;
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 1;
    /* A shell-less spawn reports a missing program either here or above, by the system's choice. */
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
    return 1;
}

mn_status mn_film(const char *pattern, double rate, const char *path, mn_messages *say)
{
    char frequency[32], *partial;
    mn_format(frequency, sizeof frequency, "%.6g", rate);
    if (asprintf(&partial, "%s.partial", path) < 0) return MN_FAILED;
    char *words[] = {"ffmpeg",
                     "-y",
                     "-nostdin",
                     "-loglevel",
                     "quiet",
                     "-framerate",
                     frequency,
                     "-start_number",
                     "0",
                     "-i",
                     (char *)pattern,
                     "-vf",
                     "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                     "-c:v",
                     "libx264",
                     "-pix_fmt",
                     "yuv420p",
                     "-crf",
                     "20",
                     "-movflags",
                     "+faststart",
                     "-f",
                     "mp4",
                     partial,
                     NULL};
    int code = run_quietly(words);
    mn_status status = MN_OK;
    if (code > 0 || (code == 0 && rename(partial, path) != 0)) {
        mn_say_warning(say, (mn_place){path, 0, 0}, "ffmpeg could not make this film; the pictures are whole");
        status = MN_FAILED;
    }
    if (code != 0) unlink(partial);
    free(partial);
    return status;
}
