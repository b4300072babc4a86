/* run.c -- `meniscus run`: arguments -> a session, its progress and its summary. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "json.h"
#include "progress.h"
#include "render/run_pictures.h"
#include "report.h"
#include "scenes.h"
#include "session/session.h"
#include "signals.h"

static volatile sig_atomic_t stop, stepping;

/* The first signal asks for a checkpoint and an orderly end; the handler is then gone, so that a second one ends the
 * process. Before the first step, while shapes are filled with particles, there is nothing to keep. */
static void ask_to_stop(int signal_number)
{
    static const char text[] = "\nmeniscus: interrupted before the first step\n";
    (void)signal_number;
    if (!stepping) {
        const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        (void)written;
        _exit(MN_INTERRUPTED);
    }
    stop = 1;
}

static void show(void *line, const mn_session_progress *now)
{
    stepping = 1;
    cli_progress_show(line, now);
}

static void show_json(void *say, const mn_session_progress *now)
{
    stepping = 1;
    cli_json_progress(say, now);
}

static void catch_signals(void)
{
    cli_on_stop(ask_to_stop, true);
    cli_report_failed_writes(true);
}

/* out/dam-30k for scenes/basics/dam-30k.yaml. malloc'd. */
static char *default_folder(const char *scene)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene, *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    char *dir;
    return asprintf(&dir, "out/%.*s", length, name) < 0 ? NULL : dir;
}

/* A word as a shell takes it. */
static void print_word(FILE *out, const char *before, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+%@-";
    fputs(before, out);
    if (*word && word[strspn(word, plain)] == 0) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
    fputc('\'', out);
}

/* The command that continues this run, with all that decides what it computes and writes. */
static void print_resume(const cli_arguments *args, const char *dir)
{
    print_word(stderr, "  meniscus run ", args->operand);
    print_word(stderr, " -o ", dir);
    for (int i = 0; i < args->set_count; i++) print_word(stderr, " --set ", args->sets[i]);
    if (args->until >= 0) fprintf(stderr, " --until %.17g", args->until);
    if (args->steps >= 0) fprintf(stderr, " --steps %ld", args->steps);
    if (args->backend) print_word(stderr, " --backend ", args->backend);
    for (int i = 0; i < args->format_count; i++) fprintf(stderr, "%s%s", i ? "," : " --format ", args->formats[i]);
    fprintf(stderr, "%s%s --resume\n", args->preview ? " --preview" : "", args->render ? " --render" : "");
}

static mn_session_options options_of(const cli_arguments *args, const char *dir)
{
    mn_session_options opt = mn_default_session_options();
    opt.dir = dir;
    opt.until = args->until;
    opt.steps = args->steps;
    if (args->backend) opt.world.backend = args->backend;
    opt.world.threads = (int)args->threads;
    opt.formats = args->formats;
    opt.format_count = args->format_count;
    opt.preview = args->preview;
    opt.resume = args->resume;
    opt.overwrite = args->overwrite;
    opt.inspect = true;
    opt.stop = &stop;
    return opt;
}

/* The run, with pictures during it if they are asked for. What is left to draw comes later: cli_render_rest. */
static mn_status run_session(const mn_scene *scene, const mn_session_options *opt, mn_live_render *live,
                             mn_messages *say, mn_session_summary *sum)
{
    const mn_drawing drawing = {mn_live_render_frame, live};
    return mn_session_run_drawn(scene, opt, live ? &drawing : NULL, say, sum);
}

/* The same for scripts: everything is a line of JSON on stdout. */
static int simulate_json(const mn_scene *scene, const char *dir, const cli_arguments *args, mn_live_render *live,
                         mn_messages *say)
{
    mn_session_options opt = options_of(args, dir);
    opt.progress = show_json;
    opt.user = say;
    opt.progress_interval = 1;
    catch_signals();
    cli_json_start(scene->path, dir);
    mn_session_summary sum;
    mn_status status = run_session(scene, &opt, live, say, &sum);
    cli_json_messages(say, !args->quiet);
    if (live && status == MN_OK) {
        status = cli_render_rest(live, true, say);
        cli_json_messages(say, !args->quiet);
    }
    cli_json_summary(status, &sum, dir);
    return status;
}

static int simulate(const mn_scene *scene, const char *dir, const cli_arguments *args, mn_live_render *live,
                    mn_messages *say)
{
    cli_progress line = cli_progress_begin(say, args->quiet);
    mn_session_options opt = options_of(args, dir);
    opt.progress = show;
    opt.user = &line;
    opt.progress_interval = cli_progress_interval(&line);

    mn_messages_watch(say, cli_progress_prepare, &line);
    catch_signals();
    mn_session_summary sum;
    mn_status status = run_session(scene, &opt, live, say, &sum);
    mn_messages_watch(say, NULL, NULL);
    cli_progress_end(&line);
    cli_report(say, !args->quiet);
    if (status == MN_INTERRUPTED) {
        fprintf(stderr, "meniscus: interrupted at step %" PRId64 ", time %g s; this continues:\n", sum.steps, sum.time);
        print_resume(args, dir);
    }
    if (status != MN_OK && status != MN_INTERRUPTED) return status;
    if (!args->quiet) cli_print_summary(&sum, dir);
    printf("state %016" PRIx64 "\n", sum.hash);
    if (!live || status != MN_OK) return status;
    status = cli_render_rest(live, args->quiet, say);
    cli_report(say, !args->quiet);
    return status;
}

/* With what `--render` needs. */
static int simulate_into(const mn_scene *scene, const char *dir, const cli_arguments *args, mn_messages *say)
{
    mn_live_render *live = args->render ? mn_live_render_new(scene, dir, 0, say) : NULL;
    if (live || !args->render) {
        const int code = (args->json ? simulate_json : simulate)(scene, dir, args, live, say);
        mn_live_render_free(live);
        return code;
    }
    const mn_status status = mn_status_of_failure(say);
    if (args->json) cli_json_messages(say, !args->quiet);
    else cli_report(say, !args->quiet);
    if (args->json) cli_json_summary(status, NULL, dir);
    return status;
}

int cli_run(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    char *path = NULL, *dir = NULL;
    mn_scene *scene = cli_load_scene(args, &path, say);
    int code = mn_status_of_failure(say);
    if (args->json) cli_json_messages(say, !args->quiet);
    else cli_report(say, !args->quiet);
    if (scene && path) {
        dir = args->dir ? strdup(args->dir) : default_folder(path);
        code = dir ? simulate_into(scene, dir, args, say) : MN_FAILED;
    } else if (args->json) {
        cli_json_summary((mn_status)code, NULL, args->dir);
    }
    mn_scene_free(scene);
    mn_messages_free(say);
    free(dir);
    free(path);
    return code;
}
