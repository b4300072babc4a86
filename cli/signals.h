/* signals.h -- what stops a command from outside. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* Ctrl-C, a request to end and a terminal that is closed call `ask`; not the last one under nohup. `once`: the second
 * of a kind ends the program at once. */
void cli_on_stop(void (*ask)(int), bool once);

/* A limit on the size of files comes back as a failed write, which is reported, and so does a reader that went away
 * where `readers` is set; otherwise the latter ends the program, as it does `cat`. */
void cli_report_failed_writes(bool readers);

#endif
