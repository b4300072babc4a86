/* render.c -- `meniscus render`: arguments -> pictures of a finished run, its progress and its summary. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "render/run_pictures.h"
#include "report.h"
#include "signals.h"

static volatile sig_atomic_t stop;

/* The first signal lets the picture in hand be finished; a second one ends the process. Pictures are written whole
 * or not at all. */
static void ask_to_stop(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

static void show(void *quiet, int done, int count, const char *picture)
{
    if (*(const bool *)quiet) return;
    if (isatty(STDOUT_FILENO)) printf("\r\033[K%d of %d: %s%s", done, count, picture, done == count ? "\n" : "");
    else printf("%d of %d: %s\n", done, count, picture);
    fflush(stdout);
}

static void summarise(const mn_render_summary *sum, mn_status status, bool quiet)
{
    if (status == MN_INTERRUPTED)
        fprintf(stderr, "meniscus: interrupted after %d picture%s\n", sum->pictures, sum->pictures == 1 ? "" : "s");
    if (sum->kept > 0 && !quiet) printf("%d picture%s there already\n", sum->kept, sum->kept == 1 ? " was" : "s were");
    if (sum->pictures > 0 && !quiet)
        printf("%d picture%s in %s, %.1f s (surfaces %.1f s)\n", sum->pictures, sum->pictures == 1 ? "" : "s", sum->dir,
               sum->seconds, sum->mesh_seconds);
}

static int render(mn_render_options *opt, bool quiet, mn_messages *say)
{
    mn_render_summary sum;
    opt->stop = &stop;
    opt->progress = show;
    opt->user = &quiet;
    cli_on_stop(ask_to_stop, true);
    const mn_status status = mn_render(opt, say, &sum);
    cli_report(say, !quiet);
    summarise(&sum, status, quiet);
    return status;
}

int cli_render(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    if (!say) {
        cli_report(NULL, false);
        return MN_FAILED;
    }
    mn_render_options opt = {.source = args->operand,
                             .dir = args->dir,
                             .last = -1,
                             .step = 1,
                             .width = args->size[0],
                             .height = args->size[1],
                             .samples = (int)args->samples,
                             .threads = (int)args->threads,
                             .sets = args->sets,
                             .set_count = args->set_count,
                             .overwrite = args->overwrite,
                             .resume = args->resume};
    if (args->frames.step > 0) {
        opt.first = args->frames.first;
        opt.last = args->frames.last;
        opt.step = args->frames.step;
    }
    const int code = render(&opt, args->quiet, say);
    mn_messages_free(say);
    return code;
}

mn_status cli_render_rest(mn_live_render *live, bool quiet, mn_messages *say)
{
    mn_render_summary sum = {0};
    mn_render_options opt = {.stop = &stop, .progress = show, .user = &quiet};
    cli_on_stop(ask_to_stop, true);
    const mn_status status = mn_live_render_finish(live, &opt, say, &sum);
    summarise(&sum, status, quiet);
    return status;
}
