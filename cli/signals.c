/* signals.c -- see signals.h. */
#include "signals.h"

#include <signal.h>
#include <stddef.h>

void cli_on_stop(void (*ask)(int), bool once)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = once ? (int)SA_RESETHAND : 0}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
}

void cli_report_failed_writes(bool readers)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, NULL);
    if (readers) sigaction(SIGPIPE, &ignore, NULL);
}
