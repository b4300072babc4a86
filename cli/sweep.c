/* sweep.c -- `meniscus sweep`: starts its runs, some at a time, each as a process of its own; see sweep.h. */
#include "self.h"
#include "signals.h"
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "report.h"
#include "scene/scene.h"
#include "scenes.h"

enum { MOST_WORDS = 400 };

static volatile sig_atomic_t stop; /* how often it was asked */
static int passed_on;              /* how often to the runs */
static void ask_to_stop(int signal_number) { (void)signal_number, stop++; }

/* ---------------------------------------------------------------------------------------------- children */

typedef struct words {
    const char *at[MOST_WORDS + 1];
    char text[8][40]; /* of numbers */
    int count, texts;
} words;

static void add(words *w, const char *word)
{
    if (w->count < MOST_WORDS) w->at[w->count++] = word;
}

static void add_number(words *w, const char *option, const char *format, double value)
{
    add(w, option);
    mn_format(w->text[w->texts], sizeof w->text[0], format, value);
    add(w, w->text[w->texts++]);
}

/* This program again. Its output goes into `log`. It is not in the terminal's group: Ctrl-C reaches the sweep
 * alone, which passes it on once, so that the run ends with a checkpoint; so it does if the sweep is killed. */
static pid_t start(const words *w, const char *log)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(MN_FAILED);
    char **self = cli_self_words((const char *const *)w->at);
    if (self) execv(CLI_SELF, self);
    _exit(MN_FAILED);
}

/* KEY=VALUE of each key, malloc'd. */
static char *setting(const sweep *s, const sweep_run *run, int key)
{
    char *text;
    return asprintf(&text, "%s=%s", s->keys[key].path, s->keys[key].values[run->value[key]]) < 0 ? NULL : text;
}

static long threads_of_each(const cli_arguments *args)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN), jobs = args->jobs > 0 ? args->jobs : 1;
    return args->threads > 0 ? args->threads : cores / jobs > 0 ? cores / jobs : 1;
}

static mn_status begin_run(const sweep *s, sweep_run *run)
{
    const cli_arguments *args = s->args;
    words w = {.at = {"meniscus", "run", args->operand, "-o", run->dir, "--resume", "--json"}, .count = 7};
    char *own[SWEEP_KEYS] = {NULL};
    bool good = true;
    add_number(&w, "--threads", "%.0f", (double)threads_of_each(args));
    if (args->until >= 0) add_number(&w, "--until", "%.17g", args->until);
    if (args->steps >= 0) add_number(&w, "--steps", "%.0f", (double)args->steps);
    if (args->backend) add(&w, "--backend"), add(&w, args->backend);
    for (int i = 0; i < args->set_count; i++) add(&w, "--set"), add(&w, args->sets[i]);
    for (int k = 0; k < s->key_count; k++) {
        own[k] = setting(s, run, k);
        good = good && own[k];
        add(&w, "--set"), add(&w, own[k]);
    }
    w.at[w.count] = NULL;
    run->began = cli_clock();
    run->pid = good && w.count < MOST_WORDS ? start(&w, run->log) : -1;
    for (int k = 0; k < s->key_count; k++) free(own[k]);
    if (run->pid > 0) return MN_OK;
    run->pid = 0;
    cli_wrong("cannot start a run: %s", good ? strerror(errno) : "out of memory");
    return MN_FAILED;
}

/* Runs the program to its end, quietly; its exit code. */
static int run_tool(const words *w, const char *log)
{
    int status = 0;
    const pid_t pid = start(w, log);
    if (pid < 0) return MN_FAILED;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : MN_FAILED;
}

static void measure(const sweep *s, const sweep_run *run, mn_messages *say)
{
    words w = {.at = {"meniscus", "measure", run->dir}, .count = 3};
    for (int k = 0; k < s->measure_count; k++) add(&w, s->measures[k]);
    add(&w, "--overwrite");
    char *log;
    if (asprintf(&log, "%s/measure.log", run->dir) < 0) return;
    if (run_tool(&w, log) != MN_OK) mn_say_warning(say, (mn_place){run->name, 0, 0}, "cannot be measured; see %s", log);
    else unlink(log);
    free(log);
}

/* ------------------------------------------------------------------------------------------------- runs */

static void say_end(const sweep *s, const sweep_run *run)
{
    int done = 0;
    for (int r = 0; r < s->run_count; r++) done += s->runs[r].finished;
    if (s->args->quiet) return;
    printf("%*d/%d  %-40s  ", s->run_count > 99 ? 4 : 2, done, s->run_count, run->name);
    if (run->exit == MN_OK)
        printf("%s steps to %g s in %.1f s", cli_grouped((long long)run->steps), run->time, run->wall);
    else printf("%s", run->exit == MN_DIVERGED ? "diverged" : run->exit == MN_INTERRUPTED ? "interrupted" : "failed");
    for (int k = 0; k < s->result_count && k < 3 && run->exit == MN_OK; k++)
        printf("  %s %.4g", s->results[k].name, run->result[k]);
    putchar('\n');
    fflush(stdout);
}

/* Waits for one of the runs and takes its numbers. */
static mn_status end_one(sweep *s, mn_messages *say)
{
    int status;
    const pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) {
        for (int r = 0; r < s->run_count && stop > passed_on; r++)
            if (s->runs[r].pid > 0) kill(s->runs[r].pid, SIGINT);
        passed_on = stop;
        return MN_OK;
    }
    if (pid < 0) return MN_FAILED;
    for (int r = 0; r < s->run_count; r++) {
        sweep_run *run = &s->runs[r];
        if (run->pid != pid) continue;
        run->pid = 0;
        run->exit = WIFEXITED(status) ? WEXITSTATUS(status) : MN_FAILED;
        if (run->exit == MN_OK && s->measure_count) measure(s, run, say);
        sweep_take(s, run, say);
        run->finished = run->exit != MN_INTERRUPTED;
        say_end(s, run);
        cli_report(say, true);
        return run->finished ? sweep_write(s, say) : MN_OK;
    }
    return MN_OK;
}

