/* progress.h -- a running session on stderr: one line that is rewritten on a terminal, a plain line now and then
 * elsewhere. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "session/session.h"

typedef struct cli_progress {
    bool quiet, terminal;
    mn_messages *say;            /* what the session has to say is printed as it comes */
    double wall, particle_steps; /* at the last line, for the speed since then */
    double speed;                /* particle-steps per second, smoothed */
    double asked, told;          /* when what is prepared was first heard of, and last shown, s */
    int width;                   /* of the line that stands on the terminal */
} cli_progress;

cli_progress cli_progress_begin(mn_messages *say, bool quiet);
/* For mn_messages_watch; `user` is a cli_progress. Speaks up once something has taken a second. */
void cli_progress_prepare(void *user, const char *what, double part);
double cli_progress_interval(const cli_progress *line); /* s between lines */
/* For mn_session_options.progress; `user` is a cli_progress. */
void cli_progress_show(void *user, const mn_session_progress *now);
/* Clears the line from the terminal. */
void cli_progress_end(cli_progress *line);

/* The summary on stdout. */
void cli_print_summary(const mn_session_summary *sum, const char *dir);

#endif
