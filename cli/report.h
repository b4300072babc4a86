/* report.h -- what the tool says: located messages and lines of progress on stderr. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "meniscus/meniscus.h"

/* Prints each message as `file:line:column: error: text`, notes only when asked, and empties the list. */
void cli_report(mn_messages *say, bool notes);

/* Seconds on a clock that only goes forward. */
double cli_clock(void);

/* 97336 -> "97,336"; the text lives until eight more calls. */
const char *cli_grouped(long long value);
/* 12345678.0 -> "12.3 M"; likewise. */
const char *cli_scaled(double value);

#endif