static mn_status run_all(sweep *s, mn_messages *say)
{
    const int jobs = s->args->jobs > 0 ? (int)s->args->jobs : 1;
    mn_status status = MN_OK;
    int next = 0, running = 0;
    while ((next < s->run_count && !stop && status == MN_OK) || running > 0) {
        while (running < jobs && next < s->run_count && !stop && status == MN_OK) {
            status = begin_run(s, &s->runs[next]);
            running += status == MN_OK;
            next++;
        }
        if (running == 0) break;
        const mn_status ended = end_one(s, say);
        if (status == MN_OK) status = ended;
        running = 0;
        for (int r = 0; r < s->run_count; r++) running += s->runs[r].pid > 0;
    }
    return status;
}

/* Columns over time, where the runs are few enough to be told apart. */
static void draw_curves(const sweep *s)
{
    words w = {.at = {"meniscus", "plot"}, .count = 2};
    int runs = 0, columns = 0;
    char *path = mn_path_join(s->dir, "curves.png"), *log = mn_path_join(s->dir, "curves.log");
    for (int r = 0; r < s->run_count; r++)
        if (s->runs[r].finished && s->runs[r].exit == MN_OK) add(&w, s->runs[r].dir), runs++;
    for (int k = 0; k < s->result_count && columns < 4; k++) {
        bool known = false;
        for (int q = 0; q < k; q++) known |= strcmp(s->results[q].column, s->results[k].column) == 0;
        if (!known) add(&w, s->results[k].column), columns++;
    }
    add(&w, "-o"), add(&w, path), add(&w, "--overwrite"), add(&w, "-q");
    if (path && log && runs > 0 && runs <= 8 && run_tool(&w, log) == MN_OK) unlink(log);
    free(path);
    free(log);
}

/* ---------------------------------------------------------------------------------------------- checking */

/* Every scene is read before the first run begins. The first of them comes back. */
static mn_scene *check_scenes(const sweep *s, const char *path, mn_messages *say)
{
    mn_scene *first = NULL;
    bool good = true;
    for (int r = 0; r < s->run_count && good; r++) {
        const char *sets[MOST_WORDS];
        char *own[SWEEP_KEYS];
        int count = 0;
        for (int i = 0; i < s->args->set_count && count < MOST_WORDS - SWEEP_KEYS; i++)
            sets[count++] = s->args->sets[i];
        for (int k = 0; k < s->key_count; k++) sets[count++] = own[k] = setting(s, &s->runs[r], k);
        mn_scene *scene = mn_scene_load(path, sets, count, say);
        good = scene && mn_messages_errors(say) == 0;
        for (int k = 0; k < s->key_count; k++) free(own[k]);
        if (!first) first = scene;
        else mn_scene_free(scene);
    }
    if (good) return first;
    mn_scene_free(first);
    return NULL;
}

static mn_status sweep_all(sweep *s, const mn_scene *scene, mn_messages *say)
{
    cli_on_stop(ask_to_stop, false);
    mn_status status = mn_folder_make(s->dir, say);
    if (status == MN_OK && !s->args->quiet)
        printf("%d runs in %s, %ld at a time\n", s->run_count, s->dir, s->args->jobs > 0 ? s->args->jobs : 1);
    if (status == MN_OK) status = run_all(s, say);
    int done = 0;
    for (int r = 0; r < s->run_count; r++) done += s->runs[r].finished;
    if (status == MN_OK && done > 0) {
        const bool drawn = sweep_draw(s, scene, say);
        draw_curves(s);
        if (!s->args->quiet) printf("written %s/results.csv%s\n", s->dir, drawn ? ", results.png" : "");
    }
    if (stop) {
        fprintf(stderr, "meniscus: interrupted; the same command continues with the other %d runs\n",
                s->run_count - done);
        return MN_INTERRUPTED;
    }
    for (int r = 0; r < s->run_count && status == MN_OK; r++)
        if (s->runs[r].exit != MN_OK) status = (mn_status)s->runs[r].exit;
        else if (s->runs[r].lacks) status = MN_BAD_INPUT; /* which one was said */
    return status;
}

int cli_sweep(const cli_arguments *args)
{
    sweep s = {.args = args, .dir = args->dir};
    if (!args->dir) return cli_wrong("'meniscus sweep' needs -o DIR");
    if (strcmp(args->operand, "-") == 0) return cli_wrong("'meniscus sweep' needs a scene that it can read many times");
    mn_messages *say = mn_messages_new();
    char *path = NULL;
    mn_scene *scene = NULL;
    mn_status status = sweep_plan(&s);
    if (status == MN_OK) { /* ambiguous and unknown names are said here */
        mn_scene *plain = cli_load_scene(args, &path, say);
        mn_scene_free(plain);
        if (plain) scene = check_scenes(&s, path, say);
        if (!scene) status = mn_status_of_failure(say);
    }
    if (status == MN_OK) status = sweep_all(&s, scene, say);
    cli_report(say, !args->quiet);
    mn_scene_free(scene);
    mn_messages_free(say);
    sweep_free(&s);
    free(path);
    return status;
}
