/* bench_pictures.c -- cases of `meniscus bench` that make a mesh or a picture of a frame.
 *
 * The tool calls itself: once to simulate into a scratch folder, once to make what is measured. So the times are those
 * of the command, reading and writing included, and its memory is its own.
 */
#include "bench_pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "report.h"
#include "scenes.h"
#include "self.h"

typedef struct picture_case {
    const char *name, *scene, *command, *moment; /* moment: s */
    bool named;                                  /* simulates for minutes: only when it is asked for by its name */
} picture_case;

static const picture_case cases[] = {
    {"mesh-30k", "basics/dam-30k", "mesh", "0.4", false},
    {"mesh-1m", "basics/dam-1m", "mesh", "0.4", true},
    {"render-crown", "akinci2013/crown-small", "render", "0.055", false},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int bench_picture_cases(const char **out, int capacity)
{
    for (int i = 0; i < CASE_COUNT && i < capacity; i++) out[i] = cases[i].name;
    return CASE_COUNT;
}

typedef struct spent {
    double seconds, cpu_seconds, peak; /* peak: bytes */
} spent;

/* This program with other arguments; what it prints on stdout is dropped. */
static mn_status call(const char *const *words, spent *out, mn_messages *say)
{
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int code = -1;
    struct rusage use = {0};
    const double start = cli_clock();
    if (posix_spawn_file_actions_init(&quiet) != 0) return MN_FAILED;
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    char **self = cli_self_words(words);
    const int error = self ? posix_spawn(&child, CLI_SELF, &quiet, NULL, self, environ) : ENOMEM;
    free(self);
    posix_spawn_file_actions_destroy(&quiet);
    if (error) {
        mn_say_failure(say, MN_NOWHERE, "cannot start 'meniscus %s': %s", words[1], strerror(error));
        return MN_FAILED;
    }
    const bool ended = wait4(child, &code, 0, &use) == child && WIFEXITED(code);
    *out = (spent){cli_clock() - start,
                   (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                       1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec),
                   1024.0 * (double)use.ru_maxrss};
    if (ended && WEXITSTATUS(code) == MN_OK) return MN_OK;
    mn_say_failure(say, MN_NOWHERE, "'meniscus %s' failed", words[1]);
    return ended ? (mn_status)WEXITSTATUS(code) : MN_FAILED;
}

static mn_status simulate(const picture_case *the, const cli_arguments *args, const char *dir, const char *threads,
                          mn_messages *say)
{
    char *scene = cli_find_scene(the->scene), every[64];
    snprintf(every, sizeof every, "output.every=%s", the->moment);
    const char *words[] = {"meniscus",
                           "run",
                           scene,
                           "-o",
                           dir,
                           "-q",
                           "--until",
                           the->moment,
                           "--set",
                           every,
                           "--set",
                           "output.fields=[velocity]",
                           "--threads",
                           threads,
                           "--overwrite",
                           "--backend",
                           args->backend ? args->backend : "cpu",
                           NULL};
    spent ignored;
    const mn_status status = scene ? call(words, &ignored, say) : MN_FAILED;
    free(scene);
    return status;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static long rows_particles(const char *dir)
{
    char path[512], line[1024];
    long count = 0;
    snprintf(path, sizeof path, "%s/stats.csv", dir);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "%*d,%*f,%*f,%ld", &count);
    if (file) fclose(file);
    return count;
}

/* The shortest of --repeat times, as the other cases. */
static mn_status measure(const picture_case *the, const cli_arguments *args, spent *out, long *particles,
                         mn_messages *say)
{
    const char *folder = getenv("TMPDIR");
    char dir[256], made[300], threads[24];
    snprintf(dir, sizeof dir, "%s/meniscus-bench-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!mkdtemp(dir)) {
        mn_say_failure(say, MN_NOWHERE, "cannot make a scratch folder %s", dir);
        return MN_FAILED;
    }
    snprintf(made, sizeof made, "%s/made", dir);
    snprintf(threads, sizeof threads, "%ld", args->threads);
    const char *words[] = {"meniscus", the->command,  dir,         "-o",    made,     "-q",       "--frames",
                           "1",        "--overwrite", "--threads", threads, "--size", "1280x720", NULL};
    if (strcmp(the->command, "render") != 0) words[11] = NULL;
    mn_status status = simulate(the, args, dir, threads, say);
    *particles = rows_particles(dir);
    for (long k = 0; k < args->repeat && status == MN_OK; k++) {
        spent now;
        status = call(words, &now, say);
        if (k == 0 || now.seconds < out->seconds) *out = now;
    }
    nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}

int bench_pictures(const cli_arguments *args, bool first, mn_messages *say)
{
    int code = MN_OK;
    bool head = !args->json;
    for (int i = 0; i < CASE_COUNT; i++) {
        if (args->operand ? strcmp(args->operand, cases[i].name) != 0 : cases[i].named) continue;
        spent s = {0};
        long particles;
        const mn_status status = measure(&cases[i], args, &s, &particles, say);
        cli_report(say, false);
        if (status != MN_OK) {
            fprintf(stderr, "meniscus: error: case %s could not be measured\n", cases[i].name);
            code = status;
            continue;
        }
        if (head) printf("%-14s %10s %10s %10s %10s\n", "case", "particles", "s", "CPU s", "peak MB");
        if (args->json)
            printf("%s\n  {\"case\": \"%s\", \"particles\": %ld, \"seconds\": %.3f, \"cpu_seconds\": %.3f, "
                   "\"peak_bytes\": %.0f}",
                   first ? "[" : ",", cases[i].name, particles, s.seconds, s.cpu_seconds, s.peak);
        else
            printf("%-14s %10ld %10.2f %10.2f %10.0f\n", cases[i].name, particles, s.seconds, s.cpu_seconds,
                   1e-6 * s.peak);
        head = first = false;
        fflush(stdout);
    }
    if (args->json) fputs(first ? "[]\n" : "\n]\n", stdout);
    return code;
}
