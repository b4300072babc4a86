/* progress.c -- lines of progress and the closing summary. */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report.h"

cli_progress cli_progress_begin(mn_messages *say, bool quiet)
{
    const char *term = getenv("TERM");
    return (cli_progress){
        .quiet = quiet, .say = say, .terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0};
}

double cli_progress_interval(const cli_progress *line) { return line->terminal ? 0.2 : 5; }

static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/* Wall seconds left by simulated time or by steps, whichever ends the run first; negative: cannot be told yet. */
static double time_left(const mn_session_progress *now)
{
    double left = INFINITY, done = now->stats.time - now->begin;
    if (done > 0 && isfinite(now->end)) left = now->wall * (now->end - now->stats.time) / done;
    double steps = (double)(now->stats.step - now->first_step);
    if (now->last_step >= 0 && steps > 0)
        left = fmin(left, now->wall * (double)(now->last_step - now->stats.step) / steps);
    return isfinite(left) ? fmax(left, 0) : -1;
}

static void duration(double seconds, char *out, size_t size)
{
    long whole = (long)(seconds + 0.5);
    if (seconds < 0) snprintf(out, size, "?");
    else if (whole >= 3600) snprintf(out, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else snprintf(out, size, "%ld:%02ld", whole / 60, whole % 60);
}

/* The whole line, with words, or with the same numbers and few words for a narrow terminal. Its length. */
static int compose(const cli_progress *line, const mn_session_progress *now, bool narrow, char *out, size_t size)
{
    char left[32];
    duration(time_left(now), left, sizeof left);
    int length = snprintf(out, size, narrow ? "%.4g/%g s step %lld %s p" : "%.4f/%g s  step %lld  %s particles",
                          now->stats.time, now->end, (long long)now->stats.step, cli_grouped(now->stats.particles));
    const int64_t deleted = now->stats.drained + now->stats.lost;
    if (deleted && !narrow)
        length += snprintf(out + length, size - (size_t)length, " (%s deleted)", cli_grouped(deleted));
    if (now->stats.step > now->first_step)
        length += snprintf(out + length, size - (size_t)length,
                           narrow ? " dt %.3g ms it %d+%d %s p/s left %s"
                                  : "  dt %.3g ms  iterations %d+%d  %s particle-steps/s  left %s",
                           1e3 * now->stats.dt, now->stats.pressure_iterations, now->stats.velocity_iterations,
                           cli_scaled(line->speed), left);
    return length;
}

/* In place of the line that stands on the terminal. */
static void rewrite(cli_progress *line, const char *text, int length)
{
    const int room = columns() - 1, shown = length < room ? length : room;
    fprintf(stderr, "\r%.*s%*s", shown, text, line->width > shown ? line->width - shown : 0, "");
    line->width = shown;
    fflush(stderr);
}

void cli_progress_show(void *user, const mn_session_progress *now)
{
    cli_progress *line = user;
    if (mn_messages_count(line->say) > 0) {
        cli_progress_end(line);
        cli_report(line->say, !line->quiet);
    }
    if (line->quiet) return;
    double wall = now->wall - line->wall, recent = wall > 0 ? (now->particle_steps - line->particle_steps) / wall : 0;
    line->speed = line->speed > 0 ? 0.7 * line->speed + 0.3 * recent : recent;
    line->wall = now->wall;
    line->particle_steps = now->particle_steps;
    char text[256];
    int length = compose(line, now, false, text, sizeof text);
    if (!line->terminal) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    if (length > columns() - 1) length = compose(line, now, true, text, sizeof text);
    rewrite(line, text, length);
}

void cli_progress_prepare(void *user, const char *what, double part)
{
    cli_progress *line = user;
    const double now = cli_clock();
    if (line->asked == 0) line->asked = line->told = now;
    if (line->quiet || now - line->asked < 1 || now - line->told < cli_progress_interval(line)) return;
    line->told = now;
    char text[120];
    const int length = snprintf(text, sizeof text, "%s: %.0f %%", what, 100 * part);
    if (line->terminal) rewrite(line, text, length);
    else fprintf(stderr, "%s\n", text);
}

void cli_progress_end(cli_progress *line)
{
    if (line->terminal && line->width > 0) fprintf(stderr, "\r%*s\r", line->width, "");
    line->width = 0;
}

void cli_print_summary(const mn_session_summary *sum, const char *dir)
{
    long long steps = (long long)(sum->steps - sum->first_step);
    double each = steps > 0 ? (double)steps : 1;
    printf("%s\n", sum->backend);
    printf("%s particles and %s boundary points, %lld step%s to %g s in %.2f s\n", cli_grouped(sum->particles),
           cli_grouped(sum->boundary_points), steps, steps == 1 ? "" : "s", sum->time, sum->wall);
    if (sum->drained + sum->lost)
        printf("deleted          %s in sinks, %s outside the domain\n", cli_grouped(sum->drained),
               cli_grouped(sum->lost));
    for (int i = 0; i < sum->stage_count; i++) {
        if (sum->stages[i].seconds < 0.5e-3 && sum->stages[i].seconds < 1e-3 * sum->step_wall)
            continue; /* the scene has no such thing */
        printf("  %-14s %9.3f s %9.3f ms a step %5.1f %%\n", sum->stages[i].name, sum->stages[i].seconds,
               1e3 * sum->stages[i].seconds / each,
               sum->step_wall > 0 ? 100 * sum->stages[i].seconds / sum->step_wall : 0);
    }
    printf("speed            %s particle-steps/s\n",
           cli_scaled(sum->step_wall > 0 ? sum->particle_steps / sum->step_wall : 0));
    printf("memory           %.1f MB, %.0f bytes a particle\n", 1e-6 * (double)sum->bytes,
           (double)sum->bytes / fmax(1, (double)sum->particles));
    printf("density error    %.4f %% average, %.3f %% largest\n", 100 * sum->density_error_avg,
           100 * sum->density_error_max);
    printf("pressure         %.2f iterations a step\n", sum->pressure_iterations);
    printf("written          %s: %d frame%s, %d checkpoint%s\n", dir, sum->frames, sum->frames == 1 ? "" : "s",
           sum->checkpoints, sum->checkpoints == 1 ? "" : "s");
}
