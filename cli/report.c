/* report.c -- messages on stderr, and numbers as people read them. */
#include "report.h"

#include <stdio.h>
#include <time.h>

static const char *const severities[] = {[MN_NOTE] = "note", [MN_WARNING] = "warning", [MN_ERROR] = "error"};

static void print_message(mn_message message)
{
    if (!message.file) fputs("meniscus: ", stderr);
    else if (message.line <= 0) fprintf(stderr, "%s: ", message.file);
    else if (message.column <= 0) fprintf(stderr, "%s:%d: ", message.file, message.line);
    else fprintf(stderr, "%s:%d:%d: ", message.file, message.line, message.column);
    fprintf(stderr, "%s: %s\n", severities[message.severity], message.text);
}

void cli_report(mn_messages *say, bool notes)
{
    int count = mn_messages_count(say);
    if (!say) print_message((mn_message){.severity = MN_ERROR, .text = "out of memory"});
    for (int i = 0; i < count; i++) {
        mn_message message = mn_messages_get(say, i);
        if (message.severity != MN_NOTE || notes) print_message(message);
    }
    mn_messages_clear(say);
}

double cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char *next_text(void)
{
    static char texts[8][40];
    static int next;
    return texts[next++ % 8];
}

const char *cli_grouped(long long value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", value);
    char *text = next_text(), *out = text;
    for (int i = 0; i < length; i++) {
        if (i > (value < 0) && (length - i) % 3 == 0) *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return text;
}

const char *cli_scaled(double value)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    int power = 0;
    while (value >= 999.5 && power < 4) {
        value /= 1000;
        power++;
    }
    char *text = next_text();
    snprintf(text, 40, "%.3g%s%s", value, power ? " " : "", prefixes[power]);
    return text;
}
